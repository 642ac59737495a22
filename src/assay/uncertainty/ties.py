"""Which values count as equal, though the last bits of their sums differ."""

from __future__ import annotations

import numpy as np

from assay.tally.contract.sampling import Floats

SAME = 1e-12  # differences up to this share of the largest value are rounding


def differences(a: Floats, b: Floats) -> Floats:
    """The values of a minus those of b; 0 where they differ by rounding alone, as 0.1 + 0.2 and 0.3 do.

    Every test of paired values, and every rank of systems, uses this rule.
    """
    d = a - b
    d[np.abs(d) <= SAME * max(np.abs(a).max(initial=0), np.abs(b).max(initial=0))] = 0.0
    return d
