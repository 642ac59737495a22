"""Scores with a truth value each, sorted and counted as fast as numbers can be sorted."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints

_LOWEST = 0 if sys.byteorder == "little" else 7  # index of the byte of a number that has the lowest bit


def distinct_scores(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_], Ints]:
    """The distinct (score, truth) pairs in order, the false before the true, and how many items have each.

    The bits of a non-negative number sort as the number does, and leave room for one more bit: one sort of whole
    numbers then orders both at once. Negative scores are ordered by their magnitude.
    """
    return _counted(*_ranked(score, truth))


def reached(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[Any], NDArray[Any]]:
    """Infinity and every distinct score from the highest down, and how many true and false items reach each."""
    ranked, is_true = _with_infinity(score, truth)
    thresholds = ranked[::-1]
    # Half as wide if that is enough: this is mostly bound by memory.
    whole = np.int32 if len(ranked) < np.iinfo(np.int32).max else np.int64
    true: NDArray[Any] = np.cumsum(is_true[::-1], dtype=whole)
    false: NDArray[Any] = np.arange(len(ranked), dtype=whole)
    false -= true
    apart = ranked[1:] != ranked[:-1]
    if apart.all():
        return thresholds, true, false
    # The last item of each score has counted all of them.
    keep = np.flatnonzero(np.append(apart[::-1], True))
    return thresholds[keep], true[keep], false[keep]


def _with_infinity(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[Any]]:
    """Scores from the lowest up and then infinity, with their truth values; infinity has a false one."""
    n = len(score)
    if n and score.min() < 0:
        ranked, known = _ranked(score, truth)
        return np.append(ranked, np.inf), np.append(known, False)
    bits = np.empty(n + 1, np.uint64)
    bits[n] = np.float64(np.inf).view(np.uint64) << np.uint64(1)
    np.left_shift(np.ascontiguousarray(score, np.float64).view(np.uint64), np.uint64(1), out=bits[:n])
    bits[:n] |= truth
    # Up to 1 the packed bits are those of a number too, and numbers are sorted faster than bits.
    (bits[:n].view(np.float64) if n and score.max() <= 1 else bits[:n]).sort()
    is_true: NDArray[Any] = bits.view(np.uint8)[_LOWEST::8] & np.uint8(1)
    bits >>= np.uint64(1)
    return bits.view(np.float64), is_true


def _ranked(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores from the lowest up with their truth values, the false before the true where scores are equal."""
    if len(score) == 0 or score.min() >= 0:
        return _unpacked(np.sort(_packed(score, truth)))
    below = score < 0
    low, low_truth = _unpacked(np.sort(_packed(-score[below], ~truth[below]))[::-1])
    high, high_truth = _unpacked(np.sort(_packed(score[~below], truth[~below])))
    return np.concatenate([-low, high]), np.concatenate([~low_truth, high_truth])


def order_of_pairs(truth: NDArray[np.bool_], a: Floats, b: Floats) -> tuple[Ints, bool]:
    """An order of items by truth, then by the scores of A, then of B; and whether all items are certain to differ.

    If A gives no two items of a class the same score, B need not be examined.
    """
    by_a = np.argsort(a).astype(np.int64, copy=False)
    first = np.concatenate([by_a[~truth[by_a]], by_a[truth[by_a]]])
    ranked, sides = a[first], truth[first]
    if ((ranked[1:] != ranked[:-1]) | (sides[1:] != sides[:-1])).all():
        return first, True
    return np.lexsort((b, a, truth)).astype(np.int64, copy=False), False


def positive_places(score: Floats, truth: NDArray[np.bool_]) -> Ints | None:
    """Where the positive items stand from the lowest score up, if all items have scores of their own from 0 to 1."""
    if len(score) == 0 or score.min() < 0 or score.max() > 1:
        return None
    # Up to 1 the packed bits are those of a number too, and numbers are sorted faster than bits.
    packed = np.sort(_packed(score, truth).view(np.float64)).view(np.uint64)
    if ((packed[1:] ^ packed[:-1]) <= 1).any():
        return None
    return np.flatnonzero((packed & np.uint64(1)).astype(bool))


def _packed(score: Floats, truth: NDArray[np.bool_]) -> NDArray[np.uint64]:
    bits = np.ascontiguousarray(score, np.float64).view(np.uint64) << np.uint64(1)
    bits |= truth
    return bits


def _unpacked(packed: NDArray[np.uint64]) -> tuple[Floats, NDArray[np.bool_]]:
    return (packed >> np.uint64(1)).view(np.float64), (packed & np.uint64(1)).astype(bool)


def _counted(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_], Ints]:
    new = (score[1:] != score[:-1]) | (truth[1:] != truth[:-1])
    if new.all():
        return score, truth, np.ones(len(score), np.int64)
    start = np.flatnonzero(np.concatenate([[True], new]))
    return score[start], truth[start], np.diff(np.append(start, len(score)))
