"""What is drawn when data are resampled: single items, or whole clusters grouped by what they contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """How many items of each unit every cluster contains, as (cluster, unit, count) entries sorted by cluster."""

    names: tuple[str, ...]
    cluster: Ints
    unit: Ints
    count: Ints
    weight: Floats | None = None  # sums of importance weights, if rows are weighted

    @property
    def mass(self) -> Floats:
        """What each entry adds to its unit: items, or their weights."""
        return self.count.astype(np.float64) if self.weight is None else self.weight

    @cached_property
    def matrix(self) -> csr_array[Any]:
        """Clusters in rows, units in columns."""
        from scipy.sparse import csr_array

        columns = int(self.unit.max(initial=-1)) + 1
        start = np.searchsorted(self.cluster, np.arange(len(self.names) + 1))
        return csr_array((self.mass, self.unit, start), shape=(len(self.names), columns))

    def profiles(self, units: int) -> tuple[csr_array[Any], Ints, Ints]:
        """The distinct contents of clusters, how many clusters have each, and the profile of every cluster."""
        from scipy.sparse import csr_array

        first, which = self._distinct
        rows = self.matrix[first]
        rows = csr_array((rows.data, rows.indices, rows.indptr), shape=(len(first), units))
        return rows, np.bincount(which, minlength=len(first)).astype(np.int64), which

    @cached_property
    def _distinct(self) -> tuple[Ints, Ints]:
        """The first cluster of each content, in order, and the number of its content for every cluster."""
        start, mass = np.searchsorted(self.cluster, np.arange(len(self.names) + 1)), self.mass
        # Contents are distinguished by one number each, which is then checked.
        marks = np.random.default_rng(0).random((2, int(self.unit.max(initial=0)) + 1))[:, self.unit]
        mark = add_up(self.cluster, marks[0] * mass + marks[1], len(self.names))
        _, first, which = np.unique(mark, return_index=True, return_inverse=True)
        leader = first[which]
        alike = np.array_equal(np.diff(start), np.diff(start)[leader])
        if alike:
            same = start[leader][self.cluster] + np.arange(len(mass)) - start[self.cluster]
            alike = np.array_equal(self.unit[same], self.unit) and np.array_equal(mass[same], mass)
        if not alike:
            return self._distinct_one_by_one(start)
        rank = np.argsort(np.argsort(first))
        return np.sort(first), rank[which]

    def _distinct_one_by_one(self, start: Ints) -> tuple[Ints, Ints]:
        """The same by comparing contents, should two different ones have the same number."""
        seen: dict[bytes, int] = {}
        which = np.empty(len(self.names), np.int64)
        first: list[int] = []
        for i in range(len(self.names)):
            entries = slice(start[i], start[i + 1])
            content = self.unit[entries].tobytes() + self.mass[entries].tobytes()
            which[i] = seen.setdefault(content, len(seen))
            if which[i] == len(first):
                first.append(i)
        return np.array(first, np.int64), which

    def only(self, units: NDArray[np.bool_]) -> Clusters:
        """The clusters restricted to some of the units; clusters without any of them are dropped."""
        held = units[self.unit]
        present, cluster = np.unique(self.cluster[held], return_inverse=True)
        unit = (np.cumsum(units) - 1)[self.unit[held]]
        names = tuple(self.names[i] for i in present)
        return Clusters(names, cluster, unit, self.count[held], None if self.weight is None else self.weight[held])

    def renumbered(self, unit: Ints) -> Clusters:
        """The same clusters after unit i has become unit[i]; entries that coincide are added up."""
        return collect_clusters(self.names, self.cluster, unit[self.unit], self.count, self.weight)


def collect_clusters(
    names: tuple[str, ...], cluster: Ints, unit: Ints, count: Ints, weight: Floats | None = None
) -> Clusters:
    """Entries sorted by cluster and unit, each pair once."""
    width = int(unit.max(initial=0)) + 1
    key, back = np.unique(cluster * width + unit, return_inverse=True)
    total = np.bincount(back, weights=count, minlength=len(key)).astype(np.int64)
    heavy = None if weight is None else sum_into(back, weight, len(key))
    return Clusters(names, key // width, key % width, total, heavy)


def whole_numbers(most: int, n: int) -> type[Any]:
    """The type in which multiplicities of up to so many of n items are kept; doubled it still holds them."""
    if n >= 1 << 31:
        return np.float64
    return np.int8 if most < 1 << 6 else np.int32


def running(x: NDArray[Any]) -> NDArray[Any]:
    """Sums up to each place of the last axis; whole numbers stay whole, which is ten times as fast."""
    return np.cumsum(x, axis=-1, dtype=np.int32 if x.dtype == np.int32 else None)


def add_up(codes: Ints, w: NDArray[Any], size: int) -> Floats:
    """Sums of w for each code."""
    return np.asarray(np.bincount(codes, weights=w, minlength=size), np.float64)


def counted_by_name(codes: Ints, counts: Ints, names: Sequence[str]) -> list[tuple[str, int]]:
    """How many items each name has, ordered by name; names without items are left out."""
    sums = add_up(codes, counts, len(names)).astype(int).tolist()
    return sorted((name, n) for name, n in zip(names, sums, strict=True) if n)


def sum_into(into: Ints, values: Floats, size: int) -> Floats:
    """Sums of values for each target, added in order of size so that the order of rows does not matter."""
    order = np.lexsort((values, into))
    return add_up(into[order], values[order], size)


def add_clusters(a: Clusters, b: Clusters, shift: int) -> Clusters:
    """Clusters of two tallies whose units are concatenated; a name in both is one cluster."""
    names = tuple(sorted({*a.names, *b.names}))
    place = {name: i for i, name in enumerate(names)}
    into_a = np.array([place[name] for name in a.names], np.int64)
    into_b = np.array([place[name] for name in b.names], np.int64)
    return collect_clusters(
        names,
        np.concatenate([into_a[a.cluster], into_b[b.cluster]]),
        np.concatenate([a.unit, b.unit + shift]),
        np.concatenate([a.count, b.count]),
        None if a.weight is None or b.weight is None else np.concatenate([a.weight, b.weight]),
    )


@dataclass(frozen=True, eq=False)
class Sampling:
    """The kinds of things that are drawn, how many there are of each, and the units each stands for."""

    counts: Ints
    profiles: csr_array[Any] | None
    strata: Ints | None

    @property
    def n(self) -> int:
        """How many items or clusters were sampled."""
        return int(self.counts.sum())

    def spread(self, times: Floats) -> Floats:
        """Multiplicities of units, from how often each thing was drawn."""
        if self.profiles is None:
            return times
        flat = times.astype(np.float64, copy=False).reshape(-1, times.shape[-1])
        out = np.asarray(flat @ self.profiles, np.float64)
        return out.reshape(*times.shape[:-1], out.shape[-1])

    def sums(self, values: Floats) -> Floats:
        """The sums of unit values, of shape (..., units), over one of each kind drawn."""
        return values if self.profiles is None else np.asarray((self.profiles @ values.T).T, np.float64)

    def one_each(self, part: slice) -> Floats:
        """Multiplicities of units for one of each kind drawn, in turn."""
        if self.profiles is not None:
            return np.asarray(self.profiles[part].toarray(), np.float64)
        index = np.arange(len(self.counts))[part]
        out = np.zeros((len(index), len(self.counts)))
        out[np.arange(len(index)), index] = 1
        return out

    def sizes(self) -> Floats:
        """How many items one of each kind contains."""
        if self.profiles is None:
            return np.ones(len(self.counts))
        return np.asarray(self.profiles.sum(axis=1), np.float64).ravel()


def cluster_strata(clusters: Clusters, which: Ints, strata: Ints) -> Ints:
    """The stratum of each cluster profile; a cluster lies in one stratum."""
    of_entry = strata[clusters.unit]
    low = np.full(len(clusters.names), np.iinfo(np.int64).max)
    high = np.full(len(clusters.names), -1, np.int64)
    np.minimum.at(low, clusters.cluster, of_entry)
    np.maximum.at(high, clusters.cluster, of_entry)
    if (low != high).any():
        name = clusters.names[int(np.flatnonzero(low != high)[0])]
        raise DataError(f"cluster '{name}' has rows in several strata; a cluster must lie within one stratum.")
    out = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    out[which] = low
    return out
