"""The chart of a chosen threshold: what every threshold gives, which was chosen, and which do about as well."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.measures.declare.catalogue import titled
from assay.measures.scores.sweep import Sweep, sweep
from assay.report.charts.drawing import COLORS
from assay.report.charts.lines import Line, Picture, Reference, thinned
from assay.tally.contract.sampling import Floats
from assay.texts import numeral, percent

if TYPE_CHECKING:
    from assay.jobs.answers.tuned import Tuned

ROOM = 2.5  # times the no-model cost: thresholds that cost more are off the chart
SIZE = (350, 250)
BAR = 7  # pixels above the lower edge, for the bar that shows the choices in resamples

Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class ThresholdChart(Picture):
    """Lines over thresholds, the chosen one marked, those about as good shaded, and a bar for choices in resamples."""

    flat: Span | None = None
    choices: Span | None = None

    def layers(self) -> dict[str, Any]:
        """The shade below everything, the bar above it."""
        made = super().layers()
        return {**made, "layer": [*self._shade(), *made["layer"], *self._bar()]}

    def _shade(self) -> Iterator[dict[str, Any]]:
        if self.flat is not None:
            mark = {"type": "rect", "color": COLORS["reference"], "opacity": 0.22, "aria": False}
            yield {**self._span(self.flat), "mark": mark}

    def _bar(self) -> Iterator[dict[str, Any]]:
        if self.choices is not None:
            mark = {"type": "rule", "color": COLORS["ink"], "strokeWidth": 4, "strokeCap": "round", "aria": False}
            made = self._span(self.choices)
            yield {**made, "mark": mark, "encoding": {**made["encoding"], "y": {"value": self.size[1] - BAR}}}

    def _span(self, span: Span) -> dict[str, Any]:
        low, high = (min(max(x, self.x[0]), self.x[1]) for x in span)
        encoding = {"x": {"field": "x", "type": "quantitative"}, "x2": {"field": "x2"}}
        return {"data": {"values": [{"x": low, "x2": high}]}, "encoding": encoding}


def threshold_chart(t: Tuned) -> ThresholdChart:
    """The chart of a chosen threshold, on the rows it was chosen on."""
    table = sweep(t.scores, t.choice.measures)
    ends = _ends(t)
    lines = tuple(_line(t, table, measure, ends) for measure in t.choice.measures)
    top = _top(t, lines)
    lines = tuple(_cut(line, top) for line in lines)
    s = t.steadiness
    bottom = min(0.0, *(float(line.y.min()) for line in lines))
    return ThresholdChart(
        title=f"{titled(t.choice.objective)} by threshold",
        subtitle=tuple(_told(t)),
        description=_described(t, table),
        axes=("Threshold", " and ".join(titled(measure) for measure in t.choice.measures)),
        lines=lines,
        reference=_reference(t, lines, ends),
        x=ends,
        y=(bottom, top),
        size=SIZE,
        flat=None if s.flat_low is None or s.flat_high is None else (s.flat_low, s.flat_high),
        choices=None if s.low is None or s.high is None else (s.low, s.high),
    )


# ---------------------------------------------------------------------- what is drawn
def _ends(t: Tuned) -> Span:
    """From 0 to 1 for probabilities, otherwise from the lowest score to a little above the highest."""
    if t.scores.probabilities:
        return 0.0, 1.0
    low, high = float(t.scores.scores[0]), float(t.scores.scores[-1])
    return low, high + 0.05 * ((high - low) or 1.0)


def _line(t: Tuned, table: Sweep, measure: str, ends: Span) -> Line:
    """From the lowest threshold up; above the highest score nothing is called positive."""
    x, y = table.thresholds[::-1], table.values[measure][::-1]
    x = np.where(np.isinf(x), max(ends[1], float(x[-2])), x)
    known = ~np.isnan(y)
    x, y = x[known], y[known]
    kept = thinned(x, y)
    mark = (t.threshold, table.at(t.threshold)[measure]) if t.threshold not in (None, math.inf) else None
    return Line(titled(measure), x[kept], y[kept], stepped=True, mark=mark)


def _top(t: Tuned, lines: tuple[Line, ...]) -> float:
    highest = max(float(line.y.max()) for line in lines)
    if t.choice.costs is not None:
        top = min(1.05 * highest, ROOM * _without_model(lines[0].y)) or 1.0
        return top if t.choice.target is None else max(top, 1.0)
    return 1.0 if 0 < highest <= 1 else 1.05 * highest or 1.0


def _cut(line: Line, top: float) -> Line:
    return Line(line.name, line.x, np.minimum(line.y, top), stepped=True, mark=line.mark)


def _without_model(costs: Floats) -> float:
    """The no-model cost: the cheaper of the two ways to give every item the same answer."""
    return float(min(costs[0], costs[-1]))


def _reference(t: Tuned, lines: tuple[Line, ...], ends: Span) -> Reference | None:
    """The target rate, or the no-model cost."""
    if t.choice.target is not None:
        return Reference(_level(ends, t.choice.target.value), "")
    if t.choice.costs is not None:
        return Reference(_level(ends, _without_model(lines[0].y)), "")
    return None


def _level(ends: Span, height: float) -> tuple[Span, Span]:
    return (ends[0], height), (ends[1], height)


# ---------------------------------------------------------------------- in words
def _told(t: Tuned) -> Iterator[str]:
    """What the marks are."""
    yield f"on {t.dev['source']}"
    if t.threshold not in (None, math.inf):
        yield f"dot: the chosen threshold, {numeral(t.threshold, '.6g')}"
    if t.choice.target is not None:
        yield f"dashed: {t.choice.target.bare}"
    elif t.choice.costs is not None:
        yield "dashed: one answer for every row"
    if t.steadiness.flat_low is not None:
        yield "shaded: about as good"
    if t.steadiness.low is not None:
        yield f"bar: {percent(t.steadiness.level)} of the choices in resamples"


def _described(t: Tuned, table: Sweep) -> str:
    """The chart in words: its ends, its best, and what is marked."""
    from assay.report.words.tune import chosen, flat, sure

    values = table.values[t.choice.objective]
    known = values[~np.isnan(values)]
    ends = " and ".join(numeral(float(x), ".4g") for x in (known.min(), known.max()))
    range_ = f"{titled(t.choice.objective)} lies between {ends} over all thresholds."
    return " ".join(part for part in (range_, *chosen(t), sure(t), flat(t)) if part)
