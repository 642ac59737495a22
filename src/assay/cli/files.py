"""Writing files atomically, so that a reader finds the old text or the new one; an input is never overwritten."""

from __future__ import annotations

import errno
import glob
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from assay.cli.streams import OutputLost
from assay.errors import OptionError

if sys.platform != "win32":
    import fcntl

Identity = tuple[object, ...]
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # not the fault of whoever named the file
LEFT = re.compile(r"\.assay-[0-9a-f]{16}")  # a file being written, or left by a process that was killed


# ---------------------------------------------------------------------- what is read and what is written
@dataclass(frozen=True)
class _Claims:
    """The files of one command: those it reads, and those it writes with the option that names each."""

    inputs: frozenset[Identity] = frozenset()
    outputs: Mapping[Identity, str] = field(default_factory=dict)


_NONE = _Claims()
_claims: ContextVar[_Claims | None] = ContextVar("claims", default=None)


@contextmanager
def own_claims() -> Iterator[None]:
    """Within this context only one command's claims count, not those made before it."""
    token = _claims.set(None)
    try:
        yield
    finally:
        _claims.reset(token)


def claim(inputs: Iterable[str | None], outputs: Mapping[str, str | None]) -> None:
    """Stop before anything is written if a result would overwrite an input or another result.

    `inputs` are names and patterns as typed, `outputs` the files to write by option. Files are compared, not names:
    links lead to the same file.
    """
    read = frozenset(identity for name in inputs if name for identity in _read(name))
    written: dict[Identity, str] = {}
    for option, name in outputs.items():
        if name is None:
            continue
        identity = _identity(name)
        if identity is None:
            continue
        if identity in read:
            raise _is_an_input(name)
        if identity in written:
            raise OptionError(
                f"{written[identity]} and {option} both name '{name}'; choose another file for one of them."
            )
        written[identity] = option
    _claims.set(_Claims(read, written))


def refuse_claimed(names: Iterable[str | os.PathLike[str]]) -> None:
    """Stop before overwriting a claimed file with files whose names were not known when claims were made."""
    claims = _claims.get() or _NONE
    for name in names:
        identity = _identity(name)
        if identity in claims.inputs:
            raise _is_an_input(name)
        if identity is not None and identity in claims.outputs:
            raise OptionError(
                f"'{name}' is also the output file of {claims.outputs[identity]}; choose another file there."
            )


def _is_an_input(name: str | os.PathLike[str]) -> OptionError:
    return OptionError(f"'{os.fspath(name)}' is an input; choose another output file.")


def _read(name: str) -> Iterator[Identity]:
    """The files that are read under this name."""
    if name == "-":
        with suppress(OSError):
            yield from _regular(os.fstat(0))
        return
    try:
        yield from _regular(Path(name).stat())
        return
    except (OSError, ValueError):
        pass
    if glob.has_magic(name):
        whole = Path(name)
        with suppress(OSError, ValueError, NotImplementedError, RecursionError):
            for match in Path(whole.anchor).glob(str(whole.relative_to(whole.anchor))):
                with suppress(OSError):
                    yield from _regular(match.stat())


def _regular(found: os.stat_result) -> Iterator[Identity]:
    if stat.S_ISREG(found.st_mode):
        yield found.st_dev, found.st_ino


def _identity(name: str | os.PathLike[str]) -> Identity | None:
    """What two names of one file have in common, whether it exists or not; None for devices and pipes."""
    try:
        return next(_regular(Path(name).stat()), None)
    except (OSError, ValueError):
        pass
    try:
        target = Path(os.path.realpath(name))
        folder = target.parent.stat()
    except (OSError, ValueError):
        return None
    return folder.st_dev, folder.st_ino, target.name


# ---------------------------------------------------------------------- writing
def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text to a temporary file next to the target and rename it; the target's folder must exist."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes to a temporary file next to the target and rename it; the target's folder must exist.

    A link stays a link, an existing file keeps its permissions, and a device or a pipe is written to as it is. When
    this returns, the bytes are on the disk as far as the system can tell. An input is never overwritten.
    """
    named = Path(path)
    try:
        if _identity(named) in (_claims.get() or _NONE).inputs:
            raise _is_an_input(path)
        target = named.resolve()
        _refuse(named, target)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except (OSError, RuntimeError) as error:  # before Python 3.13 a loop of links is a RuntimeError
        reason = error.strerror if isinstance(error, OSError) else None
        if isinstance(error, OSError) and error.errno in FULL:
            raise OutputLost(f"'{named}' cannot be written: {reason}.") from None
        raise OptionError(f"'{named}' cannot be written: {reason or error}.") from None
    except ValueError as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"{str(named)!r} cannot be written: no file can have this name.") from None


def _refuse(named: Path, target: Path) -> None:
    """Refuse a target that is known beforehand not to be writable."""
    folder = target.parent if named.is_symlink() else named.parent
    if target.is_dir():
        raise OptionError(f"'{named}' is a folder; name a file inside it.")
    if not folder.exists():
        raise OptionError(f"'{named}' cannot be written: there is no folder '{folder}'. Create it first.")
    if not folder.is_dir():
        raise OptionError(f"'{named}' cannot be written: '{folder}' is not a folder.")
    if target.exists() and not os.access(target, os.W_OK):
        raise OptionError(f"'{named}' is write-protected; choose another name, or change its permissions.")


def _replace(target: Path, data: bytes) -> None:
    _sweep(target.parent)
    beside, file = _beside(target.parent)
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, beside)
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    _settle(target.parent)


def _beside(folder: Path) -> tuple[Path, BinaryIO]:
    """A new file in the folder, locked while it is open, so that other processes see it is being written."""
    while True:
        path = folder / f".assay-{secrets.token_hex(8)}"
        file = path.open("xb")
        if _locked(file.fileno(), wait=True) is not None and not _same(path, file.fileno()):
            file.close()  # swept away before it was locked
            continue
        return path, file


def _sweep(folder: Path) -> None:
    """Remove what a killed process left in the folder: files of ours, named as we name them, that nobody has locked."""
    with suppress(OSError), os.scandir(folder) as entries:
        left = [entry.path for entry in entries if LEFT.fullmatch(entry.name)]
        for path in left:
            with suppress(OSError):
                _remove_unheld(Path(path))


def _remove_unheld(path: Path) -> None:
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        ours = stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == os.geteuid()
        if ours and _locked(descriptor, wait=False) and _same(path, descriptor):
            path.unlink()
    finally:
        os.close(descriptor)


def _locked(descriptor: int, *, wait: bool) -> bool | None:
    """Whether we now hold the lock on the file; None if files cannot be locked."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Whether the name still refers to the open file."""
    try:
        found, held = path.stat(), os.fstat(descriptor)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)


def _settle(folder: Path) -> None:
    """Flush the new name to disk, if the system can do that for a folder."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
