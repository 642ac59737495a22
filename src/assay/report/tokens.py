"""The look in one place: colors and marks, from which the page, the charts and the terminal are drawn.

The systems' colors differ for every kind of color blindness; dashes and marks distinguish them without color. A file
and print use the light colors; a page follows the reader's choice. A terminal does not tell its background, so its
colors can be read on black and on white.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#ffffff",
    "panel": "#f6f7f9",
    "line": "#dde2e7",
    "grid": "#eceff2",
    "ink": "#171b20",
    "muted": "#56606b",
    "reference": "#7d8691",
    "system-1": "#1d5fb0",
    "system-2": "#c1530b",
    "system-3": "#1a9a82",
    "system-4": "#7a1f6b",
    "system-5": "#b08900",
    "system-6": "#454d56",
    "warn": "#6b4700",
    "warn-soft": "#fae3a6",
    "good": "#2f6690",  # of words and bars; blue and red stay apart where green and red do not
    "bad": "#b3304a",
    "right-least": "#eef2f6",  # cells of a matrix, from the faintest to the strongest
    "right-most": "#93b5cf",
    "wrong-least": "#fbe7ea",
    "wrong-most": "#d66078",
}
DARK: Mapping[str, str] = {
    "paper": "#0f1419",
    "panel": "#171e26",
    "line": "#303a45",
    "grid": "#222b34",
    "ink": "#e8edf2",
    "muted": "#a3afbb",
    "reference": "#8794a1",
    "system-1": "#6cb0ff",
    "system-2": "#f59a4c",
    "system-3": "#9fe8cf",
    "system-4": "#b65bbd",
    "system-5": "#f5e193",
    "system-6": "#8b96a1",
    "warn": "#f0cf7a",
    "warn-soft": "#33290f",
    "good": "#8fc1ea",
    "bad": "#f58a9c",
    "right-least": "#1b2530",
    "right-most": "#3f6486",
    "wrong-least": "#2d181d",
    "wrong-most": "#ab465c",
}
TERMINAL: Mapping[str, str] = {
    "system-1": "#2878d8",
    "system-2": "#cf6417",
    "system-3": "#25ad92",
    "system-4": "#9a3f95",
    "system-5": "#b08d10",
    "system-6": "#7d8691",
}
SHAPES = ("circle", "diamond", "square", "triangle-up", "triangle-down", "cross")  # in charts
MARKS = ("●", "◆", "■", "▲", "▼", "✚")  # the same in a terminal
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2, 1, 2])
SYSTEMS = len(SHAPES)  # that can be told apart in one chart
# The outlines of the same marks around 0, as in the charts.
OUTLINES: Mapping[str, str] = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
    "diamond": "M0-5L5 0L0 5L-5 0Z",
    "square": "M-4-4H4V4H-4Z",
    "triangle-up": "M0-5L5 4H-5Z",
    "triangle-down": "M0 5L5-4H-5Z",
    "cross": "M-5-2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z",
}
STEPS = 10  # shades of a cell in a matrix
# The page's font, which charts have too; base.css sets it for the page.
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif'
# Charts are drawn this wide, and shown at most a little wider; their text stays at 11 px where a phone shrinks them.
CHART_WIDTH, CHART_TEXT = 420, 13
INTERVAL, TESTED = 2.5, 5.0  # pixels of the bar of an interval, and of one that was tested
BAND = 0.13  # opacity
REFERENCE_DASH = [3, 3]


def name_of(i: int) -> str:
    """The token of the system at this place."""
    return f"system-{i % SYSTEMS + 1}"


def terminal_color(i: int) -> str:
    """The color of the system at this place, in a terminal."""
    return TERMINAL[name_of(i)]


def mark_of(i: int) -> str:
    """The mark of the system at this place, in a terminal."""
    return MARKS[i % SYSTEMS]


def variables() -> str:
    """The tokens as CSS variables of a page: light, and dark where the reader prefers it."""
    dark = "@media screen and (prefers-color-scheme: dark)"
    return "\n".join((f".assay {{ {_listed(LIGHT)} }}", f"{dark} {{ .assay {{ {_listed(DARK)} }} }}", *_shades()))


def _listed(tokens: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in tokens.items())


def _shades() -> list[str]:
    """The shades of cells: each mixes the faintest color with the strongest."""
    return [
        f".assay .{kind}.q{i} {{ background: color-mix(in srgb, var(--{of}-most) {100 * (i - 1) // (STEPS - 1)}%, "
        f"var(--{of}-least)); }}"
        for kind, of in (("right", "right"), ("wrong", "wrong"), ("plain", "right"))
        for i in range(1, STEPS + 1)
    ]
