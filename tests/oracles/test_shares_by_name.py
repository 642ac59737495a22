"""Intervals of shares by name, against statsmodels 0.15 and values printed in textbooks and papers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import assay
from assay import Confusion
from assay.errors import OptionError
from assay.uncertainty.one.shares import agresti_coull, clopper_pearson, jeffreys, normal_quantile, wald, wilson
from tests.oracles.plain import LEVELS

THEIRS = {
    "wald": "normal",
    "wilson": "wilson",
    "clopper_pearson": "beta",
    "agresti_coull": "agresti_coull",
    "jeffreys": "jeffreys",
}
COUNTS = [(0, 1), (1, 1), (0, 5), (5, 5), (1, 7), (3, 10), (10, 10), (50, 100), (99, 100), (850, 1000), (0, 1000)]


def ours(method: str, x: int, n: int, level: float) -> tuple[float, float]:
    """The bare formula."""
    z = normal_quantile(level)
    by_share = {"wald": wald, "wilson": wilson, "agresti_coull": agresti_coull}
    by_count = {"clopper_pearson": clopper_pearson, "jeffreys": jeffreys}
    return by_share[method](x / n, n, z) if method in by_share else by_count[method](x, n, level)


def recall_of(x: int, n: int) -> Confusion:
    """A table whose recall is x of n, among others that are not positive."""
    return Confusion.from_counts(tp=x, fp=3, fn=n - x, tn=4)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), COUNTS)
@pytest.mark.parametrize("method", THEIRS)
def test_formulas_of_shares_are_those_of_statsmodels(method: str, x: int, n: int, level: float) -> None:
    expected = proportion_confint(x, n, alpha=1 - level, method=THEIRS[method])
    assert ours(method, x, n, level) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), [(1, 7), (3, 10), (50, 100), (99, 100), (850, 1000)])
@pytest.mark.parametrize("method", THEIRS)
def test_a_share_has_the_interval_that_was_asked_for_by_name(method: Any, x: int, n: int, level: float) -> None:
    expected = proportion_confint(x, n, alpha=1 - level, method=THEIRS[method])
    for measure, tally in (
        ("recall", recall_of(x, n)),
        ("precision", Confusion.from_counts(tp=x, fp=n - x, fn=2, tn=1)),
        ("accuracy", Confusion.from_matrix([[x // 2, n - x, 0], [0, 0, 0], [0, 0, x - x // 2]], list("abc"))),
        ("f1(average=micro)", Confusion.from_matrix([[x, n - x], [0, 0]], list("ab"))),
    ):
        found = assay.estimate(measure, tally, method=method, level=level)
        assert found.method == method
        assert found.notes == ()
        assert (found.low, found.high) == pytest.approx(expected, abs=1e-12), measure


@pytest.mark.parametrize(
    ("method", "low", "high"), [("wald", 0.82787, 0.87213), ("wilson", 0.82653, 0.87079)], ids=["wald", "wilson"]
)
def test_850_of_1000_has_the_limits_that_are_printed(method: Any, low: float, high: float) -> None:
    found = assay.estimate("recall", recall_of(850, 1000), method=method)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-6)


def test_none_of_ten_has_at_most_the_thirty_percent_of_the_rule_of_clopper_and_pearson() -> None:
    # With no hit the exact upper limit solves (1 − p)ⁿ = .025, which for n = 10 gives .30850.
    found = assay.estimate("recall", recall_of(0, 10), method="clopper_pearson")
    assert (found.low, found.high) == pytest.approx((0.0, 1 - 0.025**0.1), abs=1e-12)


@pytest.mark.parametrize(("x", "n"), [(0, 1), (1, 1), (0, 30), (30, 30)])
def test_wald_has_no_width_where_all_or_none_are_hits_and_a_note_says_so(x: int, n: int) -> None:
    found = assay.estimate("recall", recall_of(x, n), method="wald")
    assert (found.low, found.high) == proportion_confint(x, n, method="normal") == (x / n, x / n)
    assert found.standard_error == 0
    assert found.reason is None
    assert found.notes[0].startswith(
        "Wald's interval has zero width where all or none are hits, which is not certainty"
    )
    assert str(found).startswith(f"recall {x / n:.3f} (95% {x / n:.3f} to {x / n:.3f}, wald")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [1, 4, 30])
@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "agresti_coull"])
def test_at_either_end_the_other_limit_is_that_of_the_method_and_this_one_is_the_end(
    method: Any, n: int, level: float
) -> None:
    for x in (0, n):
        low, high = proportion_confint(x, n, alpha=1 - level, method=THEIRS[method])
        found = assay.estimate("recall", recall_of(x, n), method=method, level=level)
        assert (found.low, found.high) == pytest.approx((0.0, high) if x == 0 else (low, 1.0), abs=1e-12)
        assert found.notes == ()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [1, 4, 30])
def test_jeffreys_quantiles_are_left_as_they_are_at_either_end(n: int, level: float) -> None:
    for x in (0, n):
        expected = stats.beta(x + 0.5, n - x + 0.5).ppf([(1 - level) / 2, (1 + level) / 2])
        found = assay.estimate("recall", recall_of(x, n), method="jeffreys", level=level)
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
        assert found.notes == ("Jeffreys' interval excludes the share itself where all or none are hits",)


@pytest.mark.parametrize("method", THEIRS)
def test_the_standard_error_of_a_share_is_that_of_the_binomial_by_any_method(method: Any) -> None:
    found = assay.estimate("recall", recall_of(37, 50), method=method)
    assert found.standard_error == pytest.approx(stats.binom(50, 37 / 50).std() / 50, rel=1e-12)
    if method != "wald":
        assert assay.estimate("recall", recall_of(50, 50), method=method).standard_error is None


@pytest.mark.parametrize("method", ["wald", "wilson", "agresti_coull", "jeffreys"])
def test_weighted_rows_count_as_many_as_tell_as_much(method: Any) -> None:
    rng = np.random.default_rng(3)
    gold, weight = rng.integers(0, 3, 90), rng.gamma(0.6, size=90)
    pred = np.where(rng.random(90) < 0.7, gold, 0)
    share = float(np.average(gold == pred, weights=weight))
    variance = float((weight**2 * ((gold == pred) - share) ** 2).sum() / weight.sum() ** 2)
    n = share * (1 - share) / variance
    expected = proportion_confint(n * share, n, method=THEIRS[method])
    tally = Confusion.from_predictions(gold, pred, sample_weight=weight)
    found = assay.estimate("accuracy", tally, method=method)
    # The variance is found by differences, which carry about 8 digits.
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-7)


def test_clopper_and_pearsons_limits_need_whole_counts() -> None:
    tally = Confusion.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[1.0, 2.0, 0.5])
    with pytest.raises(OptionError, match="needs whole counts, but these rows are weighted"):
        assay.estimate("accuracy", tally, method="clopper_pearson")


@pytest.mark.parametrize("method", [*THEIRS, "midp"])
def test_what_is_no_share_of_independent_rows_has_no_such_interval(method: Any) -> None:
    tally: Any = Confusion.from_counts(tp=8, fp=3, fn=2, tn=7)
    with pytest.raises(OptionError, match="mcc is not a share of counted items"):
        assay.estimate("mcc", tally, method=method)
    clustered = Confusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0], cluster=[1, 1, 2, 2])
    with pytest.raises(OptionError, match="rows of one cluster are not independent trials"):
        assay.estimate("accuracy", clustered, method=method)
