"""How an interruption ends the program: with code 130, one line and no traceback, whatever was going on."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

INTERRUPTED = 130
_SHOW_CURSOR = b"\x1b[?25h"

_seen = False


def answer_interruptions() -> None:
    """Let Ctrl-C stop the work from now on; what is half written is removed on the way out.

    A program that was started with interruptions turned off, as by `nohup` or a script's `&`, leaves them off.
    """
    global _seen
    _seen = False
    if callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _unraisable


def ignore_interruptions() -> None:
    """All is done and printed; the interpreter may end in peace."""
    if callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def interrupted() -> bool:
    """Whether Ctrl-C was pressed: libraries report that as errors of their own."""
    return _seen


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _seen
    if _seen or _importing(frame):
        _leave()
    _seen = True
    raise KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded: an extension may print a traceback or hide what is raised meanwhile."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _unraisable(found: UnraisableHookArgs, /) -> None:
    """What cannot be raised where it happens, as in a destructor, is printed as ever, unless it is an interruption."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        _leave()
    if not _seen:
        sys.__unraisablehook__(found)


def _leave() -> NoReturn:
    """End at once, without what is on the stack; temporary files are still removed."""
    with suppress(BaseException):
        atexit._run_exitfuncs()
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + b"assay: interrupted\n")
    os._exit(INTERRUPTED)
