"""Measures are called as functions are: by position and by name, with a signature, help, copies and other names."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import DataError, OptionError
from assay.measures.declare.catalogue import catalogue
from scripts import stub

MEASURES = [pytest.param(measure, id=name) for name, measure in catalogue().items()]
GOLD, PRED = ["a", "b", "a", "b", "a"], ["a", "b", "b", "b", "a"]


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_has_the_name_signature_and_help_of_a_function(measure: assay.Measure) -> None:
    made: Any = measure
    parameters = inspect.signature(made).parameters
    assert made.__name__ == made.__qualname__ == measure.name
    assert all(p.default is not p.empty for p in parameters.values() if p.kind is p.KEYWORD_ONLY)
    assert set(measure.options) <= set(parameters)
    for name in parameters:
        assert f"\n{name}" in made.__doc__, "every parameter has a line of help"


@pytest.mark.parametrize("measure", MEASURES)
def test_a_copy_of_a_measure_is_the_measure(measure: assay.Measure) -> None:
    for each in (measure, *measure.variants.values()):
        assert pickle.loads(pickle.dumps(each)) is each
        assert copy.copy(each) is each
        assert copy.deepcopy(each) is each


@pytest.mark.parametrize("measure", MEASURES)
def test_other_names_of_a_measure_are_attributes(measure: assay.Measure) -> None:
    for alias in measure.aliases:
        assert getattr(assay, alias) is measure


def test_completion_shows_what_users_need() -> None:
    shown = dir(assay.f1)
    assert {"estimate", "of", "per_class", "range", "summary"} <= set(shown)
    assert not {"shortcuts", "paired", "formula", "bind", "losses", "signs"} & set(shown)
    assert "f1_score" not in dir(assay), "one name for one thing, though the other is understood"


def test_data_may_be_named_and_in_the_words_of_other_libraries() -> None:
    expected = assay.f1(GOLD, PRED, pos_label="a")
    assert expected == pytest.approx(4 / 5)
    assert assay.f1(y_true=GOLD, y_pred=PRED, pos_label="a") == expected
    assert assay.f1(GOLD, y_pred=PRED, positive="a") == expected
    y, score = [0, 1, 1, 0], [0.2, 0.9, 0.4, 0.6]
    by_name: Any = assay.roc_auc
    assert by_name(y_true=y, y_proba=score) == by_name(y, score) == 0.75
    by_name = assay.log_loss
    expected = -(math.log(0.8) + math.log(0.9) + math.log(0.4) + math.log(0.4)) / 4
    assert by_name(y_true=y, y_pred=score) == pytest.approx(expected), "as scikit-learn calls probabilities"
    by_name = assay.adjusted_rand
    assert by_name(labels_true=GOLD, labels_pred=GOLD) == 1


REFUSED = {
    "twice by position and name": (lambda f: f(GOLD, PRED, y_pred=PRED), "by position and as y_pred="),
    "average=None": (lambda f: f(GOLD, PRED, average=None), "per_class"),
    "zero_division=1": (lambda f: f(GOLD, PRED, zero_division=1), "undefined='zero'"),
    "normalize": (lambda f: f(GOLD, PRED, normalize=False), "confusion_matrix"),
    "positive and pos_label": (lambda f: f(GOLD, PRED, positive="a", pos_label="b"), "two words for one thing"),
    "zero_division and undefined": (lambda f: f(GOLD, PRED, zero_division=0, undefined="zero"), "two words"),
    "a misspelt option": (lambda f: f(GOLD, PRED, averge="macro"), "averge"),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=list(REFUSED))
def test_a_call_that_cannot_be_meant_is_refused_with_what_to_do(call: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        call(assay.f1)


def test_a_misspelt_name_suggests_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"Did you mean 'f1_score'\?"):
        getattr(assay, "f1_scroe")  # noqa: B009


def test_one_call_gives_the_value_with_its_interval() -> None:
    tally = assay.Confusion.from_predictions(GOLD, PRED)
    for made in (
        assay.estimate("f1", GOLD, PRED, average="macro"),
        assay.estimate(assay.f1, y_true=GOLD, y_pred=PRED, average="macro"),
        assay.f1.estimate(GOLD, PRED, average="macro"),
    ):
        assert made == assay.estimate("f1", tally, average="macro")
    interval, value = made.interval, made.value
    assert interval is not None
    assert value is not None
    low, high = interval
    assert (low, high) == made.limits
    assert low < value < high
    with pytest.raises(DataError, match="f1 takes 'y_true', 'y_pred', or a tally"):
        assay.estimate("f1", GOLD)
    clustered = assay.f1.estimate(GOLD * 4, PRED * 4, average="macro", cluster=[i // 4 for i in range(20)])
    assert clustered.method != made.method


def test_limits_that_there_are_none_of_say_why() -> None:
    report = assay.evaluate(["a", "b", "a"], ["a", "a", "a"], positive="b")
    for found in (report["precision"], assay.precision.estimate(["a", "b"], ["a", "a"], pos_label="b")):
        assert found.interval is None
        with pytest.raises(DataError, match="there is no interval: no item was predicted as this class"):
            found.limits  # noqa: B018
    compared = assay.compare([1, 0] * 20, [1, 0] * 20, [1, 1] * 20, measure="accuracy", alternative="greater")
    assert compared.limits[1] == math.inf


@pytest.mark.parametrize("made", [assay.estimate, assay.evaluate], ids=["estimate", "evaluate"])
def test_help_of_functions_names_arrays(made: Any) -> None:
    assert "y_true, y_pred" in made.__doc__


# ---------------------------------------------------------------------- reports and results
def test_arrays_are_evaluated_as_the_same_table_is() -> None:
    rng = np.random.default_rng(3)
    gold = rng.choice(["cat", "dog"], 60)
    a, b = (np.where(rng.random(60) < share, gold, rng.choice(["cat", "dog"], 60)) for share in (0.8, 0.6))
    score, who = rng.random(60), rng.integers(0, 12, 60)
    table = {"gold": gold, "a": a, "b": b, "score": score, "who": who}
    columns: dict[str, Any] = {"pred": ["a", "b"], "scores": {"a": "score"}, "cluster": "who", "positive": "dog"}
    expected = assay.evaluate(table, gold="gold", **columns)
    other_words: dict[str, Any] = {"score": {"a": score}, "cluster": who, "pos_label": "dog"}
    found = assay.evaluate(gold, {"a": a, "b": b}, **other_words)
    assert [row.to_dict() for row in found.rows] == [row.to_dict() for row in expected.rows]
    against = assay.compare_systems(gold, {"a": a, "b": b}, positive="dog")
    assert against.rows == assay.compare_systems(table, gold="gold", pred=["a", "b"], positive="dog").rows
    with pytest.raises(DataError, match=r"evaluate\(y_true, y_pred\)"):
        assay.evaluate(gold)
    matrix = np.column_stack([1 - score, score])
    with pytest.raises(DataError, match="labels="):
        assay.evaluate(gold, scores=matrix)
    by_class = assay.evaluate(gold, scores=matrix, labels=["cat", "dog"])
    assert by_class["log_loss"].value == pytest.approx(assay.log_loss(gold, score, pos_label="dog"))


def test_a_report_is_asked_by_measure() -> None:
    report = assay.evaluate(GOLD * 5, {"one": PRED * 5, "two": GOLD * 5}, positive="a")
    assert report["f1", "one"].value == pytest.approx(assay.f1(GOLD, PRED, pos_label="a"))
    assert report["f1_score", "two"].value == 1
    with pytest.raises(KeyError, match=r"name one, as in report\['f1', 'one'\]"):
        report["f1"]
    with pytest.raises(KeyError, match="was not computed"):
        report["log_loss"]


def results() -> dict[str, Any]:
    y, p, s = [0, 1, 1, 0] * 10, [0, 1, 0, 0] * 10, [0.2, 0.9, 0.4, 0.3] * 10
    data = {"gold": y, "pred": p, "score": s}
    report = assay.evaluate(data, gold="gold", pred="pred")
    return {
        "estimate": assay.f1.estimate(y, p),
        "undefined estimate": assay.f1.estimate(["a", "b"], ["a", "b"], average="macro", undefined="null"),
        "comparison": assay.compare(y, p, y, measure="f1"),
        "values": assay.compare_values([1, 2, 1, 2, 2], [2, 3, 2, 3, 1]),
        "report": report,
        "comparing report": assay.compare_systems(y, {"a": p, "b": y}),
        "curves": assay.curves(data, gold="gold", scores="score"),
        "tuned": assay.tune(data, gold="gold", score="score", maximize="f1"),
        "plan": assay.plan(half_width=0.05),
        "advice": assay.advise(data, gold="gold", pred="pred"),
        "per class": assay.classification_report(y, p),
        "per class of one": assay.classification_report(y, p, labels=[1]),
        "confusion matrix": assay.confusion_matrix(y, p),
        **results_of_ranks(),
        "delong": assay.delong(y, s, s),
        "disagreements": assay.disagreements(
            {"id": range(40), "gold": y, "a": p, "b": y}, gold="gold", pred=["a", "b"]
        ),
    }


def results_of_ranks() -> dict[str, Any]:
    values = {"A": [0.8, 0.7, 0.9], "B": [0.7, 0.6, 0.95], "C": [0.1, 0.2, 0.3]}
    found = assay.friedman(values)
    return {
        "friedman": found,
        "friedman of ties": assay.friedman({name: [1, 1, 1] for name in "ABC"}),
        "post hoc": assay.post_hoc(found),
        "post hoc by holm": assay.post_hoc(found, "holm", baseline="A"),
        "critical difference": assay.critical_difference(found),
        "critical difference by holm": assay.critical_difference(found, method="holm"),
    }


@pytest.mark.parametrize(("name", "result"), results().items())
def test_every_result_can_be_read_by_people_and_by_programs(name: str, result: Any) -> None:
    import json

    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert len(result.to_frame()) >= 1
    assert result.to_html().startswith("<!doctype html>")
    assert "<" in result._repr_html_()
    assert result.to_text(80).strip()


def test_a_failing_assertion_shows_one_paragraph_and_none_of_our_lines(tmp_path: Path) -> None:
    path = tmp_path / "test_it.py"
    text = "import assay\ny, new, old = [0, 1] * 30, [0, 0] * 30, [0, 1] * 30\n"
    path.write_text(f"{text}def test_it():\n    assay.assert_no_worse(y, new, old, measure='accuracy', margin=0.01)\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(path)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False).stdout
    assert "AssertionError: new is worse than old by more than 0.01." in out
    assert "gates.py" not in out
    assert "def assert_no_worse" not in out


# ---------------------------------------------------------------------- types
def test_the_stub_is_what_the_declarations_say() -> None:
    assert stub.TARGET.read_text() == stub.formatted(stub.stub()), "make docs writes it"


SCRIPT = """
import numpy as np
import assay

y_true, y_pred = ["a", "b", "a"], np.array(["a", "b", "b"])
value: float = assay.f1(y_true, y_pred, average="macro")
assay.f1(y_true, y_pred, averge="macro")  # planted
assay.f1(y_true, y_pred, average="makro")  # planted
count: int = assay.mcc(y_true, y_pred)  # planted
found = assay.f1.estimate(y_true, y_pred, average="macro", level=0.9)
print(found.value, found.vlaue)  # planted
low, high = found.limits
assay.f1_score(y_true, y_pred, pos_label="a", zero_division=0)
assay.kappa(y_true, y_pred, weights="linear")
assay.f1_scor(y_true, y_pred)  # planted
scores = np.array([0.1, 0.9, 0.4])
assay.roc_auc([0, 1, 1], scores, max_fpr=0.1)
assay.roc_auc([0, 1, 1], scores, max_fpr="a")  # planted
assay.accuracy(y_true)  # planted
assay.precision.per_class(y_true, y_pred)["a"]
compared = assay.compare(y_true, y_pred, y_pred, measure="f1", average="macro")
print(compared.p, compared.difference, compared.pvalue)  # planted
report = assay.evaluate(y_true, y_pred, positive="a")
assay.evaluate("preds.csv", gold="label", pred=["a", "b"], levle=0.9)  # planted
lower, upper = assay.evaluate(y_true, y_pred, pos_label="a", sample_weight=[1, 2, 1])["f1"].limits
print(report["f1"].value, report.to_json(), report.notes[0])
print(report["f1"].valeu)  # planted
assay.compare_systems("preds.csv", gold="label", pred=["a", "b"], primary="f1(average=macro)")
assay.compare_values([1.0, 2.0], [2.0, 3.0]).verdict.upper()
plan = assay.plan(half_width=0.05)
assay.tune("dev.csv", score="p", maximize="f1")
scorers = assay.scorers("f1", average="macro")
tally = assay.Confusion.from_counts(tp=1, fp=2, fn=3, tn=4)
assay.estimate("recall", tally).at_level(0.9).to_dict()
assay.Confusion.from_counts(tp=1, fp=2, fn=3)  # planted
assay.friedman({"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 1.0], "c": [0.0, 0.0, 1.0]})
assay.advise({"gold": y_true, "pred": y_pred})
assay.delong([0, 1, 1], scores, scores)
adjusted: list[float] = assay.holm([0.01, 0.2])
by_name: dict[str, float] = assay.holm({"a": 0.01})
untested: list[float | None] = assay.bonferroni([0.01, None])
assay.compare(y_true, y_pred, y_pred, measure="accuracy", test="mcnmar")  # planted
assay.compare(y_true, y_pred, y_pred, measure="f1", pos_lable="a")  # planted
assay.compare(y_true, y_pred, y_pred, measure="f1", pos_label="a", method="mover", alternative="greater")
assay.compare(y_true, a=y_pred, b=y_pred, measure="f1", pos_label="a", ignore_case=True)
assay.estimate("f1", y_true, y_pred, averge="macro")  # planted
assay.estimate("f1", y_true, y_pred, average="macro", labels=["a", "b"], level=0.9)
assay.scorers("f1", averge="macro")  # planted
assay.compare_values([1.0, 2.0], [2.0, 3.0], zeros="prat")  # planted
assay.compare_values([1.0, 2.0], [2.0, 3.0], test="wilcoxon", zeros="pratt")
assay.roc_auc([0, 1, 1], "abc")  # planted
assay.roc_auc([0, 1, 1], [0.1, 0.2, 0.9])
assay.roc_auc([0, 1, 1], y_score=scores, pos_label=1)
assay.classification_report(y_true, y_pred, digits=3)  # planted
assay.classification_report(y_true, y_pred, target_names=["A", "B"], zero_division=0)
assay.f1(y_true, y_pred, zero_division=np.nan, average="macro")
ranked = assay.friedman({"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 1.0], "c": [0.0, 0.0, 1.0]})
assay.post_hoc(ranked, "nemeny")  # planted
print(assay.post_hoc(ranked, "nemenyi")[0].p_adjusted, assay.critical_difference(ranked).to_json())
assay.evaluate("preds.csv", missing="skipp")  # planted
assay.evaluate("preds.csv", method="wilsn")  # planted
assay.evaluate("preds.csv", missing="skip", method="wilson", measures=["f1", assay.mcc], tables=["pooled"])
assay.compare_systems("preds.csv", correction="hlm")  # planted
assay.compare_systems("preds.csv", test="mcnmar")  # planted
assay.compare_systems("preds.csv", alternative="grater")  # planted
assay.compare_systems("preds.csv", correction="holm", test="mcnemar", alternative="greater", primary=assay.f1)
assay.plan(items=100, disagreement=0.1, alternative="grater")  # planted
assay.confusion_matrix(y_true, y_pred, normalize="rows")  # planted
assay.confusion_matrix(y_true, y_pred, normalize="true").left_out
assay.assert_no_worse(y_true, y_pred, y_pred, measure="f1", margin=0.1, gate_on="limits")  # planted
assay.assert_no_worse(y_true, y_pred, y_pred, measure="f1", margin=0.1, averge="macro")  # planted
assay.assert_no_worse(y_true, y_pred, y_pred, measure="f1", margin=0.1, average="macro", level=0.9, test="none")
assay.assert_at_least(y_true, y_pred, measure="f1", value=0.9, pos_label="a", n_resamples=999)
"""


def test_a_type_checker_finds_the_planted_mistakes_and_nothing_else(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    cache = str(Path(assay.__file__).parents[2] / ".mypy_cache")  # what `make check` has read already
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", cache]
    out = subprocess.run([*command, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False).stdout
    found = {int(line.split(":")[1]) for line in out.splitlines() if ": error:" in line}
    planted = {at for at, line in enumerate(SCRIPT.splitlines(), start=1) if line.endswith("# planted")}
    assert found == planted, out
