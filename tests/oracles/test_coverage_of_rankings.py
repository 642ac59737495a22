"""What is hardest on intervals and tests over queries: a run that loses a few of them altogether."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.measures.declare.catalogue import parse
from scripts.coverage_counting import count
from scripts.coverage_populations import Table
from scripts.coverage_rankings import GOOD, LOSING, MIDDLING, OUTLYING, balanced, two_runs
from tests.oracles.test_coverage import ERRORS, LOWEST, SAMPLES, monte_carlo_error

QUERIES = 25


def test_the_true_value_of_lists_is_the_mean_over_all_of_them() -> None:
    units, shares = two_runs(MIDDLING, LOSING)
    a, b = (np.array([assay.ap({"q": grades}) for grades in found(side)]) for side in (units.a, units.b))
    # Relevant documents that were not returned count too, so the values of the lists alone are higher.
    population = Table("", QUERIES, units, shares)
    values = [parse("rr")[0].bind(side).mean(side) for side in (units.a, units.b)]
    ranks = [np.array([assay.rr({"q": grades}) for grades in found(side)]) for side in (units.a, units.b)]
    for value, rank in zip(values, ranks, strict=True):
        assert value is not None
        assert value.each.tolist() == pytest.approx(rank.tolist())
    assert population.truth(*parse("rr")) == pytest.approx((ranks[0] - ranks[1]).mean())
    assert parse("ap")[0].of(units.a) < a.mean()
    assert parse("ap")[0].of(units.b) < b.mean()


def found(side: Any) -> list[list[float]]:
    """The grades of each query's list."""
    lists = side.lists.of(side.keys["list"])
    return [each.tolist() for each in np.split(lists.grade, lists.found.starts[1:-1])]


@pytest.mark.parametrize("spelling", ["gm_ap", "ndcg@10"])
def test_differences_allow_for_queries_that_were_lost_but_not_drawn(spelling: str) -> None:
    # A fifth of samples of 25 have none of the 6% of lost queries; a geometric mean rests on these.
    measure, options = parse(spelling)
    seen = count(Table("", QUERIES, *two_runs(MIDDLING, LOSING)), measure, SAMPLES, **options)
    assert seen.made == SAMPLES
    assert seen.share >= LOWEST - ERRORS * monte_carlo_error(LOWEST, SAMPLES)


def test_with_rare_losses_the_test_alone_finds_too_much_and_the_verdict_does_not() -> None:
    units, _ = two_runs(GOOD, OUTLYING)
    shares = balanced(units, "ndcg@10")
    population = Table("", QUERIES, units, shares)
    assert population.truth(*parse("ndcg@10")) == pytest.approx(0, abs=1e-12)
    found = [
        assay.compare(joint, measure="ndcg@10")
        for joint, times in population.samples(SAMPLES, np.random.default_rng(5))
        for _ in range(times)
    ]
    assert {each.test for each in found} == {"randomization"}
    alone = np.mean([(each.p_value or 0) <= 0.05 for each in found])
    assert alone > 0.05 + ERRORS * monte_carlo_error(0.05, SAMPLES)
    judged = np.mean([each.outcome in ("better", "worse") for each in found])
    assert judged <= 0.05
