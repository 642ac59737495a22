"""Classifiers judged by a score for each class: every item keeps all of its scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, a_type, listed, plural
from assay.sources.arrays import encode_together
from assay.tally.contract.base import CLASS_MARGINS, Evidence, Tally, Weights
from assay.tally.contract.codes import BY_ANSWERS, checked_weights, class_names, known_label, spelled
from assay.tally.contract.grouping import all_once, group_rows, once_each
from assay.tally.contract.hot import one_hot, sum_by
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns, ForEach, Numbers
from assay.tally.contract.sampling import Floats, Ints, counted_by_name
from assay.tally.contract.schema import Fields, Names
from assay.tally.guesses import Places
from assay.tally.labels import Confusion
from assay.tally.scores import BASE_RATE, PROBABILITIES, ByScore, Scored, checked_scores, clusters_of

WHOLE = 1e-3  # how far the scores of an item may sum from 1 and still count as probabilities


@dataclass(frozen=True, eq=False, repr=False)
class ClassScored(Tally):
    """Units are (gold class, score for every class): about as many as there are items."""

    labels: tuple[str, ...] = ()

    kind: ClassVar[str] = "class_scores"
    judged_by: ClassVar[str] = BY_ANSWERS
    called: ClassVar[str] = "the scores"
    margins_are: ClassVar[str] = CLASS_MARGINS
    stored_fields: ClassVar[Fields] = Fields({"labels": Names()})
    stored_columns: ClassVar[Columns] = {"gold": Codes("labels"), "score {}": ForEach("labels", Numbers())}

    @classmethod
    def from_class_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[Any, ArrayLike],
        *,
        labels: Sequence[object] | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
    ) -> Self:
        """Keep the scores of every class for each item; columns are in the order of the sorted labels unless named."""
        how: dict[str, Any] = {"labels": labels, "sample_weight": sample_weight, "cluster": cluster}
        return cls.in_rows(y_true, y_score, **how).collected()

    @classmethod
    def in_rows(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[Any, ArrayLike],
        *,
        labels: Sequence[object] | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
    ) -> Self:
        """The same items, with a unit for each in the order of the rows."""
        gold, classes, columns = _gold_and_scores(y_true, y_score, labels, "y_score")
        weights = None if sample_weight is None else Weights.of(checked_weights(sample_weight, len(gold)))
        clusters = None if cluster is None else clusters_of(cluster, len(gold), weights)
        return cls({"gold": gold, **columns}, once_each(len(gold)), clusters, weights, labels=classes)

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: ArrayLike | Mapping[Any, ArrayLike],
        b: ArrayLike | Mapping[Any, ArrayLike],
        *,
        names: tuple[str, str] = ("A", "B"),
        labels: Sequence[object] | None = None,
        cluster: ArrayLike | None = None,
    ) -> Joint[Self]:
        """Keep the scores of two systems for each item together."""
        gold, classes, first = _gold_and_scores(y_true, a, labels, names[0])
        _, _, second = _gold_and_scores(y_true, b, classes, names[1])
        # In an order that does not depend on the order of the rows, though it may depend on which system is A.
        order, _ = group_rows([gold, *first.values(), *second.values()])
        clusters = None if cluster is None else clusters_of(cluster, len(gold), None, order)
        ones = np.ones(len(gold), np.int64)
        sides = (
            cls({name: x[order] for name, x in {"gold": gold, **columns}.items()}, ones, clusters, labels=classes)
            for columns in (first, second)
        )
        return Joint(next(sides), next(sides), names).collected()

    @property
    def k(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def gold(self) -> Ints:
        """The class of each unit."""
        return np.asarray(self.keys["gold"], np.int64)

    @cached_property
    def scores(self) -> Floats:
        """The score of every class for each unit: shape (units, k), the scores of a class one after the other."""
        return _stacked([self.keys[column(i)] for i in range(self.k)]).T

    @cached_property
    def sums(self) -> Floats:
        """The sum of all class scores for each unit; it may overflow if they are not probabilities."""
        with np.errstate(over="ignore"):
            return np.asarray(self.scores.sum(axis=1))

    @cached_property
    def rest(self) -> tuple[Scored, ...]:
        """Each class against all others, in the order of the units; each sorts its scores once."""
        return tuple(self.unmerged_versus_rest(i) for i in range(self.k))

    @cached_property
    def place(self) -> Ints:
        """The rank of the gold class when classes are guessed by score; classes tied with it come before it."""
        own, place = own_scores(self.scores, self.gold), np.zeros(len(self.counts), np.int64)
        for of_class in self.scores.T:
            place += of_class >= own
        return place

    @cached_property
    def decided(self) -> Ints:
        """The class with the highest score for each unit; the first in a tie."""
        return np.asarray(self.scores.argmax(axis=1), np.int64)

    @cached_property
    def unfit(self) -> NDArray[np.bool_]:
        """Which units have scores that cannot be probabilities: they lie outside [0, 1], or do not sum to 1."""
        (low, high), scores = PROBABILITIES, self.scores
        off = np.asarray(np.abs(self.sums - 1) > WHOLE + 1e-9)
        if scores.min(initial=low) >= low and scores.max(initial=high) <= high:
            return off
        return off | ((scores < low) | (scores > high)).any(axis=1)

    @property
    def no_probabilities(self) -> str | None:
        """Why the scores cannot be read as probabilities of the classes; None if they can."""
        if not self.unfit.any():
            return None
        low, high = float(self.scores.min()), float(self.scores.max())
        if low < PROBABILITIES[0] or high > PROBABILITIES[1]:
            return f"scores lie between {low:.4g} and {high:.4g}, so they are not probabilities"
        together = self.sums
        many, worst = int(self.counts[self.unfit].sum()), int(np.abs(together - 1).argmax())
        return (
            f"the probabilities of {plural(many, self.item)} do not sum to 1 within {WHOLE:g}; "
            f"the worst sum to {together[worst]:.6g} (gold “{self.labels[self.gold[worst]]}”)"
        )

    @property
    def unit_golds(self) -> Ints:
        """The gold class of each unit."""
        return self.gold

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the class with the highest score is the gold class."""
        return np.asarray(self.decided == self.gold)

    def labeled(self, decided: Ints | None = None) -> Confusion:
        """The labels with the highest scores, or others that were derived from them."""
        return self.unmerged_labeled(decided).collected()

    def unmerged_labeled(self, decided: Ints | None = None) -> Confusion:
        """The same with a unit for every unit there was."""
        keys = {"gold": self.gold, "pred": self.decided if decided is None else decided}
        return Confusion(keys, self.counts, self.clusters, self.weights, labels=self.labels)

    def class_index(self, label: object) -> int:
        """The index of a class among the labels."""
        known = known_label(label, self.labels)
        assert known is not None
        return self.labels.index(known)

    def confidence(self) -> Scored:
        """The highest score of each item, with whether it is that of the gold class."""
        return self.confident.collected()

    @cached_property
    def confident(self) -> Scored:
        """The same with a unit for every unit there was."""
        keys = {"score": self.scores.max(axis=1), "positive": self.right}
        named: dict[str, Any] = {"positive": "right", "negative": "wrong"}
        return Scored(keys, self.counts, self.clusters, self.weights, **named)

    def versus_rest(self, index: int) -> Scored:
        """The scores of one class against all others."""
        return self.unmerged_versus_rest(index).collected()

    def unmerged_versus_rest(self, index: int) -> Scored:
        """The same with a unit for every unit there was."""
        keys = {"score": self.keys[column(index)], "positive": self.gold == index}
        label = self.labels[index]
        named: dict[str, Any] = {"positive": label, "negative": f"not {label}"}
        return Scored(keys, self.counts, self.clusters, self.weights, **named)

    def exchange_keys(self) -> Self:
        """Scores become mid-ranks within the system, class by class, because scales differ between systems."""
        ranked = {column(i): one.exchange_keys().keys["score"] for i, one in enumerate(self.rest)}
        return dataclasses.replace(self, keys={**self.keys, **ranked})

    def with_positive(self, label: object) -> Self:
        """The scores unchanged: each class has its own."""
        return self

    def context(self) -> dict[str, Any]:
        """The classes."""
        return {"labels": list(self.labels)}

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both must have a score for the same classes, in any order."""
        if self.labels == other.labels:
            return self, other
        if set(self.labels) != set(other.labels):
            raise DataError(
                f"one tally has scores for {listed(self.labels)} and the other for {listed(other.labels)}; "
                "both need a score for every class."
            )
        place = np.array([self.labels.index(label) for label in other.labels], np.int64)
        keys = {"gold": place[other.gold]} | {column(int(to)): other.keys[column(i)] for i, to in enumerate(place)}
        ordered = {name: keys[name] for name in self.keys}
        return self, dataclasses.replace(other, keys=ordered, labels=self.labels)

    def gold_margins(self) -> Any:
        """How many items each gold class has."""
        return counted_by_name(self.gold, self.counts, self.labels)


@dataclass(frozen=True, eq=False)
class ItemScores(Evidence):
    """The items themselves with how often each counts: shape (..., units)."""

    w: Floats
    items: ClassScored

    in_any_order: ClassVar[bool] = True

    @classmethod
    def of(cls, tally: ClassScored, w: Floats) -> Self:
        """Nothing is aggregated: every item keeps its scores."""
        return cls(w, tally)

    @property
    def sizes(self) -> Floats:
        """How many items each class has: shape (..., k)."""
        return sum_by(self.items.gold, self.items.k, self.w)

    def against_rest(self) -> list[ByScore]:
        """Each class against all others, by its own scores."""
        items = self.items
        if all_once(items.counts) and self.w.ndim == 1 and all_once(self.w):
            # Items that are counted once need no units: whole numbers are sorted and counted faster.
            return [ByScore.of(one, one.mass) for one in (items.versus_rest(i) for i in range(items.k))]
        return [ByScore.of(one, self.w) for one in items.rest]

    @classmethod
    def no_model(cls, tally: ClassScored, index: int | None) -> tuple[list[str], Self] | None:
        """One row of scores for every item: the shares of the classes."""
        sizes = cls.of(tally, tally.mass).sizes
        shares = sizes / sizes.sum()
        keys = {"gold": np.arange(tally.k)} | {column(i): np.full(tally.k, share) for i, share in enumerate(shares)}
        same = ClassScored(keys, np.ones(tally.k, np.int64), labels=tally.labels)
        return [BASE_RATE], cls(sizes[None], same)

    def with_ends(self, weight: float) -> Self:
        """The same with two more items of each class that occurs: one classified correctly, one wrongly."""
        seen = np.flatnonzero(self.sizes > 0)
        own = one_hot(seen, self.items.k) > 0
        low, high = self.items.scores.min() - 1, self.items.scores.max() + 1
        ends = np.concatenate([np.where(own, high, low), np.where(own, low, high)])
        more = {"gold": np.tile(seen, 2)} | {column(i): ends[:, i] for i in range(self.items.k)}
        keys = {name: np.concatenate([old, more[name]]) for name, old in self.items.keys.items() if name in more}
        w = np.concatenate([self.w, np.full(len(ends), weight)])
        return type(self)(w, type(self.items)(keys, np.ones(len(w), np.int64), labels=self.items.labels))


@dataclass(frozen=True, eq=False)
class PlacesByScore(Places):
    """How many items have the gold class at each rank of the guesses by score; every item has it somewhere."""

    in_any_order: ClassVar[bool] = True

    @classmethod
    def of(cls, tally: ClassScored, w: Floats) -> Self:  # type: ignore[override]  # the same counts from other data
        """Sums over the units at each rank."""
        return cls(sum_by(tally.place, tally.k + 1, w))

    @classmethod
    def rows(cls, tally: ClassScored, part: slice) -> Self:  # type: ignore[override]
        """One item of each unit."""
        return cls(one_hot(tally.place[part], tally.k + 1))


def column(i: int) -> str:
    """The key of the scores for class number i."""
    return f"score {i}"


def _stacked(columns: Sequence[Floats]) -> Floats:
    """One row for each column; nothing is copied if they are the rows of one matrix already."""
    whole = columns[0].base
    if whole is None or whole.shape != (len(columns), len(columns[0])) or whole.dtype != np.float64:
        return np.stack(columns)
    same = (one.__array_interface__ == row.__array_interface__ for one, row in zip(columns, whole, strict=True))
    return whole if all(same) else np.stack(columns)


def own_scores(scores: Floats, gold: Ints) -> Floats:
    """The score of the gold class in each row."""
    return np.asarray(scores[np.arange(len(gold)), gold])


def _gold_and_scores(
    y_true: ArrayLike, y_score: ArrayLike | Mapping[Any, ArrayLike], labels: Sequence[object] | None, name: str
) -> tuple[Ints, tuple[str, ...], dict[str, Floats]]:
    """Codes of the gold labels, the classes, and a column of scores for each."""
    (codes,), seen, _ = encode_together([y_true], ["y_true"], classes=True)
    wanted = None if labels is None else class_names(labels)
    given = _named_columns(y_score, wanted or seen, name)
    classes = tuple(given) if wanted is None else wanted
    _check_classes(seen, classes, tuple(given), name)
    place = np.array([classes.index(label) for label in seen], np.int64)
    columns = {
        column(i): checked_scores(given[label], len(codes), f"{name} of “{label}”") for i, label in enumerate(classes)
    }
    return place[codes], classes, columns


def _named_columns(y_score: Any, classes: Sequence[str], name: str) -> dict[str, Any]:
    """The scores for each class, by the names of the columns or else in the order of the classes."""
    if hasattr(y_score, "columns"):
        y_score = {label: y_score[label] for label in getattr(y_score, "column_names", y_score.columns)}
    if isinstance(y_score, Mapping):
        named = {spelled(label): scores for label, scores in y_score.items()}
        if len(named) < len(y_score):
            raise DataError(f"{name} has two columns of scores for one class: {listed(y_score)}.")
        return named
    if isinstance(y_score, Set | Iterator):
        raise DataError(f"{name} is {a_type(y_score)}; expected a row of scores for each item.")
    try:
        matrix = np.ma.asanyarray(y_score) if np.ma.isMaskedArray(y_score) else np.asarray(y_score)
    except ValueError:
        raise DataError(f"{name} has rows of different lengths; each item needs a score for every class.") from None
    if matrix.ndim != 2:
        raise DataError(f"{name} has {plural(matrix.ndim, 'dimension')}; expected a row of scores for each item.")
    if matrix.shape[1] != len(classes):
        raise DataError(
            f"{name} has {plural(matrix.shape[1], 'column')} of scores, but there are {len(classes)} classes "
            f"({listed(classes, 5)}); each class needs one. Name the classes of the columns with labels=."
        )
    return dict(zip(classes, _together(matrix), strict=True))


def _together(matrix: NDArray[Any]) -> NDArray[Any]:
    """The columns of scores, each in one place if they are plain numbers: one pass is faster than one for each."""
    if matrix.dtype.kind != "f" or isinstance(matrix, np.ma.MaskedArray):
        return matrix.T
    return np.ascontiguousarray(matrix.T, np.float64)


def _check_classes(seen: Sequence[str], classes: Sequence[str], columns: Sequence[str], name: str) -> None:
    lacking = [label for label in dict.fromkeys((*seen, *classes)) if label not in columns]
    if lacking:
        raise DataError(f"{name} has no score for {listed(lacking, 5)}; every class needs a column.")
    strange = [label for label in (*seen, *columns) if label not in classes]
    if strange:
        raise DataError(f"{listed(strange, 5)} is not one of the classes {listed(classes, 5)}; name every class.")
