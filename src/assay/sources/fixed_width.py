"""NumPy's fixed-width strings to codes, without sorting rows or making a Python object for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LABELS = 4096
SAMPLE = 1 << 14
BLOCK = 1 << 14  # rows whose words, slots and codes stay in the cache together

Words = NDArray[np.unsignedinteger[Any]]  # strings × machine words


@dataclass(frozen=True)
class _Table:
    """Known labels in a hash table where no two of them share a slot."""

    known: Words
    telling: slice  # outside these words all known labels are the same
    multipliers: NDArray[np.uint64]
    shift: np.uint64
    code_at: NDArray[np.intp]

    def codes(self, rows: Words) -> NDArray[np.intp]:
        """The code of each row, or −1 where the row is none of the known labels."""
        codes = self.code_at.take(_slots(rows[:, self.telling], self.multipliers, self.shift))
        same = self.known.take(codes, axis=0) == rows
        return codes if same.all() else np.where(same.all(axis=1), codes, -1)


def distinct_fixed_width(column: NDArray[Any]) -> tuple[NDArray[np.intp], list[Any]] | None:
    """Codes and the distinct values of a `U` or `S` array, or None if these are too many for a table.

    Labels are learned from a sample. Every row is compared in full with the label its hash points to, so one
    that was not in the sample is noticed, learned and looked up again.
    """
    column = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
    rows = _words(column)
    labels = column[:0]
    codes = np.full(len(column), -1, dtype=np.intp)
    unknown = np.arange(len(column))
    while len(unknown):
        sample = unknown[:: max(1, len(unknown) // SAMPLE)]
        labels = np.concatenate([labels, np.unique(column[sample])])
        table = _table(_words(labels)) if len(labels) <= MOST_LABELS else None
        if table is None:
            return None
        for start in range(0, len(unknown), BLOCK):
            block = unknown[start : start + BLOCK]
            codes[block] = table.codes(rows.take(block, axis=0))
        unknown = np.flatnonzero(codes < 0)
    return codes, labels.tolist()


def _words(column: NDArray[Any]) -> Words:
    """The same memory as one row of machine words per string."""
    width = column.dtype.itemsize
    size = next(size for size in (8, 4, 1) if width % size == 0)
    words: Words = column.view(f"u{size}").reshape(len(column), width // size)
    return words


def _slots(rows: Words, multipliers: NDArray[np.uint64], shift: np.uint64) -> NDArray[np.intp]:
    """Multiplicative hashing: the top bits of a sum of words times odd constants, modulo 2⁶⁴."""
    hashed: NDArray[np.uint64] = rows @ multipliers
    return (hashed >> shift).astype(np.intp)


def _table(known: Words) -> _Table | None:
    """A table for these labels: other constants, then more slots, until no two labels share one."""
    differing = np.flatnonzero((known != known[0]).any(axis=0))
    telling = slice(differing[0], differing[-1] + 1) if len(differing) else slice(0, 0)
    random = np.random.default_rng(0)
    fewest = max(4, 2 * len(known).bit_length() - 3)
    for bits in range(fewest, fewest + 4):
        for _ in range(8):
            multipliers = 2 * random.integers(0, 1 << 63, known[0, telling].shape, dtype=np.uint64) + 1
            shift = np.uint64(64 - bits)
            slots = _slots(known[:, telling], multipliers, shift)
            if len(np.unique(slots)) == len(known):
                code_at = np.zeros(1 << bits, dtype=np.intp)
                code_at[slots] = np.arange(len(known))
                return _Table(known, telling, multipliers, shift, code_at)
    return None
