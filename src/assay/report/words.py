"""Names and numbers as they are shown."""

from __future__ import annotations

import math

from assay.measures.catalogue import parse
from assay.report.report import Row


def title(row: Row) -> str:
    """The measure's name for people: F1, macro."""
    measure, options = parse(row.measure)
    arrow = "" if measure.higher_is_better else " ↓"
    extra = ", ".join(str(value) for value in options.values())
    name = f"{measure.title}, {extra}" if extra else measure.title
    return f"{name}{arrow}"


def digits(row: Row) -> int:
    """Decimals: three, and more only where the interval is so narrow that three would hide it."""
    if row.low is None or row.high is None:
        return 3
    return min(max(3, math.ceil(-math.log10(row.high - row.low)) + 1), 6)


def number(value: float | None, decimals: int = 3) -> str:
    """A number with so many decimals, or a dash."""
    return "–" if value is None else f"{value:.{decimals}f}"


def estimate(row: Row) -> str:
    """The value, with as many decimals as its interval deserves."""
    return number(row.value, digits(row))


def interval(row: Row, between: str = " – ") -> str:
    """Both limits, or a dash."""
    if row.low is None:
        return "–"
    return between.join(number(limit, digits(row)) for limit in (row.low, row.high))
