"""Closed forms of intervals of scores for each class; of two classes they are those of one score (by simulation)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from assay.measures.forms import Around, Effective
from assay.measures.over_classes import OfScores, class_values, class_weights, mean_influence, mean_left_out
from assay.measures.score_forms import HALF
from assay.tally.class_losses import halved_squares, surprise
from assay.tally.class_scored import ItemScores
from assay.tally.sampling import Floats

ENDS = 0.4  # of an item, shared by the classes that occur and added to each end of them


def mean_auc(
    e: ItemScores, value: Callable[[ItemScores], Floats], influence: Callable[[ItemScores], Floats]
) -> Effective:
    """Wilson's interval with the variance of the influences, a little of an item added to each end of each class.

    What is added keeps the variance above zero where classes are fully apart. Of two classes it is DeLong's variance.
    """
    smooth = e.with_ends(ENDS / max(int((e.sizes > 0).sum()), 1))
    u, sizes = influence(smooth), smooth.sizes
    unbiased = (sizes / np.maximum(sizes - 1, 0.5))[smooth.items.gold]  # as DeLong has it, class by class
    variance = float((smooth.w * unbiased * u**2).sum())
    at = float(value(smooth))
    return Effective(float(value(e)), at * (1 - at) / variance)


def mean_average_precision(
    e: ItemScores, of: OfScores, influence: OfScores, left_out: OfScores, average: str
) -> Effective:
    """Wilson's interval with the jackknife's variance, and half an item of each class more.

    With few items of a class its average precision lies too high. A mean over classes varies less than each of them but
    errs as much, so that the interval stands around the mean less the jackknife's bias. Few items may carry the
    variance: degrees of freedom are twice their number, less one.
    """
    sizes, values = e.sizes, np.nan_to_num(class_values(e, of))
    weights = class_weights(sizes, average)
    share = weights / weights.sum()
    value = float((share * values).sum())
    if e.w.sum() < 2 or (e.w != np.round(e.w)).any():
        # Rows that weigh less than one cannot be left out as one: what each does to the value tells the same.
        moves, bias = mean_influence(e, of, influence, average), 0.0
    else:
        moves, bias = _left_out(e, mean_left_out(e, left_out, average), value)
    variance, fourth = float((e.w * moves**2).sum()), float((e.w * moves**4).sum())
    carriers = variance**2 / fourth if fourth > 0 else 0.0
    more = HALF * ((1 - values) ** 2 + values**2) / (sizes + 1) ** 2
    variance = variance * float((share * sizes / (sizes + 1)).sum()) ** 2 + float((share**2 * more).sum())
    level = float((share * (values * sizes + HALF) / (sizes + 1)).sum())
    center = min(max(value - bias, 0.0), 1.0)
    return Effective(center, level * (1 - level) / variance, max(2 * carriers - 1, 2.0))


def _left_out(e: ItemScores, left: Floats, value: float) -> tuple[Floats, float]:
    """What each item does to the mean, and by how much few items lift it.

    The only item of a class takes the class along, which moves the mean but says nothing of its bias.
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
    return Effective(value, smooth * (1 - smooth) * (more - 1) * more / squares)


def log_loss(e: ItemScores) -> Around:
    """The mean on the scale of logarithms, with one item more, shared by the classes, at the scores of all.

    What is added says what a class would have cost where it was not seen. The upper limit starts from the mean with it,
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
    error = math.sqrt(squares / ((more - 1) * more)) / smooth
    bottom = math.log(value) if value > 0 else -math.inf
    return Around(bottom, error, back=lambda x: math.exp(min(x, 700.0)), center_high=math.log(max(value, smooth)))
