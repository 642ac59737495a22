"""From a measure on a tally to two limits: each method under its name, and the one chosen by default."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare import Bound
from assay.measures.forms import EffectiveN, Jackknife, Proportion
from assay.tally.base import Tally
from assay.tally.sampling import Floats
from assay.uncertainty.influence import influences, is_linear
from assay.uncertainty.proportions import mid_p, normal_quantile, student_quantile, wilson
from assay.uncertainty.resample import (
    bootstrap_values,
    dirichlet_values,
    jackknife_values,
    jackknife_variance,
    refuse_drawing,
    refuse_weights,
)

SMALL_TABLE = 4  # the largest table for which Dirichlet draws were found to cover
UNDEFINED_SHARE = 0.05  # the share of undefined draws above which an interval is refused
NOTHING = 1e-20  # a variance that rounding alone can make; one error in 10⁹ rows makes a hundred times as much
NO_VARIATION = "the units show no variation, so they cannot tell how sure this is"


@dataclass(frozen=True)
class Limits:
    """Two limits, or the reason why there are none."""

    low: float | None
    high: float | None
    method: str
    reason: str | None = None
    notes: tuple[str, ...] = ()
    undefined_draws: int = 0
    drawn: bool = False


@dataclass(frozen=True)
class Problem:
    """What an interval is made for: a measure, a tally, a value, and how much drawing is allowed."""

    bound: Bound
    tally: Tally
    value: float
    level: float
    draws: int
    seed: int

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(self.level)

    @cached_property
    def factor(self) -> float:
        """By how much unequal weights multiply the variance that the table alone would have."""
        weights = self.tally.weights
        if weights is None:
            return 1.0
        u = influences(self.bound, self.tally, self.tally.mass)
        variance = float((weights.squares * u**2).sum())
        # Without any influence (a perfect table) the factor is that of the total: Kish's design effect.
        if variance <= NOTHING:
            return float(weights.squares.sum() / weights.total.sum())
        return variance / float((weights.total * u**2).sum())


def default_method(p: Problem) -> str:
    """The method that was found to cover for this sort of measure and tally."""
    form = p.bound.form(p.tally)
    if p.tally.clusters is not None:
        return "cluster_jackknife"
    if isinstance(form, Proportion):
        hits, trials = form.of(p.bound.view(p.tally, p.tally.mass))
        edge = min(hits, trials - hits) <= 2
        return "midp" if edge and p.tally.weights is None else "wilson"
    if isinstance(form, EffectiveN):
        return form.name
    if isinstance(form, Jackknife):
        return "jackknife"
    full = p.tally.complete()
    if full is not None and len(full.counts) <= SMALL_TABLE:
        return "dirichlet"
    if full is not None and is_linear(p.bound):
        return "smoothed"
    return "bca" if p.tally.weights is None else "linearized"


def limits(p: Problem, method: str) -> Limits:
    """The interval by this method, within the range and around its own estimate."""
    method = default_method(p) if method == "auto" else method
    return _settled(p, METHODS[method](p))


# ---------------------------------------------------------------------- closed forms
def _proportion(p: Problem) -> tuple[float, float]:
    form = p.bound.form(p.tally)
    if not isinstance(form, Proportion):
        raise OptionError(
            f"{p.bound.spelling} is not a share of counted items, so Wilson and mid-P do not apply; "
            "method='auto' chooses one that does."
        )
    if p.tally.clusters is not None:
        raise OptionError("rows of one cluster are not independent trials; use method='cluster_jackknife'.")
    hits, trials = form.of(p.bound.view(p.tally, p.tally.mass))
    return hits / p.factor, trials / p.factor


def _wilson(p: Problem) -> Limits:
    hits, trials = _proportion(p)
    return Limits(*wilson(hits / trials, trials, p.z), "wilson")


def _mid_p(p: Problem) -> Limits:
    if p.tally.weights is not None:
        raise OptionError("mid-P needs whole counts, and these rows are weighted; use method='wilson'.")
    hits, trials = _proportion(p)
    return Limits(*mid_p(int(hits), int(trials), p.level), "midp")


def _effective_n(p: Problem, name: str = "effective_n") -> Limits:
    form = p.bound.form(p.tally)
    if not isinstance(form, EffectiveN) or form.name != name:
        raise OptionError(f"{p.bound.spelling} has no closed form called {name!r} here; use method='auto'.")
    if p.tally.clusters is not None:
        raise OptionError(
            f"the closed form of {p.bound.spelling} supposes independent rows; use method='cluster_jackknife'."
        )
    w = p.tally.mass / p.factor
    view: Any = p.bound.view(p.tally, w) if form.reads is None else form.reads.of(p.tally, w)
    shares = form.form(view)
    if isinstance(shares, str):
        return Limits(None, None, form.name, f"no interval: {shares}")
    ends: list[tuple[float, float]] = []
    for share in shares if isinstance(shares, tuple) else (shares,):
        shrink = 1.0 if share.df is None else (p.z / student_quantile(p.level, share.df)) ** 2
        low, high = wilson(share.centre, share.n * shrink, p.z)
        ends.append((share.back(low), (share.back_high or share.back)(high)))
    low, high = (float(np.mean(side)) for side in zip(*ends, strict=True))
    return Limits(low, high, form.name)


# ---------------------------------------------------------------------- drawn
def _dirichlet(p: Problem) -> Limits:
    full = p.tally.complete()
    if full is None or p.tally.clusters is not None:
        raise OptionError("Dirichlet draws need a table whose cells can all be listed, without clusters or strata.")
    values = dirichlet_values(p.bound, full, p.factor, p.draws, p.seed)
    return quantiles(values, p.level, "dirichlet")


def _percentile(p: Problem) -> Limits:
    refuse_drawing(p.bound, p.tally)
    return quantiles(bootstrap_values(p.bound, p.tally, p.draws, p.seed), p.level, "percentile")


def _bca(p: Problem) -> Limits:
    refuse_drawing(p.bound, p.tally)
    draws = bootstrap_values(p.bound, p.tally, p.draws, p.seed)
    values, times = jackknife_values(p.bound, p.tally)
    return bca(draws, p.value, values, times, p.level)


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


# ---------------------------------------------------------------------- leave one out, and linear
def _jackknife(p: Problem) -> Limits:
    refuse_weights(p.tally)
    if p.tally.clusters is not None:
        return _cluster_jackknife(p)
    values, times = jackknife_values(p.bound, p.tally)
    if times.sum() < 2 or np.isnan(values).any():
        return Limits(None, None, "jackknife", f"undefined when one {p.tally.item} is left out")
    df = min(effective_df(values, times), float(times.sum() - 1))
    return _on_logit(p, jackknife_variance(values, times), student_quantile(p.level, df), "jackknife")


def _cluster_jackknife(p: Problem) -> Limits:
    method = "cluster_jackknife"
    if p.tally.clusters is None:
        raise OptionError("there are no clusters in this tally; give cluster= when counting, or use another method.")
    if p.tally.weights is not None:
        return Limits(None, None, method, "the weights within each cluster are not kept, so none can be left out")
    values, times = jackknife_values(p.bound, p.tally)
    if times.sum() < 2:
        return Limits(None, None, method, "all rows lie in one cluster")
    if np.isnan(values).any():
        return Limits(None, None, method, "undefined when one of the clusters is left out")
    df = min(effective_df(values, times), float(times.sum() - 1))
    made = _on_logit(p, jackknife_variance(values, times), student_quantile(p.level, df), method)
    few = f"only {int(times.sum())} clusters" if times.sum() < 20 else None
    return replace(made, notes=(few,)) if few else made


def effective_df(values: Floats, times: Floats) -> float:
    """Twice the number of units that carry the variance, less one, where few units carry most of it (by simulation)."""
    squares = (values - np.average(values, weights=times)) ** 2
    fourth = float((times * squares**2).sum())
    return max(2 * float((times * squares).sum()) ** 2 / fourth - 1, 2.0) if fourth > 0 else 2.0


def cluster_df(tally: Any) -> float:
    """Degrees of freedom of as many equal clusters as carry the same information, less one."""
    sampling = tally.sampling
    sizes, counts = sampling.sizes(), sampling.counts
    return max(float((counts * sizes).sum() ** 2 / (counts * sizes**2).sum()) - 1, 1.0)


def _linearized(p: Problem) -> Limits:
    if not is_linear(p.bound) or p.tally.clusters is not None:
        raise OptionError(f"{p.bound.spelling} cannot be linearized here; use method='auto'.")
    u = influences(p.bound, p.tally, p.tally.mass)
    squares = p.tally.mass if p.tally.weights is None else p.tally.weights.squares
    return _on_logit(p, float((squares * u**2).sum()), p.z, "linearized")


def _smoothed(p: Problem) -> Limits:
    """Wilson's limits with an effective n (by simulation).

    The variance is the mean of the jackknife's and of the delta method's with one item spread over all cells, because
    the first is too wide where classes have one or two items, and the second too narrow.
    """
    full = None if p.tally.clusters is not None else p.tally.complete()
    if full is None or not is_linear(p.bound):
        raise OptionError(f"{p.bound.spelling} has no table here whose cells can all be listed; use method='auto'.")
    w = full.mass / p.factor + 1 / len(full.counts)
    u = influences(p.bound, full, w)
    variance, fourth = float((w * u**2).sum()), float((w * u**4).sum())
    low, high = p.bound.range
    level = (float(p.bound.at(full, w)) - low) / (high - low)
    if variance <= NOTHING or not 0 < level < 1:
        return Limits(None, None, "smoothed", NO_VARIATION)
    quantile = student_quantile(p.level, max(2 * variance**2 / fourth - 1, 2.0))
    values, times = jackknife_values(p.bound, p.tally)
    if times.sum() >= 2 and not np.isnan(values).any():
        variance = (variance + jackknife_variance(values, times)) / 2
    n = level * (1 - level) * (high - low) ** 2 / variance * (p.z / quantile) ** 2
    ends = wilson((p.value - low) / (high - low), n, p.z)
    return Limits(low + (high - low) * ends[0], low + (high - low) * ends[1], "smoothed")


def _on_logit(p: Problem, variance: float, quantile: float, method: str) -> Limits:
    """Limits on the logit of the position within the range, so that they stay inside it."""
    low, high = p.bound.range
    x = (p.value - low) / (high - low)
    if variance <= NOTHING:
        return Limits(None, None, method, NO_VARIATION)
    se = math.sqrt(variance) / (high - low)
    if not 0 < x < 1:
        return Limits(p.value - quantile * se * (high - low), p.value + quantile * se * (high - low), method)
    centre, half = math.log(x / (1 - x)), quantile * se / (x * (1 - x))
    ends = (low + (high - low) / (1 + math.exp(-min(max(end, -700), 700))) for end in (centre - half, centre + half))
    return Limits(next(ends), next(ends), method)


def _settled(p: Problem, found: Limits) -> Limits:
    """Limits inside the range that hold their own estimate and are never a single point."""
    if found.low is None or found.high is None:
        return found
    floor, top = p.bound.range
    low, high = min(max(found.low, floor), top), min(max(found.high, floor), top)
    notes = found.notes
    if not low <= p.value <= high:
        if min(abs(p.value - low), abs(p.value - high)) > 1e-9:
            notes = (*notes, f"the {found.method} interval missed the estimate and was extended to it")
        low, high = min(low, p.value), max(high, p.value)
    if high - low <= 1e-12:
        return Limits(None, None, found.method, NO_VARIATION, notes, found.undefined_draws, found.drawn)
    return Limits(low, high, found.method, None, notes, found.undefined_draws, found.drawn)


METHODS: dict[str, Callable[[Problem], Limits]] = {
    "wilson": _wilson,
    "midp": _mid_p,
    "jaccard": lambda p: _effective_n(p, "jaccard"),
    "effective_n": _effective_n,
    "dirichlet": _dirichlet,
    "percentile": _percentile,
    "bca": _bca,
    "jackknife": _jackknife,
    "cluster_jackknife": _cluster_jackknife,
    "linearized": _linearized,
    "smoothed": _smoothed,
}
