"""Columns of scores as numbers: parsed by one rule whatever the engine, and what is no number is counted and shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, plural
from assay.sources.given import array_of
from assay.sources.table import Table

Numbers = NDArray[np.float64]


def as_numbers(values: Any, column: str, table: Table) -> Numbers:
    """The values as finite numbers, nan where a value is missing; an error tells how many are no number, and the first.

    Text is read as Python reads it, so that all engines agree.
    """
    found, bad = _parsed(values, nan_is_missing=_has_no_null(table))
    if bad.any():
        raise DataError(_complaint(column, table))
    return found + 0.0  # -0.0 becomes 0.0, so that equal scores are one score


def _parsed(values: Any, *, nan_is_missing: bool) -> tuple[Numbers, NDArray[np.bool_]]:
    """Numbers with nan where they are missing, and which values are neither a finite number nor missing."""
    if isinstance(values, np.ma.MaskedArray):
        lost = np.ma.getmaskarray(values)
        found, bad = _parsed(np.where(lost, 0, values.data), nan_is_missing=False)
        return np.where(lost, np.nan, found), bad & ~lost
    array = array_of(values)
    if array.dtype.kind in "fiub":
        found = array.astype(np.float64)
        nan = np.isnan(found)
        return found, np.isinf(found) | (nan & (not nan_is_missing))
    objects = array.astype(object) if hasattr(values, "dtype") else np.asarray(values, dtype=object)
    lost = np.fromiter((is_missing(value) for value in objects), bool, len(objects))
    found = np.full(len(objects), np.nan)
    try:
        found[~lost] = objects[~lost].astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        found[~lost] = [_number(value) for value in objects[~lost]]
    return found, ~np.isfinite(found) & ~lost


def is_missing(value: object) -> bool:
    """Whether a value stands for none: frames have their own words for that."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    )


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _has_no_null(table: Table) -> bool:
    """Whether nan is how these rows write that a value is missing."""
    return isinstance(table.frame, Mapping) or table.frame.implementation.is_pandas_like()


def _complaint(column: str, table: Table) -> str:
    """How many values are no number, and the first of them with its row."""
    from assay.sources.frames import raw_column

    values = raw_column(table, column)
    bad = np.flatnonzero(_parsed(values, nan_is_missing=_has_no_null(table))[1])
    first = values[int(bad[0])]
    first = first.item() if isinstance(first, np.generic) else first
    shown = repr(first) if isinstance(first, str) else f"{first}"
    return (
        f"{table.name}: column '{column}' has {plural(len(bad), 'value')} that {'is' if len(bad) == 1 else 'are'} not "
        f"a finite number (first: {shown} in row {int(bad[0]) + 1}); scores are numbers such as 0.25."
    )
