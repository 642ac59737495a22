"""A verdict, the test behind it and the interval beside it never contradict each other, whatever the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit, logit

import assay
from assay.report.words.comparisons import p_text
from assay.uncertainty.results import Comparison

LABELS = (
    "accuracy",
    "error_rate",
    "recall",
    "precision",
    "npv",
    "f1",
    "mcc",
    "balanced_accuracy",
    "g_mean",
    "cohen_kappa",
)
MANY = ("accuracy", "f1(average=macro)", "balanced_accuracy", "mcc")
SCORES = ("roc_auc", "average_precision", "brier", "log_loss", "calibration_slope")
SIDES = ("two-sided", "greater", "less")
ALPHA = 0.05
Rng = np.random.Generator


# ---------------------------------------------------------------------- random comparisons
def labeled(rng: Rng, k: int) -> tuple[NDArray[Any], ...]:
    """Gold and two systems, from hardly ever wrong to poor, that err together or each alone."""
    n = int(rng.integers(12, 200))
    shares = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 5.0])))
    y = rng.choice(k, n, p=shares)
    y[:k] = np.arange(k)  # every class is there
    hard = rng.random(n)
    both = [y]
    for _ in range(2):
        right = rng.choice([0.999, 0.97, 0.9, 0.7])
        own = np.where(rng.random(n) < rng.random(), hard, rng.random(n))
        both.append(np.where(own < right, y, rng.integers(0, k, n)))
    return tuple(both)


def scored(rng: Rng) -> tuple[NDArray[Any], ...]:
    """Gold and the probabilities of two systems, one of which may only be surer than the other."""
    n = int(rng.integers(20, 200))
    y = rng.random(n) < rng.choice([0.05, 0.2, 0.5])
    y[:3], y[3:6] = True, False
    hard = rng.normal(size=n)
    a, b = (rng.choice([1.0, 2.0, 4.0]) * y + rng.normal(size=n) + rng.random() * 2 * hard for _ in range(2))
    if rng.random() < 0.3:
        b = a * rng.choice([0.6, 1.5])
    return y.astype(int), expit(a - 1), expit(b - 1)


def comparisons(measure: str, kind: str, seed: int, size: int) -> list[Comparison]:
    rng = np.random.default_rng(seed)
    out: list[Comparison] = []
    for _ in range(size):
        y, a, b = scored(rng) if measure in SCORES else labeled(rng, 4 if kind == "many" else 2)
        how: dict[str, Any] = {"alternative": str(rng.choice(SIDES)), "n_resamples": 499}
        if kind == "clusters":
            how["cluster"] = rng.integers(0, rng.choice([3, 5, 8, 20]), len(y))
        if kind == "weights":
            data = {"gold": y, "a": a, "b": b, "w": rng.choice([0.5, 1.0, 2.0], len(y))}
            how["scores" if measure in SCORES else "pred"] = ["a", "b"]
            report = assay.compare_systems(data, gold="gold", weight="w", measures=measure, **how)
            out += report.comparisons
        else:
            out.append(assay.compare(y, a, b, measure=measure, **how))
    return out


CASES = [
    *((measure, "rows", 40) for measure in (*LABELS, *SCORES)),
    *((measure, "many", 25) for measure in MANY),
    *((measure, "clusters", 25) for measure in ("accuracy", "f1", "mcc", "roc_auc", "brier")),
    *((measure, "weights", 25) for measure in ("accuracy", "f1", "balanced_accuracy", "roc_auc")),
]


@pytest.mark.parametrize(("measure", "kind", "size"), CASES)
def test_a_verdict_says_what_test_and_interval_both_say_and_is_open_where_they_differ(
    measure: str, kind: str, size: int
) -> None:
    for c in comparisons(measure, kind, 5, size):
        if c.difference is None or c.p_value is None:
            assert c.outcome == ("not comparable" if c.difference is None else "undecided")
            continue
        if c.interval is None:  # of systems that gave the same answers in every cluster, say
            assert (c.outcome == "no difference shown") == (c.p_value > ALPHA)
            continue
        inside, found = 0.0 in c.interval, c.p_value <= ALPHA
        if c.outcome in ("better", "worse", "different"):
            assert found
            assert not inside
            assert c.p is not None
            assert c.p <= ALPHA
        elif c.outcome == "no difference shown":
            assert not found
            assert inside
        else:
            assert c.outcome == "undecided"
            assert inside == found
            assert p_text(c) in c.verdict or "too few possible outcomes" in c.verdict
            assert f"{'contains' if inside else 'excludes'} 0" in c.verdict


@pytest.mark.parametrize("measure", ["accuracy", "f1", "roc_auc", "brier"])
def test_the_p_value_of_the_interval_is_on_the_side_of_the_level_that_the_interval_is_on(measure: str) -> None:
    for c in comparisons(measure, "rows", 6, 40):
        if c.interval is not None and c.p_value is not None:
            assert c.p_interval is not None
            assert (0.0 in c.interval) == (c.p_interval > ALPHA)


@pytest.mark.parametrize("measure", ["accuracy", "f1", "roc_auc", "log_loss"])
def test_a_one_sided_question_has_one_limit_and_it_is_that_of_twice_the_error_on_both_sides(measure: str) -> None:
    rng = np.random.default_rng(1)
    y, a, b = scored(rng) if measure in SCORES else labeled(rng, 2)
    both = assay.compare(y, a, b, measure=measure, level=0.9)
    higher, lower = (assay.compare(y, a, b, measure=measure, alternative=side) for side in ("greater", "less"))
    assert (higher.low, higher.high) == (both.low, None)
    assert (lower.low, lower.high) == (None, both.high)
    usual = assay.compare(y, a, b, measure=measure)
    assert higher.both_sides == lower.both_sides == (usual.low, usual.high)
    assert "one-sided, from" in str(higher)
    assert "one-sided, up to" in str(lower)


def test_scores_that_are_only_surer_differ_on_every_item_and_get_an_interval_of_what_they_lose() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        y = rng.random(120) < 0.4
        p = expit(1.5 * y + rng.normal(size=120) - 1)
        for measure in ("brier", "log_loss", "calibration_slope"):
            c = assay.compare(y, p, expit(1.5 * logit(p)), measure=measure)
            assert c.disagreements == 120
            assert not any(note.startswith("a bound") for note in c.notes)
            assert c.method != "mover" or measure == "calibration_slope"
