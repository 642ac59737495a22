"""The pages of the catalogue: all measures, or one with everything that is known of it and what it hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import plural
from assay.measures.declare.catalogue import catalogue, parse
from assay.measures.declare.measure import Measure
from assay.report.page.blocks import Block, Column, Columns, Facts, Listing, Page, Part, Table
from assay.report.page.ending import method
from assay.tables import Section
from assay.tally.contract.base import Tally
from assay.uncertainty.results import version

if TYPE_CHECKING:
    from assay.report.describe import Explained


def catalogue_page(command: str | None = None) -> Page:
    """The page of all measures."""
    every = catalogue().values()
    columns = (Column("Name", "code"), Column("In reports"), Column("What it tells"))
    rows = tuple((each.name, each.title, each.summary) for each in every)
    listing = Listing("Measures", columns, rows, "'assay measures f1 --html f1.html' makes the page of one of them.")
    return Page(
        title="Measures",
        subtitle="Everything that assay computes",
        verdict=(f"There are {plural(len(rows), 'measure')}, each with its interval or the reason why it has none.",),
        cautions=(),
        parts=(Part("measures", "All measures", "Measures", (listing,)), method((), command)),
        version=version(),
        kind="catalogue of measures",
    )


def measure_page(explained: Explained, command: str | None = None) -> Page:
    """The page of one measure; what it hides comes first where that was asked for."""
    from assay.report.describe import facts

    measure = explained.measure
    told = tuple((name[:1].upper() + name[1:], text) for name, text in facts(measure))
    parts = [Part("facts", "What is known of it", "Facts", (Facts(told, code=("Formula", "Options")),))]
    if measure.hides is not None:
        parts.insert(0 if explained.hides else 1, _hidden(measure))
    return Page(
        title=measure.title,
        subtitle=measure.name,
        verdict=(_cannot_tell(measure), measure.summary) if explained.hides else (measure.summary,),
        cautions=(),
        parts=(*parts, method((), command)),
        version=version(),
        kind="catalogue of measures",
    )


def _cannot_tell(measure: Measure) -> str:
    assert measure.hides is not None
    return f"{measure.title} cannot tell these two apart: {measure.hides.why}."


def _hidden(measure: Measure) -> Part:
    """Two tables that the measure cannot tell apart, side by side."""
    assert measure.hides is not None
    tables = tuple(_table(measure, tally) for tally in measure.hides.tables)
    lead = (f"It has the same value for both: {measure.hides.why}. Read it beside {measure.hides.told_by}.",)
    return Part("hides", "What it hides", "Hides", (Columns(tables),), lead)


def _table(measure: Measure, tally: Tally) -> Block:
    assert measure.hides is not None
    other, options = parse(measure.hides.told_by)
    values = f"{measure.name} = {measure.of(tally):.3f}, but {measure.hides.told_by} = {other.of(tally, **options):.3f}"
    section = next(iter(tally.sections()), Section("", (), ()))
    return Table(Section(values, section.columns, section.rows, section.note, section.shares))
