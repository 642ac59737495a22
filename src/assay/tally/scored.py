"""Classifiers judged by scores: how many positive and negative items have each score."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import DataError, listed
from assay.sources.arrays import encode_together
from assay.tally.base import Evidence, Tally, group_rows
from assay.tally.confusion import Confusion
from assay.tally.counting import check_length, spelled
from assay.tally.joint import Joint
from assay.tally.sampling import Floats, Ints


@dataclass(frozen=True, eq=False, repr=False)
class Scored(Tally):
    """Units are (is it positive, score) pairs."""

    positive: str = "positive"

    kind: ClassVar[str] = "scored"
    item: ClassVar[str] = "item"

    @classmethod
    def from_scores(cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object | None = None) -> Self:
        """Count items by class and score; higher scores speak for the positive class."""
        truth, name = _is_positive(y_true, pos_label)
        keys = {"positive": truth, "score": _scores(y_score, len(truth), "y_score")}
        return cls(keys=keys, counts=np.ones(len(truth), np.int64), positive=name).collected()

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        pos_label: object | None = None,
    ) -> Joint[Self]:
        """Keep the two scores of each item together; there are about as many units as items."""
        truth, name = _is_positive(y_true, pos_label)
        scores = [_scores(x, len(truth), side) for x, side in zip((a, b), names, strict=True)]
        # Items that are alike are one unit, so that each unit has one mirror image when the systems are exchanged.
        order, group = group_rows([truth, *scores])
        rows, counts = order[np.flatnonzero(np.diff(group, prepend=-1))], np.bincount(group).astype(np.int64)
        first, second = (
            cls(keys={"positive": truth[rows], "score": s[rows]}, counts=counts, positive=name) for s in scores
        )
        return Joint(first, second, names)

    @cached_property
    def groups(self) -> tuple[Ints, Ints]:
        """Units in score order, and where each distinct score starts in that order."""
        order = np.argsort(self.keys["score"], kind="stable")
        score = self.keys["score"][order]
        start = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
        return order.astype(np.int64), start.astype(np.int64)

    def exchange_keys(self) -> Self:
        """Scores become mid-ranks within the system, because scales of scores differ between systems."""
        order, start = self.groups
        size = np.add.reduceat(self.counts[order], start)
        mid = 2 * np.cumsum(size) - size + 1  # twice the mid-rank, so that ties stay whole numbers
        rank = np.empty(len(order))
        rank[order] = np.repeat(mid, np.diff(np.concatenate([start, [len(order)]])))
        return dataclasses.replace(self, keys={**self.keys, "score": rank})

    def context(self) -> dict[str, Any]:
        """The positive class."""
        return {"positive": self.positive}

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both must mean the same class by positive."""
        if self.positive != other.positive:
            raise DataError(f"one tally has the positive class {self.positive!r} and the other {other.positive!r}.")
        return self, other

    def gold_margins(self) -> Any:
        """How many items are positive."""
        return [self.positive, int(self.counts[self.keys["positive"]].sum())]

    def headline(self, system: str) -> str:
        """How many items of each class were scored."""
        positives = int(self.counts[self.keys["positive"]].sum())
        return f"{system} scores {self.n:,} items, {positives:,} of them “{self.positive}”."


@dataclass(frozen=True, eq=False)
class ByScore(Evidence):
    """Positive and negative items at each distinct score, from the lowest up: shape (..., scores)."""

    pos: Floats
    neg: Floats

    @classmethod
    def of(cls, tally: Scored, w: Floats) -> Self:
        """Sums over runs of equal scores; the order was found once."""
        order, start = tally.groups
        w = w[..., order]
        pos = np.add.reduceat(w * tally.keys["positive"][order], start, axis=-1)
        return cls(pos, np.add.reduceat(w, start, axis=-1) - pos)


def _is_positive(y_true: ArrayLike, pos_label: object | None) -> tuple[Any, str]:
    """Which items belong to the positive class, and its name."""
    (codes,), labels, _ = encode_together([y_true], ["y_true"])
    if len(labels) > 2:
        raise DataError(
            f"y_true has {len(labels)} classes ({listed(labels, 3)}) and one score speaks for one class: "
            "give y_true as the truth of that class, such as [label == 'spam' for label in y_true]."
        )
    both = Confusion(keys={}, counts=np.zeros(0, np.int64), labels=labels)
    if len(labels) == 1 and (pos_label is not None or labels[0] in ("0", "1", "false", "true")):
        # A shard may hold one class only, and that need not be the positive one.
        name = spelled(True if pos_label is None else pos_label)
        if labels[0] in ("0", "1"):
            name = {"false": "0", "true": "1"}.get(name, name)
        return codes == (0 if labels[0] == name else -1), name
    index = both.class_index(pos_label)
    return codes == index, labels[index]


def _scores(values: ArrayLike, n: int, name: str) -> Floats:
    try:
        out = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} holds values that are not numbers: {error}.") from error
    if out.ndim != 1:
        raise DataError(f"{name} has {out.ndim} dimensions; one score per item is wanted.")
    check_length(len(out), n, name)
    bad = np.flatnonzero(~np.isfinite(out))
    if len(bad):
        raise DataError(
            f"{name} has {len(bad)} scores that are not finite (first: {out[bad[0]]} at position {bad[0]})."
        )
    return out + 0.0  # -0.0 becomes 0.0, so that equal scores have equal keys
