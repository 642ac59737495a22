"""Draw how a number comes about: rows, tally, evidence, measure, interval. Its figures are computed from the demo file.

The drawing brings its own background, so it can be read on any page; where the reader prefers a dark page, it is dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

import assay
from assay.report.tokens import DARK, LIGHT

TARGET = Path(__file__).parents[1] / "docs" / "images" / "inside.svg"
POSITIVE, OTHER = "malignant", "benign"
TOKENS = ("paper", "panel", "line", "ink", "muted", "system-1", "system-2")
WIDTH, HEIGHT = 1000, 412
TITLES = ("rows", "tally", "evidence", "measure", "interval")
LEFT = (22, 212, 448, 608, 800)  # of each column
BROAD = (156, 202, 126, 158, 178)
TOP, STEP, DRAWS = 64, 22, 3

Unit = tuple[str, str]


def counted() -> dict[Unit, int]:
    """How often each pair of gold label and answer of the tree occurs in the demo file."""
    with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
        lines = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    gold, answer = lines[0].index("gold"), lines[0].index("tree")
    pairs = [(line[gold], line[answer]) for line in lines[1:]]
    units = [(first, second) for first in (POSITIVE, OTHER) for second in (POSITIVE, OTHER)]
    return {unit: pairs.count(unit) for unit in units}


def table(counts: Sequence[int]) -> assay.Confusion:
    """The table of two classes with these counts, in the order of the units."""
    tp, fn, fp, tn = (int(count) for count in counts)
    return assay.Confusion.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)


def f1_of(counts: Sequence[int]) -> float:
    """F1 of these counts."""
    return float(assay.f1.of(table(counts), pos_label="positive"))


def text(x: float, y: float, words: str, kind: str = "ink", anchor: str = "start") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def box(column: int, y: float, height: float) -> str:
    """A panel in a column."""
    return f'<rect x="{LEFT[column]}" y="{y:g}" width="{BROAD[column]}" height="{height:g}" rx="8" class="panel"/>'


def arrow(column: int, y: float, kind: str = "muted") -> str:
    """From a column to the next."""
    start, end = LEFT[column] + BROAD[column] + 5, LEFT[column + 1] - 7
    return f'<path d="M{start} {y:g}H{end}m-6-4l6 4l-6 4" class="arrow {kind}"/>'


def row(cells: Mapping[int, str], y: float, kind: str = "ink", edge: int = 12) -> Iterable[str]:
    """Numbers at the right edge of their columns."""
    for column, words in cells.items():
        yield text(LEFT[column] + BROAD[column] - edge, y, words, kind, "end")


def once(counts: Mapping[Unit, int]) -> Iterable[str]:
    """The upper half: what happens once, to the data."""
    n, height = sum(counts.values()), 4 * STEP + 18
    yield from (box(column, TOP, height) for column in range(4))
    yield from (arrow(column, TOP + height / 2) for column in range(3))
    shown = ((POSITIVE, POSITIVE), (OTHER, OTHER), (POSITIVE, OTHER))
    for i, (unit, count, cell) in enumerate(zip(counts, counts.values(), ("TP", "FN", "FP", "TN"), strict=True)):
        y = TOP + 24 + i * STEP
        yield text(LEFT[0] + 12, y, ", ".join(shown[i]) if i < len(shown) else f"… {n:,} rows", "small")
        yield text(LEFT[1] + 12, y, ", ".join(unit), "small")
        yield text(LEFT[2] + 12, y, cell, "small")
        yield from row({1: str(count), 2: str(count)}, y)
    middle = LEFT[3] + BROAD[3] / 2
    yield text(middle, TOP + 34, "2 TP", "ink", "middle")
    yield f'<path d="M{middle - 55:g} {TOP + 42}H{middle + 55:g}" class="rule"/>'
    yield text(middle, TOP + 60, "2 TP + FP + FN", "ink", "middle")
    yield text(middle, TOP + 92, f"F1 = {f1_of(list(counts.values())):.3f}", "strong", "middle")


def again(counts: Mapping[Unit, int]) -> Iterable[str]:
    """The lower half: other multiplicities of the same units, and the same way from there on."""
    found = list(counts.values())
    n, top, height = sum(found), TOP + 4 * STEP + 76, DRAWS * STEP + 40
    drawn = np.random.default_rng(5).multinomial(n, np.array(found) / n, DRAWS)
    yield text(LEFT[1], top - 14, "the same four units, counted anew in every draw", "drawn")
    yield from (box(column, top, height) for column in (1, 2, 3))
    yield from (arrow(column, top + height / 2, "again") for column in (1, 2, 3))
    for i, one in enumerate(drawn.tolist()):
        y = top + 24 + i * STEP
        yield text(LEFT[1] + BROAD[1] / 2, y, "  ".join(f"{count:>3}" for count in one), "mono", "middle")
        yield text(LEFT[2] + BROAD[2] / 2, y, "the same cells", "small", "middle")
        yield text(LEFT[3] + BROAD[3] / 2, y, f"{f1_of(one):.3f}", "drawn", "middle")
    y = top + 24 + DRAWS * STEP
    for column in (1, 2, 3):
        yield text(LEFT[column] + BROAD[column] / 2, y, "… 9,999 times", "small", "middle")
    yield from limits(found, top, height)
    foot = top + height + 36
    yield text(
        LEFT[1], foot, "What is left of the data is the tally: four numbers, however many rows there were.", "small"
    )
    yield text(
        LEFT[1],
        foot + 20,
        "Bootstrap, jackknife and randomization test change how often its units count, and nothing else.",
        "small",
    )


def limits(found: Sequence[int], top: float, height: float) -> Iterable[str]:
    """The interval that contains the middle 95% of the draws."""
    made = assay.estimate("f1", table(found), pos_label="positive", method="percentile")
    low, high = made.interval or (0.0, 1.0)
    left, right, y = LEFT[4] + 8, LEFT[4] + BROAD[4] - 8, top + height / 2
    start, end = 0.86, 0.96

    def place(value: float) -> float:
        return left + (right - left) * (value - start) / (end - start)

    yield f'<path d="M{left} {y:g}H{right}" class="rule"/>'
    yield f'<path d="M{place(low):.1f} {y:g}H{place(high):.1f}" class="bar"/>'
    yield f'<circle cx="{place(made.value or 0):.1f}" cy="{y:g}" r="6" class="dot"/>'
    yield text((left + right) / 2, y - 22, f"{low:.3f} to {high:.3f}", "strong", "middle")
    yield text((left + right) / 2, y + 32, "middle 95% of the draws", "small", "middle")


def colors(tokens: Mapping[str, str]) -> str:
    """The tokens of this drawing as CSS variables."""
    return " ".join(f"--{name}: {tokens[name]};" for name in TOKENS)


def style() -> str:
    """Light colors, and dark ones where the reader prefers them."""
    return f"""<style>
svg {{ {colors(LIGHT)} font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 14px; }}
@media (prefers-color-scheme: dark) {{ svg {{ {colors(DARK)} }} }}
.page {{ fill: var(--paper); stroke: var(--line); }} .panel {{ fill: var(--panel); stroke: var(--line); }}
.ink {{ fill: var(--ink); }} .small {{ fill: var(--muted); font-size: 13px; }}
.title, .strong {{ fill: var(--ink); font-weight: 600; }} .drawn {{ fill: var(--system-2); }}
.mono {{ fill: var(--ink); white-space: pre; }}
.mono {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
.arrow {{ fill: none; stroke-width: 1.5; stroke: var(--muted); }} .again {{ stroke: var(--system-2); }}
.rule {{ stroke: var(--muted); }}
.bar {{ stroke: var(--system-1); stroke-width: 4; }} .dot {{ fill: var(--system-1); }}
</style>"""


def drawing() -> str:
    """The whole drawing as SVG."""
    counts = counted()
    n, found = sum(counts.values()), f1_of(list(counts.values()))
    words = (
        f"{n} rows are counted into four units. Evidence is read from the counts, and the measure turns it into F1 "
        f"{found:.3f}. For the interval the counts are drawn anew and go the same way."
    )
    titles = (
        text(x + broad / 2, 42, name, "title", "middle") for x, broad, name in zip(LEFT, BROAD, TITLES, strict=True)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">',
            '<title id="t">From rows to an interval</title>',
            f'<desc id="d">{escape(words)}</desc>',
            style(),
            f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="10" class="page"/>',
            *titles,
            *once(counts),
            *again(counts),
            "</svg>\n",
        ]
    )


def main() -> None:
    """Write the drawing beside its target, then rename it."""
    beside = TARGET.with_suffix(".svg.part")
    beside.write_text(drawing(), encoding="utf-8")
    beside.replace(TARGET)
    print(f"wrote {TARGET.name}")


if __name__ == "__main__":
    main()
