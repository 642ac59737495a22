"""One file of a table: where it is, what messages call it, and how it is written."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

DELIMITED = (".csv", ".txt", ".tsv")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
TEXT = (*DELIMITED, *JSON_LINES)
SUFFIXES = (*TEXT, *PARQUET, *ARROW)


@dataclass(frozen=True)
class Shard:
    """A file whose format is that of its suffix, one of SUFFIXES."""

    path: Path
    name: str
    suffix: str
    gzipped: bool = False

    def open(self) -> IO[bytes]:
        """The bytes of the file, unpacked."""
        return cast("IO[bytes]", gzip.open(self.path, "rb")) if self.gzipped else self.path.open("rb")

    @property
    def compression(self) -> str:
        """What DuckDB calls it."""
        return "gzip" if self.gzipped else "uncompressed"


@dataclass(frozen=True)
class Scan:
    """The names of some columns, and how a connection comes to see them, where they are called c0, c1 and so on."""

    columns: tuple[str, ...]
    on: Callable[[DuckDBPyConnection], DuckDBPyRelation]
