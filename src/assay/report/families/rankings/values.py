"""The values of single queries by the measure that a page is about, and two systems side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.jobs.answers.results import Report, Row
from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.families.view import Material
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.rankings import Ranked
from assay.uncertainty.results import Comparison

USUAL = 10  # results that a reader looks at, where no cut-off was named
ROOM = 0.04  # of the reach of values without known ends, beyond the outermost
SAME = 1e-12  # values closer than this differ only by rounding


@dataclass(frozen=True, eq=False)
class Values:
    """A measure that is a mean over queries, and the value of every query of each system."""

    bound: Bound
    measure: str
    each: Mapping[str, Floats]
    tallies: Mapping[str, Ranked]

    @property
    def title(self) -> str:
        """The measure for people."""
        return titled(self.measure)

    @property
    def lower(self) -> bool:
        """Whether lower values are better."""
        return self.bound.measure.higher_is_better is False

    @property
    def within(self) -> tuple[float, float]:
        """The range of the measure, or of the values where it has no end."""
        low, high = self.bound.range
        if np.isfinite([low, high]).all():
            return float(low), float(high)
        every = np.concatenate(list(self.each.values()))
        low, high = float(every.min()), float(every.max())
        room = ROOM * (high - low) or 0.5
        return low - room, high + room

    def mean(self, name: str) -> float:
        """The mean of a system's queries."""
        return float(np.average(self.each[name], weights=self.tallies[name].mass))


def measured(report: Report) -> Iterator[str]:
    """The measure that the page is about, then the others."""
    if report.contest is not None:
        yield report.contest.primary
    yield from (system.primary for system in report.systems)
    yield from (row.measure for row in report.rows if row.quantity == "value")


def values_of(material: Material) -> Values | None:
    """The values by the first of the measures that has one for every query."""
    tallies = material.of(Ranked)
    for spelling in dict.fromkeys(measured(material.report)):
        found = parse_known(spelling)
        if found is None:
            continue
        measure, options = found
        if not all(measure.reads_from(tally) for tally in tallies.values()):
            continue
        bound = measure.bind(next(iter(tallies.values())), **options)
        means = {name: bound.mean(tally) for name, tally in tallies.items()}
        each = {name: np.asarray(mean.each, np.float64) for name, mean in means.items() if mean is not None}
        if len(each) == len(means) and all(len(x) and np.isfinite(x).all() for x in each.values()):
            return Values(bound, spelling, each, tallies)
    return None


def row_of(report: Report, system: str, measure: str) -> Row | None:
    """The row of a system's value."""
    rows = (row for row in report.rows if row.quantity == "value" and row.slice is None)
    return next((row for row in rows if row.system == system and row.measure == measure), None)


def cut_of(values: Values | None) -> int:
    """How many results the measure looks at, or as many as readers usually do."""
    k = None if values is None else values.bound.options.get("k")
    return int(k) if k is not None else USUAL


# ---------------------------------------------------------------------- two systems
@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems on the same queries; the differences are in favor of the first where they are above 0."""

    names: tuple[str, str]
    queries: Any  # their names, in the order of the values
    first: Floats
    second: Floats
    weight: Floats
    lower: bool
    comparison: Comparison | None
    runner_up: bool = False  # whether they are the best of more systems

    @property
    def gain(self) -> Floats:
        """How much better the first system is on each query."""
        apart = self.second - self.first if self.lower else self.first - self.second
        return np.where(np.abs(apart) <= SAME, 0.0, apart)

    @property
    def mean(self) -> float:
        """The mean of that."""
        return float(np.average(self.gain, weights=self.weight))

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The interval of that mean, if the two were compared."""
        c = self.comparison
        if c is None or c.low is None or c.high is None:
            return None, None
        return (c.low, c.high) if (c.names == self.names) != self.lower else (-c.high, -c.low)

    @property
    def wins(self) -> tuple[int, int, int]:
        """On how many queries the first system is better, neither, and the second."""
        gain = self.gain
        return int((gain > 0).sum()), int((gain == 0).sum()), int((gain < 0).sum())


def pair_of(material: Material, values: Values) -> Pair | None:
    """The two systems, or the two best of more; None for one system, or where queries differ."""
    names = list(values.each)
    if len(names) < 2 or material.report.asked.get("unpaired"):
        return None
    many = len(names) > 2
    if many:
        names = sorted(names, key=values.mean, reverse=not values.lower)[:2]
    a, b = names
    order = together(values.tallies[a], values.tallies[b])
    if order is None:
        return None
    contest = material.report.contest
    tested = () if contest is None or contest.primary != values.measure else contest.tested
    compared = next((c for c in tested if {*c.names} == {a, b} and c.difference is not None), None)
    first, second = (values.each[name][at] for name, at in zip(names, order, strict=True))
    tally = values.tallies[a]
    queries = np.array(tally.queries, object)[tally.keys["query"][order[0]]]
    return Pair((a, b), queries, first, second, tally.mass[order[0]], values.lower, compared, many)


def together(a: Ranked, b: Ranked) -> tuple[Ints, Ints] | None:
    """The places of the same queries in two tallies; None if one has queries that the other lacks."""
    x, y = a.keys["query"], b.keys["query"]
    if len(x) != len(y):
        return None
    if a.queries != b.queries:
        at = {name: i for i, name in enumerate(a.queries)}
        if not all(name in at for name in b.queries):
            return None
        y = np.array([at[name] for name in b.queries], np.int64)[y]
    orders = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
    return orders if np.array_equal(x[orders[0]], y[orders[1]]) else None
