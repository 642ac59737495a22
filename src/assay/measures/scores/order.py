"""Measures of classifiers, from the order of their scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import written
from assay.measures.declare.average import ratio
from assay.measures.declare.examples import (
    COIN,
    FEW_NEGATIVES,
    FIVE_SCORES,
    FULL_OF_NEGATIVES,
    NO_LOW_NEGATIVES,
    ONE_SCORE,
    SHORT_LIST,
    WITH_LOW_NEGATIVES,
)
from assay.measures.declare.facts import Hides, Notes, Paired, Shortcuts, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Effective, EffectiveN, PairedForm, Signs
from assay.measures.declare.measure import measure
from assay.measures.scores import closed_forms, delong, slopes
from assay.measures.scores.slopes import Both, auc_signs
from assay.sources.given import dimensions, finite_numbers
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.contract.sums import exact_sum
from assay.tally.losses import LogLosses, SquaredLosses
from assay.tally.scores import ByScore, Scored, is_positive
from assay.tally.sorting import pairs_won, precision_of_true


def quick_roc_auc(y_true: Any, y_score: Any, pos_label: object | None = None) -> float | None:
    """ROC AUC after one sort, in whole numbers: only the places of the positive items matter."""
    if dimensions(y_score) != 1:
        return None
    truth, _ = is_positive(y_true, pos_label)
    won, positive = pairs_won(finite_numbers(y_score, len(truth), "y_score"), truth)
    pairs = positive * (len(truth) - positive)
    return won / (2 * pairs) if pairs else math.nan


def quick_average_precision(y_true: Any, y_score: Any, pos_label: object | None = None) -> float | None:
    """Average precision after one sort, from the precision at each positive item."""
    if dimensions(y_score) != 1:
        return None
    truth, _ = is_positive(y_true, pos_label)
    precision, times = precision_of_true(finite_numbers(y_score, len(truth), "y_score"), truth)
    positive = len(precision) if times is None else float(times.sum())
    return exact_sum(times, precision) / positive if positive else math.nan


RANKED_BY_SCORE = ("roc_auc", "average_precision")
SCORED = (*RANKED_BY_SCORE, "brier", "log_loss")


def no_scores(name: str, _: Sequence[Tally]) -> str:
    """The message for a system without scores."""
    how = written(f"--score {name}=COL", f"scores={{{name!r}: 'COL'}}")
    return f"'{name}' has no scores; name their column with {how}."


family(
    Scored,
    "from_scores",
    ByScore,
    SquaredLosses,
    LogLosses,
    usual=lambda tally: SCORED if tally.probabilities else RANKED_BY_SCORE,
    named_by="--score NAME=COL",
    lacked=no_scores,
)

ONE_CLASS = "the items are all positive or all negative"
NO_POSITIVES = "there are no positive items"
LOW_NEGATIVES = Hides(
    (NO_LOW_NEGATIVES, WITH_LOW_NEGATIVES), "it ignores negatives below the last positive, however many", "roc_auc"
)


# ---------------------------------------------------------------------- the ROC curve
def _auc_form(e: ByScore, max_fpr: float | None, standardized: bool) -> Effective | str:
    if _whole(max_fpr):
        return closed_forms.auc(e)
    assert max_fpr is not None
    moves = np.concatenate(slopes.partial_auc_influence(e, max_fpr)) / max_fpr
    scarce = min(float(e.pos.sum()), max_fpr * float(e.neg.sum()))
    made = closed_forms.share_by_influence(e, float(_partial_area(e, max_fpr)) / max_fpr, moves, scarce)
    if isinstance(made, str):
        return made
    scale = max_fpr / (2 * max_fpr - max_fpr**2) if standardized else max_fpr
    error = None if made.error is None else scale * made.error
    return replace(made, back=lambda x: float(_standard(x * max_fpr, max_fpr, standardized)), error=error)


def _auc_influence(e: ByScore, max_fpr: float | None, standardized: bool) -> Both:
    if _whole(max_fpr):
        return slopes.auc_influence(e)
    assert max_fpr is not None
    times = 1 / (2 * max_fpr - max_fpr**2) if standardized else 1.0
    pos, neg = slopes.partial_auc_influence(e, max_fpr)
    return pos * times, neg * times


def _auc_left_out(e: ByScore, max_fpr: float | None, standardized: bool) -> Both | None:
    return slopes.auc_left_out(e) if _whole(max_fpr) else None


def _auc_signs(joint: Joint[Scored], max_fpr: float | None, standardized: bool) -> Signs | None:
    return auc_signs(joint) if _whole(max_fpr) else None


def _whole(max_fpr: float | None) -> bool:
    """Whether the area is under the whole curve."""
    return max_fpr is None or max_fpr == 1


def _of_whole_curve(max_fpr: float | None, **_: object) -> bool:
    return _whole(max_fpr)


def _partial_area(e: ByScore, max_fpr: float) -> Floats:
    """The area under the curve, up to this false positive rate."""
    m, n = (x.sum(-1, keepdims=True) for x in (e.pos, e.neg))
    up, right = (slopes.reverse(ratio(x, total)) for x, total in ((e.pos, m), (e.neg, n)))
    y, x = np.cumsum(up, axis=-1), np.cumsum(right, axis=-1)
    part = np.clip(ratio(max_fpr - (x - right), right), 0, 1)  # of each piece of the curve, how much lies before
    return np.asarray(np.where(right > 0, right * part * (y - up + up * part / 2), up * right).sum(-1))


def _standard(area: Floats | float, max_fpr: float, standardized: bool) -> Floats:
    """The area on McClish's scale, where chance is ½ and the best is 1; or the area itself."""
    lowest = max_fpr**2 / 2
    return np.asarray((1 + (area - lowest) / (max_fpr - lowest)) / 2 if standardized else area)


@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined=ONE_CLASS,
    interval=EffectiveN("effective_n", _auc_form, takes_options=True, inflated=_of_whole_curve),
    named=(
        EffectiveN("delong", closed_forms.delong),
        EffectiveN("logit_delong", closed_forms.logit_delong),
        EffectiveN("newcombe_auc", closed_forms.newcombe_auc),
        EffectiveN("hanley_mcneil", closed_forms.hanley_mcneil),
    ),
    no_skill="base rate",
    notes=Notes(no_model="0.5"),
    shortcuts=Shortcuts(influence=_auc_influence, left_out=_auc_left_out, quick=quick_roc_auc),
    paired=Paired(
        signs=_auc_signs,
        form=PairedForm("delong", delong.variance_of_difference, delong.smoothed_variance, delong.together),
    ),
    worked=(
        Worked(FIVE_SCORES, {}, 4.5 / 6, "of 6 pairs, 4 are in order and 1 is tied"),
        Worked(
            FIVE_SCORES,
            {"max_fpr": 0.5, "standardized": False},
            1 / 6 + 5 / 48,
            "half of the positives up to 1/3 false alarms, then 5/8 of them on average up to 1/2",
        ),
        Worked(
            FIVE_SCORES,
            {"max_fpr": 0.5},
            (1 + (1 / 6 + 5 / 48 - 1 / 8) / (3 / 8)) / 2,
            "that area between the 1/8 of chance and the 1/2 of perfect scores, on a scale from 1/2 to 1",
        ),
    ),
    cite="hanley1982",
    hides=Hides(
        (FEW_NEGATIVES, FULL_OF_NEGATIVES),
        "it says nothing about how rare positives are, and so about what a high score is worth",
        "average_precision",
    ),
    title="ROC AUC",
    aliases=("auc", "roc_auc_score"),
)
def roc_auc(e: ByScore, max_fpr: float | None = None, standardized: bool = True) -> Floats:
    """Probability that a positive item scores higher than a negative one, ties counting half.

    Σ over pairs [s⁺ > s⁻] + ½ [s⁺ = s⁻], divided by the number of pairs;
    with max_fpr: the area under the ROC curve up to that false positive rate, on McClish's scale from ½ for chance
    to 1 (as in scikit-learn), or with standardized=False the area itself;
    with a score for each class, the mean over classes against the rest: a class that has no items, or all of them, is
    0/0 and left out, with a note (scikit-learn gives nan)
    """
    m, n = e.pos.sum(-1), e.neg.sum(-1)
    if _whole(max_fpr):
        return ratio((e.pos * slopes.negatives_below(e)).sum(-1), m * n)
    assert max_fpr is not None
    value = _standard(_partial_area(e, max_fpr), max_fpr, standardized)
    return np.asarray(np.where(m * n > 0, value, math.nan))


# ---------------------------------------------------------------------- the precision-recall curve
@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVES,
    interval=EffectiveN("effective_n", closed_forms.average_precision, unweighted=closed_forms.HEAVY_NEGATIVE),
    no_skill="base rate",
    notes=Notes(no_model="π"),
    shortcuts=Shortcuts(
        influence=lambda e: slopes.precision_influence(e, trapezoid=False),
        left_out=lambda e: slopes.precision_left_out(e, trapezoid=False),
        quick=quick_average_precision,
    ),
    worked=(
        Worked(FIVE_SCORES, {}, 3 / 4, "precision 1/1 at the first positive and 2/4 at the second, which is tied"),
        Worked(ONE_SCORE, {}, 2 / 5, "one score for all: the share of positives"),
    ),
    cite="Buckley and Voorhees (2000). Evaluating evaluation measure stability. SIGIR.",
    hides=LOW_NEGATIVES,
    aliases=("average_precision_score",),
)
def average_precision(e: ByScore) -> Floats:
    """Mean over the positive items of the precision at their own score.

    Σ over scores from the highest down: (recall here − recall above) · precision here; ties enter together; with a
    score for each class, the mean over classes against the rest: a class without items is 0/0 and left out, with a
    note (scikit-learn counts it as 0)
    """
    return slopes.under_precision(e, trapezoid=False)


def interpolated_precisions(e: ByScore) -> Floats:
    """The highest precision at recall r or above, for r = 0, .1, … 1: shape (..., 11)."""
    return np.take_along_axis(*_eleven(e)[:2], axis=-1)


def _eleven(e: ByScore) -> tuple[Floats, np.ndarray[tuple[int, ...], np.dtype[np.int64]], Floats]:
    """Precisions from the highest score down, the place of the one used at each recall, and all items called positive.

    Precision may rise again further down; then the highest of the later ones is used.
    """
    pos, tp, n = slopes.calls_by_threshold(e)
    precision = slopes.share(tp, n, 0.0)
    to_come = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    # The place at or after each one where the highest later precision is reached.
    places = np.where(precision >= to_come, np.arange(precision.shape[-1]), precision.shape[-1])
    places = np.minimum.accumulate(places[..., ::-1], axis=-1)[..., ::-1]
    total = pos.sum(-1, keepdims=True)
    # Sums of weights are rounded, whole counts are not, and a recall of exactly r reaches r.
    short = [(10 * tp < r * total * (1 - 1e-12)).sum(-1) for r in range(11)]
    first = np.minimum(np.stack(short, axis=-1), precision.shape[-1] - 1)
    return precision, np.take_along_axis(places, first, axis=-1), n


def _eleven_influence(e: ByScore) -> Both:
    """How items at or above the thresholds used change the precision there."""
    precision, places, n = _eleven(e)
    at, called = (np.take_along_axis(x, places, axis=-1)[..., None, :] for x in (precision, n))
    above = np.arange(n.shape[-1])[:, None] <= places[..., None, :]
    moved = [np.where(above & (called > 0), ratio(x, called), 0.0).mean(-1) for x in (1 - at, -at)]
    return slopes.reverse(moved[0]), slopes.reverse(moved[1])


def _eleven_form(e: ByScore) -> Effective | str:
    """The effective n of average precision, since both use the same curve (by simulation).

    The point at recall 1 is taken at the lowest positive, and with more items one may lie lower still: the lower limit
    lets that point fall to the share of positives.
    """
    made, points = closed_forms.average_precision(e), interpolated_precisions(e)
    if isinstance(made, str):
        return made
    fall = float(points[-1] - ratio(e.pos.sum(), (e.pos + e.neg).sum())) / 11
    # Near chance the first points are high though hardly any items lie there, so the upper limit counts fewer of them.
    few = 0.75 * made.n
    mean = float(points.mean())
    return replace(made, center=mean, back=lambda x: x - fall, back_high=float, n_high=few, error=None)


@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVES,
    interval=EffectiveN("effective_n", _eleven_form, unweighted=closed_forms.HEAVY_NEGATIVE),
    no_skill="base rate",
    notes=Notes(no_model="π"),
    shortcuts=Shortcuts(influence=_eleven_influence),
    worked=(
        Worked(FIVE_SCORES, {}, (6 * 1 + 5 * 0.5) / 11, "1 up to a recall of .5, and 2/4 for the five points above it"),
    ),
    cite="manning2008",
    hides=LOW_NEGATIVES,
    title="11-point interpolated precision",
    aliases=("interpolated_average_precision",),
)
def interpolated_pr_11(e: ByScore) -> Floats:
    """Mean of the best precision attainable at a recall of at least 0, .1, … 1.

    (1/11) Σ over r = 0, .1, … 1 of the highest precision among thresholds whose recall is at least r
    """
    return np.asarray(np.where(e.pos.sum(-1) > 0, interpolated_precisions(e).mean(-1), math.nan))


@measure(
    reads=ByScore,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVES,
    interval=EffectiveN("effective_n", closed_forms.trapezoid, unweighted=closed_forms.HEAVY_NEGATIVE),
    no_skill="base rate",
    notes=Notes(no_model="(1 + π) / 2"),
    shortcuts=Shortcuts(
        influence=lambda e: slopes.precision_influence(e, trapezoid=True),
        left_out=lambda e: slopes.precision_left_out(e, trapezoid=True),
    ),
    worked=(
        Worked(FIVE_SCORES, {}, 3 / 4, "1/2 at precision 1, and 1/2 between precision 1/2 and 2/4"),
        Worked(ONE_SCORE, {}, 7 / 10, "one score for all: halfway between 1 and the share of positives, 2/5"),
    ),
    cite="Davis and Goadrich (2006). The relationship between precision-recall and ROC curves. ICML.",
    hides=Hides((COIN, SHORT_LIST), "a straight line from precision 1 overrates scores that are all equal", "roc_auc"),
    title="Area under the PR curve by trapezoids",
)
def pr_auc_trapezoid(e: ByScore) -> Floats:
    """Area under straight lines between the points of the precision–recall curve, which is too optimistic.

    Σ over scores from the highest down: (recall here − recall above) · (precision here + precision above) / 2,
    from precision 1 at recall 0
    """
    return slopes.under_precision(e, trapezoid=True)
