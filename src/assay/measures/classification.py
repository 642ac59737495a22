"""Measures of classifiers, from labels."""

from __future__ import annotations

import numpy as np

from assay.measures import closed
from assay.measures.average import ratio, weighted_mean
from assay.measures.declare import Convention, Worked, measure
from assay.measures.examples import NEVER_ALARMS, ONE_TAG, SCREENING, SENTIMENT
from assay.measures.forms import EffectiveN, Proportion
from assay.tally.margins import Cells, Margins, OneVsRest
from assay.tally.sampling import Floats

MANY = (3, 2000)  # the number of classes for which a closed form was studied and its dense table stays small


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    interval=Proportion("correct", "n"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.75, "80 + 70 of 200 items are right"),),
    cite="sokolova2009",
    aliases=("accuracy_score",),
)
def accuracy(m: Margins) -> Floats:
    """Share of the items whose label is right.

    correct / n
    """
    return ratio(m.correct, m.n)


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="no class has gold items",
    interval=EffectiveN("effective_n", closed.balanced_recall, classes=MANY),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.75, "the mean of 80/100 and 70/100"),),
    cite="brodersen2010",
    aliases=("balanced_accuracy_score",),
)
def balanced_accuracy(m: Margins) -> Floats:
    """Mean, over the classes with gold items, of the share of their items that were found.

    mean of TP / (TP + FN) over classes
    """
    return weighted_mean(ratio(m.hit, m.gold), (m.gold > 0).astype(np.float64), "exclude")


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
    title="F1",
    aliases=("f1_score", "dice"),
)
def f1(t: OneVsRest) -> Floats:
    """Twice the hits over all that was predicted or wanted as a class: high only if both errors are rare.

    2 TP / (2 TP + FP + FN)
    """
    return ratio(2 * t.tp, 2 * t.tp + t.fp + t.fn)


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    no_skill="no model",
    convention=Convention(0.0, "both means are 0"),
    worked=(Worked(SENTIMENT, {}, 0.5733614303, "2 · .570664 · .576085 / (.570664 + .576085)"),),
    cite="opitz2019",
    title="F1 of means",
)
def f1_of_means(m: Margins) -> Floats:
    """Harmonic mean of macro precision and macro recall, which is not the mean of the classes' F1s.

    2 P R / (P + R), with P and R means over classes
    """
    seen = m.seen.astype(np.float64)
    p = weighted_mean(ratio(m.hit, m.pred), seen, "zero")
    r = weighted_mean(ratio(m.hit, m.gold), seen, "zero")
    return ratio(2 * p * r, p + r)


@measure(
    reads=Margins,
    range=(-1, 1),
    best=1,
    undefined="there are no items",
    interval=EffectiveN("effective_n", closed.multiclass_correlation, reads=Cells, classes=MANY),
    no_skill="no model",
    convention=Convention(0.0, "one side has a single class, and 0 is the limit of chance"),
    worked=(
        Worked(SCREENING, {}, 5000 / (100 * np.sqrt(110 * 90)), "(80 · 70 − 30 · 20) / √(110 · 90 · 100 · 100)"),
        Worked(ONE_TAG, {}, 0.0, "every item got one tag: 0/0, shown as 0"),
    ),
    cite="gorodkin2004",
    title="MCC",
    aliases=("matthews_corrcoef", "r_k", "phi"),
)
def mcc(m: Margins) -> Floats:
    """Correlation between the gold and the predicted classes; for more than two classes this is R_K.

    (n · correct − Σ gold · pred) / √((n² − Σ gold²)(n² − Σ pred²))
    """
    # As sums of products over classes: n² and the square of a class that is nearly everything cancel too many digits.
    t, n = OneVsRest.every(m), m.n[..., None]
    top = (t.tp * t.tn - t.fp * t.fn).sum(-1)
    spread = (m.gold * (n - m.gold)).sum(-1) * (m.pred * (n - m.pred)).sum(-1)
    # Sums of weights differ in their last bits, so a side with a single class is found by counting classes.
    several = np.minimum(*(np.count_nonzero(side, axis=-1) for side in (m.gold, m.pred))) > 1
    return ratio(top, np.where(several, np.sqrt(np.maximum(spread, 0)), 0))


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    no_skill="no model",
    worked=(
        Worked(
            ONE_TAG,
            {},
            0.5,
            "(90/90 + 90/100 + 0/10 + 10/100) / 4; no VBP was predicted, so 10/100 stands in",
        ),
    ),
    cite="sba",
    aliases=("sba",),
)
def symmetric_balanced_accuracy(m: Margins) -> Floats:
    """Mean of all classes' recalls and precisions, the same when gold and predicted labels change places.

    mean over classes of (TP / gold + TP / pred) / 2; where a class has no gold (or predicted) items,
    its share of the predicted (or gold) labels stands in
    """
    n = m.n[..., None]
    found = np.where(m.gold > 0, ratio(m.hit, m.gold), ratio(m.pred, n))
    right = np.where(m.pred > 0, ratio(m.hit, m.pred), ratio(m.gold, n))
    return weighted_mean((found + right) / 2, m.seen.astype(np.float64), "exclude")
