"""What scikit-learn's users write, against what scikit-learn gives for it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

import assay
from assay.tally.contract.codes import alike

PAIRS = {
    "f1": (assay.f1, sk.f1_score),
    "precision": (assay.precision, sk.precision_score),
    "recall": (assay.recall, sk.recall_score),
    "jaccard": (assay.jaccard, sk.jaccard_score),
}
LISTED: tuple[list[str], ...] = (["a", "b"], ["z", "a"], ["d"], list("abcdz"), list("dcba"), ["z", "y"])


def drawn(seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.choice(list("abcd"), 50, p=[0.5, 0.3, 0.15, 0.05])
    pred = np.where(rng.random(50) < 0.6, gold, rng.choice(list("abcd"), 50))
    return gold, pred, rng.choice([0.5, 1.0, 2.0], 50)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("seed", range(3))
def test_labels_may_be_some_of_the_classes_or_more_than_there_are(name: str, average: Any, seed: int) -> None:
    gold, pred, weight = drawn(seed)
    ours, theirs = PAIRS[name]
    for labels in LISTED:
        for w in (None, weight):
            options: dict[str, Any] = {"labels": labels, "average": average, "sample_weight": w}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of weights that add up to nothing
                expected = theirs(gold, pred, zero_division=0, **options)
            found = ours(gold, pred, **options)
            if np.isnan(found):
                counted = {*gold, *pred} if average == "micro" and name in ("f1", "jaccard") else {*gold}
                counted = {*pred} if average == "micro" and name == "precision" else counted
                assert average != "macro" or not set(labels) & {*gold, *pred}
                assert not set(labels) & counted, "0/0 over all, for which scikit-learn has a 0"
            else:
                assert found == pytest.approx(expected, abs=1e-12), labels


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
def test_zero_division_nan_leaves_a_class_out(name: str) -> None:
    gold, pred, _ = drawn(0)
    ours, theirs = PAIRS[name]
    options: dict[str, Any] = {"labels": list("abcdz"), "average": "macro", "zero_division": np.nan}
    assert ours(gold, pred, **options) == pytest.approx(theirs(gold, pred, **options), abs=1e-12)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(("gold", "pred"), [([0, 1], [0, 0]), ([0, 0], [0, 0]), ([0, 0], [1, 0]), ([0, 1], [0, 1])])
def test_zero_division_0_is_the_value_of_one_class_too(name: str, gold: Any, pred: Any) -> None:
    ours, theirs = PAIRS[name]
    expected = theirs(gold, pred, zero_division=0)
    assert ours(gold, pred, zero_division=0) == ours(gold, pred, undefined="zero") == expected
    assert ours(gold, pred, labels=[0, 1], zero_division=0) == expected
    # Where scikit-learn's value depends on zero_division, it is 0/0.
    nan = expected if theirs(gold, pred, zero_division=1) == expected else np.nan
    assert ours(gold, pred) == pytest.approx(nan, nan_ok=True)
    assert ours(gold, pred, zero_division=np.nan) == pytest.approx(nan, nan_ok=True)
    by_class = theirs(gold, pred, labels=[0, 1], average=None, zero_division=0)
    assert list(ours.per_class(gold, pred, labels=[0, 1], zero_division=0).values()) == list(by_class)


def test_zero_division_0_counts_a_rate_that_is_best_at_0_as_its_worst() -> None:
    assert assay.fdr([0, 1], [0, 0], zero_division=0) == 1, "as one minus precision"


def test_folds_without_a_predicted_positive_are_scored_as_0_if_asked() -> None:
    X, y = np.zeros((60, 1)), np.array([0, 0, 1] * 20)
    never = sk.make_scorer(assay.precision, zero_division=0)
    theirs = sk.make_scorer(sk.precision_score, zero_division=0)
    assert cross_val_score(MODEL, X, y, scoring=never).tolist() == cross_val_score(MODEL, X, y, scoring=theirs).tolist()


MISSPELT: dict[str, Any] = {
    "f1": lambda y, p, labels: assay.f1(y, p, average="macro", labels=labels),
    "per_class": lambda y, p, labels: assay.recall.per_class(y, p, labels=labels),
    "confusion_matrix": lambda y, p, labels: assay.confusion_matrix(y, p, labels=labels),
}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_class_in_labels_is_refused_where_the_class_it_looks_like_is_left_out(name: str) -> None:
    y, p = ["malignant", "benign"] * 4, ["malignant", "benign", "benign", "benign"] * 2
    made = MISSPELT[name]
    with pytest.raises(assay.DataError, match=r"no item has the label 'malignent'.*Did you mean 'malignant'\?"):
        made(y, p, ["malignent", "benign"])
    for allowed in (["malignent", "malignant", "benign"], ["benign", "unknown"], ["malignant"]):
        made(y, p, allowed)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("malignent", "malignant", True),
        ("Spam ", "spam", True),
        ("class 1", "class 2", False),
        ("type A", "type B", False),
        ("typical", "atypical", False),
        ("male", "female", False),
        ("positive", "negative", False),
        ("cat", "cats", False),
    ],
)
def test_labels_look_alike_only_if_one_may_be_a_misspelling_of_the_other(a: str, b: str, expected: bool) -> None:
    assert alike(a, b) is alike(b, a) is expected


def test_values_of_some_classes_are_those_of_scikit_learn() -> None:
    gold, pred, _ = drawn(1)
    found = assay.recall.per_class(gold, pred, labels=["c", "a"])
    assert list(found) == ["c", "a"]
    assert list(found.values()) == pytest.approx(sk.recall_score(gold, pred, labels=["c", "a"], average=None))


def test_a_declared_class_that_never_occurs_has_a_place_in_the_mean_with_its_interval() -> None:
    gold, pred, _ = drawn(2)
    labels = list("abcdz")
    expected = sk.f1_score(gold, pred, labels=labels, average="macro", zero_division=0)
    found = assay.f1.estimate(gold, pred, labels=labels, average="macro")
    without = assay.f1.estimate(gold, pred, average="macro")
    assert found.value == pytest.approx(expected)
    assert without.low is not None
    assert without.high is not None
    # Four classes of five have the value that they had, and the fifth has 0 for certain.
    assert (found.low, found.high) == pytest.approx((without.low * 4 / 5, without.high * 4 / 5))
    assert any("'z' is declared and occurs nowhere; counted as 0" in str(note) for note in found.notes)
    report = assay.evaluate(gold, pred, labels=labels, measures=["f1(average=macro)"])
    assert report["f1(average=macro)"].value == pytest.approx(expected)


def test_a_class_that_one_group_lacks_is_left_out_there_and_declared_ones_are_not() -> None:
    gold, pred, _ = drawn(2)
    group = np.where(gold == "d", "one", np.where(np.arange(50) % 2, "one", "two"))
    here = group == "two"
    labels, measure = list("abcdz"), "f1(average=macro)"
    report = assay.evaluate(gold, pred, labels=labels, slices={"group": group}, measures=[measure])
    (row,) = (r for r in report.rows if r.slice == "group=two" and r.quantity == "value")
    seen = sorted({*gold[here], *pred[here], "z"})
    expected = sk.f1_score(gold[here], pred[here], labels=seen, average="macro", zero_division=0)
    assert row.value == pytest.approx(expected)


def test_shards_that_declare_a_class_forget_it_where_another_shard_has_it() -> None:
    gold, pred, _ = drawn(2)
    labels = list("abcd")
    rare = gold == "d"
    parts = [assay.Confusion.from_predictions(gold[at], pred[at], labels=labels) for at in (~rare, rare)]
    whole = assay.Confusion.from_predictions(gold, pred, labels=labels)
    assert (parts[0] + parts[1]).absent == whole.absent == ()
    one = assay.Confusion.from_predictions(["a"], ["a"], labels=labels)
    assert assay.Confusion.from_json(one.to_json()).absent == ("b", "c", "d")


# ---------------------------------------------------------------------- models
IRIS, SPECIES = load_iris(return_X_y=True)
MODEL = LogisticRegression(C=0.1, max_iter=1000)


def test_measures_are_scored_by_cross_validation() -> None:
    for ours, theirs, options in (
        (assay.f1, "f1_macro", {"average": "macro"}),
        (assay.accuracy, "accuracy", {}),
        (assay.mcc, "matthews_corrcoef", {}),
    ):
        found = cross_val_score(MODEL, IRIS, SPECIES, scoring=sk.make_scorer(ours, **options))
        assert found == pytest.approx(cross_val_score(MODEL, IRIS, SPECIES, scoring=theirs))


def test_scorers_are_those_of_scikit_learn_for_several_classes_and_for_two() -> None:
    names = {"roc_auc": "roc_auc_ovr", "neg_log_loss": "neg_log_loss", "accuracy": "accuracy"}
    found = cross_validate(MODEL, IRIS, SPECIES, scoring=assay.scorers("roc_auc", "log_loss", "accuracy"))
    theirs = cross_validate(MODEL, IRIS, SPECIES, scoring=list(names.values()))
    for ours, name in names.items():
        assert found[f"test_{ours}"] == pytest.approx(theirs[f"test_{name}"])
    two = SPECIES != 2
    names = {"f1": "f1", "roc_auc": "roc_auc", "neg_brier": "neg_brier_score", "average_precision": "average_precision"}
    X, y = IRIS[two][:, :1], SPECIES[two]
    found = cross_validate(MODEL, X, y, scoring=assay.scorers("f1", "roc_auc", "brier", "average_precision"))
    theirs = cross_validate(MODEL, X, y, scoring=list(names.values()))
    for ours, name in names.items():
        assert found[f"test_{ours}"] == pytest.approx(theirs[f"test_{name}"])


def test_scorers_of_one_measure_are_called_as_they_were_spelled() -> None:
    names = ("f1(pos_label=1)", "f1(pos_label=0)")
    two = SPECIES != 2
    X, y = IRIS[two][:, :1], SPECIES[two]
    found = cross_validate(MODEL, X, y, scoring=assay.scorers(*names))
    for label, name in zip((1, 0), names, strict=True):
        theirs = cross_val_score(MODEL, X, y, scoring=sk.make_scorer(sk.f1_score, pos_label=label))
        assert found[f"test_{name}"] == pytest.approx(theirs)
    assert list(assay.scorers(["f1", "log_loss"])) == ["f1", "neg_log_loss"]
    with pytest.raises(assay.OptionError, match="two scorers would be called 'f1'"):
        assay.scorers("f1", "f1")
    said = r"mcc has no option pos_label=.*Spell it with f1 alone: scorers\('f1\(pos_label=1\)', 'mcc'\)\."
    with pytest.raises(assay.OptionError, match=said):
        assay.scorers("f1", "mcc", pos_label=1)


def test_a_search_chooses_by_a_scorer() -> None:
    grid = {"C": [0.001, 0.1]}
    found = GridSearchCV(MODEL, grid, scoring=assay.scorers(), refit="mcc").fit(IRIS, SPECIES)
    theirs = GridSearchCV(MODEL, grid, scoring="matthews_corrcoef").fit(IRIS, SPECIES)
    assert found.best_params_ == theirs.best_params_
    assert found.best_score_ == pytest.approx(theirs.best_score_)


def test_a_model_without_probabilities_is_scored_by_its_decisions_and_others_are_refused() -> None:
    two = SPECIES != 2
    X, y = IRIS[two], SPECIES[two]
    model = Perceptron().fit(X, y)
    expected = sk.roc_auc_score(y, model.decision_function(X))
    assert assay.scorers("roc_auc")["roc_auc"](model, X, y) == pytest.approx(expected)

    class Labels:
        def predict(self, X: Any) -> Any:
            return y

    with pytest.raises(assay.OptionError, match="neither predict_proba nor decision_function"):
        assay.scorers("roc_auc")["roc_auc"](Labels(), X, y)
    with pytest.raises(assay.OptionError, match="neither better when higher nor when lower"):
        assay.scorers("prevalence")


@pytest.mark.parametrize("measure", ["log_loss", "brier", "ece"])
@pytest.mark.parametrize("classes", [2, 3])
def test_decisions_are_refused_by_measures_of_probabilities(measure: str, classes: int) -> None:
    some = classes > SPECIES
    (scorer,) = assay.scorers(measure).values()
    if (measure, classes) == ("ece", 3):
        return  # of two classes only
    with pytest.raises(assay.OptionError, match=f"a Perceptron has no predict_proba, but {measure} needs probab"):
        cross_val_score(Perceptron(), IRIS[some], SPECIES[some], scoring=scorer, error_score="raise")


def test_a_fold_of_one_class_has_no_area_and_is_not_refused() -> None:
    model = Perceptron().fit(IRIS, SPECIES == 0)
    assert np.isnan(assay.scorers("roc_auc")["roc_auc"](model, IRIS[:5], [True] * 5))


def test_a_measure_given_as_a_scorer_says_how_to_make_one() -> None:
    with pytest.raises(assay.OptionError, match=r"it was given a model.*make_scorer\(assay\.f1\).*assay\.scorers"):
        cross_val_score(MODEL, IRIS, SPECIES, scoring=assay.f1, error_score="raise")


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("precision", {"zero_division": 1}, "zero_division is 1"),
        ("f1", {"average": "makro"}, "Did you mean 'macro'"),
        ("f1", {"averge": "macro"}, r"f1 has no option averge=\. Did you mean average=\?"),
        ("cohen_kappa", {"weights": "cubic"}, "weights is 'cubic'"),
    ],
)
def test_an_option_that_no_scorer_can_have_is_refused_at_once(name: str, options: Any, said: str) -> None:
    with pytest.raises(assay.OptionError, match=said):
        assay.scorers(name, **options)


def test_a_scorer_says_what_takes_part_in_the_routing_of_metadata() -> None:
    with pytest.raises(assay.OptionError, match=r"make_scorer\(assay\.mcc\)\.set_score_request"):
        assay.scorers("mcc")["mcc"].set_score_request(sample_weight=True)
    assert hasattr(sk.make_scorer(assay.mcc), "set_score_request")
