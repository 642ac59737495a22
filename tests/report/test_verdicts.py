"""Every outcome of a comparison in words, with its numbers; each was read by a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assay
from assay.options import OUTCOMES
from assay.uncertainty.results import Comparison
from tests.snapshot import Snapshot


def labels(only_a: int, only_b: int, both: int, neither: int) -> tuple[list[int], list[int], list[int]]:
    """Gold labels, half of them 1, and two systems with so many right answers alone, together and never."""
    y, a, b = [], [], []
    for right_a, right_b, n in ((1, 0, only_a), (0, 1, only_b), (1, 1, both), (0, 0, neither)):
        for i in range(n):
            gold = i % 2
            y.append(gold)
            a.append(gold if right_a else 1 - gold)
            b.append(gold if right_b else 1 - gold)
    return y, a, b


def accuracy(*counts: int, **options: Any) -> Comparison:
    return assay.compare(*labels(*counts), measure="accuracy", names=("new", "old"), **options)


def corrected(*counts: int) -> Comparison:
    y, a, b = labels(*counts)
    table = {"gold": y, "new": a, "old": b, "other": a[::-1], "third": b[::-1]}
    report = assay.compare_systems(table, gold="gold", pred=["new", "old", "other", "third"], measures="accuracy")
    return next(c for c in report.comparisons if c.names == ("new", "old"))


CASES: dict[str, Callable[[], Comparison]] = {
    "better": lambda: accuracy(40, 10, 400, 50),
    "worse": lambda: accuracy(10, 40, 400, 50),
    "better_within_the_margin": lambda: accuracy(40, 10, 4000, 50, margin=0.03),
    "better_where_lower_is_better": lambda: assay.compare(
        *labels(40, 10, 400, 50), measure="error_rate", names=("new", "old")
    ),
    "greater_shown": lambda: accuracy(40, 10, 400, 50, alternative="greater"),
    "greater_not_shown": lambda: accuracy(20, 18, 400, 50, alternative="greater"),
    "less_not_shown": lambda: accuracy(40, 10, 400, 50, alternative="less"),
    "no_difference_shown": lambda: accuracy(20, 15, 400, 50),
    "no_difference_shown_after_correction": lambda: corrected(20, 9, 300, 50),
    "too_few_disagreements": lambda: accuracy(3, 1, 400, 50),
    "equivalent": lambda: accuracy(20, 20, 4000, 500, margin=0.02),
    "undecided": lambda: accuracy(20, 15, 400, 50, margin=0.01),
    "undecided_but_not_worse": lambda: accuracy(30, 15, 400, 50, margin=0.05, alternative="less"),
    "undecided_without_a_test": lambda: accuracy(20, 15, 400, 50, test="none"),
    "identical": lambda: accuracy(0, 0, 400, 50),
    "identical_within_a_margin": lambda: accuracy(0, 0, 400, 50, margin=0.02),
    "not_comparable": lambda: assay.compare(
        [0] * 20, [0] * 20, [0] * 19 + [1], measure="recall", names=("new", "old"), labels=[0, 1]
    ),
    "different": lambda: assay.compare(
        *(assay.Confusion.from_predictions([1] * n + [0] * (400 - n), [1] * 400) for n in (80, 140)),
        measure="prevalence",
        names=("spring", "fall"),
        unpaired=True,
    ),
    "bootstrap": lambda: accuracy(40, 10, 400, 50, test="bootstrap"),
    "mcnemar": lambda: accuracy(20, 15, 400, 50, test="mcnemar_midp"),
    "unpaired": lambda: assay.compare(
        *(assay.Confusion.from_predictions(y, a) for y, a, _ in (labels(0, 0, 400, 50), labels(0, 0, 350, 100))),
        measure="accuracy",
        names=("new", "old"),
        unpaired=True,
    ),
    "folds": lambda: assay.compare_values(
        [0.81, 0.83, 0.79, 0.85, 0.80], [0.79, 0.80, 0.79, 0.82, 0.79], unit="fold", names=("new", "old"), measure="f1"
    ),
    "data_sets": lambda: assay.compare_values(
        [0.81, 0.83, 0.79, 0.85, 0.80, 0.9], [0.79, 0.8, 0.71, 0.82, 0.79, 0.7], unit="dataset", names=("new", "old")
    ),
    "values": lambda: assay.compare_values([1, 2, 1, 2, 2, 2, 0], [4, 5, 5, 4, 3, 2, 1], names=("new", "old")),
}


@pytest.mark.parametrize("case", CASES)
def test_each_outcome_is_said_in_words_that_are_true(case: str, snapshot: Snapshot) -> None:
    c = CASES[case]()
    assert c.outcome in OUTCOMES
    mirrored = {"equivalent": "equivalent", "identical": "no difference shown"}
    wanted = next((outcome for outcome in OUTCOMES if case.replace("_", " ").startswith(outcome)), mirrored.get(case))
    assert wanted is None or c.outcome == wanted
    told = f"outcome: {c.outcome}\n{c}\n\nH0: {c.h0}\nH1: {c.h1}\nwhy this test: {c.why or '-'}"
    snapshot(f"verdicts/{case}", told)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_shares_are_open_only_where_test_and_interval_differ_and_then_both_p_values_are_said(alternative: str) -> None:
    rng = np.random.default_rng(0)
    seen = []
    for _ in range(300):
        b = int(rng.integers(3, 30))
        c = accuracy(b, int(rng.integers(0, b)), 100, 20, alternative=alternative)
        assert c.interval is not None
        assert c.p_value is not None
        found, apart = c.p_value <= 0.05, 0.0 not in c.interval
        assert c.outcome == ("undecided" if found != apart else "better" if found else "no difference shown")
        assert ("by the interval" in str(c)) == (found != apart)
        assert "close case" not in c.verdict
        seen.append(found != apart)
    assert 0 < sum(seen) < 30


def test_ten_against_three_is_shown_one_sided_beside_a_limit_that_leaves_out_zero() -> None:
    c = accuracy(10, 3, 38, 2, alternative="greater")
    assert c.outcome == "better"
    assert c.low is not None
    assert c.low > 0
    assert c.high is None
    assert c.both_sides[0] is not None
    assert c.both_sides[0] < 0  # which a two-sided interval of 95% would not
    assert "(95% one-sided, from +0." in str(c)


def test_few_outcomes_are_named_where_an_interval_shows_what_the_test_cannot() -> None:
    c = accuracy(4, 0, 100, 20)
    assert c.outcome == "undecided"
    assert c.least_p == pytest.approx(0.5**4)
    assert "too few possible outcomes to give a p-value below 0.062" in c.verdict


def test_a_test_that_finds_what_the_interval_does_not_leaves_the_verdict_open() -> None:
    """Scores that spread differently, close to an area of 1: exchanging finds more than the interval shows."""
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(60):
        y = np.arange(300) < 100
        a, b = rng.normal(size=300) + 3.3 * y, rng.normal(size=300) * np.where(y, 2.5, 0.5) + 6.5 * y
        c = assay.compare(y, a, b, measure="roc_auc")
        assert c.p_value is not None
        assert c.interval is not None
        torn = c.p_value <= 0.05 and 0.0 in c.interval
        assert (c.outcome == "undecided") == torn
        if torn:
            assert "tells them apart (p = " in c.verdict
            assert "by the interval), but the interval contains 0" in c.verdict
        seen.add(c.outcome)
    assert "undecided" in seen


def test_what_could_have_been_found_is_said_for_the_disagreement_that_was_seen() -> None:
    """Where disagreement grows with the difference, as it usually does, less is found: so the sentence must say it."""
    assert "at this rate of disagreement the test had 80% power to detect" in accuracy(20, 15, 400, 50).verdict
    page = corrected(20, 15, 400, 50)
    assert "at least 80% power" in page.verdict
