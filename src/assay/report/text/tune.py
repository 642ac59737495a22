"""Thresholds and what can be said about them, as text and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.jobs.answers.tuned import Tuned
from assay.report.names import clean
from assay.report.text.lines import note_lines
from assay.report.text.markup import safe
from assay.report.text.wrapping import wrapped
from assay.report.words.tune import chosen, doubts, finding, is_shown, judged


def as_text(t: Tuned, width: int = 100, explain: bool = False) -> str:
    """The finding, and what to watch; explained, also how it was chosen; then the report of what it gives."""
    if t.report is None:
        return said(t.sentences, width) + _watched(t.notes, width)
    return above(t, width, explain=explain) + t.report.to_text(width, notes="all", explain=explain)


def above(t: Tuned, width: int, *, explain: bool = False) -> str:
    """What stands above the report: the finding, the threshold as it is typed, and what to watch."""
    if not is_shown(t):
        return said(t.sentences, width)
    texts = (*finding(t), *t.sentences) if explain else (*finding(t), " ".join((*chosen(t)[:1], judged(t))))
    notes = _watched([*doubts(t)], width)
    return said(texts, width) + (f"{notes}\n" if notes else "")


def said(texts: Iterable[str], width: int) -> str:
    """Sentences, wrapped, with a blank line after each."""
    return "".join("\n".join([*wrapped(clean(text), width), "", ""]) for text in texts)


def _watched(notes: Sequence[str], width: int) -> str:
    return "".join(f"{line.plain.rstrip()}\n" for line in note_lines(notes, width))


def as_markdown(t: Tuned) -> str:
    """The same as Markdown."""
    first, *rest = (safe(text) for text in t.sentences)
    lines = [f"**{first}**", "", *(line for text in rest for line in (text, ""))]
    if t.report is None:
        return "\n".join([*lines, *(f"- {safe(note)}" for note in t.notes)]).rstrip() + "\n"
    return "\n".join([*lines, t.report.to_markdown()])
