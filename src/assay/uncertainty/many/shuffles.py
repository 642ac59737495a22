"""Shuffling groups: which kinds of rows, or whole clusters, change places, and what every group then holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally, group_rows
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.one.influence import has_influences, influences, is_linear, unit_rows

MANY_KINDS = 400  # of rows, beyond which all kinds are drawn together, one table after the other
CALL = 20_000  # numbers that could be processed in the time of one derivative


@dataclass(frozen=True)
class Units:
    """What is shuffled: kinds of rows, or of whole clusters, and how many of each every group has."""

    tally: Tally
    table: Ints
    profiles: Floats | None = None

    @classmethod
    def of(cls, groups: Sequence[Tally]) -> Units | str:
        """The kinds of all groups, or why they cannot be shuffled."""
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
    def _of_clusters(cls, groups: Sequence[Tally], codes: Sequence[Ints], pooled: Tally) -> Units | str:
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

    def values(self, bound: Bound, tables: Any) -> Floats:
        """The measure of every group; what grows with the rows is taken for each of them."""
        w = self.spread(tables)
        found = np.asarray(bound.at(self.tally, w))
        return np.asarray(found / w.sum(-1)) if self.grows(bound) else found

    def grows(self, bound: Bound) -> bool:
        """Whether twice the rows have twice the value, as sums do."""
        once, twice = (float(bound.at(self.tally, by * self.tally.mass)) for by in (1.0, 2.0))
        return abs(twice - once) > 1e-6 * max(abs(once), 1.0) and abs(twice - 2 * once) <= 1e-6 * abs(twice)

    def moves(self, bound: Bound, tables: Floats) -> Floats:
        """How much one row, or cluster, of each kind moves the value of each group."""
        w = self.spread(tables)
        if is_linear(bound):
            u = influences(bound, self.tally, w, unit_rows(bound, self.tally))
        else:
            each = [influences(bound, self.tally, one) for one in w.reshape(-1, w.shape[-1])]
            u = np.stack(each).reshape(w.shape)
        u = u / w.sum(-1, keepdims=True) if self.grows(bound) else u
        return u if self.profiles is None else u @ self.profiles.T

    def work(self, bound: Bound) -> int:
        """About how many numbers are worked through for the derivatives of all groups, once."""
        groups, units = len(self.table), len(self.tally.counts)
        if is_linear(bound):
            features = unit_rows(bound, self.tally).shape[1]
            one = features * (units + (4 if bound.measure.averaged else features))
        else:
            one = CALL + (units if bound.has_influence else units**2)
        return int(groups * (one + units))

    def strata(self, bound: Bound) -> list[Ints]:
        """Which kinds of rows are shuffled among each other; those that never move the measure stay where they are.

        A measure that does not change with how frequent the classes are is a rate within them, and so are shuffles.
        Clusters are shuffled whole, whatever classes they hold.
        """
        tally, w = self.tally, self._tilted
        u = self._seen(bound)
        seen = np.ones(len(w), bool) if u is None else np.abs(u) > 0
        if self.profiles is not None:
            return [np.flatnonzero((self.profiles[:, seen] > 0).any(1))]
        rng, here = np.random.default_rng(1), float(bound.at(tally, w))
        for column in tally.keys.values():
            values, code = np.unique(column, return_inverse=True)
            again = [float(bound.at(tally, w * rng.uniform(0.5, 1.5, len(values))[code])) for _ in range(3)]
            if np.allclose(again, here, rtol=1e-9, atol=1e-9):
                return [np.flatnonzero(seen & (code == i)) for i in np.unique(code[seen])]
        return [np.flatnonzero(seen)]

    def of_two_sorts(self, bound: Bound) -> bool:
        """Whether rows move the measure in only two ways, as hits and misses do: then it follows from one share."""
        u = self._seen(bound)
        if self.profiles is not None or u is None:
            return False
        moved = u[np.abs(u) > 0]
        for side in (moved[moved > 0], moved[moved < 0]):
            if len(side) and np.ptp(side) > 1e-4 * float(np.abs(side).max()):
                return False
        return True

    @property
    def _tilted(self) -> Floats:
        """Multiplicities away from the data, where nothing cancels by chance."""
        return np.asarray(self.tally.mass * np.random.default_rng(0).uniform(0.5, 1.5, len(self.tally.counts)))

    def _seen(self, bound: Bound) -> Floats | None:
        """How much a row of each kind moves the measure there; None where that is not known."""
        if not has_influences(bound, self.tally):
            return None
        return np.asarray(influences(bound, self.tally, self._tilted))

    def within(self, column: str) -> list[Ints]:
        """The kinds of rows that share a key, for each of its values."""
        values, code = np.unique(self.tally.keys[column], return_inverse=True)
        return [np.flatnonzero(code == i) for i in range(len(values))]


def shuffle_draws(table: Ints, strata: Sequence[Ints], size: int, rng: np.random.Generator) -> Ints:
    """Tables in which the groups are shuffled within each stratum."""
    out = np.repeat(table[None], size, axis=0)
    for kinds in strata:
        out[..., kinds] = _shuffled(table[:, kinds], size, rng)
    return out


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
