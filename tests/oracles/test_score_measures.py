"""Values of score measures against scikit-learn 1.9, a published example, and plain loops over items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import OptionError, Scored
from assay.measures.scores.curves import counts_reached
from assay.measures.scores.order import interpolated_precisions
from assay.tally.scores import ByScore
from tests.oracles.cases import close

SEEDS = range(20)


def scored(seed: int) -> tuple[Any, Any, Any]:
    """Labels, scores with heavy ties, and weights; scores are negative, huge or tiny in turn."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 120))
    y = np.concatenate([[0, 1], rng.random(n) < rng.uniform(0.05, 0.9)]).astype(int)
    score = np.round(rng.normal(size=n + 2) + y, int(rng.integers(0, 3)))
    score = [score, -1e6 - score, 1e200 * score, 1e-200 * score][seed % 4]
    return y, score, None if seed % 3 else rng.choice([0.1, 0.7, 1.0, 13.0], n + 2)


def probable(seed: int) -> tuple[Any, Any, Any]:
    """Labels, probabilities with heavy ties, 0 and 1 among them, and weights."""
    y, _, w = scored(seed)
    rng = np.random.default_rng(1000 + seed)
    p = np.clip(np.round(rng.normal(0.3 + 0.4 * y, 0.3), 1 + seed % 3), 0, 1)
    return y, p, w


# ---------------------------------------------------------------------- scikit-learn
@pytest.mark.parametrize("seed", SEEDS)
def test_areas_with_ties_and_weights_are_those_of_scikit_learn(seed: int) -> None:
    y, score, w = scored(seed)
    assert assay.roc_auc(y, score, sample_weight=w) == close(float(sk.roc_auc_score(y, score, sample_weight=w)))
    expected = float(sk.average_precision_score(y, score, sample_weight=w))
    assert assay.average_precision(y, score, sample_weight=w) == close(expected)
    precision, recall, _ = sk.precision_recall_curve(y, score, sample_weight=w)
    assert assay.pr_auc_trapezoid(y, score, sample_weight=w) == close(float(sk.auc(recall, precision)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("most", [0.01, 0.1, 1 / 3, 0.5, 0.99, 1.0])
def test_the_partial_area_is_that_of_scikit_learn(seed: int, most: float) -> None:
    y, score, w = scored(seed)
    expected = float(sk.roc_auc_score(y, score, max_fpr=most, sample_weight=w))
    assert assay.roc_auc(y, score, max_fpr=most, sample_weight=w) == close(expected)
    # Undo McClish's scale: ½ (1 + (area − most² / 2) / (most − most² / 2)).
    area = (2 * expected - 1) * (most - most**2 / 2) + most**2 / 2
    found = assay.roc_auc(y, score, max_fpr=most, standardized=False, sample_weight=w)
    assert found == pytest.approx(area if most < 1 else expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_losses_are_those_of_scikit_learn(seed: int) -> None:
    y, p, w = probable(seed)
    assert assay.brier(y, p, sample_weight=w) == close(float(sk.brier_score_loss(y, p, sample_weight=w)))
    assert assay.log_loss(y, p, sample_weight=w) == close(float(sk.log_loss(y, p, sample_weight=w)))


def test_a_probability_of_0_or_1_costs_what_it_costs_in_scikit_learn_and_is_counted() -> None:
    y, p = [1, 1, 0, 0], [0.0, 1.0, 0.25, 1.0]
    assert assay.log_loss(y, p) == close(float(sk.log_loss(y, p)))
    found = assay.estimate("log_loss", Scored.from_scores(y, p))
    (note,) = found.notes
    assert note == "3 rows have a probability of 0 or 1, moved inward by 2.2e-16 so that the loss stays finite"
    assert assay.estimate("log_loss", Scored.from_scores(y, [0.1, 0.9, 0.2, 0.5])).notes == ()


# ---------------------------------------------------------------------- published
# Fawcett (2006), An introduction to ROC analysis, figure 3: twenty instances and their scores.
FAWCETT = (
    "p .9, p .8, n .7, p .6, p .55, p .54, n .53, n .52, p .51, n .505, "
    "p .4, n .39, p .38, n .37, n .36, n .35, p .34, n .33, p .30, n .1"
)


def test_fawcetts_twenty_instances() -> None:
    rows = [row.split() for row in FAWCETT.split(", ")]
    y, score = [row[0] == "p" for row in rows], [float(row[1]) for row in rows]
    # Counted pair by pair: 68 of 10 × 10 pairs of a positive and a negative are in order.
    assert assay.roc_auc(y, score) == pytest.approx(0.68, abs=1e-12)
    found, hits, alarms = counts_reached(Scored.from_scores(y, score))
    # His figure: at .54 half of the positives are found with one false alarm, the best accuracy of 70%.
    at = found.tolist().index(0.54)
    assert (hits[at], alarms[at]) == (5, 1)
    assert float((hits + 10 - alarms).max()) == 14


def test_hanley_and_mcneils_rated_images() -> None:
    # Hanley and McNeil (1982), table 1: 58 normal and 51 abnormal images, rated from 1 to 5; the area is .893.
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    score = np.repeat([1, 2, 3, 4, 5, 1, 2, 3, 4, 5], normal + abnormal)
    y = np.repeat([0, 1], [58, 51])
    assert assay.roc_auc(y, score) == pytest.approx(0.893, abs=0.0005)


# ---------------------------------------------------------------------- laws of ranks
@pytest.mark.parametrize("seed", SEEDS)
def test_turning_scores_round_turns_the_area_round(seed: int) -> None:
    y, score, w = scored(seed)
    turned = assay.roc_auc(y, -score, sample_weight=w)
    assert turned == pytest.approx(1 - assay.roc_auc(y, score, sample_weight=w), abs=1e-12)


@pytest.mark.parametrize(
    "name", ["roc_auc", "roc_auc(max_fpr=0.3)", "average_precision", "interpolated_pr_11", "pr_auc_trapezoid"]
)
def test_a_monotone_change_of_scores_changes_no_value_and_no_interval_of_ranks(name: str) -> None:
    rng = np.random.default_rng(2)
    y, score = rng.random(80) < 0.4, np.round(rng.normal(size=80), 1)
    one = assay.estimate(name, Scored.from_scores(y, score))
    other = assay.estimate(name, Scored.from_scores(y, np.exp(score) - 7))
    assert one.value == pytest.approx(other.value, abs=1e-12)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


# ---------------------------------------------------------------------- eleven points
def eleven_points(y: Any, score: Any) -> list[float]:
    """The definition itself: every threshold, and at each recall the best precision at that recall or above."""
    points = []
    for threshold in sorted(set(score), reverse=True):
        hits = sum(1 for a, s in zip(y, score, strict=True) if a and s >= threshold)
        called = sum(1 for s in score if s >= threshold)
        points.append((hits / sum(y), hits / called))
    return [max(p for recall, p in points if recall >= r / 10 - 1e-9) for r in range(11)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_eleven_points_are_those_of_their_definition(seed: int) -> None:
    y, score, _ = scored(seed)
    expected = eleven_points(y.tolist(), score.tolist())
    tally = Scored.from_scores(y, score)
    assert interpolated_precisions(ByScore.of(tally, tally.mass)).tolist() == pytest.approx(expected, abs=1e-12)
    assert assay.interpolated_pr_11(y, score) == pytest.approx(sum(expected) / 11, abs=1e-12)


# ---------------------------------------------------------------------- traps
@pytest.mark.parametrize("share", [0.5, 0.1, 0.02])
def test_one_score_for_all_items_earns_the_base_rate_and_flatters_trapezoids(share: float) -> None:
    y = np.arange(200) < 200 * share
    tally = Scored.from_scores(y, [share] * 200)
    for name, value in {
        "roc_auc": 0.5,
        "average_precision": share,
        "interpolated_pr_11": share,
        "pr_auc_trapezoid": (1 + share) / 2,
        "brier": share * (1 - share),
        "log_loss": -share * math.log(share) - (1 - share) * math.log(1 - share),
        "ece": 0.0,
    }.items():
        found = assay.estimate(name, tally)
        assert found.value == pytest.approx(value, abs=1e-12), name
        if name != "ece":
            # And that is what the measure has without a model.
            assert found.no_skill == pytest.approx(value, abs=1e-9), name
            assert found.no_skill_name == "the base rate for every row"


def test_scores_that_are_no_probabilities_leave_measures_of_ranks_alone() -> None:
    tally = Scored.from_scores([0, 1, 1, 0], [-2.0, 3.5, 0.2, 0.4])
    for name in ("brier", "log_loss", "ece", "calibration_slope", "calibration_intercept"):
        found = assay.estimate(name, tally)
        assert found.value is None
        assert found.reason == "scores lie outside [0, 1], so they are not probabilities"
        assert found.no_skill is None
    assert assay.estimate("roc_auc", tally).value == 0.75
    assert assay.estimate("average_precision", tally).value == pytest.approx((1 + 2 / 3) / 2)


def test_one_class_leaves_the_losses_alone() -> None:
    tally = Scored.from_scores([1, 1, 1], [0.9, 0.8, 0.4])
    assert assay.estimate("roc_auc", tally).reason == "the items are all positive or all negative"
    assert assay.estimate("average_precision", tally).value == 1
    assert assay.estimate("brier", tally).value == pytest.approx((0.01 + 0.04 + 0.36) / 3)
    none = Scored.from_scores([0, 0], [0.3, 0.2])
    assert assay.estimate("average_precision", none).reason == "there are no positive items"


@pytest.mark.parametrize("wrong", [0, -0.1, 1.5, "most", True])
def test_a_share_of_false_alarms_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match="it is a number above 0 and at most 1, such as"):
        assay.roc_auc([0, 1], [0.1, 0.2], max_fpr=wrong)


def test_options_of_the_partial_area_are_read_from_a_spelling() -> None:
    tally = Scored.from_scores([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
    found = assay.estimate("roc_auc(max_fpr=0.5,standardized=False)", tally)
    assert found.value == pytest.approx(1 / 6 + 5 / 48)
    assert found.measure == "roc_auc(max_fpr=0.5,standardized=False)"
    assert found.no_skill == pytest.approx(0.125)  # chance: the triangle below the diagonal


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("grid", [0.0, 0.5])
def test_the_area_of_the_hull_is_that_of_scores_made_isotonic_and_of_scipys_hull(seed: int, grid: float) -> None:
    """Scores fitted by isotonic regression tie exactly what lies on one straight part of the hull."""
    from scipy.spatial import ConvexHull
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(seed)
    y = rng.random(80) < 0.4
    s = rng.normal(y, 1.0)
    s = np.round(s / grid) * grid if grid else s
    found = assay.roc_hull_auc(y, s)
    assert found == pytest.approx(sk.roc_auc_score(y, IsotonicRegression().fit_transform(s, y)), abs=1e-12)
    fpr, tpr, _ = sk.roc_curve(y, s)
    assert found == pytest.approx(ConvexHull(np.stack([[*fpr, 1.0], [*tpr, 0.0]], axis=1)).volume, abs=1e-12)
    assert found >= assay.roc_auc(y, s)


def test_the_area_of_the_hull_has_no_interval_and_says_why() -> None:
    found = assay.estimate("roc_hull_auc", assay.Scored.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9]))
    assert found.value == pytest.approx(0.875)  # through (0, ½) and (½, 1)
    assert found.interval is None
    assert "is too high by chance" in str(found.reason)
