"""The same columns on every engine and in every kind of file."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

Columns = Mapping[str, Sequence[Any]]
Maker = Callable[[Columns, Path], Any]

# Relations can be joined only within one connection.
CONNECTION = duckdb.connect(":memory:")


def from_csv(columns: Columns, folder: Path) -> Any:
    pl.DataFrame(columns).write_csv(folder / "preds.csv")
    return folder / "preds.csv"


def from_json_lines(columns: Columns, folder: Path) -> Any:
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    (folder / "preds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / "preds.jsonl"


def from_parquet(columns: Columns, folder: Path) -> Any:
    pl.DataFrame(columns).write_parquet(folder / "preds.parquet")
    return str(folder / "preds.parquet")


def from_arrow_file(columns: Columns, folder: Path) -> Any:
    import_module("pyarrow.feather").write_feather(from_pyarrow(columns, folder), folder / "preds.arrow")
    return folder / "preds.arrow"


def from_duckdb(columns: Columns, folder: Path) -> Any:
    # A name of its own, because a connection remembers what a file held a moment ago.
    path = folder / f"{uuid.uuid4().hex}.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return CONNECTION.read_parquet(str(path))


def from_pandas(columns: Columns, folder: Path) -> Any:
    return import_module("pandas").DataFrame(columns)


def from_pyarrow(columns: Columns, folder: Path) -> Any:
    return import_module("pyarrow").table(columns)


def from_numpy(columns: Columns, folder: Path) -> Any:
    return {name: _array(values) for name, values in columns.items()}


def _array(values: Sequence[Any]) -> Any:
    return np.array(values, dtype=object if None in values else None)


# These keep the types of their values.
TYPED: dict[str, Maker] = {
    "lists": lambda columns, folder: columns,
    "numpy": from_numpy,
    "polars": lambda columns, folder: pl.DataFrame(columns),
    "polars lazily": lambda columns, folder: pl.DataFrame(columns).lazy(),
    "pandas": from_pandas,
    "pyarrow": from_pyarrow,
    "duckdb": from_duckdb,
    "parquet": from_parquet,
    "arrow file": from_arrow_file,
}
# These hold nothing but text, or write numbers in their own way.
MAKERS: dict[str, Maker] = {**TYPED, "csv": from_csv, "json lines": from_json_lines}

typed_engine = pytest.mark.parametrize("make", TYPED.values(), ids=TYPED)
engine = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
