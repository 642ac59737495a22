"""What a page shows of values over folds or data sets: how they spread."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.jobs.comparison.contest import Contest, Spread
from assay.jobs.results import Report
from assay.measures.declare.titles import name as titled
from assay.report.charts.boxes import box_plot
from assay.report.page.blocks import Columns, Figure, Part, Table
from assay.tables import Cell, Section
from assay.uncertainty.values.spread import spread_note

FEWEST = 4  # values that have quartiles worth drawing
NAVS = {"fold": "Folds", "data set": "Data sets"}


def spread_parts(report: Report) -> Iterator[Part]:
    """Box plots of every system's values over folds or data sets."""
    contest = report.contest
    if contest is None or contest.spread is None or len(contest.spread.names) < FEWEST:
        return
    spread, measure = contest.spread, titled(contest.primary)
    unit = spread.unit
    figure = Figure("spread", box_plot(spread, measure))
    blocks = (Columns((figure, Table(_table(spread)))),)
    yield Part(
        "spread", f"How steady are they from {unit} to {unit}?", NAVS[unit], blocks, tuple(_lead(contest, spread))
    )


def _lead(contest: Contest, spread: Spread) -> Iterator[str]:
    boxes = spread.boxes
    steady = min(boxes, key=lambda name: boxes[name].middle_half)
    loose = max(boxes, key=lambda name: boxes[name].middle_half)
    halves = f"the middle half of its values spans {boxes[steady].middle_half:.2g}"
    if boxes[loose].middle_half > boxes[steady].middle_half:
        yield f"{steady} varies least: {halves}, that of {loose} {boxes[loose].middle_half:.2g}."
    notes = list(_alike(contest, spread))
    if notes:
        yield " ".join(notes)
    else:
        yield "No two systems have equal medians and clearly different spreads."
    if spread.unit == "fold":
        yield "Folds share training data, so they lie closer together than results on new data would."


def _alike(contest: Contest, spread: Spread) -> Iterator[str]:
    """Pairs whose medians are alike while one spreads more."""
    for c in contest.tested:
        a, b = (np.array(spread.values[name]) for name in c.names)
        note = spread_note(a, b, c.names)
        if note is not None:
            yield f"Of {c.names[0]} and {c.names[1]} {note}."


def _table(spread: Spread) -> Section:
    rows = []
    for name, box in spread.boxes.items():
        sd = float(np.std(spread.values[name], ddof=1))
        each = (box.median, box.lower_quartile, box.upper_quartile, sd)
        cells = [Cell(f"{x:.3f}", value=x) for x in each]
        rows.append((name, (*cells, Cell(", ".join(f"{x:.3f}" for x in box.outliers) or "–"))))
    columns = ("median", "lower quartile", "upper quartile", "SD", "outliers")
    return Section("spread", columns, tuple(rows))
