"""What people type who know other tools: the message says what to type here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assay
from assay.cli.main import exit_code
from assay.cli.other_words import INSTEAD

DEMO = str(Path(assay.__file__).with_name("data") / "breast_cancer.csv")
Said = pytest.CaptureFixture[str]
SCORES = ["--score", "logistic=logistic_score", "--score", "tree=tree_score", "--positive", "malignant"]


def refused(capsys: Said, *words: str) -> str:
    assert exit_code([*words]) in (2, 3)
    said = capsys.readouterr().err
    assert said.startswith("assay: ")
    return " ".join(said.split())


@pytest.mark.parametrize("option", INSTEAD)
def test_an_option_of_another_tool_is_refused_with_what_to_type(option: str, capsys: Said) -> None:
    for typed in (f"--{option}", f"--{option.replace('-', '_')}"):
        said = refused(capsys, "evaluate", DEMO, "--pred", "tree", typed, "macro")
        assert f"there is no option --{option}" in said.replace("_", "-")
        assert INSTEAD[option] in said


def test_no_option_that_exists_is_said_to_be_missing(capsys: Said) -> None:
    for command in ("evaluate", "compare", "tune"):
        exit_code([command, "--help"])
        flags = set(capsys.readouterr().out.split())
        assert command != "evaluate" or not flags & {f"--{option}" for option in INSTEAD}


def test_a_comparison_sign_is_no_part_of_a_target_or_a_gate(capsys: Said) -> None:
    tune = ["tune", DEMO, "--score", "tree_score", "--positive", "malignant", "--target"]
    assert "write recall=0.9." in refused(capsys, *tune, "recall>=0.9")
    gate = refused(capsys, "evaluate", DEMO, "--pred", "tree", "--positive", "malignant", "--fail-under", "f1>=0.8")
    assert gate.endswith("Write f1=0.8.")


def test_delongs_test_says_how_to_name_the_area(capsys: Said) -> None:
    both = ["compare", DEMO, "--pred", "logistic", "--pred", "tree", *SCORES, "--test", "delong"]
    said = refused(capsys, *both)
    assert "DeLong's test" in said
    assert "--primary roc_auc" in said
    assert "measure=" not in said
    assert exit_code([*both, "--primary", "roc_auc"]) == 0


def test_a_misspelt_gold_column_suggests_the_usual_one(capsys: Said) -> None:
    assert "Did you mean 'gold'?" in refused(capsys, "evaluate", DEMO, "--gold", "lable", "--pred", "tree")


def test_a_file_is_suggested_only_if_its_name_is_similar(
    capsys: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("dsf.csv", "space.csv", "predictions.csv"):
        Path(name).touch()
    assert "did you mean" not in refused(capsys, "evaluate", "nofile.csv")
    assert "did you mean 'predictions.csv'" in refused(capsys, "evaluate", "prediction.csv")
    assert "did you mean 'predictions.csv'" in refused(capsys, "evaluate", "predictions.tsv")


def test_labels_where_scores_were_expected_lead_to_pred(capsys: Said) -> None:
    said = refused(capsys, "evaluate", DEMO, "--score", "tree", "--positive", "malignant")
    assert said.endswith("assay evaluate takes their column as --pred.")


def test_advice_about_one_system_takes_its_scores_alone(capsys: Said) -> None:
    assert exit_code(["advise", DEMO, "--pred", "tree", "--positive", "malignant"]) == 0
    said = capsys.readouterr().out
    assert "labels and scores from 1 system" in " ".join(said.split())
    assert "tree_score" in said
    assert not any(other in said for other in ("logistic_score", "forest_score", "bayes_score"))


def test_a_target_that_no_threshold_can_meet_is_called_that(capsys: Said) -> None:
    tune = ["tune", DEMO, "--score", "logistic_score", "--positive", "malignant", "--target-on", "interval"]
    assert exit_code([*tune, "--target", "recall=0.999"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    best = assay.recall.estimate([1] * 212, [1] * 212, pos_label=1).low
    assert best is not None
    assert "No threshold can meet this target with only 212 rows of “malignant”" in said
    assert f"is {best:.4g}." in said
    assert exit_code([*tune, "--target", "precision=0.9999"]) == 1
    assert "can meet this target" not in " ".join(capsys.readouterr().out.split())


def test_messages_name_options_as_they_were_written(capsys: Said) -> None:
    y, p = ["a", "b", "c"], ["a", "b", "b"]
    said = refused(capsys, "evaluate", DEMO, "--pred", "tree", "--labels", "benin")
    assert "--labels does not list" in said
    assert "Did you mean 'benign'?" in said
    assert "labels=" not in said
    with pytest.raises(assay.DataError, match=r"labels= does not list: 'c'.*map=\{'c': 'other'\}") as found:
        assay.evaluate(y, p, labels=["a", "b"])
    assert "--" not in str(found.value)
    for call in (lambda: assay.f1(y, ["0.1", "0.2", "0.3"]), lambda: assay.evaluate([1, 0] * 9, [0.1, 0.2] * 9)):
        with pytest.raises(assay.DataError, match="y_pred") as found:
            call()
        assert "--" not in str(found.value)


def test_a_measure_says_how_many_arrays_it_takes() -> None:
    measure: Any = assay.f1
    with pytest.raises(assay.OptionError, match=r"^f1 takes y_true and y_pred; only one array was given\.$"):
        measure([1, 0])
    with pytest.raises(assay.OptionError, match="three arrays were given"):
        measure([1, 0], [1, 0], [1, 1])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("--pos", "--positive"), ("--tresh", "--threshold"), ("--gld", "--gold"), ("--averge", None), ("-p", None)],
)
def test_a_mistyped_option_suggests_the_one_it_begins_or_resembles(typed: str, meant: str | None, capsys: Said) -> None:
    said = refused(capsys, "evaluate", DEMO, "--pred", "tree", typed, "x")
    assert f"there is no option {typed}." in said
    assert ("Did you mean" in said) == (meant is not None)
    assert meant is None or f"Did you mean {meant}?" in said


def test_an_option_that_resembles_none_is_refused_without_a_guess() -> None:
    wrong: dict[str, Any] = {"averge": "macro"}
    measure: Any = assay.balanced_accuracy
    calls: list[Any] = [
        lambda: assay.compare_systems({"gold": [1], "a": [1]}, **wrong),
        lambda: assay.tune({"gold": [1], "p": [1]}, score="p", **wrong),
        lambda: assay.plan(**wrong),
        lambda: measure([0, 1], [0, 1], adjusted=True),
    ]
    for call in calls:
        with pytest.raises(assay.OptionError) as refusal:
            call()
        assert "Did you mean" not in str(refusal.value)


def test_plan_says_how_to_name_a_pilot(capsys: Said) -> None:
    assert "name a pilot with --pilot pilot.csv" in refused(capsys, "plan", "pilot.csv")
    assert "does not take 'b.csv'" in refused(capsys, "check", DEMO, "b.csv")


def test_measures_between_commas_are_several_measures(capsys: Said) -> None:
    for given in (["f1,f_beta(beta=2,average=macro)"], ["f1", "f_beta(beta=2,average=macro)"]):
        words = [word for each in given for word in ("--measure", each)]
        shown = ["--pred", "tree", "--positive", "malignant", "--format", "csv"]
        assert exit_code(["evaluate", DEMO, *shown, *words]) == 0
        rows = capsys.readouterr().out
        assert "f_beta(beta=2,average=macro)" in rows or "f_beta(average=macro,beta=2)" in rows
        assert ",f1," in rows
