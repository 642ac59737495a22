"""From a report to a page: the verdict, what to know before relying on it, then what shows it, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.jobs.answers.contest import Contest, Spread
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.charts.distributions import box_plot
from assay.report.contents.blocks import Block, Columns, Figure, Page, Part, Table
from assay.report.families.view import Material, parts_of
from assay.report.findings.cautions import cautions, linked
from assay.report.findings.ending import standing
from assay.report.findings.head import facts_line, headed, subtitle, title, verdict
from assay.report.page.opening import opening
from assay.report.page.parts.difference import Draws, difference_parts, draws_of
from assay.report.page.parts.forest import measures_part
from assay.report.page.parts.groups import group_parts
from assay.report.page.parts.method import method_part
from assay.report.page.parts.ranks import rank_parts
from assay.tables import Cell, Section
from assay.texts import decimals_of, numeral
from assay.uncertainty.results import version
from assay.uncertainty.values.folds import spread_note

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
        yield f"{steady} varies least: {halves}, and that of {loose} {boxes[loose].middle_half:.2g}."
    notes = list(_alike(contest, spread))
    if notes:
        yield " ".join(notes)
    else:
        yield "No two systems have equal medians and clearly different spreads."
    if spread.unit == "fold":
        yield "Folds share training data, so they lie closer together than results on new data would."


def _alike(contest: Contest, spread: Spread) -> Iterator[str]:
    """Pairs with similar medians but different spreads."""
    for c in contest.tested:
        a, b = (np.array(spread.values[name]) for name in c.names)
        note = spread_note(a, b, c.names)
        if note is not None:
            yield f"For {c.names[0]} and {c.names[1]}, {note}."


def _table(spread: Spread) -> Section:
    rows = []
    form = f".{decimals_of(value for values in spread.values.values() for value in values)}f"
    for name, box in spread.boxes.items():
        sd = float(np.std(spread.values[name], ddof=1))
        each = (box.median, box.lower_quartile, box.upper_quartile, sd)
        cells = [Cell(numeral(x, form), value=x) for x in each]
        rows.append((name, (*cells, Cell(", ".join(numeral(x, form) for x in box.outliers) or "–"))))
    columns = ("median", "lower quartile", "upper quartile", "SD", "outliers")
    return Section("spread", columns, tuple(rows))


def page_of(report: Report, command: str | None = None) -> Page:
    """The page of a report; `command` is what makes it again."""
    draws = draws_of(report)
    first = opening(report, draws.null)
    parts = tuple(_parts(report, draws, first, command))
    # What the opening shows is not said again above it.
    said = headed(report, verdict(report)) if first else verdict(report)
    return Page(
        title=title(report),
        subtitle=subtitle(report),
        verdict=said,
        cautions=linked(cautions(report), parts),
        parts=parts,
        version=version(),
        opening=first,
        facts=facts_line(report),
        standing=standing(report.item, clustered="clusters" in report.provenance),
        names=tuple(system.name for system in report.systems),
    )


def _parts(report: Report, draws: Draws, first: Sequence[Block], command: str | None) -> Iterator[Part]:
    yield measures_part(report)
    yield from difference_parts(report, draws, first)
    yield from rank_parts(report)
    yield from parts_of(Material(report))
    yield from group_parts(report)
    yield from spread_parts(report)
    yield from _tables(report)
    yield method_part(report, command)


def _tables(report: Report) -> Iterator[Part]:
    """Tables of the families that the page shows in no other way; once if systems share them."""
    holders: dict[Section, list[str]] = {}
    for system in report.systems:
        for section in system.sections:
            if not section.role:
                holders.setdefault(section, []).append(system.name)
    shared = len(report.systems)
    blocks: list[Block] = [
        Table(section, None if len(names) == shared else ", ".join(names)) for section, names in holders.items()
    ]
    if report.contest is not None:
        blocks += [Table(section) for section in report.contest.sections if not section.role]
    if blocks:
        pairs = (Columns(tuple(blocks[i : i + 2])) for i in range(0, len(blocks), 2))
        yield Part("tables", "More tables", "Tables", tuple(pairs))
