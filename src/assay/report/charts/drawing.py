"""How charts are made and become files: layers of marks, axes with round numbers, SVG and PNG without a browser."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from rich.cells import cell_len

from assay.report.names import LEFT_TO_RIGHT
from assay.report.tokens import CHART_TEXT, CHART_WIDTH, FONT, LIGHT, SHAPES, name_of

COLORS = LIGHT  # in a file as they are; in a page each is the variable of its name
VEGA_LITE = "5.20"  # pinned, so that a newer vl-convert draws the same picture
PIXELS = 2.0  # pixels of a PNG for each of the drawing
PADDING = 14
MEASURED = "Liberation Sans"  # part of vl-convert, so that a chart is laid out alike whatever fonts a machine has
PATH, LONG = re.compile(r' (?:d|transform)="[^"]*"'), re.compile(r"-?\d+\.\d{2,}")  # places finer than can be seen
UNUSED = re.compile(r' (?:class|pointer-events|font-family)="[^"<>]*"(?=[^<>]*>)')  # what a page makes no use of
VARIABLES = {color: f"var(--{name})" for name, color in COLORS.items()}


@dataclass(frozen=True, eq=False)
class Drawing:
    """A chart before it is drawn: a title, lines below it, and a description for those who cannot see it."""

    title: str
    subtitle: tuple[str, ...]
    description: str

    def layers(self) -> dict[str, Any]:
        """The chart itself as part of a Vega-Lite specification: its size, and one view or several layers."""
        raise NotImplementedError

    def spec(self) -> dict[str, Any]:
        """The chart as a Vega-Lite specification."""
        titled = {"title": {"text": plain(self.title), "subtitle": [plain(text) for text in self.subtitle]}}
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "padding": PADDING,
            "background": COLORS["paper"],
            **(titled if self.title else {}),
            **self.layers(),
            "config": _config(),
        }

    def bare(self) -> Self:
        """The same without title and subtitle, for use where they are shown separately."""
        return replace(self, title="", subtitle=())

    # ------------------------------------------------------------------ files
    def svg(self) -> str:
        """The chart as self-contained SVG."""
        return f"{_told(_drawn(self.spec()), self.title, self.description)}\n"

    def png(self) -> bytes:
        """The chart as PNG, two pixels for each of the drawing."""
        import vl_convert

        return vl_convert.vegalite_to_png(self.spec(), vl_version=VEGA_LITE, scale=PIXELS, allowed_base_urls=[])

    def inline(self) -> str:
        """The chart as SVG within a page: in the page's colors, as wide as there is room, without its title.

        Labels are escaped by the program that draws; nothing in it has an id, a style or a link.
        """
        drawn = _drawn({**self.bare().spec(), "background": None, "padding": 2})
        drawn = _told(drawn, self.title, self.description)
        drawn = re.sub(r'^(<svg[^>]*?) width="\d+" height="\d+"', r"\1", drawn)
        drawn = PATH.sub(
            lambda found: LONG.sub(lambda number: f"{float(number[0]):.1f}", found[0]), UNUSED.sub("", drawn)
        )
        colored = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')
        return colored.sub(lambda found: f'{found[1]}="{VARIABLES.get(found[2], found[2])}"', drawn)


def _drawn(spec: dict[str, Any]) -> str:
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    return drawn.replace(f'font-family="{MEASURED}"', f'font-family="{html.escape(FONT)}"')


def _told(drawn: str, title: str, description: str) -> str:
    """The drawing with a description for those who cannot see it."""
    head, _, rest = drawn.partition(">")
    told = f"<title>{html.escape(plain(title))}</title><desc>{html.escape(plain(description))}</desc>"
    return f'{head} role="img">{told}{rest}'


def plain(text: str) -> str:
    """Text on one line, without characters that XML does not allow."""
    return "".join(c if c.isprintable() or c == LEFT_TO_RIGHT else " " for c in text)


def color_of(i: int) -> str:
    """The color of the system at this place."""
    return COLORS[name_of(i)]


def _config() -> dict[str, Any]:
    ink, muted = COLORS["ink"], COLORS["muted"]
    axis = {"labelColor": muted, "titleColor": ink, "gridColor": COLORS["grid"], "domain": False, "ticks": False}
    axis |= {"labelFontSize": TEXT, "titleFontSize": TEXT, "titleFontWeight": 400, "labelPadding": 6, "titlePadding": 8}
    axis |= {"gridWidth": 1}
    title = {"anchor": "start", "color": ink, "fontSize": 15, "fontWeight": 700, "subtitleColor": muted}
    title |= {"subtitleFontSize": 12, "subtitlePadding": 5, "offset": 12, "frame": "bounds"}
    return {"font": MEASURED, "axis": axis, "title": title, "view": {"stroke": None}}


TEXT = CHART_TEXT  # pixels
LETTER = 7.1  # pixels of a character of that size
WIDTH = CHART_WIDTH - 2 * 2  # pixels of a chart with everything around it, in a page
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
    """1, 2 or 5 times a power of ten, so that about this many steps, and not more, make up the reach."""
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
    """An axis with these ticks; differences have a sign, except 0."""
    form = f"{'+' if sign else ''}.{places(values)}f"
    label = f"datum.value == 0 ? '0' : format(datum.value, '{form}')"
    look = {"labelFontSize": TEXT, "titleFontSize": TEXT, "labelFlush": False}
    return {"title": plain(title), "values": list(values), "labelExpr": label, **look}


# ---------------------------------------------------------------------- widths and numbers
def width_of(texts: Sequence[str]) -> float:
    """Pixels that the longest of the texts takes."""
    return LETTER * max((cell_len(text) for text in texts), default=0)


def brief(value: float) -> float:
    """A number as precise as a drawing needs."""
    return float(f"{value:.6g}")


def finite(values: Sequence[float | None]) -> list[float]:
    """The finite numbers among these."""
    return [float(v) for v in values if v is not None and np.isfinite(v)]
