"""McNemar's test and the sign test against statsmodels, SciPy and the tables of Fagerland and others (2013)."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm
from statsmodels.stats.contingency_tables import mcnemar as oracle

import assay
from assay import Confusion
from assay.measures.declare.catalogue import parse
from assay.tally.contract.base import Weights
from assay.tally.contract.joint import Joint
from assay.uncertainty.two.discordant import KINDS, Discordant, discordant, mcnemar, sign_test, why_not

PAIRS = [(1, 7), (7, 1), (6, 16), (2, 25), (5, 5), (0, 3), (0, 1), (40, 20), (500, 430), (3, 4)]
pairs = pytest.mark.parametrize(("b", "c"), PAIRS)


def of(b: int, c: int) -> Discordant:
    return Discordant(b, c, b + c + 10)


@pairs
def test_the_exact_test_agrees_with_statsmodels_and_scipy(b: int, c: int) -> None:
    p = mcnemar(of(b, c), "exact").p
    assert p == pytest.approx(oracle([[5, b], [c, 5]], exact=True).pvalue, rel=1e-9)
    assert p == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)


@pairs
@pytest.mark.parametrize("corrected", [False, True])
def test_chi_square_agrees_with_statsmodels(b: int, c: int, corrected: bool) -> None:
    kind = "chi2_corrected" if corrected else "chi2"
    # statsmodels takes 1 off a difference of 0 and gets 1 back; no difference at all is p = 1.
    expected = 1.0 if b == c else oracle([[5, b], [c, 5]], exact=False, correction=corrected).pvalue
    assert mcnemar(of(b, c), kind).p == pytest.approx(expected, rel=1e-9)


@pairs
@pytest.mark.parametrize(("alternative", "side"), [("greater", "greater"), ("less", "less")])
def test_one_sided_exact_tests_agree_with_scipy(b: int, c: int, alternative: str, side: str) -> None:
    expected = binomtest(b, b + c, alternative=side).pvalue  # type: ignore[arg-type]
    assert mcnemar(of(b, c), "exact", alternative).p == pytest.approx(expected, rel=1e-9)
    assert sign_test(b, c, alternative=alternative).p == pytest.approx(expected, rel=1e-9)


@pairs
def test_mid_p_counts_half_of_the_observed_outcome(b: int, c: int) -> None:
    n = b + c
    above = sum(binom.pmf(i, n, 0.5) for i in range(b + 1, n + 1))
    here = float(binom.pmf(b, n, 0.5))
    assert mcnemar(of(b, c), "midp", "greater").p == pytest.approx(above + here / 2, rel=1e-9)
    if b != c:
        smaller = sum(binom.pmf(i, n, 0.5) for i in range(min(b, c)))
        assert mcnemar(of(b, c), "midp").p == pytest.approx(2 * smaller + here, rel=1e-9)
    else:
        assert mcnemar(of(b, c), "midp").p == pytest.approx(1 - here / 2, rel=1e-9)


@pairs
def test_one_sided_chi_square_is_the_tail_of_its_signed_root(b: int, c: int) -> None:
    root = (b - c) / math.sqrt(b + c)
    assert mcnemar(of(b, c), "chi2", "greater").p == pytest.approx(float(norm.sf(root)), rel=1e-9)
    assert mcnemar(of(b, c), "chi2", "less").p == pytest.approx(float(norm.cdf(root)), rel=1e-9)


# Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91, airway hyper-responsiveness: 1 and 7.
@pytest.mark.parametrize(
    ("kind", "printed"), [("chi2", 0.034), ("chi2_corrected", 0.077), ("exact", 0.070), ("midp", 0.039)]
)
def test_published_p_values(kind: str, printed: float) -> None:
    assert mcnemar(Discordant(1, 7, 21), kind).p == pytest.approx(printed, abs=0.0006)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_without_disagreement_p_is_one_and_p_never_passes_one(kind: str, alternative: str) -> None:
    assert mcnemar(Discordant(0, 0, 30), kind, alternative).p == 1
    assert all(0 < mcnemar(of(b, c), kind, alternative).p <= 1 for b in range(6) for c in range(6))


@pytest.mark.parametrize("kind", KINDS)
@pairs
def test_naming_the_systems_the_other_way_round_mirrors_the_test(kind: str, b: int, c: int) -> None:
    assert mcnemar(of(b, c), kind).p == mcnemar(of(c, b), kind).p
    assert mcnemar(of(b, c), kind, "greater").p == mcnemar(of(c, b), kind, "less").p


def test_ties_are_dropped_from_the_sign_test_and_it_says_so() -> None:
    found = sign_test(9, 2, ties=4)
    assert found.p == pytest.approx(binomtest(9, 11).pvalue)
    assert found.notes == ("ties were dropped: 4",)
    assert sign_test(0, 0, ties=3).p == 1


# ---------------------------------------------------------------------- counting
def joint(seed: int = 0, n: int = 200, k: int = 3, **more: object) -> Joint[Confusion]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, y, rng.integers(0, k, n)) for right in (0.8, 0.7))
    return Confusion.joint(y, a, b, **more)  # type: ignore[arg-type]


def counted(measure: str, table: Joint[Confusion], **options: object) -> tuple[Discordant | None, str]:
    found, settled = parse(measure)
    bound = found.bind(table.a, **settled, **options)
    return discordant(table, bound), why_not(table, bound)


def test_all_four_counts_add_up_row_by_row() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    a, b = (np.where(rng.random(200) < right, y, rng.integers(0, 3, 200)) for right in (0.8, 0.7))
    found, why = counted("accuracy", Confusion.joint(y, a, b))
    assert found == Discordant(
        int(((a == y) & (b != y)).sum()),
        int(((a != y) & (b == y)).sum()),
        200,
        int(((a == y) & (b == y)).sum()),
    )
    assert found.neither == int(((a != y) & (b != y)).sum())
    assert why == ""


@pytest.mark.parametrize(
    ("measure", "options", "words"),
    [
        ("precision", {"pos_label": "1"}, "divides by what each system predicted"),
        ("npv", {"pos_label": "1"}, "divides by what each system predicted"),
        ("f1(average=macro)", {}, "share of counted items"),
        ("mcc", {}, "share of counted items"),
    ],
)
def test_measures_without_a_common_denominator_say_why(measure: str, options: dict[str, str], words: str) -> None:
    found, why = counted(measure, joint(), **options)
    assert found is None
    assert words in why


def test_precision_has_no_common_denominator_even_where_the_systems_predict_the_same() -> None:
    table = joint()
    found, why = counted("precision", Joint(table.a, table.a), pos_label="1")
    assert found is None
    assert "common denominator" in why


def test_clusters_can_be_counted_but_not_tested() -> None:
    found, why = counted("accuracy", joint(cluster=np.arange(200) // 4))
    assert found == counted("accuracy", joint())[0]
    assert "rows of one cluster are not" in why


def test_weighted_rows_are_not_counted() -> None:
    table = joint()
    ones = table.counts.astype(np.float64)
    a, b = (dataclasses.replace(side, weights=Weights.of(ones)) for side in (table.a, table.b))
    found, why = counted("accuracy", Joint(a, b))
    assert found is None
    assert "weighted" in why


@pytest.mark.parametrize("statistic", ["raw", "studentized"])
@pytest.mark.parametrize("n", [50, 400, 4000])
def test_an_accuracy_tested_by_exchange_is_the_exact_test(n: int, statistic: Any) -> None:
    # Exchanging discordant rows is tossing a coin for each, and the error of δ grows as |δ| shrinks: the binomial test.
    table = joint(n=n, k=4)
    found, _ = counted("accuracy", table)
    assert found is not None
    exchanged = assay.compare(table, measure="accuracy", statistic=statistic)
    assert exchanged.extreme is None
    assert exchanged.p_value == pytest.approx(binomtest(found.only_a, found.only_a + found.only_b).pvalue, rel=1e-9)
