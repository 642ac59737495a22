"""Calibration: what share of the items is positive where scores promise a share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import DataError
from assay.measures.bins import binned
from assay.measures.curves import Curve
from assay.tally.sampling import Floats, Ints
from assay.tally.scored import ByScore, Scored

BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Curve):
    """Share of positives against the mean score, in bins of scores; `threshold` is the lowest score of each."""

    mass: Floats  # how many items lie in each bin, or how much they weigh
    into: Ints  # the bin of every unit of the tally
    tally: Scored
    binning: str

    kind: ClassVar[str] = "calibration"
    axes: ClassVar[tuple[str, str]] = ("Mean score in bin", "Share of positives")

    @classmethod
    def of(cls, tally: Scored, bins: int = BINS, binning: str = "mass") -> Calibration:
        """The curve of a tally; equal scores stay in one bin, so that there may be fewer bins than asked for."""
        place = calibration_bins(tally, bins, binning)
        e, start = ByScore.of(tally, tally.mass), np.flatnonzero(np.diff(place, prepend=-1))
        mass, pos = np.add.reduceat(e.pos + e.neg, start), np.add.reduceat(e.pos, start)
        mean = np.add.reduceat((e.pos + e.neg) * e.score, start) / mass
        return cls(mean, pos / mass, e.score[start], mass, place[tally.place], tally, binning)

    @property
    def prob_pred(self) -> Floats:
        """The mean score of each bin."""
        return self.x

    @property
    def prob_true(self) -> Floats:
        """The share of positives in each bin."""
        return self.y

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.prob_true, self.prob_pred))

    def deviations(self) -> Floats:
        """By how much each unit differs from the share of its bin."""
        return self.tally.keys["positive"] - self.y[self.into]


def calibration_bins(tally: Scored, bins: int = BINS, binning: str = "mass") -> Ints:
    """The bin of every distinct score, from the lowest up, numbered without gaps."""
    scores = tally.scores
    if not tally.probabilities:
        raise DataError(
            f"calibration is of probabilities, and these scores reach from {scores[0]:g} to {scores[-1]:g}; "
            "turn them into probabilities from 0 to 1 first."
        )
    e = ByScore.of(tally, tally.mass)
    raw = binned(e, bins, binning).index
    # A score of which no item weighs anything goes with its neighbor: it makes no bin.
    some = np.flatnonzero(e.pos + e.neg > 0)
    near = some[np.maximum(np.searchsorted(some, np.arange(len(raw)), side="right") - 1, 0)]
    return np.unique(raw[near], return_inverse=True)[1].astype(np.int64)


def calibration_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object | None = None,
    bins: int = BINS,
    binning: str = "mass",
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Calibration:
    """Share of positives against mean score in bins; unpacks as `prob_true, prob_pred`."""
    how: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight, "cluster": cluster}
    return Calibration.of(Scored.from_scores(y_true, y_score, **how), bins, binning)
