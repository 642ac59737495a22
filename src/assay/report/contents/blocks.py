"""What a page is made of: plain values in reading order, before anything becomes HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from assay.report.charts.drawing import Drawing
from assay.tables import Section


@dataclass(frozen=True)
class Block:
    """A piece of a part. A new kind of block comes with its own template."""

    template: ClassVar[str]
    needs_script: ClassVar[bool] = False  # whether it shows nothing without scripts

    @property
    def figures(self) -> Iterator[Figure]:
        """The charts in it, to be written as files."""
        return iter(())


@dataclass(frozen=True)
class Prose(Block):
    """Paragraphs; a caution has a bar beside it."""

    template: ClassVar[str] = "prose.html"
    paragraphs: tuple[str, ...]
    tone: str = "plain"  # plain, note, caution


@dataclass(frozen=True)
class Table(Block):
    """A small table with its notes, in a frame that scrolls by itself if it is too wide."""

    template: ClassVar[str] = "table.html"
    section: Section
    of: str | None = None  # the system it belongs to, if there are several


@dataclass(frozen=True)
class Figure(Block):
    """A chart with its title above it; `name` is that of its file."""

    template: ClassVar[str] = "figure.html"
    name: str
    drawing: Drawing
    subtitle: str = ""

    @property
    def figures(self) -> Iterator[Figure]:
        """This one."""
        yield self


@dataclass(frozen=True)
class Wide(Figure):
    """A chart as wide as the page, and one for a phone; a file has the wide one."""

    template: ClassVar[str] = "wide.html"
    narrow: Drawing | None = None
    told: str = ""  # below the title on a phone, where the narrow chart has no room for it


@dataclass(frozen=True)
class Group(Block):
    """Several blocks that act as one."""

    blocks: tuple[Block, ...]

    @property
    def figures(self) -> Iterator[Figure]:
        """Those of its blocks."""
        for block in self.blocks:
            yield from block.figures


@dataclass(frozen=True)
class Columns(Group):
    """Blocks side by side where there is room, and below each other where there is not."""

    template: ClassVar[str] = "columns.html"


@dataclass(frozen=True)
class Stack(Group):
    """Blocks below each other, for one column."""

    template: ClassVar[str] = "stack.html"


@dataclass(frozen=True)
class Hero(Group):
    """Blocks below a strong line that show a finding at a glance."""

    template: ClassVar[str] = "hero.html"


@dataclass(frozen=True)
class Folded(Group):
    """Blocks behind a line that opens them."""

    template: ClassVar[str] = "folded.html"
    title: str = ""


@dataclass(frozen=True)
class Facts(Block):
    """Terms with a text for each; text to type or copy is shown as code."""

    template: ClassVar[str] = "facts.html"
    facts: tuple[tuple[str, str], ...]
    code: tuple[str, ...] = ()  # the terms whose text is code


@dataclass(frozen=True)
class Caution:
    """Something to know before relying on the numbers; `of` is the part of the page that says more."""

    title: str
    text: str
    of: str | None = None
    systems: tuple[str, ...] = ()  # the systems that it is about; none if it is about all of them


@dataclass(frozen=True)
class Part:
    """A part of the page under a heading; `nav` is its short name in the list of parts."""

    id: str
    title: str
    nav: str
    blocks: tuple[Block, ...]
    lead: tuple[str, ...] = ()

    @property
    def needs_script(self) -> bool:
        """Whether it has nothing to show without scripts."""
        return bool(self.blocks) and all(block.needs_script for block in self.blocks)


LONGEST_HEADING = 96  # letters of a heading that stays a heading, each name counted as one of usual length
USUAL_NAME = 10


@dataclass(frozen=True)
class Page:
    """A page: what was found, what to know before relying on it, then the parts that show it."""

    title: str  # who was judged on what, in the line at the top
    subtitle: str
    verdict: tuple[str, ...]  # the first sentence is the heading
    cautions: tuple[Caution, ...]  # most urgent first
    parts: tuple[Part, ...]
    version: str = ""
    opening: tuple[Block, ...] = ()  # what shows the finding
    facts: str = ""  # how it was found, in one line
    standing: str = ""  # what holds for every page of this kind
    names: tuple[str, ...] = ()  # names from the data, which sentences contain

    @property
    def hero(self) -> Hero:
        """What shows the finding, as one block."""
        return Hero(self.opening)

    @property
    def heading(self) -> str:
        """The finding; a long one ends where its first statement ends."""
        return self._divided[0]

    @property
    def rest(self) -> tuple[str, ...]:
        """The sentences after the heading."""
        left = self._divided[1]
        return (*([left] if left else []), *self.verdict[1:])

    @property
    def _divided(self) -> tuple[str, str]:
        first = self.verdict[0] if self.verdict else self.title
        # Nothing in a name or in quotation marks ends a statement.
        held = "|".join([*map(re.escape, sorted(filter(None, self.names), key=len, reverse=True)), "“[^”]*”"])
        ends = [found for found in re.finditer(rf"{held}|(; )", first) if found[1]]
        length = len(re.sub(held, "x" * USUAL_NAME, first))
        if length <= LONGEST_HEADING or not ends:
            return first, ""
        head, left = first[: ends[0].start()], first[ends[0].end() :]
        return f"{head}.", f"{left[:1].upper()}{left[1:]}"

    def nav_of(self, part: str) -> str:
        """The short name of a part."""
        return next((each.nav for each in self.parts if each.id == part), "More")

    @property
    def figures(self) -> Iterator[Figure]:
        """Every chart of the page, in order."""
        for block in self.opening:
            yield from block.figures
        for part in self.parts:
            for block in part.blocks:
                yield from block.figures


@dataclass(frozen=True)
class Column:
    """A column of a listing: its head, and whether it holds words, numbers, or what is typed."""

    head: str
    holds: str = "words"  # words, numbers, code


@dataclass(frozen=True)
class Listing(Block):
    """A table of words, in a frame that scrolls by itself if it is too wide; the first column names the row."""

    template: ClassVar[str] = "listing.html"
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Step:
    """One thing to do: its title, the name to type, why, what to know about it, and how to do it."""

    title: str
    text: str
    name: str | None = None
    note: str | None = None
    how: str | None = None


@dataclass(frozen=True)
class Steps(Block):
    """Things to do, most important first."""

    template: ClassVar[str] = "steps.html"
    steps: tuple[Step, ...]
