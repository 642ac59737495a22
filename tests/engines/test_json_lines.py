from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import DataError
from assay.sources.frames import count_rows
from assay.sources.read.files import read
from tests.engines.reading import counted, written


def test_strings_are_taken_as_they_are_and_numbers_as_json_writes_them(tmp_path: Path) -> None:
    values = [
        "1",
        "1.0",
        '"1"',
        '"01"',
        "true",
        '"true"',
        "false",
        '"NA"',
        '"null"',
        '"NaN"',
        "0.1",
        "1e-7",
        "-3",
        '""',
    ]
    texts = ["1", "1.0", "1", "01", "true", "true", "false", "NA", "null", "NaN", "0.1", "1e-7", "-3", ""]
    path = written(tmp_path / "preds.jsonl", "".join(f'{{"gold": {value}}}\n' for value in values))
    assert counted(path) == Counter((text,) for text in texts)


def test_a_whole_number_of_any_size_is_kept_to_the_last_digit(tmp_path: Path) -> None:
    numbers = [2**53 + 1, -(2**63), 2**64 - 1, 10**30 + 7]
    path = written(tmp_path / "preds.jsonl", "".join(f'{{"gold": {number}}}\n' for number in numbers))
    assert counted(path) == Counter((str(number),) for number in numbers)


def test_null_an_absent_key_and_nan_are_missing(tmp_path: Path) -> None:
    lines = '{"gold": null, "pred": "a"}\n{"pred": "a"}\n{"gold": NaN, "pred": "a"}\n{"gold": "a", "pred": "b"}\n'
    assert counted(written(tmp_path / "preds.ndjson", lines), "gold", "pred") == {(None, "a"): 3, ("a", "b"): 1}


def test_a_key_that_comes_late_is_a_column(tmp_path: Path) -> None:
    lines = '{"pred": "b"}\n' * 50_000 + '{"zeta": 1, "gold": "a", "pred": "b"}\n'
    path = written(tmp_path / "preds.jsonl", lines)
    assert read(path).columns == ("pred", "gold", "zeta")
    assert counted(path, "gold") == {(None,): 50_000, ("a",): 1}


@pytest.mark.parametrize(
    "key", ["it's", 'say "x"', "rows", "c0", "$.a", "/a", "a.b", "*", "é", "a b", "\n", "x); DROP"]
)
def test_keys_may_be_any_text(tmp_path: Path, key: str) -> None:
    path = written(tmp_path / "preds.jsonl", json.dumps({"id": 1, key: "a"}) + "\n")
    assert counted(path, key) == {("a",): 1}


def test_a_key_without_a_name_is_no_column(tmp_path: Path) -> None:
    assert read(written(tmp_path / "preds.jsonl", '{"": 0, "gold": "a"}\n')).columns == ("gold",)


def test_a_nested_value_matters_only_in_a_column_that_is_used(tmp_path: Path) -> None:
    table = read(written(tmp_path / "preds.jsonl", '{"gold": "a", "meta": {"x": 1}}\n{"gold": "[b]", "meta": [1]}\n'))
    texts, _ = count_rows(table, ["gold"])
    assert set(texts["gold"]) == {"a", "[b]"}
    with pytest.raises(DataError) as caught:
        count_rows(table, ["meta"])
    assert str(caught.value) == (
        "preds.jsonl: column 'meta' holds a list or an object; labels are text, numbers or truth values."
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"gold": "a"}\r\n{"gold": "b"}\r\n',
        '{"gold": "a"}\n\n   \n{"gold": "b"}',
        '\ufeff{"gold": "a"}\n{"gold": "b"}\n',
        '  {"gold": "a"}  \n\t{"\\u0067old": "\\u0062"}\n',
    ],
)
def test_usual_layouts_are_read(tmp_path: Path, text: str) -> None:
    assert counted(written(tmp_path / "preds.jsonl", text)) == {("a",): 1, ("b",): 1}


def test_a_value_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    assert counted(written(tmp_path / "preds.jsonl", f'{{"gold": "{long}"}}\n')) == {(long,): 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "preds.jsonl is empty: there is nothing to evaluate"),
        ("\n \n", "preds.jsonl has no keys"),
        ("{}\n{}\n", "preds.jsonl has no keys"),
        ('{"gold": "a"}\n[1, 2]\n', "preds.jsonl, line 2 is not a JSON object"),
        ('\n{"gold": "a"}\n\n"a"\n', "preds.jsonl, line 4 is not a JSON object"),
        ("null\n", "preds.jsonl, line 1 is not a JSON object"),
        ("gold,pred\na,b\n", "preds.jsonl, line 1 is not JSON (Expecting value at character 1)"),
        ('{"gold": "a"}\n{"gold": \n', "preds.jsonl, line 2 is not JSON (Expecting value at character"),
        ('{"gold": "a"} {"gold": "b"}\n', "preds.jsonl, line 1 is not JSON (Extra data at character 15)"),
        ('{"gold": 01}\n', "preds.jsonl, line 1 is not JSON"),
        ('{"gold": "a\tb"}\n', "preds.jsonl, line 1 is not JSON (Invalid control character at character 12)"),
        ('{"gold": "a", "gold": "b"}\n', "preds.jsonl, line 1 has the key 'gold' twice"),
        ('{"gold": "a"}\n{"gold": "\\ud800"}\n', "preds.jsonl, line 2 has half a surrogate pair"),
        (b'{"gold": "a"}\n{"gold": "\xe9"}\n', "preds.jsonl, line 2 is not UTF-8 text"),
        ('{"gold": "a"}\n'.encode("utf-16"), "preds.jsonl, line 1 is not UTF-8 text"),
        ('{"gold": "a"}\n{"Gold": "b"}\n', "with the same name except for case: 'gold', 'Gold'"),
        ('{"gold": ' + "[" * 100_000, "preds.jsonl, line 1 is nested too deeply"),
        ('{"gold": "' + "x" * 40_000_000 + '"}\n', "preds.jsonl, line 1 is longer than 16,777,216 bytes"),
    ],
)
def test_a_file_that_is_not_json_lines_is_refused_with_the_line(tmp_path: Path, text: str | bytes, words: str) -> None:
    with pytest.raises(DataError) as caught:
        read(written(tmp_path / "preds.jsonl", text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_is_found_by_its_number_far_from_the_start(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.jsonl", '{"gold": "a"}\n' * 50_000 + "nope\n")
    with pytest.raises(DataError, match=r"preds\.jsonl, line 50001 is not JSON"):
        read(path)


# Numbers stay as they are written


NUMBERS = [
    "1e+22",
    "1E-7",
    "0.1234567890123456789",
    "12345678901234567890123",
    "-0",
    "-0.0",
    "1.50",
    "1e400",
    "7",
    "-12",
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_labels_as_they_are_written(tmp_path: Path, number: str) -> None:
    strings = r'"a: 1.50", "b\": 2.0": "x\\", "c" : ": 3.10"'
    text = f'{{"gold":{number}, "pred" : {number} , "note": {strings}}}\n{{"gold": "{number}0", "pred": null}}\n'
    path = written(tmp_path / "preds.jsonl", text)
    assert counted(path, "gold", "pred") == {(number, number): 1, (f"{number}0", None): 1}
    assert counted(path, "note", 'b": 2.0', "c") == {("a: 1.50", "x\\", ": 3.10"): 1, (None, None, None): 1}


def test_a_list_beside_odd_numbers_is_still_refused(tmp_path: Path) -> None:
    table = read(written(tmp_path / "preds.jsonl", '{"gold": 1.50, "x": ["a", 2.0, {"b": 3.10}]}\n'))
    assert count_rows(table, ["gold"])[0]["gold"].tolist() == ["1.50"]
    with pytest.raises(DataError, match="column 'x' holds a list or an object"):
        count_rows(table, ["x"])


JSON_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.text(st.sampled_from('":,{}[]\\/ 01.5eE-\x01'), max_size=8),
)
KEYS = ["gold", "pred", 'a"b', "c: 1.5", "\\", "é"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON_VALUES), min_size=1, max_size=4), st.booleans())
def test_values_are_those_that_python_reads_with_numbers_as_text(
    tmp_path: Path, rows: list[dict[str, Any]], ascii_: bool
) -> None:
    lines = [json.dumps({**row, "n": 0.5}, ensure_ascii=ascii_) for row in [*rows, dict.fromkeys(KEYS)]]
    path = written(tmp_path / "x.jsonl", "\n".join(lines))
    words = {True: "true", False: "false"}
    theirs = [json.loads(line, parse_int=str, parse_float=str) for line in lines]
    wanted = Counter(tuple(words.get(v, v) if isinstance(v, bool) else v for v in map(row.get, KEYS)) for row in theirs)
    assert counted(path, *KEYS) == wanted
