"""What a terminal shows of curves: sentences, and a few points of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from assay.errors import plural
from assay.measures.scores.calibration import Calibration
from assay.report.families.scores import dominating, heading
from assay.report.names import short
from assay.report.text.lines import note_lines, padded
from assay.report.text.wrapping import wrapped
from assay.report.words.curves import AXES, POINTS, point, what_bands_are
from assay.texts import numeral

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve


# ---------------------------------------------------------------------- in a terminal
def as_text(c: Curves, width: int = 100) -> str:
    """Sentences, a small table, and what to watch for."""
    found = dominating(c) or heading(c)
    lines = [*wrapped(f"{found}.", width), ""] if c.kind in AXES else []
    for sentence in c.sentences:
        lines += wrapped(sentence, width, then="  ")
    lines += ["", *table(c, width)]
    if any(each.band is not None for each in c.systems):
        lines += ["", *wrapped(what_bands_are(c), width)]
    if c.notes:
        lines += ["", *(line.plain.rstrip() for line in note_lines(c.notes, width))]
    rows = [plural(int(c.provenance["n"]), "row")] if "n" in c.provenance else []
    return "\n".join([*lines, "", " · ".join([*rows, "page: --html FILE"])]) + "\n"


def table(c: Curves, width: int = 100) -> Sequence[str]:
    """A few points of each curve."""
    if c.kind in POINTS:
        return _points(c, width)
    if c.kind == "calibration":
        return [line for each in c.systems for line in _bins(each, width)]
    return []


def _points(c: Curves, width: int) -> list[str]:
    """Heights of every curve at some places, of which there are fewer where there is little room."""
    axis, height = AXES[c.kind]
    names = [short(each.name, 20) for each in c.systems]
    left = max(cell_len(name) for name in [*names, f"{height} at {axis}"]) + 2
    cells = [[" ".join(filter(None, point(each, x))) for x in POINTS[c.kind]] for each in c.systems]
    wide = max(len(text) for row in cells for text in row) + 2
    shown = range(max((width - left - 1) // wide, 1))[: len(POINTS[c.kind])]  # as many as fit; a page has all
    heads = (padded(f"{POINTS[c.kind][k]:g}", wide, right=True) for k in shown)
    head = padded(f"{height} at {axis}", left) + "".join(heads)
    lines = [f" {head}", "─" * (len(head) + 1)]
    for name, row in zip(names, cells, strict=True):
        lines.append(f" {padded(name, left)}" + "".join(padded(row[k], wide, right=True) for k in shown))
    return lines


def _bins(each: SystemCurve, width: int) -> Iterator[str]:
    curve = each.curve
    assert isinstance(curve, Calibration)
    gap = 2 if width >= 70 else 1  # before each number, besides the least that there is
    left = min(24, max(width - 41 - 4 * gap, 12))
    yield (
        f" {padded(short(each.name, left), left)}{'mean score':>{10 + gap}}{'positive':>{8 + gap}}"
        f"{'limits':>{14 + gap}}{'n':>{8 + gap}}"
    )
    yield "─" * (left + 41 + 4 * gap)
    for i in range(len(curve)):
        limits = "" if each.band is None else f"{each.band.low[i]:.3f}–{each.band.high[i]:.3f}"
        first = f"from {numeral(curve.threshold[i], '.3g')}"
        yield (
            f" {first:<{left}}{curve.x[i]:>{10 + gap}.3f}{curve.y[i]:>{8 + gap}.3f}{limits:>{14 + gap}}"
            f"{curve.mass[i]:>{8 + gap},.6g}"
        )
