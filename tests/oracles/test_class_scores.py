"""Measures of a score for each class, against scikit-learn 1.9, pairs counted one by one, and counts by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import ClassScored, OptionError, Scored
from assay.report.families.words import warnings
from assay.uncertainty.one.influence import influences
from assay.uncertainty.one.resample import jackknife_values
from tests.oracles.class_data import Array, drawn, pairs_one_by_one

AVERAGED = [("macro", "ovr"), ("weighted", "ovr"), ("macro", "ovo"), ("weighted", "ovo")]
averaged = pytest.mark.parametrize(("average", "multi_class"), AVERAGED)
seeds = pytest.mark.parametrize("seed", range(6))


# ---------------------------------------------------------------------- ROC AUC
@seeds
@averaged
def test_auc_of_several_classes_is_scikit_learns(seed: int, average: Any, multi_class: Any) -> None:
    gold, scores = drawn(seed)
    theirs = sk.roc_auc_score(gold, scores, average=average, multi_class=multi_class)
    assert assay.roc_auc(gold, scores, average=average, multi_class=multi_class) == pytest.approx(theirs, abs=1e-12)


@seeds
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_weighted_auc_against_the_rest_is_scikit_learns(seed: int, average: Any) -> None:
    gold, scores = drawn(seed)
    w = np.random.default_rng(seed).choice([0.1, 1.0, 3.7], len(gold))
    theirs = sk.roc_auc_score(gold, scores, average=average, multi_class="ovr", sample_weight=w)
    assert assay.roc_auc(gold, scores, average=average, sample_weight=w) == pytest.approx(theirs, abs=1e-12)


@seeds
@averaged
def test_auc_is_what_pairs_one_by_one_give_with_ties_and_weights(seed: int, average: Any, multi_class: Any) -> None:
    gold, scores = drawn(seed, n=30, k=3)
    w = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], len(gold))
    expected = pairs_one_by_one(gold, scores, w, average, multi_class)
    found = assay.roc_auc(gold, scores, average=average, multi_class=multi_class, sample_weight=w)
    assert found == pytest.approx(expected, abs=1e-12)


@averaged
def test_a_class_without_items_is_left_out_and_named(average: Any, multi_class: Any) -> None:
    gold, scores = drawn(3, n=40, k=4)
    kept = gold != 2
    expected = pairs_one_by_one(gold[kept], scores[kept], np.ones(kept.sum()), average, multi_class)
    tally = ClassScored.from_class_scores(gold[kept], scores[kept], labels=range(4))
    found = assay.estimate("roc_auc", tally, average=average, multi_class=multi_class)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert "no item belongs to '2', which the mean leaves out" in found.notes


def test_auc_is_undefined_where_all_items_are_of_one_class() -> None:
    tally = ClassScored.from_class_scores(["a", "a"], [[0.7, 0.3], [0.2, 0.8]], labels=["a", "b"])
    found = assay.estimate("roc_auc", tally)
    assert found.value is None
    assert found.reason == "all items belong to one class"


@seeds
def test_one_class_against_the_rest_is_the_problem_of_two_classes(seed: int) -> None:
    gold, scores = drawn(seed)
    tally = ClassScored.from_class_scores(gold, scores)
    two = Scored.from_scores(gold == 2, scores[:, 2])
    assert assay.roc_auc(gold, scores, pos_label=2) == pytest.approx(sk.roc_auc_score(gold == 2, scores[:, 2]))
    found, same = assay.estimate("roc_auc", tally, pos_label=2), assay.estimate("roc_auc", two)
    assert (found.low, found.high) == (same.low, same.high)
    with pytest.raises(OptionError, match="one class against the rest; leave out the average"):
        assay.roc_auc(gold, scores, pos_label=2, multi_class="ovo")


@seeds
@averaged
def test_influences_of_auc_are_slopes_of_pairs_counted_one_by_one(seed: int, average: str, multi_class: str) -> None:
    gold, scores = drawn(seed, n=24, k=3)
    w = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], len(gold))
    tally = ClassScored.from_class_scores(gold, scores, sample_weight=w)
    bound = assay.roc_auc.bind(tally, average=average, multi_class=multi_class)
    found = influences(bound, tally, tally.mass)
    expected = []
    for i in range(len(tally.mass)):
        ends = []
        for step in (1e-4, -1e-4):
            moved = tally.mass.copy()
            moved[i] += step
            ends.append(pairs_one_by_one(tally.gold, tally.scores, moved, average, multi_class))
        expected.append((ends[0] - ends[1]) / 2e-4)
    # A central difference errs by the square of its step.
    assert found.tolist() == pytest.approx(expected, abs=1e-7)


@seeds
@averaged
def test_auc_without_each_item_is_that_of_the_others(seed: int, average: str, multi_class: str) -> None:
    gold, scores = drawn(seed, n=20, k=3)
    gold[gold == 1], gold[0] = 2, 1  # a class of a single item, which is gone when it is left out
    tally = ClassScored.from_class_scores(gold, scores)
    values, times = jackknife_values(assay.roc_auc.bind(tally, average=average, multi_class=multi_class), tally)
    others = [np.delete(np.arange(len(gold)), i) for i in range(len(gold))]
    ones = np.ones(len(gold) - 1)
    expected = [pairs_one_by_one(gold[rest], scores[rest], ones, average, multi_class) for rest in others]
    assert np.sort(np.repeat(values, times.astype(int))).tolist() == pytest.approx(sorted(expected), abs=1e-12)


def test_two_columns_that_mirror_each_other_have_the_interval_of_two_classes() -> None:
    rng = np.random.default_rng(5)
    gold = rng.random(80) < 0.3
    score = np.round(rng.normal(gold, 1.0), 1)
    both = assay.estimate("roc_auc", ClassScored.from_class_scores(gold, np.stack([-score, score], axis=1)))
    two = assay.estimate("roc_auc", Scored.from_scores(gold, score))
    assert (both.value, both.low, both.high) == pytest.approx((two.value, two.low, two.high), abs=1e-12)


def test_classes_that_are_fully_apart_have_an_interval_below_one() -> None:
    gold = np.repeat([0, 1, 2], 20)
    for multi_class in ("ovr", "ovo"):
        found = assay.estimate("roc_auc", ClassScored.from_class_scores(gold, np.eye(3)[gold]), multi_class=multi_class)
        assert found.value == found.high == 1
        assert found.low is not None
        assert 0.8 < found.low < 0.99


# ---------------------------------------------------------------------- average precision
def average_precision(gold: Array, scores: Array, average: str, w: Array | None = None) -> float:
    """Scikit-learn's, class by class, over the classes that occur."""
    weight = np.ones(len(gold)) if w is None else w
    classes = [c for c in range(scores.shape[1]) if weight[gold == c].sum() > 0]
    values = [sk.average_precision_score(gold == c, scores[:, c], sample_weight=weight) for c in classes]
    sizes = [weight[gold == c].sum() for c in classes]
    return float(np.average(values, weights=sizes if average == "weighted" else None))


@seeds
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_average_precision_of_several_classes_is_scikit_learns(seed: int, average: Any) -> None:
    gold, scores = drawn(seed)
    w = np.random.default_rng(seed).choice([0.1, 1.0, 3.7], len(gold))
    both = np.eye(4)[gold]
    theirs = sk.average_precision_score(both, scores, average=average)
    assert assay.average_precision(gold, scores, average=average) == pytest.approx(theirs, abs=1e-12)
    theirs = sk.average_precision_score(both, scores, average=average, sample_weight=w)
    assert assay.average_precision(gold, scores, average=average, sample_weight=w) == pytest.approx(theirs, abs=1e-12)
    one = sk.average_precision_score(gold == 1, scores[:, 1])
    assert assay.average_precision(gold, scores, pos_label=1) == pytest.approx(one, abs=1e-12)


@seeds
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_what_one_item_does_to_average_precision_is_what_scikit_learn_finds(seed: int, average: str) -> None:
    gold, scores = drawn(seed, n=24, k=3)
    w = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], len(gold))
    tally = ClassScored.from_class_scores(gold, scores, sample_weight=w)
    found = influences(assay.average_precision.bind(tally, average=average), tally, tally.mass)
    steps = np.eye(len(tally.mass)) * 1e-4
    expected = [
        (
            average_precision(tally.gold, tally.scores, average, tally.mass + step)
            - average_precision(tally.gold, tally.scores, average, tally.mass - step)
        )
        / 2e-4
        for step in steps
    ]
    assert found.tolist() == pytest.approx(expected, abs=1e-7)


@seeds
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_average_precision_without_each_item_is_scikit_learns_of_the_others(seed: int, average: str) -> None:
    gold, scores = drawn(seed, n=20, k=3)
    gold[gold == 1], gold[0] = 2, 1  # a class of a single item, which is gone when it is left out
    tally = ClassScored.from_class_scores(gold, scores)
    values, times = jackknife_values(assay.average_precision.bind(tally, average=average), tally)
    rest = [np.delete(np.arange(len(gold)), i) for i in range(len(gold))]
    expected = [average_precision(gold[others], scores[others], average) for others in rest]
    assert np.sort(np.repeat(values, times.astype(int))).tolist() == pytest.approx(sorted(expected), abs=1e-12)


# ---------------------------------------------------------------------- probabilities
@seeds
def test_brier_score_and_log_loss_of_several_classes_are_scikit_learns(seed: int) -> None:
    gold, scores = drawn(seed)
    w = np.random.default_rng(seed).choice([0.1, 1.0, 3.7], len(gold))
    for weight in (None, w):
        for half in (True, False, "auto"):
            squared = sk.brier_score_loss(gold, scores, sample_weight=weight, scale_by_half=half)
            found = assay.brier(gold, scores, sample_weight=weight, scale_by_half=half)
            assert found == pytest.approx(squared, abs=1e-12)
        usual = sk.brier_score_loss(gold, scores, sample_weight=weight)
        assert assay.brier(gold, scores, sample_weight=weight) == pytest.approx(usual, abs=1e-12)
        surprise = sk.log_loss(gold, scores, sample_weight=weight)
        assert assay.log_loss(gold, scores, sample_weight=weight) == pytest.approx(surprise, abs=1e-12)


def test_two_columns_of_probabilities_are_the_problem_of_one() -> None:
    rng = np.random.default_rng(3)
    gold = rng.random(70) < 0.3
    p = np.clip(np.round(rng.normal(0.3 + 0.3 * gold, 0.2), 2), 0, 1)
    both, one = ClassScored.from_class_scores(gold, np.stack([1 - p, p], axis=1)), Scored.from_scores(gold, p)
    for measure in ("brier", "log_loss"):
        found, same = assay.estimate(measure, both), assay.estimate(measure, one)
        assert (found.value, found.low, found.high) == pytest.approx((same.value, same.low, same.high), abs=1e-12)
        assert found.no_skill == pytest.approx(same.no_skill)


@pytest.mark.parametrize("half", [True, False, "auto"])
def test_two_columns_of_probabilities_are_halved_as_scikit_learn_halves_them(half: Any) -> None:
    rng = np.random.default_rng(4)
    gold, p = rng.random(50) < 0.4, rng.random(50)
    scores = np.stack([1 - p, p], axis=1)
    expected = sk.brier_score_loss(gold, scores, scale_by_half=half)
    assert assay.brier(gold, scores, scale_by_half=half) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("half", [True, False, "auto"])
def test_one_column_of_probabilities_is_halved_as_scikit_learn_halves_it(half: Any) -> None:
    rng = np.random.default_rng(4)
    gold, p, q, w = rng.random(50) < 0.4, rng.random(50), rng.random(50), rng.uniform(1, 3, 50)
    for weight in (None, w):
        expected = sk.brier_score_loss(gold, p, sample_weight=weight, scale_by_half=half)
        assert assay.brier(gold, p, sample_weight=weight, scale_by_half=half) == pytest.approx(expected, abs=1e-12)
    times = 2 if half is False else 1
    plain, found = assay.estimate("brier", gold, p), assay.estimate("brier", gold, p, scale_by_half=half)
    for name in ("value", "low", "high", "standard_error", "no_skill"):
        assert getattr(found, name) == pytest.approx(times * getattr(plain, name), rel=1e-12)
    given: tuple[dict[str, Any], ...] = ({}, {"scale_by_half": half})
    usual, other = (assay.compare(gold, p, q, measure="brier", **more) for more in given)
    assert other.p_value == pytest.approx(usual.p_value, rel=1e-9)
    assert (other.low, other.high) == pytest.approx((times * (usual.low or 0), times * (usual.high or 0)), rel=1e-9)


def test_the_interval_of_half_the_brier_score_is_half_its_interval() -> None:
    tally = ClassScored.from_class_scores(*drawn(2))
    whole, half = (assay.estimate("brier", tally, scale_by_half=by) for by in (False, True))
    for name in ("value", "low", "high", "standard_error", "no_skill"):
        assert getattr(whole, name) == pytest.approx(2 * getattr(half, name), rel=1e-12)


def test_calibration_error_is_that_of_the_highest_score_against_being_right() -> None:
    gold, scores = drawn(2, n=200)
    right, sure = scores.argmax(axis=1) == gold, scores.max(axis=1)
    # Ten bins of the same width, gathered one by one.
    gaps = [
        abs(right[here].sum() - sure[here].sum()) for b in range(10) for here in [np.minimum(sure * 10 // 1, 9) == b]
    ]
    found = assay.ece(gold, scores, bins=10, binning="width")
    assert found == pytest.approx(sum(gaps) / 200, abs=1e-12)
    assert assay.ece(gold, scores) == pytest.approx(assay.ece(right, sure), abs=1e-12)


def test_what_it_costs_to_give_every_item_the_shares_of_the_classes() -> None:
    gold, scores = drawn(2)
    shares = np.tile(np.bincount(gold) / len(gold), (len(gold), 1))
    tally = ClassScored.from_class_scores(gold, scores)
    expected = {
        "roc_auc": 0.5,
        "average_precision": 0.25,  # the mean of four shares that add up to 1
        "brier": sk.brier_score_loss(gold, shares),
        "log_loss": sk.log_loss(gold, shares),
    }
    found = {measure: assay.estimate(measure, tally).no_skill for measure in expected}
    assert found == pytest.approx(expected, abs=1e-9)


def test_scores_that_are_no_probabilities_have_ranks_and_a_reason() -> None:
    gold, scores = drawn(2)
    off = scores.copy()
    off[5] *= 1.25
    off[9] *= 0.99
    odds = np.log(scores)
    label = gold[5]
    cases = [
        (off, f"the probabilities of 2 rows do not sum to 1 within 0.001; the worst sum to 1.25 (gold “{label}”)"),
        (odds, f"scores lie between {odds.min():.4g} and {odds.max():.4g}, so they are not probabilities"),
    ]
    for given, reason in cases:
        tally = ClassScored.from_class_scores(gold, given)
        for measure in ("brier", "log_loss", "ece"):
            found = assay.estimate(measure, tally)
            assert found.value is None
            assert found.reason == reason
        for measure in ("roc_auc", "average_precision", "top_k_accuracy"):
            assert assay.estimate(measure, tally).value is not None
        assert reason in warnings(tally)
    # Logarithms keep the order within each class.
    assert assay.roc_auc(gold, odds) == assay.roc_auc(gold, scores)
    rounded_off = np.array([[0.333, 0.333, 0.333], [0.2, 0.3, 0.5], [0.4, 0.4, 0.2]])
    assert assay.log_loss(list("abc"), rounded_off) == pytest.approx(-math.log(0.333 * 0.3 * 0.2) / 3)


def test_a_probability_of_zero_that_came_true_is_kept_from_zero_and_told() -> None:
    tally = ClassScored.from_class_scores(list("ab"), [[0.0, 1.0], [0.5, 0.5]])
    found = assay.estimate("log_loss", tally)
    eps = np.finfo(float).eps
    assert found.value == pytest.approx(-(math.log(eps) + math.log(0.5)) / 2)
    assert "1 row has a probability of 0 or 1, moved inward by 2.2e-16 so that the loss stays finite" in found.notes


# ---------------------------------------------------------------------- top-k accuracy
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", [0, 2, 4])
def test_top_k_accuracy_without_ties_is_scikit_learns(seed: int, k: int) -> None:
    gold, scores = drawn(seed)
    w = np.random.default_rng(seed).random(len(gold))
    assert assay.top_k_accuracy(gold, scores, k=k) == pytest.approx(sk.top_k_accuracy_score(gold, scores, k=k))
    theirs = sk.top_k_accuracy_score(gold, scores, k=k, sample_weight=w)
    assert assay.top_k_accuracy(gold, scores, k=k, sample_weight=w) == pytest.approx(theirs)


def test_a_tie_across_the_last_place_counts_as_missed_and_is_told() -> None:
    scores = np.array([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.3, 0.2]])
    tally = ClassScored.from_class_scores(["a", "c", "b", "a"], scores, labels=list("abc"))
    assert [assay.top_k_accuracy.of(tally, k=k) for k in (1, 2, 3)] == [0.25, 0.75, 1.0]
    notes = [assay.estimate("top_k_accuracy", tally, k=k).notes for k in (1, 3)]
    assert notes == [("3 rows with a tie across place 1, counted as missed",), ()]


def test_top_k_accuracy_has_the_interval_and_the_test_of_a_share() -> None:
    gold, scores = drawn(2, n=200)
    worse = np.roll(scores, 3, axis=0) * 0.3 + scores * 0.7
    first, second = (np.argsort(-x, axis=1)[:, :2] for x in (scores, worse))
    hits = [(guesses == gold[:, None]).any(axis=1) for guesses in (first, second)]
    truth = np.ones(len(gold), int)
    by_hits = assay.compare(truth, *(hit.astype(int) for hit in hits), measure="accuracy")
    found = assay.compare(gold, scores, worse, measure="top_k_accuracy", k=2)
    assert found.method == by_hits.method == "tango"
    assert (found.difference, found.low, found.high) == pytest.approx(
        (by_hits.difference, by_hits.low, by_hits.high), abs=1e-12
    )
    assert found.p_value == pytest.approx(by_hits.p_value)


def test_guesses_that_are_labels_are_still_guesses() -> None:
    assert assay.top_k_accuracy(["a", "b"], [["a", "b"], ["a", "c"]], k=2) == 0.5
    assert assay.top_k_accuracy([1, 2], [[1, 2], [1, 3]], k=2) == 0.5


@pytest.mark.filterwarnings("ignore")
def test_a_class_without_items_is_left_out_where_scikit_learn_counts_it_as_0_or_has_nan() -> None:
    gold, scores = drawn(2)
    k = scores.shape[1]
    more = np.column_stack([scores * 0.9, np.full(len(gold), 0.1)])
    labels = [*range(k), k]
    hot = np.eye(k + 1)[gold]
    theirs = sk.average_precision_score(hot, more, average="macro")
    assert math.isnan(sk.roc_auc_score(hot, more, average="macro"))
    for name in ("average_precision", "roc_auc"):
        each = [assay.estimate(name, gold, more, labels=labels, pos_label=c).value for c in range(k)]
        found = assay.estimate(name, gold, more, labels=labels)
        assert found.value == pytest.approx(np.mean(np.array(each, np.float64)), abs=1e-12)
        assert any("which the mean leaves out" in note for note in found.notes)
        if name == "average_precision":
            assert theirs == pytest.approx(float(found) * k / (k + 1), abs=1e-12)


def test_a_tie_across_place_k_is_missed_though_scikit_learn_breaks_it_by_the_columns() -> None:
    gold, scores = [0, 1, 2], np.array([[0.4, 0.4, 0.2], [0.4, 0.4, 0.2], [0.2, 0.4, 0.4]])
    assert assay.top_k_accuracy(gold, scores, k=1) == 0
    assert any("tie across place 1" in note for note in assay.estimate("top_k_accuracy", gold, scores, k=1).notes)
    assert sk.top_k_accuracy_score(gold, scores, k=1) > 0
    assert "a tie across place k counts as missed" in assay.top_k_accuracy.written.replace("\n", " ")
