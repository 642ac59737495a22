"""Differences of systems whose rows come in clusters: formulas row by row, and coverage on stated populations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtri
from sklearn import metrics as sk

import assay
from assay import Confusion
from assay.tally.contract.joint import Joint

Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Population:
    """Clusters of items: each leans to a class and is hard or easy for both systems, and each item too."""

    clusters: int
    size: int
    uneven: bool
    shares: tuple[float, ...]  # of the classes
    right: tuple[tuple[float, ...], tuple[float, ...]]  # how often each system is right on each class
    icc: float  # of the latent hardness of items
    together: float  # how much of it the systems have in common

    def rows(self, rng: np.random.Generator, clusters: int | None = None) -> tuple[Labels, Labels, Labels, Labels]:
        """Gold labels, both systems' labels, and the cluster of each row."""
        count, k = clusters or self.clusters, len(self.shares)
        shape = rng.gamma(0.8, 1 / 0.8, size=count) if self.uneven else np.ones(count)
        sizes = np.maximum(1, np.round(self.size * shape)).astype(np.int64)
        cluster = np.repeat(np.arange(count), sizes)
        n = len(cluster)
        leaning = math.sqrt(0.15) * rng.normal(size=count)[cluster] + math.sqrt(0.85) * rng.normal(size=n)
        y = np.searchsorted(ndtri(np.cumsum(self.shares)[:-1]), leaning)
        common, own = math.sqrt(self.together), math.sqrt(1 - self.together)
        hard_cluster, hard_item = rng.normal(size=count), rng.normal(size=n)
        out = []
        for right in self.right:
            of_cluster = common * hard_cluster + own * rng.normal(size=count)
            of_item = common * hard_item + own * rng.normal(size=n)
            hard = math.sqrt(self.icc) * of_cluster[cluster] + math.sqrt(1 - self.icc) * of_item
            wrong = (y + rng.integers(1, k, n)) % k
            out.append(np.where(hard < ndtri(np.array(right)[y]), y, wrong))
        return y, out[0], out[1], cluster

    def sample(self, rng: np.random.Generator) -> Joint[Confusion]:
        """One sample, counted."""
        y, a, b, cluster = self.rows(rng)
        return Confusion.joint(y, a, b, labels=list(range(len(self.shares))), cluster=cluster)


POPULATIONS = {
    "20 clusters, k = 2": Population(20, 10, False, (0.7, 0.3), ((0.9, 0.7), (0.85, 0.65)), 0.2, 0.5),
    "30 uneven clusters, k = 2": Population(30, 12, True, (0.6, 0.4), ((0.85, 0.8), (0.8, 0.7)), 0.5, 0.5),
    "50 tight clusters, k = 2": Population(50, 8, False, (0.8, 0.2), ((0.95, 0.7), (0.95, 0.6)), 0.7, 0.7),
    "25 uneven clusters, rare": Population(25, 20, True, (0.9, 0.1), ((0.95, 0.6), (0.97, 0.5)), 0.3, 0.5),
    "20 clusters, k = 3": Population(20, 15, False, (0.5, 0.3, 0.2), ((0.9, 0.8, 0.7), (0.85, 0.75, 0.7)), 0.3, 0.5),
    "40 uneven clusters, k = 4": Population(
        40, 12, True, (0.4, 0.3, 0.2, 0.1), ((0.9, 0.8, 0.7, 0.6), (0.85, 0.8, 0.75, 0.6)), 0.5, 0.6
    ),
    "30 tight clusters, k = 5": Population(
        30, 10, False, (0.3, 0.25, 0.2, 0.15, 0.1), ((0.8,) * 5, (0.75,) * 5), 0.7, 0.6
    ),
}
VALUES = {
    "accuracy": lambda y, p: float(sk.accuracy_score(y, p)),
    "f1(average=macro)": lambda y, p: float(sk.f1_score(y, p, average="macro")),
    "mcc": lambda y, p: float(sk.matthews_corrcoef(y, p)),
}


def coverage(population: Population, measure: str, samples: int, method: Any = "auto") -> float:
    """The share of samples whose limits hold the difference that a very large sample has."""
    y, a, b, _ = population.rows(np.random.default_rng(99), 40_000)
    truth = VALUES[measure](y, a) - VALUES[measure](y, b)
    rng, held = np.random.default_rng(7), []
    for _ in range(samples):
        found = assay.compare(population.sample(rng), measure=measure, method=method, test="none", n_resamples=499)
        if found.low is not None and found.high is not None:
            held.append(found.low <= truth <= found.high)
    assert len(held) > 0.95 * samples
    return float(np.mean(held))


@pytest.mark.parametrize("name", ["20 clusters, k = 2", "40 uneven clusters, k = 4"])
def test_the_default_covers_with_clusters(name: str) -> None:
    # No population below 92%, less three standard errors of 200 samples.
    assert coverage(POPULATIONS[name], "f1(average=macro)", 200) >= 0.92 - 3 * math.sqrt(0.92 * 0.08 / 200)


@pytest.mark.slow
@pytest.mark.parametrize("measure", VALUES)
def test_the_default_covers_with_clusters_on_a_grid(measure: str) -> None:
    samples = 600
    found = {name: coverage(population, measure, samples) for name, population in POPULATIONS.items()}
    error = math.sqrt(0.95 * 0.05 / samples)
    assert min(found.values()) >= 0.92 - 3 * error, found
    assert 0.94 - error <= float(np.mean(list(found.values()))) <= 0.97 + error, found


def test_the_jackknife_of_clusters_is_tukeys_with_degrees_of_freedom_from_their_sizes() -> None:
    y, a, b, cluster = POPULATIONS["30 uneven clusters, k = 2"].rows(np.random.default_rng(3))

    def difference(keep: NDArray[np.bool_]) -> float:
        return VALUES["mcc"](y[keep], a[keep]) - VALUES["mcc"](y[keep], b[keep])

    groups, sizes = np.unique(cluster, return_counts=True)
    left = np.array([difference(cluster != g) for g in groups])
    n = len(groups)
    error = math.sqrt((n - 1) / n * float(((left - left.mean()) ** 2).sum()))
    df = float(sizes.sum() ** 2 / (sizes**2).sum()) - 1
    half = float(stats.t.ppf(0.975, df)) * error
    whole = difference(np.ones(len(y), bool))
    found = assay.compare(y, a, b, measure="mcc", cluster=cluster, test="none")
    assert found.method == "jackknife"
    assert (found.low, found.high) == pytest.approx((whole - half, whole + half), abs=1e-9)


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    center, half = (p + z * z / (2 * n)) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return center - half / (1 + z * z / n), center + half / (1 + z * z / n)


def test_the_divided_table_of_an_accuracy_is_wilsons_with_fewer_rows() -> None:
    y, a, b, cluster = POPULATIONS["20 clusters, k = 3"].rows(np.random.default_rng(4))
    hit_a, hit_b, n = (a == y).astype(float), (b == y).astype(float), len(y)
    pa, pb, z = hit_a.mean(), hit_b.mean(), float(stats.norm.ppf(0.975))
    u = (hit_a - pa - hit_b + pb) / n
    sums = np.bincount(cluster, weights=u)
    groups = len(sums)
    design = max(1.0, groups / (groups - 1) * float((sums**2).sum()) / float((u**2).sum()))
    carriers = float((sums**2).sum()) ** 2 / float((sums**4).sum())
    df = min(max(2 * carriers - 1, 2.0), groups - 1)
    factor = design * (float(stats.t.ppf(0.975, df)) / z) ** 2
    disagree = int((a != b).sum()) / factor
    r = float(np.corrcoef(hit_a, hit_b)[0, 1]) * disagree / (disagree + 2)
    (la, ha), (lb, hb) = wilson(pa, n / factor, z), wilson(pb, n / factor, z)
    low = pa - pb - math.sqrt((pa - la) ** 2 + (hb - pb) ** 2 - 2 * r * (pa - la) * (hb - pb))
    high = pa - pb + math.sqrt((ha - pa) ** 2 + (pb - lb) ** 2 - 2 * r * (ha - pa) * (pb - lb))
    found = assay.compare(y, a, b, measure="accuracy", cluster=cluster, method="cluster_mover", test="none")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_dividing_a_table_needs_clusters_and_says_so() -> None:
    y, a, b, _ = POPULATIONS["20 clusters, k = 2"].rows(np.random.default_rng(5))
    with pytest.raises(assay.OptionError, match="this tally has no clusters"):
        assay.compare(y, a, b, measure="accuracy", method="cluster_mover", test="none")


@pytest.mark.parametrize("method", ["jackknife", "cluster_mover", "percentile", "basic", "bca", "studentized"])
def test_clusters_compared_the_other_way_round_mirror_the_limits(method: Any) -> None:
    joint = POPULATIONS["20 clusters, k = 2"].sample(np.random.default_rng(6))
    there, back = (
        assay.compare(x, measure="f1", pos_label="1", method=method, n_resamples=499, test="none")
        for x in (joint, joint.swapped())
    )
    assert there.low is not None
    assert back.low is not None
    assert back.high is not None
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-9)
