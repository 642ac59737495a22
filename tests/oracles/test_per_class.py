"""The table of classes holds the numbers of scikit-learn's classification_report, and intervals by their definition."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn import metrics as sk

import assay
from assay.errors import DataError, OptionError

MEASURES = {"precision": "precision", "recall": "recall", "f1": "f1-score"}


def zipf(k: int, n: int, seed: int = 7) -> tuple[list[str], list[str]]:
    """Labels with a long tail, and answers of which four in five are right; the rarest class is never predicted."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, k + 1) ** 1.1
    gold = rng.choice(k, n, p=share / share.sum())
    gold[:k] = np.arange(k)
    pred = np.where(rng.random(n) < 0.8, gold, rng.choice(k, n, p=share / share.sum()))
    pred[pred == k - 1] = 0
    return [f"c{i:03d}" for i in gold], [f"c{i:03d}" for i in pred]


@pytest.mark.parametrize("k", [2, 5, 52, 200])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_value_is_that_of_scikit_learn(k: int, weighted: bool) -> None:
    gold, pred = zipf(k, 10 * k + 300)
    weights = np.random.default_rng(1).integers(1, 5, len(gold)) / 2 if weighted else None
    theirs: Any = sk.classification_report(gold, pred, output_dict=True, zero_division=0, sample_weight=weights)
    found = assay.classification_report(gold, pred, sample_weight=weights, n_resamples=99)
    assert [row.class_ for row in found.classes] == sorted({*gold, *pred})
    for row in found.rows:
        if row.average == "micro":
            assert row.f1.value == pytest.approx(theirs["accuracy"])
            continue
        known = theirs[row.class_ if row.average is None else f"{row.average} avg"]
        assert row.support == pytest.approx(known["support"])
        for name, their_name in MEASURES.items():
            value = getattr(row, name)
            assert (value.value or 0.0) == pytest.approx(known[their_name]), (row.class_, name)


@pytest.mark.parametrize("labels", [["c000", "c003"], ["c004"], ["c002", "none"]])
@pytest.mark.parametrize("zero", [0, np.nan])
def test_labels_may_be_some_of_the_classes_as_in_scikit_learn(labels: list[str], zero: float) -> None:
    gold, pred = zipf(5, 200)
    options: Any = {"labels": labels, "zero_division": zero, "target_names": [each.upper() for each in labels]}
    theirs: Any = sk.classification_report(gold, pred, output_dict=True, **options)
    found = assay.classification_report(gold, pred, **options)
    assert [row.class_ for row in found.classes] == [label.upper() for label in labels]
    for row in found.rows:
        known = theirs[row.class_ if row.average is None else f"{row.average} avg"]
        assert row.support == known["support"]
        for name, their_name in MEASURES.items():
            value = getattr(row, name)
            expected = known[their_name]
            if value.value is None:
                assert value.reason
                assert expected == 0 or np.isnan(expected)
            else:
                assert value.value == pytest.approx(expected), (row.class_ or row.average, name)
    whole = assay.classification_report(gold, pred)
    assert found.rows[0].f1 == whole[labels[0]].f1, "a class has the interval that it has among all"
    assert found.averaged("macro").f1.low is None
    assert "over some of the classes" in str(found.averaged("macro").f1.reason)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"digits": 3}, r"there is no digits=: .*to_frame\(\)"),
        ({"output_dict": True}, r"\.to_dict\(\)"),
        ({"target_names": ["one"]}, "target_names has 1 name for 5 classes"),
        ({"target_names": list("aabcd")}, "target_names has a name twice"),
        ({"zero_division": 1}, "look better than they are"),
    ],
)
def test_what_scikit_learns_table_takes_and_this_one_does_not_is_refused_in_words(options: Any, said: str) -> None:
    gold, pred = zipf(5, 200)
    with pytest.raises(OptionError, match=said):
        assay.classification_report(gold, pred, **options)


def test_labels_without_anything_in_common_are_refused_as_by_evaluate() -> None:
    gold, pred = [1, 0, 1, 1], ["1.0", "0.0", "1.0", "1.0"]
    with pytest.raises(DataError, match=r"no label in common.*numeric_labels=True.*evaluate\(y_true, y_pred\)"):
        assay.classification_report(gold, pred)
    assert len(assay.classification_report(gold, pred, labels="observed").classes) == 4
    same = assay.evaluate(gold, pred, numeric_labels=True).per_class
    assert same["1"].f1.value == 1


def test_what_is_never_predicted_has_no_precision_but_a_reason() -> None:
    gold, pred = zipf(5, 200)
    row = assay.classification_report(gold, pred)["c004"]
    assert row.predicted == 0
    assert (row.precision.value, row.precision.low) == (None, None)
    assert row.precision.reason == "no item was predicted as this class"
    assert row.f1.value == 0


def test_predicted_rows_are_counted_by_hand() -> None:
    found = assay.classification_report(list("aabbc"), list("abbba"))
    assert [(row.class_, row.support, row.predicted) for row in found.classes] == [
        ("a", 2, 2),
        ("b", 2, 3),
        ("c", 1, 0),
    ]


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_limits_of_recall_leave_half_the_rest_of_mid_p_on_each_side(level: float) -> None:
    gold, pred = zipf(5, 300)
    row = assay.classification_report(gold, pred, level=level)["c001"]
    n = gold.count("c001")
    hits = sum(a == b == "c001" for a, b in zip(gold, pred, strict=True))
    low, high = row.recall.low, row.recall.high
    assert low is not None
    assert high is not None
    assert binom.sf(hits, n, low) + binom.pmf(hits, n, low) / 2 == pytest.approx((1 - level) / 2, abs=1e-6)
    assert binom.cdf(hits - 1, n, high) + binom.pmf(hits, n, high) / 2 == pytest.approx((1 - level) / 2, abs=1e-6)


# ---------------------------------------------------------------------- of a report
@pytest.mark.parametrize("measures", [None, ["accuracy"]])
def test_a_report_has_the_same_table_whichever_measures_it_shows(measures: list[str] | None) -> None:
    gold, pred = zipf(8, 300)
    report = assay.evaluate({"gold": gold, "a": pred}, gold="gold", pred="a", measures=measures)
    theirs: Any = sk.classification_report(gold, pred, output_dict=True, zero_division=0)
    assert report.per_class is report.per_class
    for row in report.per_class.classes:
        assert row.system == "a"
        assert (row.f1.value, row.support) == pytest.approx(
            (theirs[row.class_]["f1-score"], theirs[row.class_]["support"])
        )


def test_a_report_computes_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, pred = zipf(8, 300)
    report = assay.evaluate({"gold": gold, "a": pred}, gold="gold", pred="a")
    made: list[dict[str, Any]] = []

    def estimate(*values: Any, **options: Any) -> Any:
        made.append(options)
        return assay.estimate(*values, **options)

    monkeypatch.setattr("assay.jobs.classes.per_class.estimate", estimate)
    assert len(report.per_class.classes) == 8
    # The report shows every class, the macro averages and weighted F1.
    assert len(made) == 5
    assert all("average" in options for options in made)


def test_two_classes_are_both_shown_though_one_is_positive() -> None:
    gold, pred = zipf(2, 100)
    report = assay.evaluate({"gold": gold, "a": pred}, gold="gold", pred="a", positive="c000")
    theirs: Any = sk.classification_report(gold, pred, output_dict=True, zero_division=0)
    for label in ("c000", "c001"):
        assert report.per_class[label].recall.value == pytest.approx(theirs[label]["recall"])


def test_several_systems_are_asked_for_by_name() -> None:
    gold, pred = zipf(4, 200)
    compared = assay.compare_systems({"gold": gold, "a": pred, "b": gold}, gold="gold", pred=["a", "b"], n_resamples=99)
    assert compared.per_class["b", "c002"].f1.value == 1
    assert compared.per_class.averaged("macro", "b").f1.value == 1
    with pytest.raises(OptionError, match=r"several systems, 'a', 'b'; ask for a system and a class"):
        compared.per_class["c002"]


def test_what_is_not_there_is_said_with_the_nearest() -> None:
    found = assay.classification_report(["cat", "dog"] * 5, ["cat", "dog"] * 5)
    with pytest.raises(OptionError, match=r"there is no class 'cats'\. Did you mean 'cat'\?"):
        found["cats"]
    with pytest.raises(OptionError, match="there is no average 'samples'"):
        found.averaged("samples")


def test_a_report_without_labels_says_that_it_has_no_classes() -> None:
    report = assay.evaluate({"gold": [0, 1, 1, 0] * 5, "s": [-3.0, 4.0, 1.0, 2.0] * 5}, scores="s")
    with pytest.raises(DataError, match="has no classes"):
        _ = report.per_class


# ---------------------------------------------------------------------- formats
def test_the_table_comes_as_json_as_a_frame_as_text_and_as_a_page() -> None:
    gold, pred = zipf(5, 200)
    found = assay.classification_report(gold, pred)
    stored = json.loads(found.to_json())
    assert stored["rows"][4]["precision"] == {
        "value": None,
        "low": None,
        "high": None,
        "reason": "no item was predicted as this class",
    }
    frame = found.to_frame("polars")
    assert frame.filter(frame["class"] == "c001")["recall_low"][0] == found["c001"].recall.low
    text = str(found)
    assert "macro average" in text
    assert "– in Precision: no item was predicted as this class" in text
    assert "c003" in found.to_html()
    assert copy.copy(found) == found == pickle.loads(pickle.dumps(found))


def test_a_class_may_be_called_as_an_average_is() -> None:
    text = str(assay.classification_report(["macro average", "b"] * 9, ["macro average", "b"] * 9))
    assert [line.split("  ")[0].strip() for line in text.splitlines() if "average" in line] == [
        "macro average",
        "micro average",
        "(macro average)",
        "weighted average",
    ]


def test_averages_over_some_classes_say_why_they_have_no_interval() -> None:
    found = assay.classification_report([1, 8, 9, 2] * 5, [1, 8, 9, 1] * 5, labels=[1, 8, 9])
    reason = "no interval is computed for an average over some of the classes"
    assert str(found).count(reason) == 1
    assert found.to_html().count(reason) == 1
    assert reason not in str(assay.classification_report([1, 8, 9, 2] * 5, [1, 8, 9, 1] * 5))
