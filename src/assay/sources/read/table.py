"""The one form in which rows reach the tallies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.errors import DataError
from assay.sources.read.limits import check_names

if TYPE_CHECKING:
    import narwhals as nw
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


@dataclass(frozen=True)
class Scan:
    """The names of some columns, and how a connection can scan them as c0, c1 and so on."""

    columns: tuple[str, ...]
    on: Callable[[DuckDBPyConnection], DuckDBPyRelation]


@dataclass(frozen=True)
class Table:
    """Rows in their own engine, the names of their columns, and the name of the table in messages.

    The columns of the frame are called c0, c1, …: a name may be empty, a pattern to Polars ('*'), or SQL. A table
    that was read from files says how another connection can scan them, so that several can be joined there.
    """

    frame: nw.LazyFrame[Any] | nw.DataFrame[Any] | Mapping[str, Any]
    columns: tuple[str, ...]
    name: str
    scan: Scan | None = field(default=None, compare=False, repr=False)


def renamed(table: Table, columns: Sequence[str]) -> Table:
    """Some columns of a frame as a table of their own."""
    import narwhals as nw

    assert not isinstance(table.frame, Mapping)
    places = {column: at for at, column in enumerate(table.columns)}
    some = table.frame.select([nw.col(f"c{places[column]}").alias(f"c{at}") for at, column in enumerate(columns)])
    return Table(some, tuple(columns), table.name)


def table_of_native(native: Any, name: str) -> Table:
    """The table of a frame that narwhals knows; TypeError if it does not know this one."""
    import narwhals as nw

    try:
        frame: nw.LazyFrame[Any] | nw.DataFrame[Any] = nw.from_native(native)
        columns = tuple(frame.collect_schema().names())
    except nw.exceptions.DuplicateError:
        raise DataError(f"{name} has columns with the same name; rename all but one.") from None
    sql = frame.implementation.is_duckdb()
    # DuckDB would silently take the first of 'gold' and 'Gold' for both.
    check_names(columns, name, ignore_case=sql)
    if sql:
        # narwhals leaves names to DuckDB, which would read them as expressions.
        quoted = ('"{}"'.format(column.replace('"', '""')) for column in columns)
        projection = ", ".join(f"{column} AS c{at}" for at, column in enumerate(quoted))
        return Table(nw.from_native(frame.to_native().project(projection)), columns, name)
    return Table(frame.rename({column: f"c{at}" for at, column in enumerate(columns)}), columns, name)
