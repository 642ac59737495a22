"""Measures of classifiers, from scores."""

from __future__ import annotations

import numpy as np

from assay.measures import closed, quick
from assay.measures.average import ratio
from assay.measures.declare import Worked, family, measure
from assay.measures.examples import FIVE_SCORES
from assay.measures.forms import EffectiveN
from assay.tally.sampling import Floats
from assay.tally.scored import ByScore, Scored

family(Scored, "from_scores", ByScore)


@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined="the items are all positive or all negative",
    interval=EffectiveN("effective_n", closed.auc),
    no_skill=0.5,
    exchange_is_linear=True,
    quick=quick.roc_auc,
    worked=(Worked(FIVE_SCORES, {}, 4.5 / 6, "of 6 pairs, 4 are in order and 1 is tied"),),
    cite="hanley1982",
    title="ROC AUC",
    aliases=("auc", "roc_auc_score"),
)
def roc_auc(e: ByScore) -> Floats:
    """Chance that a positive item scores higher than a negative one, ties counting half.

    Σ over pairs [s⁺ > s⁻] + ½ [s⁺ = s⁻], divided by the number of pairs
    """
    below = np.cumsum(e.neg, axis=-1) - e.neg / 2
    return ratio((e.pos * below).sum(-1), e.pos.sum(-1) * e.neg.sum(-1))
