"""Hostile text in every kind of file is counted as a plain Counter would, and broken files end in a DataError."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import DataError
from tests.engines.reading import Rows, counted, written

# Every example writes the same file anew, so all of them may share a folder.
fuzz = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])

WORDS = [
    "NA",
    "null",
    "None",
    "nan",
    "NaN",
    "1",
    "1.0",
    "01",
    "true",
    "TRUE",
    "=1+1",
    "<script>",
    "'; DROP TABLE x; --",
]
WORDS += [
    "{}",
    "[1]",
    '{"a": 1}',
    '""',
    '"',
    "\\",
    "\\N",
    "#",
    "\ufeff",
    "\0",
    "e\u0301",
    "\u00e9",
    "\U0001f600",
    "\u202e",
    "\x1a",
]
Hostile = st.text(st.sampled_from(" \t,;|\"'\\\n\r\0ab1#{}[]:/*%é😀\u2028\ufeff\x85"), max_size=6)
Value = st.none() | st.sampled_from(WORDS) | Hostile | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
Name = st.sampled_from(
    ["gold", "pred", "a b", "c0", "rows", "it's", 'say "x"', "a,b", "x;y", "p|q", "select", "é", "#", "*", "0"]
)

Table = dict[str, list[str | None]]


@st.composite
def tables(draw: st.DrawFn, *, empty: bool) -> Table:
    """Columns of hostile text; where the format cannot tell an empty one from a missing one, there is none."""
    names = draw(st.lists(Name, min_size=1, max_size=3, unique=True))
    few = draw(st.lists(Value, min_size=1, max_size=4))
    few = few if empty else [value or None for value in few]
    rows = draw(st.lists(st.tuples(*[st.sampled_from(few)] * len(names)), min_size=1, max_size=12))
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def rows_of(table: Table) -> Rows:
    return Counter(zip(*table.values(), strict=True))


@st.composite
def csv_of(draw: st.DrawFn, table: Table) -> bytes:
    """The table with some of the liberties that writers of CSV take."""
    delimiter, ending = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    always, mark, last = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())

    def field(value: str | None, alone: bool) -> str:
        value = value or ""
        # A name is quoted if it has any delimiter, because the delimiter is found by looking at the names.
        needed = alone or any(sign in value for sign in ',;\t|"\r\n') or value.startswith("\ufeff")
        return '"' + value.replace('"', '""') + '"' if needed or (always and draw(st.booleans())) else value

    lines = [tuple(table), *zip(*table.values(), strict=True)]
    text = ending.join(delimiter.join(field(value, len(table) == 1) for value in line) for line in lines)
    return (("\ufeff" if mark else "") + text + (ending if last else "")).encode()


@st.composite
def json_lines_of(draw: st.DrawFn, table: Table) -> bytes:
    """The table with nulls or absent keys, escapes or none, and keys in any order."""
    ascii_, ending = draw(st.booleans()), draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    lines = []
    for values in zip(*table.values(), strict=True):
        row = draw(st.permutations(list(zip(table, values, strict=True))))
        kept = {name: value for name, value in row if value is not None or draw(st.booleans())}
        lines.append(json.dumps(kept, ensure_ascii=ascii_))
    # One line with every key, so that a column of nothing but absent keys is known too.
    return ending.join([*lines, json.dumps(dict.fromkeys(table))]).encode()


def parquet_of(table: Table) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(table, schema=dict.fromkeys(table, pl.String)).write_parquet(out)
    return out.getvalue()


# What was written is what is counted


@fuzz
@given(st.data())
@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
def test_hostile_csv_is_counted_as_it_was_written(tmp_path: Path, name: str, data: st.DataObject) -> None:
    table = data.draw(tables(empty=False))
    text = data.draw(csv_of(table))
    path = written(tmp_path / name, gzip.compress(text) if name.endswith(".gz") else text)
    assert counted(path) == rows_of(table)


@fuzz
@given(st.data())
@pytest.mark.parametrize("name", ["x.jsonl", "x.ndjson.gz"])
def test_hostile_json_lines_are_counted_as_they_were_written(tmp_path: Path, name: str, data: st.DataObject) -> None:
    table = data.draw(tables(empty=True))
    text = data.draw(json_lines_of(table))
    path = written(tmp_path / name, gzip.compress(text) if name.endswith(".gz") else text)
    assert counted(path, *table) == rows_of(table) + Counter([(None,) * len(table)])


@fuzz
@given(tables(empty=True))
def test_hostile_parquet_is_counted_as_it_was_written(tmp_path: Path, table: Table) -> None:
    assert counted(written(tmp_path / "x.parquet", parquet_of(table))) == rows_of(table)


# What is broken is refused, or read as it stands


def arrow_of(table: Table) -> bytes:
    pyarrow: Any = import_module("pyarrow")
    out = io.BytesIO()
    with import_module("pyarrow.ipc").new_file(out, pyarrow.table(table).schema) as writer:
        writer.write_table(pyarrow.table(table))
    return out.getvalue()


PLAIN: Table = {
    "gold": ["a", "b", "é", "a,b", 'say "x"', None] * 3,
    "pred": ["a", "b", "c", "line\nbreak", "NA", "1"] * 3,
}
CSV = b'gold,pred\na,a\nb,b\n\xc3\xa9,c\n"a,b","line\nbreak"\n"say ""x""",NA\n,1\n' * 2
JSON = "".join(
    json.dumps(dict(zip(PLAIN, row, strict=True))) + "\n" for row in zip(*PLAIN.values(), strict=True)
).encode()
WHOLE: dict[str, Callable[[], bytes]] = {
    "x.csv": lambda: CSV,
    "x.csv.gz": lambda: gzip.compress(CSV, mtime=0),
    "x.jsonl": lambda: JSON,
    "x.jsonl.gz": lambda: gzip.compress(JSON, mtime=0),
    "x.parquet": lambda: parquet_of(PLAIN),
    "x.arrow": lambda: arrow_of(PLAIN),
}
Edit = st.tuples(
    st.floats(0, 1), st.integers(0, 12), st.binary(max_size=6) | st.sampled_from([b"\n", b"\r", b'"', b"\0", b","])
)


def read_or_refused(path: Path) -> Rows | None:
    try:
        return counted(path)
    except DataError as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 500
    return None


@fuzz
@given(st.lists(Edit, min_size=1, max_size=4), st.floats(0.3, 1.5))
@pytest.mark.parametrize("name", WHOLE)
def test_a_broken_file_is_refused_or_read(
    tmp_path: Path, name: str, edits: list[tuple[float, int, bytes]], kept: float
) -> None:
    data = bytearray(WHOLE[name]())
    for where, cut, new in edits:
        at = int(where * len(data))
        data[at : at + cut] = new
    rows = read_or_refused(written(tmp_path / name, bytes(data[: int(kept * len(data))])))
    assert rows is None or rows.total() > 0


@fuzz
@given(st.binary(max_size=200) | st.text(max_size=40).map(str.encode))
@pytest.mark.parametrize("name", WHOLE)
def test_random_bytes_are_refused_or_read(tmp_path: Path, name: str, data: bytes) -> None:
    read_or_refused(written(tmp_path / name, data))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            ["a", " ", "b ", '"', '""', ' "', '" ', ",", ",,", "\n", ",\n", "é", "\t", ";", '","', '"\n', "'"]
        ),
        max_size=12,
    ),
    st.booleans(),
)
def test_text_that_is_read_is_read_as_python_reads_it(tmp_path: Path, pieces: list[str], windows: bool) -> None:
    text = "gold,pred\na,b\n" + "".join(pieces)
    text = text.replace("\n", "\r\n") if windows else text
    ours = read_or_refused(written(tmp_path / "x.csv", text))
    if ours is not None:
        theirs = [tuple(row) for row in csv.reader(io.StringIO(text, newline=""), strict=True)][1:]
        assert ours == Counter(tuple(value or None for value in row) for row in theirs if row)
