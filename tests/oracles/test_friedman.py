"""Many systems on many data sets: Demšar (2006), SciPy, statsmodels and mlxtend."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from mlxtend.evaluate import cochrans_q as peer_q
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q as statsmodels_q
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from assay.errors import DataError, OptionError
from assay.uncertainty.many.ranks import (
    critical_difference,
    dunn_quantile,
    friedman,
    nemenyi_quantile,
    post_hoc,
    range_tail,
)
from assay.uncertainty.many.standings import cochrans_q
from assay.uncertainty.values.compare import compare_values

# AUC of C4.5 with and without tuning on 14 data sets: Demšar (2006), JMLR 7, table 6. On the thirteenth, two values
# print alike (.975) and are ranked 2 and 3 in the paper, so the first has a digit more here.
C45 = {
    "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957],
    "C4.5+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978],
    "C4.5+cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946],
    "C4.5+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970],
}


def test_the_mean_ranks_and_both_statistics_of_demsars_example_come_out() -> None:
    found = friedman(C45)
    assert found.mean_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)
    assert found.chi2.value == pytest.approx(9.28, abs=5e-3)
    assert found.f.value == pytest.approx(3.69, abs=5e-3)
    assert found.f.df == (3, 39)
    assert found.f.p_value is not None
    assert found.f.p_value < 0.05  # the critical value of F(3, 39) at 5% is 2.85


def test_the_critical_differences_of_demsars_example_come_out() -> None:
    found = friedman(C45)
    assert nemenyi_quantile(4) == pytest.approx(2.569, abs=5e-4)
    assert dunn_quantile(4) == pytest.approx(2.394, abs=5e-4)
    assert critical_difference(found).critical == pytest.approx(1.25, abs=5e-3)
    assert critical_difference(found, level=0.9).critical == pytest.approx(1.12, abs=5e-3)
    assert critical_difference(found, method="bonferroni_dunn").critical == pytest.approx(1.16, abs=1.5e-2)


# Demšar's table 5: q of the two-tailed Nemenyi test at 5% and 10%, and of Bonferroni–Dunn at 5%, for 2 to 10 systems.
TABLE_5 = [
    (2, 1.960, 1.645, 1.960),
    (3, 2.343, 2.052, 2.241),
    (4, 2.569, 2.291, 2.394),
    (5, 2.728, 2.459, 2.498),
    (6, 2.850, 2.589, 2.576),
    (7, 2.949, 2.693, 2.638),
    (8, 3.031, 2.780, 2.690),
    (9, 3.102, 2.855, 2.724),
    (10, 3.164, 2.920, 2.773),
]


@pytest.mark.parametrize(("k", "five", "ten", "dunn"), TABLE_5)
def test_the_published_quantiles_come_out(k: int, five: float, ten: float, dunn: float) -> None:
    # The table was made from printed ones and is off by one in the third decimal here and there; one entry of
    # Bonferroni–Dunn (k = 9: 2.724 for 2.734) is misprinted.
    assert nemenyi_quantile(k, 0.95) == pytest.approx(five, abs=1.5e-3)
    assert nemenyi_quantile(k, 0.90) == pytest.approx(ten, abs=1.5e-3)
    assert dunn_quantile(k, 0.95) == pytest.approx(2.734 if k == 9 else dunn, abs=1.5e-3)


@pytest.mark.parametrize("k", [2, 3, 7, 20])
@pytest.mark.parametrize("q", [0.3, 2.0, 3.6, 5.5])
def test_the_studentized_range_is_that_of_scipy(k: int, q: float) -> None:
    assert range_tail(q, k) == pytest.approx(float(stats.studentized_range.sf(q, k, np.inf)), abs=1e-7)


def random_table(seed: int, ties: bool) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 20)), int(rng.integers(3, 7))
    values = rng.integers(0, 4, size=(k, n)) if ties else rng.normal(size=(k, n))
    return {f"s{i}": column.tolist() for i, column in enumerate(values.astype(float))}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ties", [False, True])
def test_friedmans_statistic_corrected_for_ties_is_that_of_scipy(seed: int, ties: bool) -> None:
    table = random_table(seed, ties)
    found = friedman(table)
    expected = stats.friedmanchisquare(*table.values())
    assert found.chi2_ties.value == pytest.approx(float(expected.statistic), rel=1e-10)
    assert found.chi2_ties.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_iman_and_davenports_f_is_that_of_an_analysis_of_variance_of_the_ranks(seed: int) -> None:
    table = random_table(seed, ties=True)
    ranks = stats.rankdata(-np.array(list(table.values())), axis=0)
    k, n = ranks.shape
    between = n * ((ranks.mean(axis=1) - (k + 1) / 2) ** 2).sum() / (k - 1)
    residual = ranks - ranks.mean(axis=1, keepdims=True)  # every data set has the same mean rank
    f = between / ((residual**2).sum() / ((k - 1) * (n - 1)))
    found = friedman(table).f_ties
    assert found.value == pytest.approx(f, rel=1e-9)
    assert found.p_value == pytest.approx(float(stats.f.sf(f, *found.df)), rel=1e-9)


def test_lower_values_rank_first_where_lower_is_better() -> None:
    up, down = friedman(C45), friedman(C45, higher_is_better=False)
    assert [5 - m for m in up.mean_ranks] == pytest.approx(list(down.mean_ranks))
    assert up.chi2.value == pytest.approx(down.chi2.value)


def test_all_pairs_by_nemenyi_use_the_studentized_range() -> None:
    found = friedman(C45)
    critical = critical_difference(found).critical
    assert critical is not None
    for pair in post_hoc(found):
        assert pair.q == pytest.approx(abs(pair.z) * np.sqrt(2))
        expected = float(stats.studentized_range.sf(abs(pair.z) * np.sqrt(2), 4, np.inf))
        assert pair.p_adjusted == pytest.approx(expected, abs=1e-7)
        assert pair.z == pytest.approx(pair.difference / np.sqrt(4 * 5 / (6 * 14)))
        # The test and the critical difference agree.
        assert (pair.p_adjusted < 0.05) == (abs(pair.difference) > critical)


def test_holm_against_the_baseline_gives_demsars_p_values() -> None:
    # Section 3.2.2: .016 is below .05/3 and .019 below .05/2, but .607 is not below .05.
    pairs = {pair.a: pair for pair in post_hoc(friedman(C45), "holm", baseline="C4.5")}
    assert pairs["C4.5+m+cf"].p_value == pytest.approx(0.016, abs=5e-4)
    assert pairs["C4.5+m"].p_value == pytest.approx(0.019, abs=5e-4)
    assert pairs["C4.5+cf"].p_value == pytest.approx(0.607, abs=2e-3)  # from a z rounded to .512
    assert sorted(name for name, pair in pairs.items() if pair.p_adjusted < 0.05) == ["C4.5+m", "C4.5+m+cf"]


def test_holm_and_dunn_are_statsmodels_corrections_of_normal_p_values() -> None:
    found = friedman(C45)
    for method, peer, baseline in (("holm", "holm", None), ("bonferroni_dunn", "bonferroni", "C4.5")):
        pairs = post_hoc(found, method, baseline)
        alone = [2 * float(stats.norm.sf(abs(pair.z))) for pair in pairs]
        assert [pair.p_value for pair in pairs] == pytest.approx(alone)
        assert [pair.p_adjusted for pair in pairs] == pytest.approx(multipletests(alone, method=peer)[1].tolist())


def test_bars_join_the_systems_that_lie_within_the_critical_difference() -> None:
    drawn = critical_difference(friedman(C45))
    assert drawn.systems == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    # Mean ranks 1.964, 2, 2.893, 3.143: the farthest two lie 1.179 apart, less than 1.25.
    assert drawn.bars == (drawn.systems,)
    dunn = critical_difference(friedman(C45), level=0.9)
    assert dunn.bars == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))


def test_systems_that_are_always_tied_have_no_statistic() -> None:
    found = friedman({"a": [1, 2], "b": [1, 2], "c": [1, 2]})
    assert (found.chi2.value, found.chi2.p_value) == (0.0, 1.0)
    assert found.chi2_ties.value is None
    assert "tied on every data set" in str(found.chi2_ties.reason)


def test_systems_always_in_the_same_order_have_no_f() -> None:
    found = friedman({"a": [3, 3, 3], "b": [2, 2, 2], "c": [1, 1, 1]})
    assert found.chi2.value == pytest.approx(6.0)  # n (k − 1), the largest there is
    assert (found.f.value, found.f.p_value) == (None, None)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"a": [1, 2], "b": [1, 2]}, "needs at least 3 systems; 2 given"),
        ({"a": [1, 2], "b": [1, 2], "c": [1]}, "'a' has 2 values and 'c' has 1"),
        ({"a": [1.0], "b": [1.0], "c": [1.0]}, "at least 2 data sets"),
        ({"a": [1, 2], "b": [1, float("nan")], "c": [1, 2]}, "'b' has a value that is not a finite number"),
    ],
)
def test_tables_that_cannot_be_ranked_are_refused(table: dict[str, list[float]], words: str) -> None:
    with pytest.raises(DataError, match=words):
        friedman(table)


def test_a_baseline_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionError, match="baseline is 'C5'"):
        post_hoc(friedman(C45), "holm", baseline="C5")


# ---------------------------------------------------------------------- Cochran's Q
@pytest.mark.parametrize("k", [2, 3, 5])
def test_cochrans_q_is_that_of_statsmodels_and_mlxtend(k: int) -> None:
    rng = np.random.default_rng(k)
    right = rng.random((60, k)) < np.linspace(0.6, 0.8, k)
    found = cochrans_q(right)
    expected = statsmodels_q(right.astype(int))
    assert found.value == pytest.approx(float(expected.statistic), rel=1e-10)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)
    q, p = peer_q(np.ones(60, int), *right.T.astype(int))
    assert (found.value, found.p_value) == pytest.approx((float(q), float(p)), rel=1e-9)


def test_patterns_with_counts_stand_for_so_many_items() -> None:
    patterns = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]])
    counts = np.array([7, 3, 5, 0, 4])
    found = cochrans_q(patterns, counts)
    expected = statsmodels_q(np.repeat(patterns, counts, axis=0))
    assert found.value == pytest.approx(float(expected.statistic), rel=1e-10)
    assert (found.n, found.disagreements) == (19, 15)


def test_items_on_which_all_agree_do_not_matter() -> None:
    patterns = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]]
    few, many = (cochrans_q(patterns, [7, 3, 5, x, y]) for x, y in ((0, 0), (1000, 50)))
    assert (few.value, few.p_value) == (many.value, many.p_value)


def test_two_systems_give_mcnemars_statistic() -> None:
    found = cochrans_q([[1, 1], [1, 0], [0, 1], [0, 0]], [50, 12, 5, 9])
    expected = mcnemar([[50, 12], [5, 9]], exact=False, correction=False)
    assert (found.value, found.p_value) == pytest.approx((float(expected.statistic), float(expected.pvalue)))


def test_systems_that_never_disagree_cannot_differ() -> None:
    found = cochrans_q([[1, 1, 1], [0, 0, 0]], [5, 2])
    assert (found.value, found.p_value, found.disagreements) == (0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("patterns", "counts", "words"),
    [([1, 0], None, "shape"), ([[1, 2]], None, "right"), ([[1, 0]], [1, 2], "2 counts"), ([[1, 0]], [-1], "whole")],
)
def test_patterns_that_make_no_sense_are_refused(patterns: object, counts: object, words: str) -> None:
    with pytest.raises(DataError, match=words):
        cochrans_q(patterns, counts)


# ---------------------------------------------------------------------- values that differ by rounding
ROUNDED = {  # 0.9600000000000002 is the mean of the same five folds, added up in another order
    "lr": [0.9807, 0.9832, 0.9600000000000002, 0.9204, 0.9466],
    "nb": [0.9385, 0.9663, 0.9533, 0.8069, 0.8735],
    "tree": [0.9174, 0.8876, 0.9600000000000002, 0.7858, 0.9047],
    "knn": [0.9649, 0.9494, 0.96, 0.9444, 0.9468],
}


def test_values_that_differ_by_rounding_alone_share_a_rank_as_they_do_for_scipy_once_rounded() -> None:
    whole = {name: np.round(values, 10) for name, values in ROUNDED.items()}
    found = friedman(ROUNDED)
    ranks = stats.rankdata(-np.stack(list(whole.values()), axis=1), axis=1).mean(axis=0)
    assert found.mean_ranks == pytest.approx(ranks)
    peer = stats.friedmanchisquare(*whole.values())
    assert found.chi2_ties.value == pytest.approx(peer.statistic)
    assert found.chi2_ties.p_value == pytest.approx(peer.pvalue)
    assert found == friedman(whole)
    assert critical_difference(found) == critical_difference(friedman(whole))
    assert post_hoc(found, "holm") == post_hoc(friedman(whole), "holm")


def test_ranks_and_signed_ranks_tie_the_same_values() -> None:
    steps = [0.0, 1e-17, 1e-16, 5e-16, 9e-16, 1.1e-15, 2e-12, 1e-10, 1e-6]
    for step in steps:
        a, b = [0.3, 0.9, 0.5], [0.2, 0.9 + step, 0.6]
        tied = friedman({"a": a, "b": b, "c": [0.0, 0.0, 0.0]}).tied
        assert tied == (compare_values(a, b, unit="dataset").disagreements == 2)


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_a_frame_with_a_column_for_each_system_is_ranked_as_its_columns_are(library: str) -> None:
    made: Any = import_module(library)
    frame = made.table if library == "pyarrow" else made.DataFrame
    assert friedman(frame(C45)) == friedman(C45)
    with pytest.raises(DataError, match="column 'name' holds text"):
        friedman(frame({"name": [f"d{i}" for i in range(14)], **C45}))
