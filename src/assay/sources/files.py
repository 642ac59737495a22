"""CSV and Parquet files as tables, read by DuckDB without guessing what their text means."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import DataError, listed, nearest
from assay.sources.columns import check_names
from assay.sources.table import Table, table_of_native

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

_DELIMITERS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t"}
_PARQUET = (".parquet", ".pq")


def read(path: str | os.PathLike[str]) -> Table:
    """The table in a CSV or Parquet file, not loaded until it is counted.

    A CSV file gives text only, and an empty field is a missing value; Parquet keeps its types.
    """
    file = Path(path)
    _refuse_unreadable(file)
    with plainly(file.name):
        connection = _connection()
        pattern = _literally(file, connection)
        if file.suffix.lower() in _PARQUET:
            rows = connection.read_parquet(pattern, binary_as_string=True, hive_partitioning=False)
        else:
            rows = _read_csv(file, pattern, connection)
        if not rows.limit(1).fetchall():
            raise DataError(f"{file.name} has columns but no rows: there is nothing to evaluate")
        return table_of_native(rows, file.name)


@contextmanager
def plainly(name: str) -> Iterator[None]:
    """DuckDB's errors as one plain sentence about the table of this name."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise DataError(_sentence(name, str(error))) from None


def _refuse_unreadable(file: Path) -> None:
    if not file.exists():
        siblings = [other.name for other in file.parent.iterdir()] if file.parent.is_dir() else []
        close = nearest(file.name, siblings)
        hint = f"; did you mean '{close}'?" if close else ""
        raise DataError(f"there is no file '{file}'{hint}")
    if not file.is_file():
        raise DataError(f"'{file}' is not a file; name a CSV or Parquet file")
    known = (*_DELIMITERS, *_PARQUET)
    if file.suffix.lower() not in known:
        raise DataError(f"'{file}' ends in '{file.suffix}'; the files that can be read end in {listed(known)}")
    if not file.stat().st_size:
        raise DataError(f"{file.name} is empty; a first line with the names of the columns was expected")


def _connection() -> DuckDBPyConnection:
    import duckdb

    return duckdb.connect(
        ":memory:", config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )


def _literally(file: Path, connection: DuckDBPyConnection) -> str:
    """The pattern that matches this file and no other."""
    path = str(file.absolute())
    pattern = re.sub(r"[*?\[]", r"[\g<0>]", path)
    if pattern != path and connection.execute("FROM glob(?)", [pattern]).fetchall() != [(path,)]:
        raise DataError(f"the name of '{file}' cannot be read as a file name by DuckDB; rename the file")
    return pattern


def _read_csv(file: Path, pattern: str, connection: DuckDBPyConnection) -> DuckDBPyRelation:
    delimiter, names = _header(file)
    columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)
    # In SQL, because DuckDB's Python function for this loads pandas wherever pandas is installed.
    return connection.sql(
        f"FROM read_csv({_quoted(pattern)}, columns={{{columns}}}, auto_detect=false, header=true, "
        f"delim={_quoted(delimiter)}, quote='\"', escape='\"', nullstr='', strict_mode=true, hive_partitioning=false)"
    )


def _quoted(text: str) -> str:
    """Text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _header(file: Path) -> tuple[str, list[str]]:
    """The delimiter that divides the first line into most names, and these names."""
    try:
        headers = {mark: _first_record(file, mark) for mark in _DELIMITERS[file.suffix.lower()]}
    except UnicodeDecodeError:
        raise DataError(f"{file.name} is not UTF-8 text; save it as UTF-8") from None
    except csv.Error as error:
        raise DataError(f"{file.name} does not begin with the names of its columns: {error}") from None
    except OSError as error:
        raise DataError(f"{file.name} cannot be read: {error.strerror}") from None
    delimiter = max(headers, key=lambda mark: len(headers[mark]))
    names = [name.strip() for name in headers[delimiter]]
    if not any(names):
        raise DataError(f"{file.name} begins with a blank line; the names of the columns were expected")
    # DuckDB takes the first line break of a file, quoted or not, for the one that ends its rows.
    if any("\n" in name or "\r" in name for name in names):
        raise DataError(f"{file.name} has a line break inside the name of a column; take it out")
    names = [name or f"column{position}" for position, name in enumerate(names, start=1)]
    check_names(names, file.name, ignore_case=True)
    return delimiter, names


def _first_record(file: Path, delimiter: str) -> list[str]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return next(csv.reader(lines, delimiter=delimiter), [])


def _sentence(name: str, message: str) -> str:
    """What DuckDB found wrong, where, and what to do, from the first words of its long message."""
    found = re.search(r"CSV Error on Line: (\d+)", message)
    where = f"{name}, line {found[1]}" if found else name
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} has {fields[2]} fields where the header has {fields[1]}; quote values with delimiters"
    if "Invalid unicode" in message:
        return f"{where} is not UTF-8 text; save it as UTF-8"
    if "unterminated quote" in message:
        return f"{where} has a quoted value that does not end; write a quote inside quotes twice"
    if "state machine" in message:
        return f"{where} mixes ways of ending its lines (CRLF and LF); save it with one of them"
    first = message.splitlines()[0].partition(": ")[2] or message
    return f"{where} cannot be read: {first}"
