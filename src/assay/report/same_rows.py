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


def shared_ids(dev: Any, check: Any, id: str | None, columns: tuple[str, str]) -> list[str]:
    """Stop where rows are in both tables by their ids; a note where ids are shared by rows that differ.

    `columns` are those of the labels and the scores: ids that nobody named may be mere row numbers, which two files
    share without sharing rows.
    """
    names = [_id_column(table, id) for table in (dev, check)]
    if None in names:
        return []
    texts = [count_rows(table, [name])[0][name] for table, name in zip((dev, check), names, strict=True)]
    both = sorted({str(x) for x in texts[0] if x is not None} & {str(x) for x in texts[1] if x is not None})
    if not both:
        return []
    if id is not None or _same_content(dev, check, names, columns) == set(both):
        raise DataError(
            f"{plural(len(both), 'id')} of column '{names[1]}' {'is' if len(both) == 1 else 'are'} in both "
            f"{dev.name} and {check.name} (first: {listed(both[:3])}). {FIX}"
        )
    return [
        f"{plural(len(both), 'id')} of column '{names[1]}' {'is' if len(both) == 1 else 'are'} in both files, with other "
        "scores or labels: they were taken for row numbers; --id names them as ids"
    ]


def _id_column(table: Any, given: str | None) -> str | None:
    if given is not None:
        return find("id", table.columns, given, source=table.name)
    usual = [column for column in table.columns if column.strip().lower() in ALIASES["id"]]
    return usual[0] if len(usual) == 1 else None


def _same_content(dev: Any, check: Any, names: list[Any], columns: tuple[str, str]) -> set[str]:
    """The ids whose rows have the same label and score in both tables."""
    seen = []
    for table, name in zip((dev, check), names, strict=True):
        texts, _ = count_rows(table, [name, *columns])
        seen.append(set(zip(*(texts[column].tolist() for column in (name, *columns)), strict=True)))
    return {str(row[0]) for row in seen[0] & seen[1]}


def alike(dev: Scored, check: Scored) -> list[str]:
    """Stop where the scores and labels of both are the same throughout; a note where those of one are among the other's.

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
