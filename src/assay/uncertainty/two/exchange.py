"""What exchanging two systems item by item does to a statistic: coins to toss, and the statistic of the outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints, whole_numbers
from assay.uncertainty.one.influence import (
    added_up,
    feature_slopes,
    few_features,
    in_columns,
    influences,
    is_linear,
    sparsely_moved,
    unit_rows,
)
from assay.uncertainty.two.discordant import Discordant, discordant
from assay.uncertainty.two.tosses import changed_pairs

FEW_UNITS = 16  # units whose products two by two are no more than clusters usually hold
MANY = 1000  # clusters
IN_CACHE = 1 << 18  # numbers in tables that are read at once
WHOLE = 1e-12  # differences below this count as 0


class Exchange(Protocol):
    """A table under exchange: how many coins of each kind there are, and the statistic of tables after tosses."""

    @property
    def coins(self) -> Ints:
        """How many coins of each kind are tossed."""

    @property
    def width(self) -> int:
        """How many numbers one table takes."""

    def observed(self) -> float:
        """The statistic of the data."""

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""


def exchange_of(joint: Joint[Any], bound: Bound, statistic: str) -> Exchange:
    """The cheapest exchange that is exact for this statistic."""
    closed, swap = joint.exchange(as_they_are=bound.measure.paired.as_they_are)
    if statistic == "studentized" and not is_linear(bound):
        raise OptionError(f"{bound.spelling} has no derivative to studentize with; use the statistic raw.")
    if joint.sampling.profiles is not None and is_linear(bound) and len(swap) <= FEW_UNITS:
        return ByCluster(closed, swap, bound, statistic)
    if joint.sampling.profiles is not None:
        return ByUnit(closed, swap, bound, statistic)
    if not is_linear(bound):
        return RawByUnit(closed, swap, bound)
    counts = discordant(joint, bound)
    if counts is not None:
        return OfShare(counts, statistic)
    if not few_features(bound, closed.a):
        return RawByUnit(closed, swap, bound) if statistic == "raw" else ByUnit(closed, swap, bound, statistic)
    return Studentized(closed, swap, bound) if statistic == "studentized" else Merged(closed, swap, bound)


@dataclass(frozen=True, eq=False)
class InSigns:
    """A raw difference that is a sum of terms with random signs under exchange: one for each item, or whole cluster."""

    terms: Floats | Ints  # of one item or cluster of each kind
    times: Ints
    scale: float  # what the sum is multiplied by

    @classmethod
    def of(cls, joint: Joint[Any], bound: Bound) -> InSigns | None:
        """The signs of this difference, or None where it is not such a sum."""
        if not bound.measure.paired.is_signed or joint.a.no_exchange is not None or joint.a.weights is not None:
            return None
        signs = bound.signs(joint if bound.measure.paired.as_they_are else joint.exchangeable())
        if signs is None:
            return None
        sampling, terms = joint.sampling, signs.terms
        if sampling.profiles is not None:
            sums = sampling.sums(terms.astype(np.float64))
            terms = np.rint(sums).astype(np.int64) if terms.dtype.kind == "i" else sums
        # A negative scale flips all signs, so that what is greater stays greater.
        return cls(terms if signs.scale >= 0 else -terms, sampling.counts, abs(signs.scale))

    @property
    def observed(self) -> float:
        """The sum in the data, where every sign is that of its term."""
        total = (self.terms * self.times).sum()
        return int(total) if self.terms.dtype.kind == "i" else float(total)

    @property
    def variance(self) -> float:
        """Of the difference under exchange."""
        return self.scale**2 * float((self.times * np.square(self.terms, dtype=np.float64)).sum())

    @property
    def largest(self) -> float:
        """The difference if every term favored A."""
        return self.scale * float((self.times * np.abs(self.terms)).sum())

    @property
    def changing(self) -> int:
        """How many items or clusters favor one system."""
        sizes = np.abs(self.terms)
        return int(self.times[sizes > WHOLE * sizes.max(initial=0)].sum())


def _distinct(rows: Floats) -> tuple[Ints, Ints]:
    """The first of each kind of row, and the kind of every row."""
    # Rows are distinguished by one number each, which is then checked: sorting whole rows takes long.
    mark = (rows * np.random.default_rng(0).random(rows.shape[-1])).sum(-1)
    _, first, kind = np.unique(mark, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][kind], rows):
        _, first, kind = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, kind.ravel()


# ---------------------------------------------------------------------- shares
class OfShare:
    """The difference of two shares of the same items: one coin for each item that is a hit for one system only."""

    def __init__(self, counts: Discordant, statistic: str) -> None:
        self.counts, self.studentized = counts, statistic == "studentized"
        # Heads are hits of the system that is ahead, so that naming the systems the other way round negates all draws.
        self.ahead = 1 if counts.only_a >= counts.only_b else -1
        either = counts.only_a + counts.only_b
        self.coins = np.array([either] if either else [], np.int64)

    @property
    def width(self) -> int:
        """One number."""
        return 1

    def observed(self) -> float:
        """The statistic of the data."""
        heads = [max(self.counts.only_a, self.counts.only_b)] if len(self.coins) else []
        return float(self(np.array([heads], np.int64))[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        n, either = self.counts.trials, self.coins.sum()
        delta = np.asarray(self.ahead * (2 * heads - self.coins).sum(-1) / n)
        return over_error(delta, (either / n - delta**2) / n) if self.studentized else delta


# ---------------------------------------------------------------------- sums over units
class Merged:
    """The raw difference where the evidence is a sum over units, and so depends on signed sums of their differences.

    Items that differ between the systems by the same evidence, up to sign, share their coins: heads is how many of them
    end as the first of them was.
    """

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound) -> None:
        rows = unit_rows(bound, joint.a)
        first, size = changed_pairs(joint.counts, swap)
        apart = rows[first] - rows[swap[first]]
        lead = apart[np.arange(len(apart)), (np.abs(apart) > WHOLE).argmax(axis=1)] if len(apart) else np.zeros(0)
        sign = np.where(lead < 0, -1.0, 1.0)
        leader, group = _distinct(np.round(apart * sign[:, None], 9))
        alike = sign == sign[leader][group]
        self.bound = bound
        self.evidence: Any = bound.evidence.of(joint.a, joint.mass)
        self.both = rows.T @ joint.mass + rows[swap].T @ joint.mass
        changes = (np.abs(apart[leader]) > WHOLE).any(axis=1)
        self.coins = np.bincount(group, weights=size, minlength=len(leader)).astype(np.int64)
        heads = np.where(alike, joint.counts[first], joint.counts[swap[first]])
        self.heads = np.bincount(group, weights=heads, minlength=len(leader)).astype(np.int64)
        self.coins, self.heads = self.coins[changes], self.heads[changes]
        self.moves = in_columns(apart[leader][changes])

    @property
    def width(self) -> int:
        """Coins, and the evidence of both systems."""
        return len(self.coins) + 2 * len(self.both)

    def observed(self) -> float:
        """The difference in the data."""
        return float(self(self.heads[None])[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        apart = added_up(2 * heads - self.coins, self.moves)
        a, b = (self.bound(self.evidence.with_features((self.both + way * apart) / 2)) for way in (1, -1))
        return np.asarray(a - b)


class Studentized:
    """The difference over its delta-method error, from the joint cells.

    Cells are many and the sides they have are few, so influences are found for the distinct sides.
    """

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound) -> None:
        rows = unit_rows(bound, joint.a)
        self.bound = bound
        self.evidence: Any = bound.evidence.of(joint.a, joint.mass)
        self.first, self.coins = changed_pairs(joint.counts, swap)
        self.heads = joint.counts[self.first]
        leader, side = _distinct(rows)
        self.sides = rows[leader]
        self.columns = in_columns(self.sides.T)
        self.a, self.b = side[self.first], side[swap[self.first]]
        self.moves = in_columns(self.sides[self.a] - self.sides[self.b])
        self.both = rows.T @ joint.mass + rows[swap].T @ joint.mass
        still = np.flatnonzero(swap == np.arange(len(swap)))
        self.still = np.bincount(side[still], weights=joint.mass[still], minlength=len(self.sides))

    @property
    def width(self) -> int:
        """Both mirror images of every coin, and the sides."""
        return 2 * len(self.coins) + 2 * len(self.sides) + 2 * len(self.both)

    def observed(self) -> float:
        """The statistic of the data."""
        return float(self(self.heads[None])[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        apart = added_up(2 * heads - self.coins, self.moves)
        systems = [self.evidence.with_features((self.both + way * apart) / 2) for way in (1, -1)]
        values = [self.bound(e) for e in systems]
        # One row for each side and one column for each table, so that a gather copies whole rows.
        p, q = (sparsely_moved(feature_slopes(self.bound, e), self.columns) for e in systems)
        variance = self.still @ (p - q) ** 2
        kept, turned = p[self.a], p[self.b]
        kept -= q[self.b]
        turned -= q[self.a]
        kept *= kept
        turned *= turned
        tossed = heads.T.astype(np.float64)
        variance += np.einsum("ij,ij->j", tossed, kept)
        variance += np.einsum("ij,ij->j", self.coins[:, None] - tossed, turned)
        return over_error(np.asarray(values[0] - values[1]), variance)


# ---------------------------------------------------------------------- whole clusters
class ByCluster:
    """Whole clusters are exchanged, and units are few: sums over the clusters that stay are all that a table needs.

    They are sums of what clusters hold, and of its products two by two, which give squares of sums of influences.
    """

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound, statistic: str) -> None:
        self.joint, self.swap, self.bound = joint, swap, bound
        self.studentized = statistic == "studentized"
        sampling = joint.sampling
        assert sampling.profiles is not None
        first = np.flatnonzero(sampling.counts > 0)
        self.coins = sampling.counts[first]
        held = sampling.profiles[first].toarray()
        self.i, self.j = np.triu_indices(len(swap))
        products = held[:, self.i] * held[:, self.j] * np.where(self.i < self.j, 2, 1)
        self.columns = in_columns(np.hstack([held, products]) if self.studentized else held)
        self.total = added_up(self.coins, self.columns)

    @property
    def width(self) -> int:
        """The units of a table; the clusters where they are many."""
        return len(self.coins) if len(self.coins) > MANY else len(self.swap)

    def observed(self) -> float:
        """The statistic of the data."""
        return float(self(self.coins[None])[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        units, a, b = len(self.swap), self.joint.a, self.joint.b
        stay = added_up(heads, self.columns)
        leave = self.total - stay
        w = stay[:, :units] + leave[:, :units][:, self.swap]
        delta = np.asarray(self.bound.at(a, w) - self.bound.at(b, w))
        if not self.studentized:
            return delta
        # Side B is side A with the units mirrored, so one derivative serves both.
        slope = influences(self.bound, a, w) - influences(self.bound, a, w[:, self.swap])[:, self.swap]
        mirrored = slope[:, self.swap]
        variance = (stay[:, units:] * slope[:, self.i] * slope[:, self.j]).sum(-1)
        variance += (leave[:, units:] * mirrored[:, self.i] * mirrored[:, self.j]).sum(-1)
        return over_error(delta, variance)


# ---------------------------------------------------------------------- any evidence
class RawByUnit:
    """The raw difference of any evidence, from the multiplicities of all units of a table of independent items."""

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound) -> None:
        counts = joint.counts
        first, self.coins = changed_pairs(counts, swap)
        still = np.delete(np.arange(len(swap)), np.concatenate([first, swap[first]]))
        # Units that mirror each other share their coins: heads of both end in the first.
        self.order = np.concatenate([first, swap[first], still])
        self.heads, self.still = counts[first], counts[still]
        self.a, self.b = (_in_order(side, self.order) for side in (joint.a, joint.b))
        self.bound = bound
        whole = whole_numbers(int((counts + counts[swap]).max(initial=0)), joint.n)
        self.type = whole if bound.evidence.whole else np.float64
        self.total = bound.evidence.of(self.a, (counts + counts[swap])[self.order].astype(self.type))

    @property
    def width(self) -> int:
        """The units of a table."""
        return len(self.order)

    def observed(self) -> float:
        """The statistic of the data."""
        return float(self(self.heads[None])[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        parts = np.array_split(heads, max(1, -(-len(heads) * self.width // IN_CACHE)))
        return np.concatenate([self._of(part) for part in parts])

    def _of(self, heads: Ints) -> Floats:
        w, pairs = np.empty((len(heads), len(self.order)), self.type), len(self.coins)
        w[:, :pairs] = heads
        np.subtract(self.coins, w[:, :pairs], out=w[:, pairs : 2 * pairs], casting="unsafe")
        w[:, 2 * pairs :] = self.still
        a = self.bound.evidence.of(self.a, w)
        # Side B is side A with the units mirrored: where evidence is a sum, it is what A leaves of both.
        b = a.rest_of(self.total) if self.bound.evidence.whole else self.bound.evidence.of(self.b, w)
        return np.asarray(self.bound(a) - self.bound(b))


def _in_order(tally: Tally, units: Ints) -> Tally:
    keys = {name: column[units] for name, column in tally.keys.items()}
    return replace(tally, keys=keys, counts=tally.counts[units])


class ByUnit:
    """Any statistic, from the multiplicities of all units; whole clusters are exchanged where there are clusters."""

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound, statistic: str) -> None:
        self.joint, self.swap, self.bound = joint, swap, bound
        self.studentized = statistic == "studentized"
        self.rows = unit_rows(bound, joint.a) if self.studentized else None
        sampling = joint.sampling
        if sampling.profiles is None:
            self.first, self.coins = changed_pairs(sampling.counts, swap)
        else:
            self.first = np.flatnonzero(sampling.counts > 0)
            self.coins = sampling.counts[self.first]

    @property
    def width(self) -> int:
        """The units of a table."""
        return len(self.swap)

    def observed(self) -> float:
        """The statistic of the data."""
        return float(self.of(self.joint.sampling.counts.astype(np.float64)[None])[0])

    def __call__(self, heads: Ints) -> Floats:
        """The statistic for each row of numbers of heads."""
        counts = self.joint.sampling.counts.astype(np.float64)
        kept = np.repeat(counts[None], len(heads), axis=0)
        kept[:, self.first] = heads
        if self.joint.sampling.profiles is None:
            # Units that mirror each other share their coins: heads of both end in the first.
            kept[:, self.swap[self.first]] = self.coins - heads
        return self.of(kept)

    def of(self, kept: Floats) -> Floats:
        """The statistic when this many of each sampling unit stay as they are."""
        sampling, swap = self.joint.sampling, self.swap
        exchanged = sampling.counts - kept
        w = kept
        if sampling.profiles is not None:
            w = sampling.spread(kept) + sampling.spread(exchanged)[:, swap]
        a, b = self.joint.a, self.joint.b
        delta = np.asarray(self.bound.at(a, w) - self.bound.at(b, w))
        if not self.studentized:
            return delta
        # Side B is side A with the units mirrored, so one derivative serves both.
        slope = influences(self.bound, a, w, self.rows)
        slope = slope - influences(self.bound, a, w[:, swap], self.rows)[:, swap]
        if sampling.profiles is None:
            return over_error(delta, (w * slope**2).sum(-1))
        own, mirrored = (sampling.sums(side) ** 2 for side in (slope, slope[:, swap]))
        return over_error(delta, (kept * own + exchanged * mirrored).sum(-1))


def over_error(delta: Floats, variance: Floats) -> Floats:
    """δ / se, with ±∞ for a difference without spread and 0 for none at all."""
    se = np.sqrt(np.maximum(variance, 0))
    flat = se <= WHOLE
    out = np.divide(delta, se, out=np.zeros_like(delta), where=~flat)
    out[flat & (delta > WHOLE)] = np.inf
    out[flat & (delta < -WHOLE)] = -np.inf
    out[np.isnan(delta)] = np.nan
    return out
