"""Measures of one class against the rest, from labels; each can be averaged over classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures import closed
from assay.measures.average import ratio
from assay.measures.declare import Hides, Worked, measure
from assay.measures.examples import (
    ALWAYS,
    FEW_CALLED,
    FEW_ILL,
    FINDS_ALL,
    FINDS_MOST,
    HALF_CALLED,
    HALF_ILL,
    MANY_NEGATIVES,
    NEVER,
    NEVER_ALARMS,
    NO_NEGATIVES,
    ONE_SURE_HIT,
    SCREENING,
    SENTIMENT,
    SILENT_RIGHTLY,
)
from assay.measures.forms import EffectiveN, Proportion
from assay.tally.margins import Cells, OneVsRest
from assay.tally.sampling import Floats

MANY = (3, 2000)  # the number of classes for which a closed form was studied and its dense table stays small

ALL_CALLED = Hides((ALWAYS, FINDS_ALL), "naming the class every time finds all of it", "precision")
ONE_CALLED = Hides((ONE_SURE_HIT, FINDS_ALL), "one sure hit and silence is never wrong", "recall")
NONE_CALLED = Hides((NEVER, FINDS_ALL), "never naming the class raises no false alarm", "recall")
NEGATIVES = Hides(
    (NO_NEGATIVES, MANY_NEGATIVES), "the true negatives are not in it, so neither is how hard they were", "specificity"
)
BASE_RATE = Hides(
    (HALF_ILL, FEW_ILL), "it says nothing of how rare the class is, and so of what an alarm is worth", "precision"
)
FEW_NAMED = Hides((FEW_CALLED, HALF_CALLED), "it says nothing of how much of the class goes unnamed", "recall")
RARE = Hides((NEVER, SILENT_RIGHTLY), "where the class is rare, ignoring it is nearly always right", "recall")


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="no item was predicted as this class",
    interval=Proportion("tp", "tp + fp"),
    macro_interval=EffectiveN("effective_n", closed.macro_precision, classes=MANY),
    micro_interval=Proportion("tp", "tp + fp"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 80 / 110, "80 of the 110 items called positive are"),),
    cite="rijsbergen1979",
    hides=ONE_CALLED,
    aliases=("ppv", "precision_score"),
)
def precision(t: OneVsRest) -> Floats:
    """Share of the items predicted as a class that truly belong to it.

    TP / (TP + FP)
    """
    return ratio(t.tp, t.tp + t.fp)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="no item has this gold class",
    interval=Proportion("tp", "tp + fn"),
    macro_interval=EffectiveN("effective_n", closed.macro_recall, classes=MANY),
    micro_interval=Proportion("tp", "tp + fn"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.8, "80 of the 100 positive items were found"),),
    cite="rijsbergen1979",
    hides=ALL_CALLED,
    aliases=("sensitivity", "tpr", "recall_score"),
)
def recall(t: OneVsRest) -> Floats:
    """Share of the items of a class that were found.

    TP / (TP + FN)
    """
    return ratio(t.tp, t.tp + t.fn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="all items have this gold class",
    interval=Proportion("tn", "tn + fp"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.7, "70 of the 100 negative items were left alone"),),
    cite="altman1994",
    hides=NONE_CALLED,
    aliases=("tnr", "true_negative_rate", "selectivity"),
)
def specificity(t: OneVsRest) -> Floats:
    """Share of the items outside a class that were left outside it.

    TN / (TN + FP)
    """
    return ratio(t.tn, t.tn + t.fp)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="every item was predicted as this class",
    interval=Proportion("tn", "tn + fn"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 70 / 90, "70 of the 90 items not called positive are negative"),),
    cite="altman1994",
    hides=RARE,
    title="NPV",
    aliases=("negative_predictive_value",),
)
def npv(t: OneVsRest) -> Floats:
    """Share of the items not predicted as a class that truly lie outside it.

    TN / (TN + FN)
    """
    return ratio(t.tn, t.tn + t.fn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=0,
    undefined="all items have this gold class",
    interval=Proportion("fp", "fp + tn"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.3, "30 of the 100 negative items raised an alarm"),),
    cite="fawcett2006",
    hides=NONE_CALLED,
    title="False positive rate",
    aliases=("false_positive_rate", "fall_out"),
)
def fpr(t: OneVsRest) -> Floats:
    """Share of the items outside a class that were predicted as it: false alarms per true negative case.

    FP / (FP + TN)
    """
    return ratio(t.fp, t.fp + t.tn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=0,
    undefined="no item has this gold class",
    interval=Proportion("fn", "fn + tp"),
    macro_interval=EffectiveN("effective_n", closed.macro_fnr, classes=MANY),
    micro_interval=Proportion("fn", "fn + tp"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.2, "20 of the 100 positive items were missed"),),
    cite="fawcett2006",
    hides=ALL_CALLED,
    title="False negative rate",
    aliases=("false_negative_rate", "miss_rate"),
)
def fnr(t: OneVsRest) -> Floats:
    """Share of the items of a class that were missed.

    FN / (FN + TP)
    """
    return ratio(t.fn, t.fn + t.tp)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=0,
    undefined="no item was predicted as this class",
    interval=Proportion("fp", "fp + tp"),
    macro_interval=EffectiveN("effective_n", closed.macro_fdr, classes=MANY),
    micro_interval=Proportion("fp", "fp + tp"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 30 / 110, "30 of the 110 alarms are false"),),
    cite="benjamini1995",
    hides=ONE_CALLED,
    title="False discovery rate",
    aliases=("false_discovery_rate",),
)
def fdr(t: OneVsRest) -> Floats:
    """Share of the items predicted as a class that do not belong to it: how many alarms are false.

    FP / (FP + TP)
    """
    return ratio(t.fp, t.fp + t.tp)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=0,
    undefined="every item was predicted as this class",
    interval=Proportion("fn", "fn + tn"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 20 / 90, "20 of the 90 items not called positive are positive"),),
    cite="altman1994",
    hides=RARE,
)
def false_omission_rate(t: OneVsRest) -> Floats:
    """Share of the items not predicted as a class that belong to it after all.

    FN / (FN + TN)
    """
    return ratio(t.fn, t.fn + t.tn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="the class has neither gold nor predicted items",
    interval=EffectiveN("jaccard", closed.jaccard),
    macro_interval=EffectiveN("effective_n", closed.macro_f1, reads=Cells, classes=MANY),
    micro_interval=Proportion("tp", "tp + fp"),  # of single labels it is accuracy: an error is one item, not two
    no_skill="no model",
    worked=(
        Worked(SCREENING, {}, 160 / 210, "2 · 80 / (2 · 80 + 30 + 20)"),
        Worked(NEVER_ALARMS, {}, 0.0, "0 / 100: nothing found is a defined 0, though precision is 0/0"),
        Worked(SENTIMENT, {"average": "micro"}, 315 / 735, "micro F1 of single labels is accuracy"),
    ),
    cite="rijsbergen1979",
    hides=NEGATIVES,
    title="F1",
    aliases=("f1_score", "dice"),
)
def f1(t: OneVsRest) -> Floats:
    """Twice the hits over all that was predicted or wanted as a class: high only if both errors are rare.

    2 TP / (2 TP + FP + FN)
    """
    return ratio(2 * t.tp, 2 * t.tp + t.fp + t.fn)


def alarm_share(beta: Any, alpha: Any) -> float:
    """How much a false alarm weighs, of what it and a miss weigh together: alpha, or 1 / (1 + beta²)."""
    if alpha is None:
        if not isinstance(beta, int | float) or not beta >= 0:
            raise OptionError(f"beta is {beta!r}; it is a number from 0 up: how much a miss matters beside an alarm.")
        return 1 / (1 + float(beta) ** 2)
    if beta != 1:
        raise OptionError(f"beta={beta:g} and alpha={alpha:g} say the same thing twice; give one of them.")
    if not isinstance(alpha, int | float) or not 0 <= alpha <= 1:
        raise OptionError(f"alpha is {alpha!r}; it lies between 0 (recall) and 1 (precision).")
    return float(alpha)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="nothing that counts with this weight is gold or predicted as the class",
    interval=EffectiveN("effective_n", closed.f_beta, takes_options=True),
    micro_interval=Proportion("tp", "tp + fp"),  # of single labels it is accuracy, whatever the weight
    no_skill="no model",
    worked=(
        Worked(SCREENING, {"beta": 2}, 400 / 510, "5 · 80 / (5 · 80 + 30 + 4 · 20)"),
        Worked(SCREENING, {"alpha": 0.2}, 400 / 510, "80 / (80 + .2 · 30 + .8 · 20): alpha = 1 / (1 + 2²)"),
    ),
    cite="rijsbergen1979",
    hides=NEGATIVES,
    title="F-beta",
    aliases=("fbeta", "fbeta_score"),
)
def f_beta(t: OneVsRest, beta: float = 1.0, alpha: float | None = None) -> Floats:
    """Hits over hits and weighed errors: a miss counts beta² times as much as a false alarm.

    (1 + β²) TP / ((1 + β²) TP + FP + β² FN) = TP / (TP + α FP + (1 − α) FN), with α = 1 / (1 + β²)
    """
    share = alarm_share(beta, alpha)
    return ratio(t.tp, t.tp + share * t.fp + (1 - share) * t.fn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="the class has neither gold nor predicted items",
    interval=Proportion("tp", "tp + fp + fn"),
    micro_interval=EffectiveN("effective_n", closed.micro_jaccard),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 80 / 130, "80 of the 130 items that are positive or called so"),),
    cite="jaccard1912",
    hides=NEGATIVES,
    title="Jaccard",
    aliases=("jaccard_score", "iou", "critical_success_index", "threat_score"),
)
def jaccard(t: OneVsRest) -> Floats:
    """Items in both, over items in either, of the gold and the predicted members of a class.

    TP / (TP + FP + FN)
    """
    return ratio(t.tp, t.tp + t.fp + t.fn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="the class has no gold items, or none was predicted as it",
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 80 / math.sqrt(110 * 100), "80 / √(110 · 100)"),),
    cite="fowlkes1983",
    hides=NEGATIVES,
    title="Fowlkes–Mallows",
)
def fowlkes_mallows(t: OneVsRest) -> Floats:
    """Geometric mean of precision and recall.

    TP / √((TP + FP)(TP + FN))
    """
    return ratio(t.tp, np.sqrt((t.tp + t.fp) * (t.tp + t.fn)))


@measure(
    reads=OneVsRest,
    range=(-1, 1),
    best=1,
    undefined="the class has no gold items, or all items",
    no_skill=0.0,
    worked=(Worked(SCREENING, {}, 0.5, "80/100 + 70/100 − 1"),),
    cite="youden1950",
    hides=BASE_RATE,
    aliases=("youden_j", "bookmaker_informedness"),
)
def informedness(t: OneVsRest) -> Floats:
    """How much better than chance an item of the class and one outside it are told apart.

    TP / (TP + FN) + TN / (TN + FP) − 1
    """
    return ratio(t.tp, t.tp + t.fn) + ratio(t.tn, t.tn + t.fp) - 1


@measure(
    reads=OneVsRest,
    range=(-1, 1),
    best=1,
    undefined="no item was predicted as this class, or every item was",
    no_skill=0.0,
    worked=(Worked(SCREENING, {}, 80 / 110 + 70 / 90 - 1, "80/110 + 70/90 − 1"),),
    cite="powers2011",
    hides=FEW_NAMED,
    aliases=("delta_p",),
)
def markedness(t: OneVsRest) -> Floats:
    """How much more often than chance the class follows from being predicted.

    TP / (TP + FP) + TN / (TN + FN) − 1
    """
    return ratio(t.tp, t.tp + t.fp) + ratio(t.tn, t.tn + t.fn) - 1


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=None,
    undefined="there are no items",
    interval=Proportion("tp + fn", "tp + fp + fn + tn"),
    no_skill=None,
    worked=(Worked(SCREENING, {}, 0.5, "100 of 200 items are positive"),),
    of_one_class=True,
    cite="altman1994",
    hides=Hides((NEVER, FINDS_MOST), "it describes the data, not the system", "recall"),
    aliases=("base_rate",),
)
def prevalence(t: OneVsRest) -> Floats:
    """Share of the items that belong to a class, whatever was predicted.

    (TP + FN) / n
    """
    return ratio(t.tp + t.fn, t.tp + t.fp + t.fn + t.tn)


@measure(
    reads=OneVsRest,
    range=(0, math.inf),
    best=math.inf,
    undefined="no item outside the class was predicted as it, or a side of the table is empty",
    no_skill=1.0,
    worked=(Worked(SCREENING, {}, 0.8 / 0.3, "(80/100) / (30/100)"),),
    of_one_class=True,
    cite="deeks2004",
    hides=BASE_RATE,
    title="LR+",
    aliases=("positive_likelihood_ratio",),
)
def lr_plus(t: OneVsRest) -> Floats:
    """By how much an alarm multiplies the odds that an item belongs to the class.

    (TP / (TP + FN)) / (FP / (FP + TN))
    """
    return ratio(t.tp * (t.fp + t.tn), (t.tp + t.fn) * t.fp)


@measure(
    reads=OneVsRest,
    range=(0, math.inf),
    best=0,
    undefined="every item outside the class was predicted as it, or a side of the table is empty",
    no_skill=1.0,
    worked=(Worked(SCREENING, {}, 0.2 / 0.7, "(20/100) / (70/100)"),),
    of_one_class=True,
    cite="deeks2004",
    hides=BASE_RATE,
    title="LR−",
    aliases=("negative_likelihood_ratio",),
)
def lr_minus(t: OneVsRest) -> Floats:
    """By how much silence multiplies the odds that an item belongs to the class.

    (FN / (TP + FN)) / (TN / (FP + TN))
    """
    return ratio(t.fn * (t.fp + t.tn), (t.tp + t.fn) * t.tn)


@measure(
    reads=OneVsRest,
    range=(0, math.inf),
    best=math.inf,
    undefined="there are no misses or no false alarms, or a side of the table is empty",
    no_skill=1.0,
    worked=(Worked(SCREENING, {}, 80 * 70 / (30 * 20), "80 · 70 / (30 · 20)"),),
    of_one_class=True,
    cite="glas2003",
    hides=BASE_RATE,
    aliases=("dor", "odds_ratio"),
)
def diagnostic_odds_ratio(t: OneVsRest) -> Floats:
    """Odds of an alarm within the class over the odds of one outside it.

    TP · TN / (FP · FN)
    """
    return ratio(t.tp * t.tn, t.fp * t.fn)
