"""Two systems on weighted rows: against a bootstrap of the rows with scikit-learn 1.9, and under other units of weight.

Weights are relative: doubling all of them tells nothing more, and may change no interval and no p-value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import assay
from assay.jobs.answers.results import Row
from tests.oracles.cases import close
from tests.oracles.plain import limits

Floats = NDArray[np.float64]
LABELS = {"pred": ["hard_a", "hard_b"]}
SCORES = {"scores": ["a", "b"]}


def rows(n: int, seed: int = 3) -> dict[str, Any]:
    """Two systems whose scores share most of their noise, their labels, and weights that differ twentyfold."""
    rng = np.random.default_rng(seed)
    gold = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    a, b = (1 / (1 + np.exp(-(2 * gold - 1 + shared + rng.normal(size=n) * rough))) for rough in (0.4, 0.9))
    named = {"gold": gold.astype(int), "a": a.round(3), "b": b.round(3), "w": rng.choice([0.1, 0.5, 1, 2], n)}
    return {**named, "hard_a": (named["a"] >= 0.5).astype(int), "hard_b": (named["b"] >= 0.5).astype(int)}


def difference(data: Any, measure: str, **systems: Any) -> Row:
    report = assay.compare_systems(data, gold="gold", weight="w", measures=[measure], **systems)
    (found,) = [row for row in report.rows if row.quantity == "difference"]
    return found


MEASURES: dict[str, tuple[dict[str, Any], Callable[..., float]]] = {
    "f1": (LABELS, sk.f1_score),
    "accuracy": (LABELS, sk.accuracy_score),
    "balanced_accuracy": (LABELS, sk.balanced_accuracy_score),
    "roc_auc": (SCORES, sk.roc_auc_score),
}


@pytest.mark.parametrize("name", MEASURES)
def test_a_difference_of_weighted_rows_is_as_unsure_as_resampled_rows_show(name: str) -> None:
    systems, measure = MEASURES[name]
    data, rng = rows(600), np.random.default_rng(1)
    both = next(iter(systems.values()))

    def apart(some: Any) -> float:
        first, second = (measure(data["gold"][some], data[side][some], sample_weight=data["w"][some]) for side in both)
        return float(first - second)

    found = difference(data, name, **systems)
    drawn = [apart(rng.integers(0, 600, 600)) for _ in range(200)]
    assert found.value == pytest.approx(apart(slice(None)))
    low, high = limits(found)
    # 200 draws know a standard deviation to 5%; what is added to small tables makes intervals a little wider.
    assert (high - low) / (2 * 1.96 * np.std(drawn)) == pytest.approx(1, abs=0.15)


@cache
def in_units(name: str, unit: float) -> Row:
    """A difference on rows whose weights are counted in other units."""
    data = rows(80)
    return difference({**data, "w": unit * data["w"]}, name, **MEASURES.get(name, (SCORES, None))[0])


@pytest.mark.parametrize("unit", [0.01, 100.0, 1e-30, 1e30])
@pytest.mark.parametrize("name", [*MEASURES, "brier", "mcc", "recall"])
def test_the_unit_of_weights_changes_no_comparison(name: str, unit: float) -> None:
    once, again = in_units(name, 1.0), in_units(name, unit)
    assert [again.low, again.high, again.p] == close([once.low, once.high, once.p], 1e-6)


def test_a_threshold_compares_weighted_rows_as_the_labels_it_gives_do() -> None:
    data = rows(80)
    for name in ("f1", "recall", "mcc"):
        by_label, by_score = (difference(data, name, **systems) for systems in (LABELS, SCORES))
        assert [by_score.low, by_score.high] == close([by_label.low, by_label.high], 1e-6)


def test_weighted_systems_are_compared_where_some_pairs_of_answers_never_occur() -> None:
    data = rows(80)
    held = ~((data["gold"] == 1) & (data["hard_a"] == 0) & (data["hard_b"] == 1))
    found = difference({name: column[held] for name, column in data.items()}, "f1", **LABELS)
    low, high = limits(found)
    assert found.value is not None
    assert low < found.value < high


@pytest.mark.parametrize("unit", [100.0, 1e-30, 1e30])
@pytest.mark.parametrize("name", ["f1", "accuracy", "roc_auc"])
def test_the_unit_of_weights_does_not_change_what_may_still_be_where_systems_answer_alike(
    name: str, unit: float
) -> None:
    data = rows(80)
    data["b"], data["hard_b"] = data["a"], data["hard_a"]
    systems = MEASURES[name][0]
    once = difference(data, name, **systems)
    again = difference({**data, "w": unit * data["w"]}, name, **systems)
    low, high = limits(once)
    assert low < 0 < high
    assert [again.low, again.high] == close([once.low, once.high], 1e-6)


def test_a_weighted_comparison_without_intervals_of_its_own_systems_says_why() -> None:
    data = rows(40)
    found = difference(data, "average_precision", **SCORES)
    expected = (sk.average_precision_score(data["gold"], data[side], sample_weight=data["w"]) for side in "ab")
    assert found.value == pytest.approx(next(expected) - next(expected))
    single = assay.estimate(
        "average_precision", assay.Scored.from_scores(data["gold"], data["a"], sample_weight=data["w"])
    )
    assert single.interval is None
    assert (found.low, found.high, found.reason) == (None, None, f"a: {single.reason}")


@pytest.mark.parametrize("weights", ["equal", "zero or one"])
@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc", "balanced_accuracy"])
def test_rows_of_one_weight_are_compared_as_if_they_were_counted(measure: str, weights: str) -> None:
    data = rows(60)
    data["w"] = np.full(60, 2.5) if weights == "equal" else (np.arange(60) % 3 > 0).astype(float)
    kept = {name: np.asarray(column)[data["w"] > 0] for name, column in data.items()}
    asked: dict[str, Any] = {"gold": "gold", "measures": [measure], "primary": measure, **LABELS}
    weighted = assay.compare_systems(data, weight="w", **asked).comparisons[0]
    counted = assay.compare_systems(kept, **asked).comparisons[0]
    assert (weighted.test, weighted.method, weighted.outcome) == (counted.test, counted.method, counted.outcome)
    for name in ("difference", "low", "high", "p_value", "p_interval"):
        assert getattr(weighted, name) == pytest.approx(getattr(counted, name), rel=1e-9), name
