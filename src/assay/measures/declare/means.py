"""What follows for a measure that is a mean over items from the values of the items: no formula has to say it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats


@dataclass(frozen=True, eq=False)
class Mean:
    """The value of one item of each unit, and the items without any of which the mean is undefined."""

    each: Floats
    needed: NDArray[np.bool_] | None = None

    def influence(self, w: Floats) -> Floats:
        """The derivative of the mean in the multiplicity of each unit: shape (..., units)."""
        n = w.sum(-1)
        size = np.where(self._defined(n, self._kept(w)), n, np.inf)[..., None]  # an undefined mean does not move
        mean = (w @ self.each)[..., None] / size
        return np.asarray((self.each - mean) / size)

    def left_out(self, tally: Tally) -> Floats:
        """The mean without one item, or one cluster, of each kind."""
        sampling, w = tally.sampling, tally.mass
        n = w.sum() - sampling.sums(np.ones(len(w)))
        kept = self._kept(w)
        if kept is not None and self.needed is not None:
            kept = kept - sampling.sums(self.needed.astype(np.float64))
        return np.asarray((w @ self.each - sampling.sums(self.each)) / np.where(self._defined(n, kept), n, np.nan))

    def _kept(self, w: Floats) -> Floats | None:
        return None if self.needed is None else np.asarray(w @ self.needed)

    @staticmethod
    def _defined(n: Floats, kept: Floats | None) -> NDArray[np.bool_]:
        return np.asarray(n > 0 if kept is None else (n > 0) & (kept > 0))
