from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import DataError
from assay.sources.frames import table_of
from assay.sources.inspect import (
    Cluster,
    Difference,
    Inspection,
    Label,
    Repeats,
    Spelling,
    id_like_repeats,
    inspect_table,
)
from assay.sources.read.table import Table
from assay.sources.recognize import recognize
from assay.texts import likeness
from tests.engines.engines import Columns, Maker, engine
from tests.engines.reading import written

PREDS: Columns = {
    "id": ["a1", "a2", "a2", "a10", "a10", "a3", "a4", "a5", "a6", "a7", "a8", "a9"],
    "patient": ["p", "p", "p", "q", "q", "r", "r", "s", "s", "s", "t", "t"],
    "gold": ["yes", "no", "no", "yes", "no", "no", "Yes", "rare", None, "no", "no", "no"],
    "pred": ["yes", "no", "yes ", "no", "no", "no", "yes", "no", "no", "no", "no", "maybe"],
}


@engine
def test_every_engine_finds_the_same_facts(make: Maker, tmp_path: Path) -> None:
    found = inspect_table(table_of(make(PREDS, tmp_path)))
    assert (found.rows, found.gold, found.preds) == (12, "gold", ("pred",))
    assert [(column.name, column.role, column.distinct, column.missing) for column in found.columns] == [
        ("id", "id", 10, 0),
        ("patient", None, 5, 0),
        ("gold", "gold", 4, 1),
        ("pred", "pred", 4, 0),
    ]
    assert found.columns[2].frequent[:2] == (Label("no", 7), Label("yes", 2))
    assert found.alike == (
        (Spelling("yes", {"gold": 2, "pred": 2}), Spelling("Yes", {"gold": 1}), Spelling("yes ", {"pred": 1})),
    )
    gold_alone = (Label("Yes", 1), Label("rare", 1))
    pred_alone = (Label("maybe", 1), Label("yes ", 1))
    flags = ("--ignore-case", "--map '\"yes \"=yes'")
    assert found.differences == (Difference("pred", gold_alone, pred_alone, flags=flags),)
    assert found.repeats == Repeats("id", 2, ("a2", "a10"))
    assert found.cluster == Cluster("patient", 5, 12)


@engine
@pytest.mark.parametrize("cells", [1, 30, 1_000_000])
def test_columns_are_counted_alike_in_memory_and_where_they_are(
    make: Maker, tmp_path: Path, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(make(PREDS, tmp_path))
    whole = inspect_table(table)
    monkeypatch.setattr("assay.sources.profile.CELLS", cells)
    assert inspect_table(table) == whole
    monkeypatch.setattr("assay.sources.profile.FEW", 0)
    monkeypatch.setattr("assay.sources.profile.HELD", cells)
    assert inspect_table(table) == whole


@engine
def test_a_column_of_very_many_values_is_summarized_alike(
    make: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(make(PREDS, tmp_path))
    whole = inspect_table(table)
    monkeypatch.setattr("assay.sources.profile.FEW", 0)
    monkeypatch.setattr("assay.sources.profile.MANY", 0)
    summarized = inspect_table(table)
    assert summarized.columns[1:] == whole.columns[1:]
    assert summarized.columns[0].frequent[:2] == whole.columns[0].frequent[:2]
    assert (summarized.repeats, summarized.cluster, summarized.alike) == (whole.repeats, whole.cluster, whole.alike)


def test_roles_can_be_given() -> None:
    data = {"key": ["1", "1"], "truth": ["a", "b"], "svm": ["a", "a"], "pred": ["b", "b"]}
    found = inspect_table(table_of(data), gold="truth", preds=["svm"], id="key")
    assert [(column.name, column.role) for column in found.columns] == [
        ("key", "id"),
        ("truth", "gold"),
        ("svm", "pred"),
        ("pred", None),
    ]
    assert found.repeats == Repeats("key", 1, ("1",))
    with pytest.raises(DataError, match=r"data has no column 'trut'; .* Did you mean 'truth'"):
        inspect_table(table_of(data), gold="trut")


def test_columns_with_the_labels_of_gold_are_taken_for_predictions() -> None:
    data = {"gold": ["a", "b"] * 5, "svm": ["a"] * 10, "x": ["q"] * 10, "net": ["b"] * 9 + [None]}
    found = inspect_table(table_of(data))
    assert found.preds == ("svm", "net")
    assert [(column.role, column.sure) for column in found.columns] == [
        ("gold", True),
        ("pred", False),
        (None, True),
        ("pred", False),
    ]


@pytest.mark.parametrize(
    "alike",
    [
        ["Yes", "yes ", "YES", "\tyes"],
        ["caf\u00e9", "cafe\u0301"],
        ["ﬁne", "fine"],
        ["Straße", "STRASSE"],
        ["1", "1.0", "01", "1e0", " 1"],
        ["\uff11", "1"],
    ],
)
def test_labels_that_a_person_takes_for_the_same_are_alike(alike: list[str]) -> None:
    assert len({likeness(label) for label in alike}) == 1


@pytest.mark.parametrize(
    "different", [["a", "b"], ["1", "2"], ["1", "10"], ["no", "not"], ["", "0"], ["NaN", "0"], ["1e999", "1"]]
)
def test_labels_that_differ_are_not_alike(different: list[str]) -> None:
    assert len({likeness(label) for label in different}) == len(different)


def test_a_nested_column_is_a_problem_of_that_column_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", '{"gold": "a", "meta": {"x": 1}}\n')
    gold, meta = inspect_table(table_of(path)).columns
    assert gold.problem is None
    assert meta.problem == "holds a list or an object; labels are text, numbers or truth values"


@pytest.mark.parametrize("few", [100_000, 0])
def test_many_nested_columns_end_too(tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.sources.profile.FEW", few)
    nested = {f"x{n}": [n] for n in range(30)}
    lines = "".join(json.dumps({"gold": gold, **nested}) + "\n" for gold in "ab")
    gold, *others = inspect_table(table_of(written(tmp_path / "x.jsonl", lines))).columns
    assert (gold.problem, gold.distinct) == (None, 2)
    assert {column.problem for column in others} <= {
        "holds a list or an object; labels are text, numbers or truth values",
        "was not examined: 20 other columns cannot be read",
    }


@pytest.mark.parametrize("asked", [inspect_table, recognize])
@pytest.mark.parametrize("ending", ["csv", "parquet", "frame"])
def test_thousands_of_columns_take_seconds(tmp_path: Path, ending: str, asked: Callable[[Table], object]) -> None:
    rng = random.Random(1)
    frame = pl.DataFrame({f"x{n}": [rng.choice("ab") for _ in range(300)] for n in range(2_000)})
    frame = frame.with_columns(gold=pl.col("x0"), p_a=pl.lit(0.25), p_b=pl.lit(0.75), id=pl.int_range(300))
    path = tmp_path / f"x.{ending}"
    if ending != "frame":
        frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    started = time.process_time()
    found = asked(table_of(frame if ending == "frame" else path))
    assert time.process_time() - started < 30  # it was minutes; the machine may be slow
    if isinstance(found, Inspection):
        assert (len(found.columns), found.rows, found.gold) == (2_004, 300, "gold")
        assert found.columns[7].frequent[0].rows == max(frame["x7"].value_counts()["count"])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="column 'gold' has 1 row and column 'pred' has 2"):
        inspect_table(table_of({"gold": ["a"], "pred": ["a", "b"]}))


# Columns that say what belongs together


def grouped(name: str, groups: int, rows: int = 200) -> dict[str, list[Any]]:
    return {"gold": ["a", "b"] * (rows // 2), name: random.Random(3).choices(range(groups), k=rows)}


@pytest.mark.parametrize(
    "name", ["patient", "Patient_ID", "userId", "doc_id", "speakers", "session", "author id", "image_id"]
)
@engine
def test_rows_of_one_owner_are_noticed_by_name_and_number(make: Maker, name: str, tmp_path: Path) -> None:
    table = table_of(make(grouped(name, 50), tmp_path))
    found = id_like_repeats(table, ["gold"])
    assert found is not None
    said = str(found)
    assert said.startswith(f"'{name}' has 49 different values in 200 rows")
    assert "--cluster" in said
    assert id_like_repeats(table, ["gold", name]) is None


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("patient", 2),
        ("patient", 100_000),
        ("id", 50),
        ("sample_id", 50),
        ("age", 50),
        ("width", 50),
        ("video_length", 1),
    ],
)
def test_other_columns_give_no_alarm(name: str, groups: int) -> None:
    assert id_like_repeats(table_of(grouped(name, groups)), ["gold"]) is None


def test_a_few_rows_or_an_unreadable_column_give_no_alarm(tmp_path: Path) -> None:
    assert id_like_repeats(table_of(grouped("patient", 4, rows=8)), ["gold"]) is None
    lines = '{"gold": "a", "user": {"x": 1}}\n' * 20
    assert id_like_repeats(table_of(written(tmp_path / "x.jsonl", lines)), ["gold"]) is None
    assert id_like_repeats(table_of({"user": [[1]] * 20, "gold": ["a"] * 20}), ["gold"]) is None


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("town", [f"t{row % 30}" for row in range(100)], Cluster("town", 30, 100)),
        ("patient", [row % 30 for row in range(100)], Cluster("patient", 30, 100)),
        ("color", [f"c{row % 7}" for row in range(100)], None),
        ("age", [row % 30 for row in range(100)], None),
        ("size", [row % 30 / 7 for row in range(100)], None),
    ],
)
def test_a_column_that_merely_repeats_is_suggested_unless_it_holds_numbers_or_few_words(
    name: str, values: list[Any], found: Cluster | None
) -> None:
    assert inspect_table(table_of({"gold": ["a"] * 100, name: values})).cluster == found
