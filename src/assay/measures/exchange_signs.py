"""The terms of differences that become sums of signs where two systems are exchanged item by item."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.measures.forms import Signs
from assay.tally.joint import Joint
from assay.tally.sampling import Floats
from assay.tally.scored import Scored


def auc_signs(joint: Joint[Scored]) -> Signs:
    """The area under one curve less that under the other, over mid-ranks that were handed from system to system.

    Exchanged scores of a positive and a negative item meet in both systems, so the products of their two signs cancel.
    What is left of a positive item is how many negative scores of either system lie below its one score and not below
    its other, ties counting half, over 2PQ; of a negative one how many positive scores lie above. Four times PQ of this
    is a whole number. Twice a mid-rank is one too, so that counting takes the place of another sort.
    """
    positive, counts = joint.a.keys["positive"], joint.counts
    ranks = [side.keys["score"].astype(np.int64) for side in (joint.a, joint.b)]
    size = int(max(rank.max(initial=0) for rank in ranks)) + 1
    below = []  # twice the negative, and the positive, scores below each rank
    for own in (np.where(positive, 0, counts), np.where(positive, counts, 0)):
        at = np.bincount(np.concatenate(ranks), weights=np.tile(own, 2), minlength=size).astype(np.int64)
        below.append(2 * np.cumsum(at) - at)
    a, b = (np.where(positive, below[0][rank], -below[1][rank]) for rank in ranks)
    positives = int(counts[positive].sum())
    pairs = positives * (joint.n - positives)
    return Signs(a - b, 1 / (4 * pairs) if pairs else math.nan)


def mean_signs(of_unit: Callable[[Any], Floats]) -> Callable[[Joint[Any]], Signs]:
    """The terms of a mean over items, from the value of one item of each unit."""

    def signs(joint: Joint[Any]) -> Signs:
        return Signs(of_unit(joint.a) - of_unit(joint.b), 1 / joint.n if joint.n else math.nan)

    return signs
