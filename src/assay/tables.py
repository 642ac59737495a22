"""Small tables shown next to the measures of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.texts import typed


@dataclass(frozen=True)
class Cell:
    """One entry of a section: a number or a word, a share next to it, and whether it is good news."""

    text: str
    note: str = ""
    tone: str = "plain"  # plain, good, bad; best: the best of its row
    value: float | None = None  # the number itself, for programs
    share: tuple[float, float] | None = None  # hits and trials, where their share may have an interval next to it

    @classmethod
    def of(cls, value: float, note: str = "", tone: str = "plain", share: tuple[float, float] | None = None) -> Cell:
        """A number, written out."""
        return cls(count_text(value), note, tone, whole(value), share)


@dataclass(frozen=True)
class Section:
    """A small table that a family shows next to its measures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    note: str = ""
    shares: str = ""  # a remark on the notes of its cells, where there is room for them
    beside: str = "intervals"  # what the notes of its cells are called, where there is no room for them
    brief: tuple[int, ...] | None = None  # the rows that a terminal shows, where it does not show all
    narrow: Section | None = None  # what a terminal without room for its columns shows instead
    role: str = ""  # what it is, for a page that shows it in its own way: errors, slices, datasets, ranks, …

    def to_dict(self) -> dict[str, Any]:
        """The table in JSON's own types: numbers where there are any, otherwise text."""
        cells = {typed(name): [typed(c.text) if c.value is None else c.value for c in row] for name, row in self.rows}
        return {"title": self.title, "columns": list(self.columns), "rows": cells, "note": self.note}


def whole(x: float) -> float:
    """A count as a whole number; a sum of weights as it is."""
    return int(x) if float(x).is_integer() else float(x)


def count_text(x: float) -> str:
    """A count with thousands separators; a sum of weights with one decimal."""
    return f"{x:,.0f}" if float(x).is_integer() else f"{x:,.1f}"
