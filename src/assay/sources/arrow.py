"""Arrow and Feather files, which only PyArrow can read."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import DataError
from assay.sources.columns import check_names
from assay.sources.parquet import refuse_other_columns
from assay.sources.shard import Scan, Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


def read_arrow(shards: Sequence[Shard]) -> tuple[Any, Scan]:
    """The PyArrow table in these files, with columns called c0, c1 and so on, mapped into memory rather than loaded."""
    try:
        pyarrow = importlib.import_module("pyarrow")
    except ImportError:
        raise DataError(
            f"{shards[0].name} is an Arrow file; install pyarrow to read it, or save it as Parquet"
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
                warnings.simplefilter("ignore", DeprecationWarning)  # the first Feather format still reads
                table = feather.read_table(str(shard.path), memory_map=True)
        # Without this a damaged file ends the program, not just the reading.
        table.validate(full=True)
    except pyarrow.lib.ArrowNotImplementedError as error:
        raise DataError(f"{shard.name} cannot be read by PyArrow: {error}; save it as Parquet or as CSV") from None
    except (pyarrow.lib.ArrowException, OSError):
        raise DataError(f"{shard.name} is not a whole Arrow or Feather file; copy or write it again") from None
    return table
