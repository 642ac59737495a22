from __future__ import annotations

import csv
from pathlib import Path

import pytest

from scripts.make_demo_data import TARGET, table, write


def committed() -> list[list[str]]:
    with TARGET.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_script_makes_the_committed_file() -> None:
    header, *rows = table()
    committed_header, *committed_rows = committed()
    assert header == committed_header
    assert [row[:4] for row in rows] == [row[:4] for row in committed_rows]
    scores = [[float(score) for score in row[4:]] for row in rows]
    # Linear algebra differs between processors in the last bits, which can move the sixth digit by one.
    for now, then in zip(scores, committed_rows, strict=True):
        assert now == pytest.approx([float(score) for score in then[4:]], abs=2e-6)


def test_every_answer_agrees_with_its_score() -> None:
    _, *rows = committed()
    for _, _, logistic, tree, logistic_score, tree_score in rows:
        assert (logistic == "malignant") == (float(logistic_score) > 0.5)
        assert (tree == "malignant") == (float(tree_score) > 0.5)


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "rows.csv"
    target.write_text("old")
    write([["id"], ["b0001"]], target)
    assert target.read_text() == "id\nb0001\n"
    assert list(tmp_path.iterdir()) == [target]
