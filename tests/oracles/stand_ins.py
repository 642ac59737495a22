"""Measures that are not declared anywhere, for intervals that must work for any measure."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare.average import ratio
from assay.measures.declare.bound import AVERAGING
from assay.measures.declare.forms import IntervalForm
from assay.measures.declare.measure import Measure
from assay.tally.margins import Cells, OneVsRest

Floats = NDArray[np.float64]


def made(
    formula: Callable[..., Any],
    reads: type[Any],
    ends: tuple[float, float],
    interval: IntervalForm | None = None,
    name: str = "stand_in",
    **own: Any,
) -> Measure:
    """A measure outside the catalogue, with options of its own."""
    options = {**(AVERAGING if reads is OneVsRest else {}), **own}
    return Measure(name, formula, reads, ends, ends[1], "it is 0/0", (), "", interval=interval, options=options)


def positive_likelihood_ratio(t: OneVsRest) -> Floats:
    """How many times likelier an alarm is for a positive item: recall over the share of false alarms."""
    return ratio(ratio(t.tp, t.tp + t.fn), ratio(t.fp, t.fp + t.tn))


def odds_ratio(t: OneVsRest) -> Floats:
    """The odds of an alarm for positive items over those for negative ones."""
    return ratio(t.tp * t.tn, t.fp * t.fn)


def log_odds_ratio(t: OneVsRest) -> Floats:
    """Its logarithm."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(odds_ratio(t)))


def youden(t: OneVsRest) -> Floats:
    """Recall less the share of false alarms."""
    return np.asarray(ratio(t.tp, t.tp + t.fn) - ratio(t.fp, t.fp + t.tn))


def f_of(t: OneVsRest, beta: float = 1.0, alpha: float | None = None) -> Floats:
    """F-beta."""
    w = 1 - alpha if alpha is not None else 1.0 if math.isinf(beta) else beta**2 / (1 + beta**2)
    return ratio(t.tp, t.tp + w * t.fn + (1 - w) * t.fp)


def linear_kappa(c: Cells) -> Floats:
    """Cohen's kappa in which an error weighs as much as the classes lie apart."""
    p = ratio(c.table, c.table.sum((-2, -1), keepdims=True))
    expected = p.sum(-1)[..., :, None] * p.sum(-2)[..., None, :]
    apart = np.abs(np.subtract.outer(np.arange(c.k), np.arange(c.k)))
    return 1 - ratio((apart * p).sum((-2, -1)), (apart * expected).sum((-2, -1)))


def mean_cost(c: Cells, costs: Any = ()) -> Floats:
    """The mean of what every item costs."""
    return ratio((c.w * np.asarray(costs)[c.gold, c.pred]).sum(-1), c.w.sum(-1))


LR = made(positive_likelihood_ratio, OneVsRest, (0, math.inf), name="lr")
ODDS_RATIO = made(odds_ratio, OneVsRest, (0, math.inf), name="odds_ratio")
LOG_ODDS_RATIO = made(log_odds_ratio, OneVsRest, (-math.inf, math.inf), name="log_odds_ratio")
YOUDEN = made(youden, OneVsRest, (-1, 1), name="youden")
LINEAR_KAPPA = made(linear_kappa, Cells, (-1, 1), name="linear_kappa")
