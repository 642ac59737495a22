"""Long work says how far it has come; an interruption leaves nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli import show
from assay.progress import told, watched


def test_a_watcher_is_told_of_every_part_and_of_the_outer_work_only() -> None:
    seen: list[tuple[str, int, int]] = []

    def outer() -> list[int]:
        return [sum(told(range(3), 3, "inner")) for _ in told(range(4), 4, "outer")]

    with watched(lambda *now: seen.append(now)):
        parts = list(told((sum(told(range(3), 3, "inner")) for _ in range(4)), 4, "outer"))
    assert parts == [3, 3, 3, 3]
    assert seen == [("outer", i, 4) for i in (1, 2, 3, 4)]
    assert outer() == [3, 3, 3, 3], "without a watcher nothing changes"


def test_drawing_tells_its_watcher_and_gives_the_same_numbers() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 6, 3000)
    a, b = (np.where(rng.random(3000) < share, y, rng.integers(0, 6, 3000)) for share in (0.8, 0.7))
    seen: list[int] = []
    with watched(lambda what, done, total: seen.append(done)):
        told_of = assay.compare(y, a, b, measure="f1(average=macro)", n_resamples=20000)
    assert seen
    assert seen == sorted(seen)
    assert told_of.p_value == assay.compare(y, a, b, measure="f1(average=macro)", n_resamples=20000).p_value


def test_a_bar_is_drawn_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Status:
        def update(self, text: str) -> None:
            shown.append(text)

    bar = show._Bar(Status())  # type: ignore[arg-type]
    bar("drawing", 1, 10)
    assert not shown
    monkeypatch.setattr(time, "monotonic", lambda: bar.start + 3)
    bar("drawing", 5, 10)
    assert shown == [f"drawing {'━' * 12}{'╌' * 12} 50%, about 3 s left"]


def test_an_interruption_ends_with_130_and_leaves_no_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 12, 4000)
    answers = [np.where(rng.random(4000) < 0.7, gold, rng.integers(0, 12, 4000)) for _ in range(4)]
    rows = "\n".join(",".join(map(str, row)) for row in zip(gold, *answers, strict=True))
    (tmp_path / "big.csv").write_text(f"gold,a,b,c,d\n{rows}\n", encoding="utf-8")
    systems = [word for name in "abcd" for word in ("--pred", name)]
    command = [sys.executable, "-m", "assay", "compare", "big.csv", *systems, "--resamples", "3000000"]
    run = subprocess.Popen(
        [*command, "--primary", "f1(average=macro)", "--out", "result.txt", "--replicates", "draws.csv"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    time.sleep(6)
    assert run.poll() is None, "the work must still be going on"
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert errors.decode().strip().endswith("interrupted")
    assert b"Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["big.csv"]
