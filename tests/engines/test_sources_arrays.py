from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum, StrEnum
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import DataError
from assay.sources.arrays import (
    MOST_LABELS,
    distinct_fixed_width,
    encode_apart,
    encode_together,
    joint_counts,
    order_labels,
)

HOSTILE = ["", " a", "a ", "a,b", 'a"b', "a\nb", "NA", "null", "01", "1", "1.0", "true", "True"]
HOSTILE += ["\u00e9", "e\u0301", "\U0001f600"]


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    LARGE = 3


def counted(columns: Sequence[Any]) -> Counter[tuple[str, ...]]:
    names = [f"y{at}" for at in range(len(columns))]
    codes, labels, _ = encode_together(columns, names)
    keys, counts = joint_counts(codes, [len(labels)] * len(codes))
    rows = zip(*(key.tolist() for key in keys), strict=True)
    return Counter({tuple(labels[code] for code in row): n for row, n in zip(rows, counts.tolist(), strict=True)})


def labels_of(column: Any) -> tuple[str, ...]:
    return encode_together([column], ["y_true"])[1]


# How values are written


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (["cat", "dog"], ("cat", "dog")),
        ([3, -1, 12], ("-1", "3", "12")),
        (np.array([3, -1, 12], dtype=np.int8), ("-1", "3", "12")),
        (np.array([2**63, 2**63 + 2], dtype=np.uint64), ("9223372036854775808", "9223372036854775810")),
        (np.array([-(2**63), -(2**63) + 1]), ("-9223372036854775808", "-9223372036854775807")),
        (np.array([-128, 127], dtype=np.int8), ("-128", "127")),
        ([True, False], ("false", "true")),
        (np.array([True, False]), ("false", "true")),
        (np.array([1.0, 0.0, -0.0]), ("0", "1")),
        (np.array([0.5, 1.0, 1e22, np.inf]), ("0.5", "1", "10000000000000000000000", "inf")),
        ([1, 1.0, 2.5], ("1", "2.5")),
        ([True, 1, 0], ("0", "1")),
        ([1, True, False], ("0", "1")),
        ([np.True_, np.int64(1), False], ("0", "1")),
        ([True, np.float32(1), False], ("0", "1")),
        ([Colour.RED, Size.LARGE], ("3", "red")),
        ([b"cat", "cat"], ("cat",)),
        (np.array([b"caf\xc3\xa9"]), ("café",)),
        (np.array(["x", "yy"], dtype=np.dtypes.StringDType()), ("x", "yy")),
        (pl.Series(["b", "a"]), ("a", "b")),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ("a", "b")),
        (range(3), ("0", "1", "2")),
    ],
)
def test_a_value_has_one_way_of_being_written(column: Any, labels: tuple[str, ...]) -> None:
    assert labels_of(column) == labels


def test_text_stays_as_it_is() -> None:
    for column in (HOSTILE, np.array(HOSTILE), np.array(HOSTILE, dtype=object)):
        assert labels_of(column) == tuple(sorted(HOSTILE, key=str.encode))


def test_truth_values_beside_numbers_are_zero_and_one() -> None:
    assert counted([[True, False], np.array([1, 0])]) == {("0", "0"): 1, ("1", "1"): 1}
    assert counted([np.array([True, False]), np.array([1.0, 1.0])]) == {("0", "1"): 1, ("1", "1"): 1}


def test_truth_values_beside_text_are_words() -> None:
    assert counted([[True, False], ["true", "yes"]]) == {("false", "yes"): 1, ("true", "true"): 1}


def test_the_users_own_values_are_kept_for_each_label() -> None:
    assert encode_together([[True, False], ["true", "yes"]], ["a", "b"])[2] == (False, True, "yes")
    assert encode_together([np.array([3, 1])], ["a"])[2] == (1, 3)
    assert encode_together([[2.0, 1.0], [1, 3]], ["a", "b"])[2] == (1.0, 2.0, 3)


def test_labels_are_in_order_of_size_only_if_all_are_whole_numbers() -> None:
    assert order_labels(["10", "9", "-1", "0"]) == ["-1", "0", "9", "10"]
    assert order_labels(["10", "9", "x"]) == ["10", "9", "x"]
    assert order_labels(["10", "09", "9"]) == ["09", "10", "9"]
    assert order_labels(["9" * 5000, "10"]) == ["10", "9" * 5000]
    assert order_labels(["yes", "no"]) == ["no", "yes"]
    assert order_labels(["\U0001f600", "\ue000", "z"]) == ["z", "\ue000", "\U0001f600"]


def test_a_column_encoded_apart_marks_missing_values_and_has_its_own_labels() -> None:
    first, second = encode_apart([["b", None, "a"], [2, 2, float("nan")]], ["x", "y"])
    assert (first.codes.tolist(), first.labels) == ([1, -1, 0], ("a", "b"))
    assert (second.codes.tolist(), second.labels) == ([0, 0, -1], ("2",))


@pytest.mark.parametrize(
    ("values", "dtype", "labels"),
    [
        (["b", "a"], "category", ("a", "b")),
        ([2, 1], "category", ("1", "2")),
        ([2, 1], "Int64", ("1", "2")),
        ([True, False], "boolean", ("false", "true")),
        (["b", "a"], "string", ("a", "b")),
    ],
)
def test_a_pandas_series_is_a_column(values: list[Any], dtype: str, labels: tuple[str, ...]) -> None:
    pandas = import_module("pandas")
    assert labels_of(pandas.Series(values, dtype=dtype)) == labels
    with pytest.raises(DataError, match=r"y_true has 1 missing label \(first at position 2\)"):
        labels_of(pandas.Series([*values, None], dtype=dtype))


# What is refused


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([], "y_true is empty: there is nothing to evaluate"),
        (np.zeros((2, 1)), "y_true has the shape (2, 1); labels are one-dimensional"),
        (np.array(3), "y_true has the shape ()"),
        ("cat", "y_true is a str; give a list or a"),
        ({"a": 1}, "y_true is a dict"),
        (["a", {"b": 1}], "y_true has a dict at position 1; labels are text, numbers or truth values"),
        (["a", ("b",)], "y_true has a tuple at position 1"),
        ([1, 2, 1j], "y_true has a complex at position 2"),
        ([b"ok", b"\xff"], "y_true has text that is not UTF-8 at position 1"),
        (["ok", "\ud800"], "y_true has text that is not UTF-8 at position 1"),
        ([1, 10**5_000], "y_true has an int at position 1"),
        (np.array(["2024-01-31"], dtype="M8[D]"), "y_true is an array of datetime64[D]"),
    ],
)
def test_what_cannot_be_a_label_is_refused_with_its_place(column: Any, words: str) -> None:
    with pytest.raises(DataError) as caught:
        labels_of(column)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "column",
    [
        ["a", None, None],
        [1.0, float("nan"), np.nan],
        np.array([1.0, np.nan, np.nan]),
        np.array([0.5, np.nan, np.nan]),
        np.array(["a", None, None], dtype=object),
        np.ma.masked_array([1, 1, 1], mask=[False, True, True]),
        np.array(["a", None, None], dtype=np.dtypes.StringDType(na_object=None)),
        ["a", np.datetime64("NaT"), np.datetime64("NaT")],
        pl.Series([1, None, None]),
        pl.Series(["a", None, None]),
        pl.Series([True, None, None]),
    ],
)
def test_missing_labels_are_refused_with_their_number_and_the_first_place(column: Any) -> None:
    with pytest.raises(DataError, match=r"y_pred has 2 missing labels \(first at position 1\); leave those rows"):
        encode_together([["a", "b", "c"], column], ["y_true", "y_pred"])


def test_a_column_of_nothing_but_missing_labels_is_refused() -> None:
    with pytest.raises(DataError, match="y_true has 2 missing labels"):
        labels_of(np.ma.masked_array([1, 1], mask=True))


def test_columns_of_different_lengths_are_refused_with_both_lengths() -> None:
    with pytest.raises(DataError, match="y_true has 2 values and y_pred has 3"):
        encode_together([["a", "b"], ["a", "b", "a"]], ["y_true", "y_pred"])


def test_the_users_arrays_are_never_changed() -> None:
    gold, pred = np.array([0, 1, 2, 1]), np.array([2, 1, 4, 1])
    before = gold.copy(), pred.copy()
    counted([gold, pred])
    assert (gold == before[0]).all()
    assert (pred == before[1]).all()


# Counting

Kind = st.sampled_from(["int64", "int8", "uint64", "float64", "U", "S", "object", "list", "StringDType"])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 120)), min_size=1, max_size=40), Kind, Kind)
def test_counts_are_those_of_a_plain_counter(rows: list[tuple[int, int]], first: str, second: str) -> None:
    def column(values: list[int], kind: str) -> Any:
        if kind in ("U", "S"):
            return np.array([str(value) for value in values], dtype=kind)
        if kind == "StringDType":
            return np.array([str(value) for value in values], dtype=np.dtypes.StringDType())
        if kind == "list":
            return [str(value) for value in values]
        return np.array(values, dtype=object if kind == "object" else kind)

    gold, pred = [row[0] for row in rows], [abs(row[1]) for row in rows]
    expected = Counter((str(a), str(b)) for a, b in zip(gold, pred, strict=True))
    assert counted([column(gold, first), column(pred, second)]) == expected


@pytest.mark.parametrize("span", [3, 5_000, 2**40])
def test_integers_of_any_range_are_counted_alike(span: int) -> None:
    random = np.random.default_rng(1)
    gold, pred = random.integers(-span, span, (2, 6_000))
    expected = Counter(zip(map(str, gold.tolist()), map(str, pred.tolist()), strict=True))
    assert counted([gold, pred]) == expected


def test_a_label_outside_every_sample_is_not_lost() -> None:
    gold = np.zeros(100_001, dtype=int)
    gold[[77, 5_001]] = 2, 1
    assert counted([gold]) == {("0",): 99_999, ("1",): 1, ("2",): 1}


@pytest.mark.parametrize("sizes", [(3, 4, 2), (2_000, 3_000, 7), (2**31, 2**31, 2**31)])
@pytest.mark.parametrize("repeated", [False, True])
def test_joint_counts_agree_with_a_plain_counter(sizes: tuple[int, ...], repeated: bool) -> None:
    random = np.random.default_rng(2)
    few = [random.integers(0, size, 4) for size in sizes]
    columns = [codes[random.integers(0, 4, 500)] for codes in few]
    repeats = random.integers(1, 9, 500)
    expected: Counter[tuple[int, ...]] = Counter()
    for *row, times in zip(*(codes.tolist() for codes in columns), repeats.tolist(), strict=True):
        expected[tuple(row)] += times if repeated else 1
    keys, counts = joint_counts(columns, sizes, repeats if repeated else None)
    found = list(zip(*(key.tolist() for key in keys), strict=True))
    assert found == sorted(expected)
    assert counts.tolist() == [expected[row] for row in found]
    assert counts.dtype == np.int64


def test_counts_over_many_blocks_of_rows_are_added_up() -> None:
    codes = np.arange(200_000) % 7
    keys, counts = joint_counts([codes, codes // 2], [7, 4])
    assert keys[1].tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert counts.tolist() == [28_572] * 3 + [28_571] * 4


# Fixed-width strings

Letters = st.text(st.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=9)


@given(st.lists(Letters, min_size=1, max_size=60), st.integers(0, 6))
def test_fixed_width_text_is_encoded_as_by_a_dictionary(texts: list[str], padding: int) -> None:
    width = max(map(len, texts)) + padding
    column = np.array(texts, dtype=f"U{max(width, 1)}")
    assert_encodes(column)
    assert_encodes(column.astype(column.dtype.newbyteorder()))
    assert_encodes(column[::2])
    assert_encodes(np.array([text.encode()[:7] for text in texts], dtype="S7"))


@pytest.mark.parametrize("kind", ["U", "S"])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 13, 32])
@pytest.mark.parametrize("distinct", [1, 2, 40, 1_500])
def test_many_rows_of_any_width_are_encoded_as_by_a_dictionary(kind: str, width: int, distinct: int) -> None:
    random = np.random.default_rng(width)
    letters = random.integers(97, 123, (distinct, width)).astype(np.uint8)
    labels = np.unique(np.array([bytes(row) for row in letters], dtype=f"S{width}")).astype(f"{kind}{width}")
    assert_encodes(labels[random.integers(0, len(labels), 20_000)])


def test_rare_fixed_width_labels_outside_the_sample_are_found() -> None:
    column = np.full(400_000, "common", dtype="U8")
    column[1:3_000:2] = [f"rare{at}" for at in range(1_500)]
    assert_encodes(column)


def test_labels_that_differ_only_in_the_last_letter_are_told_apart() -> None:
    assert_encodes(np.array(["a" * 30 + end for end in "bcdb"] * 5_000))


def test_too_many_fixed_width_labels_are_left_to_the_dictionary() -> None:
    column = np.array([f"id{at}" for at in range(MOST_LABELS + 1)])
    assert distinct_fixed_width(column) is None
    codes, labels, _ = encode_together([column], ["id"])
    assert [labels[code] for code in codes[0]] == column.tolist()


def assert_encodes(column: np.ndarray[Any, Any]) -> None:
    coded = distinct_fixed_width(column)
    assert coded is not None
    codes, values = coded
    assert len(set(values)) == len(values) == len(set(column.tolist()))
    assert [values[code] for code in codes] == column.tolist()
