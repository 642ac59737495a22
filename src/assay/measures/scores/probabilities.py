"""Measures of classifiers whose scores are probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from assay.errors import plural
from assay.measures.declare.average import ratio
from assay.measures.declare.examples import (
    ALWAYS_SURE,
    FIVE_SCORES,
    HARDLY_SURE,
    ONE_SCORE,
    OVERSURE,
    RARE_FOUND,
    RARE_UNSEEN,
    RIGHTLY_SURE,
    TOLD_APART,
    TOO_LOW,
    UNDECIDED,
)
from assay.measures.declare.facts import Hides, Notes, Paired, Shortcuts, Worked
from assay.measures.declare.forms import Around, Effective, EffectiveN, NoInterval
from assay.measures.declare.measure import measure
from assay.measures.scores import closed_forms, recalibration
from assay.measures.scores.calibration import BINS, ece_if_calibrated, into_bins, mce_by_luck, without_each
from assay.measures.scores.order import ONE_CLASS
from assay.measures.scores.slopes import share as score_share
from assay.notes import Aside, Tallied
from assay.tally.contract.sampling import Floats
from assay.tally.losses import EPS, LogLosses, Losses, SquaredLosses
from assay.tally.scores import ByScore, Scored

NO_PROBABILITIES = "scores lie outside [0, 1], so they are not probabilities"
NO_SLOPE = "the scores separate the classes or are all equal, so no slope is best"
SHARPNESS = Hides((HARDLY_SURE, RIGHTLY_SURE), "hesitant scores can be as well calibrated as confident ones", "roc_auc")


def _mean(e: Losses) -> Floats:
    return np.where(e.outside[..., 0] > 0, math.nan, ratio(e.loss[..., 0], e.items[..., 0]))


def _clipped(tally: Scored, **_: Any) -> list[str]:
    """How many items have a probability that had to be moved away from 0 or 1."""
    score = tally.keys["score"]
    if not tally.probabilities:
        return []
    return clipping_note(int(tally.counts[(score < EPS) | (score > 1 - EPS)].sum()), tally.item)


def clipping_note(moved: int, item: str) -> list[str]:
    """The note on items whose probabilities had to be moved away from 0 or 1."""
    if not moved:
        return []
    have = "has" if moved == 1 else "have"
    inward = f"moved inward by {EPS:.2g} so that the loss stays finite"
    what = f"probabilities of 0 or 1, {inward}"
    return [Tallied(f"{plural(moved, item)} {have} a probability of 0 or 1, {inward}", what, plural(moved, item))]


def _times(scale_by_half: bool | str) -> float:
    """The squares of both classes add up to twice that of the positive one."""
    return 2.0 if scale_by_half is False else 1.0


def _brier_each(tally: Scored, scale_by_half: bool | str = "auto") -> Floats:
    return _times(scale_by_half) * SquaredLosses.each(tally)


def _brier_interval(e: ByScore, scale_by_half: bool | str) -> Effective:
    times, made = _times(scale_by_half), closed_forms.brier(e)
    return replace(made, back=lambda x: times * x, error=None if made.error is None else times * made.error)


@measure(
    reads=SquaredLosses,
    range=(0, 1),
    reach=lambda scale_by_half: (0, _times(scale_by_half)),
    best=0,
    undefined=NO_PROBABILITIES,
    interval=EffectiveN("effective_n", _brier_interval, reads=ByScore, takes_options=True),
    no_skill="base rate",
    notes=Notes(no_model="π (1 − π)", ends="0 to 1; 0 to 2 where the sum over classes is not halved"),
    paired=Paired(each=_brier_each, few_carry=True, as_they_are=True),
    worked=(Worked(FIVE_SCORES, {}, 0.18, "(.01 + .16 + .36 + .36 + .01) / 5"),),
    cite="Brier (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review 78.",
    hides=Hides((RARE_UNSEEN, RARE_FOUND), "if positives are rare, one score for all items costs little", "roc_auc"),
    title="Brier score",
    aliases=("brier_score", "brier_score_loss"),
)
def brier(e: SquaredLosses, scale_by_half: bool | str = "auto") -> Floats:
    """Mean squared difference between the probabilities and what came true.

    (1/n) Σ (p − y)², with y = 1 for a positive and 0 for a negative item, and twice that with scale_by_half=False; with
    a probability for each of three classes or more (1/n) Σ over items and classes (p − y)², with y = 1 for the gold
    class, from 0 to 2, and with scale_by_half=True half of that, (1/2n) Σ (p − y)² (all as in scikit-learn)
    """
    return _times(scale_by_half) * _mean(e)


@measure(
    reads=LogLosses,
    range=(0, math.inf),
    best=0,
    undefined=NO_PROBABILITIES,
    interval=EffectiveN("smoothed_log", closed_forms.log_loss, reads=ByScore),
    no_skill="base rate",
    paired=Paired(each=LogLosses.each, few_carry=True, as_they_are=True),
    notes=Notes(no_model="−π ln π − (1 − π) ln(1 − π)", remarks=_clipped),
    worked=(
        Worked(FIVE_SCORES, {}, -math.log(0.9 * 0.6 * 0.4 * 0.4 * 0.9) / 5, "−ln(.9 · .6 · .4 · .4 · .9) / 5"),
        Worked(UNDECIDED, {}, math.log(2), "one half for every item: ln 2"),
    ),
    cite="Good (1952). Rational decisions. Journal of the Royal Statistical Society B 14.",
    hides=Hides(
        (UNDECIDED, TOLD_APART), "it penalizes low scores even if they separate the classes perfectly", "roc_auc"
    ),
    title="Log loss",
    aliases=("cross_entropy",),
)
def log_loss(e: LogLosses) -> Floats:
    """Mean negative log-likelihood of what came true, in natural logarithms.

    −(1/n) Σ [y ln p + (1 − y) ln(1 − p)]; with a probability for each of three classes or more −(1/n) Σ ln p over
    items, with p that of the gold class; p is kept 2.2e-16 away from 0 and 1
    """
    return _mean(e)


# ---------------------------------------------------------------------- calibration
def ece_left_out(e: ByScore, bins: int, binning: str) -> tuple[Floats, ...] | None:
    """The error without a positive, and without a negative, item of each score."""
    if recalibration.outside(e) or (e.pos + e.neg).sum() <= 1:
        return None
    sums = (sum(np.abs(gap) for _, gap in each) for each in without_each(e, bins, binning))
    return tuple(ratio(each, (e.pos + e.neg).sum() - 1) for each in sums)


def mce_left_out(e: ByScore, bins: int, binning: str) -> tuple[Floats, ...] | None:
    """The largest gap without a positive, and without a negative, item of each score."""
    if recalibration.outside(e) or (e.pos + e.neg).sum() <= 1:
        return None
    found = []
    for each in without_each(e, bins, binning):
        gaps = (score_share(np.abs(gap), items, 0.0) for items, gap in each)
        found.append(reduce(np.maximum, gaps))
    return tuple(found)


def _if_calibrated(honest: Callable[[Scored, int, str], float]) -> Callable[..., list[str]]:
    """What calibrated scores would show, because the gap of a bin is never negative."""

    def remarks(tally: Scored, bins: int, binning: str) -> list[str]:
        if not tally.probabilities:
            return []
        shown = honest(tally, bins, binning)
        return [Aside(f"perfectly calibrated scores would show about {shown:.2g}, by chance alone")]

    return remarks


@measure(
    reads=ByScore,
    range=(0, 1),
    best=0,
    undefined=NO_PROBABILITIES,
    interval=NoInterval("chance gaps inflate it, and resampling inflates it further: see its value if calibrated"),
    no_skill=None,  # the base rate for every item is perfectly calibrated
    shortcuts=Shortcuts(left_out=ece_left_out),
    paired=Paired(as_they_are=True),
    notes=Notes(remarks=_if_calibrated(lambda *binned: ece_if_calibrated(*binned).expected)),
    worked=(
        Worked(FIVE_SCORES, {}, 0.2, "each score has a bin: gaps of .1, .2, .6 and .1, divided by 5 items"),
        Worked(FIVE_SCORES, {"bins": 1}, 0.08, "one bin: 2 positives, 2.4 expected, 5 items"),
        Worked(FIVE_SCORES, {"bins": 2, "binning": "width"}, 0.12, "gaps of .1 below ½ and of .5 above, divided by 5"),
    ),
    cite="Naeini, Cooper and Hauskrecht (2015). Obtaining well calibrated probabilities using Bayesian binning. AAAI.",
    hides=Hides((UNDECIDED, ALWAYS_SURE), "the base rate for every item is perfectly calibrated", "roc_auc"),
    title="Expected calibration error",
    aliases=("expected_calibration_error",),
)
def ece(e: ByScore, bins: int = BINS, binning: str = "mass") -> Floats:
    """Mean gap between the share of positives and the mean probability, over bins of similar scores.

    Σ over bins of |positives − Σ p| / n; binning=mass: items in order of p, those of equal p together, in bin
    ⌊bins · (items below + half of these) / n⌋; binning=width: bin b holds b / bins < p ≤ (b + 1) / bins, and the first
    also p = 0
    """
    found = np.abs(into_bins(e, bins, binning).gap).sum(-1)
    n = (e.pos + e.neg).sum(-1, dtype=e.pos.dtype)
    return np.where(recalibration.outside(e), math.nan, ratio(found, n))


@measure(
    reads=ByScore,
    range=(0, 1),
    best=0,
    undefined=NO_PROBABILITIES,
    interval=NoInterval("the largest of many gaps is large by chance alone, and resampling inflates it further"),
    no_skill=None,  # the base rate for every item is perfectly calibrated
    shortcuts=Shortcuts(left_out=mce_left_out),
    paired=Paired(as_they_are=True),
    notes=Notes(remarks=_if_calibrated(mce_by_luck)),
    worked=(
        Worked(FIVE_SCORES, {}, 0.6, "each score has a bin: gaps of .1, .1 (.2 of 2 items), .6 and .1"),
        Worked(FIVE_SCORES, {"bins": 1}, 0.08, "one bin: 2 positives, 2.4 expected, 5 items"),
        Worked(FIVE_SCORES, {"bins": 2, "binning": "width"}, 0.25, "gaps of .1 of 3 items below ½, of .5 of 2 above"),
    ),
    cite="Naeini, Cooper and Hauskrecht (2015). Obtaining well calibrated probabilities using Bayesian binning. AAAI.",
    hides=Hides((UNDECIDED, ALWAYS_SURE), "the base rate for every item is perfectly calibrated", "roc_auc"),
    title="Maximum calibration error",
    aliases=("maximum_calibration_error",),
)
def mce(e: ByScore, bins: int = BINS, binning: str = "mass") -> Floats:
    """Largest gap between the share of positives and the mean probability, over bins of similar scores.

    the largest over bins of |positives − Σ p| / items of the bin; the bins are those of ece
    """
    found = into_bins(e, bins, binning)
    gaps = score_share(np.abs(found.gap), found.items, 0.0).max(-1)
    return np.where(recalibration.outside(e) | ((e.pos + e.neg).sum(-1) <= 0), math.nan, gaps)


def _larger(value: Floats, model: float, e: ByScore, moves: tuple[Floats, Floats], known: Floats) -> Around:
    """The value ± z times the larger error: the model's own, or that of leaving items out, which needs no model.

    `known` is the share of the total information that one item of each score contributes.
    """
    apart = 1 - np.minimum(known, 0.95)
    left_out = float((e.pos * (moves[0] / apart) ** 2 + e.neg * (moves[1] / apart) ** 2).sum())
    return Around(float(value), math.sqrt(max(model, left_out)))


def _slope_form(e: ByScore) -> Around:
    x, (intercept, slope) = recalibration.log_odds(e.score), recalibration.line(e)
    weight = recalibration.weights(intercept + slope * x)
    one, middle = recalibration.center(x, (e.pos + e.neg) * weight)
    square = float(((e.pos + e.neg) * weight * (x - middle) ** 2).sum())
    known = weight * (1 / one + (x - middle) ** 2 / square)
    return _larger(np.asarray(slope), 1 / square, e, recalibration.slope_influence(e), known)


def _intercept_form(e: ByScore) -> Around:
    value = recalibration.intercept(e)
    weight = recalibration.weights(float(value) + recalibration.log_odds(e.score))
    known = float(((e.pos + e.neg) * weight).sum())
    return _larger(value, 1 / known, e, recalibration.intercept_influence(e), weight / known)


def _why(tally: Scored, slope: bool) -> str:
    e = ByScore.of(tally, tally.mass)
    if recalibration.outside(e):
        return NO_PROBABILITIES
    return ONE_CLASS if recalibration.one_class(e) or not slope else NO_SLOPE


@measure(
    reads=ByScore,
    range=(-math.inf, math.inf),
    best=None,  # 1 is calibrated, and neither end is better
    undefined=f"{NO_PROBABILITIES}; or {ONE_CLASS}; or {NO_SLOPE}",
    interval=EffectiveN("robust", _slope_form),
    no_skill=None,
    shortcuts=Shortcuts(influence=recalibration.slope_influence),
    paired=Paired(as_they_are=True, no_exchange="a mixture of the scores of two systems has another slope than either"),
    notes=Notes(because=lambda tally: _why(tally, slope=True), remarks=_clipped),
    worked=(
        Worked(RIGHTLY_SURE, {}, 1.0, "1 of 10 at .1 and 9 of 10 at .9: perfectly calibrated"),
        Worked(OVERSURE, {}, math.log(1.5) / math.log(4), "2 of 5 at .2 and 3 of 5 at .8: ln(3/2) instead of ln 4"),
    ),
    cite="cox1958",
    hides=SHARPNESS,
)
def calibration_slope(e: ByScore) -> Floats:
    """Factor by which the log-odds should be multiplied to fit what came true: 1 is calibrated, below 1 overconfident.

    the b of the logistic regression logit P(y = 1) = a + b logit p, with p kept 2.2e-16 away from 0 and 1
    """
    return recalibration.slope(e)


@measure(
    reads=ByScore,
    range=(-math.inf, math.inf),
    best=None,  # 0 is calibrated, and neither end is better
    undefined=f"{NO_PROBABILITIES}; or {ONE_CLASS}",
    interval=EffectiveN("robust", _intercept_form),
    no_skill=None,
    shortcuts=Shortcuts(influence=recalibration.intercept_influence),
    paired=Paired(as_they_are=True),
    notes=Notes(because=lambda tally: _why(tally, slope=False), remarks=_clipped),
    worked=(
        Worked(RIGHTLY_SURE, {}, 0.0, "10 of 20 are positive, and 10 were expected"),
        Worked(TOO_LOW, {}, math.log(3), "3 of 4 at a score of one half: odds of 3 instead of 1"),
        Worked(ONE_SCORE, {}, 0.0, "2 of 5 at a score of .4"),
    ),
    cite="cox1958",
    hides=SHARPNESS,
)
def calibration_intercept(e: ByScore) -> Floats:
    """What to add to all log-odds to match the observed number of positives: 0 is calibrated, above 0 too low.

    the a of the logistic regression logit P(y = 1) = a + logit p, its slope fixed at 1 (calibration in the large)
    """
    return recalibration.intercept(e)
