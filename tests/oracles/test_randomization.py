"""Exchanging two systems, against plain implementations that swap answers item by item.

Values come from scikit-learn or are counted out here; nothing uses the tallies, the coins or the derivatives of the
code under test.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import assay
from assay import Ranked, Rated

Labels = NDArray[np.int64]
Value = Callable[[Labels, Labels], float]

VALUES: dict[str, Value] = {
    "accuracy": lambda y, p: float(sk.accuracy_score(y, p)),
    "f1": lambda y, p: float(sk.f1_score(y, p, zero_division=0)),
    "f1(average=macro)": lambda y, p: float(sk.f1_score(y, p, average="macro", zero_division=0)),
    "mcc": lambda y, p: float(sk.matthews_corrcoef(y, p)),
    "precision": lambda y, p: float(sk.precision_score(y, p, zero_division=np.nan)),
}


def systems(seed: int, n: int, k: int) -> tuple[Labels, Labels, Labels]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, y, rng.integers(0, k, n)) for right in (0.8, 0.6))
    return y, a, b


def far_out(values: NDArray[np.float64], observed: float, alternative: str = "two-sided") -> NDArray[np.bool_]:
    """At least as far out as observed; undefined counts as far out."""
    slack = 1e-9 * abs(observed) if math.isfinite(observed) else 0.0
    if alternative == "greater":
        return (values >= observed - slack) | np.isnan(values)
    return (np.abs(values) >= abs(observed) - slack) | np.isnan(values)


def raw(value: Value, y: Labels, a: Labels, b: Labels) -> float:
    return value(y, a) - value(y, b)


def studentized(value: Callable[..., float], y: Labels, a: Labels, b: Labels) -> float:
    """The difference over its delta-method error, with derivatives taken on the weights of single rows."""
    delta = value(y, a) - value(y, b)
    n, h = len(y), 1e-5
    slopes = np.empty(n)
    for i in range(n):
        weight = np.ones(n)
        ends = []
        for sign in (1, -1):
            weight[i] = 1 + sign * h
            ends.append(value(y, a, weight) - value(y, b, weight))
        slopes[i] = (ends[0] - ends[1]) / (2 * h)
    se = math.sqrt(float((slopes**2).sum()))
    if se <= 1e-12:
        return 0.0 if abs(delta) <= 1e-12 else math.copysign(math.inf, delta)
    return delta / se


def by_enumeration(
    y: Labels, a: Labels, b: Labels, statistic: Callable[[Labels, Labels, Labels], float], groups: Labels
) -> float:
    """All ways to exchange whole groups of rows, each as likely as the other."""
    observed = statistic(y, a, b)
    movable = [g for g in np.unique(groups) if (a[groups == g] != b[groups == g]).any()]
    values = []
    for swaps in itertools.product([False, True], repeat=len(movable)):
        moved = np.isin(groups, [g for g, swap in zip(movable, swaps, strict=True) if swap])
        values.append(statistic(y, np.where(moved, b, a), np.where(moved, a, b)))
    return float(far_out(np.array(values), observed).mean())


@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("seed", range(4))
def test_two_classes_enumerated_item_by_item(measure: str, seed: int) -> None:
    y, a, b = systems(seed, 16, 2)
    value = VALUES[measure]
    expected = by_enumeration(y, a, b, lambda *x: raw(value, *x), np.arange(len(y)))
    found = assay.compare(y, a, b, measure=measure, statistic="raw")
    assert found.extreme is None  # exact
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", ["accuracy", "f1(average=macro)", "mcc"])
@pytest.mark.parametrize("seed", range(3))
def test_three_classes_enumerated_item_by_item(measure: str, seed: int) -> None:
    y, a, b = systems(seed + 10, 14, 3)
    expected = by_enumeration(y, a, b, lambda *x: raw(VALUES[measure], *x), np.arange(len(y)))
    found = assay.compare(y, a, b, measure=measure, statistic="raw")
    assert found.extreme is None
    assert found.p_value == pytest.approx(expected, abs=1e-12)


def counts(y: Labels, p: Labels, w: NDArray[np.float64] | None) -> tuple[float, float, float, float]:
    """tp, fp, fn and tn, each row with its weight."""
    w = np.ones(len(y)) if w is None else w
    cells = ((1, 1), (0, 1), (1, 0), (0, 0))
    tp, fp, fn, tn = (float(w[(y == gold) & (p == pred)].sum()) for gold, pred in cells)
    return tp, fp, fn, tn


def plain_f1(y: Labels, p: Labels, w: NDArray[np.float64] | None = None) -> float:
    tp, fp, fn, _ = counts(y, p, w)
    return 2 * tp / (2 * tp + fp + fn)


def plain_mcc(y: Labels, p: Labels, w: NDArray[np.float64] | None = None) -> float:
    tp, fp, fn, tn = counts(y, p, w)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def plain_accuracy(y: Labels, p: Labels, w: NDArray[np.float64] | None = None) -> float:
    tp, fp, fn, tn = counts(y, p, w)
    return (tp + tn) / (tp + fp + fn + tn)


WEIGHTED: dict[str, Callable[..., float]] = {"accuracy": plain_accuracy, "f1": plain_f1, "mcc": plain_mcc}


@pytest.mark.parametrize("measure", WEIGHTED)
def test_the_studentized_test_enumerated_item_by_item(measure: str) -> None:
    y, a, b = systems(21, 26, 2)
    keep = np.flatnonzero(a != b)[:7]  # few exchangeable rows, so that all exchanges can be listed
    b = np.where(np.isin(np.arange(len(y)), keep), b, a)
    value = WEIGHTED[measure]
    expected = by_enumeration(y, a, b, lambda y, a, b: studentized(value, y, a, b), np.arange(len(y)))
    found = assay.compare(y, a, b, measure=measure, statistic="studentized")
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc"])
def test_whole_clusters_are_exchanged(measure: str) -> None:
    y, a, b = systems(31, 48, 2)
    clusters = np.arange(48) // 6
    expected = by_enumeration(y, a, b, lambda *x: raw(VALUES[measure], *x), clusters)
    found = assay.compare(y, a, b, measure=measure, statistic="raw", cluster=clusters)
    assert found.extreme is None
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert "cluster by cluster" in found.h0


@pytest.mark.parametrize(("measure", "k"), [("f1(average=macro)", 4), ("mcc", 2)])
def test_draws_agree_with_coins_tossed_for_every_item(measure: str, k: int) -> None:
    y, a, b = systems(41, 300, k)
    b = np.where(np.random.default_rng(5).random(300) < 0.75, a, b)
    rng, draws = np.random.default_rng(6), 500
    value = VALUES[measure]
    observed = raw(value, y, a, b)
    values = []
    for _ in range(draws):
        swap = rng.random(len(y)) < 0.5
        values.append(raw(value, y, np.where(swap, b, a), np.where(swap, a, b)))
    expected = float(far_out(np.array(values), observed).mean())
    found = assay.compare(y, a, b, measure=measure, statistic="raw", n_resamples=9999)
    assert found.p_value is not None
    error = math.sqrt(max(expected * (1 - expected), 0.01) * (1 / draws + 1 / 9999))
    assert abs(found.p_value - expected) < 4 * error


def test_queries_are_exchanged_by_sign_flips() -> None:
    rng = np.random.default_rng(51)
    runs: list[dict[str, Any]] = [{f"q{i}": rng.integers(0, 2, 4).tolist() for i in range(9)} for _ in range(2)]
    ranks = [[next((1 / (i + 1) for i, g in enumerate(x) if g), 0.0) for x in run.values()] for run in runs]
    difference = np.array(ranks[0]) - np.array(ranks[1])
    sums = np.array([(difference * s).mean() for s in itertools.product([1, -1], repeat=9)])
    expected = far_out(sums, float(difference.mean())).mean()
    found = assay.compare(Ranked.joint(runs[0], runs[1]), measure="rr")
    assert found.p_value == pytest.approx(expected, abs=1e-12)


def test_runs_are_compared_by_a_measure_with_an_option_as_scikit_learn_values_their_queries() -> None:
    rng = np.random.default_rng(52)
    runs: list[dict[str, Any]] = [{f"q{i}": rng.integers(0, 3, 6).tolist() for i in range(9)} for _ in range(2)]
    gains = [[sk.ndcg_score([x], [range(6, 0, -1)], k=3) for x in run.values()] for run in runs]
    difference = np.array(gains[0]) - np.array(gains[1])
    sums = np.array([(difference * s).mean() for s in itertools.product([1, -1], repeat=9)])
    expected = far_out(sums, float(difference.mean())).mean()
    found = assay.compare(Ranked.joint(runs[0], runs[1]), measure="ndcg@3")
    assert found.difference == pytest.approx(float(difference.mean()), abs=1e-12)
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.a.measure == "ndcg@3"


def test_values_of_seven_items_have_two_chances_in_sixty_four() -> None:
    # Six of seven differences are not zero and all point one way: 2 of 2⁶ sign patterns are as extreme.
    a = {f"q{i}": [0] * 9 + [1] for i in range(6)} | {"q6": [1]}
    b = {f"q{i}": [1] for i in range(6)} | {"q6": [1]}
    assert assay.compare(Ranked.joint(a, b), measure="mrr").p_value == 2 / 64


def test_rating_rounds_are_exchanged_unit_by_unit() -> None:
    import krippendorff

    rng = np.random.default_rng(61)
    first, second = rng.integers(0, 2, (8, 3)), rng.integers(0, 2, (8, 3))

    def alpha(x: NDArray[np.int64]) -> float:
        return float(krippendorff.alpha(reliability_data=x.T, level_of_measurement="nominal"))

    values = []
    for swaps in itertools.product([False, True], repeat=8):
        swap = np.array(swaps)[:, None]
        values.append(alpha(np.where(swap, second, first)) - alpha(np.where(swap, first, second)))
    expected = far_out(np.array(values), alpha(first) - alpha(second)).mean()
    joint = Rated.joint(first.tolist(), second.tolist())
    assert assay.compare(joint, measure="krippendorff_alpha", statistic="raw").p_value == pytest.approx(
        expected, abs=1e-12
    )


def test_auc_exchanges_mid_ranks_within_the_system() -> None:
    from scipy.stats import rankdata

    rng = np.random.default_rng(71)
    y = np.array([0, 1] * 4)
    a, b = np.round(rng.normal(size=8) + y, 1), np.round(100 * (rng.normal(size=8) + 0.2 * y))
    ra, rb = rankdata(a), rankdata(b)  # on their own scales raw scores could not be exchanged
    values = []
    for swaps in itertools.product([False, True], repeat=8):
        swap = np.array(swaps)
        left, right = np.where(swap, rb, ra), np.where(swap, ra, rb)
        values.append(float(sk.roc_auc_score(y, left)) - float(sk.roc_auc_score(y, right)))
    expected = far_out(np.array(values), float(sk.roc_auc_score(y, a)) - float(sk.roc_auc_score(y, b))).mean()
    found = assay.compare(y, a, b, measure="roc_auc")
    assert found.extreme is None
    assert found.p_value == pytest.approx(expected, abs=1e-12)
