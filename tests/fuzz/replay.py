"""Running a whole case and judging every command of it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.judge import faults
from tests.fuzz.oracle import Expected, Given, expected
from tests.fuzz.running import Outcome, run_apart, run_here


def judged(case: Case) -> list[str]:
    """What is wrong with what the commands of this case do."""
    with tempfile.TemporaryDirectory(prefix="assay-fuzz-") as temporary:
        folder = Path(temporary) / "here"
        folder.mkdir()
        for name, data in case.files.items():
            (folder / name).write_bytes(data)
        return _in_folder(case, folder)


def _in_folder(case: Case, folder: Path) -> list[str]:
    found: list[str] = []
    stored: dict[str, Expected] = {}
    files: Mapping[str, bytes] = dict(case.files)
    for command in case.commands:
        wanted = _expected(case, command, stored)
        apart = _apart(case, command, folder) if case.own_process else run_here(command, folder)
        found += [f"{' '.join(command)[:300]}\n  {fault}" for fault in faults(command, apart, files, wanted)]
        if case.own_process and case.stdin is None and "--out" not in command:
            found += _the_same(command, apart, run_here(command, folder))
        if apart.code not in (0, 1):
            break
        files = apart.files
        out = Given(command).one("--out")
        if out is not None and apart.code == 0 and command[0] in ("tally", "merge"):
            stored[out] = wanted
    return found


def _apart(case: Case, command: tuple[str, ...], folder: Path) -> Outcome:
    return run_apart(command, folder, folder / case.stdin if case.stdin is not None else None)


def _expected(case: Case, command: tuple[str, ...], stored: Mapping[str, Expected]) -> Expected:
    return expected(command, case.files, stored) if case.stdin is None else None


def _the_same(command: tuple[str, ...], apart: Outcome, here: Outcome) -> list[str]:
    """What is printed does not depend on which process it is, nor on what ran before in it."""
    if (apart.code, apart.out) == (here.code, here.out):
        return []
    return [f"{' '.join(command)[:300]}\n  another process ends or prints otherwise ({apart.code}, {here.code})"]
