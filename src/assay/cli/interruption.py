"""How an interruption ends the program: with one line, without a traceback, and with nothing half written.

The exit code is 128 plus the number of the signal: 130 for Ctrl-C, 143 when another program ends this one.
"""

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

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated by another program", "SIGHUP": "its terminal was closed"}
_SIGNALS = {getattr(signal, name): words for name, words in WORDS.items() if hasattr(signal, name)}
_SHOW_CURSOR = b"\x1b[?25h"

_seen: int | None = None  # the signal that arrived


def answer_interruptions() -> None:
    """From now on, let Ctrl-C and similar signals stop the work; half-written files are removed on the way out.

    A program that was started with interruptions turned off, as by `nohup` or a script's `&`, keeps them off.
    """
    global _seen
    _seen = None
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _unraisable


def ignore_interruptions() -> None:
    """Everything is done and printed; let the interpreter shut down undisturbed."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def interrupted() -> bool:
    """Whether a signal arrived: libraries report it as errors of their own."""
    return _seen is not None


def words() -> str:
    """What happened, in a few words."""
    return _SIGNALS.get(_signal(), "interrupted")


def code() -> int:
    """The exit code of the program."""
    return 128 + _signal()


def _signal() -> int:
    return signal.SIGINT if _seen is None else _seen


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _seen
    again, _seen = _seen is not None, number if _seen is None else _seen
    if again or _importing(frame):
        _leave()
    raise KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded: an extension may print a traceback or swallow an exception raised meanwhile."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _unraisable(found: UnraisableHookArgs, /) -> None:
    """What cannot be raised where it happens, as in a destructor, is printed as usual, unless it is an interruption."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        _leave()
    if not interrupted():
        sys.__unraisablehook__(found)


def _leave() -> NoReturn:
    """End at once without unwinding the stack; temporary files are still removed."""
    with suppress(BaseException):
        atexit._run_exitfuncs()
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + f"assay: {words()}\n".encode())
    os._exit(code())
