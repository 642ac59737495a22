"""Streams that can be read only once, kept in a temporary file until the program ends."""

from __future__ import annotations

import atexit
import gzip
import os
import shutil
import sys
import tempfile
import zlib
from pathlib import Path
from typing import IO

from assay.errors import DataError
from assay.sources.database import TEMPORARY

GZIP = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK = 1 << 20


def standard_input() -> IO[bytes]:
    """The bytes of standard input."""
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise DataError("standard input is closed; name a file instead of '-'")
    return stream


def spooled(stream: IO[bytes], name: str) -> Path:
    """A file of all that is left in the stream, unpacked if it is gzip, and without a byte-order mark."""
    path = _kept(stream)
    if _begins(path, GZIP):
        check_gzip(path, name)
        with gzip.open(path, "rb") as unpacked:
            path = _replaced(path, unpacked)
    if _begins(path, BYTE_ORDER_MARK):
        with path.open("rb") as marked:
            marked.seek(len(BYTE_ORDER_MARK))
            path = _replaced(path, marked)
    return path


def check_gzip(path: Path, name: str) -> None:
    """Nothing, unless the file is not whole: DuckDB takes what is left of a truncated one for all of it."""
    if not _begins(path, GZIP):
        raise DataError(f"{name} is not a gzip file; if it is not compressed, take '.gz' off its name")
    try:
        with gzip.open(path, "rb") as unpacked:
            while unpacked.read(_BLOCK):
                pass
    except EOFError:
        raise DataError(f"{name} ends too early for a gzip file; copy or write it again") from None
    except (zlib.error, gzip.BadGzipFile):
        raise DataError(f"{name} is a damaged gzip file; copy or write it again") from None


def _begins(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _kept(stream: IO[bytes] | gzip.GzipFile) -> Path:
    handle, path = tempfile.mkstemp(prefix=TEMPORARY)
    atexit.register(Path(path).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(stream, file, _BLOCK)
    return Path(path)


def _replaced(old: Path, stream: IO[bytes] | gzip.GzipFile) -> Path:
    path = _kept(stream)
    old.unlink()
    return path
