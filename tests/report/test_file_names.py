"""Names of files that name nothing: one plain sentence, never a mistake of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.main import exit_code


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("id,gold,pred\n1,a,a\n2,b,a\n3,a,b\n4,b,b\n")
    return tmp_path


COMMANDS = {
    "evaluate": ["evaluate", "{}.csv"],
    "evaluate_counts": ["evaluate", "{}.json"],
    "pattern": ["evaluate", "{}*.csv"],
    "system": ["evaluate", "p.csv", "--system", "A={}.csv", "--id", "id"],
    "costs": ["evaluate", "p.csv", "--positive", "a", "--costs", "{}.csv"],
    "compare": ["compare", "{}.csv"],
    "check": ["check", "{}.csv"],
    "advise": ["advise", "{}.csv"],
    "advise_counts": ["advise", "{}.json"],
    "curve": ["curve", "{}.csv"],
    "tune": ["tune", "{}.csv", "--youden"],
    "merge": ["merge", "{}.json", "{}.json"],
    "verify": ["verify", "{}.json", "{}.csv"],
}


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "x" * 5000, "x/" * 3000], ids=str.__len__)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_no_file_can_have_gets_a_plain_message(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = exit_code([part.format(name) for part in COMMANDS[command]])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) in ((2, 1), (3, 1))
    assert "Error" not in said


def test_a_long_name_is_shown_in_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "x" * 300 + "/y.csv"]) == 3
    said = capsys.readouterr().err
    assert len(said) < 150
    assert "…xxxxxxxxxxxxxx/y.csv' cannot be read: File name too long" in said


def test_a_broken_link_is_said_to_be_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dead.csv").symlink_to("gone.csv")
    assert exit_code(["check", "dead.csv"]) == 3
    assert capsys.readouterr().err == "assay: 'dead.csv' is a link to 'gone.csv', which does not exist.\n"


def test_a_link_to_itself_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "loop.csv").symlink_to("loop.csv")
    assert exit_code(["check", "loop.csv"]) == 3
    assert "'loop.csv' cannot be read: Too many levels of symbolic links" in capsys.readouterr().err


def test_a_file_of_costs_without_end_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("assay.measures.labels.costs.LARGEST_FILE", 1000)
    assert exit_code(["evaluate", "p.csv", "--positive", "a", "--costs", "/dev/zero"]) == 3
    assert "'/dev/zero' is not a table of costs: it has more than 1,000 characters." in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_name_that_is_not_utf_8_is_refused(here: Path, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        (here / f"b\udcff.{ending}").write_bytes((here / "p.csv").read_bytes())
    except OSError:
        pytest.skip("no file can have such a name here")
    assert exit_code(["check", f"b\udcff.{ending}"]) == 3
    said = capsys.readouterr().err
    assert said == f"assay: 'b\\udcff.{ending}' has a name that is not UTF-8 text; rename the file.\n"
