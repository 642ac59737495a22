"""Thresholds and what can be said about them, as text and Markdown."""

from __future__ import annotations

from assay.jobs.answers.tuned import Tuned
from assay.report.names import clean
from assay.report.text.lines import note_lines
from assay.report.text.markup import safe
from assay.report.text.wrapping import wrapped


def as_text(t: Tuned, width: int = 100, explain: bool = False) -> str:
    """The sentences, then the report of what the threshold gives."""
    if t.report is None:
        return said(t, width) + "".join(f"{line.plain.rstrip()}\n" for line in note_lines(t.notes, width))
    return said(t, width) + t.report.to_text(width, notes="all", explain=explain)


def said(t: Tuned, width: int) -> str:
    """The sentences, wrapped, with a blank line after each."""
    return "".join("\n".join([*wrapped(clean(text), width), "", ""]) for text in t.sentences)


def as_markdown(t: Tuned) -> str:
    """The same as Markdown."""
    first, *rest = (safe(text) for text in t.sentences)
    lines = [f"**{first}**", "", *(line for text in rest for line in (text, ""))]
    if t.report is None:
        return "\n".join([*lines, *(f"- {safe(note)}" for note in t.notes)]).rstrip() + "\n"
    return "\n".join([*lines, t.report.to_markdown()])
