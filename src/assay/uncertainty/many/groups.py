"""All groups of one test set: one test of whether they differ by more than chance, by the most extreme group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import Proportion
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.many.shuffles import Units, shuffle_draws
from assay.uncertainty.one.influence import has_influences

ROUNDING = 1e-12
# Average rows added to each group, in each stratum, before its error is computed (by simulation). A group without a
# single error would otherwise be certain of itself.
ADDED = 2.0


@dataclass(frozen=True)
class Errors:
    """The variance of each group's value, and its degrees of freedom."""

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
    """How often the most extreme group is as extreme by chance alone, by the normal distribution."""
    weight = sizes / sizes.sum()
    scale = np.sqrt(_added(errors.variance, weight, 2))

    def farthest(each: Floats) -> Floats:
        return np.asarray((np.abs(each - (weight * each).sum(-1, keepdims=True)) / scale).max(-1))

    drawn = rng.standard_normal((draws, len(values))) * np.sqrt(errors.variance)
    return int((farthest(drawn) >= farthest(values) * (1 - 1e-9)).sum())


BUDGET = 6_000_000  # numbers drawn for one test; tables of very many cells get fewer draws, and the result says so
WORK = 100_000_000  # numbers worked through for the errors of shuffled groups; if four times that, nothing is shuffled
TOLERANCE = 1e-9
FEWEST = 199  # draws that a test needs at least
MOST_ROWS = 1_000_000_000  # NumPy draws hypergeometric numbers up to here


@dataclass(frozen=True)
class Gap:
    """The largest gap between a group and all of them, and how often chance makes one as large."""

    p: float | None
    group: int | None  # the most extreme group, for its size
    spread: float | None  # the highest value of a group less the lowest
    draws: int = 0
    extreme: int = 0
    undefined: int = 0
    reason: str | None = None
    # Where p is not the share of shuffles: "student", whose p is larger, or "normal" where shuffling is too much work.
    by: str = ""
    alike: bool = False  # errors are unknown, so groups are assumed to differ only in size

    @property
    def at_floor(self) -> bool:
        """Whether no shuffle gave a gap as large, so that p is a bound."""
        return self.extreme == 0 and self.draws > 0 and self.by != "student"


def max_gap(bound: Bound, groups: Sequence[Tally], draws: int, seed: int) -> Gap:
    """Whether the groups differ: how extreme the farthest one is, in its own standard errors, among shuffled groups.

    Groups are shuffled among the rows that the measure sees (the positives for recall, those predicted as positive
    for precision), and within each class where it is a rate within classes (macro recall, balanced accuracy), so that
    a class being rarer in one group is no gap.

    A share needs no more, nor does what follows from one, as F1 does. Of any other measure, groups may have one value
    and yet spread differently, and then a shuffle tells what would be if they were alike in all respects. So each
    group is held against its own error, which is taken anew in every shuffle, and Student's p-value with that error,
    corrected for the number of groups, must be as small.
    """
    units = Units.of(groups)
    if isinstance(units, str):
        return Gap(None, None, None, reason=units)
    values = np.asarray(bound.at(units.tally, units.spread(units.table)))
    held = ~np.isnan(values)
    spread = float(values[held].max() - values[held].min()) if held.any() else None
    if held.sum() < 2:
        return Gap(None, None, spread, reason="fewer than two groups have a value")
    rng, strata = np.random.default_rng(seed), units.strata(bound)
    alike = _shares(units, bound, held)
    unknown = alike is None and not has_influences(bound, units.tally)
    if alike is None and (unknown or units.of_two_sorts(bound)):
        alike = _fixed(units, bound, held, strata)
    if _too_many(units.table[held], strata) if alike is None else _too_many(alike.table, alike.strata):
        return Gap(None, None, spread, reason=f"{MOST_ROWS:,} rows or more cannot be shuffled")
    made = _by_own_errors(units, bound, held, strata, draws, rng) if alike is None else alike.gap(draws, rng)
    where = None if made.group is None else int(np.flatnonzero(held)[made.group])
    return Gap(made.p, where, spread, made.draws, made.extreme, made.undefined, by=made.by, alike=unknown)


def _too_many(table: Ints, strata: Sequence[Ints]) -> bool:
    return any(int(table[:, kinds].sum()) >= MOST_ROWS for kinds in strata)


def gap_within(bound: Bound, groups: Sequence[Tally], column: str, draws: int, seed: int) -> float | None:
    """How often chance makes gaps as large where rows of one class are answered alike in all groups.

    Groups keep how frequent the classes are in them, and the farthest lies off from what that alone would give it.
    None where the measure does not move with how frequent the classes are, or where rows cannot be shuffled.
    """
    units = Units.of(groups)
    if isinstance(units, str) or units.profiles is not None or column not in units.tally.keys:
        return None
    classes = units.within(column)
    if all(any(set(kinds) <= set(of) for of in classes) for kinds in units.strata(bound)):
        return None
    held = ~np.isnan(np.asarray(bound.at(units.tally, units.spread(units.table))))
    if _too_many(units.table[held], classes) or not has_influences(bound, units.tally):
        return None
    return _fixed(units, bound, held, classes).gap(draws, np.random.default_rng(seed)).p


# ---------------------------------------------------------------------- groups that are alike in all respects
@dataclass(frozen=True)
class _Shuffle:
    """How many of each kind every group has, which kinds are shuffled among each other, and the result."""

    table: Ints
    strata: Sequence[Ints]
    value_of: Callable[[Ints], Floats]
    center: Floats  # the value of each group whose rows are like all rows of their stratum
    scale: Floats  # how far shuffling moves it

    def gap(self, draws: int, rng: np.random.Generator) -> Gap:
        """The p-value by shuffles, and the group that is farthest off."""
        observed = self.distances(self.value_of(self.table))
        bar = float(observed.max()) * (1 - TOLERANCE)
        draws = int(max(min(draws, BUDGET // max(self.table.size, 1)), FEWEST))
        step = max(1, (1 << 21) // max(self.table.size, 1))
        extreme = undefined = 0
        for start in range(0, draws, step):
            drawn = self.value_of(shuffle_draws(self.table, self.strata, min(step, draws - start), rng))
            lost = np.isnan(drawn).any(-1)
            undefined += int(lost.sum())
            extreme += int((lost | (self.distances(drawn).max(-1) >= bar)).sum())
        return Gap((extreme + 1) / (draws + 1), int(observed.argmax()), None, draws, extreme, undefined)

    def distances(self, values: Floats) -> Floats:
        """How far off each group is; where shuffling moves nothing, rounding does not count as distance."""
        off = np.abs(values - self.center)
        return np.where(off > ROUNDING, off / np.maximum(self.scale, ROUNDING), 0.0)


def _shares(units: Units, bound: Bound, held: NDArray[np.bool_]) -> _Shuffle | None:
    """For a share only hits and misses matter, whichever cells they come from: groups with equal shares are alike."""
    form = bound.form(units.tally)
    if units.profiles is not None or not isinstance(form, Proportion):
        return None
    hits, trials = form.counts(bound.view(units.tally, np.eye(units.table.shape[1])))
    hit, size = (units.table[held] @ np.round(x).astype(np.int64) for x in (hits, trials))
    center = np.asarray(hit.sum() / size.sum())
    table = np.stack([hit, size - hit], axis=-1)
    return _Shuffle(
        table, [np.arange(2)], lambda tables: tables[..., 0] / size, center, np.sqrt(1 / size - 1 / size.sum())
    )


def _fixed(units: Units, bound: Bound, held: NDArray[np.bool_], strata: Sequence[Ints]) -> _Shuffle:
    """Any measure, with the error that it has where groups are alike: that of rows drawn without replacement."""
    table = units.table[held]
    mean, parts = table.astype(np.float64), []
    for kinds in strata:
        size, total = table[:, kinds].sum(1), max(int(table[:, kinds].sum()), 1)
        parts.append((kinds, size * (1 - size / total), table[:, kinds].sum(0) / total))
        mean[:, kinds] = size[:, None] * parts[-1][2]
    if has_influences(bound, units.tally):
        u = units.moves(bound, mean)
    else:
        # Unknown; then every second kind stands for a hit, so that only the sizes of the groups count.
        u = np.arange(mean.shape[-1]) % 2 / mean.sum(-1, keepdims=True)
    variance = np.zeros(len(table))
    for kinds, times, share in parts:
        here = u[:, kinds]
        variance += times * np.maximum((here**2) @ share - (here @ share) ** 2, 0)

    def value_of(tables: Ints) -> Floats:
        return units.values(bound, tables)

    return _Shuffle(table, strata, value_of, units.values(bound, mean), np.sqrt(variance))


# ---------------------------------------------------------------------- groups that may have one value and yet differ
def _by_own_errors(
    units: Units,
    bound: Bound,
    held: NDArray[np.bool_],
    strata: Sequence[Ints],
    draws: int,
    rng: np.random.Generator,
) -> Gap:
    table = units.table[held]
    sizes = np.maximum(sum(table[:, kinds].sum(1) for kinds in strata), 1).astype(np.float64)

    def seen(tables: Ints) -> tuple[Floats, Errors, Floats]:
        values, errors = units.values(bound, tables), own_errors(lambda w: units.moves(bound, w), tables, strata)
        return values, errors, student_tails(values, errors, sizes)

    values, errors, observed = seen(table)
    group = int(observed.argmin())
    # Two groups are always equally far off, so it is one question.
    student = 1 - (1 - float(observed.min())) ** (len(table) if len(table) > 2 else 1)
    work = units.work(bound)
    if table.size > BUDGET // FEWEST or work * FEWEST > 4 * WORK:
        extreme = normal_tails(values, errors, sizes, draws, rng)
        return Gap(max((extreme + 1) / (draws + 1), student), group, None, draws, extreme, by="normal")
    draws = int(max(min(draws, BUDGET // max(table.size, 1), WORK // work), FEWEST))
    step = max(1, (1 << 19) // max(table.size, 1))
    extreme = undefined = 0
    for start in range(0, draws, step):
        drawn, _, each = seen(shuffle_draws(table, strata, min(step, draws - start), rng))
        lost = np.isnan(drawn).any(-1)
        undefined += int(lost.sum())
        extreme += int((lost | (np.nan_to_num(each, nan=1.0).min(-1) <= observed.min() * (1 + TOLERANCE))).sum())
    p = (extreme + 1) / (draws + 1)
    return Gap(max(p, student), group, None, draws, extreme, undefined, by="student" if student > p else "")
