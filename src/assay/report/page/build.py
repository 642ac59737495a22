"""From a report to a page: the verdict, what to know before relying on it, then what shows it, in reading order."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.results import Report
from assay.report.families.view import Material, parts_of
from assay.report.page.blocks import Block, Columns, Page, Part, Table
from assay.report.page.cautions import cautions, linked
from assay.report.page.difference import difference_parts
from assay.report.page.forest import measures_part
from assay.report.page.groups import group_parts
from assay.report.page.head import head
from assay.report.page.method import method_part, notes_part
from assay.report.page.spread import spread_parts
from assay.tables import Section
from assay.uncertainty.results import version


def page_of(report: Report, command: str | None = None) -> Page:
    """The page of a report; `command` is what makes it again."""
    parts = tuple(_parts(report, command))
    title, subtitle, verdict = head(report)
    return Page(
        title=title,
        subtitle=subtitle,
        verdict=verdict,
        cautions=linked(cautions(report), parts),
        parts=parts,
        version=version(),
    )


def _parts(report: Report, command: str | None) -> Iterator[Part]:
    yield measures_part(report)
    yield from difference_parts(report)
    yield from parts_of(Material(report))
    yield from group_parts(report)
    yield from spread_parts(report)
    yield from _tables(report)
    yield from notes_part(report)
    yield method_part(report, command)


def _tables(report: Report) -> Iterator[Part]:
    """What the families bring as tables and the page shows in no other way; once where systems share it."""
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
