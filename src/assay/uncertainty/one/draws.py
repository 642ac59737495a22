"""Intervals from draws: posterior tables, tables with mid-P shares, and resamples read in four ways."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from assay.errors import OptionError, plural
from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.influence import influences, is_linear
from assay.uncertainty.one.problem import NO_VARIATION, NOTHING, Limits, Problem
from assay.uncertainty.one.resample import (
    bootstrap_values,
    dirichlet_values,
    drawn_times,
    jackknife_values,
    refuse_drawing,
)
from assay.uncertainty.one.shares import normal_quantile
from assay.uncertainty.one.weights import effective_rows

UNDEFINED_SHARE = 0.05  # the share of undefined draws above which an interval is refused


def by_dirichlet(p: Problem) -> Limits:
    """Quantiles over tables drawn around the observed one."""
    cells = None if p.tally.clusters is not None else p.small or p.tally.complete()
    if cells is None:
        raise OptionError("Dirichlet draws need a table whose cells can all be listed, without clusters or strata.")
    return quantiles(dirichlet_values(p.bound, cells, p.factor, p.draws, p.seed), p.level, "dirichlet")


def _drawn(p: Problem) -> Floats:
    """The measure on resamples, which serve all levels."""
    refuse_drawing(p.bound, p.tally)
    return p.once("drawn", lambda: bootstrap_values(p.bound, p.tally, p.draws, p.seed))


def by_percentile(p: Problem) -> Limits:
    """Quantiles over resamples."""
    drawn = _drawn(p)
    return with_error(quantiles(drawn, p.level, "percentile"), drawn)


def by_basic(p: Problem) -> Limits:
    """Quantiles over resamples, reflected about the estimate: as far as they lie above it, it may lie too high."""
    drawn = _drawn(p)
    return with_error(quantiles(2 * p.value - drawn, p.level, "basic"), drawn)


def by_bca(p: Problem) -> Limits:
    """Efron's bias-corrected and accelerated limits."""
    drawn = _drawn(p)
    values, times = p.once("left out", lambda: jackknife_values(p.bound, p.tally))
    return with_error(bca(drawn, p.value, values, times, p.level), drawn)


def by_studentized(p: Problem) -> Limits:
    """The bootstrap-t: how many of its own standard errors each resample lies from the estimate."""

    def read(w: Floats) -> tuple[Floats, Floats]:
        return p.bound.at(p.tally, w), influences(p.bound, p.tally, w)

    return bootstrap_t(p.bound, p.tally, p.value, read, p.level, p.draws, p.seed)


def bootstrap_t(
    bound: Bound,
    tally: Tally,
    estimate: float,
    read: Callable[[Floats], tuple[Floats, Floats]],
    level: float,
    draws: int,
    seed: int,
) -> Limits:
    """Limits from how many of its own standard errors each resample lies from the estimate.

    `read` gives the value at multiplicities, and how much one item of each unit changes it. A resample without
    variation has no standard error, and counts as one in which the measure is undefined.
    """
    refuse_drawing(bound, tally)
    sampling = tally.sampling
    if not is_linear(bound):
        raise OptionError(f"{bound.spelling} has no standard error for each resample; use the method bca.")
    if sampling.strata is not None:
        raise OptionError("standard errors of resamples are not available by stratum; use the method percentile.")

    def with_variance(times: Floats) -> tuple[Floats, Floats]:
        values, u = read(sampling.spread(times))
        return values, (times * sampling.sums(u) ** 2).sum(-1)

    variance = float(with_variance(sampling.counts[None].astype(np.float64))[1][0])
    if variance <= NOTHING:
        return Limits(None, None, "studentized", NO_VARIATION)
    found = []
    for times in drawn_times(sampling, draws, seed, len(tally.counts)):
        values, own = with_variance(times.astype(np.float64, copy=False))
        defined = own > NOTHING
        found.append(np.where(defined, (values - estimate) / np.sqrt(np.where(defined, own, 1)), np.nan))
    made = quantiles(estimate - np.sqrt(variance) * np.concatenate(found), level, "studentized")
    return replace(made, standard_error=math.sqrt(variance))


def with_error(made: Limits, draws: Floats) -> Limits:
    """The limits with the bootstrap's standard error: the standard deviation of the draws."""
    if made.low is None:
        return made
    return replace(made, standard_error=float(np.nanstd(draws, ddof=1)))


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
    size = len(kept)
    tie = np.isclose(kept, value, rtol=1e-9, atol=1e-12)
    below = float(((kept < value) & ~tie).sum() + tie.sum() / 2) / size
    shares = bca_shares(min(max(below, 1 / (size + 1)), size / (size + 1)), acceleration(left_out, times), level)
    low, high = (float(np.quantile(kept, share)) for share in shares)
    return Limits(low, high, "bca", undefined_draws=len(draws) - size, drawn=True)


def acceleration(left_out: Floats, times: Floats) -> float:
    """A sixth of the skewness of what items do to the value."""
    ok = ~np.isnan(left_out)
    pull = np.average(left_out[ok], weights=times[ok]) - left_out[ok] if ok.any() else np.zeros(0)
    square = float((times[ok] * pull**2).sum())
    return float((times[ok] * pull**3).sum()) / (6 * square**1.5) if square > 0 else 0.0


def bca_shares(below: float, skew: float, level: float) -> tuple[float, float]:
    """The shares of resamples below the two limits, where this share lies below the estimate."""
    normal, z = NormalDist(), normal_quantile(level)
    bias = normal.inv_cdf(below)
    low, high = (normal.cdf(bias + (bias + end) / max(1 - skew * (bias + end), 1e-6)) for end in (-z, z))
    return low, high


def _too_often_undefined(draws: Floats, kept: Floats, method: str) -> Limits | None:
    lost = len(draws) - len(kept)
    if lost <= UNDEFINED_SHARE * len(draws):
        return None
    reason = f"undefined in {lost:,} of {len(draws):,} resamples, more than {UNDEFINED_SHARE:.0%}"
    return Limits(None, None, method, reason, undefined_draws=lost, drawn=True)


Mask = NDArray[np.bool_]
METHOD = "midp_draws"
FEW = 5  # rows in a cell that must not be empty, below which an interval is marked
# Tables without symmetries; a minimum or maximum over classes reads other cells in one than in another.
ODD = np.array([2.0, 3.0, 5.0, 7.0])
TURNED = np.stack([np.roll(table, by) for table in (ODD, ODD[::-1]) for by in range(len(ODD))])


def drawable(p: Problem) -> bool:
    """Whether the measure is computed from two right and two wrong cells, and has a finite range."""
    cells = p.small
    if cells is None or cells.right is None or np.isinf(p.bound.range).any():
        return False
    return len(cells.right) == len(ODD) and int(cells.right.sum()) == 2


def by_midp_draws(p: Problem) -> Limits:
    """Quantiles of the measure on drawn tables.

    A strict interval, for gates, also takes the first coin as certain, heads for one limit and tails for the other; the
    fair coin comes first, so that the same draws are in both and the strict interval contains the default one.
    """
    if p.tally.clusters is not None or not drawable(p):
        raise OptionError(f"{p.bound.spelling} is not computed from a table of two classes here; use the method auto.")
    cells = p.small
    assert cells is not None
    rows, heavy = (cells.mass / p.shrink, np.ones(len(ODD))) if cells.weights is None else effective_rows(cells)
    rng, made = np.random.default_rng(p.seed), []
    for coin in (None, 0.0, 1.0) if p.strict else (None,):
        tables = heavy * _tables(p, rows, rng, coin)
        made.append(quantiles(p.bound.at(cells, tables), p.level, METHOD))
    lows, highs = [each.low for each in made], [each.high for each in made]
    if None in lows:
        return made[lows.index(None)]
    return Limits(
        min(x for x in lows if x is not None),
        max(x for x in highs if x is not None),
        METHOD,
        undefined_draws=sum(each.undefined_draws for each in made),
        drawn=True,
    )


def cells_read(p: Problem) -> Mask:
    """The cells that the measure depends on: in some table, more in such a cell changes the value."""
    assert p.small is not None
    more = np.where(np.eye(len(ODD), dtype=bool), 1.5 * TURNED[:, None], TURNED[:, None])
    changed, before = p.bound.at(p.small, more), p.bound.at(p.small, TURNED)
    return np.asarray((np.abs(changed - before[:, None]) > 1e-9).any(axis=0))


def rests_on_few(p: Problem) -> str | None:
    """The note on a measure that is undefined where a cell is empty, if that cell has hardly any rows.

    Samples without such rows have no value, so the values that are observed lie too far from that end (by simulation).
    """
    if p.small is None or len(p.small.counts) != len(ODD):
        return None
    emptied = p.bound.at(p.small, np.where(np.eye(len(ODD), dtype=bool), 0.0, ODD))
    least = int(p.small.counts[np.isnan(emptied)].min(initial=FEW))
    if least >= FEW:
        return None
    return (
        f"unreliable: it rests on {plural(least, p.tally.item)}, without which it would be undefined; for a "
        "near-perfect system, all values that can be observed then lie on one side of the true value"
    )


def _tables(p: Problem, rows: Floats, rng: np.random.Generator, coin: float | None) -> Floats:
    cells = p.small
    assert cells is not None
    assert cells.right is not None
    read, right, out = cells_read(p), cells.right, np.zeros((p.draws, len(rows)))
    called = cells.unit_answers
    if called is not None and read.all() and _by_answer(p, called == called[0]):
        # Markedness: how many of each answer are wrong, and how often each answer is given.
        often = _split(rng, rows[called == called[0]].sum(), rows[called != called[0]].sum(), 0.5, p.draws)
        for group, size in ((called == called[0], often), (called != called[0], 1 - often)):
            wrong = _split(rng, rows[group & ~right].sum(), rows[group & right].sum(), _tossed(rng, coin, p), p.draws)
            out[:, group & ~right], out[:, group & right] = (size * wrong)[:, None], (size * (1 - wrong))[:, None]
        return out
    good, bad = read & right, read & ~right
    wrong = _split(rng, rows[bad].sum(), rows[good].sum(), _tossed(rng, coin, p), p.draws)
    for group, size, toss in ((bad, wrong, _tossed(rng, None, p)), (good, 1 - wrong, 0.5)):
        which = np.flatnonzero(group)
        out[:, which] = size[:, None]
        if len(which) == 2:
            first = _split(rng, float(rows[which[0]]), float(rows[which[1]]), toss, p.draws)
            out[:, which] *= np.stack([first, 1 - first], axis=-1)
    return out


def _by_answer(p: Problem, group: Mask) -> bool:
    """Whether the measure stays the same however often an answer is given: it depends on shares within each answer."""
    assert p.small is not None
    once, more = p.bound.at(p.small, np.stack([ODD, np.where(group, 3 * ODD, ODD)]))
    return bool(abs(once - more) <= 1e-9)


def _tossed(rng: np.random.Generator, coin: float | None, p: Problem) -> Floats | float:
    return rng.integers(0, 2, p.draws).astype(np.float64) if coin is None else coin


def _split(rng: np.random.Generator, x: float, y: float, coin: Floats | float, draws: int) -> Floats:
    """Draws of the share of x among x + y: Beta(x + B, y + 1 − B), where a shape of 0 is a point."""
    a, b = (rng.standard_gamma(np.broadcast_to(shape, draws)) for shape in (x + coin, y + 1 - coin))
    return a / (a + b)
