"""The area under the convex hull of the ROC curve: the best that merging scores into ties could achieve."""

from __future__ import annotations

import math

import numpy as np

from assay.measures.declare.examples import FEW_NEGATIVES, FIVE_SCORES, FULL_OF_NEGATIVES
from assay.measures.declare.facts import Hides, Notes, Worked
from assay.measures.declare.forms import NoInterval
from assay.measures.declare.measure import measure
from assay.measures.scores import slopes
from assay.measures.scores.geometry import hull
from assay.measures.scores.order import ONE_CLASS, roc_auc
from assay.tally.contract.sampling import Floats
from assay.tally.scores import ByScore

LIFTED = (
    "the hull is fitted to the same items and is too high by chance: intervals around it covered the true value in 84 "
    "to 100% of simulated samples (60 to 1,000 items); use ROC AUC, whose interval covers"
)


def _merged(e: ByScore) -> ByScore:
    """The same items, with one score for all items on a straight part of the hull."""
    pos, neg = (slopes.reverse(side) for side in (e.pos, e.neg))  # from the highest score down
    x, y = (np.concatenate([[0.0], np.cumsum(side)]) for side in (neg, pos))
    start = hull(x, y)[:-1]
    pos, neg = (slopes.reverse(np.add.reduceat(side, start)) for side in (pos, neg))
    return ByScore(pos, neg, np.arange(len(start), dtype=np.float64))


@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined=ONE_CLASS,
    interval=NoInterval(LIFTED),
    no_skill="base rate",
    notes=Notes(no_model="0.5"),
    worked=(Worked(FIVE_SCORES, {}, 5 / 6, "hull through (0, 1/2) and (2/3, 1): 2/3 · 3/4 on average, then 1/3 at 1"),),
    cite="Provost and Fawcett (2001). Robust classification for imprecise environments. Machine Learning 42.",
    hides=Hides(
        (FEW_NEGATIVES, FULL_OF_NEGATIVES),
        "it says nothing about how rare positives are, and so about what a high score is worth",
        "average_precision",
    ),
    title="Area under the ROC convex hull",
    aliases=("auch",),
)
def roc_hull_auc(e: ByScore) -> Floats:
    """Area under the convex hull of the ROC curve: the best that random mixtures of thresholds can achieve.

    the area under the smallest concave curve that is nowhere below the ROC curve; it is never less than ROC AUC, and
    with few items it exceeds it by chance alone
    """
    flat_pos, flat_neg = (np.broadcast_to(x, e.pos.shape).reshape(-1, e.pos.shape[-1]) for x in (e.pos, e.neg))
    each = [_area(ByScore(pos, neg, e.score)) for pos, neg in zip(flat_pos, flat_neg, strict=True)]
    return np.asarray(each, np.float64).reshape(e.pos.shape[:-1])


def _area(e: ByScore) -> float:
    if e.pos.sum() <= 0 or e.neg.sum() <= 0:
        return math.nan
    return float(roc_auc.formula(_merged(e)))
