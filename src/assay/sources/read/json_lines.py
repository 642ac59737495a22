"""JSON Lines: an object on each line; strings are taken as they are, numbers as they are written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.errors import DataError
from assay.sources.read.database import complaint, identifier, literally, quoted
from assay.sources.read.limits import LONGEST_JSON, check_names, refuse_many, too_long
from assay.sources.read.shard import Shard
from assay.sources.read.table import Scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

# Numbers that DuckDB would rewrite: with a point or an exponent, very long, or minus zero. Digits within a string may
# match too, which only costs time.
_ODD_NUMBER = "[0-9][.eE]|[0-9]{16}|-0"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_NUMBER = r"-?[0-9][0-9.eE+-]*"
_MARK = "\x01"  # not a character of JSON, which writes it \u0001


def scan_json_lines(shards: Sequence[Shard], name: str, connection: DuckDBPyConnection) -> Scan:
    """The rows of these files. Their columns are the keys of all lines; a key that a line lacks is a missing value.

    Keys are collected from every line, so that a late one is not overlooked.
    """
    for shard in shards:
        shard.first_line(LONGEST_JSON)
        shard.unpack()
    keys, odd = _keys(shards, connection)
    # SQL cannot name an empty key (an index that lost its name), nor one with NUL.
    columns = tuple(key for key in keys if key and "\0" not in key)
    if not columns:
        raise DataError(f'{name} has no keys; expected lines such as {{"gold": "a", "pred": "b"}}.')
    refuse_many(columns, name)
    check_names(columns, name, ignore_case=True)

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        values = ", ".join(f"{_text(column, name)} AS c{at}" for at, column in enumerate(columns))
        parts = (
            f"SELECT {values} FROM ({(_as_written if odd else _as_read)(source, columns)})"
            for source in _sources(shards, connection)
        )
        return connection.sql(" UNION ALL ".join(parts))

    return Scan(columns, on)


def _as_read(source: str, columns: Sequence[str]) -> str:
    """SQL for the values as JSON, if DuckDB writes every number as the file does."""
    types = ", ".join(f"{quoted(column)}: 'JSON'" for column in columns)
    return f"SELECT * FROM read_json({source}, columns={{{types}}}, auto_detect=false)"


def _as_written(source: str, columns: Sequence[str]) -> str:
    """SQL for the same with every number that follows a key as a string, so that its digits are kept.

    Strings are skipped as a whole, so that nothing within them is taken as a number. What follows a string is put
    between two marks; they become quotes if it is a number, and vanish if it is not.
    """
    pattern = quoted(rf"({_STRING}\s*:?\s*)({_NUMBER})?")
    marked = rf"regexp_replace(json::VARCHAR, {pattern}, '\1{_MARK}\2{_MARK}', 'g')"
    strings = f"""replace(replace({marked}, '{_MARK}{_MARK}', ''), '{_MARK}', '"')"""
    types = quoted(json.dumps(dict.fromkeys(columns, "JSON"), ensure_ascii=False))
    return f"SELECT unnest(from_json({strings}, {types})) FROM read_ndjson_objects({source})"


def _text(column: str, source: str) -> str:
    """SQL for a value as a label: a nested one stops the query, and NaN is missing, as everywhere."""
    value = f"{identifier(column)}::VARCHAR"
    wrong = quoted(f"{source}: column '{column}' holds a list or an object; labels are text, numbers or truth values.")
    # The value is in the message only to keep DuckDB from evaluating it before there is a row.
    nested = complaint(f"{wrong} || left({value}, 0)")
    return (
        f"CASE WHEN left({value}, 1) IN ('{{', '[') THEN {nested} WHEN lower({value}) IN ('nan', '-nan') THEN NULL "
        f"ELSE json_extract_string({identifier(column)}, '$') END"
    )


def _sources(shards: Sequence[Shard], connection: DuckDBPyConnection) -> list[str]:
    """The first arguments of DuckDB's reader, once for plain and once for compressed files."""
    groups: dict[str, list[Shard]] = {}
    for shard in shards:
        groups.setdefault(shard.compression, []).append(shard)
    return [
        f"{literally(members, connection)}, format='newline_delimited', "
        f"compression='{compression}', hive_partitioning=false, maximum_object_size={LONGEST_JSON}"
        for compression, members in groups.items()
    ]


def _keys(shards: Sequence[Shard], connection: DuckDBPyConnection) -> tuple[list[str], bool]:
    """All keys, those of the first line in order, then the others in byte order; and whether there are odd numbers."""
    import duckdb

    lines: list[tuple[str, tuple[str, ...], bool]] = []
    first: list[str] = []
    try:
        for source in _sources(shards, connection):
            odd = f"regexp_matches(json::VARCHAR, {quoted(_ODD_NUMBER)})"
            every = f"SELECT json_type(json), json_keys(json), {odd} FROM read_ndjson_objects({source})"
            lines += connection.sql(f"SELECT DISTINCT * FROM ({every})").fetchall()
            first = first or [key for _, keys, _ in connection.sql(f"{every} LIMIT 1").fetchall() for key in keys]
    except duckdb.Error:
        _refuse_first_fault(shards)
        raise
    if any(kind != "OBJECT" or len(set(keys)) < len(keys) for kind, keys, _ in lines):
        _refuse_first_fault(shards)
    return [*first, *sorted({key for _, keys, _ in lines for key in keys} - set(first))], any(odd for *_, odd in lines)


def _refuse_first_fault(shards: Sequence[Shard]) -> None:
    """Refuse the first line that is wrong: DuckDB's threads do not know its number."""
    for shard in shards:
        with shard.open() as lines:
            number = 0
            while line := lines.readline(LONGEST_JSON + 1):
                number += 1
                fault = _fault(line) if line.strip() else None
                if fault:
                    raise DataError(f"{shard.name}, line {number} {fault}.")


class _Pairs(list[tuple[str, object]]):
    """An object with all its keys, even repeated ones."""


def _fault(line: bytes) -> str | None:
    if len(line) > LONGEST_JSON:
        return too_long(LONGEST_JSON)
    try:
        value = json.loads(line.decode(), object_pairs_hook=_Pairs, parse_int=str, parse_float=str)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        return "is not UTF-8 text; save it as UTF-8"
    except UnicodeEncodeError:
        return "has half a surrogate pair, which is not a character; remove it"
    except json.JSONDecodeError as error:
        return f"is not JSON ({error.msg.removesuffix(' at')} at character {error.pos + 1}); each line is one object"
    except RecursionError:
        return "is nested too deeply; labels are text, numbers or truth values"
    if not isinstance(value, _Pairs):
        return 'is not a JSON object, such as {"gold": "a", "pred": "b"}'
    keys = [key for key, _ in value]
    twice = [key for key in keys if keys.count(key) > 1]
    return f"has the key '{twice[0]}' twice; remove one" if twice else None
