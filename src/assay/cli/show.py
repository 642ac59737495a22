"""Printing a report where the reader is."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assay.cli.streams import say, tell
from assay.jobs.results import Report
from assay.progress import watched
from assay.texts import visible, visible_line

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 2.0  # seconds before a bar is shown
BAR = 24  # characters
WIDTH = 100  # where the output is not a terminal and COLUMNS does not say otherwise


def show_report(
    report: Report, format: str, out: str | None = None, *, methods: bool = False, raw: bool = False
) -> None:
    """Colors and the terminal's own width on a terminal; plain text, JSON, CSV, Markdown or LaTeX otherwise."""
    wrapped = textwrap.wrap(f"Methods: {report.methods}", WIDTH)
    sentence = "\n".join(["", *wrapped]) + "\n" if methods else ""
    if format == "table" and out is None and sys.stdout.isatty():
        from rich.console import Console

        from assay.report.text.terminal import show

        show(report, Console(highlight=False, emoji=False, markup=False))
        tell(sentence)
        return
    width = shutil.get_terminal_size((WIDTH, 24)).columns if "COLUMNS" in os.environ else WIDTH
    text = (report.to_text(width) if format == "table" else report.formatted(format, raw=raw)).rstrip("\n") + "\n"
    # Other formats are read by programs, or hold the sentence already.
    text += sentence if format == "table" else ""
    text = text if format == "csv" and raw else visible(text)
    if out is None:
        tell(text, raw=True)
        return
    from assay.cli.files import write_text

    write_text(out, text)
    say(f"wrote {out}")


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life on a terminal's standard error, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False, emoji=False, markup=False)
    with console.status(visible_line(what)) as status, watched(_Bar(status)):
        yield


class _Bar:
    """Turns the sign of life into a bar once the work has taken a while."""

    def __init__(self, status: Status) -> None:
        self.status, self.start = status, time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        passed = time.monotonic() - self.start
        if passed < PATIENCE:
            return
        filled = round(BAR * done / total)
        left = passed / done * (total - done)
        bar = "━" * filled + "╌" * (BAR - filled)
        wait = f"{left:.0f} s" if left < 90 else f"{left / 60:.0f} minutes"
        self.status.update(f"{what} {bar} {100 * done / total:.0f}%, about {wait} left")
