"""Counting where the table lives: one group-by, then everything is small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.sources.arrays import order_labels
from assay.sources.frames import Table, count_rows
from assay.tally.confusion import Confusion
from assay.tally.sampling import Ints


def count_predictions(
    table: Table,
    *,
    gold: str,
    preds: Mapping[str, str],
    labels: Sequence[object] | None = None,
    positive: object | None = None,
    cluster: str | None = None,
) -> dict[str, Confusion]:
    """One confusion tally per system, over the labels of all of them, from a single scan of the table."""
    wanted = list(dict.fromkeys([gold, *preds.values(), *([cluster] if cluster else [])]))
    columns, counts = count_rows(table, wanted, labels=[gold, *preds.values()])
    if not counts.sum():
        raise DataError(f"{table.name} has no rows: there is nothing to evaluate.")
    for name in wanted:
        _refuse_missing(table.name, name, columns[name], counts)
    if labels is None:
        labels = order_labels({str(v) for name in (gold, *preds.values()) for v in columns[name]})
    return {
        system: Confusion.from_columns(
            columns, counts, gold=gold, pred=column, labels=labels, positive=positive, cluster=cluster
        )
        for system, column in preds.items()
    }


def _refuse_missing(source: str, column: str, values: NDArray[np.object_], counts: Ints) -> None:
    missing = int(counts[np.array([v is None for v in values], bool)].sum())
    if missing:
        raise DataError(
            f"{source}: {missing:,} of {int(counts.sum()):,} rows have nothing in column '{column}'. "
            "A missing label is not a class: fill these rows in, or leave them out."
        )
