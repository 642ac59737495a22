"""What a page shows of labels: the errors, system by system."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.report.page.blocks import Block, Columns, Part, Prose, Table
from assay.report.page.views import Material, view
from assay.tally.confusion import Confusion
from assay.tally.matrix import MOST_CLASSES
from assay.tally.section import Section, number

LARGE, MEDIUM = 3, 7  # classes up to which cells say everything, and up to which they say the share too
SHADES = 10
WORDS = (("found", "missed"), ("false alarm", "cleared"))


@dataclass(frozen=True)
class Shaded:
    """One cell of a matrix: a count, its share of the row, and how dark it is."""

    text: str
    share: str
    word: str
    kind: str  # right or wrong
    shade: int


@dataclass(frozen=True)
class Matrix(Block):
    """A confusion matrix, shaded by the share of each row."""

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
        return "large" if len(self.rows) <= LARGE else "medium" if len(self.rows) <= MEDIUM else "tight"

    @property
    def longest(self) -> int:
        """Letters of a label that are shown."""
        return {"large": 28, "medium": 14, "tight": 12}[self.size]


@view(Confusion)
def errors(material: Material) -> Iterator[Part]:
    """The confusion matrix of every system, or the pairs confused most where there are too many classes."""
    turned = material.report.asked.get("rows") == "pred"
    tallies = material.of(Confusion)
    drawn = [
        _matrix(tally, name, material.systems.index(name), turned=turned)
        for name, tally in tallies.items()
        if tally.k <= MOST_CLASSES
    ]
    blocks: list[Block] = list(_arranged(drawn))
    blocks += [_titled(section, name, len(tallies)) for name, tally in tallies.items() for section in _pairs(tally)]
    if not blocks:
        blocks = [Prose(("No system made an error.",))]
    yield Part("errors", "What kind of errors?", "Errors", tuple(blocks), _lead(drawn, turned=turned))


def _lead(drawn: list[Matrix], *, turned: bool) -> tuple[str, ...]:
    if not drawn:
        return ()
    rows = "predicted class" if turned else "true class"
    return (f"Rows are the {rows}; shading is the share of each row. Green is right, red is wrong.",)


def _arranged(drawn: list[Matrix]) -> Iterator[Block]:
    """Small matrices side by side, large ones below each other."""
    if any(matrix.size == "tight" for matrix in drawn) or len(drawn) < 2:
        yield from drawn
        return
    yield from (Columns(tuple(drawn[i : i + 2])) for i in range(0, len(drawn), 2))


def _pairs(tally: Confusion) -> list[Section]:
    return [section for section in tally.sections() if section.role == "confused"]


def _titled(section: Section, name: str, systems: int) -> Table:
    return Table(section, of=name if systems > 1 else None)


def _matrix(tally: Confusion, system: str, place: int, *, turned: bool) -> Matrix:
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
    rows = tuple(
        (label, tuple(_cell(table[i], j, i == j, _word(positive, i, j, turned)) for j in range(len(heads))))
        for i, label in enumerate(down)
    )
    sides = ("called", "truly") if turned else ("truly", "called")
    return Matrix(system, place, f"Confusion matrix of {system}", tuple(heads), rows, *sides)


def _word(positive: str | None, i: int, j: int, turned: bool) -> str:
    """What the cell of two classes is called, the positive class first."""
    if positive is None:
        return ""
    return WORDS[j][i] if turned else WORDS[i][j]


def _cell(row: np.ndarray[tuple[int, ...], np.dtype[np.float64]], j: int, right: bool, word: str) -> Shaded:
    count, total = float(row[j]), float(row.sum())
    share = count / total if total else 0.0
    shade = max(1, math.ceil(SHADES * share)) if count else 0
    return Shaded(number(count), f"{share:.0%}" if total else "–", word, "right" if right else "wrong", shade)
