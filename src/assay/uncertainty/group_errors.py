"""How far groups lie from the mean of all, each by its own standard error, as Student's p-values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.tally.sampling import Floats, Ints

ROUNDING = 1e-12
# Rows like all rows that are added to each group, in each stratum, before its error is taken (by simulation). A group
# without a single error would otherwise be sure of itself.
ADDED = 2.0


@dataclass(frozen=True)
class Errors:
    """The variance of each group's value, and the degrees of freedom that it is known with."""

    variance: Floats
    df: Floats


def own_errors(moves: Callable[[Floats], Floats], tables: Ints, strata: Sequence[Ints]) -> Errors:
    """The errors of groups with these tables (..., groups, kinds), from how much a row of each kind moves the value.

    As many degrees of freedom as rows that carry the variance, twice, less one: of a hundred rows ten may matter.
    """
    sizes = tables.astype(np.float64)
    smooth, shares = sizes.copy(), tables.sum(-2, keepdims=True).astype(np.float64)
    for kinds in strata:
        held = shares[..., kinds]
        smooth[..., kinds] += ADDED * held / np.maximum(held.sum(-1, keepdims=True), 1)
    u = moves(smooth)
    variance, fourth = np.zeros(tables.shape[:-1]), np.zeros(tables.shape[:-1])
    for kinds in strata:
        rows, all_rows = sizes[..., kinds].sum(-1), smooth[..., kinds].sum(-1)
        share = smooth[..., kinds] / np.maximum(all_rows, ROUNDING)[..., None]
        off = u[..., kinds] - (u[..., kinds] * share).sum(-1, keepdims=True)
        off *= (all_rows / np.maximum(rows, 1))[..., None]  # what one of the rows that are there moves
        variance += rows * (share * off**2).sum(-1)
        fourth += rows * (share * off**4).sum(-1)
    carrying = np.divide(variance**2, fourth, out=np.zeros_like(variance), where=fourth > 0)
    df = np.clip(2 * carrying - 1, 1, np.maximum(sizes.sum(-1) - 1, 1))
    return Errors(np.maximum(variance, ROUNDING**2), df)


def student_tails(values: Floats, errors: Errors, sizes: Floats) -> Floats:
    """The two-sided p-value of each group's distance to the mean of all groups, weighted by their sizes.

    The variances of independent groups add up, and so do their degrees of freedom by Satterthwaite's rule.
    """
    from scipy.special import stdtr

    weight = sizes / sizes.sum()
    off = np.abs(values - (weight * values).sum(-1, keepdims=True))
    variance = _added(errors.variance, weight, 2)
    spread = _added(errors.variance**2 / errors.df, weight, 4)
    df = variance**2 / np.maximum(spread, np.finfo(np.float64).tiny)
    return np.where(off > ROUNDING, 2 * stdtr(df, -off / np.sqrt(variance)), 1.0)


def _added(parts: Floats, weight: Floats, power: int) -> Floats:
    """Each group's own part and the others', as they stand in the group less the weighted mean."""
    others = weight**power * parts
    return np.asarray((1 - weight) ** power * parts + others.sum(-1, keepdims=True) - others)


def normal_tails(values: Floats, errors: Errors, sizes: Floats, draws: int, rng: np.random.Generator) -> int:
    """How often the farthest of groups that only chance moves lies as far off, by the normal distribution."""
    weight = sizes / sizes.sum()
    scale = np.sqrt(_added(errors.variance, weight, 2))

    def farthest(each: Floats) -> Floats:
        return np.asarray((np.abs(each - (weight * each).sum(-1, keepdims=True)) / scale).max(-1))

    drawn = rng.standard_normal((draws, len(values))) * np.sqrt(errors.variance)
    return int((farthest(drawn) >= farthest(values) * (1 - 1e-9)).sum())
