"""Values of every label measure against scikit-learn 1.9, statsmodels 0.15, and definitions counted row by row.

One difference from scikit-learn is deliberate: a class whose items weigh nothing, gold and predicted, is left out of a
macro average here; there it counts as 0. So labels that nobody used are declared here and never named there.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.inter_rater import cohens_kappa

import assay
from assay import Confusion, OptionError
from assay.measures.declare.catalogue import catalogue, cited
from assay.tally.margins import OneVsRest
from tests.oracles import definitions
from tests.oracles.cases import CASES, SEEDS, SYSTEMS, Case, close, columns, large, quiet
from tests.oracles.definitions import ONE_CLASS, WHOLE, averaged, four_counts

AVERAGES = ("macro", "micro", "weighted")
UNDEFINED = ("zero", "exclude", "null")
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "f_beta": ({"beta": 0}, {"beta": 0.5}, {"beta": 2}, {"beta": 7.5}, {"alpha": 0.0}, {"alpha": 0.3}, {"alpha": 1.0}),
    "cohen_kappa": ({}, {"weights": "linear"}, {"weights": "quadratic"}),
    "expected_cost": ({}, {"of": "total"}, {"of": "normalized"}, {"fp": 3.0, "fn": 3.0}),
}
DEMO = [
    Case(np.array(columns(file)["gold"]), np.array(columns(file)[system]), None, sorted(set(columns(file)["gold"])))
    for file in ("breast_cancer.csv", "digits.csv")
    for system in SYSTEMS
]
LARGE = [large(k, weighted=weighted) for k in (2, 3, 20, 1000) for weighted in (False, True)]


def settings(name: str) -> tuple[dict[str, Any], ...]:
    return OPTIONS.get(name, ({},))


# ---------------------------------------------------------------------- the cases themselves
def test_the_random_tables_hold_what_is_hard() -> None:
    sizes = {len(case.gold) for case in CASES}
    assert min(sizes) == 1
    assert max(sizes) > 150
    assert {len(case.labels) for case in CASES} == set(range(1, 9))
    assert sum(len(case.seen) < len(case.labels) for case in CASES) >= 10  # declared, never used
    assert sum(bool(set(case.gold) - set(case.pred)) for case in CASES) >= 8  # never predicted
    assert sum(bool(set(case.pred) - set(case.gold)) for case in CASES) >= 8  # never gold
    assert sum(len(set(case.gold)) == 1 for case in CASES) >= 5  # one gold class
    assert sum(len(set(case.pred)) == 1 and case.weight is not None for case in CASES) >= 3
    assert sum(case.weight is not None for case in CASES) >= 15
    assert sum(not isinstance(case.labels[0], str) for case in CASES) >= 5


def test_every_label_measure_has_a_definition_here() -> None:
    declared = {name for name, measure in catalogue().items() if measure.kind is Confusion}
    assert declared == {*ONE_CLASS, *WHOLE}


def test_the_table_itself_is_that_of_scikit_learn() -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        tally = case.tally()
        expected = case.score(sk.confusion_matrix, labels=case.labels)
        assert tally.labels == tuple(map(str, case.labels))
        assert tally.table == close(expected), seed
        observed = Confusion.from_predictions(case.gold, case.pred)
        assert sorted(observed.labels) == sorted(map(str, case.seen))
        each = OneVsRest.every(tally.margins)
        theirs = case.score(sk.multilabel_confusion_matrix, labels=case.labels)
        assert np.stack([each.tp, each.fp, each.fn, each.tn]) == close(theirs[:, [1, 0, 1, 0], [1, 1, 0, 0]].T), seed


# ---------------------------------------------------------------------- the whole table
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("accuracy", sk.accuracy_score),
        ("error_rate", sk.zero_one_loss),
        ("balanced_accuracy", sk.balanced_accuracy_score),
        ("mcc", sk.matthews_corrcoef),
    ],
)
def test_measures_of_the_whole_table_are_those_of_scikit_learn(name: str, function: Any) -> None:
    for case in (*CASES, *LARGE, *DEMO):
        found = getattr(assay, name)(case.gold, case.pred, labels=case.labels, sample_weight=case.weight)
        # scikit-learn's MCC takes a difference of squared sums, which costs half of the digits near zero.
        assert found == close(float(case.score(function)), 1e-9 if name == "mcc" else 1e-11)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_is_that_of_scikit_learn(weights: str) -> None:
    theirs = None if weights == "none" else weights
    for case in (*CASES, *LARGE, *DEMO):
        expected = float(case.score(sk.cohen_kappa_score, labels=case.labels, weights=theirs))
        if len({*case.gold.tolist(), *case.pred.tolist()}) == 1:
            expected = math.nan  # 0/0, of which weights leave 1e-16 there
        assert assay.cohen_kappa.of(case.tally(), weights=weights) == close(expected, 1e-9)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_is_that_of_statsmodels(weights: str) -> None:
    theirs = None if weights == "none" else weights
    for case in (*LARGE[2:6:2], *DEMO):
        tally = case.tally()
        expected = float(cohens_kappa(tally.table, wt=theirs, return_results=False))
        assert assay.cohen_kappa.of(tally, weights=weights) == close(expected)


@pytest.mark.parametrize("name", WHOLE)
def test_measures_of_the_whole_table_follow_their_definition(name: str) -> None:
    for options in settings(name):
        for case in (*CASES, *DEMO[:4]):
            expected = WHOLE[name](case, **options)
            assert catalogue()[name].of(case.tally(), **options) == close(expected, 1e-9), options


def test_measures_of_a_thousand_classes_follow_their_definition() -> None:
    for case in LARGE[6:]:
        tally = case.tally()
        for name in ("g_mean", "f1_of_means", "symmetric_balanced_accuracy", "expected_cost"):
            assert catalogue()[name].of(tally) == close(WHOLE[name](case), 1e-9)


@pytest.mark.parametrize("k", [2, 3, 8, 12, 30])
def test_mcc_of_a_constant_answer_is_exactly_zero_however_the_rows_are_weighted(k: int) -> None:
    # Sums of weights taken by row and by column differ in their last bits, and 0/0 must not become 1e-16/1e-16.
    for seed in range(16):
        rng = np.random.default_rng(seed)
        gold, pred = rng.integers(0, k, 60), np.full(60, seed % k)
        strata = rng.integers(0, 3, 60) if seed % 2 else None
        for y, p in ((gold, pred), (pred, gold)):
            tally = Confusion.from_predictions(y, p, labels=range(k), sample_weight=rng.random(60), strata=strata)
            assert assay.mcc.of(tally) == 0
            found = assay.estimate("mcc", tally, method="logit_delta")
            assert found.value == 0
            assert any("0/0" in note for note in found.notes)


def test_mcc_loses_no_digits_with_rare_classes_among_a_thousand_million_rows() -> None:
    rng = np.random.default_rng(0)
    for i in range(20):
        table = rng.integers(0, 10**8, (3, 3))
        table[rng.random((3, 3)) < 0.3] = 3
        if i % 2:
            table = rng.integers(1, 9, (3, 3))
            table[0, 0] = 10**9
        n, gold, pred = (int(table.sum()), *([int(x) for x in table.sum(axis)] for axis in (1, 0)))
        # Whole numbers of Python do not round.
        top = n * int(np.trace(table)) - sum(g * p for g, p in zip(gold, pred, strict=True))
        spread = (n * n - sum(g * g for g in gold)) * (n * n - sum(p * p for p in pred))
        tally = Confusion.from_matrix(table, list("abc"))
        assert assay.mcc.of(tally) == pytest.approx(top / spread**0.5, rel=1e-12)


# ---------------------------------------------------------------------- one class
@pytest.mark.parametrize("name", ONE_CLASS)
def test_values_of_each_class_follow_their_definition(name: str) -> None:
    measure = catalogue()[name]
    for options in settings(name):
        for case in (*CASES, *LARGE[:6], *DEMO):
            expected = [ONE_CLASS[name](*four, **options) for four in four_counts(case).values()]
            found = measure.per_class(case.gold, case.pred, labels=case.labels, sample_weight=case.weight, **options)
            assert list(found) == case.labels
            assert list(found.values()) == close(expected, 1e-9), options


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_values_of_each_class_are_those_of_scikit_learn(name: str) -> None:
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    for case in (*CASES, *LARGE):
        # A class without a value of its own is nan here, and there if one asks for it.
        expected = case.score(theirs, average=None, labels=case.labels, zero_division=np.nan).tolist()
        found = mine.per_class(case.gold, case.pred, labels=case.labels, sample_weight=case.weight)
        assert list(found.values()) == close(expected)
        if len(case.labels) <= 20:
            tally = case.tally()
            assert [mine.of(tally, pos_label=label) for label in case.labels] == close(expected)


def test_jaccard_and_f_beta_of_each_class_are_those_of_scikit_learn() -> None:
    for case in (*CASES, *LARGE):
        used = case.seen  # of a class that nobody used, 0/0 here and 0 there
        mine = assay.jaccard.per_class(case.gold, case.pred, labels=case.labels, sample_weight=case.weight)
        expected = case.score(sk.jaccard_score, average=None, labels=used, zero_division=0).tolist()
        assert [mine[label] for label in used] == close(expected)
        for beta in (0.5, 2) if len(case.labels) <= 20 else ():
            mine = assay.f_beta.per_class(
                case.gold, case.pred, labels=case.labels, sample_weight=case.weight, beta=beta
            )
            expected = case.score(sk.fbeta_score, average=None, labels=used, beta=beta, zero_division=0).tolist()
            assert [mine[label] for label in used] == close(expected)


def test_two_classes_have_the_scores_of_the_positive_one() -> None:
    for case in (*LARGE[:2], *DEMO[:4]):
        for positive in case.labels:
            tally = case.tally(positive=positive)
            p, r, f, _ = case.score(
                sk.precision_recall_fscore_support, average="binary", pos_label=positive, zero_division=np.nan
            )
            assert [assay.precision.of(tally), assay.recall.of(tally), assay.f1.of(tally)] == close([p, r, f])
            expected = case.score(sk.jaccard_score, pos_label=positive)
            assert assay.jaccard.of(tally) == close(float(expected))


def test_likelihood_ratios_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(4)
    for seed in range(80):
        n = int(rng.integers(2, 40))
        gold, pred = rng.integers(0, 2, n), rng.integers(0, 2, n)
        weight = rng.random(n) + 0.1 if seed % 2 else None
        options: dict[str, Any] = {"labels": [0, 1], "sample_weight": weight}
        plus, minus = quiet(sk.class_likelihood_ratios, gold, pred, **options)
        assert assay.lr_plus(gold, pred, **options) == close(plus), seed
        assert assay.lr_minus(gold, pred, **options) == close(minus), seed


def test_the_odds_ratio_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        tp, fp, fn, tn = (int(x) for x in rng.integers(1, 50, 4))
        expected = float(Table2x2(np.array([[tp, fn], [fp, tn]])).oddsratio)
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
        assert assay.diagnostic_odds_ratio.of(tally) == close(expected)


def test_weights_that_cancel_leave_nothing_behind() -> None:
    # Every row is called "a": nothing lies outside, and shares of what lies outside are 0/0 whatever the weights.
    rng = np.random.default_rng(6)
    for _ in range(60):
        gold, weight = rng.choice(list("abc"), 30), rng.random(30)
        tally = Confusion.from_predictions(gold, ["a"] * 30, labels=list("abc"), sample_weight=weight)
        for name in ("npv", "false_omission_rate", "markedness", "lr_minus", "diagnostic_odds_ratio"):
            assert math.isnan(catalogue()[name].of(tally, pos_label="a")), name
        assert assay.specificity.of(tally, pos_label="a") == 0
        assert assay.fpr.of(tally, pos_label="a") == 1


def test_beta_and_alpha_are_two_names_of_one_thing() -> None:
    for case in CASES[:20]:
        for beta in (0.25, 1, 3):
            label, tally = case.labels[0], case.tally()
            by_alpha = assay.f_beta.of(tally, pos_label=label, alpha=1 / (1 + beta**2))
            assert assay.f_beta.of(tally, pos_label=label, beta=beta) == close(by_alpha)


# ---------------------------------------------------------------------- averages
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize(
    ("name", "theirs", "options"),
    [
        ("precision", sk.precision_score, {}),
        ("recall", sk.recall_score, {}),
        ("f1", sk.f1_score, {}),
        ("f_beta", sk.fbeta_score, {"beta": 2}),
        ("f_beta", sk.fbeta_score, {"beta": 0.5}),
        ("jaccard", sk.jaccard_score, {}),
    ],
)
def test_averages_are_those_of_scikit_learn(name: str, theirs: Any, options: dict[str, Any], average: str) -> None:
    mine = getattr(assay, name)
    # A class without a value counts as 0, or is left out: scikit-learn calls these zero_division 0 and nan.
    for undefined, division in (("zero", 0), ("exclude", np.nan)):
        if name == "jaccard" and undefined == "exclude":
            continue  # it has no such option there
        for case in (*CASES[:: 1 if undefined == "zero" else 2], *LARGE[5:7], DEMO[-1]):
            expected = float(case.score(theirs, labels=case.labels, average=average, zero_division=division, **options))
            found = mine.of(case.tally(), average=average, undefined=undefined, **options)
            nothing_left = average == "weighted" and undefined == "exclude" and not set(case.gold) & set(case.pred)
            if name == "precision" and nothing_left:
                # No gold class has a precision: scikit-learn falls back to the unweighted mean of the others.
                assert math.isnan(found)
            else:
                assert found == close(expected), undefined


def test_averages_of_arrays_are_those_of_their_counts() -> None:
    for case in CASES[:20]:
        options: dict[str, Any] = {"labels": case.labels, "sample_weight": case.weight}
        for average in AVERAGES:
            expected = float(case.score(sk.f1_score, labels=case.labels, average=average, zero_division=0))
            assert assay.f1(case.gold, case.pred, **{**options, "average": average}) == close(expected)
        expected = float(case.score(sk.recall_score, average=None, labels=case.labels[:1], zero_division=np.nan)[0])
        assert assay.recall(case.gold, case.pred, pos_label=case.labels[0], **options) == close(expected)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", definitions.AVERAGED)
def test_averages_follow_their_definition(name: str, average: str) -> None:
    for undefined in UNDEFINED:
        for options in settings(name)[-3:]:
            for case in (*CASES, *LARGE[:6]):
                expected = averaged(name, case, average, undefined, **options)
                found = catalogue()[name].of(case.tally(), average=average, undefined=undefined, **options)
                assert found == close(expected, 1e-9), (undefined, options)


def test_what_is_of_one_class_has_no_average() -> None:
    for name in definitions.NEVER_AVERAGED:
        with pytest.raises(OptionError, match="defined for one class only"):
            catalogue()[name].of(CASES[0].tally(), average="macro")


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_a_declared_class_that_nobody_used_counts_as_zero_as_in_scikit_learn(name: str) -> None:
    gold, pred, labels = list("aabb"), list("abbb"), list("abc")
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    without = float(theirs(gold, pred, average="macro", zero_division=0))
    with_it = float(theirs(gold, pred, average="macro", labels=labels, zero_division=0))
    assert mine(gold, pred, average="macro", labels=labels) == close(with_it)
    assert mine(gold, pred, average="macro", labels=labels, undefined="exclude") == close(without)
    assert with_it == close(without * 2 / 3)
    found = assay.estimate(mine, Confusion.from_predictions(gold, pred, labels=labels), average="macro")
    assert any("is declared and occurs nowhere" in note for note in found.notes)


# ---------------------------------------------------------------------- one row, one class
def test_a_single_right_row_has_the_values_that_are_defined_and_no_others() -> None:
    tally = Confusion.from_predictions(["a"], ["a"], labels=["b", "a"], positive="a")
    right = {"accuracy", "balanced_accuracy", "precision", "recall", "f1", "f_beta", "jaccard", "fowlkes_mallows"}
    right |= {"prevalence", "g_mean", "symmetric_balanced_accuracy", "f1_of_means"}
    none = {"error_rate", "fnr", "fdr", "mcc", "expected_cost"}  # of no error, and of MCC by convention
    for name in (*ONE_CLASS, *WHOLE):
        expected = 1.0 if name in right else 0.0 if name in none else math.nan
        assert catalogue()[name].of(tally) == close(expected), name


def test_a_single_wrong_row_has_the_values_that_are_defined_and_no_others() -> None:
    tally = Confusion.from_predictions(["a"], ["b"], labels=["b", "a"], positive="a")
    best_of_errors = {"error_rate", "fnr", "false_omission_rate", "prevalence", "expected_cost"}
    none = {"accuracy", "balanced_accuracy", "recall", "f1", "f_beta", "jaccard", "g_mean", "f1_of_means", "mcc"}
    none |= {"npv", "cohen_kappa"}  # chance alone would be as wrong
    for name in (*ONE_CLASS, *WHOLE):
        expected = 1.0 if name in best_of_errors else 0.0 if name in none else math.nan
        if name == "symmetric_balanced_accuracy":
            expected = (0 + 1 + 0 + 1) / 4  # what is missing on one side stands in with all of the other
        assert catalogue()[name].of(tally) == close(expected), name


def test_the_definitions_agree_with_scikit_learn_where_both_exist() -> None:
    # So that an error in one of the two oracles does not pass for an error of ours.
    for case in CASES:
        assert definitions.accuracy(case) == close(float(case.score(sk.accuracy_score)))
        assert definitions.mcc(case) == close(float(case.score(sk.matthews_corrcoef)), 1e-9)
        expected = float(case.score(sk.f1_score, labels=case.labels, average="macro", zero_division=0))
        assert averaged("f1", case, "macro", "zero") == close(expected)


# ---------------------------------------------------------------------- symmetric balanced accuracy
def test_without_a_right_item_symmetric_balanced_accuracy_is_what_its_page_says() -> None:
    sba = assay.symmetric_balanced_accuracy
    assert sba(list("aabb"), list("bbaa")) == 0
    assert sba(list("aabb"), list("cccc")) == close(1 / 3)
    assert sba(list("aaaa"), list("bbbb")) == close(1 / 2)
    # c has no gold items and half of the predictions: that stands in for its recall, and all else is 0.
    assert sba(list("aabb"), list("bbcc")) == close((2 / 4 + 2 / 4) / 6)


def test_every_measure_has_a_reference_and_a_short_citation_of_it() -> None:
    for measure in catalogue().values():
        name, year = cited(measure).rsplit(" ", 1)
        assert re.fullmatch(r"[12]\d{3}", year), measure.name
        assert re.fullmatch(r"(van )?[A-ZÄÖÜ][\w]*( et al\.| and [A-Z][\w]*)?", name), measure.name
    found = [cited(catalogue()[name]) for name in ("mcc", "symmetric_balanced_accuracy", "lr_plus", "top_k_accuracy")]
    assert found == ["Gorodkin 2004", "Gösgens et al. 2021", "Deeks and Altman 2004", "Russakovsky et al. 2015"]
