"""Tally and merge, verify, gates, and where results go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from tests.snapshot import Snapshot

ROWS = [("ill", "ill", "f"), ("ill", "well", "m"), ("well", "well", "f"), ("well", "ill", "m"), ("ill", "ill", "f")] * 8
COMMON = ["--positive", "ill", "--slice", "sex"]


def written(rows: list[tuple[str, str, str]]) -> str:
    return "gold,pred,sex\n" + "".join(",".join(row) + "\n" for row in rows)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "all.csv").write_text(written(ROWS), encoding="utf-8")
    (tmp_path / "one.csv").write_text(written(ROWS[:13]), encoding="utf-8")
    (tmp_path / "two.csv").write_text(written(ROWS[13:]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert exit_code(list(arguments)) == code
    printed = capsys.readouterr()
    return printed.out if printed.out else printed.err


def numbers(text: str) -> list[dict[str, object]]:
    return [{k: v for k, v in row.items() if k != "signature"} for row in json.loads(text)["rows"]]


def test_shards_counted_apart_are_judged_as_if_they_were_one(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        said(capsys, "tally", f"{name}.csv", *COMMON, "--out", f"{name}.json")
    said(capsys, "merge", "one.json", "two.json", "--out", "both.json")
    merged = said(capsys, "evaluate", "both.json", "--format", "json")
    whole = said(capsys, "evaluate", "all.csv", *COMMON, "--format", "json")
    assert numbers(merged) == numbers(whole)


def test_the_positive_class_can_be_named_when_a_stored_tally_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "tally", "all.csv", "--out", "all.json")
    stored = said(capsys, "evaluate", "all.json", "--positive", "ill", "--measure", "recall", "--format", "json")
    assert [row["class"] for row in numbers(stored)] == ["ill"]


REFUSED = {
    "merge_of_nothing": ["merge"],
    "merge_of_other_systems": ["merge", "one.json", "other.json"],
    "merge_of_other_slices": ["merge", "one.json", "plain.json"],
    "merge_of_no_tally": ["merge", "one.json", "all.csv"],
    "merge_of_an_absent_file": ["merge", "one.json", "absent.json"],
    "tally_of_a_newer_schema": ["evaluate", "newer.json"],
    "tally_that_was_cut": ["evaluate", "cut.json"],
    "tally_with_columns": ["evaluate", "one.json", "--gold", "gold"],
    "verify_of_no_report": ["verify", "one.json", "all.csv"],
    "hides_of_no_measure": ["measures", "--hides"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_belong_together_is_refused_in_words(
    case: str, here: Path, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    said(capsys, "tally", "one.csv", *COMMON, "--out", "one.json")
    said(capsys, "tally", "two.csv", "--positive", "ill", "--out", "plain.json")
    said(capsys, "tally", "two.csv", "--pred", "other=pred", *COMMON, "--out", "other.json")
    stored = json.loads((here / "one.json").read_text(encoding="utf-8"))
    (here / "newer.json").write_text(json.dumps({**stored, "schema": 99}), encoding="utf-8")
    cut = {"pred": {"confusion": {"kind": "confusion", "schema": 1}}}
    (here / "cut.json").write_text(json.dumps({**stored, "systems": cut}))
    code = exit_code(REFUSED[case])
    printed = capsys.readouterr()
    assert code in (2, 3)
    assert printed.out == ""
    snapshot(f"messages/{case}", f"$ assay {' '.join(REFUSED[case])}\n{printed.err}exit {code}")


def test_a_report_is_the_same_when_it_is_made_again_and_differs_from_other_data(
    here: Path, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    options = [*COMMON, "--measure", "f1", "--measure", "mcc", "--level", "0.9", "--seed", "3", "--cost-fp", "1"]
    options += ["--cost-fn", "10", "--prevalence", "0.1", "--format", "json", "--out", "result.json"]
    said(capsys, "evaluate", "all.csv", *options)
    assert said(capsys, "verify", "result.json", "all.csv").startswith("same: all ")
    snapshot("verify_differs", said(capsys, "verify", "result.json", "one.csv", code=1))
    stored = json.loads((here / "result.json").read_text(encoding="utf-8"))
    stored["rows"][0]["value"] += 1e-6
    (here / "touched.json").write_text(json.dumps(stored), encoding="utf-8")
    told = said(capsys, "verify", "touched.json", "all.csv", code=1)
    assert told.startswith("differs: 1 row of")


def test_a_report_of_several_files_is_made_again_from_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [f"i{i}" for i in range(len(ROWS))]
    gold = "".join(f"{i},{row[0]}\n" for i, row in zip(ids, ROWS, strict=True))
    pred = "".join(f"{i},{row[1]}\n" for i, row in zip(reversed(ids), reversed(ROWS), strict=True))
    (here / "gold.csv").write_text(f"id,gold\n{gold}", encoding="utf-8")
    (here / "model.csv").write_text(f"id,pred\n{pred}", encoding="utf-8")
    paired = ["evaluate", "gold.csv", "--system", "model=model.csv", "--positive", "ill", "--format", "json"]
    whole = said(capsys, "evaluate", "all.csv", "--pred", "model=pred", "--positive", "ill", "--format", "json")
    assert numbers(said(capsys, *paired)) == numbers(whole)
    said(capsys, *paired, "--out", "result.json")
    assert said(capsys, "verify", "result.json", "gold.csv").startswith("same")


# ---------------------------------------------------------------------- gates
def test_a_gate_passes_or_fails_by_the_estimate_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "evaluate",
        "all.csv",
        "--positive",
        "ill",
        "--measure",
        "f1",
        "--measure",
        "fpr",
        "--gate-on",
        "estimate",
    ]
    assert exit_code([*command, "--fail-under", "f1=0.6", "--fail-under", "fpr=0.9"]) == 0
    assert "gate passed: pred, “ill”: f1 ≥ 0.6; the estimate is 0.667" in capsys.readouterr().err
    assert exit_code([*command, "--fail-under", "f1=0.99"]) == 1
    printed = capsys.readouterr()
    assert "gate failed: pred, “ill”: f1 ≥ 0.99; the estimate is 0.667" in printed.err
    assert printed.out  # the report is there all the same
    assert exit_code([*command, "--fail-under", "fpr=0.1"]) == 1
    assert "fpr ≤ 0.1" in capsys.readouterr().err


def test_a_gate_looks_at_the_interval_and_may_stay_open(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty-four of forty rows are right: a gate reads Clopper and Pearson's limits, .433 to .751."""
    command = ["evaluate", "all.csv", "--measure", "accuracy", "--measure", "error_rate"]
    for value, word, code in (("0.43", "passed", 0), ("0.44", "undecided", 1), ("0.76", "failed", 1)):
        assert exit_code([*command, "--fail-under", f"accuracy={value}"]) == code
        assert f"gate {word}: pred: accuracy ≥ {value}" in capsys.readouterr().err
    for value, word, code in (("0.57", "passed", 0), ("0.56", "undecided", 1), ("0.24", "failed", 1)):
        assert exit_code([*command, "--fail-under", f"error_rate={value}"]) == code
        assert f"gate {word}: pred: error_rate ≤ {value}" in capsys.readouterr().err
    assert exit_code([*command, "--fail-under", "accuracy=0.6", "--undecided", "pass"]) == 0


def test_a_gate_on_an_undefined_value_fails(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "never.csv").write_text("gold,pred\nill,well\nwell,well\n", encoding="utf-8")
    command = ["evaluate", "never.csv", "--positive", "ill", "--measure", "precision"]
    assert exit_code([*command, "--fail-under", "precision=0", "--gate-on", "estimate"]) == 1
    assert "undefined (no item was predicted as this class)" in capsys.readouterr().err


# ---------------------------------------------------------------------- where results go
@pytest.mark.parametrize("format", ["table", "json", "csv", "md", "latex"])
def test_a_result_goes_to_a_file_in_every_format(format: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "all.csv", "--positive", "ill", "--measure", "f1", "--format", format]
    shown = said(capsys, *command)
    assert said(capsys, *command, "--out", "result.txt") == "wrote result.txt\n"
    assert (here / "result.txt").read_text(encoding="utf-8") == shown


def test_latex_lets_no_label_become_a_command(snapshot: Snapshot) -> None:
    data = {"gold": [r"\input{x}", "50%_&#~^"] * 9, "pred": [r"\input{x}", "50%_&#~^"] * 8 + ["50%_&#~^"] * 2}
    text = assay.evaluate(data, gold="gold", pred="pred", measures="f1").to_latex()
    assert r"\input" not in text
    snapshot("latex", text)


def test_the_methods_sentence_names_interval_n_draws_seed_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "evaluate", "all.csv", *COMMON, "--methods", "--seed", "7")
    sentence = " ".join(text[text.index("Methods:") :].split())
    for part in ("40 items", "95% level", "mid-P binomial intervals for", "Holm", "9,999", "seed 7", assay.__version__):
        assert part in sentence


@pytest.mark.parametrize("name", ["f1", "accuracy", "top_k_accuracy"])
def test_what_a_measure_hides_is_shown(name: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    snapshot(f"hides_{name}", said(capsys, "measures", name, "--hides"))


def test_slices_costs_and_prevalence_read_well(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    more = ["--prevalence", "0.02", "--cost-fp", "1", "--cost-fn", "10", "--table", "pooled", "--matrix-rows", "pred"]
    snapshot("cli_slices", said(capsys, "evaluate", "all.csv", *COMMON, *more))


def test_a_method_that_fits_only_some_of_the_usual_measures_gives_way_and_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = numbers(said(capsys, "evaluate", "all.csv", "--positive", "ill", "--method", "wald", "--format", "json"))
    used = {row["measure"]: row["method"] for row in rows}
    assert used["accuracy"] == "wald"
    assert used["mcc"] == "midp_draws"
    text = said(capsys, "evaluate", "all.csv", "--positive", "ill", "--method", "wald")
    told = "Balanced accuracy, Symmetric balanced accuracy and MCC: wald does not apply; midp_draws was used"
    assert told in " ".join(text.split())


def test_a_result_is_not_written_over_the_rows_it_is_made_from(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (here / "all.csv").read_bytes()
    for command in (["evaluate", "all.csv"], ["tally", "all.csv"]):
        assert exit_code([*command, "--positive", "ill", "--out", "./all.csv"]) == 2
        assert "is an input" in capsys.readouterr().err
    assert (here / "all.csv").read_bytes() == before


def test_one_class_of_many_can_be_the_positive_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "three.csv").write_text("gold,pred\n" + "a,a\nb,b\nc,a\n" * 9, encoding="utf-8")
    rows = numbers(said(capsys, "evaluate", "three.csv", "--positive", "a", "--measure", "f1", "--format", "json"))
    assert [row["class"] for row in rows] == ["a"]


def test_labels_that_look_alike_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "alike.csv").write_text("gold,pred\nham,ham\nHam,ham\nspam,spam\n", encoding="utf-8")
    assert "labels that look alike are different labels: 'Ham', 'ham'" in said(capsys, "evaluate", "alike.csv")


def test_top_k_accuracy_can_be_asked_for_where_there_are_guesses(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "guesses.csv").write_text("gold,one,two\na,a,b\nb,a,b\nc,a,b\n", encoding="utf-8")
    command = ["evaluate", "guesses.csv", "--pred", "m=one", "--guess", "m=two", "--measure", "top_k_accuracy(k=2)"]
    (row,) = numbers(said(capsys, *command, "--format", "json"))
    assert row["value"] == pytest.approx(2 / 3)


def test_a_query_that_is_interrupted_is_no_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("assay.jobs.evaluate.evaluate", broken)
    assert exit_code(["evaluate", "all.csv"]) == 130
    assert capsys.readouterr().err == "assay: interrupted\n"


def test_options_from_arrays_are_kept_in_the_types_of_json() -> None:
    data = {"gold": [row[0] for row in ROWS], "pred": [row[1] for row in ROWS], "sex": [row[2] for row in ROWS]}
    options: dict[str, Any] = {"positive": np.str_("ill"), "labels": np.array(["ill", "well"]), "slices": "sex"}
    options |= {"costs": {"fp": np.int64(1), "fn": np.float64(10)}, "measures": [assay.f1, "mcc"]}
    report = assay.evaluate(data, **options)
    asked = json.loads(report.to_json())["asked"]
    assert asked["labels"] == ["ill", "well"]
    assert asked["costs"] == {"fp": 1, "fn": 10}
    assert asked["measures"] == ["f1", "mcc"]
    assert assay.evaluate(data, **asked).rows == report.rows


def test_systems_in_frames_are_evaluated_and_not_kept_in_the_report() -> None:
    import polars

    frame = polars.DataFrame({"id": ["1", "2", "3"], "pred": ["a", "b", "b"]})
    gold = {"id": ["3", "2", "1"], "gold": ["a", "b", "a"]}
    report = assay.evaluate(gold, systems={"frame": frame, "columns": frame.to_dict(as_series=False)})
    assert report.asked["systems"] == {"frame": None, "columns": None}
    assert {row.system: row.value for row in report.rows if row.measure == "accuracy"} == {
        "frame": pytest.approx(2 / 3),
        "columns": pytest.approx(2 / 3),
    }


@pytest.mark.parametrize("words", [["measures"], ["measures", "f1"], ["measures", "roc_auc"]])
def test_measures_keep_to_the_width_of_the_terminal(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert exit_code(words) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
