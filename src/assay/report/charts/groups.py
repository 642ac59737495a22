"""A measure group by group: a dot and an interval for each group and system, and the systems' overall values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import interval, value_text
from assay.report.charts.dots import Dot, Dots, Line, Mark
from assay.report.groups import Cut
from assay.texts import numeral, percent

MOST = 12  # groups in one chart


def group_chart(cut: Cut) -> Dots | None:
    """The chart of a cut, with its first groups if there are many; None if no group has a value."""
    groups = cut.groups[:MOST]
    lines = [Line(group, f"n = {cut.n(group)}", tuple(_dots(cut, group))) for group in groups]
    if not any(line.dots for line in lines):
        return None
    marks = [Mark(cut.wholes[system], i) for i, system in enumerate(cut.systems) if system in cut.wholes]
    level = percent(cut.rows[0].level)
    return Dots(
        title=f"{cut.named} by {cut.column}",
        subtitle=(f"with {level} intervals{'; dashed lines are overall values' if marks else ''}",),
        description=_described(cut, groups, level),
        axis=cut.named,
        lines=tuple(lines),
        marks=tuple(marks),
        names=cut.systems if len(cut.systems) > 1 else (),
    )


def _dots(cut: Cut, group: str) -> Iterator[Dot]:
    for i, system in enumerate(cut.systems):
        row = cut.row(group, system)
        if row is not None and row.value is not None:
            yield Dot(row.value, row.low, row.high, i)


def _described(cut: Cut, groups: Sequence[str], level: str) -> str:
    parts = [f"{cut.named} by {cut.column}, with {level} intervals"]
    for system in cut.systems:
        rows = [(group, cut.row(group, system)) for group in groups]
        told = "; ".join(f"{group} {_value(row)}" for group, row in rows if row is not None)
        overall = f"; overall {numeral(cut.wholes[system], '.3f')}" if system in cut.wholes else ""
        parts.append(f"{system}: {told}{overall}")
    return ". ".join(parts) + "."


def _value(row: Row) -> str:
    if row.value is None:
        return "undefined"
    return value_text(row) if row.low is None else f"{value_text(row)} ({interval(row, ' to ')})"
