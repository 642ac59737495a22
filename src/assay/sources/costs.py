"""A table of costs in a file."""

from __future__ import annotations

import csv
from pathlib import Path

from assay.errors import DataError


def read_costs(path: Path) -> dict[str, dict[str, str]]:
    """A CSV file whose first column is the gold class and whose header names the predicted ones."""
    try:
        lines = [line for line in csv.reader(path.read_text(encoding="utf-8-sig").splitlines()) if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"the costs in '{path}' cannot be read: {reason}.") from None
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
