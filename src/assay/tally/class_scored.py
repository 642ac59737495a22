"""Classifiers judged by a score for each class: every item keeps all of its scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, listed
from assay.sources.arrays import encode_together
from assay.tally.base import Evidence, Tally, Weights
from assay.tally.confusion import Confusion
from assay.tally.counting import checked_weights, spelled
from assay.tally.joint import Joint
from assay.tally.sampling import Floats, Ints
from assay.tally.scored import Scored, checked_scores, clusters_of


@dataclass(frozen=True, eq=False, repr=False)
class ClassScored(Tally):
    """Units are (gold class, score of every class): about as many as there are items."""

    labels: tuple[str, ...] = ()

    kind: ClassVar[str] = "class_scores"
    item: ClassVar[str] = "item"

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
        """Keep the scores of every class for each item; columns stand for the sorted labels unless they are named."""
        gold, classes, columns = _gold_and_scores(y_true, y_score, labels, "y_score")
        weights = None
        if sample_weight is not None:
            w = checked_weights(sample_weight, len(gold))
            weights = Weights(w, w * w)
        clusters = None if cluster is None else clusters_of(cluster, len(gold), weights)
        keys = {"gold": gold, **columns}
        return cls(keys, np.ones(len(gold), np.int64), clusters, weights, labels=classes).collected()

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
        sides = []
        for scores, name in zip((a, b), names, strict=True):
            gold, classes, columns = _gold_and_scores(y_true, scores, labels, name)
            clusters = None if cluster is None else clusters_of(cluster, len(gold), None)
            ones = np.ones(len(gold), np.int64)
            sides.append(cls({"gold": gold, **columns}, ones, clusters, labels=classes))
        return Joint(sides[0], sides[1], names).collected()

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
        """The score of every class for each unit: shape (units, k)."""
        return np.stack([self.keys[column(i)] for i in range(self.k)], axis=1)

    @cached_property
    def decided(self) -> Ints:
        """The class with the highest score for each unit; of several, the first."""
        return np.asarray(self.scores.argmax(axis=1), np.int64)

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the class with the highest score is the gold class."""
        return np.asarray(self.decided == self.gold)

    def labeled(self, decided: Ints | None = None) -> Confusion:
        """The labels of the highest scores, or others that were decided upon."""
        return self.unmerged_labeled(decided).collected()

    def unmerged_labeled(self, decided: Ints | None = None) -> Confusion:
        """The same with a unit for every unit there was."""
        keys = {"gold": self.gold, "pred": self.decided if decided is None else decided}
        return Confusion(keys, self.counts, self.clusters, self.weights, labels=self.labels)

    def versus_rest(self, index: int) -> Scored:
        """The scores of one class against all others."""
        keys = {"score": self.keys[column(index)], "positive": self.gold == index}
        label = self.labels[index]
        named: dict[str, Any] = {"positive": label, "negative": f"not {label}"}
        return Scored(keys, self.counts, self.clusters, self.weights, **named)

    def context(self) -> dict[str, Any]:
        """The classes."""
        return {"labels": list(self.labels)}

    @classmethod
    def from_context(cls, context: Mapping[str, Any]) -> dict[str, Any]:
        """The classes."""
        return {"labels": tuple(context["labels"])}

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both must have a score for the same classes, in any order."""
        if self.labels == other.labels:
            return self, other
        if set(self.labels) != set(other.labels):
            raise DataError(
                f"one tally has scores of {listed(self.labels)} and the other of {listed(other.labels)}; "
                "both need a score for every class."
            )
        place = np.array([self.labels.index(label) for label in other.labels], np.int64)
        keys = {"gold": place[other.gold]} | {column(int(to)): other.keys[column(i)] for i, to in enumerate(place)}
        ordered = {name: keys[name] for name in self.keys}
        return self, dataclasses.replace(other, keys=ordered, labels=self.labels)

    def gold_margins(self) -> Any:
        """How many items each gold class has."""
        sums = np.bincount(self.gold, weights=self.counts, minlength=self.k).astype(int).tolist()
        return sorted((label, n) for label, n in zip(self.labels, sums, strict=True) if n)


@dataclass(frozen=True, eq=False)
class ItemScores(Evidence):
    """The items themselves with how often each counts: shape (..., units)."""

    w: Floats
    items: ClassScored

    @classmethod
    def of(cls, tally: ClassScored, w: Floats) -> Self:
        """Nothing is added up: every item keeps its scores."""
        return cls(w, tally)


def column(i: int) -> str:
    """The key of the scores of class number i."""
    return f"score {i}"


def _gold_and_scores(
    y_true: ArrayLike, y_score: ArrayLike | Mapping[Any, ArrayLike], labels: Sequence[object] | None, name: str
) -> tuple[Ints, tuple[str, ...], dict[str, Floats]]:
    """Codes of the gold labels, the classes, and a column of scores for each."""
    (codes,), seen, _ = encode_together([y_true], ["y_true"])
    if isinstance(y_score, Mapping):
        classes = tuple(spelled(label) for label in y_score)
        given = list(y_score.values())
    else:
        matrix = np.asarray(y_score)
        if matrix.ndim != 2:
            raise DataError(f"{name} has {matrix.ndim} dimensions; a row of scores for each item is wanted.")
        classes = seen if labels is None else tuple(spelled(label) for label in labels)
        given = list(matrix.T)
    if len(classes) != len(given):
        raise DataError(
            f"{name} has {len(given)} columns of scores and there are {len(classes)} classes ({listed(classes, 5)}); "
            "each class needs one. Name the classes of the columns with labels=."
        )
    _check_classes(seen, classes, name)
    place = np.array([classes.index(label) for label in seen], np.int64)
    columns = {column(i): checked_scores(x, len(codes), f"{name} of “{classes[i]}”") for i, x in enumerate(given)}
    return place[codes], classes, columns


def _check_classes(seen: Sequence[str], classes: Sequence[str], name: str) -> None:
    if len(set(classes)) < len(classes):
        raise DataError(f"{name} has two columns of scores for one class: {listed(classes)}.")
    lacking = [label for label in seen if label not in classes]
    if lacking:
        raise DataError(f"{name} has no score for {listed(lacking, 5)}; every class that occurs needs a column.")
