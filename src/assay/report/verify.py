"""A report made again from its file: the same numbers, or which differ."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assay.errors import DataError, plural
from assay.report.evaluate import evaluate
from assay.report.report import SCHEMA, Report
from assay.uncertainty.results import version

NUMBERS = ("value", "low", "high", "n", "p", "p_adjusted")
MOST = 5  # differences that are listed


def verify(result: str, file: str) -> tuple[bool, list[str]]:
    """Whether the numbers come out the same, and the sentences that say so."""
    stored = _read(Path(result))
    asked = dict(stored["asked"])
    systems = asked.get("systems")
    if systems and any(where is None for where in systems.values()):
        raise DataError(f"{result} was made from tables in memory, which cannot be read again.")
    if systems:
        asked["systems"] = {name: _beside(where, Path(result)) for name, where in systems.items()}
    made = json.loads(_again(stored)(file, **asked).to_json())
    out = []
    before, now = (report["provenance"].get("gold fingerprint") for report in (stored, made))
    if before != now:
        out.append(f"the gold labels are others: fingerprint {now}, and {before} in {result}.")
    rows = {_key(row): row for row in made["rows"]}
    lines, apart = [], 0
    for row in stored["rows"]:
        again = rows.pop(_key(row), None)
        name = " ".join(str(part) for part in _key(row) if part not in (None, "value"))
        if again is None:
            lines.append(f"{name}: not there when made again")
            apart += 1
            continue
        lines += [
            f"{name}: {key} is {again[key]}, was {row[key]}" for key in NUMBERS if not _same(row[key], again[key])
        ]
        apart += not all(_same(row[key], again[key]) for key in NUMBERS)
    lines += [f"{' '.join(str(p) for p in key if p)}: was not in {result}" for key in rows]
    apart += len(rows)
    if not lines and not out:
        return True, [f"same: all {plural(len(stored['rows']), 'row')} of {result} come out of {file} again."]
    shown = [*lines[:MOST], *([f"and {len(lines) - MOST} more"] if len(lines) > MOST else [])]
    other = "" if stored["assay"] == version() else f" It was made by assay {stored['assay']}; this is {version()}."
    count = f"{plural(apart, 'row')} of {result}" if lines else result
    return False, [f"differs: {count} cannot be made from {file} again.{other}", *out, *shown]


def _again(stored: Mapping[str, Any]) -> Callable[..., Report]:
    """What made the report."""
    if "contest" not in stored:
        return evaluate
    if any(name in stored["asked"] for name in ("values", "folds", "datasets")):
        from assay.report.repeated import compare_repeated

        return compare_repeated
    from assay.report.compare import compare_systems

    return compare_systems


def _read(path: Path) -> Mapping[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        complete = all(key in stored for key in ("assay", "schema", "asked", "rows", "provenance"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"'{path}' cannot be read: {error}.") from None
    except (ValueError, TypeError):
        complete, stored = False, {}
    if not complete:
        raise DataError(
            f"'{path}' is not a report of 'assay evaluate' or 'assay compare' that was written with --format json."
        )
    if stored["schema"] != SCHEMA:
        raise DataError(f"'{path}' has schema {stored['schema']}; this version reads schema {SCHEMA}.")
    return dict(stored)


def _beside(where: str, result: Path) -> str:
    """The system's file as it was named, or beside the report if it has moved with it."""
    return where if Path(where).exists() else str(result.parent / Path(where).name)


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("system", "versus", "measure", "class", "slice", "quantity"))


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
