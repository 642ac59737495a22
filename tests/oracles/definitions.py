"""Every label measure by its definition, in plain Python and from rows.

Wherever there are two ways to write one, this is not the product's: F-beta is van Rijsbergen's 1 − E, R_K a
correlation of indicators, kappa a comparison of every gold label with every prediction.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tests.oracles.cases import Case

Four = tuple[float, float, float, float]  # tp, fp, fn, tn
OUTSIDE = object()  # stands for every prediction that is none of the classes


def share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


# ---------------------------------------------------------------------- counting
def weights_of(case: Case) -> list[float]:
    return [1.0] * len(case.gold) if case.weight is None else [float(w) for w in case.weight]


@cache
def four_counts(case: Case) -> dict[Any, Four]:
    """The four counts of every declared class, row by row; sums are taken so that nothing is left where nothing is."""
    tp: defaultdict[Any, float] = defaultdict(float)
    fp: defaultdict[Any, float] = defaultdict(float)
    fn: defaultdict[Any, float] = defaultdict(float)
    weights = weights_of(case)
    rows = list(zip(case.gold.tolist(), case.pred.tolist(), weights, strict=True))
    for gold, pred, w in rows:
        if gold == pred:
            tp[gold] += w
        else:
            fn[gold] += w
            fp[pred] += w
    out, pairs = {}, {(gold, pred) for gold, pred, _ in rows}
    for label in case.labels:
        others = any(label not in pair for pair in pairs)
        tn = math.fsum(weights) - tp[label] - fp[label] - fn[label] if others else 0.0
        out[label] = (float(tp[label]), float(fp[label]), float(fn[label]), tn)
    return out


def pooled(case: Case) -> Four:
    """The tables of all classes added up."""
    tp, fp, fn, tn = (math.fsum(column) for column in zip(*four_counts(case).values(), strict=True))
    return tp, fp, fn, tn


# ---------------------------------------------------------------------- one class
def precision(tp: float, fp: float, fn: float, tn: float) -> float:
    return share(tp, tp + fp)


def recall(tp: float, fp: float, fn: float, tn: float) -> float:
    return share(tp, tp + fn)


def specificity(tp: float, fp: float, fn: float, tn: float) -> float:
    return share(tn, tn + fp)


def npv(tp: float, fp: float, fn: float, tn: float) -> float:
    return share(tn, tn + fn)


def fpr(*four: float) -> float:
    return 1 - specificity(*four)


def fnr(*four: float) -> float:
    return 1 - recall(*four)


def fdr(*four: float) -> float:
    return 1 - precision(*four)


def false_omission_rate(*four: float) -> float:
    return 1 - npv(*four)


def f_beta(tp: float, fp: float, fn: float, tn: float, beta: float = 1.0, alpha: float | None = None) -> float:
    """1 − E = 1 / (α / P + (1 − α) / R); without a hit it is 0 if any error counts, and 0/0 otherwise."""
    alpha = 1 / (1 + beta * beta) if alpha is None else alpha
    if tp == 0:
        return 0.0 if alpha * fp + (1 - alpha) * fn > 0 else math.nan
    return 1 / (alpha * (tp + fp) / tp + (1 - alpha) * (tp + fn) / tp)


def jaccard(tp: float, fp: float, fn: float, tn: float) -> float:
    gold, pred = tp + fn, tp + fp
    return share(tp, gold + pred - tp)


def fowlkes_mallows(*four: float) -> float:
    return math.sqrt(precision(*four) * recall(*four))


def informedness(*four: float) -> float:
    return recall(*four) - fpr(*four)


def markedness(*four: float) -> float:
    return precision(*four) - false_omission_rate(*four)


def prevalence(tp: float, fp: float, fn: float, tn: float) -> float:
    return share(tp + fn, math.fsum((tp, fp, fn, tn)))


def lr_plus(tp: float, fp: float, fn: float, tn: float) -> float:
    return math.nan if fp == 0 else recall(tp, fp, fn, tn) / fpr(tp, fp, fn, tn)


def lr_minus(tp: float, fp: float, fn: float, tn: float) -> float:
    return math.nan if tn == 0 else fnr(tp, fp, fn, tn) / specificity(tp, fp, fn, tn)


def diagnostic_odds_ratio(tp: float, fp: float, fn: float, tn: float) -> float:
    return math.nan if fp == 0 or fn == 0 else (tp / fn) * (tn / fp)


ONE_CLASS: dict[str, Callable[..., float]] = {
    "precision": precision,
    "recall": recall,
    "specificity": specificity,
    "npv": npv,
    "fpr": fpr,
    "fnr": fnr,
    "fdr": fdr,
    "false_omission_rate": false_omission_rate,
    "f1": f_beta,
    "f_beta": f_beta,
    "jaccard": jaccard,
    "fowlkes_mallows": fowlkes_mallows,
    "informedness": informedness,
    "markedness": markedness,
    "prevalence": prevalence,
    "lr_plus": lr_plus,
    "lr_minus": lr_minus,
    "diagnostic_odds_ratio": diagnostic_odds_ratio,
}
NEVER_AVERAGED = ("prevalence", "lr_plus", "lr_minus", "diagnostic_odds_ratio")
AVERAGED = [name for name in ONE_CLASS if name not in NEVER_AVERAGED]
# What a class whose value is 0/0 counts as in an average: the worst of a share.
WORST = {"fpr": 1.0, "fnr": 1.0, "fdr": 1.0, "false_omission_rate": 1.0}


def averaged(name: str, case: Case, average: str, undefined: str, **options: float) -> float:
    """A mean over the classes that occur or were declared and have no row, or the value of the pooled table."""
    if average == "micro":
        return ONE_CLASS[name](*pooled(case), **options)
    pairs = []
    for label, (tp, fp, fn, tn) in four_counts(case).items():
        weight = tp + fn if average == "weighted" else float(tp + fp + fn > 0 or label not in case.seen)
        value = ONE_CLASS[name](tp, fp, fn, tn, **options)
        if math.isnan(value) and weight > 0 and undefined != "null":
            if undefined == "exclude":
                continue
            value = WORST.get(name, 0.0)
        pairs.append((value if weight > 0 else 0.0, weight))
    return share(math.fsum(v * w for v, w in pairs), math.fsum(w for _, w in pairs)) if pairs else math.nan


# ---------------------------------------------------------------------- the whole table
def accuracy(case: Case) -> float:
    weights = weights_of(case)
    right = [w for g, p, w in zip(case.gold, case.pred, weights, strict=True) if g == p]
    return math.fsum(right) / math.fsum(weights)


def error_rate(case: Case) -> float:
    return 1 - accuracy(case)


def recalls(case: Case) -> list[float]:
    """Of the classes that have gold rows."""
    return [recall(*four) for four in four_counts(case).values() if not math.isnan(recall(*four))]


def balanced_accuracy(case: Case) -> float:
    return math.fsum(recalls(case)) / len(recalls(case))


def g_mean(case: Case) -> float:
    return math.prod(recalls(case)) ** (1 / len(recalls(case)))


def f1_of_means(case: Case) -> float:
    # Its means are over the classes that occur, whatever was declared.
    case = replace(case, labels=case.seen)
    p, r = (averaged(name, case, "macro", "zero") for name in ("precision", "recall"))
    return 2 / (1 / p + 1 / r) if p > 0 and r > 0 else 0.0


def symmetric_balanced_accuracy(case: Case) -> float:
    """The mean of recalls and precisions; where a class lacks one, its share of the other side's labels stands in."""
    total, terms, n = 0.0, 0, math.fsum(weights_of(case))
    for tp, fp, fn, _ in four_counts(case).values():
        if tp + fp + fn > 0:
            total += share(tp, tp + fn) if tp + fn > 0 else (tp + fp) / n
            total += share(tp, tp + fp) if tp + fp > 0 else (tp + fn) / n
            terms += 2
    return total / terms


def mcc(case: Case) -> float:
    """The correlation of gold and predicted indicators, added up over classes; 0 if a side has a single class."""
    gold, pred = case.gold.tolist(), case.pred.tolist()
    if len(set(gold)) == 1 or len(set(pred)) == 1:
        return 0.0
    w = np.array(weights_of(case))
    labels = sorted({*gold, *pred}, key=str)
    x, y = (np.array([[row == label for label in labels] for row in side], np.float64) for side in (gold, pred))
    x, y = (side - np.average(side, axis=0, weights=w) for side in (x, y))
    xy, xx, yy = (float(w @ (a * b).sum(1)) for a, b in ((x, y), (x, x), (y, y)))
    return xy / math.sqrt(xx * yy)


def cohen_kappa(case: Case, weights: str = "none") -> float:
    """1 − the mean distance of a row's labels over that of any gold and any predicted label."""
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    place = {label: i for i, label in enumerate(case.labels)}
    gold, pred = (np.array([place[label] for label in side.tolist()], np.float64) for side in (case.gold, case.pred))
    w = np.array(weights_of(case))

    def apart(a: Any, b: Any) -> Any:
        return np.abs(a - b) ** power * (a != b)

    by_chance = float(w @ apart(gold[:, None], pred[None]) @ w) / float(w.sum())
    return 1 - float(w @ apart(gold, pred)) / by_chance if by_chance > 0 else math.nan


def expected_cost(
    case: Case, fp: float = 1.0, fn: float = 1.0, matrix: Sequence[Sequence[float]] | None = None, of: str = "mean"
) -> float:
    """The price of every row added up, and the price of giving every row the one answer that is cheapest."""
    place = {label: i for i, label in enumerate(case.labels)}
    if matrix is None:
        # The second of two labels is the positive one.
        matrix = [[0.0 if g == p else (fp if p == 1 else fn) for p in place.values()] for g in place.values()]
    rows = list(zip(case.gold.tolist(), case.pred.tolist(), weights_of(case), strict=True))
    total = math.fsum(w * matrix[place[g]][place[p]] for g, p, w in rows)
    if of == "total":
        return total
    if of == "mean":
        return total / math.fsum(w for *_, w in rows)
    cheapest = min(math.fsum(w * matrix[place[g]][p] for g, _, w in rows) for p in range(len(case.labels)))
    return total / cheapest if cheapest != 0 else math.nan


WHOLE: dict[str, Callable[..., float]] = {
    "accuracy": accuracy,
    "error_rate": error_rate,
    "balanced_accuracy": balanced_accuracy,
    "f1_of_means": f1_of_means,
    "mcc": mcc,
    "symmetric_balanced_accuracy": symmetric_balanced_accuracy,
    "cohen_kappa": cohen_kappa,
    "g_mean": g_mean,
    "expected_cost": expected_cost,
}
