from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

import assay
from assay.cli.main import exit_code
from tests.snapshot import Snapshot

DATA = Path(assay.__file__).parent / "data"
EXAMPLES = sorted(path.name for path in (DATA / "examples").iterdir())
FILES = ("breast_cancer.csv", "digits.csv", *EXAMPLES)
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(printed: str) -> list[str]:
    """The commands that a text shows, each on one line."""
    return re.findall(r"^\$ (.*)$", joined(printed), flags=re.MULTILINE)


def joined(printed: str) -> str:
    """The text with lines that a shell reads as one on one line."""
    return printed.replace(" \\\n    ", " ")


def holds_the_files(folder: Path) -> bool:
    """Whether a folder has all files as they ship, the page, and nothing else."""
    names = sorted(path.name for path in folder.iterdir())
    return names == sorted([*FILES, "report.html"]) and all(
        (folder / n).read_bytes() == (DATA / ("examples" if n in EXAMPLES else "") / n).read_bytes() for n in FILES
    )


def refused(arguments: list[str], capsys: Captured) -> str:
    """The message of a demo that did nothing, as it stands in a snapshot."""
    code = exit_code(["demo", *arguments])
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    return f"$ {shlex.join(['assay', 'demo', *arguments])}\n{printed.err}exit {code}"


def test_a_folder_is_made_and_gets_all_files_of_which_two_are_evaluated_there(
    place: Path, capsys: Captured, snapshot: Snapshot
) -> None:
    assert exit_code(["demo", "examples/first"]) == 0
    assert holds_the_files(place / "examples" / "first")
    printed = capsys.readouterr().out
    # What follows each command is its own output, which other snapshots hold.
    said, _, _ = printed.partition("\n$ ")
    last = printed.splitlines()[-4:]
    snapshot("cli_demo_folder", "\n".join([said, *(f"$ {command}" for command in commands(printed)), *last]))


def test_files_that_are_there_already_are_left_alone(place: Path, capsys: Captured) -> None:
    (place / "digits.csv").write_bytes((DATA / "digits.csv").read_bytes())
    before = (place / "digits.csv").stat()
    assert exit_code(["demo", "."]) == 0
    wrote = [f"wrote {name}" for name in ("breast_cancer.csv", *EXAMPLES, "report.html")]
    said = capsys.readouterr().out.splitlines()[: len(wrote) + 1]
    assert said == [wrote[0], "digits.csv already exists", *wrote[1:]]
    assert (place / "digits.csv").stat().st_ino == before.st_ino
    assert holds_the_files(place)


def test_another_file_of_the_same_name_is_not_overwritten(place: Path, capsys: Captured, snapshot: Snapshot) -> None:
    (place / "mine").mkdir()
    (place / "mine" / "digits.csv").write_text("id,gold\n1,7\n")
    snapshot("messages/demo_overwriting", refused(["mine"], capsys))
    assert (place / "mine" / "digits.csv").read_text() == "id,gold\n1,7\n"
    assert not (place / "mine" / "breast_cancer.csv").exists()


def test_the_examples_are_small_enough_to_ship() -> None:
    assert sum((DATA / "examples" / name).stat().st_size for name in EXAMPLES) < 200_000


def test_force_does_not_overwrite_a_folder(place: Path, capsys: Captured, snapshot: Snapshot) -> None:
    (place / "digits.csv").mkdir()
    snapshot("messages/demo_folder_in_the_way", refused([".", "--force"], capsys))
    assert not (place / "breast_cancer.csv").exists()


MISTAKES = {
    "demo_file_for_a_folder": ["preds.csv"],
    "demo_below_a_file": ["preds.csv/examples"],
    "demo_empty_name": [""],
    "demo_force_without_folder": ["--force"],
    "demo_long_name": ["x" * 300],
    "demo_page_without_name": ["--html", ""],
    "demo_page_without_folder": ["--html", "nowhere/demo.html"],
    "demo_page_for_a_table": ["new", "--html", "new/digits.csv"],
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_gets_one_plain_message(case: str, place: Path, capsys: Captured, snapshot: Snapshot) -> None:
    (place / "preds.csv").write_text("id,gold\n1,7\n")
    snapshot(f"messages/{case}", refused(MISTAKES[case], capsys))
    assert [path.name for path in place.rglob("*") if path.is_file()] == ["preds.csv"]


# ---------------------------------------------------------------------- the page
def shown_last(printed: str) -> tuple[list[str], str]:
    """The arguments of the command that made the page, and where the last line says that it is."""
    *_, made, where = joined(printed).splitlines()
    name, *arguments = shlex.split(made.removeprefix("With scores and groups, as a page: "))
    assert name == "assay"
    return arguments, where


@pytest.mark.parametrize("folder", ["it's mine; $HOME/*", "-dash", "~"])
def test_commands_and_page_can_be_made_again_whatever_the_folder_is_called(
    folder: str, place: Path, capsys: Captured
) -> None:
    assert exit_code(["demo", "--", folder]) == 0
    printed = capsys.readouterr().out
    assert [command.split()[1] for command in commands(printed)] == ["compare", "evaluate", "evaluate"]
    for command in commands(printed):
        name, *arguments = shlex.split(command)
        assert (name, exit_code(arguments)) == ("assay", 0)
        assert f"$ {command}\n\n{capsys.readouterr().out}" in joined(printed)
    arguments, where = shown_last(printed)
    page = place / folder / "report.html"
    before = page.read_bytes()
    page.unlink()
    assert exit_code(arguments) == 0
    assert page.read_bytes() == before
    assert where == f"The page: {arguments[-1]} — open it in a browser"
    assert (place / arguments[-1]).samefile(page)


def test_without_a_folder_the_page_goes_where_it_was_asked_for_with_both_models_and_no_rows(
    place: Path, capsys: Captured
) -> None:
    assert exit_code(["demo", "--html", "demo.html"]) == 0
    printed = capsys.readouterr().out
    arguments, where = shown_last(printed)
    assert where == "The page: demo.html — open it in a browser"
    assert [path.name for path in place.iterdir()] == ["demo.html"]
    assert printed.startswith(Path(__file__).parents[1].joinpath("snapshots/cli_demo.txt").read_text("utf-8").rstrip())
    # The file is not at hand, and another command writes it; then this one makes the very same page but for its name.
    assert arguments[:2] == ["compare", "examples/breast_cancer.csv"]
    assert "assay demo examples" in " ".join(printed.split("\n\n")[0].split())
    before, command = (place / "demo.html").read_text("utf-8"), "<dt>Command</dt>"
    for word in ("logistic", "tree", "malignant", "ROC AUC", "F1", "large", "medium", "small"):
        assert word in before
    for row_data in ("b0001", "0.999980"):
        assert row_data not in before
    (place / "demo.html").unlink()
    assert exit_code(["demo", "examples"]) == 0
    assert exit_code(arguments) == 0
    again = (place / "demo.html").read_text("utf-8")
    assert again.partition(command)[0] == before.partition(command)[0]


def test_commands_fit_a_narrow_terminal_and_run_as_they_are_copied(
    place: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert exit_code(["demo"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 60
    assert not re.search(r"--\w+ \\$", printed, flags=re.MULTILINE)  # an option stands with its value
    assert exit_code(["demo", "examples"]) == 0
    capsys.readouterr()
    assert [command.split()[1] for command in commands(printed)] == ["compare", "evaluate"]
    for command in commands(printed):
        assert exit_code(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out in printed


def test_the_demo_says_first_which_model_is_better_and_shows_guesses_once(place: Path, capsys: Captured) -> None:
    assert exit_code(["demo"]) == 0
    printed = capsys.readouterr().out
    assert printed.index("logistic outperforms tree") < printed.index("logistic finds 203 of the 212")
    assert printed.count("\n no model ") == 1
    (head,) = (line for line in printed.splitlines() if line.startswith(" no model "))
    assert re.split(r" {2,}", head.strip()) == ["no model", "Accuracy", "Balanced accuracy", "F1", "MCC"]


def test_without_either_no_page_is_written(place: Path, capsys: Captured) -> None:
    assert exit_code(["demo"]) == 0
    assert "The page" not in capsys.readouterr().out
    assert list(place.iterdir()) == []


def test_a_page_may_stand_elsewhere_than_the_tables(place: Path, capsys: Captured) -> None:
    assert exit_code(["demo", "examples", "--html", "page.html"]) == 0
    assert capsys.readouterr().out.endswith("The page: page.html — open it in a browser\n")
    assert sorted(path.name for path in place.iterdir()) == ["examples", "page.html"]
    assert sorted(path.name for path in (place / "examples").iterdir()) == sorted(FILES)


def test_anothers_files_are_overwritten_only_by_force(place: Path, capsys: Captured, snapshot: Snapshot) -> None:
    (place / "report.html").write_text("<p>mine</p>")
    snapshot("messages/demo_overwriting_a_page", refused(["."], capsys))
    assert [path.name for path in place.iterdir()] == ["report.html"]
    assert (place / "report.html").read_text() == "<p>mine</p>"
    (place / "digits.csv").write_text("id,gold\n1,7\n")
    assert exit_code(["demo", ".", "--force"]) == 0
    assert capsys.readouterr().out.startswith("wrote breast_cancer.csv\nwrote digits.csv\n")
    assert holds_the_files(place)
    assert "<p>mine</p>" not in (place / "report.html").read_text(encoding="utf-8")


def test_a_name_that_is_not_text_is_refused_before_anything_is_written(place: Path, capsys: Captured) -> None:
    assert "is not UTF-8 text; name another folder." in refused([os.fsdecode(b"\xff")], capsys)
    assert list(place.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_named(place: Path, capsys: Captured) -> None:
    (place / "closed").mkdir(mode=0o555)
    assert "assay: 'closed/breast_cancer.csv' cannot be written: Permission denied.\n" in refused(["closed"], capsys)
    assert "assay: the folder 'closed/new' cannot be used: Permission denied.\n" in refused(["closed/new"], capsys)
    (place / "sealed").mkdir(mode=0o000)
    assert "Permission denied.\n" in refused(["sealed"], capsys)
