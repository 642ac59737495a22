from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from assay.cli.files import write_text
from assay.cli.main import exit_code
from assay.cli.streams import OutputLost
from assay.errors import OptionError


def test_a_file_holds_the_text_as_utf8_with_its_own_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "new.txt", "é\n“quoted”\r\n")
    assert (tmp_path / "new.txt").read_bytes() == "é\n“quoted”\r\n".encode()


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("a much longer old text")
    write_text(str(target), "new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_broken_write_leaves_the_old_text_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "out.txt"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputLost, match=r"out\.txt' cannot be written: No space left on device\.$"):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupted_write_leaves_the_old_text_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    target = tmp_path / "out.txt"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual.txt").touch()
    write_text(tmp_path / "ours.txt", "text")
    assert (tmp_path / "ours.txt").stat().st_mode == (tmp_path / "usual.txt").stat().st_mode


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.touch()
    target.chmod(0o640)
    write_text(target, "text")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_link_stays_a_link_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "true.txt").write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("true.txt")
    write_text(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "true.txt").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened for reading and writing, a pipe waits for nobody.
    reader = os.open(pipe, os.O_RDWR)
    try:
        write_text(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def refusal(target: str) -> str:
    with pytest.raises(OptionError) as refused:
        write_text(target, "text")
    return str(refused.value)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.txt").write_text("old")
    (tmp_path / "astray.txt").symlink_to("absent/out.txt")
    (tmp_path / "round.txt").symlink_to("round.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("absent/out.txt", "'absent/out.txt' cannot be written: there is no folder 'absent'. Create it first."),
        ("file.txt/out.txt", "'file.txt/out.txt' cannot be written: 'file.txt' is not a folder."),
        ("folder", "'folder' is a folder; name a file inside it."),
        ("x" * 300, f"'{'x' * 300}' cannot be written: File name too long."),
    ],
    ids=["no folder", "below a file", "a folder", "a long name"],
)
@pytest.mark.usefixtures("place")
def test_a_place_that_cannot_be_written_is_named(target: str, message: str) -> None:
    assert refusal(target) == message


def test_a_link_into_a_folder_that_is_not_there_is_refused(place: Path) -> None:
    folder = (place / "absent").resolve()
    assert refusal("astray.txt") == f"'astray.txt' cannot be written: there is no folder '{folder}'. Create it first."


@pytest.mark.usefixtures("place")
def test_a_link_to_itself_is_refused() -> None:
    assert refusal("round.txt").startswith("'round.txt' cannot be written: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_may_not_be_written_is_refused(place: Path) -> None:
    (place / "file.txt").chmod(0o444)
    (place / "folder").chmod(0o555)
    assert refusal("file.txt") == ("'file.txt' is write-protected; choose another name, or change its permissions.")
    assert refusal("folder/out.txt") == "'folder/out.txt' cannot be written: Permission denied."
    assert (place / "file.txt").read_text() == "old"


# ---------------------------------------------------------------------- never over an input, never two in one
ROWS = "id,gold,pred,p\n" + "".join(f"{i},{'ab'[i % 2]},{'aab'[i % 3]},{i / 12}\n" for i in range(12))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that commands read, as they are before any test."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("in.csv", "in1.csv", "other.csv"):
            (folder / name).write_text(ROWS, encoding="utf-8")
        (folder / "costs.csv").write_text("gold,a,b\na,0,1\nb,2,0\n", encoding="utf-8")
        assert exit_code(["tally", "in.csv", "--out", "t.json"]) == 0
        assert exit_code(["tally", "in1.csv", "--out", "t1.json"]) == 0
        evaluated = ["evaluate", "in.csv", "--system", "s=other.csv", "--id", "id", "--measure", "accuracy"]
        assert exit_code([*evaluated, "--pred", "pred", "--format", "json", "--out", "r.json"]) == 0
    return folder


@pytest.fixture
def inputs(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same files, and other names of some of them."""
    monkeypatch.chdir(tmp_path)
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "hard.csv").hardlink_to("in.csv")
    (tmp_path / "soft.csv").symlink_to("in.csv")
    (tmp_path / "folder").symlink_to(".")
    (tmp_path / "charts").mkdir()
    return tmp_path


SYSTEMS = ["--pred", "pred", "--id", "id"]
CURVE = ["--score", "p", "--positive", "a"]
OVER = {
    "a pattern": (["evaluate", "in*.csv", "--out", "in.csv"], "in.csv"),
    "a pattern in brackets": (["evaluate", "in[1].csv", "--html", "in1.csv"], "in1.csv"),
    "a hard link": (["evaluate", "in.csv", "--out", "hard.csv"], "hard.csv"),
    "a soft link": (["evaluate", "in.csv", "--html", "soft.csv"], "soft.csv"),
    "a linked folder": (["evaluate", "in.csv", "--out", "folder/in.csv"], "folder/in.csv"),
    "a system's file": (["evaluate", "in.csv", "--system", "s=other.csv", *SYSTEMS, "--out", "other.csv"], "other.csv"),
    "costs": (["evaluate", "in.csv", "--costs", "costs.csv", "--out", "costs.csv"], "costs.csv"),
    "a summary": (["evaluate", "in.csv", "--summary", "in.csv"], "in.csv"),
    "gates": (["evaluate", "in.csv", "--fail-under", "accuracy=0.1", "--junit", "in.csv"], "in.csv"),
    "a pattern of tallies": (["tally", "in*.csv", "--out", "in1.csv"], "in1.csv"),
    "a sum": (["merge", "t.json", "t1.json", "--out", "t1.json"], "t1.json"),
    "a page of a sum": (["merge", "t.json", "t1.json", "--html", "t.json"], "t.json"),
    "rows that judge": (["tune", "in.csv", *CURVE, "--youden", "--check", "other.csv", "--sweep", "other.csv"], None),
    "a curve": (["curve", "in*.csv", *CURVE, "--out", "in.csv"], "in.csv"),
    "a pilot": (
        ["plan", "--difference", "0.1", "--pilot", "in.csv", "--measure", "accuracy", "--html", "in.csv"],
        "in.csv",
    ),
    "rows that differ": (["compare", "in*.csv", "--pred", "pred", "--pred", "p", "--disagreements", "in.csv"], None),
    "a report": (["verify", "r.json", "in.csv", "--html", "r.json"], "r.json"),
    "the file of a report's system": (["verify", "r.json", "in.csv", "--html", "other.csv"], "other.csv"),
    "checked": (["check", "in*.csv", "--html", "in.csv"], "in.csv"),
    "advised": (["advise", "in*.csv", "--html", "in.csv"], "in.csv"),
}


@pytest.mark.parametrize("case", OVER)
def test_no_input_is_written_over(case: str, inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, named = OVER[case]
    before = {path.name: path.read_bytes() for path in inputs.iterdir() if path.is_file()}
    capsys.readouterr()
    assert exit_code(command) == 2
    said = capsys.readouterr().err
    assert said == f"assay: '{named or command[-1]}' is an input; choose another output file.\n"
    assert {path.name: path.read_bytes() for path in inputs.iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("inputs")
def test_standard_input_that_is_a_file_is_an_input(inputs: Path) -> None:
    with (inputs / "in.csv").open("rb") as rows:
        run = assay_run("evaluate", "-", "--out", "in.csv", stdin=rows, cwd=inputs)
    assert (run.returncode, run.stderr) == (2, "assay: 'in.csv' is an input; choose another output file.\n")
    assert (inputs / "in.csv").read_text(encoding="utf-8") == ROWS


@pytest.mark.parametrize(
    ("first", "second"), [("x.html", "x.html"), ("x.html", "./x.html"), ("x.html", "folder/x.html"), ("old", "again")]
)
def test_two_results_do_not_go_into_one_file(
    first: str, second: str, inputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (inputs / "old").write_text("old", encoding="utf-8")
    (inputs / "again").hardlink_to("old")
    capsys.readouterr()
    assert exit_code(["evaluate", "in.csv", "--out", first, "--html", second]) == 2
    said = f"assay: --out and --html both name '{second}'; choose another file for one of them.\n"
    assert capsys.readouterr().err == said
    assert not (inputs / "x.html").exists()
    assert (inputs / "old").read_text(encoding="utf-8") == "old"


def test_devices_may_be_named_twice(inputs: Path) -> None:
    assert inputs.is_dir()
    assert exit_code(["evaluate", "in.csv", "--out", "/dev/null", "--html", "/dev/null"]) == 0


def test_no_chart_is_written_over_an_input(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "in.csv", "--positive", "a", "--measure", "accuracy", "--charts", "charts"]
    assert exit_code(command) == 0
    drawn = sorted(path.name for path in (inputs / "charts").iterdir())
    for name in drawn:
        (inputs / "charts" / name).unlink()
    (inputs / "charts" / drawn[-1]).symlink_to("../in.csv")
    capsys.readouterr()
    assert exit_code(command) == 2
    assert capsys.readouterr().err == f"assay: 'charts/{drawn[-1]}' is an input; choose another output file.\n"
    assert (inputs / "in.csv").read_text(encoding="utf-8") == ROWS
    assert [path.name for path in (inputs / "charts").iterdir()] == [drawn[-1]]


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000 + "y", "a\0b", "a\0b/c"], ids=["name", "path", "NUL", "deep"])
@pytest.mark.parametrize("option", ["--out", "--html", "--charts", "--summary"])
@pytest.mark.usefixtures("inputs")
def test_a_name_that_no_file_can_have_is_refused_in_words(
    name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["evaluate", "in.csv", "--measure", "accuracy", option, name]) == 2
    said = capsys.readouterr().err
    assert "mistake in assay" not in said
    assert "cannot be" in said


# ---------------------------------------------------------------------- what a killed process leaves
WRITER = """
import os, pathlib, sys, time
from assay.cli.files import write_text

def stop(*_):
    print("stopped", flush=True)
    time.sleep(60)

moment, target = sys.argv[1:]
if moment == "before the name":
    pathlib.Path.replace = stop
else:
    fsync, called = os.fsync, []
    def counted(descriptor):
        called.append(descriptor)
        return stop() if len(called) == {"before the disk": 1, "before the folder": 2}[moment] else fsync(descriptor)
    os.fsync = counted
write_text(target, "new" * 1000)
"""


@pytest.mark.parametrize("moment", ["before the disk", "before the name", "before the folder"])
def test_a_killed_write_leaves_one_whole_text_and_the_next_one_cleans_up(moment: str, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    command = [sys.executable, "-c", WRITER, moment, str(target)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment())
    assert run.stdout is not None
    assert run.stdout.readline() == b"stopped\n"
    write_text(tmp_path / "other.txt", "text")
    left = 0 if moment == "before the folder" else 1
    assert len(list(tmp_path.glob(".assay-*"))) == left, "the file of a living process stays"
    run.kill()
    run.communicate()
    assert target.read_text(encoding="utf-8") == ("old" if left else "new" * 1000)
    assert len(list(tmp_path.glob(".assay-*"))) == left
    write_text(tmp_path / "other.txt", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.txt", "out.txt"]


def test_files_that_others_hold_or_made_are_left_alone(tmp_path: Path) -> None:
    import fcntl

    held, foreign, linked = (tmp_path / name for name in (".assay-" + "0" * 16, ".assay-notes", ".assay-" + "1" * 16))
    foreign.write_text("mine", encoding="utf-8")
    linked.symlink_to("held.txt")
    with held.open("xb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_text(tmp_path / "out.txt", "new")
        assert {path.name for path in tmp_path.iterdir()} == {held.name, foreign.name, linked.name, "out.txt"}
    write_text(tmp_path / "out.txt", "newer")
    assert {path.name for path in tmp_path.iterdir()} == {foreign.name, linked.name, "out.txt"}


def test_a_write_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        done.append(kind(descriptor))
        fsync(descriptor)

    def replaced(old: Path, new: Path) -> Path:
        done.append("rename")
        return replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_text(tmp_path / "out.txt", "new")
    assert done == ["file", "rename", "folder"]


def kind(descriptor: int) -> str:
    return "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def assay_run(*arguments: str, stdin: BinaryIO, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "assay", *arguments]
    return subprocess.run(
        command, stdin=stdin, cwd=cwd, env=environment(), capture_output=True, text=True, check=False, encoding="utf-8"
    )
