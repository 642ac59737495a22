"""Parquet, Arrow and Feather files, which keep their types until the values are written as labels."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import DataError, listed
from assay.sources.read.database import complaint, identifier, literally, plainly, quoted
from assay.sources.read.limits import check_names, refuse_many
from assay.sources.read.shard import Shard
from assay.sources.read.table import Scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


def scan_parquet(shards: Sequence[Shard], connection: DuckDBPyConnection) -> Scan:
    """The rows of these files, whose columns may be in any order but must have the same names and types."""
    first, theirs, raw = _schema(shards[0], connection)
    for shard in shards[1:]:
        refuse_other_columns(shards[0].name, first, shard.name, _schema(shard, connection)[0])

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        shown = (_refused(column, shards[0]) if column in raw else identifier(column) for column in theirs)
        renamed = ", ".join(f"{value} AS c{at}" for at, value in enumerate(shown))
        files = literally(shards, connection)
        return connection.sql(
            f"SELECT {renamed} FROM read_parquet({files}, binary_as_string=true, hive_partitioning=false, "
            "union_by_name=true)"
        )

    return Scan(tuple(first), on)


def refuse_other_columns(first: str, wanted: dict[str, str], other: str, found: dict[str, str]) -> None:
    """Refuse files whose columns differ in name or type from those of the first."""
    needed = "files that match a pattern need the same columns"
    if set(wanted) != set(found):
        raise DataError(f"{other} has the columns {listed(found)} where {first} has {listed(wanted)}; {needed}.")
    for column, type_ in wanted.items():
        if found[column] != type_:
            # Reading both as the type of the first would turn '01' into 1.
            raise DataError(
                f"column '{column}' is {found[column]} in {other} and {type_} in {first}; {needed} and types."
            )


def _refused(column: str, shard: Shard) -> str:
    """SQL for a column whose bytes have no known meaning: it stops the query if the column is used."""
    wrong = quoted(
        f"{shard.name}: column '{column}' holds bytes of a fixed length, as Polars writes 128-bit integers; "
        "write it as text or as 64-bit integers."
    )
    # The value is in the message only to keep DuckDB from evaluating it before there is a row.
    name = identifier(column)
    return f"CASE WHEN {name} IS NOT NULL THEN {complaint(f'{wrong} || left({name}, 0)')} END"


def _schema(shard: Shard, connection: DuckDBPyConnection) -> tuple[dict[str, str], list[str], set[str]]:
    """Types by name; DuckDB's names, which differ if a name is repeated or empty; and which columns are raw bytes."""
    file = literally([shard], connection)
    wanted = "SELECT name, num_children, type, coalesce(converted_type, logical_type)"
    with plainly(shard.name, file=True):
        nodes = connection.sql(f"{wanted} FROM parquet_schema({file})").fetchall()
        relation = connection.sql(f"FROM read_parquet({file}, binary_as_string=true, hive_partitioning=false)")
    names = _top_level(nodes)
    refuse_many(names, shard.name)
    check_names(names, shard.name, ignore_case=True)
    raw = {name for name, *_, kind, meaning in nodes if kind == "FIXED_LEN_BYTE_ARRAY" and meaning is None}
    return dict(zip(names, map(str, relation.types), strict=True)), relation.columns, raw


def _top_level(nodes: Sequence[tuple[str, int | None, str | None, str | None]]) -> list[str]:
    """The names of the columns in a schema written depth first, whose first node is the whole."""
    names = []
    left = [1]  # how many nodes are still to come on each level
    for name, children, *_ in nodes:
        while not left[-1]:
            left.pop()
        left[-1] -= 1
        if len(left) == 2:
            names.append(name)
        left.append(children or 0)
    return names


def read_arrow(shards: Sequence[Shard]) -> tuple[Any, Scan]:
    """The PyArrow table in these files, with columns called c0, c1 and so on, mapped into memory rather than loaded."""
    try:
        pyarrow = importlib.import_module("pyarrow")
    except ImportError:
        raise DataError(
            f"{shards[0].name} is an Arrow file; install pyarrow to read it, or save it as Parquet."
        ) from None
    tables = [_opened(pyarrow, shard) for shard in shards]
    first = _types(tables[0])
    for shard, table in zip(shards, tables, strict=True):
        check_names(table.column_names, shard.name, ignore_case=True)
        refuse_other_columns(shards[0].name, first, shard.name, _types(table))
    columns = tuple(first)
    whole = pyarrow.concat_tables([table.select(list(columns)) for table in tables])
    whole = whole.rename_columns([f"c{at}" for at in range(len(columns))])

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        return connection.from_arrow(whole)

    return whole, Scan(columns, on)


def _types(table: Any) -> dict[str, str]:
    return {field.name: str(field.type) for field in table.schema}


def _opened(pyarrow: Any, shard: Shard) -> Any:
    ipc = importlib.import_module("pyarrow.ipc")
    feather = importlib.import_module("pyarrow.feather")
    with shard.open() as file:
        stream = file.read(6) not in (b"ARROW1", b"FEA1")
    try:
        if stream:
            table = ipc.open_stream(pyarrow.memory_map(str(shard.path))).read_all()
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # the first Feather format can still be read
                table = feather.read_table(str(shard.path), memory_map=True)
        # Without this, a damaged file would crash the program.
        table.validate(full=True)
    except pyarrow.lib.ArrowNotImplementedError as error:
        raise DataError(f"{shard.name} cannot be read by PyArrow: {error}; save it as Parquet or CSV.") from None
    except (pyarrow.lib.ArrowException, OSError):
        raise DataError(f"{shard.name} is not a complete Arrow or Feather file; copy or write it again.") from None
    return table
