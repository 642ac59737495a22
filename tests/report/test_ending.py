"""However it ends, it ends in words: interrupted at any moment, with nowhere to print to, or with nobody reading."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROWS = "gold,pred\n" + "a,a\nb,a\na,b\nb,b\nb,b\n" * 40
MOMENTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    return tmp_path


def started(*arguments: str) -> subprocess.Popen[str]:
    """A command that has begun: Python itself is up, and our own code runs next."""
    begun = "import sys; sys.stdout.write('begun\\n'); sys.stdout.flush(); from assay.__main__ import run; run()"
    run = subprocess.Popen(
        [sys.executable, "-c", begun, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    return run


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interruption_at_any_moment_ends_with_130_and_without_a_traceback(moment: float, here: Path) -> None:
    for again in range(2):
        run = started("evaluate", "rows.csv", "--out", "result.txt")
        time.sleep(moment + 0.013 * again)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
        assert run.returncode in (0, 130), said
        assert said == ("assay: interrupted\n" if run.returncode == 130 else "wrote result.txt\n")
        assert not list(here.glob(".assay-*"))


def test_the_first_moment_is_interrupted_too(here: Path) -> None:
    assert here.is_dir()
    run = started("evaluate", "rows.csv")
    time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (130, "assay: interrupted\n")


def test_interruptions_that_were_turned_off_stay_off(here: Path) -> None:
    assert here.is_dir()
    begun = "import sys; sys.stdout.write('begun\\n'); sys.stdout.flush(); from assay.__main__ import run; run()"
    command = [sys.executable, "-c", begun, "evaluate", "rows.csv", "--out", "result.txt"]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    )
    assert run.stdout is not None
    run.stdout.readline()
    for _ in range(5):
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode == 0


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("assay ", f"{sys.executable} -m assay ")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


FULL = "assay: standard output cannot be written to: No space left on device.\n"
FULL_FILE = "assay: '/dev/full' cannot be written: No space left on device.\n"
CLOSED = "assay: standard output cannot be written to: Bad file descriptor.\n"
ENDS = {
    "full": ("assay evaluate rows.csv > /dev/full", 74, FULL),
    "full help": ("assay --help > /dev/full", 74, FULL),
    "full demo": ("assay demo > /dev/full", 74, FULL),
    "full file": ("assay evaluate rows.csv --out /dev/full", 74, FULL_FILE),
    "closed": ("assay evaluate rows.csv >&-", 74, CLOSED),
    "closed version": ("assay --version >&-", 74, CLOSED),
    "closed and not needed": ("assay evaluate rows.csv --out result.txt >&-", 0, "wrote result.txt\n"),
    "error closed": ("assay evaluate absent.csv 2>&-", 3, ""),
    "error full": ("assay evaluate absent.csv 2> /dev/full", 3, ""),
    "all closed": ("assay evaluate rows.csv <&- >&- 2>&-", 74, ""),
    "nobody reads": ("assay evaluate rows.csv | true; exit ${PIPESTATUS[0]}", 0, ""),
    "nobody reads the list": ("assay measures | head -1 > first.txt; exit ${PIPESTATUS[0]}", 0, ""),
    "a gate though nobody reads": (
        "assay evaluate rows.csv --fail-under accuracy=0.99 2> told.txt | true; exit ${PIPESTATUS[0]}",
        1,
        "",
    ),
}


@pytest.mark.parametrize("case", ENDS)
def test_a_stream_that_is_full_or_closed_ends_in_words(case: str, here: Path) -> None:
    command, code, said = ENDS[case]
    run = shell(command)
    assert (run.returncode, run.stderr) == (code, said)
    if "result.txt" in command:
        assert "Accuracy" in (here / "result.txt").read_text(encoding="utf-8")
