"""Gold and predictions that write labels differently: what is stopped, and how one says what is meant."""

from __future__ import annotations

import json
import shlex
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

import assay
from assay.cli.main import exit_code
from assay.errors import DataError, OptionError
from assay.sources.relabel import Relabeling, parse_map, plain_number, write_map
from tests.snapshot import Snapshot

Said = pytest.CaptureFixture[str]
FILES = {
    "words.csv": ("yes,1,0", "no,0,0", "yes,0,1", "no,0,0"),
    "floats.csv": ("1,1.0,1", "0,0.0,0", "1,0.0,0", "0,0.0,1"),
    "some_floats.csv": ("1,1.0,1", "0,0,0", "cat,cat,0", "0,0,1"),
    "case.csv": ("Spam,spam,ham", "Ham,ham,spam", "Spam,ham,spam", "Ham,ham,ham"),
    "some_case.csv": ("Spam,spam,ham", "ham,ham,Spam", "Spam,ham,Spam", "ham,ham,ham"),
    "strange.csv": ("cat,7,7", "dog,8,7", "cat,7,8", "emu,9,9"),
    "some_blanks.csv": ("cat,cat ,dog", "dog,dog ,cat", "emu,emu,cat", "dog,dog ,dog"),
    "blanks.csv": ("cat, cat, dog", "dog, dog, cat", "cat, cat, cat", "dog, dog, dog"),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in FILES.items():
        rows = (f"{i},{line}" for i, line in enumerate(lines))
        Path(name).write_text("\n".join(["id,gold,pred,other", *rows]) + "\n", encoding="utf-8")
    Path("map.csv").write_text("from,to\nyes,1\nno,0\n", encoding="utf-8")
    Path("to_from.csv").write_text("label,other\nyes,1\n", encoding="utf-8")


def said(capsys: Said, *words: str, code: int = 0) -> str:
    found = exit_code([*words])
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out if code == 0 else printed.err


def accuracy(capsys: Said, *words: str) -> float:
    report = json.loads(said(capsys, "evaluate", *words, "--measure", "accuracy", "--format", "json"))
    value: float = report["rows"][0]["value"]
    return value


# ---------------------------------------------------------------------- what is stopped
STOPPED = {
    "labels_of_numbers": ["evaluate", "floats.csv"],
    "labels_of_some_numbers": ["evaluate", "some_floats.csv", "--pred", "pred"],
    "labels_in_other_case": ["evaluate", "case.csv"],
    "labels_of_truth": ["evaluate", "words.csv"],
    "labels_of_strangers": ["evaluate", "strange.csv"],
    "labels_with_blanks": ["evaluate", "blanks.csv"],
    "labels_of_which_some_have_blanks": ["evaluate", "some_blanks.csv", "--pred", "pred"],
    "labels_compared": ["compare", "floats.csv", "--pred", "other", "--pred", "pred"],
    "map_of_no_label": ["evaluate", "words.csv", "--map", "yes=1,non=0"],
    "map_of_no_label_at_all": ["evaluate", "words.csv", "--map", "yess=1,noo=0"],
    "map_to_two": ["evaluate", "words.csv", "--map", "yes=1", "--map", "yes=2"],
    "map_without_sign": ["evaluate", "words.csv", "--map", "yes=1,no"],
    "map_of_an_absent_file": ["evaluate", "words.csv", "--map", "mapp.csv"],
    "map_of_other_columns": ["evaluate", "words.csv", "--map", "to_from.csv"],
    "map_of_a_tally": ["evaluate", "counts.json", "--ignore-case"],
    "map_over_input": ["evaluate", "words.csv", "--map", "map.csv", "--out", "map.csv"],
}


@pytest.mark.parametrize("case", STOPPED)
def test_labels_that_cannot_be_meant_get_one_plain_message(case: str, capsys: Said, snapshot: Snapshot) -> None:
    said(capsys, "tally", "words.csv", "--out", "counts.json")
    wrong_option = {"map_to_two", "map_without_sign", "map_over_input", "map_of_a_tally"}
    printed = said(capsys, *STOPPED[case], code=2 if case in wrong_option else 3)
    assert "Traceback" not in printed
    snapshot(f"messages/{case}", f"$ assay {' '.join(STOPPED[case])}\n{printed}")


@pytest.mark.parametrize("file", ["floats.csv", "case.csv", "words.csv", "strange.csv"])
def test_tallies_and_measures_do_not_stop_because_a_shard_may_share_no_label(file: str, capsys: Said) -> None:
    said(capsys, "tally", file, "--out", "counts.json")
    said(capsys, "merge", "counts.json", "counts.json", "--out", "both.json")
    assert exit_code(["evaluate", "both.json"]) == 3
    assert "have no label in common" in capsys.readouterr().err
    assert "have no label in common" in said(capsys, "evaluate", "both.json", "--labels", "observed")
    rows = [line.split(",") for line in FILES[file]]
    assert assay.accuracy([row[0] for row in rows], [row[1] for row in rows]) == 0


def test_saying_which_classes_there_are_is_the_way_to_insist(capsys: Said) -> None:
    classes = [word for label in ("yes", "no", "0", "1") for word in ("--labels", label)]
    for insisting in (classes, ["--labels", "observed"], ["--labels", "gold"]):
        assert accuracy(capsys, "words.csv", *insisting) == 0
    assert accuracy(capsys, "some_floats.csv", "--pred", "pred", "--labels", "observed") == 0.75
    assert assay.compare(["a", "b"], ["x", "a"], ["x", "x"], measure="accuracy", labels=["a", "b", "x"]).difference == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda table: assay.evaluate(table),
        lambda table: assay.compare_systems(table, pred=["pred", "other"]),
        lambda table: assay.compare(table["gold"], table["pred"], table["gold"], measure="f1(average=macro)"),
        lambda table: assay.plan(pilot=table, difference=0.1, measure="accuracy", pred=["pred", "other"]),
    ],
    ids=["evaluate", "compare_systems", "compare", "plan"],
)
def test_python_stops_as_the_command_line_does(call: Any) -> None:
    table = {"gold": ["1", "0", "1"], "pred": ["1.0", "0.0", "0.0"], "other": ["1", "0", "0"]}
    with pytest.raises(DataError, match=r"have no label in common.*numeric_labels=True"):
        call(table)


def test_labels_that_both_sides_write_in_both_ways_are_different_labels() -> None:
    table = {"gold": ["1", "01", "1", "01"], "pred": ["1", "01", "01", "1"]}
    assert assay.evaluate(table, measures="accuracy").rows[0].value == 0.5


def test_a_system_judged_by_scores_is_not_stopped_where_it_never_names_the_gold_class() -> None:
    table = {"gold": ["a", "a"], "p_a": [0.2, 0.1], "p_b": [0.8, 0.9]}
    assert assay.evaluate(table, scores="p_{}", measures="accuracy").rows[0].value == 0


def test_labels_of_which_only_some_differ_in_case_are_a_note(capsys: Said) -> None:
    printed = " ".join(said(capsys, "evaluate", "some_case.csv").split())
    assert "labels of 'pred' differ from gold only in case and count as wrong: “Spam” in gold and “spam”;" in printed
    assert "--ignore-case" in printed


# ---------------------------------------------------------------------- what is meant
@pytest.mark.parametrize(
    ("file", "how", "value"),
    [
        ("words.csv", ["--map", "yes=1,no=0"], 0.75),
        ("words.csv", ["--map", "yes=1", "--map", "no=0"], 0.75),
        ("words.csv", ["--map", "1=yes, 0=no"], 0.75),
        ("words.csv", ["--map", "map.csv"], 0.75),
        ("floats.csv", ["--numeric-labels"], 0.75),
        ("some_floats.csv", ["--numeric-labels"], 1.0),
        ("case.csv", ["--ignore-case"], 0.75),
        ("case.csv", ["--ignore-case", "--map", "SPAM=1,HAM=1"], 1.0),
        ("some_case.csv", ["--ignore-case"], 0.75),
        ("blanks.csv", ["--map", '" cat"=cat," dog"=dog'], 1.0),
        ("some_blanks.csv", ["--map", '"cat "=cat,"dog "=dog'], 1.0),
        ("strange.csv", ["--map", "7=cat,8=dog,9=emu"], 1.0),
    ],
)
def test_each_way_out_makes_labels_one(file: str, how: list[str], value: float, capsys: Said) -> None:
    assert accuracy(capsys, file, "--pred", "pred", *how) == value


def test_the_proposed_option_of_each_message_leads_on(capsys: Said) -> None:
    for file in ("floats.csv", "case.csv", "words.csv", "blanks.csv", "some_blanks.csv"):
        exit_code(["check", file])
        command = capsys.readouterr().out.partition("next: ")[2].strip()
        assert exit_code(shlex.split(command)[1:]) == 0, command
        capsys.readouterr()


def test_the_positive_class_and_listed_classes_are_named_as_labels_are_written_now() -> None:
    table = {"gold": ["Spam", "ham", "SPAM"], "pred": ["spam", "HAM", "ham"]}
    report = assay.evaluate(table, ignore_case=True, positive="SPAM", labels=["HAM", "Spam"], measures="recall")
    assert report.rows[0].value == 0.5
    with pytest.raises(DataError, match="no item has the label 'yes'"):
        assay.evaluate({"gold": ["yes", "no"], "pred": ["1", "0"]}, map={"yes": 1, "no": 0}, positive="yes")


def test_a_report_says_what_was_rewritten_and_comes_out_of_its_file_again(capsys: Said) -> None:
    said(capsys, "evaluate", "words.csv", "--map", "map.csv", "--format", "json", "--out", "report.json")
    stored = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert stored["asked"]["map"] == {"yes": "1", "no": "0"}
    assert stored["provenance"]["labels rewritten"] == {"labels": 2, "rows": 4}
    assert "2 labels in 4 rows were rewritten before labels were compared: “no” → “0”, “yes” → “1”" in str(stored)
    Path("map.csv").unlink()  # the report holds the map, not only its name
    assert "same: all" in said(capsys, "verify", "report.json", "words.csv")
    stored["asked"]["map"]["no"] = "1"
    Path("report.json").write_text(json.dumps(stored), encoding="utf-8")
    assert exit_code(["verify", "report.json", "words.csv"]) == 1


def test_a_comparison_with_rewritten_labels_comes_out_of_its_file_again(capsys: Said) -> None:
    systems = ["--pred", "pred", "--pred", "other", "--map", "yes=1,no=0"]
    said(capsys, "compare", "words.csv", *systems, "--format", "json", "--out", "report.json")
    assert "same: all" in said(capsys, "verify", "report.json", "words.csv")


def test_rows_that_only_seemed_to_differ_are_not_listed_as_disagreements() -> None:
    table = {"id": ["1", "2", "3"], "gold": ["a", "b", "a"], "x": ["A", "b", "b"], "y": ["a", "B", "a"]}
    found = assay.disagreements(table, pred=["x", "y"], id="id", ignore_case=True)
    assert found == [{"id": "3", "gold": "a", "x": "b", "y": "a", "right": "y"}]


def test_separate_samples_may_each_lack_labels_that_the_map_names(capsys: Said) -> None:
    Path("one.csv").write_text("gold,pred\n1,ja\n1,0\n0,0\n", encoding="utf-8")
    Path("two.csv").write_text("gold,pred\n1,yes\n1,0\n0,0\n", encoding="utf-8")
    both = ["compare", "--unpaired", "--system", "a=one.csv", "--system", "b=two.csv", "--measure", "accuracy"]
    assert "Accuracy" in said(capsys, *both, "--map", "ja=1,yes=1")
    assert "names 'oui'" in said(capsys, *both, "--map", "ja=1,yes=1,oui=1", code=3)


def test_files_with_gold_written_in_two_ways_have_one_gold(capsys: Said) -> None:
    Path("one.csv").write_text("id,gold,pred\n1,1,1\n2,0,1\n3,0,0\n", encoding="utf-8")
    Path("two.csv").write_text("id,gold,pred\n1,1.0,1\n2,0.0,0\n3,0.0,0\n", encoding="utf-8")
    both = ["compare", "--system", "a=one.csv", "--system", "b=two.csv", "--measure", "accuracy"]
    assert "different gold labels" in said(capsys, *both, code=3)
    assert "Accuracy" in said(capsys, *both, "--numeric-labels")


def test_shards_that_are_counted_apart_write_labels_alike(capsys: Said) -> None:
    Path("one.csv").write_text("gold,pred\nSpam,SPAM\nham,Ham\n", encoding="utf-8")
    Path("two.csv").write_text("gold,pred\nSPAM,spam\nHAM,spam\n", encoding="utf-8")
    for shard in ("one", "two"):
        said(capsys, "tally", f"{shard}.csv", "--ignore-case", "--out", f"{shard}.json")
    said(capsys, "merge", "one.json", "two.json", "--out", "both.json")
    stored = json.loads(Path("both.json").read_text(encoding="utf-8"))
    assert stored["systems"]["pred"]["confusion"]["labels"] == ["ham", "spam"]
    assert accuracy(capsys, "both.json") == 0.75


def test_a_shard_may_lack_a_label_that_the_map_names(capsys: Said) -> None:
    said(capsys, "tally", "words.csv", "--map", "yes=1,no=0,oui=1", "--out", "counts.json")
    assert accuracy(capsys, "counts.json") == 0.75


def test_a_map_names_no_label_twice_after_case_is_gone() -> None:
    with pytest.raises(OptionError, match="turns 'yes' into both '1' and '0'"):
        assay.evaluate({"gold": ["yes"], "pred": ["yes"]}, map={"Yes": 1, "yes": 0}, ignore_case=True)


# ---------------------------------------------------------------------- maps and numbers as text
Labels = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.dictionaries(Labels, Labels, min_size=1, max_size=4))
def test_a_map_that_is_written_is_read_again(pairs: dict[str, str]) -> None:
    assert parse_map(shlex.split(write_map(pairs))[0]) == pairs


@given(st.floats(-1e15, 1e15), st.sampled_from(["{}", "{:e}", "{:.20f}", "+{}", " {} ", "0{}"]))
def test_numbers_are_one_label_if_python_reads_one_decimal(number: float, form: str) -> None:
    text = form.format(abs(number))
    plain = plain_number(text)
    assert plain is not None
    assert Decimal(plain) == Decimal(text.strip())
    assert plain == plain_number(plain)


@pytest.mark.parametrize("text", ["one", "", "1,0", "0x1", "inf", "nan", "1_000", "\u0661", "1 2", "1e9999"])
def test_text_that_is_no_plain_number_stays_as_it_is(text: str) -> None:
    assert plain_number(text) is None
    assert Relabeling(numeric=True)(text) == text


def test_long_numbers_are_told_apart_to_the_last_digit() -> None:
    a, b = "1234567890123456789012345678901234567890", "1234567890123456789012345678901234567891"
    assert plain_number(a) != plain_number(b)


# ---------------------------------------------------------------------- counts and arrays that share no label
def test_stored_counts_that_share_no_label_stop_unless_they_are_meant(tmp_path: Path, capsys: Said) -> None:
    rows, counts = tmp_path / "rows.csv", tmp_path / "counts.json"
    rows.write_text("gold,pred\n" + "yes,Yes\nno,No\n" * 20)
    assert exit_code(["tally", str(rows), "--out", str(counts)]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "watch:" in said
    assert "no label in common" in said
    assert "--ignore-case" in said
    for command in ("evaluate", "compare"):
        assert exit_code([command, str(counts)]) == 3
        said = " ".join(capsys.readouterr().err.split())
        assert "no label in common" in said
        assert "count the rows again" in said
    assert exit_code(["evaluate", str(counts), "--labels", "observed"]) == 0
    assert exit_code(["tally", str(rows), "--labels", "observed", "--out", str(counts)]) == 0
    assert "watch:" not in capsys.readouterr().err


def test_counts_of_declared_classes_that_do_not_occur_are_evaluated_as_they_are(tmp_path: Path, capsys: Said) -> None:
    rows, counts = tmp_path / "rows.csv", tmp_path / "counts.json"
    rows.write_text("gold,pred\n" + "yes,Yes\nno,No\n" * 20)
    labels = [word for name in ("yes", "no", "Yes", "No", "maybe") for word in ("--labels", name)]
    assert exit_code(["tally", str(rows), *labels, "--out", str(counts)]) == 0
    assert exit_code(["evaluate", str(counts)]) == 0
    capsys.readouterr()


def test_an_estimate_of_arrays_that_share_no_label_stops_and_the_measure_alone_does_not() -> None:
    gold, pred = ["yes", "no", "yes"], ["Yes", "No", "Yes"]
    with pytest.raises(assay.DataError, match="no label in common"):
        assay.estimate("accuracy", gold, pred)
    with pytest.raises(assay.DataError, match="no label in common"):
        assay.accuracy.estimate(gold, pred)
    assert assay.estimate("accuracy", gold, pred, labels=["yes", "no", "Yes", "No"]).value == 0
    assert assay.estimate("accuracy", gold, pred, labels="observed").value == 0
    assert assay.accuracy(gold, pred) == 0
    assert assay.confusion_matrix(gold, pred).sum() == 3


def test_an_average_over_some_classes_is_a_value_without_an_interval() -> None:
    gold, pred = [1, 8, 9, 2, 1, 8], [1, 8, 2, 2, 8, 8]
    some: dict[str, Any] = {"average": "macro", "labels": [1, 8, 9]}
    assert assay.f1(gold, pred, **some) == pytest.approx(f1_score(gold, pred, **some, zero_division=0))
    with pytest.raises(assay.OptionError, match=r"labels= leaves out '2'.*no interval.*assay\.f1"):
        assay.estimate("f1", gold, pred, **some)
