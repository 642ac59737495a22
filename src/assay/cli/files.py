"""Writing a file so that a reader finds the old text or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from assay.errors import OptionError


def refuse_input(out: str | None, inputs: Iterable[str]) -> None:
    """Stop before a result is written over what it is made from."""
    if out is None:
        return
    for name in inputs:
        if Path(name).exists() and Path(out).exists() and Path(out).samefile(name):
            raise OptionError(f"'{out}' is a file that is read; write to another, so that nothing is lost.")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text beside the target and rename it; the target's folder must be there."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes beside the target and rename them; the target's folder must be there.

    A link stays a link, an existing file keeps its permissions, and a device or a pipe is written to as it is.
    """
    named = Path(path)
    try:
        target = named.resolve()
        _refuse(named, target)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except (OSError, RuntimeError) as error:  # before Python 3.13 a loop of links is a RuntimeError
        reason = error.strerror if isinstance(error, OSError) else None
        raise OptionError(f"'{named}' cannot be written: {reason or error}.") from None


def _refuse(named: Path, target: Path) -> None:
    """Say what stands in the way, where it can be known beforehand."""
    folder = target.parent if named.is_symlink() else named.parent
    if target.is_dir():
        raise OptionError(f"'{named}' is a folder; name a file in it.")
    if not folder.exists():
        raise OptionError(f"'{named}' cannot be written: there is no folder '{folder}'. Make it first.")
    if not folder.is_dir():
        raise OptionError(f"'{named}' cannot be written: '{folder}' is not a folder.")
    if target.exists() and not os.access(target, os.W_OK):
        raise OptionError(f"'{named}' may not be written to; choose another name, or change its permissions.")


def _replace(target: Path, data: bytes) -> None:
    beside = target.with_name(f".assay-{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
