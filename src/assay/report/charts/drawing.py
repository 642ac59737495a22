"""How charts become files and parts of a page: Vega-Lite specifications drawn as SVG and PNG without a browser."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from typing import Any, Self

# Every color once. In a file they stand as they are; in a page each is the variable of its name, so that the page
# chooses them for light and dark. The systems' are apart for eyes that see no red, green or blue, in the order in which
# they are told apart best; dashes and shapes tell them apart without color.
COLORS = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "muted": "#59636e",
    "grid": "#e6e9ec",
    "reference": "#8c959f",
    "good": "#12795e",
    "bad": "#b3403a",
    "system-1": "#1d5fb0",
    "system-2": "#c1530b",
    "system-3": "#12795f",
    "system-4": "#9145a8",
    "system-5": "#8a6a00",
    "system-6": "#454d56",
}
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2, 1, 2])
SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
SYSTEMS = len(DASHES)  # that can be told apart in one chart
FONT = "Helvetica, Arial, sans-serif"
VEGA_LITE = "5.20"  # named, so that a newer vl-convert draws the same picture
LEFT_TO_RIGHT = "\u200e"  # the mark that keeps numbers in order after a name that runs from right to left
PIXELS = 2.0  # of a PNG for each of the drawing
PADDING = 14
VARIABLES = {color: f"var(--{name})" for name, color in COLORS.items()}


@dataclass(frozen=True, eq=False)
class Drawing:
    """A chart, before it is drawn: a title, lines under it, and words for those who cannot see it."""

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
        """The same without title and subtitle, for where they stand beside it."""
        return replace(self, title="", subtitle=())

    # ------------------------------------------------------------------ files
    def svg(self) -> str:
        """The chart as SVG that needs nothing but itself."""
        return f"{_told(_drawn(self.spec()), self.title, self.description)}\n"

    def png(self) -> bytes:
        """The chart as PNG, two pixels for each of the drawing."""
        import vl_convert

        return vl_convert.vegalite_to_png(self.spec(), vl_version=VEGA_LITE, scale=PIXELS, allowed_base_urls=[])

    def inline(self) -> str:
        """The chart as SVG within a page: in the page's colors, as wide as there is room, its title left to the page.

        Labels are escaped by the program that draws; nothing in it has an id, a style or a link.
        """
        drawn = _drawn({**self.bare().spec(), "background": None, "padding": 2})
        drawn = _told(drawn, self.title, self.description)
        drawn = re.sub(r'^(<svg[^>]*?) width="\d+" height="\d+"', r"\1", drawn)
        colored = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')
        return colored.sub(lambda found: f'{found[1]}="{VARIABLES.get(found[2], found[2])}"', drawn)


def _drawn(spec: dict[str, Any]) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])


def _told(drawn: str, title: str, description: str) -> str:
    """The drawing with words for those who cannot see it."""
    head, _, rest = drawn.partition(">")
    told = f"<title>{html.escape(plain(title))}</title><desc>{html.escape(plain(description))}</desc>"
    return f'{head} role="img">{told}{rest}'


def plain(text: str) -> str:
    """Text on one line, without what XML does not know."""
    return "".join(c if c.isprintable() or c == LEFT_TO_RIGHT else " " for c in text)


def color_of(i: int) -> str:
    """The color of the system at this place."""
    return COLORS[f"system-{i % SYSTEMS + 1}"]


def _config() -> dict[str, Any]:
    ink, muted = COLORS["ink"], COLORS["muted"]
    axis = {"labelColor": muted, "titleColor": ink, "gridColor": COLORS["grid"], "domain": False, "ticks": False}
    axis |= {"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 400, "labelPadding": 6, "titlePadding": 8}
    title = {"anchor": "start", "color": ink, "fontSize": 15, "fontWeight": 700, "subtitleColor": muted}
    title |= {"subtitleFontSize": 11.5, "subtitlePadding": 5, "offset": 12, "frame": "bounds"}
    return {"font": FONT, "axis": axis, "title": title, "view": {"stroke": COLORS["grid"]}}
