"""Advice as text and as a page: what to report, why, what that hides, and how to get it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from assay.advice.advise import Advice
from assay.advice.commands import LATER, Piece
from assay.report.contents.blocks import Block, Caution, Column, Listing, Page, Part, Prose, Step, Steps
from assay.report.findings.ending import method, said, titled_note
from assay.report.names import clean
from assay.report.text.lines import padded
from assay.report.text.wrapping import wrapped
from assay.uncertainty.results import version

DATA = "In Python, data is the table as a pandas frame."
IN_MEMORY = re.compile(r"\bdata\b[\[.,)]")  # a call that reads the table from memory
LOOKS = (
    ("classifier", "gold,pred", "the true class and the predicted one, or those of several systems"),
    ("", "gold,score", "the same with a score; gold,p_cat,p_dog with one for each class"),
    ("clustering", "gold,cluster", "the true class and a group; gold,cluster_1,cluster_2 with shares"),
    ("ranking", "query,doc,score,relevance", "a document in each row; rank may replace score"),
    ("annotators", "unit,rater,label", "a rating in each row; or a unit in each: rater_1,rater_2"),
)


def as_text(advice: Advice, width: int = 100) -> str:
    """Sentences with their commands first, then a short table of what each measure hides.

    Names from the data are cleaned; commands are not broken, so that they can be copied.
    """
    lines = _wrapped(" ".join(advice.summary), width)
    for doubt in advice.doubts:
        lines += _wrapped(doubt, width, " watch   ", " " * 9)
    for at, piece in enumerate(advice.pieces, start=1):
        lines += ["", *_wrapped(_sentence(piece), width, f"{at:>3}  ", " " * 5)]
        lines += [] if piece.how is None else [f"     {clean(piece.how)}"]
    if any(IN_MEMORY.search(piece.how or "") for piece in advice.pieces):
        lines += ["", DATA]
    lines += _table([piece for piece in advice.pieces if piece.hides is not None], width)
    if advice.family is None:
        lines += ["", "Files look like this:", *(f"  {name:<12}{header:<27}{text}" for name, header, text in LOOKS)]
    return "\n".join(lines) + "\n"


def _sentence(piece: Piece) -> str:
    spelled = piece.measure is not None and piece.measure != piece.report.lower()
    name = f"{piece.report} ({piece.measure})" if spelled else piece.report
    later = f" It is {LATER}." if piece.later else ""
    return f"{name}: {piece.why}{later}"


def _wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return wrapped(clean(text), max(width, 40), first, rest)


def _table(pieces: Sequence[Piece], width: int) -> list[str]:
    """What to report, and what that hides."""
    if not pieces:
        return []
    names = [clean(piece.report) for piece in pieces]
    left = max(cell_len(name) for name in [*names, "report"]) + 3
    out = ["", f" {padded('report', left)}what it hides", "─" * width]
    for piece, name in zip(pieces, names, strict=True):
        first, *rest = _wrapped(str(piece.hides), width - left - 1)
        out += [f" {padded(name, left)}{first}", *(f" {'':<{left}}{line}" for line in rest)]
    return out


# ---------------------------------------------------------------------- the page
def page_of(advice: Advice, command: str | None = None) -> Page:
    """The page of advice."""
    return Page(
        title=f"What to report for {advice.source}",
        subtitle="Advice based on the contents of the file, before anything is evaluated",
        verdict=advice.summary,
        cautions=tuple(Caution(*titled_note(doubt)) for doubt in advice.doubts),
        parts=tuple(_parts(advice, command)),
        version=version(),
    )


def _parts(advice: Advice, command: str | None) -> Iterator[Part]:
    if advice.pieces:
        blocks: list[Block] = [Steps(tuple(map(_step, advice.pieces)))]
        if any(IN_MEMORY.search(piece.how or "") for piece in advice.pieces):
            blocks.append(Prose((DATA,), "note"))
        yield Part("report", "What to report", "Report", tuple(blocks), ("The most important first.",))
    if advice.roles:
        yield Part("roles", "How the columns were read", "Columns", (_roles(advice),))
    if advice.family is None:
        yield Part("files", "What files look like", "Files", (_looks(),))
    yield method([("Data", advice.source)], command)


def _step(piece: Piece) -> Step:
    later = f" It is {LATER}." if piece.later else ""
    hides = None if piece.hides is None else f"What it hides: {said(piece.hides)}"
    return Step(piece.report, f"{said(piece.why)}{later}", piece.measure, hides, piece.how)


def _roles(advice: Advice) -> Listing:
    columns = (Column("Column"), Column("Role"), Column("Known by"))
    rows = tuple((each.column, f"{each.role}{'' if each.sure else '?'}", each.by) for each in advice.roles)
    return Listing("Roles", columns, rows)


def _looks() -> Listing:
    columns = (Column("Family"), Column("Header", "code"), Column("What is in a row"))
    return Listing("Headers", columns, LOOKS)
