"""Text in lines that fit, by the columns it takes on screen: broken at blanks, not at hyphens or before a p-value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

# A no-break space ties words together, and so does the sign of a p-value.
_WORD = re.compile(r"\(?\bp [=≤<] [^ \n\t]+|[^ \n\t]+")


def spans(text: str, width: int, first: int = 0, then: int = 0) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends; the first is `first` columns shorter, the others are `then` columns shorter.

    Only a word that is longer than a line is broken.
    """
    start = end = None
    room = max(width - first, 1)
    for word in _WORD.finditer(text):
        if start is not None and end is not None:
            if cell_len(text[start : word.end()]) <= room:
                end = word.end()
                continue
            yield start, end
            room = max(width - then, 1)
        start, end = word.span()
        while cell_len(text[start:end]) > room:
            cut = start + _fitting(text[start:end], room)
            yield start, cut
            start, room = cut, max(width - then, 1)
    if start is not None and end is not None:
        yield start, end


def _fitting(word: str, room: int) -> int:
    """How many characters of a word fit, at least one."""
    n, taken = 0, 0
    for sign in word:
        taken += cell_len(sign)
        if taken > room and n:
            break
        n += 1
    return n


def wrapped(text: str, width: int, first: str = "", then: str = "") -> list[str]:
    """The lines of a text, the first after one indent and the others after another."""
    lines = [text[a:b] for a, b in spans(text, width, cell_len(first), cell_len(then))]
    return [f"{then if i else first}{line}" for i, line in enumerate(lines)]


def wrapped_text(text: Text, width: int) -> Iterator[Text]:
    """The lines of a text with its colors; words that were tied together for that get an ordinary blank."""
    for start, end in spans(text.plain, width):
        line = text[start:end]
        line.plain = line.plain.replace("\u00a0", " ")
        yield line
