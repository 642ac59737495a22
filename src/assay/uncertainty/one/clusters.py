"""Intervals for rows that come in clusters: leave whole clusters out, or count each row for less than one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.forms import EffectiveN, Proportion
from assay.tally.contract.base import Tally
from assay.uncertainty.one.closed import by_form, by_mid_p
from assay.uncertainty.one.draws import by_dirichlet, by_midp_draws, drawable
from assay.uncertainty.one.influence import influences, is_linear, unit_rows
from assay.uncertainty.one.jackknife import by_jackknife, carriers, deviations, on_scale
from assay.uncertainty.one.problem import NOTHING, ONE_CLUSTER, Limits, Problem
from assay.uncertainty.one.resample import has_too_many_clusters, jackknife_values, jackknife_variance
from assay.uncertainty.one.shares import normal_quantile, student_quantile

SUMMED = "so many rows in so many clusters: what leaving a cluster out does is added up from its rows"
FEW = 20  # fewer clusters were not simulated
HANDFUL = 5.0  # degrees of freedom below which a reader should know that so few clusters carry the variance
PER_CARRIER = 1.5  # degrees of freedom for each cluster that carries the variance (by simulation)
PSEUDO = 0.02  # how much of a cluster is added in every cell
ROOM, DOUBT = 5.0, 10.0  # such a cluster acts at most so much larger than those seen, the more so where few carry


def by_any_jackknife(p: Problem) -> Limits:
    """Leave out one item in turn, or one cluster where there are clusters."""
    return by_jackknife(p) if p.tally.clusters is None else by_cluster_jackknife(p)


def by_cluster_jackknife(p: Problem) -> Limits:
    """Leave out each cluster in turn, with Student's t for the number of clusters that carry the variance."""
    method = "cluster_jackknife"
    _need_clusters(p)
    values, times = jackknife_values(p.bound, p.tally)
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
    """Divide the table by what clusters add to the variance, then make the interval of independent rows."""
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
            f"{p.bound.spelling} is neither a share of rows nor read from a table of two classes here; "
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
    return replace(made, method=method, notes=_notes(p.tally.sampling.n, carrying))


def inflates(p: Problem) -> bool:
    """Whether what clusters add multiplies the variance of the measure's closed form, because no table is divided."""
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
        # Nothing varies; then each cluster tells as much as one row.
        sizes = sampling.sizes()
        factor = float((times * sizes**2).sum() / (times * sizes).sum())
    else:
        design = max(sampling.n / (sampling.n - 1) * float((times * squares).sum()) / alone, 1.0)
        df = _df(carrying, sampling.n)
        factor = design * (student_quantile(p.level, df) / p.z) ** 2
    made = by_form(replace(p.plain, inflate=max(factor, 1.0)), p.form.name)
    return replace(made, method=method, notes=(*made.notes, *_notes(sampling.n, carrying)))


def factor_cells(p: Problem) -> Tally | None:
    """The cells of the table in which the cluster factor is found, or None for measures that it was not studied for."""
    if not is_linear(p.bound) or "stratum" in p.tally.keys or p.tally.weights is not None:
        return None
    return p.plain.small or p.plain.share


def cluster_factor(p: Problem, cells: Tally) -> tuple[float, float]:
    """By how much clusters multiply the variance, with room for how few carry it; and how many carry it.

    A little of a cluster is added in every cell, so that cells without rows do not pass for cells without variance
    (by simulation). It has the mean size of the clusters, or less where they are seen to act as smaller ones.
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
        # Nothing varies even so; then each cluster tells as much as one row.
        sizes = sampling.sizes()
        return float((times * sizes**2).sum() / (times * sizes).sum()), carrying
    design = max(more / (more - 1) * apart / together, 1.0)
    df = _df(carrying, groups)
    return design * (student_quantile(p.level, df) / normal_quantile(p.level)) ** 2, carrying


def _df(carrying: float, clusters: float) -> float:
    """Degrees of freedom of whole clusters: for each cluster that carries the variance, and of all where none does.

    Few large clusters tell little: with two for each, 20 clusters of 100 items held an area 90% of the time.
    """
    return min(max(PER_CARRIER * carrying - 1, 2.0), clusters - 1) if carrying > 0 else clusters - 1


def _need_clusters(p: Problem) -> None:
    if p.tally.clusters is None:
        raise OptionError("there are no clusters in this tally; name their column when counting, or another method.")


def _notes(n: float, carrying: float) -> tuple[str, ...]:
    out = [f"only {int(n)} clusters"] if n < FEW else []
    if 2 * carrying - 1 < HANDFUL and carrying > 0:
        out.append(f"a handful of clusters carries the variance: as if only {carrying:.1f} of the {int(n)} did")
    return tuple(out)


def cluster_df(tally: Any) -> float:
    """Degrees of freedom of as many equal clusters as carry the same information, less one."""
    sampling = tally.sampling
    sizes, counts = sampling.sizes(), sampling.counts
    return max(float((counts * sizes).sum() ** 2 / (counts * sizes**2).sum()) - 1, 1.0)
