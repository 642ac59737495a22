"""Which column plays which role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from assay.errors import DataError, listed, nearest

ALIASES: Final = {
    "id": ("id", "sample_id", "example_id"),
    "gold": ("gold", "y_true", "target", "label", "reference"),
    "pred": ("pred", "y_pred", "prediction"),
    "score": ("score", "y_score", "proba"),
}


def find(role: str, columns: Sequence[str], given: str | None = None, source: str = "data") -> str:
    """The column that plays this role: the one given, or the only one with a usual name for it."""
    if given is not None:
        return _existing(given, columns, source)
    usual = [column for column in columns if column.strip().lower() in ALIASES[role]]
    if len(usual) == 1:
        return usual[0]
    choose = f"choose one with --{role} COL (in Python: {role}='COL')"
    if usual:
        raise DataError(f"{source} has several columns that could be {role}: {listed(usual)}; {choose}")
    raise DataError(f"{source} has no column called {listed(ALIASES[role])}; it has {listed(columns)}; {choose}")


def refuse_duplicates(columns: Sequence[str], source: str, *, ignore_case: bool = False) -> None:
    """Nothing, unless two columns have the same name: then an error that names them."""
    times = Counter(column.lower() if ignore_case else column for column in columns)
    twice = [column for column in columns if times[column.lower() if ignore_case else column] > 1]
    if twice:
        alike = "the same name but for capitals" if len(set(twice)) == len(twice) else "the same name"
        raise DataError(f"{source} has columns with {alike}: {listed(twice)}; rename all but one")


def _existing(given: str, columns: Sequence[str], source: str) -> str:
    if given in columns:
        return given
    by_lower = {column.lower(): column for column in columns}
    close = nearest(given.lower(), by_lower)
    hint = f" Did you mean '{by_lower[close]}'?" if close is not None else ""
    raise DataError(f"{source} has no column '{given}'; it has {listed(columns)}.{hint}")
