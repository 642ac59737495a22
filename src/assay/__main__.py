"""Entry point of the command `assay` and of `python -m assay`: handles an interruption before anything is loaded.

Loading takes a few tenths of a second, and an interruption in the middle of it would end in a traceback. Nothing can be
done about that while Python itself starts, before it reaches this file.
"""

from __future__ import annotations

import os


def _leave(*_: object) -> None:
    """Nothing has started yet, so there is nothing to clean up."""
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
except ValueError:  # imported outside the main thread, where no signal handler can be set
    pass


def run() -> None:
    """Run the command line."""
    from assay.cli.main import run as command

    command()


if __name__ == "__main__":
    run()
