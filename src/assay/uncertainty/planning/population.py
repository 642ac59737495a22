"""Answers of two systems as they would be if one were better by a named amount, made from observed answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare.bound import Bound
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.one.influence import influences, is_linear, unit_rows
from assay.uncertainty.one.resample import CHUNK

Bools = NDArray[np.bool_]

COINS = 4e6  # kinds of pairs times draws that carry the difference, times tosses, up to which coins are tossed
NOTHING = 1e-12
STEEPEST = 60.0  # of a logistic curve: beyond it every answer has gone to one side


@dataclass(frozen=True, eq=False)
class Population:
    """What can be drawn: items or clusters, each as it was observed and with the systems exchanged.

    A pair of mirror images is drawn as often as observed; which of the two it is depends on the assumed difference. So
    the disagreement stays, and the observed difference is not used.
    """

    joint: Joint[Any]  # closed under exchange
    swap: Ints
    bound: Bound

    @classmethod
    def of(cls, joint: Joint[Any], bound: Bound) -> Population:
        """The population that this sample stands for."""
        return cls(*joint.exchange(as_they_are=bound.measure.paired.as_they_are), bound)

    # ------------------------------------------------------------------ what is drawn
    @cached_property
    def kinds(self) -> Any:
        """The units in each kind of cluster, as it is and mirrored; None where single items are drawn."""
        profiles = self.joint.sampling.profiles
        if profiles is None:
            return None
        from scipy.sparse import vstack

        return vstack([profiles, profiles[:, self.swap]]).tocsr()

    @cached_property
    def even(self) -> Floats:
        """The chance of each kind where the systems are exchangeable."""
        seen = self.joint.sampling.counts / self.joint.sampling.n
        return (seen + seen[self.swap]) / 2 if self.kinds is None else np.concatenate([seen, seen]) / 2

    @property
    def size(self) -> int:
        """How many items or clusters were observed."""
        return self.joint.sampling.n

    @property
    def items_each(self) -> float:
        """How many items one draw has on average."""
        return self.joint.n / self.size

    def spread(self, times: Floats) -> Floats:
        """Multiplicities of units, from how often each kind is drawn."""
        return times if self.kinds is None else np.asarray(times @ self.kinds, np.float64)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Each kind that changes under exchange, and its mirror image."""
        if self.kinds is not None:
            seen = len(self.even) // 2
            first = np.flatnonzero(abs(self.kinds[:seen] - self.kinds[seen:]).sum(axis=1))
            return first, first + seen
        first = np.flatnonzero(np.arange(len(self.swap)) < self.swap)
        return first, self.swap[first]

    # ------------------------------------------------------------------ under exchange
    @cached_property
    def slant(self) -> Floats:
        """By how much one draw of each kind favors A: its influence on the difference, times the number drawn."""
        signs = self.bound.signs(self.joint)
        if signs is not None:
            return self._sums(signs.scale * signs.terms.astype(np.float64)) * self.size
        w = self.spread(self.even * self.size)
        return self._sums(self._antisymmetric(influences(self.bound, self.joint.a, w))) * self.size

    @property
    def variance(self) -> float:
        """Of the difference under exchange, times the number drawn."""
        return float((self.even * self.slant**2).sum())

    def _antisymmetric(self, u: Floats) -> Floats:
        return u - u[..., self.swap]

    def _sums(self, u: Floats) -> Floats:
        return u if self.kinds is None else np.asarray((self.kinds @ u.T).T, np.float64)

    # ------------------------------------------------------------------ with a difference
    def tilted(self, steepness: float) -> Floats:
        """The chance of each kind when a mirror image is likelier the more it favors A."""
        from scipy.special import expit

        scale = float(np.abs(self.slant).max(initial=0.0)) or 1.0
        return np.asarray(2 * self.even * expit(steepness * self.slant / scale))

    def difference(self, chances: Floats) -> float:
        """A minus B in a population with these chances."""
        return float(self.differences(chances[None] * self.size)[0])

    @cached_property
    def largest(self) -> float:
        """The difference where every answer that can favor A does; nan where the measure is undefined there."""
        signs = np.sign(self.slant)
        return self.difference(self.even * (1 + signs))

    def chances(self, difference: float) -> Floats | None:
        """The chance of each kind when A is better by this difference, or None where that cannot be reached."""
        low, high = 0.0, 1.0
        while not self.difference(self.tilted(high)) >= difference:
            low, high = high, high * 2
            if high > STEEPEST * 2**20:
                return None
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if self.difference(self.tilted(middle)) >= difference else (middle, high)
        return self.tilted(high)

    # ------------------------------------------------------------------ samples
    def differences(self, times: Floats) -> Floats:
        """A minus B in each sample."""
        w = self.spread(times)
        return np.asarray(self.bound.at(self.joint.a, w) - self.bound.at(self.joint.b, w))

    def signed(self, times: Floats) -> Floats:
        """By how much one draw of each kind favors A in each sample.

        The difference is odd under exchange, so its linear part at the exchanged table is wrong in third order only.
        """
        if not is_linear(self.bound):
            return np.asarray(np.broadcast_to(self.slant, times.shape) / times.sum(-1, keepdims=True))
        w = self.spread(times)
        even = (w + w[:, self.swap]) / 2
        return self._sums(self._antisymmetric(influences(self.bound, self.joint.a, even, self._rows)))

    @cached_property
    def _rows(self) -> Floats:
        return unit_rows(self.bound, self.joint.a)

    @property
    def changing(self) -> int:
        """How many of the observed items or clusters favor one system."""
        times = self.joint.sampling.counts
        return int(times[np.abs(self.slant[: len(times)]) > NOTHING].sum())

    def carrying(self, size: int) -> float:
        """How many draws of equal weight would favor one system or the other in a sample of this size."""
        fourth = float((self.even * self.slant**4).sum())
        return size * self.variance**2 / fourth if fourth > 0 else 0.0

    def tosses(self, size: int, test: Exchange) -> bool:
        """Whether the test on samples of this size is made by coin tosses, not by a normal tail.

        Where few kinds of answers carry the difference, it falls on a lattice that the normal tail does not see.
        """
        return self.carrying(size) * len(self.pairs[0]) * test.draws < COINS

    def form(self, size: int, test: Exchange) -> str:
        """How the test is made on samples of this size, in words."""
        return (
            "tossing a coin for each item" if self.tosses(size, test) else "the normal approximation to all exchanges"
        )

    def found(self, chances: Floats, test: Exchange, size: int, repeats: int, seed: int) -> int:
        """In how many of these samples of this size the test detects a difference."""
        rng, coins = np.random.default_rng(seed), self.tosses(size, test)
        first, second = self.pairs
        step = max(1, CHUNK // (test.draws * max(len(first), 1) if coins else len(chances)))
        share, total = chances / math.fsum(chances), 0
        for start in range(0, repeats, step):
            times = rng.multinomial(size, share, size=min(step, repeats - start)).astype(np.float64)
            signed = self.signed(times)[:, first]
            for_a, both = times[:, first] - times[:, second], times[:, first] + times[:, second]
            observed = (for_a * signed).sum(-1)
            made = test.tossed(both, signed, observed, rng) if coins else test.normal(both, signed, observed)
            total += int(made.sum())
        return total


@dataclass(frozen=True)
class Exchange:
    """The test by exchange in a form that is fast enough to be made thousands of times."""

    alpha: float
    alternative: str

    @property
    def draws(self) -> int:
        """Enough tosses that ten of them may be as extreme as what was observed."""
        return math.ceil(10 / self.alpha - NOTHING) - 1

    def _out(self, values: Floats) -> Floats:
        """How extreme a value is, for the alternative."""
        return {"two-sided": np.abs(values), "greater": values, "less": -values}[self.alternative]

    def normal(self, both: Floats, signed: Floats, observed: Floats) -> Bools:
        """Whether each sample is significant by the normal approximation to all exchanges."""
        from scipy.special import ndtri

        tail = self.alpha / 2 if self.alternative == "two-sided" else self.alpha
        deviation = np.sqrt((both * signed**2).sum(-1))
        return np.asarray(self._out(observed) > float(ndtri(1 - tail)) * deviation + NOTHING)

    def tossed(self, both: Floats, signed: Floats, observed: Floats, rng: np.random.Generator) -> Bools:
        """Whether each sample is significant by a coin for every item or cluster that changes under exchange."""
        coins = both.astype(np.int64)
        heads = rng.binomial(coins, 0.5, size=(self.draws, *coins.shape))
        bar = self._out(observed)
        extreme = (self._out(((2 * heads - coins) * signed).sum(-1)) >= bar - 1e-9 * np.abs(bar) - NOTHING).sum(0)
        return np.asarray((extreme + 1) / (self.draws + 1) <= self.alpha + NOTHING)
