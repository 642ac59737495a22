"""What was typed, and standard output and error: printed text is safe to show, a closed stream ends in a message."""

from __future__ import annotations

import codecs
import io
import os
import select
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from assay.texts import visible

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


# What a terminal without UTF-8 shows in place of our own signs; lines keep their widths wherever one sign is enough.
PLAIN = dict(
    zip(
        "●◆■▲▼✚○━╸╺─│┿┤┊┐┘−–·…“”\u2018\u2019↓↑▶▸◀◂×²\u00a0",
        "@#%AV&o===-|||:,'--.~\"\"''v^>><<x2 ",
        strict=True,
    )
) | {"≤": "<=", "≥": ">=", "≠": "!=", "±": "+-", "∞": "inf", "½": "1/2", "χ": "chi", "α": "alpha"}


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """The signs that an encoding lacks, in plain letters; a question mark for what is not one of ours."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("assay.plain", _plainly)


class OutputLost(Exception):
    """Standard output cannot be written to, and what was printed is lost."""


def tell(text: str, *, raw: bool = False) -> None:
    """Print a result; unless `raw`, nothing in it can control a terminal or a build server."""
    sys.stdout.write(text if raw else visible(text))


def say(text: str) -> None:
    """Print a line about the work on standard error."""
    print(visible(text), file=sys.stderr)


def prepare() -> None:
    """Set up the two streams; called once, when the program starts."""
    _reserve()
    for name, descriptor, quiet in (("stdout", 1, False), ("stderr", 2, True)):
        stream = getattr(sys, name)
        if stream is None or (isinstance(stream, io.TextIOWrapper) and _descriptor(stream) == descriptor):
            setattr(sys, name, _stream(descriptor, stream, quiet=quiet))


def finish() -> None:
    """Flush both streams, so that an error is raised here and not when the interpreter exits."""
    sys.stdout.flush()
    sys.stderr.flush()


def _reserve() -> None:
    """Keep files opened later from taking the descriptor of a closed stream."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # Writing to standard output still fails; messages on standard error are dropped.
            os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)


def _descriptor(stream: io.TextIOWrapper) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None


def _stream(descriptor: int, old: io.TextIOWrapper | None, *, quiet: bool) -> io.TextIOWrapper:
    """The stream as UTF-8 whatever the locale; a terminal keeps its encoding and shows the rest in plain letters."""
    terminal = old is not None and old.isatty()
    encoding = old.encoding if terminal and old is not None else "utf-8"
    return io.TextIOWrapper(
        io.BufferedWriter(_Outlet(descriptor, quiet=quiet)),
        encoding=encoding,
        errors="assay.plain" if terminal else "backslashreplace",
        line_buffering=terminal or quiet,
    )


class _Outlet(io.RawIOBase):
    """A descriptor that is written to until nobody reads it any more.

    A reader that stops early, as `head` does, is no error: the rest is dropped, and the work goes on. Any other failure
    raises `OutputLost` once, or is ignored if the stream is `quiet`.
    """

    def __init__(self, descriptor: int, *, quiet: bool) -> None:
        self.descriptor, self.quiet, self.gone = descriptor, quiet, False

    def fileno(self) -> int:
        return self.descriptor

    def isatty(self) -> bool:
        return os.isatty(self.descriptor)

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        view = memoryview(data)
        while not self.gone:
            try:
                return os.write(self.descriptor, view)
            except BlockingIOError:
                select.select([], [self.descriptor], [])
            except BrokenPipeError:
                self.gone = True
            except OSError as error:
                self.gone = True
                if not self.quiet:
                    raise OutputLost(f"standard output cannot be written to: {error.strerror}.") from None
        return view.nbytes


_typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


@contextmanager
def typed(arguments: Sequence[str]) -> Iterator[None]:
    """Within this context, these are the arguments that were typed."""
    token = _typed.set(tuple(arguments))
    try:
        yield
    finally:
        _typed.reset(token)


def command() -> str | None:
    """The command that was typed, as a shell reads it, with files by their names alone: a page may be passed on."""
    arguments = _typed.get()
    return shlex.join(["assay", *without_folders(arguments)]) if arguments else None


def without_folders(arguments: Sequence[str]) -> list[str]:
    """The same arguments, with the names of files instead of their paths, as long as different files differ in them."""
    given = [_divided(argument) for argument in arguments]
    for parts in (1, 2):
        short = {path: "/".join(Path(path).parts[-parts:]) for _, path in given if path}
        if len(set(short.values())) == len({Path(path).resolve() for path in short}):
            return [f"{before}{short.get(path, path)}" for before, path in given]
    return list(arguments)


def _divided(argument: str) -> tuple[str, str]:
    """What stands before a path, as in --html=PATH or NAME=PATH, and the path; no path if it leads to no folder."""
    before, sign, path = argument.partition("=")
    if not sign or os.sep in before:
        before, sign, path = "", "", argument
    try:
        known = os.sep in path and Path(path).name != "" and Path(path).parent.is_dir()
    except (OSError, ValueError):  # longer than any path, or with a character that none has
        known = False
    return (f"{before}{sign}", path) if known else (argument, "")
