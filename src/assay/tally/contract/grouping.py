"""Rows that are equal, and rows of which each stands for itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Ints

FEW_ROWS = 4096  # are sorted by all columns at once


def once_each(n: int) -> Ints:
    """A count of 1 for each of n units, which takes no memory and cannot be written to."""
    return np.broadcast_to(np.int64(1), n)


def all_once(counts: NDArray[Any]) -> bool:
    """Whether these are such counts."""
    return counts.strides == (0,) and bool((counts[:1] == 1).all())


def group_rows(columns: list[NDArray[Any]]) -> tuple[Ints, Ints]:
    """An order that puts equal rows together, and the number of its group for each row in that order.

    Groups are in the order of the columns.
    """
    n = len(columns[0])
    if n < FEW_ROWS or len(columns) < 3:
        order = np.lexsort(columns[::-1])
        new = np.zeros(n, bool)
        for column in columns:
            ranked = column[order]
            new[1:] |= ranked[1:] != ranked[:-1]
        return order.astype(np.int64, copy=False), np.cumsum(new)
    return _group_many(columns)


def _group_many(columns: list[NDArray[Any]]) -> tuple[Ints, Ints]:
    """The same, where each column is only looked at where the ones before leave rows equal."""
    n = len(columns[0])
    order, new = np.arange(n), np.zeros(n + 1, bool)
    new[[0, n]] = True
    alike = np.arange(n)  # the places of rows that are equal so far to the one before or after
    for column in columns:
        rows, group = order[alike], np.cumsum(new[:-1])[alike]
        by_value = np.argsort(column[rows])
        number = group[by_value] - group[0]
        if group[-1] - group[0] < 1 << 16:
            number = number.astype(np.uint16)  # which are sorted without comparisons
        order[alike] = rows[by_value[np.argsort(number, kind="stable")]]
        ranked = column[order[alike]]
        new[alike[1:]] |= ranked[1:] != ranked[:-1]
        alike = np.flatnonzero(~(new[:-1] & new[1:]))
        if not len(alike):
            break
    return order, np.cumsum(new[:-1]) - 1
