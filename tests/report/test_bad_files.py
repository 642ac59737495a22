"""Every kind of bad file, as the person who named it on the command line is told about it."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

from assay.cli.main import exit_code
from tests.snapshot import Snapshot

CSV = b"gold,pred\na,b\nb,b\n"
JSON = b'{"gold": "a", "pred": "b"}\n'


def parquet() -> bytes:
    out = io.BytesIO()
    pl.DataFrame({"gold": ["a", "b"] * 300, "pred": ["a", "a"] * 300}).write_parquet(out)
    return out.getvalue()


def damaged(data: bytes) -> bytes:
    return data[: len(data) // 2] + b"\0\xff" * 9 + data[len(data) // 2 + 18 :]


def twice() -> bytes:
    pyarrow = import_module("pyarrow")
    out = io.BytesIO()
    table = pyarrow.table([["a"], ["b"], ["c"]], names=["gold", "pred", "pred"])
    import_module("pyarrow.parquet").write_table(table, out)
    return out.getvalue()


Bytes = bytes | Callable[[], bytes]
ONE: dict[str, tuple[str, Bytes]] = {
    "csv_ragged_short": ("bad.csv", b"gold,pred\na,b\nb\n"),
    "csv_ragged_long": ("bad.csv", b"gold,pred\na,b\nb,b,b\n"),
    "csv_open_quote": ("bad.csv", b'gold,pred\n"a,b\n'),
    "csv_text_after_quote": ("bad.csv", b'gold,pred\n"a"x,b\n'),
    "csv_mixed_line_ends": ("bad.csv", b"gold,pred\r\na,b\nb,b\n"),
    "csv_latin_1": ("bad.csv", "gold,pred\nñ,b\n".encode("latin-1")),
    "csv_latin_1_header": ("bad.csv", "gold,préd\na,b\n".encode("latin-1")),
    "csv_utf_16": ("bad.csv", "gold,pred\na,b\n".encode("utf-16")),
    "csv_blank_first_line": ("bad.csv", b"\ngold,pred\na,b\n"),
    "csv_line_break_in_name": ("bad.csv", b'"go\nld",pred\na,b\n'),
    "csv_names_but_for_capitals": ("bad.csv", b"gold,pred,Pred\na,b,c\n"),
    "csv_row_too_long": ("bad.csv", b"gold,pred\n" + b"x" * 33_000_000 + b",b\n"),
    "csv_is_gzip": ("bad.csv", gzip.compress(CSV, mtime=0)),
    "csv_wrong_delimiter": ("bad.tsv", CSV),
    "gzip_empty": ("bad.csv.gz", gzip.compress(b"", mtime=0)),
    "gzip_truncated": ("bad.csv.gz", gzip.compress(CSV * 99, mtime=0)[:40]),
    "gzip_damaged": ("bad.csv.gz", damaged(gzip.compress(CSV * 99, mtime=0))),
    "gzip_not": ("bad.csv.gz", CSV),
    "gzip_of_parquet": ("bad.parquet.gz", b"x"),
    "json_empty": ("bad.jsonl", b""),
    "json_no_keys": ("bad.jsonl", b"{}\n"),
    "json_not_an_object": ("bad.jsonl", JSON + b'["a", "b"]\n'),
    "json_broken_line": ("bad.jsonl", JSON + b'{"gold": "a"\n'),
    "json_is_csv": ("bad.jsonl", CSV),
    "json_key_twice": ("bad.jsonl", b'{"gold": "a", "gold": "b"}\n'),
    "json_latin_1": ("bad.jsonl", JSON + '{"gold": "ñ", "pred": "b"}\n'.encode("latin-1")),
    "json_nested": ("bad.jsonl", b'{"gold": ["a"], "pred": "b"}\n'),
    "json_surrogate": ("bad.jsonl", b'{"gold": "\\ud800", "pred": "b"}\n'),
    "json_missing_key": ("bad.jsonl", JSON + b'{"gold": "a"}\n'),
    "parquet_empty": ("bad.parquet", b""),
    "parquet_truncated": ("bad.parquet", lambda: parquet()[:-40]),
    "parquet_damaged": ("bad.parquet", lambda: parquet()[:4] + b"\xff" * 40 + parquet()[44:]),
    "parquet_tiny": ("bad.parquet", b"PAR1"),
    "parquet_column_twice": ("bad.parquet", twice),
    "arrow_damaged": ("bad.arrow", b"ARROW1\0\0" + b"\xff" * 90),
    "unknown_ending": ("bad.xlsx", b"PK"),
    "no_ending": ("bad", CSV),
    "csv_latin_1_later": ("bad.csv", CSV + "x,ñ\n".encode("latin-1") * 9),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert exit_code(["evaluate", *arguments]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    for raw in ("Traceback", "Error:", "duckdb", "Possible fixes"):
        assert raw not in printed.err
    return f"$ assay evaluate {' '.join(arguments)}\n{printed.err}exit 3"


@pytest.mark.parametrize("case", ONE)
def test_a_bad_file_gets_one_plain_message(
    case: str, here: Path, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    name, data = ONE[case]
    (here / name).write_bytes(data if isinstance(data, bytes) else data())
    snapshot(f"messages/file_{case}", refused([name], capsys))


SEVERAL: dict[str, tuple[str, dict[str, bytes]]] = {
    "no_match": ("shards/*.csv", {}),
    "other_columns": ("shards/*.csv", {"1.csv": CSV, "2.csv": CSV, "3.csv": b"gold,perd\na,b\n"}),
    "other_kind": ("shards/*", {"1.csv": CSV, "2.jsonl": JSON}),
    "ragged": ("shards/*.csv", {"1.csv": CSV, "2.csv": b"gold,pred\na\n"}),
    "one_empty": ("shards/*.csv", {"1.csv": CSV, "2.csv": b""}),
    "no_pattern": ("shards/**.csv", {"1.csv": CSV}),
    "json_broken_line": ("shards/*", {"1.jsonl": JSON, "2.jsonl": JSON + b"nope\n"}),
    "folder": ("shards", {"1.csv": CSV}),
}


@pytest.mark.parametrize("case", SEVERAL)
def test_bad_shards_get_one_plain_message(
    case: str, here: Path, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    pattern, files = SEVERAL[case]
    (here / "shards").mkdir()
    for name, data in files.items():
        (here / "shards" / name).write_bytes(data)
    snapshot(f"messages/shards_{case}", refused([pattern], capsys))


@pytest.mark.parametrize(
    ("case", "data"),
    {
        "empty": b"",
        "header_only": b"gold,pred\n",
        "ragged": b"gold,pred\na\n",
        "json_broken_line": JSON + b"3\n",
        "gzip_truncated": gzip.compress(CSV * 99, mtime=0)[:40],
        "parquet_truncated": b"PAR1" + b"\0" * 40,
    }.items(),
)
def test_bad_standard_input_gets_one_plain_message(
    case: str, data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    snapshot(f"messages/stdin_{case}", refused(["-"], capsys))


def test_an_arrow_file_without_pyarrow_gets_one_plain_message(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    (here / "preds.arrow").write_bytes(b"ARROW1\0\0")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    snapshot("messages/file_arrow_without_pyarrow", refused(["preds.arrow"], capsys))


def test_a_file_that_may_not_be_read_gets_one_plain_message(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    (here / "secret.csv").write_bytes(CSV)

    def forbidden(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, os.strerror(13))

    with monkeypatch.context() as patched:  # because nothing is forbidden to root, who may be running this
        patched.setattr(Path, "open", forbidden)
        said = refused(["secret.csv"], capsys)
    snapshot("messages/file_forbidden", said)
