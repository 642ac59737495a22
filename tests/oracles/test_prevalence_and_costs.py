"""What a system would be worth where positives are rarer, and what its errors cost: against plain formulas.

Values at another prevalence are those of rows that weigh more or less (scikit-learn 1.9 where it has the measure).
"""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Confusion, DataError, OptionError
from assay.measures.declare.catalogue import catalogue
from assay.measures.labels.costs import break_even_threshold, class_weights
from tests.oracles.cases import CASES, Case, close
from tests.oracles.definitions import AVERAGED, ONE_CLASS, WHOLE, averaged, expected_cost, four_counts
from tests.oracles.plain import are_quantiles, drawn_tables

ELSEWHERE = [name for name, measure in catalogue().items() if "prevalence" in measure.options]


# ---------------------------------------------------------------------- another prevalence
def two_classes(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    gold = np.concatenate([[0, 1], (rng.random(n) < rng.uniform(0.1, 0.9)).astype(int)])
    pred = np.where(rng.random(n + 2) < rng.uniform(0.5, 0.95), gold, 1 - gold)
    names = np.array(["well", "ill"])
    return Case(names[gold], names[pred], None, ["well", "ill"])


def moved(case: Case, share: float, positive: str = "ill") -> Case:
    """The same rows, each class with the weight that gives it another share."""
    here = float((case.gold == positive).mean())
    weight = np.where(case.gold == positive, share / here, (1 - share) / (1 - here))
    return Case(case.gold, case.pred, weight, case.labels)


@pytest.mark.parametrize("share", [0.001, 0.02, 0.5, 0.97])
def test_predictive_values_elsewhere_follow_from_recall_and_specificity(share: float) -> None:
    for seed in range(20):
        case = two_classes(seed)
        tally = case.tally(positive="ill")
        tp, fp, fn, tn = four_counts(case)["ill"]
        recall, specificity = tp / (tp + fn), tn / (tn + fp)
        found, missed, alarms, spared = (
            share * recall,
            share * (1 - recall),
            (1 - share) * (1 - specificity),
            (1 - share) * specificity,
        )
        expected = {
            "precision": found / (found + alarms),
            "npv": spared / (spared + missed) if spared + missed else math.nan,
            "f1": 2 * found / (2 * found + missed + alarms),
            "accuracy": found + spared,
            "recall": recall,
            "specificity": specificity,
        }
        for name, value in expected.items():
            assert catalogue()[name].of(tally, prevalence=share) == close(value), name
        with pytest.raises(OptionError, match="prevalence has no option 'prevalence'"):
            catalogue()["prevalence"].of(tally, prevalence=share)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_every_measure_elsewhere_is_that_of_reweighted_rows(name: str) -> None:
    for seed in range(20):
        case, share = two_classes(seed), (0.01, 0.3, 0.8)[seed % 3]
        elsewhere, tally = moved(case, share), case.tally(positive="ill")
        if name in WHOLE:
            expected = WHOLE[name](elsewhere)
        else:
            expected = ONE_CLASS[name](*four_counts(elsewhere)["ill"])
            other = ONE_CLASS[name](*four_counts(moved(case, share, "well"))["well"])
            assert catalogue()[name].of(tally, pos_label="well", prevalence=share) == close(other, 1e-9)
            for average in ("macro", "micro", "weighted") if name in AVERAGED else ():
                mean = averaged(name, elsewhere, average, "zero")
                assert catalogue()[name].of(tally, average=average, prevalence=share) == close(mean, 1e-9)
        assert catalogue()[name].of(tally, prevalence=share) == close(expected, 1e-9)


def test_values_elsewhere_are_those_of_scikit_learn_with_weights() -> None:
    for seed in range(20):
        case = two_classes(seed)
        elsewhere, tally = moved(case, 0.05), case.tally(positive="ill")
        assert assay.mcc.of(tally, prevalence=0.05) == close(float(elsewhere.score(sk.matthews_corrcoef)))
        assert assay.f1.of(tally, prevalence=0.05) == close(float(elsewhere.score(sk.f1_score, pos_label="ill")))
        assert assay.accuracy.of(tally, prevalence=0.05) == close(float(elsewhere.score(sk.accuracy_score)))
        expected = float(elsewhere.score(sk.balanced_accuracy_score))
        assert assay.balanced_accuracy.of(tally, prevalence=0.05) == close(expected)


def test_what_is_undefined_stays_undefined_elsewhere() -> None:
    # Every row is called positive: nothing is spared, and shares of what is spared are 0/0 at every prevalence.
    tally = Confusion.from_counts(tp=13, fp=87, fn=0, tn=0)
    for share in np.linspace(0.01, 0.99, 99).tolist():
        for name in ("npv", "false_omission_rate", "markedness", "lr_minus"):
            assert math.isnan(catalogue()[name].of(tally, prevalence=share)), (name, share)
        assert assay.specificity.of(tally, prevalence=share) == 0
    # A class without rows has no answers to carry over.
    nobody = Confusion.from_counts(tp=0, fp=3, fn=0, tn=7)
    assert math.isnan(assay.precision.of(nobody, prevalence=0.1))
    assert math.isnan(assay.accuracy.of(nobody, prevalence=0.1))


def test_the_interval_elsewhere_carries_over_every_drawn_table() -> None:
    tp, fp, fn, tn, share = 45, 8, 5, 142, 0.02
    found = assay.estimate("precision", Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn), prevalence=share)
    assert found.method == "midp_draws"

    def elsewhere(tn: float, fp: float, fn: float, tp: float) -> float:
        found, alarms = share * tp / (tp + fn), (1 - share) * fp / (fp + tn)
        return found / (found + alarms)

    are_quantiles(
        found, (elsewhere(*cells) for cells in drawn_tables(np.random.default_rng(11), (tn, fp, fn, tp), 10_000))
    )


def test_the_report_shows_the_values_elsewhere() -> None:
    tally = Confusion.from_counts(tp=90, fp=50, fn=10, tn=950)
    found = {row.measure: row.value for row in assay.evaluate(tally, prevalence=0.02).rows}
    assert found["precision(prevalence=0.02)"] == pytest.approx(0.26866, abs=5e-6)
    assert found["f1(prevalence=0.02)"] == pytest.approx(0.41379, abs=5e-6)
    assert found["accuracy(prevalence=0.02)"] == pytest.approx(0.949, abs=1e-12)
    assert found["npv(prevalence=0.02)"] == pytest.approx(931 / 933, abs=1e-12)


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, "much"])
def test_a_prevalence_lies_between_0_and_1(share: Any) -> None:
    with pytest.raises(OptionError, match="prevalence is"):
        assay.f1.of(two_classes(0).tally(positive="ill"), prevalence=share)


def test_a_prevalence_needs_two_classes() -> None:
    tally = Confusion.from_predictions(list("abc"), list("abb"))
    with pytest.raises(OptionError, match="there are 3"):
        assay.accuracy.of(tally, prevalence=0.1)


# ---------------------------------------------------------------------- costs
def matrix_for(k: int, seed: int) -> tuple[tuple[float, ...], ...]:
    """Prices of every cell: some answers earn something, right ones may cost, and no row is like another."""
    return tuple(tuple(row) for row in np.random.default_rng(seed).normal(1, 2, (k, k)).round(2).tolist())


@pytest.mark.parametrize("of", ["mean", "total", "normalized"])
def test_any_table_of_costs_is_paid_row_by_row(of: str) -> None:
    for seed, case in enumerate(CASES):
        matrix = matrix_for(len(case.labels), seed)
        found = assay.expected_cost.of(case.tally(), matrix=matrix, of=of)
        assert found == close(expected_cost(case, matrix=matrix, of=of), 1e-9), seed


def test_the_two_errors_of_two_classes_cost_what_is_said_whichever_class_is_positive() -> None:
    for seed in range(20):
        case = two_classes(seed)
        for positive in case.labels:
            tp, fp, fn, tn = four_counts(case)[positive]
            tally = case.tally(positive=positive)
            total, nobody, everybody = 3 * fp + 40 * fn, 40 * (tp + fn), 3 * (fp + tn)
            for of, expected in (
                ("total", total),
                ("mean", total / (tp + fp + fn + tn)),
                ("normalized", total / min(nobody, everybody)),
            ):
                assert assay.expected_cost.of(tally, fp=3, fn=40, of=of) == close(expected)


def test_costs_come_from_a_mapping_or_a_file_by_the_names_of_the_classes(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    data = {"gold": rng.choice(list("abc"), 80).tolist(), "pred": rng.choice(list("abc"), 80).tolist()}
    # Classes in another order than the labels', and with one that does not occur.
    order = list("cadb")
    costs = {g: {p: float(10 * i + j - 7) for j, p in enumerate(order)} for i, g in enumerate(order)}
    path = tmp_path / "costs.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["", *order], *([g, *row.values()] for g, row in costs.items())])
    total = math.fsum(costs[g][p] for g, p in zip(data["gold"], data["pred"], strict=True))
    cheapest = min(math.fsum(costs[g][p] for g in data["gold"]) for p in "abc")
    for given in (costs, str(path), path):
        rows = [row for row in assay.evaluate(data, costs=given).rows if row.measure.startswith("expected_cost")]
        assert [row.value for row in rows] == close([total / 80, total, total / cheapest])


def test_a_single_class_has_a_table_of_costs_too() -> None:
    report = assay.evaluate({"gold": ["a", "a"], "pred": ["a", "a"]}, costs={"a": {"a": -2}})
    found = [row.value for row in report.rows if row.measure.startswith("expected_cost")]
    assert found == [-2.0, -4.0, 1.0]


def test_rows_of_no_class_have_a_price_of_their_own_or_are_asked_for_one() -> None:
    data = {"gold": list("aabbcc"), "pred": ["a", "b", "b", None, "c", None]}
    costs = {g: {p: 0.0 if g == p else 1.0 for p in "abc"} for g in "abc"}
    with pytest.raises(DataError, match="'no answer'"):
        assay.evaluate(data, missing="wrong", costs=costs)
    priced = {g: {**row, "no answer": 0.25} for g, row in costs.items()}
    report = assay.evaluate(data, missing="wrong", costs=priced)
    found = next(row for row in report.rows if row.measure.startswith("expected_cost"))
    assert found.value == close((1 + 0.25 + 0.25) / 6)


@pytest.mark.parametrize(("fp", "fn", "at"), [(1, 10, 0.0909091), (10, 1, 0.9090909), (200, 5000, 0.0384615)])
def test_an_alarm_pays_from_the_break_even_threshold_on(fp: float, fn: float, at: float) -> None:
    threshold = break_even_threshold(fp, fn)
    assert threshold == pytest.approx(at, abs=5e-8)
    # At this probability an alarm and silence cost the same; below it silence is cheaper.
    assert (1 - threshold) * fp == pytest.approx(threshold * fn)
    weights = class_weights(fp, fn)
    assert weights["positive"] / weights["negative"] == pytest.approx(fn / fp)
    assert (weights["positive"] + weights["negative"]) / 2 == pytest.approx(1)
    notes = assay.evaluate(Confusion.from_counts(tp=24, fp=100, fn=6, tn=9870), costs={"fp": fp, "fn": fn}).notes
    assert any(f"{at:.4g}" in note for note in notes)
    assert any(f"{fn / fp:.4g} times the weight" in note for note in notes)


def test_among_all_thresholds_the_break_even_one_is_cheapest_for_probabilities_that_are_true() -> None:
    rng = np.random.default_rng(8)
    probability = rng.random(200_000)
    gold = rng.random(200_000) < probability
    price = {}
    for threshold in (0.05, break_even_threshold(1, 10), 0.15, 0.5):
        alarm = probability >= threshold
        price[threshold] = float((1 * (alarm & ~gold) + 10 * (~alarm & gold)).mean())
    assert min(price, key=lambda threshold: price[threshold]) == break_even_threshold(1, 10)


@pytest.mark.parametrize(("fp", "fn"), [(-1, 1), (0, 0), (math.inf, 1), (math.nan, 1)])
def test_costs_that_make_no_sense_are_refused(fp: float, fn: float) -> None:
    with pytest.raises(OptionError, match="cost"):
        break_even_threshold(fp, fn)
    with pytest.raises(OptionError, match="cost"):
        class_weights(fp, fn)
