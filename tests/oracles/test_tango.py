"""Tango's interval against published figures and against a score test turned into limits by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

import assay
from assay.uncertainty.two.discordant import Discordant, tango

Z95 = float(norm.ppf(0.975))


# (b, c, n) and the limits that are printed for them.
PUBLISHED = [
    # Bentur and others (2009), as analyzed in Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33.
    ((1, 7, 21), (-0.517, -0.026), 0.0006),
    # No disagreement: the score equation has the solution z² / (n + z²).
    ((0, 0, 50), (-(Z95**2) / (50 + Z95**2), Z95**2 / (50 + Z95**2)), 1e-9),
]


@pytest.mark.parametrize(("counts", "limits", "digits"), PUBLISHED)
def test_published_limits(counts: tuple[int, int, int], limits: tuple[float, float], digits: float) -> None:
    assert tango(Discordant(*counts), Z95) == pytest.approx(limits, abs=digits)


def standard_errors_from(d: float, b: int, c: int, n: int) -> float:
    """The score at a difference d, with the likeliest shares of discordant pairs given d, found numerically."""

    def unlikely(share: float) -> float:
        rest = 1 - 2 * share - d
        terms = [(b, share + d), (c, share), (n - b - c, rest)]
        return -sum(count * math.log(max(p, 1e-300)) for count, p in terms if count)

    low, high = max(0.0, -d), (1 - d) / 2
    share = float(minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-14}).x)
    variance = (2 * share + d - d * d) / n
    return ((b - c) / n - d) / math.sqrt(variance)


@pytest.mark.parametrize("counts", [(1, 7, 21), (6, 16, 161), (40, 20, 160), (3, 3, 12), (9, 2, 30), (14, 30, 400)])
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_limits_are_the_differences_that_a_score_test_does_not_reject(
    counts: tuple[int, int, int], level: float
) -> None:
    b, c, n = counts
    z, here = float(norm.ppf((1 + level) / 2)), (b - c) / n

    def apart(way: int) -> Callable[[float], float]:
        return lambda d: standard_errors_from(d, b, c, n) - way * z

    expected = (brentq(apart(1), -1 + 1e-6, here), brentq(apart(-1), here, 1 - 1e-6))
    # The numeric maximum is found to about half of the digits of its likelihood.
    assert tango(Discordant(b, c, n), z) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(
    "counts", [(0, 5, 5), (5, 0, 5), (0, 1, 40), (12, 0, 40), (0, 0, 1), (300_000, 299_000, 10**7)]
)
def test_limits_at_the_edges_hold_the_difference_and_stay_in_range(counts: tuple[int, int, int]) -> None:
    b, c, n = counts
    low, high = tango(Discordant(b, c, n), Z95)
    assert -1 <= low <= (b - c) / n <= high <= 1
    assert low < high
    mirrored = tango(Discordant(c, b, n), Z95)
    assert (-high, -low) == mirrored


def systems(seed: int, n: int = 120, k: int = 3) -> tuple[NDArray[np.int64], ...]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, y, rng.integers(0, k, n)) for right in (0.8, 0.7))
    return y, a, b


@pytest.mark.parametrize("measure", ["accuracy", "error_rate", "f1(average=micro)", "recall(average=micro)"])
def test_it_is_the_default_for_shares_of_the_same_items(measure: str) -> None:
    y, a, b = systems(1)
    found = assay.compare(y, a, b, measure=measure, test="none")
    only_a, only_b = int(((a == y) & (b != y)).sum()), int(((b == y) & (a != y)).sum())
    if measure == "error_rate":
        only_a, only_b = only_b, only_a
    assert found.method == "tango"
    assert found.difference == pytest.approx((only_a - only_b) / len(y))
    assert (found.low, found.high) == pytest.approx(tango(Discordant(only_a, only_b, len(y)), Z95))


@pytest.mark.parametrize(("measure", "of"), [("recall", 2), ("specificity", 2), ("fnr", 2), ("fpr", 2)])
def test_a_rate_of_one_class_counts_the_items_of_its_denominator(measure: str, of: int) -> None:
    y, a, b = systems(2)
    inside = (y == of) if measure in ("recall", "fnr") else (y != of)
    hit_a, hit_b = ((x == of) == (measure in ("recall", "fpr")) for x in (a, b))
    only_a, only_b = int((hit_a & ~hit_b & inside).sum()), int((hit_b & ~hit_a & inside).sum())
    found = assay.compare(y, a, b, measure=measure, pos_label=of, test="none")
    assert found.method == "tango"
    assert (found.low, found.high) == pytest.approx(tango(Discordant(only_a, only_b, int(inside.sum())), Z95))


@pytest.mark.parametrize("measure", ["precision", "npv", "f1", "jaccard"])
@pytest.mark.parametrize("same", [False, True])
def test_it_is_refused_where_each_system_has_its_own_denominator(measure: str, same: bool) -> None:
    y, a, b = systems(3, k=2)
    with pytest.raises(assay.OptionError, match=r"needs a (common denominator|share of counted items)"):
        assay.compare(y, a, a if same else b, measure=measure, method="tango", test="none")


def test_clusters_are_refused_because_their_rows_are_not_independent() -> None:
    y, a, b = systems(4)
    with pytest.raises(assay.OptionError, match="rows of one cluster are not"):
        assay.compare(y, a, b, measure="accuracy", method="tango", cluster=np.arange(120) // 6, test="none")


def test_systems_that_never_disagree_get_a_bound_and_are_told_so() -> None:
    y, a, _ = systems(5)
    found = assay.compare(y, a, a, measure="accuracy")
    assert (found.difference, found.p_value) == (0, 1)
    bound = Z95**2 / (120 + Z95**2)
    assert (found.low, found.high) == pytest.approx((-bound, bound))
    assert any("a bound" in note for note in found.notes)


def coverage(shares: tuple[float, float], n: int, samples: int) -> float:
    """How often the limits hold the true difference of two shares, over multinomial samples of pairs."""
    rng = np.random.default_rng(11)
    b, c = shares
    drawn = rng.multinomial(n, [b, c, 1 - b - c], size=samples)
    held = [low <= b - c <= high for low, high in (tango(Discordant(int(x), int(y), n), Z95) for x, y, _ in drawn)]
    return float(np.mean(held))


@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.2, 0.05), (0.03, 0.01)])
def test_the_limits_hold_the_truth_about_as_often_as_they_say(shares: tuple[float, float], n: int) -> None:
    # Discreteness moves coverage between 93 and 98% (INTERVALS row 8); three standard errors of 1000 samples are 2%.
    assert 0.93 - 0.021 <= coverage(shares, n, 1000) <= 0.99 + 0.01
