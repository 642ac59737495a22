"""Precision, recall and F1 of every class, as text and as a page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from assay.errors import plural
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import number
from assay.jobs.classes.per_class import MEASURES, ClassRow, PerClass, Value
from assay.measures.declare.catalogue import titled
from assay.report.contents.blocks import Page, Part, Prose, Table
from assay.report.findings.ending import method
from assay.report.names import clean
from assay.report.text.classes import class_table
from assay.report.text.wrapping import wrapped
from assay.tables import Cell, Section
from assay.texts import decimals, percent
from assay.uncertainty.results import version

COLUMNS = (*(titled(measure) for measure in MEASURES), "gold", "called")


def as_text(result: PerClass, width: int = 100) -> str:
    """A table for each system: a row per class, then the averages."""
    systems = dict.fromkeys(row.system for row in result.rows)
    blocks = []
    for system in systems:
        held = dict(_named(result, system))
        rows = [
            Row(system, measure, of, level=result.level, **_limits(row, measure))
            for of, row in held.items()
            for measure in MEASURES
        ]
        items = {of: (row.support, row.predicted) for of, row in held.items()}
        lines = [line.plain.rstrip() for line in class_table(rows, items, list(held), width)]
        lines += wrapped(clean(" ".join(_without(held.values()))), width, " ") if any(_without(held.values())) else []
        blocks.append("\n".join([clean(system), *lines] if len(systems) > 1 else lines))
    return "\n\n".join(blocks) + "\n"


def _without(rows: Iterable[ClassRow]) -> list[str]:
    """Why averages have a value and no interval."""
    each = [getattr(row, measure) for row in rows if row.average is not None for measure in MEASURES]
    return [
        f"{why}." for why in dict.fromkeys(v.reason for v in each if v.value is not None and v.low is None and v.reason)
    ]


def _limits(row: ClassRow, measure: str) -> dict[str, Any]:
    return dataclasses.asdict(getattr(row, measure))


def page_of(result: PerClass, command: str | None = None) -> Page:
    """The page of the table."""
    tables = tuple(Table(table) for table in _tables(result))
    told = f"Values are shown with their {percent(result.level)} intervals."
    return Page(
        title="Class by class",
        subtitle=plural(len({row.system for row in result.rows}), "system"),
        verdict=(f"Precision, recall and F1 of {len({row.class_ for row in result.classes}):,} classes.",),
        cautions=(),
        parts=(Part("classes", "Classes", "Classes", (*tables, Prose((told,), "note"))), method((), command)),
        version=version(),
    )


def _tables(result: PerClass) -> Iterator[Section]:
    systems = dict.fromkeys(row.system for row in result.rows)
    for system in systems:
        rows = [row for row in result.rows if row.system == system]
        reasons = dict.fromkeys(
            f"– in {titled(measure)}: {value.reason}"
            for row in rows
            for measure in MEASURES
            if (value := getattr(row, measure)).value is None
        )
        title = system if len(systems) > 1 else f"class, {percent(result.level)} interval"
        lines = tuple((of, _cells(row)) for of, row in _named(result, system))
        told = [*reasons, *(why.removesuffix(".") for why in _without(rows))]
        yield Section(title, COLUMNS, lines, "; ".join(told))


def _named(result: PerClass, system: str) -> Iterator[tuple[str, ClassRow]]:
    """The rows of a system by name; an average never has the name of a class."""
    labels = {row.class_ for row in result.classes}
    for row in (row for row in result.rows if row.system == system):
        of = str(row.class_) if row.average is None else f"{row.average} average"
        yield (f"({of})" if row.average is not None and of in labels else of), row


def _cells(row: ClassRow) -> tuple[Cell, ...]:
    values = tuple(_cell(getattr(row, measure)) for measure in MEASURES)
    return (*values, Cell.of(row.support), Cell.of(row.predicted))


def _cell(value: Value) -> Cell:
    places = decimals(value.low, value.high)
    limits = "" if value.low is None else f"{number(value.low, places)}–{number(value.high, places)}"
    return Cell(number(value.value, places), limits, value=value.value)
