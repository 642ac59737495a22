"""Paired values: what each test is about, values that have ends, and verdicts that agree with their interval."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from assay.errors import DataError, OptionError
from assay.uncertainty.results import Comparison
from assay.uncertainty.values.compare import compare_values
from tests.oracles.cases import close

Floats = NDArray[np.float64]
Side = Literal["two-sided", "greater", "less"]
SIDES: tuple[Side, ...] = ("two-sided", "greater", "less")


def pairs(seed: int, n: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return rng.normal(0.4, 1, size=n), rng.normal(size=n)


# ---------------------------------------------------------------------- what each test is about
def test_every_test_of_values_names_what_it_is_about() -> None:
    a, b = pairs(3, 20)
    said = {test: compare_values(a, b, test=test) for test in ("randomization", "wilcoxon", "sign", "t", "bootstrap")}
    for test in ("randomization", "wilcoxon"):
        assert "symmetric about 0" in said[test].h0
    assert "pseudo-median" in said["wilcoxon"].h1
    assert "not about their mean" in said["wilcoxon"].h1
    assert "higher equally often" in said["sign"].h0
    assert "nor about the mean" in said["sign"].h1
    for test in ("t", "bootstrap"):
        assert said[test].h0 == "the mean difference (A minus B) is 0 in the population of items."
    less = compare_values(a, b, test="t", alternative="less")
    assert less.h0.startswith("the mean difference (A minus B) is at least 0")


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_names_with_braces_stand_in_the_sentences_as_they_are(test: str) -> None:
    a, b = pairs(3, 20)
    assert "m{0}" in compare_values(a, b, names=("m{0}", "{}"), test=test, alternative="greater").h1


def test_a_level_that_leaves_no_one_sided_limit_is_refused() -> None:
    with pytest.raises(OptionError, match=r"a one-sided limit needs one above 0\.5"):
        compare_values(*pairs(3, 20), level=0.5, alternative="greater")


def skewed_ties(seed: int, n: int, size: int) -> Iterator[tuple[Floats, Floats]]:
    """Two systems with equal means whose differences are lognormal but for their mean."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        yield rng.lognormal(0, 1, n) - math.exp(0.5), np.zeros(n)


def test_ranks_and_signs_of_skewed_differences_with_a_mean_of_0_give_no_verdict_on_the_better() -> None:
    found = {"wilcoxon": 0, "sign": 0}
    for a, b in skewed_ties(1, 60, 100):
        for test in found:
            c = compare_values(a, b, test=test)
            assert c.p_value is not None
            if c.p_value <= 0.05 and c.interval is not None and 0 in c.interval:
                found[test] += 1
                assert c.outcome == "undecided"
                assert "is not a test of the mean, whose interval contains 0" in c.verdict
                assert "only just" not in str(c)
    assert min(found.values()) >= 30  # there was something to be said


@pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon"])
@pytest.mark.parametrize("n", [15, 30])
def test_skewed_differences_are_said_to_be_skewed_and_symmetric_ones_seldom(test: str, n: int) -> None:
    def said(c: Comparison) -> bool:
        return any("the differences are skewed" in note for note in c.notes)

    flagged = [said(compare_values(a, b, test=test)) for a, b in skewed_ties(2, n, 100)]
    rng = np.random.default_rng(3)
    falsely = [said(compare_values(rng.normal(size=n), np.zeros(n), test=test)) for _ in range(100)]
    assert np.mean(flagged) >= 0.75
    assert np.mean(falsely) <= 0.25


def test_differences_too_few_to_look_skewed_are_said_to_be_too_few() -> None:
    a, b = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6], [0.0] * 8
    assert any("8 differences are too few to see whether they are skewed" in n for n in compare_values(a, b).notes)
    shares = compare_values([1, 1, 0, 1, 0, 1, 1, 0], [0, 1, 0, 0, 0, 1, 0, 0])
    assert not any("skewed" in n for n in shares.notes)


def test_the_bootstrap_of_few_values_says_that_it_is_liberal() -> None:
    rng = np.random.default_rng(4)
    for n, expected in ((8, True), (30, True), (31, False)):
        notes = compare_values(rng.normal(size=n), rng.normal(size=n), test="bootstrap", n_resamples=99).notes
        assert any("bootstrap test is liberal with few values" in note for note in notes) == expected
    clusters = compare_values(rng.normal(size=60), rng.normal(size=60), test="bootstrap", cluster=list(range(20)) * 3)
    assert any("bootstrap test of whole clusters is liberal" in note for note in clusters.notes)


# ---------------------------------------------------------------------- values with a declared range
def test_the_interval_of_values_with_ends_has_a_quarter_pair_at_each_end() -> None:
    a, b = np.array([0.2, 0.9, 0.5, 0.6, 1.0]), np.array([0.1, 0.9, 0.0, 0.7, 0.4])
    c = compare_values(a, b, range=(0, 1))
    assert c.method == "bounded_t"
    # Half a pair more: a quarter with the largest difference there can be, a quarter with the smallest.
    d, weight = np.append(a - b, [1, -1]), np.array([1.0] * 5 + [0.25, 0.25])
    mean = float((weight * d).sum() / 5.5)
    off = (a - b - (a - b).mean()) ** 2
    df = min(2 * off.sum() ** 2 / (off**2).sum() - 1, 4)  # twice as many as carry the variance, and never more than 4
    half = float(stats.t.ppf(0.975, df)) * math.sqrt(float((weight * (d - mean) ** 2).sum()) / (4.5 * 5.5))
    center = float((a - b).mean())
    assert (c.low, c.high) == close((center - half, center + half))
    tenfold = compare_values(10 * a - 3, 10 * b - 3, range=(-3, 7))
    assert (tenfold.low, tenfold.high) == close((10 * (center - half), 10 * (center + half)))


def test_values_outside_a_declared_range_are_refused_with_their_place() -> None:
    with pytest.raises(DataError, match=r"the value of B for item 2 is 1.5, outside the declared range from 0 to 1"):
        compare_values([0.1, 0.2], [0.3, 1.5], range=(0, 1))
    with pytest.raises(OptionError, match=r"range is \(1, 0\); give the lowest and the highest possible value"):
        compare_values([0.1, 0.2], [0.3, 0.5], range=(1, 0))


def test_rare_large_differences_of_values_with_ends_are_held_by_the_interval() -> None:
    # One query in ten loses much, and the others gain as much in sum.
    rng, held, plain, size = np.random.default_rng(5), 0, 0, 300
    for _ in range(size):
        d = np.where(rng.random(25) < 0.1, -0.4, 0.4 / 9)
        a, b = 0.95 + np.minimum(d, 0), 0.95 - np.maximum(d, 0)
        ends, without = compare_values(a, b, range=(0, 1)), compare_values(a, b)
        held += ends.interval is not None and 0 in ends.interval
        plain += without.interval is not None and 0 in without.interval
    assert held / size >= 0.97
    assert plain / size <= 0.95


# ---------------------------------------------------------------------- test and interval together
@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
@pytest.mark.parametrize("alternative", SIDES)
def test_a_verdict_on_values_never_contradicts_the_interval_beside_it(test: str, alternative: Side) -> None:
    rng, seen = np.random.default_rng(6), set()
    for _ in range(120):
        n = int(rng.integers(6, 40))
        d = [rng.normal(0.3, 1, n), rng.lognormal(0, 1, n) - 1.4, rng.standard_t(2, n)][int(rng.integers(3))]
        c = compare_values(d, np.zeros(n), test=test, alternative=alternative, n_resamples=199)
        assert c.interval is not None
        assert (c.low is None, c.high is None) == (alternative == "less", alternative == "greater")
        inside, found = 0 in c.interval, (c.p_value or 0) <= 0.05
        seen.add(c.outcome)
        if c.outcome in ("better", "worse"):
            assert found
            assert not inside
        elif c.outcome == "no difference shown":
            assert not found
            assert inside
        else:
            assert inside == found
    assert {"no difference shown", "better", "worse"} & seen
    assert "undecided" in seen or test == "t"


def test_folds_that_test_and_interval_see_differently_are_undecided_and_notes_tell_of_neighbors() -> None:
    rng, torn = np.random.default_rng(7), 0
    for _ in range(200):
        a, b = rng.normal(0.8, 0.02, 10), rng.normal(0.76, 0.02, 10)
        c = compare_values(a, b, unit="fold", test="5x2cv", repeats=5)
        assert c.interval is not None
        assert c.p_value is not None
        apart = 0 not in c.interval
        if apart != (c.p_value <= 0.05):
            torn += 1
            assert c.outcome == "undecided"
        assert any(
            "nearest-neighbor learners, this test at 5% found a difference in 13 to 19%" in note for note in c.notes
        )
    assert torn >= 20
    folds = rng.normal(0.8, 0.02, 10), rng.normal(0.76, 0.02, 10)
    single, repeated = (compare_values(*folds, unit="fold", repeats=r) for r in (1, 5))
    assert any("found a difference in 2 to 9% of samples" in note for note in single.notes)
    assert any("found a difference in 6 to 16% of samples" in note for note in repeated.notes)


def test_how_often_skewed_values_are_rejected_is_said_alike_everywhere_and_is_so() -> None:
    """SciPy's t test, and a bootstrap of the mean counted out, of lognormal differences whose true mean is 0."""
    rng, docs = np.random.default_rng(11), Path(__file__).parents[2] / "docs"
    a, b = np.array([0.1, 0.2, 0.15, 0.11, 0.12, 4.0, 0.1, 0.3, 0.2, 0.1, 0.25]), np.zeros(11)

    def figures(test: str) -> tuple[int, int]:
        (note,) = (note for note in compare_values(a, b, test=test).notes if "skewed" in note)
        found = re.search(r"rejected (\d+) to (\d+)% of samples at 5% \(8 to 50 lognormal values\)", note)
        assert found is not None
        for page in ("howto/values.md", "decisions/0010-comparing.md"):
            assert f"{found[1]} to {found[2]}%" in (docs / page).read_text(encoding="utf-8")
        return int(found[1]), int(found[2])

    def rejected(test: str, n: int, samples: int = 8000) -> float:
        d = rng.lognormal(size=(samples, n)) - math.exp(0.5)
        if test == "t":
            return 100 * float(np.mean(stats.ttest_1samp(d, 0, axis=1).pvalue <= 0.05))
        mean, weights = d.mean(1, keepdims=True), rng.multinomial(n, np.full(n, 1 / n), size=999) / n
        parts = zip(np.array_split(d, 20), np.array_split(mean, 20), strict=True)
        far = np.concatenate([(np.abs(x @ weights.T - m) >= np.abs(m)).sum(1) for x, m in parts])
        return 100 * float(((far + 1) / 1000 <= 0.05).mean())

    assert figures("randomization") == figures("t")
    for test in ("t", "bootstrap"):
        least, most = figures(test)
        # Three standard errors of 8,000 samples are about 1 in a hundred, and the figures are rounded.
        assert rejected(test, 8) == pytest.approx(most, abs=1.7)
        assert rejected(test, 50) == pytest.approx(least, abs=1.7)
