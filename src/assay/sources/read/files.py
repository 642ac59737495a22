"""Files as tables: which there are, what they hold, and how they are read."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from assay.errors import DataError, listed, nearest
from assay.sources.read.database import connect, has_rows, plainly
from assay.sources.read.limits import refuse_nul
from assay.sources.read.shard import (
    ARROW,
    ARROW_MAGIC,
    DELIMITED,
    JSON_LINES,
    PARQUET,
    PARQUET_MAGIC,
    SUFFIXES,
    TEXT,
    Shard,
)
from assay.sources.read.spool import BYTE_ORDER_MARK, GZIP, named_pipe, spooled, standard_input
from assay.sources.read.table import Scan, Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STANDARD_INPUT = "standard input"  # what messages call it
LONGEST_NAME = 200  # characters of a name that a message shows in full
KINDS = (*SUFFIXES, *(f"{each}.gz" for each in TEXT), ".json")
MOST_NAMES = 1000  # files of a folder searched for the nearest name
_MAGIC = {PARQUET_MAGIC: ".parquet", **dict(zip(ARROW_MAGIC, (".arrow", ".feather"), strict=True))}
_FAMILIES = (DELIMITED, JSON_LINES, PARQUET, ARROW)


def read(path: str | os.PathLike[str]) -> Table:
    """The table in a file, in all files that match a pattern, or on standard input ('-'); not loaded until counted.

    CSV gives text only, and an empty field is a missing value. JSON Lines gives strings as they are and numbers as
    JSON writes them; null and an absent key are missing values. Parquet and Arrow keep their types.
    """
    return read_shards(*_found(os.fspath(path)))


def from_standard_input() -> Shard:
    """What comes on standard input, as a file in the format that its first bytes show."""
    return _streamed(lambda: nullcontext(standard_input()), STANDARD_INPUT)


def read_shards(shards: Sequence[Shard], name: str) -> Table:
    """The table in these files, which messages call by this name."""
    import narwhals as nw

    if shards[0].suffix in ARROW:
        from assay.sources.read.columnar import read_arrow

        native, scan = read_arrow(shards)
        some = bool(native.num_rows)
    else:
        with plainly(name, file=True):
            connection = connect()
            scan = _scan(shards, name, connection)
            native = scan.on(connection)
            some = has_rows(native)
    if not some:
        raise DataError(f"{name} has columns but no rows: there is nothing to evaluate.")
    return Table(nw.from_native(native), scan.columns, name, scan)


def _scan(shards: Sequence[Shard], name: str, connection: DuckDBPyConnection) -> Scan:
    if shards[0].suffix in PARQUET:
        from assay.sources.read.columnar import scan_parquet

        return scan_parquet(shards, connection)
    if shards[0].suffix in JSON_LINES:
        from assay.sources.read.json_lines import scan_json_lines

        return scan_json_lines(shards, name, connection)
    from assay.sources.read.delimited import scan_delimited

    return scan_delimited(shards)


def _found(text: str) -> tuple[list[Shard], str]:
    """The files that are meant, and what messages call them together."""
    if text == "-":
        return [from_standard_input()], STANDARD_INPUT
    refuse_nul(text)
    mode = _mode(text)
    if mode is None and glob.has_magic(text):
        return _matching(text)
    file = Path(text)
    if mode is None:
        raise _no_file(file)
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return [_streamed(lambda: named_pipe(file) if stat.S_ISFIFO(mode) else file.open("rb"), text)], text
    if not stat.S_ISREG(mode):
        raise DataError(f"'{file}' is not a file; name a file in it, or several, as in '{file}/*.csv'.")
    return [_shard(file)], file.name


def _mode(text: str) -> int | None:
    """The mode of the file of this name; None if there is none."""
    try:
        return Path(text).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"'{_short_path(text)}' cannot be read: {getattr(error, 'strerror', None) or error}.") from None


def _no_file(file: Path) -> DataError:
    """An error that there is no such file, with the nearest name."""
    if file.is_symlink():
        return DataError(f"'{file}' is a link to '{file.readlink()}', which does not exist.")
    siblings: list[str] = []
    with suppress(OSError):
        siblings = [other.name for other in islice(file.parent.iterdir(), MOST_NAMES)]
    close = _similar(file, siblings) if len(file.name) < LONGEST_NAME else None
    return DataError(f"there is no file '{_short_path(str(file))}'" + (f"; did you mean '{close}'?" if close else "."))


def _similar(file: Path, siblings: Sequence[str]) -> str | None:
    """The file whose name is most similar without its ending, which many files share; one that can be read first."""
    stem, suffix = file.stem.lower(), file.suffix.lower()
    for some in ([name for name in siblings if name.lower().endswith(KINDS)], siblings):
        stems: dict[str, list[str]] = {}
        for name in sorted(some):
            same = name.lower().endswith(suffix)
            if same or Path(name).stem.lower() == stem:
                stems.setdefault(name.lower().removesuffix(suffix) if same else stem, []).append(name)
        close = nearest(stem, stems, cutoff=0.7)
        if close is not None:
            return max(stems[close], key=lambda name: SequenceMatcher(None, file.name.lower(), name.lower()).ratio())
    return None


def _short_path(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:40]}…{name[-20:]}"


def _matching(pattern: str) -> tuple[list[Shard], str]:
    whole = Path(pattern)
    try:
        # Patterns of pathlib are relative, and match hidden files, which a shell does not.
        matches = Path(whole.anchor).glob(str(whole.relative_to(whole.anchor)))
        # Sorted, so that the same file is the first to differ on every system.
        files = sorted(match for match in matches if match.is_file() and not match.name.startswith("."))
    except ValueError:
        raise DataError(
            f"'{pattern}' is not a pattern of file names; '**' stands for folders, as in 'shards/**/*.csv'."
        ) from None
    if not files:
        raise DataError(f"no file matches '{pattern}'; check the folder and the pattern.")
    shards = [_shard(file) for file in files]
    family = next(family for family in _FAMILIES if shards[0].suffix in family)
    for shard in shards:
        if shard.suffix not in family:
            raise DataError(
                f"'{pattern}' matches {shards[0].name} and {shard.name}, which have different formats; "
                f"choose one, as in '*{shards[0].suffix}'."
            )
    return shards, pattern if len(shards) > 1 else shards[0].name


def _shard(file: Path) -> Shard:
    gzipped = file.suffix.lower() == ".gz"
    suffix = Path(file.stem).suffix.lower() if gzipped else file.suffix.lower()
    if suffix not in (TEXT if gzipped else SUFFIXES):
        shown = "".join(file.suffixes[-2:]) if gzipped else file.suffix
        ends = f"ends in '{shown}'" if shown else "has no extension"
        raise DataError(
            f"'{file}' {ends}; files that can be read end in {listed(SUFFIXES)}, "
            f"and {listed(TEXT)} may be followed by '.gz'."
        )
    try:
        with file.open("rb") as raw:
            magic = raw.read(len(GZIP))
    except OSError as error:
        raise DataError(f"{file.name} cannot be read: {error.strerror}.") from None
    if not magic:
        raise _empty(file.name, suffix)
    if gzipped and magic != GZIP:
        raise DataError(f"{file.name} is not a gzip file; if it is not compressed, remove '.gz' from its name.")
    if not gzipped and magic == GZIP and suffix in TEXT:
        raise DataError(f"{file.name} is compressed with gzip; rename it to '{file.name}.gz'.")
    return _without_mark(Shard(file, file.name, suffix, gzipped))


def _without_mark(shard: Shard) -> Shard:
    """The same shard, or a copy without the byte-order mark, which DuckDB skips in CSV but not in JSON."""
    if shard.suffix not in TEXT:
        return shard
    with shard.open() as stream:
        head = stream.read(len(BYTE_ORDER_MARK))
    if not head:
        raise _empty(shard.name, shard.suffix)
    if shard.suffix in JSON_LINES and head == BYTE_ORDER_MARK:
        with shard.open() as stream:
            kept = spooled(stream, shard.name)
        return Shard(kept.path, shard.name, shard.suffix, kept=kept)
    return shard


def _streamed(opened: Callable[[], AbstractContextManager[IO[bytes]]], name: str) -> Shard:
    """The contents of a stream, in the format that its first bytes show."""
    try:
        with opened() as stream:
            kept = spooled(stream, name)
        with kept.path.open("rb") as file:
            head = file.read(1 << 16)
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror}.") from None
    if not head:
        raise _empty(name, ".csv")
    magic = next((suffix for magic, suffix in _MAGIC.items() if head.startswith(magic)), None)
    suffix = magic or (".jsonl" if head.lstrip().startswith(b"{") else ".csv")
    return Shard(kept.path, name, suffix, kept=kept)


def _empty(name: str, suffix: str) -> DataError:
    if suffix in DELIMITED:
        return DataError(f"{name} is empty; expected a first line with the names of the columns.")
    return DataError(f"{name} is empty: there is nothing to evaluate.")
