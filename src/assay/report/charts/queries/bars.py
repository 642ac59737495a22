"""The difference between two systems on every query, as bars from the largest gain to the largest loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from assay.report.charts.drawing import (
    COLORS,
    LETTER,
    WIDTH,
    Drawing,
    axis,
    brief,
    color_of,
    framed,
    layer,
    point,
    scaled,
    ticks,
    width_of,
    words,
)
from assay.report.names import LEFT_TO_RIGHT, short
from assay.report.tokens import BAND
from assay.tally.contract.sampling import Floats

WIDE = 1040  # pixels of the chart on a page; a phone gets one as wide as other charts
HIGH = 200  # pixels of its bars
SINGLE = 120  # queries up to which each bar stands by itself
MOST = 400  # bars; of more queries, as many are drawn that lie evenly in order
NAMED = 3  # gains, and losses, that have words
LINE = 19.0  # pixels from one of these words to the next
APART = 14.0  # pixels from a bar to its words
LEFT = 52.0  # pixels for the numbers at the left
MARK = 17.0  # pixels for a mark in the key
KEY = 22  # characters of a system there
LONGEST = 40  # characters of a query
GAP = 0.12  # of a bar's width, on either side
BROAD = 0.06  # of the width of the frame that a bar takes at most


@dataclass(frozen=True)
class Named:
    """The words at one bar, whose place counts from the largest gain; losses count from the end."""

    place: int
    name: str
    text: str


@dataclass(frozen=True, eq=False)
class Bars(Drawing):
    """Differences in falling order, with their mean and its interval."""

    axis: str
    values: Floats  # every query's, from high to low
    mean: float
    low: float | None
    high: float | None
    names: tuple[str, str]  # who is higher in the bars above 0, and below
    places: tuple[int, int]
    gains: tuple[Named, ...] = ()
    losses: tuple[Named, ...] = ()
    note: str = ""  # what the line and the band are
    width: int = WIDE

    def narrow(self) -> Self:
        """The same for a phone."""
        return replace(self, width=WIDTH)

    @property
    def noted(self) -> bool:
        """Whether there is room for the words at the mean."""
        return _note(self, _Plan.of(self, self.width - LEFT - 4)) is not None

    def layers(self) -> dict[str, Any]:
        """The band of the mean, bars, the line at 0, words at the longest, then the key."""
        inner = self.width - LEFT - 4
        plan = _Plan.of(self, inner)
        drawn = [*_band(self, plan), *_bars(self, plan), *_lines(self, plan), *_named(self, plan), *_key(self, plan)]
        shown = axis(self.axis, ticks(*plan.reach, 5), sign=True)
        y = scaled((plan.bottom, plan.top), shown)
        return {"width": inner, "height": plan.height, "layer": framed(drawn, x=scaled((0.0, inner), None), y=y)}


@dataclass(frozen=True)
class _Plan:
    """Where things are placed: x in pixels, y in differences."""

    inner: float
    reach: tuple[float, float]  # of the differences
    wide: float  # of each bar
    end: float  # of the last bar
    gains: tuple[Named, ...]
    losses: tuple[Named, ...]

    @classmethod
    def of(cls, bars: Bars, inner: float) -> Self:
        ends = [0.0, float(bars.values[0]), float(bars.values[-1]), bars.mean]
        ends += [end for end in (bars.low, bars.high) if end is not None]
        low, high = min(ends), max(ends)
        if high - low < 1e-9:
            low, high = low - 1.0, high + 1.0
        wide = min(1 / len(bars.values), BROAD) * inner
        made = cls(inner, (low, high), wide, wide * len(bars.values), bars.gains, bars.losses)
        gains, losses = (some if made.inward(some, up=up) else () for up, some in made.sides)
        return replace(made, gains=gains, losses=losses)

    @property
    def sides(self) -> tuple[tuple[bool, tuple[Named, ...]], ...]:
        """What is above 0, and what is below."""
        return (True, self.gains), (False, self.losses)

    def inward(self, some: Sequence[Named], *, up: bool) -> tuple[float, bool] | None:
        """Where the words of a side begin, and whether they run to the right; None if there is no room for them.

        Those of losses end to the left of their bars, or begin to the right of all of them.
        """
        longest = max((width_of([_said(named, self.inner)]) for named in some), default=0.0)
        left = self.end - self.wide * len(some) - APART
        if not up and left >= longest:
            return left, False
        right = (self.wide * len(some) if up else self.end) + APART
        return (right, True) if right + longest <= self.inner else None

    @property
    def unit(self) -> float:
        """How much of the difference a pixel is."""
        return (self.reach[1] - self.reach[0]) / HIGH

    @property
    def above(self) -> float:
        """Pixels above the bars."""
        return LINE * len(self.gains) + 6

    @property
    def below(self) -> float:
        """Pixels below them."""
        return LINE * len(self.losses) + 6

    @property
    def height(self) -> float:
        return HIGH + self.above + self.below

    @property
    def top(self) -> float:
        return self.reach[1] + self.above * self.unit

    @property
    def bottom(self) -> float:
        return self.reach[0] - self.below * self.unit


def _said(named: Named, inner: float) -> str:
    """The words of a bar; fewer letters of a name where there is little room."""
    if not named.name:
        return named.text
    most = LONGEST if inner > WIDTH else LONGEST // 2
    return f"{short(named.name, most)}{LEFT_TO_RIGHT}: {named.text}"


# ---------------------------------------------------------------------- bars
def _bars(bars: Bars, plan: _Plan) -> Iterator[dict[str, Any]]:
    values, n = bars.values, len(bars.values)
    for sign, place in zip((1, -1), bars.places, strict=True):
        if not (values * sign > 0).any():
            continue
        color = color_of(place)
        if n <= SINGLE:
            rows = [
                {"x": brief(plan.wide * (i + GAP)), "x2": brief(plan.wide * (i + 1 - GAP)), "y": brief(value), "y2": 0}
                for i, value in enumerate(values.tolist())
                if value * sign > 0
            ]
            yield layer("rect", rows, "x x2 y y2", color=color)
        else:
            yield layer("area", _steps(np.maximum(values * sign, 0.0) * sign, plan.inner), "x y y2", color=color)


def _steps(values: Floats, inner: float) -> list[dict[str, Any]]:
    """The outline of bars without gaps: two ends for each."""
    drawn = values[picked(len(values))]
    edges = np.linspace(0.0, inner, len(drawn) + 1)
    x = np.repeat(edges, 2)[1:-1]
    every = zip(x.tolist(), np.repeat(drawn, 2).tolist(), strict=True)
    return [{"x": brief(a), "y": brief(b), "y2": 0} for a, b in every]


def picked(n: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The places of the queries that are drawn: all of them, or as many as there are bars with both ends."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).round().astype(np.int64))


def _band(bars: Bars, plan: _Plan) -> Iterator[dict[str, Any]]:
    if bars.low is not None and bars.high is not None:
        rows = [{"x": 0, "x2": plan.inner, "y": brief(bars.low), "y2": brief(bars.high)}]
        yield layer("rect", rows, "x x2 y y2", color=COLORS["ink"], opacity=BAND * 0.6)


def _lines(bars: Bars, plan: _Plan) -> Iterator[dict[str, Any]]:
    mean = [{"x": 0, "x2": plan.inner, "y": brief(bars.mean)}]
    zero = [{"x": 0, "x2": plan.inner, "y": 0}]
    yield layer("rule", mean, "x x2 y", color=COLORS["ink"], strokeWidth=1.5, strokeDash=[5, 4])
    yield layer("rule", zero, "x x2 y", color=COLORS["ink"], strokeWidth=1)
    note = _note(bars, plan) if bars.note else None
    if note is not None:
        yield note


def _note(bars: Bars, plan: _Plan) -> dict[str, Any] | None:
    """What the line and the band are, at the end where no bar stands; None if something stands there."""
    ends = [bars.mean, *(end for end in (bars.low, bars.high) if end is not None)]
    up = bars.mean >= 0
    at = max(ends) if up else min(ends)
    wide = LETTER * len(bars.note) + 8
    values = bars.values
    covered = max(int(np.ceil((wide - (plan.inner - plan.end if up else 0.0)) / plan.wide)), 0) + 1
    beside = values[-covered:].max() if up else values[:covered].min()
    y = at + (9 if up else -9) * plan.unit
    within = plan.reach[0] - 2 * plan.unit <= y <= plan.reach[1] + 2 * plan.unit
    if not within or (beside > at if up else beside < at) or wide > plan.inner:
        return None
    row = [{"t": bars.note, "x": plan.inner - 2 if up else 2, "y": brief(y)}]
    return words(row, "x y", align="right" if up else "left", color=COLORS["muted"])


# ---------------------------------------------------------------------- words
def _named(bars: Bars, plan: _Plan) -> Iterator[dict[str, Any]]:
    """A leader from each bar up, or down, and then inward to its words."""
    n, values = len(bars.values), bars.values
    rules: list[dict[str, Any]] = []
    for up, some in plan.sides:
        sign, edge = (1, plan.reach[1]) if up else (-1, plan.reach[0])
        place = plan.inward(some, up=up)
        if place is None:
            continue
        inward, right = place
        texts = []
        for named in some:
            bar = named.place if up else n - 1 - named.place
            x = plan.wide * (bar + 0.5)
            row = named.place if right and not up else len(some) - 1 - named.place  # so that no leader crosses another
            y = edge + sign * plan.unit * (6 + LINE * (row + 0.5))
            begin = float(values[bar]) + sign * 2 * plan.unit
            rules.append({"x": brief(x), "x2": brief(x), "y": brief(begin), "y2": brief(y)})
            rules.append(
                {"x": brief(x), "x2": brief(inward - 4 if right else inward + 4), "y": brief(y), "y2": brief(y)}
            )
            texts.append({"t": _said(named, plan.inner), "x": brief(inward), "y": brief(y)})
        if texts:
            yield words(texts, "x y", align="left" if right else "right")
    if rules:
        yield layer("rule", rules, "x x2 y y2", color=COLORS["muted"], strokeWidth=1)


def _key(bars: Bars, plan: _Plan) -> Iterator[dict[str, Any]]:
    """Whose bars are above 0, whose below, and on how many queries; above the frame, in as many rows as it takes."""
    values = bars.values
    counts = (int((values > 0).sum()), int((values < 0).sum()))
    texts: list[tuple[str, int | None]] = [
        (f"{short(name, KEY)}{LEFT_TO_RIGHT} higher on {count:,}", place)
        for name, place, count in zip(bars.names, bars.places, counts, strict=True)
    ]
    same = len(values) - sum(counts)
    texts += [(f"same on {same:,}", None)] if same else []
    placed: list[tuple[float, int]] = []
    at, row = 0.0, 0
    for text, _ in texts:
        wide = MARK + width_of([text])
        if at and at + wide > plan.inner:
            at, row = 0.0, row + 1
        placed.append((at, row))
        at += wide + 14
    for (text, place), (x, down) in zip(texts, placed, strict=True):
        y = -18.0 * (row - down + 1)
        if place is not None:
            yield point([{}], "", place, x=x + 6, y=y)
        yield words(
            [{"t": text}], x=x + (0 if place is None else MARK), y=y, color=COLORS["muted" if place is None else "ink"]
        )


def largest(values: Floats, told: Callable[[int], tuple[str, str]]) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """The words of the largest gains and losses; `told` gives those of the query at a place in the order of the bars.

    A quarter of the queries at most, so that words keep away from each other.
    """
    n = len(values)
    most = min(NAMED, max(n // 4, 1))
    gains = [Named(i, *told(i)) for i in range(most) if values[i] > 0]
    losses = [Named(i, *told(n - 1 - i)) for i in range(most) if values[n - 1 - i] < 0]
    return tuple(gains), tuple(losses)
