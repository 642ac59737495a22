"""Measures of one class against the rest that combine both kinds of errors, from labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.average import ratio
from assay.measures.declare.examples import BASE_RATE, FEW_NAMED, NEGATIVES, NEVER_ALARMS, SCREENING, SENTIMENT
from assay.measures.declare.facts import Averages, Worked
from assay.measures.declare.forms import EffectiveN, Proportion
from assay.measures.declare.measure import measure
from assay.measures.labels import closed_forms
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Cells, OneVsRest


def alarm_share(beta: Any, alpha: Any) -> float:
    """The weight of a false alarm as a share of its weight and that of a miss: alpha, or 1 / (1 + beta²)."""
    if alpha is None:
        return 1 / (1 + float(beta) ** 2)
    if beta != 1:
        raise OptionError(f"beta={beta:g} and alpha={alpha:g} set the same thing twice; give one of them.")
    return float(alpha)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="the class has neither gold nor predicted items",
    interval=EffectiveN("jaccard", closed_forms.jaccard),
    averages=Averages(
        macro_interval=EffectiveN("effective_n", closed_forms.macro_f1, reads=Cells, classes=closed_forms.MANY),
        macro_named=(EffectiveN("mover", closed_forms.two_class_f1, reads=Cells, classes=closed_forms.TWO),),
        micro_interval=Proportion("tp", "tp + fp"),  # for single labels it is accuracy: an error is one item, not two
    ),
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
    """Harmonic mean of precision and recall: high only if both kinds of errors are rare.

    2 TP / (2 TP + FP + FN)
    """
    return ratio(2 * t.tp, 2 * t.tp + t.fp + t.fn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="no item that counts at this weight is gold or predicted as the class",
    averages=Averages(
        micro_interval=Proportion("tp", "tp + fp"),  # for single labels it is accuracy, whatever the weight
    ),
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
    """Weighted harmonic mean of precision and recall: a miss counts beta² times as much as a false alarm.

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
    averages=Averages(micro_interval=EffectiveN("effective_n", closed_forms.micro_jaccard)),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 80 / 130, "80 of the 130 items that are positive or called positive"),),
    cite="jaccard1912",
    hides=NEGATIVES,
    title="Jaccard",
    aliases=("jaccard_score", "iou", "critical_success_index", "threat_score"),
)
def jaccard(t: OneVsRest) -> Floats:
    """Overlap of the gold and the predicted items of a class: those in both over those in either.

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
    """Geometric mean of precision and recall; the index of clusterings with this name counts pairs of items instead.

    TP / √((TP + FP)(TP + FN))
    """
    return ratio(t.tp, np.sqrt((t.tp + t.fp) * (t.tp + t.fn)))


@measure(
    reads=OneVsRest,
    range=(-1, 1),
    best=1,
    undefined="no item has this gold class, or every item has it",
    no_skill=0.0,
    worked=(Worked(SCREENING, {}, 0.5, "80/100 + 70/100 − 1"),),
    cite="youden1950",
    hides=BASE_RATE,
    aliases=("youden_j", "bookmaker_informedness"),
)
def informedness(t: OneVsRest) -> Floats:
    """How much better than chance the system tells items of the class from items outside it.

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
    """How much better than chance a prediction indicates the gold class.

    TP / (TP + FP) + TN / (TN + FN) − 1
    """
    return ratio(t.tp, t.tp + t.fp) + ratio(t.tn, t.tn + t.fn) - 1


@measure(
    reads=OneVsRest,
    range=(0, math.inf),
    best=math.inf,
    undefined="no item outside the class was predicted as it, or a side of the table is empty",
    no_skill=1.0,
    worked=(Worked(SCREENING, {}, 0.8 / 0.3, "(80/100) / (30/100)"),),
    averages=Averages(of_one_class=True),
    cite="deeks2004",
    hides=BASE_RATE,
    title="LR+",
    aliases=("positive_likelihood_ratio",),
)
def lr_plus(t: OneVsRest) -> Floats:
    """Factor by which predicting the class multiplies the odds that an item belongs to it.

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
    averages=Averages(of_one_class=True),
    cite="deeks2004",
    hides=BASE_RATE,
    title="LR−",
    aliases=("negative_likelihood_ratio",),
)
def lr_minus(t: OneVsRest) -> Floats:
    """Factor by which not predicting the class multiplies the odds that an item belongs to it.

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
    averages=Averages(of_one_class=True),
    cite="glas2003",
    hides=BASE_RATE,
    aliases=("dor", "odds_ratio"),
)
def diagnostic_odds_ratio(t: OneVsRest) -> Floats:
    """Odds of predicting the class for its items over those odds for other items.

    TP · TN / (FP · FN)
    """
    return ratio(t.tp * t.tn, t.fp * t.fn)
