"""Tables as Python's own `csv` and `json` read them, for the oracle; what could be read in two ways is left alone.

Three things can come of a file:

- `Rows`: names and rows. Assay must count the same, or refuse the file in words.
- `Refused`: what Python refuses, or no reading of it is sound (rows of different lengths, an object with a key twice).
  Assay must refuse it too.
- `None`: in doubt, and nothing is expected. That is a header that several delimiters divide, names that are the same
  but for case, a table of one column with blank lines, JSON that nests, and formats other than text.

Where assay refuses what Python reads, `refusals.py` lists the sentences in which it may, each with its reason.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from dataclasses import dataclass

LONGEST = 1 << 25


@dataclass(frozen=True)
class Rows:
    """The names of the columns, and the rows with None where nothing stands."""

    names: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]

    def column(self, name: str) -> list[str | None]:
        """The values of one column."""
        at = self.names.index(name)
        return [row[at] for row in self.rows]


@dataclass(frozen=True)
class Refused:
    """Why no sound program reads this."""

    why: str


def read(name: str, data: bytes) -> Rows | Refused | None:
    """What Python makes of a file of this name."""
    ending = name.lower()
    if ending.endswith(".gz"):
        ending = ending.removesuffix(".gz")
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error):
            return Refused("the gzip file is damaged")
    if ending.endswith((".csv", ".txt")):
        return _delimited(data, ",;\t|")
    if ending.endswith(".tsv"):
        return _delimited(data, "\t")
    if ending.endswith((".jsonl", ".ndjson")):
        return _json_lines(data)
    return None


def _delimited(data: bytes, marks: str) -> Rows | Refused | None:
    # What is not UTF-8 stays apart from all text, so that no label that assay finds is equal to it.
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    header = re.split(r"[\r\n]", text, maxsplit=1)[0]
    used = [mark for mark in marks if mark in header] or [marks[0]]
    if len(used) > 1 or header.count('"') % 2:
        return None
    old = csv.field_size_limit(LONGEST)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=used[0], strict=True))
    except csv.Error as error:
        return Refused(f"Python's csv says: {error}")
    finally:
        csv.field_size_limit(old)
    if not lines or not lines[0]:
        return Refused("it has no header")
    names = _named([name.strip() for name in lines[0]])
    if names is None or (len(names) == 1 and [] in lines):
        return None
    rows = [row for row in lines[1:] if row]
    if any(len(row) != len(names) for row in rows):
        return Refused("its rows differ in length")
    return Rows(names, tuple(tuple(value or None for value in row) for row in rows))


def _named(names: list[str]) -> tuple[str, ...] | None:
    names = [name or f"column{at}" for at, name in enumerate(names, 1)]
    return None if len({name.casefold() for name in names}) < len(names) else tuple(names)


class _Twice(ValueError):
    """A key that stands in an object twice."""


class _Nested(ValueError):
    """A value that is no label."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise _Twice
    return dict(pairs)


def _json_lines(data: bytes) -> Rows | Refused | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Refused("it is not UTF-8")
    found: list[dict[str, object]] = []
    for line in text.split("\n"):
        if not line.strip(" \t\r\n"):
            continue
        if line.strip() != line.strip(" \t\r\n"):
            return None
        try:
            value = json.loads(line, object_pairs_hook=_once, parse_int=str, parse_float=str, parse_constant=_constant)
        except _Twice:
            return Refused("an object has a key twice")
        except _Nested:
            return None
        except (ValueError, RecursionError):
            return Refused("a line is not JSON")
        if not isinstance(value, dict):
            return Refused("a line is no object")
        if any(isinstance(each, dict | list) for each in value.values()):
            return None
        found.append(value)
    if not found:
        return Refused("it has no rows")
    keys = tuple(dict.fromkeys(key for row in found for key in row))
    if _named(list(keys)) != keys or "\0" in "".join(keys):
        return None
    return Rows(keys, tuple(tuple(_label(row.get(key)) for key in keys) for row in found))


def _constant(_: str) -> object:
    raise _Nested  # NaN and Infinity are not JSON, though many writers and readers know them


def _label(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)
