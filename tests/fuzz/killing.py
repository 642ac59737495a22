"""Commands that are killed or interrupted at a random moment, on a disk so slow that they are caught writing."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from tests.fuzz.commands import ROWS
from tests.fuzz.running import environment, files_in, run_here

# The first line says that Python is up and our own code runs next, the second that a file is being written.
SLOWLY = """
import os, sys, time

fsync = os.fsync

def slow(descriptor):
    os.write(1, b"writing\\n")
    time.sleep(0.15)
    fsync(descriptor)
    time.sleep(0.1)

os.fsync = slow
os.write(1, b"begun\\n")
from assay.__main__ import run
run()
"""
OLD = b"old\n"
COLUMNS = ("--gold", "gold", "--pred", "a")
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("tally", "in.csv", *COLUMNS, "--out", "counts.json"): ("counts.json",),
    ("evaluate", "in.csv", *COLUMNS, "--resamples", "99", "--html", "page.html", "--out", "result.txt"): (
        "page.html",
        "result.txt",
    ),
    ("merge", "one.json", "two.json", "--out", "sum.json"): ("sum.json",),
}
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated by another program"}


class Scene:
    """A folder with the inputs of one command, and what it writes when nothing stops it."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.folder, self.command, self.outputs = folder, tuple(command), COMMANDS[tuple(command)]
        folder.mkdir()
        (folder / "in.csv").write_bytes(ROWS)
        for name in ("one.json", "two.json"):
            if name in command:
                assert run_here(("tally", "in.csv", *COLUMNS, "--out", name), folder).code == 0
        self.inputs = files_in(folder)
        assert run_here(self.command, folder).code == 0
        self.new = {name: (folder / name).read_bytes() for name in self.outputs}

    def run(self) -> subprocess.Popen[bytes]:
        """The command, once Python is up."""
        out = subprocess.Popen(
            [sys.executable, "-c", SLOWLY, *self.command],
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert out.stdout is not None
        assert out.stdout.readline() == b"begun\n"
        return out

    def seconds(self) -> float:
        """How long the command takes."""
        began = time.monotonic()
        with self.run() as run:
            run.communicate(timeout=60)
        return time.monotonic() - began

    def stopped(self, sign: signal.Signals, seconds: float | None = None) -> list[str]:
        """What is wrong when this signal comes after some seconds, or as soon as a file is written; and afterwards."""
        for name in self.outputs:
            (self.folder / name).write_bytes(OLD)
        with self.run() as run:
            assert run.stdout is not None
            if seconds is None:
                assert run.stdout.readline() == b"writing\n"
            else:
                time.sleep(seconds)
            run.send_signal(sign)
            said = run.communicate(timeout=60)[1]
        found = [*self._ended(sign, run.returncode, said), *self._left(sign, run.returncode)]
        if seconds is None and run.returncode != (-sign if sign is signal.SIGKILL else 128 + sign):
            found.append(f"ended with code {run.returncode}")
        if sign is signal.SIGKILL:
            with self.run() as again:
                said = again.communicate(timeout=60)[1]
            if again.returncode or self._here() != {**self.inputs, **self.new}:
                found.append(f"the next run does not tidy up: {sorted(self._here())} {said!r}")
        when = "at the first write" if seconds is None else f"after {seconds:.3f} seconds"
        return [f"{' '.join(self.command)}: {sign.name} {when}\n  {fault}" for fault in found]

    def _here(self) -> dict[str, bytes]:
        return files_in(self.folder)

    def _ended(self, sign: signal.Signals, code: int, said: bytes) -> Iterator[str]:
        # A signal that comes before assay answers it ends the process as the system does; nothing has begun then.
        ends = (-sign, 0) if sign is signal.SIGKILL else (0, 128 + sign, -sign)
        if code not in ends:
            yield f"ended with code {code}: {said.decode()[-500:]}"
        told = [line for line in said.decode().splitlines() if not line.startswith("wrote ")]
        if told != ([f"assay: {WORDS[sign]}"] if code > 0 else []):
            yield f"said {said.decode()[-500:]!r}"

    def _left(self, sign: signal.Signals, code: int) -> Iterator[str]:
        here = self._here()
        for name in self.outputs:
            data = here.pop(name, b"")
            if data != self.new[name] and (data != OLD or code == 0):
                yield f"{name} is neither the old file nor the new one: {data[:100]!r}"
        if sign is signal.SIGKILL:
            here = {name: data for name, data in here.items() if not name.startswith(".assay-")}
        if here != self.inputs:
            yield f"left behind or changed: {sorted(set(here) ^ set(self.inputs)) or sorted(here)}"


def killed(folder: Path, seed: str, seconds: float) -> Iterator[list[str]]:
    """What is wrong each time when one of the commands is killed or interrupted, for about so many seconds."""
    rng, until = Random(seed), time.monotonic() + seconds
    scenes = [Scene(folder / f"kill{at}", command) for at, command in enumerate(COMMANDS)]
    usual = [scene.seconds() for scene in scenes]
    while True:
        for scene, takes in zip(scenes, usual, strict=True):
            for sign in (signal.SIGKILL, *WORDS):
                yield scene.stopped(sign, rng.uniform(0.0, 1.1) * takes)
        if time.monotonic() > until:
            return
