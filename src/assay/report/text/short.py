"""Names cut to a size in which they can still be told apart, however much they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rich.cells import cell_len, set_cell_size


def telling_apart(full: Mapping[str, str], most: int) -> dict[str, str]:
    """The names with a piece left out at the one place where they stay distinct; if there is none, they are numbered.

    A name that fits is shown as it is.
    """
    best: dict[str, str] = {}
    for start in sorted(range(most), key=lambda start: abs(2 * start - most)):
        cut = {name: _without(text, start, most) for name, text in full.items()}
        if len({*cut.values()}) > len({*best.values()}) or not best:
            best = cut
        if len({*cut.values()}) == len(full):
            return cut
    return _numbered(best, most)


def _without(text: str, start: int, most: int) -> str:
    """The text without the piece after its first cells, so that it fits."""
    if cell_len(text) <= most:
        return text
    end = most - 1 - start
    tail = set_cell_size(text[::-1], end)[::-1] if end > 0 else ""
    return f"{set_cell_size(text, start)}…{tail}"


def _numbered(cut: Mapping[str, str], most: int) -> dict[str, str]:
    """The names, with numbers after those that are the same."""
    times, seen, out = Counter(cut.values()), Counter[str](), {}
    for name, text in cut.items():
        seen[text] += 1
        number = f"~{seen[text]}" if times[text] > 1 else ""
        out[name] = f"{set_cell_size(text, most - len(number)).rstrip()}{number}" if number else text
    return out
