"""One system against another, query by query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.report.charts.drawing import (
    COLORS,
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
from assay.report.charts.lines import SIDE
from assay.report.names import LEFT_TO_RIGHT, short
from assay.report.tokens import REFERENCE_DASH
from assay.tally.contract.sampling import Floats

MARKED = 250  # different points up to which each has the mark of its system
MOST = 2000  # queries of which points are drawn; of more, how many lie in each cell
CELLS = 28  # of such a table, across and down
AREA, LARGEST = 34.0, 6.0  # of the mark of one query, and how many times as much that of many is at most
ROOM = 0.03  # of the range, beyond its ends
LONGEST = 24  # characters of a name
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Against(Drawing):
    """The values of two systems on the same queries; the first upward, the second across."""

    measure: str
    names: tuple[str, str]
    places: tuple[int, int]
    first: Floats
    second: Floats
    within: Range
    lower: bool = False  # whether lower values are better

    def layers(self) -> dict[str, Any]:
        """The line of equal values, then the queries."""
        low, high = self.within
        diagonal = [{"x": low, "y": low, "i": 0}, {"x": high, "y": high, "i": 1}]
        line = layer("line", diagonal, "x y", color=COLORS["reference"], strokeWidth=1, strokeDash=REFERENCE_DASH)
        queries = _cells(self) if len(self.first) > MOST else _points(self)
        a, b = (f"{short(name, LONGEST)}{LEFT_TO_RIGHT}" for name in self.names)
        shown = ticks(low, high, 5)
        across, up = axis(f"{b}: {self.measure}", shown), axis(f"{a}: {self.measure}", shown)
        room = ROOM * (high - low)
        reach = (low - room, high + room)
        frame = framed([line, *queries, *_key(self)], x=scaled(reach, across), y=scaled(reach, up))
        return {"width": SIDE - 10, "height": SIDE - 10, "layer": frame}


def _sides(chart: Against) -> Iterator[tuple[np.ndarray[Any, np.dtype[np.bool_]], int | None]]:
    """Which queries the first system has higher, the second, or neither."""
    above = chart.first - chart.second
    yield above == 0, None
    yield above > 0, chart.places[0]
    yield above < 0, chart.places[1]


def _points(chart: Against) -> Iterator[dict[str, Any]]:
    """A mark for each point, larger where several queries lie; without marks of their own where there are many."""
    at, times = np.unique(np.stack([chart.second, chart.first], 1).round(9), axis=0, return_counts=True)
    size = AREA * np.minimum(times, LARGEST)
    few = len(at) <= MARKED
    for side, place in _sides(_moved(chart, at)):
        color = COLORS["reference"] if place is None else color_of(place)
        if few:
            for area in np.unique(size[side]):
                rows = [{"x": brief(x), "y": brief(y)} for x, y in at[side & (size == area)].tolist()]
                yield point(rows, "x y", place or 0, float(area), color=color, opacity=0.8)
        else:
            for area in np.unique(size[side]):
                yield _dots(at[side & (size == area)], color, float(np.sqrt(area)))


def _moved(chart: Against, at: Floats) -> Against:
    more = {name: getattr(chart, name) for name in chart.__dataclass_fields__}
    return Against(**{**more, "second": at[:, 0], "first": at[:, 1]})


def _dots(at: Floats, color: str, wide: float) -> dict[str, Any]:
    """Many dots as one line with gaps, of which every piece is a point: a hundredth of what single marks would take."""
    rows: list[dict[str, Any]] = []
    for i, (x, y) in enumerate(at.tolist()):
        rows += [{"x": brief(x), "y": brief(y), "i": 2 * i}, {"x": brief(x), "y": None, "i": 2 * i + 1}]
    made = layer("line", rows, "x y", color=color, strokeWidth=round(0.8 * wide, 1), strokeCap="round", opacity=0.7)
    made["encoding"]["order"] = {"field": "i", "type": "quantitative"}
    return made


def _cells(chart: Against) -> Iterator[dict[str, Any]]:
    """Squares whose area is that of how many queries they hold, up to the fullest."""
    low, high = chart.within
    edges = np.linspace(low, high, CELLS + 1)
    counts, _, _ = np.histogram2d(chart.second, chart.first, [edges, edges])
    middle, wide = (edges[1:] + edges[:-1]) / 2, (high - low) / CELLS
    half = wide / 2 * np.sqrt(counts / counts.max()).clip(0.12)
    i, j = np.nonzero(counts)
    for side, place in ((i == j, None), (j > i, chart.places[0]), (j < i, chart.places[1])):
        rows = [
            {"x": brief(x - r), "x2": brief(x + r), "y": brief(y - r), "y2": brief(y + r)}
            for x, y, r in zip(middle[i[side]], middle[j[side]], half[i[side], j[side]], strict=True)
        ]
        color = COLORS["reference"] if place is None else color_of(place)
        if rows:
            yield layer("rect", rows, "x x2 y y2", color=color)


def _key(chart: Against) -> Iterator[dict[str, Any]]:
    """On which side of the line which system is higher, above the frame and at its right lower corner."""
    side = SIDE - 10
    a, b = (f"{short(name, LONGEST)}{LEFT_TO_RIGHT} higher" for name in chart.names)
    yield point([{}], "", chart.places[0], x=6, y=-14)
    yield words([{"t": a}], x=17, y=-14)
    top = -14 if 33 + width_of([a, b]) * 2 < side else -32
    yield words([{"t": b}], x=side - 16, y=top, align="right")
    yield point([{}], "", chart.places[1], x=side - 6, y=top)
