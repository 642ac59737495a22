"""Blocks of words: a table that is read and not compared, and things to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.report.page.blocks import Block


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
