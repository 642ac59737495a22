"""Many systems right or wrong on the same items, and whether their shares differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import DataError, plural


@dataclass(frozen=True)
class CochranQ:
    """Cochran's Q with its p-value, and how many items it rests on."""

    value: float
    df: int
    p_value: float
    n: int
    disagreements: int  # items that some systems got right and others wrong; the others do not matter
    note: str | None = None


def cochrans_q(patterns: Any, counts: Any = None) -> CochranQ:
    """Whether systems are right equally often: a row of right and wrong for each pattern, and how many items have it.

    With two systems this is McNemar's χ² without a correction.
    """
    from scipy.special import chdtrc

    right = np.asarray(patterns)
    if np.ma.is_masked(patterns) or np.ma.is_masked(counts):
        raise DataError("patterns or counts are masked somewhere; leave those items out.")
    if right.ndim != 2 or right.shape[1] < 2:
        raise DataError(f"the patterns have shape {right.shape}; give a row for each, with a column for each system.")
    if right.dtype.kind not in "biuf" or not np.isin(right, (0, 1)).all():
        raise DataError("a pattern holds something else than right (1) and wrong (0).")
    right = right.astype(np.float64)
    times = np.ones(len(right)) if counts is None else np.asarray(counts)
    if times.shape != (len(right),):
        raise DataError(f"{plural(times.size, 'count')} came for {plural(len(right), 'pattern')}; give one for each.")
    if times.dtype.kind not in "iuf" or (times < 0).any() or (times != np.floor(times)).any():
        raise DataError("counts holds something else than whole numbers from 0 up.")
    k = right.shape[1]
    hits = right.sum(axis=1)  # by how many systems
    apart = (hits > 0) & (hits < k)
    n, disagree = int(times.sum()), int(times[apart].sum())
    if disagree == 0:
        return CochranQ(0.0, k - 1, 1.0, n, 0, "all systems are right on the same items, so nothing can differ")
    shares = times[apart] @ right[apart]
    within = float(times[apart] @ (hits[apart] * (k - hits[apart])))
    q = (k - 1) * k * float(((shares - shares.mean()) ** 2).sum()) / within
    return CochranQ(q, k - 1, float(chdtrc(k - 1, q)), n, disagree)
