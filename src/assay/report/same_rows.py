"""Whether the rows that judge a threshold are rows that chose it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, listed, plural
from assay.sources.columns import ALIASES, find
from assay.sources.frames import count_rows
from assay.tally.scored import Scored

DISTINCT = 20  # scores; with fewer, different rows are often alike
FIX = "Judge a threshold on rows that it was not chosen on, or leave out --check and read the result as flattered."


def refuse_same_data(dev: Any, check: Any) -> None:
    """Stop where both are one file, or one object."""
    named = [isinstance(data, str | os.PathLike) for data in (dev, check)]
    if all(named):
        a, b = Path(dev), Path(check)
        same = str(dev) == str(check) or (a.exists() and b.exists() and a.samefile(b))
    else:
        same = dev is check
    if same:
        raise OptionError(f"the rows to choose on and the rows to check on are the same (--check). {FIX}")


Columns = tuple[str, str]  # of the labels and of the scores


def shared_ids(dev: Any, check: Any, id: str | None, columns: tuple[Columns, Columns]) -> list[str]:
    """Stop where rows are in both tables by their ids; a note where ids are shared by rows that differ.

    `columns` are those of the labels and the scores of each: ids that nobody named may be mere row numbers, which two
    files share without sharing rows.
    """
    here, there = _id_column(dev, id), _id_column(check, id)
    if here is None or there is None:
        return []
    both = sorted(_ids(dev, here) & _ids(check, there))
    if not both:
        return []
    shared = f"{plural(len(both), 'id')} of column '{there}' {'is' if len(both) == 1 else 'are'} in both"
    alike_too = {str(row[0]) for row in _rows(dev, here, columns[0]) & _rows(check, there, columns[1])}
    if id is not None or alike_too == set(both):
        raise DataError(f"{shared} {dev.name} and {check.name} (first: {listed(both[:3])}). {FIX}")
    return [
        f"{shared} files, {len(alike_too):,} of them with the same score and label; they were taken for row numbers, "
        "and --id names them as ids"
    ]


def _id_column(table: Any, given: str | None) -> str | None:
    if given is not None:
        return find("id", table.columns, given, source=table.name)
    usual = [column for column in table.columns if column.strip().lower() in ALIASES["id"]]
    return usual[0] if len(usual) == 1 else None


def _ids(table: Any, column: str) -> set[str]:
    texts, _ = count_rows(table, [column])
    return {str(text) for text in texts[column] if text is not None}


def _rows(table: Any, id: str, columns: Columns) -> set[tuple[Any, ...]]:
    """Every row's id, label and score."""
    texts, _ = count_rows(table, [id, *columns])
    return set(zip(*(texts[column].tolist() for column in (id, *columns)), strict=True))


def alike(dev: Scored, check: Scored) -> list[str]:
    """Stop where both have the same scores and labels throughout; a note where one has those of the other.

    Few distinct scores are shared by chance, so then it is only said.
    """
    a, b = dev.collected(), check.collected()
    if not np.isin(_units(b), _units(a)).all():
        return []
    many = len(b.scores) >= DISTINCT
    same = np.array_equal(_units(a), _units(b)) and np.array_equal(a.counts, b.counts)
    if same and many:
        raise DataError(f"the rows to check on have the same scores and labels as the rows to choose on. {FIX}")
    if same or many:
        return [
            "every score and label of the rows to check on also occurs among those to choose on: if they are the same "
            "rows, the values are flattered"
        ]
    return []


def _units(tally: Scored) -> Any:
    """The distinct pairs of score and label, as values that can be compared."""
    return tally.keys["score"].astype(np.complex128) + 1j * tally.keys["positive"]


def shared_clusters(dev: Scored, check: Scored) -> list[str]:
    """A note where clusters have rows on both sides."""
    if dev.clusters is None or check.clusters is None:
        return []
    both = sorted(set(dev.clusters.names) & set(check.clusters.names))
    if not both:
        return []
    return [
        f"{plural(len(both), 'cluster')} {'has' if len(both) == 1 else 'have'} rows on both sides "
        f"(first: {listed(both[:3])}): rows of one cluster are alike, so the check flatters"
    ]
