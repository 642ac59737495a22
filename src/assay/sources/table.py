"""The one shape in which rows reach the tallies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import DataError
from assay.sources.columns import check_names

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True)
class Table:
    """Rows where they live, the names of their columns, and what messages call them."""

    frame: nw.LazyFrame[Any] | nw.DataFrame[Any] | Mapping[str, Any]
    columns: tuple[str, ...]
    name: str


def table_of_native(native: Any, name: str) -> Table:
    """The table of a frame that narwhals knows; TypeError if it does not know this one."""
    import narwhals as nw

    try:
        frame: nw.LazyFrame[Any] | nw.DataFrame[Any] = nw.from_native(native)
        columns = tuple(frame.collect_schema().names())
    except nw.exceptions.DuplicateError:
        raise DataError(f"{name} has columns with the same name; rename all but one") from None
    sql = frame.implementation.is_duckdb()
    # DuckDB would silently take the first of 'gold' and 'Gold' for both, and the first column for '*'.
    check_names(columns, name, ignore_case=sql)
    if sql and "*" in columns:
        raise DataError(f"{name} has a column called '*', which DuckDB takes for every column; rename it")
    return Table(frame, columns, name)
