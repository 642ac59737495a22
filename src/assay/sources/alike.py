"""Tables of several kinds as tables of one kind, so that they can be brought together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.sources.database import connect
from assay.sources.frames import countable, fetched
from assay.sources.sides import Side
from assay.sources.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def alike(sides: Sequence[Side]) -> list[Side]:
    """The same sides with tables of one kind: lists, relations of one connection, or frames of one library.

    Files are scanned anew by one connection. Only kinds that do not go together are brought into memory.
    """
    tables = [side.table for side in sides]
    if all(isinstance(table.frame, Mapping) for table in tables):
        return list(sides)
    if all(table.scan for table in tables):
        return scanned(sides, connect())
    if _can_meet(tables):
        return _eager_or_lazy(sides)
    return [replace(side, table=_in_memory(side.table)) for side in sides]


def scanned(sides: Sequence[Side], connection: DuckDBPyConnection) -> list[Side]:
    """The same sides as relations of this connection."""
    import narwhals as nw

    def here(table: Table) -> Table:
        assert table.scan is not None
        return replace(table, frame=nw.from_native(table.scan.on(connection)))

    return [replace(side, table=here(side.table)) for side in sides]


def _can_meet(tables: Sequence[Table]) -> bool:
    """Whether these are frames of one library, and relations of one connection."""
    import duckdb

    frames = [table.frame for table in tables if not isinstance(table.frame, Mapping)]
    if len(frames) < len(tables) or len({frame.implementation for frame in frames}) > 1:
        return False
    if not frames[0].implementation.is_duckdb():
        return True
    one, *others = (frame.to_native().project("1 AS one") for frame in frames)
    try:
        for other in others:
            one.union(other)
    except duckdb.InvalidInputException:
        return False
    return True


def _eager_or_lazy(sides: Sequence[Side]) -> list[Side]:
    """All eager, or all lazy if one is."""
    import narwhals as nw

    frames: list[Any] = [side.table.frame for side in sides]
    if not any(isinstance(frame, nw.LazyFrame) for frame in frames):
        return list(sides)
    return [
        replace(side, table=replace(side.table, frame=frame.lazy())) for side, frame in zip(sides, frames, strict=True)
    ]


def _in_memory(table: Table) -> Table:
    if isinstance(table.frame, Mapping):
        return table
    places = {column: f"c{at}" for at, column in enumerate(table.columns)}
    rows = table.frame.select([countable(table.frame, column, place) for column, place in places.items()])
    values = fetched(rows, table)
    return Table({column: values[place] for column, place in places.items()}, table.columns, table.name)
