"""DuckDB as the reader of files: connections without extensions, and its errors in plain words."""

from __future__ import annotations

import re
import tempfile
import uuid
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import DataError, plural
from assay.sources.read.limits import LONGEST, LONGEST_JSON, too_long
from assay.sources.read.shard import Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

TEMPORARY = "assay-"  # prefix of our temporary files
HELD = Path("/proc/self/fd")  # where Linux lists the open files of a process, including unlinked ones

_SPOKEN = "assay says: "  # prefix of the messages that our own SQL raises
UNCLOSED = "has a quoted value that does not end; inside quotes, write a quote twice"
_SENTENCES = (
    ("Invalid unicode", "is not UTF-8 text; save it as UTF-8"),
    ("Invalid string encoding", "has text that is not UTF-8; write it as UTF-8"),
    ("unterminated quote", UNCLOSED),
    ("state machine", "mixes line endings (CRLF and LF); save it with only one of them"),
    ("Maximum line size", too_long(LONGEST)),
    ("does not support a full read", too_long(LONGEST)),
    ("maximum_object_size", f"has a line longer than {LONGEST_JSON:,} bytes; remove such long text from the file"),
    ("not a GZIP stream", "is not a gzip file; if it is not compressed, remove '.gz' from its name"),
    ("No magic bytes found at end", "is not a complete Parquet file; it may be truncated: copy or write it again"),
    ("too small to be a Parquet", "is too small for a Parquet file; it may be truncated: copy or write it again"),
    ("Permission denied", "cannot be read: permission denied"),
    ("Not implemented Error", "uses a feature that DuckDB cannot read; save it as plain Parquet or CSV"),
    ("Out of Memory Error", "needs more memory than is available; leave out columns or rows"),
)


def connect() -> DuckDBPyConnection:
    """A database in memory that fetches no extensions and spills into a folder of its own."""
    import duckdb

    # DuckDB would spill into the current folder. It creates this one when needed and removes it.
    spill = Path(tempfile.gettempdir()) / f"{TEMPORARY}{uuid.uuid4().hex}"
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": str(spill),
    }
    connection = duckdb.connect(":memory:", config=config)
    connection.execute("SET enable_progress_bar = false")  # it would appear between the lines of a result
    return connection


@contextmanager
def plainly(name: str, *, file: bool = False) -> Iterator[None]:
    """Turn DuckDB's errors into one plain sentence about the table of this name, which may be a file."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise DataError(_sentence(name, str(error), file)) from None
    except UnicodeDecodeError:  # raised when DuckDB passes text of a damaged file to Python
        raise DataError(f"{name} has text that is not UTF-8; write it as UTF-8.") from None


def has_rows(relation: DuckDBPyRelation) -> bool:
    """Whether there is at least one row."""
    return bool(relation.project("1").limit(1).fetchall())


def quoted(text: str) -> str:
    """Text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def complaint(sql: str) -> str:
    """SQL that stops the query with a message, itself given as SQL."""
    return f"error({quoted(_SPOKEN)} || {sql})"


def literally(shards: Sequence[Shard], connection: DuckDBPyConnection) -> str:
    """SQL for a list of patterns that match exactly these files, which are kept as long as the connection."""
    for shard in shards:
        if shard.kept is not None:
            # Every relation keeps its connection alive, and the connection keeps what it reads.
            weakref.finalize(connection, _let_go, shard.kept)
    return f"[{', '.join(quoted(_pattern(shard.path, connection)) for shard in shards)}]"


def _let_go(_: object) -> None:
    """Do nothing: what was kept for a connection is freed with the reference to it."""


def _pattern(file: Path, connection: DuckDBPyConnection) -> str:
    path = str(file.absolute())
    if not path.isascii() and path.encode(errors="replace").decode() != path:
        raise DataError(f"{str(file)!a} has a name that is not UTF-8 text; rename the file.")
    pattern = re.sub(r"[*?\[]", r"[\g<0>]", path)
    if pattern != path and connection.execute("FROM glob(?)", [pattern]).fetchall() != [(path,)]:
        raise DataError(f"the name of '{file}' cannot be read as a file name by DuckDB; rename the file.")
    return pattern


def other_fields(found: int, wanted: int) -> str:
    """What to say of a row whose number of fields differs from the number of names."""
    hint = "quote values that contain delimiters" if found > wanted else "add the missing ones"
    return f"has {plural(found, 'field')}, but the header has {wanted:,}; {hint}"


def _sentence(name: str, message: str, file: bool) -> str:
    """What DuckDB found wrong, where, and what to do, derived from its long message."""
    if _SPOKEN in message:
        return message.partition(_SPOKEN)[2].strip()
    line = re.search(r"CSV Error on Line: (\d+)", message)
    path = re.search(r"^\s*file = (.+)$", message, re.MULTILINE)
    # With several files it matters which one is wrong; the name of a temporary one means nothing to the user.
    read = Path(path[1]) if path else Path(TEMPORARY)
    where = name if read.name.startswith(TEMPORARY) or read.parent == HELD else read.name
    where = f"{where}, line {line[1]}" if line else where
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} {other_fields(int(fields[2]), int(fields[1]))}."
    for words, sentence in _SENTENCES:
        if words in message:
            return f"{where} {sentence}."
    if file:
        return f"{where} is damaged, or not in the format of its extension; copy or write it again."
    first = message.splitlines()[0].partition(": ")[2] or message
    return f"{where} cannot be read: {first.rstrip('.')}."
