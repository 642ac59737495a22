"""Any table, counted where it lives."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, DataError, OptionError, choose
from assay.sources.arrays import Coded, Counts, encode_apart, joint_counts
from assay.sources.columns import check_names
from assay.sources.database import plainly
from assay.sources.files import read
from assay.sources.numbers import Numbers, as_numbers
from assay.sources.table import Table, table_of_native

if TYPE_CHECKING:
    import narwhals as nw

__all__ = [
    "Table",
    "count_missing",
    "count_rows",
    "countable",
    "fetched",
    "frame_of",
    "raw_column",
    "scan_rows",
    "table_of",
]


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
            f"data is a '{type(data).__name__}'; give the name of a file, a mapping of columns, "
            "or a frame (Polars, pandas, PyArrow, DuckDB)"
        ) from None


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A data frame of these columns: Polars, pandas or PyArrow, whichever is named or installed first."""
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
    equal ones are not looked for.
    """
    columns, numbers = tuple(dict.fromkeys(columns)), tuple(dict.fromkeys(numbers))
    compared = [column for column in columns if labels is None or column in labels]
    values, repeats = _distinct_rows(table, tuple(dict.fromkeys([*columns, *numbers])))
    coded = dict(zip(compared, encode_apart([values[column] for column in compared], compared), strict=True))
    for column in columns:
        if column not in coded:
            coded[column] = encode_apart([values[column]], [column])[0]
    if numbers:
        found = {column: as_numbers(values[column], column, table) for column in numbers}
        rows = len(coded[columns[0]].codes)
        for column, each in found.items():
            if len(each) != rows:
                raise DataError(
                    f"{column} has {len(each)} values and {columns[0]} has {rows}; both need one for each item"
                )
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
    if isinstance(table.frame, Mapping):
        return table.frame[column]
    place = f"c{table.columns.index(column)}"
    return fetched(table.frame.select(countable(table.frame, column, place)), table)[place]


def count_missing(table: Table, column: str) -> int:
    """How many rows have no value in this column."""
    texts, counts = count_rows(table, [column])
    return int(counts[[text is None for text in texts[column]]].sum())


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
            # Anything at all may be in there, and engines cannot group what has no hash.
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

    Engines write 1e-7, true and 1.0 differently, so numbers and truth values become text only afterwards.
    """
    import narwhals as nw

    dtype = (schema or frame.collect_schema())[place]  # which takes long for thousands of columns
    if dtype.is_nested():
        raise DataError(f"{column} holds {dtype}; labels are text, numbers or truth values")
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
    """What the library of a frame cannot do, such as writing a map as text, as one sentence."""
    try:
        yield
    except (AssayError, MemoryError):
        raise
    except Exception as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"{table.name} cannot be read: {first}") from error


def _hashable(array: Any) -> Any:
    """The array itself, or a list of bytes where DuckDB gives them as bytearrays."""
    if array.dtype.kind == "O" and bytearray in set(map(type, array.tolist())):
        return [bytes(value) if isinstance(value, bytearray) else value for value in array]
    return array
