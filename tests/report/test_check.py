from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import pytest

from assay.cli.main import exit_code
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
    from assay.report.answers.check import Checked
    from assay.sources.frames import table_of
    from assay.sources.inspect import inspect_table

    found = inspect_table(table_of({"gold": ["a", "b", "宽字符" * 9] * 5, "pred": ["a", "b", "A"] * 5}))
    assert "宽字符" in Checked(found, "x.csv").to_text(width)
