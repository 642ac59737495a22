"""What the answers cost, over thresholds or over all costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.measures.costs import break_even_threshold
from assay.measures.curves import Curve, Roc, counts_reached
from assay.tally.sampling import Floats
from assay.tally.scored import Scored

ROUNDING = 1e-13  # costs that differ by less, beside the lowest of them, are equal but for the last bits


@dataclass(frozen=True, eq=False, repr=False)
class CostByThreshold(Curve):
    """What the answers cost per item at each threshold; the first threshold alarms nothing and is infinite."""

    cost_fp: float
    cost_fn: float

    kind: ClassVar[str] = "cost"
    axes: ClassVar[tuple[str, str]] = ("Threshold", "Cost per item")

    @classmethod
    def of(cls, tally: Scored, cost_fp: float, cost_fn: float) -> CostByThreshold:
        """The curve of a tally; costs are finite and from 0 up."""
        break_even_threshold(cost_fp, cost_fn)  # refuses costs that make no sense
        threshold, tp, fp = counts_reached(tally)
        cost = (cost_fp * fp + cost_fn * (tp[-1] - tp)) / (tp[-1] + fp[-1])
        return cls(threshold, cost, threshold, cost_fp, cost_fn)

    def at(self, threshold: ArrayLike) -> Floats:
        """The cost where every score from this threshold on is an alarm."""
        rising = self.threshold[::-1]
        place = np.searchsorted(rising, np.asarray(threshold, np.float64))
        return self.y[::-1][np.minimum(place, len(rising) - 1)]

    @property
    def cheapest(self) -> tuple[float, float]:
        """The threshold of the lowest cost on these items, the highest of several, and that cost."""
        place = int(np.argmax(self.y <= self.y.min() * (1 + ROUNDING)))
        return float(self.threshold[place]), float(self.y[place])


@dataclass(frozen=True, eq=False, repr=False)
class CostEnvelope(Curve):
    """The cost curve of Drummond and Holte: normalized expected cost of the best threshold, for all costs at once.

    x is the share of the expected cost of always being wrong that is due to misses. Each threshold is the best from
    its x to the next one's.
    """

    kind: ClassVar[str] = "envelope"
    axes: ClassVar[tuple[str, str]] = ("Share of the possible cost that is due to misses", "Normalized expected cost")

    @classmethod
    def of(cls, tally: Scored) -> CostEnvelope:
        """The lower envelope of the lines that the thresholds make, from the hull of the ROC curve."""
        h = Roc.of(tally).hull()
        fpr, tpr = np.diff(h.fpr), np.diff(h.tpr)
        turn = fpr / (fpr + tpr)
        cost = (1 - h.tpr[1:]) * turn + h.fpr[1:] * (1 - turn)
        return cls(
            np.concatenate([[0.0], turn, [1.0]]),
            np.concatenate([[0.0], cost, [0.0]]),
            np.append(h.threshold, h.threshold[-1]),
        )

    def at(self, x: ArrayLike) -> Floats:
        """The lowest cost there."""
        return np.interp(np.asarray(x, np.float64), self.x, self.y)
