"""What the command writes when its output is a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

UNSET = ("NO_COLOR", "COLORTERM", "COLUMNS", "LINES")


def on_a_terminal(
    arguments: list[str], *, columns: int = 80, cwd: Path | None = None, errors: bool = False, **environment: str
) -> str:
    """What a pseudo-terminal of some columns receives, of standard error only if `errors`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment = {**kept, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color", **environment}
    command = [sys.executable, "-m", "assay", *arguments]
    told = theirs if errors else subprocess.DEVNULL
    with subprocess.Popen(command, cwd=cwd, stdout=theirs, stderr=told, stdin=theirs, env=environment):
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # how a pseudo-terminal says that nobody writes to it any more
                break
            shown += part
    os.close(ours)
    return shown.decode("utf-8").replace("\r\n", "\n")
