"""Files for the fuzz: tables of plain and odd values, and the ways in which people write them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.words import COUNTS, COUNTS_ODD, NAMES, NAMES_MORE, ODD, PLAIN, SCORES, SCORES_ODD, WEIGHTS, WEIGHTS_ODD

Rows = list[list[str | None]]


@dataclass
class Made:
    """A table, and which of its columns play which role."""

    names: list[str]
    rows: Rows
    roles: dict[str, list[str]] = field(default_factory=dict)

    def first(self, role: str) -> str:
        """The first column of a role."""
        return self.roles[role][0]

    def part(self, names: Sequence[str], rows: Rows | None = None) -> Made:
        """Some of the columns, of all rows or of these."""
        at = [self.names.index(name) for name in names]
        return Made(list(names), [[row[i] for i in at] for row in (self.rows if rows is None else rows)])


def table(rng: Random) -> Made:
    """A table of gold, predictions, scores, counts, weights, clusters and slices; how odd it is differs."""
    odd = rng.choice((0.0, 0.0, 0.1, 0.5))
    pool = [
        rng.choice(ODD) if rng.random() < max(odd, 0.2) else rng.choice(PLAIN)
        for _ in range(rng.choice((1, 2, 2, 3, 5, 12)))
    ]
    gaps = rng.choice((0.0, 0.0, 0.0, 0.0, 0.1, 0.5))
    n = rng.choice((0, 1, 2, 5, 12, 40, 40, 80, 120, 400))
    out = Made([], [[] for _ in range(n)])

    def label() -> str | None:
        return None if rng.random() < gaps else rng.choice(pool)

    def number(usual: Sequence[str], strange: Sequence[str]) -> Callable[[], str]:
        often = rng.choice((0.0, 0.0, 0.0, 0.0, 0.05, 0.5))
        return lambda: rng.choice(strange) if rng.random() < often else rng.choice(usual)

    def add(role: str, name: str, value: Callable[[], str | None]) -> None:
        if rng.random() < odd / 3:
            name = rng.choice(NAMES if rng.random() < 0.7 else NAMES_MORE)
        if name in out.names and rng.random() < 0.9:
            return
        out.names.append(name)
        out.roles.setdefault(role, []).append(name)
        for row in out.rows:
            row.append(value())

    ids = iter(range(10**9))
    twice = rng.choice((0.0, 0.0, 0.0, 0.3))
    if rng.random() < 0.5:
        add("id", "id", lambda: "7" if rng.random() < twice else f"{next(ids)}")
    if rng.random() < 0.97:
        add("gold", rng.choice(("gold", "gold", "label", "truth")), label)
    for name in rng.sample(("pred", "old", "new", "a", "b"), rng.choice((0, 1, 1, 2, 2, 3))):
        same = rng.choice((0.0, 0.5, 0.8, 1.0))
        add("pred", name, _copied(rng, out, same, label))
    for name in rng.sample(("p", "p_spam", "score"), rng.choice((0, 0, 1, 2))):
        add("score", name, number(SCORES, SCORES_ODD))
    _add_others(rng, add, number, label, odd)
    if not out.names:
        add("extra", "x", label)
    return out


def _add_others(
    rng: Random,
    add: Callable[[str, str, Callable[[], str | None]], None],
    number: Callable[[Sequence[str], Sequence[str]], Callable[[], str]],
    label: Callable[[], str | None],
    odd: float,
) -> None:
    """Columns besides gold, predictions and scores, each of them in some tables."""
    if rng.random() < 0.3:
        add("count", "n", number(COUNTS, COUNTS_ODD))
    if rng.random() < 0.3:
        add("weight", "w", number(WEIGHTS, WEIGHTS_ODD))
    if rng.random() < 0.3:
        add("cluster", "doc", lambda: rng.choice(("d1", "d2", "d3", "d4")))
    if rng.random() < 0.4:
        add("slice", "country", label if rng.random() < odd else lambda: rng.choice(("de", "fr", "uk")))
    if rng.random() < 0.2:
        add("value", "f1_old", number(SCORES, SCORES_ODD))
        add("value", "f1_new", number(SCORES, SCORES_ODD))


def _copied(rng: Random, out: Made, same: float, other: Callable[[], str | None]) -> Callable[[], str | None]:
    """Values that are often those of gold, row by row."""
    gold = out.names.index(out.first("gold")) if "gold" in out.roles else None
    rows = iter(out.rows)

    def value() -> str | None:
        row = next(rows)
        return row[gold] if gold is not None and rng.random() < same else other()

    return value


# ---------------------------------------------------------------------- ways to write a table
@dataclass(frozen=True)
class Written:
    """The bytes of a file and how its name ends."""

    data: bytes
    ending: str


def csv_of(rng: Random, made: Made, marks: str = ",,,,;\t|") -> Written:
    """CSV with some of the liberties that its writers take; what they mean is never in doubt."""
    mark = rng.choice(marks)
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    always = rng.choice((0.0, 0.0, 0.3, 1.0))

    def cell(value: str | None) -> str:
        text = value or ""
        needed = any(sign in text for sign in f'{mark}"\r\n') or text.startswith("\ufeff") or len(made.names) == 1
        return '"' + text.replace('"', '""') + '"' if needed or (text and rng.random() < always) else text

    rows: Rows = [[*made.names], *made.rows]
    lines = [mark.join(cell(value) for value in row) for row in rows]
    text = end.join(lines) + rng.choice((end, end, ""))
    data = (("\ufeff" if rng.random() < 0.1 else "") + text).encode("utf-8", "surrogatepass")
    return _maybe_packed(
        rng, data, ".tsv" if mark == "\t" and rng.random() < 0.7 else rng.choice((".csv", ".csv", ".txt"))
    )


def json_lines_of(rng: Random, made: Made) -> Written:
    """JSON Lines, with numbers as numbers or as text, and nulls or absent keys."""
    escaped, absent, typed = rng.random() < 0.5, rng.random() < 0.3, rng.random() < 0.4
    end = rng.choice(("\n", "\n", "\r\n", "\n\n"))
    lines = []
    for row in made.rows:
        parts = []
        for name, value in zip(made.names, row, strict=True):
            if value is None and absent:
                continue
            plain = typed and value is not None and _is_json_number(value)
            text = value if plain and value is not None else json.dumps(value, ensure_ascii=escaped)
            parts.append(f"{json.dumps(name, ensure_ascii=escaped)}: {text}")
        lines.append("{" + ", ".join(parts) + "}")
    text = end.join(lines) + rng.choice((end, ""))
    return _maybe_packed(rng, text.encode("utf-8", "surrogatepass"), rng.choice((".jsonl", ".ndjson")))


def _is_json_number(text: str) -> bool:
    try:
        return (
            isinstance(json.loads(text), int | float) and text.strip() == text and text not in ("NaN", "true", "false")
        )
    except (ValueError, RecursionError):
        return False


def parquet_of(rng: Random, made: Made) -> Written:
    """Parquet or Arrow, whose columns are text, whole numbers, floating-point numbers or categories."""
    pa, pq, feather = (import_module(f"pyarrow{part}") for part in ("", ".parquet", ".feather"))
    columns = []
    for at, _ in enumerate(made.names):
        values = [row[at] for row in made.rows]
        kind = rng.choice(("text", "text", "number", "category", "large"))
        array = pa.array(values, pa.string())
        if kind == "number":
            array = _numbers(values) or array
        elif kind == "category" and values:
            array = array.dictionary_encode()
        elif kind == "large":
            array = array.cast(pa.large_string())
        columns.append(array)
    names = made.names if len(set(made.names)) == len(made.names) else [f"{n}{i}" for i, n in enumerate(made.names)]
    out, frame = io.BytesIO(), pa.table(columns, names=names)
    if rng.random() < 0.3:
        feather.write_feather(frame, out, compression=rng.choice(("uncompressed", "lz4", "zstd")))
        return Written(out.getvalue(), rng.choice((".arrow", ".feather")))
    pq.write_table(frame, out, compression=rng.choice(("none", "snappy", "zstd")))
    return Written(out.getvalue(), rng.choice((".parquet", ".pq")))


def _numbers(values: Sequence[str | None]) -> Any:
    pa = import_module("pyarrow")
    for read in (int, float):
        try:
            return pa.array([None if value is None else read(value) for value in values])
        except (ValueError, OverflowError, pa.ArrowException):
            continue
    return None


def _maybe_packed(rng: Random, data: bytes, ending: str) -> Written:
    if rng.random() < 0.15:
        return Written(gzip.compress(data, mtime=0), f"{ending}.gz")
    return Written(data, ending)


def written(rng: Random, made: Made) -> Written:
    """The table in any of the formats."""
    return rng.choices((csv_of, json_lines_of, parquet_of), (6, 3, 1))[0](rng, made)
