"""Two single intervals combined into one for the difference: MOVER."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.forms import BoundedMean, EffectiveN, Proportion
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one import bounded as means
from assay.uncertainty.one.influence import is_linear
from assay.uncertainty.one.intervals import limits as single_limits
from assay.uncertainty.one.jackknife import carriers, effective_df
from assay.uncertainty.one.problem import NO_VARIATION, NOTHING, ONE_CLUSTER, Limits, Problem
from assay.uncertainty.one.shares import student_quantile
from assay.uncertainty.two.pair import Pair

Ends = tuple[float, float]


def by_mover(p: Pair) -> Limits:
    """Two single intervals combined; their correlation is trusted as far as the systems disagree."""
    if _disagreements(p) == 0:
        return Limits(None, None, "mover", NO_VARIATION)
    if p.a.interval is None or p.b.interval is None:
        return Limits(None, None, "mover", p.a.reason or p.b.reason)
    ends = [(e.low, e.high) for e in (p.a.interval, p.b.interval)]
    return Limits(*put_together(p, ends[0], ends[1], _trusted_correlation(p)), "mover")


def by_cluster_mover(p: Pair) -> Limits:
    """The same on a table divided by what clusters add to the variance of the difference."""
    method = "cluster_mover"
    if p.joint.a.clusters is None:
        raise OptionError("this tally has no clusters; name their column when counting, or use mover.")
    if not is_linear(p.bound):
        raise OptionError(f"{p.bound.spelling} has no table that can be divided; use the method jackknife.")
    if p.joint.sampling.n < 2:
        return Limits(None, None, method, ONE_CLUSTER)
    factor = difference_factor(p)
    if factor is None or p.apart == 0:
        return Limits(None, None, method, NO_VARIATION)
    rows = replace(p, joint=Joint(_unclustered(p.joint.a), _unclustered(p.joint.b), p.joint.names), found={})
    ends = [_divided(rows, side, float(e), factor) for side, e in ((rows.joint.a, p.a), (rows.joint.b, p.b))]
    found = [(e.low, e.high) for e in ends if e.low is not None and e.high is not None]
    if len(found) < 2:
        return Limits(None, None, method, next(e.reason for e in ends if e.low is None))
    return Limits(*put_together(p, found[0], found[1], _trusted_correlation(rows, factor)), method)


def difference_factor(p: Pair) -> float | None:
    """By how much clusters multiply the variance of the difference, with an allowance for how few carry it."""
    sampling, u = p.joint.sampling, p.slopes(p.joint.mass)
    alone = float((p.joint.mass * u**2).sum())
    if alone <= NOTHING:
        return None
    squares, times = sampling.sums(u) ** 2, sampling.counts.astype(np.float64)
    design = max(sampling.n / (sampling.n - 1) * float((times * squares).sum()) / alone, 1.0)
    df = effective_df(carriers(squares, times), sampling.n)
    return design * (student_quantile(p.level, df) / p.z) ** 2


def _unclustered(tally: Tally) -> Tally:
    return replace(tally, clusters=None)


def _divided(p: Pair, side: Tally, value: float, factor: float) -> Limits:
    """The single interval of one system on a table divided by the factor."""
    problem = Problem(*p.bound.narrowed(side.collected()), value, p.level, p.draws, p.seed, shrink=factor)
    if isinstance(problem.form, Proportion):
        return single_limits(problem, "wilson")
    if isinstance(problem.form, EffectiveN) or problem.small is not None:
        return single_limits(problem, "auto")
    raise OptionError(f"the interval of {p.bound.spelling} has no divided table; use the method jackknife.")


def put_together(p: Pair, a: Ends, b: Ends, r: float) -> Ends:
    """Limits of the difference from those of both systems and the correlation of their errors."""
    at_a, at_b = float(p.a), float(p.b)

    def reach(x: float, y: float) -> float:
        x, y = max(x, 0.0), max(y, 0.0)
        return math.sqrt(max(x * x + y * y - 2 * r * x * y, 0))

    d = p.difference
    return d - reach(at_a - a[0], b[1] - at_b), d + reach(a[1] - at_a, at_b - b[0])


def _trusted_correlation(p: Pair, factor: float = 1.0) -> float:
    """The correlation of leave-one-out values × D / (D + 2), D being the disagreements, divided by the factor.

    That of means in a known range is of their values with those that their limits add at the ends: else it would cancel
    the room that both limits have for values that were not seen.
    """
    sums = _sums(p)
    found = _correlation(*p.left_out()) if sums is None else means.correlation(*sums)
    disagree = _disagreements(p) / factor
    return found * disagree / (disagree + 2)


def _disagreements(p: Pair) -> float:
    """How many items the systems differ on, or clusters for a mean of their values."""
    sums = _sums(p)
    if sums is not None:
        a, b = sums
        return float(a.times[(a.total != b.total) | (a.number != b.number)].sum())
    return float(p.joint.n if p.apart is None else p.apart)


def _sums(p: Pair) -> tuple[means.Sums, means.Sums] | None:
    """The values of both systems, where the measure is a mean of values in a known range."""
    if not isinstance(p.bound.form(p.joint.a), BoundedMean) or p.joint.a.weights is not None:
        return None
    if "sums" not in p.found:
        p.found["sums"] = means.both_sums(p.bound, p.joint.a, p.joint.b)
    found: tuple[means.Sums, means.Sums] = p.found["sums"]
    return found


def _correlation(x: Floats, y: Floats, times: Floats) -> float:
    ok = ~(np.isnan(x) | np.isnan(y))
    x, y, times = x[ok], y[ok], times[ok]
    if not len(x):
        return 0.0
    x, y = x - (times * x).sum() / times.sum(), y - (times * y).sum() / times.sum()
    scale = math.sqrt(float((times * x * x).sum()) * float((times * y * y).sum()))
    return float((times * x * y).sum()) / scale if scale > 1e-300 else 0.0
