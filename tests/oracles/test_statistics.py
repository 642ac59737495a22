"""Statistics, degrees of freedom and standard errors as numbers: SciPy, statsmodels and published tables."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as peer_mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

import assay
from assay import Comparison, Confusion, OptionError
from assay.uncertainty.results import Signature, Statistic

ALTERNATIVES = ("two-sided", "greater", "less")


def statistic(found: Comparison) -> Statistic:
    assert found.statistic is not None
    return found.statistic


def is_close(found: Comparison, name: str, value: float, *df: float) -> bool:
    held = statistic(found)
    return (held.name, held.df) == (name, df) and math.isclose(held.value, value, rel_tol=1e-12)


def paired_values(seed: int, n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    return a, a - rng.normal(0.2, 0.5, size=n)


def fourfold(both: int, only_a: int, only_b: int, neither: int) -> tuple[list[int], list[int], list[int]]:
    """Gold labels and the answers of two systems that are right on so many items."""
    n = both + only_a + only_b + neither
    a = [1] * (both + only_a) + [0] * (only_b + neither)
    b = [1] * both + [0] * only_a + [1] * only_b + [0] * neither
    return [1] * n, a, b


# ---------------------------------------------------------------------- values
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_t_test_that_was_named_has_its_own_interval_unless_a_method_is_named(alternative: Any) -> None:
    a, b = paired_values(4, 25)
    low, high = a.min(), a.max()
    scaled = tuple((x - min(low, b.min())) / (max(high, b.max()) - min(low, b.min())) for x in (a, b))
    more: Any
    for pair, more in (((a, b), {}), (scaled, {"range": (0, 1)}), ((a > 0, b > 0), {})):
        first, second = (np.asarray(x, float) for x in pair)
        found = assay.compare_values(first, second, test="t", alternative=alternative, **more)
        expected = stats.ttest_rel(first, second, alternative=alternative)
        ends = expected.confidence_interval(0.95)
        shown = [x for x in (found.low, found.high) if x is not None]
        assert shown == pytest.approx([x for x in (ends.low, ends.high) if np.isfinite(x)], rel=1e-9)
        assert found.p_interval == pytest.approx(found.p_value, rel=1e-5), "the test and the interval are one"
        other = assay.compare_values(first, second, test="t", method="percentile", alternative=alternative, **more)
        assert other.method == "percentile"
    clustered = assay.compare_values(a, b, test="randomization", cluster=np.arange(25) // 5)
    assert clustered.method == "cluster_jackknife"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_paired_t_and_its_degrees_of_freedom_are_scipys(alternative: Any) -> None:
    a, b = paired_values(1, 20)
    expected = stats.ttest_rel(a, b, alternative=alternative)
    found = assay.compare_values(a, b, test="t", alternative=alternative)
    assert found == assay.compare_values(a, b, test="t", method="t", alternative=alternative)
    assert is_close(found, "t", float(expected.statistic), 19)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-10)
    assert found.standard_error == pytest.approx(float(stats.sem(a - b)), rel=1e-12)
    assert found.a.standard_error == pytest.approx(float(stats.sem(a)), rel=1e-12)
    ends = expected.confidence_interval(0.95)
    if alternative == "two-sided":
        assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-10)


def test_t_by_name_is_students_also_where_the_values_have_a_declared_range() -> None:
    a, b = (np.clip(x / 8 + 0.5, 0, 1) for x in paired_values(2, 15))
    ends = stats.ttest_rel(a, b).confidence_interval(0.95)
    found = assay.compare_values(a, b, method="t", range=(0, 1))
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-10)


@pytest.mark.parametrize("n", [12, 80])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_wilcoxons_rank_sums_and_z_are_scipys(n: int, alternative: Any) -> None:
    a, b = (np.round(10 * x) for x in paired_values(3, n))  # whole, so that ties are ties
    found = statistic(assay.compare_values(a, b, test="wilcoxon", alternative=alternative))
    how: Any = {"alternative": "greater", "method": "asymptotic", "correction": False}
    upper: Any = stats.wilcoxon(a, b, **how)
    lower: Any = stats.wilcoxon(b, a, **how)
    assert (found.name, found.value) == ("W+", upper.statistic)
    assert found.sides == (upper.statistic, lower.statistic)
    if n > 50:
        assert found.z == pytest.approx(float(upper.zstatistic), rel=1e-12)
    else:
        assert found.z is None  # the p-value is exact


def test_the_sign_test_counts_wins_and_losses() -> None:
    found = statistic(assay.compare_values([1, 2, 3, 4, 5], [0, 1, 3, 5, 4], test="sign"))
    assert found == Statistic("wins", 3, sides=(3, 1))


def test_the_corrected_t_is_that_of_nadeau_and_bengio_by_hand() -> None:
    a, b = paired_values(4, 10)
    d = a - b
    error = math.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    found = assay.compare_values(a, b, unit="fold")
    assert is_close(found, "t", d.mean() / error, 9)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(d.mean() / error), 9), rel=1e-10)
    assert found.a.standard_error is None  # folds share training data


@pytest.mark.parametrize("test", ["5x2cv", "5x2cv_f"])
def test_the_5x2cv_statistics_have_their_degrees_of_freedom(test: Any) -> None:
    a, b = paired_values(5, 10)
    p = (a - b).reshape(5, 2)
    variances = ((p - p.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    found = assay.compare_values(a, b, unit="fold", repeats=5, test=test)
    if test == "5x2cv":
        expected = p[0, 0] / math.sqrt(variances.mean())
        assert is_close(found, "t", expected, 5)
        assert found.p_value == pytest.approx(2 * stats.t.sf(abs(expected), 5), rel=1e-10)
    else:
        expected = (p**2).sum() / (2 * variances.sum())
        assert is_close(found, "F", expected, 10, 5)
        assert found.p_value == pytest.approx(stats.f.sf(expected, 10, 5), rel=1e-10)


# ---------------------------------------------------------------------- shares of the same items
@pytest.mark.parametrize("corrected", [False, True])
def test_mcnemars_chi_square_is_that_of_statsmodels(corrected: bool) -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    theirs = peer_mcnemar([[40, 17], [6, 20]], exact=False, correction=corrected)
    found = assay.compare(y, a, b, measure="accuracy", test="mcnemar_chi2_corrected" if corrected else "mcnemar_chi2")
    held = statistic(found)
    assert (held.name, held.df, held.sides) == ("chi2", (1,), (17, 6))
    assert held.value == pytest.approx(float(theirs.statistic), rel=1e-12)
    assert found.p_value == pytest.approx(float(theirs.pvalue), rel=1e-10)


@pytest.mark.parametrize("test", ["mcnemar", "mcnemar_midp"])
def test_mcnemars_exact_tests_are_of_b_and_c(test: Any) -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    assert statistic(assay.compare(y, a, b, measure="accuracy", test=test)) == Statistic("b", 17, sides=(17, 6))


@pytest.mark.parametrize(("alternative", "p"), [("greater", stats.norm.sf), ("less", stats.norm.cdf)])
def test_a_one_sided_chi_square_is_its_signed_root(alternative: Any, p: Any) -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    found = assay.compare(y, a, b, measure="accuracy", test="mcnemar_chi2", alternative=alternative)
    assert statistic(found).name == "z"
    assert statistic(found).value == pytest.approx(11 / math.sqrt(23), rel=1e-12)
    assert found.p_value == pytest.approx(float(p(11 / math.sqrt(23))), rel=1e-10)


def test_the_standard_error_of_a_paired_difference_of_shares_is_that_of_its_items() -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    d = np.array(a) - np.array(b)
    expected = d.std() / math.sqrt(len(d))
    for method in ("tango", "newcombe"):
        found = assay.compare(y, a, b, measure="accuracy", method=method)
        assert found.standard_error == pytest.approx(expected, rel=1e-12)
    plain = assay.compare(y, a, b, measure="accuracy", statistic="studentized")
    assert is_close(plain, "studentized", d.mean() / expected)


# The limits that Fagerland, Lydersen and Laake's package contingencytables prints for Cavo et al. (2012).
CAVO = (59, 6, 16, 80)


def test_newcombes_paired_interval_is_the_published_one() -> None:
    found = assay.compare(*fourfold(*CAVO), measure="accuracy", method="newcombe")
    assert (found.low, found.high) == pytest.approx((-0.1186, -0.0046), abs=5e-5)
    assert found.method == "newcombe"


@pytest.mark.parametrize("table", [(10, 0, 0, 5), (0, 3, 0, 0), (5, 3, 0, 0), (0, 4, 4, 0)])
def test_newcombes_paired_interval_stands_at_the_edges_too(table: tuple[int, int, int, int]) -> None:
    found = assay.compare(*fourfold(*table), measure="accuracy", method="newcombe", labels=[0, 1])
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.difference <= found.high <= 1  # type: ignore[operator]
    assert found.low < found.high


# ---------------------------------------------------------------------- shares of different items
def right_of(hits: int, n: int) -> Confusion:
    return Confusion.from_predictions([1] * n, [1] * hits + [0] * (n - hits), labels=[0, 1])


@pytest.mark.parametrize(("x", "n", "y", "m"), [(56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (5, 56, 0, 29)])
def test_newcombes_unpaired_interval_is_that_of_statsmodels(x: int, n: int, y: int, m: int) -> None:
    one, other = (
        Confusion.from_predictions([1] * k, [1] * hits + [0] * (k - hits), labels=[0, 1])
        for hits, k in ((x, n), (y, m))
    )
    found = assay.compare(one, other, measure="accuracy", unpaired=True, method="newcombe")
    expected = confint_proportions_2indep(x, n, y, m, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-10)
    assert found.method == "newcombe"


def test_the_published_limits_of_newcombes_method_10() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 873–890, table II: 56/70 − 48/80 and 9/10 − 3/10.
    for (x, n, y, m), ends in {(56, 70, 48, 80): (0.0524, 0.3339), (9, 10, 3, 10): (0.1705, 0.8090)}.items():
        found = assay.compare(right_of(x, n), right_of(y, m), measure="accuracy", unpaired=True, method="newcombe")
        assert (found.low, found.high) == pytest.approx(ends, abs=5e-5)


def test_the_standard_error_of_separate_shares_adds_squares() -> None:
    found = assay.compare(right_of(56, 70), right_of(48, 80), measure="accuracy", unpaired=True)
    assert found.standard_error == pytest.approx(math.sqrt(0.8 * 0.2 / 70 + 0.6 * 0.4 / 80), rel=1e-12)


def test_newcombe_is_refused_where_there_are_no_shares() -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    with pytest.raises(OptionError, match="Newcombe's interval needs a share"):
        assay.compare(y, a, b, measure="mcc", method="newcombe")


# ---------------------------------------------------------------------- standard errors by other methods
def test_the_bootstraps_standard_error_is_the_spread_of_its_draws() -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 2, 200)
    pred = np.where(rng.random(200) < 0.8, gold, 1 - gold)
    tally = Confusion.from_predictions(gold, pred)
    known = math.sqrt(np.mean(gold == pred) * np.mean(gold != pred) / 200)
    method: Any
    for method in ("percentile", "basic", "bca"):
        assert assay.estimate("accuracy", tally, method=method).standard_error == pytest.approx(known, rel=0.05)
    for method in ("jackknife", "logit_delta"):
        assert assay.estimate("accuracy", tally, method=method).standard_error == pytest.approx(known, rel=0.01)


def test_a_method_without_a_standard_error_has_none() -> None:
    tally = Confusion.from_predictions([0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 0, 0])
    assert assay.estimate("f1", tally, pos_label=1).standard_error is None
    assert assay.estimate("mcc", tally, method="dirichlet").standard_error is None


# ---------------------------------------------------------------------- as JSON
def test_json_has_the_statistic_and_the_standard_errors_as_numbers() -> None:
    y, a, b = fourfold(40, 17, 6, 20)
    table = {"gold": [*y, 0, 0], "a": [*a, 0, 0], "b": [*b, 0, 0]}
    report = assay.compare_systems(table, gold="gold", pred=["a", "b"], primary="accuracy", test="mcnemar_chi2")
    stored = json.loads(report.to_json())
    first = stored["contest"]["comparisons"][0]
    assert first["statistic"] == {
        "name": "chi2",
        "value": pytest.approx(11**2 / 23),
        "df": [1],
        "sides": [17, 6],
        "z": pytest.approx(11 / math.sqrt(23)),
    }
    assert first["standard_error"] == report.comparisons[0].standard_error
    row = next(r for r in stored["rows"] if r["measure"] == "accuracy" and r["quantity"] == "value")
    share = row["value"]
    assert row["standard_error"] == pytest.approx(math.sqrt(share * (1 - share) / 85), rel=1e-12)


def test_a_statistic_is_a_number_with_words() -> None:
    assert str(Statistic("chi2", 5.2609, (1,))) == "χ²(1) = 5.261"
    assert str(Statistic("F", 4.1, (10, 5))) == "F(10, 5) = 4.1"
    assert float(Statistic("z", 1.5)) == 1.5


def test_signatures_of_methods_that_had_another_name_are_still_read() -> None:
    old = "assay:0.1.0|measure:roc_auc|n:40|gold:abc|method:newcombe|level:0.95"
    assert Signature.parse(old).get("method") == "newcombe"
    assert Signature.parse("test:mcnemar_midp|statistic:mcnemar_midp").get("statistic") == "mcnemar_midp"
