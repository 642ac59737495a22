"""The contract of every family: units, multiplicities, evidence.

A tally is a table of distinct kinds of units with how often each occurs. A multiplicity vector says how often each
unit counts; the data are the counts themselves, and every resampling scheme is another such vector with leading
axes. Evidence is what formulas read from a multiplicity vector. Nothing outside a family's own files knows more.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, plural
from assay.sources.given import total
from assay.tally.contract.grouping import all_once, group_rows
from assay.tally.contract.hot import Hot
from assay.tally.contract.restored import Columns, check_kind, restored
from assay.tally.contract.sampling import (
    Clusters,
    Floats,
    Ints,
    Sampling,
    add_clusters,
    add_up,
    cluster_strata,
    sum_into,
)
from assay.tally.contract.schema import Fields, Place, parsed, written

SCHEMA = 1
LISTED = 930  # units that a complete table has at most, unless more are asked for: thirty classes and what is outside
CLASS_MARGINS = "the number of {} of each class"
T = TypeVar("T", bound="Tally")


@dataclass(frozen=True, eq=False)
class Weights:
    """Importance weights of the items in each unit: their sum, their sum of squares, and how many are not 0."""

    total: Floats
    squares: Floats
    rows: Ints

    @classmethod
    def of(cls, w: Floats, times: Ints | int = 1) -> Self:
        """The sums of units whose items all have one weight."""
        return cls(w * times, w * w * times, np.where(w > 0, times, 0).astype(np.int64))

    def only(self, units: NDArray[np.bool_] | Ints) -> Weights:
        """Those of some of the units, or of all in another order."""
        return Weights(self.total[units], self.squares[units], self.rows[units])

    def into(self, into: Ints, size: int) -> Weights:
        """Those of unit i added to unit into[i]."""
        total, squares = (sum_into(into, x, size) for x in (self.total, self.squares))
        return Weights(total, squares, add_up(into, self.rows, size).astype(np.int64))

    def beside(self, other: Weights) -> Weights:
        """Those of the units of two tallies, one after the other."""
        both = zip(vars(self).values(), vars(other).values(), strict=True)
        return Weights(*(np.concatenate(pair) for pair in both))

    @property
    def typical(self) -> Floats:
        """The weight of equally heavy rows with these sums; rows of weight 0 do not change it."""
        return np.divide(self.squares, self.total, out=np.zeros_like(self.total), where=self.total > 0)


@dataclass(frozen=True)
class ClassItems:
    """How many items a class has in gold, and how many were predicted as it, if there are predictions."""

    label: str
    gold: int
    called: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """Distinct kinds of units and how often each occurs: one row per unit, one column per key."""

    keys: Mapping[str, NDArray[Any]]
    counts: Ints
    clusters: Clusters | None = None
    weights: Weights | None = None
    stratum_names: tuple[str, ...] = ()

    kind: ClassVar[str]
    no_exchange: ClassVar[str | None] = None  # why two systems cannot be exchanged item by item, if they cannot
    item: ClassVar[str] = "row"  # what one unit is called in sentences
    judged_by: ClassVar[str] = ""  # the common name of the kinds that one system can have, if there are several
    called: ClassVar[str] = ""  # what the tally adds to a system's main one
    of_several: ClassVar[bool] = False  # whether one item is about several systems at once
    margins_are: ClassVar[str] = "the number of {}"  # what `gold_margins` returns; {} stands for the units
    stored_fields: ClassVar[Fields] = Fields({})  # the forms of what `context` returns
    stored_columns: ClassVar[Columns] = {}  # the forms of the keys

    # ------------------------------------------------------------------ size
    @cached_property
    def n(self) -> int:
        """How many items were counted."""
        return len(self.counts) if all_once(self.counts) else int(self.counts.sum())

    @property
    def mass(self) -> Floats:
        """The multiplicities of the data: counts, or sums of weights."""
        if self.weights is not None:
            return self.weights.total
        if all_once(self.counts):
            return np.broadcast_to(np.float64(1), len(self.counts))
        return self.counts.astype(np.float64)

    @cached_property
    def sampling(self) -> Sampling:
        """What a resample draws from: items, or whole clusters if there are clusters."""
        strata = self.keys.get("stratum")
        if self.clusters is None:
            return Sampling(self.counts, None, strata)
        rows, counts, which = self.clusters.profiles(len(self.counts))
        return Sampling(counts, rows, None if strata is None else cluster_strata(self.clusters, which, strata))

    @property
    def unanswered(self) -> int:
        """How many of them got no answer, which counts as a wrong one."""
        return 0

    # ------------------------------------------------------------------ units
    @property
    def right(self) -> NDArray[np.bool_] | None:
        """Which units are answered correctly; None if answers are not simply right or wrong."""
        return None

    @property
    def unit_golds(self) -> Ints | None:
        """The gold class of each unit, as a number; None if units have no class."""
        return None

    @property
    def unit_answers(self) -> Ints | None:
        """The predicted class of each unit, as a number; None if there is none."""
        return None

    @property
    def unit_names(self) -> Sequence[str] | None:
        """The name of each unit, if every unit is one item that has a name; None if items are not told apart."""
        return None

    def complete(self, most: int = LISTED) -> Self | None:
        """The same tally with every unit that could occur, or None if those cannot be listed or are more than this."""
        return None

    def complete_with(self, other: Self) -> tuple[Self, Self] | None:
        """Both sides of a joint tally with every joint unit that could occur, if those can be listed."""
        return None

    def exchange_keys(self) -> Self:
        """The tally whose keys can be exchanged between systems."""
        return self

    def collected(self) -> Self:
        """Equal units merged, in key order."""
        order, group = group_rows(list(self.keys.values()))
        first = order[np.searchsorted(group, np.arange(int(group[-1]) + 1))] if len(group) else order
        into = np.empty(len(order), np.int64)
        into[order] = group
        return self.merged(into, first)

    def only(self, units: NDArray[np.bool_]) -> Self:
        """Some of the units, in the same order."""
        keys = {name: column[units] for name, column in self.keys.items()}
        clusters = None if self.clusters is None else self.clusters.only(units)
        weights = None if self.weights is None else self.weights.only(units)
        return dataclasses.replace(self, keys=keys, counts=self.counts[units], clusters=clusters, weights=weights)

    def reordered(self, order: Ints) -> Self:
        """The same units in this order."""
        into = np.empty(len(order), np.int64)
        into[order] = np.arange(len(order))
        return self.merged(into, order)

    def merged(self, into: Ints, first: Ints) -> Self:
        """Unit i added to unit into[i] of those at `first`."""
        keys = {name: column[first] for name, column in self.keys.items()}
        counts = np.zeros(len(first), np.int64)
        np.add.at(counts, into, self.counts)
        clusters = None if self.clusters is None else self.clusters.renumbered(into)
        weights = None if self.weights is None else self.weights.into(into, len(first))
        return dataclasses.replace(self, keys=keys, counts=counts, clusters=clusters, weights=weights)

    # ------------------------------------------------------------------ systems and groups
    @classmethod
    def goes_with(cls, other: Tally) -> bool:
        """Whether a system can be counted as both kinds, as classifiers can by labels and by scores."""
        return bool(cls.judged_by) and cls.judged_by == other.judged_by

    def with_positive(self, label: object) -> Self:
        """The same tally with this class as the positive one, if the family has one."""
        raise DataError(f"a {self.kind} tally has no positive class; leave out the label {label!r}.")

    def as_part_of(self, whole: Self) -> Self:
        """The tally of some of the items, with keys that mean the same as in the whole."""
        return self

    # ------------------------------------------------------------------ merging
    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies with keys that mean the same, or an error if they do not belong together."""
        return self, other

    def __radd__(self, other: object) -> Self:
        return self if other == 0 else NotImplemented  # so that sum() of shards works

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Tally):
            return NotImplemented
        if type(self) is not type(other):
            raise DataError(f"a {self.kind} tally and a {other.kind} tally cannot be added.")
        for part, name in (("clusters", "clusters"), ("weights", "weights"), ("stratum_names", "strata")):
            if bool(getattr(self, part)) != bool(getattr(other, part)):
                raise DataError(f"one tally has {name} and the other has none; count both the same way.")
        total((self.n, other.n), "the tallies have")
        a, b = self.aligned(other)
        a, b = _with_common_strata(a, b)
        keys = {name: np.concatenate([column, b.keys[name]]) for name, column in a.keys.items()}
        clusters = weights = None
        if a.clusters is not None and b.clusters is not None:
            clusters = add_clusters(a.clusters, b.clusters, len(a.counts))
        if a.weights is not None and b.weights is not None:
            weights = a.weights.beside(b.weights)
        both = dataclasses.replace(
            a, keys=keys, counts=np.concatenate([a.counts, b.counts]), clusters=clusters, weights=weights
        )
        return both.collected()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {plural(self.n, self.item)}, {len(self.counts):,} distinct>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # compared by content, which contains arrays

    # ------------------------------------------------------------------ storage
    def context(self) -> dict[str, Any]:
        """What the keys mean, as JSON types: label names and the like."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The tally as JSON types: the table itself."""
        out: dict[str, Any] = {"kind": self.kind, "schema": SCHEMA, **self.context()}
        out["units"] = {name: column.tolist() for name, column in self.keys.items()}
        out["counts"] = self.counts.tolist()
        if self.stratum_names:
            out["strata"] = list(self.stratum_names)
        if self.clusters is not None:
            c = self.clusters
            out["clusters"] = {
                "names": list(c.names),
                "entries": [c.cluster.tolist(), c.unit.tolist(), c.count.tolist()],
                **({} if c.weight is None else {"weights": c.weight.tolist()}),
            }
        if self.weights is not None:
            out["weights"] = {name: sums.tolist() for name, sums in vars(self.weights).items()}
        return out

    def to_json(self) -> str:
        """The tally as JSON text."""
        return written(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The tally that `to_json` wrote."""
        return cls.read(parsed(text, "this text", "a tally that assay wrote"), Place("this tally"))

    @classmethod
    def read(cls, stored: Mapping[str, Any], place: Place) -> Self:
        """The tally that `to_dict` returned, if it is complete and consistent; `place` is where it was found."""
        check_kind(stored, cls.kind, SCHEMA, place)
        parts = restored(stored, cls.stored_fields, cls.stored_columns, place)
        weights = parts.pop("weights")
        return cls(weights=None if weights is None else Weights(*weights), **parts)

    # ------------------------------------------------------------------ identity
    def gold_margins(self) -> Any:
        """What identifies the reference data, as JSON types: the same on every engine and for every system."""
        return self.n

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the reference labels: how many there are of each, not which row has which."""
        text = json.dumps([self.kind, self.gold_margins(), self.n], ensure_ascii=False, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    def class_items(self) -> tuple[ClassItems, ...]:
        """The items of each class, if the reference has classes."""
        return ()


class Evidence:
    """What formulas read: arrays that share their leading axes."""

    no_resampling: ClassVar[str | None] = None  # why drawing items with replacement misleads, if it does
    in_any_order: ClassVar[bool] = False  # whether it is the same in any order of units without weights, equal or not
    whole: ClassVar[bool] = False  # whether it is a sum over units of whole multiplicities too, which is far quicker

    @classmethod
    def of(cls, tally: Any, w: Floats) -> Self:
        """The evidence of multiplicities w of shape (..., units)."""
        raise NotImplementedError

    @classmethod
    def without_each(cls, tally: Any, part: slice) -> Self:
        """The evidence when one sampled thing is left out, each kind in turn."""
        sampling = tally.sampling
        one = sampling.one_each(part)
        if sampling.profiles is None and tally.weights is not None:
            one = one * tally.weights.typical
        return cls.of(tally, np.maximum(tally.mass - one, 0.0))

    def rest_of(self, whole: Self) -> Self:
        """What is left of the whole without this, where evidence is a sum over units."""
        raise NotImplementedError

    @classmethod
    def per_unit(cls, tally: Any, found: Any) -> Floats:
        """Values that a formula computed for everything that the evidence distinguishes, assigned to each unit."""
        return np.asarray(found)

    @classmethod
    def no_model(cls, tally: Any, index: int | None) -> tuple[list[str], Self] | None:
        """Ways to guess without a model, and their evidence along a first axis; index is the class in question."""
        return None


class Linear(Evidence):
    """Evidence that is a sum over units: a dataclass of arrays with one feature axis each."""

    @classmethod
    def rows(cls, tally: Any, part: slice) -> Self:
        """The evidence of a single item of each unit."""
        raise NotImplementedError

    @classmethod
    def hot_rows(cls, tally: Any) -> Hot | None:
        """The features of a single item of each unit without their zeros, if all others are 1."""
        return None

    @property
    def features(self) -> Floats:
        """All fields concatenated: shape (..., features)."""
        return np.concatenate([getattr(self, name) for name in self._held()], axis=-1)

    def _held(self) -> list[str]:
        """The names of the fields, except those that are None because nothing of the kind occurs."""
        names = [f.name for f in dataclasses.fields(self)]  # type: ignore[arg-type]
        return [name for name in names if getattr(self, name) is not None]

    def with_features(self, features: Floats) -> Self:
        """The evidence whose concatenated fields are these."""
        names = self._held()
        widths = [getattr(self, name).shape[-1] for name in names]
        parts = np.split(features, np.cumsum(widths)[:-1], axis=-1)
        return type(self)(**dict(zip(names, parts, strict=True)))

    @classmethod
    def without_each(cls, tally: Any, part: slice) -> Self:
        """Total minus one row, so no matrix of units against units is needed."""
        total = cls.of(tally, tally.mass)
        sampling = tally.sampling
        if sampling.profiles is None:
            rows = cls.rows(tally, part).features
            if tally.weights is not None:
                rows = rows * tally.weights.typical[part, None]
        else:
            rows = sampling.profiles[part] @ cls.rows(tally, slice(None)).features
        left = total.features - rows
        # Where weights empty a class, a rounding error may remain, which is not a class.
        return total.with_features(np.where(np.abs(left) > 1e-9 * rows, left, 0.0))


def _with_common_strata(a: T, b: T) -> tuple[T, T]:
    if a.stratum_names == b.stratum_names:
        return a, b
    names = tuple(sorted({*a.stratum_names, *b.stratum_names}))
    return _renamed_strata(a, names), _renamed_strata(b, names)


def _renamed_strata(tally: T, names: tuple[str, ...]) -> T:
    place = np.array([names.index(name) for name in tally.stratum_names], np.int64)
    keys = {**tally.keys, "stratum": place[tally.keys["stratum"]]}
    return dataclasses.replace(tally, keys=keys, stratum_names=names)
