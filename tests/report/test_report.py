from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.jobs.answers.results import COLUMNS
from assay.report.text.terminal import plain
from tests.snapshot import Snapshot

BINARY = {"gold": list("aabbbabbbb") * 8, "one": list("aabbbabbba") * 8, "two": list("abbbbbbbbb") * 8}
MANY = {"gold": list("abcdabcdab") * 6, "pred": list("abcaabcdbb") * 6}
HOSTILE = "</script><script>document.title=1337</script>"


def evaluated(**options: Any) -> assay.Report:
    return assay.evaluate(BINARY, gold="gold", pred=["one", "two"], positive="a", **options)


def test_the_text_of_two_systems_reads_well(snapshot: Snapshot) -> None:
    snapshot("report_two_systems", str(evaluated()))


def test_the_text_of_many_classes_reads_well(snapshot: Snapshot) -> None:
    snapshot("report_many_classes", str(assay.evaluate(MANY, gold="gold", pred="pred")))


def test_the_text_without_a_positive_class_names_the_flag(snapshot: Snapshot) -> None:
    snapshot("report_no_positive", str(assay.evaluate(BINARY, gold="gold", pred="one")))


def test_the_text_of_a_system_that_never_alarms_says_that_no_model_is_as_good(snapshot: Snapshot) -> None:
    snapshot("report_never_alarms", str(assay.evaluate(assay.Confusion.from_counts(tp=0, fp=0, fn=100, tn=999_900))))


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for report in (evaluated(), assay.evaluate(MANY, gold="gold", pred="pred")):
        assert max(len(line) for line in plain(report, width).splitlines()) <= width


def test_rows_have_one_shape_in_every_format() -> None:
    report = evaluated()
    from_json = json.loads(report.to_json())["rows"]
    from_csv = list(csv.DictReader(io.StringIO(report.to_csv())))
    frame = report.to_frame("polars")
    assert [tuple(row) for row in from_json] == [COLUMNS] * len(report.rows)
    assert [tuple(row) for row in from_csv] == [COLUMNS] * len(report.rows)
    assert tuple(frame.columns) == COLUMNS
    for row, parsed, text in zip(report.rows, from_json, from_csv, strict=True):
        assert parsed["value"] == row.value
        assert float(text["low"]) == row.low
        assert text["class"] == (row.class_ or "")
    assert frame["value"].to_list() == [row.value for row in report.rows]


def test_json_has_null_with_a_reason_and_never_nan() -> None:
    report = assay.evaluate(assay.Confusion.from_counts(tp=0, fp=0, fn=5, tn=5), measures=["precision"])
    (row,) = json.loads(report.to_json())["rows"]
    assert row["value"] is None
    assert row["low"] is None
    assert row["reason"] == "no item was predicted as this class"


def test_markdown_reads_well(snapshot: Snapshot) -> None:
    snapshot("report_markdown", evaluated().to_markdown())


def test_markdown_lets_no_label_become_markup() -> None:
    data = {"gold": [HOSTILE, "a|b", "x"] * 9, "pred": [HOSTILE, "x", "a|b"] * 9}
    text = assay.evaluate(data, gold="gold", pred="pred").to_markdown()
    assert "<script>" not in text
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) >= 3
    for lines in tables:
        assert len({line.replace("\\|", "").count("|") for line in lines}) == 1


def test_control_characters_in_labels_do_not_reach_the_terminal() -> None:
    data = {"gold": ["\x1b[31mred", "b"] * 9, "pred": ["\x1b[31mred", "b"] * 9}
    assert "\x1b" not in str(assay.evaluate(data, gold="gold", pred="pred"))


def test_the_same_rows_come_from_a_file_a_frame_and_arrays(tmp_path: Path) -> None:
    import polars

    frame = polars.DataFrame(BINARY)
    frame.write_csv(tmp_path / "preds.csv")
    frame.write_parquet(tmp_path / "preds.parquet")
    sources = [BINARY, frame, frame.lazy(), tmp_path / "preds.csv", str(tmp_path / "preds.parquet")]
    rows = [assay.evaluate(s, gold="gold", pred=["one", "two"], positive="a").rows for s in sources]
    assert all(each == rows[0] for each in rows)


def test_columns_are_found_by_their_usual_names() -> None:
    data = {"id": range(80), "y_true": BINARY["gold"], "prediction": BINARY["one"]}
    assert assay.evaluate(data, positive="a").rows[0].value == evaluated().rows[0].value


def test_clusters_are_named_and_widen_the_interval() -> None:
    together = {**BINARY, "patient": [f"p{i // 8}" for i in range(80)]}
    plain_row = evaluated(measures=["accuracy"]).rows[0]
    report = assay.evaluate(together, gold="gold", pred="one", positive="a", measures=["accuracy"], cluster="patient")
    (row,) = report.rows
    assert row.method == "cluster_factor"
    assert report.provenance["clusters"] == 10
    assert row.value == plain_row.value
