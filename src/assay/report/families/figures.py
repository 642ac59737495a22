"""The charts of a report that go into files."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.answers.results import Report
from assay.report.charts.dots import measure_chart
from assay.report.charts.matrix import matrix_picture
from assay.report.contents.blocks import Figure
from assay.report.families.matrix import MOST_DRAWN, confused_block
from assay.report.families.view import Material
from assay.tally.labels import Confusion


def file_figures(report: Report) -> Iterator[Figure]:
    """The measures of the systems, and the confusion matrix of each; named by number, never by what is in the data."""
    measures = measure_chart(report)
    if measures is not None:
        yield Figure("measures", measures)
    material = Material(report)
    for name, tally in material.of(Confusion).items():
        i = material.systems.index(name) + 1
        labels, counts = tally.labels, tally.table
        if tally.k > MOST_DRAWN:
            classes, counts = confused_block(counts)
            labels = tuple(tally.labels[at] for at in classes)
        yield Figure(f"confusion-{i}", matrix_picture(name, labels, counts))
