"""The draws behind a comparison, for a plot of one's own."""

from __future__ import annotations

from typing import Any

from assay.errors import OptionError
from assay.report.report import Report
from assay.texts import csv_text


def replicates(report: Report, *, raw: bool = False) -> str:
    """Every draw of the difference and, where the test drew any, of the null hypothesis, as CSV."""
    rows: list[list[Any]] = [["a", "b", "measure", "of", "draw", "value"]]
    for c in () if report.contest is None else report.contest.tested:
        if c.replicates is None:
            raise OptionError(f"the comparison of {c.names[0]} and {c.names[1]} has no replicates: {c.reason}.")
        for of in ("difference", "null"):
            if of == "null" and c.extreme is None and c.test != "randomization":
                continue
            for i, value in enumerate(c.replicates(of).tolist(), start=1):
                rows.append([*c.names, c.a.measure, of, i, "" if value != value else repr(value)])
    return csv_text(rows, raw=raw)
