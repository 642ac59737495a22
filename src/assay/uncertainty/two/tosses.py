"""Fair coins of several kinds, tossed together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Ints

WORDS = tuple(np.dtype(f"<u{size}") for size in (2, 8))  # random words of 16 and of 64 bits, the same on all machines


KINDS = 64  # kinds of coins whose outcomes may be listed


class Tosses:
    """Tosses of coins of several kinds, sorted once by how many there are of each."""

    def __init__(self, coins: Ints) -> None:
        self.kinds, most, fewest = len(coins), coins.max(initial=0), 0
        # Twice the heads still fit.
        self.type = np.int8 if most < 1 << 6 else np.int32 if most < 1 << 30 else np.int64
        self.by_word: list[tuple[Ints, NDArray[Any]]] = []
        for word in WORDS:
            bits = 8 * word.itemsize
            here = np.flatnonzero((coins > fewest) & (coins <= bits))
            self.by_word.append((here, word.type((1 << bits) - 1) >> (bits - coins[here]).astype(word)))
            fewest = bits
        self.many = np.flatnonzero(coins > fewest)
        self.times, self.none = coins[self.many], np.flatnonzero(coins == 0)

    def __call__(self, rng: np.random.Generator, size: int) -> Ints:
        """Numbers of heads: shape (size, kinds of coins).

        The ones in a random word are as many tosses as it has bits, at a tenth of the cost of a binomial draw.
        """
        out: Any = np.empty((self.kinds, size), self.type)
        for here, masks in self.by_word:
            word = masks.dtype
            words = np.frombuffer(rng.bytes(len(here) * size * word.itemsize), word).reshape(len(here), size)
            # A single toss is its bit.
            found = words & masks[:, None] if (masks == 1).all() else np.bitwise_count(words & masks[:, None])
            if len(here) == self.kinds:
                out[:] = found
            else:
                out[here] = found
        out[self.many] = rng.binomial(self.times[:, None], 0.5, size=(len(self.many), size))
        out[self.none] = 0
        tosses: Ints = out.T
        return tosses


def changed_pairs(counts: Ints, swap: Ints) -> tuple[Ints, Ints]:
    """Units that an exchange changes, one of each two that mirror each other, and how many items both have."""
    both = counts + counts[swap]
    first = np.flatnonzero((np.arange(len(swap)) < swap) & (both > 0))
    return first, both[first]


def outcomes(coins: Ints) -> float:
    """How many different numbers of heads the coins can show; infinite where they are too many kinds to list."""
    return math.prod(int(c) + 1 for c in coins) if len(coins) <= KINDS else math.inf
