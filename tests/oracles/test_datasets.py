"""Systems over several data sets with folds in each: means by NumPy, tests by SciPy, groups by trying all of them."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score
from statsmodels.stats.multitest import multipletests

import assay
from assay.jobs.answers.contest import Contest
from assay.uncertainty.many.ranks import critical_difference, friedman
from tests.oracles.test_friedman import C45

Table = dict[str, list[Any]]


def contest(report: assay.Report) -> Contest:
    assert report.contest is not None
    return report.contest


def folded(seed: int, gains: dict[str, float], sets: int = 10) -> Table:
    """Values of every system in 3 to 6 folds of each data set, the rows in no order."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(sets):
        base = rng.uniform(0.5, 0.9)
        for fold in range(3 + d % 4):
            values = {name: round(base + gain + rng.normal(0, 0.02), 4) for name, gain in gains.items()}
            rows.append({"data": f"set {d}", "fold": fold, **values})
    order = rng.permutation(len(rows))
    return {name: [rows[i][name] for i in order] for name in rows[0]}


def means(table: Table, system: str) -> list[float]:
    """The mean over the folds of each data set, data sets by name."""
    held = np.array(table["data"])
    return [float(np.mean(np.array(table[system])[held == name])) for name in sorted(set(table["data"]))]


SYSTEMS = {"old": 0.0, "new": 0.01, "big": 0.02, "odd": 0.012}


# ---------------------------------------------------------------------- folds within data sets
def test_folds_are_averaged_within_each_data_set_before_data_sets_are_compared() -> None:
    table = folded(1, {"old": 0.0, "new": 0.01})
    report = assay.compare_repeated(table, values=["old", "new"], datasets="data", folds="fold")
    c = report.comparisons[0]
    a, b = means(table, "old"), means(table, "new")
    assert c.n == 10
    assert c.difference == pytest.approx(np.mean(a) - np.mean(b), rel=1e-9)
    assert c.test == "wilcoxon"
    assert c.p_value == pytest.approx(stats.wilcoxon(a, b, method="exact").pvalue, rel=1e-9)


def test_folds_repeated_several_times_are_averaged_too() -> None:
    table = folded(2, {"old": 0.0, "new": 0.01})
    twice: Table = {name: values * 2 for name, values in table.items()}
    twice["again"] = [1] * len(table["fold"]) + [2] * len(table["fold"])
    twice["new"] = [x + 0.01 * i for i, x in zip(twice["again"], twice["new"], strict=True)]
    report = assay.compare_repeated(twice, values=["old", "new"], datasets="data", folds="fold", repeats="again")
    spread = contest(report).spread
    assert spread is not None
    assert spread.within is not None
    assert spread.within.folds == tuple(2 * (3 + d % 4) for d in range(10))
    assert spread.values["new"] == pytest.approx([x + 0.015 for x in means(table, "new")])


@pytest.mark.parametrize("measure", ["accuracy", "f1(average=macro)"])
def test_a_measure_of_predictions_is_computed_in_each_fold_and_then_averaged(measure: str) -> None:
    rng = np.random.default_rng(5)
    n = 900
    table: Table = {"data": [f"d{i % 6}" for i in range(n)], "part": [(i // 6) % 3 for i in range(n)]}
    gold = rng.choice(["x", "y"], n)
    table["gold"] = gold.tolist()
    for name, right in (("a", 0.7), ("b", 0.8), ("c", 0.75)):
        table[name] = np.where(rng.random(n) < right, gold, np.where(gold == "x", "y", "x")).tolist()
    report = assay.compare_repeated(
        table, gold="gold", pred=["a", "b", "c"], datasets="data", folds="part", primary=measure
    )
    spread = contest(report).spread
    assert spread is not None
    assert spread.within is not None
    for name in "abc":
        for d, found, sd in zip(spread.names, spread.values[name], spread.within.sd[name], strict=True):
            each = []
            for fold in range(3):
                rows = [i for i in range(n) if table["data"][i] == d and table["part"][i] == fold]
                y, p = ([table[column][i] for i in rows] for column in ("gold", name))
                each.append(accuracy_score(y, p) if measure == "accuracy" else f1_score(y, p, average="macro"))
            assert found == pytest.approx(np.mean(each), rel=1e-9)
            assert sd == pytest.approx(np.std(each, ddof=1), rel=1e-9)


def test_more_folds_than_a_column_may_have_groups_are_counted_over_all_data_sets() -> None:
    rng = np.random.default_rng(6)
    n = 30 * 10 * 4
    gold = rng.choice(["x", "y"], n)
    table: Table = {"data": [i % 30 for i in range(n)], "fold": [(i // 30) % 10 for i in range(n)]}
    table |= {"gold": gold.tolist(), "a": gold.tolist(), "b": gold[::-1].tolist()}
    report = assay.compare_repeated(
        table, gold="gold", pred=["a", "b"], datasets="data", folds="fold", primary="accuracy"
    )
    spread = contest(report).spread
    assert spread is not None
    assert spread.values["a"] == (1.0,) * 30


def test_unequal_numbers_of_folds_are_said_and_every_data_set_counts_once() -> None:
    table = folded(3, {"old": 0.0, "new": 0.01})
    report = assay.compare_repeated(table, values=["old", "new"], datasets="data", folds="fold")
    assert any("3 to 6; every data set counts once" in note for note in report.notes)
    even = {name: [v for f, v in zip(table["fold"], values, strict=True) if f < 3] for name, values in table.items()}
    report = assay.compare_repeated(even, values=["old", "new"], datasets="data", folds="fold")
    assert any(note.startswith("each value is the mean over the 3 folds of each data set.") for note in report.notes)


def test_means_that_are_equal_on_paper_share_a_rank() -> None:
    """0.1 + 0.1 + 0.4 and 0.1 + 0.2 + 0.3 differ in the last bits of a float, and not on paper."""
    table: Table = {"data": [], "fold": [], "a": [], "b": [], "c": []}
    for d in range(6):
        table["data"] += [d] * 3
        table["fold"] += [0, 1, 2]
        table["a"] += [0.1, 0.1, 0.4]
        table["b"] += [0.1, 0.2, 0.3]
        table["c"] += [0.0, 0.01 * d, 0.1]
    assert math.fsum([0.1, 0.1, 0.4]) != math.fsum([0.1, 0.2, 0.3])
    ranking = contest(assay.compare_repeated(table, values=["a", "b", "c"], datasets="data", folds="fold")).ranking
    assert ranking is not None
    assert dict(zip(ranking.tested.systems, ranking.tested.mean_ranks, strict=True)) == {"a": 1.5, "b": 1.5, "c": 3.0}


# ---------------------------------------------------------------------- Friedman's test
def test_friedmans_test_is_that_of_the_means_and_one_form_is_to_be_reported() -> None:
    table = folded(4, SYSTEMS)
    ranking = contest(assay.compare_repeated(table, values=list(SYSTEMS), datasets="data", folds="fold")).ranking
    assert ranking is not None
    columns = [means(table, name) for name in SYSTEMS]
    chi2 = stats.friedmanchisquare(*columns)
    n, k = 10, len(SYSTEMS)
    f = (n - 1) * chi2.statistic / (n * (k - 1) - chi2.statistic)
    report = ranking.to_dict()
    (told,) = (test for test in report["tests"] if test["report"])
    assert told["name"] == "Iman–Davenport F"
    assert told["value"] == pytest.approx(f, rel=1e-9)
    assert told["p"] == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)
    (also,) = (test for test in report["tests"] if not test["report"])
    assert also["value"] == pytest.approx(chi2.statistic, rel=1e-9)
    assert also["p"] == pytest.approx(chi2.pvalue, rel=1e-9)
    ranks = stats.rankdata(-np.array(columns), axis=0).mean(axis=1)
    assert report["mean ranks"] == pytest.approx(dict(zip(SYSTEMS, ranks, strict=True)))


def test_with_ties_the_corrected_form_is_reported() -> None:
    found = friedman(C45)
    chi2 = stats.friedmanchisquare(*C45.values()).statistic  # SciPy corrects for ties
    f = 13 * chi2 / (14 * 3 - chi2)
    assert found.reported.name == "Iman–Davenport F, corrected for ties"
    assert found.reported.value == pytest.approx(f, rel=1e-9)
    assert found.reported.p_value == pytest.approx(stats.f.sf(f, 3, 39), rel=1e-9)
    assert found.tests[0] is found.reported
    assert len(found.tests) == 4


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ({"a": [3, 3, 3], "b": [2, 2, 2], "c": [1, 1, 1]}, "Friedman χ²"),  # F has no bound
        ({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, "Friedman χ², corrected for ties"),  # which has a reason, not a value
    ],
)
def test_exactly_one_form_is_reported_where_f_has_no_value(table: dict[str, list[float]], name: str) -> None:
    found = friedman(table)
    assert found.reported.name == name
    assert sum(test is found.reported for test in found.tests) == 1


# ---------------------------------------------------------------------- bars
def cliques(names: list[str], joined: set[frozenset[str]]) -> set[frozenset[str]]:
    """Every largest set of two or more systems of which any two are joined, by trying all sets."""
    sets = [
        frozenset(some)
        for size in range(2, len(names) + 1)
        for some in combinations(names, size)
        if all(frozenset(pair) in joined for pair in combinations(some, 2))
    ]
    return {some for some in sets if not any(some < other for other in sets)}


def drawn_values(seed: int, k: int, n: int) -> dict[str, list[float]]:
    """Values of k systems, rounded so that some tie."""
    rng = np.random.default_rng(seed)
    step = rng.uniform(0.01, 0.06)
    return {f"s{i}": np.round(rng.normal(step * i, 0.05, n), 2).tolist() for i in rng.permutation(k)}


@pytest.mark.parametrize("method", ["nemenyi", "holm"])
@pytest.mark.parametrize(("k", "n"), [(3, 8), (5, 12), (8, 20)])
def test_bars_are_the_largest_groups_of_which_no_two_are_told_apart(k: int, n: int, method: str) -> None:
    several = 0
    for seed in range(25):
        values = drawn_values(seed, k, n)
        ranks = dict(zip(values, stats.rankdata(-np.array(list(values.values())), axis=0).mean(axis=1), strict=True))
        pairs = list(combinations(values, 2))
        z = np.array([abs(ranks[a] - ranks[b]) for a, b in pairs]) / np.sqrt(k * (k + 1) / (6 * n))
        if method == "nemenyi":
            p = stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
        else:
            p = multipletests(2 * stats.norm.sf(z), method="holm")[1]
        joined = {frozenset(pair) for pair, each in zip(pairs, p, strict=True) if each > 0.05}
        found = critical_difference(friedman(values), method=method)
        assert {frozenset(bar) for bar in found.bars} == cliques(list(values), joined), f"seed {seed}"
        assert len(set(found.bars)) == len(found.bars)
        several += len(found.bars) > 1
    assert several > 3


def test_with_a_baseline_the_bar_joins_it_with_those_that_holm_does_not_tell_from_it() -> None:
    values = drawn_values(7, 7, 15)
    ranks = dict(zip(values, stats.rankdata(-np.array(list(values.values())), axis=0).mean(axis=1), strict=True))
    for baseline in values:
        others = [name for name in values if name != baseline]
        z = np.array([abs(ranks[name] - ranks[baseline]) for name in others]) / np.sqrt(7 * 8 / (6 * 15))
        p = multipletests(2 * stats.norm.sf(z), method="holm")[1]
        near = {baseline, *(name for name, each in zip(others, p, strict=True) if each > 0.05)}
        found = critical_difference(friedman(values), method="holm", baseline=baseline)
        assert {frozenset(bar) for bar in found.bars} == ({frozenset(near)} if len(near) > 1 else set())
        assert found.critical is None


def test_demsars_figure_at_ten_percent_joins_the_two_groups_that_he_names() -> None:
    """He finds C4.5 worse than C4.5+m and C4.5+m+cf, and cannot say to which of the two groups C4.5+cf belongs."""
    found = critical_difference(friedman(C45), level=0.9)
    assert {frozenset(bar) for bar in found.bars} == {
        frozenset(("C4.5+m+cf", "C4.5+m", "C4.5+cf")),
        frozenset(("C4.5+cf", "C4.5")),
    }
