"""Values query by query: who is ahead how often, where runs differ most, and all of them as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from assay.errors import DataError, plural
from assay.jobs.answers.contest import ALL_PAIRS
from assay.jobs.answers.results import Report
from assay.jobs.answers.row_texts import value_text
from assay.jobs.comparison.items import item_values
from assay.measures.declare.catalogue import resolve, titled
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import Ranked
from assay.texts import csv_text, decimals_of, numeral, rounded_up, signed
from assay.uncertainty.one.shares import normal_quantile
from assay.uncertainty.results import Comparison

MOST = 5  # queries that differ most
EQUAL = 1e-12  # differences up to this are due to rounding
POWER = 0.8


def values_of(tally: Tally, spelling: Any) -> Floats | None:
    """The value of every query, if the measure is their mean."""
    measure, options = resolve(spelling, {})
    return item_values(measure.bind(tally, **options), tally)


def sections_of(
    report: Report, systems: Mapping[str, Tally], lacking: Mapping[str, frozenset[str]]
) -> Iterator[Section]:
    """Wins and losses of each pair, the queries that differ most, and the smallest gap between neighbors.

    `lacking` has the queries that each run does not have.
    """
    assert report.contest is not None
    primary = report.contest.primary
    if len(systems) > 2:
        yield from _all_values(report)
    each = {name: values_of(tally, primary) for name, tally in systems.items()}
    known = {name: values for name, values in each.items() if values is not None}
    if len(known) < len(each):
        return
    yield _wins(report.contest.tested, known, primary)
    names = next(iter(systems.values())).unit_names
    if names is not None:
        yield from _apart(known, names, primary, lacking)
    if report.contest.standings:
        yield from _gap(report.contest.tested, [s.system for s in report.contest.standings], primary)


def _all_values(report: Report) -> Iterator[Section]:
    """Every measure of every run, where the others show only the one that was tested."""
    rows = [row for row in report.rows if row.quantity == "value" and row.slice is None]
    measures = list(dict.fromkeys(row.measure for row in rows))
    if len(measures) < 2:
        return
    found = {(row.system, row.measure): row for row in rows}
    lines = []
    for system in report.systems:
        each = (found.get((system.name, measure)) for measure in measures)
        cells = (
            Cell("–") if row is None or row.value is None else Cell(value_text(row), value=row.value) for row in each
        )
        lines.append((system.name, tuple(cells)))
    yield Section("all measures", tuple(map(titled, measures)), tuple(lines), "intervals: --format md", role="values")


def _wins(tested: Sequence[Comparison], values: Mapping[str, Floats], primary: str) -> Section:
    rows = []
    for c in tested:
        d = values[c.names[0]] - values[c.names[1]]
        higher, lower = int((d > EQUAL).sum()), int((d < -EQUAL).sum())
        cells = tuple(Cell.of(n, f"{n / len(d):.0%}") for n in (higher, len(d) - higher - lower, lower))
        rows.append((f"{c.names[0]} vs. {c.names[1]}", cells))
    order = list(values)
    near = tuple(i for i, c in enumerate(tested) if abs(order.index(c.names[0]) - order.index(c.names[1])) == 1)
    note = f"queries by {titled(primary)}"
    brief = near if len(values) > ALL_PAIRS else None
    return Section("query by query", ("higher", "equal", "lower"), tuple(rows), note, beside="shares", brief=brief)


def _apart(
    values: Mapping[str, Floats], names: Sequence[str], primary: str, lacking: Mapping[str, frozenset[str]]
) -> Iterator[Section]:
    """The queries in which runs differ most, with the value of each; those that a run lacks come last."""
    lacked = frozenset().union(*lacking.values())
    table = np.stack(list(values.values()), axis=1)
    apart = table[:, 0] - table[:, 1] if table.shape[1] == 2 else np.ptp(table, axis=1)
    order = sorted(range(len(names)), key=lambda i: (names[i] in lacked, -round(abs(float(apart[i])), 12), names[i]))
    shown = [i for i in order[:MOST] if abs(apart[i]) > EQUAL]
    if not shown:
        return
    places = decimals_of(table[shown].ravel().tolist())
    rows = []
    for i in shown:
        cells = [
            Cell("missing" if names[i] in lacking[name] else numeral(float(x), f".{places}f"), value=float(x))
            for name, x in zip(values, table[i], strict=True)
        ]
        gap = float(apart[i])
        text = signed(gap, places) if table.shape[1] == 2 else numeral(gap, f".{places}f")
        rows.append((names[i], (*cells, Cell(text, value=gap))))
    last = "difference" if table.shape[1] == 2 else "highest − lowest"
    yield Section("queries that differ most", (*values, last), tuple(rows), f"by {titled(primary)}", role="queries")


def _gap(tested: Sequence[Comparison], order: Sequence[str], primary: str) -> Iterator[Section]:
    """The smallest gap between neighbors in rank, and how likely these queries are to show one of that size."""
    near = {frozenset(pair) for pair in pairwise(order)}
    found = [c for c in tested if frozenset(c.names) in near and c.difference and c.standard_error]
    if not found:
        return
    c = min(found, key=lambda c: abs(c.difference or 0.0))
    size, error = abs(c.difference or 0.0), c.standard_error or math.nan
    z = normal_quantile(c.level)
    power = _normal(size / error - z) + _normal(-size / error - z)
    needed = math.ceil(c.n * ((z + normal_quantile(2 * POWER - 1)) * error / size) ** 2)
    cells = (
        Cell(numeral(size, ".4f"), value=size),
        Cell(f"{power:.0%}", value=power),
        Cell(f"{rounded_up(needed):,}", value=needed),
    )
    columns = ("difference", f"power with {plural(c.n, c.item)}", f"{'queries'} for {POWER:.0%}")
    note = f"of neighbors in rank by {titled(primary)}; if the true difference were this one, and for one test alone"
    yield Section("smallest gap", columns, ((f"{c.names[0]} vs. {c.names[1]}", cells),), note)


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


# ---------------------------------------------------------------------- all queries
def per_query(report: Report) -> dict[str, list[Any]]:
    """A column of queries, and one for each run and measure that is a mean over queries."""
    measures = dict.fromkeys(row.measure for row in report.rows if row.quantity == "value" and row.slice is None)
    systems = {} if report.counted is None else dict(report.counted.systems.items())
    if not systems or not all(isinstance(tally, Ranked) for tally in systems.values()):
        raise DataError("only reports of rankings have values for each query; this one is of something else.")
    many = len(systems) > 1
    columns: dict[str, list[Any]] = {"query": list(next(iter(systems.values())).unit_names)}
    for name, tally in systems.items():
        for measure in measures:
            values = values_of(tally, measure)
            if values is not None:
                columns[f"{name} {measure}" if many else measure] = values.tolist()
    return columns


def per_query_csv(report: Report, *, raw: bool = False) -> str:
    """The same as CSV."""
    columns = per_query(report)
    return csv_text([tuple(columns), *zip(*columns.values(), strict=True)], raw=raw)
