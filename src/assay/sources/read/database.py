"""DuckDB as the reader of files: connections that load nothing else, and its errors in plain words."""

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
from assay.sources.given import LONGEST, LONGEST_JSON
from assay.sources.read.shard import Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

TEMPORARY = "assay-"  # begins the names of our files in the folder for temporary ones
HELD = Path("/proc/self/fd")  # where Linux shows the open files of a process, with those that have no name

_SPOKEN = "assay says: "  # begins the messages that our own SQL raises
_SENTENCES = (
    ("Invalid unicode", "is not UTF-8 text; save it as UTF-8"),
    ("Invalid string encoding", "has text that is not UTF-8; write it as UTF-8"),
    ("unterminated quote", "has a quoted value that does not end; write a quote inside quotes twice"),
    ("state machine", "mixes ways of ending its lines (CRLF and LF); save it with one of them"),
    ("Maximum line size", f"is longer than {LONGEST:,} bytes; leave such a text out of the file"),
    ("does not support a full read", f"is longer than {LONGEST:,} bytes; leave such a text out of the file"),
    ("maximum_object_size", f"has a line longer than {LONGEST_JSON:,} bytes; leave such a text out of the file"),
    ("not a GZIP stream", "is not a gzip file; if it is not compressed, take '.gz' off its name"),
    ("No magic bytes found at end", "is not a whole Parquet file; it may have been cut off: copy or write it again"),
    ("too small to be a Parquet", "is too small for a Parquet file; it may have been cut off: copy or write it again"),
    ("Permission denied", "cannot be read: permission denied"),
    ("Not implemented Error", "is written in a way that DuckDB cannot read; save it as plain Parquet or as CSV"),
    ("Out of Memory Error", "needs more memory than there is; leave out columns or rows"),
)


def connect() -> DuckDBPyConnection:
    """A database in memory that fetches no extensions and spills into a folder of its own."""
    import duckdb

    # DuckDB would spill into the folder where the user stands. It makes this one when needed and removes it.
    spill = Path(tempfile.gettempdir()) / f"{TEMPORARY}{uuid.uuid4().hex}"
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": str(spill),
    }
    connection = duckdb.connect(":memory:", config=config)
    connection.execute("SET enable_progress_bar = false")  # which would stand between the lines of a result
    return connection


@contextmanager
def plainly(name: str, *, file: bool = False) -> Iterator[None]:
    """DuckDB's errors as one plain sentence about the table of this name, which may be that of a file."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise DataError(_sentence(name, str(error), file)) from None
    except UnicodeDecodeError:  # raised where DuckDB hands text of a damaged file to Python
        raise DataError(f"{name} has text that is not UTF-8; write it as UTF-8") from None


def has_rows(relation: DuckDBPyRelation) -> bool:
    """Whether there is a single row."""
    return bool(relation.project("1").limit(1).fetchall())


def quoted(text: str) -> str:
    """Text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def complaint(sql: str) -> str:
    """SQL that stops the query with this text, which is SQL too, as the message."""
    return f"error({quoted(_SPOKEN)} || {sql})"


def literally(shards: Sequence[Shard], connection: DuckDBPyConnection) -> str:
    """SQL for the list of patterns that match these files and no others, which last as long as the connection."""
    for shard in shards:
        if shard.kept is not None:
            # Every relation keeps its connection, and the connection keeps what it reads from.
            weakref.finalize(connection, _let_go, shard.kept)
    return f"[{', '.join(quoted(_pattern(shard.path, connection)) for shard in shards)}]"


def _let_go(_: object) -> None:
    """Nothing: what was kept for a connection goes when the reference to it does."""


def _pattern(file: Path, connection: DuckDBPyConnection) -> str:
    path = str(file.absolute())
    if not path.isascii() and path.encode(errors="replace").decode() != path:
        raise DataError(f"{str(file)!a} has a name that is not UTF-8 text; rename the file")
    pattern = re.sub(r"[*?\[]", r"[\g<0>]", path)
    if pattern != path and connection.execute("FROM glob(?)", [pattern]).fetchall() != [(path,)]:
        raise DataError(f"the name of '{file}' cannot be read as a file name by DuckDB; rename the file")
    return pattern


def other_fields(found: int, wanted: int) -> str:
    """What to say of a row that has not as many fields as there are names."""
    hint = "quote values with delimiters" if found > wanted else "some are missing"
    return f"has {plural(found, 'field')} where the header has {wanted:,}; {hint}"


def _sentence(name: str, message: str, file: bool) -> str:
    """What DuckDB found wrong, where, and what to do, from the first words of its long message."""
    if _SPOKEN in message:
        return message.partition(_SPOKEN)[2].strip()
    line = re.search(r"CSV Error on Line: (\d+)", message)
    path = re.search(r"^\s*file = (.+)$", message, re.MULTILINE)
    # Of several files it matters which one is wrong; a temporary one has no name that anyone knows.
    read = Path(path[1]) if path else Path(TEMPORARY)
    where = name if read.name.startswith(TEMPORARY) or read.parent == HELD else read.name
    where = f"{where}, line {line[1]}" if line else where
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} {other_fields(int(fields[2]), int(fields[1]))}"
    for words, sentence in _SENTENCES:
        if words in message:
            return f"{where} {sentence}"
    if file:
        return f"{where} is damaged, or not what the end of its name says; copy or write it again"
    first = message.splitlines()[0].partition(": ")[2] or message
    return f"{where} cannot be read: {first}"
