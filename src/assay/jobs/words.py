"""Names and numbers as they are shown."""

from __future__ import annotations

import math

from assay.jobs.results import Row
from assay.measures.declare.catalogue import name, parse_known
from assay.texts import decimals, numeral, signed


def on_scale(row: Row) -> bool:
    """Whether the value lies on a scale that ends at 1, so that it can be drawn with the others."""
    found = parse_known(row.measure)
    if found is None:
        return False
    measure = found[0]
    low, high = measure.range if measure.reach is None else (-math.inf, math.inf)
    # With a score for each class, some measures have a wider range than with one score.
    seen = [x for x in (row.value, row.low, row.high) if x is not None]
    return low >= -1 and high <= 1 and all(-1 <= x <= 1 for x in seen)


def title(row: Row) -> str:
    """The measure's name, with an arrow where lower is better."""
    found = parse_known(row.measure)
    lower = found is not None and found[0].higher_is_better is False
    return f"{name(row.measure)} ↓" if lower else name(row.measure)


def digits(row: Row) -> int:
    """Decimals that the width of the interval deserves: two digits of it are shown."""
    return decimals(row.low, row.high)


def number(value: float | None, places: int = 3) -> str:
    """A number with this many decimals, or a dash."""
    return "–" if value is None else numeral(value, f",.{places}f")


def estimate(row: Row) -> str:
    """The value, with as many decimals as its interval deserves."""
    return number(row.value, digits(row))


def interval(row: Row, between: str = " – ") -> str:
    """Both limits, or a dash."""
    if row.low is None:
        return "–"
    return between.join(number(limit, digits(row)) for limit in (row.low, row.high))


def of_difference(row: Row, between: str = " – ") -> str:
    """Both limits of a difference, the single one of a one-sided question, or a dash."""
    if not row.has_limits:
        return "–"
    if row.low is None or row.high is None:
        sign, end = ("≥", row.low) if row.high is None else ("≤", row.high)
        return f"{sign} {signed(end or 0.0, digits(row))}"
    return between.join(signed(limit, digits(row)) for limit in (row.low, row.high))
