"""Facts that a declaration holds beside its formula, and how options are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.tally.base import Tally


@dataclass(frozen=True)
class Worked:
    """An example counted by hand: a tally, the options, the value, and the counting in words."""

    tally: Tally
    options: Mapping[str, Any]
    value: float
    how: str


@dataclass(frozen=True)
class Hides:
    """Two tables that the measure cannot tell apart, though one of them is clearly better, and what tells them."""

    tables: tuple[Tally, Tally]
    why: str
    told_by: str  # a measure that differs between the two


@dataclass(frozen=True)
class Convention:
    """The value that is shown where the formula is 0/0, and why that value."""

    value: float
    why: str


def in_tuples(value: Any) -> Any:
    """A matrix, whatever it came as, in tuples of rows, so that options can be compared; anything else as it is."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return tuple(in_tuples(row) for row in rows) if isinstance(rows, list | tuple) else rows


def written(value: object) -> str:
    """An option as a spelling holds it: a matrix as its rows, divided by semicolons; a single number has one too."""
    if isinstance(value, tuple):
        rows = ";".join(" ".join(f"{x:.15g}" for x in row) for row in value)
        return rows if " " in rows or ";" in rows else f"{rows};"
    return str(value)
