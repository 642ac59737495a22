"""The page of a check: what is in a file, column by column, and what to watch before evaluating it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import listed
from assay.jobs.check import most_frequent, untied
from assay.report.page.blocks import Caution, Column, Facts, Listing, Page, Part, Prose
from assay.report.page.ending import method, said
from assay.sources.inspect import ColumnFacts, Inspection
from assay.uncertainty.results import version

if TYPE_CHECKING:
    from assay.jobs.check import Checked

ROOM = 60  # letters for the most frequent labels of a column, about as many as a terminal has
COLUMNS = (
    Column("Column"),
    Column("Role"),
    Column("Different", "numbers"),
    Column("Missing", "numbers"),
    Column("Most frequent, with their rows"),
)


def page_of(checked: Checked, command: str | None = None) -> Page:
    """The page of a check."""
    found = checked.found
    return Page(
        title=f"What is in {found.name}",
        subtitle="A look at a file before it is evaluated",
        verdict=(checked.headline, _roles(found)),
        cautions=tuple(Caution(note.title, said(untied(note.text))) for note in checked.notes),
        parts=(_columns(found), _next(checked), method([("Data", checked.source)], command)),
        version=version(),
        kind="check of a file",
    )


def _roles(found: Inspection) -> str:
    gold = "Which column holds the gold labels is not clear" if found.gold is None else f"'{found.gold}' is gold"
    if not found.preds:
        return f"{gold}; no column of predictions was recognized."
    return f"{gold}; predictions are in {listed(found.preds)}."


def _columns(found: Inspection) -> Part:
    rows = tuple(_row(column) for column in found.columns)
    note = "A role with a question mark is guessed from the labels of the column."
    unsure = any(not column.sure for column in found.columns)
    return Part("columns", "Columns", "Columns", (Listing("Columns", COLUMNS, rows, note if unsure else ""),))


def _row(column: ColumnFacts) -> tuple[str, ...]:
    role = f"{column.role or '–'}{'' if column.sure else '?'}"
    if column.problem is not None:
        return column.name, role, "", "", column.problem
    return column.name, role, f"{column.distinct:,}", f"{column.missing:,}", most_frequent(column, ROOM)


def _next(checked: Checked) -> Part:
    if checked.next.startswith("assay "):
        block: Facts | Prose = Facts((("Evaluate it", checked.next),), code=("Evaluate it",))
    else:
        block = Prose((said(checked.next),))
    return Part("next", "What to do next", "Next", (block,))
