"""CSV and TSV files: the header is read here, the rows by DuckDB, and no value is anything but text."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from assay.errors import DataError, listed
from assay.sources.bounds import LONGEST
from assay.sources.columns import check_names, refuse_many
from assay.sources.database import literally, quoted
from assay.sources.screen import refuse_changed
from assay.sources.shard import Scan, Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

_DELIMITERS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t"}
_Layout = tuple[tuple[str, ...], str, str]  # names in the order of the file, delimiter, compression


def scan_delimited(shards: Sequence[Shard]) -> Scan:
    """The rows of these files, whose columns may stand in any order but must be the same."""
    groups: dict[_Layout, list[Shard]] = {}
    for shard in shards:
        delimiter, names = _header(shard)
        refuse_changed(shard, delimiter, len(names))
        groups.setdefault((names, delimiter, shard.compression), []).append(shard)
    first = next(iter(groups))[0]
    for (names, _, _), members in groups.items():
        if set(names) != set(first):
            raise DataError(
                f"{members[0].name} has the columns {listed(names)} where {shards[0].name} has {listed(first)}; "
                "all files of a pattern need the same columns"
            )

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        parts = (_sql(layout, members, first, connection) for layout, members in groups.items())
        # In SQL, because DuckDB's Python function for this loads pandas wherever pandas is installed.
        return connection.sql(" UNION ALL ".join(parts))

    return Scan(first, on)


def _sql(layout: _Layout, shards: Sequence[Shard], order: Sequence[str], connection: DuckDBPyConnection) -> str:
    names, delimiter, compression = layout
    files = literally([shard.path for shard in shards], connection)
    columns = ", ".join(f"f{at}: 'VARCHAR'" for at in range(len(names)))
    renamed = ", ".join(f"f{names.index(name)} AS c{at}" for at, name in enumerate(order))
    return (
        f"SELECT {renamed} FROM read_csv({files}, columns={{{columns}}}, auto_detect=false, header=true, "
        f"delim={quoted(delimiter)}, quote='\"', escape='\"', nullstr='', strict_mode=true, hive_partitioning=false, "
        f"compression='{compression}', max_line_size={LONGEST}, buffer_size={LONGEST})"
    )


def _header(shard: Shard) -> tuple[str, tuple[str, ...]]:
    """The delimiter that divides the first line into most names without dividing a quoted one, and these names."""
    try:
        line = shard.first_line().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{shard.name}, line 1 is not UTF-8 text; save it as UTF-8") from None
    marks = _DELIMITERS[shard.suffix]
    headers = _headers(line, marks, strict=True) or _headers(line, marks, strict=False)
    if not headers:
        raise DataError(f"{shard.name} does not begin with the names of its columns; its first line cannot be divided")
    delimiter = max(headers, key=lambda mark: (_divides_no_name(line, mark), len(headers[mark])))
    # DuckDB takes the first line break of a file, quoted or not, for the one that ends its rows.
    if any(field["open"] is not None for field in _fields(line, delimiter)):
        raise DataError(f"{shard.name} has a line break inside the name of a column; take it out")
    names = [name.strip() for name in headers[delimiter]]
    if not any(names):
        raise DataError(f"{shard.name} begins with a blank line; the names of the columns were expected")
    refuse_many(names, shard.name)
    names = [name or f"column{position}" for position, name in enumerate(names, start=1)]
    check_names(names, shard.name, ignore_case=True)
    return delimiter, tuple(names)


def _headers(line: str, marks: str, *, strict: bool) -> dict[str, list[str]]:
    """The names that each delimiter makes of the first line, where it can be divided by it."""
    headers = {}
    for mark in marks:
        with suppress(csv.Error):
            headers[mark] = next(csv.reader([line], delimiter=mark, strict=strict), [])
    return headers


def _divides_no_name(line: str, mark: str) -> bool:
    """Whether every field is quoted as a whole, or has both or none of a pair of quotes."""
    return all(field["rest"].count('"') % 2 == 0 and field["open"] is None for field in _fields(line, mark))


def _fields(line: str, mark: str) -> Iterator[re.Match[str]]:
    """Each field: a quoted value, which may be `open` at the end of the line, and the `rest` up to the delimiter."""
    mark = re.escape(mark)
    return re.finditer(rf'(?:^|{mark})(?:"[^"]*(?:""[^"]*)*(?:"|(?P<open>$)))?(?P<rest>[^{mark}]*)', line)
