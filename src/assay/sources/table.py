"""The one shape in which rows reach the tallies: its columns by role, and the files it comes from."""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, cast

from assay.errors import DataError, OptionError, listed, nearest
from assay.sources.given import LONGEST, MOST_COLUMNS

if TYPE_CHECKING:
    import narwhals as nw
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


BLOCK = 1 << 22  # bytes that are read at once
PARQUET_MAGIC, ARROW_MAGIC = b"PAR1", (b"ARROW1", b"FEA1")
DELIMITED = (".csv", ".txt", ".tsv")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
TEXT = (*DELIMITED, *JSON_LINES)
SUFFIXES = (*TEXT, *PARQUET, *ARROW)


@dataclass(frozen=True)
class Shard:
    """A file whose format is that of its suffix, one of SUFFIXES."""

    path: Path
    name: str
    suffix: str
    gzipped: bool = False
    kept: object = field(default=None, compare=False, repr=False)  # lasts as long as a temporary file is needed

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The bytes of the file, unpacked; a gzip file that is not whole is an error once the fault is reached."""
        try:
            with gzip.open(self.path, "rb") if self.gzipped else self.path.open("rb") as file:
                yield cast("IO[bytes]", file)
        except EOFError:
            raise DataError(f"{self.name} ends too early for a gzip file; copy or write it again") from None
        except (zlib.error, gzip.BadGzipFile):
            raise DataError(f"{self.name} is a damaged gzip file; copy or write it again") from None

    def first_line(self, longest: int = LONGEST) -> bytes:
        """The bytes before the first line break, or an error where it does not come."""
        with self.open() as file:
            line = file.readline(longest + 1)
        first = re.split(rb"[\r\n]", line, maxsplit=1)[0]
        if len(first) > longest:
            raise DataError(f"{self.name}, line 1 is longer than {longest:,} bytes; leave such a text out of the file")
        return first

    def unpack(self) -> None:
        """Read all of a gzip file: DuckDB takes what is left of a truncated one for all of it."""
        if self.gzipped:
            with self.open() as file:
                while file.read(BLOCK):
                    pass

    @property
    def compression(self) -> str:
        """What DuckDB calls it."""
        return "gzip" if self.gzipped else "uncompressed"


@dataclass(frozen=True)
class Scan:
    """The names of some columns, and how a connection comes to see them, where they are called c0, c1 and so on."""

    columns: tuple[str, ...]
    on: Callable[[DuckDBPyConnection], DuckDBPyRelation]


FIRST = 3  # how many ids a message shows
ALIASES: Final = {
    "id": ("id", "sample_id", "example_id"),
    "gold": ("gold", "y_true", "target", "label", "reference"),
    "pred": ("pred", "y_pred", "prediction"),
    "score": ("score", "y_score", "proba"),
}


def find(
    role: str, columns: Sequence[str], given: str | None = None, source: str = "data", names: Sequence[str] = ()
) -> str:
    """The column that plays this role: the one given, or the only one with a usual name for it, one of `names`."""
    if given is not None:
        return _existing(given, columns, source)
    names = names or ALIASES[role]
    usual = [column for column in columns if column.strip().lower() in names]
    if len(usual) == 1:
        return usual[0]
    choose = f"choose one with --{role} COL (in Python: {role}='COL')"
    if usual:
        raise DataError(f"{source} has several columns that could be {role}: {listed(usual)}; {choose}")
    raise DataError(f"{source} has no column called {listed(names)}; it has {listed(columns)}; {choose}")


def check_names(columns: Sequence[object], source: str, *, ignore_case: bool = False) -> None:
    """Nothing, unless a name is not text or belongs to two columns: then an error with the names."""
    names = [column for column in columns if isinstance(column, str)]
    if len(names) < len(columns):
        other = next(column for column in columns if not isinstance(column, str))
        raise DataError(f"{source} has a column called {other!r}, which is not text; rename it")
    seen = [name.lower() if ignore_case else name for name in names]
    times = Counter(seen)
    twice = [name for name, alike in zip(names, seen, strict=True) if times[alike] > 1]
    if twice:
        same = "the same name but for capitals" if len(set(twice)) == len(twice) else "the same name"
        raise DataError(f"{source} has columns with {same}: {listed(twice)}; rename all but one")


def refuse_many(columns: Sequence[str], source: str) -> None:
    """Nothing, unless a file has more columns than an engine can plan with."""
    if len(columns) > MOST_COLUMNS:
        raise DataError(f"{source} has {len(columns):,} columns; at most {MOST_COLUMNS:,} can be read. Leave some out.")


def _existing(given: str, columns: Sequence[str], source: str) -> str:
    if not isinstance(given, str):
        raise OptionError(f"{given!r} does not name a column; give a text, one of {listed(columns)}.")
    if given in columns:
        return given
    by_lower = {column.lower(): column for column in columns}
    close = nearest(given.lower(), by_lower)
    hint = f" Did you mean '{by_lower[close]}'?" if close is not None else ""
    raise DataError(f"{source} has no column '{given}'; it has {listed(columns)}.{hint}")


@dataclass(frozen=True)
class Roles:
    """Which column plays which role."""

    gold: str
    preds: Mapping[str, str]  # a system's name, and the column of its predictions
    cluster: str | None = None
    weight: str | None = None
    count: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()  # each one column, or several that are crossed
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a system's further guesses, best first
    scores: Mapping[str, str] = field(default_factory=dict)  # a system's scores of the positive class
    class_scores: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # a system's scores of every class

    @property
    def used(self) -> list[str]:
        """Every column that is read, once."""
        single = [name for name in (self.cluster, self.weight, self.count) if name is not None]
        sliced = [name for columns in self.slices for name in columns]
        return list(dict.fromkeys([*self.labels, *single, *sliced]))

    @property
    def numbers(self) -> list[str]:
        """The columns of scores, once."""
        of_classes = (name for columns in self.class_scores.values() for name in columns.values())
        return list(dict.fromkeys([*self.scores.values(), *of_classes]))

    @property
    def systems(self) -> list[str]:
        """Every system, by labels or by scores."""
        return list(dict.fromkeys([*self.preds, *self.scores, *self.class_scores]))

    @property
    def labels(self) -> list[str]:
        """The columns whose labels are compared with each other."""
        return [self.gold, *self.preds.values(), *(name for columns in self.guesses.values() for name in columns)]


@dataclass(frozen=True)
class Table:
    """Rows where they live, the names of their columns, and what messages call them.

    The columns of the frame are called c0, c1, …: a name may be empty, a pattern to Polars ('*'), or SQL. A table
    that was read from files says how another connection can scan them, so that several can be joined there.
    """

    frame: nw.LazyFrame[Any] | nw.DataFrame[Any] | Mapping[str, Any]
    columns: tuple[str, ...]
    name: str
    scan: Scan | None = field(default=None, compare=False, repr=False)


def renamed(table: Table, columns: Sequence[str]) -> Table:
    """Some columns of a frame as a table of their own."""
    import narwhals as nw

    assert not isinstance(table.frame, Mapping)
    places = {column: at for at, column in enumerate(table.columns)}
    some = table.frame.select([nw.col(f"c{places[column]}").alias(f"c{at}") for at, column in enumerate(columns)])
    return Table(some, tuple(columns), table.name)


def table_of_native(native: Any, name: str) -> Table:
    """The table of a frame that narwhals knows; TypeError if it does not know this one."""
    import narwhals as nw

    try:
        frame: nw.LazyFrame[Any] | nw.DataFrame[Any] = nw.from_native(native)
        columns = tuple(frame.collect_schema().names())
    except nw.exceptions.DuplicateError:
        raise DataError(f"{name} has columns with the same name; rename all but one") from None
    sql = frame.implementation.is_duckdb()
    # DuckDB would silently take the first of 'gold' and 'Gold' for both.
    check_names(columns, name, ignore_case=sql)
    if sql:
        # narwhals leaves names to DuckDB, which would read them as expressions.
        quoted = ('"{}"'.format(column.replace('"', '""')) for column in columns)
        projection = ", ".join(f"{column} AS c{at}" for at, column in enumerate(quoted))
        return Table(nw.from_native(frame.to_native().project(projection)), columns, name)
    return Table(frame.rename({column: f"c{at}" for at, column in enumerate(columns)}), columns, name)
