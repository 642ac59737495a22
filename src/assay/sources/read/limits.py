"""What can be read: how long a line may be, how many columns there may be, and what these are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.errors import DataError, listed

LONGEST = 32_000_000  # bytes of one row of CSV; DuckDB's buffers for CSV have this size anyway
LONGEST_JSON = 16_777_216  # the same for JSON Lines, DuckDB's default: it reserves more for every thread
MOST_COLUMNS = 20_000  # of a file


def too_long(longest: int) -> str:
    """What is wrong with a line of a file that is longer than this."""
    return f"is longer than {longest:,} bytes; remove such long text from the file"


def refuse_nul(name: str) -> None:
    """Refuse what no system takes for the name of a file."""
    if "\0" in name:
        raise DataError(f"{name!r} is not a file name: it contains a NUL character.")


def check_names(columns: Sequence[object], source: str, *, ignore_case: bool = False) -> None:
    """Refuse names that are not text or belong to two columns."""
    names = [column for column in columns if isinstance(column, str)]
    if len(names) < len(columns):
        other = next(column for column in columns if not isinstance(column, str))
        raise DataError(f"{source} has a column called {other!r}, which is not text; rename it.")
    seen = [name.lower() if ignore_case else name for name in names]
    times = Counter(seen)
    twice = [name for name, alike in zip(names, seen, strict=True) if times[alike] > 1]
    if twice:
        same = "the same name except for case" if len(set(twice)) == len(twice) else "the same name"
        raise DataError(f"{source} has columns with {same}: {listed(twice)}; rename all but one.")


def refuse_many(columns: Sequence[str], source: str) -> None:
    """Refuse a file with more columns than an engine can handle."""
    if len(columns) > MOST_COLUMNS:
        raise DataError(f"{source} has {len(columns):,} columns; at most {MOST_COLUMNS:,} can be read. Leave some out.")
