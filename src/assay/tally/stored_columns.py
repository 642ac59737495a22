"""The columns of a stored tally: lists with an entry for every unit, which become arrays once they are checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import listed
from assay.sources.bounds import MOST_ITEMS
from assay.tally.stored import Held, Place, as_list, fits


class Column(Protocol):
    """A list with an entry for every unit, which becomes an array."""

    def array(self, values: Sequence[Any], place: Place, held: Held) -> NDArray[Any]:
        """The entries, or a `DataError`; how many there are was checked before."""


@dataclass(frozen=True)
class Wholes:
    """Whole numbers up to a bound, which may be another field."""

    low: int = 0
    most: str | int = MOST_ITEMS

    def array(self, values: Sequence[Any], place: Place, held: Held) -> NDArray[Any]:
        """The numbers."""
        high = held[self.most] if isinstance(self.most, str) else self.most
        return whole_array(values, place, self.low, high)


@dataclass(frozen=True)
class Codes:
    """Places in a list of names; one place behind the last is another answer, where the field `beyond` names it."""

    of: str
    beyond: str = ""

    def array(self, values: Sequence[Any], place: Place, held: Held) -> NDArray[Any]:
        """The places."""
        size = len(held[self.of]) + bool(held.get(self.beyond))
        return code_array(values, place, size, self.of)


@dataclass(frozen=True)
class Numbers:
    """Finite numbers."""

    low: float = -math.inf

    def array(self, values: Sequence[Any], place: Place, held: Held) -> NDArray[Any]:
        """The numbers; -0.0 becomes 0.0, so that equal numbers are equal keys."""
        if not set(map(type, values)) <= {int, float}:
            bad = next(i for i, value in enumerate(values) if type(value) not in (int, float))
            raise place.at(bad).unlike(values[bad], self._wanted)
        if not all(map(fits, values)) or (values and min(values) < self.low):
            bad = next(i for i, value in enumerate(values) if not fits(value) or value < self.low)
            raise place.at(bad).unlike(values[bad], self._wanted)
        return np.array(values, np.float64) + 0.0

    @property
    def _wanted(self) -> str:
        return "a finite number" if self.low == -math.inf else f"a finite number from {self.low:g} up"


@dataclass(frozen=True)
class Flags:
    """True or false."""

    def array(self, values: Sequence[Any], place: Place, held: Held) -> NDArray[Any]:
        """The truth values."""
        if not set(map(type, values)) <= {bool}:
            bad = next(i for i, value in enumerate(values) if type(value) is not bool)
            raise place.at(bad).unlike(values[bad], "true or false")
        return np.array(values, bool)


@dataclass(frozen=True)
class ForEach:
    """A column for every name that another field lists; its own name has the number of that name in it."""

    of: str
    column: Column


Columns = Mapping[str, Column | ForEach]


def whole_array(values: Sequence[Any], place: Place, low: int, high: int) -> NDArray[Any]:
    """Whole numbers between two bounds."""
    if not set(map(type, values)) <= {int} or (values and not (low <= min(values) and max(values) <= high)):
        bad = next(i for i, value in enumerate(values) if type(value) is not int or not low <= value <= high)
        raise place.at(bad).unlike(values[bad], f"a whole number from {low:,} to {high:,}")
    return np.array(values, np.int64)


def code_array(values: Sequence[Any], place: Place, size: int, of: str) -> NDArray[Any]:
    """Places in a list of this many names."""
    if not set(map(type, values)) <= {int} or (values and not (min(values) >= 0 and max(values) < size)):
        bad = next(i for i, value in enumerate(values) if type(value) is not int or not 0 <= value < size)
        raise place.at(bad).unlike(values[bad], f"the place of one of {size:,} {of}, counted from 0,")
    return np.array(values, np.int64)


def count_array(value: Any, place: Place) -> NDArray[Any]:
    """How many items each unit has: not more than can be counted exactly, one by one and together."""
    counts = as_list(value, place)
    out = whole_array(counts, place, 0, MOST_ITEMS)
    if sum(counts) > MOST_ITEMS:
        raise place.refused(f"adds up to {sum(counts):,}", f"at most {MOST_ITEMS:,} items can be counted exactly")
    return out


def column_arrays(value: Any, columns: Columns, place: Place, held: Held, length: int) -> dict[str, NDArray[Any]]:
    """The arrays of all columns, in the order in which they are declared."""
    if not isinstance(value, dict):
        raise place.unlike(value, "an object")
    every: dict[str, Column] = {}
    for name, column in columns.items():
        if isinstance(column, ForEach):
            every |= {name.format(i): column.column for i in range(len(held[column.of]))}
        else:
            every[name] = column
    for name in every:
        if name not in value:
            raise place.at(name).refused("is missing", f"the columns are {listed(every)}")
    strange = next((name for name in value if name not in every), None)
    if strange is not None:
        raise place.at(strange).refused("is not known here", f"the columns are {listed(every)}")
    return {
        name: column.array(as_list(value[name], place.at(name), length), place.at(name), held)
        for name, column in every.items()
    }
