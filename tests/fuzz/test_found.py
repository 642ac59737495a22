"""Every case that the fuzz kept, and some that were written by hand, run again: nothing is wrong with any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.case import FOUND, Case
from tests.fuzz.replay import judged

KEPT = sorted(FOUND.glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_a_case_that_was_kept(path: Path) -> None:
    assert judged(Case.from_json(path.read_text(encoding="utf-8"))) == []


def test_a_case_is_kept_and_read_back(tmp_path: Path) -> None:
    case = Case({"in.csv": b"gold,pred\n\xff,\0\n", "b.csv": "é\r\n".encode()}, (("check", "in.csv"),), None, True)
    path = case.keep(tmp_path, "why")
    assert Case.from_json(path.read_text(encoding="utf-8")) == Case(case.files, case.commands, None, True, "why")
