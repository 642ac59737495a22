"""DeLong's covariances against pairs counted one by one; simulated coverage of the default interval of a difference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

import assay
from assay import OptionError, Scored
from assay.measures.scores.delong import smoothed_variance, variance_of_difference

TIED = 0.1  # scores are rounded to this, so that many are tied


def two_systems(seed: int, n: int, gap: float = 0.0, share: float = 0.3) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = True, False
    common = rng.normal(size=n)
    a, b = (np.round((common + rng.normal(size=n) + (1 + g) * y) / TIED) * TIED for g in (gap, 0.0))
    return y, a, b


def placements(y: Any, s: Any) -> tuple[list[float], list[float]]:
    """For every positive the share of negatives below it, and for every negative that of positives above, by pairs."""
    pos, neg = s[y], s[~y]

    def wins(x: float, z: float) -> float:
        return 1.0 if x > z else 0.5 if x == z else 0.0

    return (
        [sum(wins(x, z) for z in neg) / len(neg) for x in pos],
        [sum(wins(x, z) for x in pos) / len(pos) for z in neg],
    )


@pytest.mark.parametrize("seed", range(8))
def test_covariances_are_those_of_placements_counted_pair_by_pair(seed: int) -> None:
    y, a, b = two_systems(seed, 60, gap=0.5)
    third = np.random.default_rng(seed + 100).normal(size=len(y))
    each = [placements(y, s) for s in (a, b, third)]
    found = assay.delong(y, a, b, third)
    assert np.allclose(found.areas, [np.mean(v10) for v10, _ in each], atol=1e-12)
    s10 = np.cov([v10 for v10, _ in each]) / int(y.sum())
    s01 = np.cov([v01 for _, v01 in each]) / int((~y).sum())
    assert np.allclose(found.covariance, s10 + s01, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gap", [0.0, 6.0])
def test_the_smoothed_variance_is_that_of_items_added_at_both_ends(seed: int, gap: float) -> None:
    """Two weighted items more in each class, at −∞ and ∞, for the variances; the covariance is of real items."""
    y, a, b = two_systems(seed, 40, gap)
    ends, m, n = 0.1, int(y.sum()), int((~y).sum())
    big_m, big_n = m + 2 * ends, n + 2 * ends
    total: Any = 0.0
    for s in (a, b):
        pos, neg = ([*s[side], -math.inf, math.inf] for side in (y, ~y))
        w_pos, w_neg = ([*np.ones(k), ends, ends] for k in (m, n))
        v10 = [
            sum(w * (1.0 if x > z else 0.5 if x == z else 0.0) for z, w in zip(neg, w_neg, strict=True)) / big_n
            for x in pos
        ]
        v01 = [
            sum(w * (1.0 if x > z else 0.5 if x == z else 0.0) for x, w in zip(pos, w_pos, strict=True)) / big_m
            for z in neg
        ]
        area = sum(w * v for w, v in zip(w_pos, v10, strict=True)) / big_m
        for w_side, side, size in ((w_pos, v10, big_m), (w_neg, v01, big_n)):
            total += sum(w * (v - area) ** 2 for w, v in zip(w_side, side, strict=True)) / ((size - 1) * size)
    (a10, a01), (b10, b01) = placements(y, a), placements(y, b)
    together = sum((p - np.mean(a10)) * (q - np.mean(b10)) for p, q in zip(a10, b10, strict=True))
    total -= 2 * together * (n / big_n) ** 2 / ((big_m - 1) * big_m)
    together = sum((p - np.mean(a01)) * (q - np.mean(b01)) for p, q in zip(a01, b01, strict=True))
    total -= 2 * together * (m / big_m) ** 2 / ((big_n - 1) * big_n)
    assert smoothed_variance(Scored.joint(y, a, b)) == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_plain_comparison_is_delongs_difference_z_and_p(seed: int, alternative: Any) -> None:
    """S10 and S01 of the placements by numpy's covariance, and SciPy's normal distribution."""
    y, a, b = two_systems(seed, 60, gap=0.5)
    (a10, a01), (b10, b01) = placements(y, a), placements(y, b)
    covariance = np.cov(a10, b10) / int(y.sum()) + np.cov(a01, b01) / int((~y).sum())
    difference = float(np.mean(a10) - np.mean(b10))
    error = math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    z = difference / error
    p = {"two-sided": 2 * stats.norm.sf(abs(z)), "greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}[alternative]
    found = assay.compare(y, a, b, measure="roc_auc", method="delong", alternative=alternative)
    assert (found.test, found.method) == ("delong", "delong")
    assert found.statistic is not None
    assert found.statistic.name == "z"
    assert found.statistic.value == pytest.approx(z, rel=1e-9)
    assert found.statistic.z == found.statistic.value
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.p_value == pytest.approx(p, rel=1e-9)
    half = float(stats.norm.ppf(0.975)) * error
    assert found.both_sides == pytest.approx((difference - half, difference + half), rel=1e-9)
    assert variance_of_difference(Scored.joint(y, a, b)) == pytest.approx(error**2, rel=1e-9)


def test_delongs_z_can_be_asked_for_by_name_and_left_for_another_test() -> None:
    y, a, b = two_systems(3, 80)
    found = assay.compare(y, a, b, measure="roc_auc", test="delong")
    assert (found.method, found.statistic) == (
        "delong",
        assay.compare(y, a, b, measure="roc_auc", method="delong").statistic,
    )
    assert found.difference is not None
    assert found.statistic is not None
    assert found.standard_error is not None
    assert found.statistic.value == pytest.approx(found.difference / found.standard_error, rel=1e-12)
    assert found.p_value == pytest.approx(found.p_interval, rel=1e-6), "the test and the interval are one"
    named = assay.compare(y, a, b, measure="roc_auc", test="delong", method="delong_mover")
    assert (named.method, named.p_value) == ("delong_mover", found.p_value)
    assert assay.compare(y, a, b, measure="roc_auc", method="delong", test="randomization").test == "randomization"
    assert assay.compare(y, a, b, measure="roc_auc", method="delong", statistic="raw").test == "randomization"
    with pytest.raises(OptionError, match=r"DeLong's test is for the whole area.*measure='roc_auc'"):
        assay.compare(y, a, b, measure="average_precision", test="delong")


def test_one_positive_item_has_no_variance_and_no_test() -> None:
    y = np.arange(30) == 0
    a, b = np.random.default_rng(5).normal(size=(2, 30)) + y
    found = assay.compare(y, a, b, measure="roc_auc", method="delong")
    assert (found.interval, found.p_value, found.statistic) == (None, None, None)
    assert found.reason == "DeLong's variance needs more than one item of each class"


def test_systems_that_rank_alike_have_a_z_of_nothing() -> None:
    y, a, _ = two_systems(4, 50)
    found = assay.compare(y, a, a, measure="roc_auc", method="delong")
    assert found.statistic is not None
    assert (found.statistic.value, found.p_value) == (0.0, 1.0)


def test_delong_is_the_default_of_whole_areas_only() -> None:
    y, a, b = two_systems(1, 200)
    assert assay.compare(y, a, b, measure="roc_auc").method == "delong_mover"
    assert assay.compare(y, a, b, measure="roc_auc", method="delong").method == "delong"
    for measure in ("roc_auc(max_fpr=0.2)", "average_precision"):
        assert not assay.compare(y, a, b, measure=measure, test="none").method.startswith("delong")
    for method in ("delong", "smoothed_delong", "delong_mover"):
        with pytest.raises(OptionError, match="whole area"):
            assay.compare(y, a, b, measure="average_precision", method=method)
    clustered = Scored.joint(y, a, b, cluster=np.arange(len(y)) // 4)
    assert assay.compare(clustered, measure="roc_auc", test="none").method == "jackknife"


def test_a_perfect_system_still_leaves_the_difference_unsure() -> None:
    y = np.arange(40) < 15
    a, b = y + 0.0, y + np.random.default_rng(0).normal(size=40)
    found = assay.compare(y, a, b, measure="roc_auc")
    assert found.difference is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.difference < found.high


def _covered(samples: int, n: int, share: float, first: float, second: float, seed: int) -> float:
    """How often the default interval holds the true difference of correlated normal scores."""
    rng = np.random.default_rng(seed)
    truth = [0.5 * (1 + math.erf(d / 2 / math.sqrt(2))) for d in (first, second)]  # both classes vary by 2 in all
    hits = 0
    for _ in range(samples):
        y = rng.random(n) < share
        y[:2] = True, False
        common = rng.normal(size=n)
        a, b = (common + rng.normal(size=n) + d * y for d in (first, second))
        low, high = assay.compare(y, a, b, measure="roc_auc", test="none").limits
        hits += low <= truth[0] - truth[1] <= high
    return hits / samples


def test_the_interval_of_a_difference_covers_in_a_short_simulation() -> None:
    # 300 samples of 95% have a standard error of 1.3%.
    assert _covered(300, 150, 0.3, 2.0, 1.5, 3) > 0.91


@pytest.mark.slow
@pytest.mark.parametrize(("n", "share"), [(50, 0.5), (120, 0.3), (150, 0.06), (400, 0.1), (1000, 0.02)])
@pytest.mark.parametrize(("first", "second"), [(1.5, 1.5), (2.5, 1.5), (5.0, 3.5)])
def test_the_interval_of_a_difference_covers(n: int, share: float, first: float, second: float) -> None:
    # 1,500 samples of 95% have a standard error of 0.6%.
    assert _covered(1500, n, share, first, second, 11) > 0.925


def test_two_areas_have_delongs_z_and_p_as_their_covariances_give_them() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    a, b = (y * gap + rng.normal(size=80) for gap in (1.0, 0.4))
    found = assay.delong(y, a, b)
    # DeLong, DeLong and Clarke-Pearson (1988), by their definition: placements of each item among the other class.
    placed = [[np.mean((s[y == 1][:, None] > s[y == 0]), axis=axis) for s in (a, b)] for axis in (1, 0)]
    covariance = sum(np.cov(np.stack(each)) / each[0].size for each in placed)
    z = (roc_auc_score(y, a) - roc_auc_score(y, b)) / np.sqrt([1, -1] @ covariance @ [1, -1])
    assert found.z == pytest.approx(z)
    assert found.p_value == pytest.approx(2 * norm.sf(abs(z)))
    assert found.to_dict()["z"] == pytest.approx(z)
    peer = assay.compare(y, a, b, measure="roc_auc", test="delong")
    assert found.p_value == pytest.approx(peer.p_value)
    assert np.isnan(assay.delong(y, a, a).z)
    assert assay.delong(y, a, a).to_dict()["p_value"] is None
    with pytest.raises(AttributeError, match="z is for two systems, but there are 3 systems"):
        _ = assay.delong(y, a, b, b).z
