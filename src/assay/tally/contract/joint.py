"""Two systems judged on the same items: one table of units, read from either side."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError
from assay.tally.contract.base import Tally
from assay.tally.contract.grouping import group_rows
from assay.tally.contract.sampling import Floats, Ints, Sampling

T = TypeVar("T", bound=Tally)


@dataclass(frozen=True, eq=False)
class Joint(Generic[T]):
    """The same items under two systems: unit i of side A and unit i of side B are the same items."""

    a: T
    b: T
    names: tuple[str, str] = ("A", "B")

    def __post_init__(self) -> None:
        if type(self.a) is not type(self.b) or not np.array_equal(self.a.counts, self.b.counts):
            raise DataError("the two sides of a joint tally must list the same units with the same counts.")

    @property
    def counts(self) -> Ints:
        """How many items each joint unit has."""
        return self.a.counts

    @property
    def n(self) -> int:
        """How many items both systems were judged on."""
        return self.a.n

    @property
    def mass(self) -> Floats:
        """The multiplicities of the data."""
        return self.a.mass

    @property
    def sampling(self) -> Sampling:
        """What a resample draws from: items, or whole clusters."""
        return self.a.sampling

    def side(self, name: str) -> T:
        """One system's own tally, over the joint units."""
        if name not in self.names:
            raise OptionError(f"there is no side {name!r}; the systems are {self.names[0]!r} and {self.names[1]!r}.")
        return self.a if name == self.names[0] else self.b

    def swapped(self) -> Joint[T]:
        """The same comparison with the systems swapped."""
        return Joint(self.b, self.a, (self.names[1], self.names[0]))

    def exchangeable(self) -> Joint[T]:
        """The same items with keys that can be exchanged between systems."""
        return Joint(self.a.exchange_keys(), self.b.exchange_keys(), self.names)

    @cached_property
    def codes(self) -> tuple[Ints, Ints]:
        """A number for what each unit is under A and under B: equal numbers are equal keys."""
        return _codes(self.a.exchange_keys(), self.b.exchange_keys())

    @cached_property
    def apart_as_they_are(self) -> int:
        """On how many items the two systems gave different answers, compared as given and not as ranks."""
        apart = np.zeros(len(self.counts), bool)
        for name, column in self.a.keys.items():
            apart |= column != self.b.keys[name]
        return int(self.counts[apart].sum())

    @cached_property
    def disagreements(self) -> int | None:
        """On how many items the two systems answered differently; None if answers cannot be matched."""
        if self.a.no_exchange is not None:
            return None
        a, b = self.codes
        return int(self.counts[a != b].sum())

    def exchange(self, as_they_are: bool = False) -> tuple[Joint[T], Ints]:
        """The table closed under exchange of the systems, and the unit that each unit becomes.

        Mirror images that did not occur are added with count zero. Keys are exchanged on a scale that the systems
        share, or unchanged if a measure declares that they already share one.
        """
        if self.a.no_exchange is not None:
            raise OptionError(
                f"{self.a.kind} tallies cannot be exchanged between systems: {self.a.no_exchange}. "
                "Use test='none' for the difference and its interval."
            )
        a, b = (self.a, self.b) if as_they_are else (self.a.exchange_keys(), self.b.exchange_keys())
        code_a, code_b = _codes(a, b) if as_they_are else self.codes
        base = int(max(code_a.max(initial=0), code_b.max(initial=0))) + 1
        key, mirror = code_a * base + code_b, code_b * base + code_a
        order = np.argsort(key, kind="stable")
        apart = code_a != code_b
        if (np.diff(np.sort(key[apart])) == 0).any():
            raise DataError(
                "two units of this joint tally are equal, so neither has a unique mirror image; merge them."
            )
        missing = np.flatnonzero(~np.isin(mirror, key))
        n = len(key)
        closed = Joint(_appended(a, b, missing), _appended(b, a, missing), self.names)
        swap = np.arange(n + len(missing))  # where the systems agree, a unit is its own mirror image
        found = np.setdiff1d(np.flatnonzero(apart), missing)
        swap[found] = order[np.searchsorted(key[order], mirror[found])]
        swap[missing] = n + np.arange(len(missing))
        swap[n:] = missing
        return closed, swap

    @cached_property
    def outcomes(self) -> tuple[int, int, int, int] | None:
        """How many items only A, only B, both and neither got right; None if answers are not right or wrong."""
        a, b = self.a.right, self.b.right
        if a is None or b is None:
            return None
        only_a, only_b, both, neither = (int(self.counts[which].sum()) for which in (a & ~b, ~a & b, a & b, ~a & ~b))
        return only_a, only_b, both, neither

    def collected(self) -> Joint[T]:
        """Equal joint units merged, in order of first occurrence, whichever system is A."""
        columns = [*self.a.keys.values(), *self.b.keys.values()]
        order, group = group_rows(columns)
        if len(group) and group[-1] == len(group) - 1:
            return self  # no two units are equal
        first = np.full(int(group[-1]) + 1 if len(group) else 0, len(order), np.int64)
        np.minimum.at(first, group, order)
        rank = np.argsort(np.argsort(first))
        into = np.empty(len(order), np.int64)
        into[order] = rank[group]
        first = np.sort(first)
        return Joint(self.a.merged(into, first), self.b.merged(into, first), self.names)

    def complete(self) -> Joint[T] | None:
        """The joint tally over every unit that could occur, or None if those cannot be listed."""
        pair = self.a.complete_with(self.b)
        return None if pair is None else Joint(*pair, self.names)


def _codes(a: Tally, b: Tally) -> tuple[Ints, Ints]:
    columns: list[NDArray[Any]] = [np.concatenate([a.keys[name], b.keys[name]]) for name in a.keys]
    order, group = group_rows(columns)
    code = np.empty(len(order), np.int64)
    code[order] = group
    return code[: len(a.counts)], code[len(a.counts) :]


def _appended(tally: T, other: T, units: Ints) -> T:
    """The tally with the other side's keys of these units added, none of which occurred."""
    keys = {name: np.concatenate([column, other.keys[name][units]]) for name, column in tally.keys.items()}
    counts = np.concatenate([tally.counts, np.zeros(len(units), np.int64)])
    return dataclasses.replace(tally, keys=keys, counts=counts)
