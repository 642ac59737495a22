"""Columns of so many different values that only the engine should see all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np

from assay.sources.frames import Table, fetched
from assay.sources.join_frames import keyed
from assay.sources.sides import FIRST, Side


def sizes(table: Table, column: str) -> tuple[int, int]:
    """How many rows there are, and how many different values in this column; none if it holds lists or objects."""
    assert not isinstance(table.frame, Mapping)
    place = f"c{table.columns.index(column)}"
    kind = table.frame.collect_schema()[place]
    if kind.is_nested() or isinstance(kind, nw.Object):
        return 0, 0
    # By groups and lengths alone: n_unique and sum load pandas wherever it is installed, by DuckDB's constants.
    groups = table.frame.select(place).group_by(place).agg(times=nw.len())
    rows, distinct = (fetched(frame.select(n=nw.len()), table)["n"][0] for frame in (table.frame, groups))
    return int(rows), int(distinct)


def summarized(table: Table, column: str, most: int) -> tuple[dict[str, int], dict[str, Any]]:
    """The most frequent values with their rows, and in numbers: distinct, missing, repeated, and the first repeated."""
    rows = keyed(Side(table, column))
    groups = rows.filter(~nw.col("key").is_null()).group_by("key").agg(rows=nw.len())
    twice = nw.col("rows") > 1
    numbers = fetched(
        groups.select(distinct=nw.len(), repeated=twice.cast(nw.Int64).sum(), filled=nw.col("rows").sum()), table
    )
    top = fetched(groups.sort("rows", "key", descending=[True, False]).head(most), table)
    shortest = groups.filter(twice).with_columns(size=nw.col("key").str.len_chars()).sort("size", "key").head(FIRST)
    every = fetched(rows.select(rows=nw.len()), table)["rows"][0]
    facts = {
        "distinct": int(numbers["distinct"][0]),
        "missing": int(every) - int(numbers["filled"][0]),
        "repeated": int(numbers["repeated"][0]),
        "first": tuple(fetched(shortest.select("key"), table)["key"]),
    }
    return dict(zip(top["key"], np.asarray(top["rows"]).tolist(), strict=True)), facts
