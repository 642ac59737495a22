"""From a report to a page: the verdict, what to know before relying on it, then what shows it, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.errors import joined
from assay.jobs.answers.contest import Contest, Spread
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.charts.distributions import box_plot
from assay.report.contents.blocks import Block, Columns, Figure, Page, Part, Table
from assay.report.families.view import Material, parts_of
from assay.report.findings.cautions import cautions, linked
from assay.report.findings.cautions_of_numbers import capital
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

MOST_TITLES = 3  # of tables in a heading
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
    yield Part("spread", _steadiest(spread), NAVS[unit], blocks, tuple(_lead(contest, spread)))


def _steadiest(spread: Spread) -> str:
    """Which system varies less, or least."""
    halves = {name: box.middle_half for name, box in spread.boxes.items()}
    least = [name for name, half in halves.items() if half <= min(halves.values()) + 1e-12]
    over = f"from {spread.unit} to {spread.unit}"
    if len(least) > 1:
        return f"Values {over}"
    return f"{least[0]} varies {'less' if len(halves) == 2 else 'least'} {over}"


def _lead(contest: Contest, spread: Spread) -> Iterator[str]:
    boxes = spread.boxes
    steady = min(boxes, key=lambda name: boxes[name].middle_half)
    loose = max(boxes, key=lambda name: boxes[name].middle_half)
    if boxes[loose].middle_half > boxes[steady].middle_half:
        half, other = (f"{boxes[name].middle_half:.2g}" for name in (steady, loose))
        yield f"The middle half of the values of {steady} spans {half}, and that of {loose} {other}."
    notes = list(_alike(contest, spread))
    if notes:
        yield " ".join(notes)
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
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    form = f".{decimals_of(value for values in spread.values.values() for value in values)}f"
    for name, box in spread.boxes.items():
        sd = float(np.std(spread.values[name], ddof=1))
        each = (box.median, box.lower_quartile, box.upper_quartile, sd)
        cells = [Cell(numeral(x, form), value=x) for x in each]
        rows.append((name, (*cells, Cell(", ".join(numeral(x, form) for x in box.outliers) or "–"))))
    columns: tuple[str, ...] = ("median", "lower quartile", "upper quartile", "SD", "outliers")
    if not any(box.outliers for box in spread.boxes.values()):
        rows, columns = [(name, cells[:-1]) for name, cells in rows], columns[:-1]
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
        standing=standing(report.item, report.provenance),
        names=tuple(system.name for system in report.systems),
    )


def _parts(report: Report, draws: Draws, first: Sequence[Block], command: str | None) -> Iterator[Part]:
    if not _is_all_shown(report, first):
        yield measures_part(report)
    yield from difference_parts(report, draws, first)
    yield from rank_parts(report)
    yield from parts_of(Material(report))
    yield from group_parts(report)
    yield from spread_parts(report)
    yield from _tables(report)
    yield method_part(report, command)


def _is_all_shown(report: Report, first: Sequence[Block]) -> bool:
    """Whether the opening shows the only measure of a comparison already."""
    values = {(row.measure, row.class_) for row in report.rows if row.quantity == "value" and row.slice is None}
    return report.contest is not None and bool(first) and len(values) == 1


def _tables(report: Report) -> Iterator[Part]:
    """Tables of the families that the page shows in no other way; once if systems share them."""
    holders: dict[Section, list[str]] = {}
    for system in report.systems:
        for section in system.sections:
            if not section.role:
                holders.setdefault(section, []).append(system.name)
    shared = len(report.systems)
    blocks = [Table(section, None if len(names) == shared else ", ".join(names)) for section, names in holders.items()]
    if report.contest is not None:
        blocks += [Table(section) for section in report.contest.sections if not section.role]
    if blocks:
        pairs = (Columns(tuple(blocks[i : i + 2])) for i in range(0, len(blocks), 2))
        titles = list(dict.fromkeys(block.section.title for block in blocks))
        yield Part("tables", capital(joined(titles, MOST_TITLES)), "Tables", tuple(pairs))
