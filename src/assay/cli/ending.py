"""How an interruption ends the program: with one line, without a traceback, and with nothing half written.

The code is 130 for Ctrl-C, and for other signals 128 and their number too: 143 when another program ends this one.
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

WORDS = {"SIGINT": "interrupted", "SIGTERM": "ended by another program", "SIGHUP": "ended with its terminal"}
_SIGNALS = {getattr(signal, name): words for name, words in WORDS.items() if hasattr(signal, name)}
_SHOW_CURSOR = b"\x1b[?25h"

_seen: int | None = None  # the signal that came


def answer_interruptions() -> None:
    """Let Ctrl-C and its kind stop the work from now on; what is half written is removed on the way out.

    A program that was started with interruptions turned off, as by `nohup` or a script's `&`, leaves them off.
    """
    global _seen
    _seen = None
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _unraisable


def ignore_interruptions() -> None:
    """All is done and printed; the interpreter may end in peace."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def interrupted() -> bool:
    """Whether a signal came: libraries report that as errors of their own."""
    return _seen is not None


def words() -> str:
    """What happened, in a few words."""
    return _SIGNALS.get(_signal(), "interrupted")


def code() -> int:
    """The code that the program ends with."""
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
    if not interrupted():
        sys.__unraisablehook__(found)


def _leave() -> NoReturn:
    """End at once, without what is on the stack; temporary files are still removed."""
    with suppress(BaseException):
        atexit._run_exitfuncs()
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + f"assay: {words()}\n".encode())
    os._exit(code())
