"""Probabilities of all classes judged item by item: what each costs by how far it lies from what came true."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from assay.tally.class_scores import ItemScores
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.losses import EPS, Losses
from assay.tally.scores import BASE_RATE


def halved_squares(scores: Floats, gold: Ints) -> Floats:
    """½ Σ (p − y)² over the classes, with y = 1 for the gold class: between 0 and 1, and of two classes (p − y)²."""
    own = np.take_along_axis(scores, gold[:, None], axis=1)[:, 0]
    return np.asarray(((scores**2).sum(axis=1) - 2 * own + 1) / 2)


def surprise(scores: Floats, gold: Ints) -> Floats:
    """−log of the probability of the gold class, which is kept EPS away from 0 and 1."""
    own = np.take_along_axis(scores, gold[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(np.clip(own, EPS, 1 - EPS)))


class ClassLosses(Losses):
    """The same sums over items with a probability for each class."""

    @staticmethod
    def by_item(scores: Floats, gold: Ints) -> Floats:
        """The loss of items with these probabilities and classes."""
        raise NotImplementedError

    @classmethod
    def each(cls, tally: Any) -> Floats:
        """The loss of one item of each unit; 0 where its scores are no probabilities."""
        fit = np.where(tally.unfit[:, None], 1 / tally.k, tally.scores)
        return np.where(tally.unfit, 0.0, cls.by_item(fit, tally.gold))

    @classmethod
    def of(cls, tally: Any, w: Floats) -> Self:
        """Sums of w times what each unit has."""
        sums = ((w * x).sum(-1, keepdims=True) for x in (cls.each(tally), 1.0, tally.unfit))
        return cls(*sums)

    @classmethod
    def rows(cls, tally: Any, part: slice) -> Self:
        """One item of each unit."""
        loss = cls.each(tally)[part, None]
        return cls(loss, np.ones_like(loss), tally.unfit[part, None].astype(np.float64))

    @classmethod
    def no_model(cls, tally: Any, index: int | None) -> tuple[list[str], Self] | None:
        """One row of probabilities for every item: the shares of the classes."""
        if tally.unfit.any():
            return None
        sizes = ItemScores.of(tally, tally.mass).sizes
        shares = np.tile(sizes / sizes.sum(), (tally.k, 1))
        loss = (sizes * cls.by_item(shares, np.arange(tally.k))).sum(keepdims=True)
        return [BASE_RATE], cls(loss[None], sizes.sum(keepdims=True)[None], np.zeros((1, 1)))


class HalvedSquares(ClassLosses):
    """Halved squared distances of probabilities from what came true."""

    by_item = staticmethod(halved_squares)


class Surprises(ClassLosses):
    """How improbable what came true was said to be, on the scale of logarithms."""

    by_item = staticmethod(surprise)
