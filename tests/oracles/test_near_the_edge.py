"""Intervals where they are hardest: huge counts, hardly any errors, gates, weights that tell little, unseen classes.

Exact tails come from SciPy 1.17's binomial and Poisson distributions; coverage is counted over all tables that matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import assay
from assay import Confusion
from assay.jobs.gates import OPEN, PASSED, Gates
from assay.measures.declare.catalogue import parse
from assay.uncertainty.one.shares import LARGE, mid_p
from tests.oracles.plain import limits, wilson

HUGE = (10**12, 10**14, 2**53)


# ---------------------------------------------------------------------- huge counts
def rate(x: int, tail: float) -> float:
    """The Poisson mean under which fewer than x, with half of exactly x, have this probability."""
    half: Any = lambda m: stats.poisson.cdf(x - 1, m) + stats.poisson.pmf(x, m) / 2 - tail  # noqa: E731
    return float(optimize.brentq(half, 0, x + 20 * math.sqrt(x + 9), xtol=1e-12))


@pytest.mark.parametrize("n", HUGE)
@pytest.mark.parametrize("x", [0, 1, 3, 40, 50_000])
def test_few_hits_of_very_many_rows_have_poisson_limits(x: int, n: int) -> None:
    low, high = mid_p(x, n, 0.95)
    assert low == pytest.approx(rate(x, 0.975) / n if x else 0.0, rel=1e-6)
    assert high == pytest.approx(rate(x, 0.025) / n, rel=1e-6)
    # The mirror image is as exact as a number next to 1 can be.
    mirror = mid_p(n - x, n, 0.95)
    assert mirror == (1 - high, 1 - low)
    assert mirror[0] <= (n - x) / n <= mirror[1]


@pytest.mark.parametrize("n", HUGE)
@pytest.mark.parametrize("share", [0.25, 0.5, 0.999])
def test_shares_of_very_many_rows_have_normal_limits(share: float, n: int) -> None:
    x = int(share * n)
    half = float(stats.norm.ppf(0.975)) * math.sqrt(share * (1 - share) / n)
    low, high = mid_p(x, n, 0.95)
    # What a float can hold of the limits, and a ten-thousandth of their distance.
    assert (low, high) == pytest.approx((x / n - half, x / n + half), abs=1e-4 * half + 2e-16)


def test_the_two_ways_to_mid_p_meet_where_one_takes_over() -> None:
    for share in (0.001, 0.3, 0.9):
        x = LARGE if share < 0.5 else LARGE * share / (1 - share)
        n = x / share
        inner, outer = (mid_p(x * change, n * change, 0.95) for change in (0.999, 1.001))
        for (low, high), change in ((inner, 0.999), (outer, 1.001)):
            expected = wilson(share, n * change, float(stats.norm.ppf(0.975)))
            assert (low, high) == pytest.approx(expected, abs=1e-4 * (high - low))


# ---------------------------------------------------------------------- gates
@pytest.mark.parametrize("n", [10, 37, 120])
@pytest.mark.parametrize("edge", [0.5, 0.8, 0.9, 0.97])
def test_a_gate_on_a_share_lets_a_system_at_its_edge_pass_once_in_forty_times_at_most(n: int, edge: float) -> None:
    false, looser = 0.0, 0.0
    for x in range(n + 1):
        tally = Confusion.from_counts(tp=x, fp=0, fn=n - x, tn=0)
        chance = float(stats.binom.pmf(x, n, edge))
        false += chance * (limits(assay.estimate("recall", tally, strict=True))[0] >= edge)
        looser += chance * (limits(assay.estimate("recall", tally))[0] >= edge)
    assert false <= 0.025 + 1e-12
    assert false <= looser <= 0.05 + 1e-12  # mid-P promises twice as much


STRICT = {
    "accuracy": (47, 1, 2, 50),
    "f1": (47, 1, 2, 50),
    "mcc": (47, 1, 0, 50),
    "balanced_accuracy": (100, 0, 0, 9),
    "expected_cost(fn=7)": (47, 1, 2, 50),
}


@pytest.mark.parametrize("name", STRICT)
def test_strict_limits_lie_outside_the_others(name: str) -> None:
    tn, fp, fn, tp = STRICT[name]
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    usual, strict = (limits(assay.estimate(name, tally, strict=strict)) for strict in (False, True))
    # Of limits at the end of the range both are the end; otherwise drawn limits differ by more than luck.
    assert strict[0] < usual[0]
    assert strict[1] > usual[1] or strict[1] == usual[1] == 1


def test_gates_read_strict_limits_and_reports_show_the_others() -> None:
    # 50 of 50: mid-P reaches down to .05^(1/50) = .942, Clopper and Pearson to .025^(1/50) = .929.
    data = {"gold": [0, 1] * 25, "pred": [0, 1] * 25}
    report = assay.evaluate(data, gold="gold", pred="pred", measures="accuracy")
    assert report.rows[0].low == pytest.approx(0.05 ** (1 / 50))
    (between,) = Gates({"accuracy": 0.935}, {}).checked(report)
    assert between.state == OPEN
    assert "clopper_pearson" in between.outcome
    (below,) = Gates({"accuracy": 0.925}, {}).checked(report)
    assert below.state == PASSED


def test_a_gate_on_weighted_rows_of_three_classes_has_strict_limits_too() -> None:
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 3, 80)
    pred = np.where(rng.random(80) < 0.8, gold, (gold + 1) % 3)
    tally = Confusion.from_predictions(gold, pred, sample_weight=rng.choice([1.0, 2.0], 80))
    usual, strict = (limits(assay.estimate("accuracy", tally, strict=strict)) for strict in (False, True))
    assert strict[0] < usual[0] < usual[1] < strict[1]


@pytest.mark.parametrize("name", ["recall", "fnr"])
def test_recall_weighted_by_class_is_the_share_of_right_rows_with_its_limits_and_its_gate(name: str) -> None:
    """Σ gold · (hits / gold) / n is hits / n: 57 of 60, whatever the classes, and though one has no row."""
    gold = ["a"] * 30 + ["b"] * 20 + ["c"] * 10
    pred = ["b", *gold[1:45], "a", "a", *gold[47:]]
    right = sum(g == p for g, p in zip(gold, pred, strict=True))
    assert right == 57
    hits = right if name == "recall" else 60 - right
    for labels in (None, ["a", "b", "c", "d"]):
        tally = Confusion.from_predictions(gold, pred, labels=labels)
        for undefined in ("zero", "exclude", "null"):
            shown = assay.estimate(name, tally, average="weighted", undefined=undefined)
            low, high = limits(shown)
            assert shown.value == pytest.approx(hits / 60)
            assert shown.method == "midp"
            assert stats.binom.sf(hits, 60, low) + stats.binom.pmf(hits, 60, low) / 2 == pytest.approx(0.025)
            assert stats.binom.cdf(hits - 1, 60, high) + stats.binom.pmf(hits, 60, high) / 2 == pytest.approx(0.025)
            strict = limits(assay.estimate(name, tally, average="weighted", undefined=undefined, strict=True))
            exact = stats.binomtest(hits, 60).proportion_ci(method="exact")
            assert strict == pytest.approx((exact.low, exact.high))


@pytest.mark.parametrize("more", ["cluster", "sample_weight"])
def test_recall_weighted_by_class_has_the_limits_of_accuracy_with_clusters_and_weights(more: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, 120)
    pred = np.where(rng.random(120) < 0.8, gold, (gold + 1) % 4)
    beside: Any = {"cluster": np.arange(120) // 4, "sample_weight": rng.random(120) + 0.5}[more]
    tally = Confusion.from_predictions(gold, pred, **{more: beside})
    found = limits(assay.estimate("recall", tally, average="weighted"))
    assert found == pytest.approx(limits(assay.estimate("accuracy", tally)), abs=1e-8)


# ---------------------------------------------------------------------- near-perfect systems
def near_perfect(n: int, prevalence: float, recall: float, alarms: float) -> Iterator[tuple[float, Confusion]]:
    """Every table that has a chance of at least one in 20,000, with its chance."""
    for positives in range(n + 1):
        often = float(stats.binom.pmf(positives, n, prevalence))
        for fn in range(positives + 1):
            missed = often * float(stats.binom.pmf(fn, positives, 1 - recall))
            if missed < 5e-5:
                if fn > positives * (1 - recall):
                    break
                continue
            for fp in range(n - positives + 1):
                chance = missed * float(stats.binom.pmf(fp, n - positives, alarms))
                if chance >= 5e-5:
                    yield chance, Confusion.from_counts(tp=positives - fn, fp=fp, fn=fn, tn=n - positives - fp)
                elif fp > (n - positives) * alarms:
                    break


NEAR = ["mcc", "cohen_kappa", "balanced_accuracy", "f1(average=macro)", "expected_cost(fn=7)"]


@pytest.mark.parametrize("name", NEAR)
@pytest.mark.parametrize(
    ("n", "prevalence", "recall", "alarms"),
    [
        (30, 0.5, 0.98, 0.02),
        (60, 0.3, 0.97, 0.01),
        (100, 0.2, 0.98, 0.005),
    ],
)
def test_intervals_of_near_perfect_systems_hold_the_truth(
    name: str, n: int, prevalence: float, recall: float, alarms: float
) -> None:
    measure, options = parse(name)
    scale = 1e7
    true = [prevalence * recall, (1 - prevalence) * alarms, prevalence * (1 - recall), (1 - prevalence) * (1 - alarms)]
    tp, fp, fn, tn = (round(scale * x) for x in true)
    truth = float(measure.of(Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn), **options))
    held = seen = 0.0
    for chance, tally in near_perfect(n, prevalence, recall, alarms):
        found = assay.estimate(measure, tally, n_resamples=999, **options)
        if found.interval is not None:
            seen += chance
            held += chance * (found.interval.low <= truth <= found.interval.high)
    assert seen > 0.95
    assert held / seen >= 0.92


# ---------------------------------------------------------------------- weights that tell little
def weighted(wrong: int, weights: Any) -> Confusion:
    """Rows of two classes in turn, the first of them wrong."""
    gold = np.arange(len(weights)) % 2
    pred = np.where(np.arange(len(weights)) < wrong, 1 - gold, gold)
    return Confusion.from_predictions(gold, pred, sample_weight=weights)


def test_a_few_rows_that_carry_all_the_weight_give_no_interval() -> None:
    found = assay.estimate("accuracy", weighted(10, [1.0] * 98 + [5000.0] * 2))
    assert found.interval is None
    assert found.reason is not None
    assert found.reason.startswith("weights differ so much that the rows of a class are worth ")


@pytest.mark.parametrize(("wrong", "rows"), [(1, "1 error row"), (2, "2 error rows"), (3, None)])
def test_an_interval_that_rests_on_the_weight_of_one_or_two_errors_says_so(wrong: int, rows: str | None) -> None:
    found = assay.estimate("mcc", weighted(wrong, [1.0, 1.0, 2.0, 2.0] * 20))
    assert found.interval is not None
    told = [note for note in found.notes if note.startswith("the interval rests on the weight")]
    assert told == ([] if rows is None else [f"the interval rests on the weight of {rows}"])


def test_an_interval_of_hardly_any_effective_rows_says_so() -> None:
    found = assay.estimate("accuracy", weighted(2, [1.0, 2.0, 3.0, 1.0]))
    # Kish: (1 + 2 + 3 + 1)² / (1 + 4 + 9 + 1) = 49/15 = 3.3.
    assert "worth 3.3 equally weighted rows: too few to estimate" in found.notes


@pytest.mark.parametrize("name", ["lr_plus", "f1(average=macro)"])
def test_weighted_intervals_that_were_not_simulated_say_so(name: str) -> None:
    rng = np.random.default_rng(4)
    k = 2 if name == "lr_plus" else 3
    gold = rng.integers(0, k, 90)
    pred = np.where(rng.random(90) < 0.7, gold, (gold + 1) % k)
    found = assay.estimate(name, Confusion.from_predictions(gold, pred, sample_weight=rng.choice([1.0, 2.0], 90)))
    assert found.interval is not None
    assert any(note.startswith("not simulated") for note in found.notes)


@pytest.mark.parametrize(("false", "marked"), [(1, True), (4, True), (5, False)])
def test_a_likelihood_ratio_that_rests_on_few_false_alarms_is_marked(false: int, marked: bool) -> None:
    found = assay.estimate("lr_plus", Confusion.from_counts(tp=40, fp=false, fn=9, tn=50))
    assert found.method == "dirichlet"
    assert any(note.startswith(f"unreliable: it rests on {false} row") for note in found.notes) == marked


def test_rows_of_weight_zero_and_rows_that_are_away_are_the_same_to_a_stored_tally() -> None:
    gold, pred = [0, 1, 1, 0, 1, 0] * 9, [0, 1, 0, 0, 1, 1] * 9
    heavy = [1.0, 2.0, 1.0, 2.0, 0.0, 0.0] * 9
    there = Confusion.from_predictions(gold, pred, sample_weight=heavy)
    assert there.weights is not None
    assert (there.n, int(there.weights.rows.sum())) == (54, 36)
    kept = [i for i, w in enumerate(heavy) if w > 0]
    away = Confusion.from_predictions(
        *([x[i] for i in kept] for x in (gold, pred)), sample_weight=[heavy[i] for i in kept]
    )
    expected = limits(assay.estimate("mcc", away))
    assert limits(assay.estimate("mcc", there)) == expected
    assert limits(assay.estimate("mcc", Confusion.from_json(there.to_json()))) == expected
    assert limits(assay.estimate("mcc", there + there)) == limits(assay.estimate("mcc", away + away))


# ---------------------------------------------------------------------- classes without rows
@pytest.mark.parametrize("name", ["recall", "precision", "f1"])
def test_a_mean_over_classes_says_which_it_is_about_and_where_the_mean_over_all_may_lie(name: str) -> None:
    gold, pred = list("aaaabbbbcc") * 6, list("aaabbbbccc") * 6
    tally = Confusion.from_predictions(gold, pred, labels=list("abcde"))
    found = assay.estimate(name, tally, average="macro")
    alone = assay.estimate(name, Confusion.from_predictions(gold, pred), average="macro")
    low, high = limits(alone)
    # Two of five classes have no rows, and count as 0; at worst they are 0 and at best 1.
    assert limits(found) == pytest.approx((low * 3 / 5, high * 3 / 5))
    assert found.notes[-1] == (
        "2 of 5 classes have no value; whatever value they are given, the interval of the mean over all 5 stays within "
        f"{low * 3 / 5:.3f} to {(high * 3 + 2) / 5:.3f}"
    )
    assert not any("no value" in note for note in alone.notes)


def test_a_class_that_is_never_right_to_ask_for_counts_as_zero_in_both_limits() -> None:
    # "c" is predicted and never gold: its recall is 0/0, which counts as 0.
    table = [[20, 2, 1], [3, 15, 0], [0, 0, 0]]
    tally = Confusion.from_matrix(table, list("abc"))
    zero, without = (
        assay.estimate("recall", tally, average="macro", undefined=undefined) for undefined in ("zero", "exclude")
    )
    assert limits(zero) == pytest.approx([2 / 3 * x for x in limits(without)])


@pytest.mark.parametrize("n", [*HUGE, 10**13, 10**15])
def test_a_share_of_all_or_none_of_very_many_items_has_the_mid_p_limit_that_a_formula_gives(n: int) -> None:
    # Half the chance of no error at all is the tail: (1 − q)ⁿ / 2 = 0.025.
    error = -math.expm1(math.log(0.05) / n)
    right = assay.estimate("accuracy", Confusion.from_counts(tp=n // 2, fp=0, fn=0, tn=n - n // 2))
    wrong = assay.estimate("accuracy", Confusion.from_counts(tp=0, fp=n // 2, fn=n - n // 2, tn=0))
    assert limits(right) == pytest.approx((1 - error, 1.0), abs=1.2e-16, rel=0)  # the next float may be the nearer one
    assert limits(wrong)[0] == 0
    assert limits(wrong)[1] == pytest.approx(error, rel=1e-9)
    assert right.low is not None
    assert right.low < 1


# ---------------------------------------------------------------------- costs as they come
@pytest.mark.parametrize("of", [list, tuple, np.array])
def test_costs_may_come_in_lists_tuples_and_arrays(of: Any) -> None:
    gold, pred = [0, 0, 1, 1, 2, 2] * 5, [0, 1, 1, 1, 2, 0] * 5
    costs = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
    # Of six rows one costs 1 and one costs 9.
    given = of([of(row) for row in costs])
    assert assay.expected_cost(gold, pred, matrix=given) == pytest.approx(10 / 6)
    found = assay.estimate("expected_cost", Confusion.from_predictions(gold, pred), matrix=given)
    low, high = limits(found)
    assert low < 10 / 6 < high


def test_costs_where_every_row_costs_the_most_have_an_interval_below_it() -> None:
    tally = Confusion.from_predictions([0, 1, 2] * 5, [1, 2, 0] * 5)
    low, high = limits(assay.estimate("expected_cost", tally, matrix=[[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    assert 0.5 < low < high == 1


@pytest.mark.parametrize("counts", [(174, 41, 47, 38), (54, 3, 3, 1), (40, 3, 4, 20), (9, 1, 0, 90)])
@pytest.mark.parametrize("name", ["mcc", "g_mean", "symmetric_balanced_accuracy", "markedness", "f_beta"])
def test_no_limit_that_a_gate_reads_lies_inside_the_one_shown(name: str, counts: tuple[int, int, int, int]) -> None:
    tp, fp, fn, tn = counts
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    usual, strict = (limits(assay.estimate(name, tally, strict=strict)) for strict in (False, True))
    assert strict[0] <= usual[0]
    assert usual[1] <= strict[1]
