"""Numbers as they are written: so many digits as matter, signs, limits, levels and p-values."""

from __future__ import annotations

import math
from collections.abc import Callable


def reach(low: float | None, high: float | None, write: Callable[[float, int], str] | None = None) -> str:
    """Limits in words: from one to the other, or the one that a one-sided question has."""
    places, written = decimals(low, high), write or signed
    if low is None or high is None:
        if high is not None:
            return f"up to {written(high, places)}"
        return "" if low is None else f"from {written(low, places)} up"
    return f"from {written(low, places)} to {written(high, places)}"


def p_number(p: float) -> str:
    """Two digits that matter, and never 0; nobody needs more than nine zeros."""
    if p < 1e-9:
        return "< 1e-9"
    return "1" if p >= 0.9995 else f"{p:.2g}" if p >= 1e-4 else f"{p:.1e}"


def decimals(low: float | None, high: float | None) -> int:
    """So many decimals that two digits of the width of the interval are seen; three where there is none."""
    if low is None or high is None or not 0 < high - low < math.inf:
        return 3
    return min(max(1 - math.floor(math.log10(high - low)), 0), 6)


def signed(value: float, places: int) -> str:
    """A difference with its sign; what is nothing has none, and what is something does not round to nothing."""
    if abs(value) < 1e-9:
        return f"{0:.{places}f}"
    text = f"{value:+.{places}f}"
    return text if float(text) else f"{value:+.1g}"


def size(value: float) -> str:
    """A size with two digits that matter."""
    return f"{float(f'{value:.2g}'):g}"


def rounded_up(n: int) -> int:
    """Two digits, upwards: an estimate has no more."""
    step: int = 10 ** max(len(str(n)) - 2, 0)
    return -(-n // step) * step


def percent(level: float) -> str:
    """A level of confidence, never rounded up to certainty."""
    return f"{100 * level:.6g}%"
