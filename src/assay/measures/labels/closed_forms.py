"""Closed forms of intervals: evidence to the share, the effective number of items and the degrees of freedom.

The forms marked "by simulation" are supported by coverage studies, not by theory; the reference pages print their
grids.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare.forms import Effective, Moved
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Cells, Margins, OneVsRest

ONE_SIDED = "all gold labels or all predicted labels are one class"


# ---------------------------------------------------------------------- one class, or the pooled table
def jaccard(t: OneVsRest) -> Effective:
    """F1 is a function of tp / (tp + fp + fn), which is a plain share given its denominator."""
    trials = float(t.tp + t.fp + t.fn)
    return Effective(float(t.tp) / trials, trials, back=lambda j: 2 * j / (1 + j), exact=True)


def micro_jaccard(t: OneVsRest) -> Effective:
    """For single labels the pooled Jaccard index follows from accuracy: each wrong row is one miss and one false alarm.

    Rows without a predicted class are misses only, so there are fewer false alarms than misses.
    """
    rows = float(t.tp + t.fn)
    false = float(t.fp / t.fn) if t.fn > 0 else 1.0
    return Effective(float(t.tp) / rows, rows, back=lambda x: x / (1 + false * (1 - x)), exact=True)


# ---------------------------------------------------------------------- means over classes
def mean_of_shares(hits: Floats, trials: Floats, averaged: int) -> Effective:
    """A mean of independent shares with unequal denominators, each shrunk a little toward the mean (by simulation)."""
    some = trials > 0
    hits, trials = hits[some], trials[some]
    k, mean = len(trials), float((hits / trials).mean())
    pulled = (hits + mean + 1) / (trials + 3)
    each = pulled * (1 - pulled) / trials
    variance, level = float(each.sum()) / k**2, float(pulled.mean())
    df = max(float(each.sum()) ** 2 / float((each**2 / trials).sum()), 1.0)
    # Classes whose share is 0/0 count as 0 by convention, in the value and in both limits.
    return Effective(mean, level * (1 - level) / variance, df, back=lambda x: x * k / averaged, exact=True)


def macro_recall(t: OneVsRest) -> Effective:
    """The mean of recalls."""
    return mean_of_shares(t.tp, t.tp + t.fn, int((t.tp + t.fp + t.fn > 0).sum()))


def macro_precision(t: OneVsRest) -> Effective:
    """The mean of precisions."""
    return mean_of_shares(t.tp, t.tp + t.fp, int((t.tp + t.fp + t.fn > 0).sum()))


def macro_fnr(t: OneVsRest) -> Effective:
    """The mean miss rate, in which a class without gold items counts as missed."""
    return complement(macro_recall(t))


def macro_fdr(t: OneVsRest) -> Effective:
    """The mean false discovery rate, in which a class that was never predicted counts as false."""
    return complement(macro_precision(t))


def complement(share: Effective) -> Effective:
    """One minus the share; its limits are one minus those of the share."""
    low, high = share.back, share.back_high or share.back
    return replace(share, center=1 - share.center, back=lambda x: 1 - high(1 - x), back_high=lambda x: 1 - low(1 - x))


def balanced_recall(m: Margins) -> Effective:
    """The mean of recalls over the classes that have gold items."""
    return mean_of_shares(m.hit, m.gold, int((m.gold > 0).sum()))


def macro_f1(cells: Cells) -> Effective:
    """The mean of F1s: delta variance on smoothed Jaccard shares, its downward bias added back (by simulation).

    The bias is estimated twice: from lightly smoothed shares for the lower limit, from smoother ones for the upper.
    """
    m = cells.margins
    union = m.gold + m.pred - m.hit
    seen = union > 0
    k, at_least_one = int(seen.sum()), np.where(seen, union, 1)
    j = np.where(seen, m.hit / at_least_one, 0)
    s, s_low = (m.hit + j.sum() / k + 1) / (union + 3), (m.hit + j.sum() / k) / (union + 1)
    var_j = np.where(seen, s * (1 - s) / at_least_one, 0)
    var_f = (2 / (1 + s) ** 2) ** 2 * var_j
    f = 2 * j / (1 + j)
    per_item = f / np.where(seen, m.gold + m.pred, 1)
    # An error between two classes lowers both F1s. A prediction outside the classes lowers that of the gold class.
    off = (cells.gold != cells.pred) & (cells.pred < cells.k)
    shared = 2 * float((cells.w[off] * per_item[cells.gold[off]] * per_item[cells.pred[off]]).sum())
    variance = (float(var_f.sum()) + shared + _unseen(union * (1 - s) - (union - m.hit), per_item)) / k**2
    df = max(float(var_f.sum()) ** 2 / float((var_f**2 / at_least_one).sum()), 1.0)
    least = 2 / (1 + s_low) ** 3 * s_low * (1 - s_low) / at_least_one
    center, top = (min(float((f + bias)[seen].mean()), 1.0) for bias in (least, 2 / (1 + s) ** 3 * var_j))
    level = float((2 * s / (1 + s))[seen].mean())
    return Effective(center, level * (1 - level) / variance, df, center_high=top, exact=True)


def _unseen(errors: Floats, per_item: Floats) -> float:
    """How the errors that smoothing adds affect two classes at once, since each error lies between two of them."""
    errors = np.maximum(errors, 0.0)  # where smoothing raises a class, nothing is added
    total = float(errors.sum())
    apart = total**2 - float((errors**2).sum())
    if apart <= 0:
        return 0.0
    both = float((errors * per_item).sum()) ** 2 - float(((errors * per_item) ** 2).sum())
    return both / apart * total


def expected_cost(cells: Cells, costs: NDArray[Any]) -> Effective | str:
    """The mean cost as a position between the lowest and the highest cost (by simulation).

    Its variance is that of a table with one more item: spread over all cells, or at the highest cost.
    """
    cost = np.asarray(costs, np.float64)
    low, width = float(cost.min()), float(np.ptp(cost))
    if width == 0:
        return "every outcome costs the same"
    n, share, each = float(cells.w.sum()), (cost - low) / width, 1 / cost.size
    seen = share[cells.gold, cells.pred]
    mean = float((cells.w * seen).sum()) / n

    def effective(more: Floats, times: float) -> float:
        smooth = (n * mean + times * float(more.sum())) / (n + 1)
        squares = float((cells.w * (seen - smooth) ** 2).sum() + times * ((more - smooth) ** 2).sum())
        # If every item has the highest cost, one more adds no information.
        return smooth * (1 - smooth) * (n + 1) ** 2 / squares if squares > 0 else math.inf

    # The upper limit allows for one more item at the highest cost: costly errors are often rare.
    spread, dear = effective(share, each), effective(np.ones(1), 1.0)
    return Effective(mean, spread, back=lambda x: low + width * x, n_high=min(spread, dear), exact=True)


# ---------------------------------------------------------------------- agreement beyond chance
def multiclass_correlation(cells: Cells) -> tuple[Effective, Effective] | str:
    """R_K computed in two ways: from a Jaccard-like share and from the share of agreement (by simulation)."""
    table = cells.table
    if _one_sided(table):
        return ONE_SIDED
    smooth = table + 1 / len(table) ** 2
    variance = _delta_variance(smooth, _correlation_slopes(smooth))
    return _by_jaccard(table, smooth, variance, correlation), _by_agreement(table, smooth, variance)


def kappa(cells: Cells) -> Effective | str:
    """Cohen's kappa computed from a Jaccard-like share (by simulation)."""
    table = cells.table
    if _one_sided(table):
        return ONE_SIDED
    smooth = table + 1 / len(table) ** 2
    return _by_jaccard(table, smooth, _delta_variance(smooth, _kappa_slopes(smooth)), beyond_chance)


def _one_sided(table: Floats) -> bool:
    return any(np.count_nonzero(table.sum(axis)) < 2 for axis in (0, 1))


def _by_jaccard(table: Floats, smooth: Floats, variance: float, value: Callable[[Floats], float]) -> Effective:
    """Move weight between the errors and the correct cells other than the largest."""
    right = np.eye(len(table), dtype=bool)
    largest = right & (table == np.diag(table).max())
    # Equally large cells share the role of the largest, so that the order of labels does not matter.
    free, wrong = right - largest / largest.sum(), ~right
    trials = float((table * free).sum() + table[wrong].sum())
    share = float((table * free).sum()) / trials if trials > 0 else 0.5
    base = float((smooth * free).sum() / ((smooth * free).sum() + smooth[wrong].sum()))

    def at(x: float) -> float:
        x = min(max(x, 1e-9), 1 - 1e-9)
        moved = smooth * (1 + free * (x / base - 1))
        moved[wrong] *= (1 - x) / (1 - base)
        return value(moved)

    slope = (at(base + 1e-4) - at(base - 1e-4)) / 2e-4
    n = min(base * (1 - base) * slope**2 / variance, max(trials, 1.0))
    return Effective(share, n, back=at, exact=True)


def _by_agreement(table: Floats, smooth: Floats, variance: float) -> Effective:
    """Move the share of agreement and keep the margins."""
    agree, chance, scale = _agreement(table)
    agree_s, _, scale_s = _agreement(smooth)
    n = agree_s * (1 - agree_s) / (variance * scale_s**2)
    return Effective(agree, n, back=lambda x: min(max((x - chance) / scale, -1.0), 1.0), exact=True)


def _agreement(table: Floats) -> tuple[float, float, float]:
    p = table / table.sum()
    gold, pred = p.sum(1), p.sum(0)
    return float(np.trace(p)), float(gold @ pred), float(np.sqrt((1 - gold @ gold) * (1 - pred @ pred)))


def correlation(table: Floats) -> float:
    """R_K of one table; 0 where a side has a single class."""
    agree, chance, scale = _agreement(table)
    return (agree - chance) / scale if scale > 0 else 0.0


def beyond_chance(table: Floats) -> float:
    """Cohen's kappa of one table; 0 where both sides have the same single class."""
    agree, chance, _ = _agreement(table)
    return (agree - chance) / (1 - chance) if chance < 1 else 0.0


def _delta_variance(table: Floats, slopes: Floats) -> float:
    p = table / table.sum()
    return float(((p * slopes * slopes).sum() - (p * slopes).sum() ** 2) / table.sum())


def _correlation_slopes(table: Floats) -> Floats:
    p = table / table.sum()
    gold, pred = p.sum(1), p.sum(0)
    a, b = 1 - gold @ gold, 1 - pred @ pred
    slopes = (np.eye(len(p)) - pred[:, None] - gold[None]) / np.sqrt(a * b)
    return np.asarray(slopes + correlation(table) * (gold[:, None] / a + pred[None] / b))


def _kappa_slopes(table: Floats) -> Floats:
    p = table / table.sum()
    gold, pred = p.sum(1), p.sum(0)
    agree, chance, _ = _agreement(table)
    return np.asarray(np.eye(len(p)) / (1 - chance) - (1 - agree) / (1 - chance) ** 2 * (pred[:, None] + gold[None]))


# ---------------------------------------------------------------------- two classes, by name
def two_class_correlation(cells: Cells) -> tuple[Moved, ...] | str:
    """MCC from three independent shares, into which a table can be decomposed in three ways (by simulation)."""
    table = cells.table
    if _one_sided(table):
        return ONE_SIDED
    return _by_class(table), _by_class(table.T), *_by_errors(table, correlation)


def two_class_kappa(cells: Cells) -> tuple[Moved, ...] | str:
    """Cohen's kappa from three independent shares: the larger correct cell, the other one, the kinds of errors."""
    table = cells.table
    return ONE_SIDED if _one_sided(table) else _by_errors(table, beyond_chance)


def _by_class(table: Floats) -> Moved:
    """How many items the second class has, and how the items of each class are labeled."""
    rows = table.sum(1)

    def value(second: float, first_wrong: float, second_right: float) -> float:
        first = 1 - second
        cells = [[first * (1 - first_wrong), first * first_wrong], [second * (1 - second_right), second * second_right]]
        return correlation(np.array(cells))

    n = float(rows.sum())
    labeled = ((float(table[i, 1] / rows[i]), float(rows[i])) for i in (0, 1))
    return Moved(((float(rows[1]) / n, n), *labeled), value)


def _by_errors(table: Floats, value: Callable[[Floats], float]) -> tuple[Moved, Moved]:
    """How many items lie outside the larger correct cell, how many of them are right, and which errors the others are.

    Where both correct cells are equally large, each is the larger one in turn.
    """
    right = np.diag(table)
    tied = right[0] == right[1]
    first, second = (0, 1) if tied else (int(right.argmax()),) * 2
    return _apart_from(table, value, first), _apart_from(table, value, second)


def _apart_from(table: Floats, value: Callable[[Floats], float], large: int) -> Moved:
    small, n = 1 - large, float(table.sum())
    wrong = float(table[0, 1] + table[1, 0])
    others = float(table[small, small]) + wrong

    def at(outside: float, hit: float, first: float) -> float:
        cells = np.empty((2, 2))
        cells[large, large], cells[small, small] = 1 - outside, outside * hit
        cells[0, 1], cells[1, 0] = outside * (1 - hit) * first, outside * (1 - hit) * (1 - first)
        return value(cells)

    hit = float(table[small, small]) / others
    first = float(table[0, 1]) / wrong if wrong > 0 else 0.5
    return Moved(((others / n, n), (hit, others), (first, wrong)), at)


def two_class_f1(cells: Cells) -> Moved:
    """The mean of two F1s, each moved through its own Jaccard share (by simulation)."""
    m, k = cells.margins, cells.k
    union = m.gold + m.pred - m.hit
    seen = np.flatnonzero(union > 0)
    smooth = cells.table + 1 / 4
    sizes = smooth.sum(0) + smooth.sum(1)
    # Influence of one item of each cell on each class's F1: (2 [hit] − F1 ([gold] + [predicted])) / (gold + predicted).
    gold, pred = np.indices((k, k))
    does = np.stack(
        [
            (2 * ((gold == i) & (pred == i)) - 2 * smooth[i, i] / sizes[i] * ((gold == i) * 1 + (pred == i))) / sizes[i]
            for i in seen
        ]
    )
    together = np.einsum("gp,igp,jgp->ij", smooth, does, does)
    spread = np.sqrt(np.diag(together))
    shares = tuple((float(m.hit[i] / union[i]), float(union[i])) for i in seen)
    return Moved(shares, lambda *j: float(np.mean([2 * x / (1 + x) for x in j])), together / np.outer(spread, spread))


MANY = (3, 2000)  # the numbers of classes for which a form was studied and its dense table stays small
TWO = (2, 2)
