"""Values against scikit-learn 1.9.

One difference is deliberate: a declared class that is neither gold nor predicted is left out of a macro average here,
and counts as 0 there. Everything else is equal to the last bits.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import assay
from assay import Confusion

NAMES = ("yes", "no", "maybe", "01", "NA", "é")
SEEDS = range(30)
AVERAGES = ("macro", "micro", "weighted")


@dataclass(frozen=True)
class Data:
    """Labels of a random classifier, with weights."""

    gold: NDArray[Any]
    pred: NDArray[Any]
    weight: NDArray[np.float64]

    @property
    def labels(self) -> list[Any]:
        """The classes that occur."""
        return sorted({*self.gold.tolist(), *self.pred.tolist()})


def drawn(seed: int) -> Data:
    """Two to six classes as text or numbers; some are never predicted, some never gold."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 7)), int(rng.integers(2, 60))
    gold = rng.choice(k, n, p=rng.dirichlet(np.full(k, 0.7)))
    pred = np.where(rng.random(n) < rng.random(), gold, rng.choice(k, n, p=rng.dirichlet(np.full(k, 0.7))))
    names = np.array(NAMES[:k]) if seed % 2 else np.arange(k)
    return Data(names[gold], names[pred], rng.choice([0.1, 0.5, 1.0, 2.5], n))


def close(expected: Any) -> Any:
    """The same up to the last bits."""
    return pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def quiet(function: Any, *args: Any, **options: Any) -> float:
    """The value without scikit-learn's advice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(function(*args, **options))


def test_the_random_data_hold_what_is_hard() -> None:
    every = [drawn(seed) for seed in SEEDS]
    assert any(set(d.gold) - set(d.pred) for d in every)
    assert any(set(d.pred) - set(d.gold) for d in every)
    assert any(len(set(d.gold)) == 1 or len(set(d.pred)) == 1 for d in every)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (assay.accuracy, sk.accuracy_score),
        (assay.balanced_accuracy, sk.balanced_accuracy_score),
        (assay.mcc, sk.matthews_corrcoef),
    ],
    ids=["accuracy", "balanced_accuracy", "mcc"],
)
def test_measures_of_the_whole_table(mine: assay.Measure, theirs: Any, weighted: bool, seed: int) -> None:
    data = drawn(seed)
    weight = data.weight if weighted else None
    expected = quiet(theirs, data.gold, data.pred, sample_weight=weight)
    # MCC squares sums of weights and takes their difference, which costs half of the digits near zero.
    assert mine(data.gold, data.pred, sample_weight=weight) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_averages_and_classes(name: str, weighted: bool, seed: int) -> None:
    data = drawn(seed)
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    weight = data.weight if weighted else None
    for average in AVERAGES:
        expected = float(theirs(data.gold, data.pred, average=average, sample_weight=weight, zero_division=0))
        assert mine(data.gold, data.pred, average=average, sample_weight=weight) == close(expected)
    labels = data.labels
    # A class without a value of its own is nan here, and there if one asks for it.
    expected_each = theirs(
        data.gold, data.pred, average=None, labels=labels, sample_weight=weight, zero_division=np.nan
    )
    found = mine.per_class(data.gold, data.pred, sample_weight=weight)
    assert list(found) == labels
    assert list(found.values()) == close(expected_each.tolist())
    for label, expected in zip(labels, expected_each.tolist(), strict=True):
        value = mine(data.gold, data.pred, pos_label=label, sample_weight=weight)
        assert value == close(expected)


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_a_declared_class_that_nobody_used_is_left_out_here_and_counts_as_zero_there(name: str) -> None:
    gold, pred, labels = list("aabb"), list("abbb"), list("abc")
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    without = float(theirs(gold, pred, average="macro", zero_division=0))
    with_it = float(theirs(gold, pred, average="macro", labels=labels, zero_division=0))
    assert mine(gold, pred, average="macro", labels=labels) == close(without)
    assert with_it == close(without * 2 / 3)
    found = assay.estimate(mine, Confusion.from_predictions(gold, pred, labels=labels), average="macro")
    assert any("neither gold nor predicted" in note for note in found.notes)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_itself(seed: int) -> None:
    data = drawn(seed)
    tally = Confusion.from_predictions(data.gold, data.pred)
    expected = sk.confusion_matrix(data.gold, data.pred, labels=data.labels)
    assert tally.labels == tuple(map(str, data.labels))
    assert tally.table.tolist() == expected.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_auc_with_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 80))
    y = np.concatenate([[0, 1], rng.integers(0, 2, n)])
    score = np.round(rng.normal(size=n + 2) + y, int(rng.integers(0, 4)))
    assert assay.roc_auc(y, score) == close(float(sk.roc_auc_score(y, score)))
    words = np.where(y == 1, "sick", "well")
    assert assay.roc_auc(words, score, pos_label="sick") == close(float(sk.roc_auc_score(y, score)))
    assert assay.roc_auc(words, score, pos_label="well") == close(float(sk.roc_auc_score(1 - y, score)))


def test_roc_auc_of_one_class_is_nan() -> None:
    assert np.isnan(assay.roc_auc([1, 1, 1], [0.1, 0.2, 0.3]))
    assert np.isnan(quiet(sk.roc_auc_score, [1, 1, 1], [0.1, 0.2, 0.3]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_adjusted_rand_index(seed: int) -> None:
    data = drawn(seed)
    groups = np.random.default_rng(seed).permutation(60)[:: int(seed % 4 + 1)]
    group = groups[np.searchsorted(np.unique(data.pred), data.pred)]
    expected = float(sk.adjusted_rand_score(data.gold, group))
    assert assay.adjusted_rand(data.gold, group) == close(expected)


@pytest.mark.parametrize(
    ("gold", "group"),
    [("aaaa", "xxxx"), ("abcd", "wxyz"), ("aaaa", "wxyz"), ("a", "x"), ("aabb", "xxyy"), ("aabb", "xyxy")],
)
def test_the_adjusted_rand_index_of_trivial_partitions(gold: str, group: str) -> None:
    expected = float(sk.adjusted_rand_score(list(gold), list(group)))
    assert assay.adjusted_rand(list(gold), list(group)) == close(expected)


def test_the_adjusted_rand_index_of_a_hundred_million_items() -> None:
    # Pairs of so many items overflow 32 bits, and their products 64.
    rng = np.random.default_rng(0)
    gold, group = rng.integers(0, 3, 1000), rng.integers(0, 4, 1000)
    small = assay.Contingency.from_labels(gold, group)
    scale = 100_000
    large = assay.Contingency(small.keys, small.counts * scale, classes=small.classes, groups=small.groups)
    table = sk.cluster.contingency_matrix(gold, group).astype(object) * scale

    def pairs(x: Any) -> int:
        return sum(int(v) * (int(v) - 1) // 2 for v in x.ravel())

    a, b, c, n = pairs(table), pairs(table.sum(1)), pairs(table.sum(0)), int(table.sum())
    everything = n * (n - 1) // 2
    # Whole numbers of Python, so nothing overflows or rounds before the division.
    expected = (a * everything - b * c) / ((b + c) * everything / 2 - b * c)
    assert assay.adjusted_rand.of(large) == pytest.approx(expected, rel=1e-6)
