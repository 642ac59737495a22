"""Intervals from a variance: leave items or whole clusters out, the delta method, a smoothed table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import OptionError, in_plural, plural
from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import EffectiveN, ModelJackknife, Proportion
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.by_formula import by_form, by_mid_p
from assay.uncertainty.one.draws import by_dirichlet, by_midp_draws, drawable
from assay.uncertainty.one.influence import has_influences, influences, is_linear, unit_rows
from assay.uncertainty.one.problem import (
    NO_VARIATION,
    NOTHING,
    ONE_CLUSTER,
    Limits,
    Problem,
    required_form,
    why_too_few,
)
from assay.uncertainty.one.resample import has_too_many_clusters, jackknife_values, jackknife_variance, refuse_weights
from assay.uncertainty.one.shares import normal_quantile, student_quantile, wilson

MOST_CELLS = 1 << 20  # cells of a table that is smoothed: those of a thousand classes
LARGE_BIAS = 0.25  # standard errors
FAR = 700.0  # beyond this the exponential overflows


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
    """Whether the value lies strictly between the ends."""
    return ends[0] < value < ends[1]


def on_scale(p: Problem, variance: float, quantile: float, method: str) -> Limits:
    """Value ± quantile · error on the scale of the range; on the value's own scale where it is an end of the range."""
    if variance <= NOTHING:
        return Limits(None, None, method, NO_VARIATION)
    error = math.sqrt(variance)
    half = quantile * error
    if not inside(p.value, p.bound.range):
        return Limits(p.value - half, p.value + half, method, standard_error=error)
    scale = scale_of(p.bound.range)
    center, half = scale.to(p.value), half * scale.slope(p.value)
    return Limits(scale.back(center - half), scale.back(center + half), method, standard_error=error)


def carriers(squares: Floats, times: Floats) -> float:
    """How many units would carry the variance if all carried the same: (Σ s)² / Σ s² of their squared parts."""
    fourth = float((times * squares**2).sum())
    return float((times * squares).sum()) ** 2 / fourth if fourth > 0 else 0.0


def effective_df(carrying: float, n: float) -> float:
    """Twice the number of units that carry the variance, less one: few units may carry most of it (by simulation)."""
    return min(max(2 * carrying - 1, 2.0), n - 1)


def by_jackknife(p: Problem) -> Limits:
    """Leave out each item in turn."""
    refuse_weights(p.tally)
    values, times = p.once("left out", lambda: jackknife_values(p.bound, p.tally))
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
        raise OptionError("the delta method assumes independent rows; use the method auto.")
    if not has_influences(p.bound, p.tally):
        why = f"{p.bound.spelling} has too many kinds of {in_plural(p.tally.item)} to compute the influence of each"
        return Limits(None, None, "logit_delta", why)
    u = influences(p.bound, p.tally, p.tally.mass)
    squares = p.tally.mass if p.tally.weights is None else p.tally.weights.squares
    return on_scale(p, float((squares * u**2).sum()), p.z, "logit_delta")


def by_smoothed(p: Problem) -> Limits:
    """Wilson's limits with an effective n (by simulation).

    The variance is the mean of the jackknife's and of the delta method's with one item spread over all cells, because
    the first is too wide where classes have one or two items, and the second too narrow.
    """
    full = None if p.tally.clusters is not None else p.tally.complete(MOST_CELLS)
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
    # Only sums over units can leave out a row of the typical weight in its cell.
    known = p.tally.weights is None or is_linear(p.bound)
    values, times = p.once("left out", lambda: jackknife_values(p.bound, p.tally))
    center = p.value
    if known and times.sum() >= 2 and not np.isnan(values).any():
        variance = (variance + jackknife_variance(values, times)) / 2
        if p.bound.options.get("average") == "weighted" or p.tally.complete() is None:
            center = _without_bias(p.value, values, times, math.sqrt(variance), (low, high))
    n = (at - low) * (high - at) / variance * (p.z / quantile) ** 2
    ends = wilson((center - low) / (high - low), n, p.z)
    low, high = (low + (high - low) * end for end in ends)
    return Limits(low, high, "smoothed", standard_error=math.sqrt(variance))


def _without_bias(value: float, values: Floats, times: Floats, error: float, ends: tuple[float, float]) -> float:
    """The value less Quenouille's estimate of its bias, where that is no small part of its error (by simulation).

    Means weighted by the size of classes are too high where classes have few rows: a class that is large by chance is
    often one that was found well.
    """
    n = float(times.sum())
    bias = (n - 1) * (float((times * values).sum()) / n - value)
    return min(max(value - bias, ends[0]), ends[1]) if abs(bias) > LARGE_BIAS * error else value


def _smoothed_on_scale(p: Problem, at: float, half: float) -> Limits:
    """Without two ends there is no share for Wilson's limits; the smoothed value is never an end itself."""
    scale = scale_of(p.bound.range)
    center, half = scale.to(p.value if inside(p.value, p.bound.range) else at), half * scale.slope(at)
    return Limits(scale.back(center - half), scale.back(center + half), "smoothed")


SUMMED = "very many rows and clusters: the effect of leaving out a cluster is the sum of the effects of its rows"
FEW = 20  # fewer clusters were not simulated
HANDFUL = 5.0  # degrees of freedom below which a reader should know how few clusters carry the variance
PER_CARRIER = 1.5  # degrees of freedom for each cluster that carries the variance (by simulation)
PSEUDO = 0.02  # how much of a cluster is added in every cell
ROOM, DOUBT = 5.0, 10.0  # such a cluster may act this much larger than those observed, and more where few carry


def by_any_jackknife(p: Problem) -> Limits:
    """Leave out one item in turn, or one cluster where there are clusters."""
    return by_jackknife(p) if p.tally.clusters is None else by_cluster_jackknife(p)


def by_cluster_jackknife(p: Problem) -> Limits:
    """Leave out each cluster in turn, with Student's t for the number of clusters that carry the variance."""
    method = "cluster_jackknife"
    _need_clusters(p)
    values, times = p.once("left out", lambda: jackknife_values(p.bound, p.tally))
    told = (SUMMED,) if has_too_many_clusters(p.bound, p.tally) else ()
    if times.sum() < 2:
        return Limits(None, None, method, ONE_CLUSTER)
    if np.isnan(values).any():
        return Limits(None, None, method, "undefined when one of the clusters is left out")
    n, carrying = float(times.sum()), carriers(deviations(values, times), times)
    quantile = student_quantile(p.level, _df(carrying, n))
    made = on_scale(p, jackknife_variance(values, times), quantile, method)
    return replace(made, notes=(*told, *_notes(n, carrying)))


def by_cluster_factor(p: Problem) -> Limits:
    """Divide the table by the factor that clusters add to the variance, then make the interval of independent rows."""
    method = "cluster_factor"
    _need_clusters(p)
    if p.tally.sampling.n < 2:
        return Limits(None, None, method, ONE_CLUSTER)
    if inflates(p):
        return _inflated(p, method)
    if p.tally.weights is not None:
        raise OptionError("the cluster factor was studied for rows of equal weight; use the method cluster_jackknife.")
    cells = factor_cells(p)
    if cells is None:
        raise OptionError(
            f"{p.bound.spelling} is neither a share of rows nor computed from a table of two classes here; "
            "use the method cluster_jackknife."
        )
    factor, carrying = cluster_factor(p, cells)
    plain = replace(p.plain, shrink=factor)
    if isinstance(plain.form, Proportion):
        made = by_mid_p(plain)
    elif isinstance(plain.form, EffectiveN):
        made = by_form(plain, plain.form.name)
    else:
        made = (by_midp_draws if drawable(plain) else by_dirichlet)(plain)
    # The factor also allows for few clusters, so the divided table has no standard error to report.
    return replace(made, method=method, notes=_notes(p.tally.sampling.n, carrying), standard_error=None)


def inflates(p: Problem) -> bool:
    """Whether the cluster factor multiplies the variance of the measure's closed form, because no table is divided."""
    form = p.form
    if not isinstance(form, EffectiveN) or form.inflated is None or "stratum" in p.tally.keys:
        return False
    return form.inflated(**p.bound.own)


def _inflated(p: Problem, method: str) -> Limits:
    """The closed form of independent rows, with the variance that sums of influences by cluster have (Obuchowski)."""
    assert isinstance(p.form, EffectiveN)
    sampling, u = p.tally.sampling, influences(p.bound, p.tally, p.tally.mass)
    times, squares = sampling.counts.astype(np.float64), sampling.sums(u) ** 2
    alone = float(((p.tally.mass if p.tally.weights is None else p.tally.weights.squares) * u**2).sum())
    carrying = carriers(squares, times)
    if alone <= NOTHING:
        # Nothing varies; then each cluster carries as much information as one row.
        sizes = sampling.sizes()
        factor = float((times * sizes**2).sum() / (times * sizes).sum())
    else:
        design = max(sampling.n / (sampling.n - 1) * float((times * squares).sum()) / alone, 1.0)
        df = _df(carrying, sampling.n)
        factor = design * (student_quantile(p.level, df) / p.z) ** 2
    made = by_form(replace(p.plain, inflate=max(factor, 1.0)), p.form.name)
    return replace(made, method=method, notes=(*made.notes, *_notes(sampling.n, carrying)), standard_error=None)


def factor_cells(p: Problem) -> Tally | None:
    """The cells of the table in which the cluster factor is found, or None for measures that it was not studied for."""
    if not is_linear(p.bound) or "stratum" in p.tally.keys or p.tally.weights is not None:
        return None
    return p.plain.small or p.plain.share


def cluster_factor(p: Problem, cells: Tally) -> tuple[float, float]:
    """By how much clusters multiply the variance, with room for how few carry it; and how many carry it.

    A fraction of a cluster is added in every cell, so that cells without rows do not pass for cells without variance
    (by simulation). It has the mean size of the clusters, or less where they act like smaller ones.
    """
    sampling, rows = p.tally.sampling, unit_rows(p.bound, p.tally)
    times, groups, size = sampling.counts.astype(np.float64), float(sampling.n), p.tally.n / sampling.n
    u = influences(p.bound, p.tally, p.tally.mass)
    squares, alone = sampling.sums(u) ** 2, float((p.tally.mass * u**2).sum())
    carrying = carriers(squares, times)
    if carrying > 0 and alone > NOTHING:
        seen = max(float((times * squares).sum()) / alone, 1.0)
        size = min(size, ROOM * seen * (1 + DOUBT / carrying))
    smooth = cells.mass + PSEUDO * size
    inner, own = (influences(p.bound, cells, smooth, units) for units in (None, rows))
    apart = float((times * sampling.sums(own) ** 2).sum() + PSEUDO * ((size * inner) ** 2).sum())
    together, more = float((smooth * inner**2).sum()), groups + PSEUDO * len(cells.counts)
    if together <= NOTHING:
        # Nothing varies even so; then each cluster carries as much information as one row.
        sizes = sampling.sizes()
        return float((times * sizes**2).sum() / (times * sizes).sum()), carrying
    design = max(more / (more - 1) * apart / together, 1.0)
    df = _df(carrying, groups)
    return design * (student_quantile(p.level, df) / normal_quantile(p.level)) ** 2, carrying


def _df(carrying: float, clusters: float) -> float:
    """Degrees of freedom of whole clusters: by how many carry the variance, or by all of them where none does.

    A few large clusters carry little information: with two degrees for each, intervals of an area from 20 clusters of
    100 items had 90% coverage.
    """
    return min(max(PER_CARRIER * carrying - 1, 2.0), clusters - 1) if carrying > 0 else clusters - 1


def _need_clusters(p: Problem) -> None:
    if p.tally.clusters is None:
        raise OptionError("this tally has no clusters; name their column when counting, or use another method.")


def _notes(n: float, carrying: float) -> tuple[str, ...]:
    out = [f"only {plural(int(n), 'cluster')}"] if n < FEW else []
    if 2 * carrying - 1 < HANDFUL and carrying > 0:
        out.append(f"a few clusters carry most of the variance: effectively only {carrying:.1f} of the {int(n)}")
    return tuple(out)


def cluster_df(tally: Any) -> float:
    """Degrees of freedom of as many equal clusters as carry the same information, less one."""
    sampling = tally.sampling
    sizes, counts = sampling.sizes(), sampling.counts
    return max(float((counts * sizes).sum() ** 2 / (counts * sizes**2).sum()) - 1, 1.0)


METHOD = "model_jackknife"
TOO_LONG = 1 << 22  # things left out times units: beyond it each is assumed to change the value by its influence


def by_model_jackknife(p: Problem) -> Limits:
    """Student's t around the value, with one degree of freedom fewer than there are items or clusters."""
    form = form_of(p.bound, p.tally)
    values, notes = left_out(p.bound, p.tally, p.value)
    evidence = p.bound.evidence.of(p.tally, p.tally.mass)
    least = form.covariance(evidence, evidence, **p.bound.own)
    return around(p.value, values, p.tally, least, p.level, notes)


def left_out(bound: Bound, tally: Tally, value: float) -> tuple[Floats, tuple[str, ...]]:
    """The value without one item or cluster of each kind, by its influence where there is no such value."""
    sampling = tally.sampling
    moves = sampling.sums(influences(bound, tally, tally.mass))
    held = sampling.counts > 0
    about = (value - moves)[held]
    if len(sampling.counts) * len(tally.counts) > TOO_LONG:
        return about, ()
    values, times = jackknife_values(bound, tally)
    lost = np.isnan(values)
    if not lost.any():
        return values, ()
    what = tally.item if tally.clusters is None else "cluster"
    n = int(times[lost].sum())
    which, whose = (f"one {what}", "its") if n == 1 else (f"any one of {plural(n, what)}", "their")
    note = f"undefined without {which}; {whose} contribution to the variance is a linear approximation"
    return np.where(lost, about, values), (note,)


def around(value: float, values: Floats, tally: Tally, least: float, level: float, notes: tuple[str, ...]) -> Limits:
    """Student's t around the value, from its values without one item or cluster and the least variance it can have."""
    times = tally.sampling.counts[tally.sampling.counts > 0].astype(np.float64)
    n = float(times.sum())
    if few := why_too_few(n, tally):
        return Limits(None, None, METHOD, few)
    variance = max(jackknife_variance(values, times), least)
    if variance <= NOTHING:
        return Limits(None, None, METHOD, NO_VARIATION, notes)
    error = math.sqrt(variance)
    half = student_quantile(level, n - 1) * error
    return Limits(value - half, value + half, METHOD, None, notes, standard_error=error)


def form_of(bound: Bound, tally: Tally) -> ModelJackknife:
    """How the measure is such a parameter, or an error where it is not one."""
    return required_form(bound, tally, ModelJackknife, "a parameter of a fitted model", METHOD)
