"""How the values of queries spread, system by system: a dot for each query, or bars where there are many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.report.charts.drawing import (
    COLORS,
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
    words,
)
from assay.report.names import LEFT_TO_RIGHT
from assay.report.tokens import TESTED
from assay.tally.contract.sampling import Floats

BINS = 25
EACH = 100  # queries up to which each is a dot
HIGH, NAME, MEAN = 84.0, 20.0, 24.0  # pixels of the dots of a system, of its name above, and of its mean below
LOW, FEW = 46.0, 3  # pixels of the dots of each system if there are more than these
LEAST = 5.0  # pixels from one dot to the next; closer together, they are no dots any more


@dataclass(frozen=True, eq=False)
class Strip:
    """One system's values with their mean and its interval; its place gives mark and color."""

    name: str
    place: int
    each: Floats
    mean: float
    text: str  # the mean, as written
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Strips(Drawing):
    """The values of systems below each other, on one axis."""

    axis: str
    systems: tuple[Strip, ...]
    within: tuple[float, float]

    @cached_property
    def edges(self) -> Floats:
        """The ends of bins, of which the outermost lie around both ends of the range."""
        low, high = self.within
        wide = (high - low) / BINS
        return np.linspace(low - wide / 2, high + wide / 2, BINS + 2)

    @property
    def dotted(self) -> bool:
        """Whether each query is a dot."""
        few = max(len(system.each) for system in self.systems) <= EACH
        return few and self._tall(self.edges) / self._most(self.edges) >= LEAST

    def layers(self) -> dict[str, Any]:
        """For each system its name, its queries, and its mean."""
        low, high = self.within
        edges, tall = self.edges, self._tall(self.edges)
        line = NAME + tall + MEAN
        drawn: list[dict[str, Any]] = []
        for i, system in enumerate(self.systems):
            top = line * i
            counts, _ = np.histogram(system.each, edges)
            base = top + NAME + tall
            drawn += (_dots if self.dotted else _bars)(system, counts, edges, base, self._most(edges), tall)
            drawn += _mean(system, base + MEAN / 2, base)
            drawn += _name(system, top + NAME / 2)
        height = line * len(self.systems)
        shown = axis(self.axis, ticks(low, high, 5))
        x = scaled((float(edges[0]), float(edges[-1])), shown)
        frame = framed(drawn, x=x, y=scaled((0.0, height), None, reverse=True))
        return {"width": WIDTH - 30, "height": height, "layer": frame}

    def _most(self, edges: Floats) -> int:
        """The most queries of a system in one bin."""
        return max(int(np.histogram(system.each, edges)[0].max()) for system in self.systems)

    def _tall(self, edges: Floats) -> float:
        """Pixels for the dots: as many rows as the fullest bin needs, if they fit."""
        step = (WIDTH - 30) / (BINS + 1)
        return min(HIGH if len(self.systems) <= FEW else LOW, max(step * self._most(edges), 2 * step))


def _dots(
    system: Strip, counts: Floats, edges: Floats, base: float, most: int, tall: float
) -> Iterator[dict[str, Any]]:
    """Dots in columns, closer together where a column would be too tall."""
    middle = (edges[1:] + edges[:-1]) / 2
    step = min((WIDTH - 30) / (BINS + 1), tall / most)
    rows = [
        {"x": brief(x), "y": brief(base - step * (k + 0.5))}
        for x, count in zip(middle.tolist(), counts.tolist(), strict=True)
        for k in range(int(count))
    ]
    area = 0.62 * (step - 0.5) ** 2
    yield point(rows, "x y", system.place, float(min(area, 90.0)), opacity=0.8)


def _bars(
    system: Strip, counts: Floats, edges: Floats, base: float, most: int, tall: float
) -> Iterator[dict[str, Any]]:
    """A bar for each bin, as tall as the share of queries in it."""
    gap = 0.08 * (edges[1] - edges[0])
    top = counts / most * tall * 0.96
    rows = [
        {"x": brief(a + gap), "x2": brief(b - gap), "y": brief(base - up), "y2": base}
        for a, b, up in zip(edges[:-1].tolist(), edges[1:].tolist(), top.tolist(), strict=True)
        if up
    ]
    yield layer("rect", rows, "x x2 y y2", color=color_of(system.place), opacity=0.8)


def _mean(system: Strip, y: float, base: float) -> Iterator[dict[str, Any]]:
    color = color_of(system.place)
    yield layer("rule", [{"y": base + 1}], "y", color=COLORS["line"], strokeWidth=1)
    if system.low is not None and system.high is not None:
        rows = [{"x": brief(system.low), "x2": brief(system.high), "y": y}]
        yield layer("rule", rows, "x x2 y", color=color, strokeWidth=TESTED)
    yield point([{"x": brief(system.mean), "y": y}], "x y", system.place, 95)


def _name(system: Strip, y: float) -> Iterator[dict[str, Any]]:
    yield point([{}], "", system.place, x=6, y=y)
    yield words([{"t": f"{system.name}{LEFT_TO_RIGHT}"}], x=17, y=y, fontWeight=700)
    yield words([{"t": f"mean {system.text}"}], x=WIDTH - 30, y=y, align="right", color=COLORS["muted"])
