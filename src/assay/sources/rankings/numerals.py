"""Numbers written in a buffer of bytes, read many at a time, and as exactly as C's strtod reads each."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from assay.sources.rankings.ids import Bytes, Ids, Words, words_at
from assay.sources.rankings.matched import Floats, Ints

_U = np.uint64
_POWERS = np.array([10.0**i for i in range(23)])  # exact
_LAST = np.array([(1 << 64) - (1 << 8 * (8 - i)) for i in range(9)], np.uint64)  # keeps the last i bytes of a word
_ZEROS, _DOTS = _U(0x3030303030303030), _U(0x2E2E2E2E2E2E2E2E)  # "00000000" and "........"
_ONES, _TOPS = _U(0x0101010101010101), _U(0x8080808080808080)
_TO_TOP = _U(0x7676767676767676)  # carries a byte into its top bit if it is no digit
_DECIMAL = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INFINITE = re.compile(rb"([+-]?)inf(inity)?", re.IGNORECASE)
_WIDE = 40  # characters of a number that are still read in bulk
_SIGNS = np.isin(np.arange(256), np.frombuffer(b"0123456789+-.eE\0", np.uint8))


def floats(tokens: Ids, *, single: bool) -> Floats | NDArray[np.float32]:
    """The number that each token is, nan if it is none; in single precision it is rounded to double precision first.

    Decimals of up to 16 characters are computed from their digits: fewer than 2⁵³, and a power of ten that is exact,
    make a quotient that is rounded once. In single precision the digits after these hardly ever matter; where they may,
    and for all other spellings, Python reads the token.
    """
    data, start, length = tokens.data, tokens.start, tokens.length
    negative = data[start] == ord("-")
    if negative.any():
        start, length = start + negative, length - negative
    digits, decimals, odd = _mantissas(data, start + np.minimum(length, 16), np.minimum(length, 16))
    numbers = digits.astype(np.float64)
    numbers /= _POWERS.take(decimals)
    longer = np.flatnonzero(length > 16)
    if len(longer):
        odd[longer] |= True if not single else _undecided(data, start, length, digits, decimals, longer)
    np.negative(numbers, out=numbers, where=negative)
    numbers += 0.0  # -0 is 0
    rest = np.flatnonzero(odd)
    if len(rest):
        numbers[rest], odd = _scientific(tokens.only(rest))
        rest = rest[odd]
    if len(rest):
        numbers[rest] = _one_by_one(tokens.only(rest))
    return as_single(numbers) if single else numbers


def as_single(numbers: NDArray[np.floating]) -> NDArray[np.float32]:
    """The numbers in single precision; those that are too large for it are infinite, as in C."""
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32)


def _mantissas(data: Bytes, end: Ints, length: Ints) -> tuple[Words, Ints, NDArray[np.bool_]]:
    """Of up to 16 characters before `end`: the number of their digits, how many follow a dot, and which are odd."""
    low, dot, bad = _digits(words_at(data, end - 8), _LAST.take(length, mode="clip"))
    decimals = _after(dot, 7)
    dots = (dot != 0).astype(np.int64)
    if int(length.max(initial=0)) > 8:
        high, high_dot, high_bad = _digits(words_at(data, end - 16), _LAST.take(np.maximum(length - 8, 0), mode="clip"))
        decimals += _after(high_dot, 15)
        bad |= high_bad
        high = _closed(high, high_dot)
        # A dot in the last eight characters leaves a gap that the last digit of those before it fills.
        gap = dot != 0
        low = _closed(low, dot) | (high >> _U(56)) * gap
        high <<= gap.astype(np.uint64) << _U(3)
        dots += high_dot != 0
        digits = _eight_digits(high)
        digits *= _U(10**8)
        digits += _eight_digits(low)
    else:
        digits = _eight_digits(_closed(low, dot))
    return digits, decimals, (bad != 0) | (dots > 1) | (length <= dots)


def _digits(words: Words, kept: Words) -> tuple[Words, Words, Words]:
    """The values of the kept digits, zero elsewhere; the top bit of the byte of the first dot; and of bad bytes."""
    words &= kept
    others = words ^ _DOTS
    # A byte is zero if subtracting one borrows from its top bit; only above a zero byte may a byte seem to be one.
    dot = (others - _ONES) & ~others & _TOPS
    dot &= ~(dot - _U(1))
    values = words ^ (_ZEROS & kept)
    values &= ~((dot >> _U(7)) * _U(255))
    return values, dot, ((values + _TO_TOP) | values) & _TOPS


def _after(dot: Words, last: int) -> Ints:
    """How many characters follow the dot, if the last byte of the word is followed by so many less seven."""
    place = (np.bitwise_count(dot - _U(1)) >> 3).astype(np.int64)
    return np.where(dot != 0, last - place, 0)


def _closed(values: Words, dot: Words) -> Words:
    """The digits before the dot moved into its place."""
    before = (dot >> _U(7)) - _U(1)
    before[dot == 0] = 0
    moved = values & before
    return (values ^ moved) | (moved << _U(8))


def _eight_digits(values: Words) -> Words:
    """The number of eight digits, one in each byte, the first in the lowest: neighbors are combined three times."""
    pairs = values * _U(10) + (values >> _U(8))
    low, high = pairs & _U(0x000000FF000000FF), (pairs >> _U(16)) & _U(0x000000FF000000FF)
    return (low * _U(100 + (10**6 << 32)) + high * _U(1 + (10**4 << 32))) >> _U(32)


def _undecided(data: Bytes, start: Ints, length: Ints, digits: Words, decimals: Ints, rows: Ints) -> NDArray[np.bool_]:
    """Which of these longer numbers the first 16 characters do not decide in single precision.

    What was cut off adds less than one to the last digit, if these are digits too and the dot came before them.
    """
    start, length, digits = start[rows], length[rows], digits[rows]
    powers = _POWERS.take(decimals[rows])
    below = digits.astype(np.float64) / powers * (1 - 2e-15)
    above = (digits + _U(1)).astype(np.float64) / powers * (1 + 2e-15)
    kept = ~_LAST.take(np.maximum(24 - length, 0), mode="clip")
    tail = (words_at(data, start + 16) ^ _ZEROS) & kept
    other = ((tail + _TO_TOP) | tail) & _TOPS
    whole = decimals[rows] == 0
    undecided: NDArray[np.bool_] = (as_single(below) != as_single(above)) | whole | (other != 0) | (length > 24)
    return undecided


def _scientific(tokens: Ids) -> tuple[Floats, NDArray[np.bool_]]:
    """Numbers such as 1.25e-05, where a power of ten that is exact leads to a single rounding; and which are others."""
    data, start = tokens.data, tokens.start
    negative = data[start] == ord("-")
    start, length = start + negative, tokens.length - negative
    letter, sign, tens, ones = data[(start + length)[:, None] - np.arange(4, 0, -1)].T
    tens, ones = tens - np.uint8(ord("0")), ones - np.uint8(ord("0"))
    size = np.clip(length - 4, 0, 16)
    digits, decimals, odd = _mantissas(data, start + size, size)
    power = np.where(sign == ord("-"), -1, 1) * (10 * tens.astype(np.int64) + ones) - decimals
    odd |= ((letter | 32) != ord("e")) | ((sign != ord("-")) & (sign != ord("+"))) | (tens > 9) | (ones > 9)
    odd |= (length > 20) | (digits > _U(2**53)) | (np.abs(power) >= len(_POWERS))
    exact = _POWERS.take(np.abs(power), mode="clip")
    numbers = digits.astype(np.float64)
    numbers = np.where(power < 0, numbers / exact, numbers * exact)
    return np.where(negative, -numbers, numbers) + 0.0, odd


def _one_by_one(tokens: Ids) -> Floats:
    """The same numbers as Python reads them, in bulk as far as they are of digits, signs, dots and exponents alone."""
    out = np.empty(len(tokens))
    width = int(min(tokens.length.max(), _WIDE))
    place = np.arange(width)
    signs = tokens.data[np.minimum(tokens.start[:, None] + place, len(tokens.data) - 1)]
    signs[place >= tokens.length[:, None]] = 0
    plain = _SIGNS[signs].all(axis=1) & (tokens.length <= width)
    try:
        out[plain] = np.ascontiguousarray(signs[plain]).view(f"S{width}").ravel().astype(np.float64)
    except ValueError:
        plain[:] = False
    rest = np.flatnonzero(~plain)
    out[rest] = [_number(token) for token in tokens.only(rest).spelled()]
    return out + 0.0


def _number(token: bytes) -> float:
    if _DECIMAL.fullmatch(token) or _INFINITE.fullmatch(token):
        return float(token)
    return float("nan")


def whole_numbers(tokens: Ids) -> Floats:
    """The whole number that each token is, nan if it is none; it is written with digits and perhaps a sign alone."""
    numbers = np.asarray(floats(tokens, single=False), np.float64)
    signed = np.isin(tokens.data[tokens.start], np.frombuffer(b"+-", np.uint8))
    ends = tokens.start + tokens.length - 1
    short = tokens.length <= 8
    kept = _LAST.take(tokens.length - signed, mode="clip")
    values = (words_at(tokens.data, ends - 7) ^ _ZEROS) & kept
    whole = short & ((((values + _TO_TOP) | values) & _TOPS) == 0)
    rest = np.flatnonzero(~whole)
    whole[rest] = [re.fullmatch(rb"[+-]?[0-9]+", token) is not None for token in tokens.only(rest).spelled()]
    numbers[~whole] = np.nan
    return numbers
