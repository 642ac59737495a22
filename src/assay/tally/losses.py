"""Probabilities scored item by item: the loss of each by its distance from the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.tally.class_scores import ItemScores
from assay.tally.contract.base import Linear
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.scores import BASE_RATE, PROBABILITIES, Scored, base_rate

EPS = float(np.finfo(np.float64).eps)  # probabilities are clipped this far from 0 and 1, as in scikit-learn


def no_probability(score: Floats) -> NDArray[np.bool_]:
    """Which scores lie outside [0, 1]."""
    return np.asarray((score < PROBABILITIES[0]) | (score > PROBABILITIES[1]))


def squared(score: Floats) -> tuple[Floats, Floats]:
    """(1 − p)² of a positive and p² of a negative item."""
    return (1 - score) ** 2, score**2


def logarithmic(score: Floats) -> tuple[Floats, Floats]:
    """−log p of a positive and −log(1 − p) of a negative item; p is kept EPS away from 0 and 1."""
    p = np.clip(score, EPS, 1 - EPS)
    return -np.log(p), -np.log1p(-p)


@dataclass(frozen=True, eq=False)
class Losses(Linear):
    """Sums over items: losses, number of items, and how many have no probability: shape (..., 1) each."""

    loss: Floats
    items: Floats
    outside: Floats

    @staticmethod
    def by_score(score: Floats) -> tuple[Floats, Floats]:
        """The loss of a positive and of a negative item with each score."""
        raise NotImplementedError

    @classmethod
    def each(cls, tally: Scored) -> Floats:
        """The loss of one item of each unit; 0 where its score is no probability."""
        score = tally.keys["score"]
        positive, negative = cls.by_score(np.where(no_probability(score), 0.5, score))
        return np.where(no_probability(score), 0.0, np.where(tally.keys["positive"], positive, negative))

    @classmethod
    def of(cls, tally: Scored, w: Floats) -> Self:
        """Sums over the units, weighted by w."""
        outside = no_probability(tally.keys["score"])
        sums = ((w * x).sum(-1, keepdims=True) for x in (cls.each(tally), 1.0, outside))
        return cls(*sums)

    @classmethod
    def rows(cls, tally: Scored, part: slice) -> Self:
        """One item of each unit."""
        loss, outside = cls.each(tally)[part, None], no_probability(tally.keys["score"][part])
        return cls(loss, np.ones_like(loss), outside[:, None].astype(np.float64))

    @classmethod
    def no_model(cls, tally: Scored, index: int | None) -> tuple[list[str], Self] | None:
        """One probability for every item: the share of positives."""
        pos, neg = base_rate(tally)
        if not tally.probabilities:
            return None
        positive, negative = cls.by_score(np.array([pos / (pos + neg)]))
        loss = np.array([pos * positive + neg * negative])
        return [BASE_RATE], cls(loss, np.full_like(loss, pos + neg), np.zeros_like(loss))


class SquaredLosses(Losses):
    """Squared distances of probabilities from the outcomes."""

    by_score = staticmethod(squared)


class LogLosses(Losses):
    """Negative log-likelihoods of the outcomes."""

    by_score = staticmethod(logarithmic)


def halved_squares(scores: Floats, gold: Ints) -> Floats:
    """½ Σ (p − y)² over the classes, with y = 1 for the gold class: between 0 and 1, and (p − y)² for two classes."""
    own = np.take_along_axis(scores, gold[:, None], axis=1)[:, 0]
    return np.asarray(((scores**2).sum(axis=1) - 2 * own + 1) / 2)


def surprise(scores: Floats, gold: Ints) -> Floats:
    """−log of the probability of the gold class, which is kept EPS away from 0 and 1."""
    own = np.take_along_axis(scores, gold[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(np.clip(own, EPS, 1 - EPS)))


def shares_for_all(tally: Any, by_item: Callable[[Floats, Ints], Floats]) -> tuple[Floats, Floats]:
    """The total loss and the number of items when each is given the shares of the classes."""
    sizes = ItemScores.of(tally, tally.mass).sizes
    shares = np.tile(sizes / sizes.sum(), (tally.k, 1))
    loss = (sizes * by_item(shares, np.arange(tally.k))).sum(keepdims=True)
    return loss[None], sizes.sum(keepdims=True)[None]


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
        """Sums over the units, weighted by w."""
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
        return [BASE_RATE], cls(*shares_for_all(tally, cls.by_item), np.zeros((1, 1)))


@dataclass(frozen=True, eq=False)
class HalvedSquares(ClassLosses):
    """Halved squared distances of probabilities from the outcomes, and how many items have three classes or more."""

    several: Floats

    by_item = staticmethod(halved_squares)

    @classmethod
    def of(cls, tally: Any, w: Floats) -> Self:
        """Sums over the units, weighted by w."""
        each = (cls.each(tally), 1.0, tally.unfit, float(tally.k > 2))
        return cls(*((w * x).sum(-1, keepdims=True) for x in each))

    @classmethod
    def rows(cls, tally: Any, part: slice) -> Self:
        """One item of each unit."""
        loss = cls.each(tally)[part, None]
        unfit = tally.unfit[part, None].astype(np.float64)
        return cls(loss, np.ones_like(loss), unfit, np.full_like(loss, float(tally.k > 2)))

    @classmethod
    def no_model(cls, tally: Any, index: int | None) -> tuple[list[str], Self] | None:
        """One row of probabilities for every item: the shares of the classes."""
        if tally.unfit.any():
            return None
        loss, items = shares_for_all(tally, halved_squares)
        return [BASE_RATE], cls(loss, items, np.zeros((1, 1)), items * float(tally.k > 2))


class Surprises(ClassLosses):
    """Negative log-likelihoods of the outcomes."""

    by_item = staticmethod(surprise)
