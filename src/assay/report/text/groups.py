"""The tables of groups in a comparison: the lines that stand out, and once how many more there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rich.text import Text

from assay.errors import joined
from assay.jobs.answers.results import Report
from assay.report.names import clean
from assay.report.text.lines import Pair, more_groups, standing_out, table_lines
from assay.report.text.wrapping import wrapped
from assay.report.tokens import mark_of
from assay.tables import Section

MOST = 6  # tables that are named one by one
ELSEWHERE = "other intervals: --format md"


def brief_lines(report: Report, width: int, colors: Mapping[str, str]) -> Iterator[Text]:
    """What stands out in every table; then in which nothing does, and how many lines were left out."""
    every = list(_tables(report))
    if not every:
        return
    notes = dict[str, None]()
    for section in every:
        if section.rows:
            lines, left_out = table_lines(replace(section, note=""), width, colors)
            yield from (Text(), *lines)
            cut = any("use a wider terminal" in told for told in left_out)
            notes |= dict.fromkeys([section.note] * bool(section.note) + [ELSEWHERE] * cut)
    silent = [section.title for section in every if not section.rows]
    more = sum(len(whole.rows) for whole in _whole(report)) - sum(len(section.rows) for section in every)
    told = [f"nothing stands out {joined(silent, MOST)}"] if silent else []
    if more:
        told.append(f"… and {more_groups(more)}: --groups all")
    if len(silent) == len(every):
        yield Text()
    for line in wrapped(clean("; ".join((*told, *notes))), width, " ", " "):
        yield Text(line, style="dim")


def _whole(report: Report) -> Iterator[Section]:
    sections = () if report.contest is None else report.contest.sections
    of_systems = (section for system in report.systems for section in system.sections)
    yield from (section for section in (*sections, *of_systems) if section.role == "slices")


def _tables(report: Report) -> Iterator[Section]:
    """The differences of two systems, and the systems together with their marks: one table for each column."""
    contest = report.contest
    assert contest is not None
    for section in contest.sections if len(contest.tested) == 1 else ():
        if section.role == "slices":
            pair = Pair.of(report, contest.tested[0].names)
            yield _brief(section, section.title.replace(" − ".join(pair.names), pair.apart, 1))
    of_each = [[part for part in system.sections if part.role == "slices"] for system in report.systems]
    for sections in zip(*of_each, strict=True):
        parts = [(mark_of(i), _brief(section, "")) for i, section in enumerate(sections)]
        rows = tuple((f"{mark} {name}", cells) for mark, part in parts for name, cells in part.rows)
        title = sections[0].title.removeprefix(f"{report.systems[0].name} ")
        yield replace(parts[0][1], title=title, rows=rows)


def _brief(section: Section, title: str) -> Section:
    """The lines of a table that stand out, those in bold that it marks."""
    marked = standing_out(section)
    shown: Sequence[int] = range(len(section.rows)) if section.brief is None else section.brief
    return replace(marked, title=title, rows=tuple(marked.rows[i] for i in shown), brief=None)
