from __future__ import annotations

import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.errors import DataError, a_type
from assay.sources.columns import Roles
from assay.sources.frames import count_rows, scan_rows, table_of
from assay.sources.inspect import inspect_table
from assay.sources.read.table import Table
from assay.tally.count.engine import count_predictions
from tests.engines.engines import (
    MAKERS,
    Columns,
    Maker,
    engine,
    from_csv,
    from_duckdb,
    from_json_lines,
    from_pandas,
    from_parquet,
    typed_engine,
)

Rows = Counter[tuple[str | None, ...]]


def counted(data: Any, columns: Sequence[str], labels: Sequence[str] | None = None) -> Rows:
    texts, counts = count_rows(table_of(data), columns, labels=labels)
    assert counts.dtype == np.int64
    rows = list(zip(*texts.values(), strict=True))
    assert len(set(rows)) == len(rows)
    return Counter(dict(zip(rows, counts.tolist(), strict=True)))


# Every engine counts the same

Label = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=4)


# Every example writes the same files anew, so they may share a folder.
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(Label, min_size=1, max_size=5).flatmap(lambda few: st.lists(st.tuples(*[st.sampled_from(few)] * 2))))
def test_text_is_counted_alike_in_lists_frames_and_files(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    rows = [*rows, ("a", "b")]
    columns = {"gold": [row[0] for row in rows], "pred": [row[1] for row in rows]}
    for make in MAKERS.values():
        assert counted(make(columns, tmp_path), ["gold", "pred"]) == Counter(rows)


@engine
def test_many_rows_with_slices_and_missing_values_are_counted_alike(make: Maker, tmp_path: Path) -> None:
    choose = random.Random(5).choices
    gold = choose(["a", "b", "NA", "1.0", "01", " a", "\u00e9", "e\u0301", None], k=4_000)
    pred = choose(["a", "b", "null", "\U0001f600"], k=4_000)
    group = choose([1, 2, 30], k=4_000)
    expected = Counter(zip(gold, pred, map(str, group), strict=True))
    columns: Columns = {"gold": gold, "pred": pred, "group": group}
    assert counted(make(columns, tmp_path), ["gold", "pred", "group"]) == expected


@typed_engine
@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([True, False, True], ["true", "false", "true"]),
        ([True, None, False], ["true", None, "false"]),
        ([3, -1, 2**62], ["3", "-1", "4611686018427387904"]),
        ([2**53 + 1, None, 2**53], ["9007199254740993", None, "9007199254740992"]),
        ([1.0, 0.0, -0.0], ["1", "0", "0"]),
        ([0.1, 1e-7, 2.0], ["0.1", "1e-07", "2"]),
        ([1e22, math.inf, 1e300], ["10000000000000000000000", "inf", str(int(1e300))]),
        ([1.0, None, math.nan], ["1", None, None]),
        (["01", "1.0", "true"], ["01", "1.0", "true"]),
    ],
)
def test_a_value_is_written_alike_on_every_engine(
    make: Maker, values: list[Any], texts: list[str | None], tmp_path: Path
) -> None:
    if make is from_pandas and None in values and isinstance(values[0], int) and values[0] > 2**53:
        pytest.skip("pandas itself turns these integers into floats")
    assert counted(make({"gold": values}, tmp_path), ["gold"]) == Counter((text,) for text in texts)


@typed_engine
def test_truth_values_are_zero_and_one_beside_numbers_they_are_compared_with(make: Maker, tmp_path: Path) -> None:
    data = make({"gold": [True, False], "pred": [1, 1], "age": [30, 40]}, tmp_path)
    assert counted(data, ["gold", "pred"]) == {("1", "1"): 1, ("0", "1"): 1}
    assert counted(data, ["gold", "age"], labels=["gold"]) == {("true", "30"): 1, ("false", "40"): 1}


@engine
def test_every_engine_gives_the_same_tally(make: Maker, tmp_path: Path) -> None:
    choose = random.Random(7).choices
    labels = ["a", "b", "NA", "1.0", "01", " a", "true", "\u00e9", "e\u0301", "<b>"]
    columns: Columns = {
        **{name: choose(labels, k=500) for name in ("gold", "one", "two", "who")},
        "w": choose(["0.1", "2", "1e-3", "0.7"], k=500),
        "times": choose(["0", "1", "12"], k=500),
        "where": choose(["x", "y", None], k=500),
    }
    roles = Roles(
        "gold",
        {"first": "one", "second": "two"},
        cluster="who",
        weight="w",
        count="times",
        slices=(("where",), ("where", "who")),
        guesses={"first": ("two",)},
    )
    here = count_predictions(table_of(columns), roles)
    there = count_predictions(table_of(make(columns, tmp_path)), roles)
    # Sums of weights too are equal to the last bit: they are added in one order everywhere.
    assert there.to_json() == here.to_json()


@engine
def test_the_number_of_missing_values_is_known(make: Maker, tmp_path: Path) -> None:
    table = table_of(make({"gold": ["a", None, None], "pred": ["a", "b", "c"]}, tmp_path))
    for column, missing in (("gold", 2), ("pred", 0)):
        texts, counts = count_rows(table, [column])
        assert sum(n for text, n in zip(texts[column], counts, strict=True) if text is None) == missing


@engine
def test_a_column_asked_for_twice_is_counted_once(make: Maker, tmp_path: Path) -> None:
    assert counted(make({"gold": ["a", "b", "a"]}, tmp_path), ["gold", "gold"]) == {("a",): 2, ("b",): 1}


@engine
@pytest.mark.parametrize("name", ["rows", "c0", "^.*$", "a.b", "*", "", "it's", 'say "x"'])
def test_columns_may_have_any_name(make: Maker, name: str, tmp_path: Path) -> None:
    if name == "" and make in (from_duckdb, from_parquet, from_csv, from_json_lines):
        pytest.skip("there every column has a name")
    data = make({"c1": ["x", "y"], name: ["a", "a"]}, tmp_path)
    assert counted(data, [name]) == {("a",): 2}


def test_types_that_an_engine_would_change_are_written_by_it() -> None:
    relation = duckdb.connect(":memory:").sql(
        "SELECT 170141183460469231731687303715884105727::HUGEINT AS huge, 1.50::DECIMAL(4, 2) AS money, "
        "'x'::ENUM ('x', 'y') AS word, DATE '2024-01-31' AS day, "
        "'6bf41a72-3d33-4964-99b9-318bdccaa379'::UUID AS id"
    )
    day, uuid = "2024-01-31", "6bf41a72-3d33-4964-99b9-318bdccaa379"
    row = ("170141183460469231731687303715884105727", "1.50", "x", day, uuid)
    assert counted(relation, ["huge", "money", "word", "day", "id"]) == {row: 1}
    frame = pl.DataFrame({"word": pl.Series(["x"], dtype=pl.Categorical), "day": [date(2024, 1, 31)]})
    assert counted(frame, ["word", "day"]) == {("x", "2024-01-31"): 1}


@pytest.mark.parametrize(
    ("values", "dtype", "texts"),
    [
        (["a", None], "category", ["a", None]),
        ([1, 2], "category", ["1", "2"]),
        ([True, None], "category", ["true", None]),
        ([1, None], "Int64", ["1", None]),
        ([True, None], "boolean", ["true", None]),
        ([True, math.nan], "object", ["true", None]),
        (["a", None], "string", ["a", None]),
    ],
)
def test_the_types_of_pandas_are_written_as_those_of_others(
    values: list[Any], dtype: str, texts: list[str | None]
) -> None:
    pandas = import_module("pandas")
    frame = pandas.DataFrame({"gold": pandas.Series(values, dtype=dtype)})
    assert counted(frame, ["gold"]) == Counter((text,) for text in texts)


def test_arrays_in_a_mapping_are_counted_as_they_are() -> None:
    data = {"gold": np.array([0, 1, 1]), "pred": np.array([0.0, 1.0, 0.0])}
    assert counted(data, ["gold", "pred"]) == {("0", "0"): 1, ("1", "1"): 1, ("1", "0"): 1}


def test_counting_a_frame_does_not_change_it() -> None:
    frame = pl.DataFrame({"gold": ["a", "b"], "pred": ["a", "a"]})
    counted(frame, ["gold"])
    assert frame.columns == ["gold", "pred"]


# What a table is


def test_a_table_knows_its_columns_and_its_name(tmp_path: Path) -> None:
    columns = {"gold": ["a"], "pred": ["b"]}
    assert table_of(columns) == Table(columns, ("gold", "pred"), "data")
    assert table_of(from_csv(columns, tmp_path)).name == "preds.csv"
    assert table_of(pl.DataFrame(columns)).columns == ("gold", "pred")


# What is refused


@pytest.mark.parametrize("data", [3, None, [1, 2], np.zeros((2, 2))])
def test_what_is_no_table_is_refused_with_its_type(data: Any) -> None:
    with pytest.raises(DataError, match=f"data is {a_type(data)}; give the name of a file"):
        table_of(data)


def test_columns_that_sql_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(DataError, match="the same name except for case: 'gold', 'Gold'"):
        table_of(duckdb.connect(":memory:").sql("SELECT 1 AS gold, 2 AS Gold"))


def test_columns_that_differ_in_capitals_are_fine_elsewhere() -> None:
    assert counted(pl.DataFrame({"gold": ["a"], "Gold": ["b"]}), ["Gold"]) == {("b",): 1}


def test_columns_of_the_same_name_are_refused() -> None:
    pandas = import_module("pandas")
    with pytest.raises(DataError, match="data has columns with the same name; rename all but one"):
        table_of(pandas.DataFrame([[1, 2]], columns=["gold", "gold"]))


def test_names_that_are_not_text_are_refused() -> None:
    with pytest.raises(DataError, match="data has a column called 7, which is not text; rename it"):
        table_of({"gold": ["a"], 7: ["b"]})


def test_nested_columns_are_refused() -> None:
    with pytest.raises(DataError, match=r"gold holds List\(Int64\); labels are text, numbers or truth values"):
        counted(pl.DataFrame({"gold": [[1], [2]]}), ["gold"])


@pytest.mark.parametrize("data", [{"gold": []}, pl.DataFrame({"gold": []}), pl.LazyFrame({"gold": []})])
def test_a_table_without_rows_is_refused(data: Any) -> None:
    with pytest.raises(DataError, match="gold is empty: there is nothing to evaluate"):
        counted(data, ["gold"])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="gold has 1 value and pred has 2"):
        counted({"gold": ["a"], "pred": ["a", "b"]}, ["gold", "pred"])


def test_a_relation_that_fails_is_refused_in_one_sentence() -> None:
    broken = duckdb.connect(":memory:").sql("SELECT 'x'::INT AS gold FROM range(1)")
    with pytest.raises(DataError, match="data cannot be read: Could not convert"):
        counted(broken, ["gold"])


# What is loaded


def test_arrays_are_counted_without_loading_an_engine() -> None:
    program = (
        "import sys; from assay.sources import arrays, frames; from assay.sources.read import files, table\n"
        "frames.count_rows(frames.table_of({'gold': ['a'], 'pred': ['b']}), ['gold', 'pred'])\n"
        "print(sorted({'duckdb', 'narwhals', 'polars', 'pandas'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


# Kinds of values that not every library can hand over


WIDE = pl.Series([1, 0, 1, 2**100], dtype=pl.Int128)
WIDE_LABELS = {("0",): 1, ("1",): 2, (str(2**100),): 1}


@pytest.mark.parametrize(
    "data",
    [{"gold": WIDE}, pl.DataFrame({"gold": WIDE}), pl.LazyFrame({"gold": WIDE})],
    ids=["column", "frame", "lazy"],
)
def test_integers_of_128_bits_are_labels(data: Any) -> None:
    texts, counts = count_rows(table_of(data), ["gold"])
    assert dict(zip(zip(texts["gold"], strict=True), counts.tolist(), strict=True)) == WIDE_LABELS


def test_integers_of_128_bits_are_scores_and_weights_too() -> None:
    few = pl.Series([3, 1, 2], dtype=pl.Int128)
    assert assay.roc_auc([1, 0, 1], few) == 1
    assert assay.f1([1, 0, 1], [1, 0, 0], sample_weight=few, pos_label=1) == pytest.approx(0.75)


def test_integers_of_128_bits_in_a_file_are_refused_where_nothing_says_that_they_are_integers(tmp_path: Path) -> None:
    # Polars writes them as sixteen bytes each, which would be read as sixteen characters.
    frame = pl.DataFrame({"gold": WIDE, "pred": ["a", "b", "c", "d"]})
    frame.write_parquet(tmp_path / "x.parquet")
    table = table_of(tmp_path / "x.parquet")
    assert count_rows(table, ["pred"])[1].tolist() == [1, 1, 1, 1]
    with pytest.raises(DataError, match=r"x\.parquet: column 'gold' holds bytes of a fixed length, as Polars writes"):
        count_rows(table, ["gold"])
    frame.write_ipc(tmp_path / "x.arrow")
    with pytest.raises(DataError, match=r"x\.arrow cannot be read by PyArrow: Integers with more than 64 bits"):
        table_of(tmp_path / "x.arrow")


def test_other_bytes_of_a_fixed_length_are_read(tmp_path: Path) -> None:
    duckdb.sql(
        "COPY (SELECT '6ccd780c-baba-1026-9564-5b8c656024db'::UUID AS id, 1.50::DECIMAL(38, 2) AS price) "
        f"TO '{tmp_path}/x.parquet'"
    )
    texts, _ = count_rows(table_of(tmp_path / "x.parquet"), ["id", "price"])
    assert (texts["id"].tolist(), texts["price"].tolist()) == (["6ccd780c-baba-1026-9564-5b8c656024db"], ["1.50"])


@pytest.mark.parametrize("value", [{"a": 1}, [1], {1}, object()], ids=["dict", "list", "set", "object"])
@pytest.mark.parametrize("library", ["pandas", "polars", "objects"])
def test_objects_that_are_no_labels_are_refused(library: str, value: object) -> None:
    columns: dict[str, list[Any]] = {"gold": [value, "a", "a"], "pred": ["a", "b", "b"]}
    if library == "pandas":
        data: Any = import_module("pandas").DataFrame(columns)
    else:
        data = pl.DataFrame({name: pl.Series(some, dtype=pl.Object) for name, some in columns.items()})
        data = data if library == "objects" else data.lazy()
    with pytest.raises(DataError, match=f"gold has {a_type(value)} at position 0; labels are text"):
        count_rows(table_of(data), ["gold"])
    gold, pred = inspect_table(table_of(data)).columns
    assert gold.problem == f"gold has {a_type(value)} at position 0; labels are text, numbers or truth values"
    assert (pred.problem, pred.distinct) == (None, 2)


def test_what_a_library_cannot_write_as_text_is_said_in_a_sentence() -> None:
    pyarrow: Any = import_module("pyarrow")
    kind = pyarrow.map_(pyarrow.int32(), pyarrow.int32())
    data = pyarrow.table({"gold": pyarrow.array([[(1, 2)]], kind), "pred": ["a"]})
    with pytest.raises(DataError, match="data cannot be read: Unsupported cast from map"):
        count_rows(table_of(data), ["gold"])


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_whole_numbers_beyond_all_floating_ones_are_no_scores(number: int) -> None:
    with pytest.raises(DataError, match="not a finite number"):
        scan_rows(table_of({"gold": ["a", "b"], "s": [number, 1]}), ["gold"], numbers=["s"])
    with pytest.raises(DataError, match="too large"):
        assay.roc_auc([1, 0, 1], [number, 1, 2])
