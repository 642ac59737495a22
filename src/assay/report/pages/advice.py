"""The page of advice: what to report, why, what that hides, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.advice.commands import LATER, Piece
from assay.report.page.blocks import Block, Caution, Column, Listing, Page, Part, Prose, Step, Steps
from assay.report.page.ending import method, said
from assay.uncertainty.results import version

if TYPE_CHECKING:
    from assay.advice.advise import Advice


def page_of(advice: Advice, command: str | None = None) -> Page:
    """The page of advice."""
    return Page(
        title=f"What to report for {advice.source}",
        subtitle="Advice from what is in the file, before anything is evaluated",
        verdict=advice.summary,
        cautions=tuple(Caution("Watch.", said(doubt)) for doubt in advice.doubts),
        parts=tuple(_parts(advice, command)),
        version=version(),
        kind="advice",
    )


def _parts(advice: Advice, command: str | None) -> Iterator[Part]:
    from assay.advice.advise import IN_MEMORY

    if advice.pieces:
        blocks: list[Block] = [Steps(tuple(map(_step, advice.pieces)))]
        if any(IN_MEMORY.search(piece.how or "") for piece in advice.pieces):
            blocks.append(Prose(("In Python, data is the table as a pandas frame.",), "note"))
        yield Part("report", "What to report", "Report", tuple(blocks), ("The most important first.",))
    if advice.roles:
        yield Part("roles", "What the columns were taken for", "Columns", (_roles(advice),))
    if advice.family is None:
        yield Part("files", "What files look like", "Files", (_looks(),))
    yield method([("Data", advice.source)], command)


def _step(piece: Piece) -> Step:
    later = f" It is {LATER}." if piece.later else ""
    hides = None if piece.hides is None else f"What it hides: {said(piece.hides)}"
    return Step(piece.report, f"{said(piece.why)}{later}", piece.measure, hides, piece.how)


def _roles(advice: Advice) -> Listing:
    columns = (Column("Column"), Column("Role"), Column("Known"))
    rows = tuple((each.column, f"{each.role}{'' if each.sure else '?'}", each.by) for each in advice.roles)
    return Listing("Roles", columns, rows)


def _looks() -> Listing:
    from assay.advice.advise import LOOKS

    columns = (Column("Family"), Column("Header", "code"), Column("What stands in a row"))
    return Listing("Headers", columns, LOOKS)
