"""What formulas read from a confusion tally: margins, one class against the rest, or the cells themselves."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.base import Evidence, Linear
from assay.tally.contract.hot import Hot, one_hot, sum_by
from assay.tally.contract.sampling import Floats, Ints

ROUNDING = 1e-13  # relative to all items: the rounding error of sums of weights that cancel; whole counts leave none


class Labelled(Protocol):
    """What is read from a tally of labels: the gold and the predicted class of each unit, and the classes."""

    @property
    def gold(self) -> Ints:
        """The gold class of each unit, as an index into labels."""

    @property
    def pred(self) -> Ints:
        """The predicted class of each unit, as an index into labels; k if it is outside them."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes."""

    @property
    def k(self) -> int:
        """How many classes there are."""

    @property
    def width(self) -> int:
        """How many predicted columns there are: k, or one more if predictions may be outside the classes."""

    @property
    def mass(self) -> Floats:
        """How much each unit counts."""

    def positive_label(self) -> str | None:
        """The positive class, if one is known."""


@dataclass(frozen=True, eq=False)
class Margins(Linear):
    """Hits, gold counts and predicted counts of every class: shape (..., k) each."""

    hit: Floats
    gold: Floats
    pred: Floats
    beyond: Floats | None = None  # predictions outside the classes, shape (..., 1), if there are any

    @property
    def n(self) -> Floats:
        """All items."""
        return np.asarray(self.gold.sum(-1))

    @property
    def correct(self) -> Floats:
        """Items whose label was right."""
        return np.asarray(self.hit.sum(-1))

    @property
    def wrong(self) -> Floats:
        """Items whose label was wrong."""
        return self.n - self.correct

    @property
    def outside(self) -> Floats:
        """Items whose prediction is outside the classes."""
        return np.zeros(self.gold.shape[:-1]) if self.beyond is None else np.asarray(self.beyond.sum(-1))

    def at_prevalence(self, positive: int, share: float) -> Self:
        """Two classes at another prevalence, with the same answers within each class."""
        n = self.n[..., None]
        wanted = np.where(np.arange(2) == positive, share, 1 - share) * n
        # A class without items has no answers to carry over.
        times = np.divide(wanted, self.gold, out=np.full_like(self.gold, np.nan), where=self.gold > 0)
        hit, gold = self.hit * times, self.gold * times
        return type(self)(hit, gold, hit + (gold - hit)[..., ::-1])

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Classes that occur among the gold or the predicted labels."""
        return self.gold + self.pred > 0

    @classmethod
    def of(cls, tally: Labelled, w: Floats) -> Self:
        """Sums over the cells on the diagonal, in each row and in each column."""
        right = tally.gold == tally.pred
        hit = sum_by(tally.gold[right], tally.k, w[..., right])
        return cls(hit, sum_by(tally.gold, tally.k, w), *_divided(sum_by(tally.pred, tally.width, w), tally.k))

    @classmethod
    def rows(cls, tally: Labelled, part: slice) -> Self:
        """One item of each cell."""
        gold, (pred, beyond) = (
            one_hot(tally.gold[part], tally.k),
            _divided(one_hot(tally.pred[part], tally.width), tally.k),
        )
        return cls(gold * pred, gold, pred, beyond)

    @classmethod
    def hot_rows(cls, tally: Labelled) -> Hot:
        """One item of each cell, by its two classes."""
        hit = np.where(tally.gold == tally.pred, tally.gold, -1)
        return Hot(((hit, tally.k), (tally.gold, tally.k), (tally.pred, tally.width)))

    @classmethod
    def no_model(cls, tally: Labelled, index: int | None) -> tuple[list[str], Self]:
        """One answer for every item, guesses in proportion to the classes, and uniform guesses."""
        gold = cls.of(tally, tally.mass).gold
        n, k = gold.sum(), tally.k
        # With very many classes, only those that could matter are tried: the largest, and the one in question.
        some = range(k) if k <= 1000 else sorted({int(gold.argmax()), *([] if index is None else [index])})
        pred = np.vstack([n * one_hot(np.array(some), k), gold, np.full(k, n / k)])
        names = [always(tally.labels[i]) for i in some]
        return [*names, "guessing in proportion to the classes", "guessing every class equally often"], cls(
            _per_item(gold * pred, n), np.broadcast_to(gold, pred.shape), pred
        )


def always(label: str) -> str:
    """The name of the guess that gives one answer for every item."""
    return f"always “{label}”"


@dataclass(frozen=True, eq=False)
class OneVsRest:
    """The four counts of one class against all others; arrays of any shape."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def every(cls, m: Margins) -> Self:
        """Every class in turn, along the last axis."""
        n = m.n[..., None]
        return cls(m.hit, m.pred - m.hit, m.gold - m.hit, _neither(n, m.gold, m.pred, m.hit))

    @classmethod
    def single(cls, m: Margins, index: int) -> Self:
        """One class."""
        hit, gold, pred = m.hit[..., index], m.gold[..., index], m.pred[..., index]
        return cls(hit, pred - hit, gold - hit, _neither(m.n, gold, pred, hit))

    @classmethod
    def pooled(cls, m: Margins) -> Self:
        """The sum of the tables of all classes."""
        return cls.every(m).pooled_over()

    def pooled_over(self) -> Self:
        """The sum of the tables of these classes."""
        return type(self)(*(getattr(self, f.name).sum(-1) for f in dataclasses.fields(self)))

    def only(self, classes: NDArray[np.bool_]) -> Self:
        """Some of the classes."""
        return type(self)(*(getattr(self, f.name)[..., classes] for f in dataclasses.fields(self)))


def _neither(n: Floats, gold: Floats, pred: Floats, hit: Floats) -> Floats:
    """Items that are neither of the class nor predicted as it; rounding errors of canceling weights count as 0.

    Without this, a class predicted for every item would have a rate among the negatives: 1e-16 of 1e-16.
    """
    left = n - gold - pred + hit
    return np.where(np.abs(left) > ROUNDING * n, left, 0.0)


@dataclass(frozen=True, eq=False)
class Distances(Linear):
    """How many items lie how many classes off, and the gold and predicted counts of every class.

    The distances have a column for each, 0 and 1 at least: one class and what is outside it are 1 apart.
    """

    apart: Floats
    gold: Floats
    pred: Floats
    beyond: Floats | None = None  # predictions outside the classes, shape (..., 1), if there are any

    @property
    def n(self) -> Floats:
        """All items."""
        return np.asarray(self.gold.sum(-1))

    @classmethod
    def of(cls, tally: Labelled, w: Floats) -> Self:
        """Sums over the cells of each diagonal, in each row and in each column."""
        sides = _divided(sum_by(tally.pred, tally.width, w), tally.k)
        return cls(sum_by(_steps(tally), max(tally.k, 2), w), sum_by(tally.gold, tally.k, w), *sides)

    @classmethod
    def rows(cls, tally: Labelled, part: slice) -> Self:
        """One item of each cell."""
        sides = _divided(one_hot(tally.pred[part], tally.width), tally.k)
        return cls(one_hot(_steps(tally)[part], max(tally.k, 2)), one_hot(tally.gold[part], tally.k), *sides)

    @classmethod
    def hot_rows(cls, tally: Labelled) -> Hot:
        """One item of each cell, by its distance and its two classes."""
        return Hot(((_steps(tally), max(tally.k, 2)), (tally.gold, tally.k), (tally.pred, tally.width)))


def _per_item(of_all: Floats, n: Floats) -> Floats:
    """Divided by the items, or nan if all of them have weight 0."""
    return np.divide(of_all, n, out=np.full_like(of_all, np.nan), where=np.broadcast_to(n > 0, of_all.shape))


def _divided(pred: Floats, k: int) -> tuple[Floats, Floats | None]:
    """Predicted classes, and predictions outside them."""
    return pred[..., :k], pred[..., k:] if pred.shape[-1] > k else None


def _steps(tally: Labelled) -> Ints:
    """How many classes off an error is; a prediction outside the classes is as far off as possible."""
    return np.where(tally.pred < tally.k, np.abs(tally.gold - tally.pred), max(tally.k - 1, 1))


@dataclass(frozen=True, eq=False)
class Cells(Evidence):
    """The cells themselves, for formulas that need more than margins."""

    w: Floats
    gold: Ints
    pred: Ints
    k: int
    width: int  # k, or one more if predictions may be outside the classes
    positive: int | None = None

    @classmethod
    def of(cls, tally: Labelled, w: Floats) -> Self:
        """Multiplicities with the classes they belong to."""
        label = tally.positive_label()
        positive = None if label is None else tally.labels.index(label)
        return cls(w, tally.gold, tally.pred, tally.k, tally.width, positive)

    @classmethod
    def no_model(cls, tally: Labelled, index: int | None) -> tuple[list[str], Self] | None:
        """The same guesses as for margins, each as a table."""
        if tally.k > 100:
            return None
        names, guesses = Margins.no_model(tally, index)
        gold, pred = (x.ravel() for x in np.indices((tally.k, tally.k)))
        w = _per_item(guesses.gold[:, gold] * guesses.pred[:, pred], guesses.n[:, None])
        here = cls.of(tally, tally.mass)
        return names, dataclasses.replace(here, w=w, gold=gold, pred=pred)

    @property
    def table(self) -> Floats:
        """The matrices: gold classes in rows."""
        flat = sum_by(self.gold * self.width + self.pred, self.k * self.width, self.w)
        return flat.reshape(*self.w.shape[:-1], self.k, self.width)

    @property
    def margins(self) -> Margins:
        """Diagonal, row sums and column sums."""
        right = self.gold == self.pred
        return Margins(
            sum_by(self.gold[right], self.k, self.w[..., right]),
            sum_by(self.gold, self.k, self.w),
            sum_by(self.pred, self.width, self.w)[..., : self.k],
        )
