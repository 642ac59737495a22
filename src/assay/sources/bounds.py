"""How large what is read may be, in one place; docs/decisions/0015-bounds-on-input.md says why."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError

MOST_ITEMS = 2**53  # up to here every whole number is a floating-point number, so that sums of counts are exact
LARGEST = 1e50  # fourth powers of weights, costs and values, and sums of MOST_ITEMS of them, stay finite
SMALLEST = 1e-50  # and stay above 0

LONGEST = 32_000_000  # bytes of one row of CSV; DuckDB's buffers for CSV have this size anyway
LONGEST_JSON = 16_777_216  # the same of JSON Lines, as DuckDB has it: it reserves more for every thread
MOST_COLUMNS = 20_000  # of a file

SIZES = "from 1e-50 to 1e50"  # in sentences
_TOO_MANY = f"counts add up to at most {MOST_ITEMS:,}; divide all of them by the same number"


def extreme(numbers: Any) -> NDArray[np.bool_]:
    """Which of these numbers are too large, or too small and not 0; infinite ones are, and nan is not."""
    size = np.abs(np.asarray(numbers, np.float64))
    return np.asarray((size > LARGEST) | ((size > 0) & (size < SMALLEST)))


def refuse_extreme(values: NDArray[Any], what: str) -> None:
    """Nothing, unless the value that is largest in size, beside which small ones do not matter, is extreme."""
    largest = max(values.tolist(), key=abs, default=0)
    if extreme(largest):
        raise DataError(f"{what} is {largest}; in size it can be 0, or {SIZES}. Scale the values, or take logarithms.")


def whole(text: str) -> int | None:
    """The whole number that is written here, exactly, or None; 3.0 and 1e3 are whole too."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    # A number with a huge exponent would be written out digit by digit.
    if not number.is_finite() or abs(number.adjusted()) > 400:
        return 0 if number == 0 else None
    return int(number) if number == number.to_integral_value() else None


def total(counts: Iterable[int], source: str) -> int:
    """The sum of these counts, exactly, or an error if it is too large."""
    n = sum(counts)
    if n > MOST_ITEMS:
        raise DataError(f"{source} {_large(n)} items in all; {_TOO_MANY}.")
    return n


def _large(n: int) -> str:
    digits = n.bit_length() * math.log10(2)
    return f"{n:,}" if digits < 40 else f"about 1e{digits:.0f}"
