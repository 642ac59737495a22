"""Values against the definition written out as a loop, and Krippendorff's alpha against krippendorff 0.9."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest

import assay

SEEDS = range(20)


def labels(seed: int) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(1, 6)), int(rng.integers(1, 40))
    gold, pred = (rng.choice(k, n, p=rng.dirichlet(np.full(k, 0.7))) for _ in range(2))
    pred = np.where(rng.random(n) < 0.5, gold, pred)
    return [f"c{x}" for x in gold], [f"c{x}" for x in pred]


def symmetric_balanced_accuracy(gold: list[str], pred: list[str]) -> float:
    """The mean over classes of recall and precision; a class missing on one side lends its share of the other."""
    n, values = len(gold), []
    for label in set(gold) | set(pred):
        hits = sum(g == p == label for g, p in zip(gold, pred, strict=True))
        wanted, called = gold.count(label), pred.count(label)
        values.append(hits / wanted if wanted else called / n)
        values.append(hits / called if called else wanted / n)
    return sum(values) / len(values)


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_balanced_accuracy_by_a_loop_over_classes(seed: int) -> None:
    gold, pred = labels(seed)
    expected = symmetric_balanced_accuracy(gold, pred)
    assert assay.symmetric_balanced_accuracy(gold, pred) == pytest.approx(expected, abs=1e-12)
    # The same when gold and predicted labels change places.
    assert assay.symmetric_balanced_accuracy(pred, gold) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_f1_of_means_by_a_loop_over_classes(seed: int) -> None:
    gold, pred = labels(seed)
    precisions, recalls = [], []
    for label in set(gold) | set(pred):
        hits = sum(g == p == label for g, p in zip(gold, pred, strict=True))
        precisions.append(hits / pred.count(label) if label in pred else 0.0)
        recalls.append(hits / gold.count(label) if label in gold else 0.0)
    p, r = np.mean(precisions), np.mean(recalls)
    expected = 2 * p * r / (p + r) if p + r else 0.0
    assert assay.f1_of_means(gold, pred) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_reciprocal_rank_by_a_loop_over_queries(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = {f"q{i}": rng.integers(0, 3, rng.integers(0, 8)).tolist() for i in range(rng.integers(1, 20))}
    total = 0.0
    for grades in runs.values():
        for rank, grade in enumerate(grades, start=1):
            if grade > 0:
                total += 1 / rank
                break
    assert assay.mean_reciprocal_rank(runs) == pytest.approx(total / len(runs), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_krippendorffs_alpha_with_missing_ratings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units, raters, categories = int(rng.integers(2, 30)), int(rng.integers(2, 6)), int(rng.integers(2, 5))
    truth = rng.integers(0, categories, (units, 1))
    given = np.where(rng.random((units, raters)) < 0.6, truth, rng.integers(0, categories, (units, raters)))
    ratings: list[list[Any]] = np.where(rng.random((units, raters)) < 0.2, np.nan, given.astype(float)).tolist()
    ratings += [[0.0, 1.0, *[np.nan] * (raters - 2)], [1.0, 1.0, *[np.nan] * (raters - 2)]]  # never all alike
    expected = float(krippendorff.alpha(reliability_data=np.array(ratings).T, level_of_measurement="nominal"))
    assert assay.krippendorff_alpha(ratings) == pytest.approx(expected, abs=1e-12)
    words = [[None if np.isnan(x) else f"category {x:g}" for x in row] for row in ratings]
    assert assay.krippendorff_alpha(words) == pytest.approx(expected, abs=1e-12)


def test_krippendorffs_alpha_of_one_category_is_undefined() -> None:
    assert np.isnan(assay.krippendorff_alpha([["a", "a"], ["a", None], ["a", "a"]]))
    assert np.isnan(assay.krippendorff_alpha([["a", None], [None, "b"]]))
