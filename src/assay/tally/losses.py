"""Probabilities scored item by item: the loss of each by its distance from the outcome."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.tally.class_scores import ItemScores, own_scores
from assay.tally.contract.base import Linear
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.contract.sums import blocks, weighted_sum
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

    in_any_order: ClassVar[bool] = True

    @staticmethod
    def by_score(score: Floats) -> tuple[Floats, Floats]:
        """The loss of a positive and of a negative item with each score."""
        raise NotImplementedError

    @classmethod
    def by_truth(cls, score: Floats, positive: NDArray[np.bool_]) -> Floats:
        """The loss of items with these scores and truth values."""
        if_positive, if_negative = cls.by_score(score)
        # Adding 0 times the other one is exact, and faster than choosing.
        true = positive.astype(np.float64)
        return if_positive * true + if_negative * (1 - true)

    @classmethod
    def each(cls, tally: Any) -> Floats:
        """The loss of one item of each unit; 0 where its score is no probability."""
        score, unfit = tally.keys["score"], cls.unfit(tally)
        if unfit is not None:
            score = np.where(unfit, 0.5, score)
        loss = np.empty(len(score))
        for block in blocks(len(score)):
            loss[block] = cls.by_truth(score[block], tally.keys["positive"][block])
        return loss if unfit is None else np.where(unfit, 0.0, loss)

    @classmethod
    def unfit(cls, tally: Any) -> NDArray[np.bool_] | None:
        """Which units have no probability, if any."""
        return None if tally.probabilities else no_probability(tally.keys["score"])

    @classmethod
    def of(cls, tally: Any, w: Floats) -> Self:
        """Sums over the units, weighted by w."""
        unfit, items = cls.unfit(tally), w.sum(-1, keepdims=True)
        outside = np.zeros_like(items) if unfit is None else (w * unfit).sum(-1, keepdims=True)
        return cls(weighted_sum(w, cls.each(tally))[..., None], items, outside)

    @classmethod
    def rows(cls, tally: Any, part: slice) -> Self:
        """One item of each unit."""
        loss, unfit = cls.each(tally)[part, None], cls.unfit(tally)
        outside = np.zeros_like(loss) if unfit is None else unfit[part, None].astype(np.float64)
        return cls(loss, np.ones_like(loss), outside)

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

    @classmethod
    def by_truth(cls, score: Floats, positive: NDArray[np.bool_]) -> Floats:
        """The same squares without those of the other truth value."""
        return np.square(score - positive)


class LogLosses(Losses):
    """Negative log-likelihoods of the outcomes."""

    by_score = staticmethod(logarithmic)


def halved_squares(scores: Floats, gold: Ints) -> Floats:
    """½ Σ (p − y)² over the classes, with y = 1 for the gold class: between 0 and 1, and (p − y)² for two classes."""
    squares = np.zeros(len(scores))
    for block in blocks(len(scores)):
        for of_class in scores[block].T:
            squares[block] += of_class**2
    return np.asarray((squares - 2 * own_scores(scores, gold) + 1) / 2)


def surprise(scores: Floats, gold: Ints) -> Floats:
    """−log of the probability of the gold class, which is kept EPS away from 0 and 1."""
    return np.asarray(-np.log(np.clip(own_scores(scores, gold), EPS, 1 - EPS)))


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
    def unfit(cls, tally: Any) -> NDArray[np.bool_] | None:
        """Which units have no probabilities, if any."""
        return tally.unfit if tally.unfit.any() else None

    @classmethod
    def each(cls, tally: Any) -> Floats:
        """The loss of one item of each unit; 0 where its scores are no probabilities."""
        unfit = cls.unfit(tally)
        if unfit is None:
            return cls.by_item(tally.scores, tally.gold)
        return np.where(unfit, 0.0, cls.by_item(np.where(unfit[:, None], 1 / tally.k, tally.scores), tally.gold))

    @classmethod
    def no_model(cls, tally: Any, index: int | None) -> tuple[list[str], Self] | None:
        """One row of probabilities for every item: the shares of the classes."""
        if tally.unfit.any():
            return None
        return [BASE_RATE], cls(*shares_for_all(tally, cls.by_item), np.zeros((1, 1)))


@dataclass(frozen=True, eq=False)
class HalvedSquares(ClassLosses):
    """Halved squared distances of probabilities from the outcomes, and how many items have three classes or more."""

    several: Floats = field(default_factory=lambda: np.zeros(1))

    by_item = staticmethod(halved_squares)

    @classmethod
    def of(cls, tally: Any, w: Floats) -> Self:
        """Sums over the units, weighted by w."""
        found = super().of(tally, w)
        return dataclasses.replace(found, several=found.items * float(tally.k > 2))

    @classmethod
    def rows(cls, tally: Any, part: slice) -> Self:
        """One item of each unit."""
        found = super().rows(tally, part)
        return dataclasses.replace(found, several=found.items * float(tally.k > 2))

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
