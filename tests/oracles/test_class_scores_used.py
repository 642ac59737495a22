"""Two systems with a score for each class, columns that are none, and decisions by cost, each item by item."""

from __future__ import annotations

import itertools
import json
import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import ClassScored, Confusion, DataError, Joint
from assay.jobs.answers.row_texts import on_scale
from assay.measures.declare.catalogue import find
from assay.measures.labels.costs import at_least_cost, decide
from tests.oracles.class_data import Array, drawn, pairs_one_by_one

AVERAGED = [("macro", "ovr"), ("weighted", "ovr"), ("macro", "ovo"), ("weighted", "ovo")]
averaged = pytest.mark.parametrize(("average", "multi_class"), AVERAGED)
seeds = pytest.mark.parametrize("seed", range(6))


# ---------------------------------------------------------------------- two systems
@pytest.mark.parametrize("measure", ["brier", "log_loss"])
def test_losses_are_exchanged_as_they_are(measure: str) -> None:
    gold, a = drawn(4, n=9, k=3)
    b = drawn(7, n=9, k=3)[1]
    b = 0.5 * b + 0.5 / 3

    def losses(scores: Array) -> Array:
        own = scores[np.arange(len(gold)), gold]
        squares: Array = ((scores - np.eye(3)[gold]) ** 2).sum(axis=1)
        return squares if measure == "brier" else -np.log(np.clip(own, np.finfo(float).eps, None))

    apart = losses(a) - losses(b)
    signs = np.array(list(itertools.product([1, -1], repeat=len(gold))))
    expected = np.mean(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-9)
    found = assay.compare(gold, a, b, measure=measure, statistic="raw")
    assert found.difference == pytest.approx(apart.mean(), abs=1e-12)
    assert found.p_value == pytest.approx(expected, abs=1e-9)
    joint = ClassScored.joint(gold, a, b)
    each = find(measure).on(joint.a)
    assert each.paired.each is not None
    assert float((each.paired.each(joint.a) - each.paired.each(joint.b)) @ joint.counts) == pytest.approx(apart.sum())
    signed = each.bind(joint.a).signs(joint)
    assert signed is not None
    assert float(signed.scale * (signed.terms @ joint.counts)) == pytest.approx(apart.mean())


def exchanged_one_by_one(gold: Array, a: Array, b: Array, average: str, multi_class: str) -> float:
    """The share of all exchanges of rows of mid-ranks whose difference is at least as large."""
    from scipy.stats import rankdata

    a, b = (rankdata(scores, axis=0) for scores in (a, b))
    ones = np.ones(len(gold))

    def apart(swap: Array) -> float:
        first, second = np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)
        return pairs_one_by_one(gold, first, ones, average, multi_class) - pairs_one_by_one(
            gold, second, ones, average, multi_class
        )

    observed = abs(apart(np.zeros(len(gold), bool)))
    every = [abs(apart(np.array(swap))) for swap in itertools.product([False, True], repeat=len(gold))]
    return float(np.mean([d >= observed - 1e-9 for d in every]))


@averaged
def test_the_randomization_test_exchanges_rows_of_mid_ranks(average: Any, multi_class: Any) -> None:
    gold = np.array([0, 0, 1, 1, 2, 2, 0])
    rng = np.random.default_rng(8)
    a, b = (np.round(rng.normal(scale * np.eye(3)[gold], 1), 1) for scale in (2.0, 0.3))
    found = assay.compare(gold, a, 100 + 3 * b, measure="roc_auc", average=average, multi_class=multi_class)
    assert found.test == "randomization"
    expected = exchanged_one_by_one(gold, a, b, average, multi_class)
    assert found.p_value == pytest.approx(expected, abs=1e-9)


@seeds
@averaged
def test_under_exchange_the_difference_is_the_sum_of_signed_terms(seed: int, average: str, multi_class: str) -> None:
    gold, a = drawn(seed, n=24, k=3)
    b = drawn(seed + 50, n=24, k=3)[1]
    joint = ClassScored.joint(gold, a, b)
    ranked = Joint(joint.a.exchange_keys(), joint.b.exchange_keys())
    bound = assay.roc_auc.bind(joint.a, average=average, multi_class=multi_class)
    found = bound.signs(ranked)
    assert found is not None
    times, rng = joint.counts, np.random.default_rng(seed)
    for _ in range(3):
        swap = rng.random(len(times)) < 0.5
        first = np.where(swap[:, None], ranked.b.scores, ranked.a.scores)
        second = np.where(swap[:, None], ranked.a.scores, ranked.b.scores)
        values = [pairs_one_by_one(joint.a.gold, x, times.astype(float), average, multi_class) for x in (first, second)]
        total = found.scale * float((times * found.terms * np.where(swap, -1, 1)).sum())
        assert total == pytest.approx(values[0] - values[1], abs=1e-12)


@averaged
def test_two_systems_on_clusters_and_by_draws_give_a_difference_with_limits(average: str, multi_class: str) -> None:
    gold, a = drawn(2, n=90, k=3)
    b = 0.5 * a + 0.5 * np.roll(a, 1, axis=0)
    options: dict[str, Any] = {"measure": "roc_auc", "average": average, "multi_class": multi_class}
    plain = assay.compare(gold, a, b, n_resamples=199, **options)
    assert plain.method == "mover"
    clustered = assay.compare(gold, a, b, n_resamples=199, cluster=np.arange(90) // 3, **options)
    drawn_limits = assay.compare(gold, a, b, n_resamples=499, method="percentile", test="none", **options)
    expected = [pairs_one_by_one(gold, x, np.ones(90), average, multi_class) for x in (a, b)]
    for found in (plain, clustered, drawn_limits):
        assert found.difference == pytest.approx(expected[0] - expected[1], abs=1e-12)
        assert found.low is not None
        assert found.high is not None
        assert found.low < expected[0] - expected[1] < found.high


# ---------------------------------------------------------------------- data
def test_columns_are_read_by_name_whatever_their_order() -> None:
    gold, scores = drawn(2, k=3)
    named = {label: scores[:, label] for label in (2, 0, 1)}
    assert assay.roc_auc(gold, named) == assay.roc_auc(gold, scores)
    pandas = import_module("pandas")
    assert assay.roc_auc(gold, pandas.DataFrame(named)) == assay.roc_auc(gold, scores)
    joint = ClassScored.joint(gold, scores, named, labels=range(3))
    assert joint.disagreements == 0


def test_shards_add_up_and_json_brings_back_the_same_tally() -> None:
    gold, scores = drawn(3)
    w, cluster = np.random.default_rng(0).random(60), np.arange(60) % 7
    whole = ClassScored.from_class_scores(gold, scores, sample_weight=w, cluster=cluster)
    shards = [
        ClassScored.from_class_scores(
            gold[part], scores[part], labels=range(4), sample_weight=w[part], cluster=cluster[part]
        )
        for part in (slice(0, 20), slice(20, 60))
    ]
    assert sum(shards) == whole
    assert ClassScored.from_json(whole.to_json()) == whole
    assert json.loads(whole.to_json())["kind"] == "class_scores"


def test_bad_columns_are_refused_in_sentences() -> None:
    gold, scores = list("abc"), np.eye(3)
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (scores[:, :2], {}, r"y_score has 2 columns of scores, but there are 3 classes \('a', 'b', 'c'\)"),
        ({"a": [1, 0, 0], "b": [0, 1, 0]}, {}, "y_score has no score for 'c'; every class needs a column"),
        (np.where(scores > 0, np.nan, scores), {}, "y_score of “a” has 1 score that is not finite"),
        ([["x", "0", "0"]] * 3, {}, "y_score of “a” has 3 values that are not numbers"),
        (scores, {"labels": list("aab")}, "labels names a class twice"),
        (scores, {"labels": list("abd")}, "y_score has no score for 'c'"),
        ({"1": [1, 0, 0], 1: [0, 1, 0]}, {}, "two columns of scores for one class"),
        ([0.1, 0.2, 0.3], {}, "y_score has 1 dimension; expected a row of scores for each item"),
    ]
    for given, more, message in cases:
        with pytest.raises(DataError, match=message):
            ClassScored.from_class_scores(gold, given, **more)


# ---------------------------------------------------------------------- decisions by cost
@seeds
def test_the_class_of_least_expected_cost_is_found_by_trying_all(seed: int) -> None:
    gold, scores = drawn(seed, k=3)
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 20, (3, 3)) * (1 - np.eye(3, dtype=int))
    table = {str(g): {str(p): int(costs[g, p]) for p in range(3)} for g in range(3)}
    tally = ClassScored.from_class_scores(gold, scores)
    chosen = decide(tally, table)
    for row, decision in zip(tally.scores, chosen, strict=True):
        expected = [sum(row[g] * costs[g, p] for g in range(3)) for p in range(3)]
        # Of several equal ones, the first; sums in another order differ in their last bits.
        assert decision == next(p for p in range(3) if math.isclose(expected[p], min(expected), abs_tol=1e-9))
    decided = at_least_cost(tally, table)
    assert isinstance(decided, Confusion)
    assert decided.n == 60


def test_costs_move_decisions_and_both_ways_have_a_cost_with_an_interval() -> None:
    # A miss of "ill" costs 10 and an alarm 1: “ill” pays from a probability of 1/11 on.
    gold = ["ill", "well", "well", "well"] * 10
    ill = np.tile([0.2, 0.05, 0.15, 0.01], 10)
    tally = ClassScored.from_class_scores(gold, {"ill": ill, "well": 1 - ill})
    costs = {"ill": {"ill": 0, "well": 10}, "well": {"ill": 1, "well": 0}}
    by_score, by_cost = tally.labeled(), at_least_cost(tally, costs)
    matrix = ((0.0, 10.0), (1.0, 0.0))
    found = [assay.estimate("expected_cost", table, matrix=matrix) for table in (by_score, by_cost)]
    assert [each.value for each in found] == pytest.approx([100 / 40, 10 / 40])
    for each in found:
        assert each.low is not None
        assert each.high is not None
        assert each.low < float(each) < each.high


def test_two_conventional_classes_are_decided_by_what_errors_cost() -> None:
    tally = ClassScored.from_class_scores([0, 1, 1], [[0.7, 0.3], [0.6, 0.4], [0.9, 0.1]])
    chosen = decide(tally, {"fp": 1, "fn": 2})  # an alarm pays from 1/3 on
    assert dict(zip(tally.scores[:, 1].tolist(), chosen.tolist(), strict=True)) == {0.3: 0, 0.4: 1, 0.1: 0}


def test_decisions_need_probabilities() -> None:
    costs = {"a": {"a": 0, "b": 1}, "b": {"a": 1, "b": 0}}
    off = ClassScored.from_class_scores(["a", "b"], [[0.5, 0.5], [0.9, 0.6]])
    with pytest.raises(DataError, match=r"do not sum to 1 within 0\.001; the worst sum to 1\.5 \(gold “b”\)"):
        decide(off, costs)
    with pytest.raises(DataError, match="scores lie between -2 and 3, so they are not probabilities"):
        decide(ClassScored.from_class_scores(["a", "b"], [[3, -2], [-1, 2]]), costs)


def test_a_brier_score_above_one_is_not_drawn_on_the_scale_of_shares() -> None:
    gold = np.arange(30) % 3
    scores = np.full((30, 3), 0.02)
    scores[np.arange(30), (gold + 1) % 3] = 0.96
    table: dict[str, Array] = {"gold": gold, **{f"p_{c}": scores[:, c] for c in range(3)}}
    report = assay.evaluate(table, gold="gold", scores="p_{}", measures=["roc_auc", "brier"])
    assert report.rows[1].value == pytest.approx(sk.brier_score_loss(gold, scores))
    assert not on_scale(report.rows[1])
    assert on_scale(report.rows[0])
