"""A difference compared with what chance alone gives, and how values spread over folds or data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import in_plural
from assay.jobs.answers.contest import Spread
from assay.measures.declare.catalogue import titled
from assay.report.charts.drawing import (
    COLORS,
    LETTER,
    MARKED,
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
from assay.report.names import LEFT_TO_RIGHT, short
from assay.tally.contract.sampling import Floats
from assay.texts import decimals, numeral, percent, reach, signed
from assay.uncertainty.results import Comparison
from assay.uncertainty.values.folds import FiveNumbers

BINS = 50  # as many bars as are distinct in a narrow chart
ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
COARSEST = 3  # times the width of the narrowest bars
ON_STEPS = 60 * BINS  # with more steps than this between the ends, bars need not hold a whole number of them
SIZE = (360, 220)
HEADROOM = 1.4  # height of the frame relative to the highest bar: room for the interval
NULL, DRAWN = "chance alone (under H0)", "observed, resampled"


@dataclass(frozen=True, eq=False)
class Histogram(Drawing):
    """Shares of draws in common bins, and the difference with its interval above them."""

    axis: str
    edges: Floats
    null: Floats | None
    drawn: Floats | None
    difference: float
    low: float | None
    high: float | None
    level: float

    def layers(self) -> dict[str, Any]:
        """What chance gives at the back, what was observed over it, then the line at 0 and the interval."""
        top = HEADROOM * max(float(shares.max()) for shares in (self.null, self.drawn) if shares is not None)
        x = (float(self.edges[0]), float(self.edges[-1]))
        height = ticks(0, top / HEADROOM, 4)
        shown: dict[str, Any] = {"title": "Share of draws", "values": height, "format": _percents(height)}
        shown |= {"labelFontSize": TEXT, "titleFontSize": TEXT}
        drawn = [*self._bars(), self._zero(top), *self._interval(), *self._key()]
        across = axis(self.axis, ticks(*x, 6), sign=True)
        return {
            "width": SIZE[0],
            "height": SIZE[1],
            "layer": framed(drawn, x=scaled(x, across), y=scaled((0.0, top), shown)),
        }

    def _bars(self) -> list[dict[str, Any]]:
        out = []
        if self.null is not None:
            look = {"color": COLORS["reference"], "fillOpacity": 0.45, "stroke": COLORS["reference"], "strokeWidth": 1}
            out.append(layer("bar", self._rows(self.null), "x x2 y y2", **look))
        if self.drawn is not None:
            look = {"color": color_of(0), "fillOpacity": 0.75, "stroke": COLORS["paper"], "strokeWidth": 0.7}
            out.append(layer("bar", self._rows(self.drawn), "x x2 y y2", **look))
        return out

    def _rows(self, shares: Floats) -> list[dict[str, Any]]:
        each = zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), shares.tolist(), strict=True)
        return [{"x": brief(a), "x2": brief(b), "y": brief(y), "y2": 0} for a, b, y in each if y > 0]

    def _zero(self, top: float) -> dict[str, Any]:
        return layer("rule", [{"x": 0, "y": 0, "y2": top / HEADROOM}], "x y y2", color=COLORS["ink"], strokeWidth=1.2)

    def _interval(self) -> list[dict[str, Any]]:
        out = []
        places, text = decimals(self.low, self.high), ""
        if self.low is not None or self.high is not None:
            low = float(self.edges[0]) if self.low is None else self.low
            high = float(self.edges[-1]) if self.high is None else self.high
            ends = [{"x": brief(low), "x2": brief(high)}]
            out.append(layer("rule", ends, "x x2", y=34, color=COLORS["ink"], strokeWidth=3))
            text = f" ({percent(self.level)} {reach(self.low, self.high).removeprefix('from ')})"
        dot = {"filled": True, "shape": "circle", "size": MARKED + 20, "opacity": 1, "color": COLORS["ink"]}
        out.append(layer("point", [{"x": brief(self.difference)}], "x", y=34, **dot))
        text = f"{signed(self.difference, places)}{text}"
        half, place = LETTER * len(text) / 2, self._pixel(self.difference)
        at = min(max(place, half), SIZE[0] - half)
        return [*out, words([{"t": text}], x=at, y=15, align="center", fontWeight=700)]

    def _pixel(self, x: float) -> float:
        return SIZE[0] * (x - float(self.edges[0])) / float(self.edges[-1] - self.edges[0])

    def _key(self) -> list[dict[str, Any]]:
        """Which bars are which, above the frame."""
        out, left = [], 0.0
        kinds = ((self.null, NULL, COLORS["reference"], 0.45), (self.drawn, DRAWN, color_of(0), 0.75))
        for shares, text, color, opacity in kinds:
            if shares is None:
                continue
            look = {"filled": True, "shape": "square", "size": 120, "color": color, "fillOpacity": opacity}
            out.append(layer("point", [{}], "", x=left + 6, y=-16, stroke=color, strokeWidth=1, **look))
            out.append(words([{"t": text}], x=left + 18, y=-16, color=COLORS["muted"]))
            left += 18 + LETTER * len(text) + 14
        return out


def histogram_of(c: Comparison, null: Floats | None, drawn: Floats | None) -> Histogram | None:
    """The chart of a comparison from draws of its difference, by chance and as observed; None if nothing varies."""
    assert c.difference is not None
    sets = [draws[np.isfinite(draws)] for draws in (null, drawn) if draws is not None]
    if all(np.ptp(draws) <= 1e-12 for draws in sets if len(draws)):
        return None
    edges = edges_of(sets, finite([0.0, c.difference, c.low, c.high]))
    a, b = (short(name, 18) for name in c.names)
    measure = titled(c.a.measure)
    return Histogram(
        title=f"{measure}: {a} minus {b}",
        subtitle=(),
        description=_described(c, null, drawn),
        axis=f"{measure} of {a}{LEFT_TO_RIGHT} − {measure} of {b}{LEFT_TO_RIGHT}",
        edges=edges,
        null=None if null is None else shares_of(null, edges),
        drawn=None if drawn is None else shares_of(drawn, edges),
        difference=c.difference,
        low=c.low,
        high=c.high,
        level=c.level,
    )


def shares_of(draws: Floats, edges: Floats) -> Floats:
    """The share of all draws in each bin; undefined draws are in none."""
    return np.histogram(draws[np.isfinite(draws)], edges)[0] / len(draws)


def edges_of(sets: Sequence[Floats], also: Sequence[float]) -> Floats:
    """Common edges around everything, with round numbers in the middle of bins and 0 among them.

    If only multiples of a step are possible, every bin holds the same number of them: otherwise high and low bars would
    form a comb that is not in the values. A swap moves a share by two steps at a time, so the number of steps is even.
    """
    draws = np.concatenate(sets)
    reach = float(min(draws.min(), *also)), float(max(draws.max(), *also))
    bins = min(BINS, math.ceil(3 * len(draws) ** (1 / 3)))
    step = _step(draws)
    if step is not None:
        width = 2 * step * math.ceil((reach[1] - reach[0]) / step / bins / 2)
        return _edges(width, step / 2, reach)
    least = (reach[1] - reach[0]) / bins
    power = 10.0 ** math.floor(math.log10(least))
    each = [times * ten * power for ten in (1, 10) for times in ROUND]
    fitting = [width for width in each if least <= width <= COARSEST * least]
    return min((_edges(width, width / 2, reach) for width in fitting), key=lambda edges: _roughness(sets, edges))


def _edges(width: float, offset: float, reach: tuple[float, float]) -> Floats:
    """Edges of bins of this width, with room at both ends."""
    first, last = (round((end - offset) / width) for end in reach)
    return np.asarray(offset + width * np.arange(first - 1, last + 2), np.float64)


def _roughness(sets: Sequence[Floats], edges: Floats) -> float:
    """How much neighboring bars zigzag: clumps of values form a comb of bins with one clump or two."""
    return sum(float(np.abs(np.diff(shares_of(draws, edges), 2)).sum()) for draws in sets)


def _step(draws: Floats) -> float | None:
    """The step that all values are multiples of, if bars can be as narrow as a few of them."""
    values = np.unique(np.round(draws, 11))
    step = float(np.diff(values).min())
    times = values / step
    if np.ptp(times) > ON_STEPS or np.abs(times - np.round(times)).max() > 1e-3:
        return None
    return step


def _percents(height: list[float]) -> str:
    return ".0%" if all(abs(100 * y - round(100 * y)) < 1e-9 for y in height) else ".1%"


def _described(c: Comparison, null: Floats | None, drawn: Floats | None) -> str:
    a, b = c.names
    wide = c.places[2]
    assert c.difference is not None
    parts = [f"The difference in {titled(c.a.measure)} between {a} and {b} is {signed(c.difference, wide)}"]
    if c.interval is not None:
        one = "" if None not in (c.low, c.high) else "one-sided "
        parts[0] += f", with a {one}{percent(c.level)} interval {reach(c.low, c.high, wide)}"
    if null is not None:
        low, high = _middle(null, c.level)
        between = f"{signed(low, wide)} and {signed(high, wide)}"
        parts.append(f"Under H0, chance alone gives differences around 0, {percent(c.level)} of them between {between}")
    if drawn is not None:
        low, high = _middle(drawn, c.level)
        between = f"{signed(low, wide)} and {signed(high, wide)}"
        parts.append(f"In resamples of these data, {percent(c.level)} of differences lie between {between}")
    return ". ".join(parts) + "."


def _middle(draws: Floats, level: float) -> tuple[float, float]:
    low, high = np.nanquantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


LINE, BOX, CAP = 64, 22, 10  # pixels of a line, of its box and of the ends of its whiskers
BELOW = 22  # pixels from the middle of a box to the middle of its values
SPREAD = (0, -3, 3, -1.5, 1.5)  # pixels by which values are moved in turn, so that equal ones can be seen
LONGEST = 18  # characters of a name
SINGLE = 50  # values up to which each is drawn


@dataclass(frozen=True, eq=False)
class Boxes(Drawing):
    """A box for each system, and its single values below it if they are few."""

    axis: str
    boxes: Mapping[str, FiveNumbers]
    values: Mapping[str, Sequence[float]]

    def layers(self) -> dict[str, Any]:
        """Whiskers, boxes and medians, values beyond the whiskers, then all values."""
        names = [short(name, LONGEST) for name in self.boxes]
        left = width_of(names) + 12
        height = float(LINE * len(names))
        drawn: list[dict[str, Any]] = []
        for i, (name, box) in enumerate(self.boxes.items()):
            middle = LINE * i + LINE / 2
            single = self.values[name] if len(self.values[name]) <= SINGLE else ()
            upper = middle - (BELOW / 2 if single else 0)
            drawn += _box(box, upper, i)
            drawn += _single(single, upper + BELOW + 2, i)
            drawn.append(words([{"t": names[i], "y": upper}], "y", x=-left))
        low, high = self._reach()
        shown = axis(self.axis, ticks(low, high, 5))
        return {
            "width": WIDTH - left,
            "height": height,
            "layer": framed(drawn, x=scaled((low, high), shown), y=scaled((0.0, height), None, reverse=True)),
        }

    def _reach(self) -> tuple[float, float]:
        every = [x for box in self.boxes.values() for x in (box.low, box.high, *box.outliers)]
        wide = (max(every) - min(every)) or 1.0
        return min(every) - 0.06 * wide, max(every) + 0.06 * wide


def _box(box: FiveNumbers, y: float, i: int) -> list[dict[str, Any]]:
    color = color_of(i)
    lower, upper = brief(box.lower_quartile), brief(box.upper_quartile)
    ends = [{"x": brief(box.low), "x2": lower, "y": y}, {"x": upper, "x2": brief(box.high), "y": y}]
    caps = [{"x": brief(x), "y": y - CAP / 2, "y2": y + CAP / 2} for x in (box.low, box.high)]
    top, bottom = y - BOX / 2, y + BOX / 2
    inside = {"fill": color, "fillOpacity": 0.25, "stroke": color, "strokeWidth": 1.5}
    beyond = [{"x": brief(x), "y": y} for x in box.outliers]
    return [
        layer("rule", ends, "x x2 y", color=color, strokeWidth=1.5),
        layer("rule", caps, "x y y2", color=color, strokeWidth=1.5),
        layer("rect", [{"x": lower, "x2": upper, "y": top, "y2": bottom}], "x x2 y y2", **inside),
        layer("rule", [{"x": brief(box.median), "y": top, "y2": bottom}], "x y y2", color=COLORS["ink"], strokeWidth=3),
        *([point(beyond, "x y", i, 50, fill=COLORS["paper"], stroke=color, strokeWidth=1.6)] if beyond else []),
    ]


def _single(values: Sequence[float], y: float, i: int) -> list[dict[str, Any]]:
    if not values:
        return []
    rows = [{"x": brief(x), "y": y + SPREAD[k % len(SPREAD)]} for k, x in enumerate(sorted(values))]
    return [point(rows, "x y", i, 22, opacity=0.7)]


def box_plot(spread: Spread, measure: str) -> Boxes:
    """The box plot of every system's values."""
    boxes, n = spread.boxes, len(spread.names)
    return Boxes(
        title=f"{measure} over {n:,} {in_plural(spread.unit)}",
        subtitle=("box: middle half and median; whiskers: last values within 1.5 box widths",),
        description=". ".join(
            [f"{measure} over {n:,} {in_plural(spread.unit)}"]
            + [f"{name}: {numbers(box)}" for name, box in boxes.items()]
        )
        + ".",
        axis=measure,
        boxes=boxes,
        values=spread.values,
    )


def numbers(box: FiveNumbers) -> str:
    """The five numbers of a box in words."""
    beyond = f", and {', '.join(numeral(x, '.3f') for x in box.outliers)} beyond the whiskers" if box.outliers else ""
    five = (box.median, box.lower_quartile, box.upper_quartile, box.low, box.high)
    median, lower, upper, low, high = (numeral(x, ".3f") for x in five)
    return f"median {median}, middle half from {lower} to {upper}, whiskers from {low} to {high}{beyond}"
