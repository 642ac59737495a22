"""What formulas read of a confusion tally: margins, one class against the rest, or the cells themselves."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from assay.tally.base import Evidence, Linear, one_hot, sum_by
from assay.tally.sampling import Floats, Ints

if TYPE_CHECKING:
    from assay.tally.confusion import Confusion


@dataclass(frozen=True, eq=False)
class Margins(Linear):
    """Hits, gold counts and predicted counts of every class: shape (..., k) each."""

    hit: Floats
    gold: Floats
    pred: Floats

    @property
    def n(self) -> Floats:
        """All items."""
        return np.asarray(self.gold.sum(-1))

    @property
    def correct(self) -> Floats:
        """Items whose label was right."""
        return np.asarray(self.hit.sum(-1))

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Classes that occur among the gold or the predicted labels."""
        return self.gold + self.pred > 0

    @classmethod
    def of(cls, tally: Confusion, w: Floats) -> Self:
        """Sums over the cells on the diagonal, in each row and in each column."""
        right = tally.gold == tally.pred
        hit = sum_by(tally.gold[right], tally.k, w[..., right])
        return cls(hit, sum_by(tally.gold, tally.k, w), sum_by(tally.pred, tally.k, w))

    @classmethod
    def rows(cls, tally: Confusion, part: slice) -> Self:
        """One item of each cell."""
        gold, pred = one_hot(tally.gold[part], tally.k), one_hot(tally.pred[part], tally.k)
        return cls(gold * pred, gold, pred)

    @classmethod
    def no_model(cls, tally: Confusion, index: int | None) -> tuple[list[str], Self]:
        """One class for every item, guesses in proportion to the classes, and guesses by an even die."""
        gold = cls.of(tally, tally.mass).gold
        n, k = gold.sum(), tally.k
        # With very many classes only those are tried that could matter: the largest, and the one asked of.
        some = range(k) if k <= 1000 else sorted({int(gold.argmax()), *([] if index is None else [index])})
        pred = np.vstack([n * one_hot(np.array(some), k), gold, np.full(k, n / k)])
        names = [f"always “{tally.labels[i]}”" for i in some]
        return [*names, "guessing in proportion to the classes", "guessing every class equally often"], cls(
            gold * pred / n, np.broadcast_to(gold, pred.shape), pred
        )


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
        return cls(m.hit, m.pred - m.hit, m.gold - m.hit, n - m.gold - m.pred + m.hit)

    @classmethod
    def single(cls, m: Margins, index: int) -> Self:
        """One class."""
        hit, gold, pred = m.hit[..., index], m.gold[..., index], m.pred[..., index]
        return cls(hit, pred - hit, gold - hit, m.n - gold - pred + hit)

    @classmethod
    def pooled(cls, m: Margins) -> Self:
        """The sum of the tables of all classes."""
        each = cls.every(m)
        return cls(*(getattr(each, f.name).sum(-1) for f in dataclasses.fields(each)))

    def only(self, classes: NDArray[np.bool_]) -> Self:
        """Some of the classes."""
        return type(self)(*(getattr(self, f.name)[classes] for f in dataclasses.fields(self)))


@dataclass(frozen=True, eq=False)
class Cells(Evidence):
    """The cells themselves, for formulas that need more than margins."""

    w: Floats
    gold: Ints
    pred: Ints
    k: int

    @classmethod
    def of(cls, tally: Confusion, w: Floats) -> Self:
        """Multiplicities beside the classes they belong to."""
        return cls(w, tally.gold, tally.pred, tally.k)

    @property
    def table(self) -> Floats:
        """The k × k matrices: gold classes in rows."""
        flat = sum_by(self.gold * self.k + self.pred, self.k**2, self.w)
        return flat.reshape(*self.w.shape[:-1], self.k, self.k)

    @property
    def margins(self) -> Margins:
        """Diagonal, row sums and column sums."""
        right = self.gold == self.pred
        return Margins(
            sum_by(self.gold[right], self.k, self.w[..., right]),
            sum_by(self.gold, self.k, self.w),
            sum_by(self.pred, self.k, self.w),
        )
