"""A table of counts, shaded by the share of each row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.report.page.blocks import Block
from assay.tally.sampling import Floats
from assay.tally.section import number

LARGE, MEDIUM = 3, 7  # rows up to which cells say everything, and up to which they say the share too
MOST = 30  # rows and columns of a table that is still read
TURNED = 3  # letters from which on the labels of narrow columns are turned
SHADES = 10


@dataclass(frozen=True)
class Shaded:
    """One cell: a count, its share of the row, what it is called, and how dark it is."""

    text: str
    share: str
    word: str
    kind: str  # right, wrong, or plain where neither is said
    shade: int


@dataclass(frozen=True)
class Matrix(Block):
    """A table of counts, shaded by the share of each row."""

    template: ClassVar[str] = "matrix.html"
    system: str
    place: int
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Shaded, ...]], ...]
    down: str = "truly"
    across: str = "called"

    @property
    def size(self) -> str:
        """How much room a cell has."""
        most = max(len(self.rows), len(self.columns))
        return "large" if most <= LARGE else "medium" if most <= MEDIUM else "tight"

    @property
    def turned(self) -> bool:
        """Whether the labels of the columns are too long for narrow columns."""
        return self.size == "tight" and any(len(label) > TURNED for label in self.columns)

    @property
    def longest(self) -> int:
        """Letters of a label that are shown."""
        return {"large": 28, "medium": 14, "tight": 12}[self.size]


def shaded_rows(
    table: Floats, names: Sequence[str], words: Sequence[Sequence[str]] = (), *, judged: bool = True
) -> tuple[tuple[str, tuple[Shaded, ...]], ...]:
    """The rows of a table; where it is judged, the cells of equal row and column are right and the others wrong."""
    out = []
    for i, name in enumerate(names):
        kinds = [_kind(i, j) if judged else "plain" for j in range(table.shape[1])]
        cells = (_cell(table[i], j, kind, words[i][j] if len(words) else "") for j, kind in enumerate(kinds))
        out.append((name, tuple(cells)))
    return tuple(out)


def _kind(i: int, j: int) -> str:
    return "right" if i == j else "wrong"


def _cell(row: np.ndarray[tuple[int, ...], np.dtype[np.float64]], j: int, kind: str, word: str) -> Shaded:
    count, total = float(row[j]), float(row.sum())
    share = count / total if total else 0.0
    shade = max(1, math.ceil(SHADES * share)) if count else 0
    return Shaded(number(count), f"{share:.0%}" if total else "–", word, kind, shade)
