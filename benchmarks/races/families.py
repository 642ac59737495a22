"""The other families that exist: clusterings and ratings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import metrics as sk

import assay
from benchmarks.timing import Measured, Race

N = 1_000_000


def races() -> Iterator[Measured]:
    """The adjusted Rand index of a million items."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 50, N)
    found = np.where(rng.random(N) < 0.8, gold, rng.integers(0, 60, N))
    yield Race(
        "adjusted Rand index, n=1e6",
        lambda: assay.adjusted_rand(gold, found),
        "scikit-learn",
        lambda: sk.adjusted_rand_score(gold, found),
        25,
    )
