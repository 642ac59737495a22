"""Names and numbers as they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from assay.errors import UnknownMeasure
from assay.jobs.results import Row
from assay.measures.declare.catalogue import parse
from assay.measures.declare.measure import Measure
from assay.uncertainty.words import decimals, signed


def joined(names: Sequence[str], most: int = 6) -> str:
    """Names with commas and an and; a long list is cut and says how many are left."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def known(spelling: str) -> tuple[Measure, dict[str, Any]] | None:
    """The measure and its options, or None for values that came with a name of their own."""
    try:
        return parse(spelling)
    except UnknownMeasure:
        return None


def on_scale(row: Row) -> bool:
    """Whether the value lies on a scale that ends at 1, so that it can be drawn beside the others."""
    found = known(row.measure)
    if found is None:
        return False
    measure = found[0]
    low, high = measure.range if measure.reach is None else (-math.inf, math.inf)
    return low >= -1 and high <= 1


def name(spelling: str) -> str:
    """The measure's name for people: F1, macro."""
    found = known(spelling)
    if found is None:
        return spelling
    measure, options = found
    if "k" in measure.options:
        # A cut-off is part of the name, the usual one too.
        k = options.pop("k", measure.options["k"])
        return ", ".join([measure.title.replace("-k ", f"-{k} "), *(_option(*pair) for pair in options.items())])
    return ", ".join([measure.title, *(_option(*pair) for pair in options.items())])


def title(row: Row) -> str:
    """The measure's name, with an arrow where lower is better."""
    found = known(row.measure)
    lower = found is not None and found[0].higher_is_better is False
    return f"{name(row.measure)} ↓" if lower else name(row.measure)


def _option(key: str, value: object) -> str:
    if key in ("average", "of", "weights"):
        return str(value)
    if key == "prevalence" and isinstance(value, float):
        return f"at {100 * value:.4g}% prevalence"
    if key == "matrix":
        return "by table"
    return f"{key} {value:g}" if isinstance(value, int | float) else f"{key} {value}"


def digits(row: Row) -> int:
    """Decimals that the width of the interval deserves: two digits of it are shown."""
    return decimals(row.low, row.high)


def number(value: float | None, places: int = 3) -> str:
    """A number with so many decimals, or a dash."""
    return "–" if value is None else f"{value:,.{places}f}"


def estimate(row: Row) -> str:
    """The value, with as many decimals as its interval deserves."""
    return number(row.value, digits(row))


def interval(row: Row, between: str = " – ") -> str:
    """Both limits, or a dash."""
    if row.low is None:
        return "–"
    return between.join(number(limit, digits(row)) for limit in (row.low, row.high))


def of_difference(row: Row, between: str = " – ", write: Callable[[float, int], str] = signed) -> str:
    """Both limits of a difference, the one that a one-sided question has, or a dash."""
    if not row.has_limits:
        return "–"
    if row.low is None or row.high is None:
        sign, end = ("≥", row.low) if row.high is None else ("≤", row.high)
        return f"{sign} {write(end or 0.0, digits(row))}"
    return between.join(write(limit, digits(row)) for limit in (row.low, row.high))


def with_sign(value: float, places: int) -> str:
    """A difference with its sign, the minus as wide as the plus, for pages and charts."""
    return signed(value, places).replace("-", "−")
