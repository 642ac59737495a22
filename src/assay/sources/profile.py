"""Every column of a table counted by itself: all its labels with their rows, or a few and how many there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from assay.errors import DataError
from assay.sources.arrays import order_labels
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
    found = _texts(table.frame[column]) if isinstance(table.frame, Mapping) else None
    if found is None:
        texts, counts = count_rows(table, [column])
        found = dict(zip(texts[column].tolist(), counts.tolist(), strict=True))
    rows = sum(found.values())
    missing = found.pop(None, 0)
    # Stable, so that labels with equally many rows stay in the order of labels.
    labels = dict(sorted(((label, found[label]) for label in order_labels(found)), key=lambda item: -item[1]))
    twice = [label for label, times in labels.items() if times > 1]
    first = tuple(sorted(twice, key=lambda label: (len(label), label))[:FIRST])
    numeric = any(map(_NUMBER.fullmatch, labels))
    return Column(labels, len(labels), missing, rows, len(twice), first, numeric)


def _texts(values: Any) -> dict[Any, int] | None:
    """How often each value occurs if all are text or missing, which is counted faster than labels of every kind."""
    every = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(every, list) or not {str, type(None)}.issuperset(map(type, every)):
        return None
    found = Counter(every)
    try:
        "".join(filter(None, found)).encode()
    except UnicodeEncodeError:  # half a surrogate pair, which is refused elsewhere
        return None
    return dict(found)


def _summarized(table: Table, column: str, rows: int) -> Column:
    from assay.sources.numerous import summarized

    labels, facts = summarized(table, column, MOST)
    return Column(labels, rows=rows, numeric=any(map(_NUMBER.fullmatch, labels)), **facts)
