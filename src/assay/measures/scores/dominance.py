"""Which of two curves is higher where, and where they cross."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from assay.errors import DataError, OptionError
from assay.measures.scores.curves import PrecisionRecall, Roc
from assay.measures.scores.geometry import Stretch, corners, stretches
from assay.tally.contract.sampling import Floats

EMPTY = 1e-9  # ranges shorter than this are due to rounding


@dataclass(frozen=True)
class Dominance:
    """The ranges of x, from 0 to 1, in which one of two curves is higher; in the sample, not in the population."""

    kind: str
    stretches: tuple[Stretch, ...]

    def share(self, higher: int) -> float:
        """How much of the range has the first curve higher (1), the second (−1), or neither (0)."""
        return sum(s.high - s.low for s in self.stretches if s.higher == higher)

    @property
    def dominates(self) -> int | None:
        """1 where the first curve is nowhere lower, −1 where the second is nowhere, 0 where they are the same curve."""
        signs = {s.higher for s in self.stretches} - {0}
        if not signs:
            return 0
        return signs.pop() if len(signs) == 1 else None

    @cached_property
    def crossings(self) -> tuple[float, ...]:
        """Where the lead changes; the middle of the range where the curves run together in between."""
        apart = [s for s in self.stretches if s.higher]
        return tuple((a.high + b.low) / 2 for a, b in pairwise(apart) if a.higher != b.higher)


def dominance(a: Roc | PrecisionRecall, b: Roc | PrecisionRecall) -> Dominance:
    """Over which range of FPR, or of recall, which of two curves is higher.

    At the same recall the curve with fewer false alarms has the higher precision, whatever lies between its points.
    So precision–recall curves are compared by their false alarms, which gives the answer of the ROC curves with the
    axes exchanged.
    """
    if isinstance(a, Roc) and isinstance(b, Roc):
        return Dominance("roc", _kept(stretches(_roc(a), _roc(b))))
    if not (isinstance(a, PrecisionRecall) and isinstance(b, PrecisionRecall)):
        raise OptionError(f"a {a.kind} curve and a {b.kind} curve have no common axes; give two of the same kind.")
    # Sums of weights that were added in another order differ in their last bits.
    if not np.allclose((a.positives, a.negatives), (b.positives, b.negatives), rtol=1e-9, atol=0):
        raise DataError(
            f"one curve has {a.positives:,.6g} positives and {a.negatives:,.6g} negatives, the other "
            f"{b.positives:,.6g} and {b.negatives:,.6g}: precision can be compared only on the same items."
        )
    upside = tuple(Stretch(s.low, s.high, -s.higher) for s in stretches(_false_alarms(a), _false_alarms(b)))
    return Dominance("pr", _kept(upside))


def under_diagonal(curve: Roc) -> tuple[tuple[float, float], ...]:
    """The ranges of FPR in which the curve is worse than calling items positive at random."""
    ends = np.array([0.0, 1.0])
    found = stretches(_roc(curve), (ends, ends))
    return tuple((s.low, s.high) for s in found if s.higher < 0 and s.high - s.low > EMPTY)


def _kept(found: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    return tuple(s for s in found if s.high - s.low > EMPTY)


def _roc(curve: Roc) -> tuple[Floats, Floats]:
    some = curve.corners()
    return some.fpr, some.tpr


def _false_alarms(curve: PrecisionRecall) -> tuple[Floats, Floats]:
    tp, fp = curve.path()
    some = corners(tp, fp)
    return tp[some] / tp[-1], fp[some] / max(fp[-1], 1e-300)
