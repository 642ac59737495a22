"""Curves against scikit-learn, published examples, and item-by-item counting in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.calibration import calibration_curve as sklearn_calibration
from sklearn.metrics import precision_recall_curve as sklearn_pr
from sklearn.metrics import roc_curve as sklearn_roc

import assay
from assay.errors import DataError, OptionError
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import CostByThreshold, CostEnvelope, PrecisionRecall, Roc
from assay.measures.scores.dominance import dominance, under_diagonal

Array = NDArray[np.float64]

# Fawcett (2006), "An introduction to ROC analysis", figure 3: twenty items, and the points of its curve.
FAWCETT: dict[str, list[float]] = {
    "scores": [.9, .8, .7, .6, .55, .54, .53, .52, .51, .505, .4, .39, .38, .37, .36, .35, .34, .33, .30, .1],
    "truth": [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0],
    "fpr": [0, 0, 0, .1, .1, .1, .1, .2, .3, .3, .4, .4, .5, .5, .6, .7, .8, .8, .9, .9, 1],
    "tpr": [0, .1, .2, .2, .3, .4, .5, .5, .5, .6, .6, .7, .7, .8, .8, .8, .8, .9, .9, 1, 1],
}  # fmt: skip


def random_data(seed: int) -> tuple[NDArray[np.int64], Array]:
    """Few or many items, with heavy ties, negative scores or probabilities; both classes occur."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    score = rng.normal(truth * rng.choice([-1.0, 0.0, 2.0]), 1.0, n)
    if seed % 3 == 0:
        score = np.round(score)
    elif seed % 3 == 1:
        score = np.round(1 / (1 + np.exp(-score)), 1)
    return truth, score


@pytest.mark.parametrize("seed", range(40))
def test_roc_has_every_point_that_scikit_learn_finds(seed: int) -> None:
    truth, score = random_data(seed)
    fpr, tpr, thresholds = assay.roc_curve(truth, score)
    theirs = sklearn_roc(truth, score, drop_intermediate=False)
    for mine, other in zip((fpr, tpr, thresholds), theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=0, atol=1e-15)


@pytest.mark.parametrize("seed", range(40))
def test_corners_draw_the_line_that_scikit_learn_draws_from_its_dropped_points(seed: int) -> None:
    truth, score = random_data(seed)
    corners = assay.roc_curve(truth, score).corners()
    fpr, tpr, _ = sklearn_roc(truth, score)
    assert set(zip(corners.fpr, corners.tpr, strict=True)) <= set(zip(fpr, tpr, strict=True))
    at = np.linspace(0, 1, 313)
    np.testing.assert_allclose(np.interp(at, corners.fpr, corners.tpr), np.interp(at, fpr, tpr), atol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_weighted_curves_are_those_of_scikit_learn(seed: int) -> None:
    truth, score = random_data(seed)
    weight = np.random.default_rng(seed).uniform(0.2, 3, len(truth))
    mine = assay.roc_curve(truth, score, sample_weight=weight)
    fpr, tpr, thresholds = sklearn_roc(truth, score, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(mine.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(mine.tpr, tpr, atol=1e-12)
    np.testing.assert_array_equal(mine.thresholds, thresholds)


@pytest.mark.parametrize("seed", range(40))
def test_precision_recall_is_that_of_scikit_learn_without_its_invented_last_point(seed: int) -> None:
    truth, score = random_data(seed)
    precision, recall, thresholds = assay.pr_curve(truth, score)
    their_precision, their_recall, their_thresholds = sklearn_pr(truth, score)
    np.testing.assert_allclose(precision, their_precision[:-1][::-1], atol=1e-15)
    np.testing.assert_allclose(recall, their_recall[:-1][::-1], atol=1e-15)
    np.testing.assert_array_equal(thresholds, their_thresholds[::-1])


def test_fawcetts_twenty_items_have_the_points_of_his_figure() -> None:
    curve = assay.roc_curve(FAWCETT["truth"], FAWCETT["scores"])
    np.testing.assert_allclose(curve.fpr, FAWCETT["fpr"])
    np.testing.assert_allclose(curve.tpr, FAWCETT["tpr"])
    assert curve.threshold.tolist() == [np.inf, *FAWCETT["scores"]]


def test_a_tally_and_arrays_have_the_same_curve() -> None:
    truth, score = random_data(4)
    for mine, other in zip(assay.roc_curve(truth, score), Roc.of(assay.Scored.from_scores(truth, score)), strict=True):
        np.testing.assert_array_equal(mine, other)


def test_labels_are_text_and_the_positive_one_is_named() -> None:
    truth = ["ham", "spam", "ham", "spam"]
    spam = assay.roc_curve(truth, [0.1, 0.4, 0.35, 0.8], pos_label="spam")
    ham = assay.roc_curve(truth, [-0.1, -0.4, -0.35, -0.8], pos_label="ham")
    np.testing.assert_array_equal(spam.fpr, 1 - ham.tpr[::-1])


@pytest.mark.parametrize("truth", [[1, 1, 1], [0, 0, 0]])
def test_one_class_alone_has_no_roc_curve(truth: list[int]) -> None:
    with pytest.raises(DataError, match="needs items of both classes"):
        assay.roc_curve(truth, [0.1, 0.2, 0.3])


def test_precision_without_positives_is_refused_and_without_negatives_is_one() -> None:
    with pytest.raises(DataError, match="none of these is positive"):
        assay.pr_curve([0, 0], [0.1, 0.2])
    assert assay.pr_curve([1, 1], [0.1, 0.2]).precision.tolist() == [1.0, 1.0]


# ---------------------------------------------------------------------- between points
def test_precision_between_two_points_is_the_table_of_davis_and_goadrich() -> None:
    """Their example (2006), section 4: 20 positives, 2,000 negatives, points with 5 and 5, then 10 and 30 alarms."""
    counts = np.array([0.0, 5, 10, 20]), np.array([0.0, 5, 30, 2000])
    curve = PrecisionRecall.drawn(np.array([np.inf, 3, 2, 1]), *counts)
    found = curve.at([0.25, 0.30, 0.35, 0.40, 0.45, 0.50])
    np.testing.assert_allclose(found, [0.500, 0.375, 0.318, 0.286, 0.265, 0.250], atol=5e-4)


def test_tpr_at_an_fpr_is_the_highest_that_is_reached_there() -> None:
    curve = assay.roc_curve(FAWCETT["truth"], FAWCETT["scores"])
    np.testing.assert_allclose(curve.at([0, 0.1, 0.15, 1]), [0.2, 0.5, 0.5, 1.0])


@pytest.mark.parametrize("seed", range(20))
def test_interpolated_precision_is_the_best_at_this_recall_or_more(seed: int) -> None:
    truth, score = random_data(seed)
    curve, positives = assay.pr_curve(truth, score), int(truth.sum())
    for tenth, found in enumerate(curve.interpolated()):
        best = max(
            Fraction(int(truth[score >= t].sum()), int((score >= t).sum()))
            for t in score
            if Fraction(int(truth[score >= t].sum()), positives) >= Fraction(tenth, 10)
        )
        assert found == pytest.approx(float(best))


# ---------------------------------------------------------------------- hull
def corners_in_counts(truth: NDArray[np.int64], score: Array) -> list[tuple[int, int]]:
    """False and true alarms at every threshold, counted item by item."""
    every = [np.inf, *sorted(set(score.tolist()), reverse=True)]
    return [(int((1 - truth)[score >= t].sum()), int(truth[score >= t].sum())) for t in every]


@pytest.mark.parametrize("seed", range(40))
def test_the_hull_has_both_ends_and_the_points_above_every_line_from_one_before_to_one_after(seed: int) -> None:
    truth, score = random_data(seed)
    points = corners_in_counts(truth, score)

    def above(at: tuple[int, int], before: tuple[int, int], after: tuple[int, int]) -> bool:
        return (after[1] - at[1]) * (at[0] - before[0]) < (at[1] - before[1]) * (after[0] - at[0])

    inner = [
        at
        for k, at in enumerate(points[1:-1], start=1)
        if all(above(at, before, after) for before in points[:k] for after in points[k + 1 :])
    ]
    found = assay.roc_curve(truth, score).hull()
    assert list(zip(found.fp.tolist(), found.tp.tolist(), strict=True)) == [points[0], *inner, points[-1]]


def test_a_long_curve_has_the_hull_of_the_slopes_found_by_isotonic_regression() -> None:
    """Between corners of the hull lie the blocks of pool-adjacent-violators; SciPy finds them in another way."""
    from scipy.optimize import isotonic_regression

    rng = np.random.default_rng(7)
    truth = rng.random(20_000) < 0.3
    score = rng.normal(truth * 1.0, 1.0)
    order = np.argsort(-score)
    blocks = isotonic_regression(truth[order].astype(float), increasing=False).blocks
    hull = assay.roc_curve(truth, score).hull()
    assert (hull.tp + hull.fp).tolist() == blocks.tolist()


def test_the_hull_of_very_many_items_does_not_overflow() -> None:
    """Three scores of 300,000 items each: 20, 50 and 80% are positive, so every one is a corner of the hull."""
    truth = np.concatenate([np.arange(300_000) < share * 300_000 for share in (0.2, 0.5, 0.8)])
    hull = assay.roc_curve(truth, np.repeat([1.0, 2.0, 3.0], 300_000)).hull()
    assert hull.tp.tolist() == [0, 240_000, 390_000, 450_000]


@pytest.mark.parametrize("seed", range(20))
def test_items_that_weigh_nothing_change_no_curve(seed: int) -> None:
    truth, score = random_data(seed)
    score = 1 / (1 + np.exp(-score))
    rng = np.random.default_rng(seed)
    more, other = rng.integers(0, 2, 9), rng.random(9)
    weight = np.concatenate([np.ones(len(truth)), np.zeros(9)])
    both, scores = np.concatenate([truth, more]), np.concatenate([score, other])
    plain, with_more = assay.roc_curve(truth, score), assay.roc_curve(both, scores, sample_weight=weight)
    for part in (Roc.corners, Roc.hull):
        np.testing.assert_allclose(part(with_more).fpr, part(plain).fpr, atol=1e-12)
        np.testing.assert_allclose(part(with_more).tpr, part(plain).tpr, atol=1e-12)
    assert np.isfinite(assay.pr_curve(both, scores, sample_weight=weight).precision).all()
    for binning in ("mass", "width"):
        bins = assay.calibration_curve(both, scores, sample_weight=weight, binning=binning)
        np.testing.assert_allclose(bins.y, assay.calibration_curve(truth, score, binning=binning).y, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_errors_cost_a_threshold_on_the_hull_is_the_cheapest(seed: int) -> None:
    truth, score = random_data(seed)
    curve = assay.roc_curve(truth, score)
    hull = curve.hull()
    for fp, fn in np.random.default_rng(seed).uniform(0, 1, (50, 2)):
        cost = fp * curve.fp + fn * (curve.positives - curve.tp)
        assert (fp * hull.fp + fn * (hull.positives - hull.tp)).min() == pytest.approx(cost.min(), abs=1e-12)


# ---------------------------------------------------------------------- two curves
def height(points: list[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
    """The height of a path at an x that is none of its corners."""
    for (x1, y1), (x2, y2) in pairwise(points):
        if x1 < x < x2:
            return y1 + (y2 - y1) * (x - x1) / (x2 - x1)
    raise AssertionError("x is a corner")


def two_systems(seed: int) -> tuple[NDArray[np.int64], Array, Array]:
    truth, a = random_data(seed)
    rng = np.random.default_rng(1000 + seed)
    b = np.round(rng.normal(truth * rng.uniform(0, 2), 1.0), int(rng.integers(0, 3)))
    return truth, a, b


def shares(truth: NDArray[np.int64], score: Array) -> list[tuple[Fraction, Fraction]]:
    points = corners_in_counts(truth, score)
    negatives, positives = points[-1]
    return [(Fraction(fp, negatives), Fraction(tp, positives)) for fp, tp in points]


@pytest.mark.parametrize("seed", range(50))
def test_who_is_higher_is_what_fractions_find_in_the_middle_of_every_stretch(seed: int) -> None:
    truth, a, b = two_systems(seed)
    found = dominance(assay.roc_curve(truth, a), assay.roc_curve(truth, b))
    first, second = shares(truth, a), shares(truth, b)
    edges = sorted({x for x, _ in [*first, *second]})
    for low, high in pairwise(edges):
        for part in (Fraction(1, 7), Fraction(2, 3), Fraction(12, 13)):
            x = low + part * (high - low)
            apart = height(first, x) - height(second, x)
            stretch = next(s for s in found.stretches if s.low <= float(x) <= s.high)
            near = min(abs(float(x) - stretch.low), abs(float(x) - stretch.high)) < 1e-9
            assert near or stretch.higher == (apart > 0) - (apart < 0)
    assert sum(found.share(side) for side in (-1, 0, 1)) == pytest.approx(1)


def precision_at(points: list[tuple[Fraction, Fraction]], recall: Fraction, odds: Fraction) -> Fraction:
    """Precision where hits and false alarms rise evenly from one point to the next; `odds` are those of a negative."""
    turned = [(tpr, fpr) for fpr, tpr in points]
    return recall / (recall + odds * height(turned, recall))


@pytest.mark.parametrize("seed", range(50))
def test_dominance_in_roc_is_dominance_in_precision_and_recall(seed: int) -> None:
    """Davis and Goadrich (2006), theorem 3.2, with precision computed from counts in fractions."""
    truth, a, b = two_systems(seed)
    in_roc = dominance(assay.roc_curve(truth, a), assay.roc_curve(truth, b))
    in_pr = dominance(assay.pr_curve(truth, a), assay.pr_curve(truth, b))
    assert in_roc.dominates == in_pr.dominates
    first, second = shares(truth, a), shares(truth, b)
    odds = Fraction(int((1 - truth).sum()), int(truth.sum()))
    edges = sorted({y for _, y in [*first, *second]})
    for low, high in pairwise(edges):
        recall = low + Fraction(3, 7) * (high - low)
        apart = precision_at(first, recall, odds) - precision_at(second, recall, odds)
        stretch = next(s for s in in_pr.stretches if s.low <= float(recall) <= s.high)
        near = min(abs(float(recall) - stretch.low), abs(float(recall) - stretch.high)) < 1e-9
        assert near or stretch.higher == (apart > 0) - (apart < 0)
        if in_roc.dominates == 1:
            assert apart >= 0


def test_curves_made_to_cross_once_cross_where_their_lines_meet() -> None:
    """One straight line from (0, ½) to (1, 1), another from (0, 0) over (½, 1): they meet at x = 1/3, y = 2/3."""
    one = Roc.drawn(np.array([np.inf, 2, 1]), np.array([0, 2, 4]), np.array([0, 0, 4]))
    two = Roc.drawn(np.array([np.inf, 2, 1]), np.array([0, 4, 4]), np.array([0, 2, 4]))
    found = dominance(one, two)
    assert found.crossings == pytest.approx((1 / 3,))
    assert [s.higher for s in found.stretches] == [1, -1]
    assert found.dominates is None


def test_the_same_curve_dominates_nothing() -> None:
    truth, score = random_data(5)
    curve = assay.roc_curve(truth, score)
    same = dominance(curve, assay.roc_curve(truth, np.exp(score)))
    assert same.dominates == 0
    assert same.crossings == ()
    assert same.share(0) == pytest.approx(1)


def test_curves_of_different_kinds_or_items_are_not_compared() -> None:
    truth, score = random_data(5)
    with pytest.raises(OptionError, match="no common axes"):
        dominance(assay.roc_curve(truth, score), assay.pr_curve(truth, score))
    with pytest.raises(DataError, match="on the same items"):
        dominance(assay.pr_curve(truth, score), assay.pr_curve([1, 0], [0.1, 0.2]))


def test_stretches_under_the_diagonal_are_found_where_fractions_find_them() -> None:
    curve = assay.roc_curve([1, 0, 0, 0, 1, 1], [6, 5, 4, 3, 2, 1])
    assert under_diagonal(curve)[0] == pytest.approx((1 / 3, 1))
    assert under_diagonal(assay.roc_curve([1, 1, 0, 0], [4, 3, 2, 1])) == ()


# ---------------------------------------------------------------------- calibration


def test_weights_that_add_up_in_another_order_are_still_the_same_items() -> None:
    rng = np.random.default_rng(5)
    truth, weight = rng.random(400) < 0.3, rng.random(400)
    a, b = (assay.pr_curve(truth, rng.random(400), sample_weight=weight) for _ in range(2))
    assert a.positives != b.positives  # in the last bit
    assert sum(s.high - s.low for s in dominance(a, b).stretches) == pytest.approx(1.0)


@pytest.mark.parametrize(("binning", "strategy"), [("width", "uniform"), ("mass", "quantile")])
def test_bins_without_ties_are_those_of_scikit_learn(binning: str, strategy: str) -> None:
    rng = np.random.default_rng(3)
    score = rng.beta(1, 3, 500)
    truth = rng.random(500) < score
    share, mean = assay.calibration_curve(truth, score, bins=10, binning=binning)
    their_share, their_mean = sklearn_calibration(truth, score, n_bins=10, strategy=strategy)
    np.testing.assert_allclose(share, their_share)
    np.testing.assert_allclose(mean, their_mean)


def test_equal_scores_stay_in_one_bin_and_every_item_is_in_one() -> None:
    rng = np.random.default_rng(4)
    score = np.round(rng.beta(1, 3, 1000), 1)
    truth = rng.random(1000) < score
    curve = assay.calibration_curve(truth, score)
    assert isinstance(curve, Calibration)
    assert curve.mass.sum() == 1000
    for low, high, mean, share in zip(curve.threshold, [*curve.threshold[1:], 2], curve.x, curve.y, strict=True):
        inside = (score >= low) & (score < high)
        assert (mean, share) == pytest.approx((score[inside].mean(), truth[inside].mean()))


def test_calibration_of_scores_that_are_no_probabilities_is_refused() -> None:
    with pytest.raises(DataError, match="range from -1 to 2"):
        assay.calibration_curve([0, 1], [-1, 2])


# ---------------------------------------------------------------------- costs
@pytest.mark.parametrize("seed", range(10))
def test_cost_by_threshold_is_what_the_items_cost(seed: int) -> None:
    truth, score = random_data(seed)
    curve = CostByThreshold.of(assay.Scored.from_scores(truth, score), 2.0, 7.0)
    between = np.concatenate([score, score + 1e-6, score - 1e-6, [1e9]])
    paid = [(2 * ((score >= t) & (truth == 0)).sum() + 7 * ((score < t) & (truth == 1)).sum()) for t in between]
    np.testing.assert_allclose(curve.at(between), np.array(paid) / len(truth))
    assert curve.cheapest[1] == pytest.approx(min(paid) / len(truth))


@pytest.mark.parametrize("seed", range(20))
def test_the_cost_curve_is_the_lowest_line_of_all_thresholds(seed: int) -> None:
    """Drummond and Holte (2006): every threshold is the line (1 − TPR) x + FPR (1 − x)."""
    truth, score = random_data(seed)
    tally = assay.Scored.from_scores(truth, score)
    roc, curve, x = Roc.of(tally), CostEnvelope.of(tally), np.linspace(0, 1, 101)
    lines = (1 - roc.tpr)[:, None] * x + roc.fpr[:, None] * (1 - x)
    np.testing.assert_allclose(curve.at(x), lines.min(axis=0), atol=1e-12)
    for low, high, threshold in zip(curve.x, curve.x[1:], curve.threshold, strict=False):
        middle = (low + high) / 2
        best = ((1 - roc.tpr) * middle + roc.fpr * (1 - middle))[roc.threshold == threshold]
        assert best == pytest.approx(curve.at(middle), abs=1e-12)
