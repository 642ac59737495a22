"""What every command says of its options, to the letter."""

from __future__ import annotations

import pytest

from assay.cli.main import app, exit_code
from tests.snapshot import Snapshot

COMMANDS = sorted(name for name in app if not name.startswith("-"))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_lists_its_options(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert exit_code([command, "--help"]) == 0
    snapshot(f"help/{command}", capsys.readouterr().out)
