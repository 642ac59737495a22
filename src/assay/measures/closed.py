"""Closed forms of intervals: evidence to the share, the effective number of items and the degrees of freedom.

The forms marked "by simulation" are supported by coverage studies, not by theory; the reference pages print their
grids.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.measures.average import ratio
from assay.measures.forms import Effective
from assay.tally.margins import Cells, Margins, OneVsRest
from assay.tally.sampling import Floats


def jaccard(t: OneVsRest) -> Effective:
    """F1 is a function of tp / (tp + fp + fn), and that is a plain share given its denominator."""
    trials = float(t.tp + t.fp + t.fn)
    return Effective(float(t.tp) / trials, trials, back=lambda j: 2 * j / (1 + j))


def mean_of_shares(hits: Floats, trials: Floats, averaged: int) -> Effective:
    """A mean of independent shares with unequal denominators, each pulled a little to the mean (by simulation)."""
    some = trials > 0
    hits, trials = hits[some], trials[some]
    k, mean = len(trials), float((hits / trials).mean())
    pulled = (hits + mean + 1) / (trials + 3)
    variance = float((pulled * (1 - pulled) / trials).sum()) / k**2
    level = float(pulled.mean())
    # Classes whose share is 0/0 count as 0 in the value and in the lower limit; but nothing is known of them, so the
    # upper limit lets them be like the others.
    return Effective(mean, level * (1 - level) / variance, back=lambda x: x * k / averaged, back_high=float)


def macro_recall(t: OneVsRest) -> Effective:
    """The mean of recalls."""
    return mean_of_shares(t.tp, t.tp + t.fn, int((t.tp + t.fp + t.fn > 0).sum()))


def macro_precision(t: OneVsRest) -> Effective:
    """The mean of precisions."""
    return mean_of_shares(t.tp, t.tp + t.fp, int((t.tp + t.fp + t.fn > 0).sum()))


def balanced_recall(m: Margins) -> Effective:
    """The mean of recalls over the classes that have gold items."""
    return mean_of_shares(m.hit, m.gold, int((m.gold > 0).sum()))


def macro_f1(cells: Cells) -> Effective:
    """The mean of F1s: delta variance on smoothed Jaccard shares, its downward bias added back (by simulation)."""
    m = cells.margins
    union = m.gold + m.pred - m.hit
    seen = union > 0
    k, at_least_one = int(seen.sum()), np.where(seen, union, 1)
    j = np.where(seen, m.hit / at_least_one, 0)
    s = (m.hit + j.sum() / k + 1) / (union + 3)
    var_j = np.where(seen, s * (1 - s) / at_least_one, 0)
    var_f = (2 / (1 + s) ** 2) ** 2 * var_j
    f = 2 * j / (1 + j)
    per_item = f / np.where(seen, m.gold + m.pred, 1)
    off = cells.gold != cells.pred
    shared = 2 * float((cells.w[off] * per_item[cells.gold[off]] * per_item[cells.pred[off]]).sum())
    variance = max(float(var_f.sum()) + shared, 0.2 * float(var_f.sum())) / k**2
    df = max(float(var_f.sum()) ** 2 / float((var_f**2 / at_least_one).sum()), 1.0)
    centre = min(float(f[seen].mean() + (2 / (1 + s) ** 3 * var_j)[seen].mean()), 1.0)
    level = float((2 * s / (1 + s))[seen].mean())
    return Effective(centre, level * (1 - level) / variance, df)


def multiclass_correlation(cells: Cells) -> tuple[Effective, Effective] | str:
    """R_K read in two ways: through a Jaccard-like share and through the share of agreement (by simulation)."""
    table = cells.table
    k = len(table)
    if min(np.count_nonzero(table.sum(axis)) for axis in (0, 1)) < 2:
        return "all gold labels or all predicted labels are one class"
    smooth = table + 1 / k**2
    variance = _correlation_variance(smooth)
    return _by_jaccard(table, smooth, variance), _by_agreement(table, smooth, variance)


def _by_jaccard(table: Floats, smooth: Floats, variance: float) -> Effective:
    """Move weight between the errors and the correct cells other than the largest."""
    right = np.eye(len(table), dtype=bool)
    largest = right & (table == np.diag(table).max())
    # Cells that are equally large share the place of the largest, so that the order of labels does not matter.
    free, wrong = right - largest / largest.sum(), ~right
    trials = float((table * free).sum() + table[wrong].sum())
    share = float((table * free).sum()) / trials if trials > 0 else 0.5
    base = float((smooth * free).sum() / ((smooth * free).sum() + smooth[wrong].sum()))

    def at(x: float) -> float:
        x = min(max(x, 1e-9), 1 - 1e-9)
        moved = smooth * (1 + free * (x / base - 1))
        moved[wrong] *= (1 - x) / (1 - base)
        return correlation(moved)

    slope = (at(base + 1e-4) - at(base - 1e-4)) / 2e-4
    n = min(base * (1 - base) * slope**2 / variance, max(trials, 1.0))
    return Effective(share, n, back=at)


def _by_agreement(table: Floats, smooth: Floats, variance: float) -> Effective:
    """Move the share of agreement and keep the margins."""
    agree, chance, scale = _agreement(table)
    agree_s, _, scale_s = _agreement(smooth)
    n = agree_s * (1 - agree_s) / (variance * scale_s**2)
    return Effective(agree, n, back=lambda x: min(max((x - chance) / scale, -1.0), 1.0))


def _agreement(table: Floats) -> tuple[float, float, float]:
    p = table / table.sum()
    gold, pred = p.sum(1), p.sum(0)
    return float(np.trace(p)), float(gold @ pred), float(np.sqrt((1 - gold @ gold) * (1 - pred @ pred)))


def correlation(table: Floats) -> float:
    """R_K of one table without empty margins."""
    agree, chance, scale = _agreement(table)
    return (agree - chance) / scale


def _correlation_variance(table: Floats) -> float:
    """The delta-method variance of R_K."""
    n = table.sum()
    p = table / n
    gold, pred = p.sum(1), p.sum(0)
    a, b = 1 - gold @ gold, 1 - pred @ pred
    scale, value = np.sqrt(a * b), correlation(table)
    grad = (np.eye(len(p)) - pred[:, None] - gold[None]) / scale + value * (gold[:, None] / a + pred[None] / b)
    return float(((p * grad * grad).sum() - (p * grad).sum() ** 2) / n)


def auc(e: Any) -> Effective:
    """DeLong's variance with a fifth of an item added to each end of each class (by simulation).

    The added items keep the variance above zero when the classes are fully separated.
    """
    a = 0.2
    m, n = float(e.pos.sum()), float(e.neg.sum())
    big_m, big_n = m + 2 * a, n + 2 * a
    placed_pos = np.cumsum(e.neg) - e.neg / 2  # negatives below each positive, ties as half
    placed_neg = m - np.cumsum(e.pos) + e.pos / 2  # positives above each negative
    value = float(ratio((e.pos * placed_pos).sum(), m * n))
    smooth = (m * (n * value + a) / big_n + a) / big_m

    def spread(weight: Floats, placed: Floats, other: float) -> float:
        share = (placed + a) / (other + 2 * a)
        ends = np.array([a / 2, other + 1.5 * a]) / (other + 2 * a)
        return float((weight * (share - smooth) ** 2).sum() + a * ((ends - smooth) ** 2).sum())

    variance = spread(e.pos, placed_pos, n) / (max(big_m - 1, 0.5) * big_m)
    variance += spread(e.neg, placed_neg, m) / (max(big_n - 1, 0.5) * big_n)
    return Effective(value, smooth * (1 - smooth) / variance)


def f_beta(t: OneVsRest, beta: float = 1.0, alpha: float | None = None) -> Effective:
    """Pending."""
    return jaccard(t)


def micro_jaccard(t: OneVsRest) -> Effective:
    """Pending."""
    return jaccard(t)


def macro_fnr(t: OneVsRest) -> Effective:
    """Pending."""
    return macro_recall(t)


def macro_fdr(t: OneVsRest) -> Effective:
    """Pending."""
    return macro_recall(t)


def kappa(cells: Cells) -> Effective | str:
    """Pending."""
    return "pending"


def expected_cost(cells: Cells, costs: Floats) -> Effective:
    """Pending."""
    return Effective(0.5, 1)
