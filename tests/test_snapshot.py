from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshot import Snapshot


def test_a_missing_snapshot_fails_and_says_how_to_approve_it(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"no snapshot 'greeting' yet.*--update-snapshots"):
        Snapshot(tmp_path, update=False)("greeting", "hello")
    assert list(tmp_path.iterdir()) == []


def test_an_approved_text_passes_whether_or_not_it_ends_with_a_newline(tmp_path: Path) -> None:
    Snapshot(tmp_path, update=True)("greeting", "hello\nworld")
    Snapshot(tmp_path, update=False)("greeting", "hello\nworld")
    Snapshot(tmp_path, update=False)("greeting", "hello\nworld\n")


def test_a_changed_text_fails_and_shows_both_wordings(tmp_path: Path) -> None:
    Snapshot(tmp_path, update=True)("greeting", "hello")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-hello\n\+good day"):
        Snapshot(tmp_path, update=False)("greeting", "good day")
