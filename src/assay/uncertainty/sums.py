"""Evidence as sums of sparse rows: an item changes few features, and threads should not wait for one BLAS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare import Bound
from assay.tally.base import Tally
from assay.tally.sampling import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE = 1 << 25  # numbers in a table of units by features; larger ones are not made


def few_features(bound: Bound, tally: Tally) -> bool:
    """Whether a table of the units by their features is small enough to be made."""
    evidence: Any = bound.evidence.of(tally, tally.mass)
    return len(tally.counts) * int(evidence.features.shape[-1]) <= DENSE


def in_columns(rows: Floats) -> csr_array[Any]:
    """Rows of features as sparse columns."""
    from scipy.sparse import csr_array

    return csr_array(rows.T)


def added_up(times: NDArray[Any], columns: csr_array[Any]) -> Floats:
    """So many times each column, all of them together: shape (..., features)."""
    return np.asarray((columns @ np.ascontiguousarray(times.T, np.float64)).T)
