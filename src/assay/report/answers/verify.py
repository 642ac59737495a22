"""A report recomputed, as text and as a page: the same numbers, or which ones differ."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.verify import Change, Verified
from assay.report.contents.blocks import Caution, Column, Listing, Page, Part
from assay.report.findings.ending import method, said
from assay.texts import visible_line
from assay.uncertainty.results import version

FIRST = 5  # changes that a terminal shows
MOST = 200  # changes that are listed
COLUMNS = (Column("Row"), Column("Number"), Column("In the report", "numbers"), Column("Recomputed", "numbers"))


def as_text(found: Verified, width: int = 100) -> str:
    """The sentences, and the first of the changes."""
    left = len(found.changes) - FIRST
    lines = [*found.sentences, *map(str, found.changes[:FIRST]), *([f"and {left} more"] if left > 0 else [])]
    return "\n".join(map(visible_line, lines)) + "\n"


def page_of(found: Verified, command: str | None = None) -> Page:
    """The page of a recomputed report."""
    first, *rest = map(said, found.sentences)
    return Page(
        title=f"Does {found.file} give {found.result}?",
        subtitle="A report recomputed from its file",
        verdict=(first, *rest),
        cautions=tuple(_cautions(found)),
        parts=tuple(_parts(found, command)),
        version=version(),
    )


def _cautions(found: Verified) -> Iterator[Caution]:
    if found.same:
        yield Caution(
            "Agreement is not correctness.", "The file and the report agree; that does not make either right."
        )


def _parts(found: Verified, command: str | None) -> Iterator[Part]:
    if found.changes:
        rows = tuple(_row(change) for change in found.changes[:MOST])
        left = len(found.changes) - MOST
        listing = Listing("Changes", COLUMNS, rows, f"And {left:,} more." if left > 0 else "")
        yield Part("changes", "What changed", "Changes", (listing,))
    before, now = found.fingerprints
    facts = [("Report", found.result), ("Made by", f"assay {found.made_by}"), ("File", found.file)]
    gold = f"{now}" if before == now else f"{now}; {before} in the report"
    yield method([*facts, ("Rows compared", f"{found.rows:,}"), ("Gold fingerprint", gold)], command)


def _row(change: Change) -> tuple[str, ...]:
    if not change.what:
        return change.row, "", "", str(change.now)
    return change.row, change.what, _number(change.was), _number(change.now)


def _number(value: object) -> str:
    return "–" if value is None else str(value)
