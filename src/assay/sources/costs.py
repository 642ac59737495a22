"""A table of costs in a file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from assay.errors import DataError

LARGEST_FILE = 64_000_000  # characters; a table of two thousand classes has as many


def read_costs(path: Path) -> dict[str, dict[str, str]]:
    """A CSV file whose first column is the gold class and whose header names the predicted ones."""
    if "\0" in str(path):
        raise DataError(f"{str(path)!r} is no name of a file: it has a NUL character in it")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read(LARGEST_FILE + 1)
        if len(text) > LARGEST_FILE:
            raise DataError(f"'{path}' holds no table of costs: it has more than {LARGEST_FILE:,} characters.")
        lines = [line for line in csv.reader(io.StringIO(text, newline="")) if any(line)]
    except (OSError, UnicodeError, csv.Error) as error:
        raise DataError(f"the costs in '{path}' cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(lines) < 2:
        raise DataError(f"'{path}' holds no table of costs: a header with the predicted classes was expected.")
    header, *rows = lines
    out: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise DataError(f"'{path}', line {number} has {len(row)} fields where the header has {len(header)}.")
        if row[0] in out:
            raise DataError(f"'{path}' has two rows for “{row[0]}”.")
        out[row[0]] = dict(zip(header[1:], row[1:], strict=True))
    return out
