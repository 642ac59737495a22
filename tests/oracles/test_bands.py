"""Bands of curves: how often they hold the truth, and what they become where another formula is known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

import assay
from assay.errors import OptionError
from assay.uncertainty.curves import bands
from assay.uncertainty.curves.bands import curve_band

Array = NDArray[np.float64]
# Every other point near the corners, where bands go wrong first, and fewer in between.
GRID = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 85, 90, 93, 95, 97, 98, 99]) / 100


@dataclass(frozen=True)
class Binormal:
    """Scores are N(0, 1) of negatives and N(apart, spread) of positives, so that both curves are known."""

    n: int
    prevalence: float
    apart: float
    spread: float = 1.0

    def sample(self, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Array]:
        truth = rng.random(self.n) < self.prevalence
        while not 2 <= truth.sum() <= self.n - 2:
            truth = rng.random(self.n) < self.prevalence
        score = np.where(truth, rng.normal(self.apart, self.spread, self.n), rng.normal(0, 1, self.n))
        return truth, score

    def roc(self, fpr: Array) -> Array:
        return np.asarray(norm.sf((norm.isf(fpr) - self.apart) / self.spread))

    def pr(self, recall: Array) -> Array:
        fpr = norm.sf(self.apart + self.spread * norm.isf(recall))
        return np.asarray(self.prevalence * recall / (self.prevalence * recall + (1 - self.prevalence) * fpr))


Draw = Callable[..., Any]
KINDS: dict[str, Draw] = {"roc": assay.roc_curve, "pr": assay.pr_curve}


def coverage(population: Any, kind: str, samples: int, seed: int = 0, *, clustered: bool = False) -> Array:
    """The share of samples whose band holds the truth, at every x of the grid."""
    rng = np.random.default_rng(seed)
    truth, held = getattr(population, kind)(GRID), np.zeros(len(GRID))
    for _ in range(samples):
        y_true, y_score, *cluster = population.sample(rng)
        curve = KINDS[kind](y_true, y_score, cluster=cluster[0] if clustered else None)
        found = curve_band(curve, grid=GRID)
        # Beyond the fourth digit nobody can tell a curve from the top of the picture.
        held += (found.low <= truth + 1e-4) & (truth <= found.high + 1e-4)
    return held / samples


def error(share: float, samples: int) -> float:
    return math.sqrt(share * (1 - share) / samples)


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits to three digits are enough to count by."""
    monkeypatch.setattr(bands, "HALVINGS", 12)


SHORT = [Binormal(60, 0.5, 1.0), Binormal(150, 0.1, 2.0, 1.5)]


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("population", SHORT, ids=str)
def test_bands_hold_the_true_curve_about_as_often_as_they_say(population: Binormal, kind: str) -> None:
    """Between 93 and 98.5% over the grid; the lowest of 21 points above 90%, less three Monte-Carlo errors."""
    samples = 60
    found = coverage(population, kind, samples)
    # The points of a curve go together, so that the mean is hardly surer than one of them.
    assert 0.93 - 3 * error(0.95, samples) <= found.mean() <= 0.985 + 3 * error(0.985, samples)
    assert found.min() >= 0.90 - 3 * error(0.90, samples)


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prevalence", [0.5, 0.1, 0.02])
@pytest.mark.parametrize("n", [50, 100, 300, 1000, 5000])
def test_bands_hold_the_true_curve_from_useless_to_nearly_perfect_systems(n: int, prevalence: float, kind: str) -> None:
    """Mean over four systems within 94 to 99%; every point of every system above 90%, less three errors."""
    if n * prevalence < 5:
        pytest.skip("fewer than five positives are expected")
    samples = 400
    systems = ((0.0, 1.0), (1.0, 1.0), (2.0, 1.5), (3.0, 1.0))
    found = np.array([coverage(Binormal(n, prevalence, *system), kind, samples, seed=n) for system in systems])
    assert 0.94 <= found.mean() <= 0.99
    assert found.min() >= 0.90 - 3 * error(0.90, samples)


@dataclass(frozen=True)
class Clustered:
    """Rows of a cluster share a shift of their scores, and positives gather in some clusters."""

    groups: int
    size: int
    shift: float
    prevalence: float
    apart: float

    def sample(self, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Array, NDArray[np.int64]]:
        cluster = np.repeat(np.arange(self.groups), self.size)
        share = rng.beta(4 * self.prevalence, 4 * (1 - self.prevalence), self.groups)[cluster]
        truth = rng.random(len(cluster)) < share
        shift = self.shift * rng.normal(size=self.groups)[cluster]
        return truth, rng.normal(size=len(cluster)) + self.apart * truth + shift, cluster

    def roc(self, fpr: Array) -> Array:
        return self._marginal.roc(fpr)

    def pr(self, recall: Array) -> Array:
        return self._marginal.pr(recall)

    @property
    def _marginal(self) -> Binormal:
        return Binormal(0, self.prevalence, self.apart / math.hypot(1, self.shift))


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("groups", [Clustered(30, 10, 0.8, 0.5, 1.0), Clustered(25, 20, 0.5, 0.3, 1.0)], ids=str)
def test_bands_of_clusters_hold_the_truth_where_bands_of_rows_do_not(groups: Clustered, kind: str) -> None:
    samples = 300
    whole, rows = coverage(groups, kind, samples, clustered=True), coverage(groups, kind, samples)
    assert whole.mean() >= 0.94
    assert whole.min() >= 0.90 - 3 * error(0.90, samples)
    assert rows.mean() < whole.mean() - 0.02


# ---------------------------------------------------------------------- where another formula is known
def test_of_many_items_the_roc_band_is_that_of_the_asymptotic_variance() -> None:
    """Hsieh and Turnbull (1996): TPR (1 − TPR) / P + slope² FPR (1 − FPR) / N, the slope known for two normals."""
    population = Binormal(200_000, 0.3, 1.0)
    truth, score = population.sample(np.random.default_rng(1))
    found = curve_band(assay.roc_curve(truth, score))
    t, inner = found.x[5:96:10], slice(5, 96, 10)
    tpr = population.roc(t)
    slope = norm.pdf(norm.isf(t) - 1.0) / norm.pdf(norm.isf(t))
    positives, negatives = truth.sum(), (~truth).sum()
    half = norm.isf(0.025) * np.sqrt(tpr * (1 - tpr) / positives + slope**2 * t * (1 - t) / negatives)
    np.testing.assert_allclose((found.high - found.low)[inner] / 2, half, rtol=0.06)


def test_of_many_items_the_precision_band_is_that_of_the_delta_method() -> None:
    """On the log odds: 1/P + 1/FP + (slope of log FP in log TP)² (1 − recall) / (recall P)."""
    population = Binormal(200_000, 0.3, 1.0)
    truth, score = population.sample(np.random.default_rng(2))
    found = curve_band(assay.pr_curve(truth, score))
    r, inner = found.x[10:96:10], slice(10, 96, 10)
    cut = 1.0 + norm.isf(r)
    positives, negatives = truth.sum(), (~truth).sum()
    alarms = negatives * norm.sf(cut)
    steep = (negatives * norm.pdf(cut) / alarms) / (norm.pdf(cut - 1.0) / r)
    spread = np.sqrt(1 / positives + 1 / alarms + steep**2 * (1 - r) / (r * positives))
    precision = population.pr(r)
    half = norm.isf(0.025) * spread * precision * (1 - precision)
    np.testing.assert_allclose((found.high - found.low)[inner] / 2, half, rtol=0.06)


def test_limits_of_bins_are_wilsons() -> None:
    rng = np.random.default_rng(3)
    score = rng.beta(1, 3, 400)
    curve = assay.calibration_curve(rng.random(400) < score, score)
    found = curve_band(curve, level=0.9)
    low, high = proportion_confint(curve.y * curve.mass, curve.mass, alpha=0.1, method="wilson")
    np.testing.assert_allclose((found.low, found.high), (low, high), atol=1e-12)


def one_sample() -> tuple[NDArray[np.bool_], Array]:
    return Binormal(200, 0.4, 1.0).sample(np.random.default_rng(4))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_all_alike_change_nothing(kind: str) -> None:
    truth, score = one_sample()
    plain, heavy = (
        curve_band(KINDS[kind](truth, score, **more)) for more in ({}, {"sample_weight": np.full(200, 3.7)})
    )
    np.testing.assert_allclose((heavy.low, heavy.high), (plain.low, plain.high), atol=2e-3)


@pytest.mark.parametrize("kind", [*KINDS, "calibration"])
def test_clusters_of_copies_tell_as_much_as_one_row_each(kind: str) -> None:
    """A row repeated five times in a cluster of its own adds nothing but the room for 200 clusters, under 1%."""
    truth, score = one_sample()
    score = 1 / (1 + np.exp(-score))
    draw = {**KINDS, "calibration": assay.calibration_curve}[kind]
    alone = curve_band(draw(truth, score))
    copies = curve_band(draw(np.repeat(truth, 5), np.repeat(score, 5), cluster=np.repeat(np.arange(200), 5)))
    # What is reached between two scores is read a little differently where they are five times as many.
    np.testing.assert_allclose((copies.low, copies.high), (alone.low, alone.high), atol=0.03)
    width, other = (np.nanmean(each.high - each.low) for each in (alone, copies))
    assert other == pytest.approx(width, rel=0.03)


# ---------------------------------------------------------------------- laws
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", KINDS)
def test_a_band_holds_its_curve_lies_in_range_and_is_never_a_single_point(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 80))
    truth = rng.random(n) < 0.4
    truth[:2] = True, False
    score = np.round(rng.normal(3.0 * truth * (seed % 3)), seed % 2)
    found = curve_band(KINDS[kind](truth, score))
    some = np.isfinite(found.y)
    assert some.sum() == (101 if kind == "roc" else 100), "precision is undefined where nothing is recalled"
    y, low, high = found.y[some], found.low[some], found.high[some]
    assert (low >= 0).all()
    assert (low <= y).all()
    assert (y <= high).all()
    assert (high <= 1).all()
    assert (high > low).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_higher_level_has_a_wider_band(kind: str) -> None:
    curve = KINDS[kind](*one_sample())
    narrow, wide = (curve_band(curve, level=level) for level in (0.8, 0.99))
    inner = slice(1, -1)
    assert (wide.low[inner] <= narrow.low[inner]).all()
    assert (wide.high[inner] >= narrow.high[inner]).all()


def test_a_band_says_that_it_is_pointwise_and_how_many_clusters_it_rests_on() -> None:
    truth, score = one_sample()
    found = curve_band(assay.roc_curve(truth, score, cluster=np.arange(200) // 4))
    assert (found.coverage, found.clusters, found.method) == ("pointwise", 50, "order_statistics")


def test_one_cluster_alone_has_no_band() -> None:
    truth, score = one_sample()
    with pytest.raises(OptionError, match="one cluster"):
        curve_band(assay.roc_curve(truth, score, cluster=np.zeros(200, int)))


def test_a_level_of_two_is_refused() -> None:
    with pytest.raises(OptionError, match="level is 2"):
        curve_band(assay.roc_curve(*one_sample()), level=2)


def test_a_band_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        curve_band(assay.roc_curve(*one_sample())).level = 0.5  # type: ignore[misc]


def blocks(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    """Scores of which many are tied at the bottom: most negatives, and one positive in twelve."""
    y = rng.random(n) < 0.1
    y[:2] = True, False
    low = rng.random(n) < np.where(y, 0.08, 0.9)
    return y, np.where(low, -10.0, rng.normal(size=n) + np.where(y, 2.0, 0.5))


def test_a_band_does_not_jump_to_one_at_the_end_of_a_block_of_ties() -> None:
    rng = np.random.default_rng(3)
    recall = np.array([0.93, 0.94])
    truth = assay.pr_curve(*blocks(rng, 500_000)).at(recall)
    held, samples = np.zeros(2), 200
    for _ in range(samples):
        band = curve_band(assay.pr_curve(*blocks(rng, 1800)), grid=recall)
        held += (band.low <= truth) & (truth <= band.high)
    # The standard error of 95% is 1.5%; a straight line over the end of the block held it in 89%.
    assert (held / samples > 0.92).all()
