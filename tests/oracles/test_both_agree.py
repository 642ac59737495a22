"""How often a verdict tells apart what is equal, and how often intervals of differences hold what they should.

Populations are stated in full; true values come from their own formulas or from very large samples. Short runs
here look for what used to be wrong by a wide margin; the slow ones have the precision that the pages claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import multinomial

import assay
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.two.compare import compare_joint
from assay.uncertainty.two.discordant import Discordant, mcnemar, tango
from assay.uncertainty.two.pair import How

Floats = NDArray[np.float64]
Rng = np.random.Generator
FOUND = ("better", "worse", "different")


def at_most(share: float, count: int, size: int) -> bool:
    """Whether so many of so many are no more than this share, but for three standard errors."""
    return count / size <= share + 3 * math.sqrt(share * (1 - share) / size)


# ---------------------------------------------------------------------- equal values, different systems, few positives
VALUES: dict[str, Callable[[float, float, float], float]] = {
    "balanced_accuracy": lambda _, recall, alarms: (recall + 1 - alarms) / 2,
    "g_mean": lambda _, recall, alarms: math.sqrt(recall * (1 - alarms)),
    "f1": lambda rare, recall, alarms: 2 * rare * recall / (rare * recall + (1 - rare) * alarms + rare),
}


def verdicts(measure: str, n: int, samples: int, seed: int = 7) -> tuple[int, int, int]:
    """Of samples with 4% positives: how many the test rejects, how many are called different, and how many are made."""
    rare, recall, alarms, other = 0.04, 0.95, 0.35, 0.65
    value = VALUES[measure]
    wanted = value(rare, recall, alarms)
    same = float(brentq(lambda x: value(rare, other, x) - wanted, 1e-9, 0.99))
    rng, rejected, called, made = np.random.default_rng(seed), 0, 0, 0
    for _ in range(samples):
        gold = rng.random(n) < rare
        a, b = (rng.random(n) < np.where(gold, r, f) for r, f in ((recall, alarms), (other, same)))
        c = assay.compare(
            gold.astype(int), a.astype(int), b.astype(int), measure=measure, n_resamples=499, labels=[0, 1]
        )
        if c.p_value is None:
            continue
        made += 1
        rejected += c.p_value <= 0.05
        called += c.outcome in FOUND
    return rejected, called, made


@pytest.mark.slow
def test_different_systems_of_one_value_and_a_dozen_positives_are_seldom_called_different() -> None:
    rejected, called, made = verdicts("balanced_accuracy", 300, 400)
    assert not at_most(0.05, rejected, made)  # what the test alone would have said
    assert at_most(0.05, called, made)


@pytest.mark.slow
@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("n", [150, 300, 1000])
def test_different_systems_of_one_value_are_called_different_no_more_often_than_said(measure: str, n: int) -> None:
    _, called, made = verdicts(measure, n, 1500)
    # The interval of a difference of geometric means holds 93% where a dozen positives are nearly all found.
    assert at_most(0.075 if measure == "g_mean" else 0.055, called, made)


def test_one_positive_that_one_system_misses_is_no_proof_however_many_alarms_the_other_gives() -> None:
    """Exchanging is refuted by the alarms alone, and says nothing of a predictive value that rests on one item."""
    gold = np.arange(333) < 6
    a, b = gold.copy(), gold.copy()
    a[2], a[10:210], b[300:305] = False, True, True
    c = assay.compare(gold.astype(int), a.astype(int), b.astype(int), measure="npv")
    assert c.p_value is not None
    assert c.p_value < 1e-9
    assert c.p_interval is not None
    assert c.p_interval > 0.1
    assert c.outcome == "undecided"
    assert "p < 1e-9 by the test and 0.2" in c.verdict


def test_slopes_of_calibration_are_tested_by_their_interval() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=300)
    gold = rng.random(300) < expit(z)
    c = assay.compare(gold, expit(z), expit(2 * z), measure="calibration_slope")
    assert (c.test, c.p_value) == ("interval", c.p_interval)
    assert "has another slope than either" in c.why
    assert c.outcome == "different"


# ---------------------------------------------------------------------- shares
def contradictions(kind: str, n: int, shares: tuple[float, float, float]) -> float:
    """The chance that McNemar's test of this kind and Tango's interval contradict each other, over all samples."""
    z, total = 1.959963984540054, 0.0
    for only_a in range(n + 1):
        for only_b in range(n + 1 - only_a):
            chance = float(multinomial.pmf([only_a, only_b, n - only_a - only_b], n, shares))
            if chance < 1e-9:
                continue
            counts = Discordant(only_a, only_b, n)
            low, high = tango(counts, z)
            total += chance * ((mcnemar(counts, kind).p <= 0.05) == (low <= 0 <= high))
    return total


@pytest.mark.parametrize("shares", [(0.1, 0.01, 0.89), (0.15, 0.05, 0.8), (0.3, 0.2, 0.5)])
def test_mid_p_seldom_contradicts_tangos_interval_and_the_exact_test_often(shares: tuple[float, float, float]) -> None:
    assert contradictions("midp", 50, shares) < 0.11  # the most is where four or five items tell the systems apart
    assert contradictions("exact", 50, shares) > 2 * contradictions("midp", 50, shares)


def test_shares_are_tested_by_mid_p_unless_another_test_is_named() -> None:
    gold, a, b = [0, 1] * 30, [0, 1] * 28 + [1, 1] * 2, [0, 1] * 20 + [1, 0] * 10
    assert assay.compare(gold, a, b, measure="accuracy").test == "mcnemar_midp"
    assert assay.compare(gold, a, b, measure="recall").test == "mcnemar_midp"
    assert assay.compare(gold, a, b, measure="precision").test == "randomization"
    assert assay.compare(gold, a, b, measure="accuracy", test="mcnemar").test == "mcnemar"
    assert assay.compare(gold, a, b, measure="accuracy", statistic="raw").test == "randomization"


# ---------------------------------------------------------------------- few clusters
def in_clusters(rng: Rng, clusters: int, right: tuple[float, float], spread: float) -> assay.Comparison:
    owner = np.repeat(np.arange(clusters), 40)
    gold = rng.integers(0, 2, len(owner))
    answers = []
    for share in right:
        moved = expit(math.log(share / (1 - share)) + spread * rng.normal(size=clusters))[owner]
        answers.append(np.where(rng.random(len(owner)) < moved, gold, 1 - gold))
    return assay.compare(gold, *answers, measure="accuracy", cluster=owner, n_resamples=199)


def test_with_five_clusters_the_interval_decides_and_it_says_so() -> None:
    c = in_clusters(np.random.default_rng(1), 5, (0.93, 0.59), 0.0)
    assert c.outcome == "better"
    assert c.test == "interval"
    assert c.why == "exchanging 5 clusters cannot give a p-value below 0.0625, so the interval decides"
    assert in_clusters(np.random.default_rng(1), 6, (0.93, 0.59), 0.0).test == "randomization"


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [3, 4, 5])
@pytest.mark.parametrize("spread", [0.0, 0.8])
def test_few_clusters_of_equal_systems_are_called_different_no_more_often_than_said(
    clusters: int, spread: float
) -> None:
    rng = np.random.default_rng(3)
    called = sum(in_clusters(rng, clusters, (0.8, 0.8), spread).outcome in FOUND for _ in range(1000))
    assert at_most(0.055, called, 1000)


# ---------------------------------------------------------------------- areas
def failing(rng: Rng, positives: int, negatives: int, share: float) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Two good systems, one of which takes some positives for negatives that the other finds as easily as all."""
    gold = np.arange(positives + negatives) < positives
    shared = rng.normal(size=len(gold))
    a, b = (0.7 * shared + 0.71 * rng.normal(size=len(gold)) + 4.5 * gold for _ in range(2))
    return gold, a, np.where(gold & (rng.random(len(gold)) < share), b - 6.0, b)


def area(gold: NDArray[np.bool_], scores: Floats) -> float:
    ranks = np.empty(len(gold))
    ranks[np.argsort(scores)] = np.arange(len(gold))
    m, n = int(gold.sum()), int((~gold).sum())
    return float((ranks[gold].sum() - m * (m - 1) / 2) / (m * n))


def held(method: Any, positives: int, negatives: int, share: float, samples: int) -> int:
    large = failing(np.random.default_rng(1), 100_000, 100_000, share)
    true = area(large[0], large[1]) - area(large[0], large[2])
    rng, count = np.random.default_rng(2), 0
    for _ in range(samples):
        c = assay.compare(*failing(rng, positives, negatives, share), measure="roc_auc", method=method, test="none")
        assert c.low is not None
        assert c.high is not None
        count += c.low <= true <= c.high
    return count


def test_the_difference_of_areas_is_held_where_some_positives_fail_in_one_system_only() -> None:
    assert held("delong", 15, 45, 0.1, 200) < 0.9 * 200
    assert held("smoothed_delong", 15, 45, 0.1, 200) < 0.9 * 200
    assert held("auto", 15, 45, 0.1, 200) >= 0.92 * 200


@pytest.mark.slow
@pytest.mark.parametrize(("positives", "negatives"), [(15, 45), (20, 180), (120, 280)])
@pytest.mark.parametrize("share", [0.0, 0.04, 0.1, 0.2])
def test_the_difference_of_areas_is_held_with_any_share_of_failing_positives(
    positives: int, negatives: int, share: float
) -> None:
    assert held("auto", positives, negatives, share, 1000) >= 0.92 * 1000


def test_areas_put_together_are_those_counted_out_pair_by_pair() -> None:
    """Wilson's limits of both areas with a tenth of an item at every end, and the covariance of real items."""
    rng = np.random.default_rng(5)
    gold = np.arange(30) < 9
    scores = [np.round(rng.normal(size=30) + shift * gold, 1) for shift in (2.0, 1.0)]
    z, ends = 1.959963984540054, 0.1
    m, n = 9, 21
    wins = [(np.sign(s[gold][:, None] - s[~gold][None]) + 1) / 2 for s in scores]
    areas = [w.mean() for w in wins]
    variances, covariance, smooth = [0.0, 0.0], 0.0, []
    for w in wins:
        # Two more items in either class, one below and one above everything, each a tenth of an item.
        big = np.full((m + 2, n + 2), 0.5)
        big[:m, :n], big[:m, n], big[:m, n + 1], big[m, :n], big[m + 1, :n] = w, 1, 0, 0, 1
        big[m, n + 1], big[m + 1, n] = 0, 1
        rows, columns = np.r_[np.ones(m), ends, ends], np.r_[np.ones(n), ends, ends]
        smooth.append(float(rows @ big @ columns / rows.sum() / columns.sum()))
        by_row, by_column = big @ columns / columns.sum(), rows @ big / rows.sum()
        place = len(smooth) - 1
        for weights, values in ((rows, by_row), (columns, by_column)):
            size = weights.sum()
            variances[place] += float((weights * (values - smooth[place]) ** 2).sum()) / ((size - 1) * size)
    for axis, size, other in ((1, m + 2 * ends, n), (0, n + 2 * ends, m)):
        apart = [w.mean(axis=axis) - at for w, at in zip(wins, areas, strict=True)]
        covariance += float((apart[0] * apart[1]).sum()) * (other / (other + 2 * ends)) ** 2 / ((size - 1) * size)
    r = covariance / math.sqrt(variances[0] * variances[1])
    limits = []
    for at, s, v in zip(areas, smooth, variances, strict=True):
        size = s * (1 - s) / v
        center, half = (at + z * z / (2 * size)) / (1 + z * z / size), z / (1 + z * z / size)
        half *= math.sqrt(at * (1 - at) / size + z * z / (4 * size * size))
        limits.append((max(center - half, 0), min(center + half, 1)))
    (la, ha), (lb, hb), (a, b) = *limits, areas
    low = a - b - math.sqrt((a - la) ** 2 + (hb - b) ** 2 - 2 * r * (a - la) * (hb - b))
    high = a - b + math.sqrt((ha - a) ** 2 + (b - lb) ** 2 - 2 * r * (ha - a) * (b - lb))
    c = assay.compare(gold, *scores, measure="roc_auc")
    assert (c.low, c.high) == pytest.approx((low, high), abs=1e-12)


# ---------------------------------------------------------------------- losses
def losing(rng: Rng, n: int, rare: float, surer: float) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Two systems that see the odds through noise of their own; the second is surer of itself than it may be."""
    odds = math.log(rare / (1 - rare)) + 1.5 * rng.normal(size=n)
    gold = rng.random(n) < expit(odds)
    a, b = (np.clip(expit(s * (odds + 0.6 * rng.normal(size=n))), 1e-6, 1 - 1e-6) for s in (1.0, surer))
    return gold, a, b


def lost(measure: str, gold: NDArray[np.bool_], scores: Floats) -> Floats:
    return (scores - gold) ** 2 if measure == "brier" else -np.log(np.where(gold, scores, 1 - scores))


@pytest.mark.parametrize("measure", ["brier", "log_loss"])
def test_a_difference_of_losses_is_about_as_unsure_as_resampled_items_show(measure: str) -> None:
    gold, a, b = losing(np.random.default_rng(4), 300, 0.05, 1.0)
    apart = lost(measure, gold, a) - lost(measure, gold, b)
    rng = np.random.default_rng(0)
    spread = float(np.std([apart[rng.integers(0, 300, 300)].mean() for _ in range(400)]))
    c = assay.compare(gold, a, b, measure=measure)
    assert c.low is not None
    assert c.high is not None
    # 400 draws know a standard deviation to 4%; Student's t is wider by what few items carry the variance.
    assert (c.high - c.low) / (2 * 1.96 * spread) == pytest.approx(1.05, abs=0.15)
    assert (c.low + c.high) / 2 == pytest.approx(apart.mean())


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["brier", "log_loss"])
@pytest.mark.parametrize(("rare", "surer"), [(0.3, 1.0), (0.3, 3.0), (0.05, 1.5), (0.1, 2.0)])
@pytest.mark.parametrize("n", [60, 300])
def test_the_difference_of_losses_is_held_with_rare_positives_and_systems_too_sure(
    measure: str, rare: float, surer: float, n: int
) -> None:
    gold, a, b = losing(np.random.default_rng(1), 1_000_000, rare, surer)
    true = float((lost(measure, gold, a) - lost(measure, gold, b)).mean())
    rng, count, made = np.random.default_rng(2), 0, 0
    for _ in range(1000):
        sample = losing(rng, n, rare, surer)
        if sample[0].sum() < 2:
            continue
        c = assay.compare(*sample, measure=measure, test="none")
        assert c.low is not None
        assert c.high is not None
        made += 1
        count += c.low <= true <= c.high
    assert count >= 0.905 * made  # 92.1% was the lowest of nine populations with 3000 samples each


# ---------------------------------------------------------------------- weights
def weighted(measure: str, **changed: Any) -> assay.Comparison:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 2, 120)
    a, b = (np.where(rng.random(120) < right, gold, 1 - gold) for right in (0.9, 0.8))
    data = {"gold": gold, "a": a, "b": b, "w": rng.lognormal(0, 0.7, 120)}
    found = assay.evaluate(data, gold="gold", pred=["a", "b"], weight="w", positive="1").counted
    joint = found.together.joint("a", "b", type(found.systems["a"]))
    how = How()
    both = [estimate(measure, side, **how.drawing) for side in (joint.a, joint.b)]
    both[1] = replace(both[1], **changed)
    from assay.measures.declare.catalogue import resolve

    return compare_joint(joint, *resolve(measure, {}), how, (both[0], both[1]))


@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc"])
def test_weighted_systems_have_a_difference_with_an_interval_only_where_both_have_one(measure: str) -> None:
    usual = weighted(measure)
    assert usual.method == "mover"
    assert usual.interval is not None
    assert usual.outcome in ("better", "no difference shown")
    why = "no error was observed, and weights differ from row to row"
    refused = weighted(measure, low=None, high=None, reason=why)
    assert (refused.low, refused.high, refused.reason) == (None, None, f"b: {why}")
    assert (refused.p_value, refused.outcome) == (None, "undecided")


def test_a_weighted_difference_that_nobody_simulated_says_so() -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 3, 150)
    data = {"gold": gold, "w": rng.lognormal(0, 0.5, 150)}
    data |= {name: np.where(rng.random(150) < 0.8, gold, rng.integers(0, 3, 150)) for name in ("a", "b")}
    options: dict[str, Any] = {"gold": "gold", "pred": ["a", "b"], "measures": "f1(average=macro)"}
    note = "not simulated: intervals of weighted differences were simulated only for labels of two classes"
    (with_weights,) = assay.compare_systems(data, weight="w", **options).comparisons
    (without,) = assay.compare_systems(data, **options).comparisons
    assert note in with_weights.notes
    assert note not in without.notes
