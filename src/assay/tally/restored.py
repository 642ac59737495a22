"""A stored tally made whole again: its units, clusters and weights, which must agree with one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.sources.bounds import MOST_ITEMS
from assay.tally.sampling import Clusters, Floats, Ints, add_up
from assay.tally.stored import Fields, Form, Held, Names, Place, Text, Whole, as_list
from assay.tally.stored_columns import (
    Codes,
    Columns,
    Numbers,
    Wholes,
    code_array,
    column_arrays,
    count_array,
    whole_array,
)

CLOSE = 1e-9  # how far sums of weights may lie apart that were added in another order, of the larger one


def check_kind(stored: Mapping[str, Any], kind: str, schema: int, place: Place) -> None:
    """Stop unless this is stored as this kind, in the form that this version writes."""
    for name in ("kind", "schema"):
        if name not in stored:
            raise place.refused(f"is not a tally that assay wrote: it has no '{name}'", "count the rows again")
    if stored["kind"] != kind or type(stored["schema"]) is not int or stored["schema"] != schema:
        came = f"holds {stored['kind']!r} of schema {stored['schema']!r}"
        raise place.refused(came[:200], f"what is read here is {kind!r}, schema {schema}")


def restored(stored: Mapping[str, Any], fields: Fields, columns: Columns, place: Place) -> dict[str, Any]:
    """Every part of a stored tally by the name that its constructor has for it."""
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
    """The sums of the weights of each unit and of their squares, as so many weights above 0 can have them."""
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
        wanted = f"of {counts[bad]:,} rows with the sum {total[bad]:g}, so many cannot have a weight above 0"
        raise place.at("rows").at(bad).refused(f"is {rows[bad]:,}", wanted)
    # Squares of several weights are together not above the square of their sum, and not below its share of each.
    apart = (size > total * (1 + CLOSE)) | (total > np.sqrt(rows) * size * (1 + CLOSE))
    if apart.any():
        bad = int(np.flatnonzero(apart)[0])
        came = f"is {arrays['squares'][bad]:g}"
        wanted = f"the squares of {rows[bad]:,} weights with the sum {total[bad]:g} cannot add up to that"
        raise place.at("squares").at(bad).refused(came, wanted)
    return total, arrays["squares"], rows


def _clusters(value: Any, place: Place, counts: Ints, heavy: Floats | None) -> Clusters:
    """Which cluster holds how many items of each unit: each pair once, in order, and no item more or fewer."""
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
        raise entries.refused(f"has entry {bad} out of order", "clusters and their units go up, each pair once")
    held = np.zeros(len(counts), np.int64)
    if sum(three[2]) <= MOST_ITEMS:  # or it would not be a sum any more
        np.add.at(held, unit, count)
    if not np.array_equal(held, counts):
        bad = int(np.flatnonzero(held != counts)[0])
        came = f"hold {held[bad]:,} items of unit {bad}" if sum(three[2]) <= MOST_ITEMS else "hold too many items"
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
