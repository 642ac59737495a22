"""Names and ids in messages."""

from __future__ import annotations

from collections.abc import Iterable

from assay.errors import listed

LONGEST = 60  # characters of an id that a message shows


def shown(text: bytes | str) -> str:
    """An id as a message shows it: cut if it is long, and with backslashes where it is not UTF-8."""
    text = text if isinstance(text, str) else text.decode(errors="backslashreplace")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def quoted(text: bytes | str) -> str:
    """The same in quotes."""
    return f"'{shown(text)}'"


def some(ids: Iterable[bytes | str], most: int = 3) -> str:
    """The first ids in quotes, and how many more there are."""
    return listed(map(shown, ids), most)
