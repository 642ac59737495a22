"""How often a test rejects when there is nothing to find.

Two ways of having nothing to find: systems that are exchangeable item by item, where the randomization test must never
reject more often than it says, and systems that differ but have the same value, where the studentized test holds its
level nearly and the raw one does not.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import assay
from assay import Confusion, Joint

Tables = NDArray[np.int64]
LEVELS = (0.01, 0.05, 0.10)


def exchangeable(prevalence: float, right: float, together: float) -> NDArray[np.float64]:
    """Chances of (gold, a, b): both systems are right equally often, and agree more often than chance."""
    out = np.zeros((2, 2, 2))
    for gold, share in enumerate((1 - prevalence, prevalence)):
        both = right * (together + (1 - together) * right)
        apart = right - both
        for a in (0, 1):
            for b in (0, 1):
                chance = {2: both, 1: apart, 0: 1 - both - 2 * apart}[(a == gold) + (b == gold)]
                out[gold, a, b] = share * chance
    return out


def same_precision(n_recall: tuple[float, float], prevalence: float, precision: float) -> NDArray[np.float64]:
    """Two independent systems of equal precision and unequal recall."""
    out = np.zeros((2, 2, 2))
    hits = [[1 - r, r] for r in n_recall]
    alarms = [[1 - f, f] for f in (r * prevalence * (1 / precision - 1) / (1 - prevalence) for r in n_recall)]
    for a in (0, 1):
        for b in (0, 1):
            out[1, a, b] = prevalence * hits[0][a] * hits[1][b]
            out[0, a, b] = (1 - prevalence) * alarms[0][a] * alarms[1][b]
    return out


def p_values(chances: NDArray[np.float64], n: int, samples: int, measure: str, statistic: Any) -> NDArray[np.float64]:
    rng = np.random.default_rng(2024)
    gold, a, b = (x.ravel() for x in np.indices((2, 2, 2)))
    out = []
    for counts in rng.multinomial(n, chances.ravel(), size=samples):
        first, second = (
            Confusion(keys={"gold": gold, "pred": side}, counts=counts.astype(np.int64), labels=("0", "1"))
            for side in (a, b)
        )
        found = assay.compare(
            Joint(first, second), measure=measure, statistic=statistic, method="mover", n_resamples=499
        )
        if found.p_value is not None:
            out.append(found.p_value)
    return np.array(out)


def allowed(level: float, samples: int) -> float:
    """The level and three standard errors of the simulation."""
    return level + 3 * math.sqrt(level * (1 - level) / samples)


@pytest.mark.parametrize(
    "measure", ["accuracy", *(pytest.param(name, marks=pytest.mark.slow) for name in ("f1", "mcc"))]
)
@pytest.mark.parametrize("statistic", ["raw", "studentized"])
def test_exchangeable_systems_are_rejected_no_more_often_than_said(measure: str, statistic: str) -> None:
    p = p_values(exchangeable(0.3, 0.8, 0.5), 100, 400, measure, statistic)
    for level in LEVELS:
        assert (p <= level).mean() <= allowed(level, len(p))


@pytest.mark.slow
def test_equal_precision_of_unequal_systems_is_kept_by_the_studentized_test() -> None:
    p = p_values(same_precision((0.9, 0.3), 0.3, 0.7), 400, 400, "precision", "studentized")
    # Not exact under this null: within 6% at a nominal 5%, and three standard errors of the simulation.
    assert (p <= 0.05).mean() <= 0.06 + 3 * math.sqrt(0.06 * 0.94 / len(p))


def test_the_test_can_reject() -> None:
    chances = exchangeable(0.3, 0.8, 0.2)
    worse = chances + 0.0
    worse[:, 1, :] = chances.mean(axis=1)  # A answers without looking
    worse[:, 0, :] = chances.mean(axis=1)
    p = p_values(worse / worse.sum(), 200, 60, "mcc", "studentized")
    assert (p <= 0.05).mean() > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc", "precision", "recall", "balanced_accuracy"])
@pytest.mark.parametrize("population", [(0.5, 0.9, 0.7), (0.3, 0.8, 0.5), (0.1, 0.9, 0.3)])
def test_exchangeable_systems_on_a_grid(measure: str, population: tuple[float, float, float]) -> None:
    p = p_values(exchangeable(*population), 200, 4000, measure, "studentized")
    for level in LEVELS:
        assert (p <= level).mean() <= allowed(level, len(p))


@pytest.mark.slow
@pytest.mark.parametrize("recalls", [(0.9, 0.3), (0.8, 0.5), (0.6, 0.6)])
def test_equal_precision_on_a_grid(recalls: tuple[float, float]) -> None:
    p = p_values(same_precision(recalls, 0.3, 0.7), 400, 4000, "precision", "studentized")
    assert 0.04 - 0.011 <= (p <= 0.05).mean() <= 0.06 + 0.011
