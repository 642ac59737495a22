"""Tables of counts as shaded blocks of a page: confusion matrices, or the part of one that holds most errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.report.contents.blocks import Block
from assay.tables import count_text
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion

ANY_OTHER = "any other"  # the column of all answers outside a block of classes
WORDS = (("found", "missed"), ("false alarm", "correctly rejected"))
LARGE, MEDIUM = 3, 7  # rows up to which cells show everything, and up to which they show the share too
MOST = 30  # rows and columns of a table that people still read
MOST_DRAWN = 60  # rows and columns of one that people look at as a picture
BLOCK = 20  # classes of the part that is shown of a larger one
TURNED = 3  # letters above which the labels of narrow columns are turned
SHADES = 10


@dataclass(frozen=True)
class Shaded:
    """One cell: a count, its share of the row, what it is called, and how dark it is."""

    text: str
    share: str
    word: str
    kind: str  # right, wrong, or plain where neither applies
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
    down: str = "gold"
    across: str = "called"

    @property
    def size(self) -> str:
        """How much room a cell has."""
        most = max(len(self.rows), len(self.columns))
        return "large" if most <= LARGE else "medium" if most <= MEDIUM else "tight" if most <= MOST + 1 else "dense"

    @property
    def turned(self) -> bool:
        """Whether the labels of the columns are too long for narrow columns."""
        return self.size in ("tight", "dense") and any(len(label) > TURNED for label in self.columns)

    @property
    def longest(self) -> int:
        """Letters of a label that are shown."""
        return {"large": 28, "medium": 14, "tight": 12, "dense": 12}[self.size]


def confused_block(table: Floats, *, turned: bool = False) -> tuple[list[int], Floats]:
    """The classes with the most errors, as gold or as predicted ones, and their part of a table of gold by predicted.

    The columns are these classes, and one more for all others, so that each row adds up to all items of its class. With
    equally many errors the first class counts more. A table that is turned has predicted classes in its rows.
    """
    k = len(table)
    right = np.diagonal(table)
    errors = table.sum(axis=1) + table[:, :k].sum(axis=0) - 2 * right
    chosen = np.argsort(-errors, kind="stable")[:BLOCK]
    rows = (table[:, :k].T if turned else table)[chosen]
    inside = rows[:, chosen]
    return chosen.tolist(), np.column_stack([inside, rows.sum(axis=1) - inside.sum(axis=1)])


def largest_error(tables: Iterable[Floats]) -> float:
    """The largest share of a row that is wrong in any of these tables."""
    shares = [0.0]
    for table in tables:
        total = table.sum(axis=1, keepdims=True)
        share = np.divide(table, total, out=np.zeros_like(table, float), where=total > 0)
        wrong = np.arange(table.shape[0])[:, None] != np.arange(table.shape[1])
        shares.append(float(share[wrong].max(initial=0.0)))
    return max(shares)


def shaded_rows(
    table: Floats,
    names: Sequence[str],
    words: Sequence[Sequence[str]] = (),
    *,
    judged: bool = True,
    largest: float | None = None,
) -> tuple[tuple[str, tuple[Shaded, ...]], ...]:
    """The rows of a table; where it is judged, the cells of equal row and column are right and the others wrong.

    Errors are shaded relative to the largest one, by the root of their share: otherwise all would look alike.
    """
    most = (largest_error([table]) if largest is None else largest) or 1.0
    out = []
    for i, name in enumerate(names):
        kinds = [_kind(i, j) if judged else "plain" for j in range(table.shape[1])]
        cells = (_cell(table[i], j, kind, words[i][j] if len(words) else "", most) for j, kind in enumerate(kinds))
        out.append((name, tuple(cells)))
    return tuple(out)


def _kind(i: int, j: int) -> str:
    return "right" if i == j else "wrong"


def _cell(row: Floats, j: int, kind: str, word: str, largest: float) -> Shaded:
    count, total = float(row[j]), float(row.sum())
    share = count / total if total else 0.0
    depth = math.sqrt(share / largest) if kind == "wrong" else share
    shade = min(max(1, math.ceil(SHADES * depth)), SHADES) if count else 0
    return Shaded(count_text(count), f"{share:.0%}" if total else "–", word, kind, shade)


def block_of(
    tally: Confusion, system: str, place: int, *, turned: bool = False, largest: float | None = None
) -> Matrix:
    """The part of the table that holds the classes with the most errors, worst first."""
    classes, table = confused_block(tally.table, turned=turned)
    down = [tally.labels[i] for i in classes]
    sides = ("called", "gold") if turned else ("gold", "called")
    caption = f"The {len(classes)} classes with the most errors of {system}"
    return Matrix(system, place, caption, (*down, ANY_OTHER), shaded_rows(table, down, largest=largest), *sides)


def matrix_of(
    tally: Confusion, system: str, place: int, *, turned: bool = False, largest: float | None = None
) -> Matrix:
    """The table with the positive class first, where there is one; in the order of the labels otherwise."""
    table, order = tally.table, list(range(tally.k))
    positive = tally.positive_label() if tally.k == 2 and not tally.outside else None
    if positive is not None:
        order.sort(key=lambda i: tally.labels[i] != positive)
    across = [*order, *range(tally.k, tally.width)]
    names = [*tally.labels, tally.outside]
    table = table[np.ix_(order, across)]
    down, heads = [names[i] for i in order], [names[i] for i in across]
    if turned:
        table, down, heads = table.T, heads, down
    words = () if positive is None else tuple(zip(*WORDS, strict=True)) if turned else WORDS
    sides = ("called", "gold") if turned else ("gold", "called")
    rows = shaded_rows(table, down, words, largest=largest)
    return Matrix(system, place, f"Confusion matrix of {system}", tuple(heads), rows, *sides)
