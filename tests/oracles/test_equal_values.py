"""How often systems are told apart that err in different ways but have the same true value.

They are not exchangeable item by item, so the randomization test is not exact for them; studentized, it is allowed
what its page says: up to 6% at a nominal 5%, and as much more in proportion at other levels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from assay import Confusion
from assay.measures.declare.catalogue import parse
from assay.tally.contract.joint import Joint
from assay.uncertainty.two.testing import randomization

ALPHAS = (0.01, 0.05, 0.10)
QUICK, FULL = 400, 2000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Population:
    """The true shares of (gold, a, b) for two classes."""

    shares: Floats  # 2 × 2 × 2

    def sample(self, n: int, rng: np.random.Generator) -> Joint[Confusion]:
        """n rows drawn from it."""
        counts = rng.multinomial(n, self.shares.ravel())
        rows = np.repeat(np.arange(8), counts)
        gold, a, b = rows // 4, rows // 2 % 2, rows % 2
        # The labels are declared, so that a sample without one of them is still counted.
        return Confusion.joint(gold, a, b, labels=[0, 1])

    def value(self, measure: Callable[..., float], which: int) -> float:
        """The true value of one of the systems."""
        return measure(*self.shares.sum(axis=3 - which).ravel())


def accuracy(tn: float, fp: float, fn: float, tp: float) -> float:
    return (tp + tn) / (tp + tn + fp + fn)


def f1(tn: float, fp: float, fn: float, tp: float) -> float:
    return 2 * tp / (2 * tp + fp + fn)


def mcc(tn: float, fp: float, fn: float, tp: float) -> float:
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


TRUE: dict[str, Callable[..., float]] = {"accuracy": accuracy, "f1": f1, "mcc": mcc}


def independent(prevalence: float, a: tuple[float, float], b: tuple[float, float]) -> Population:
    """Two systems by recall and false-alarm rate that, given the gold label, err independently."""
    shares = np.empty((2, 2, 2))
    for gold, weight in ((0, 1 - prevalence), (1, prevalence)):
        says_a, says_b = (x[0] if gold else x[1] for x in (a, b))
        shares[gold] = weight * np.outer([1 - says_a, says_a], [1 - says_b, says_b])
    return Population(shares)


def table(prevalence: float, recall: float, alarms: float) -> tuple[float, float, float, float]:
    return (
        (1 - prevalence) * (1 - alarms),
        (1 - prevalence) * alarms,
        prevalence * (1 - recall),
        prevalence * recall,
    )


def equally_good(measure: str, prevalence: float, a: tuple[float, float], recall_b: float) -> Population:
    """A second system with another recall, and the false-alarm rate that gives it the same true value."""
    value = TRUE[measure]
    wanted = value(*table(prevalence, *a))
    alarms = float(brentq(lambda x: value(*table(prevalence, recall_b, x)) - wanted, 1e-9, 0.9))
    made = independent(prevalence, a, (recall_b, alarms))
    assert made.value(value, 1) == pytest.approx(made.value(value, 2), abs=1e-9)
    return made


def p_values(population: Population, measure: str, n: int, samples: int) -> Floats:
    """The p of each sample; where the measure is undefined there is no test, and nothing is rejected."""
    found, options = parse(measure)
    rng = np.random.default_rng(12_345)
    out = []
    for seed in range(samples):
        joint = population.sample(n, rng)
        bound = found.bind(joint.a, **options)
        if any(math.isnan(float(bound.at(side, side.mass))) for side in (joint.a, joint.b)):
            out.append(1.0)
        else:
            out.append(randomization(joint, bound, "studentized", "two-sided", 499, seed).p)
    return np.array(out)


def assert_held(p: Floats) -> None:
    for alpha in ALPHAS:
        bound = 1.2 * alpha
        # Three binomial standard errors: passed by chance alone in about one of 700 such comparisons.
        assert (p <= alpha).mean() <= bound + 3 * math.sqrt(bound * (1 - bound) / len(p)), alpha


DIFFERENT = {
    "accuracy": equally_good("accuracy", 0.4, (0.8, 0.3), 0.6),
    "f1": equally_good("f1", 0.4, (0.8, 0.3), 0.6),
    "mcc": equally_good("mcc", 0.4, (0.8, 0.3), 0.6),
}


@pytest.mark.parametrize("measure", DIFFERENT)
def test_different_systems_of_the_same_value_are_rejected_about_as_often_as_said(measure: str) -> None:
    assert_held(p_values(DIFFERENT[measure], measure, 100, QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("measure", TRUE)
@pytest.mark.parametrize("recall_b", [0.5, 0.9])
@pytest.mark.parametrize("n", [100, 400])
def test_different_systems_of_the_same_value_in_full(measure: str, recall_b: float, n: int) -> None:
    population = equally_good(measure, 0.3, (0.8, 0.35), recall_b)
    assert_held(p_values(population, measure, n, FULL))
