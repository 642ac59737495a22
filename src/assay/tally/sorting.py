"""Scores with a truth value each, sorted and counted as fast as whole numbers can be sorted.

Everything else is done block by block: getting and reading memory would otherwise take longer than the sort.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints
from assay.tally.contract.sums import blocks

_LOWEST = 0 if sys.byteorder == "little" else 7  # index of the byte of a number that has the lowest bit
_MAGNITUDE = np.int64(np.iinfo(np.int64).max)  # all bits of a number except its sign


@dataclass(frozen=True, eq=False)
class Ranked:
    """Items from the lowest score up, the false before the true where scores are equal, as one whole number each.

    The lowest bit is the truth value; the others increase with the score. They are the bits of the score, with those
    below the sign inverted in negative ones, after a division that brings all magnitudes below 2: such numbers leave
    one bit free. Where the division would lose digits, they are the ranks of the distinct scores.
    """

    room: Ints  # the keys, and one more number that is free
    negative: bool = False  # whether scores may be negative
    power: int = 0  # of 2, by which scores were divided
    values: Floats | None = None  # the distinct scores, if keys are their ranks

    @classmethod
    def of(cls, score: Floats, truth: NDArray[np.bool_]) -> Ranked:
        """All items, sorted once; scores are finite."""
        score = np.ascontiguousarray(score, np.float64)
        ends = [(float(part.min()), float(part.max())) for part in (score[block] for block in blocks(len(score)))]
        low, high = min((end[0] for end in ends), default=0.0), max((end[1] for end in ends), default=0.0)
        power = max(math.frexp(max(high, -low))[1] - 1, 0)
        room = np.empty(len(score) + 1, np.int64)
        for block in blocks(len(score)):
            part, out = score[block], room[block]
            if power:
                part = part * 2.0**-power
                if (part * 2.0**power != score[block]).any():
                    return cls._by_rank(score, truth)
            if low < 0:
                bits = (part + 0.0).view(np.int64)  # −0.0 has become 0.0
                np.bitwise_and(bits >> 63, _MAGNITUDE, out=out)
                out ^= bits
                out <<= 1
            else:
                np.left_shift(part.view(np.int64), 1, out=out)
            out |= truth[block]
        room[:-1].sort()
        return cls(room, low < 0, power)

    @classmethod
    def _by_rank(cls, score: Floats, truth: NDArray[np.bool_]) -> Ranked:
        values, rank = np.unique(score, return_inverse=True)
        return cls(np.append(np.sort(2 * rank + truth), 0), values=values)

    @property
    def keys(self) -> Ints:
        """The numbers of the items, in order."""
        return self.room[:-1]

    @property
    def tied(self) -> bool:
        """Whether any two items have the same score."""
        keys, inner = self.keys, blocks(len(self.keys) - 1)
        return not all(_apart(keys[block.start : block.stop + 1]).all() for block in inner)

    def down(self) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
        """The truth values from the highest score down, in parts, and their places."""
        for block in blocks(len(self.keys)):
            yield block, truth_of(self.keys[len(self.keys) - block.stop : len(self.keys) - block.start])[::-1]

    def score(self, keys: Ints, out: Floats) -> Floats:
        """The scores that these keys stand for; `out` may be their own memory."""
        for block in blocks(len(keys)):
            bits = np.right_shift(keys[block], 1, out=out[block].view(np.int64))
            if self.values is not None:
                out[block] = self.values[bits]
            if self.negative:
                bits ^= (bits >> 63) & _MAGNITUDE
            if self.power:
                out[block] *= 2.0**self.power
        return out


def truth_of(keys: Ints) -> NDArray[np.bool_]:
    """The truth values that keys end in."""
    return (keys.view(np.uint8)[_LOWEST::8] & np.uint8(1)).view(np.bool_)


def distinct_scores(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_], Ints]:
    """The distinct (score, truth) pairs in order, the false before the true, and how many items have each."""
    ranked = Ranked.of(score, truth)
    keys, counts = _runs(ranked.keys)
    found = truth_of(keys)
    return ranked.score(keys, keys.view(np.float64)), found, counts


def reached(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, NDArray[Any], NDArray[Any]]:
    """Infinity and every distinct score from the highest down, and how many true and false items reach each."""
    ranked, n = Ranked.of(score, truth), len(score)
    # Half as wide if that is enough.
    whole = np.int32 if n < np.iinfo(np.int32).max else np.int64
    counts: NDArray[Any] = np.empty((2, n + 1), whole)
    true, false = counts
    counts[:, 0] = 0
    for block, truths in ranked.down():
        here = slice(block.start + 1, block.stop + 1)
        np.cumsum(truths, out=true[here])
        true[here] += true[block.start]
        np.subtract(np.arange(here.start, here.stop, dtype=whole), true[here], out=false[here])
    room = ranked.room
    if ranked.tied:
        # The last item of each score has counted all of them.
        first = np.flatnonzero(np.append(True, _apart(ranked.keys)))
        keep = np.append(0, n - first[::-1])
        room, true, false = np.append(room[first], 0), true[keep], false[keep]
    thresholds = room.view(np.float64)
    ranked.score(room[:-1], thresholds[:-1])
    thresholds[-1] = np.inf
    return thresholds[::-1], true, false


def precision_of_true(score: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
    """The share of true items among those that score as high as a true one or higher, and for how many: one if None."""
    ranked = Ranked.of(score, truth)
    if ranked.tied:
        keys, times = _runs(ranked.keys)
        start = np.flatnonzero(np.append(True, _apart(keys)))
        here, every = (np.add.reduceat(many, start)[::-1] for many in (times * truth_of(keys), times))
        return np.cumsum(here) / np.cumsum(every), here.astype(np.float64)
    precision, true = np.empty(int(truth.sum())), 0
    for block, truths in ranked.down():
        place = np.flatnonzero(truths)
        up_to = np.arange(true + 1, true + 1 + len(place))
        true += len(place)
        np.divide(up_to, place + (block.start + 1), out=precision[true - len(place) : true])
    return precision, None


def pairs_won(score: Floats, truth: NDArray[np.bool_]) -> tuple[int, int]:
    """Twice the pairs in which the true item scores higher than the false one, ties as half; and the true items."""
    ranked = Ranked.of(score, truth)
    lost, true = 0, 0  # false items with a higher score than each true one, in all
    for block, truths in ranked.down():
        place = np.flatnonzero(truths)
        lost += int(place.sum()) + (block.start - true) * len(place) - len(place) * (len(place) - 1) // 2
        true += len(place)
    won = 2 * (true * (len(score) - true) - lost)
    if ranked.tied:
        keys, times = _runs(ranked.keys)
        both = np.flatnonzero(keys[1:] ^ keys[:-1] == 1)
        won -= int((times[both] * times[both + 1]).sum())
    return won, true


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


def _apart(keys: Ints) -> NDArray[np.bool_]:
    """Whether each key has another score than the one before."""
    return (keys[1:] ^ keys[:-1]).view(np.uint64) > 1


def _runs(keys: Ints) -> tuple[Ints, Ints]:
    """The distinct keys, and how often each occurs."""
    new = keys[1:] != keys[:-1]
    if new.all():
        return keys, np.ones(len(keys), np.int64)
    start = np.flatnonzero(np.append(True, new))
    return keys[start], np.diff(start, append=len(keys))
