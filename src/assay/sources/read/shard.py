"""One file, compressed or not, and the extensions of files that can be read."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from assay.errors import DataError
from assay.sources.read.limits import LONGEST, too_long

BLOCK = 1 << 22  # bytes that are read at once
PARQUET_MAGIC, ARROW_MAGIC = b"PAR1", (b"ARROW1", b"FEA1")
DELIMITED = (".csv", ".txt", ".tsv")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
TEXT = (*DELIMITED, *JSON_LINES)
SUFFIXES = (*TEXT, *PARQUET, *ARROW)


@contextmanager
def whole_gzip(name: str) -> Iterator[None]:
    """Turn what Python raises for an incomplete gzip file into a sentence with the file's name."""
    try:
        yield
    except EOFError:
        raise DataError(f"{name} is a truncated gzip file; copy or write it again.") from None
    except (zlib.error, gzip.BadGzipFile):
        raise DataError(f"{name} is a damaged gzip file; copy or write it again.") from None


@dataclass(frozen=True)
class Shard:
    """A file whose format is that of its suffix, one of SUFFIXES."""

    path: Path
    name: str
    suffix: str
    gzipped: bool = False
    kept: object = field(default=None, compare=False, repr=False)  # keeps a temporary file for as long as it is needed

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The bytes of the file, decompressed; an incomplete gzip file is an error once the fault is reached."""
        with whole_gzip(self.name), gzip.open(self.path, "rb") if self.gzipped else self.path.open("rb") as file:
            yield cast("IO[bytes]", file)

    def first_line(self, longest: int = LONGEST) -> bytes:
        """The bytes before the first line break, or an error if it comes too late."""
        with self.open() as file:
            line = file.readline(longest + 1)
        first = re.split(rb"[\r\n]", line, maxsplit=1)[0]
        if len(first) > longest:
            raise DataError(f"{self.name}, line 1 {too_long(longest)}.")
        return first

    def unpack(self) -> None:
        """Read all of a gzip file to check it: DuckDB takes a truncated one as complete."""
        if self.gzipped:
            with self.open() as file:
                while file.read(BLOCK):
                    pass

    @property
    def compression(self) -> str:
        """What DuckDB calls it."""
        return "gzip" if self.gzipped else "uncompressed"
