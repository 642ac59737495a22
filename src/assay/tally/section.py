"""Small tables that families show beside their measures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """One entry of a section: a number, a word and a share beside it, and whether it is good news."""

    text: str
    note: str = ""
    tone: str = "plain"  # plain, good, bad


@dataclass(frozen=True)
class Section:
    """A small table that a family shows beside its measures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    note: str = ""
    shares: str = ""  # what is said of the notes of its cells, where there is room for them
