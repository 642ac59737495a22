"""What one scan of a table leaves: a tally for each system, and for each group of each slicing column."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, listed
from assay.lazily import load_families
from assay.sources.arrays import order_labels
from assay.tally.class_scores import ClassScored
from assay.tally.codes import known_label, spelled
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import check_kind
from assay.tally.contract.sampling import Ints
from assay.tally.contract.stored import Each, Fields, Held, ListOf, Place, Text, Whole, parsed, written
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.scores import Scored
from assay.tally.thresholds import Scores

SCHEMA = 1


@dataclass(frozen=True)
class Slicing:
    """The rows divided by a column: every group's tallies, and how many rows have no value in it."""

    column: str
    groups: Mapping[str, Mapping[str, Tally]]
    without: int = 0
    scores: Mapping[str, Mapping[str, Scores]] = field(default_factory=dict)  # the same groups, by scores
    member: Ints | None = None  # the group of every unit of those counted together, -1 for none; not stored

    def __add__(self, other: Slicing) -> Slicing:
        groups = {}
        for name in order_labels({*self.groups, *other.groups}):
            here, there = self.groups.get(name), other.groups.get(name)
            groups[name] = _sum(here, there) if here and there else (here or there or {})
        scores = {}
        for name in order_labels({*self.scores, *other.scores}):
            mine, theirs = self.scores.get(name), other.scores.get(name)
            scores[name] = _sum(mine, theirs) if mine and theirs else (mine or theirs or {})
        return Slicing(self.column, groups, self.without + other.without, scores)

    def over_classes_of(self, systems: Mapping[str, Tally]) -> Slicing:
        """The same groups over the classes of the whole, of which a group may have seen but some."""
        groups = {
            group: {name: _over(tally, systems[name]) for name, tally in each.items()}
            for group, each in self.groups.items()
        }
        return Slicing(self.column, groups, self.without, self.scores)


@dataclass(frozen=True)
class Together:
    """Every system's tally with the same units in the same order, so that any two systems can be paired."""

    systems: Mapping[str, Tally]
    guesses: Mapping[str, Guessed] = field(default_factory=dict)
    scores: Mapping[str, Scores] = field(default_factory=dict)

    def joint(self, a: str, b: str, kind: type[Tally]) -> Joint[Any]:
        """Two systems on the same items, by what this kind of tally holds of them."""
        sides = [self._of_kind(name, kind) for name in (a, b)]
        if type(sides[0]) is not type(sides[1]):
            raise DataError(
                f"'{a}' has {sides[0].kind} and '{b}' has {sides[1].kind}; "
                "systems are compared by the same sort of answer."
            )
        first, second = sides[0].aligned(sides[1])
        return Joint(first, second, (a, b)).collected()

    def only(self, units: NDArray[np.bool_]) -> Together:
        """The systems over some of the units."""

        def of(tallies: Mapping[str, Any]) -> dict[str, Any]:
            return {name: tally.only(units) for name, tally in tallies.items()}

        return Together(of(self.systems), of(self.guesses), of(self.scores))

    def _of_kind(self, name: str, kind: type[Tally]) -> Tally:
        held = (self.systems.get(name), self.guesses.get(name), self.scores.get(name))
        found = next((tally for tally in held if isinstance(tally, kind)), None)
        if found is None:
            raise lacking(name, kind, [tally for tally in held if tally is not None])
        return found


ANSWERS = (Confusion, Guessed, Scored, ClassScored)  # what a classifier can be judged by


def tally_kinds() -> dict[str, type[Tally]]:
    """Every kind of tally by the name it is stored under, with those that were declared elsewhere."""
    load_families("tally")
    return {kind.kind: kind for kind in sorted(Tally.__subclasses__(), key=lambda kind: kind.kind)}


def lacking(name: str, kind: type[Tally], held: Sequence[Tally]) -> DataError:
    """What a system does not give, beside what it gives, and how it would."""
    if kind in ANSWERS and all(isinstance(tally, ANSWERS) for tally in held):
        if kind is Guessed:
            return DataError(f"'{name}' gives one guess for each row; name its further ones with --guess.")
        if kind in (Scored, ClassScored):
            return DataError(f"'{name}' has no scores; name their column with --score {name}=COL.")
        if any(isinstance(tally, Scored) for tally in held):
            return DataError(
                f"'{name}' has no labels: its scores lie outside [0, 1], so say with --threshold from which score on "
                "an item is called positive."
            )
    came = listed(dict.fromkeys(tally.kind for tally in held)) or "nothing"
    return DataError(f"'{name}' was counted as {came}; what was asked for is computed from a '{kind.kind}' tally.")


@dataclass(frozen=True)
class Counts:
    """All that is kept of a table."""

    systems: Mapping[str, Tally]  # by labels; by scores where no labels can be made of them
    slices: tuple[Slicing, ...] = ()
    skipped: int = 0  # rows left out because something was missing
    unanswered: Mapping[str, int] = field(default_factory=dict)  # rows without a prediction that were counted as wrong
    guesses: Mapping[str, Guessed] = field(default_factory=dict)  # of the systems that give several
    scores: Mapping[str, Scores] = field(default_factory=dict)  # of the systems that give scores
    together: Together | None = None  # not stored: it may be as long as the table itself

    def __post_init__(self) -> None:
        if not self.systems:
            raise DataError("there are no systems in these counts; give a tally for each, by its name.")
        for name, tally in self.systems.items():
            if not isinstance(tally, Tally):
                raise DataError(
                    f"the counts of '{name}' are a '{type(tally).__name__}'; a tally was expected: "
                    f"{listed(kind.__name__ for kind in tally_kinds().values())}."
                )
        mixed = _families(self.systems)
        if mixed is not None:
            raise DataError(f"the systems are of different families: {mixed}; give systems of one.")

    @property
    def first(self) -> Tally:
        """The first system's tally; the gold labels are the same in all of them."""
        return next(iter(self.systems.values()))

    def with_positive(self, label: object) -> Counts:
        """The same counts with this class as the positive one."""
        if not isinstance(self.first, ANSWERS):
            raise DataError(f"a {self.first.kind} tally has no positive class; leave out the label {label!r}.")
        spoken = {tally.positive for tally in self.scores.values() if isinstance(tally, Scored)}
        if spoken and spoken != {spelled(label)}:
            raise DataError(
                f"these scores speak for “{spoken.pop()}”; count the file again to ask about another class."
            )

        def named(tallies: Mapping[str, Any]) -> dict[str, Any]:
            return {
                name: dataclasses.replace(tally, positive=known_label(label, tally.labels))
                if isinstance(tally, Confusion)
                else tally
                for name, tally in tallies.items()
            }

        slices = tuple(
            dataclasses.replace(s, groups={group: named(each) for group, each in s.groups.items()}) for s in self.slices
        )
        return dataclasses.replace(self, systems=named(self.systems), slices=slices, together=None)

    def __add__(self, other: Self) -> Counts:
        """Two shards as one; refused where they do not belong together."""
        if set(self.systems) != set(other.systems):
            raise DataError(
                f"one tally has the systems {listed(self.systems)} and the other {listed(other.systems)}; "
                "shards of one evaluation have the same systems."
            )
        if set(self.scores) != set(other.scores):
            raise DataError("one tally has the scores of a system and the other has not; count both the same way.")
        if set(self.guesses) != set(other.guesses):
            raise DataError(
                "one tally has the further guesses of a system and the other has not; count both the same way."
            )
        mine, theirs = ([s.column for s in counts.slices] for counts in (self, other))
        if mine != theirs:
            raise DataError(
                f"one tally is sliced by {listed(mine) or 'nothing'} and the other by {listed(theirs) or 'nothing'}; "
                "count both the same way."
            )
        mine_labels, their_labels = (getattr(counts.first, "labels", ()) for counts in (self, other))
        if (self.unanswered or other.unanswered) and mine_labels != their_labels:
            # Of two classes the other one was taken as the answer, and of three it is none of them.
            raise DataError(
                f"rows without a prediction were counted as wrong, one tally has the classes "
                f"{listed(mine_labels)} and the other {listed(their_labels)}, and what a wrong answer is "
                "depends on the classes; count both with the same labels (--labels)."
            )
        unanswered = [*self.unanswered, *(name for name in other.unanswered if name not in self.unanswered)]
        systems = _sum(self.systems, other.systems)
        slices = (a + b for a, b in zip(self.slices, other.slices, strict=True))
        return Counts(
            systems,
            tuple(slicing.over_classes_of(systems) for slicing in slices),
            self.skipped + other.skipped,
            {name: self.unanswered.get(name, 0) + other.unanswered.get(name, 0) for name in unanswered},
            {name: tally + other.guesses[name] for name, tally in self.guesses.items()},
            _sum(self.scores, other.scores),
        )

    # ------------------------------------------------------------------ storage
    def to_json(self) -> str:
        """The counts as JSON text."""

        def each(tallies: Mapping[str, Tally]) -> dict[str, Any]:
            return {name: tally.to_dict() for name, tally in tallies.items()}

        slices = [
            {
                "column": s.column,
                "without": s.without,
                "groups": {group: each(tallies) for group, tallies in s.groups.items()},
                "scores": {group: each(tallies) for group, tallies in s.scores.items()},
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
                "guesses": each(self.guesses),
                "scores": each(self.scores),
            }
        )

    @classmethod
    def from_json(cls, text: str, name: str = "this text") -> Counts:
        """The counts that `to_json` wrote, if they are whole and agree with themselves; `name` is where they stand.

        A tally that was stored by itself is that of one system.
        """
        stored, place = parsed(text, name, "a tally that assay wrote"), Place(name)
        kinds = tally_kinds()
        if isinstance(stored.get("kind"), str) and stored["kind"] in kinds:
            return cls({"system": _STORED.read(stored, place, {})})
        if stored.get("kind", "counts") != "counts":
            raise place.at("kind").unlike(stored["kind"], f"one of {listed(['counts', *kinds])}")
        check_kind(stored, "counts", SCHEMA, place)
        parts = STORED.read(stored, place, {})
        del parts["kind"], parts["schema"]
        mixed = _families(parts["systems"])
        if mixed is not None:
            raise place.at("systems").refused(f"has {mixed}", "systems of one family were expected")
        counts = cls(**{**parts, "slices": tuple(Slicing(**each) for each in parts["slices"])})
        _check(counts, place)
        return counts


@dataclass(frozen=True)
class _Stored:
    """A tally of one of these kinds, or of any."""

    kinds: tuple[type[Tally], ...] = ()

    def read(self, value: Any, place: Place, held: Held) -> Tally:
        """The tally."""
        if not isinstance(value, dict):
            raise place.unlike(value, "a tally")
        kinds = {kind.kind: kind for kind in self.kinds} or tally_kinds()
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            raise place.at("kind").unlike(kind, f"one of {listed(kinds)}")
        tally = kinds[kind].read(value, place)
        if not tally.n:
            raise place.at("counts").refused("adds up to 0", "at least one item was expected")
        return tally


_STORED = _Stored()
_SCORES, _GUESSES = (Each(_Stored(kinds)) for kinds in ((Scored, ClassScored), (Guessed,)))
STORED = Fields(
    {
        "kind": Text(),
        "schema": Whole(),
        "systems": Each(_STORED, some=True),
        "slices": ListOf(
            Fields(
                {"column": Text(), "without": Whole(), "groups": Each(Each(_STORED), some=True)},
                {"scores": Each(_SCORES)},
            )
        ),
        "skipped": Whole(),
        "unanswered": Each(Whole()),
        "guesses": _GUESSES,
    },
    {"scores": _SCORES},  # tallies of labels alone were written without them
)


def _families(systems: Mapping[str, Tally]) -> str | None:
    """A system of each family in words, where there are several families; all answers of a classifier are one."""
    first: dict[str, str] = {}
    for name, tally in systems.items():
        first.setdefault("labels or scores" if isinstance(tally, ANSWERS) else tally.kind, name)
    return " and ".join(f"'{name}' by {kind}" for kind, name in first.items()) if len(first) > 1 else None


def _check(counts: Counts, place: Place) -> None:
    """Stop where the parts do not belong together, or hold nothing."""
    for name in ("systems", "guesses", "scores"):
        for system, tally in getattr(counts, name).items():
            # Only a group of the rows may weigh nothing.
            if tally.weights is not None and tally.n and not tally.weights.total.any():
                here = place.at(name).at(system).at("weights").at("total")
                raise here.refused("adds up to 0", "a number above 0 was expected")
    for name in ("unanswered", "guesses", "scores"):
        for system in getattr(counts, name):
            if system not in counts.systems:
                raise place.at(name).at(system).refused("is no system", f"the systems are {listed(counts.systems)}")
    for i, slicing in enumerate(counts.slices):
        here = place.at("slices").at(i)
        if slicing.column in [other.column for other in counts.slices[:i]]:
            raise here.at("column").unlike(slicing.column, "a column that was not divided by before")
        for part, whole in (("groups", counts.systems), ("scores", counts.scores)):
            for group, tallies in getattr(slicing, part).items():
                _check_group(tallies, whole, here.at(part).at(group))


def _check_group(tallies: Mapping[str, Tally], whole: Mapping[str, Tally], place: Place) -> None:
    if set(tallies) != set(whole):
        raise place.refused(f"has {listed(tallies) or 'no system'}", f"{listed(whole) or 'none'} was expected")
    for system, tally in tallies.items():
        if tally.kind != whole[system].kind:
            raise place.at(system).at("kind").unlike(tally.kind, f"{whole[system].kind!r}, as of all rows,")
        if tally.n > whole[system].n:
            raise (
                place.at(system)
                .at("counts")
                .refused(f"adds up to {tally.n:,}", f"all rows together are {whole[system].n:,}")
            )
        strange = [label for label in _labels(tally) if label not in _labels(whole[system])]
        if strange:
            known = listed(_labels(whole[system]))
            raise place.at(system).at("labels").refused(f"has {listed(strange, 3)}", f"the labels are {known}")


def _labels(tally: Tally) -> tuple[str, ...]:
    return tally.labels if isinstance(tally, Confusion | ClassScored) else ()


def _sum(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    return {name: a[name] + b[name] for name in a}


def _over(tally: Tally, whole: Tally) -> Tally:
    if not isinstance(tally, Confusion) or not isinstance(whole, Confusion):
        return tally
    over = tally if tally.labels == whole.labels else tally.relabeled(whole.labels)
    return dataclasses.replace(over, outside=whole.outside)
