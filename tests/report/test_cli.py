from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli.main import exit_code
from tests.snapshot import Snapshot
from tests.terminal import on_a_terminal

PREDS = "id,gold,model,other\n" + "".join(
    f"{i},{g},{a},{b}\n"
    for i, (g, a, b) in enumerate(zip("sshhhshhhh" * 4, "sshhhshhhs" * 4, "shhhhhhhhh" * 4, strict=True))
)


@pytest.fixture
def preds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "preds.csv").write_text(PREDS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "preds.csv"


def test_evaluate_prints_a_sentence_the_measures_and_the_errors(
    preds: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    assert exit_code(["evaluate", preds, "--gold", "gold", "--pred", "model", "--positive", "s"]) == 0
    snapshot("cli_evaluate", capsys.readouterr().out)


def test_systems_are_named_on_the_command_line(preds: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", preds, "--pred", "new=model", "--pred", "old=other", "--measure", "accuracy"]
    assert exit_code([*command, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["system"], row["value"]) for row in rows] == [("new", 0.9), ("old", 0.8)]


def test_four_counts_give_everything_with_intervals(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["evaluate", "--tp", "80", "--fp", "30", "--fn", "20", "--tn", "70"]) == 0
    snapshot("cli_four_counts", capsys.readouterr().out)


def test_level_method_seed_and_resamples_reach_the_estimate(preds: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--measure",
        "mcc",
        "--level",
        "0.9",
        "--method",
        "percentile",
        "--seed",
        "7",
        "--resamples",
        "999",
        "--format",
        "json",
    ]
    assert exit_code(["evaluate", preds, "--pred", "model", *options]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["level"], row["method"]) == (0.9, "percentile")
    assert "draws:999|seed:7" in row["signature"]


@pytest.mark.parametrize("name", ["f1", "mcc", "roc_auc", "adjusted_rand"])
def test_a_measure_is_explained(name: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["measures", name]) == 0
    snapshot(f"cli_measures_{name}", capsys.readouterr().out)


def test_all_measures_are_listed(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["measures"]) == 0
    snapshot("cli_measures", capsys.readouterr().out)


def test_the_demo_evaluates_its_file(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["demo"]) == 0
    snapshot("cli_demo", capsys.readouterr().out)


MISTAKES = {
    "no_file": (["evaluate", "absent.csv"], 3),
    "nothing_to_evaluate": (["evaluate"], 2),
    "unknown_column": (["evaluate", "preds.csv", "--gold", "glod", "--pred", "model"], 3),
    "no_prediction_column": (["evaluate", "preds.csv"], 3),
    "unknown_measure": (["evaluate", "preds.csv", "--pred", "model", "--measure", "f1_macro"], 2),
    "unknown_option_of_a_measure": (["evaluate", "preds.csv", "--pred", "model", "--measure", "mcc(average=macro)"], 2),
    "unknown_average": (["evaluate", "preds.csv", "--pred", "model", "--measure", "f1(average=marco)"], 2),
    "not_a_measure": (["evaluate", "preds.csv", "--pred", "model", "--measure", "f1 macro"], 2),
    "cut_of_a_measure_without_one": (["evaluate", "preds.csv", "--pred", "model", "--measure", "f1@5"], 2),
    "unknown_positive": (["evaluate", "preds.csv", "--pred", "model", "--positive", "spam"], 3),
    "unknown_method": (["evaluate", "preds.csv", "--pred", "model", "--method", "wislon"], 2),
    "method_that_does_not_apply": (
        ["evaluate", "preds.csv", "--pred", "model", "--measure", "mcc", "--method", "wilson"],
        2,
    ),
    "level_out_of_range": (["evaluate", "preds.csv", "--pred", "model", "--level", "95"], 2),
    "too_few_resamples": (["evaluate", "preds.csv", "--pred", "model", "--resamples", "5"], 2),
    "same_name_twice": (["evaluate", "preds.csv", "--pred", "a=model", "--pred", "a=other"], 2),
    "three_counts": (["evaluate", "--tp", "1", "--fp", "2", "--fn", "3"], 2),
    "negative_count": (["evaluate", "--tp", "-1", "--fp", "2", "--fn", "3", "--tn", "4"], 3),
    "counts_and_file": (["evaluate", "preds.csv", "--tp", "1", "--fp", "2", "--fn", "3", "--tn", "4"], 2),
    "count_that_is_no_number": (["evaluate", "--tp", "many"], 2),
    "unknown_command": (["evalaute", "preds.csv"], 2),
    "unknown_format": (["evaluate", "preds.csv", "--pred", "model", "--format", "xml"], 2),
    "unknown_measure_to_explain": (["measures", "f2"], 2),
}


@pytest.mark.parametrize("case", MISTAKES)
@pytest.mark.usefixtures("preds")
def test_a_mistake_gets_one_plain_message(case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    arguments, code = MISTAKES[case]
    assert exit_code(arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    snapshot(f"messages/{case}", f"$ assay {' '.join(arguments)}\n{printed.err}exit {code}")


@pytest.mark.parametrize(
    ("case", "text"),
    {
        "empty_file": "",
        "header_only": "gold,pred\n",
        "missing_labels": "gold,pred\na,b\n,b\na,\n",
        "ragged_rows": "gold,pred\na,b\na,b,c\n",
        "column_twice": "gold,pred,pred\na,b,c\n",
    }.items(),
)
def test_bad_data_get_one_plain_message(
    case: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], snapshot: Snapshot,
) -> None:  # fmt: skip
    (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert exit_code(["evaluate", "bad.csv"]) == 3
    snapshot(f"messages/{case}", f"{capsys.readouterr().err}exit 3")


def test_our_own_mistake_is_called_that(
    preds: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("assay.jobs.evaluate.evaluate", broken)
    assert exit_code(["evaluate", preds, "--pred", "model"]) == 70
    assert "a bug in assay, not a problem with your data: RuntimeError: boom" in capsys.readouterr().err


def test_colors_appear_on_a_terminal_and_not_with_no_color(preds: str) -> None:
    command = ["evaluate", preds, "--pred", "model", "--positive", "s"]
    assert "\x1b[" in on_a_terminal(command)
    assert "\x1b[3" not in on_a_terminal(command, NO_COLOR="1")
