"""Files that are compressed, several, Arrow, or not files at all."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import DataError
from assay.sources.frames import count_rows
from assay.sources.read.files import read
from tests.engines.reading import counted, written

ROWS = {("a", "b"): 2, ("é", None): 1}
CSV = "gold,pred\na,b\né,\na,b\n".encode()
JSON_LINES = '{"gold": "a", "pred": "b"}\n{"gold": "é"}\n{"pred": "b", "gold": "a"}\n'.encode()


def zipped(data: bytes) -> bytes:
    """Compressed without the time, so that the same data are the same test wherever it is collected."""
    return gzip.compress(data, mtime=0)


def parquet_bytes() -> bytes:
    out = io.BytesIO()
    pl.DataFrame({"gold": ["a", "é", "a"], "pred": ["b", None, "b"]}).write_parquet(out)
    return out.getvalue()


# Compressed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("preds.csv.gz", CSV),
        ("preds.txt.gz", CSV),
        ("preds.tsv.gz", CSV.replace(b",", b"\t")),
        ("PREDS.CSV.GZ", b"\xef\xbb\xbf" + CSV),
        ("preds.jsonl.gz", JSON_LINES),
        ("preds.ndjson.gz", b"\xef\xbb\xbf" + JSON_LINES),
    ],
)
def test_compressed_text_is_read(tmp_path: Path, name: str, text: bytes) -> None:
    assert counted(written(tmp_path / name, zipped(text)), "gold", "pred") == ROWS


def test_compressed_parts_one_after_the_other_are_one_file(tmp_path: Path) -> None:
    parts = zipped(CSV[:15]) + zipped(CSV[15:])
    assert counted(written(tmp_path / "preds.csv.gz", parts)) == ROWS


@pytest.mark.parametrize("name", ["preds.csv.gz", "preds.jsonl.gz"])
def test_a_truncated_gzip_file_is_refused_and_not_taken_for_a_short_one(tmp_path: Path, name: str) -> None:
    whole = zipped((CSV if "csv" in name else JSON_LINES) * 1_000)
    for bytes_ in (len(whole) // 2, len(whole) - 4, 12):
        with pytest.raises(DataError, match=f"{name} is a truncated gzip file; copy or write it again"):
            read(written(tmp_path / name, whole[:bytes_]))


def test_a_gzip_file_whose_bytes_changed_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(CSV * 1_000))
    data[-6] ^= 1
    with pytest.raises(DataError, match=r"preds\.csv\.gz is a damaged gzip file"):
        read(written(tmp_path / "preds.csv.gz", bytes(data)))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("preds.csv.gz", CSV, "preds.csv.gz is not a gzip file; if it is not compressed, remove '.gz' from its name"),
        ("preds.csv.gz", b"", "preds.csv.gz is empty; expected a first line with the names of the columns"),
        ("preds.csv.gz", zipped(b""), "preds.csv.gz is empty; expected a first line with the names of the columns"),
        ("preds.jsonl.gz", zipped(b'{"a": 1}\nx\n'), "preds.jsonl.gz, line 2 is not JSON"),
        ("preds.csv.gz", zipped(b"a,b\n1\n"), "preds.csv.gz, line 2 has 1 field, but the header has 2"),
        ("preds.parquet.gz", zipped(b"x"), "preds.parquet.gz' ends in '.parquet.gz'; files that can be"),
        ("preds.gz", zipped(b"x"), "preds.gz' ends in '.gz'; files that can be read"),
    ],
)
def test_what_is_wrong_with_a_compressed_file_is_said(tmp_path: Path, name: str, text: bytes, words: str) -> None:
    with pytest.raises(DataError) as caught:
        counted(written(tmp_path / name, text))
    assert words in str(caught.value)


# Several files


def test_all_files_that_match_a_pattern_are_one_table(tmp_path: Path) -> None:
    written(tmp_path / "1.csv", "gold,pred\na,b\n")
    written(tmp_path / "2.csv", "pred;gold\r\nb;a\r\n")
    written(tmp_path / "3.csv.gz", zipped(b"pred,gold\n,c\n"))
    written(tmp_path / "4.csv", "gold,pred\n")
    written(tmp_path / "other.txt", "x\ny\n")
    written(tmp_path / ".hidden.csv", "x\ny\n")
    (tmp_path / "folder.csv").mkdir()
    assert counted(tmp_path / "*.csv*") == {("a", "b"): 2, ("c", None): 1}
    assert counted(tmp_path / "[12].csv") == {("a", "b"): 2}
    assert counted(tmp_path / "?.csv.gz", "gold") == {("c",): 1}


def test_patterns_may_be_relative_and_reach_into_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "a", tmp_path / "a" / "b"):
        written(folder / "x.csv", "gold\na\n")
    monkeypatch.chdir(tmp_path)
    assert read("**/*.csv").name == "**/*.csv"
    assert counted("**/*.csv") == {("a",): 3}
    assert counted("./a/*.csv") == {("a",): 1}
    monkeypatch.chdir(tmp_path / "a")
    assert counted("../*.csv") == {("a",): 1}


def test_parquet_files_may_have_their_columns_in_any_order(tmp_path: Path) -> None:
    pl.DataFrame({"gold": ["a"], "pred": [1]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"pred": [2], "gold": ["b"]}).write_parquet(tmp_path / "2.parquet")
    assert counted(tmp_path / "*.parquet", "gold", "pred") == {("a", "1"): 1, ("b", "2"): 1}


def test_lines_of_json_may_have_other_keys_in_other_files(tmp_path: Path) -> None:
    written(tmp_path / "1.jsonl", '{"gold": "a"}\n')
    written(tmp_path / "2.jsonl.gz", zipped(b'{"gold": "b", "note": "x"}\n'))
    assert counted(tmp_path / "*.json*", "gold", "note") == {("a", None): 1, ("b", "x"): 1}


def test_a_name_that_exists_is_no_pattern(tmp_path: Path) -> None:
    written(tmp_path / "[ab].csv", "gold\nright\n")
    written(tmp_path / "a.csv", "gold\nwrong\n")
    assert counted(tmp_path / "[ab].csv") == {("right",): 1}


@pytest.mark.parametrize(
    ("files", "pattern", "words"),
    [
        ({}, "*.csv", "/*.csv'; check the folder and the pattern"),
        ({}, "**.csv", "**.csv' is not a pattern of file names"),
        (
            {"1.csv": "gold,pred\na,b\n", "2.csv": "gold,pred\na,b\n", "3.csv": "gold,perd\na,b\n"},
            "*.csv",
            "3.csv has the columns 'gold', 'perd' where 1.csv has 'gold', 'pred'; "
            "files that match a pattern need the same",
        ),
        ({"1.csv": "gold\na\n", "2.jsonl": "{}\n"}, "*", "matches 1.csv and 2.jsonl, which have different formats"),
        ({"1.csv": "gold\na\n", "2.csv": ""}, "*", "2.csv is empty"),
        ({"1.csv": "gold\n", "2.csv": "gold\n"}, "*", "has columns but no rows"),
        ({"1.csv": "gold,pred\na,b\n", "2.csv": "gold,pred\na\n"}, "*", "2.csv, line 2 has 1 field"),
        ({"1.csv": "gold\na\n", "_SUCCESS": "x"}, "*", "_SUCCESS' has no extension"),
        ({"1.jsonl": '{"gold": 1}\n', "2.jsonl": "\n3\n"}, "*", "2.jsonl, line 2 is not a JSON object"),
    ],
)
def test_files_that_do_not_go_together_are_refused(
    tmp_path: Path, files: Mapping[str, str], pattern: str, words: str
) -> None:
    for name, text in files.items():
        written(tmp_path / name, text)
    with pytest.raises(DataError) as caught:
        counted(tmp_path / pattern)
    assert words in str(caught.value)


def test_parquet_files_of_different_types_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"gold": [1]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"gold": ["01"]}).write_parquet(tmp_path / "2.parquet")
    with pytest.raises(DataError, match=r"column 'gold' is VARCHAR in 2\.parquet and BIGINT in 1\.parquet; files"):
        read(tmp_path / "*.parquet")


# Standard input


def stdin_of(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    "data",
    [
        CSV,
        b"\xef\xbb\xbf" + CSV,
        CSV.replace(b",", b"\t"),
        JSON_LINES,
        b"\n  " + JSON_LINES,
        b"\xef\xbb\xbf" + JSON_LINES,
        parquet_bytes(),
        zipped(CSV),
        zipped(JSON_LINES),
    ],
)
def test_standard_input_is_recognized_by_its_first_bytes(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    stdin_of(monkeypatch, data)
    assert counted("-", "gold", "pred") == ROWS


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "standard input is empty"),
        (b"gold,pred\n", "standard input has columns but no rows"),
        (b"gold,pred\na\n", "standard input, line 2 has 1 field, but the header has 2"),
        (b'{"gold": 1}\n3\n', "standard input, line 2 is not a JSON object"),
        (zipped(CSV)[:20], "standard input is a truncated gzip file"),
        (b"PAR1 and no more", "standard input is not a complete Parquet file"),
        (b"\xff\xfe\x00", "standard input, line 1 is not UTF-8 text"),
    ],
)
def test_bad_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch, data: bytes, words: str) -> None:
    stdin_of(monkeypatch, data)
    with pytest.raises(DataError) as caught:
        counted("-")
    assert words in str(caught.value)


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match="standard input is closed; name a file instead of '-'"):
        read("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_named_pipe_is_read_like_standard_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[JSON_LINES])
    writer.start()
    assert counted(tmp_path / "pipe", "gold", "pred") == ROWS
    writer.join()


# Arrow


def arrow_file(path: Path, form: str) -> Path:
    pyarrow: Any = import_module("pyarrow")
    ipc: Any = import_module("pyarrow.ipc")
    table = pyarrow.table({"gold": ["a", "é", "a"], "pred": ["b", None, "b"], "truth": [True, None, False]})
    if form in ("uncompressed", "lz4"):
        import_module("pyarrow.feather").write_feather(table, path, compression=form)
        return path
    opened = ipc.new_stream if form == "stream" else ipc.new_file
    with path.open("wb") as file, opened(file, table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.arrow", "file"),
        ("x.ipc", "file"),
        ("x.arrow", "stream"),
        ("x.feather", "lz4"),
        ("x.feather", "uncompressed"),
    ],
)
def test_arrow_files_are_read(tmp_path: Path, name: str, form: str) -> None:
    path = arrow_file(tmp_path / name, form)
    assert counted(path, "gold", "pred") == ROWS
    assert counted(path, "truth") == {("true",): 1, ("false",): 1, (None,): 1}


def test_several_arrow_files_are_one_table(tmp_path: Path) -> None:
    arrow_file(tmp_path / "1.arrow", "file")
    arrow_file(tmp_path / "2.feather", "lz4")
    assert counted(tmp_path / "*", "gold") == {("a",): 4, ("é",): 2}


@pytest.mark.parametrize("form", ["file", "stream", "lz4"])
def test_a_truncated_arrow_file_is_refused(tmp_path: Path, form: str) -> None:
    path = arrow_file(tmp_path / "x.arrow", form)
    written(path, path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError, match=r"x\.arrow is not a complete Arrow or Feather file"):
        read(path)


def test_without_pyarrow_an_arrow_file_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = arrow_file(tmp_path / "x.arrow", "file")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        DataError, match=r"x\.arrow is an Arrow file; install pyarrow to read it, or save it as Parquet"
    ):
        read(path)


def test_rows_of_a_file_can_be_counted_again_and_again(tmp_path: Path) -> None:
    table = read(written(tmp_path / "preds.jsonl.gz", zipped(JSON_LINES)))
    first = count_rows(table, ["gold"])
    assert [count.tolist() for count in (first[1], count_rows(table, ["gold"])[1])] == [[2, 1], [2, 1]]
