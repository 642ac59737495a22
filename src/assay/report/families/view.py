"""The one hook by which a family shows more than its measures: parts of the page, made from its tallies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeVar

import numpy as np

from assay.families import place_of
from assay.jobs.results import Report
from assay.lazily import load_families
from assay.options import LEVEL
from assay.report.page.blocks import Block, Part
from assay.tables import number
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats

T = TypeVar("T", bound=Tally)
Make = Callable[["Material"], Iterable[Part]]


@dataclass(frozen=True)
class Material:
    """What a view is made from: the report, and all that was counted of each system."""

    report: Report

    @cached_property
    def tallies(self) -> Mapping[str, tuple[Tally, ...]]:
        """Every tally of every system, in the order of the report."""
        counted = self.report.counted
        if counted is None:
            return {}
        return {name: counted.systems.held(name) for name in counted.systems}

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems; their places give them their marks and colors."""
        return tuple(system.name for system in self.report.systems)

    @property
    def level(self) -> float:
        """The confidence level of the report's intervals."""
        return next((row.level for row in self.report.rows), LEVEL)

    def of(self, kind: type[T]) -> dict[str, T]:
        """The tally of this kind of every system that has one."""
        each = ((name, tally) for name, held in self.tallies.items() for tally in held)
        return {name: tally for name, tally in each if isinstance(tally, kind)}


@dataclass(frozen=True)
class View:
    """Parts of a page that tallies of one kind can be shown in."""

    kind: type[Tally]
    make: Make


_VIEWS: list[View] = []


def view(kind: type[Tally]) -> Callable[[Make], Make]:
    """Declare what a page shows of tallies of this kind."""

    def declared(make: Make) -> Make:
        _VIEWS.append(View(kind, make))
        return make

    return declared


def parts_of(material: Material) -> Iterator[Part]:
    """What the families show of this report, in the order in which they are named, whichever was loaded first."""
    load_families("report.families", optional=True)
    for each in sorted(_VIEWS, key=lambda view: place_of(view.make.__module__, "report.families")):
        if material.of(each.kind):
            yield from each.make(material)


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
