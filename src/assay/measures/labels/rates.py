"""Rates of one kind of error, as shares of the items of a class or of those predicted as it, from labels."""

from __future__ import annotations

from assay.measures.declare.average import ratio
from assay.measures.declare.examples import ALL_CALLED, FINDS_MOST, NEVER, NONE_CALLED, ONE_CALLED, RARE, SCREENING
from assay.measures.declare.facts import Averages, Hides, Worked
from assay.measures.declare.forms import EffectiveN, Proportion
from assay.measures.declare.measure import measure
from assay.measures.labels import closed_forms
from assay.tally.contract.sampling import Floats
from assay.tally.margins import OneVsRest


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="no item was predicted as this class",
    interval=Proportion("tp", "tp + fp"),
    averages=Averages(
        macro_interval=EffectiveN("effective_n", closed_forms.macro_precision, classes=closed_forms.MANY),
        micro_interval=Proportion("tp", "tp + fp"),
    ),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 80 / 110, "80 of the 110 items called positive are positive"),),
    cite="rijsbergen1979",
    hides=ONE_CALLED,
    aliases=("ppv", "precision_score"),
)
def precision(t: OneVsRest) -> Floats:
    """Share of the items predicted as a class that belong to it.

    TP / (TP + FP)
    """
    return ratio(t.tp, t.tp + t.fp)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=1,
    undefined="no item has this gold class",
    interval=Proportion("tp", "tp + fn"),
    averages=Averages(
        macro_interval=EffectiveN("effective_n", closed_forms.macro_recall, classes=closed_forms.MANY),
        micro_interval=Proportion("tp", "tp + fn"),
        weighted_is_pooled=True,
    ),
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
    worked=(Worked(SCREENING, {}, 0.7, "70 of the 100 negative items were not called positive"),),
    cite="altman1994",
    hides=NONE_CALLED,
    aliases=("tnr", "true_negative_rate", "selectivity"),
)
def specificity(t: OneVsRest) -> Floats:
    """Share of the items outside a class that were not predicted as it.

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
    """Share of the items not predicted as a class that do not belong to it.

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
    """Share of the items outside a class that were predicted as it: how often it raises a false alarm.

    FP / (FP + TN)
    """
    return ratio(t.fp, t.fp + t.tn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=0,
    undefined="no item has this gold class",
    interval=Proportion("fn", "fn + tp"),
    averages=Averages(
        macro_interval=EffectiveN("effective_n", closed_forms.macro_fnr, classes=closed_forms.MANY),
        micro_interval=Proportion("fn", "fn + tp"),
        weighted_is_pooled=True,
    ),
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
    averages=Averages(
        macro_interval=EffectiveN("effective_n", closed_forms.macro_fdr, classes=closed_forms.MANY),
        micro_interval=Proportion("fp", "fp + tp"),
    ),
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
    """Share of the items not predicted as a class that nevertheless belong to it.

    FN / (FN + TN)
    """
    return ratio(t.fn, t.fn + t.tn)


@measure(
    reads=OneVsRest,
    range=(0, 1),
    best=None,
    undefined="there are no items",
    interval=Proportion("tp + fn", "tp + fp + fn + tn"),
    no_skill=None,
    worked=(Worked(SCREENING, {}, 0.5, "100 of 200 items are positive"),),
    averages=Averages(of_one_class=True),
    cite="altman1994",
    hides=Hides((NEVER, FINDS_MOST), "it describes the data, not the system", "recall"),
    aliases=("base_rate",),
)
def prevalence(t: OneVsRest) -> Floats:
    """Share of the items that belong to a class, whatever was predicted.

    (TP + FN) / n
    """
    return ratio(t.tp + t.fn, t.tp + t.fp + t.fn + t.tn)
