"""Probabilities gathered into bins: how many items each bin has, how many are positive, how many were expected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.errors import OptionError, choose
from assay.options import BINNINGS
from assay.sources.given import whole_number
from assay.tally.sampling import Floats, Ints
from assay.tally.scored import ByScore

BINS = 15
MOST = 10_000  # bins that are looked at one after the other


@dataclass(frozen=True, eq=False)
class Bins:
    """Sums over the items of each bin: shape (..., bins)."""

    items: Floats
    positive: Floats
    expected: Floats  # the sum of the scores
    index: Ints  # the bin of each distinct score: shape (..., scores)

    @property
    def gap(self) -> Floats:
        """Positive items beyond those that the scores expect."""
        return self.positive - self.expected


def binned(e: ByScore, bins: int | None = BINS, binning: str = "mass") -> Bins:
    """Items in bins of about the same number of items, or of the same width; None gives every score its own bin.

    By mass: the items of one score stay together, and go where the middle of them lies among all n items in order: into
    bin ⌊bins · (items below + half of these) / n⌋. By width: bin b holds the scores
    above b / bins up to (b + 1) / bins, the first one 0 too.
    """
    if bins is None:
        every = np.broadcast_to(np.arange(len(e.score)), e.pos.shape)
        return Bins(e.pos + e.neg, e.pos, (e.pos + e.neg) * e.score, every)
    if not whole_number(bins, 1) or bins > MOST:
        raise OptionError(f"bins is {bins!r}; it is a whole number from 1 to {MOST:,}.")
    choose(binning, BINNINGS, "binning")
    items = e.pos + e.neg
    if binning == "mass":
        total = np.maximum(items.sum(-1, keepdims=True), np.finfo(np.float64).tiny)
        place = (np.cumsum(items, axis=-1) - items / 2) / total
        index = np.clip(np.floor(bins * place), 0, bins - 1).astype(np.int64)
    else:
        index = np.broadcast_to(np.searchsorted(np.arange(1, bins) / bins, e.score), items.shape)
    # Bins follow the order of the scores, so that each holds a run of them.
    ends = np.stack([(index < b).sum(-1) for b in range(bins + 1)], axis=-1)
    expected = items * np.clip(e.score, 0, 1)
    return Bins(_between(items, ends), _between(e.pos, ends), _between(expected, ends), index)


def _between(x: Floats, ends: Ints) -> Floats:
    """Sums over the runs between these ends."""
    running = np.concatenate([np.zeros((*x.shape[:-1], 1)), np.cumsum(x, axis=-1)], axis=-1)
    return np.diff(np.take_along_axis(running, ends, axis=-1), axis=-1)
