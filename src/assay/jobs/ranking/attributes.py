"""What else is known of queries: the groups they are compared in, and which of them belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, listed, plural, written
from assay.jobs.ranking.runs import Runs
from assay.sources.columns import QUERIES, compact, find
from assay.sources.frames import count_rows, table_of
from assay.sources.read.table import Table
from assay.tally.contract.sampling import collect_clusters
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Slicing
from assay.tally.rankings import Ranked

Values = Sequence[str | None]  # of each query that counts


def with_attributes(runs: Runs, asked: Mapping[str, Any]) -> tuple[dict[str, Ranked], list[Slicing], dict[str, Any]]:
    """The tallies, with clusters if there are any; the groups of queries; and what was read."""
    columns = [asked["slices"]] if isinstance(asked["slices"], str) else list(dict.fromkeys(asked["slices"]))
    cluster, data = asked["cluster"], asked["query_attributes"]
    tallies = dict(runs.tallies)
    if data is None:
        if columns or cluster is not None:
            flag = written("--slice" if columns else "--cluster", "slices=" if columns else "cluster=")
            raise OptionError(
                f"{flag} names an attribute of queries; name the table that has it with "
                f"{written('--query-attributes FILE', 'query_attributes=')}."
            )
        return tallies, [], {}
    if not columns and cluster is None:
        raise OptionError(
            f"{written('--query-attributes', 'query_attributes')} is given, but no attribute is used; name one with "
            f"{written('--slice COL or --cluster COL', 'slices= or cluster=')}."
        )
    table = table_of(data)
    wanted = [find("slice", table.columns, column, source=table.name) for column in columns]
    named = None if cluster is None else find("cluster", table.columns, cluster, source=table.name)
    used = [*wanted, *([] if named is None else [named])]
    values = _values(table, _query_column(table, asked["query"], used), used, runs.first.unit_names)
    facts: dict[str, Any] = {"query attributes": table.name}
    if named is not None:
        tallies = _clustered(tallies, values[named], named, table.name)
        facts |= {"cluster": named, "clusters": len(set(values[named]))}
    slicings = [_slicing(tallies, column, values[column]) for column in wanted]
    return tallies, slicings, facts | ({"slices": wanted} if wanted else {})


def _query_column(table: Table, given: str | None, others: Sequence[str]) -> str:
    """The column of queries: the one named for all tables if it is there, or the first with a usual name."""
    if given is not None and given in table.columns:
        return given
    free = {compact(column): column for column in table.columns if column not in others}
    usual = [free[name] for name in QUERIES if name in free]
    return usual[0] if usual else find("query", table.columns, given, source=table.name, names=QUERIES)


def _values(table: Table, query: str, columns: Sequence[str], queries: Sequence[str]) -> dict[str, Values]:
    """The attributes of every query that counts, in their order."""
    texts, counts = count_rows(table, list(dict.fromkeys([query, *columns])), labels=[query])
    names = texts[query].tolist()
    place = {name: i for i, name in enumerate(names)}
    repeated = [name for name, n in zip(names, counts.tolist(), strict=True) if n > 1 and name is not None]
    if repeated or len(place) < len(names):
        twice = repeated or [name for name in place if names.count(name) > 1]
        raise DataError(f"{table.name} has several rows for query {listed(twice, 1)}; give each query one row.")
    if not any(name in place for name in queries):
        raise DataError(
            f"{table.name} has none of the judged queries in column '{query}': it has {listed(place, 3)}, and the "
            f"judgments have {listed(queries, 3)}. Name another column with {written('--query', 'query=')}."
        )
    return {column: [texts[column][place[q]] if q in place else None for q in queries] for column in columns}


def _clustered(tallies: Mapping[str, Ranked], values: Values, column: str, source: str) -> dict[str, Ranked]:
    names = tallies[next(iter(tallies))].unit_names
    lacking = [query for query, value in zip(names, values, strict=True) if value is None]
    if lacking:
        has = "query has" if len(lacking) == 1 else "queries have"
        raise DataError(
            f"{source}: {len(lacking):,} judged {has} no value in '{column}' (first: {listed(lacking, 3)}); every "
            "query needs a cluster."
        )
    clusters = tuple(sorted({str(value) for value in values}))
    place = {name: i for i, name in enumerate(clusters)}
    codes = np.array([place[str(value)] for value in values], np.int64)
    units = np.arange(len(codes))
    made = collect_clusters(clusters, codes, units, np.ones(len(codes), np.int64))
    return {name: replace(tally, clusters=made) for name, tally in tallies.items()}


def _slicing(tallies: Mapping[str, Ranked], column: str, values: Values) -> Slicing:
    """The queries of each value, as tallies of their own."""
    from assay.sources.arrays import order_labels

    groups = order_labels({value for value in values if value is not None})
    place: dict[str | None, int] = {name: i for i, name in enumerate(groups)}
    member = np.array([place.get(value, -1) for value in values], np.int64)

    def part(tally: Ranked, i: int) -> Ranked:
        return replace(tally.only(member == i), skipped=0, strangers=0)

    held = {group: Systems({name: part(tally, i) for name, tally in tallies.items()}) for i, group in enumerate(groups)}
    return Slicing(column, held, int((member < 0).sum()), member)


def ungrouped(slicings: Sequence[Slicing]) -> list[str]:
    """Notes on queries that are in no group."""
    return [
        f"{plural(s.without, 'query')} {'has' if s.without == 1 else 'have'} no value in '{s.column}' and "
        f"{'is' if s.without == 1 else 'are'} in no group"
        for s in slicings
        if s.without
    ]
