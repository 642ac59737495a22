"""Derivatives by the multiplicity of each cell, against scikit-learn 1.9 with nudged weights, and by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Confusion, Rated
from assay.measures.declare.catalogue import catalogue, parse
from assay.uncertainty.one.influence import influences

PEERS: dict[str, Callable[..., Any]] = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "precision(average=macro)": lambda *x, **o: sk.precision_score(*x, average="macro", **o),
    "recall(average=macro)": lambda *x, **o: sk.recall_score(*x, average="macro", **o),
    "f1(average=macro)": lambda *x, **o: sk.f1_score(*x, average="macro", **o),
    "f1(average=micro)": lambda *x, **o: sk.f1_score(*x, average="micro", **o),
    "f1(average=weighted)": lambda *x, **o: sk.f1_score(*x, average="weighted", **o),
}


def nudged(theirs: Callable[..., Any], tally: Confusion) -> list[float]:
    """The slope of the measure by the weight of each cell, one cell after the other."""
    gold, pred, weight = tally.gold.tolist(), tally.pred.tolist(), tally.mass
    out = []
    for i in range(len(weight)):
        step = 1e-4 * max(weight[i], 1)
        ends = []
        for sign in (1, -1):
            moved = weight.copy()
            moved[i] += sign * step
            ends.append(float(theirs(gold, pred, sample_weight=moved)))
        out.append((ends[0] - ends[1]) / (2 * step))
    return out


@pytest.mark.parametrize("spelling", PEERS)
@pytest.mark.parametrize(("seed", "k", "n"), [(1, 2, 40), (2, 3, 80), (3, 5, 400)])
def test_slopes_of_random_tables(spelling: str, seed: int, k: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, n)
    pred = np.where(rng.random(n) < 0.7, gold, rng.integers(0, k, n))
    tally = Confusion.from_predictions(gold, pred)
    measure, options = parse(spelling)
    found = influences(measure.bind(tally, **options), tally, tally.mass)
    # Both are central differences: their errors are of the order of the squared step.
    assert found.tolist() == pytest.approx(nudged(PEERS[spelling], tally), rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("spelling", ["mcc", "f1(average=macro)", "accuracy", "balanced_accuracy"])
def test_slopes_of_a_million_rows_with_a_rare_class(spelling: str) -> None:
    tally = Confusion.from_counts(tp=60, fp=40, fn=30, tn=999_870)
    measure, options = parse(spelling)
    found = influences(measure.bind(tally, **options), tally, tally.mass)
    expected = nudged(PEERS[spelling], tally)
    assert found.tolist() == pytest.approx(expected, rel=1e-3, abs=1e-3 * float(np.abs(expected).max()))


def test_slopes_by_hand() -> None:
    tally = Confusion.from_counts(tp=80, fp=30, fn=20, tn=70)
    by_cell = {"tn": 0, "fp": 1, "fn": 2, "tp": 3}
    accuracy = influences(catalogue()["accuracy"].bind(tally), tally, tally.mass)
    # One more item moves 150 / 200 by (1 − .75) / 200 if it is right and by −.75 / 200 if not.
    assert accuracy.tolist() == pytest.approx([0.25 / 200, -0.75 / 200, -0.75 / 200, 0.25 / 200], rel=1e-8)
    f1 = influences(catalogue()["f1"].bind(tally), tally, tally.mass)
    # 2 TP / (2 TP + FP + FN) = 160 / 210.
    assert f1[by_cell["tn"]] == 0
    assert f1[by_cell["tp"]] == pytest.approx((2 - 2 * 160 / 210) / 210, rel=1e-8)
    assert f1[by_cell["fp"]] == pytest.approx(-160 / 210**2, rel=1e-8)
    assert f1[by_cell["fn"]] == pytest.approx(-160 / 210**2, rel=1e-8)


def test_a_stack_has_the_slopes_of_each_table() -> None:
    tally = Confusion.from_matrix([[9, 2, 1], [3, 8, 2], [1, 1, 6]], list("abc"))
    bound = catalogue()["mcc"].bind(tally)
    stack = np.stack([tally.mass, tally.mass * 2, tally.mass + 1])
    found = influences(bound, tally, stack)
    for w, row in zip(stack, found, strict=True):
        assert row.tolist() == pytest.approx(influences(bound, tally, w).tolist(), rel=1e-9)


def test_a_value_by_convention_has_no_slope() -> None:
    tally = Confusion.from_counts(tp=0, fp=0, fn=10, tn=90)
    assert influences(catalogue()["mcc"].bind(tally), tally, tally.mass).tolist() == [0, 0]


def test_a_good_system_is_told_from_one_that_always_says_no() -> None:
    # MCC of the second is 0 by convention; a slope taken across that point would drown the difference.
    gold = [1] * 30 + [0] * 70
    good = [1] * 25 + [0] * 5 + [0] * 65 + [1] * 5
    found = assay.compare(gold, good, [0] * 100, measure="mcc")
    assert found.p_value is not None
    assert found.p_value < 0.01


def test_slopes_of_krippendorffs_alpha() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, (40, 1))
    tally = Rated.from_ratings(np.where(rng.random((40, 3)) < 0.7, truth, rng.integers(0, 3, (40, 3))).tolist())
    bound = catalogue()["krippendorff_alpha"].bind(tally)

    def alpha(w: Any) -> float:
        """From the coincidences of the patterns, each weighted."""
        n, agreed, chosen = 0.0, 0.0, [0.0] * 3
        for weight, pattern in zip(w, tally.pattern.tolist(), strict=True):
            m = sum(pattern)
            n += weight * m
            agreed += weight * sum(x * (x - 1) for x in pattern) / (m - 1)
            chosen = [c + weight * x for c, x in zip(chosen, pattern, strict=True)]
        return 1 - (n - 1) * (n - agreed) / (n * n - sum(c * c for c in chosen))

    expected = []
    for i in range(len(tally.counts)):
        ends = []
        for step in (1e-4, -1e-4):
            moved = tally.mass.copy()
            moved[i] += step
            ends.append(alpha(moved))
        expected.append((ends[0] - ends[1]) / 2e-4)
    assert math.isclose(alpha(tally.mass), assay.krippendorff_alpha.of(tally), abs_tol=1e-12)
    assert influences(bound, tally, tally.mass).tolist() == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_the_linearized_error_of_weighted_accuracy_is_the_error_of_a_ratio() -> None:
    rng = np.random.default_rng(6)
    gold, right, w = rng.integers(0, 3, 200), rng.random(200) < 0.8, rng.choice([0.5, 1.0, 4.0], 200)
    pred = np.where(right, gold, (gold + 1) % 3)
    value = float((w * right).sum() / w.sum())
    variance = float((w**2 * (right - value) ** 2).sum() / w.sum() ** 2)
    # On the logit, where the error is divided by p (1 − p).
    half = 1.959963984540054 * math.sqrt(variance) / (value * (1 - value))
    center = math.log(value / (1 - value))
    expected = tuple(1 / (1 + math.exp(-(center + s * half))) for s in (-1, 1))
    tally = Confusion.from_predictions(gold, pred, sample_weight=w)
    found = assay.estimate("accuracy", tally, method="logit_delta")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-8)
    # Mid-P with the number of items that would have this variance without weights is close to it.
    default = assay.estimate("accuracy", tally)
    assert default.method == "midp"
    assert (default.low, default.high) == pytest.approx(expected, abs=0.01)
