"""Small pieces of Markdown that several reference pages share."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

WRITTEN = "% Written by `make docs`; edit the code instead.\n"


def page(title: str, *blocks: str) -> str:
    """A page: its title and what follows, each block apart from the next."""
    return "\n\n".join([WRITTEN + f"\n# {title}", *(block.strip("\n") for block in blocks if block)]) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar within a cell stays a bar."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
    )


def toctree(names: Iterable[str], caption: str = "", *, hidden: bool = True) -> str:
    """A list of pages below this one."""
    lines = ["```{toctree}", *([f":caption: {caption}"] if caption else []), *([":hidden:"] if hidden else [])]
    return "\n".join([*lines, *names, "```"])


def prose(docstring: str | None) -> str:
    """A docstring as paragraphs, without the list of options that is added for `help()`."""
    text = inspect.cleandoc(docstring or "")
    return re.split(r"\n\nOptions\n-+\n", text)[0]


def code(text: str, language: str = "text") -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```"
