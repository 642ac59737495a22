"""The stored form of counts, and how an earlier form is read.

In schema 2 every system has its tallies by kind, the main one first, and so has every group of a slicing column.
Schema 1 kept scores and guesses separately, and a system without labels had its scores twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import listed
from assay.tally.contract.base import Tally
from assay.tally.contract.schema import Each, Fields, Held, ListOf, Place, Text, Whole
from assay.tally.contract.systems import Systems, tally_kinds

SCHEMA = 2
FIRST = 1
# Where a tally is stored: of the whole or a group of a slicing, of which system and kind, and whether it is main.
Where = Callable[[Place, str | None, str, str, bool], Place]


@dataclass(frozen=True)
class _Stored:
    """A tally of one of these kinds, or of any."""

    kinds: tuple[str, ...] = ()

    def read(self, value: Any, place: Place, held: Held) -> Tally:
        """The tally."""
        if not isinstance(value, dict):
            raise place.unlike(value, "a tally")
        every = tally_kinds()
        kinds = {kind: every[kind] for kind in self.kinds or every}
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            raise place.at("kind").unlike(kind, f"one of {listed(kinds)}")
        tally = kinds[kind].read(value, place)
        if not tally.n:
            raise place.at("counts").refused("adds up to 0", "at least one item was expected")
        return tally


@dataclass(frozen=True)
class _ByKind:
    """Tallies of one system by their kinds, at least one."""

    def read(self, value: Any, place: Place, held: Held) -> dict[str, Tally]:
        """The tallies."""
        if not isinstance(value, dict):
            raise place.unlike(value, "an object")
        if not value:
            raise place.refused("is empty", "at least one tally was expected")
        known = tally_kinds()
        for kind in value:
            if kind not in known:
                raise place.at(kind).refused("is unknown", f"the kinds of tallies are {listed(known, 30)}")
        return {kind: _Stored((kind,)).read(each, place.at(kind), held) for kind, each in value.items()}


_SYSTEMS = Each(_ByKind(), some=True)
_COUNTS = Fields(
    {
        "kind": Text(),
        "schema": Whole(),
        "systems": _SYSTEMS,
        "slices": ListOf(Fields({"column": Text(), "without": Whole(), "groups": Each(_SYSTEMS, some=True)})),
        "skipped": Whole(),
        "unanswered": Each(Whole()),
    }
)


def read_tally(stored: Mapping[str, Any], place: Place) -> Tally:
    """A tally that was stored by itself."""
    return _Stored().read(stored, place, {})


def read_counts(stored: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The parts of counts by name; slices are the parts of each."""
    parts = _COUNTS.read(stored, place, {})
    slices = [
        {**each, "groups": {group: Systems(held) for group, held in each["groups"].items()}} for each in parts["slices"]
    ]
    return {
        "systems": Systems(parts["systems"]),
        "slices": slices,
        "skipped": parts["skipped"],
        "unanswered": parts["unanswered"],
    }


def where(place: Place, group: str | None, system: str, kind: str, main: bool) -> Place:
    """Where a tally of the whole is stored, or that of a group if this is the place of a slicing."""
    here = place.at("systems") if group is None else place.at("groups").at(group)
    return here.at(system).at(kind)


# ---------------------------------------------------------------------- the first schema
_APART = {
    "scores": ("scored", "class_scores"),
    "guesses": ("guesses",),
}  # the kinds that were stored separately from the systems
_SCORES, _GUESSES = (Each(_Stored(kinds)) for kinds in _APART.values())
_FIRST = Fields(
    {
        "kind": Text(),
        "schema": Whole(),
        "systems": Each(_Stored(), some=True),
        "slices": ListOf(
            Fields(
                {"column": Text(), "without": Whole(), "groups": Each(Each(_Stored()), some=True)},
                {"scores": Each(_SCORES)},
            )
        ),
        "skipped": Whole(),
        "unanswered": Each(Whole()),
        "guesses": _GUESSES,
    },
    {"scores": _SCORES},  # tallies of labels alone were written without them
)


def read_first(stored: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The parts of counts of the first schema, in the form of this one."""
    parts = _FIRST.read(stored, place, {})
    apart = {name: parts.get(name, {}) for name in _APART}
    systems = _gathered(parts["systems"], apart, place)
    slices = []
    for i, each in enumerate(parts["slices"]):
        here, scores = place.at("slices").at(i), each.pop("scores", {})
        for group in scores:
            if group not in each["groups"]:
                known = f"the groups are {listed(each['groups'])}"
                raise here.at("scores").at(group).refused("is no group", known)
        groups = {
            group: _gathered(held, {"scores": scores.get(group, {})}, here, group)
            for group, held in each["groups"].items()
        }
        slices.append({**each, "groups": groups})
    return {
        "systems": systems,
        "slices": slices,
        "skipped": parts["skipped"],
        "unanswered": parts["unanswered"],
    }


def _gathered(
    systems: Mapping[str, Tally], apart: Mapping[str, Mapping[str, Tally]], place: Place, group: str | None = None
) -> Systems:
    """The tallies of each system together, once each."""
    if group is not None and not systems:
        raise place.at("groups").at(group).refused("is empty", "at least one entry was expected")
    out: dict[str, dict[str, Tally]] = {name: {tally.kind: tally} for name, tally in systems.items()}
    for part, tallies in apart.items():
        here = place.at(part) if group is None else place.at(part).at(group)
        for name, tally in tallies.items():
            if name not in out:
                raise here.at(name).refused("is not a system", f"the systems are {listed(systems)}")
            if out[name].setdefault(tally.kind, tally) != tally:
                raise here.at(name).refused("is not what stands under systems", "the same counts were expected")
    return Systems(out)


def where_first(place: Place, group: str | None, system: str, kind: str, main: bool) -> Place:
    """The same of the first schema."""
    apart = next((part for part, kinds in _APART.items() if kind in kinds), "")
    part = ("systems" if group is None else "groups") if main else apart
    return place.at(part).at(system) if group is None else place.at(part).at(group).at(system)
