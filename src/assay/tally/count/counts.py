"""The result of one scan of a table: tallies of every system, and of every group of each slicing column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, listed
from assay.sources.arrays import order_labels
from assay.sources.relabel import Relabeled
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import check_kind
from assay.tally.contract.sampling import Ints
from assay.tally.contract.schema import Place, parsed, written
from assay.tally.contract.systems import Given, Systems, not_held, tally_kinds
from assay.tally.count.stored import FIRST, SCHEMA, Where, read_counts, read_first, read_tally, where, where_first


@dataclass(frozen=True)
class Slicing:
    """The rows divided by a column: every group's tallies, and how many rows have no value in it."""

    column: str
    groups: Mapping[str, Systems]
    without: int = 0
    member: Ints | None = None  # the group of every unit of those counted together, -1 for none; not stored

    def by_group(self, system: str) -> list[dict[str, Tally]]:
        """A system's tallies of every kind, by group; those of the main kind come first."""
        first = next(iter(self.groups.values()))
        return [{name: each.kinds[system][kind] for name, each in self.groups.items()} for kind in first.kinds[system]]

    def __add__(self, other: Slicing) -> Slicing:
        # In counts of an earlier version, groups may lack some of the kinds that the whole has.
        mine, theirs = (next(iter(slicing.groups.values())) for slicing in (self, other))
        groups: dict[str, Systems] = {}
        for name in order_labels({*self.groups, *other.groups}):
            here, there = self.groups.get(name), other.groups.get(name)
            both = [each.with_kinds_of(mine).with_kinds_of(theirs) for each in (here, there) if each is not None]
            groups[name] = both[0] if len(both) == 1 else both[0] + both[1]
        return Slicing(self.column, groups, self.without + other.without)

    def as_part_of(self, systems: Systems) -> Slicing:
        """The same groups over the classes of the whole; a group may have only some of them."""

        def part(name: str, tally: Tally) -> Tally:
            return tally.as_part_of(systems.kinds[name][tally.kind])

        return replace(self, groups={group: each.mapped(part) for group, each in self.groups.items()})


@dataclass(frozen=True)
class Together:
    """Every system's tallies with the same units in the same order, so that any two systems can be paired."""

    systems: Systems
    _last: dict[Any, Joint[Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def by_name(cls, systems: Systems) -> Self | None:
        """Systems that were counted separately, if their units have names and are the same items; None otherwise."""
        every = [tally for _, tally in systems.every()]
        names = [None if tally.unit_names is None else sorted(tally.unit_names) for tally in every]
        alike = all(each == names[0] for each in names) and len({tally.fingerprint for tally in every}) == 1
        if len(every) < 2 or names[0] is None or not alike:
            return None

        def ordered(_: str, tally: Tally) -> Tally:
            own = list(tally.unit_names or ())
            return tally.reordered(np.array(sorted(range(len(own)), key=own.__getitem__), np.int64))

        return cls(systems.mapped(ordered))

    def joint(self, a: str, b: str, kind: type[Tally]) -> Joint[Any]:
        """Two systems on the same items, by their tallies of this kind; the last two are kept for the next measure."""
        if (a, b, kind) not in self._last:
            self._last.clear()
            self._last[a, b, kind] = self._joined(a, b, kind)
        return self._last[a, b, kind]

    def __getstate__(self) -> dict[str, Any]:
        """What defines it, and nothing that was computed."""
        return {"systems": self.systems, "_last": {}}

    def _joined(self, a: str, b: str, kind: type[Tally]) -> Joint[Any]:
        sides = []
        for name in (a, b):
            tally = self.systems.of(name, kind)
            if tally is None:
                raise not_held(name, kind, self.systems.held(name))
            sides.append(tally)
        first, second = sides[0].aligned(sides[1])
        return Joint(first, second, (a, b)).collected()

    def only(self, units: NDArray[np.bool_]) -> Together:
        """The systems over some of the units."""
        return Together(self.systems.mapped(lambda _, tally: tally.only(units)))


@dataclass(frozen=True, init=False)
class Counts:
    """Everything that is kept from a table: the tallies of every system, by kind, the main one first."""

    systems: Systems
    slices: tuple[Slicing, ...] = ()
    skipped: int = 0  # rows left out because something was missing
    unanswered: Mapping[str, int] = field(default_factory=dict)  # rows without a prediction that were counted as wrong
    together: Together | None = None  # not stored: it may be as long as the table itself
    relabeled: Relabeled | None = None  # not stored: what relabeling changed

    def __init__(
        self,
        systems: Given,
        slices: tuple[Slicing, ...] = (),
        skipped: int = 0,
        unanswered: Mapping[str, int] | None = None,
        together: Together | None = None,
        relabeled: Relabeled | None = None,
    ) -> None:
        if not systems:
            raise DataError("there are no systems in these counts; give a tally for each, by its name.")
        held = Systems(systems)
        mixed = held.mixed()
        if mixed is not None:
            raise DataError(f"the systems belong to different families: {mixed}; give systems of one family.")
        parts = {"systems": held, "slices": slices, "skipped": skipped, "unanswered": unanswered or {}}
        for name, value in {**parts, "together": together, "relabeled": relabeled}.items():
            object.__setattr__(self, name, value)

    @property
    def first(self) -> Tally:
        """The first system's main tally; the gold labels are the same in all of them."""
        return next(iter(self.systems.values()))

    def with_positive(self, label: object) -> Counts:
        """The same counts with this class as the positive one."""

        def named(_: str, tally: Tally) -> Tally:
            return tally.with_positive(label)

        systems = self.systems.mapped(named)
        slices = tuple(
            replace(s, groups={group: each.mapped(named) for group, each in s.groups.items()}) for s in self.slices
        )
        return replace(self, systems=systems, slices=slices, together=None)

    def __add__(self, other: Self) -> Counts:
        """Two shards as one; refused if they do not belong together."""
        if set(self.systems) != set(other.systems):
            raise DataError(
                f"one tally has the systems {listed(self.systems)} and the other {listed(other.systems)}; "
                "shards of one evaluation must have the same systems."
            )
        for name in self.systems:
            _refuse_other_kinds(self.systems.held(name), other.systems.held(name))
        mine, theirs = ([s.column for s in counts.slices] for counts in (self, other))
        if mine != theirs:
            raise DataError(
                f"one tally is sliced by {listed(mine) or 'nothing'} and the other by {listed(theirs) or 'nothing'}; "
                "count both the same way."
            )
        mine_labels, their_labels = (getattr(counts.first, "labels", ()) for counts in (self, other))
        if (self.unanswered or other.unanswered) and mine_labels != their_labels:
            # With two classes the other one was taken as the answer; with three, none of them.
            raise DataError(
                "rows without a prediction were counted as wrong, but what a wrong answer is depends on the classes: "
                f"one tally has {listed(mine_labels)} and the other {listed(their_labels)}; "
                "count both with the same labels (--labels)."
            )
        unanswered = [*self.unanswered, *(name for name in other.unanswered if name not in self.unanswered)]
        systems = self.systems + other.systems
        slices = (a + b for a, b in zip(self.slices, other.slices, strict=True))
        return Counts(
            systems,
            tuple(slicing.as_part_of(systems) for slicing in slices),
            self.skipped + other.skipped,
            {name: self.unanswered.get(name, 0) + other.unanswered.get(name, 0) for name in unanswered},
        )

    # ------------------------------------------------------------------ storage
    def to_json(self) -> str:
        """The counts as JSON text."""

        def each(systems: Systems) -> dict[str, Any]:
            return {
                name: {kind: tally.to_dict() for kind, tally in held.items()} for name, held in systems.kinds.items()
            }

        slices = [
            {
                "column": s.column,
                "without": s.without,
                "groups": {group: each(systems) for group, systems in s.groups.items()},
            }
            for s in self.slices
        ]
        return written(
            {
                "kind": "counts",
                "schema": SCHEMA,
                "systems": each(self.systems),
                "slices": slices,
                "skipped": self.skipped,
                "unanswered": dict(self.unanswered),
            }
        )

    @classmethod
    def from_json(cls, text: str, name: str = "this text") -> Counts:
        """The counts that `to_json` wrote, if they are complete and consistent; `name` is where they are stored.

        A tally that was stored by itself is that of one system. Counts of the first schema are read as well.
        """
        stored, place = parsed(text, name, "a tally that assay wrote"), Place(name)
        kinds = tally_kinds()
        if isinstance(stored.get("kind"), str) and stored["kind"] in kinds:
            return cls({"system": read_tally(stored, place)})
        if stored.get("kind", "counts") != "counts":
            raise place.at("kind").unlike(stored["kind"], f"one of {listed(['counts', *kinds])}")
        first = type(stored.get("schema")) is int and stored["schema"] == FIRST
        check_kind(stored, "counts", FIRST if first else SCHEMA, place)
        parts = (read_first if first else read_counts)(stored, place)
        mixed = parts["systems"].mixed()
        if mixed is not None:
            raise place.at("systems").refused(f"has {mixed}", "systems of one family were expected")
        counts = cls(**{**parts, "slices": tuple(Slicing(**each) for each in parts["slices"])})
        _check(counts, place, where_first if first else where)
        return replace(counts, slices=tuple(slicing.as_part_of(counts.systems) for slicing in counts.slices))


def _refuse_other_kinds(mine: tuple[Tally, ...], theirs: tuple[Tally, ...]) -> None:
    """Refuse shards that have different kinds of tallies of one system."""
    own, others = (
        [tally for tally in some if tally.kind not in {each.kind for each in rest}]
        for some, rest in ((mine, theirs), (theirs, mine))
    )
    if mine[0].kind != theirs[0].kind or (own and others):
        a, b = (mine[0], theirs[0]) if mine[0].kind != theirs[0].kind else (own[0], others[0])
        raise DataError(f"a {a.kind} tally and a {b.kind} tally cannot be added.")
    for tally in (*own, *others):
        raise DataError(
            f"one tally has {tally.called or f'the {tally.kind} tally'} of a system and the other does not; "
            "count both the same way."
        )


def _check(counts: Counts, place: Place, at: Where) -> None:
    """Refuse parts that do not belong together, or are empty; `at` is where a system's tally is stored."""
    whole = counts.systems
    for name, tally in whole.every():
        # Only a group of the rows may have weight 0.
        if tally.weights is not None and tally.n and not tally.weights.total.any():
            here = at(place, None, name, tally.kind, tally is whole[name]).at("weights").at("total")
            raise here.refused("adds up to 0", "a number above 0 was expected")
    for name in counts.unanswered:
        if name not in whole:
            raise place.at("unanswered").at(name).refused("is not a system", f"the systems are {listed(whole)}")
    for i, slicing in enumerate(counts.slices):
        here = place.at("slices").at(i)
        if slicing.column in [other.column for other in counts.slices[:i]]:
            raise here.at("column").unlike(slicing.column, "a column that was not divided by before")
        first = next(iter(slicing.groups.values()))
        for group, systems in slicing.groups.items():
            if set(systems) != set(whole):
                raise here.at("groups").at(group).refused(f"has {listed(systems)}", f"{listed(whole)} was expected")
            for name, held in systems.kinds.items():
                _check_kinds(held, whole.kinds[name], first.kinds[name], here.at("groups").at(group).at(name))
                for kind, tally in held.items():
                    there = at(here, group, name, kind, tally is systems[name])
                    _check_part(tally, whole.kinds[name][kind], there)


def _check_kinds(held: Mapping[str, Tally], whole: Mapping[str, Tally], first: Mapping[str, Tally], at: Place) -> None:
    """A group has the kinds of tallies that the other groups have, which the whole has too, and the same main one."""
    strange = [kind for kind in held if kind not in whole]
    if strange or next(iter(held)) != next(iter(whole)):
        raise at.refused(f"has {listed(held)}", f"{listed(whole)} was expected, as of all rows")
    if set(held) != set(first):
        raise at.refused(f"has {listed(held)}", f"{listed(first)} was expected, as in the first group")


def _check_part(tally: Tally, whole: Tally, at: Place) -> None:
    """A group has no more items than the whole, and no label that the whole lacks."""
    if tally.n > whole.n:
        raise at.at("counts").refused(f"adds up to {tally.n:,}", f"there are {whole.n:,} rows in all")
    known = getattr(whole, "labels", ())
    strange = [label for label in getattr(tally, "labels", ()) if label not in known]
    if strange:
        raise at.at("labels").refused(f"has {listed(strange, 3)}", f"the labels are {listed(known)}")
