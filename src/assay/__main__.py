"""The way in, for the command `assay` and for `python -m assay`: an interruption is answered before anything is loaded.

Loading takes some tenths of a second, and an interruption in the middle of it would end in a traceback of its own. Only
while Python itself starts, before it comes to this file, can nothing be done about that.
"""

from __future__ import annotations

import os


def _leave(*_: object) -> None:
    """Nothing has begun, so nothing needs to be put away."""
    try:
        os.write(2, b"assay: interrupted\n")
    finally:
        os._exit(130)


try:
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
except KeyboardInterrupt:
    _leave()
except ValueError:  # imported by another thread than the first, where signals are not ours
    pass


def run() -> None:
    """Run the command line."""
    from assay.cli.main import run as command

    command()


if __name__ == "__main__":
    run()
