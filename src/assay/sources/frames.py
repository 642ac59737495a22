"""Any table, counted by its own engine."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, DataError, OptionError, a_type, choose, plural, written
from assay.sources.arrays import Coded, Counts, encode_apart, joint_counts
from assay.sources.given import array_of, as_number, check_length, one_dimensional
from assay.sources.read.database import plainly
from assay.sources.read.files import read
from assay.sources.read.limits import check_names
from assay.sources.read.table import Table, table_of_native

if TYPE_CHECKING:
    import narwhals as nw


def table_of(data: Any) -> Table:
    """The table in a file, a mapping of columns, or any frame that narwhals knows."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | os.PathLike):
        return read(data)
    if isinstance(data, Mapping):
        check_names(tuple(data), "data")
        return Table(data, tuple(data), "data")
    try:
        return table_of_native(data, "data")
    except TypeError:
        raise DataError(
            f"data is {a_type(data)}; give the name of a file, a mapping of columns, "
            "or a frame (Polars, pandas, PyArrow, DuckDB)."
        ) from None


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A data frame of these columns: in the named library, or the first installed of Polars, pandas and PyArrow."""
    import narwhals as nw

    known = ("polars", "pandas", "pyarrow")
    backends: tuple[Any, ...] = (choose(backend, known, "backend"),) if backend else known
    for name in backends:
        try:
            return nw.from_dict(columns, backend=name).to_native()
        except ModuleNotFoundError:
            continue
    missing = f"{backend} is not installed" if backend else "polars, pandas and pyarrow are all missing"
    raise OptionError(f"{missing}; install one of polars, pandas and pyarrow, or use .rows or .to_dict().")


def count_rows(
    table: Table, columns: Sequence[str], *, labels: Sequence[str] | None = None
) -> tuple[dict[str, NDArray[np.object_]], Counts]:
    """The distinct combinations of text in these columns and how many rows have each; None is a missing value.

    `labels` are the columns whose labels are compared with each other (all of them, if not given): if one of them
    has numbers, the truth values of the others are written 0 and 1.
    """
    coded, _, counts = scan_rows(table, columns, labels=labels)
    return {column: each.texts for column, each in coded.items()}, counts


def scan_rows(
    table: Table, columns: Sequence[str], *, labels: Sequence[str] | None = None, numbers: Sequence[str] = ()
) -> tuple[dict[str, Coded], dict[str, Numbers], Counts]:
    """Rows as codes of text and as numbers, and how many rows of the table each stands for.

    Without numbers every combination of text occurs once. With numbers there are about as many as in the table, and
    duplicates are not merged.
    """
    columns, numbers = tuple(dict.fromkeys(columns)), tuple(dict.fromkeys(numbers))
    compared = [column for column in columns if labels is None or column in labels]
    values, repeats = _distinct_rows(table, tuple(dict.fromkeys([*columns, *numbers])))
    every = encode_apart([values[column] for column in compared], compared, classes=labels is not None)
    coded = dict(zip(compared, every, strict=True))
    for column in columns:
        if column not in coded:
            beside = (compared[0], len(every[0].codes)) if every else None
            coded[column] = encode_apart([values[column]], [column], beside=beside)[0]
    if numbers:
        given = {column: one_dimensional(values[column], column, "score") for column in numbers}
        found = {column: as_numbers(each, column, table) for column, each in given.items()}
        rows = len(coded[columns[0]].codes)
        for column, each in found.items():
            if each.ndim != 1:
                raise DataError(f"{column} has {each.ndim} dimensions; expected one score for each item.")
            check_length(len(each), rows, column, columns[0])
        return coded, found, np.ones(rows, np.int64) if repeats is None else repeats
    keys, counts = joint_counts(
        [coded[column].codes + 1 for column in columns],
        [len(coded[column].labels) + 1 for column in columns],
        repeats,
    )
    return (
        {column: replace(coded[column], codes=key - 1) for column, key in zip(columns, keys, strict=True)},
        {},
        counts,
    )


def raw_column(table: Table, column: str) -> Any:
    """A column's values in the order of the rows."""
    return raw_columns(table, [column])[column]


def raw_columns(table: Table, columns: Sequence[str]) -> dict[str, Any]:
    """The values of several columns, read at once, so that the values of one row share an index."""
    if isinstance(table.frame, Mapping):
        return {column: table.frame[column] for column in columns}
    place = {column: f"c{table.columns.index(column)}" for column in dict.fromkeys(columns)}
    schema = table.frame.collect_schema()
    values = fetched(table.frame.select([countable(table.frame, *each, schema) for each in place.items()]), table)
    return {column: values[at] for column, at in place.items()}


def _distinct_rows(table: Table, columns: Sequence[str]) -> tuple[Mapping[str, Any], Counts | None]:
    """Values of these columns, and how many rows each row of them stands for (None: just one)."""
    if isinstance(table.frame, Mapping):
        return table.frame, None
    import narwhals as nw

    place = {column: f"c{table.columns.index(column)}" for column in columns}
    with in_words(table):
        schema = table.frame.collect_schema()
        rows = table.frame.select([countable(table.frame, column, place[column], schema) for column in columns])
        if any(isinstance(kind, nw.Object) for kind in rows.collect_schema().values()):
            # Such a column may hold anything, and engines cannot group what has no hash.
            values = fetched(rows, table)
            return {column: values[place[column]] for column in columns}, None
        rows = rows.group_by([place[column] for column in columns]).agg(nw.len().alias("rows"))
    values = fetched(rows, table)
    repeats = np.asarray(values["rows"], dtype=np.int64)
    return {column: values[place[column]] for column in columns}, repeats


def countable(
    frame: nw.LazyFrame[Any] | nw.DataFrame[Any],
    column: str,
    place: str,
    schema: Mapping[str, nw.dtypes.DType] | None = None,
) -> nw.Expr:
    """The column at this place, in a type whose values come back unchanged.

    Engines format 1e-7, true and 1.0 differently, so numbers and truth values become text only afterwards.
    """
    import narwhals as nw

    dtype = (schema or frame.collect_schema())[place]  # slow for thousands of columns
    if dtype.is_nested():
        raise DataError(f"{column} holds {dtype}; labels are text, numbers or truth values.")
    # DuckDB hands wide numbers over as floats, and categories only to pandas, whose own may be numbers.
    wide = isinstance(dtype, nw.Int128 | nw.UInt128 | nw.Decimal)
    number = dtype.is_numeric() and not wide
    word = isinstance(dtype, nw.String | nw.Boolean | nw.Binary | nw.Object)
    category = isinstance(dtype, nw.Categorical | nw.Enum) and frame.implementation.is_pandas_like()
    return nw.col(place) if number or word or category else nw.col(place).cast(nw.String)


def fetched(rows: nw.LazyFrame[Any] | nw.DataFrame[Any], table: Table) -> Mapping[str, Any]:
    """The columns of a small frame as arrays or lists."""
    if rows.implementation.is_duckdb():
        with plainly(table.name, file=table.scan is not None):
            arrays: Mapping[str, Any] = rows.to_native().fetchnumpy()
        return {column: _hashable(array) for column, array in arrays.items()}
    import narwhals as nw

    with in_words(table):
        collected = rows.collect() if isinstance(rows, nw.LazyFrame) else rows
        return {column: collected[column].to_list() for column in collected.columns}


@contextmanager
def in_words(table: Table) -> Iterator[None]:
    """Turn errors of a frame's library into one sentence."""
    try:
        yield
    except (AssayError, MemoryError):
        raise
    except Exception as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"{table.name} cannot be read: {first}") from error


def _hashable(array: Any) -> Any:
    """The array itself, or a list of bytes if DuckDB returned bytearrays."""
    if array.dtype.kind == "O" and bytearray in set(map(type, array.tolist())):
        return [bytes(value) if isinstance(value, bytearray) else value for value in array]
    return array


Numbers = NDArray[np.float64]


def as_numbers(values: Any, column: str, table: Table) -> Numbers:
    """The values as finite numbers, nan where missing; an error counts those that are not numbers and shows the first.

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
        found[~lost] = [as_number(value) for value in objects[~lost]]
    return found, ~np.isfinite(found) & ~lost


def is_missing(value: object) -> bool:
    """Whether a value is missing: libraries write that in different ways."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    )


def _has_no_null(table: Table) -> bool:
    """Whether these rows use nan for a missing value."""
    return isinstance(table.frame, Mapping) or table.frame.implementation.is_pandas_like()


def _complaint(column: str, table: Table) -> str:
    """A message with how many values are not numbers, and the first of them with its row."""
    values = raw_column(table, column)
    bad = np.flatnonzero(_parsed(values, nan_is_missing=_has_no_null(table))[1])
    first = values[int(bad[0])]
    first = first.item() if isinstance(first, np.generic) else first
    shown = repr(first) if isinstance(first, str) else f"{first}"
    return (
        f"{table.name}: column '{column}' has {plural(len(bad), 'value')} that {'is' if len(bad) == 1 else 'are'} not "
        f"a finite number (first: {shown} in row {int(bad[0]) + 1}); scores are numbers such as 0.25. Predicted labels "
        f"have no threshold and no curve; {written('assay evaluate', 'assay.evaluate')} takes their column as "
        f"{written('--pred', 'pred=')}."
    )
