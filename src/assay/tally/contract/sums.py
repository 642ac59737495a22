"""Sums that are the same in any order, because they are exact before they are rounded once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from assay.sources.given import BLOCK, MOST_ITEMS
from assay.tally.contract.grouping import all_once
from assay.tally.contract.sampling import Floats

_SPLIT = 2.0**20  # larger weights are added up in two parts, so that each leaves room for the digits of values
_HEAVY = 2.0**40  # the sum of multiplicities from which this is needed
_FEW = 2000  # values, for which Python's own exact sum is faster
_FINEST = -1074  # the exponent of the smallest number


def blocks(n: int) -> Iterator[slice]:
    """The places from 0 to n, in parts that stay in the cache."""
    return (slice(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


def weighted_sum(w: Floats, values: Floats) -> Floats:
    """Σ w · value over the last axis; with one whole multiplicity for each value, it does not depend on their order."""
    if w.ndim == 1 and all_once(w):
        return np.asarray(exact_sum(None, values))
    if w.ndim == 1 and _are_counts(w):
        return np.asarray(exact_sum(w, values))
    return np.asarray((w * values).sum(-1))


def _are_counts(w: Floats) -> bool:
    """Whether these are multiplicities of items; weights may be fractions, or larger than any number of items."""
    whole = all((w[block] == np.rint(w[block])).all() for block in blocks(len(w)))
    return whole and bool(w.min(initial=0.0) >= 0) and bool(w.sum() <= MOST_ITEMS)


def exact_sum(times: Floats | None, values: Floats) -> float:
    """The sum of values taken a whole number of times each, or once, as if added exactly and rounded once.

    The numbers of times are not negative and add up to at most MOST_ITEMS.
    """
    if times is None and len(values) < _FEW:
        return math.fsum(values.tolist())
    levels = 2
    while True:
        parts, rest = _folded(times, values, levels)
        low, high = (math.fsum([*parts, off]) for off in (-rest, rest))
        if low == high:
            return low
        levels += 2


def _folded(times: Floats | None, values: Floats, levels: int) -> tuple[list[float], float]:
    """The sums of the leading digits of all values, of the next ones and so on, and how much may be left of it.

    Digits are cut at the same place in all values, so that all sums of these parts are whole multiples of one number,
    below 2⁵³ of it: floating point adds them without rounding, in any order.
    """
    many = heaviest = float(len(values) if times is None else times.sum())
    shares: list[tuple[Floats | None, float]] = [(times, 1.0)]
    if times is not None and many > _HEAVY:
        low = times % _SPLIT
        high = (times - low) / _SPLIT
        shares, heaviest = [(low, 1.0), (high, _SPLIT)], float(max(low.sum(), high.sum()))
    bits = math.frexp(heaviest)[1]
    top = math.frexp(max(float(values.max(initial=0.0)), -float(values.min(initial=0.0))))[1]
    grids = [math.ldexp(1.0, max(top + bits - 52 + level * (bits - 53), _FINEST)) for level in range(levels)]
    parts: list[float] = []
    more, room = False, np.empty((3, min(BLOCK, len(values))))
    for block in blocks(len(values)):
        rest = values[block]
        kept, left, heavy = room[:, : len(rest)]
        for grid in grids:
            np.add(rest, 1.5 * 2.0**52 * grid, out=kept)
            kept -= 1.5 * 2.0**52 * grid
            for share, unit in shares:
                added = kept if share is None else np.multiply(share[block], kept, out=heavy)
                parts.append(unit * float(added.sum()))
            rest = np.subtract(rest, kept, out=left)
        more = more or bool(rest.any())
    return parts, many * grids[-1] if more else 0.0
