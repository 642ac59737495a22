"""The cluster factor, written out cluster by cluster and cell by cell, and the variance that it must approach.

Its degrees of freedom and its added clusters come from a simulation study for this library and have no publication;
`docs/decisions/0006-clusters.md` says what was found.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import assay
from assay import Confusion
from assay.errors import OptionError
from tests.oracles.plain import LEVELS, are_quantiles, drawn_tables, limits, mid_p, z_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Value = Callable[[Floats], float]


def grouped(seed: int, clusters: int, size: float, right: float, k: int = 2) -> tuple[Ints, Ints, Ints]:
    """Gold and predicted labels in clusters that differ in how easy they are."""
    rng = np.random.default_rng(seed)
    sizes = rng.geometric(1 / size, clusters)
    easy = np.repeat(rng.beta(4 * right, 4 * (1 - right), clusters), sizes)
    gold = rng.integers(0, k, sizes.sum())
    pred = np.where(rng.random(len(gold)) < easy, gold, (gold + 1) % k)
    return gold, pred, np.repeat(np.arange(clusters), sizes)


def by_cluster(gold: Ints, pred: Ints, cluster: Ints) -> Floats:
    """A table of two classes for every cluster, gold in rows."""
    out = np.zeros((int(cluster.max()) + 1, 2, 2))
    np.add.at(out, (cluster, gold, pred), 1)
    return out


def slopes(table: Floats, value: Value) -> Floats:
    """What one item more does in each cell."""
    out = np.empty(table.shape)
    for cell in np.ndindex(*table.shape):
        step = 1e-5 * max(float(table[cell]), 1e-2)
        up, down = table.copy(), table.copy()
        up[cell] += step
        down[cell] -= step
        out[cell] = (value(up) - value(down)) / (2 * step)
    return out


def factor(tables: Floats, value: Value, level: float) -> tuple[float, float]:
    """What every count is divided by, and how many clusters carry the variance."""
    groups, total = len(tables), tables.sum(0)
    size = total.sum() / groups
    u = slopes(total, value)
    parts = [float((t * u).sum()) for t in tables]
    alone = float((total * u * u).sum())
    if alone < 1e-18:
        carrying, df = 0.0, groups - 1.0
    else:
        carrying = sum(s**2 for s in parts) ** 2 / sum(s**4 for s in parts)
        df = min(max(1.5 * carrying - 1, 2), groups - 1)
        # The added clusters are no larger than these act, with room for how little so few tell of that.
        size = min(size, 5 * max(sum(s**2 for s in parts) / alone, 1) * (1 + 10 / carrying))
    smooth = total + 0.02 * size
    u = slopes(smooth, value)
    apart = sum(float((t * u).sum()) ** 2 for t in tables) + 0.02 * float(((size * u) ** 2).sum())
    more = groups + 0.02 * u.size
    design = max(more / (more - 1) * apart / float((smooth * u * u).sum()), 1)
    return design * (float(stats.t.ppf((1 + level) / 2, df)) / z_of(level)) ** 2, carrying


def accuracy(t: Floats) -> float:
    """The share that is right."""
    return float(np.trace(t) / t.sum())


def f1(t: Floats) -> float:
    """F1 of the second class."""
    return float(2 * t[1, 1] / (2 * t[1, 1] + t[0, 1] + t[1, 0]))


def phi(t: Floats) -> float:
    """MCC."""
    (a, b), (c, d) = t.tolist()
    scale = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    return float((a * d - b * c) / scale) if scale > 0 else 0.0


CASES = [(0, 25, 6, 0.8), (1, 40, 3, 0.6), (2, 30, 40, 0.9), (3, 12, 4, 0.9), (4, 60, 120, 0.97)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", CASES)
def test_shares_have_mid_p_limits_on_both_counts_divided_by_the_factor(
    case: tuple[int, int, float, float], level: float
) -> None:
    gold, pred, cluster = grouped(*case)
    tables = by_cluster(gold, pred, cluster)
    divided, carrying = factor(tables, accuracy, level)
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, pred, cluster=cluster), level=level)
    assert found.method == "cluster_factor"
    expected = mid_p(float((gold == pred).sum()) / divided, len(gold) / divided, level)
    # Influences are found by differences there, with other steps than here.
    assert limits(found) == pytest.approx(expected, abs=1e-6)
    few = [f"only {case[1]} clusters"] if case[1] < 20 else []
    if carrying < 3:
        few.append(f"a few clusters carry most of the variance: effectively only {carrying:.1f} of the {case[1]}")
    if level == 0.8:
        few.append("the coverage of cluster_factor was checked only at 90%, 95%, 99%")
    assert found.notes == tuple(few)


@pytest.mark.parametrize("case", CASES)
def test_f1_goes_through_the_jaccard_share_of_the_divided_table(case: tuple[int, int, float, float]) -> None:
    gold, pred, cluster = grouped(*case)
    tables = by_cluster(gold, pred, cluster)
    (_, fp), (fn, tp) = tables.sum(0) / factor(tables, f1, 0.95)[0]
    ends = mid_p(float(tp), float(tp + fp + fn), 0.95)
    found = assay.estimate("f1", Confusion.from_predictions(gold, pred, cluster=cluster))
    assert limits(found) == pytest.approx([2 * j / (1 + j) for j in ends], abs=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_other_measures_of_two_classes_have_quantiles_over_tables_around_the_divided_one(
    case: tuple[int, int, float, float],
) -> None:
    gold, pred, cluster = grouped(*case)
    tables = by_cluster(gold, pred, cluster)
    (tn, fp), (fn, tp) = (tables.sum(0) / factor(tables, phi, 0.95)[0]).tolist()
    found = assay.estimate("mcc", Confusion.from_predictions(gold, pred, cluster=cluster))
    assert found.method == "cluster_factor"
    drawn = drawn_tables(np.random.default_rng(5), (tn, fp, fn, tp), 8_000)
    are_quantiles(found, (phi(np.array(cells).reshape(2, 2)) for cells in drawn))


def test_of_three_classes_only_right_and_wrong_rows_matter_to_accuracy() -> None:
    gold, pred, cluster = grouped(6, 30, 5, 0.7, k=3)
    right = np.zeros((30, 2))
    np.add.at(right, (cluster, (gold == pred).astype(int)), 1)
    divided, _ = factor(right, lambda t: float(t[1] / t.sum()), 0.95)
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, pred, cluster=cluster))
    assert found.method == "cluster_factor"
    expected = mid_p(float(right[:, 1].sum()) / divided, len(gold) / divided, 0.95)
    assert limits(found) == pytest.approx(expected, abs=1e-6)


def test_one_class_of_three_has_the_interval_of_its_own_four_counts() -> None:
    gold, pred, cluster = grouped(7, 30, 5, 0.7, k=3)
    tables = by_cluster((gold == 1).astype(int), (pred == 1).astype(int), cluster)
    (_, fp), (fn, tp) = tables.sum(0) / factor(tables, f1, 0.95)[0]
    ends = mid_p(float(tp), float(tp + fp + fn), 0.95)
    found = assay.estimate("f1", Confusion.from_predictions(gold, pred, cluster=cluster), pos_label=1)
    assert limits(found) == pytest.approx([2 * j / (1 + j) for j in ends], abs=1e-6)


def test_a_perfect_table_tells_about_as_much_as_one_row_of_each_cluster_would() -> None:
    # The added clusters lie in one cell each, so that the factor is near their size, here 10.
    gold, cluster = np.arange(300) % 2, np.repeat(np.arange(30), 10)
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, gold, cluster=cluster))
    z, t = z_of(0.95), float(stats.t.ppf(0.975, 29))
    rows = 30 * (z / t) ** 2
    assert found.high == 1
    # Mid-P of all rows right: half of pⁿ is the tail.
    assert found.low == pytest.approx(0.05 ** (1 / rows), abs=0.01)


@pytest.mark.parametrize("size", [1, 8])
def test_the_variance_of_many_clusters_is_that_of_a_ratio_of_sums(size: int) -> None:
    rng = np.random.default_rng(8)
    sizes = rng.integers(1, 2 * size, 20_000) if size > 1 else np.ones(20_000, int)
    cluster = np.repeat(np.arange(20_000), sizes)
    easy = np.repeat(rng.beta(2, 1, 20_000), sizes)
    right = rng.random(len(cluster)) < easy
    hits = np.bincount(cluster, weights=right)
    share = hits.sum() / sizes.sum()
    error = math.sqrt(float(((hits - share * sizes) ** 2).sum())) / sizes.sum()
    tally = Confusion.from_predictions(np.ones(len(right), int), right.astype(int), cluster=cluster)
    low, high = limits(assay.estimate("accuracy", tally))
    assert (high - low) / 2 == pytest.approx(z_of(0.95) * error, rel=0.005)


def test_the_factor_is_for_clusters_of_unweighted_rows_and_small_tables() -> None:
    gold, pred, cluster = grouped(9, 20, 5, 0.7, k=3)
    tally = Confusion.from_predictions(gold, pred, cluster=cluster)
    with pytest.raises(
        OptionError, match="mcc is neither a share of rows nor computed from a table of two classes here"
    ):
        assay.estimate("mcc", tally, method="cluster_factor")
    assert assay.estimate("mcc", tally).method == "cluster_jackknife"
    with pytest.raises(OptionError, match="this tally has no clusters"):
        assay.estimate("accuracy", Confusion.from_predictions(gold, pred), method="cluster_factor")
    together = Confusion.from_predictions(gold, pred, cluster=np.zeros(len(gold), int))
    assert assay.estimate("accuracy", together).reason == "all rows lie in one cluster"
    weighted = Confusion.from_predictions(gold, pred, cluster=cluster, sample_weight=1.0 + np.arange(len(gold)) % 2)
    assert assay.estimate("accuracy", weighted).method == "cluster_jackknife"
    with pytest.raises(OptionError, match="studied for rows of equal weight"):
        assay.estimate("accuracy", weighted, method="cluster_factor")


@pytest.mark.parametrize("name", ["accuracy", "mcc", "f1"])
def test_clusters_of_one_row_each_are_rows(name: str) -> None:
    gold, pred = np.array([0, 1] * 60), np.array([0, 1] * 59 + [1, 1])
    apart, alone = (Confusion.from_predictions(gold, pred, cluster=c) for c in (np.arange(120), None))
    assert limits(assay.estimate(name, apart)) == pytest.approx(limits(assay.estimate(name, alone)))
