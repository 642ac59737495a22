"""Which labels are classes: those of the gold side, declared ones, and what becomes of predictions that are none.

Against scikit-learn 1.9, which is told the labels, or given one more label for everything outside of them; and against
the same rows prepared by hand.
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
from assay import Confusion, DataError, Report
from assay.measures.declare.catalogue import catalogue
from tests.oracles.cases import Case, close, quiet
from tests.oracles.definitions import ONE_CLASS, four_counts, weights_of

Columns = dict[str, list[Any]]
ELSE = "somewhere else"


def outsiders(seed: int) -> Case:
    """Rows in which some predictions are labels that no gold row has; the declared labels are those of gold."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(1, 6)), int(rng.integers(3, 80))
    gold = rng.choice([f"g{i}" for i in range(k)], n)
    pred = np.where(rng.random(n) < 0.5, gold, rng.choice([*(f"g{i}" for i in range(k)), "x", "y", "z"], n))
    weight = rng.random(n) + 0.05 if seed % 3 == 0 else None
    return Case(gold, pred, weight, sorted(set(gold.tolist())))


def gathered(case: Case) -> Case:
    """The same rows, with one more class for every prediction that is none of the others."""
    pred = np.array([p if p in case.labels else ELSE for p in case.pred])
    return Case(case.gold, pred, case.weight, [*case.labels, ELSE])


OUTSIDERS = [outsiders(seed) for seed in range(40)]


def over_gold(case: Case) -> Confusion:
    return Confusion.from_predictions(case.gold, case.pred, labels="gold", sample_weight=case.weight)


def test_the_cases_hold_what_is_hard() -> None:
    assert sum(not set(case.pred.tolist()) <= set(case.labels) for case in OUTSIDERS) >= 35
    assert {len(case.labels) for case in OUTSIDERS} >= {1, 2, 3, 4, 5}
    assert all(over_gold(case).labels == tuple(case.labels) for case in OUTSIDERS)


# ---------------------------------------------------------------------- the classes are those of gold
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
def test_averages_over_gold_classes_are_those_of_scikit_learn_with_these_labels(name: str, average: str) -> None:
    for case in OUTSIDERS:
        theirs = getattr(sk, f"{name}_score")
        expected = float(case.score(theirs, labels=case.labels, average=average, zero_division=0))
        assert getattr(assay, name).of(over_gold(case), average=average) == close(expected)
        each = case.score(theirs, labels=case.labels, average=None, zero_division=0).tolist()
        found = getattr(assay, name).per_class(case.gold, case.pred, labels="gold", sample_weight=case.weight)
        assert list(found) == case.labels
        assert [0.0 if math.isnan(v) else v for v in found.values()] == close(each)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("accuracy", sk.accuracy_score),
        ("error_rate", sk.zero_one_loss),
        ("balanced_accuracy", sk.balanced_accuracy_score),
        ("mcc", sk.matthews_corrcoef),
        ("cohen_kappa", sk.cohen_kappa_score),
    ],
)
def test_what_lies_outside_is_together_one_more_predicted_class(name: str, theirs: Any) -> None:
    for case in OUTSIDERS:
        expected = float(gathered(case).score(theirs))
        assert catalogue()[name].of(over_gold(case)) == close(expected, 1e-9)


@pytest.mark.parametrize("name", ONE_CLASS)
def test_values_of_gold_classes_follow_their_definition(name: str) -> None:
    for case in OUTSIDERS:
        counts = four_counts(gathered(case))
        tally = over_gold(case)
        expected = [ONE_CLASS[name](*counts[label]) for label in case.labels]
        assert [catalogue()[name].of(tally, pos_label=label) for label in case.labels] == close(expected, 1e-9)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_in_weighted_kappa_what_lies_outside_is_as_far_off_as_can_be(weights: str) -> None:
    for case in OUTSIDERS:
        far, power = max(len(case.labels) - 1, 1), {"linear": 1, "quadratic": 2}[weights]
        place = {label: i for i, label in enumerate(case.labels)}
        pairs = [(place[g], place.get(p), w) for g, p, w in zip(case.gold, case.pred, weights_of(case), strict=True)]

        def apart(g: int, p: int | None, far: int = far, power: int = power) -> float:
            return float(far if p is None else abs(g - p)) ** power

        seen = math.fsum(w * apart(g, p) for g, p, w in pairs)
        chance = math.fsum(w * v * apart(g, p) for g, _, w in pairs for _, p, v in pairs)
        expected = 1 - seen * math.fsum(w for *_, w in pairs) / chance if chance > 0 else math.nan
        assert assay.cohen_kappa.of(over_gold(case), weights=weights) == close(expected, 1e-9)


def test_means_over_gold_classes_do_not_know_what_lies_outside() -> None:
    for case in OUTSIDERS:
        counts = four_counts(gathered(case))
        tally = over_gold(case)
        recalls = [ONE_CLASS["recall"](*counts[label]) for label in case.labels]
        assert assay.g_mean.of(tally) == close(math.prod(recalls) ** (1 / len(recalls)))
        precisions = [ONE_CLASS["precision"](*counts[label]) for label in case.labels]
        p, r = (sum(0.0 if math.isnan(v) else v for v in side) / len(recalls) for side in (precisions, recalls))
        assert assay.f1_of_means.of(tally) == close(2 * p * r / (p + r) if p + r else 0.0)


def test_symmetric_accuracy_and_costs_with_rows_of_no_class_follow_their_definition() -> None:
    for case in OUTSIDERS:
        counts, n = four_counts(gathered(case)), math.fsum(weights_of(case))
        terms = []
        for label in case.labels:
            tp, fp, fn, _ = counts[label]
            terms += [tp / (tp + fn), tp / (tp + fp) if tp + fp > 0 else (tp + fn) / n]
        assert assay.symmetric_balanced_accuracy.of(over_gold(case)) == close(math.fsum(terms) / len(terms))
        assert assay.expected_cost.of(over_gold(case)) == close(float(gathered(case).score(sk.zero_one_loss)))


def test_a_micro_average_with_rows_of_no_class_has_the_interval_of_its_own_value() -> None:
    # F1 is no share of the predicted rows here: a row of no class is missed and not false.
    gold, pred = list("aaabbbccc") * 10, list("aabbbxccx") * 10
    tally = Confusion.from_predictions(gold, pred, labels="gold")
    for name in ("f1", "f_beta", "jaccard", "precision", "recall"):
        found = assay.estimate(name, tally, average="micro")
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert not any("missed the estimate" in note for note in found.notes)
        bootstrap = assay.estimate(name, tally, average="micro", method="percentile", n_resamples=4999)
        assert bootstrap.low is not None
        assert bootstrap.high is not None
        width = bootstrap.high - bootstrap.low
        # Another method, so alike and not the same: both ends within a fifth of the width.
        assert found.low == pytest.approx(bootstrap.low, abs=0.2 * width)
        assert found.high == pytest.approx(bootstrap.high, abs=0.2 * width)


# ---------------------------------------------------------------------- the classes are declared
def test_declared_classes_that_never_occur_change_macro_averages_and_the_distances_of_kappa_alone() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        n = int(rng.integers(2, 50))
        gold, pred = rng.choice(list("bd"), n), rng.choice(list("bd"), n)
        few, many = (Confusion.from_predictions(gold, pred, labels=labels) for labels in (list("bd"), list("abcde")))
        for name in ("accuracy", "balanced_accuracy", "mcc", "symmetric_balanced_accuracy", "f1_of_means", "g_mean"):
            assert catalogue()[name].of(many) == close(catalogue()[name].of(few))
        for name in ("precision", "recall", "f1", "fnr", "fdr", "jaccard"):
            measure = catalogue()[name]
            for average in ("micro", "weighted"):
                assert measure.of(many, average=average) == close(measure.of(few, average=average))
            if {*gold, *pred} == {"b", "d"}:  # then three of five classes have nothing right
                expected = (2 * measure.of(few, average="macro") + 3 * measure.zero) / 5
                assert measure.of(many, average="macro") == close(expected)
        for weights in ("linear", "quadratic"):
            expected = float(quiet(sk.cohen_kappa_score, gold, pred, labels=list("abcde"), weights=weights))
            assert assay.cohen_kappa.of(many, weights=weights) == close(expected)


def test_labels_that_are_not_declared_are_refused_on_either_side() -> None:
    for gold, pred in (("ab", "ax"), ("xb", "ab")):
        with pytest.raises(DataError, match="'x'"):
            Confusion.from_predictions(list(gold), list(pred), labels=["a", "b"])


# ---------------------------------------------------------------------- what is missing
def numbers(report: Report) -> list[tuple[Any, ...]]:
    """Every row as it is told, but for the text that says how it was made."""
    names = ("system", "measure", "class_", "slice", "quantity", "value", "low", "high", "n", "method", "no_skill")
    return [tuple(getattr(row, name) for name in (*names, "p", "p_adjusted", "reason")) for row in report.rows]


def with_gaps(classes: str, seed: int) -> Columns:
    """Gold labels with the answers of two systems, each of which leaves some rows without one."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(classes), 120).tolist()
    out: Columns = {"gold": gold}
    for system in ("first", "second"):
        answers = np.where(rng.random(120) < 0.7, gold, rng.choice(list(classes), 120))
        out[system] = [None if gone else str(a) for gone, a in zip(rng.random(120) < 0.15, answers, strict=True)]
    out["site"] = rng.choice(["north", "south"], 120).tolist()
    return out


def written(columns: Columns, path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return path


def filled(columns: Columns, answer: Any) -> Columns:
    """The same rows with an answer in place of every gap."""
    gold = columns["gold"]
    return {
        name: [answer(g) if value is None else value for g, value in zip(gold, column, strict=True)]
        for name, column in columns.items()
    }


def test_without_an_answer_the_other_of_two_classes_counts(tmp_path: Path) -> None:
    data = with_gaps("ny", 3)
    by_hand = filled(data, {"n": "y", "y": "n"}.get)
    options: dict[str, Any] = {"gold": "gold", "pred": ["first", "second"], "positive": "y", "slices": "site"}
    options["n_resamples"] = 199
    expected = numbers(assay.evaluate(by_hand, **options))
    report = assay.evaluate(data, **options, missing="wrong")
    for made in (report, assay.evaluate(written(data, tmp_path / "gaps.csv"), **options, missing="wrong")):
        assert numbers(made) == expected
        assert made.provenance["unanswered"] == {name: data[name].count(None) for name in ("first", "second")}
    # The same where a third label is predicted, of no class because no gold row has it.
    stray = {**data, "first": ["x", *data["first"][1:]]}
    options["labels"] = "gold"
    expected = numbers(assay.evaluate(filled(stray, {"n": "y", "y": "n"}.get), **options))
    assert numbers(assay.evaluate(stray, **options, missing="wrong")) == expected
    gold, pred = by_hand["gold"], by_hand["first"]
    found = {row.measure: row.value for row in report.rows if row.system == "first" and row.slice is None}
    assert found["f1"] == close(float(sk.f1_score(gold, pred, pos_label="y")))
    assert found["precision"] == close(float(sk.precision_score(gold, pred, pos_label="y")))


def test_without_an_answer_a_row_of_several_classes_is_wrong_and_of_no_class(tmp_path: Path) -> None:
    data = with_gaps("abc", 4)
    # A label that no gold row has, with the classes those of gold: wrong, and of no class.
    by_hand = filled(data, lambda _: ELSE)
    options: dict[str, Any] = {"gold": "gold", "pred": ["first", "second"], "slices": "site", "n_resamples": 199}
    expected = numbers(assay.evaluate(by_hand, **options, labels="gold"))
    report = assay.evaluate(data, **options, missing="wrong")
    assert numbers(report) == expected
    assert numbers(assay.evaluate(written(data, tmp_path / "gaps.csv"), **options, missing="wrong")) == expected
    gold, pred, labels = by_hand["gold"], by_hand["second"], list("abc")
    found = {(row.measure, row.class_): row.value for row in report.rows if row.system == "second" and not row.slice}
    assert found["accuracy", None] == close(float(sk.accuracy_score(gold, pred)))
    assert found["mcc", None] == close(float(sk.matthews_corrcoef(gold, pred)))
    for name in ("precision", "recall", "f1"):
        theirs = getattr(sk, f"{name}_score")
        macro = float(theirs(gold, pred, labels=labels, average="macro"))
        assert found[f"{name}(average=macro)", None] == close(macro)
        each = theirs(gold, pred, labels=labels, average=None).tolist()
        assert [found[name, label] for label in labels] == close(each)


@pytest.mark.parametrize("classes", ["ny", "abc"])
def test_skipped_rows_are_as_if_they_had_never_been(classes: str, tmp_path: Path) -> None:
    data = with_gaps(classes, 5)
    data["gold"] = [None if i % 17 == 0 else label for i, label in enumerate(data["gold"])]
    kept = [i for i, row in enumerate(zip(*data.values(), strict=True)) if None not in row]
    by_hand = {name: [column[i] for i in kept] for name, column in data.items()}
    options: dict[str, Any] = {"gold": "gold", "pred": ["first", "second"], "slices": "site", "n_resamples": 199}
    expected = numbers(assay.evaluate(by_hand, **options))
    for source in (data, written(data, tmp_path / "gaps.csv")):
        report = assay.evaluate(source, **options, missing="skip")
        assert numbers(report) == expected
        assert report.provenance["skipped"] == 120 - len(kept)


def test_what_is_missing_is_an_error_unless_something_is_said_of_it() -> None:
    data = with_gaps("abc", 6)
    with pytest.raises(DataError, match=f"{data['first'].count(None)} of 120 rows have no value in column 'first'"):
        assay.evaluate(data, gold="gold", pred="first")
    data["gold"][0] = None
    with pytest.raises(DataError, match="1 of 120 rows has no value in column 'gold'"):
        assay.evaluate(data, gold="gold", pred="first", missing="wrong")
