"""Running one command of a case, in this process or in one of its own, and noting all that can be seen of it."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

PATIENCE = 60.0  # seconds until a command is given up
SECONDS = 20.0  # of computing that a small file may take
BYTES = 1_500_000_000  # of memory


@dataclass(frozen=True)
class Outcome:
    """How a command ended, what it printed, and what it left in the folder."""

    code: int | None  # None where it did not end by itself
    out: bytes
    err: bytes
    seconds: float = 0.0
    memory: int = 0
    raised: str = ""  # a traceback, or warnings
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What was printed."""
        return self.out.decode("utf-8", "replace")


class TooLong(BaseException):
    """The command was given up; nothing catches this but the fuzz."""


def run_here(command: Sequence[str], folder: Path) -> Outcome:
    """Run the command in this process."""
    from assay.cli.main import exit_code

    out, err = _stream(), _stream()
    raised, code = "", None
    _forget_peak()
    began, computed = time.monotonic(), time.process_time()
    with _in_folder(folder), _streams(out, err), _alarm(), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            code = exit_code(list(command))
        except TooLong:
            raised = f"not done after {PATIENCE:.0f} seconds"
        except BaseException:
            raised = traceback.format_exc()
    if warned:
        raised += "".join(f"\n{each.category.__name__}: {each.message} ({each.filename})" for each in warned)
    spent = min(time.monotonic() - began, time.process_time() - computed)
    return Outcome(code, _held(out), _held(err), spent, _peak(), raised, files_in(folder))


def run_apart(command: Sequence[str], folder: Path, stdin: Path | None = None) -> Outcome:
    """Run the command as people do, in a process of its own with its own folder for temporary files."""
    spool = folder.parent / "spool"
    spool.mkdir(exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (stdin or Path(os.devnull)).open("rb") as source:
        try:
            run = subprocess.run(
                [sys.executable, "-W", "always", "-m", "assay", *command],
                stdin=source,
                cwd=folder,
                env=environment(spool),
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            return Outcome(
                None, late.stdout or b"", late.stderr or b"", PATIENCE, 0, "not done in time", files_in(folder)
            )
        except ValueError:  # no process can be given an argument with NUL
            return run_here(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    left = sorted(path.name for path in spool.rglob("*"))
    raised = f"temporary files are left: {left}" if left else ""
    # The peak is that of the largest child so far, which is enough to see one that is too large.
    return Outcome(run.returncode, run.stdout, run.stderr, spent, after.ru_maxrss * 1024, raised, files_in(folder))


def environment(spool: Path | None = None) -> dict[str, str]:
    """The environment of a process that finds the same assay as this one."""
    out = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "ASSAY_TRACEBACK")}
    out["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return out if spool is None else {**out, "TMPDIR": str(spool)}


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file in the folder with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# ---------------------------------------------------------------------- this process
def _stream() -> io.TextIOWrapper:
    """A stream like those of the command line."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n")


def _held(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    held = stream.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue()


@contextmanager
def _streams(out: io.TextIOWrapper, err: io.TextIOWrapper) -> Iterator[None]:
    old = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        sys.stdout, sys.stderr = old


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    old = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(old)


@contextmanager
def _alarm() -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TooLong

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def _forget_peak() -> None:
    with suppress(OSError):  # only Linux knows this
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """The most memory that this process has held since the peak was forgotten."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)
