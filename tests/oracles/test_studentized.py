"""The studentized exchange of three classes and of whole clusters, listed item by item.

Values are counted out here and checked against scikit-learn 1.9; slopes are taken on the weight of one row at a time.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import assay

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def macro_f1(gold: Labels, pred: Labels, w: Floats) -> float:
    values = []
    for label in {*gold.tolist(), *pred.tolist()}:
        hit = float(w[(gold == label) & (pred == label)].sum())
        values.append(2 * hit / float(w[gold == label].sum() + w[pred == label].sum()))
    return sum(values) / len(values)


def mcc(gold: Labels, pred: Labels, w: Floats) -> float:
    n, right = float(w.sum()), float(w[gold == pred].sum())
    k = int(max(gold.max(), pred.max())) + 1
    g, p = (np.bincount(x, weights=w, minlength=k) for x in (gold, pred))
    return (n * right - float(g @ p)) / math.sqrt((n * n - float(g @ g)) * (n * n - float(p @ p)))


def accuracy(gold: Labels, pred: Labels, w: Floats) -> float:
    return float(w[gold == pred].sum() / w.sum())


Value = Callable[[Labels, Labels, Floats], float]
VALUES: dict[str, tuple[Value, Callable[..., float]]] = {
    "accuracy": (accuracy, sk.accuracy_score),
    "mcc": (mcc, sk.matthews_corrcoef),
    "f1(average=macro)": (macro_f1, lambda y, p: sk.f1_score(y, p, average="macro")),
}


def systems(seed: int, n: int, k: int, apart: int) -> tuple[Labels, Labels, Labels]:
    """Two systems that answer a few rows differently."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, n)
    a = np.where(rng.random(n) < 0.7, gold, rng.integers(0, k, n))
    b = a.copy()
    rows = rng.choice(n, apart, replace=False)
    b[rows] = (a[rows] + rng.integers(1, k, apart)) % k
    return gold, a, b


def studentized(value: Value, gold: Labels, a: Labels, b: Labels, cluster: Labels) -> float:
    """The difference over the root of the summed squares of the slopes of each cluster."""
    n, h = len(gold), 1e-4
    ones = np.ones(n)
    slopes = np.empty(n)
    for i in range(n):
        up, down = ones.copy(), ones.copy()
        up[i], down[i] = 1 + h, 1 - h
        ends = [value(gold, a, w) - value(gold, b, w) for w in (up, down)]
        slopes[i] = (ends[0] - ends[1]) / (2 * h)
    error = math.sqrt(float((np.bincount(cluster, weights=slopes) ** 2).sum()))
    delta = value(gold, a, ones) - value(gold, b, ones)
    if error <= 1e-9:
        return 0.0 if abs(delta) <= 1e-9 else math.copysign(math.inf, delta)
    return delta / error


def listed(value: Value, gold: Labels, a: Labels, b: Labels, cluster: Labels) -> float:
    """The share of all exchanges of whole clusters that lie at least as far out."""
    observed = abs(studentized(value, gold, a, b, cluster))
    movable = [c for c in np.unique(cluster).tolist() if (a[cluster == c] != b[cluster == c]).any()]
    far: list[bool] = []
    for swaps in itertools.product([False, True], repeat=len(movable)):
        moved = np.isin(cluster, [c for c, swap in zip(movable, swaps, strict=True) if swap])
        drawn = studentized(value, gold, np.where(moved, b, a), np.where(moved, a, b), cluster)
        # Slopes are difference quotients here, so ties are ties to six digits.
        far.append(abs(drawn) >= observed * (1 - 1e-6))
    return sum(far) / len(far)


@pytest.mark.parametrize("measure", VALUES)
def test_the_values_counted_out_here_are_those_of_scikit_learn(measure: str) -> None:
    gold, a, _ = systems(1, 40, 3, 5)
    mine, theirs = VALUES[measure]
    assert mine(gold, a, np.ones(40)) == pytest.approx(float(theirs(gold, a)), abs=1e-12)


@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("seed", [2, 3])
def test_three_classes_are_exchanged_item_by_item(measure: str, seed: int) -> None:
    gold, a, b = systems(seed, 24, 3, 6)
    expected = listed(VALUES[measure][0], gold, a, b, np.arange(24))
    found = assay.compare(gold, a, b, measure=measure, statistic="studentized")
    assert found.extreme is None
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("k", [2, 3])
def test_whole_clusters_are_exchanged_and_share_their_error(measure: str, k: int) -> None:
    gold, a, b = systems(4, 28, k, 12)
    cluster = np.arange(28) // 4
    expected = listed(VALUES[measure][0], gold, a, b, cluster)
    found = assay.compare(gold, a, b, measure=measure, statistic="studentized", cluster=cluster)
    assert found.extreme is None
    assert found.p_value == pytest.approx(expected, abs=1e-12)


def test_clusters_that_hold_the_same_rows_are_exchanged_one_by_one() -> None:
    # Four clusters alike in every answer are one kind of cluster four times; each still has a coin of its own.
    gold, a, b = np.tile([0, 1, 1], 4), np.tile([0, 1, 1], 4), np.tile([0, 0, 1], 4)
    found = assay.compare(gold, a, b, measure="accuracy", statistic="raw", cluster=np.repeat(np.arange(4), 3))
    assert found.p_value == 2 / 2**4
