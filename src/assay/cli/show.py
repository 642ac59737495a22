"""Printing a report where the reader is."""

from __future__ import annotations

import sys

from assay.report.report import Report

WIDTH = 100  # where the output is not a terminal


def show_report(report: Report, format: str) -> None:
    """Colors and the terminal's own width on a terminal; plain text, JSON, CSV or Markdown otherwise."""
    if format != "table":
        sys.stdout.write(report.formatted(format).rstrip("\n") + "\n")
        return
    if not sys.stdout.isatty():
        sys.stdout.write(report.to_text(WIDTH))
        return
    from rich.console import Console

    from assay.report.terminal import show

    show(report, Console(highlight=False, emoji=False, markup=False))
