"""Two columns of numbers that are paired row by row, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, plural
from assay.sources.frames import is_missing
from assay.sources.given import array_of, one_dimensional, refuse_extreme
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.ties import differences
from assay.uncertainty.two.pair import check_two_names

# What one value belongs to, as sentences call it.
NOUNS = {"item": "item", "query": "query", "fold": "fold", "dataset": "data set"}


@dataclass(frozen=True, eq=False)
class ValuePairs:
    """Values of two systems on the same items, queries, folds or data sets, maybe in clusters."""

    a: Floats
    b: Floats
    names: tuple[str, str]
    unit: str
    cluster: Ints | None = None
    range: tuple[float, float] | None = None  # of all such values, where it is known

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return len(self.a)

    @property
    def noun(self) -> str:
        """What one pair is called."""
        return NOUNS[self.unit]

    @cached_property
    def d(self) -> Floats:
        """A minus B; differences due to rounding are 0."""
        return differences(self.a, self.b)

    @cached_property
    def rounded(self) -> int:
        """How many pairs differ by rounding alone."""
        return int(((self.a != self.b) & (self.d == 0)).sum())

    @property
    def difference(self) -> float:
        """The mean of A minus that of B."""
        return float(self.d.mean())

    @cached_property
    def sums(self) -> Floats:
        """The differences that are drawn or flipped together, added up: one per cluster, or one per pair."""
        if self.cluster is None:
            return self.d
        return np.asarray(np.bincount(self.cluster, weights=self.d), np.float64)

    @cached_property
    def sizes(self) -> Floats:
        """How many pairs each sum holds."""
        if self.cluster is None:
            return np.ones(self.n)
        return np.bincount(self.cluster).astype(np.float64)

    @property
    def identical(self) -> bool:
        """Whether no pair differs."""
        return not self.d.any()

    @cached_property
    def binary(self) -> bool:
        """Whether every value is 0 or 1, so that a mean is a share."""
        return bool(np.isin(self.a, (0, 1)).all() and np.isin(self.b, (0, 1)).all())


def value_pairs(
    a: Any, b: Any, names: tuple[str, str], unit: str, cluster: Any = None, range: Any = None
) -> ValuePairs:
    """The pairs, or a message about what is wrong with them."""
    check_two_names(names)
    noun = NOUNS[unit]
    first, second = (_numbers(values, name, noun) for values, name in zip((a, b), names, strict=True))
    if len(first) != len(second):
        raise DataError(
            f"{names[0]} has {plural(len(first), 'value')} and {names[1]} has {len(second):,}; "
            f"give one of each for every {noun}, in the same order."
        )
    if len(first) < 2:
        raise DataError(f"{plural(len(first), noun)} cannot be compared; at least 2 are needed.")
    codes = None if cluster is None else _codes(cluster, len(first), noun)
    ends = None if range is None else _ends(range, {names[0]: first, names[1]: second}, noun)
    return ValuePairs(first, second, names, unit, codes, ends)


def _ends(range: Any, values: dict[str, Floats], noun: str) -> tuple[float, float]:
    """The ends of a declared range, if they are two numbers and hold all values."""
    try:
        low, high = (float(end) for end in range)
    except (TypeError, ValueError):
        low = high = float("nan")
    if not (np.isfinite((low, high)).all() and low < high):
        raise OptionError(f"range is {range!r}; give the lowest and the highest possible value, such as (0, 1).")
    for name, each in values.items():
        outside = np.flatnonzero((each < low) | (each > high))
        if len(outside):
            raise DataError(
                f"the value of {name} for {noun} {outside[0] + 1} is {each[outside[0]]:g}, outside the declared range "
                f"from {low:g} to {high:g}; declare the range of such values, or none."
            )
    return low, high


def _numbers(values: Any, name: str, noun: str) -> Floats:
    found = array_of(values)
    if np.ma.is_masked(values):
        raise DataError(f"some values of {name} are masked; leave such a {noun} out for both systems.")
    if found.ndim != 1:
        raise DataError(f"the values of {name} have {found.ndim} dimensions; give one list with a number per {noun}.")
    if found.dtype.kind not in "biuf":
        found = np.array([_number(v, i, name, noun) for i, v in enumerate(found.tolist())], np.float64)
    found = found.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        raise DataError(
            f"the value of {name} for {noun} {wrong[0] + 1} is {found[wrong[0]]}; {len(wrong):,} in total are not "
            f"finite. Leave this {noun} out for both systems, or give it a value."
        )
    refuse_extreme(found, f"the largest value of {name}")
    return found


def _number(value: Any, place: int, name: str, noun: str) -> float:
    if isinstance(value, str) or value is None:
        raise DataError(f"the value of {name} for {noun} {place + 1} is {value!r}; values are numbers.")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"the value of {name} for {noun} {place + 1} is {value!r}; values are numbers.") from None


def _codes(labels: Sequence[Any], n: int, noun: str) -> Ints:
    """The number of each pair's cluster, in order of first appearance."""
    column = one_dimensional(labels, "cluster")
    if len(column) != n:
        raise DataError(f"cluster has {plural(len(column), 'label')} for {plural(n, noun)}; give one for each.")
    names = column.tolist() if isinstance(column, np.ndarray) else column
    if any(is_missing(name) for name in names):
        raise DataError(f"cluster has a missing label; every {noun} belongs to a cluster.")
    seen: dict[Any, int] = {}
    try:
        codes = np.array([seen.setdefault(label, len(seen)) for label in names], np.int64)
    except TypeError:
        raise DataError("cluster contains a list or an array in place of a label.") from None
    if len(seen) < 2:
        raise DataError(f"all {n:,} values lie in one cluster; at least 2 are needed.")
    return codes
