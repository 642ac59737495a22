"""Classifiers judged by scores: how many positive and negative items have each score."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, OptionError, listed
from assay.sources.arrays import encode_together
from assay.sources.given import finite_numbers, whole_number
from assay.tally.contract.base import CLASS_MARGINS, ClassItems, Evidence, Tally, Weights
from assay.tally.contract.codes import BY_ANSWERS, checked_weights, spelled
from assay.tally.contract.grouping import all_once, once_each
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Columns, Flags, Numbers
from assay.tally.contract.sampling import Clusters, Floats, Ints, collect_clusters
from assay.tally.contract.schema import Apart, Fields, Text, Whole
from assay.tally.contract.sums import blocks
from assay.tally.labels import Confusion
from assay.tally.sorting import distinct_scores, order_of_pairs

HALF = 0.5  # the default threshold for probabilities
PROBABILITIES = (0.0, 1.0)
MINUS_ZERO = np.iinfo(np.int64).min  # the bits of -0.0 as a whole number
BASE_RATE = "the base rate for every row"
PAIRS = 2  # units of one score that are added up one by one


@dataclass(frozen=True, eq=False, repr=False)
class Scored(Tally):
    """Units are (score, is it positive) pairs; higher scores favor the positive class."""

    positive: str = "positive"
    negative: str = "negative"
    bins: int = 0  # the number of bins into which scores were grouped, if that was asked for

    kind: ClassVar[str] = "scored"
    judged_by: ClassVar[str] = BY_ANSWERS
    called: ClassVar[str] = "the scores"
    margins_are: ClassVar[str] = CLASS_MARGINS
    stored_fields: ClassVar[Fields] = Fields({"positive": Text(), "negative": Apart("positive"), "bins": Whole()})
    stored_columns: ClassVar[Columns] = {"score": Numbers(), "positive": Flags()}

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
    ) -> Self:
        """Count items by score and class; higher scores favor the positive class."""
        how: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster, "bins": bins}
        return cls.in_rows(y_true, y_score, pos_label=pos_label, **how).collected()

    @classmethod
    def in_rows(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
    ) -> Self:
        """The same items, with a unit for each in the order of the rows."""
        truth, names = is_positive(y_true, pos_label)
        score = checked_scores(y_score, len(truth), "y_score")
        weights = None if sample_weight is None else Weights.of(checked_weights(sample_weight, len(truth)))
        clusters = None if cluster is None else clusters_of(cluster, len(truth), weights)
        named: dict[str, Any] = {"positive": names[1], "negative": names[0]}
        made = cls({"score": score, "positive": truth}, once_each(len(truth)), clusters, weights, **named)
        return made if bins is None else made.binned(bins)

    def collected(self) -> Self:
        """Equal units merged, in key order; items without weights and clusters are sorted as one number each."""
        if self.weights is not None or self.clusters is not None or len(self.keys) > 2 or not all_once(self.counts):
            return super().collected()
        score, positive, counts = distinct_scores(self.keys["score"], self.keys["positive"])
        return dataclasses.replace(self, keys={"score": score, "positive": positive}, counts=counts)

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        pos_label: object | None = None,
        cluster: ArrayLike | None = None,
    ) -> Joint[Self]:
        """Keep the two scores of each item together; there are about as many units as items."""
        truth, classes = is_positive(y_true, pos_label)
        scores = [checked_scores(x, len(truth), side) for x, side in zip((a, b), names, strict=True)]
        # In an order that does not depend on the order of the rows, though it may depend on which system is A.
        order, alone = order_of_pairs(truth, *scores)
        clusters = None if cluster is None else clusters_of(cluster, len(truth), None, order)
        named: dict[str, Any] = {"positive": classes[1], "negative": classes[0]}
        ones = np.ones(len(truth), np.int64)
        first, second = (cls({"score": s[order], "positive": truth[order]}, ones, clusters, **named) for s in scores)
        # Equal items are one unit, so that each unit has one mirror image when the systems are exchanged.
        joint = Joint(first, second, names)
        return joint if alone else joint.collected()

    # ------------------------------------------------------------------ scores
    @cached_property
    def groups(self) -> tuple[Ints | slice, Ints]:
        """An index that puts units in score order, and where each distinct score starts in that order."""
        score = self.keys["score"]
        order: Ints | slice = slice(None)  # tallies are mostly in this order already, and then nothing is copied
        if not (score[1:] >= score[:-1]).all():
            # Whole counts add up the same in any order; weights do not.
            order = np.argsort(score, kind=None if self.weights is None else "stable").astype(np.int64, copy=False)
        ranked = score[order]
        start = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        return order, start.astype(np.int64, copy=False)

    @cached_property
    def place(self) -> Ints:
        """Which of the distinct scores, from the lowest up, each unit has."""
        order, start = self.groups
        out = np.empty(len(self.counts), np.int64)
        every = np.arange(len(start))
        out[order] = every if len(start) == len(out) else np.repeat(every, np.diff(np.append(start, len(out))))
        return out

    @cached_property
    def by_place(self) -> list[tuple[Ints, NDArray[np.bool_] | None, NDArray[np.bool_]]] | None:
        """A unit of each score, then another where there is one: which, where, and where it is positive.

        None if some scores have more units, whose runs are added up instead.
        """
        order, start = self.groups
        size = np.diff(np.append(start, len(self.counts)))
        if size.max(initial=0) > PAIRS:
            return None
        every, found = np.arange(len(self.counts))[order], []
        for place in range(int(size.max(initial=1))):
            here = place < size
            at = every[start + np.where(here, place, 0)]
            found.append((at, None if here.all() else here, here & self.keys["positive"][at]))
        return found

    @cached_property
    def scores(self) -> Floats:
        """The distinct scores, from the lowest up."""
        order, start = self.groups
        return np.asarray(self.keys["score"][order][start], np.float64)

    @property
    def positives(self) -> int:
        """How many items are positive."""
        return int(self.counts[self.keys["positive"]].sum())

    @property
    def probabilities(self) -> bool:
        """Whether every score lies between 0 and 1, so that scores may be probabilities."""
        score = self.keys["score"]
        return bool(len(score) == 0 or (score.min() >= PROBABILITIES[0] and score.max() <= PROBABILITIES[1]))

    def binned(self, bins: int) -> Self:
        """The same items with scores grouped into bins of equal width, each represented by its midpoint.

        A score on the edge of two bins goes into the upper one, just as it reaches a threshold equal to it.
        """
        if not whole_number(bins, 2):
            raise OptionError(f"bins is {bins!r}; expected a whole number of at least 2.")
        if not self.probabilities:
            raise OptionError(
                "bins divide the range from 0 to 1, but some of these scores lie outside it; leave bins out."
            )
        which = np.searchsorted(np.arange(1, bins) / bins, self.keys["score"], side="right")
        return dataclasses.replace(self, keys={**self.keys, "score": (which + 0.5) / bins}, bins=bins)

    def exchange_keys(self) -> Self:
        """Scores become mid-ranks within the system, because scales of scores differ between systems."""
        order, start = self.groups
        size = np.add.reduceat(self.counts[order], start)
        mid = 2 * np.cumsum(size) - size + 1  # twice the mid-rank, so that ties stay whole numbers
        return dataclasses.replace(self, keys={**self.keys, "score": mid[self.place].astype(np.float64)})

    # ------------------------------------------------------------------ labels
    @property
    def labels(self) -> tuple[str, str]:
        """The two classes, the positive one last."""
        return self.negative, self.positive

    def at(self, threshold: float) -> Confusion:
        """The labels at this threshold: a score at or above it is labeled positive."""
        return self.unmerged_at(threshold).collected()

    def unmerged_at(self, threshold: float) -> Confusion:
        """The same with a unit for every unit there was, so that they stay paired with those of another system."""
        keys = {
            "gold": self.keys["positive"].astype(np.int64),
            "pred": (self.keys["score"] >= threshold).astype(np.int64),
        }
        named: dict[str, Any] = {"labels": self.labels, "positive": self.positive, "threshold": float(threshold)}
        return Confusion(keys, self.counts, self.clusters, self.weights, **named)

    def with_positive(self, label: object) -> Self:
        """The scores unchanged, if they are for this class."""
        if spelled(label) != self.positive:
            raise DataError(f"these scores are for “{self.positive}”; count the file again to ask about another class.")
        return self

    # ------------------------------------------------------------------ identity
    def context(self) -> dict[str, Any]:
        """The two classes, and the bins of the scores if they were grouped."""
        return {"positive": self.positive, "negative": self.negative, "bins": self.bins}

    @property
    def unit_golds(self) -> Ints:
        """1 for positives, 0 for negatives."""
        return self.keys["positive"].astype(np.int64)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both must have the same positive class, and the same bins of scores."""
        if self.positive != other.positive:
            raise DataError(f"one tally has the positive class {self.positive!r} and the other {other.positive!r}.")
        if self.bins != other.bins:
            raise DataError(
                f"one tally has scores in {self.bins or 'no'} bins and the other in {other.bins or 'no'}; "
                "count both the same way."
            )
        unknown = f"not {self.positive}"  # a shard may have seen no other class
        known = {self.negative, other.negative} - {unknown}
        negative = known.pop() if len(known) == 1 else unknown
        return (
            dataclasses.replace(self, negative=negative),
            dataclasses.replace(other, negative=negative),
        )

    def gold_margins(self) -> Any:
        """How many items are positive."""
        return [self.positive, self.positives]

    def class_items(self) -> tuple[ClassItems, ...]:
        """The items of both classes."""
        return ClassItems(self.negative, self.n - self.positives), ClassItems(self.positive, self.positives)


@dataclass(frozen=True, eq=False)
class ByScore(Evidence):
    """Positive and negative items at each distinct score, from the lowest up: shape (..., scores)."""

    pos: Floats
    neg: Floats
    score: Floats  # the distinct scores themselves: shape (scores,)

    whole: ClassVar[bool] = True

    @classmethod
    def of(cls, tally: Scored, w: Floats) -> Self:
        """Sums over runs of equal scores; the order was found once."""
        order, start = tally.groups
        if w.dtype.kind == "i":
            return cls._of_whole(tally, w)
        w, positive = w[..., order], tally.keys["positive"][order]
        score = tally.keys["score"][order]
        if len(start) == len(score):
            pos = w * positive
            return cls(pos, w - pos, score)
        score = score[start]
        pos = np.add.reduceat(w * positive, start, axis=-1)
        # Summed separately: a difference of sums of weights would leave a rounding error instead of 0.
        return cls(pos, np.add.reduceat(w * ~positive, start, axis=-1), score)

    @classmethod
    def _of_whole(cls, tally: Scored, w: NDArray[Any]) -> Self:
        """The same for multiplicities that are whole numbers."""
        if tally.by_place is None:
            order, start = tally.groups
            ranked = w if isinstance(order, slice) else np.take(w, order, axis=-1)
            last = np.append(start[1:], w.shape[-1]) - 1
            pos, both = _sum_runs(ranked * tally.keys["positive"][order], last), _sum_runs(ranked, last)
        else:
            pos = both = np.int8(0)
            for at, here, positive in tally.by_place:
                one = np.take(w, at, axis=-1)
                pos, both = pos + one * positive, both + (one if here is None else one * here)
        return cls(pos.astype(np.int32), (both - pos).astype(np.int32), tally.scores)

    def rest_of(self, whole: Self) -> Self:
        """Items at each score that are in the whole but not here."""
        return type(self)(whole.pos - self.pos, whole.neg - self.neg, self.score)

    @classmethod
    def per_unit(cls, tally: Scored, found: tuple[Floats, Floats]) -> Floats:
        """Values for a positive and for a negative item at each score, assigned to the units."""
        pos, neg = (part[..., tally.place] for part in found)
        return np.where(tally.keys["positive"], pos, neg)

    @classmethod
    def no_model(cls, tally: Scored, index: int | None) -> tuple[list[str], Self] | None:
        """One score for every item: the share of positives."""
        pos, neg = base_rate(tally)
        return [BASE_RATE], cls(np.array([[pos]]), np.array([[neg]]), np.array([pos / (pos + neg)]))


def _sum_runs(x: NDArray[Any], last: Ints) -> Any:
    """Sums of whole numbers over runs that end at these places."""
    ends = np.take(np.cumsum(x, axis=-1, dtype=np.int32), last, axis=-1)
    return np.diff(ends, axis=-1, prepend=np.int32(0))


def base_rate(tally: Scored) -> tuple[float, float]:
    """The mass of positive and of negative items."""
    positive = tally.keys["positive"]
    return float(tally.mass[positive].sum()), float(tally.mass[~positive].sum())


def is_positive(y_true: ArrayLike, pos_label: object | None) -> tuple[NDArray[np.bool_], tuple[str, str]]:
    """Which items belong to the positive class, and the names of both classes, the positive one last."""
    (codes,), labels, _ = encode_together([y_true], ["y_true"], classes=True)
    if len(labels) > 2:
        raise DataError(
            f"y_true has {len(labels)} classes ({listed(labels, 3)}), but one score is for one class: "
            "give y_true as true or false for that class, such as [label == 'spam' for label in y_true], "
            "or a column of scores for each class."
        )
    both = Confusion(keys={}, counts=np.zeros(0, np.int64), labels=labels)
    if len(labels) == 1 and (pos_label is not None or labels[0] in ("0", "1", "false", "true")):
        # A shard may have only one class, and that need not be the positive one.
        name = spelled(True if pos_label is None else pos_label)
        if labels[0] in ("0", "1"):
            name = {"false": "0", "true": "1"}.get(name, name)
        other = {"0": "1", "1": "0", "true": "false", "false": "true"}.get(name, f"not {name}")
        return codes == (0 if labels[0] == name else -1), (labels[0] if labels[0] != name else other, name)
    index = both.class_index(pos_label)
    others = [label for i, label in enumerate(labels) if i != index]
    return codes == index, (others[0] if others else f"not {labels[index]}", labels[index])


def checked_scores(values: ArrayLike, n: int, name: str) -> Floats:
    """One finite number for every item, as it is compared: -0.0 becomes 0.0, so that equal scores have equal keys.

    It may be the user's own array: do not keep it.
    """
    score = finite_numbers(values, n, name)
    unlike = any((np.ascontiguousarray(score[block]).view(np.int64) == MINUS_ZERO).any() for block in blocks(n))
    return score + 0.0 if unlike else score


def clusters_of(cluster: ArrayLike, n: int, weights: Weights | None, order: Ints | None = None) -> Clusters:
    """Which item lies in which cluster, where every item is a unit of its own; `order` is that of the units."""
    (code,), names, _ = encode_together([cluster], ["cluster"], beside=("y_true", n))
    code = code if order is None else code[order]
    units = np.arange(n, dtype=np.int64)
    heavy = None if weights is None else weights.total
    return collect_clusters(names, code.astype(np.int64), units, np.ones(n, np.int64), heavy)
