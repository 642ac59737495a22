"""Curves over thresholds: exact points, one for every threshold that changes a label, from the highest down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError
from assay.measures.labels.costs import break_even_threshold
from assay.measures.scores.geometry import corners, first_index, hull, last_index, path_at
from assay.options.option import refusing
from assay.sources.given import finite_numbers
from assay.tally.contract.sampling import Floats
from assay.tally.scores import ByScore, Scored, is_positive
from assay.tally.sorting import reached

R = TypeVar("R", bound="Reached")
RECALLS = np.arange(11) / 10  # where precision is interpolated by custom


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Points of a curve, and the threshold that gives each."""

    x: Floats
    y: Floats
    threshold: Floats

    kind: ClassVar[str]
    axes: ClassVar[tuple[str, str]]

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self):,} points>"

    @property
    def thresholds(self) -> Floats:
        """The threshold of every point."""
        return self.threshold


@dataclass(frozen=True)
class Reading:
    """What a band needs from a curve: x fixes the share of one class that is reached, and y describes the other class.

    With j of the other class reached there, the share behind y is Beta distributed: `shape` gives its two
    parameters, and `y_of` computes y from the share and x.
    """

    along: Floats  # how many of the class whose share is x are reached, point by point
    other: Floats  # how many of the other class
    shape: Callable[[Floats, Floats], tuple[Floats, Floats]]  # of j, and of all there are of the positives
    y_of: Callable[[Floats, Floats], Floats]
    influence: Callable[[float, float], Floats]  # of each unit on y, from x and the slope of `other` in `along` there
    end: float  # y where everything is reached
    blind: float = 0.0  # up to this x less than one item is expected, so nothing bounds y from above


@dataclass(frozen=True, eq=False, repr=False)
class Reached(Curve):
    """A curve of how many positives and negatives reach each threshold."""

    tp: NDArray[Any]
    fp: NDArray[Any]
    tally: Scored | None = None  # where the items are counted, for clusters and weights

    @classmethod
    def of(cls, tally: Scored) -> Self:
        """The curve of a tally."""
        return cls.drawn(*counts_reached(tally), tally)

    @classmethod
    def drawn(cls, threshold: Floats, tp: NDArray[Any], fp: NDArray[Any], tally: Scored | None = None) -> Self:
        """The curve of these counts."""
        raise NotImplementedError

    def at(self, x: ArrayLike) -> Floats:
        """The height on the lines between points."""
        raise NotImplementedError

    def reading(self) -> Reading:
        """What a band needs from the curve."""
        raise NotImplementedError

    @property
    def positives(self) -> float:
        """The number of positives, or their total weight."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        """The number of negatives, or their total weight."""
        return float(self.fp[-1])

    def only(self, points: NDArray[Any]) -> Self:
        """Some of the points."""
        held = {name: getattr(self, name)[points] for name in ("x", "y", "threshold", "tp", "fp")}
        return replace(self, **held)

    def _above(self, position: float) -> tuple[Floats, NDArray[np.bool_]]:
        """How much of each unit is reached at this place on the curve, and which units are positive."""
        assert self.tally is not None
        ranks = int(self.tally.place.max()) - self.tally.place
        return np.clip(position - ranks, 0.0, 1.0), self.tally.keys["positive"]


@dataclass(frozen=True, eq=False, repr=False)
class Roc(Reached):
    """Share of the positives reached (TPR) against share of the negatives reached (FPR)."""

    kind: ClassVar[str] = "roc"
    axes: ClassVar[tuple[str, str]] = ("False positive rate", "Recall (true positive rate)")

    @classmethod
    def drawn(cls, threshold: Floats, tp: NDArray[Any], fp: NDArray[Any], tally: Scored | None = None) -> Roc:
        """The curve of these counts; both classes are needed."""
        if not (tp[-1] > 0 and fp[-1] > 0):
            raise DataError("a ROC curve needs items of both classes; all of these belong to one.")
        x, y = np.empty((2, len(tp)))  # together, because much of the time goes into getting new memory
        return cls(np.divide(fp, fp[-1], out=x), np.divide(tp, tp[-1], out=y), threshold, tp, fp, tally)

    @property
    def fpr(self) -> Floats:
        """Share of the negatives that reach each threshold."""
        return self.x

    @property
    def tpr(self) -> Floats:
        """Share of the positives that reach each threshold."""
        return self.y

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.fpr, self.tpr, self.threshold))

    def at(self, fpr: ArrayLike) -> Floats:
        """The highest TPR with at most this FPR, on the straight lines between points."""
        return np.interp(np.asarray(fpr, np.float64), self.x, self.y)

    def corners(self) -> Roc:
        """The curve without points that lie on the straight line between their neighbors."""
        return self.only(corners(self.fp, self.tp))

    def hull(self) -> Roc:
        """The points on the upper convex hull: each is best for some costs and some share of positives."""
        return self.only(hull(self.fp, self.tp))

    def reading(self) -> Reading:
        """TPR at a fixed FPR: the negatives determine the threshold, and TPR is a share of the positives."""
        return Reading(
            self.fp,
            self.tp,
            lambda j, positives: (j + 0.5, positives - j + 0.5),
            lambda share, _: share,
            self._influence,
            end=1.0,
        )

    def _influence(self, x: float, slope: float) -> Floats:
        """A positive changes TPR by being reached or not, a negative by moving the threshold."""
        above, positive = self._above(last_index(self.fp, x * self.negatives))
        y, moved = float(self.at(x)), slope * self.negatives / self.positives
        return np.where(positive, (above - y) / self.positives, -moved * (above - x) / self.negatives)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(Reached):
    """Share of the alarms that are true (precision) against share of the positives found (recall).

    Points begin at the highest score. Above it nothing is called positive, so precision is undefined and there is no
    point.
    """

    kind: ClassVar[str] = "pr"
    axes: ClassVar[tuple[str, str]] = ("Recall", "Precision")

    @classmethod
    def drawn(
        cls, threshold: Floats, tp: NDArray[Any], fp: NDArray[Any], tally: Scored | None = None
    ) -> PrecisionRecall:
        """The curve of these counts; positives are needed."""
        if not tp[-1] > 0:
            raise DataError("a precision–recall curve needs positive items; none of these is positive.")
        called = tp + fp
        first = int(np.searchsorted(called, 0, side="right"))
        tp, fp = tp[first:], fp[first:]
        x, y = np.empty((2, len(tp)))
        return cls(np.divide(tp, tp[-1], out=x), np.divide(tp, called[first:], out=y), threshold[first:], tp, fp, tally)

    @property
    def recall(self) -> Floats:
        """Share of the positives that reach each threshold."""
        return self.x

    @property
    def precision(self) -> Floats:
        """Share of the positives among the items that reach each threshold."""
        return self.y

    @property
    def prevalence(self) -> float:
        """Share of positives: the precision of alarms at random."""
        return self.positives / (self.positives + self.negatives)

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.precision, self.recall, self.threshold))

    def at(self, recall: ArrayLike) -> Floats:
        """The highest precision at this recall or above on the lines between points; nan where nothing is found.

        Between two points false alarms rise linearly with hits, so precision follows a curve, not a straight line.
        """
        tp = np.asarray(recall, np.float64) * self.positives
        fp = path_at(*self.path(), tp, first=True)
        out: Floats = np.full(tp.shape, np.nan)
        return np.divide(tp, tp + fp, out=out, where=tp > 0)

    def interpolated(self, recalls: ArrayLike = RECALLS) -> Floats:
        """The highest precision at this recall or any higher one."""
        best = np.maximum.accumulate(self.y[::-1])[::-1]
        # 3 of 10 reach a recall of 3/10, however the two are rounded.
        place = np.searchsorted(self.x, np.asarray(recalls, np.float64) - 1e-12)
        return best[np.minimum(place, len(best) - 1)]

    def reading(self) -> Reading:
        """Precision at a fixed recall: the positives determine the threshold.

        The odds of precision are recall times all positives, over the negatives that are reached.
        """
        tp, fp = self.path()
        return Reading(
            tp,
            fp,
            lambda j, positives: (np.broadcast_to(positives + 0.5, j.shape), j + 0.5),
            lambda share, x: x * share / (x * share + 1 - share),
            self._influence,
            end=self.prevalence,
            blind=1 / self.positives,
        )

    def path(self) -> tuple[Floats, Floats]:
        """Hits and false alarms, starting from no alarm."""
        return np.concatenate([[0.0], self.tp]), np.concatenate([[0.0], self.fp])

    def _influence(self, x: float, slope: float) -> Floats:
        """On the log of the odds of precision."""
        tp, fp = self.path()
        position = first_index(tp, x * self.positives)
        above, positive = self._above(position)
        alarms = float(np.interp(position, np.arange(len(fp)), fp)) + 0.5
        moved = slope * (above - x) / alarms
        return np.where(positive, 1 / self.positives + moved, -above / alarms)


def counts_reached(tally: Scored) -> tuple[Floats, Floats, Floats]:
    """Infinity and every distinct score from the highest down, and the positives and negatives that reach each."""
    e = ByScore.of(tally, tally.mass)
    tp, fp = (np.concatenate([[0.0], np.cumsum(x[::-1])]) for x in (e.pos, e.neg))
    return np.concatenate([[np.inf], e.score[::-1]]), tp, fp


# ---------------------------------------------------------------------- from arrays
@refusing
def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Roc:
    """TPR against FPR at every threshold; unpacks as `fpr, tpr, thresholds`."""
    return _from_arrays(Roc, y_true, y_score, pos_label, sample_weight, cluster)


@refusing
def pr_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> PrecisionRecall:
    """Precision against recall at every threshold; unpacks as `precision, recall, thresholds`."""
    return _from_arrays(PrecisionRecall, y_true, y_score, pos_label, sample_weight, cluster)


def _from_arrays(
    made: type[R],
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: object | None,
    weight: ArrayLike | None,
    cluster: ArrayLike | None,
) -> R:
    if weight is None and cluster is None:
        # The counts along the curve are all it needs, and cheaper than a tally.
        truth, _ = is_positive(y_true, pos_label)
        return made.drawn(*reached(finite_numbers(y_score, len(truth), "y_score"), truth))
    how: dict[str, Any] = {"pos_label": pos_label, "sample_weight": weight, "cluster": cluster}
    return made.of(Scored.from_scores(y_true, y_score, **how))


ROUNDING = 1e-13  # costs that differ by less than this, relative to the lowest, are equal up to rounding


@dataclass(frozen=True, eq=False, repr=False)
class CostByThreshold(Curve):
    """What the answers cost per item at each threshold; the first threshold is infinite and calls nothing positive."""

    cost_fp: float
    cost_fn: float

    kind: ClassVar[str] = "cost"
    axes: ClassVar[tuple[str, str]] = ("Threshold", "Cost per item")

    @classmethod
    def of(cls, tally: Scored, cost_fp: float, cost_fn: float) -> CostByThreshold:
        """The curve of a tally; costs are finite and not negative."""
        break_even_threshold(cost_fp, cost_fn)  # refuses costs that make no sense
        threshold, tp, fp = counts_reached(tally)
        cost = (cost_fp * fp + cost_fn * (tp[-1] - tp)) / (tp[-1] + fp[-1])
        return cls(threshold, cost, threshold, cost_fp, cost_fn)

    def at(self, threshold: ArrayLike) -> Floats:
        """The cost if every score at or above this threshold is called positive."""
        rising = self.threshold[::-1]
        place = np.searchsorted(rising, np.asarray(threshold, np.float64))
        return self.y[::-1][np.minimum(place, len(rising) - 1)]

    @property
    def cheapest(self) -> tuple[float, float]:
        """The threshold of the lowest cost on these items, the highest of several, and that cost."""
        place = int(np.argmax(self.y <= self.y.min() * (1 + ROUNDING)))
        return float(self.threshold[place]), float(self.y[place])


@dataclass(frozen=True, eq=False, repr=False)
class CostEnvelope(Curve):
    """Drummond and Holte's cost curve: normalized expected cost of the best threshold, for all costs at once.

    x is the share of the expected cost of always being wrong that is due to misses. Each threshold is optimal from
    its x to the next one's.
    """

    kind: ClassVar[str] = "envelope"
    axes: ClassVar[tuple[str, str]] = ("Share of the possible cost that is due to misses", "Normalized expected cost")

    @classmethod
    def of(cls, tally: Scored) -> CostEnvelope:
        """The lower envelope of the lines that the thresholds make, from the hull of the ROC curve."""
        h = Roc.of(tally).hull()
        fpr, tpr = np.diff(h.fpr), np.diff(h.tpr)
        turn = fpr / (fpr + tpr)
        cost = (1 - h.tpr[1:]) * turn + h.fpr[1:] * (1 - turn)
        return cls(
            np.concatenate([[0.0], turn, [1.0]]),
            np.concatenate([[0.0], cost, [0.0]]),
            np.append(h.threshold, h.threshold[-1]),
        )

    def at(self, x: ArrayLike) -> Floats:
        """The lowest cost there."""
        return np.interp(np.asarray(x, np.float64), self.x, self.y)
