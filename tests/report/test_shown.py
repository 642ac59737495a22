"""Names from the data are shown and not obeyed: by terminals, by build servers, by spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import assay
from assay.cli.main import exit_code
from assay.tables import Cell, Section
from assay.texts import csv_text, guarded, json_text, numeral, signed, typed, visible
from tests.terminal import on_a_terminal

# What a terminal obeys: C0 but for tab and line feed, DEL, C1, and signs that turn the direction of text.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# What GitHub and Azure take for a command, in a line of a log.
COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
EVIL = (
    "\x1b[31mred",
    "\x9b31mC1",
    "\x7fdel",
    "\u202eover",
    "\x07bell",
    "::error::x",
    "##vso[task.complete]",
    "##[group]",
)
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "gold", "pred", "::warning::sys", "p\x1b[0m"])
        for i in range(32):
            gold, other = EVIL[i % 8], EVIL[(i + i // 9) % 8]
            writer.writerow([f"::set-output::{i}", gold, other, EVIL[i // 7 % 8], i / 32])
    (tmp_path / "two.csv").write_text("gold,p\n" + "a,0.2\n\x1b[31mred,0.7\n" * 9, encoding="utf-8")
    return tmp_path


EVALUATE = ["evaluate", "rows.csv", "--pred", "pred", "--pred", "::warning::sys", "--measure", "f1"]
COMPARE = ["compare", "rows.csv", "--pred", "pred", "--pred", "::warning::sys", "--resamples", "200"]
TWO = ["two.csv", "--score", "\x1b]0;p\x07=p", "--positive", "\x1b[31mred"]
COMMANDS = {
    **{f"evaluate {format}": [*EVALUATE, "--format", format] for format in ("table", "json", "csv", "md", "latex")},
    **{f"compare {format}": [*COMPARE, "--format", format] for format in ("table", "json", "csv", "md", "latex")},
    "curve": ["curve", *TWO],
    **{f"tune {format}": ["tune", *TWO, "--youden", "--format", format] for format in ("table", "json", "csv", "md")},
    "check": ["check", "rows.csv"],
    "check json": ["check", "rows.csv", "--format", "json"],
    "advise": ["advise", "rows.csv"],
    "advise json": ["advise", "rows.csv", "--format", "json"],
    "tally": ["tally", "rows.csv", "--pred", "pred"],
    "a file that is not there": ["evaluate", "\x1b[31mrows\n::error::.csv"],
    "a column that is not there": ["evaluate", "rows.csv", "--gold", "::error::\x1b[31m", "--pred", "pred"],
    "no positive": ["evaluate", "rows.csv", "--pred", "pred", "--measure", "f1(average=binary)"],
    "an option that is not there": ["evaluate", "rows.csv", "--\x1b[31m"],
}


@pytest.mark.parametrize("case", COMMANDS)
@pytest.mark.usefixtures("here")
def test_nothing_printed_steers_a_terminal_or_a_build_server(case: str, capsys: Captured) -> None:
    code = exit_code(COMMANDS[case])
    said = capsys.readouterr()
    assert code in (0, 2, 3)
    assert said.out or said.err
    for text in said:
        assert not STEERING.search(text), repr(text)
        assert not COMMAND.search(text), repr(text)


ON_A_TERMINAL = {
    "evaluate": EVALUATE,
    "compare": COMPARE,
    "check": ["check", "rows.csv"],
    "tune": ["tune", *TWO, "--youden"],
    "wrong": ["evaluate", "rows.csv", "--gold", EVIL[0], "--pred", "pred"],
}


@pytest.mark.parametrize("case", ON_A_TERMINAL)
def test_a_terminal_obeys_our_colors_and_no_name(case: str, here: Path) -> None:
    text = on_a_terminal(ON_A_TERMINAL[case], cwd=here, errors=True)
    for raw in ("\x1b[31mred", "\x1b]0;", "\x9b", "\x07", "\x7f", "\u202e"):
        assert raw not in text, repr(raw)
    assert "31mred" in text


def test_verify_shows_names_and_obeys_none(here: Path, capsys: Captured) -> None:
    assert exit_code([*EVALUATE, "--format", "json", "--out", "r.json"]) == 0
    (here / "other.csv").write_bytes((here / "rows.csv").read_bytes().replace(b"\x07bell,", b"\x07belt,"))
    assert exit_code(["verify", "r.json", "other.csv"]) == 1
    said = capsys.readouterr().out
    assert r"\x07belt" in said
    assert not STEERING.search(said)
    assert not COMMAND.search(said)


def test_a_file_that_cannot_be_named_in_utf_8_is_named(here: Path, capsys: Captured) -> None:
    assert here.is_dir()
    assert exit_code(["evaluate", "rows\udcff.csv"]) == 3
    assert r"there is no file 'rows\udcff.csv'" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_what_json_escapes_is_the_same_when_it_is_read(capsys: Captured) -> None:
    assert exit_code([*EVALUATE, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["class"] for row in rows} == set(EVIL)
    value = {name: name for name in (*EVIL, "plain é 😀", "a\nb")}
    assert json.loads(json_text(value)) == value
    assert not STEERING.search(json_text(value, indent=2))
    assert not COMMAND.search(json_text(value, indent=2))


def test_visible_text_keeps_what_is_harmless() -> None:
    for text in ("plain é 😀 שלום", "a: b::c", "# head ## two", "x\ty\n  z", "C:\\x"):
        assert visible(text) == text
    assert visible("\x1b[0m") == r"\x1b[0m"
    assert visible("a\n  ::error::b") == "a\n  \\x3a:error::b"
    assert visible("a ##vso[b]") == r"a #\x23vso[b]"


# ---------------------------------------------------------------------- spreadsheets
FORMULAS = ("=1+1", "+cmd", "-cmd", "@SUM(A1)", "\t=1", "\r=1", "x\r=1", "x\n=1", "-1+1", "=", "\uff1d1", "-")
NUMBERS = ("-0.5", "+1", "-1e5", "-.5", "1")


def runs(cell: str) -> bool:
    """Whether a spreadsheet might run the cell, or take it for the start of another."""
    if re.fullmatch(r"[+-]?[0-9.]+(e[0-9]+)?", cell):
        return False
    return cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")) or "\r" in cell or "\n" in cell


@pytest.mark.parametrize("text", FORMULAS)
def test_a_cell_that_looks_like_a_formula_is_guarded(text: str) -> None:
    assert runs(text)
    assert not runs(guarded(text))


def test_people_read_a_true_minus_sign_and_never_a_negative_zero() -> None:
    assert [numeral(x, ".2f") for x in (-1.5, -0.001, -1e-12, -0.0, 0.25)] == [
        "−1.50",
        "−0.001",
        "0.00",
        "0.00",
        "0.25",
    ]
    assert [numeral(x, "+.2g") for x in (-1.5, 1.5, -1e-7)] == ["−1.5", "+1.5", "−1e-07"]
    assert [signed(x, 2) for x in (-0.5, 0.5, -0.0, -1e-12, -0.001)] == ["−0.50", "+0.50", "0.00", "0.00", "−0.001"]


def test_programs_read_a_hyphen() -> None:
    assert [typed(text) for text in ("−0.5 ← chosen", "a − b", "–", "0.5")] == ["-0.5 ← chosen", "a − b", "–", "0.5"]
    written = Section("t", ("x",), (("−1.5", (Cell("−0.5"),)), ("b", (Cell("−0.5", value=-0.5),)))).to_dict()
    assert written["rows"] == {"-1.5": ["-0.5"], "b": [-0.5]}


def test_numbers_stay_numbers_and_text_stays_text() -> None:
    assert [guarded(text) for text in NUMBERS] == list(NUMBERS)
    assert guarded("spam, and “ham”") == "spam, and “ham”"
    assert csv_text([["=1", -0.5, None, 3]]) == "'=1,-0.5,,3\n"
    assert csv_text([["=1", "a\nb"]], raw=True) == '=1,"a\nb"\n'


def cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


@pytest.fixture
def formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "gold", "@a", "@b", "p"])
        for i in range(24):
            writer.writerow([f"=id{i}", "=x" if i % 2 else "y", "=x" if i % 3 else "y", "=x" if i % 5 else "y", i / 24])
    return tmp_path


SYSTEMS = ["--pred", "@a", "--pred", "@b", "--positive", "=x"]
SCORED = ["--score", "@s=p", "--positive", "=x"]
EXPORTS = {
    "evaluate": (["evaluate", "rows.csv", *SYSTEMS, "--format", "csv"], None),
    "compare": (["compare", "rows.csv", *SYSTEMS, "--resamples", "200", "--format", "csv"], None),
    "rows that differ": (["compare", "rows.csv", *SYSTEMS, "--resamples", "200", "--disagreements", "o.csv"], "o.csv"),
    "draws": (["compare", "rows.csv", *SYSTEMS, "--resamples", "200", "--replicates", "o.csv"], "o.csv"),
    "tune": (["tune", "rows.csv", *SCORED, "--youden", "--format", "csv"], None),
    "points": (["curve", "rows.csv", *SCORED, "--out", "o.csv"], "o.csv"),
}


def exported(command: list[str], out: str | None, capsys: Captured) -> list[str]:
    assert exit_code(command) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    return cells(printed if out is None else Path(out).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", EXPORTS)
@pytest.mark.usefixtures("formulas")
def test_no_export_runs_in_a_spreadsheet_unless_it_is_to_be_raw(case: str, capsys: Captured) -> None:
    command, out = EXPORTS[case]
    assert not [cell for cell in exported(command, out, capsys) if runs(cell)]
    assert [cell for cell in exported([*command, "--raw-csv"], out, capsys) if cell.startswith(("=", "@"))]


def test_csv_in_python_is_guarded_unless_it_is_to_be_raw() -> None:
    report = assay.evaluate({"gold": ["=x", "y"] * 9, "=a": ["=x", "y"] * 9}, gold="gold", pred="=a", measures="f1")
    assert not [cell for cell in cells(report.to_csv()) if runs(cell)]
    assert "=x" in cells(report.to_csv(raw=True))
