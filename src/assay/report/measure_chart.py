"""Measures with their intervals on one scale, beside what needs no model."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.dots import Dot, Dots, Line
from assay.report.report import Report, Row
from assay.report.words import estimate, interval, known, title
from assay.uncertainty.words import percent

SYSTEMS = 2  # whose values stand on a line


def measure_chart(report: Report) -> Dots | None:
    """The values of up to two systems by every measure that lies within −1 and 1; None where there is none."""
    systems = tuple(system.name for system in report.systems)[:SYSTEMS]
    rows = [row for row in report.rows if _is_shown(row) and row.system in systems]
    keys = dict.fromkeys((row.measure, row.class_) for row in rows)
    lines = [_line([row for row in rows if (row.measure, row.class_) == key], systems) for key in keys]
    if not lines:
        return None
    level = percent(rows[0].level)
    elsewhere = dict.fromkeys(title(row) for row in report.rows if _is_value(row) and not _is_shown(row))
    left_out = (f"on another scale, and not drawn: {', '.join(elsewhere)}",) if elsewhere else ()
    return Dots(
        title=f"Measures of {' and '.join(systems)}",
        subtitle=(f"with {level} intervals; the gray tick is the best that needs no model", *left_out),
        description=_described(rows, systems, level),
        axis="Value",
        lines=tuple(lines),
        domain=(-1.0 if any(row.low is not None and row.low < 0 for row in rows) else 0.0, 1.0),
        names=systems if len(systems) > 1 else (),
        longest=28,
    )


def _is_value(row: Row) -> bool:
    return row.slice is None and row.quantity == "value" and row.value is not None


def _is_shown(row: Row) -> bool:
    if not _is_value(row):
        return False
    found = known(row.measure)
    return found is not None and found[0].range[0] >= -1 and found[0].range[1] <= 1


def _line(rows: Sequence[Row], systems: Sequence[str]) -> Line:
    row = rows[0]
    dots = [Dot(r.value, r.low, r.high, systems.index(r.system)) for r in rows if r.value is not None]
    return Line(title(row), "" if row.class_ is None else f"“{row.class_}”", tuple(dots), _tick(rows))


def _tick(rows: Sequence[Row]) -> float | None:
    """What no model reaches; none where the systems were judged on rows of their own and it differs."""
    floors = {row.no_skill for row in rows}
    return floors.pop() if len(floors) == 1 else None


def _described(rows: Sequence[Row], systems: Sequence[str], level: str) -> str:
    parts = [f"Measures with {level} intervals"]
    for system in systems:
        told = "; ".join(f"{title(row)} {_value(row)}" for row in rows if row.system == system)
        parts.append(f"{system}: {told}")
    return ". ".join(parts) + "."


def _value(row: Row) -> str:
    without = "" if row.no_skill is None else f", without a model {row.no_skill:.3f}"
    return (estimate(row) if row.low is None else f"{estimate(row)} ({interval(row, ' to ')})") + without
