"""Measures of classifiers, from a score for each class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.errors import OptionError, choose, plural
from assay.measures.average import ratio
from assay.measures.declare import Worked, family, variant
from assay.measures.examples import FIVE_CLASS_SCORES
from assay.measures.forms import Effective, EffectiveN, Proportion, Signs
from assay.measures.guesses import top_k_accuracy, within
from assay.measures.hand_till import (
    above,
    below,
    coefficients,
    exchanged,
    one_on_one,
    one_on_one_influence,
    one_on_one_left_out,
    rest_coefficients,
)
from assay.measures.over_classes import absent, mean_influence, mean_left_out, mean_over_classes
from assay.measures.scores import roc_auc
from assay.options import MULTI_CLASS
from assay.tally.class_scored import ClassScored, ItemScores, PlacesByScore
from assay.tally.guessed import Guessed
from assay.tally.joint import Joint
from assay.tally.sampling import Floats
from assay.tally.scored import ByScore, Scored

ENDS = 0.4  # of an item, shared by the classes that occur and added to each end of them


def is_a_column_each(answers: Any) -> bool:
    """Whether there is a column of answers for each class."""
    return isinstance(answers, Mapping) or hasattr(answers, "columns") or np.ndim(answers) == 2


def is_a_score_each(answers: Any) -> bool:
    """Whether these are scores: several guesses of labels may be columns too, but no fractions."""
    if isinstance(answers, Mapping) or hasattr(answers, "columns"):
        return True
    return isinstance(answers, np.ndarray) and answers.ndim == 2 and answers.dtype.kind == "f"


family(
    ClassScored,
    "from_class_scores",
    ItemScores,
    PlacesByScore,
    instead_of={Scored: is_a_column_each, Guessed: is_a_score_each},
)


# ---------------------------------------------------------------------- in the right order
def _auc_influence(e: ByScore) -> tuple[Floats, Floats]:
    """How much one positive and one negative item at each score move the AUC."""
    p, n = e.pos.sum(-1)[..., None], e.neg.sum(-1)[..., None]
    value = np.asarray(roc_auc.formula(e))[..., None]
    return ratio(ratio(below(e), n) - value, p), ratio(ratio(above(e), p) - value, n)


def _auc_left_out(e: ByScore) -> tuple[Floats, Floats]:
    """The AUC without one positive and without one negative item at each score."""
    p, n = e.pos.sum(-1)[..., None], e.neg.sum(-1)[..., None]
    won = (e.pos * below(e)).sum(-1)[..., None]
    return ratio(won - below(e), (p - 1) * n), ratio(won - above(e), p * (n - 1))


def _auc(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    choose(multi_class, MULTI_CLASS, "multi_class")
    if pos_label is not None:
        if (average, multi_class) != ("macro", "ovr"):
            raise OptionError("pos_label= asks for one class against the rest, which is no average over classes.")
        return np.asarray(roc_auc.formula(e.against_rest()[e.items.class_index(pos_label)]))
    if multi_class == "ovo":
        return one_on_one(e, average)
    return mean_over_classes(e, roc_auc.formula, average)


def _auc_influences(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        one = e.items.class_index(pos_label)
        return ByScore.per_unit(e.items.rest[one], _auc_influence(e.against_rest()[one]))
    if multi_class == "ovo":
        return one_on_one_influence(e, average)
    return mean_influence(e, roc_auc.formula, _auc_influence, average)


def _aucs_left_out(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Floats:
    if pos_label is not None:
        one = e.items.class_index(pos_label)
        return ByScore.per_unit(e.items.rest[one], _auc_left_out(e.against_rest()[one]))
    if multi_class == "ovo":
        return one_on_one_left_out(e, average)
    return mean_left_out(e, _auc_left_out, average)


def _auc_interval(e: ItemScores, average: str, multi_class: str, pos_label: object | None) -> Effective:
    """The variance of the influences, with a little of an item added to each end of each class (by simulation).

    What is added keeps the variance above zero where classes are fully apart. Of two classes it is DeLong's variance.
    """
    options: dict[str, Any] = {"average": average, "multi_class": multi_class, "pos_label": pos_label}
    smooth = e.with_ends(ENDS / max(int((e.sizes > 0).sum()), 1))
    u, sizes = _auc_influences(smooth, **options), smooth.sizes
    unbiased = (sizes / np.maximum(sizes - 1, 0.5))[smooth.items.gold]  # as DeLong has it, class by class
    variance = float((smooth.w * unbiased * u**2).sum())
    at = float(_auc(smooth, **options))
    return Effective(float(_auc(e, **options)), at * (1 - at) / variance)


def _auc_signs(joint: Joint[ClassScored], average: str, multi_class: str, pos_label: object | None) -> Signs | None:
    """The difference of two systems as a sum of signs, from mid-ranks that were handed from one to the other."""
    if pos_label is not None:
        return None
    per_win = (coefficients if multi_class == "ovo" else rest_coefficients)(
        ItemScores.of(joint.a, joint.mass).sizes, average
    )
    return Signs(exchanged(joint, per_win), 1.0)


def _absent(tally: ClassScored, pos_label: object | None = None, **_: Any) -> list[str]:
    return absent(tally) if pos_label is None else []


@variant(
    roc_auc,
    reads=ItemScores,
    undefined="the items are all of one class",
    interval=EffectiveN("effective_n", _auc_interval, takes_options=True),
    influence=_auc_influences,
    left_out=_aucs_left_out,
    signs=_auc_signs,
    remarks=_absent,
    worked=(
        Worked(FIVE_CLASS_SCORES, {}, 2.75 / 3, "4 of 4 pairs of “a” with others, 4.5 of 6 of “b”, 6 of 6 of “c”"),
        Worked(FIVE_CLASS_SCORES, {"average": "weighted"}, 4.5 / 5, "(1 · 1 + 2 · 0.75 + 2 · 1) / 5"),
        Worked(FIVE_CLASS_SCORES, {"multi_class": "ovo"}, 5.625 / 6, "all pairs but 1.5 of the 4 of “b” with “c”"),
    ),
    cite="hand2001",
)
def class_auc(
    e: ItemScores, average: str = "macro", multi_class: str = "ovr", pos_label: object | None = None
) -> Floats:
    """Chance that an item of a class scores higher for it than one of another class, averaged over classes.

    ovr: mean over classes of AUC against the rest; ovo: mean over pairs of classes (Hand and Till)
    """
    return _auc(e, average, multi_class, pos_label)


# ---------------------------------------------------------------------- among the first guesses
def _ties(tally: ClassScored, k: int) -> list[str]:
    """How many items have a tie that decides whether they count."""
    own = tally.scores[np.arange(len(tally.gold)), tally.gold]
    best = (tally.scores > own[:, None]).sum(axis=1) + 1
    many = int(tally.counts[(best <= k) & (tally.place > k)].sum())
    return [f"{plural(many, 'tie')} across place {k}, which count as missed"] if many else []


@variant(
    top_k_accuracy,
    reads=PlacesByScore,
    interval=Proportion(within, "n"),
    remarks=_ties,
    worked=(
        Worked(FIVE_CLASS_SCORES, {"k": 1}, 3 / 5, "the fourth item and one tied item are no first guesses"),
        Worked(FIVE_CLASS_SCORES, {"k": 2}, 4 / 5, "the tie of “a” and “c” across the second place is missed"),
    ),
    hides=None,
)
def class_top_k_accuracy(e: PlacesByScore, k: int = 2) -> Floats:
    """Share of the items whose class has one of the k highest scores; a tie across place k counts as missed.

    items with fewer than k other classes that score as high or higher / n
    """
    return ratio(within(e, k), e.n)
