"""The one shape in which rows reach the tallies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.sources.columns import refuse_duplicates

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

    frame: nw.LazyFrame[Any] | nw.DataFrame[Any] = nw.from_native(native)
    columns = tuple(frame.collect_schema().names())
    # SQL does not tell 'gold' from 'Gold' and would silently count the first of them.
    refuse_duplicates(columns, name, ignore_case=frame.implementation.is_duckdb())
    return Table(frame, columns, name)
