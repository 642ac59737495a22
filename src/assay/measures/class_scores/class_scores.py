"""Measures of classifiers, from a score for each class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from assay.errors import OptionError, plural
from assay.measures.class_scores import over_classes as class_forms
from assay.measures.class_scores.over_classes import (
    OfScores,
    absence_note,
    coefficients,
    exchange_terms,
    mean_influence,
    mean_left_out,
    mean_over_classes,
    one_on_one,
    one_on_one_influence,
    one_on_one_left_out,
    rest_coefficients,
)
from assay.measures.declare.average import ratio
from assay.measures.declare.examples import FIVE_CLASS_SCORES
from assay.measures.declare.facts import Notes, Paired, Shortcuts, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Effective, EffectiveN, Proportion, Signs
from assay.measures.declare.measure import Measure, variant
from assay.measures.guesses import top_k_accuracy, within
from assay.measures.scores.closed_forms import HEAVY_NEGATIVE
from assay.measures.scores.order import RANKED_BY_SCORE, SCORED, average_precision, no_scores, roc_auc
from assay.measures.scores.probabilities import brier, clipping_note, ece, log_loss, mce
from assay.measures.scores.slopes import auc_influence, auc_left_out, precision_influence, precision_left_out
from assay.sources.given import dimensions
from assay.tally.class_scores import ClassScored, ItemScores, PlacesByScore
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.guesses import Guessed
from assay.tally.losses import EPS, HalvedSquares, Surprises
from assay.tally.scores import ByScore, Scored

NO_PROBABILITIES = "scores are not probabilities: they lie outside [0, 1], or those of an item do not sum to 1"


def is_a_column_each(answers: Any) -> bool:
    """Whether there is one column of answers per class."""
    return isinstance(answers, Mapping) or hasattr(answers, "columns") or dimensions(answers) == 2


def is_a_score_each(answers: Any) -> bool:
    """Whether these are scores (floats): several guesses of labels can be columns too, but not of fractions."""
    if isinstance(answers, Mapping) or hasattr(answers, "columns"):
        return True
    if dimensions(answers) != 2:
        return False
    if hasattr(answers, "dtype") and answers.dtype.kind in "fiubUS":
        return bool(answers.dtype.kind == "f")
    every = [value for row in answers if isinstance(row, Iterable) for value in row]
    numbers = all(isinstance(value, int | float | np.number) for value in every)
    return numbers and any(isinstance(value, float | np.floating) for value in every)


family(
    ClassScored,
    "from_class_scores",
    ItemScores,
    PlacesByScore,
    HalvedSquares,
    Surprises,
    instead_of={Scored: is_a_column_each, Guessed: is_a_score_each},
    usual=lambda tally: SCORED if tally.no_probabilities is None else RANKED_BY_SCORE,
    named_by="--score 'NAME=COL{}'",
    lacked=no_scores,
)


def _class_asked(e: ItemScores, pos_label: object, average: str, multi_class: str = "ovr") -> int:
    """The class a value was requested for; averages are for no single class."""
    if (average, multi_class) != ("macro", "ovr"):
        raise OptionError("pos_label= asks for one class against the rest; leave out the average over classes.")
    return e.items.class_index(pos_label)


def _of_class(e: ItemScores, slopes: OfScores, pos_label: object, average: str, multi_class: str = "ovr") -> Floats:
    """What one pass gives for each item, for one class against the rest."""
    asked = _class_asked(e, pos_label, average, multi_class)
    return ByScore.per_unit(e.items.rest[asked], slopes(e.against_rest()[asked]))


def _absent(tally: ClassScored, pos_label: object | None = None, **_: Any) -> list[str]:
    return absence_note(tally) if pos_label is None else []


# ---------------------------------------------------------------------- in the right order
def _auc(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        return np.asarray(roc_auc.formula(e.against_rest()[_class_asked(e, pos_label, average, multi_class)]))
    return one_on_one(e, average) if multi_class == "ovo" else mean_over_classes(e, roc_auc.formula, average)


def _auc_influence(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        return _of_class(e, auc_influence, pos_label, average, multi_class)
    if multi_class == "ovo":
        return one_on_one_influence(e, average)
    return mean_influence(e, roc_auc.formula, auc_influence, average)


def _auc_left_out(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        return _of_class(e, auc_left_out, pos_label, average, multi_class)
    if multi_class == "ovo":
        return one_on_one_left_out(e, average)
    return mean_left_out(e, auc_left_out, average)


def _auc_interval(e: ItemScores, **options: Any) -> Effective:
    return class_forms.mean_auc(e, partial(_auc, **options), partial(_auc_influence, **options))


def _auc_signs(joint: Joint[ClassScored], average: str, multi_class: str, pos_label: object | None) -> Signs | None:
    """The difference of two systems as a sum of signs, from exchanged mid-ranks."""
    if pos_label is not None:
        return None
    sizes = ItemScores.of(joint.a, joint.mass).sizes
    per_win = coefficients(sizes, average) if multi_class == "ovo" else rest_coefficients(sizes, average)
    return Signs(exchange_terms(joint, per_win), 1.0)


@variant(
    roc_auc,
    reads=ItemScores,
    undefined="all items belong to one class",
    interval=EffectiveN("effective_n", _auc_interval, takes_options=True),
    shortcuts=Shortcuts(influence=_auc_influence, left_out=_auc_left_out),
    paired=Paired(signs=_auc_signs),
    notes=Notes(remarks=_absent),
    hides=None,
    worked=(
        Worked(FIVE_CLASS_SCORES, {}, 2.75 / 3, "4 of 4 pairs of “a” with others, 4.5 of 6 of “b”, 6 of 6 of “c”"),
        Worked(FIVE_CLASS_SCORES, {"average": "weighted"}, 4.5 / 5, "(1 · 1 + 2 · 0.75 + 2 · 1) / 5"),
        Worked(FIVE_CLASS_SCORES, {"multi_class": "ovo"}, 5.625 / 6, "all pairs except 1.5 of the 4 of “b” with “c”"),
    ),
    cite="hand2001",
)
def class_auc(
    e: ItemScores, average: str = "macro", multi_class: str = "ovr", pos_label: object | None = None
) -> Floats:
    """Probability that an item of a class scores higher for it than one of another class, averaged over classes.

    ovr: mean over classes of AUC against the rest; ovo: mean over pairs of classes (Hand and Till)
    """
    return _auc(e, average, multi_class, pos_label)


# ---------------------------------------------------------------------- precision at the own score
_precision_influence = partial(precision_influence, trapezoid=False)
_precision_left_out = partial(precision_left_out, trapezoid=False)


def _ap_influence(e: ItemScores, average: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        return _of_class(e, _precision_influence, pos_label, average)
    return mean_influence(e, average_precision.formula, _precision_influence, average)


def _ap_left_out(e: ItemScores, average: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        return _of_class(e, _precision_left_out, pos_label, average)
    return mean_left_out(e, _precision_left_out, average)


def _ap_interval(e: ItemScores, average: str, pos_label: object | None) -> Effective:
    slopes = (average_precision.formula, _precision_influence, _precision_left_out)
    return class_forms.mean_average_precision(e, *slopes, average)


@variant(
    average_precision,
    reads=ItemScores,
    undefined="there are no items",
    interval=EffectiveN("effective_n", _ap_interval, takes_options=True, unweighted=HEAVY_NEGATIVE),
    shortcuts=Shortcuts(influence=_ap_influence, left_out=_ap_left_out),
    notes=Notes(remarks=_absent),
    hides=None,
    worked=(
        Worked(FIVE_CLASS_SCORES, {}, 2.75 / 3, "1 for “a” and “c”; for “b” 1/1 at the first and 2/4 at the second"),
        Worked(FIVE_CLASS_SCORES, {"average": "weighted"}, 4.5 / 5, "(1 · 1 + 2 · 0.75 + 2 · 1) / 5"),
    ),
)
def class_average_precision(e: ItemScores, average: str = "macro", pos_label: object | None = None) -> Floats:
    """Mean over the items of a class of the precision at their own score for it, averaged over classes.

    mean over classes against the rest of Σ (recall here − recall above) · precision here; a class without items is 0/0
    and left out, with a note (scikit-learn counts it as 0)
    """
    if pos_label is not None:
        return np.asarray(average_precision.formula(e.against_rest()[_class_asked(e, pos_label, average)]))
    return mean_over_classes(e, average_precision.formula, average)


# ---------------------------------------------------------------------- probabilities
def _why(tally: ClassScored, **_: Any) -> str:
    return tally.no_probabilities or NO_PROBABILITIES


def _clipped(tally: ClassScored) -> list[str]:
    """How many items have a probability that had to be moved away from 0 or 1."""
    own = tally.scores[np.arange(len(tally.gold)), tally.gold]
    return clipping_note(int(tally.counts[~tally.unfit & ((own < EPS) | (own > 1 - EPS))].sum()), tally.item)


def _is_halved(several: Any, scale_by_half: bool | str) -> Any:
    """Whether the sum over classes is halved: as requested, or by default for two classes only."""
    return ~np.asarray(several) if scale_by_half == "auto" else np.full(np.shape(several), scale_by_half)


def _brier_each(tally: ClassScored, scale_by_half: bool | str = "auto") -> Floats:
    return np.asarray(HalvedSquares.each(tally) * np.where(_is_halved(tally.k > 2, scale_by_half), 1.0, 2.0))


def _brier_interval(e: ItemScores, scale_by_half: bool | str) -> Effective:
    times = 1.0 if _is_halved(e.items.k > 2, scale_by_half) else 2.0
    made = class_forms.brier(e)
    return replace(made, back=lambda x: times * x, error=None if made.error is None else times * made.error)


@variant(
    brier,
    reads=HalvedSquares,
    range=(0, 2),
    reach=lambda scale_by_half: (0, 1) if scale_by_half is True else (0, 2),
    undefined=NO_PROBABILITIES,
    interval=EffectiveN("effective_n", _brier_interval, reads=ItemScores, takes_options=True),
    paired=Paired(each=_brier_each, few_carry=True, as_they_are=True),
    notes=Notes(because=_why),
    hides=None,
    worked=(
        Worked(FIVE_CLASS_SCORES, {}, 0.432, "(.14 + .24 + .78 + .26 + .74) / 5"),
        Worked(FIVE_CLASS_SCORES, {"scale_by_half": True}, 0.216, "half of that"),
    ),
)
def class_brier(e: HalvedSquares, scale_by_half: bool | str = "auto") -> Floats:
    """Mean squared difference between the probabilities of all classes and what came true.

    (1/n) Σ over items and classes (p − y)², with y = 1 for the gold class: Brier's own sum, from 0 to 2;
    with scale_by_half=True half of it, (1/2n) Σ (p − y)², from 0 to 1. For two classes it is halved unless
    scale_by_half=False, and is then that of one probability (all as in scikit-learn)
    """
    return np.asarray(brier.formula(e) * np.where(_is_halved(e.several[..., 0] > 0, scale_by_half), 1.0, 2.0))


@variant(
    log_loss,
    reads=Surprises,
    undefined=NO_PROBABILITIES,
    interval=EffectiveN("effective_n", class_forms.log_loss, reads=ItemScores),
    paired=Paired(each=Surprises.each, few_carry=True, as_they_are=True),
    notes=Notes(because=_why, remarks=_clipped),
    hides=None,
    worked=(
        Worked(FIVE_CLASS_SCORES, {}, -math.log(0.7 * 0.6 * 0.3 * 0.6 * 0.3) / 5, "−ln(.7 · .6 · .3 · .6 · .3) / 5"),
    ),
)
def class_log_loss(e: Surprises) -> Floats:
    """Mean negative log-likelihood of the class that came true, in natural logarithms.

    −(1/n) Σ ln p of the gold class, with p kept 2.2e-16 away from 0 and 1
    """
    return log_loss.formula(e)


def _if_calibrated(error: Measure) -> Callable[..., list[str]]:
    """What calibrated confidence would show."""

    def remarks(tally: ClassScored, **options: Any) -> list[str]:
        if tally.no_probabilities is not None or error.notes.remarks is None:
            return []
        return error.notes.remarks(tally.confidence(), **options)

    return remarks


def _confidence_left_out(error: Measure) -> Callable[..., Floats | None]:
    """The same without one item of each unit."""

    def left_out(e: ItemScores, **options: Any) -> Floats | None:
        confident, shortcut = e.items.confident, error.shortcuts.left_out
        unfit = bool((e.w * e.items.unfit).sum() > 0)
        found = None if unfit or shortcut is None else shortcut(ByScore.of(confident, e.w), **options)
        return None if found is None else ByScore.per_unit(confident, found)

    return left_out


def _of_confidence(error: Measure, e: ItemScores, **options: Any) -> Floats:
    """The error of the highest score of each item, as the probability that the answer is right."""
    unfit = (e.w * e.items.unfit).sum(-1) > 0
    return np.where(unfit, math.nan, error.formula(ByScore.of(e.items.confident, e.w), **options))


@variant(
    ece,
    reads=ItemScores,
    undefined=NO_PROBABILITIES,
    interval=ece.interval,
    shortcuts=Shortcuts(left_out=_confidence_left_out(ece)),
    paired=Paired(as_they_are=True),
    notes=Notes(because=_why, remarks=_if_calibrated(ece)),
    hides=None,
    worked=(
        Worked(
            FIVE_CLASS_SCORES,
            {"bins": 1},
            0.04,
            "the highest scores sum to .7 + .6 + .5 + .6 + .4 = 2.8, and 3 are right",
        ),
    ),
)
def class_ece(e: ItemScores, bins: int = ece.options["bins"], binning: str = "mass") -> Floats:
    """Mean gap between the share of right answers and the mean confidence, over bins of similar confidence.

    Σ over bins of |right answers − Σ highest score| / n; the answer is the class with the highest score, and bins are
    those of a single score
    """
    return _of_confidence(ece, e, bins=bins, binning=binning)


@variant(
    mce,
    reads=ItemScores,
    undefined=NO_PROBABILITIES,
    interval=mce.interval,
    shortcuts=Shortcuts(left_out=_confidence_left_out(mce)),
    paired=Paired(as_they_are=True),
    notes=Notes(because=_why, remarks=_if_calibrated(mce)),
    hides=None,
    worked=(Worked(FIVE_CLASS_SCORES, {"bins": 1}, 0.04, "one bin: 3 of 5 are right, and 2.8 are expected"),),
)
def class_mce(e: ItemScores, bins: int = mce.options["bins"], binning: str = "mass") -> Floats:
    """Largest gap between the share of right answers and the mean confidence, over bins of similar confidence.

    the largest over bins of |right answers − Σ highest score| / items of the bin; the bins are those of ece
    """
    return _of_confidence(mce, e, bins=bins, binning=binning)


# ---------------------------------------------------------------------- among the first guesses
def _ties(tally: ClassScored, k: int) -> list[str]:
    """How many items have a tie that decides whether they count."""
    own = tally.scores[np.arange(len(tally.gold)), tally.gold]
    best = (tally.scores > own[:, None]).sum(axis=1) + 1
    many = int(tally.counts[(best <= k) & (tally.place > k)].sum())
    return [f"{plural(many, tally.item)} with a tie across place {k}, counted as missed"] if many else []


@variant(
    top_k_accuracy,
    reads=PlacesByScore,
    interval=Proportion(within, "n"),
    paired=Paired(as_they_are=True),  # places come from the scores of one item
    notes=Notes(remarks=_ties),
    hides=None,
    worked=(
        Worked(FIVE_CLASS_SCORES, {"k": 1}, 3 / 5, "the third and the fifth item score higher for another class"),
        Worked(FIVE_CLASS_SCORES, {"k": 2}, 4 / 5, "the tie of “a” and “c” across the second place counts as a miss"),
    ),
)
def class_top_k_accuracy(e: PlacesByScore, k: int = 2) -> Floats:
    """Share of the items whose gold class has one of the k highest scores; a tie across place k counts as a miss.

    items with fewer than k other classes that score as high or higher / n
    """
    return ratio(within(e, k), e.n)
