"""Sentences about a tally: from its family, in a file of the family's name, or else the ones below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import plural
from assay.jobs.answers.results import System
from assay.lazily import family_module, family_name
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.uncertainty.one.shares import mid_p


def _own(tally: Tally, what: str) -> Callable[..., Any] | None:
    """The function by which the family of this tally describes it, if it has a file with that function."""
    say: Callable[..., Any] | None = getattr(family_module("report.families", family_name(type(tally))), what, None)
    return say


def described(tally: Tally) -> str:
    """How many items there are and of what, in a few words."""
    say = _own(tally, "described")
    return plural(tally.n, tally.item) if say is None else str(say(tally))


def headline(tally: Tally, system: str) -> str:
    """One plain sentence about the sample."""
    say = _own(tally, "headline")
    return f"{system}: {plural(tally.n, tally.item)}." if say is None else str(say(tally, system))


def contrast(a: Tally, b: Tally, names: tuple[str, str]) -> str | None:
    """What two systems do with a thousand such items, in one plain sentence, where there is one."""
    say = _own(a, "contrast")
    if say is None or type(a) is not type(b) or a.n != b.n:
        return None
    text: str | None = say(a, b, names)
    return text


def sections(tally: Tally, rows: str = "gold", tables: Sequence[str] = ()) -> list[Section]:
    """Tables that help to read the measures; `rows` is the orientation, `tables` adds more."""
    say = _own(tally, "sections")
    return [] if say is None else list(say(tally, rows, tables))


def warnings(tally: Tally) -> list[str]:
    """What a reader should know about these data before relying on any number."""
    say = _own(tally, "warnings")
    return [] if say is None else list(say(tally))


# ---------------------------------------------------------------------- of a system in a report
def system_headline(system: System) -> str:
    """The first sentence about a system."""
    if not system.tallies:
        return system.lead
    return f"{system.lead}{headline(system.tallies[0], system.name)}"


def system_sections(system: System) -> list[Section]:
    """The tables of its families, with limits next to shares where a level is named."""
    if system.rows is None:
        return []
    every = [section for tally in system.tallies for section in sections(tally, system.rows, system.wanted)]
    return every if system.level is None else [with_intervals(section, system.level) for section in every]


def system_warnings(system: System) -> list[str]:
    """What its families say to watch for."""
    return [warning for tally in system.tallies for warning in warnings(tally)]


def with_intervals(section: Section, level: float) -> Section:
    """Shares of counted items with mid-P limits next to them."""

    def shown(cell: Cell) -> Cell:
        if cell.share is None:
            return cell
        hits, trials = cell.share
        low, high = mid_p(hits, trials, level)
        return Cell(cell.text, f"{100 * low:.1f}–{100 * high:.1f}%", cell.tone, cell.value, cell.share)

    rows = tuple((name, tuple(shown(cell) for cell in cells)) for name, cells in section.rows)
    return replace(section, rows=rows)
