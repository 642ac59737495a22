"""Streams that can be read only once, kept in a temporary file that is removed however the program ends."""

from __future__ import annotations

import atexit
import gzip
import io
import os
import re
import select
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, cast

from assay.errors import DataError, OptionError
from assay.sources.read.database import HELD, TEMPORARY
from assay.sources.read.limits import LONGEST, too_long
from assay.sources.read.shard import ARROW_MAGIC, BLOCK, PARQUET_MAGIC, whole_gzip

GZIP = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LIMIT = 4 << 30  # bytes of a stream that are kept, unless the user allows more
PATIENCE = 60.0  # seconds to wait for something to write to a named pipe
SPOOL_LIMIT, SPOOL_DIR = "ASSAY_SPOOL_LIMIT", "ASSAY_SPOOL_DIR"  # environment variables
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def standard_input() -> IO[bytes]:
    """The bytes of standard input."""
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise DataError("standard input is closed; name a file instead of '-'.")
    return stream


@contextmanager
def named_pipe(path: Path) -> Iterator[IO[bytes]]:
    """A named pipe, once something writes to it; if nothing does, the wait times out."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    until = time.monotonic() + PATIENCE
    head = b""
    while not waiting.poll(100):
        try:
            head = os.read(handle, 1)
        except BlockingIOError:
            break  # something has opened it, and may take its time
        if head:
            break
        if time.monotonic() > until:
            os.close(handle)
            raise DataError(f"nothing writes to the pipe '{path}'; start the program that fills it first.")
    os.set_blocking(handle, True)
    with os.fdopen(handle, "rb") as pipe:
        yield _begun(head, pipe)


class Kept:
    """A temporary file, readable at `path` for as long as this object lasts."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path = path
        if handle is not None:
            weakref.finalize(self, os.close, handle)


def spooled(stream: IO[bytes], name: str) -> Kept:
    """A file with the rest of the stream, decompressed if it is gzip, and without a byte-order mark."""
    limit, folder = _limit(), os.environ.get(SPOOL_DIR) or tempfile.gettempdir()
    with _unpacked(stream, name) as source, _kept_in(folder, name) as (file, kept):
        head = source.read(len(BYTE_ORDER_MARK))
        block = (b"" if head == BYTE_ORDER_MARK else head) + source.read(BLOCK)
        first, size, ended = b"", 0, block.startswith((PARQUET_MAGIC, *ARROW_MAGIC))
        while block:
            size += len(block)
            if not ended:
                first += block
                ended = _first_line_ends(first, name)
            if size > limit:
                raise DataError(
                    f"{name} is longer than {limit:,} bytes; save it in a file and name that file, or allow more with "
                    f"{SPOOL_LIMIT}, such as {SPOOL_LIMIT}=100G."
                )
            try:
                file.write(block)
            except OSError as error:
                raise DataError(
                    f"{name} cannot be kept in '{folder}': {error.strerror}; name another folder with {SPOOL_DIR}."
                ) from None
            block = source.read(BLOCK)
    return kept


def _limit() -> int:
    given = os.environ.get(SPOOL_LIMIT, "")
    if not given:
        return LIMIT
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", given.strip().upper())
    if found is None:
        raise OptionError(f"{SPOOL_LIMIT} is {given!r}; expected a number of bytes, such as 100G.")
    return int(found[1]) * _UNITS[found[2]]


def _first_line_ends(first: bytes, name: str) -> bool:
    """Whether the first line is complete; one that is not text or too long is refused before all of it is kept."""
    line = re.split(rb"[\r\n]", first.lstrip(), maxsplit=1)
    if len(line[0]) > LONGEST:
        raise DataError(f"{name}, line 1 {too_long(LONGEST)}.")
    if len(line) == 1:
        return False
    try:
        line[0].decode()
    except UnicodeDecodeError:
        raise DataError(f"{name}, line 1 is not UTF-8 text; save it as UTF-8.") from None
    return True


@contextmanager
def _unpacked(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """The bytes of the stream, decompressed if necessary."""
    head = stream.read(len(GZIP))
    source = _begun(head, stream)
    with whole_gzip(name):
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=source)) if head == GZIP else source


class _Begun(io.RawIOBase):
    """A stream whose first bytes were already read."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self.head, self.stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data, self.head = (self.head, b"") if self.head else (self.stream.read(len(buffer)), b"")
        data, self.head = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _begun(head: bytes, stream: IO[bytes]) -> IO[bytes]:
    return io.BufferedReader(_Begun(head, stream), BLOCK)


# ---------------------------------------------------------------------- temporary files
@contextmanager
def _kept_in(folder: str, name: str) -> Iterator[tuple[IO[bytes], Kept]]:
    """A new file, and where it can be read once it is written."""
    try:
        handle, made = tempfile.mkstemp(prefix=TEMPORARY, dir=folder)
    except OSError as error:
        raise DataError(
            f"{name} cannot be kept in '{folder}': {error.strerror}; name another folder with {SPOOL_DIR}."
        ) from None
    path = HELD / str(handle)
    if path.exists():
        # An unlinked file exists as long as it is open, and so vanishes with the program however that ends.
        Path(made).unlink()
        kept, file = Kept(path, handle), os.fdopen(os.dup(handle), "wb")
    else:
        kept, file = Kept(Path(made), None), os.fdopen(handle, "wb")
        _remove_at_exit(kept.path)
    with file:
        try:
            yield file, kept
        except BaseException:
            if kept.path != path:
                kept.path.unlink(missing_ok=True)
            raise


def _remove_at_exit(path: Path) -> None:
    atexit.register(path.unlink, missing_ok=True)
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            sign = getattr(signal, name, None)
            if sign is not None and signal.getsignal(sign) is signal.SIG_DFL:
                signal.signal(sign, _exit)  # by default nothing is cleaned up


def _exit(sign: int, _: FrameType | None) -> None:
    sys.exit(128 + sign)
