"""Rows of judgments as codes: who was shown first, who second, and which of the two won, however it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, listed, plural
from assay.sources.arrays import Coded
from assay.sources.columns import compact
from assay.tally.contract.sampling import Ints

FIRST_WON, TIE, SECOND_WON = 0, 1, 2
# Words for the winner, compared by their letters and digits without case. A word that is also the name of a system
# means that system and nothing else.
TIES: Final = ("tie", "tied", "draw", "both", "both good", "both bad", "tie (both bad)", "equal", "same", "neither")
IN_A: Final = ("a", "model a", "system a")
IN_B: Final = ("b", "model b", "system b")


@dataclass(frozen=True)
class Rows:
    """Codes of the systems shown first and second and of the result, and which of the given rows they are."""

    first: Ints
    second: Ints
    result: Ints
    kept: NDArray[np.bool_]

    @classmethod
    def of(cls, columns: Mapping[str, Coded], systems: tuple[str, ...], missing: str) -> Self:
        """The rows, or an error about the first that is invalid."""
        place = {name: i for i, name in enumerate(systems)}
        a, b = (_coded(columns[name], place, name) for name in ("a", "b"))
        _refuse(a == b, lambda i: f"'{systems[a[i]]}' is compared with itself", "a judgment is between two systems")
        won, lost = _winners(columns["winner"], systems, a, b)
        kept = won | lost | _ties(columns["winner"], systems)
        empty = _missing(columns["winner"], systems) & ~kept
        if missing == "error":
            todo = "leave such rows out with --missing skip (missing='skip'), or count them as ties with --missing tie"
            _refuse(empty, lambda i: "winner is missing", todo)
        kept |= empty & (missing == "tie")
        texts = columns["winner"].texts
        _refuse(
            ~kept & ~empty,
            lambda i: f"winner is '{texts[i]}' for '{systems[a[i]]}' vs. '{systems[b[i]]}'",
            f"expected the name of one of the two, 'a' or 'b' for its column ('model_a', 'model_b' and "
            f"'system_a', 'system_b' too), or a word for a tie: {listed(TIES)}",
            lambda i: _alike(str(texts[i]), (systems[a[i]], systems[b[i]])),
        )
        if not kept.any():
            raise DataError("no judgment has a winner: there is nothing to evaluate.")
        swapped = np.zeros(len(a), bool)
        if "first" in columns:
            shown = _coded(columns["first"], place, "first", known=False)
            _refuse(
                (shown != a) & (shown != b),
                lambda i: f"first is '{columns['first'].texts[i]}' for '{systems[a[i]]}' vs. '{systems[b[i]]}'",
                "expected the name of the system that was shown first",
            )
            swapped = shown == b
        result = np.where(won, FIRST_WON, np.where(lost, SECOND_WON, TIE))
        result = np.where(swapped, 2 - result, result)
        one, other = np.where(swapped, b, a), np.where(swapped, a, b)
        return cls(one[kept], other[kept], result[kept].astype(np.int64), kept)


def _winners(winner: Coded, systems: tuple[str, ...], a: Ints, b: Ints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the system in column a won, and where that in column b did: by its name, or by the name of its column."""
    place = {name: i for i, name in enumerate(systems)}
    code = np.array([*(place.get(label, -1) for label in winner.labels), -1], np.int64)[winner.codes]
    return (code == a) | _worded(winner, systems, IN_A), (code == b) | _worded(winner, systems, IN_B)


def _ties(winner: Coded, systems: tuple[str, ...]) -> NDArray[np.bool_]:
    return _worded(winner, systems, TIES)


def _worded(winner: Coded, systems: Sequence[str], words: Sequence[str]) -> NDArray[np.bool_]:
    """Where the winner is one of these words, unless it is the name of a system."""
    meant = {compact(word) for word in words} - {compact(name) for name in systems}
    return np.array([*(compact(label) in meant for label in winner.labels), False], bool)[winner.codes]


def tie_words(winner: Coded, systems: Sequence[str]) -> dict[str, int]:
    """How many rows have each of the words that were counted as ties, as they are spelled; the most frequent first."""
    rows = winner.codes[_worded(winner, systems, TIES)]
    found = zip(*(each.tolist() for each in np.unique(rows, return_counts=True)), strict=True)
    return {winner.labels[code]: n for code, n in sorted(found, key=lambda each: -each[1])}


def named_like_words(winner: Coded, systems: Sequence[str]) -> list[str]:
    """Winners that would mean a tie or a column if they were not names of systems."""
    words = {compact(word) for word in (*TIES, *IN_A, *IN_B)}
    return [label for label in winner.labels if label in systems and compact(label) in words]


def _missing(winner: Coded, systems: tuple[str, ...]) -> NDArray[np.bool_]:
    """Where there is no winner, or an empty string that is not the name of a system."""
    empty = (not label.strip() and label not in systems for label in winner.labels)
    return np.array([*empty, True], bool)[winner.codes]


def _coded(column: Coded, place: Mapping[str, int], name: str, *, known: bool = True) -> Ints:
    """The index of each row's system; −1 for unknown names, where these are allowed."""
    _refuse(column.codes < 0, lambda i: f"{name} is missing", "give the name of a system")
    broken = [x for x in column.originals if isinstance(x, float | np.floating) and not float(x).is_integer()]
    if broken:
        raise DataError(f"{name} contains the number {float(broken[0])!r}; names of systems are text or whole numbers.")
    codes = [place[label] if known else place.get(label, -1) for label in column.labels]
    return np.array(codes, np.int64)[column.codes]


def _refuse(bad: NDArray[np.bool_], came: Any, wanted: str, meant: Any = lambda i: None) -> None:
    """Refuse these rows, with what the first of them has, what was expected, and what was perhaps meant."""
    rows = np.flatnonzero(bad)
    if len(rows):
        first = int(rows[0])
        others = "" if len(rows) == 1 else f", and {plural(len(rows) - 1, 'more row')} like it"
        close = meant(first)
        hint = f" Did you mean '{close}'?" if close else ""
        raise DataError(f"{came(first)} in row {first + 1}{others}; {wanted}.{hint}")


def _alike(text: str, names: Sequence[str]) -> str | None:
    """The name that differs from the text only in case and blanks."""
    found = [name for name in names if "".join(name.split()).casefold() == "".join(text.split()).casefold()]
    return found[0] if len(found) == 1 else None
