"""Showing a result: printed, as a page, and its charts as files."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from assay.cli.streams import command, say, tell
from assay.errors import OptionError, plural
from assay.progress import watched
from assay.texts import visible, visible_line

if TYPE_CHECKING:
    from rich.status import Status

    from assay.jobs.answers.results import Report
    from assay.options.showing import Listed
    from assay.report.contents.blocks import Figure, Page
    from assay.result import Readable


PATIENCE = 2.0  # seconds before a bar is shown
BAR = 24  # characters
WIDTH = 100  # when the output is not a terminal and COLUMNS is not set


def show_report(
    report: Report,
    format: str,
    out: str | None = None,
    *,
    methods: bool = False,
    raw: bool = False,
    listed: Listed | None = None,
) -> None:
    """Print in color and at full width on a terminal; otherwise write plain text, JSON, CSV, Markdown or LaTeX."""
    sentence = _methods_of(report) if methods else ""
    if format == "table" and out is None and sys.stdout.isatty():
        from rich.console import Console

        from assay.report.text.terminal import show

        show(report, Console(highlight=False, emoji=False, markup=False), **(listed or {}))
        tell(sentence)
        return
    text = report.to_text(page_width(), **(listed or {})) if format == "table" else report.formatted(format, raw=raw)
    # Other formats are read by programs, or already contain the sentence.
    write_result(text.rstrip("\n") + "\n" + sentence if format == "table" else text, format, out, raw=raw)


def write_result(text: str, format: str, out: str | None, *, raw: bool = False) -> None:
    """Print what a result is in one of its formats, or write it to a file and say so."""
    text = text.rstrip("\n") + "\n"
    text = text if format == "csv" and raw else visible(text)
    if out is None:
        tell(text, raw=True)
    else:
        write_and_tell(out, text)


def write_and_tell(path: str, text: str) -> None:
    """Write a file, and say so."""
    from assay.cli.files import write_text

    write_text(path, text)
    say(f"wrote {path}")


def _methods_of(report: Report) -> str:
    """The sentence for the Methods section of a paper, after an empty line."""
    from assay.report.text.wrapping import wrapped

    return "\n".join(["", *wrapped(f"Methods: {report.methods}", prose_width()), ""])


def page_width(of_a_file: int = WIDTH) -> int:
    """Columns of the terminal, or those of a file."""
    known = "COLUMNS" in os.environ or sys.stdout.isatty()
    return shutil.get_terminal_size((WIDTH, 24)).columns if known else of_a_file


def prose_width() -> int:
    """Columns of what is mostly sentences: those of the terminal, and not more than can be read with ease."""
    return min(page_width(), WIDTH)


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
    """Turns the sign of life into a progress bar once the work has taken a while."""

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


@Parameter(name="*", group="HTML page")
@dataclass(frozen=True)
class PageOnly:
    """Where the page of the result is written."""

    html: Annotated[
        str | None, Parameter(help="Write the result to this file as a self-contained page that opens offline.")
    ] = None

    def outputs(self) -> dict[str, str | None]:
        """The files to write, by option."""
        return {"--html": self.html}

    def write(self, result: Readable) -> None:
        """Write the page if it was asked for, and report where it is."""
        if self.html is not None:
            with working("drawing the page"):
                page = result.page(command())
            _write_page(self.html, page)


@Parameter(name="*", group="HTML page")
@dataclass(frozen=True)
class Pages(PageOnly):
    """Where the page of the result and its charts are written."""

    charts: Annotated[
        str | None,
        Parameter(
            help="Write the charts of that page to this folder, as SVG and PNG; for data sets, a critical-difference "
            "diagram."
        ),
    ] = None

    def outputs(self) -> dict[str, str | None]:
        """The files and the folder to write, by option."""
        return {**super().outputs(), "--charts": self.charts}

    def write(self, result: Readable) -> None:
        """Write what was asked for, and report where it is."""
        if self.html is None and self.charts is None:
            return
        with working("drawing the page"):
            page = result.page(command())
        if self.html is not None:
            _write_page(self.html, page)
        if self.charts is not None:
            _write_charts(Path(self.charts), [*page.figures, *_further(result)])


def _write_page(path: str, page: Page) -> None:
    from assay.report.page.render import page_html

    write_and_tell(path, page_html(page))


def _further(result: Readable) -> Iterator[Figure]:
    """Charts of what the page shows as tables."""
    from assay.jobs.answers.results import Report

    if isinstance(result, Report):
        from assay.report.families.figures import file_figures

        yield from file_figures(result)


def _write_charts(folder: Path, figures: Sequence[Figure]) -> None:
    """Write every chart in both formats; all are drawn before the first is written, so a failure leaves nothing."""
    from assay.cli.files import refuse_claimed, write_bytes

    if not figures:
        raise OptionError(f"this result has no charts to write to --charts {folder}.")
    _prepare(folder)
    named = _distinct(figures)
    with working("drawing the charts"):
        drawn = {f"{name}.svg": figure.drawing.svg().encode() for name, figure in named.items()}
        drawn |= {f"{name}.png": figure.drawing.png() for name, figure in named.items()}
    refuse_claimed(folder / name for name in drawn)
    for name, data in drawn.items():
        write_bytes(folder / name, data)
    many = plural(len(named), "chart")
    say(f"wrote {many} to {folder}, each as SVG and PNG: {', '.join(named)}")


def _prepare(folder: Path) -> None:
    """Create the folder, and stop if it cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no folder can have this name"
        raise OptionError(f"the folder '{folder}' for --charts cannot be used: {reason}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError(f"the folder '{folder}' for --charts is write-protected; choose another.")


def _distinct(figures: Sequence[Figure]) -> dict[str, Figure]:
    """The figures by unique names: a repeated name gets a number."""
    out: dict[str, Figure] = {}
    for figure in figures:
        again = (f"{figure.name}-{i}" for i in count(2))
        out[figure.name if figure.name not in out else next(name for name in again if name not in out)] = figure
    return out
