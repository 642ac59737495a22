"""Every class against every other, by the scores of the first: the pairs behind Hand and Till's measure.

Wins are pairs of an item of class i and one of class j in which the first scores higher for i, ties counting half.
All averages of AUCs are sums of wins times coefficients that depend on the sizes of the classes only.
"""

from __future__ import annotations

import numpy as np

from assay.errors import choose
from assay.measures.score_slopes import placed
from assay.options import CLASS_AVERAGES
from assay.tally.base import one_hot, sum_by
from assay.tally.class_scored import ClassScored, ItemScores
from assay.tally.joint import Joint
from assay.tally.sampling import Floats
from assay.tally.scored import ByScore


def one_on_one(e: ItemScores, average: str) -> Floats:
    """The mean AUC over pairs of classes that occur, each counted once or as often as both have items."""
    per_win = coefficients(e.sizes, average)
    return np.asarray((wins(e) * per_win).sum((-2, -1)))


def one_on_one_influence(e: ItemScores, average: str) -> Floats:
    """How much one item of each unit moves that mean."""
    sizes = e.sizes
    per_win = np.nan_to_num(coefficients(sizes, average))
    parts = wins(e) * per_win
    once = np.where(sizes > 0, sizes, 1.0)
    # One item more of a class divides all that its pairs win.
    own = -(parts.sum(-1) + parts.sum(-2)) / once
    if average == "weighted":
        n, both = sizes.sum(-1)[..., None], sizes[..., :, None] + sizes[..., None, :]
        # And it lets pairs with its class count for more, beside those of other classes.
        each = np.divide(parts, both, out=np.zeros_like(parts), where=both > 0)
        own += each.sum(-1) + each.sum(-2) - parts.sum((-2, -1))[..., None] / np.where(n > 0, n, 1)
    return np.asarray(won_by_one(e, per_win, per_win) + own[..., e.items.gold])


def one_on_one_left_out(e: ItemScores, average: str) -> Floats:
    """That mean without one item of each unit, in turn."""
    won, sizes, k = wins(e), e.sizes, e.items.k
    left, as_other, as_own = np.empty(k), np.zeros((k, k)), np.zeros((k, k))
    for j in range(k):
        fewer = coefficients(sizes - one_hot(np.array([j]), k)[0], average)
        left[j] = (won * fewer).sum()
        as_other[:, j], as_own[j] = fewer[:, j], fewer[j]
    return np.asarray(left[e.items.gold] - won_by_one(e, np.nan_to_num(as_other), np.nan_to_num(as_own)))


def coefficients(sizes: Floats, average: str) -> Floats:
    """What each win adds to the mean over pairs of classes: shape (..., k, k); nan where no two classes occur."""
    choose(average, CLASS_AVERAGES, "average")
    seen = sizes > 0
    classes = seen.sum(-1)[..., None, None]
    one, other = sizes[..., :, None], sizes[..., None, :]
    pairs = np.where(seen[..., :, None] & seen[..., None, :], one * other, np.inf)
    pairs[..., np.arange(sizes.shape[-1]), np.arange(sizes.shape[-1])] = np.inf  # no class meets itself
    several = np.where(classes > 1, classes - 1, np.nan)
    if average == "macro":
        return np.asarray(1 / (several * classes * pairs))
    n = sizes.sum(-1)[..., None, None]
    return np.asarray((one + other) / (2 * several * n * pairs))


def rest_coefficients(sizes: Floats, average: str) -> Floats:
    """What each win adds to the mean over classes of AUCs against the rest: shape (..., k, k)."""
    choose(average, CLASS_AVERAGES, "average")
    n, one = sizes.sum(-1)[..., None, None], sizes[..., :, None]
    met = np.where(sizes[..., None, :] > 0, n - one, np.inf)
    met[..., np.arange(sizes.shape[-1]), np.arange(sizes.shape[-1])] = np.inf  # no class meets itself
    if average == "weighted":
        return np.asarray(1 / (n * met))
    classes = (sizes > 0).sum(-1)[..., None, None]
    return np.asarray(1 / (classes * np.where(one > 0, one, np.inf) * met))


def wins(e: ItemScores) -> Floats:
    """How many pairs are won against each class by the scores of each: shape (..., k, k)."""
    rows = []
    for one, tally in zip(e.against_rest(), e.items.rest, strict=True):
        rows.append(sum_by(e.items.gold, e.items.k, e.w * placed(one)[1][..., tally.place]))
    return np.stack(rows, axis=-2)


def won_by_one(e: ItemScores, as_other: Floats, as_own: Floats) -> Floats:
    """The wins that one item of each unit takes part in, times coefficients of the two roles it has in them.

    By the scores of its own class it wins against items of others; by theirs, their items win against it.
    """
    gold = e.items.gold
    out = np.zeros_like(e.w)
    for i, (one, tally) in enumerate(zip(e.against_rest(), e.items.rest, strict=True)):
        others = ByScore.of(tally, e.w * as_own[..., i, gold])
        lost = as_other[..., i, gold] * placed(one)[1][..., tally.place]
        out += np.where(gold == i, placed(others)[0][..., tally.place], lost)
    return out


def exchanged(joint: Joint[ClassScored], per_win: Floats) -> Floats:
    """What each item adds to the difference of two systems, or takes from it where its scores are exchanged.

    Exchanged scores of two items meet in both systems, so the products of their signs cancel. What is left of an item
    is half of the wins that it takes part in with the scores of either system, by its one row of scores less those by
    its other.
    """
    keys = {name: np.concatenate([one, joint.b.keys[name]]) for name, one in joint.a.keys.items()}
    counts = np.tile(joint.counts, 2)
    pooled = ItemScores(counts.astype(np.float64), ClassScored(keys, counts, labels=joint.a.labels))
    a, b = np.split(won_by_one(pooled, per_win, per_win), 2)
    return np.asarray((a - b) / 2)
