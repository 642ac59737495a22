"""The report as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.contest import Contest
from assay.report.report import Report, Row
from assay.report.words import digits, estimate, interval, number, signed, title
from assay.tally.section import Section
from assay.uncertainty.words import MEANING, effects, p_number, percent


def markdown(report: Report) -> str:
    """Headlines, a table of rows, notes and the signatures."""
    lines = _contest(report, report.contest) if report.contest is not None else _systems(report)
    lines += _advice(report)
    lines += [safe(report.methods), ""]
    # A signature is percent-encoded, so nothing in it can end the code span.
    lines += [f"`{signature}`  " for signature in dict.fromkeys(row.signature for row in report.rows)]
    return "\n".join(lines).rstrip() + "\n"


def _systems(report: Report) -> list[str]:
    lines: list[str] = []
    for system in report.systems:
        rows = [row for row in report.rows if row.system == system.name and row.slice is None]
        lines += [f"**{safe(system.headline)}**", "", *_values(rows, "class")]
        for section in system.sections:
            lines += ["", *_table(section)]
        lines += ["", *(f"- {safe(note)}" for note in system.notes), ""]
    return lines


def _advice(report: Report) -> list[str]:
    if report.contest is not None or "measures" in report.asked or not report.advice:
        return []
    return ["Worth reporting first:", "", *(f"- {safe(p.report)}: {safe(p.why)}" for p in report.advice), ""]


def _values(rows: Sequence[Row], second: str) -> list[str]:
    """A table of estimates; the second column names the class, or the system."""
    level = percent(rows[0].level) if rows else ""
    lines = [f"| measure | {second} | estimate | {level} interval | no model | method |", "|---|---|--:|:-:|--:|---|"]
    for row in rows:
        value = estimate(row) if row.value is not None else f"undefined: {row.reason or ''}"
        beside = row.class_ or "" if second == "class" else row.system
        name = title(row) if second == "class" or row.class_ is None else f"{title(row)} “{row.class_}”"
        cells = (name, beside, value, interval(row), number(row.no_skill, digits(row)), row.method)
        lines.append("| " + " | ".join(safe(cell) for cell in cells) + " |")
    return lines


def _contest(report: Report, contest: Contest) -> list[str]:
    """The verdict, every difference, where the systems stand, their values, and how it was tested."""
    first, *rest = contest.summary
    lines = [f"**{safe(first)}**", "", *(safe(line) for line in rest), ""]
    level = percent(contest.tested[0].level)
    by = "p" if contest.correction == "none" else f"p ({contest.correction})"
    lines += [f"| comparison | measure | difference | {level} interval | {by} | outcome |", "|---|---|--:|:-:|--:|---|"]
    for c in contest.comparisons:
        row = Row.of_difference(c)
        p = c.p_value if c.p_adjusted is None else c.p_adjusted
        value = "–" if row.value is None else signed(row.value, digits(row))
        limits = "–"
        if row.low is not None and row.high is not None:
            limits = " – ".join(signed(limit, digits(row)) for limit in (row.low, row.high))
        outcome = c.outcome if c in contest.tested else "not tested"
        cells = (f"{c.names[0]} − {c.names[1]}", title(row), value, limits, "" if p is None else p_number(p), outcome)
        lines.append("| " + " | ".join(safe(cell) for cell in cells) + " |")
    if contest.standings:
        lines += ["", "| system | rank | group |", "|---|--:|---|"]
        lines += [f"| {safe(s.system)} | {s.rank} | {s.groups} |" for s in contest.standings]
    lines += ["", *_values([row for row in report.rows if row.slice is None and row.quantity == "value"], "system")]
    for section in (*contest.sections, *(section for system in report.systems for section in system.sections)):
        lines += ["", *_table(section)]
    said = [effects(contest.tested[0]) if len(contest.tested) == 1 else "", *report.notes]
    tested = next((c for c in contest.tested if c.p_value is not None), None)
    if tested is not None:
        said += [f"H0: {tested.h0}", f"H1: {tested.h1}", MEANING]
    return [*lines, "", *(f"- {safe(note)}" for note in said if note), ""]


def _table(section: Section) -> list[str]:
    head = [f"{section.title}", *section.columns]
    out = ["| " + " | ".join(safe(name) for name in head) + " |", "|---" + "|--:" * len(section.columns) + "|"]
    for name, cells in section.rows:
        texts = [f"{cell.text} ({cell.note})" if cell.note else cell.text for cell in cells]
        out.append("| " + " | ".join(safe(text) for text in [name, *texts]) + " |")
    return [*out, "", safe(section.note + section.shares)] if section.note else out


def safe(text: str) -> str:
    """Text that cannot become markup: labels and names come from the data."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\|`*_[]#":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())
