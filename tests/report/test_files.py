from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from assay.cli.files import write_text
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
    with pytest.raises(OptionError, match=r"out\.txt' cannot be written: No space left on device\.$"):
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
        ("absent/out.txt", "'absent/out.txt' cannot be written: there is no folder 'absent'. Make it first."),
        ("file.txt/out.txt", "'file.txt/out.txt' cannot be written: 'file.txt' is not a folder."),
        ("folder", "'folder' is a folder; name a file in it."),
        ("x" * 300, f"'{'x' * 300}' cannot be written: File name too long."),
    ],
    ids=["no folder", "below a file", "a folder", "a long name"],
)
@pytest.mark.usefixtures("place")
def test_a_place_that_cannot_be_written_is_named(target: str, message: str) -> None:
    assert refusal(target) == message


def test_a_link_into_a_folder_that_is_not_there_is_refused(place: Path) -> None:
    folder = (place / "absent").resolve()
    assert refusal("astray.txt") == f"'astray.txt' cannot be written: there is no folder '{folder}'. Make it first."


@pytest.mark.usefixtures("place")
def test_a_link_to_itself_is_refused() -> None:
    assert refusal("round.txt").startswith("'round.txt' cannot be written: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_may_not_be_written_is_refused(place: Path) -> None:
    (place / "file.txt").chmod(0o444)
    (place / "folder").chmod(0o555)
    assert refusal("file.txt") == ("'file.txt' may not be written to; choose another name, or change its permissions.")
    assert refusal("folder/out.txt") == "'folder/out.txt' cannot be written: Permission denied."
    assert (place / "file.txt").read_text() == "old"
