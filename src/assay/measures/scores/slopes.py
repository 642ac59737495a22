"""What one item more or less, or an exchange of two systems, does to measures of scores."""

from __future__ import annotations

import math

import numpy as np

from assay.measures.declare.average import ratio
from assay.measures.declare.forms import Signs
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, running
from assay.tally.contract.sums import weighted_sum
from assay.tally.scores import ByScore, Scored

Both = tuple[Floats, Floats]


# ---------------------------------------------------------------------- sums along thresholds
def reverse(x: Floats) -> Floats:
    """From the highest score down, or back."""
    return x[..., ::-1]


def calls_by_threshold(e: ByScore) -> tuple[Floats, Floats, Floats]:
    """Positives at each score from the highest down, and the hits and all calls of a threshold there."""
    pos = reverse(e.pos)
    tp = running(pos)
    return pos, tp, tp + running(reverse(e.neg))


def one_before(x: Floats, first: float = 0.0) -> Floats:
    """The values shifted by one place."""
    return np.concatenate([np.full((*x.shape[:-1], 1), first), x[..., :-1]], axis=-1)


def from_here(x: Floats) -> Floats:
    """Sums from each place to the end."""
    return np.cumsum(x[..., ::-1], axis=-1)[..., ::-1]


def share(top: Floats, bottom: Floats, empty: float) -> Floats:
    """Top over bottom, or `empty` where nothing is called positive."""
    out = np.empty(np.broadcast_shapes(top.shape, bottom.shape))
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(top, bottom, out=out)
    np.copyto(out, empty, where=bottom <= 0)
    return out


# ---------------------------------------------------------------------- the area under the ROC curve
def negatives_below(e: ByScore) -> Floats:
    """Negatives below an item of each score, ties as half."""
    return np.asarray(running(e.neg) - e.neg / 2)


def placements(e: ByScore) -> Both:
    """Negatives below a positive item and positives above a negative one, ties as half."""
    return negatives_below(e), e.pos.sum(-1, keepdims=True) - running(e.pos) + e.pos / 2


def auc_influence(e: ByScore) -> Both:
    """An item's own share of correctly ordered pairs, relative to that of its class."""
    below, above = placements(e)
    m, n = (x.sum(-1, keepdims=True) for x in (e.pos, e.neg))
    value = ratio((e.pos * below).sum(-1, keepdims=True), m * n)
    moved = (ratio(ratio(below, n) - value, m), ratio(ratio(above, m) - value, n))
    return np.nan_to_num(moved[0]), np.nan_to_num(moved[1])


def auc_left_out(e: ByScore) -> Both:
    """The pairs that remain when an item is left out."""
    below, above = placements(e)
    m, n = (x.sum(-1, keepdims=True) for x in (e.pos, e.neg))
    won = (e.pos * below).sum(-1, keepdims=True)
    return ratio(won - below, (m - 1) * n), ratio(won - above, m * (n - 1))


def partial_auc_influence(e: ByScore, max_fpr: float) -> Both:
    """A positive item raises the curve from its score onward; a negative one shifts it to the right from there."""
    m, n = (x.sum(-1, keepdims=True) for x in (e.pos, e.neg))
    up, right = ratio(reverse(e.pos), m), ratio(reverse(e.neg), n)
    y, x = np.cumsum(up, axis=-1), np.cumsum(right, axis=-1)
    before = x - right
    part = np.where(right > 0, np.clip(ratio(max_fpr - before, right), 0, 1), before < max_fpr)
    moved = []
    for wide, at, mass, sign in ((right, y, m, 1), (up, x, n, -1)):
        # A piece of the curve moves as its two ends do; the last piece counts up to the cut.
        start, end = wide * part * (1 - part / 2), wide * part**2 / 2
        ends = end + np.concatenate([start[..., 1:], np.zeros_like(start[..., :1])], axis=-1)
        moved.append(reverse(np.nan_to_num(sign * ratio(from_here(ends) - (ends * at).sum(-1, keepdims=True), mass))))
    return moved[0], moved[1]


# ---------------------------------------------------------------------- areas under the precision-recall curve
def under_precision(e: ByScore, trapezoid: bool) -> Floats:
    """The area in steps down to each positive, or under straight lines starting from precision 1 at recall 0."""
    pos, tp, n = calls_by_threshold(e)
    precision = share(tp, n, 1.0)
    heights = (precision + one_before(precision, 1.0)) / 2 if trapezoid else precision
    return ratio(weighted_sum(pos, heights), pos.sum(-1, dtype=pos.dtype))


def precision_influence(e: ByScore, trapezoid: bool) -> Both:
    """How an item changes the precision at its own score and below, and the share of its class found there."""
    pos, tp, n = calls_by_threshold(e)
    precision = share(tp, n, 1.0)
    own = (precision + one_before(precision, 1.0)) / 2 if trapezoid else precision
    weight = (pos + np.concatenate([pos[..., 1:], np.zeros_like(pos[..., :1])], axis=-1)) / 2 if trapezoid else pos
    total = pos.sum(-1, keepdims=True)
    value = ratio((pos * own).sum(-1, keepdims=True), total)
    gained = from_here(weight * share(1 - precision, n, 0.0))
    lost = from_here(weight * share(precision, n, 0.0))
    positive, negative = ratio(own - value + gained, total), ratio(-lost, total)
    return reverse(np.nan_to_num(positive)), reverse(np.nan_to_num(negative))


def precision_left_out(e: ByScore, trapezoid: bool) -> Both:
    """Scores above the item's own keep their precision; at its own and below there is one item fewer."""
    pos, tp, n = calls_by_threshold(e)
    before = share(tp, n, 1.0)
    out = []
    for gone in (1.0, 0.0):
        after = share(np.maximum(tp - gone, 0), n - 1, 1.0)
        if trapezoid:
            above = pos * (before + one_before(before, 1.0)) / 2
            here = (pos - gone) * (after + one_before(before, 1.0)) / 2
            below = pos * (after + one_before(after, 1.0)) / 2
        else:
            above, here, below = pos * before, (pos - gone) * after, pos * after
        sums = one_before(np.cumsum(above, axis=-1)) + here + from_here(below) - below
        out.append(reverse(ratio(sums, pos.sum(-1, keepdims=True) - gone)))
    return out[0], out[1]


def auc_signs(joint: Joint[Scored]) -> Signs:
    """The area under one curve minus that under the other, over mid-ranks exchanged between the systems.

    Exchanged scores of a positive and a negative item meet in both systems, so the products of their two signs cancel.
    What remains for a positive item is the number of negative scores of either system that lie below its one score but
    not below its other, ties counting half, over 2PQ; for a negative one, the number of positive scores above. Times
    4PQ this is a whole number. So is twice a mid-rank, and counting replaces another sort.
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
