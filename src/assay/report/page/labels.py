"""What a page shows of labels: the errors, system by system."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.report.evaluate import with_intervals
from assay.report.page.blocks import Block, Columns, Part, Prose, Table
from assay.report.page.views import Material, view
from assay.tally.confusion import Confusion
from assay.tally.matrix import MOST_CLASSES
from assay.tally.section import Section, number

LARGE, MEDIUM = 3, 7  # classes up to which cells say everything, and up to which they say the share too
BESIDE = 14  # columns up to which something else fits beside a matrix
TURNED = 3  # letters from which on the labels of narrow columns are turned
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
    def turned(self) -> bool:
        """Whether the labels of the columns are too long for narrow columns."""
        return self.size == "tight" and any(len(label) > TURNED for label in self.columns)

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
    many = len(tallies) > 1
    pairs = {
        name: [Table(section, name if many else None) for section in _pairs(tally, material.level)]
        for name, tally in tallies.items()
    }
    blocks = tuple(_arranged(drawn, pairs)) or (Prose(("No system made an error.",)),)
    yield Part("errors", "What kind of errors?", "Errors", blocks, _lead(drawn, turned=turned))


def _lead(drawn: list[Matrix], *, turned: bool) -> tuple[str, ...]:
    if not drawn:
        return ()
    rows = "predicted class" if turned else "true class"
    return (f"Rows are the {rows}; shading is the share of each row. Green is right, red is wrong.",)


def _arranged(drawn: list[Matrix], pairs: Mapping[str, list[Table]]) -> Iterator[Block]:
    """Small matrices beside each other; larger ones each beside the pairs confused most, if both fit."""
    if drawn and drawn[0].size != "tight":
        yield from (Columns(tuple(drawn[i : i + 2])) for i in range(0, len(drawn), 2))
        yield from _beside([table for tables in pairs.values() for table in tables])
        return
    for matrix in drawn:
        own: list[Block] = [matrix, *pairs[matrix.system]]
        yield from (Columns(tuple(own)),) if len(matrix.columns) <= BESIDE else own
    if not drawn:
        yield from _beside([table for tables in pairs.values() for table in tables])


def _beside(tables: list[Table]) -> Iterator[Block]:
    yield from (Columns(tuple(tables[i : i + 2])) for i in range(0, len(tables), 2))


def _pairs(tally: Confusion, level: float) -> list[Section]:
    return [with_intervals(section, level) for section in tally.sections() if section.role == "confused"]


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
