"""Text that a person has read and approved, kept in tests/snapshots/ and compared to the letter."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest


class Snapshot:
    """Compares a text with the approved one of the same name, or approves it when asked to."""

    def __init__(self, folder: Path, *, update: bool) -> None:
        self.folder = folder
        self.update = update

    def __call__(self, name: str, text: str) -> None:
        path = self.folder / f"{name}.txt"
        # Files end with one newline, so that editors and git leave them alone.
        text = text.rstrip("\n") + "\n"
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        if not path.exists():
            pytest.fail(
                f"There is no snapshot '{name}' yet. Read the text below; if it is right, "
                f"run this test with --update-snapshots and add {path.name} to the change.\n\n{text}",
                pytrace=False,
            )
        approved = path.read_text(encoding="utf-8")
        if text != approved:
            changes = difflib.unified_diff(approved.splitlines(), text.splitlines(), "approved", "now", lineterm="")
            pytest.fail(
                f"The text of snapshot '{name}' changed. If the new wording is better, "
                "run this test with --update-snapshots.\n\n" + "\n".join(changes),
                pytrace=False,
            )
