"""What to know before the numbers of a report are relied on, most urgent first."""

from __future__ import annotations

from assay.report.page.blocks import Caution
from assay.report.report import Report


def cautions(report: Report) -> tuple[Caution, ...]:
    """What to know before relying on this report."""
    return ()
