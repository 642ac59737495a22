"""Intervals from draws: posterior tables, and resamples with their quantiles read in four ways."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from assay.errors import OptionError
from assay.tally.sampling import Floats
from assay.uncertainty.influence import influences, is_linear
from assay.uncertainty.problem import NO_VARIATION, NOTHING, Limits, Problem
from assay.uncertainty.proportions import normal_quantile
from assay.uncertainty.resample import (
    bootstrap_values,
    dirichlet_values,
    drawn_times,
    jackknife_values,
    refuse_drawing,
)

UNDEFINED_SHARE = 0.05  # the share of undefined draws above which an interval is refused


def by_dirichlet(p: Problem) -> Limits:
    """Quantiles over tables drawn around the observed one."""
    cells = None if p.tally.clusters is not None else p.small or p.tally.complete()
    if cells is None:
        raise OptionError("Dirichlet draws need a table whose cells can all be listed, without clusters or strata.")
    return quantiles(dirichlet_values(p.bound, cells, p.factor, p.draws, p.seed), p.level, "dirichlet")


def by_percentile(p: Problem) -> Limits:
    """Quantiles over resamples."""
    refuse_drawing(p.bound, p.tally)
    return quantiles(bootstrap_values(p.bound, p.tally, p.draws, p.seed), p.level, "percentile")


def by_basic(p: Problem) -> Limits:
    """Quantiles over resamples, reflected in the estimate: what they err by above it, it may lie too high."""
    refuse_drawing(p.bound, p.tally)
    drawn = bootstrap_values(p.bound, p.tally, p.draws, p.seed)
    return quantiles(2 * p.value - drawn, p.level, "basic")


def by_bca(p: Problem) -> Limits:
    """Efron's bias-corrected and accelerated limits."""
    refuse_drawing(p.bound, p.tally)
    drawn = bootstrap_values(p.bound, p.tally, p.draws, p.seed)
    values, times = jackknife_values(p.bound, p.tally)
    return bca(drawn, p.value, values, times, p.level)


def by_studentized(p: Problem) -> Limits:
    """The bootstrap-t: how many of its own standard errors each resample lies from the estimate.

    A resample without variation has no standard error, and counts as one in which the measure is undefined.
    """
    refuse_drawing(p.bound, p.tally)
    if not is_linear(p.bound):
        raise OptionError(f"{p.bound.spelling} has no standard error of each resample; use method='bca'.")
    if p.tally.sampling.strata is not None:
        raise OptionError("standard errors of resamples are not made by stratum; use method='percentile'.")
    variance = float(_variances(p, p.tally.sampling.counts[None].astype(np.float64))[1][0])
    if variance <= NOTHING:
        return Limits(None, None, "studentized", NO_VARIATION)
    found = []
    for times in drawn_times(p.tally.sampling, p.draws, p.seed, len(p.tally.counts)):
        values, own = _variances(p, times)
        defined = own > NOTHING
        found.append(np.where(defined, (values - p.value) / np.sqrt(np.where(defined, own, 1)), np.nan))
    return quantiles(p.value - np.sqrt(variance) * np.concatenate(found), p.level, "studentized")


def _variances(p: Problem, times: Floats) -> tuple[Floats, Floats]:
    """The measure and its delta-method variance for each way in which items or clusters are drawn."""
    sampling = p.tally.sampling
    w = sampling.spread(times)
    u = influences(p.bound, p.tally, w)
    if sampling.profiles is not None:
        u = np.asarray((sampling.profiles @ u.T).T, np.float64)
    return p.bound.at(p.tally, w), (times * u**2).sum(-1)


def quantiles(draws: Floats, level: float, method: str) -> Limits:
    """The middle part of the draws; refused where too many are undefined."""
    kept = draws[~np.isnan(draws)]
    refused = _too_often_undefined(draws, kept, method)
    if refused is not None:
        return refused
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return Limits(float(low), float(high), method, undefined_draws=len(draws) - len(kept), drawn=True)


def bca(draws: Floats, value: float, left_out: Floats, times: Floats, level: float) -> Limits:
    """Efron's bias-corrected and accelerated limits; ties with the estimate count as half below it."""
    kept = draws[~np.isnan(draws)]
    refused = _too_often_undefined(draws, kept, "bca")
    if refused is not None:
        return refused
    normal, size = NormalDist(), len(kept)
    tie = np.isclose(kept, value, rtol=1e-9, atol=1e-12)
    below = float(((kept < value) & ~tie).sum() + tie.sum() / 2) / size
    bias = normal.inv_cdf(min(max(below, 1 / (size + 1)), size / (size + 1)))
    ok = ~np.isnan(left_out)
    pull = np.average(left_out[ok], weights=times[ok]) - left_out[ok] if ok.any() else np.zeros(0)
    square = float((times[ok] * pull**2).sum())
    skew = float((times[ok] * pull**3).sum()) / (6 * square**1.5) if square > 0 else 0.0
    z = normal_quantile(level)
    ends = []
    for end in (-z, z):
        moved = bias + (bias + end) / max(1 - skew * (bias + end), 1e-6)
        ends.append(float(np.quantile(kept, normal.cdf(moved))))
    return Limits(ends[0], ends[1], "bca", undefined_draws=len(draws) - size, drawn=True)


def _too_often_undefined(draws: Floats, kept: Floats, method: str) -> Limits | None:
    lost = len(draws) - len(kept)
    if lost <= UNDEFINED_SHARE * len(draws):
        return None
    reason = f"undefined in {lost:,} of {len(draws):,} resamples, more than {UNDEFINED_SHARE:.0%}"
    return Limits(None, None, method, reason, undefined_draws=lost, drawn=True)
