"""What a page of a function says besides its docstring: arguments in words, an example, and where to read on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

TEXTS = Path(__file__).parent / "texts" / "usage.toml"


def texts() -> dict[str, str]:
    """The texts by the name of the function."""
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))


def of(name: str) -> Iterator[str]:
    """What is added to the page of a function."""
    if name in texts():
        yield texts()[name]
