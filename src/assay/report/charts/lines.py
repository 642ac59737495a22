"""Pictures of curves: Vega-Lite specifications as plain dictionaries, and where the names of lines are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.cells import cell_len

from assay.report.charts.drawing import COLORS, Drawing, color_of, plain, point
from assay.report.text.lines import short
from assay.report.tokens import DASHES, SHAPES, SYSTEMS
from assay.tally.contract.sampling import Floats

LETTER, HEIGHT = 7.0, 15.0  # about the size of a bold character, in pixels
AWAY = 7.0  # from the line to its name
CANDIDATES = 60  # places along a line that are tried
CROWDED = 1.0  # a place is clear if it costs less: nothing covered, and no other line near
Points = tuple[Floats, Floats]
Size = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, points: Points, room: float = 0.0) -> int:
        """How many of these points lie inside, or nearly."""
        x, y = points
        inside = (x > self.left - room) & (x < self.right + room) & (y > self.top - room) & (y < self.bottom + room)
        return int(inside.sum())

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def beside(names: Sequence[str], lines: Sequence[Points], others: Sequence[Points], size: Size) -> list[Box] | None:
    """A box for each name beside its own line, or None if readers could not tell which line a name belongs to.

    `others` are lines without a name, which are not covered either.
    """
    even = [_even(line) for line in lines]
    free = [_even(line) for line in others]
    taken: list[Box] = []
    for name, own in zip(names, even, strict=True):
        boxes = _boxes(own, MARK + LETTER * cell_len(name), size)
        costs = [_cost(box, own, [*even, *free], taken) for box in boxes]
        best = int(np.argmin(costs))
        if costs[best] >= CROWDED:
            return None
        taken.append(boxes[best])
    return taken


def free_box(width: float, height: float, lines: Sequence[Points], size: Size) -> Box:
    """The place in the frame where a box of this size covers least, the lower right before the upper left."""
    even = [_even(line) for line in lines]
    across, down = (
        np.linspace(8, max(whole - part - 8, 8), 25) for whole, part in zip(size, (width, height), strict=True)
    )
    boxes = [Box(left, top, left + width, top + height) for top in down[::-1] for left in across[::-1]]
    return min(boxes, key=lambda box: sum(box.holds(line, 8.0) for line in even))


def _even(line: Points) -> Points:
    """Points of a line at even distances of about two pixels."""
    x, y = line
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.linspace(0, length[-1], max(int(length[-1] / 2), 2))
    return np.interp(at, length, x), np.interp(at, length, y)


def _boxes(line: Points, width: float, size: Size) -> list[Box]:
    """Boxes beside the line, on either side, within the frame if they fit at all."""
    out = []
    for i in np.linspace(0, len(line[0]) - 1, CANDIDATES).astype(int):
        for right, below in ((True, True), (False, False), (True, False), (False, True)):
            left = line[0][i] + AWAY if right else line[0][i] - AWAY - width
            top = line[1][i] + AWAY / 2 if below else line[1][i] - AWAY / 2 - HEIGHT
            left = min(max(left, 2.0), max(size[0] - width - 2, 2.0))
            top = min(max(top, 2.0), size[1] - HEIGHT - 2)
            out.append(Box(left, top, left + width, top + HEIGHT))
    return out


def _cost(box: Box, own: Points, lines: Sequence[Points], taken: Sequence[Box]) -> float:
    """What a box covers, then how much nearer another line is than its own, then how far it is from the middle."""
    covered = sum(box.holds(line, 1.0) for line in lines) + 1000 * sum(box.meets(other) for other in taken)
    near = sum(box.holds(line, AWAY + 1) for line in lines if line is not own)
    middle = abs((box.left + box.right) / 2 - float(np.mean(own[0]))) / 1000
    return 10.0 * covered + near + middle


KEY = 30.0  # pixels of line beside a name in a key
MARK = 14.0  # pixels of the mark before a name
COLUMNS = 250  # of pixels in which a line is drawn
LONGEST = 22  # characters of a name beside its line


@dataclass(frozen=True, eq=False)
class Line:
    """What is drawn for one system; limits are a band, or bars where `dots` are drawn."""

    name: str
    x: Floats
    y: Floats
    limits: tuple[Floats, Floats, Floats] | None = None  # x, low, high
    dots: bool = False
    stepped: bool = False
    mark: tuple[float, float] | None = None  # a point of the line to mark


@dataclass(frozen=True)
class Reference:
    """The line of the no-model baseline, through these points; its name is placed at a share of its first stretch."""

    points: tuple[tuple[float, float], ...]
    name: str
    share: float = 0.5


@dataclass(frozen=True, eq=False)
class Picture(Drawing):
    """Lines of systems in one frame."""

    axes: tuple[str, str]
    lines: tuple[Line, ...]
    reference: Reference | None = None
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    size: tuple[int, int] = (360, 360)

    def layers(self) -> dict[str, Any]:
        """Bands below, then the no-model baseline, then lines, their marks and their names."""
        layers: list[dict[str, Any]] = []
        for i, line in enumerate(self.lines):
            layers += _limits(line, i)
        layers += self._reference()
        for i, line in enumerate(self.lines):
            layers += _drawn(line, i)
        for i, line in enumerate(self.lines):
            layers += _mark(line, i)
        width, height = self.size
        return {"width": width, "height": height, "layer": [*_framed(layers, self), *self._names()]}

    def _reference(self) -> list[dict[str, Any]]:
        if self.reference is None:
            return []
        (x1, y1), (x2, y2) = self.reference.points[:2]
        across, up = self._pixels(np.array([x1, x2]), np.array([y1, y2]))
        angle = float(np.degrees(np.arctan2(up[1] - up[0], across[1] - across[0])))
        share = self.reference.share
        at = {"x": x1 + share * (x2 - x1), "y": y1 + share * (y2 - y1), "t": plain(self.reference.name)}
        side = "left" if share < 0.1 else "center"
        line = {"type": "line", "color": COLORS["reference"], "strokeWidth": 1, "strokeDash": [3, 3], "aria": False}
        text = {"type": "text", "angle": angle, "align": side, "baseline": "top", "dy": 4, "aria": False}
        text |= {"color": COLORS["muted"], "fontSize": 10.5}
        points = [{"x": x, "y": y, "i": i} for i, (x, y) in enumerate(self.reference.points)]
        return [
            {"data": {"values": points}, "mark": line, **_line()},
            {"data": {"values": [at]}, "mark": text, "encoding": {**_xy(), "text": {"field": "t"}}},
        ]

    def _names(self) -> list[dict[str, Any]]:
        """The names of the lines: beside them, or in a key if the lines are too close for that."""
        if len(self.lines) < 2:
            return []
        names = [short(line.name, LONGEST) for line in self.lines]
        lines = [self._pixels(line.x, line.y) for line in self.lines]
        others = []
        if self.reference is not None:
            others = [self._pixels(*np.array(self.reference.points).T)]
        boxes = beside(names, lines, others, self.size)
        if boxes is not None:
            return [layer for i, box in enumerate(boxes) for layer in _text(names[i], box, i)]
        width, row = KEY + MARK + LETTER * max(cell_len(name) for name in names), HEIGHT + 4
        whole = free_box(width, row * len(names), [*lines, *others], self.size)
        out = []
        for i, name in enumerate(names):
            top = whole.top + i * row
            out += [_swatch(whole.left, top + HEIGHT / 2, i)]
            out += _text(name, Box(whole.left + KEY, top, whole.right, top + HEIGHT), i)
        return out

    def _pixels(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        (x1, x2), (y1, y2), (width, height) = self.x, self.y, self.size
        return width * (x - x1) / (x2 - x1), height * (y2 - y) / (y2 - y1)


def thinned(x: Floats, y: Floats, columns: int = COLUMNS) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The points that draw the same line: the first, last, lowest and highest of each column of pixels."""
    if len(x) <= 4 * columns:
        return np.arange(len(x))
    width = (x.max() - x.min()) / columns or 1.0
    column = np.minimum(((x - x.min()) / width).astype(np.int64), columns - 1)
    start = np.flatnonzero(np.diff(column, prepend=-1))
    stop = np.append(start[1:], len(x))
    kept = []
    for a, b in zip(start.tolist(), stop.tolist(), strict=True):
        kept += [a, b - 1, a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))]
    return np.unique(np.array(kept, np.int64))


# ---------------------------------------------------------------------- layers
def _limits(line: Line, i: int) -> list[dict[str, Any]]:
    if line.limits is None:
        return []
    x, low, high = (np.asarray(part, np.float64) for part in line.limits)
    some = np.isfinite(low) & np.isfinite(high)
    rows = [{"x": a, "y": b, "z": c} for a, b, c in zip(*(_short(p[some]) for p in (x, low, high)), strict=True)]
    if line.dots:
        mark = {"type": "rule", "color": color_of(i), "strokeWidth": 1.2, "opacity": 0.75, "aria": False}
    else:
        mark = {"type": "area", "color": color_of(i), "opacity": 0.16, "line": False, "aria": False}
    encoding = {**_xy(), "y2": {"field": "z"}}
    return [{"data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _drawn(line: Line, i: int) -> list[dict[str, Any]]:
    rows = [{"x": a, "y": b, "i": k} for k, (a, b) in enumerate(zip(_short(line.x), _short(line.y), strict=True))]
    mark: dict[str, Any] = {"type": "line", "color": color_of(i), "strokeWidth": 1 if line.dots else 2, "aria": False}
    mark |= {"strokeDash": DASHES[i % SYSTEMS], "strokeJoin": "round", "opacity": 0.55 if line.dots else 1}
    mark |= {"interpolate": "step-before" if line.stepped else "linear"}
    out = [{"data": {"values": rows}, "mark": mark, **_line()}]
    if line.dots:
        dot = {"type": "point", "filled": True, "size": 55, "color": color_of(i), "opacity": 1, "aria": False}
        dot |= {"shape": SHAPES[i % len(SHAPES)], "stroke": COLORS["paper"], "strokeWidth": 1}
        out.append({"data": {"values": rows}, "mark": dot, "encoding": _xy()})
    return out


def _mark(line: Line, i: int) -> list[dict[str, Any]]:
    if line.mark is None:
        return []
    return [point([dict(zip("xy", line.mark, strict=True))], "x y", i, 70, stroke=COLORS["paper"], strokeWidth=1.5)]


def _text(name: str, box: Box, i: int) -> list[dict[str, Any]]:
    """A name in ink beside the mark of its line, with a halo in the color of the paper."""
    middle = (box.top + box.bottom) / 2
    mark: dict[str, Any] = {"type": "text", "align": "left", "baseline": "middle", "aria": False}
    mark |= {"fontWeight": 700, "fontSize": 12, "x": box.left + MARK, "y": middle}
    halo = {**mark, "color": COLORS["paper"], "stroke": COLORS["paper"], "strokeWidth": 3, "opacity": 0.85}
    data = {"values": [{"t": name}]}
    both = (halo, {**mark, "color": COLORS["ink"]})
    named = [{"data": data, "mark": each, "encoding": {"text": {"field": "t"}}} for each in both]
    return [point([{}], "", i, x=box.left + MARK / 2 - 1, y=middle), *named]


def _swatch(left: float, middle: float, i: int) -> dict[str, Any]:
    """A short piece of a line, to show beside its name."""
    mark = {"type": "rule", "color": color_of(i), "strokeWidth": 2, "strokeDash": DASHES[i % SYSTEMS], "aria": False}
    at = {"x": left, "x2": left + KEY - 6, "y": middle}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {name: {"value": px} for name, px in at.items()}}


def _framed(layers: Sequence[dict[str, Any]], picture: Picture) -> list[dict[str, Any]]:
    """The layers with the axes on the first of them; they share their scales."""
    out = [dict(layer) for layer in layers]
    first = {**out[0]["encoding"]}
    for channel, title, domain in zip("xy", picture.axes, (picture.x, picture.y), strict=True):
        axis: dict[str, Any] = {"title": title}
        if domain == (0.0, 1.0):
            axis |= {"values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f"}
        else:
            axis |= {"tickCount": 5}
        first[channel] = {**first[channel], "scale": {"domain": list(domain), "nice": False}, "axis": axis}
    out[0]["encoding"] = first
    return out


def _xy() -> dict[str, Any]:
    return {channel: {"field": channel, "type": "quantitative"} for channel in ("x", "y")}


def _line() -> dict[str, Any]:
    """A line goes through its points in their own order: a curve may rise straight up."""
    return {"encoding": {**_xy(), "order": {"field": "i", "type": "quantitative"}}}


def _short(values: Floats) -> list[float]:
    """Numbers as precise as a drawing needs."""
    return [float(f"{value:.6g}") for value in values]
