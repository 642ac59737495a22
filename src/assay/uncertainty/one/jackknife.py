"""Intervals from a variance: leave one out, the delta method, and both of them with a smoothed table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.errors import OptionError, in_plural
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.influence import has_influences, influences, is_linear
from assay.uncertainty.one.problem import NO_VARIATION, NOTHING, Limits, Problem
from assay.uncertainty.one.resample import jackknife_values, jackknife_variance, refuse_weights
from assay.uncertainty.one.shares import student_quantile, wilson

FAR = 700.0  # beyond this the exponential leaves the numbers a machine has


@dataclass(frozen=True)
class Scale:
    """A map from inside the range to the whole line, its slope, and the way back."""

    to: Callable[[float], float]
    slope: Callable[[float], float]
    back: Callable[[float], float]


def _exp(x: float) -> float:
    return math.exp(min(max(x, -FAR), FAR))


def scale_of(ends: tuple[float, float]) -> Scale:
    """The logit of the position between two ends, the log of the distance from a single one, or the value itself."""
    low, high = ends
    if math.isinf(low) and math.isinf(high):
        return Scale(float, lambda _: 1.0, float)
    if math.isinf(high):
        return Scale(lambda x: math.log(x - low), lambda x: 1 / (x - low), lambda y: low + _exp(y))
    if math.isinf(low):
        return Scale(lambda x: -math.log(high - x), lambda x: 1 / (high - x), lambda y: high - _exp(-y))
    width = high - low
    return Scale(
        lambda x: math.log((x - low) / (high - x)),
        lambda x: width / ((x - low) * (high - x)),
        lambda y: low + width / (1 + _exp(-y)),
    )


def inside(value: float, ends: tuple[float, float]) -> bool:
    """Whether the value lies between the ends and on neither."""
    return ends[0] < value < ends[1]


def on_scale(p: Problem, variance: float, quantile: float, method: str) -> Limits:
    """Value ± quantile · error on the scale of the range; on the value's own where it is an end of the range."""
    if variance <= NOTHING:
        return Limits(None, None, method, NO_VARIATION)
    half = quantile * math.sqrt(variance)
    if not inside(p.value, p.bound.range):
        return Limits(p.value - half, p.value + half, method)
    scale = scale_of(p.bound.range)
    center, half = scale.to(p.value), half * scale.slope(p.value)
    return Limits(scale.back(center - half), scale.back(center + half), method)


def carriers(squares: Floats, times: Floats) -> float:
    """How many units would carry the variance if each carried as much: (Σ s)² / Σ s² of their squared parts."""
    fourth = float((times * squares**2).sum())
    return float((times * squares).sum()) ** 2 / fourth if fourth > 0 else 0.0


def effective_df(carrying: float, n: float) -> float:
    """Twice the number of units that carry the variance, less one: few units may carry most of it (by simulation)."""
    return min(max(2 * carrying - 1, 2.0), n - 1)


def by_jackknife(p: Problem) -> Limits:
    """Leave out each item in turn."""
    refuse_weights(p.tally)
    values, times = jackknife_values(p.bound, p.tally)
    if times.sum() < 2 or np.isnan(values).any():
        return Limits(None, None, "jackknife", f"undefined when one {p.tally.item} is left out")
    df = effective_df(carriers(deviations(values, times), times), float(times.sum()))
    return on_scale(p, jackknife_variance(values, times), student_quantile(p.level, df), "jackknife")


def deviations(values: Floats, times: Floats) -> Floats:
    """Squared distances of leave-one-out values from their mean."""
    return np.asarray((values - np.average(values, weights=times)) ** 2)


def by_logit_delta(p: Problem) -> Limits:
    """The delta method on the logit of the position within the range, or on the log where the range has no top."""
    if p.tally.clusters is not None:
        raise OptionError("the delta method supposes independent rows; use the method auto.")
    if not has_influences(p.bound, p.tally):
        why = f"{p.bound.spelling} has too many kinds of {in_plural(p.tally.item)} to see what each does to it"
        return Limits(None, None, "logit_delta", why)
    u = influences(p.bound, p.tally, p.tally.mass)
    squares = p.tally.mass if p.tally.weights is None else p.tally.weights.squares
    return on_scale(p, float((squares * u**2).sum()), p.z, "logit_delta")


def by_smoothed(p: Problem) -> Limits:
    """Wilson's limits with an effective n (by simulation).

    The variance is the mean of the jackknife's and of the delta method's with one item spread over all cells, because
    the first is too wide where classes have one or two items, and the second too narrow.
    """
    full = None if p.tally.clusters is not None else p.tally.complete()
    if full is None or not has_influences(p.bound, full):
        raise OptionError(f"{p.bound.spelling} has no table here whose cells can all be listed; use the method auto.")
    w = full.mass / p.factor + 1 / len(full.counts)
    u = influences(p.bound, full, w)
    variance, fourth = float((w * u**2).sum()), float((w * u**4).sum())
    at = float(p.bound.at(full, w))
    if variance <= NOTHING or not inside(at, p.bound.range):
        return Limits(None, None, "smoothed", NO_VARIATION)
    quantile = student_quantile(p.level, max(2 * variance**2 / fourth - 1, 2.0))
    low, high = p.bound.range
    if math.isinf(high - low):
        return _smoothed_on_scale(p, at, quantile * math.sqrt(variance))
    # Only sums over units know how to leave out a row of the weight that is usual in its cell.
    known = p.tally.weights is None or is_linear(p.bound)
    values, times = jackknife_values(p.bound, p.tally)
    if known and times.sum() >= 2 and not np.isnan(values).any():
        variance = (variance + jackknife_variance(values, times)) / 2
    n = (at - low) * (high - at) / variance * (p.z / quantile) ** 2
    ends = wilson((p.value - low) / (high - low), n, p.z)
    return Limits(low + (high - low) * ends[0], low + (high - low) * ends[1], "smoothed")


def _smoothed_on_scale(p: Problem, at: float, half: float) -> Limits:
    """Without two ends there is no share to take Wilson's limits of; the smoothed value is never an end itself."""
    scale = scale_of(p.bound.range)
    center, half = scale.to(p.value if inside(p.value, p.bound.range) else at), half * scale.slope(at)
    return Limits(scale.back(center - half), scale.back(center + half), "smoothed")
