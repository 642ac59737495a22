"""Groups of one test set: how far a group lies from the rest, and whether the groups differ by more than chance."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare import Bound
from assay.measures.forms import Proportion
from assay.tally.base import Tally, group_rows
from assay.tally.sampling import Floats, Ints
from assay.uncertainty.influence import has_influences, influences, is_linear
from assay.uncertainty.intervals import Limits
from assay.uncertainty.results import Estimate

BUDGET = 6_000_000  # numbers drawn for one test; tables of very many cells get fewer draws, and the result says so
TOLERANCE = 1e-9
ROUNDING = 1e-12
FEWEST = 199  # draws that a test is worth
MANY_KINDS = 400  # of rows, beyond which all kinds are drawn together, one table after the other
MOST_ROWS = 1_000_000_000  # NumPy draws hypergeometric numbers up to here


# ---------------------------------------------------------------------- two groups
def difference(a: Estimate, b: Estimate) -> tuple[float | None, Limits]:
    """A minus B for two groups of different items: the squares of what each could be off add up."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, "mover", missing)
    assert a.value is not None
    assert b.value is not None
    d = a.value - b.value
    if a.interval is None or b.interval is None:
        return d, Limits(None, None, "mover", a.reason or b.reason)
    low = d - math.hypot(a.value - a.interval.low, b.interval.high - b.value)
    high = d + math.hypot(a.interval.high - a.value, b.value - b.interval.low)
    return d, Limits(low, high, "mover")


def ratio(a: Estimate, b: Estimate) -> tuple[float | None, Limits]:
    """A over B for two groups of different items: the same on the scale of logarithms."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, "mover", missing)
    assert a.value is not None
    assert b.value is not None
    if a.value < 0 or b.value <= 0:
        return None, Limits(None, None, "mover", "a ratio needs values above 0")
    r = a.value / b.value
    if a.interval is None or b.interval is None:
        return r, Limits(None, None, "mover", a.reason or b.reason)
    if b.interval.low <= 0 or a.interval.high <= 0:
        return r, Limits(None, None, "mover", "the value that is divided by may be 0")
    below = _log(b.value, b.interval.low)
    if a.value == 0:
        # Nothing is left to take logarithms of; both at their worst is a bound.
        return r, Limits(0.0, a.interval.high / b.interval.low, "mover")
    low = (
        0.0
        if a.interval.low <= 0
        else r * math.exp(-math.hypot(_log(a.value, a.interval.low), _log(b.interval.high, b.value)))
    )
    return r, Limits(low, r * math.exp(math.hypot(_log(a.interval.high, a.value), below)), "mover")


def _log(x: float, y: float) -> float:
    return math.log(x / y)


def _missing(a: Estimate, b: Estimate) -> str | None:
    return next((e.reason for e in (a, b) if e.value is None), None)


# ---------------------------------------------------------------------- all groups
@dataclass(frozen=True)
class Gap:
    """The largest gap between a group and all rows, and how often chance makes one as large."""

    p: float | None
    group: int | None  # which group lies farthest off, for its size
    spread: float | None  # the highest value of a group less the lowest
    draws: int = 0
    extreme: int = 0
    undefined: int = 0
    reason: str | None = None
    normal: bool = False  # groups were not shuffled: there are so many kinds of rows that their sums are normal


def max_gap(bound: Bound, groups: Sequence[Tally], draws: int, seed: int) -> Gap:
    """Whether the groups differ: how far the farthest lies off, in standard errors, against shuffled groups.

    Groups are shuffled among the rows that the measure sees (the positives for recall, those predicted as positive
    for precision), and within each class where it is a rate within classes (macro recall, balanced accuracy), so that
    a class being rarer in one group is no gap.
    """
    units = _Units.of(groups)
    if isinstance(units, str):
        return Gap(None, None, None, reason=units)
    values = np.asarray(bound.at(units.tally, units.spread(units.table)))
    held = ~np.isnan(values)
    spread = float(values[held].max() - values[held].min()) if held.any() else None
    if held.sum() < 2:
        return Gap(None, None, spread, reason="fewer than two groups have a value")
    made = units.shares(bound, held) or units.kinds(bound, held)
    if any(made.table[:, kinds].sum() >= MOST_ROWS for kinds in made.strata):
        return Gap(None, None, spread, reason=f"{MOST_ROWS:,} rows or more cannot be shuffled")
    rng = np.random.default_rng(seed)
    observed = made.distances(values[held])
    group = int(np.flatnonzero(held)[int(observed.argmax())])
    if made.covariance is not None and made.table.size > BUDGET // FEWEST:
        extreme = made.normal_extremes(float(observed.max()), draws, rng)
        return Gap((extreme + 1) / (draws + 1), group, spread, draws, extreme, normal=True)
    draws = int(max(min(draws, BUDGET // max(made.table.size, 1)), FEWEST))
    step = max(1, (1 << 21) // max(made.table.size, 1))
    extreme = undefined = 0
    for start in range(0, draws, step):
        drawn = made.value_of(made.drawn(min(step, draws - start), rng))
        lost = np.isnan(drawn).any(-1)
        undefined += int(lost.sum())
        extreme += int((lost | (made.distances(drawn).max(-1) >= observed.max() * (1 - TOLERANCE))).sum())
    return Gap((extreme + 1) / (draws + 1), group, spread, draws, extreme, undefined)


@dataclass(frozen=True)
class _Shuffle:
    """How many of each kind every group has, which kinds are shuffled among each other, and what then comes of it."""

    table: Ints
    strata: Sequence[Ints]
    value_of: Callable[[Ints], Floats]
    center: Floats  # the value of each group whose rows are like all rows of their stratum
    scale: Floats  # how far shuffling moves it
    covariance: Floats | None = None  # of the groups' values under shuffling, by their derivatives

    def normal_extremes(self, observed: float, draws: int, rng: np.random.Generator) -> int:
        """How often the farthest of groups that only chance moves lies as far off, by the normal distribution."""
        assert self.covariance is not None
        values, vectors = np.linalg.eigh(self.covariance)
        moves = rng.standard_normal((draws, len(values))) * np.sqrt(np.maximum(values, 0)) @ vectors.T
        far = np.abs(moves) / np.maximum(self.scale, ROUNDING)
        return int((far.max(-1) >= observed * (1 - TOLERANCE)).sum())

    def drawn(self, size: int, rng: np.random.Generator) -> Ints:
        """Tables in which the groups are shuffled."""
        out = np.repeat(self.table[None], size, axis=0)
        for kinds in self.strata:
            out[..., kinds] = _shuffled(self.table[:, kinds], size, rng)
        return out

    def distances(self, values: Floats) -> Floats:
        """How far each group lies off; where shuffling moves nothing, what rounding leaves is no distance."""
        off = np.abs(values - self.center)
        return np.where(off > ROUNDING, off / np.maximum(self.scale, ROUNDING), 0.0)


@dataclass(frozen=True)
class _Units:
    """What is shuffled: kinds of rows, or of whole clusters, and how many of each every group has."""

    tally: Tally
    table: Ints
    profiles: Floats | None = None

    @classmethod
    def of(cls, groups: Sequence[Tally]) -> _Units | str:
        if any(tally.weights is not None for tally in groups):
            return "weighted rows cannot be shuffled between groups"
        codes, pooled = _pooled(groups)
        if groups[0].clusters is None:
            table = np.zeros((len(groups), len(pooled.counts)), np.int64)
            for i, (tally, code) in enumerate(zip(groups, codes, strict=True)):
                np.add.at(table[i], code, tally.counts)
            return cls(pooled, table)
        return cls._of_clusters(groups, codes, pooled)

    @classmethod
    def _of_clusters(cls, groups: Sequence[Tally], codes: Sequence[Ints], pooled: Tally) -> _Units | str:
        names: dict[str, int] = {}
        rows, owner = [], []
        for i, (tally, code) in enumerate(zip(groups, codes, strict=True)):
            assert tally.clusters is not None
            for name in tally.clusters.names:
                if names.setdefault(name, i) != i:
                    return f"cluster '{name}' has rows in several groups, so clusters cannot be shuffled between them"
            held = np.zeros((len(tally.clusters.names), len(pooled.counts)))
            np.add.at(held, (tally.clusters.cluster, code[tally.clusters.unit]), tally.clusters.count)
            rows.append(held)
            owner += [i] * len(held)
        profiles, kind = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        table = np.zeros((len(groups), len(profiles)), np.int64)
        np.add.at(table, (np.array(owner), kind.ravel()), 1)
        return cls(pooled, table, profiles)

    def spread(self, w: Any) -> Floats:
        """Multiplicities of the tally's units."""
        floats = np.asarray(w, np.float64)
        return floats if self.profiles is None else floats @ self.profiles

    def shares(self, bound: Bound, held: NDArray[np.bool_]) -> _Shuffle | None:
        """Of a share only hits and misses matter, however many cells they come from."""
        form = bound.form(self.tally)
        if self.profiles is not None or not isinstance(form, Proportion):
            return None
        hits, trials = form.counts(bound.view(self.tally, np.eye(self.table.shape[1])))
        hit, size = (self.table[held] @ np.round(x).astype(np.int64) for x in (hits, trials))
        center = np.asarray(hit.sum() / size.sum())
        table = np.stack([hit, size - hit], axis=-1)
        return _Shuffle(
            table, [np.arange(2)], lambda tables: tables[..., 0] / size, center, np.sqrt(1 / size - 1 / size.sum())
        )

    def kinds(self, bound: Bound, held: NDArray[np.bool_]) -> _Shuffle:
        """The same with the measure itself, for any measure.

        The standard error is that of rows drawn without replacement, through the derivatives of the measure there.
        """
        table, strata = self.table[held], self.strata(bound)
        mean, parts = table.astype(np.float64), []
        for kinds in strata:
            size, total = table[:, kinds].sum(1), max(int(table[:, kinds].sum()), 1)
            parts.append((kinds, size * (1 - size / total), table[:, kinds].sum(0) / total))
            mean[:, kinds] = size[:, None] * parts[-1][2]
        w = self.spread(mean)
        u, variance, covariance = self._moves(bound, w), np.zeros(len(table)), np.zeros((len(table), len(table)))
        for kinds, times, share in parts:
            here, size = u[:, kinds], table[:, kinds].sum(1).astype(np.float64)
            variance += times * np.maximum((here**2) @ share - (here @ share) ** 2, 0)
            # What one group gets, the others do not.
            together = np.diag(size) - np.outer(size, size) / max(size.sum(), 1)
            covariance += together * ((here * share) @ here.T - np.outer(here @ share, here @ share))

        def value_of(tables: Ints) -> Floats:
            return np.asarray(bound.at(self.tally, self.spread(tables)))

        known = covariance if has_influences(bound, self.tally) and self.profiles is None else None
        return _Shuffle(table, strata, value_of, np.asarray(bound.at(self.tally, w)), np.sqrt(variance), known)

    def strata(self, bound: Bound) -> list[Ints]:
        """Which kinds of rows are shuffled among each other; those that never move the measure stay where they are.

        A measure that does not change with how frequent the classes are is a rate within them, and so are shuffles.
        Clusters are shuffled whole, whatever classes they hold.
        """
        tally, rng = self.tally, np.random.default_rng(0)

        def tilt(size: int) -> Floats:
            return rng.uniform(0.5, 1.5, size)

        # Away from the data, where nothing cancels by chance.
        w = tally.mass * tilt(len(tally.counts))
        seen = np.abs(influences(bound, tally, w)) > 0 if has_influences(bound, tally) else np.ones(len(w), bool)
        if self.profiles is not None:
            return [np.flatnonzero((self.profiles[:, seen] > 0).any(1))]
        here = float(bound.at(tally, w))
        for column in tally.keys.values():
            values, code = np.unique(column, return_inverse=True)
            again = np.array([float(bound.at(tally, w * tilt(len(values))[code])) for _ in range(3)])
            if np.allclose(again, here, rtol=1e-9, atol=1e-9):
                return [np.flatnonzero(seen & (code == i)) for i in np.unique(code[seen])]
        return [np.flatnonzero(seen)]

    def _moves(self, bound: Bound, w: Floats) -> Floats:
        """How much one row, or cluster, of each kind moves the value of each group."""
        if is_linear(bound):
            u = influences(bound, self.tally, w)
        elif has_influences(bound, self.tally):
            u = np.stack([influences(bound, self.tally, each) for each in w])
        else:
            # Unknown; then every second kind stands for a hit, so that only the sizes of the groups count.
            u = np.arange(w.shape[-1]) % 2 / w.sum(-1, keepdims=True)
        return u if self.profiles is None else u @ self.profiles.T


def _pooled(groups: Sequence[Tally]) -> tuple[list[Ints], Tally]:
    """All groups as one tally of distinct units, and which of them each group's units are."""
    first = groups[0]
    columns = [np.concatenate([tally.keys[name] for tally in groups]) for name in first.keys]
    order, group = group_rows(columns)
    code = np.empty(len(order), np.int64)
    code[order] = group
    kinds = int(group[-1]) + 1
    place = order[np.searchsorted(group, np.arange(kinds))]
    counts = np.zeros(kinds, np.int64)
    np.add.at(counts, code, np.concatenate([tally.counts for tally in groups]))
    keys = {name: column[place] for name, column in zip(first.keys, columns, strict=True)}
    ends = np.cumsum([len(tally.counts) for tally in groups])[:-1]
    pooled = dataclasses.replace(first, keys=keys, counts=counts, clusters=None, weights=None)
    return np.split(code, ends), pooled


def _shuffled(table: Ints, size: int, rng: np.random.Generator) -> Ints:
    """Tables with the same sums of rows and columns, as when the groups are shuffled among the rows.

    Group by group and kind by kind: how many of the rows still to be given to a group are of this kind.
    """
    groups, kinds = table.shape
    if kinds > MANY_KINDS:
        return _shuffled_one_by_one(table, size, rng)
    left = np.broadcast_to(table.sum(0), (size, kinds)).copy()
    out = np.empty((size, groups, kinds), np.int64)
    for g, wanted in enumerate(table.sum(1)[:-1]):
        todo = np.full(size, wanted)
        behind = left.sum(1)
        for j in range(kinds):
            behind = behind - left[:, j]
            out[:, g, j] = rng.hypergeometric(left[:, j], behind, todo)
            todo = todo - out[:, g, j]
        left -= out[:, g]
    out[:, -1] = left
    return out


def _shuffled_one_by_one(table: Ints, size: int, rng: np.random.Generator) -> Ints:
    """The same for very many kinds of rows, such as those with a score of their own."""
    out = np.empty((size, *table.shape), np.int64)
    wanted = table.sum(1)
    for i in range(size):
        left = table.sum(0)
        for g in range(len(table) - 1):
            out[i, g] = rng.multivariate_hypergeometric(left, int(wanted[g]), method="marginals")
            left = left - out[i, g]
        out[i, -1] = left
    return out
