"""One piece of advice, and what the rules share: measures that exist, shares in words, widths."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import AssayError
from assay.measures.catalogue import parse
from assay.options import LEVEL
from assay.tally.base import Tally
from assay.uncertainty.plan import items_for_half_width
from assay.uncertainty.proportions import normal_quantile, wilson

LATER = "not in this version of assay"
NARROW = 0.05  # the half-width that a plan is made for


@dataclass(frozen=True)
class Piece:
    """What to report, why here, what that hides, and how to get it: a command line, or a call in Python.

    `measure` is its spelling; None where it is no measure, and where it is one that comes `later`.
    """

    report: str
    why: str
    measure: str | None = None
    hides: str | None = None
    how: str | None = None
    later: bool = False


def measured(spelling: str, why: str, how: str | None, hides: str = "") -> Piece:
    """A piece about a measure that there is; what it hides is by its own declaration, or by these words."""
    return Piece(parse(spelling)[0].title, why, spelling, hidden(spelling, hides) or None, how)


def perhaps(report: str, spelling: str | None, why: str, hides: str, how: str | None) -> Piece:
    """A piece about a measure that this version may lack, and then it says so."""
    return Piece(report, why, spelling, hidden(spelling, hides), how, later=spelling is None and how is None)


def known(kind: type[Tally] | None, *spellings: str) -> str | None:
    """The first of these spellings that names a measure of this kind of tally (None: any) with options it has."""
    for spelling in spellings:
        try:
            measure, options = parse(spelling)
        except AssayError:
            continue
        if kind is not None and measure.kind is not kind:
            if kind not in measure.variants:
                continue
            measure = measure.variants[kind]
        if all(option in measure.options for option in options):
            return spelling
    return None


def hidden(spelling: str | None, otherwise: str) -> str:
    """What the measure hides by its own declaration, or else these words."""
    found = None if spelling is None else parse(spelling)[0].hides
    return otherwise if found is None else found.why


def share(part: float, whole: float) -> str:
    """A share in percent, with as many digits as keep what is nearly all from reading as all."""
    for digits in range(1, 9):
        text = f"{100 * part / whole:.{digits}f}"
        if part in (0, whole) or float(text) not in (0, 100):
            return f"{text}%"
    return f"{part / whole:.3g}"


def counted(rows: int, whole: int, noun: str = "row") -> str:
    """A number of rows with its share."""
    return f"{rows:,} {noun}{'' if rows == 1 else 's'} ({share(rows, whole)})"


def width(n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's limits of a share of one half among so many: the widest there are."""
    return wilson(0.5, n, normal_quantile(level))


def wide(n: int) -> str:
    """How wide the interval of a recall over so many items is at worst, and how many would make it narrow."""
    low, high = width(n)
    needed = items_for_half_width(0.5, NARROW)
    return (
        f"a recall of 0.5 would have a 95% interval from {low:.2f} to {high:.2f} (Wilson), and ±{NARROW:g} takes "
        f"{needed:,} rows of the class"
    )
