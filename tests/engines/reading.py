"""What the tests of files share: writing bytes, and counting what is read."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from assay.sources.frames import count_rows
from assay.sources.read.files import read

Rows = Counter[tuple[str | None, ...]]


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def counted(path: str | os.PathLike[str], *columns: str) -> Rows:
    table = read(path)
    texts, counts = count_rows(table, columns or table.columns)
    return Counter(dict(zip(zip(*texts.values(), strict=True), counts.tolist(), strict=True)))
