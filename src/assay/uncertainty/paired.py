"""The difference between two systems on the same items, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare import Bound
from assay.measures.forms import Jackknife
from assay.tally.joint import Joint
from assay.tally.sampling import Floats
from assay.uncertainty.influence import influences, is_linear
from assay.uncertainty.intervals import NO_VARIATION, Limits, bca, cluster_df, quantiles
from assay.uncertainty.proportions import normal_quantile, student_quantile
from assay.uncertainty.resample import (
    bootstrap_weights,
    jackknife_values,
    jackknife_variance,
    refuse_drawing,
    refuse_weights,
)
from assay.uncertainty.results import Estimate

SMALL_TABLE = 8  # (gold, a, b) cells of two classes: the table for which the smoothed difference was found to cover


@dataclass(frozen=True)
class Pair:
    """Two systems, a measure, and how much drawing is allowed."""

    joint: Joint[Any]
    bound: Bound
    a: Estimate
    b: Estimate
    level: float
    draws: int
    seed: int

    @property
    def difference(self) -> float:
        """A minus B."""
        return float(self.a) - float(self.b)

    def values(self, w: Floats) -> Floats:
        """The difference at multiplicities of joint units."""
        return np.asarray(self.bound.at(self.joint.a, w) - self.bound.at(self.joint.b, w))

    def drawn(self) -> Floats:
        """The difference on resampled tallies, both systems resampled together."""
        refuse_drawing(self.bound, self.joint.a)
        weights = bootstrap_weights(self.joint.sampling, self.draws, self.seed, len(self.joint.counts))
        return np.concatenate([self.values(w) for w in weights])

    def left_out(self) -> tuple[Floats, Floats, Floats]:
        """Each side without one item or cluster, and how often each such value arises."""
        a, times = jackknife_values(self.bound, self.joint.a)
        b, _ = jackknife_values(self.bound, self.joint.b)
        return a, b, times


def default_method(p: Pair) -> str:
    """The method that was found to cover for this sort of measure and tally."""
    if p.joint.a.clusters is not None or isinstance(p.bound.form(p.joint.a), Jackknife):
        return "jackknife"
    full = p.joint.complete()
    if full is not None and len(full.counts) <= SMALL_TABLE and is_linear(p.bound):
        return "smoothed_delta"
    return "mover" if p.a.interval is not None and p.b.interval is not None else "bca"


def limits(p: Pair, method: str) -> Limits:
    """The interval of the difference by this method, around its own estimate."""
    found = METHODS[default_method(p) if method == "auto" else method](p)
    if found.low is None or found.high is None:
        return found
    low, high = p.bound.range
    width, d = high - low, p.difference
    low, high = max(min(found.low, d), -width), min(max(found.high, d), width)
    if high - low <= 1e-12:
        return Limits(None, None, found.method, NO_VARIATION, undefined_draws=found.undefined_draws)
    return Limits(low, high, found.method, None, found.notes, found.undefined_draws, found.drawn)


def _smoothed_delta(p: Pair) -> Limits:
    """Half an item in every joint cell, then the delta method."""
    full = p.joint.complete()
    if full is None or not is_linear(p.bound):
        raise OptionError("the smoothed difference needs a table whose joint cells can all be listed; use 'mover'.")
    w = full.mass + 0.5
    slope = influences(p.bound, full.a, w) - influences(p.bound, full.b, w)
    half = normal_quantile(p.level) * math.sqrt(float((w * slope**2).sum()))
    d = float(p.bound.at(full.a, w) - p.bound.at(full.b, w))
    return Limits(d - half, d + half, "smoothed_delta")


def _mover(p: Pair) -> Limits:
    """Two single intervals put together; their correlation is trusted as far as the systems disagree."""
    if p.a.interval is None or p.b.interval is None:
        return Limits(None, None, "mover", p.a.reason or p.b.reason)
    left_a, left_b, times = p.left_out()
    disagree = p.joint.n if p.joint.disagreements is None else p.joint.disagreements
    r = _correlation(left_a, left_b, times) * disagree / (disagree + 2)
    a, b = float(p.a), float(p.b)

    def reach(x: float, y: float) -> float:
        x, y = max(x, 0.0), max(y, 0.0)
        return math.sqrt(max(x * x + y * y - 2 * r * x * y, 0))

    low = a - b - reach(a - p.a.interval.low, p.b.interval.high - b)
    high = a - b + reach(p.a.interval.high - a, b - p.b.interval.low)
    return Limits(low, high, "mover")


def _correlation(x: Floats, y: Floats, times: Floats) -> float:
    ok = ~(np.isnan(x) | np.isnan(y))
    x, y, times = x[ok], y[ok], times[ok]
    if not len(x):
        return 0.0
    x, y = x - (times * x).sum() / times.sum(), y - (times * y).sum() / times.sum()
    scale = math.sqrt(float((times * x * x).sum()) * float((times * y * y).sum()))
    return float((times * x * y).sum()) / scale if scale > 1e-300 else 0.0


def _jackknife(p: Pair) -> Limits:
    refuse_weights(p.joint.a)
    left_a, left_b, times = p.left_out()
    values = left_a - left_b
    if times.sum() < 2 or np.isnan(values).any():
        return Limits(None, None, "jackknife", "undefined when one unit is left out")
    variance = jackknife_variance(values, times)
    if variance <= 1e-24:
        return Limits(None, None, "jackknife", NO_VARIATION)
    clustered = p.joint.a.clusters is not None
    df = cluster_df(p.joint) if clustered else float(times.sum() - 1)
    half = student_quantile(p.level, df) * math.sqrt(variance)
    return Limits(p.difference - half, p.difference + half, "jackknife")


def _percentile(p: Pair) -> Limits:
    return quantiles(p.drawn(), p.level, "percentile")


def _bca(p: Pair) -> Limits:
    left_a, left_b, times = p.left_out()
    return bca(p.drawn(), p.difference, left_a - left_b, times, p.level)


METHODS: dict[str, Callable[[Pair], Limits]] = {
    "smoothed_delta": _smoothed_delta,
    "mover": _mover,
    "jackknife": _jackknife,
    "percentile": _percentile,
    "bca": _bca,
}
