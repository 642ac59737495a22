"""From a report to a page: the verdict, what to know before relying on it, then what shows it, in reading order."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.page.blocks import Block, Columns, Facts, Page, Part, Prose, Table
from assay.report.page.cautions import cautions
from assay.report.page.forest import measures_part
from assay.report.page.views import Material, parts_of
from assay.report.report import Report
from assay.tally.section import Section
from assay.uncertainty.results import version


def page_of(report: Report, command: str | None = None) -> Page:
    """The page of a report; `command` is what makes it again."""
    parts = tuple(_parts(report, command))
    return Page(
        title=_title(report),
        subtitle="",
        verdict=_verdict(report),
        cautions=cautions(report),
        parts=parts,
        version=version(),
    )


def _title(report: Report) -> str:
    return " against ".join(system.name for system in report.systems)


def _verdict(report: Report) -> tuple[str, ...]:
    if report.contest is not None:
        return report.contest.summary
    return tuple(system.headline for system in report.systems)


def _parts(report: Report, command: str | None) -> Iterator[Part]:
    yield measures_part(report)
    yield from parts_of(Material(report))
    yield from _tables(report)
    yield _method(report, command)


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


def _method(report: Report, command: str | None) -> Part:
    facts = [("Command", command)] if command else []
    return Part("method", "Method", "Method", (Prose((report.methods,)), Facts(tuple(facts), code=("Command",))))
