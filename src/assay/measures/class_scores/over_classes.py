"""A measure of one class against the rest, or of every pair of classes, averaged, and its intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.errors import OptionError, choose, listed
from assay.measures.declare.average import weighted_mean
from assay.measures.declare.forms import Around, Effective
from assay.measures.scores.closed_forms import HALF
from assay.measures.scores.slopes import placements
from assay.options import AVERAGES, CLASS_AVERAGES
from assay.tally.class_scores import ClassScored, ItemScores
from assay.tally.contract.hot import one_hot, sum_by
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.losses import halved_squares, surprise
from assay.tally.scores import ByScore

OfScores = Callable[[ByScore], Any]  # reads one class against the rest


def mean_over_classes(e: ItemScores, of: OfScores, average: str) -> Floats:
    """The values of the classes that occur, each counted once or as often as it has items."""
    values, sizes = class_values(e, of), e.sizes
    return weighted_mean(values, class_weights(sizes, average), "exclude")


def mean_influence(e: ItemScores, of: OfScores, influence: OfScores, average: str) -> Floats:
    """How much one item of each unit moves that mean."""
    values, sizes = class_values(e, of), e.sizes
    weights = np.where(np.isnan(values), 0.0, class_weights(sizes, average))
    total = weights.sum(-1)
    share = np.divide(weights, total[..., None], out=np.zeros_like(weights), where=total[..., None] > 0)
    out = np.zeros_like(e.w)
    for c, (one, tally) in enumerate(zip(e.against_rest(), e.items.rest, strict=True)):
        moves = np.nan_to_num(ByScore.per_unit(tally, influence(one)))
        out += share[..., c, None] * moves
    if average == "weighted":
        # One more item of a class also gives that class more weight.
        apart = np.nan_to_num(values - weighted_mean(values, weights, "exclude")[..., None])
        out += (apart / np.where(total > 0, total, 1)[..., None])[..., e.items.gold]
    return out


def mean_left_out(e: ItemScores, left_out: OfScores, average: str) -> Floats:
    """That mean without one item of each unit, in turn."""
    found = [ByScore.per_unit(tally, left_out(one)) for one, tally in zip(e.against_rest(), e.items.rest, strict=True)]
    sizes = e.sizes - one_hot(e.items.gold, e.items.k)
    return weighted_mean(np.stack(found, axis=-1), class_weights(sizes, average), "exclude")


def absence_note(tally: ClassScored) -> list[str]:
    """Names the classes that have no items and so are left out of every mean."""
    sizes = ItemScores.of(tally, tally.mass).sizes
    lost = [label for label, size in zip(tally.labels, sizes, strict=True) if size == 0]
    return [f"no item belongs to {listed(lost, 5)}, which the mean leaves out"] if lost else []


def class_values(e: ItemScores, of: OfScores) -> Floats:
    """The value of each class against the rest; nan where it has none: shape (..., k)."""
    return np.stack([np.asarray(of(one)) for one in e.against_rest()], axis=-1)


def _check_average(average: str) -> None:
    """Refuse an average that scores of several classes do not have; one of labels is no misspelling of another."""
    if average in AVERAGES and average not in CLASS_AVERAGES:
        raise OptionError(f"average is {average!r}; for a score of each class it is one of {listed(CLASS_AVERAGES)}.")
    choose(average, CLASS_AVERAGES, "average")


def class_weights(sizes: Floats, average: str) -> Floats:
    """How much each class counts in the mean."""
    _check_average(average)
    return sizes if average == "weighted" else (sizes > 0).astype(np.float64)


ENDS = 0.4  # of an item, divided among the classes that occur and added to each end of them


def mean_auc(
    e: ItemScores, value: Callable[[ItemScores], Floats], influence: Callable[[ItemScores], Floats]
) -> Effective:
    """Wilson's interval with the variance of the influences; a fraction of an item is added to each end of each class.

    The addition keeps the variance above zero if classes are fully separated. For two classes it is DeLong's variance.
    """
    smooth = e.with_ends(ENDS / max(int((e.sizes > 0).sum()), 1))
    u, sizes = influence(smooth), smooth.sizes
    unbiased = (sizes / np.maximum(sizes - 1, 0.5))[smooth.items.gold]  # as DeLong has it, class by class
    variance = float((smooth.w * unbiased * u**2).sum())
    at = float(value(smooth))
    return Effective(float(value(e)), at * (1 - at) / variance, error=math.sqrt(variance))


def mean_average_precision(
    e: ItemScores, of: OfScores, influence: OfScores, left_out: OfScores, average: str
) -> Effective:
    """Wilson's interval with the jackknife's variance, and half an item of each class more.

    With few items of a class its average precision is too high. A mean over classes varies less than each of them but
    is as biased, so the interval is centered on the mean minus the jackknife's bias. A few items may carry the
    variance: the degrees of freedom are twice their number minus one.
    """
    sizes, values = e.sizes, np.nan_to_num(class_values(e, of))
    weights = class_weights(sizes, average)
    share = weights / weights.sum()
    value = float((share * values).sum())
    if e.w.sum() < 2 or (e.w != np.round(e.w)).any():
        # Rows with a weight below one cannot be left out as whole items; their influence gives the same information.
        moves, bias = mean_influence(e, of, influence, average), 0.0
    else:
        moves, bias = _left_out(e, mean_left_out(e, left_out, average), value)
    variance, fourth = float((e.w * moves**2).sum()), float((e.w * moves**4).sum())
    carriers = variance**2 / fourth if fourth > 0 else 0.0
    more = HALF * ((1 - values) ** 2 + values**2) / (sizes + 1) ** 2
    variance = variance * float((share * sizes / (sizes + 1)).sum()) ** 2 + float((share**2 * more).sum())
    level = float((share * (values * sizes + HALF) / (sizes + 1)).sum())
    center = min(max(value - bias, 0.0), 1.0)
    df = max(2 * carriers - 1, 2.0)
    return Effective(center, level * (1 - level) / variance, df, error=math.sqrt(variance))


def _left_out(e: ItemScores, left: Floats, value: float) -> tuple[Floats, float]:
    """The influence of each item on the mean, and how much few items inflate it.

    Leaving out the only item of a class removes the class, which moves the mean but says nothing about its bias.
    """
    n = float(e.w.sum())
    apart = np.where((e.w > 0) & np.isfinite(left), left - value, 0.0)
    bias = (n - 1) / n * float((e.w * apart)[e.sizes[e.items.gold] > 1].sum())
    return math.sqrt((n - 1) / n) * (apart - float((e.w * apart).sum()) / n), bias


# ---------------------------------------------------------------------- means of losses
def brier(e: ItemScores) -> Effective:
    """Wilson's interval for a mean between 0 and 1, with half an item more at either end."""
    loss, n = halved_squares(e.items.scores, e.items.gold), float(e.w.sum())
    value, more = float((e.w * loss).sum()) / n, n + 2 * HALF
    smooth = (n * value + HALF) / more
    squares = float((e.w * (loss - smooth) ** 2).sum()) + HALF * (smooth**2 + (1 - smooth) ** 2)
    variance = squares / ((more - 1) * more)
    return Effective(value, smooth * (1 - smooth) / variance, error=math.sqrt(variance))


def log_loss(e: ItemScores) -> Around:
    """The mean on the log scale, with one more item, divided among the classes, at the scores of all.

    The addition stands for the cost of a class where it was not seen. The upper limit starts from the mean with it,
    the lower one from the mean itself.
    """
    items, k = e.items, e.items.k
    n, more = float(e.w.sum()), float(e.w.sum()) + 2 * HALF
    loss = surprise(items.scores, items.gold)
    others = np.stack([surprise(items.scores, np.full(len(items.gold), c)) for c in range(k)])
    shared = 2 * HALF * e.w / (k * n)
    value = float((e.w * loss).sum()) / n
    smooth = (n * value + float((shared * others).sum())) / more
    squares = float((e.w * (loss - smooth) ** 2).sum() + (shared * (others - smooth) ** 2).sum())
    error = math.sqrt(squares / ((more - 1) * more))
    bottom, top = math.log(value) if value > 0 else -math.inf, math.log(max(value, smooth))
    return Around(bottom, error / smooth, back=lambda x: math.exp(min(x, 700.0)), center_high=top, own_error=error)


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
        # And it gives pairs with its class more weight, relative to those of other classes.
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
    _check_average(average)
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
    _check_average(average)
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
        rows.append(sum_by(e.items.gold, e.items.k, e.w * placements(one)[1][..., tally.place]))
    return np.stack(rows, axis=-2)


def won_by_one(e: ItemScores, as_other: Floats, as_own: Floats) -> Floats:
    """The wins that one item of each unit takes part in, times coefficients of the two roles it has in them.

    By the scores of its own class it wins against items of others; by theirs, their items win against it.
    """
    gold = e.items.gold
    out = np.zeros_like(e.w)
    for i, (one, tally) in enumerate(zip(e.against_rest(), e.items.rest, strict=True)):
        others = ByScore.of(tally, e.w * as_own[..., i, gold])
        lost = as_other[..., i, gold] * placements(one)[1][..., tally.place]
        out += np.where(gold == i, placements(others)[0][..., tally.place], lost)
    return out


def exchange_terms(joint: Joint[ClassScored], per_win: Floats) -> Floats:
    """What each item adds to the difference of two systems, or subtracts if its scores are exchanged.

    Exchanged scores of two items meet in both systems, so the products of their signs cancel. What remains for an
    item is half of the wins that it takes part in with the scores of either system: those by its one row of scores
    minus those by its other.
    """
    keys = {name: np.concatenate([one, joint.b.keys[name]]) for name, one in joint.a.keys.items()}
    counts = np.tile(joint.counts, 2)
    pooled = ItemScores(counts.astype(np.float64), ClassScored(keys, counts, labels=joint.a.labels))
    a, b = np.split(won_by_one(pooled, per_win, per_win), 2)
    return np.asarray((a - b) / 2)
