"""A stored tally restored: its columns, clusters and weights, which must be consistent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import listed
from assay.sources.given import MOST_ITEMS
from assay.tally.contract.sampling import Clusters, Floats, Ints, add_up
from assay.tally.contract.schema import Fields, Form, Held, Names, Place, Text, Whole, as_list, fits


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
    """Indices into a list of names; the index after the last is another answer, if the field `beyond` names it."""

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
        return "a finite number" if self.low == -math.inf else f"a finite number of at least {self.low:g}"


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
    """A column for every name that another field lists; its own name contains the index of that name."""

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
        raise place.at(bad).unlike(values[bad], f"the index of one of {size:,} {of}, counted from 0,")
    return np.array(values, np.int64)


def count_array(value: Any, place: Place) -> NDArray[Any]:
    """How many items each unit has: no more than can be counted exactly, singly and in total."""
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
        raise place.at(strange).refused("is unknown", f"the columns are {listed(every)}")
    return {
        name: column.array(as_list(value[name], place.at(name), length), place.at(name), held)
        for name, column in every.items()
    }


CLOSE = 1e-9  # relative tolerance for sums of weights that were added in different orders


def check_kind(stored: Mapping[str, Any], kind: str, schema: int, place: Place) -> None:
    """Stop unless this is stored as this kind, in the form that this version writes."""
    for name in ("kind", "schema"):
        if name not in stored:
            raise place.refused(f"is not a tally that assay wrote: it has no '{name}'", "count the rows again")
    if stored["kind"] != kind or type(stored["schema"]) is not int or stored["schema"] != schema:
        came = f"contains {stored['kind']!r} of schema {stored['schema']!r}"
        raise place.refused(came[:200], f"{kind!r}, schema {schema} was expected")


def restored(stored: Mapping[str, Any], fields: Fields, columns: Columns, place: Place) -> dict[str, Any]:
    """Every part of a stored tally by the name of its constructor argument."""
    parts = Fields(
        {"kind": Text(), "schema": Whole(), **fields.needed, "units": _LATER, "counts": _LATER},
        {**fields.more, "strata": Names(), "clusters": _LATER, "weights": _LATER},
    ).read(stored, place, {})
    counts = count_array(stored["counts"], place.at("counts"))
    held = {name: parts[name] for name in (*fields.needed, *fields.more) if name in parts}
    strata = parts.get("strata", ())
    every = {**columns, **({"stratum": Codes("strata")} if strata else {})}
    keys = column_arrays(stored["units"], every, place.at("units"), parts, len(counts))
    weights = _weights(stored["weights"], place.at("weights"), counts) if "weights" in stored else None
    clusters = None
    if "clusters" in stored:
        clusters = _clusters(stored["clusters"], place.at("clusters"), counts, None if weights is None else weights[0])
    return {"keys": keys, "counts": counts, "clusters": clusters, "weights": weights, "stratum_names": strata, **held}


class _Later:
    """What is read when the lengths of everything are known."""

    def read(self, value: Any, place: Place, held: Held) -> Any:
        """The value as it is."""
        return value


_LATER = _Later()


def _weights(value: Any, place: Place, counts: Ints) -> tuple[Floats, Floats, Ints]:
    """The sums of weights and of their squares in each unit, checked against the number of weights above 0."""
    columns: Columns = {"total": Numbers(low=0), "squares": Numbers(low=0), "rows": Wholes()}
    arrays = column_arrays(value, columns, place, {}, len(counts))
    for name in ("total", "squares"):
        with np.errstate(over="ignore"):
            if not arrays[name].sum() < np.inf:
                raise place.at(name).refused(f"adds up to {arrays[name].sum():g}", "a finite number was expected")
    total, size, rows = arrays["total"], np.sqrt(arrays["squares"]), arrays["rows"]
    odd = np.flatnonzero((rows > counts) | ((rows > 0) != (total > 0)))
    if len(odd):
        bad = int(odd[0])
        wanted = f"that many of {counts[bad]:,} rows with the sum {total[bad]:g} cannot have a weight above 0"
        raise place.at("rows").at(bad).refused(f"is {rows[bad]:,}", wanted)
    # A sum of squares is at most the square of the sum, and at least that divided by the number of weights.
    apart = (size > total * (1 + CLOSE)) | (total > np.sqrt(rows) * size * (1 + CLOSE))
    if apart.any():
        bad = int(np.flatnonzero(apart)[0])
        came = f"is {arrays['squares'][bad]:g}"
        wanted = f"the squares of {rows[bad]:,} weights with the sum {total[bad]:g} cannot add up to that"
        raise place.at("squares").at(bad).refused(came, wanted)
    return total, arrays["squares"], rows


def _clusters(value: Any, place: Place, counts: Ints, heavy: Floats | None) -> Clusters:
    """How many items of each unit every cluster contains: each pair once, in order, and all items exactly."""
    wanted: dict[str, Form] = {"names": Names(), "entries": _LATER}
    parts = Fields(wanted if heavy is None else {**wanted, "weights": _LATER}).read(value, place, {})
    names, entries = parts["names"], place.at("entries")
    three = as_list(value["entries"], entries)
    if len(three) != 3:
        raise entries.refused(f"has {len(three):,} lists", "three were expected: clusters, units and counts")
    length = len(as_list(three[0], entries.at(0)))
    for i in (1, 2):
        if len(as_list(three[i], entries.at(i))) != length:
            raise entries.at(i).refused(f"has {len(three[i]):,} entries", f"{length:,} were expected, as in the first")
    cluster = code_array(three[0], entries.at(0), len(names), "clusters")
    unit = code_array(three[1], entries.at(1), len(counts), "units")
    count = whole_array(three[2], entries.at(2), 1, MOST_ITEMS)
    later = (cluster[1:] > cluster[:-1]) | ((cluster[1:] == cluster[:-1]) & (unit[1:] > unit[:-1]))
    if not later.all():
        bad = int(np.flatnonzero(~later)[0]) + 1
        raise entries.refused(
            f"has entry {bad} out of order", "clusters and their units must be in ascending order, each pair once"
        )
    held = np.zeros(len(counts), np.int64)
    if sum(three[2]) <= MOST_ITEMS:  # otherwise the sum would overflow
        np.add.at(held, unit, count)
    if not np.array_equal(held, counts):
        bad = int(np.flatnonzero(held != counts)[0])
        came = (
            f"contains {held[bad]:,} items of unit {bad}" if sum(three[2]) <= MOST_ITEMS else "contains too many items"
        )
        raise place.refused(came, f"the unit has {counts[bad]:,} of them")
    if heavy is None:
        return Clusters(names, cluster, unit, count)
    given = as_list(value["weights"], place.at("weights"))
    if len(given) != length:
        raise place.at("weights").refused(f"has {len(given):,} entries", f"{length:,} were expected, as in the entries")
    weight = Numbers(low=0).array(given, place.at("weights"), {})
    together = add_up(unit, weight, len(counts))
    apart = np.abs(together - heavy) > CLOSE * np.maximum(together, heavy)
    if apart.any():
        bad = int(np.flatnonzero(apart)[0])
        raise place.at("weights").refused(
            f"add up to {together[bad]:g} for unit {bad}", f"the unit weighs {heavy[bad]:g}"
        )
    return Clusters(names, cluster, unit, count, weight)
