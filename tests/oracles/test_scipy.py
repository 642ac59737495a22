"""Intervals against SciPy 1.17: Wilson, mid-P, quantiles, and three bootstraps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

import assay
from assay import Confusion, Ranked
from assay.uncertainty.one.closed_limits import mid_p, normal_quantile, student_quantile, wilson

LEVELS = (0.8, 0.95, 0.99)


def share(hits: int, n: int) -> Confusion:
    """A table whose accuracy is hits of n."""
    return Confusion.from_matrix([[hits, n - hits], [0, 0]], ("a", "b"))


# ---------------------------------------------------------------------- proportions
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 7), (3, 10), (50, 100), (99, 100), (100, 100), (850, 1000)])
def test_wilson(hits: int, n: int, level: float) -> None:
    expected = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    found = assay.estimate("accuracy", share(hits, n), method="wilson", level=level)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert wilson(hits / n, n, normal_quantile(level)) == pytest.approx((expected.low, expected.high), abs=1e-12)


def mid_p_limit(x: int, n: int, tail: float) -> float:
    """The share p at which fewer than x hits, with half of exactly x, have the probability `tail`."""
    return float(optimize.brentq(lambda p: stats.binom.cdf(x - 1, n, p) + stats.binom.pmf(x, n, p) / 2 - tail, 0, 1))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 7), (2, 30), (15, 30), (28, 30), (29, 30), (30, 30), (998, 1000)])
def test_mid_p(hits: int, n: int, level: float) -> None:
    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else mid_p_limit(hits, n, 1 - tail)
    high = 1.0 if hits == n else mid_p_limit(hits, n, tail)
    assert mid_p(hits, n, level) == pytest.approx((low, high), abs=1e-9)
    found = assay.estimate("accuracy", share(hits, n), method="midp", level=level)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("hits", [0, 2, 3, 20, 37, 40])
def test_mid_p_is_the_default_of_every_share(hits: int) -> None:
    found, named = (assay.estimate("accuracy", share(hits, 40), method=method) for method in ("auto", "midp"))
    assert found == named


@pytest.mark.parametrize("level", LEVELS)
def test_quantiles(level: float) -> None:
    assert normal_quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2), rel=1e-12)
    for df in (1, 2.5, 10, 1e6):
        assert student_quantile(level, df) == pytest.approx(stats.t.ppf((1 + level) / 2, df), rel=1e-9)


# ---------------------------------------------------------------------- bootstrap
def rankings(seed: int, n: int) -> tuple[dict[str, list[int]], NDArray[np.float64]]:
    """Queries whose first relevant document stands at a random rank, and their reciprocal ranks."""
    ranks = np.random.default_rng(seed).geometric(0.4, n)
    return {f"q{i}": [0] * (rank - 1) + [1] for i, rank in enumerate(ranks.tolist())}, 1 / ranks


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
@pytest.mark.parametrize("n", [12, 60])
def test_bootstrap_limits_of_a_mean(n: int, method: Any, theirs: Any) -> None:
    runs, values = rankings(3, n)
    draws = 30_000
    expected = stats.bootstrap((values,), np.mean, n_resamples=draws, method=theirs, rng=np.random.default_rng(1))
    found = assay.estimate("rr", Ranked.from_rankings(runs), method=method, n_resamples=draws)
    assert found.low is not None
    assert found.high is not None
    # Both limits are quantiles of 30,000 draws, each uncertain by .015 standard errors, and for BCa by .014 more
    # through its bias: four times the difference of two is .12.
    slack = 0.12 * float(expected.standard_error)
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=slack)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=slack)


def test_bootstrap_limits_of_a_paired_difference() -> None:
    (a, x), (b, y) = rankings(4, 40), rankings(5, 40)
    expected = stats.bootstrap((x - y,), np.mean, n_resamples=30_000, method="BCa", rng=np.random.default_rng(2))
    joint = Ranked.joint(a, b)
    found = assay.compare(joint, measure="mrr", method="bca", test="none", n_resamples=30_000)
    slack = 0.12 * float(expected.standard_error)
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=slack)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=slack)


def test_clusters_are_resampled_as_wholes() -> None:
    rng = np.random.default_rng(6)
    cluster = np.repeat(np.arange(30), rng.integers(1, 9, 30))
    right = rng.random(len(cluster)) < np.repeat(rng.beta(3, 1.5, 30), np.bincount(cluster))
    hits, sizes = (np.bincount(cluster, weights=w) for w in (right, np.ones(len(cluster))))
    expected = stats.bootstrap(
        (hits, sizes),
        lambda h, s, axis=-1: h.sum(axis) / s.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=30_000,
        method="percentile",
        rng=np.random.default_rng(3),
    )
    gold = np.ones(len(cluster), int)
    tally = Confusion.from_predictions(gold, np.where(right, 1, 0), cluster=cluster)
    found = assay.estimate("accuracy", tally, method="percentile", n_resamples=30_000)
    slack = 0.1 * float(expected.standard_error)
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=slack)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=slack)


def test_strata_are_resampled_each_by_itself() -> None:
    # Within each stratum nothing varies, so no resample can differ.
    gold, pred, strata = [1] * 30, [1] * 20 + [0] * 10, ["x"] * 20 + ["y"] * 10
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, pred, strata=strata), method="percentile")
    assert found.interval is None
    assert found.reason is not None
    rng = np.random.default_rng(7)
    right = np.concatenate([rng.random(60) < 0.9, rng.random(40) < 0.4])
    tally = Confusion.from_predictions([1] * 100, right.astype(int), strata=["x"] * 60 + ["y"] * 40)
    found = assay.estimate("accuracy", tally, method="percentile", n_resamples=30_000)
    draws = (rng.binomial(60, right[:60].mean(), 30_000) + rng.binomial(40, right[60:].mean(), 30_000)) / 100
    # Two quantiles of 30,000 draws over steps of .01: at most one step apart.
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])), abs=0.0101)
