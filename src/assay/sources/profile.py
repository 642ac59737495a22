"""Every column of a table counted by itself: all its labels with their rows, or a few and how many there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from assay.errors import DataError
from assay.sources.frames import Table, count_rows
from assay.sources.parts import parts, told
from assay.sources.sides import FIRST

MANY = 20_000  # different values, beyond which a column that holds no labels is only summarized
MOST = 8  # labels of a column that are kept with their counts
KEPT = 100  # different values up to which all of them are kept
_NUMBER = re.compile(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Column:
    """The labels of a column with their rows, most frequent first: all of them, unless they are too many."""

    by_label: dict[str, int]
    distinct: int
    missing: int
    rows: int
    repeated: int
    first: tuple[str, ...]
    numeric: bool  # whether a label is a number

    def few(self) -> Column:
        """The same with the most frequent labels only, unless there are not many."""
        return self if self.distinct <= KEPT else replace(self, by_label=dict(islice(self.by_label.items(), MOST)))


Keep = Callable[[str, Column], bool]


def count_columns(
    table: Table, columns: Sequence[str], keep: Keep | None = None
) -> tuple[dict[str, Column], dict[str, str]]:
    """Every column that can be counted, and why the others cannot.

    All labels of a column are kept if `keep` says so, or always where it is not given.
    """
    counts: dict[str, Column] = {}
    problems: dict[str, str] = {}
    for part in parts(table, columns, problems):
        for name in part.columns:
            try:
                column = _counted(part, name, whole=keep is None)
            except DataError as error:
                problems[name] = told(error, table, name)
                continue
            counts[name] = column if keep is None or keep(name, column) else column.few()
    return counts, problems


def sizes(table: Table, column: str) -> tuple[int, int]:
    """How many rows there are, and how many different values in this column."""
    if isinstance(table.frame, Mapping):
        values = table.frame[column]
        try:
            return len(values), len(set(values.tolist() if hasattr(values, "tolist") else values))
        except TypeError:
            return len(values), 0
    from assay.sources import numerous

    return numerous.sizes(table, column)


def _counted(table: Table, column: str, *, whole: bool) -> Column:
    if not isinstance(table.frame, Mapping):
        rows, distinct = sizes(table, column)
        if distinct > MANY and not whole:
            return _summarized(table, column, rows)
    texts, counts = count_rows(table, [column])
    # Stable, so that labels with equally many rows stay in the order of labels.
    order = np.argsort(-counts, kind="stable")
    labels = dict(zip(texts[column][order].tolist(), counts[order].tolist(), strict=True))
    missing = labels.pop(None, 0)
    twice = [label for label, rows in labels.items() if rows > 1]
    first = tuple(sorted(twice, key=lambda label: (len(label), label))[:FIRST])
    numeric = any(map(_NUMBER.fullmatch, labels))
    return Column(labels, len(labels), missing, int(counts.sum()), len(twice), first, numeric)


def _summarized(table: Table, column: str, rows: int) -> Column:
    from assay.sources.numerous import summarized

    labels, facts = summarized(table, column, MOST)
    return Column(labels, rows=rows, numeric=any(map(_NUMBER.fullmatch, labels)), **facts)
