"""What a chart of lines has besides its lines: a part of it enlarged in a free corner, and histograms below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.report.charts.drawing import COLORS, TEXT, brief, color_of, layer, point, words
from assay.report.charts.labels import Box, Points
from assay.report.tokens import BAND, DASHES, SYSTEMS
from assay.tally.contract.sampling import Floats

WIDE, HIGH = 0.47, 0.35  # of the frame
BELOW, ABOVE, RIGHT, LEFT = 22.0, 19.0, 8.0, 28.0  # pixels for its numbers, the words above it, and to its right
TALL, GAP = 16.0, 5.0  # pixels of a histogram, and above it
Band = tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class Strip:
    """A histogram: the edges of its bars on the x axis, and how many rows each has."""

    edges: Floats
    counts: Floats
    system: int = 0


@dataclass(frozen=True)
class Zoom:
    """The left part of a chart, drawn wider in its lower right corner; the height is that of the whole."""

    end: float
    name: str

    def whole(self, size: tuple[int, int]) -> Box:
        """The place it takes, with its numbers and words."""
        inner = self.inner(size)
        return Box(inner.left - LEFT, inner.top - ABOVE, float(size[0]), float(size[1]))

    def inner(self, size: tuple[int, int]) -> Box:
        """The place in which its lines are drawn."""
        right, bottom = size[0] - RIGHT, size[1] - BELOW
        return Box(right - WIDE * size[0], bottom - HIGH * size[1], right, bottom)

    def fits(self, lines: Sequence[Points], size: tuple[int, int]) -> bool:
        """Whether it covers none of these lines, in pixels of the frame."""
        box = self.whole(size)
        return not any(box.holds(_dense(line), 3.0) for line in lines)


def _dense(line: Points) -> Points:
    """The line with a point at least every pixel across."""
    x, y = line
    steps = np.maximum(np.abs(np.diff(x)), np.abs(np.diff(y))).clip(1, 1000).astype(int)
    parts = [np.linspace(0, 1, n, endpoint=False) for n in steps]
    at = np.concatenate([*(k + part for k, part in enumerate(parts)), [len(x) - 1.0]])
    return np.interp(at, np.arange(len(x)), x), np.interp(at, np.arange(len(x)), y)


# ---------------------------------------------------------------------- enlarged
@dataclass(frozen=True, eq=False)
class Part:
    """What of one line is enlarged."""

    x: Floats
    y: Floats
    limits: Band | None
    mark: tuple[float, float] | None


class Frame:
    """From the values of the enlarged part to those of the axes on which everything is drawn."""

    def __init__(self, zoom: Zoom, size: tuple[int, int], x: tuple[float, float], y: tuple[float, float]) -> None:
        self.box, self.end, self.y = zoom.inner(size), zoom.end, y
        self.across = (x[1] - x[0]) / size[0]
        self.down = (y[1] - y[0]) / size[1]
        self.first, self.top = x[0], y[1]

    def right(self, x: Floats | float) -> Any:
        """The place of an x."""
        return self.first + self.across * (self.box.left + (self.box.right - self.box.left) * np.asarray(x) / self.end)

    def up(self, y: Floats | float) -> Any:
        """The place of a y."""
        return self.top - self.down * self.pixel(y)

    def pixel(self, y: Floats | float) -> Any:
        """The same in pixels of the whole chart, from its top."""
        share = (self.y[1] - np.asarray(y)) / (self.y[1] - self.y[0])
        return self.box.top + (self.box.bottom - self.box.top) * share


def enlarged(zoom: Zoom, parts: Sequence[Part], frame: Frame) -> list[dict[str, Any]]:
    """The paper below it, its grid, bands, lines and marks, and how far it reaches."""
    box = frame.box
    middle = frame.y[0] + (frame.y[1] - frame.y[0]) / 2
    corner = {"x": brief(frame.right(0.0)), "x2": brief(frame.right(zoom.end))}
    corner |= {"y": brief(frame.up(frame.y[0])), "y2": brief(frame.up(frame.y[1]))}
    half = {"x": corner["x"], "x2": corner["x2"], "y": brief(frame.up(middle))}
    out = [layer("rect", [corner], "x x2 y y2", color=COLORS["paper"], stroke=COLORS["line"], strokeWidth=1)]
    out.append(layer("rule", [half], "x x2 y", color=COLORS["grid"], strokeWidth=1))
    for i, part in enumerate(parts):
        if part.limits is not None:
            x, low, high = (_until(part.limits[0], each, zoom.end) for each in part.limits)
            rows = [
                {"x": brief(frame.right(a)), "y": brief(frame.up(b)), "y2": brief(frame.up(c))}
                for a, b, c in zip(x, low, high, strict=True)
                if np.isfinite(b) and np.isfinite(c)
            ]
            out.append(layer("area", rows, "x y y2", color=color_of(i), opacity=BAND, line=False))
    for i, part in enumerate(parts):
        out += _line(part, i, zoom, frame)
    look: dict[str, Any] = {"color": COLORS["muted"], "fontSize": TEXT}
    out.append(words([{"t": "0"}], x=box.left, y=box.bottom + 11, **look))
    out.append(words([{"t": f"{zoom.end:g}"}], x=box.right, y=box.bottom + 11, align="right", **look))
    for y in (frame.y[0], middle, frame.y[1]):
        out.append(words([{"t": f"{y:g}"}], x=box.left - 5, y=float(frame.pixel(y)), align="right", **look))
    out.append(words([{"t": zoom.name}], x=box.left, y=box.top - 10, **look))
    return out


def _line(part: Part, i: int, zoom: Zoom, frame: Frame) -> list[dict[str, Any]]:
    x, y = _until(part.x, part.x, zoom.end), _until(part.x, part.y, zoom.end)
    rows = [
        {"x": brief(frame.right(a)), "y": brief(frame.up(b)), "i": k} for k, (a, b) in enumerate(zip(x, y, strict=True))
    ]
    drawn = layer("line", rows, "x y", color=color_of(i), strokeWidth=2, strokeDash=DASHES[i % SYSTEMS])
    drawn["encoding"]["order"] = {"field": "i", "type": "quantitative"}
    if part.mark is None or part.mark[0] > zoom.end:
        return [drawn]
    at = {"x": brief(frame.right(part.mark[0])), "y": brief(frame.up(part.mark[1]))}
    return [drawn, point([at], "x y", i, 50, stroke=COLORS["paper"], strokeWidth=1)]


def _until(x: Floats, values: Floats, end: float) -> Floats:
    """Values up to this x, and the one there."""
    kept = x <= end
    return np.append(values[kept], np.interp(end, x, values))


# ---------------------------------------------------------------------- below
def below(strips: Sequence[Strip]) -> float:
    """Pixels that the histograms take."""
    return len(strips) * (GAP + TALL)


def histograms(strips: Sequence[Strip], bottom: float, pixel: float) -> list[dict[str, Any]]:
    """The bars of each histogram below this value of y; a pixel is this much of y."""
    out = []
    for k, strip in enumerate(strips):
        base = bottom - pixel * (k + 1) * (GAP + TALL)
        most = float(strip.counts.max()) or 1.0
        heights = [*strip.counts.tolist(), 0.0]
        rows = [
            {"x": brief(x), "y": brief(base), "y2": brief(base + pixel * TALL * n / most)}
            for x, n in zip(strip.edges, heights, strict=True)
        ]
        ends = {"x": brief(strip.edges[0]), "x2": brief(strip.edges[-1]), "y": brief(base)}
        out.append(layer("rule", [ends], "x x2 y", color=COLORS["line"], strokeWidth=1))
        out.append(layer("area", rows, "x y y2", color=color_of(strip.system), opacity=0.8, interpolate="step-after"))
    return out
