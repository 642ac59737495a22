"""Charts for files of what the page itself shows as tables."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.results import Report
from assay.report.charts.dots import measure_chart
from assay.report.charts.matrix import MOST, matrix_picture
from assay.report.families.view import Material
from assay.report.page.blocks import Figure
from assay.tally.labels import Confusion


def file_figures(report: Report) -> Iterator[Figure]:
    """The measures of the systems, and the confusion matrix of each; named by number, never by what is in the data."""
    measures = measure_chart(report)
    if measures is not None:
        yield Figure("measures", measures)
    material = Material(report)
    for name, tally in material.of(Confusion).items():
        if tally.k <= MOST:
            i = material.systems.index(name) + 1
            yield Figure(f"confusion-{i}", matrix_picture(name, tally.labels, tally.table))
