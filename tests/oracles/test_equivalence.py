"""Two one-sided tests against statsmodels, and their error rate at the margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import tost_proportions_2indep
from statsmodels.stats.weightstats import ttost_paired

from assay import OptionError
from assay.uncertainty.two.equivalence import margin_test

LimitsAt = Callable[[float], tuple[float | None, float | None]]


def normal_limits(difference: float, se: float) -> LimitsAt:
    def limits(level: float) -> tuple[float, float]:
        half = NormalDist().inv_cdf((1 + level) / 2) * se
        return difference - half, difference + half

    return limits


def student_limits(values: np.ndarray) -> LimitsAt:
    return lambda level: stats.ttest_1samp(values, 0).confidence_interval(level)  # type: ignore[return-value]


@pytest.mark.parametrize("margin", [0.05, 0.2, 0.35, 0.6])
@pytest.mark.parametrize("shift", [0.0, 0.3, -0.3])
def test_means_are_equivalent_where_statsmodels_says_so(margin: float, shift: float) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(shift, 1, 40), rng.normal(0, 1, 40)
    p, above, below = ttost_paired(a, b, -margin, margin)
    made = margin_test(student_limits(a - b), float(np.mean(a - b)), margin, True)
    assert made.level == pytest.approx(0.9)
    assert made.equivalent == (p < 0.05)
    assert made.p_equivalent == pytest.approx(p, abs=1e-6)
    assert made.not_worse == (above[1] < 0.05)
    assert made.p_not_worse == pytest.approx(above[1], abs=1e-6)  # A is above B − margin
    lower_is_better = margin_test(student_limits(a - b), float(np.mean(a - b)), margin, False)
    assert lower_is_better.p_not_worse == pytest.approx(below[1], abs=1e-6)


@pytest.mark.parametrize("margin", [0.03, 0.08, 0.15])
def test_shares_are_equivalent_where_statsmodels_says_so(margin: float) -> None:
    theirs = tost_proportions_2indep(170, 200, 165, 200, -margin, margin, method="wald")
    a, b = 170 / 200, 165 / 200
    se = math.sqrt(a * (1 - a) / 200 + b * (1 - b) / 200)
    made = margin_test(normal_limits(a - b, se), a - b, margin, None)
    assert made.p_equivalent == pytest.approx(theirs.pvalue, abs=1e-6)
    assert made.equivalent == (theirs.pvalue < 0.05)
    assert (made.not_worse, made.p_not_worse) == (None, None)


def test_the_interval_shown_is_the_one_at_ninety_percent() -> None:
    made = margin_test(normal_limits(0.01, 0.02), 0.01, 0.05, True)
    assert (made.low, made.high) == pytest.approx((0.01 - 1.644854 * 0.02, 0.01 + 1.644854 * 0.02))
    at_99 = margin_test(normal_limits(0.01, 0.02), 0.01, 0.05, True, level=0.99)
    assert at_99.level == pytest.approx(0.98)
    assert made.equivalent is True
    assert at_99.equivalent is False


@pytest.mark.parametrize("difference", np.linspace(-0.08, 0.08, 33).round(3).tolist())
def test_decision_and_p_value_never_contradict_each_other(difference: float) -> None:
    def steps(level: float) -> tuple[float | None, float | None]:
        """Limits that widen in jumps, as drawn ones do."""
        half = 0.005 * round(stats.norm.ppf((1 + level) / 2) * 0.02 / 0.005)
        return difference - half, difference + half

    made = margin_test(steps, difference, 0.05, True)
    assert made.p_equivalent is not None
    assert made.p_not_worse is not None
    assert made.equivalent == (made.p_equivalent < 0.05)
    assert made.not_worse == (made.p_not_worse < 0.05)


def test_reaching_the_margin_is_not_lying_within_it() -> None:
    assert margin_test(lambda _: (-0.05, 0.01), -0.02, 0.05, True).equivalent is False
    assert margin_test(lambda _: (-0.05, 0.01), -0.02, 0.05, True).not_worse is False


def test_two_one_sided_tests_err_in_one_of_twenty_at_the_margin() -> None:
    rng, n, margin, repeats = np.random.default_rng(2), 400, 0.06, 2000
    # Paired shares that differ by the margin exactly: 11% only A, 5% only B.
    drawn = rng.multinomial(n, [0.11, 0.05, 0.84], size=repeats)
    equivalent = worse = 0
    for b, c, _ in drawn:
        # Half an item in each of the four cells (Agresti and Min 2005).
        d, m = (b - c) / (n + 2), n + 2
        se = math.sqrt(((b + c + 1) / m - d**2) / m)
        equivalent += margin_test(normal_limits(d, se), d, margin, True).equivalent is True
        worse += margin_test(normal_limits(-d, se), -d, margin, True).not_worse is True
    for share in (equivalent / repeats, worse / repeats):
        assert abs(share - 0.05) < 3 * math.sqrt(0.05 * 0.95 / repeats) + 0.005


@pytest.mark.parametrize("margin", [0.0, -0.01, math.inf, math.nan])
def test_a_margin_is_a_distance(margin: float) -> None:
    with pytest.raises(OptionError, match=r"a number above 0 such as 0\.01"):
        margin_test(normal_limits(0, 1), 0.0, margin, True)


def test_a_level_below_one_half_has_no_two_one_sided_tests() -> None:
    with pytest.raises(OptionError, match=r"between 0\.5 and 1"):
        margin_test(normal_limits(0, 1), 0.0, 0.1, True, level=0.4)


def test_nothing_is_said_where_there_are_no_limits() -> None:
    for made in (
        margin_test(lambda _: (None, None), 0.0, 0.1, True),
        margin_test(normal_limits(0, 1), None, 0.1, True),
    ):
        assert (made.low, made.high, made.equivalent, made.not_worse) == (None, None, None, None)
        assert (made.p_equivalent, made.p_not_worse) == (None, None)
