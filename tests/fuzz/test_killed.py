"""A command that is killed or interrupted while it writes leaves whole files, and the next one tidies up."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.fuzz.killing import COMMANDS, Scene

STOPS = dict(zip(COMMANDS, (signal.SIGKILL, signal.SIGTERM, signal.SIGINT), strict=True))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_that_is_stopped_while_it_writes_leaves_whole_files(command: tuple[str, ...], tmp_path: Path) -> None:
    assert Scene(tmp_path / "here", command).stopped(STOPS[command]) == []
