"""Two groups of one test set: how far one lies from the other, as a difference and as a ratio."""

from __future__ import annotations

import math

from assay.uncertainty.intervals import Limits
from assay.uncertainty.results import Estimate


def difference(a: Estimate, b: Estimate) -> tuple[float | None, Limits]:
    """A minus B for two groups of different items: the squares of what each could be off add up."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, "mover", missing)
    assert a.value is not None
    assert b.value is not None
    d = a.value - b.value
    if a.interval is None or b.interval is None:
        return d, Limits(None, None, "mover", a.reason or b.reason)
    low = d - math.hypot(a.value - a.interval.low, b.interval.high - b.value)
    high = d + math.hypot(a.interval.high - a.value, b.value - b.interval.low)
    return d, Limits(low, high, "mover")


def ratio(a: Estimate, b: Estimate) -> tuple[float | None, Limits]:
    """A over B for two groups of different items: the same on the scale of logarithms."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, "mover", missing)
    assert a.value is not None
    assert b.value is not None
    if a.value < 0 or b.value <= 0:
        return None, Limits(None, None, "mover", "a ratio needs values above 0")
    r = a.value / b.value
    if a.interval is None or b.interval is None:
        return r, Limits(None, None, "mover", a.reason or b.reason)
    if b.interval.low <= 0 or a.interval.high <= 0:
        return r, Limits(None, None, "mover", "the value that is divided by may be 0")
    below = _log(b.value, b.interval.low)
    if a.value == 0:
        # Nothing is left to take logarithms of; both at their worst is a bound.
        return r, Limits(0.0, a.interval.high / b.interval.low, "mover")
    low = (
        0.0
        if a.interval.low <= 0
        else r * math.exp(-math.hypot(_log(a.value, a.interval.low), _log(b.interval.high, b.value)))
    )
    return r, Limits(low, r * math.exp(math.hypot(_log(a.interval.high, a.value), below)), "mover")


def _log(x: float, y: float) -> float:
    return math.log(x / y)


def _missing(a: Estimate, b: Estimate) -> str | None:
    return next((e.reason for e in (a, b) if e.value is None), None)
