"""Charts for files of what the page itself shows as tables."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.matrix_picture import MOST, matrix_picture
from assay.report.measure_chart import measure_chart
from assay.report.page.blocks import Figure
from assay.report.page.views import Material
from assay.report.report import Report
from assay.tally.confusion import Confusion


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
