"""Pictures of curves: Vega-Lite specifications as plain dictionaries, and where the names of lines are written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rich.cells import cell_len

from assay.report.charts.drawing import COLORS, LETTER, TEXT, Drawing, brief, color_of, plain, point, words
from assay.report.charts.inset import Frame, Part, Strip, Zoom, below, enlarged, histograms
from assay.report.charts.labels import HEIGHT, Box, Label, Points, labels, least_covering, width_of
from assay.report.names import middle_cut
from assay.report.tokens import BAND, DASHES, INTERVAL, REFERENCE_DASH, SHAPES, SYSTEMS
from assay.tally.contract.sampling import Floats

MARK = 14.0  # pixels of the mark before a name in a key
KEY = 30.0  # pixels of line beside a name in a key
COLUMNS = 250  # of pixels in which a line is drawn
LONGEST = 20  # characters of a name beside its line
SIDE = 350  # pixels of the frame of a square chart, which with its axes is as wide as a chart is drawn
TURNED = 7.0  # pixels from a line to the middle of the words along it
Ticks = tuple[tuple[float, str], ...]


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
    marked: bool = False  # whether every point is


@dataclass(frozen=True)
class Reference:
    """The line of the no-model baseline, through these points; its name is placed at a share of its first stretch."""

    points: tuple[tuple[float, float], ...]
    name: str
    share: float = 0.5


@dataclass(frozen=True)
class Spot:
    """A point with a few words above it to the right."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, eq=False)
class Picture(Drawing):
    """Lines of systems in one frame."""

    axes: tuple[str, str]
    lines: tuple[Line, ...]
    reference: Reference | None = None
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    size: tuple[int, int] = (SIDE, SIDE)
    ticks: Ticks | None = None  # on both axes, where they are not those of the numbers drawn
    spots: tuple[Spot, ...] = ()
    strips: tuple[Strip, ...] = ()
    zoom: Zoom | None = None
    own: tuple[Ticks | None, Ticks | None] = (None, None)  # the ticks of x and y, where each has its own

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
        more = [*_spots(self.spots), *self._enlarged(), *histograms(self.strips, self.y[0], self._pixel)]
        tall = height + below(self.strips)
        return {"width": width, "height": tall, "layer": [*_framed(layers, self), *more, *self._names()]}

    @property
    def _pixel(self) -> float:
        """How much of y a pixel is."""
        return (self.y[1] - self.y[0]) / self.size[1]

    @property
    def bottom(self) -> float:
        """The y at the lower end of everything that is drawn."""
        return self.y[0] - self._pixel * below(self.strips)

    def _enlarged(self) -> list[dict[str, Any]]:
        if self.zoom is None:
            return []
        parts = [Part(line.x, line.y, line.limits, line.mark) for line in self.lines]
        return enlarged(self.zoom, parts, Frame(self.zoom, self.size, self.x, self.y))

    # ------------------------------------------------------------------ the reference
    def _reference(self) -> list[dict[str, Any]]:
        if self.reference is None:
            return []
        points = [{"x": x, "y": y, "i": i} for i, (x, y) in enumerate(self.reference.points)]
        line = {"type": "line", "color": COLORS["reference"], "strokeWidth": 1, "aria": False}
        out: list[dict[str, Any]] = [
            {"data": {"values": points}, "mark": {**line, "strokeDash": REFERENCE_DASH}, **_line()}
        ]
        if self.reference.name:
            x, y, angle, side = self._beside_reference(self.reference)
            look: dict[str, Any] = {"type": "text", "angle": angle, "align": side, "baseline": "middle", "aria": False}
            look |= {"fontSize": TEXT, "x": brief(x), "y": brief(y)}
            halo = {**look, "color": COLORS["paper"], "stroke": COLORS["paper"], "strokeWidth": 3, "opacity": 0.85}
            text = {"data": {"values": [{"t": plain(self.reference.name)}]}, "encoding": {"text": {"field": "t"}}}
            out += [{**text, "mark": halo}, {**text, "mark": {**look, "color": COLORS["muted"]}}]
        return out

    def _beside_reference(self, reference: Reference) -> tuple[float, float, float, str]:
        """Where the reference's name covers least along its first stretch: its place in pixels, angle and alignment."""
        (x1, x2), (y1, y2) = (each.tolist() for each in self.pixels(*np.array(reference.points[:2]).T))
        angle = float(np.degrees(np.arctan2(y2 - y1, x2 - x1)))
        along = np.array([x2 - x1, y2 - y1]) / float(np.hypot(x2 - x1, y2 - y1))
        half = LETTER * cell_len(reference.name) / 2
        tried = []
        for share in (reference.share, 0.75, 0.5, 0.3):
            for away in (TURNED + 2, -TURNED - 2):
                middle = np.array([x1 + share * (x2 - x1), y1 + share * (y2 - y1)])
                if share < 0.1:
                    middle = middle + half * along
                tried.append(middle + away * np.array([-along[1], along[0]]))
        held = [self.pixels(line.x, line.y) for line in self.lines]
        reach = np.abs(along) * half + TURNED * np.abs(along[::-1])
        boxes = [Box(*(middle - reach), *(middle + reach)) for middle in tried]
        x, y = tried[least_covering(boxes, held, self._taken)].tolist()
        return x, y, angle, "center"

    # ------------------------------------------------------------------ names
    @property
    def _taken(self) -> list[Box]:
        """What is not free although no line runs there."""
        return [] if self.zoom is None else [self.zoom.whole(self.size)]

    @property
    def _others(self) -> list[Points]:
        """The reference, its name, and limits of dots, as lines that are not covered."""
        out = [bar for line in self.lines if line.dots for bar in self._bars(line)]
        if self.reference is None:
            return out
        out += [self.pixels(*np.array(self.reference.points).T)]
        if self.reference.name:
            x, y, angle, _ = self._beside_reference(self.reference)
            turn, half = np.radians(angle), LETTER * cell_len(self.reference.name) / 2
            ends = np.array([-half, half])
            out.append((x + ends * np.cos(turn), y + ends * np.sin(turn)))
        return out

    def _bars(self, line: Line) -> Iterator[Points]:
        """The limits of the dots of a line."""
        if line.limits is not None:
            for x, low, high in zip(*line.limits, strict=True):
                if np.isfinite(low) and np.isfinite(high):
                    yield self.pixels(np.array([x, x]), np.array([low, high]))

    @cached_property
    def placed(self) -> list[Label] | None:
        """Where the name of each line is written; None if the lines are too close for that."""
        lines = [self.pixels(line.x, line.y) for line in self.lines]
        return labels(self._short_names, lines, self._others, self.size, self._taken)

    @property
    def _short_names(self) -> list[str]:
        return [middle_cut(line.name, LONGEST) for line in self.lines]

    def _names(self) -> list[dict[str, Any]]:
        """The names of the lines: beside them, or in a key above if the lines are too close for that."""
        if len(self.lines) < 2:
            return []
        names, placed = self._short_names, self.placed
        if placed is not None:
            leaders = [each for i, label in enumerate(placed) for each in _leader(*label.leader, i)]
            return [*leaders, *(layer for i, label in enumerate(placed) for layer in _text(names[i], label.box))]
        return _key(names, self.size[0])

    def pixels(self, x: Floats, y: Floats) -> Points:
        """The places of these values in the frame."""
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


def corners(x: Floats, y: Floats) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The points at which a line turns: those within a stretch along either axis are left out."""
    if len(x) < 3:
        return np.arange(len(x))
    run, rise = np.sign(np.diff(x)), np.sign(np.diff(y))
    straight = (run[:-1] == run[1:]) & (rise[:-1] == rise[1:]) & ((run[1:] == 0) | (rise[1:] == 0))
    return np.flatnonzero(np.concatenate([[True], ~straight, [True]]))


# ---------------------------------------------------------------------- layers
def _limits(line: Line, i: int) -> list[dict[str, Any]]:
    if line.limits is None:
        return []
    x, low, high = (np.asarray(part, np.float64) for part in line.limits)
    some = np.isfinite(low) & np.isfinite(high)
    rows = [{"x": a, "y": b, "z": c} for a, b, c in zip(*(_short(p[some]) for p in (x, low, high)), strict=True)]
    if line.dots:
        mark = {"type": "rule", "color": color_of(i), "strokeWidth": INTERVAL, "opacity": 0.6, "aria": False}
    else:
        mark = {"type": "area", "color": color_of(i), "opacity": BAND, "line": False, "aria": False}
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
    if line.marked:
        out.append(point(rows, "x y", i, 36, stroke=COLORS["paper"], strokeWidth=0.8))
    return out


def _mark(line: Line, i: int) -> list[dict[str, Any]]:
    if line.mark is None:
        return []
    return [point([dict(zip("xy", line.mark, strict=True))], "x y", i, 70, stroke=COLORS["paper"], strokeWidth=1.5)]


def _spots(spots: Sequence[Spot]) -> list[dict[str, Any]]:
    """Points of the first line with their words."""
    if not spots:
        return []
    rows = [{"x": brief(spot.x), "y": brief(spot.y), "t": spot.text} for spot in spots]
    return [
        point(rows, "x y", 0, 35),
        words(rows, "x y", dx=7, dy=-9),
    ]


def _text(name: str, box: Box) -> list[dict[str, Any]]:
    """A name in ink with a halo in the color of the paper; a mark would look like a point of the data."""
    middle = (box.top + box.bottom) / 2
    mark: dict[str, Any] = {"type": "text", "align": "left", "baseline": "middle", "aria": False}
    mark |= {"fontWeight": 700, "fontSize": TEXT, "x": box.left, "y": middle}
    halo = {**mark, "color": COLORS["paper"], "stroke": COLORS["paper"], "strokeWidth": 3, "opacity": 0.85}
    data = {"values": [{"t": name}]}
    both = (halo, {**mark, "color": COLORS["ink"]})
    return [{"data": data, "mark": each, "encoding": {"text": {"field": "t"}}} for each in both]


def _leader(begin: tuple[float, float], end: tuple[float, float], i: int) -> list[dict[str, Any]]:
    """A thin line in the color of a line, from its name to it."""
    at = dict(zip(("x", "y", "x2", "y2"), (*begin, *end), strict=True))
    mark = {"type": "rule", "color": color_of(i), "strokeWidth": 1.25, "aria": False}
    return [{"data": {"values": [{}]}, "mark": mark, "encoding": {name: {"value": px} for name, px in at.items()}}]


def _key(names: Sequence[str], width: float) -> list[dict[str, Any]]:
    """Which line is which, above the frame: as many names in a row as there is room for."""
    wide = KEY + MARK + max(width_of(name) for name in names) + 10
    columns = min(max(int(width // wide), 1), len(names))
    out = []
    for i, name in enumerate(names):
        left = (i % columns) * wide
        top = -(HEIGHT + 4) * (math.ceil(len(names) / columns) - i // columns) - 6
        middle = top + HEIGHT / 2
        mark = point([{}], "", i, x=left + KEY + MARK / 2 - 1, y=middle)
        box = Box(left + KEY + MARK, top, left + wide, top + HEIGHT)
        out += [_swatch(left, middle, i), mark, *_text(name, box)]
    return out


def _swatch(left: float, middle: float, i: int) -> dict[str, Any]:
    """A short piece of a line, to show beside its name."""
    mark = {"type": "rule", "color": color_of(i), "strokeWidth": 2, "strokeDash": DASHES[i % SYSTEMS], "aria": False}
    at = {"x": left, "x2": left + KEY - 6, "y": middle}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {name: {"value": px} for name, px in at.items()}}


def _framed(layers: Sequence[dict[str, Any]], picture: Picture) -> list[dict[str, Any]]:
    """The layers with the axes on the first of them; they share their scales."""
    out = [dict(layer) for layer in layers]
    first = {**out[0]["encoding"]}
    reach = (picture.x, (picture.bottom, picture.y[1]))
    each = zip("xy", picture.axes, (picture.x, picture.y), reach, picture.own, strict=True)
    for channel, title, domain, drawn, own in each:
        axis: dict[str, Any] = {"title": title}
        ticks = picture.ticks if own is None else own
        if ticks is not None:
            named = " : ".join(f"abs(datum.value - {x:.6f}) < 1e-4 ? '{text}'" for x, text in ticks)
            axis |= {"values": [x for x, _ in ticks], "labelExpr": f"{named} : ''", "tickCount": len(ticks)}
            axis |= {"labelOverlap": False, "labelFlush": False}
        elif domain == (0.0, 1.0):
            axis |= {"values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f"}
        else:
            axis |= {"tickCount": 5}
        first[channel] = {**first[channel], "scale": {"domain": list(drawn), "nice": False}, "axis": axis}
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
