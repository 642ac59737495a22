"""How often tests of shares and of clusters reject where there is nothing to find."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.measures.declare.catalogue import parse
from assay.uncertainty.two.discordant import Discordant, mcnemar
from assay.uncertainty.two.testing import randomization
from tests.oracles.test_paired_clusters import Population

LEVELS = (0.01, 0.05, 0.10)
# What is exact never rejects more often than it says; the others may by a fifth, and the plain chi-square by more.
ALLOWED = {"exact": 1.0, "chi2_corrected": 1.0, "midp": 1.2, "chi2": 1.4}


def assert_held(p: NDArray[np.float64], times: float = 1.0) -> None:
    for level in LEVELS:
        bound = times * level
        assert (p <= level).mean() <= bound + 3 * math.sqrt(bound * (1 - bound) / len(p)), level


@pytest.mark.parametrize("kind", ALLOWED)
@pytest.mark.parametrize(("n", "apart"), [(60, 0.1), (60, 0.3), (150, 0.1), (400, 0.2)])
def test_mcnemar_holds_its_level(kind: str, n: int, apart: float) -> None:
    rng = np.random.default_rng(3)
    drawn = rng.multinomial(n, [apart / 2, apart / 2, 1 - apart], size=3000)
    assert_held(np.array([mcnemar(Discordant(int(b), int(c), n), kind).p for b, c, _ in drawn]), ALLOWED[kind])


def p_values(population: Population, measure: str, statistic: str, samples: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(4)
    found, options = parse(measure)
    out = []
    for seed in range(samples):
        joint = population.sample(rng)
        out.append(randomization(joint, found.bind(joint.a, **options), statistic, "two-sided", 299, seed).p)
    return np.array(out)


EVEN = Population(20, 10, False, (0.6, 0.4), ((0.8, 0.8), (0.8, 0.8)), 0.3, 0.5)
UNEVEN = Population(25, 10, True, (0.5, 0.3, 0.2), ((0.8,) * 3, (0.8,) * 3), 0.5, 0.5)


@pytest.mark.parametrize("statistic", ["raw", "studentized"])
def test_whole_clusters_of_exchangeable_systems_are_rejected_no_more_often_than_said(statistic: str) -> None:
    assert_held(p_values(EVEN, "f1(average=macro)", statistic, 120))


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["raw", "studentized"])
@pytest.mark.parametrize("measure", ["accuracy", "f1(average=macro)", "mcc"])
@pytest.mark.parametrize("population", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_exchangeable_clusters_on_a_grid(population: Population, measure: str, statistic: str) -> None:
    assert_held(p_values(population, measure, statistic, 1000))
