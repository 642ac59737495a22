"""Pieces of charts: layers of marks at places that are computed here, and axes with round numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.cells import cell_len

from assay.report.charts.drawing import COLORS, SHAPES, color_of, plain
from assay.report.text.lines import short

TEXT = 12  # pixels: charts of this kind are drawn narrow, and stay readable when a phone makes them narrower still
LETTER = 6.6  # pixels of a letter of that size
WIDTH = 410  # pixels of a chart with everything around it
MARKED = 60  # the area of a mark
SLIM = {"diamond": 1.6, "cross": 1.3}  # shapes that look smaller than their area


def layer(kind: str, rows: Sequence[dict[str, Any]], channels: str, **look: Any) -> dict[str, Any]:
    """One mark for each row; the channels, such as "x x2 y", are read from fields of the same names."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": kind, "aria": False, **look},
        "encoding": {name: _read(name) for name in channels.split()},
    }


def words(rows: Sequence[dict[str, Any]], channels: str = "", **look: Any) -> dict[str, Any]:
    """A text, from field t, for each row."""
    look = {"fontSize": TEXT, "baseline": "middle", "align": "left", "color": COLORS["ink"]} | look
    return layer("text", [{**row, "t": plain(str(row["t"]))} for row in rows], f"{channels} text", **look)


def framed(layers: Sequence[dict[str, Any]], **channels: dict[str, Any]) -> list[dict[str, Any]]:
    """The layers with these scales and axes, which they share; a layer without rows carries them."""
    frame = layer("rule", [], " ".join(channels), opacity=0)
    for name, more in channels.items():
        frame["encoding"][name] |= more
    return [frame, *layers]


def scaled(domain: tuple[float, float], axis: dict[str, Any] | None, **scale: Any) -> dict[str, Any]:
    """A scale over exactly this domain, with this axis or none."""
    return {"scale": {"domain": list(domain), "nice": False, "zero": False, **scale}, "axis": axis}


def _read(channel: str) -> dict[str, Any]:
    if channel == "text":
        return {"field": "t", "type": "nominal"}
    if channel == "opacity":  # as it is given
        return {"field": "opacity", "type": "quantitative", "scale": None, "legend": None}
    kind = {} if channel.endswith("2") else {"type": "quantitative"}
    return {"field": channel, **kind}


def point(rows: Sequence[dict[str, Any]], channels: str, i: int, area: float = MARKED, **look: Any) -> dict[str, Any]:
    """The mark of the system at this place, filled with its color."""
    shape = SHAPES[i % len(SHAPES)]
    usual = {"filled": True, "shape": shape, "size": area * SLIM.get(shape, 1), "color": color_of(i), "opacity": 1}
    return layer("point", rows, channels, **{**usual, **look})


# ---------------------------------------------------------------------- round numbers
def round_step(reach: float, about: int) -> float:
    """1, 2 or 5 times a power of ten, so that about so many steps, and not more, make up the reach."""
    least = reach / about
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1.0, 2.0, 5.0, 10.0) if times * power >= least * (1 - 1e-9))


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from low to high."""
    step = round_step(high - low, about)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def places(values: Sequence[float]) -> int:
    """Decimals that tell these ticks apart."""
    if len(values) < 2:
        return 2
    return max(0, -math.floor(math.log10(values[1] - values[0]) + 1e-9))


def axis(title: str, values: Sequence[float], *, sign: bool = False) -> dict[str, Any]:
    """An axis with these ticks; differences have a sign, and nothing has none."""
    form = f"{'+' if sign else ''}.{places(values)}f"
    label = f"datum.value == 0 ? '0' : format(datum.value, '{form}')"
    look = {"labelFontSize": TEXT, "titleFontSize": TEXT, "labelFlush": False}
    return {"title": plain(title), "values": list(values), "labelExpr": label, **look}


# ---------------------------------------------------------------------- names beside a chart
def fitted(name: str, most: int) -> str:
    """A name from the data that fits beside a chart."""
    return short(name, most)


def width_of(texts: Sequence[str]) -> float:
    """Pixels that the longest of the texts takes."""
    return LETTER * max((cell_len(text) for text in texts), default=0)


def brief(value: float) -> float:
    """A number as exact as a drawing needs it."""
    return float(f"{value:.6g}")


def finite(values: Sequence[float | None]) -> list[float]:
    """The numbers that there are."""
    return [float(v) for v in values if v is not None and np.isfinite(v)]
