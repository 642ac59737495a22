from __future__ import annotations

import io
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.cli.main import exit_code
from assay.report.answers.check import Checked
from assay.report.answers.check_page import Overview, Shares
from assay.report.contents.opening import Readings
from assay.sources.frames import table_of
from assay.sources.inspect import inspect_table
from assay.sources.recognize import with_scores
from tests.snapshot import Snapshot


def messy() -> str:
    draw = random.Random(2)
    lines = ["id,patient_id,label,model,age,note"]
    for row in range(200):
        gold = draw.choices(["yes", "no", "unsure", "Yes"], [50, 45, 4, 1])[0]
        pred = gold if draw.random() < 0.8 else draw.choice(["yes", "no", "yes ", "maybe"])
        gold = "" if row % 77 == 0 else gold
        lines.append(
            f"a{row if row % 90 else 7},p{draw.randrange(60)},{gold},{pred},{draw.randrange(20, 90)},text {row}"
        )
    return "\n".join(lines)


FILES = {
    "messy.csv": messy(),
    "unicode.jsonl": (
        '{"gold": "caf\\u00e9", "pred": "cafe\\u0301", "meta": {"a": 1}}\n{"gold": "1", "pred": 1.0}\n'
        '{"gold": "<script>alert(1)</script> and a label that goes on and on", "pred": "\\u001b[31mred"}\n'
    ),
    "clean.csv": "id,gold,pred\n" + "".join(f"{row},{'ab'[row % 2]},{'ab'[row % 3 == 0]}\n" for row in range(40)),
    "unknown.csv": "x,y\n" + "".join(f"{row % 3},{'Yy'[row % 2]}\n" for row in range(40)),
    "two golds.csv": "label,target,pred\na,b,a\nb,b,a\n",
    "many.csv": "gold,pred\n" + "".join(f"label {row % 40},label {row % 41}x\n" for row in range(400)),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("files")
def test_a_file_is_described(name: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["check", name]) == 0
    snapshot(f"check_{name.partition('.')[0].replace(' ', '_')}", capsys.readouterr().out)


@pytest.mark.usefixtures("files")
def test_columns_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "unknown.csv", "--gold", "y", "--pred", "x"]) == 0
    assert "next: assay evaluate unknown.csv --gold y --pred x" in capsys.readouterr().out
    assert exit_code(["check", "unknown.csv", "--gold", "z"]) == 3
    assert "unknown.csv has no column 'z'; it has 'x', 'y'." in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_the_facts_come_as_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "messy.csv", "--format", "json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["rows"], facts["gold"], facts["preds"]) == (200, "label", ["model"])
    assert facts["cluster"]["column"] == "patient_id"
    assert [[each["label"] for each in group] for group in facts["alike"]] == [["yes", "Yes", "yes "]]
    assert facts["alike"][0][2]["rows"] == {"model": 10}
    assert facts["columns"][0]["role"] == "id"


def test_a_file_may_come_through_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES["clean.csv"].encode())))
    assert exit_code(["check", "-"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("standard input has 40 rows and 3 columns.")
    assert "next: assay evaluate - --gold gold --pred pred" in out


@pytest.mark.usefixtures("files")
def test_a_mistyped_option_is_not_taken_for_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "--glod", "label", "messy.csv"]) == 2
    assert "there is no option --glod" in capsys.readouterr().err


def test_names_with_blanks_are_quoted_in_the_command_that_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my preds.csv").write_text("the gold,pred\na,a\nb,b\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert exit_code(["check", "./my preds.csv", "--gold", "the gold"]) == 0
    assert "next: assay evaluate './my preds.csv' --gold 'the gold' --pred pred" in capsys.readouterr().out


@pytest.mark.parametrize("width", [40, 60, 200])
def test_no_width_breaks_it(width: int) -> None:
    found = inspect_table(table_of({"gold": ["a", "b", "宽字符" * 9] * 5, "pred": ["a", "b", "A"] * 5}))
    assert "宽字符" in Checked(found, "x.csv").to_text(width)


# ---------------------------------------------------------------------- the page
def checked(text: str, tmp_path: Path, **roles: Any) -> Checked:
    path = tmp_path / "data.csv"
    path.write_text(text, encoding="utf-8")
    table = table_of(str(path))
    return Checked(with_scores(table, inspect_table(table, **roles)), str(path))


def heading(text: str, tmp_path: Path) -> str:
    found: str = checked(text, tmp_path).page().heading
    return found


ROWS = [("ab"[i % 2], "ab"[i % 3 == 0], i / 60, f"{2 * i - 60}") for i in range(60)]
FINDINGS: dict[str, list[tuple[Any, ...]]] = {
    "Ready to evaluate: gold labels and 1 system; nothing is missing.": [("gold", "pred"), *(r[:2] for r in ROWS)],
    "Ready to evaluate: gold labels and 1 system with scores; nothing is missing.": [
        ("gold", "m_pred", "m_pred_score"),
        *(r[:3] for r in ROWS),
    ],
    "No column of gold labels was recognized.": [("x", "y"), *(r[:2] for r in ROWS)],
    "It is not clear which column is gold: “label” and “target” could be.": [
        ("label", "target"),
        *(r[:2] for r in ROWS),
    ],
    "All gold labels are the same: “a”.": [("gold", "pred"), *(("a", r[1]) for r in ROWS)],
    "Gold labels were recognized, but no answers of a system.": [("gold", "note"), *((r[0], "n" + r[3]) for r in ROWS)],
    "“pred” and “gold” have no label in common.": [("gold", "pred"), *((r[0], "xy"[r[1] == "a"]) for r in ROWS)],
    "2 rows have no value in “gold”.": [("gold", "pred"), ("", "a"), ("", "b"), *(r[:2] for r in ROWS)],
    "1 group of labels looks alike but count as different.": [("gold", "pred"), ("A", "a"), *(r[:2] for r in ROWS)],
    "“pred” has labels that “gold” never has.": [("gold", "pred"), ("a", "c"), *(r[:2] for r in ROWS)],
    "1 id occurs more than once.": [("id", "gold", "pred"), *((max(i, 1), *r[:2]) for i, r in enumerate(ROWS))],
}


@pytest.mark.parametrize("finding", FINDINGS)
def test_the_heading_of_a_check_says_what_was_recognized_or_the_first_thing_to_mend(
    finding: str, tmp_path: Path
) -> None:
    text = "\n".join(",".join(map(str, row)) for row in FINDINGS[finding])
    assert heading(text, tmp_path) == finding


def test_a_value_that_is_missing_where_no_role_is_does_not_hinder(tmp_path: Path) -> None:
    text = "gold,pred,note\n" + "".join(f"{r[0]},{r[1]},{'' if i < 3 else 'x'}\n" for i, r in enumerate(ROWS))
    assert heading(text, tmp_path).endswith("; 3 values missing in other columns.")


@pytest.mark.parametrize("rows", [60, 500])
@pytest.mark.parametrize("engine", ["memory", "file"])
def test_the_outline_of_a_score_has_the_counts_of_numpys_histogram(
    rows: int, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(rows)
    scores = {"one_score": rng.beta(0.3, 0.6, rows), "two_score": rng.normal(5, 40, rows)}
    names = ",".join(scores)
    lines = (f"{'ab'[i % 2]},{scores['one_score'][i]!r},{scores['two_score'][i]!r}" for i in range(rows))
    text = f"gold,{names}\n" + "\n".join(line.replace("np.float64(", "").replace(")", "") for line in lines)
    if engine == "file":
        monkeypatch.setattr("assay.sources.profile.FEW", 0)
        monkeypatch.setattr("assay.sources.magnitudes.FEW", 0)
    found = checked(text, tmp_path)
    columns = {column.name: column for column in found.found.columns}
    for name, values in scores.items():
        counts, _ = np.histogram(values, 24)
        assert columns[name].bars == tuple(counts.tolist())
        assert columns[name].ends == (values.min(), values.max())
        (line,) = (row for row in overview(found).rows if row.cells[0] == name)
        heights = [20 - float(y) for y in re.findall(r"V([\d.]+)h4", line.outline)]
        assert heights == pytest.approx(20 * counts / counts.max(), abs=0.01)


def overview(found: Checked) -> Overview:
    (block,) = (block for part in found.page().parts for block in part.blocks if isinstance(block, Overview))
    return block


def test_share_bars_are_the_shares_of_the_most_frequent_values(tmp_path: Path) -> None:
    text = "gold,pred,id\n" + "".join(f"{'aaab'[i % 4]},{'abcde'[i % 5]},{i}\n" for i in range(40))
    rows = {row.cells[0]: row for row in overview(checked(text, tmp_path)).rows}
    assert rows["gold"].shares == (75.0, 25.0)
    assert rows["pred"].shares == (20.0, 20.0, 20.0)
    assert rows["id"].shares == ()


def test_the_large_figures_count_rows_classes_systems_and_missing_values(tmp_path: Path) -> None:
    text = "gold,pred,note\n" + "".join(f"{r[0]},{r[1]},{'' if i < 3 else 'x'}\n" for i, r in enumerate(ROWS))
    first, second = checked(text, tmp_path).page().opening
    assert isinstance(first, Readings)
    assert isinstance(second, Shares)
    assert {each.name: each.text for each in first.readings} == {
        "Rows": "60",
        "Classes": "2",
        "Systems": "1",
        "Missing values": "3",
    }
    assert [(each.name, each.rows, each.percent) for each in second.shares] == [("a", 30, 50.0), ("b", 30, 50.0)]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", FILES)
def test_no_sentence_of_the_page_has_quotes_as_code_has_them(name: str) -> None:
    table = table_of(name)
    page = Checked(with_scores(table, inspect_table(table)), name).page()
    told = [page.heading, page.subtitle, *page.rest, *(each.text for each in page.cautions)]
    assert not [text for text in told if re.search(r"(?<!--map )'\w+'", text)]
