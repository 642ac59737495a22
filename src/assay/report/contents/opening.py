"""What a page opens with, as plain values: large figures, an estimate on its axis, frequencies, who was right where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.report.contents.blocks import Block

WIDEST = 62.0  # percent of the width that the positives of a thousand take at most
REST = 32.0  # percent that is left for false alarms


@dataclass(frozen=True)
class Reading:
    """One system's value in large figures; `place` gives its mark and color, and None neither."""

    place: int | None
    name: str
    text: str
    limits: str


@dataclass(frozen=True)
class Readings(Block):
    """The values of the systems by the measure that the page is about."""

    template: ClassVar[str] = "readings.html"
    caption: str
    readings: tuple[Reading, ...]
    note: str = ""


@dataclass(frozen=True)
class OnAxis(Block):
    """An estimate with its interval on an axis, next to what it is compared with; places are in percent of the axis.

    A difference lies next to 0 and over the differences that chance alone gives, a value next to the no-model baseline.
    """

    template: ClassVar[str] = "on_axis.html"
    caption: str
    text: str
    at: float
    low: float | None
    high: float | None
    ends: tuple[str, str]  # the limits, as written below the bar
    ticks: tuple[tuple[float, str], ...]
    line: float | None = None  # what it is compared with
    sides: tuple[str, str] = ("", "")  # who is better on which side of the line
    line_name: str = ""
    hump: str = ""  # the outline of the draws, in a square of 100 by 100
    hump_name: str = ""
    hump_at: float = 0.0  # where its name ends, left of it, or begins, if that is 0 or `hump_left` is false
    hump_left: bool = False
    place: int | None = None  # the system that it is about, or that is ahead
    is_open: bool = False  # whether no difference was found
    note: str = ""


@dataclass(frozen=True)
class Frequency:
    """What a system does with a thousand items: positives that it finds and misses, and false alarms.

    Without a positive class, what it finds are the right answers and what it misses the wrong ones.
    """

    place: int
    name: str
    found: float
    missed: float
    alarms: float
    text: str


@dataclass(frozen=True)
class Frequencies(Block):
    """A thousand items, as bars of the same scale."""

    template: ClassVar[str] = "frequencies.html"
    caption: str
    rows: tuple[Frequency, ...]

    @property
    def unit(self) -> float:
        """Percent of the width that one item takes."""
        wanted = max((row.found + row.missed for row in self.rows), default=0.0)
        alarms = max((row.alarms for row in self.rows), default=0.0)
        widest = WIDEST if alarms else 100.0
        return min(widest / max(wanted, 1e-9), REST / alarms if alarms else 1e9)

    def width(self, items: float) -> float:
        """Percent of the width that this many items take."""
        return round(self.unit * items, 2)


@dataclass(frozen=True)
class Piece:
    """Part of a bar: how many items, what they are, and whose; None for nobody's."""

    items: int
    text: str
    place: int | None = None


@dataclass(frozen=True)
class Split(Block):
    """One bar of all items that the systems answer differently, divided by who was right."""

    template: ClassVar[str] = "split.html"
    caption: str
    pieces: tuple[Piece, ...]
    note: str = ""

    @property
    def total(self) -> int:
        """How many items the whole bar is."""
        return sum(piece.items for piece in self.pieces)


@dataclass(frozen=True)
class Told(Block):
    """Sentences under a caption; each is made of pieces, of which some are printed bold."""

    template: ClassVar[str] = "told.html"
    caption: str
    paragraphs: tuple[tuple[tuple[str, bool], ...], ...]


@dataclass(frozen=True)
class Rung:
    """One system: its value, its limits, and its place on the axis in percent."""

    place: int
    name: str
    text: str
    limits: str
    at: float | None
    low: float | None
    high: float | None
    brackets: tuple[str, ...] = ()  # for each group: member, between, or nothing; first and last ends of it
    behind: tuple[str, str] | None = None  # this system minus the first, and p, if they were compared


@dataclass(frozen=True)
class Ladder(Block):
    """Systems in order of their value, with a bracket around those that cannot be told apart."""

    template: ClassVar[str] = "ladder.html"
    caption: str
    measure: str
    level: str
    rungs: tuple[Rung, ...]
    ticks: tuple[tuple[float, str], ...]
    line: float | None = None  # the no-model baseline, if it lies on the axis
    note: str = ""

    @property
    def first(self) -> str | None:
        """The system that the others are subtracted from, if they were compared with it."""
        return self.rungs[0].name if any(rung.behind for rung in self.rungs) else None

    @property
    def bracketed(self) -> bool:
        """Whether any systems share a bracket."""
        return any(any(rung.brackets) for rung in self.rungs)


@dataclass(frozen=True)
class Square(Block):
    """The systems against each other: a row minus a column, and who is ahead."""

    template: ClassVar[str] = "square.html"
    caption: str
    names: tuple[tuple[int, str], ...]  # their places and names, in order
    rows: tuple[tuple[SquareCell | None, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class SquareCell:
    """A difference: as written, the place of the system that is ahead, and what is not settled about it."""

    text: str
    ahead: int | None = None
    doubt: str = ""
    title: str = ""
