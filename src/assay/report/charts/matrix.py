"""A confusion matrix as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.report.charts.drawing import COLORS, LETTER, TEXT, Drawing, framed, layer, scaled, width_of, words
from assay.report.names import short
from assay.tables import count_text
from assay.tally.contract.sampling import Floats

COUNTED = 12  # classes up to which counts are shown in the cells
WIDE = 400  # pixels of the matrix
SMALLEST, LARGEST = 11, 90  # pixels of a cell
LONGEST = 14  # characters of a label
ELSE = "none of these"  # predictions outside the classes
DARK = 0.85  # the opacity at or above which text in a cell has the color of the paper


@dataclass(frozen=True, eq=False)
class MatrixPicture(Drawing):
    """Counts of gold (down) by called (across) classes."""

    labels: tuple[str, ...]
    counts: Floats

    def layers(self) -> dict[str, Any]:
        """Cells, counts where there is room, and labels around them."""
        down, across = self.counts.shape
        cell = min(max(WIDE / across, SMALLEST), LARGEST)
        names = [short(label, LONGEST) for label in self.labels]
        called = [*names, *([ELSE] if across > down else [])]
        drawn = [*self._cells(cell), *self._counts(cell), *_around(names, called, cell)]
        width, height = cell * across, cell * down
        return {
            "width": width,
            "height": height,
            "layer": framed(
                drawn,
                x=scaled((0.0, width), None),
                y=scaled((0.0, height), None, reverse=True),
            ),
        }

    @property
    def shares(self) -> Floats:
        """Each cell as a share of its true class; 0 for classes without items."""
        totals = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts / np.where(totals > 0, totals, 1.0))

    def _cells(self, cell: float) -> list[dict[str, Any]]:
        out = []
        gap = 1.0 if len(self.labels) <= COUNTED else 0.4
        for good, color in ((True, COLORS["good"]), (False, COLORS["bad"])):
            rows = [
                {"x": j * cell + gap, "x2": (j + 1) * cell - gap, "y": i * cell + gap, "y2": (i + 1) * cell - gap}
                | {"opacity": _shade(float(share))}
                for (i, j), share in np.ndenumerate(self.shares)
                if (i == j) == good
            ]
            out.append(layer("rect", rows, "x x2 y y2 opacity", color=color))
        return out

    def _counts(self, cell: float) -> list[dict[str, Any]]:
        if len(self.labels) > COUNTED:
            return []
        out = []
        longest = max(len(count_text(float(count))) for count in self.counts.flat)
        size = max(min(TEXT + 2, cell / (0.62 * longest + 0.6)), 8)
        for dark, color in ((False, COLORS["ink"]), (True, COLORS["paper"])):
            rows = [
                {"t": count_text(float(count)), "x": (j + 0.5) * cell, "y": (i + 0.5) * cell}
                for (i, j), count in np.ndenumerate(self.counts)
                if (_shade(float(self.shares[i, j])) >= DARK) == dark
            ]
            out.append(words(rows, "x y", align="center", color=color, fontSize=size, fontWeight=700))
        return out


def _shade(share: float) -> float:
    """Zero is nearly white; small shares are still visible."""
    return round(0.06 + 0.94 * share**0.8, 3) if share > 0 else 0.04


def _around(names: Sequence[str], called: Sequence[str], cell: float) -> list[dict[str, Any]]:
    """Gold labels at the left, called ones above, turned if they would run into each other."""
    tall = width_of(called) + 10
    turned = tall > cell + 4
    size = TEXT if cell >= TEXT + 2 else max(cell - 2, 8)
    rows = [{"t": name, "y": (i + 0.5) * cell} for i, name in enumerate(names)]
    tops = [{"t": name, "x": (i + 0.5) * cell} for i, name in enumerate(called)]
    muted = COLORS["muted"]
    above = {"angle": 270, "align": "left"} if turned else {"align": "center"}
    up = -tall - 12 if turned else -32.0
    return [
        words(rows, "y", x=-8, align="right", fontSize=size),
        words(tops, "x", y=-8 if turned else -12, fontSize=size, **above),
        words([{"t": "called"}], x=0, y=up, color=muted),
        words([{"t": "gold"}], x=-LETTER - 8, y=-12, align="right", color=muted),
    ]


def matrix_picture(name: str, labels: Sequence[str], counts: Floats) -> MatrixPicture:
    """The confusion matrix of one system."""
    counts = np.asarray(counts, np.float64)
    return MatrixPicture(
        title=f"Confusion matrix of {name}" if name else "Confusion matrix",
        subtitle=("shade: share of each gold class; blue is correct, red is wrong",),
        description=_described(name, labels, counts),
        labels=tuple(labels),
        counts=counts,
    )


def _described(name: str, labels: Sequence[str], counts: Floats) -> str:
    right, total = float(np.trace(counts)), float(counts.sum())
    told = f"Confusion matrix of {name}: {count_text(right)} of {count_text(total)} are right"
    wrong = [(float(c), i, j) for (i, j), c in np.ndenumerate(counts) if i != j and c > 0]
    if not wrong:
        return f"{told}; there are no errors."
    worst = sorted(wrong, key=lambda cell: -cell[0])[:3]
    called = [f"“{label}”" for label in labels] + [ELSE]
    most = "; ".join(
        f"“{labels[i]}” called {called[j]} {count_text(c)} {'time' if c == 1 else 'times'}" for c, i, j in worst
    )
    return f"{told}. Most frequent errors: {most}."
