"""Options and columns that cannot be right: one plain message each, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.cli.main import exit_code
from assay.options import METHODS, PAIRED_METHODS, TESTS, VALUE_METHODS, VALUE_TESTS
from tests.snapshot import Snapshot

HEADER = "id,gold,pred,w,times,group\n"
ROWS = "1,a,a,1,2,x\n2,b,a,2,1,y\n3,a,b,.5,3,x\n4,b,b,1,1,y\n"
SCORED = "id,gold,score,p_x,p_y,p_z,gold2\n1,x,.9,.7,.2,.1,x\n2,y,.4,.2,.5,.3,y\n3,z,.2,.1,.1,.8,x\n4,x,.6,.5,.2,.3,y\n"
SCORE = ["--score", "m=score"]
TABLES = {
    "weights_nan": (HEADER + ROWS + "5,a,a,nan,1,x\n", ["--weight", "w"]),
    "weights_infinite": (HEADER + ROWS + "5,a,a,inf,1,x\n", ["--weight", "w"]),
    "weights_negative": (HEADER + ROWS + "5,a,a,-1,1,x\n6,a,a,-1,1,x\n", ["--weight", "w"]),
    "weights_zero": (HEADER + "1,a,a,0,1,x\n2,b,b,0.0,1,y\n", ["--weight", "w"]),
    "weights_text": (HEADER + "1,a,a,heavy,1,x\n2,b,b,1,1,y\n", ["--weight", "w"]),
    "weights_missing": (HEADER + "1,a,a,,1,x\n2,b,b,1,1,y\n", ["--weight", "w"]),
    "counts_broken": (HEADER + "1,a,a,1,1.5,x\n2,b,b,1,1,y\n", ["--count", "times"]),
    "counts_zero": (HEADER + "1,a,a,1,0,x\n2,b,b,1,0,y\n", ["--count", "times"]),
    "cluster_missing": (HEADER + "1,a,a,1,1,\n2,b,b,1,1,y\n", ["--cluster", "group"]),
    "slice_missing_everywhere": (HEADER + "1,a,a,1,1,\n2,b,b,1,1,\n", ["--slice", "group"]),
    "slice_of_too_many_groups": (
        HEADER + "".join(f"{i},{'ab'[i % 2]},a,1,1,g{i}\n" for i in range(201)),
        ["--slice", "group"],
    ),
    "all_missing": ("gold,pred\n,\n,\n", []),
    "all_skipped": ("gold,pred\na,\n,b\n", ["--missing", "skip"]),
    "no_answers_at_all": ("gold,pred\na,\nb,\n", ["--missing", "wrong"]),
    "gold_missing_cannot_be_wrong": ("gold,pred\na,a\n,b\n", ["--missing", "wrong"]),
    "scores_as_labels": ("gold,pred\n0,0.2\n1,0.9\n", []),
    "labels_that_do_not_list_all": (HEADER + ROWS, ["--labels", "a", "--labels", "c"]),
    "gold_as_prediction": (HEADER + ROWS, ["--pred", "gold"]),
    "unknown_slice": (HEADER + ROWS, ["--slice", "gruop"]),
    "prevalence_of_one": (HEADER + ROWS, ["--positive", "a", "--prevalence", "1"]),
    "prevalence_without_positive": (HEADER + ROWS, ["--prevalence", "0.1"]),
    "one_cost": (HEADER + ROWS, ["--positive", "a", "--cost-fp", "1"]),
    "negative_cost": (HEADER + ROWS, ["--positive", "a", "--cost-fp", "1", "--cost-fn", "-3"]),
    "costs_twice": (HEADER + ROWS, ["--cost-fp", "1", "--costs", "costs.csv"]),
    "no_costs_file": (HEADER + ROWS, ["--costs", "costs.csv"]),
    "costs_of_no_positive": (HEADER + ROWS, ["--cost-fp", "1", "--cost-fn", "2"]),
    "beta_and_alpha": (HEADER + ROWS, ["--measure", "f_beta(beta=2,alpha=.3)"]),
    "alpha_too_large": (HEADER + ROWS, ["--measure", "f_beta(alpha=3)"]),
    "unknown_kappa_weights": (HEADER + ROWS, ["--measure", "cohen_kappa(weights=cubic)"]),
    "gate_basis_without_a_gate": (HEADER + ROWS, ["--gate-on", "interval"]),
    "junit_without_a_gate": (HEADER + ROWS, ["--junit", "gates.xml"]),
    "gate_of_no_measure": (HEADER + ROWS, ["--fail-under", "acuracy=0.9"]),
    "gate_without_a_value": (HEADER + ROWS, ["--fail-under", "accuracy", "--gate-on", "estimate"]),
    "gate_in_percent": (HEADER + ROWS, ["--positive", "a", "--fail-under", "f1=90"]),
    "gate_below_a_range_without_a_top": (HEADER + ROWS, ["--positive", "a", "--fail-under", "lr_plus=-1"]),
    "gate_on_a_cost_above_the_dearest": (HEADER + ROWS, ["--fail-under", "expected_cost(fp=5,fn=5)=6"]),
    "cost_is_no_number": (HEADER + ROWS, ["--measure", "expected_cost(fp=dear)"]),
    "gate_of_a_measure_not_shown": (HEADER + ROWS, ["--fail-under", "lr_plus=2", "--gate-on", "estimate"]),
    "guess_of_no_system": (HEADER + ROWS, ["--guess", "other=w"]),
    "scores_text": (SCORED + "5,x,maybe,1,0,0,0\n", [*SCORE, "--positive", "x"]),
    "scores_nan": (SCORED + "5,x,nan,1,0,0,0\n", [*SCORE, "--positive", "x"]),
    "scores_infinite": (SCORED + "5,x,-inf,1,0,0,0\n6,x,inf,1,0,0,0\n", [*SCORE, "--positive", "x"]),
    "scores_missing": (SCORED + "5,x,,1,0,0,0\n", [*SCORE, "--positive", "x"]),
    "scores_missing_are_not_wrong": (SCORED + "5,x,,1,0,0,0\n", [*SCORE, "--positive", "x", "--missing", "wrong"]),
    "scores_without_positive": (SCORED, SCORE),
    "scores_of_no_column": (SCORED, ["--score", "socre", "--positive", "x"]),
    "scores_of_gold": (SCORED, ["--score", "gold", "--positive", "x"]),
    "scores_of_classes_without_a_column": (SCORED + "5,v,.1,1,0,0,0\n", ["--score", "m=p_{}"]),
    "scores_of_no_classes": (SCORED, ["--score", "m=of_{}"]),
    "threshold_without_scores": (HEADER + ROWS, ["--threshold", "0.3"]),
    "threshold_is_no_number": (SCORED, [*SCORE, "--positive", "x", "--threshold", "half"]),
    "threshold_nan": (SCORED, [*SCORE, "--positive", "x", "--threshold", "nan"]),
    "threshold_of_no_system": (SCORED, [*SCORE, "--positive", "x", "--threshold", "other=0.3"]),
    "threshold_of_class_scores": (SCORED, ["--score", "m=p_{}", "--threshold", "0.3"]),
    "threshold_of_given_labels": (
        SCORED,
        ["--pred", "m=gold2", "--score", "m=score", "--positive", "x", "--threshold", "0.3"],
    ),
    "score_bins_of_log_odds": (SCORED + "5,x,-3,1,0,0,0\n", [*SCORE, "--positive", "x", "--score-bins", "10"]),
    "score_bins_of_one": (SCORED, [*SCORE, "--positive", "x", "--score-bins", "1"]),
    "out_in_no_folder": (HEADER + ROWS, ["--out", "absent/result.json"]),
    "out_is_a_folder": (HEADER + ROWS, ["--out", "."]),
}
CODES = {"slice_of_too_many_groups": 2}


@pytest.mark.parametrize("case", TABLES)
def test_what_cannot_be_right_gets_one_plain_message(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    text, options = TABLES[case]
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code = exit_code(["evaluate", "rows.csv", *options])
    printed = capsys.readouterr()
    assert code in (2, 3)
    assert "Traceback" not in printed.err
    assert printed.out == ""
    snapshot(f"messages/{case}", f"$ assay evaluate rows.csv {' '.join(options)}\n{printed.err}exit {code}")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["rows.csv"]


WEIGHTED = "gold,a,b,s,w,g\n" + "".join(
    f"{i % 2},{i % 2 if i % 7 else 1},{i % 2 if i % 5 else 0},0.{i % 9}{i % 2},{1 + i % 3},{i % 4}\n" for i in range(40)
)
TWO = ["compare", "rows.csv", "--pred", "a", "--pred", "b", "--resamples", "99"]
VALUES = ["compare", "rows.csv", "--value", "a", "--value", "b", "--resamples", "99"]
METHODS_OF = {
    "one_system": (["evaluate", "rows.csv", "--pred", "a", "--measure", "mcc", "--resamples", "99"], METHODS),
    "scores": (["evaluate", "rows.csv", "--score", "s", "--measure", "roc_auc", "--resamples", "99"], METHODS),
    "two_systems": ([*TWO, "--primary", "mcc"], PAIRED_METHODS),
    "values": (VALUES, VALUE_METHODS),
}


@pytest.mark.parametrize("rows", ["plain", "weighted", "clustered"])
@pytest.mark.parametrize("case", METHODS_OF)
def test_a_method_or_a_test_that_does_not_fit_is_refused_in_words_and_not_in_python(
    case: str, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.csv").write_text(WEIGHTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, methods = METHODS_OF[case]
    more = {"plain": [], "weighted": ["--weight", "w"], "clustered": ["--cluster", "g"]}[rows]
    tried = [*command, *more, *([] if case == "values" else ["--positive", "1"])]
    asked = [["--method", method] for method in methods]
    if command[0] == "compare":
        asked += [["--test", test] for test in dict.fromkeys((*TESTS, *VALUE_TESTS))]
        asked += [["--strict"], ["--statistic", "raw", "--test", "sign"]]
    refused = 0
    for options in asked:
        code, said = exit_code([*tried, *options]), capsys.readouterr().err
        assert code in (0, 2, 3), (options, said)
        assert not re.search(r"\b[a-z_]+=", said), said
        refused += code != 0
    assert refused


@pytest.mark.parametrize("option", [["--unpaired"], ["--statistic", "raw"]])
def test_what_is_about_answers_to_rows_is_refused_for_values_and_not_ignored(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.csv").write_text(WEIGHTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert exit_code([*VALUES, *option]) == 2
    assert capsys.readouterr().err.startswith(f"assay: {option[0]} applies to answers to single rows; ")


STRANGE = {
    "one_row": "gold,pred\na,a\n",
    "one_class": "gold,pred\na,a\na,a\na,a\n",
    "one_class_of_gold": "gold,pred\na,a\na,b\na,a\n",
    "hostile_labels": 'gold,pred\n<script>,"a ""b"", c"\n"\'; DROP TABLE x;--",<script>\n😀 x,😀 x\n',
}


@pytest.mark.parametrize("case", STRANGE)
def test_strange_tables_are_judged_and_what_is_undefined_says_why(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    (tmp_path / "rows.csv").write_text(STRANGE[case], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert exit_code(["evaluate", "rows.csv"]) == 0
    snapshot(f"strange_{case}", capsys.readouterr().out)
