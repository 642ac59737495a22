"""Which side is better: verdicts, gates, ranks and one-sided tests against definitions and hand counts."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import adjusted_rand_score

import assay
from assay.jobs.comparison.disagreements import disagreements
from assay.jobs.gates import Gates, state
from assay.uncertainty.many.ranks import critical_difference, friedman

MOSTLY_LOWER = [-1.0] * 20 + [100.0]  # lower twenty times, and higher on average


def answers(seed: int, n: int = 400, classes: int = 2, **right: float) -> dict[str, Any]:
    """Gold labels, and systems that are right with the probabilities that are named."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    wrong = (y + rng.integers(1, classes, n)) % classes
    return {"gold": y, **{name: np.where(rng.random(n) < p, y, wrong) for name, p in right.items()}}


# ---------------------------------------------------------------------- verdicts
@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_nobody_is_called_better_where_ranks_or_signs_point_the_other_way_than_the_mean(test: Any) -> None:
    for alternative in ("two-sided", "less"):
        c = assay.compare_values(MOSTLY_LOWER, [0] * 21, test=test, unit="dataset", alternative=alternative)
        assert c.difference is not None
        assert c.difference > 0
        assert c.p_value is not None
        assert c.p_value < 0.001
        assert c.outcome == "undecided"
        assert "is not a test of the mean, whose interval contains 0" in c.verdict
        assert "finds that B tends to be higher, which is lower on average" in c.verdict


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_what_ranks_or_signs_find_is_said_where_the_means_are_equal(test: Any) -> None:
    c = assay.compare_values([-1.0] * 20 + [20.0], [0] * 21, test=test, unit="dataset")
    assert c.difference == 0
    assert c.outcome == "undecided"
    assert "finds that B tends to be higher, which is not higher on average" in c.verdict


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@pytest.mark.parametrize(("higher_is_better", "outcome"), [(True, "worse"), (False, "better")])
def test_ranks_and_signs_that_agree_with_the_mean_decide(test: Any, higher_is_better: bool, outcome: str) -> None:
    values = [-1.0] * 20 + [5.0]
    c = assay.compare_values(values, [0] * 21, test=test, unit="dataset", higher_is_better=higher_is_better)
    assert c.outcome == outcome


def test_the_first_of_5x2_folds_does_not_make_the_system_worse_that_it_speaks_for() -> None:
    first = [0.9, 0.88, -0.5, -0.52, -0.5, -0.48, -0.5, -0.53, -0.5, -0.5]
    c = assay.compare_values(first, [0.0] * 10, unit="fold", test="5x2cv", repeats=5, alternative="greater")
    assert c.difference is not None
    assert c.difference < 0
    assert c.outcome == "undecided"


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_a_p_value_of_just_what_the_level_leaves_is_a_finding(level: float) -> None:
    c = assay.compare([0, 1] * 20, [0, 1] * 20, [0] * 40, measure="accuracy")
    p = {0.8: 0.2, 0.9: 0.1, 0.95: 0.05, 0.99: 0.01}[level]
    assert replace(c, p_value=p, level=level).outcome == "better"
    assert replace(c, p_value=p + 1e-6, level=level).outcome == "undecided"  # the interval leaves out 0 all the same
    assert replace(c, p_value=p + 1e-6, low=-0.1, level=level).outcome == "no difference shown"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_tests_the_side_that_was_asked_for(alternative: Any) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    a, b = (np.where(rng.random(60) < p, y, rng.integers(0, 3, 60)) for p in (0.9, 0.7))
    keep = ~np.eye(60, dtype=bool)
    left = np.array([adjusted_rand_score(y[k], a[k]) - adjusted_rand_score(y[k], b[k]) for k in keep])
    t = (adjusted_rand_score(y, a) - adjusted_rand_score(y, b)) / math.sqrt(59 / 60 * ((left - left.mean()) ** 2).sum())
    expected = {"two-sided": 2 * stats.t.sf(abs(t), 59), "greater": stats.t.sf(t, 59), "less": stats.t.cdf(t, 59)}
    c = assay.compare(y, a, b, measure="adjusted_rand", test="interval", alternative=alternative)
    assert c.p_value == pytest.approx(expected[alternative], abs=1e-6)


@pytest.mark.parametrize("strict", [False, True])
def test_strict_counts_only_the_draws_that_lie_farther_out(strict: bool) -> None:
    # Only A is right 3 times in 10 and only B once: the exact chance that a resampled difference is 4 or more, or 5.
    y = [0, 1] * 5
    a, b = [1 - y[0], *y[1:]], [y[0], *(1 - g for g in y[1:4]), *y[4:]]
    c = assay.compare(y, a, b, measure="accuracy", test="bootstrap", strict=strict, alternative="greater")
    ways = [(i, j) for i in range(11) for j in range(11 - i) if i - j >= (5 if strict else 4)]
    exact = sum(stats.multinomial.pmf([i, j, 10 - i - j], 10, [0.3, 0.1, 0.6]) for i, j in ways)
    assert c.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9999))


def test_few_clusters_can_be_held_against_a_margin() -> None:
    # Quantiles of Student's t with 4 degrees of freedom have no digits left where the level is 1e-9.
    rng = np.random.default_rng(5)
    for _ in range(12):
        y = rng.integers(0, 2, 15)
        a, b = (np.where(rng.random(15) < p, y, 1 - y) for p in (0.7, 0.6))
        cluster = np.arange(15) % 5
        c = assay.compare(y, a, b, measure="accuracy", cluster=cluster, method="cluster_mover", margin=0.1)
        assert c.margin is not None


# ---------------------------------------------------------------------- gates
def test_a_limit_on_the_edge_passes_and_an_interval_that_ends_there_is_open() -> None:
    assert state(0.6, 0.5, 0.7, 0.5, higher=True) == "passed"
    assert state(0.4, 0.3, 0.5, 0.5, higher=True) == "undecided"
    assert state(0.4, 0.3, 0.5, 0.5, higher=False) == "passed"
    assert state(0.6, 0.5, 0.7, 0.5, higher=False) == "undecided"
    assert state(0.6, 0.51, 0.7, 0.5, higher=False) == "failed"


@pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
@pytest.mark.parametrize("systems", [["new", "old"], ["old", "new"]])
def test_no_worse_is_by_errors_what_it_is_by_right_answers(measure: str, systems: list[str]) -> None:
    report = assay.compare_systems(
        answers(4, new=0.75, old=0.85), gold="gold", pred=systems, measures=measure, test="none"
    )
    (c,) = report.comparisons
    assert c.low is not None
    assert c.high is not None
    turned = (c.names[0] == "old") != (measure == "error_rate")
    low, high = (-c.high, -c.low) if turned else (c.low, c.high)  # by how much new is better
    for margin, expected in ((-low + 0.01, "passed"), (-(low + high) / 2, "undecided"), (-high - 0.01, "failed")):
        assert margin > 0
        (check,) = Gates({}, {"old": margin}).checked(report)
        assert check.state == expected


def test_a_gate_on_one_class_leaves_the_others_alone() -> None:
    data = answers(1, classes=3, new=0.85, old=0.8)
    report = assay.compare_systems(
        data, gold="gold", pred=["new", "old"], primary="f1(pos_label=1)", measures=["f1"], n_resamples=199
    )
    (check,) = Gates({}, {"old": 0.01}).checked(report)
    (c,) = report.contest.tested if report.contest else ()
    assert f"{c.low:+.3f} to {c.high:+.3f}".replace("-", "−") in check.sentence


@pytest.mark.parametrize(("measure", "sign"), [("accuracy", 1), ("error_rate", -1)])
def test_of_separate_samples_the_one_with_more_errors_is_not_shown_to_be_no_worse(measure: str, sign: int) -> None:
    y = [0, 1] * 100
    good, bad = ([1 - g if i < wrong else g for i, g in enumerate(y)] for wrong in (20, 60))
    tallies = {name: assay.Confusion.from_predictions(y, p) for name, p in (("good", good), ("bad", bad))}
    for first, second, shown in (("good", "bad", True), ("bad", "good", False)):
        c = assay.compare(tallies[first], tallies[second], measure=measure, unpaired=True, margin=0.05)
        assert c.difference == pytest.approx(sign * (0.2 if shown else -0.2))
        assert c.margin is not None
        assert c.margin.not_worse is shown


# ---------------------------------------------------------------------- ranks and folds
def test_mean_ranks_that_differ_by_just_the_critical_difference_are_told_apart() -> None:
    found = friedman({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]})
    just = critical_difference(found).critical
    assert just is not None
    drawn = critical_difference(replace(found, mean_ranks=(1.0, 1.0 + just / 2, 1.0 + just)))
    assert drawn.bars == (("a", "b"), ("b", "c"))


def test_the_fewest_errors_rank_first() -> None:
    data = answers(2, a=0.6, b=0.9, c=0.75)
    report = assay.compare_systems(data, gold="gold", pred=["a", "b", "c"], measures="error_rate")
    assert report.contest is not None
    assert [(s.system, s.rank) for s in report.contest.standings] == [("b", "1"), ("c", "2"), ("a", "3")]


@pytest.mark.parametrize(("measure", "outcome"), [("accuracy", "better"), ("error_rate", "better")])
def test_a_system_with_fewer_errors_in_every_fold_is_better_by_either_measure(measure: str, outcome: str) -> None:
    data = {**answers(3, n=1000, a=0.95, b=0.5), "fold": np.arange(1000) % 5}
    report = assay.compare_repeated(data, gold="gold", pred=["a", "b"], folds="fold", primary=measure)
    (c,) = report.comparisons
    assert c.outcome == outcome


def test_repetitions_whose_names_read_in_two_ways_are_not_taken_for_one() -> None:
    data = answers(3, n=120, a=0.9, b=0.6) | {"fold": np.arange(120) % 3, "run": [f"x × {i // 60}" for i in range(120)]}
    with pytest.raises(assay.DataError, match="does not tell the repetition from the fold"):
        assay.compare_repeated(data, gold="gold", pred=["a", "b"], folds="fold", repeats="run", primary="accuracy")


# ---------------------------------------------------------------------- rows that differ
@pytest.mark.parametrize(("missing", "ids"), [("wrong", ["1", "3", "4"]), ("skip", ["1", "4"])])
def test_rows_that_were_left_out_are_not_listed_as_different(missing: str, ids: list[str], tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("id,gold\n1,x\n2,y\n3,x\n4,y\n")
    (tmp_path / "a.csv").write_text("id,pred\n1,x\n2,y\n3,x\n4,y\n")
    (tmp_path / "b.csv").write_text("id,pred\n4,x\n2,y\n1,y\n")
    files = {name: str(tmp_path / f"{name}.csv") for name in "ab"}
    found = disagreements(str(tmp_path / "gold.csv"), gold="gold", id="id", systems=files, missing=missing)
    assert [row["id"] for row in found] == ids
