"""Measures of classifiers that are one number for the whole table, from labels."""

from __future__ import annotations

import numpy as np

from assay.measures.declare.average import ratio, weighted_mean
from assay.measures.declare.classes import BETWEEN, IGNORED
from assay.measures.declare.examples import (
    BASE_RATE,
    GRADES,
    NONE_RIGHT,
    ONE_TAG,
    RARE_POSITIVES,
    SCREENING,
    SENTIMENT,
    WHICH_ERROR,
)
from assay.measures.declare.facts import Convention, Worked
from assay.measures.declare.forms import EffectiveN, Proportion
from assay.measures.declare.measure import measure
from assay.measures.labels import closed_forms
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Cells, Distances, Margins, OneVsRest


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    interval=Proportion("correct", "n"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.75, "80 + 70 of 200 items are right"),),
    cite="sokolova2009",
    hides=RARE_POSITIVES,
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
    best=0,
    undefined="there are no items",
    interval=Proportion("wrong", "n"),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.25, "30 + 20 of 200 items are wrong"),),
    cite="sokolova2009",
    hides=RARE_POSITIVES,
    aliases=("zero_one_loss",),
)
def error_rate(m: Margins) -> Floats:
    """Share of the items whose label is wrong.

    1 − correct / n
    """
    return ratio(m.wrong, m.n)


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="no class has gold items",
    interval=EffectiveN("effective_n", closed_forms.balanced_recall, classes=closed_forms.MANY),
    no_skill="no model",
    worked=(Worked(SCREENING, {}, 0.75, "the mean of 80/100 and 70/100"),),
    cite="brodersen2010",
    hides=BASE_RATE,
    aliases=("balanced_accuracy_score",),
)
def balanced_accuracy(m: Margins) -> Floats:
    """Mean recall over the classes that have gold items.

    mean of TP / (TP + FN) over classes
    """
    return weighted_mean(ratio(m.hit, m.gold), (m.gold > 0).astype(np.float64), "exclude")


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    no_skill="no model",
    convention=Convention(0.0, "both means are 0"),
    worked=(Worked(SENTIMENT, {}, 0.5733614303, "2 · .570664 · .576085 / (.570664 + .576085)"),),
    cite="opitz2019",
    hides=WHICH_ERROR,
    title="F1 of means",
)
def f1_of_means(m: Margins) -> Floats:
    """Harmonic mean of macro precision and macro recall, which differs from macro F1.

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
    interval=EffectiveN("effective_n", closed_forms.multiclass_correlation, reads=Cells, classes=closed_forms.MANY),
    named=(EffectiveN("mover", closed_forms.two_class_correlation, reads=Cells, classes=closed_forms.TWO),),
    no_skill="no model",
    convention=Convention(0.0, "gold or the predictions contain only one class"),
    worked=(
        Worked(SCREENING, {}, 5000 / (100 * np.sqrt(110 * 90)), "(80 · 70 − 30 · 20) / √(110 · 90 · 100 · 100)"),
        Worked(ONE_TAG, {}, 0.0, "every item was given one tag: 0/0, shown as 0"),
    ),
    cite="gorodkin2004",
    hides=WHICH_ERROR,
    title="MCC",
    aliases=("matthews_corrcoef", "r_k", "phi"),
)
def mcc(m: Margins) -> Floats:
    """Correlation between the gold and the predicted classes; for more than two classes this is R_K.

    (n · correct − Σ gold · pred) / √((n² − Σ gold²)(n² − Σ pred²))
    """
    # Computed as sums of products over classes: n² minus the square of a dominant class would lose too many digits.
    t, n = OneVsRest.every(m), m.n[..., None]
    top = (t.tp * t.tn - t.fp * t.fn).sum(-1)
    # Predictions outside the classes together form one more predicted class.
    other = m.outside
    spread_pred = (m.pred * (n - m.pred)).sum(-1) + other * (m.n - other)
    spread = (m.gold * (n - m.gold)).sum(-1) * spread_pred
    # Sums of weights differ in their last bits, so a side with a single class is found by counting classes.
    several = (np.count_nonzero(m.gold, axis=-1) > 1) & (np.count_nonzero(m.pred, axis=-1) + (other > 0) > 1)
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
            "(90/90 + 90/100 + 0/10 + 10/100) / 4; no VBP was predicted, so 10/100 is used instead",
        ),
        Worked(
            NONE_RIGHT,
            {},
            0.5,
            "(0/4 + 4/4 + 4/4 + 0/4) / 4: all four NN are called VBP, so 4/4 replaces the precision of NN and "
            "the recall of VBP",
        ),
    ),
    cite="gosgens2021",
    hides=WHICH_ERROR,
    aliases=("sba",),
)
def symmetric_balanced_accuracy(m: Margins) -> Floats:
    """Mean of the recalls and precisions of all classes; swapping gold and predicted labels does not change it.

    mean over classes of (TP / gold + TP / pred) / 2; where a class has no gold (or predicted) items,
    its share of the predicted (or gold) labels is used instead. So it need not be 0 when no item is right:
    it is 0 if every class has gold and predicted items, and 1 / classes if gold and predictions share no
    class. (Its authors' program gives 0 whenever no item is right.)
    """
    n = m.n[..., None]
    found = np.where(m.gold > 0, ratio(m.hit, m.gold), ratio(m.pred, n))
    right = np.where(m.pred > 0, ratio(m.hit, m.pred), ratio(m.gold, n))
    return weighted_mean((found + right) / 2, m.seen.astype(np.float64), "exclude")


@measure(
    reads=Distances,
    range=(-1, 1),
    best=1,
    undefined="all gold and all predicted labels are the same class",
    interval=EffectiveN("effective_n", closed_forms.kappa, reads=Cells, classes=closed_forms.MANY),
    named=(EffectiveN("mover", closed_forms.two_class_kappa, reads=Cells, classes=closed_forms.TWO),),
    no_skill=0.0,
    empty_classes=lambda weights: IGNORED if weights == "none" else BETWEEN,
    worked=(
        Worked(SCREENING, {}, 0.5, "(.75 − .5) / (1 − .5), where chance agrees on (100 · 110 + 100 · 90) / 200²"),
        Worked(
            GRADES,
            {"weights": "quadratic"},
            1 - 40 / 120.5,
            "1 − (20 · 1 + 5 · 4) / 120.5, where 120.5 is what chance would cost",
        ),
    ),
    cite="cohen1960",
    hides=WHICH_ERROR,
    title="Cohen's kappa",
    aliases=("kappa", "cohen_kappa_score"),
)
def cohen_kappa(d: Distances, weights: str = "none") -> Floats:
    """Agreement between gold and predicted classes beyond what their frequencies alone would produce.

    1 − Σ w · n / Σ w · e, with n the items and e those expected by chance in each cell, and w its distance:
    0 or 1, or the steps between the classes in the order of the labels (weights=linear), or their square (quadratic)
    """
    k = d.gold.shape[-1]
    if weights == "none":
        seen, expected = d.n - d.apart[..., 0], ratio((d.gold * (d.n[..., None] - d.pred)).sum(-1), d.n)
    else:
        steps = np.arange(d.apart.shape[-1], dtype=np.float64) ** (1 if weights == "linear" else 2)
        between = steps[np.abs(np.subtract.outer(np.arange(k), np.arange(k)))]
        # A prediction outside the classes is as far off as possible, by chance too.
        outside = 0.0 if d.beyond is None else d.beyond.sum(-1) * steps[-1]
        seen, expected = d.apart @ steps, ratio(((d.gold @ between) * d.pred).sum(-1), d.n) + outside
    return 1 - ratio(seen, np.where(expected > 1e-12 * d.n, expected, 0))


@measure(
    reads=Margins,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    no_skill="no model",
    worked=(Worked(SCREENING, {}, np.sqrt(0.8 * 0.7), "the square root of 80/100 times 70/100"),),
    cite="kubat1998",
    hides=BASE_RATE,
    title="G-mean",
    aliases=("geometric_mean",),
)
def g_mean(m: Margins) -> Floats:
    """Geometric mean of the recalls of all classes: 0 if one class is never found.

    (Π TP / gold)^(1 / classes), over the classes with gold items
    """
    some = m.gold > 0
    share = np.where(some, ratio(m.hit, m.gold), 1.0)
    with np.errstate(divide="ignore"):
        logs = np.log(share).sum(-1)
    return np.where(some.any(-1), np.exp(ratio(logs, some.sum(-1))), np.nan)
