"""The rows of a report by group: one measure over the groups of one column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import title
from assay.measures.declare.catalogue import parse, titled
from assay.measures.declare.measure import Measure
from assay.tables import count_text
from assay.tally.contract.base import Tally

MOST = 12  # groups in one chart


@dataclass(frozen=True)
class Cut:
    """The rows of one measure over the groups of one column, and the systems' rows over all groups."""

    column: str
    measure: str
    class_: str | None
    rows: tuple[Row, ...]
    overall: tuple[Row, ...]
    systems: tuple[str, ...]
    wholes: Mapping[str, float]  # every system's value over all groups
    trials: Mapping[tuple[str, str], float]  # the rows it rests on, by group and system; empty if these are all rows

    @property
    def named(self) -> str:
        """The measure, with its class, as the title of what is drawn or listed."""
        return self._of_class(title(self.overall[0] if self.overall else self.rows[0]))

    @property
    def told(self) -> str:
        """The measure, with its class, in a sentence."""
        return self._of_class(titled(self.measure))

    def _of_class(self, name: str) -> str:
        return name if self.class_ is None else f"{name} of “{self.class_}”"

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups, in the order of the report."""
        each = (self.group_of(row) for row in self.rows if row.quantity == "value")
        return tuple(dict.fromkeys(each))

    def group_of(self, row: Row) -> str:
        """The group that a row belongs to."""
        return (row.slice or "").removeprefix(f"{self.column}=")

    def row(self, group: str, system: str, quantity: str = "value") -> Row | None:
        """A system's row for a group."""
        return self._found.get((f"{self.column}={group}", system, quantity))

    def gap(self, system: str) -> Row | None:
        """The row of the one test over all groups."""
        return self._found.get((self.column, system, "gap"))

    def size(self, group: str) -> int:
        """How many rows a group has."""
        return next(row.n for row in self.rows if row.quantity == "value" and self.group_of(row) == group)

    def counted(self, group: str) -> tuple[float, ...]:
        """How many rows of a group the measure rests on, for each system."""
        each = (self.trials.get((group, system)) for system in self.systems)
        return tuple(dict.fromkeys(n for n in each if n is not None)) or (self.size(group),)

    def n(self, group: str) -> str:
        """The same as text."""
        return " and ".join(count_text(n) for n in self.counted(group))

    @cached_property
    def _found(self) -> dict[tuple[str, str, str], Row]:
        return {(row.slice or "", row.system, row.quantity): row for row in self.rows}


def cuts(report: Report) -> Iterator[Cut]:
    """Every measure over every column that the report is sliced by, in its order."""
    systems = tuple(system.name for system in report.systems)
    columns = list(dict.fromkeys(report.provenance.get("slices", ())))
    whole = [row for row in report.rows if row.slice is None and row.quantity == "value" and row.versus is None]
    for column in columns:
        here = [row for row in report.rows if row.versus is None and _column_of(row, columns) == column]
        for measure, class_ in dict.fromkeys((row.measure, row.class_) for row in here):
            rows = tuple(row for row in here if (row.measure, row.class_) == (measure, class_))
            overall = tuple(row for row in whole if (row.measure, row.class_) == (measure, class_))
            of = (report, measure, class_)
            yield Cut(column, measure, class_, rows, overall, systems, _wholes(*of), _trials(*of, column))


def _wholes(report: Report, measure: str, class_: str | None) -> dict[str, float]:
    """Every system's value over all rows, from its tallies: the whole may lack some of the measures of groups."""
    found, options = parse(measure)
    out = {}
    for name, tally in () if report.counted is None else report.counted.systems.every():
        settled = _settled(found, options, class_, tally)
        value = None if settled is None else float(found.of(tally, **settled))
        if value is not None and math.isfinite(value):
            out[name] = value
    return out


def _trials(report: Report, measure: str, class_: str | None, column: str) -> dict[tuple[str, str], float]:
    """The rows that a measure rests on in every group: the positives for recall, those called so for precision."""
    slicings = () if report.counted is None else report.counted.slices
    found, options = parse(measure)
    out = {}
    for slicing in slicings:
        for group, each in slicing.groups.items() if slicing.column == column else ():
            for system, tally in each.items():
                share = _share(found, options, class_, tally)
                if share is not None:
                    out[group, system] = share
    return out


def _settled(measure: Measure, options: Mapping[str, Any], class_: str | None, tally: Tally) -> dict[str, Any] | None:
    """The options with which the measure is about this class; None if it is not computed from such tallies."""
    cases = measure.cases(tally, options) if measure.reads_from(tally) else []
    return next((dict(settled) for settled, of in cases if of == class_), None)


def _share(measure: Measure, options: Mapping[str, Any], class_: str | None, tally: Tally) -> float | None:
    settled = _settled(measure, options, class_, tally)
    if settled is None:
        return None
    return measure.bind(tally, **settled).counted(tally)


def _column_of(row: Row, columns: Sequence[str]) -> str | None:
    """The column that a row is sliced by; if several fit, the one with the longest name."""
    where = row.slice or ""
    fitting = [c for c in columns if where == c or (row.quantity != "gap" and where.startswith(f"{c}="))]
    return max(fitting, key=len, default=None)
