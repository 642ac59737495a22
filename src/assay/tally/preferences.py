"""Pairwise preferences: people or a judge model say which of two systems gave the better answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, OptionError, choose, did_you_mean, listed, plural
from assay.options.preferring import MISSING_WINNERS
from assay.sources.arrays import encode_apart, encode_together, order_labels
from assay.tally.contract.base import Evidence, Linear, Tally
from assay.tally.contract.codes import class_names, spelled
from assay.tally.contract.hot import sum_by
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns, Wholes
from assay.tally.contract.sampling import Clusters, Floats, Ints, collect_clusters
from assay.tally.contract.schema import Fields, Maybe, Names, OneOf, Place
from assay.tally.judgments import Rows


@dataclass(frozen=True, eq=False, repr=False)
class Preferences(Tally):
    """Units are (system shown first, system shown second, result); the result is 0, 1 or 2: first won, tie, second won.

    `focus` is the system that the numbers are about, and `opponent` the one it is compared with; without an opponent
    it is compared with all others.
    """

    systems: tuple[str, ...] = ()
    focus: str | None = None
    opponent: str | None = None

    kind: ClassVar[str] = "preferences"
    item: ClassVar[str] = "judgment"
    stored_fields: ClassVar[Fields] = Fields(
        {"systems": Names(), "focus": Maybe(OneOf("systems")), "opponent": Maybe(OneOf("systems"))}
    )
    stored_columns: ClassVar[Columns] = {"first": Codes("systems"), "second": Codes("systems"), "result": Wholes(0, 2)}
    of_several: ClassVar[bool] = True
    margins_are: ClassVar[str] = "the {}"
    no_exchange: ClassVar[str | None] = "a judgment is about two systems at once"

    # ------------------------------------------------------------------ counting
    @classmethod
    def from_judgments(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        winner: ArrayLike,
        *,
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        focus: object = None,
        missing: str = "error",
    ) -> Self:
        """Count judgments: the names of two systems and of the one that won, row by row.

        The winner may also be a word for a tie ("tie", "draw", "both", "neither" …) or for a column ("a", "model_b").
        `first` names the system that was shown first, by default that of `a`. Judgments of the same item, or by the
        same judge, belong together: `cluster` says which do. `systems` lists all systems, including those that were
        never judged. `focus` is a system, or a pair (system, opponent). A winner that is missing or empty is an error,
        unless such rows are left out (missing="skip") or counted as ties (missing="tie").
        """
        choose(missing, MISSING_WINNERS, "missing")
        given = {"a": a, "b": b, "winner": winner, **({} if first is None else {"first": first})}
        columns = dict(zip(given, encode_apart(list(given.values()), list(given)), strict=True))
        names = tuple(order_labels({*columns["a"].labels, *columns["b"].labels}))
        if systems is not None:
            names = _declared(class_names(systems), names)
        rows = Rows.of(columns, names, missing)
        clusters = None if cluster is None else _clusters(cluster, len(rows.kept), rows.kept)
        keys = {"first": rows.first, "second": rows.second, "result": rows.result}
        made = cls(keys=keys, counts=np.ones(len(rows.first), np.int64), clusters=clusters, systems=names)
        return made.collected().about(focus)

    @classmethod
    def joint(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        winner: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        missing: str = "error",
    ) -> Joint[Self]:
        """Count judgments for the comparison of two systems, which `names` names."""
        every = cls.from_judgments(a, b, winner, first=first, cluster=cluster, systems=systems, missing=missing)
        return every.side_by_side(*names)

    # ------------------------------------------------------------------ views
    def about(self, focus: object) -> Self:
        """The same judgments with numbers about this system, or about a pair (system, opponent)."""
        if focus is None:
            return self._view(None, None)
        if isinstance(focus, str) or not isinstance(focus, Sequence):
            return self._view(self._known(focus), None)
        if len(focus) != 2:
            raise OptionError(f"focus is {focus!r}; expected the name of a system, or a pair (system, opponent).")
        system, opponent = (self._known(name) for name in focus)
        if system == opponent:
            raise OptionError(f"focus is {focus!r}; the opponent must be another system.")
        return self._view(system, opponent)

    def _view(self, focus: str | None, opponent: str | None) -> Self:
        view = dataclasses.replace(self, focus=focus, opponent=opponent)
        vars(view)["found"] = self.found
        return view

    @cached_property
    def found(self) -> dict[Any, Any]:
        """What does not depend on the focus: computed once for all views of the same judgments."""
        return {}

    def without(self, names: Sequence[object]) -> Self:
        """The judgments of the other systems: those in which one of these took part are left out."""
        gone = {self._known(name) for name in names}
        left = tuple(name for name in self.systems if name not in gone)
        if len(left) < 2:
            raise OptionError(
                f"without is {listed(sorted(gone))}, which leaves {plural(len(left), 'system')}; "
                "at least two are needed."
            )
        code = [self.systems.index(name) for name in left]
        kept = self.only(np.isin(self.keys["first"], code) & np.isin(self.keys["second"], code))
        if not len(kept.counts):
            raise DataError(f"no judgment is left without {listed(sorted(gone))}: {listed(left)} were never compared.")
        place = np.full(len(self.systems), -1, np.int64)
        place[code] = np.arange(len(left))
        keys = {**kept.keys, "first": place[kept.keys["first"]], "second": place[kept.keys["second"]]}
        return dataclasses.replace(kept, keys=keys, systems=left, focus=None, opponent=None)

    def side_by_side(self, a: object, b: object) -> Joint[Self]:
        """The same judgments from the view of two systems, each against all others, to compare the two."""
        one, other = self.about(a), self.about(b)
        assert one.focus is not None
        assert other.focus is not None
        return Joint(one, other, (one.focus, other.focus))

    def _known(self, name: object) -> str:
        text = spelled(name)
        if text in self.systems:
            return text
        hint = did_you_mean(text, self.systems)
        raise DataError(f"no system is called {text!r}; the systems are {listed(self.systems)}.{hint}")

    @property
    def contrast_weights(self) -> Floats:
        """The coefficient of each system in the contrast: 1 for the focus, −1 for its opponent if there is one."""
        out = np.zeros(len(self.systems))
        out[self._focus] = 1
        if self.opponent is not None:
            out[self.systems.index(self.opponent)] = -1
        return out

    @property
    def _focus(self) -> int:
        if self.focus is None:
            raise OptionError(
                f"which of {listed(self.systems)} is this about? Name a system with focus=, or a pair of them; "
                "on a counted tally, call about(system)."
            )
        return self.systems.index(self.focus)

    @cached_property
    def points(self) -> Floats:
        """What the focus gets from one judgment of each unit: 1 for a win, ½ for a tie, nan if it takes no part."""
        i, opponent = self._focus, None if self.opponent is None else self.systems.index(self.opponent)
        first, second = self.keys["first"], self.keys["second"]
        won = 1 - self.keys["result"] / 2  # by the system shown first
        out = np.where(first == i, won, np.where(second == i, 1 - won, np.nan))
        if opponent is not None:
            out = np.where((first == opponent) | (second == opponent), out, np.nan)
        return np.asarray(out, np.float64)

    # ------------------------------------------------------------------ contract
    def __add__(self, other: Self) -> Self:
        mine = (self.focus, self.opponent)
        if tuple(getattr(other, name, mine[i]) for i, name in enumerate(("focus", "opponent"))) != mine:
            raise DataError(
                f"one tally is about {self._subject} and the other about {other._subject}; give both the same focus."
            )
        return super().__add__(other)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of their systems."""
        if self.systems == other.systems:
            return self, other
        systems = tuple(order_labels({*self.systems, *other.systems}))
        return self._renumbered(systems), other._renumbered(systems)

    def _renumbered(self, systems: tuple[str, ...]) -> Self:
        place = np.array([systems.index(name) for name in self.systems], np.int64)
        keys = {**self.keys, "first": place[self.keys["first"]], "second": place[self.keys["second"]]}
        return dataclasses.replace(self, keys=keys, systems=systems)

    @property
    def _subject(self) -> str:
        if self.focus is None:
            return "no system"
        return f"'{self.focus}'" if self.opponent is None else f"'{self.focus}' against '{self.opponent}'"

    def context(self) -> dict[str, Any]:
        """The systems, and which of them the numbers are about."""
        return {"systems": list(self.systems), "focus": self.focus, "opponent": self.opponent}

    @classmethod
    def read(cls, stored: Mapping[str, Any], place: Place) -> Self:
        """The tally that `to_dict` returned, in which no system is compared with itself."""
        made = super().read(stored, place)
        if made.opponent is not None and made.opponent == made.focus:
            raise place.at("opponent").unlike(made.opponent, "another system than the focus")
        if made.opponent is not None and made.focus is None:
            raise place.at("opponent").unlike(made.opponent, "null, because there is no focus,")
        same = np.flatnonzero(made.keys["first"] == made.keys["second"])
        if len(same):
            at = place.at("units").at("second").at(int(same[0]))
            raise at.unlike(int(made.keys["second"][same[0]]), "another system than that shown first")
        return made

    def gold_margins(self) -> Any:
        """The judgments, which are the reference whatever the focus."""
        every = zip(*(self.keys[name].tolist() for name in ("first", "second", "result")), strict=True)
        counted = zip(every, self.counts.tolist(), strict=True)
        return sorted([self.systems[i], self.systems[j], result, n] for (i, j, result), n in counted if n)


# ---------------------------------------------------------------------- evidence
@dataclass(frozen=True, eq=False)
class Contests(Linear):
    """How many judgments the focus won, tied and lost: one feature each."""

    won: Floats
    tied: Floats
    lost: Floats

    @classmethod
    def of(cls, tally: Preferences, w: Floats) -> Self:
        """Sums over the judgments in which the focus takes part."""
        return cls(*((w @ part)[..., None] for part in _outcomes(tally.points)))

    @classmethod
    def rows(cls, tally: Preferences, part: slice) -> Self:
        """One judgment of each unit."""
        return cls(*(each[part, None] for each in _outcomes(tally.points)))


@dataclass(frozen=True, eq=False)
class Places(Linear):
    """How many judgments the system shown first won, tied and lost, whichever system it was."""

    won: Floats
    tied: Floats
    lost: Floats

    @classmethod
    def of(cls, tally: Preferences, w: Floats) -> Self:
        """Sums over all judgments."""
        return cls(*((w @ part)[..., None] for part in _outcomes(1 - tally.keys["result"] / 2)))

    @classmethod
    def rows(cls, tally: Preferences, part: slice) -> Self:
        """One judgment of each unit."""
        return cls(*(each[part, None] for each in _outcomes(1 - tally.keys["result"] / 2)))


def _outcomes(points: Floats) -> tuple[Floats, Floats, Floats]:
    won, tied, lost = ((points == each).astype(np.float64) for each in (1, 0.5, 0))
    return won, tied, lost


@dataclass(frozen=True, eq=False)
class Meetings(Evidence):
    """How often each system, shown first, won against, tied with and lost to each other one: what a model is fitted to.

    `counts` has the shape (..., 3, meetings), where a meeting is an ordered pair of systems that occurs. When one
    judgment or cluster is left out in turn, `near` is the evidence of all of them, from which those fits start.
    `fits` are the models that were fitted to it, with and without place; views of the same judgments share them.
    """

    tally: Preferences
    first: Ints
    second: Ints
    counts: Floats
    near: Meetings | None = None
    fits: dict[bool, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, tally: Preferences, w: Floats) -> Self:
        """Sums over the units of each meeting and result."""
        if w.ndim > 1 or not np.array_equal(w, tally.mass):
            return cls._summed(tally, w)
        if "all" not in tally.found:
            tally.found["all"] = cls._summed(tally, w)
        found: Self = tally.found["all"]
        return dataclasses.replace(found, tally=tally)

    @classmethod
    def _summed(cls, tally: Preferences, w: Floats) -> Self:
        k = len(tally.systems)
        meeting, code = np.unique(tally.keys["first"] * k + tally.keys["second"], return_inverse=True)
        counts = sum_by(tally.keys["result"] * len(meeting) + code, 3 * len(meeting), w)
        shape = (*counts.shape[:-1], 3, len(meeting))
        return cls(tally, meeting // k, meeting % k, counts.reshape(shape))

    @classmethod
    def without_each(cls, tally: Preferences, part: slice) -> Self:
        """One judgment, or one cluster, fewer."""
        key = ("without", part.start, part.stop)
        if key not in tally.found:
            left = super().without_each(tally, part)
            tally.found[key] = dataclasses.replace(left, near=cls.of(tally, tally.mass))
        found: Self = tally.found[key]
        return dataclasses.replace(found, tally=tally)


# ---------------------------------------------------------------------- rows
def _declared(systems: tuple[str, ...], seen: Sequence[str]) -> tuple[str, ...]:
    strange = [name for name in seen if name not in systems]
    if strange:
        raise DataError(
            f"systems lists {listed(systems)}, but {listed(strange, 3)} "
            f"{'is' if len(strange) == 1 else 'are'} judged too; list all systems, or omit systems."
        )
    return systems


def _clusters(cluster: ArrayLike, n: int, kept: NDArray[np.bool_]) -> Clusters:
    """The clusters of the rows that are kept, each of which is still a unit of its own."""
    (code,), names, _ = encode_together([cluster], ["cluster"], beside=("a", n))
    used, code = np.unique(code[kept], return_inverse=True)
    rows = np.arange(len(code), dtype=np.int64)
    return collect_clusters(tuple(names[i] for i in used), code.astype(np.int64), rows, np.ones(len(code), np.int64))
