"""Blocks of words: a table that is read and not compared, things to do, and several blocks that stand as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from assay.report.page.blocks import Block, Figure


@dataclass(frozen=True)
class Column:
    """A column of a listing: its head, and whether it holds words, numbers, or what is typed."""

    head: str
    holds: str = "words"  # words, numbers, code


@dataclass(frozen=True)
class Listing(Block):
    """A table of words, in a frame that scrolls by itself where it is too wide; the first column names the row."""

    template: ClassVar[str] = "listing.html"
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Step:
    """One thing to do: its name, the name it is typed by, why, what to know of it, and how it is done."""

    title: str
    text: str
    name: str | None = None
    note: str | None = None
    how: str | None = None


@dataclass(frozen=True)
class Steps(Block):
    """Things to do, the most important first."""

    template: ClassVar[str] = "steps.html"
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Stack(Block):
    """Blocks below each other that stand as one, such as in a column."""

    template: ClassVar[str] = "stack.html"
    blocks: tuple[Block, ...]

    @property
    def figures(self) -> Iterator[Figure]:
        """Those of its blocks."""
        for block in self.blocks:
            yield from block.figures
