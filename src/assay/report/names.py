"""Names from the data as they are shown: harmless, and cut to a size in which they can still be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from rich.cells import cell_len, set_cell_size

SHORT = 28  # letters of a name where there is little room
LEFT_TO_RIGHT = "\u200e"  # the mark that keeps numbers in order after a name that runs from right to left


def clean(text: str) -> str:
    """Text without control characters: names from the data must not steer the terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)


def short(name: str, most: int = 24) -> str:
    """A name from the data that leaves room for the numbers."""
    name = clean(name)
    return name if cell_len(name) <= most else set_cell_size(name, most - 1).rstrip() + "…"


def middle_cut(name: str, most: int = 24) -> str:
    """A name from the data, cut in the middle because similar names often differ at their ends."""
    return _without(clean(name), most - 1 - (most - 1) // 3, most)


def cut_alike(names: Sequence[str], most: int) -> dict[str, str]:
    """Names cut to the same size so that they stay distinct: at the end, where they begin alike, or in the middle."""
    full = {name: clean(name) for name in names}
    alike = takewhile(lambda signs: len({*signs}) == 1, zip(*full.values(), strict=False))
    start = len(list(alike))
    ways: tuple[Callable[[str], str], ...] = (
        lambda text: short(text, most),
        lambda text: short(f"…{text[start:]}", most),
        lambda text: _without(text, most // 2, most),
    )
    cut = [{name: way(text) for name, text in full.items()} for way in ways]
    return next((each for each in cut if len({*each.values()}) == len(each)), None) or telling_apart(full, most)


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
