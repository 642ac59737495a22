"""What a user's arrays and files may be: their shape, their type, and their size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, a_type, plural

BLOCK = 1 << 15  # numbers that stay in the cache together


def array_of(values: Any) -> NDArray[Any]:
    """The values as an array, converted one by one if their library cannot, as for 128-bit integers."""
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.asarray(values)
    except Exception:
        if not hasattr(values, "to_list"):
            raise
        return np.asarray(values.to_list())


def one_dimensional(column: Any, name: str, what: str = "label") -> NDArray[Any] | list[Any]:
    """The column as an array or a list; text, sets, mappings and generators are refused: their rows have no order."""
    if isinstance(column, str | bytes) or not (hasattr(column, "__array__") or isinstance(column, Sequence)):
        raise DataError(f"{name} is {a_type(column)}; give a list or a one-dimensional array of {what}s.")
    if not hasattr(column, "__array__"):
        return list(column)
    array = array_of(column)
    if array.ndim != 1:
        raise DataError(f"{name} has the shape {array.shape}; {what}s are one-dimensional, one for each item.")
    return array


def check_length(got: int, n: int, name: str, first: str = "y_true") -> None:
    """Refuse columns that do not pair up row by row, and columns without rows."""
    if got != n:
        raise DataError(f"{first} has {plural(n, 'value')} and {name} has {got:,}; both need one for each item.")
    if n == 0:
        raise DataError(f"{first} is empty: there is nothing to evaluate.")


def finite_numbers(values: Any, n: int, name: str, what: str = "score") -> NDArray[np.float64]:
    """One finite number for every item; otherwise an error that counts the bad values and shows the first."""
    column = one_dimensional(values, name, what)
    check_length(len(column), n, name)
    if isinstance(column, np.ma.MaskedArray) and np.ma.is_masked(column):
        lost = np.flatnonzero(np.ma.getmaskarray(column))
        raise DataError(f"{name} has {plural(len(lost), 'missing value')} (first at position {lost[0]}).")
    out = _as_floats(column, name)
    if not all(np.isfinite(out[start : start + BLOCK]).all() for start in range(0, len(out), BLOCK)):
        bad = np.flatnonzero(~np.isfinite(out))
        raise DataError(
            f"{name} has {plural(len(bad), what)} that {'is' if len(bad) == 1 else 'are'} not finite "
            f"(first: {out[bad[0]]} at position {bad[0]})."
        )
    return out


def _as_floats(column: NDArray[Any] | list[Any], name: str) -> NDArray[np.float64]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "cMmV":
        raise DataError(f"{name} is an array of {column.dtype}; expected numbers such as 0.25.")
    try:
        out = np.asarray(column, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(_not_numbers(column, name)) from None
    if out.ndim != 1:
        raise DataError(f"{name} has {out.ndim} dimensions; expected one number for each item.")
    return out


def _not_numbers(column: Iterable[Any], name: str) -> str:
    bad = [(place, value) for place, value in enumerate(column) if math.isnan(as_number(value))]
    if not bad:
        return f"{name} holds numbers that are too large."
    shown = repr(bad[0][1])
    shown = shown if len(shown) <= 40 else f"{shown[:39]}…"
    what = "value that is not a number" if len(bad) == 1 else "values that are not numbers"
    return f"{name} has {len(bad):,} {what} (first: {shown} at position {bad[0][0]})."


def as_number(value: Any) -> float:
    """The value as a float: nan if it is not a number, infinite if it is too large."""
    try:
        return float(value) if getattr(value, "ndim", 0) == 0 else math.nan
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def dimensions(values: Any) -> int:
    """How deep lists are nested, or how many axes an array has; 2 for rows of different lengths."""
    try:
        return array_of(values).ndim if hasattr(values, "to_list") else np.ndim(values)
    except ValueError:
        return 2


def whole_number(value: Any, least: int) -> bool:
    """Whether this is a whole number of at least `least`, from Python or NumPy."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= least)


MOST_ITEMS = 2**53  # up to here floats represent every whole number, so that sums of counts are exact
LARGEST = 1e50  # fourth powers of weights, costs and values, and sums of MOST_ITEMS of them, stay finite
SMALLEST = 1e-50  # and stay above 0

SIZES = "from 1e-50 to 1e50"  # in sentences
_TOO_MANY = f"counts may add up to at most {MOST_ITEMS:,}; divide all of them by the same number"


def extreme(numbers: Any) -> NDArray[np.bool_]:
    """Which of these numbers are too large, or too small and not 0; infinite ones are, and nan is not."""
    size = np.abs(np.asarray(numbers, np.float64))
    return np.asarray((size > LARGEST) | ((size > 0) & (size < SMALLEST)))


def refuse_extreme(values: NDArray[Any], what: str) -> None:
    """Refuse values whose largest magnitude is extreme; smaller ones do not matter next to it."""
    largest = max(values.tolist(), key=abs, default=0)
    if extreme(largest):
        raise DataError(
            f"{what} is {largest}; its magnitude must be 0 or {SIZES}. Rescale the values, or take logarithms."
        )


def whole(text: str) -> int | None:
    """The exact whole number in this text, or None; 3.0 and 1e3 are whole too."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    # A number with a huge exponent would be expanded digit by digit.
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
