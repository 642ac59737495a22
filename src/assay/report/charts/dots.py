"""Charts of dots with their intervals, line by line: groups, differences between pairs, measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import interval, title, value_text
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.charts.drawing import (
    COLORS,
    TEXT,
    WIDTH,
    Drawing,
    axis,
    brief,
    color_of,
    finite,
    framed,
    layer,
    point,
    scaled,
    ticks,
    width_of,
    words,
)
from assay.report.names import short
from assay.report.tokens import DASHES, INTERVAL
from assay.texts import numeral, percent, reach, signed
from assay.uncertainty.results import Comparison

GAP, STEP, LEAST = 12, 15, 20  # pixels around a line, between its dots, and of a line at least
LONGEST = 22  # characters of a label
NARROWEST = 200  # pixels of the frame


@dataclass(frozen=True)
class Dot:
    """A value with its interval, for the system at this place; None if it belongs to no system."""

    value: float
    low: float | None = None
    high: float | None = None
    system: int | None = None
    hollow: bool = False  # no difference was found


@dataclass(frozen=True)
class Line:
    """One line of the chart: a label, a note below it, dots, and a tick to compare them with."""

    label: str
    note: str = ""
    dots: tuple[Dot, ...] = ()
    tick: float | None = None

    @property
    def height(self) -> float:
        """Pixels it takes."""
        return GAP + max(LEAST, STEP * len(self.dots), STEP + TEXT if self.note else 0)


@dataclass(frozen=True)
class Mark:
    """A line across all others at a value, such as the overall value of a system."""

    value: float
    system: int | None = None


@dataclass(frozen=True, eq=False)
class Dots(Drawing):
    """Lines of dots on one scale."""

    axis: str
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()
    domain: tuple[float, float] | None = None  # or as wide as what is drawn
    signed: bool = False
    longest: int = LONGEST  # characters of a label
    names: tuple[str, ...] = ()  # of the systems, for a key

    def layers(self) -> dict[str, Any]:
        """Lines across, ticks, intervals, then dots; labels at the left."""
        labels = [(short(line.label, self.longest), short(line.note, self.longest)) for line in self.lines]
        left = width_of([text for both in labels for text in both]) + 12
        bottoms = list(accumulate(line.height for line in self.lines))
        middles = [bottom - line.height / 2 for bottom, line in zip(bottoms, self.lines, strict=True)]
        low, high = self.domain or self._reach()
        drawn = [
            *self._across(bottoms[-1]),
            *_between(bottoms[:-1]),
            *self._ticks(middles),
            *self._dots(middles),
            *_labels(labels, middles, left),
            *_key(self.names, left),
        ]
        shown = axis(self.axis, ticks(low, high, 5), sign=self.signed)
        return {
            "width": max(WIDTH - left, NARROWEST),
            "height": bottoms[-1],
            "layer": framed(drawn, x=scaled((low, high), shown), y=scaled((0.0, bottoms[-1]), None, reverse=True)),
        }

    def _reach(self) -> tuple[float, float]:
        """As wide as everything that is drawn, and a little more."""
        dots = [x for line in self.lines for dot in line.dots for x in (dot.value, dot.low, dot.high)]
        held = finite([*dots, *(line.tick for line in self.lines), *(mark.value for mark in self.marks)])
        low, high = min(held), max(held)
        wide = (high - low) or 1.0
        low, high = low - 0.04 * wide, high + 0.04 * wide
        return low, high

    def _across(self, bottom: float) -> list[dict[str, Any]]:
        out = []
        for mark in self.marks:
            look: dict[str, Any] = {"color": COLORS["ink"], "strokeWidth": 1.2}
            if mark.system is not None:
                dash = DASHES[mark.system % len(DASHES)] if mark.system else [4, 3]
                look = {"color": color_of(mark.system), "strokeWidth": 1.2, "strokeDash": dash, "opacity": 0.8}
            out.append(layer("rule", [{"x": brief(mark.value), "y": 0, "y2": bottom}], "x y y2", **look))
        return out

    def _ticks(self, middles: Sequence[float]) -> list[dict[str, Any]]:
        rows = [
            {"x": brief(line.tick), "y": y - 9, "y2": y + 9}
            for line, y in zip(self.lines, middles, strict=True)
            if line.tick is not None
        ]
        return [layer("rule", rows, "x y y2", color=COLORS["reference"], strokeWidth=2)] if rows else []

    def _dots(self, middles: Sequence[float]) -> list[dict[str, Any]]:
        out = []
        for line, middle in zip(self.lines, middles, strict=True):
            top = middle - STEP * (len(line.dots) - 1) / 2
            for i, dot in enumerate(line.dots):
                out += _dot(dot, top + STEP * i)
        return out


def _dot(dot: Dot, y: float) -> list[dict[str, Any]]:
    color = COLORS["ink"] if dot.system is None else color_of(dot.system)
    out = []
    if dot.low is not None or dot.high is not None:
        # A one-sided interval is drawn from its limit to the value.
        low, high = (dot.value if end is None else end for end in (dot.low, dot.high))
        ends = [{"x": brief(low), "x2": brief(high), "y": y}]
        out.append(layer("rule", ends, "x x2 y", color=color, strokeWidth=INTERVAL, opacity=0.75))
    look = {"fill": COLORS["paper"], "stroke": color, "strokeWidth": 1.6} if dot.hollow else {"color": color}
    return [*out, point([{"x": brief(dot.value), "y": y}], "x y", dot.system or 0, **look)]


def _between(bottoms: Sequence[float]) -> list[dict[str, Any]]:
    """Thin rules between the lines."""
    return [layer("rule", [{"y": y} for y in bottoms], "y", color=COLORS["grid"], strokeWidth=1)] if bottoms else []


def _labels(labels: Sequence[tuple[str, str]], middles: Sequence[float], left: float) -> list[dict[str, Any]]:
    out = []
    for (label, note), y in zip(labels, middles, strict=True):
        up = TEXT / 2 + 2 if note else 0
        out.append(words([{"t": label, "y": y - up}], "y", x=-left))
        if note:
            out.append(words([{"t": note, "y": y + up}], "y", x=-left, color=COLORS["muted"]))
    return out


def _key(names: Sequence[str], left: float) -> list[dict[str, Any]]:
    """Which mark is which system, above the frame: as many names in a row as there is room for."""
    out: list[dict[str, Any]] = []
    rows: list[list[tuple[float, int, str]]] = [[]]
    at = 0.0
    for i, name in enumerate(names):
        text = short(name, LONGEST)
        wide = 18 + width_of([text]) + 12
        if at + wide > WIDTH and rows[-1]:
            rows.append([])
            at = 0.0
        rows[-1].append((at, i, text))
        at += wide
    for up, row in enumerate(reversed(rows)):
        for x, i, text in row:
            y = -14 - 18 * up
            out.append(point([{}], "", i, x=x - left + 6, y=y))
            out.append(words([{"t": text}], x=x - left + 16, y=y))
    return out


SYSTEMS = 2  # systems whose values share a line


def measure_chart(report: Report) -> Dots | None:
    """The values of up to two systems by every measure between −1 and 1; None if there is none."""
    systems = tuple(system.name for system in report.systems)[:SYSTEMS]
    rows = [row for row in report.rows if _is_shown(row) and row.system in systems]
    keys = dict.fromkeys((row.measure, row.class_) for row in rows)
    lines = [_line([row for row in rows if (row.measure, row.class_) == key], systems) for key in keys]
    if not lines:
        return None
    level = percent(rows[0].level)
    elsewhere = dict.fromkeys(title(row) for row in report.rows if _is_value(row) and not _is_shown(row))
    left_out = (f"not drawn, as on another scale: {', '.join(elsewhere)}",) if elsewhere else ()
    return Dots(
        title=f"Measures of {' and '.join(systems)}",
        subtitle=(f"with {level} intervals; the gray tick is the no-model baseline", *left_out),
        description=_described(rows, systems, level),
        axis="Value",
        lines=tuple(lines),
        domain=(-1.0 if any(row.low is not None and row.low < 0 for row in rows) else 0.0, 1.0),
        names=systems if len(systems) > 1 else (),
        longest=28,
    )


def _is_value(row: Row) -> bool:
    return row.slice is None and row.quantity == "value" and row.value is not None


def _is_shown(row: Row) -> bool:
    if not _is_value(row):
        return False
    found = parse_known(row.measure)
    within = found is not None and found[0].range[0] >= -1 and found[0].range[1] <= 1
    return within and all(-1 <= x <= 1 for x in (row.value, row.low, row.high) if x is not None)


def _line(rows: Sequence[Row], systems: Sequence[str]) -> Line:
    row = rows[0]
    dots = [Dot(r.value, r.low, r.high, systems.index(r.system)) for r in rows if r.value is not None]
    return Line(title(row), "" if row.class_ is None else f"“{row.class_}”", tuple(dots), _tick(rows))


def _tick(rows: Sequence[Row]) -> float | None:
    """The no-model baseline; None if it differs because the systems were judged on different rows."""
    floors = {row.no_skill for row in rows}
    return floors.pop() if len(floors) == 1 else None


def _described(rows: Sequence[Row], systems: Sequence[str], level: str) -> str:
    parts = [f"Measures with {level} intervals"]
    for system in systems:
        told = "; ".join(f"{title(row)} {_value(row)}" for row in rows if row.system == system)
        parts.append(f"{system}: {told}")
    return ". ".join(parts) + "."


def _value(row: Row) -> str:
    without = "" if row.no_skill is None else f", no model {numeral(row.no_skill, '.3f')}"
    return (value_text(row) if row.low is None else f"{value_text(row)} ({interval(row, ' to ')})") + without


MOST = 15  # pairs in one chart


def drawn_pairs(tested: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons that fit a chart, in their order; the largest differences if there are too many."""
    known = [c for c in tested if c.difference is not None]
    largest = sorted(known, key=lambda c: -abs(c.difference or 0))[:MOST]
    return [c for c in known if any(c is one for one in largest)]


def pair_chart(tested: Sequence[Comparison]) -> Dots | None:
    """Every difference with its interval; a hollow dot means that no significant difference was found."""
    pairs = drawn_pairs(tested)
    if not pairs:
        return None
    measure, level = titled(pairs[0].a.measure), percent(pairs[0].level)
    lines = [
        Line(
            f"{short(c.names[0], 10)} − {short(c.names[1], 10)}",
            dots=(Dot(c.difference, c.low, c.high, None, hollow=not is_found(c)),),
        )
        for c in pairs
        if c.difference is not None
    ]
    told = "; ".join(f"{' minus '.join(c.names)} {_difference_value(c)}, {c.outcome}" for c in pairs)
    return Dots(
        title=f"{'Difference' if len(lines) == 1 else 'Differences'} in {measure}",
        subtitle=(f"with {level} intervals; a hollow dot is no larger than chance would explain",),
        description=f"Differences in {measure} with {level} intervals: {told}.",
        axis=f"Difference in {measure}",
        lines=tuple(lines),
        marks=(Mark(0.0),),
        signed=True,
    )


def is_found(c: Comparison) -> bool:
    """Whether the comparison found a difference."""
    return c.outcome in ("better", "worse", "different")


def _difference_value(c: Comparison) -> str:
    assert c.difference is not None
    value = signed(c.difference, c.places[2])
    return value if c.interval is None else f"{value} ({reach(c.low, c.high, c.places[2]).removeprefix('from ')})"
