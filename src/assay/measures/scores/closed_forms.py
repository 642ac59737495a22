"""Closed forms of intervals of scores: evidence to a share with an effective n, or to a value with its error.

The forms marked "by simulation" are supported by coverage studies, not by theory; the reference pages print their
grids.
"""

from __future__ import annotations

import math

import numpy as np

from assay.measures.declare.average import ratio
from assay.measures.declare.forms import NO_DELONG, Around, Effective, Solved
from assay.measures.scores import slopes
from assay.tally.contract.sampling import Floats
from assay.tally.losses import logarithmic, squared
from assay.tally.scores import ByScore

ENDS = 0.2  # of an item, added to each end of each class for the area under the ROC curve
HALF = 0.5  # of an item, added to keep a variance above zero where no variation was observed
FEW = 5  # positive items; with fewer, no interval for areas under precision was found to cover
HEAVY_NEGATIVE = (
    "rows differ in weight, and the data do not show how much a heavier negative among the top scores would take away; "
    "intervals for such rows covered the true value 43 to 90% of the time"
)


# ---------------------------------------------------------------------- the area under the ROC curve
def auc(e: ByScore) -> Effective:
    """DeLong's variance with a fifth of an item added to each end of each class (by simulation).

    The added items keep the variance above zero when the classes are fully separated.
    """
    m, n = float(e.pos.sum()), float(e.neg.sum())
    big_m, big_n = m + 2 * ENDS, n + 2 * ENDS
    below, above = slopes.placements(e)
    value = float(ratio((e.pos * below).sum(), m * n))
    smooth = (m * (n * value + ENDS) / big_n + ENDS) / big_m

    def spread(weight: Floats, placed: Floats, other: float) -> float:
        share = (placed + ENDS) / (other + 2 * ENDS)
        ends = np.array([ENDS / 2, other + 1.5 * ENDS]) / (other + 2 * ENDS)
        return float((weight * (share - smooth) ** 2).sum() + ENDS * ((ends - smooth) ** 2).sum())

    variance = spread(e.pos, below, n) / (max(big_m - 1, 0.5) * big_m)
    variance += spread(e.neg, above, m) / (max(big_n - 1, 0.5) * big_n)
    return Effective(value, smooth * (1 - smooth) / variance, error=math.sqrt(variance))


def _delong(e: ByScore) -> tuple[float, float] | str:
    """The area and its DeLong variance."""
    m, n = float(e.pos.sum()), float(e.neg.sum())
    if min(m, n) <= 1:
        return NO_DELONG
    below, above = slopes.placements(e)
    value = float((e.pos * below).sum() / (m * n))
    variance = float((e.pos * (below / n - value) ** 2).sum()) / ((m - 1) * m)
    variance += float((e.neg * (above / m - value) ** 2).sum()) / ((n - 1) * n)
    return value, variance


def delong(e: ByScore) -> Around | str:
    """The area ± z DeLong standard errors, a Wald interval (DeLong, DeLong and Clarke-Pearson, 1988).

    It has no width if the classes are fully separated.
    """
    found = _delong(e)
    return found if isinstance(found, str) else Around(found[0], math.sqrt(found[1]))


def logit_delong(e: ByScore) -> Around | str:
    """The same on the logit of the area (Pepe, 2003)."""
    found = _delong(e)
    if isinstance(found, str):
        return found
    value, variance = found
    if variance <= 0:
        return "DeLong's variance is 0 here; use method auto for an interval"
    if not 0 < value < 1:
        return "the logit is infinite at 0 and 1"
    error = math.sqrt(variance)
    return Around(math.log(value / (1 - value)), error / (value * (1 - value)), back=_expit, own_error=error)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def hanley_mcneil(e: ByScore) -> Around | str:
    """The area ± z standard errors of exponential scores (Hanley and McNeil, 1982)."""
    m, n = float(e.pos.sum()), float(e.neg.sum())
    value = float((e.pos * slopes.placements(e)[0]).sum() / (m * n))
    variance = _exponential(value, m - 1, n - 1) / (m * n)
    if variance <= 0:
        return "Hanley and McNeil's variance is 0 here; use method auto for an interval"
    return Around(value, math.sqrt(variance))


def newcombe_auc(e: ByScore) -> Solved:
    """The areas that lie z of their own standard errors from the estimate: method 5 of Newcombe (2006).

    Standard errors are those of exponential scores, with the mean of both class sizes in place of each.
    """
    m, n = float(e.pos.sum()), float(e.neg.sum())
    value = float((e.pos * slopes.placements(e)[0]).sum() / (m * n))
    each = (m + n) / 2 - 1

    def reached(end: float, z: float) -> float:
        near, far = value, end
        for _ in range(60):
            middle = (near + far) / 2
            within = (middle - value) ** 2 <= z * z * _exponential(middle, each, each) / (m * n)
            near, far = (middle, far) if within else (near, middle)
        return (near + far) / 2

    return Solved(lambda z: (reached(0.0, z), reached(1.0, z)))


def _exponential(area: float, positives: float, negatives: float) -> float:
    """The variance of the area of exponential scores, times the number of pairs."""
    return area * (1 - area) * (1 + positives * (1 - area) / (2 - area) + negatives * area / (1 + area))


# ---------------------------------------------------------------------- areas that few items may carry
def average_precision(e: ByScore) -> Effective | str:
    """Wilson's interval with the jackknife's variance (by simulation)."""
    return _under_precision(e, trapezoid=False)


def trapezoid(e: ByScore) -> Effective | str:
    """The same for the area under straight lines between the points of the curve (by simulation)."""
    return _under_precision(e, trapezoid=True)


def _under_precision(e: ByScore, trapezoid: bool) -> Effective | str:
    if e.pos.sum() < FEW:
        return f"fewer than {FEW} positive items, with which intervals covered a low value only 83 to 91% of the time"
    value = float(slopes.under_precision(e, trapezoid))
    times = np.concatenate([e.pos, e.neg])
    if (times != np.round(times)).any():
        # Rows with a weight below one cannot be left out as whole items; their influence gives the same information.
        return share_by_influence(
            e, value, np.concatenate(slopes.precision_influence(e, trapezoid)), float(e.pos.sum())
        )
    left, n = np.concatenate(slopes.precision_left_out(e, trapezoid)), times.sum()
    left = np.where(times > 0, left, 0.0)
    return share_by_influence(e, value, math.sqrt((n - 1) / n) * (left - (times * left).sum() / n), float(e.pos.sum()))


def share_by_influence(e: ByScore, value: float, moves: Floats, scarce: float) -> Effective | str:
    """A share whose variance is the sum of squared influences of the items, with half an item more at either end.

    Half an item weighs as much as it would among the scarce items that the value depends on. A few items may carry the
    sum: the degrees of freedom are twice their number minus one (by simulation).
    """
    m, times = scarce, np.concatenate([e.pos, e.neg])
    if e.pos.sum() <= 1 or not np.isfinite(moves[times > 0]).all():
        return "there is only one positive item"
    variance, fourth = float((times * moves**2).sum()), float((times * moves**4).sum())
    carriers = variance**2 / fourth if fourth > 0 else 0.0
    smooth = (value * m + HALF) / (m + 1)
    smoothed = (variance * m**2 + HALF * ((1 - value) ** 2 + value**2)) / (m + 1) ** 2
    df = max(2 * carriers - 1, 2.0)
    return Effective(value, smooth * (1 - smooth) / smoothed, df, error=math.sqrt(smoothed))


# ---------------------------------------------------------------------- means of losses
def brier(e: ByScore) -> Effective:
    """Wilson's interval for a mean between 0 and 1, with half an item more at either end (by simulation)."""
    positive, negative = squared(e.score)
    n = float((e.pos + e.neg).sum())
    value = float((e.pos * positive + e.neg * negative).sum()) / n
    more = n + 2 * HALF
    smooth = (n * value + HALF) / more
    squares = float((e.pos * (positive - smooth) ** 2 + e.neg * (negative - smooth) ** 2).sum())
    squares += HALF * (smooth**2 + (1 - smooth) ** 2)
    variance = squares / ((more - 1) * more)
    return Effective(value, smooth * (1 - smooth) / variance, error=math.sqrt(variance))


def log_loss(e: ByScore) -> Around:
    """The mean on the scale of logarithms, with half an item more of either class at the scores of all (by simulation).

    The addition stands for the cost of a positive where none was seen. The upper limit starts from the mean with it,
    the lower one from the mean itself.
    """
    positive, negative = logarithmic(e.score)
    items = e.pos + e.neg
    n, more = float(items.sum()), float(items.sum()) + 2 * HALF
    pos, neg = (x + HALF * items / n for x in (e.pos, e.neg))
    value = float((e.pos * positive + e.neg * negative).sum()) / n
    smooth = float((pos * positive + neg * negative).sum()) / more
    squares = float((pos * (positive - smooth) ** 2 + neg * (negative - smooth) ** 2).sum())
    error = math.sqrt(squares / ((more - 1) * more))
    bottom, top = math.log(value) if value > 0 else -math.inf, math.log(max(value, smooth))
    return Around(bottom, error / smooth, back=_exp, center_high=top, own_error=error)


def _exp(x: float) -> float:
    return math.exp(min(x, 700.0))
