"""Values of one call on arrays: sorts against Python's own, sums against fractions, and calls against tallies."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import assay
from assay import ClassScored, Scored
from assay.tally.contract.grouping import FEW_ROWS, group_rows
from assay.tally.contract.sums import exact_sum, weighted_sum
from assay.tally.sorting import distinct_scores, pairs_won, precision_of_true, reached
from tests.oracles.cases import close

Floats = NDArray[np.float64]
BLOCKS = 70_000  # items, which are processed in several blocks


def shapes(rng: np.random.Generator, n: int) -> dict[str, Floats]:
    """Scores that fill the bits of a number in every way: ties, signs, both zeros, large, tiny, and all at once."""
    return {
        "probabilities": rng.random(n),
        "ties": rng.integers(0, 4, n) / 3,
        "single precision": rng.random(n).astype(np.float32).astype(np.float64),
        "log-odds": rng.normal(0, 4, n),
        "signed ties": rng.integers(-3, 3, n) * 1.5,
        "large": rng.random(n) * 1e6,
        "tiny": rng.integers(-3, 4, n) * 5e-324,
        "all magnitudes": rng.normal(0, 1, n) * 10.0 ** rng.integers(-320, 300, n),
        "neighbors": np.nextafter(rng.integers(-1, 2, n).astype(np.float64), 2.0),
        "zeros": rng.choice([-0.0, 0.0, 1.0, 1.5, -1.0], n),
    }


SHAPES = tuple(shapes(np.random.default_rng(0), 1))


# ---------------------------------------------------------------------- one sort
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(6))
def test_sorted_counts_are_those_of_sorted_pairs(shape: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    truth, score = rng.random(n) < rng.random(), shapes(rng, n)[shape]
    pairs = sorted(zip(score.tolist(), truth.tolist(), strict=True))
    found, is_true, counts = distinct_scores(score, truth)
    distinct = sorted(set(pairs))
    assert list(zip(found.tolist(), is_true.tolist(), strict=True)) == distinct
    assert counts.tolist() == [pairs.count(pair) for pair in distinct]
    assert not np.signbit(found[found == 0]).any()
    thresholds, tp, fp = reached(score, truth)
    every = [math.inf, *sorted(set(score.tolist()), reverse=True)]
    assert thresholds.tolist() == every
    assert tp.tolist() == [int((truth & (score >= at)).sum()) for at in every]
    assert fp.tolist() == [int((~truth & (score >= at)).sum()) for at in every]
    yes, no = score[truth][:, None], score[~truth]
    assert pairs_won(score, truth) == (int(2 * (yes > no).sum() + (yes == no).sum()), len(yes))
    precision, times = precision_of_true(score, truth)
    repeated = precision if times is None else np.repeat(precision, times.astype(int))
    wanted = [truth[score >= at].mean() for at in score[truth].tolist()]
    assert sorted(repeated.tolist()) == pytest.approx(sorted(wanted), rel=1e-15)


@pytest.mark.parametrize("shape", SHAPES)
def test_areas_and_curves_of_many_items_are_scikit_learns(shape: str) -> None:
    rng = np.random.default_rng(7)
    y, score = rng.integers(0, 2, BLOCKS), shapes(rng, BLOCKS)[shape]
    assert assay.roc_auc(y, score) == close(float(sk.roc_auc_score(y, score)))
    assert assay.average_precision(y, score) == close(float(sk.average_precision_score(y, score)))
    fpr, tpr, thresholds = assay.roc_curve(y, score)
    for ours, theirs in zip((fpr, tpr, thresholds), sk.roc_curve(y, score, drop_intermediate=False), strict=True):
        assert np.array_equal(ours, theirs)
    _, recall, _ = assay.pr_curve(y, score)
    assert np.array_equal(recall, sk.precision_recall_curve(y, score)[1][:-1][::-1])


# ---------------------------------------------------------------------- exact sums
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("most", [1, 9, 2**30, 2**44])
def test_sums_are_those_of_fractions_rounded_once(seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 300))
    times = rng.integers(0, most, n, endpoint=True).astype(np.float64)
    for values in (rng.random(n), -np.log(rng.random(n)), rng.normal(0, 1, n) * 10.0 ** rng.integers(-300, 30, n)):
        products = (Fraction(t) * Fraction(v) for t, v in zip(times.tolist(), values.tolist(), strict=True))
        assert exact_sum(times, values) == float(sum(products, Fraction(0)))
        assert exact_sum(None, values) == math.fsum(values.tolist())


def test_sums_halfway_between_two_numbers_are_rounded_to_even() -> None:
    for values in ([1.0, 2.0**-53], [1.0 + 2.0**-52, 2.0**-53], [1.0, 2.0**-53, 2.0**-200], [5e-324, 5e-324]):
        assert exact_sum(None, np.array(values)) == math.fsum(values)


def test_sums_of_many_values_in_blocks_do_not_depend_on_their_order() -> None:
    rng = np.random.default_rng(3)
    values, times = rng.random(BLOCKS) ** 20, rng.integers(0, 5, BLOCKS).astype(np.float64)
    order = rng.permutation(BLOCKS)
    assert exact_sum(times, values) == exact_sum(times[order], values[order])
    assert exact_sum(times, values) == math.fsum(np.repeat(values, times.astype(int)).tolist())


def test_sums_with_fractional_weights_or_of_several_samples_are_plain_sums() -> None:
    rng = np.random.default_rng(4)
    w, values = rng.random((3, 50)), rng.random(50)
    assert np.array_equal(weighted_sum(w, values), (w * values).sum(-1))
    assert weighted_sum(w[0], values) == (w[0] * values).sum(-1)


@pytest.mark.parametrize("size", [2.0**60, 1e30, 1e50, -3.0])
def test_whole_weights_that_are_no_numbers_of_items_are_added_as_weights(size: float) -> None:
    rng = np.random.default_rng(5)
    w, values = size * rng.integers(1, 4, 50).astype(np.float64), rng.random(50)
    assert np.array_equal(w, np.rint(w))
    assert weighted_sum(w, values) == (w * values).sum(-1)


def test_as_many_items_as_there_may_be_are_added_exactly() -> None:
    for times in ([2.0**53], [2.0**53 - 5, 5.0], [2.0**52, 2.0**52 - 1, 1.0]):
        values = np.array([0.1, 1e-9, 0.7])[: len(times)]
        exact = sum((Fraction(t) * Fraction(v) for t, v in zip(times, values.tolist(), strict=True)), Fraction(0))
        assert weighted_sum(np.array(times), values) == float(exact)


@pytest.mark.parametrize("name", ["brier", "log_loss", "average_precision"])
def test_the_unit_of_weights_changes_no_value(name: str) -> None:
    rng = np.random.default_rng(6)
    measure: Any = getattr(assay, name)
    y, score, w = rng.integers(0, 2, 80), rng.random(80), rng.integers(1, 5, 80).astype(np.float64)
    value = measure(y, score, sample_weight=w)
    for unit in (1e-50, 0.1, 1e30, 1e49):
        assert measure(y, score, sample_weight=unit * w) == close(value)


# ---------------------------------------------------------------------- a call is its tally
@pytest.mark.parametrize("name", ["brier", "log_loss", "roc_auc", "average_precision", "ece"])
@pytest.mark.parametrize("ties", [False, True])
def test_a_call_gives_the_value_of_the_tally_to_the_last_digit_in_any_order_of_rows(name: str, ties: bool) -> None:
    rng = np.random.default_rng(11)
    measure: Any = getattr(assay, name)
    for n in (50, 999, BLOCKS):
        y = rng.integers(0, 2, n)
        score = np.clip(0.3 * y + 0.7 * rng.random(n), 0, 1)
        score = np.round(score, 2) if ties else score
        value, order = measure(y, score), rng.permutation(n)
        assert value == measure.of(Scored.from_scores(y, score)) == measure(y[order], score[order])


@pytest.mark.parametrize("name", ["brier", "log_loss", "roc_auc", "average_precision", "top_k_accuracy", "ece"])
@pytest.mark.parametrize("k", [2, 3, 12])
def test_a_call_on_class_scores_gives_the_value_of_the_tally_in_any_order_of_rows(name: str, k: int) -> None:
    rng = np.random.default_rng(12)
    measure: Any = getattr(assay, name)
    for n in (50, 6000):
        y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
        whole = rng.integers(1, 9, (n, k)) if n == 50 else rng.random((n, k))
        score = whole / whole.sum(1, keepdims=True)
        value, order = measure(y, score), rng.permutation(n)
        tally = ClassScored.from_class_scores(y, score)
        assert value == measure.of(tally) == measure(y[order], score[order]) == measure(y, np.asfortranarray(score))
        assert value == measure(y, {i: score[:, i] for i in range(k)})


def test_losses_of_many_items_are_scikit_learns() -> None:
    rng = np.random.default_rng(13)
    y, k = rng.integers(0, 5, BLOCKS), 5
    score = rng.random((BLOCKS, k))
    score /= score.sum(1, keepdims=True)
    assert assay.log_loss(y, score) == close(float(sk.log_loss(y, score)))
    assert assay.top_k_accuracy(y, score, k=2) == close(float(sk.top_k_accuracy_score(y, score, k=2)))
    assert assay.roc_auc(y, score) == close(float(sk.roc_auc_score(y, score, multi_class="ovr")))
    assert assay.brier(y, score) == close(float(sk.brier_score_loss(y, score)))
    assert assay.brier(y == 1, score[:, 1]) == close(float(sk.brier_score_loss(y == 1, score[:, 1])))
    assert assay.log_loss(y == 1, score[:, 1]) == close(float(sk.log_loss(y == 1, score[:, 1])))


def test_a_tally_does_not_change_with_the_arrays_it_was_counted_from() -> None:
    rng = np.random.default_rng(14)
    y, score = rng.integers(0, 3, 40), rng.dirichlet(np.ones(3), 40)
    two, one = y > 0, score[:, 1].copy()
    tallies = [
        ClassScored.from_class_scores(y, score),
        ClassScored.from_class_scores(y, score, sample_weight=np.ones(40)),
        Scored.from_scores(two, one),
        Scored.from_scores(two, one, sample_weight=np.ones(40)),
        Scored.from_scores(two, one, cluster=y),
        Scored.joint(two, one, one).a,
        ClassScored.joint(y, score, score).a,
    ]
    before = [tally.to_json() for tally in tallies]
    score[:], one[:] = 0.25, 0.25
    assert [tally.to_json() for tally in tallies] == before


@pytest.mark.parametrize("seed", range(6))
def test_rows_are_grouped_as_if_sorted_by_all_columns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = FEW_ROWS + int(rng.integers(0, 2000))
    kinds = [rng.integers(0, 3, n), np.round(rng.normal(0, 1, n), 1), rng.random(n) < 0.5, rng.integers(0, 10**6, n)]
    columns = [kinds[i] for i in rng.integers(0, 4 if seed % 2 else 3, 5)]
    order, group = group_rows(columns)
    sorted_rows = sorted(zip(*(column.tolist() for column in columns), strict=True))
    assert list(zip(*(column[order].tolist() for column in columns), strict=True)) == sorted_rows
    assert sorted(order.tolist()) == list(range(n))
    apart = [one != other for one, other in zip(sorted_rows[1:], sorted_rows, strict=False)]
    assert np.array_equal(group, np.cumsum([0, *apart]))
