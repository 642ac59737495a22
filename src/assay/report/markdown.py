"""The report as Markdown."""

from __future__ import annotations

from assay.report.report import Report
from assay.report.words import digits, estimate, interval, number, title
from assay.tally.section import Section
from assay.uncertainty.words import percent


def markdown(report: Report) -> str:
    """Headlines, a table of rows, notes and the signatures."""
    lines: list[str] = []
    for system in report.systems:
        rows = [row for row in report.rows if row.system == system.name and row.slice is None]
        lines += [f"**{_safe(system.headline)}**", ""]
        level = percent(rows[0].level) if rows else ""
        lines += [f"| measure | class | estimate | {level} interval | no model | method |", "|---|---|--:|:-:|--:|---|"]
        for row in rows:
            value = estimate(row) if row.value is not None else f"undefined: {_safe(row.reason or '')}"
            cells = (title(row), row.class_ or "", value, interval(row), number(row.no_skill, digits(row)), row.method)
            lines.append("| " + " | ".join(_safe(cell) for cell in cells) + " |")
        for section in system.sections:
            lines += ["", *_table(section)]
        lines += ["", *(f"- {_safe(note)}" for note in system.notes), ""]
    lines += [_safe(report.methods), ""]
    # A signature is percent-encoded, so nothing in it can end the code span.
    lines += [f"`{row.signature}`  " for row in report.rows]
    return "\n".join(lines).rstrip() + "\n"


def _table(section: Section) -> list[str]:
    head = [f"{section.title}", *section.columns]
    out = ["| " + " | ".join(_safe(name) for name in head) + " |", "|---" + "|--:" * len(section.columns) + "|"]
    for name, cells in section.rows:
        texts = [f"{cell.text} ({cell.note})" if cell.note else cell.text for cell in cells]
        out.append("| " + " | ".join(_safe(text) for text in [name, *texts]) + " |")
    return [*out, "", _safe(section.note + section.shares)] if section.note else out


def _safe(text: str) -> str:
    """Text that cannot become markup: labels and names come from the data."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\|`*_[]#":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())
