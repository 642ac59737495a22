"""Means over queries: values without each query, and what one moves; by definition and as in scikit-learn 1.9."""

from __future__ import annotations

import dataclasses
from math import log2
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Ranked
from assay.measures.declare.catalogue import catalogue, parse
from assay.tally.contract.base import Linear
from assay.tally.contract.sampling import collect_clusters
from assay.uncertainty.one.influence import has_influences, influences
from assay.uncertainty.one.resample import jackknife_values

SPELLINGS = ("rr", "ndcg", "ndcg@3")


def lists(n: int, seed: int = 0, longest: int = 12) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, longest, n)
    return {f"q{i}": ((rng.random(s) < 0.3) * rng.integers(-1, 4, s)).tolist() for i, s in enumerate(sizes)}


def by_hand(spelling: str, grades: list[float]) -> float:
    """The value of one query, rank by rank."""
    if spelling == "rr":
        return next((1 / rank for rank, grade in enumerate(grades, 1) if grade > 0), 0.0)
    k, gains = (3 if "@" in spelling else None), [max(grade, 0.0) for grade in grades]
    own, best = (
        sum(gain / log2(rank + 1) for rank, gain in enumerate(each[:k], 1))
        for each in (gains, sorted(gains, reverse=True))
    )
    return own / best if best else 0.0


def bound_to(spelling: str, tally: Ranked) -> Any:
    measure, options = parse(spelling)
    return measure.bind(tally, **options)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_query_has_its_value_by_hand(spelling: str) -> None:
    rankings = lists(300)
    tally = Ranked.from_rankings(rankings)
    expected = [by_hand(spelling, rankings[name]) for name in tally.queries]
    found = bound_to(spelling, tally).mean(tally).each
    assert found.tolist() == pytest.approx(expected, rel=1e-14)


def test_ndcg_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 4, (40, 7)) * (rng.random((40, 7)) < 0.6)
    tally = Ranked.from_rankings({f"{i:02d}": row.tolist() for i, row in enumerate(grades)})
    order = np.tile(-np.arange(7), (40, 1))  # documents are in rank order already
    assert assay.ndcg.of(tally) == pytest.approx(sk.ndcg_score(grades, order), rel=1e-12)
    assert assay.ndcg.of(tally, k=3) == pytest.approx(sk.ndcg_score(grades, order, k=3), rel=1e-12)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("n", [2, 30])
def test_values_without_a_query_are_those_of_the_other_queries(spelling: str, n: int) -> None:
    rankings = {**lists(n, seed=n), "z": [0.0, 1.0]}
    tally = Ranked.from_rankings(rankings)
    found, times = jackknife_values(bound_to(spelling, tally), tally)
    for name, value in zip(tally.queries, found.tolist(), strict=True):
        rest = Ranked.from_rankings({q: grades for q, grades in rankings.items() if q != name})
        assert value == pytest.approx(float(bound_to(spelling, rest).at(rest, rest.mass)), rel=1e-12, nan_ok=True)
    assert times.tolist() == [1.0] * len(rankings)


def test_values_are_zero_without_the_only_query_that_has_a_relevant_document() -> None:
    tally = Ranked.from_rankings({"a": [0, 0], "b": [0, 1], "c": []})
    for spelling in SPELLINGS:
        assert jackknife_values(bound_to(spelling, tally), tally)[0].tolist()[1] == 0
    nothing = Ranked.from_rankings({"a": [0, 0], "b": []})
    assert influences(bound_to("ndcg", nothing), nothing, nothing.mass).tolist() == [0, 0]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_values_without_a_cluster_are_those_of_the_other_clusters(spelling: str) -> None:
    rankings = lists(20, seed=3)
    plain = Ranked.from_rankings(rankings)
    code = np.arange(20) % 7
    order = np.argsort(code, kind="stable")
    parts = collect_clusters(tuple("abcdefg"), code[order], order, np.ones(20, np.int64))
    tally = dataclasses.replace(plain, clusters=parts)
    bound = bound_to(spelling, tally)
    found, times = jackknife_values(bound, tally)
    slow = np.concatenate([bound(bound.evidence.without_each(tally, slice(i, i + 1))) for i in range(len(found))])
    assert found.tolist() == pytest.approx(slow.tolist(), rel=1e-12)
    assert times.sum() == 7


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_influences_are_slopes_for_any_number_of_queries(spelling: str) -> None:
    tally = Ranked.from_rankings(lists(1500, seed=4))
    bound = bound_to(spelling, tally)
    assert has_influences(bound, tally)
    w = np.stack([tally.mass, np.random.default_rng(5).integers(1, 4, len(tally.counts)).astype(float)])
    found = influences(bound, tally, w)
    for i in (0, 7, 1499):
        step = np.zeros(len(tally.counts))
        step[i] = 1e-4
        slope = (bound.at(tally, w + step) - bound.at(tally, w - step)) / 2e-4
        assert found[:, i].tolist() == pytest.approx(slope.tolist(), rel=1e-5, abs=1e-9)


def test_every_mean_says_what_its_items_are_worth() -> None:
    # The shortcuts of all means follow from the values of their items, which therefore must average to the measure.
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 3, 50)
    table = rng.dirichlet(np.ones(3), 50)
    tallies = [
        Ranked.from_rankings(lists(50)),
        assay.Scored.from_scores(gold > 0, rng.random(50)),
        assay.ClassScored.from_class_scores(gold, table, labels=[0, 1, 2]),
    ]
    checked = 0
    for measure in catalogue().values():
        for tally in tallies:
            here = measure.on(tally)
            if here.paired.each is None or not here.reads_from(tally):
                continue
            bound = measure.bind(tally)
            mean = bound.mean(tally)
            assert mean is not None
            value = float(bound.at(tally, tally.mass))
            assert float(tally.mass @ mean.each) / tally.n == pytest.approx(value, rel=1e-12)
            left, _ = jackknife_values(bound, tally)
            assert mean.left_out(tally)[tally.counts > 0].tolist() == pytest.approx(left.tolist(), rel=1e-9)
            slopes = influences(bound, tally, tally.mass)
            assert mean.influence(tally.mass).tolist() == pytest.approx(slopes.tolist(), rel=1e-4, abs=1e-8)
            checked += 1 + int(issubclass(bound.evidence, Linear))
    assert checked >= 8  # two of rankings, and two of either kind of scores, whose sums know the same
