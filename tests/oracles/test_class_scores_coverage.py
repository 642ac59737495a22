"""How often the default intervals of class scores hold the value of the population they were drawn from."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import assay
from assay import ClassScored

Array = NDArray[Any]
SAMPLES = 300
MEASURES = (
    "roc_auc",
    "roc_auc(average=weighted,multi_class=ovo)",
    "average_precision",
    "average_precision(average=weighted)",
    "brier",
    "log_loss",
    "top_k_accuracy",
)
# Classes, how much rarer each is than the one before, how far apart they lie, items.
GRID = list(itertools.product((3, 5), (1.0, 2.0), (0.5, 1.5, 3.0), (60, 300)))


def population(k: int, skew: float, apart: float, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Normal scores of each class, higher for the own class, made probabilities."""
    sizes = skew ** -np.arange(k)
    gold = rng.choice(k, n, p=sizes / sizes.sum())
    odds = np.exp(rng.normal(apart * np.eye(k)[gold], 1.0))
    return gold, odds / odds.sum(axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_of_class_scores_cover(measure: str) -> None:
    shares = []
    for place, (k, skew, apart, n) in enumerate(GRID):
        large = population(k, skew, apart, 100_000, np.random.default_rng(99))
        truth = assay.estimate(measure, ClassScored.from_class_scores(*large)).value
        assert truth is not None
        rng, held, defined = np.random.default_rng(place), 0, 0
        for _ in range(SAMPLES):
            gold, scores = population(k, skew, apart, n, rng)
            if np.bincount(gold, minlength=k).min() < 2:
                continue  # nothing is known of a class that did not occur, and next to nothing from one item
            found = assay.estimate(measure, ClassScored.from_class_scores(gold, scores))
            assert found.low is not None
            assert found.high is not None
            held += found.low <= truth <= found.high
            defined += 1
        if defined > SAMPLES / 3:
            shares.append(held / defined)
    # 92% less two and a half Monte-Carlo standard errors of the worst cell, √(.92 · .08 / 300) = .016 or so each.
    assert min(shares) > 0.92 - 0.045
    assert 0.94 < np.mean(shares) < 0.99
