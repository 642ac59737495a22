"""How a page ends: how its numbers were made, from which data, and the command that makes them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.report.page.blocks import Facts, Part
from assay.uncertainty.results import version

# What people call the parts of provenance whose own names are short.
NAMES = {"source": "Data", "n": "Rows", "gold": "Gold", "pred": "Labels", "score": "Scores", "count": "Row counts"}
COLUMNS = ("gold", "pred", "score", "cluster", "weight", "count")  # what names columns
CODE = ("Command", "Signature")


def method(facts: Iterable[tuple[str, str]], command: str | None) -> Part:
    """The last part of a page."""
    told = [*facts, ("Version", f"assay {version()}"), *([("Command", command)] if command else [])]
    return Part("method", "Method", "Method", (Facts(tuple(told), code=CODE),))


def data_facts(provenance: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Where the data came from and how they were read, a line for each part of it."""
    for name, value in provenance.items():
        text = _written(value)
        if text:
            text = f"column {text}" if name in COLUMNS else text
            yield NAMES.get(name, name[:1].upper() + name[1:]), text


def said(note: str) -> str:
    """A note as a sentence; not for one that begins with a name from the data."""
    return ended(f"{note[:1].upper()}{note[1:]}")


def ended(note: str) -> str:
    """A note with a full stop."""
    return note if note.endswith((".", "!", "?")) else f"{note}."


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(_named(str(name), _written(of)) for name, of in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_written, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    return name if name == text else f"{name}: {text}"
