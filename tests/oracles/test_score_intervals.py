"""Intervals of score measures against formulas written out anew, pair by pair and item by item."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import OptionError, Scored
from tests.oracles.plain import limits, wilson

Z = float(stats.norm.ppf(0.975))


def sample(seed: int, n: int = 60, share: float = 0.4, digits: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    y[:2], y[2:4] = 1, 0
    return y, np.round(rng.normal(size=n) + y, digits)


def probable(seed: int, n: int = 60, share: float = 0.4) -> tuple[Any, Any]:
    y, x = sample(seed, n, share, 2)
    return y, 1 / (1 + np.exp(-(x - 0.5)))


def placements(y: Any, score: Any) -> tuple[float, Any, Any]:
    """The area, and the share of the other class that each item beats, from all m × n pairs."""
    pos, neg = score[y == 1], score[y == 0]
    won = (pos[:, None] > neg[None]) + 0.5 * (pos[:, None] == neg[None])
    return float(won.mean()), won.mean(1), won.mean(0)


def delong_variance(y: Any, score: Any) -> float:
    _, above, below = placements(y, score)
    return float(np.var(above, ddof=1) / len(above) + np.var(below, ddof=1) / len(below))


# ---------------------------------------------------------------------- the area, by name
@pytest.mark.parametrize("seed", range(12))
def test_delongs_interval_from_all_pairs(seed: int) -> None:
    y, score = sample(seed)
    area, variance = placements(y, score)[0], delong_variance(y, score)
    tally = Scored.from_scores(y, score)
    plain = assay.estimate("roc_auc", tally, method="delong")
    half = Z * math.sqrt(variance)
    assert plain.method == "delong"
    assert plain.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert limits(plain) == pytest.approx((max(area - half, 0), min(area + half, 1)), abs=1e-12)
    logit, half = math.log(area / (1 - area)), half / (area * (1 - area))
    expected = [1 / (1 + math.exp(-(logit + way * half))) for way in (-1, 1)]
    assert limits(assay.estimate("roc_auc", tally, method="logit_delong")) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_newcombes_limits_solve_his_quartic(seed: int) -> None:
    y, score = sample(seed)
    m, n, area = int(y.sum()), int((1 - y).sum()), placements(y, score)[0]
    each = (m + n) / 2 - 1
    # (θ − θ̂)² mn (2 − θ)(1 + θ) = z² θ (1 − θ) [(2 − θ)(1 + θ) + N (1 − θ)(1 + θ) + N θ (2 − θ)]
    x = np.polynomial.Polynomial([0, 1])
    left = (x - area) ** 2 * m * n * (2 - x) * (1 + x)
    right = Z**2 * x * (1 - x) * ((2 - x) * (1 + x) + each * (1 - x) * (1 + x) + each * x * (2 - x))
    solved = [complex(r) for r in np.asarray((left - right).roots()).tolist()]
    roots = [r.real for r in solved if abs(r.imag) < 1e-9 and 0 <= r.real <= 1]
    found = limits(assay.estimate("roc_auc", Scored.from_scores(y, score), method="newcombe_auc"))
    assert found == pytest.approx((min(roots), max(roots)), abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_hanley_and_mcneils_interval(seed: int) -> None:
    y, score = sample(seed)
    m, n, area = int(y.sum()), int((1 - y).sum()), placements(y, score)[0]
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)  # their equation 2
    half = Z * math.sqrt((area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n))
    found = limits(assay.estimate("roc_auc", Scored.from_scores(y, score), method="hanley_mcneil"))
    assert found == pytest.approx((max(area - half, 0), min(area + half, 1)), abs=1e-12)


def test_named_methods_have_no_width_where_the_classes_are_apart_and_say_so() -> None:
    tally = Scored.from_scores([0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9])
    plain = assay.estimate("roc_auc", tally, method="delong")
    assert limits(plain) == (1, 1)
    assert plain.standard_error == 0
    assert plain.notes[0].startswith("its standard error is 0 here, which is not certainty")
    for method in ("logit_delong", "hanley_mcneil"):
        found = assay.estimate("roc_auc", tally, method=method)
        assert found.value == 1
        assert found.interval is None
        assert "variance is 0 here" in str(found.reason)
    low, high = limits(assay.estimate("roc_auc", tally, method="newcombe_auc"))
    assert 0 < low < 1 == high
    low, high = limits(assay.estimate("roc_auc", tally))
    assert 0 < low < 1 == high


@pytest.mark.parametrize("method", ["delong", "logit_delong", "newcombe_auc", "hanley_mcneil"])
def test_methods_of_the_area_are_refused_elsewhere(method: Any) -> None:
    tally = Scored.from_scores(*probable(1))
    with pytest.raises(OptionError, match="has no closed form called"):
        assay.estimate("average_precision", tally, method=method)
    with pytest.raises(OptionError, match="has no closed form called"):
        assay.estimate("roc_auc", tally, method=method, max_fpr=0.2)
    clustered = Scored.from_scores(*probable(1), cluster=np.arange(60) // 3)
    with pytest.raises(OptionError, match="assumes independent rows"):
        assay.estimate("roc_auc", clustered, method=method)


# ---------------------------------------------------------------------- default forms
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_average_precision_is_a_share_with_the_variance_of_leaving_items_out(seed: int, share: float) -> None:
    y, score = sample(seed, 40, share)
    assert y.sum() >= 5
    n, m, value = len(y), int(y.sum()), float(sk.average_precision_score(y, score))
    left = np.array([sk.average_precision_score(np.delete(y, i), np.delete(score, i)) for i in range(n)])
    d = left - left.mean()
    variance, carrying = (n - 1) / n * (d**2).sum(), (d**2).sum() ** 2 / (d**4).sum()
    q = stats.t.ppf(0.975, max(2 * carrying - 1, 2))
    smooth = (value * m + 0.5) / (m + 1)
    smoothed = (variance * m**2 + 0.5 * ((1 - value) ** 2 + value**2)) / (m + 1) ** 2
    expected = wilson(value, smooth * (1 - smooth) / smoothed * (Z / q) ** 2, Z)
    assert limits(assay.estimate("average_precision", Scored.from_scores(y, score))) == pytest.approx(
        expected, abs=1e-9
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_brier_score_is_a_mean_between_0_and_1_with_half_an_item_at_either_end(seed: int) -> None:
    y, p = probable(seed)
    losses = ((p - y) ** 2).tolist()
    heavy = [(x, 1.0) for x in losses] + [(0.0, 0.5), (1.0, 0.5)]
    total = sum(w for _, w in heavy)
    smooth = sum(w * x for x, w in heavy) / total
    variance = sum(w * (x - smooth) ** 2 for x, w in heavy) / (total * (total - 1))
    expected = wilson(sum(losses) / len(losses), smooth * (1 - smooth) / variance, Z)
    assert limits(assay.estimate("brier", Scored.from_scores(y, p))) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.4, 0.05])
def test_the_log_loss_varies_on_the_scale_of_logarithms(seed: int, share: float) -> None:
    y, p = probable(seed, 60, share)
    if_positive, if_negative = -np.log(p), -np.log(1 - p)
    losses = np.where(y == 1, if_positive, if_negative)
    # Half an item of either class, spread over the scores of all items.
    heavy = [(x, 1.0) for x in losses] + [(x, 0.5 / len(y)) for x in (*if_positive, *if_negative)]
    total = sum(w for _, w in heavy)
    smooth = sum(w * x for x, w in heavy) / total
    error = math.sqrt(sum(w * (x - smooth) ** 2 for x, w in heavy) / (total * (total - 1))) / smooth
    value = float(losses.mean())
    expected = value * math.exp(-Z * error), max(value, smooth) * math.exp(Z * error)
    assert limits(assay.estimate("log_loss", Scored.from_scores(y, p))) == pytest.approx(expected, abs=1e-10)


# ---------------------------------------------------------------------- clusters and weights
def test_clusters_multiply_the_variance_of_the_area_by_what_their_sums_have() -> None:
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(30), 6)
    y = (rng.random(30) < 0.4).astype(int)[cluster]  # whole clusters are positive, or else both classes shift together
    score = np.round(y + rng.normal(size=180) + 1.5 * rng.normal(size=30)[cluster], 1)
    area, above, below = placements(y, score)
    m, n = len(above), len(below)
    # What each item adds to the area beyond its due (Obuchowski, 1997), summed by cluster.
    moves = np.empty(180)
    moves[y == 1], moves[y == 0] = (above - area) / m, (below - area) / n
    sums = np.bincount(cluster, moves)
    design = 30 / 29 * (sums**2).sum() / (moves**2).sum()
    assert design > 1.5
    carrying = (sums**2).sum() ** 2 / (sums**4).sum()
    factor = design * (stats.t.ppf(0.975, min(max(1.5 * carrying - 1, 2), 29)) / Z) ** 2
    alone = assay.estimate("roc_auc", Scored.from_scores(y, score))
    low = limits(alone)[0]
    # Wilson's limits tell the effective n: their distance from the value solves (v − θ)² = z² θ (1 − θ) / n.
    effective = Z**2 * low * (1 - low) / (area - low) ** 2
    found = assay.estimate("roc_auc", Scored.from_scores(y, score, cluster=cluster))
    assert found.method == "cluster_factor"
    assert limits(found) == pytest.approx(wilson(area, effective / factor, Z), abs=1e-9)
    assert found.low is not None
    assert found.low < low


def test_clusters_of_one_row_hardly_matter() -> None:
    y, score = sample(8, 400, digits=3)
    alone = assay.estimate("roc_auc", Scored.from_scores(y, score))
    each = assay.estimate("roc_auc", Scored.from_scores(y, score, cluster=np.arange(400)))
    # The factor is 400/399 and a t of hundreds of degrees of freedom.
    assert limits(each) == pytest.approx(limits(alone), abs=0.003)


def test_one_cluster_tells_nothing() -> None:
    y, p = probable(2)
    tally = Scored.from_scores(y, p, cluster=["a"] * len(y))
    for name in ("roc_auc", "average_precision", "brier", "log_loss", "calibration_slope"):
        found = assay.estimate(name, tally)
        assert found.interval is None
        assert found.reason == "all rows lie in one cluster"


MEASURES = (
    "roc_auc",
    "roc_auc(max_fpr=0.3)",
    "average_precision",
    "interpolated_pr_11",
    "pr_auc_trapezoid",
    "brier",
    "log_loss",
    "calibration_slope",
    "calibration_intercept",
)


@pytest.mark.parametrize("name", MEASURES)
def test_equal_weights_change_nothing_and_unequal_ones_widen(name: str) -> None:
    y, p = probable(3, 200)
    plain, doubled = (
        assay.estimate(name, Scored.from_scores(y, p, sample_weight=w)) for w in (None, np.full(len(y), 2.0))
    )
    assert plain.value == pytest.approx(doubled.value, abs=1e-9)
    assert limits(doubled) == pytest.approx(limits(plain), abs=1e-12)
    w = np.random.default_rng(1).choice([0.1, 10.0], len(y))
    uneven = assay.estimate(name, Scored.from_scores(y, p, sample_weight=w))
    if "pr" in name.split("_") or name == "average_precision":
        assert uneven.interval is None
        assert uneven.reason is not None
        assert uneven.reason.startswith("rows differ in weight, and the data do not show how much a heavier negative")
        return
    assert "not simulated: the coverage of this interval is not known" in uneven.notes
    low, high = limits(uneven)
    assert uneven.value is not None
    assert low <= uneven.value <= high
    assert high - low > 1.2 * (limits(plain)[1] - limits(plain)[0])


@pytest.mark.parametrize("name", ["average_precision", "interpolated_pr_11", "pr_auc_trapezoid"])
@pytest.mark.parametrize("positives", [1, 4, 5])
def test_fewer_than_five_positives_have_an_average_precision_and_no_interval(name: str, positives: int) -> None:
    y = [1] * positives + [0] * 40
    found = assay.estimate(name, Scored.from_scores(y, np.random.default_rng(2).random(len(y))))
    assert found.value is not None
    assert (found.interval is None) == (positives < 5)
    if positives < 5:
        why = "fewer than 5 positive items, with which intervals covered a low value only 83 to 91% of the time"
        assert found.reason == f"no interval: {why}"


def test_other_levels_say_where_the_forms_were_checked() -> None:
    tally = Scored.from_scores(*probable(4))
    for name in ("roc_auc", "average_precision", "brier", "log_loss"):
        for level in (0.9, 0.95, 0.99):
            assert not any("checked only at" in note for note in assay.estimate(name, tally, level=level).notes)
        found = assay.estimate(name, tally, level=0.8)
        assert any("checked only at 90%, 95%, 99%" in note for note in found.notes)
    assert assay.estimate("roc_auc", tally, level=0.8, method="delong").notes == ()
