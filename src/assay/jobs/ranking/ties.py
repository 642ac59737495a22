"""What the order of documents with equal scores can make of a measure: the worst, the mean and the best of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.errors import joined
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import resolve, titled
from assay.tables import Cell, Section
from assay.tally.rankings import Ranked
from assay.texts import decimals_of, numeral

HEADS = ("by document id", "worst order", "mean of all orders", "best order")


def tie_sections(report: Report, tallies: Mapping[str, Ranked]) -> Iterator[Section]:
    """A table for each run, with a line for each measure."""
    for name, tally in tallies.items():
        measures = dict.fromkeys(
            row.measure
            for row in report.rows
            if row.system == name and row.quantity == "value" and row.slice is None and row.value is not None
        )
        found = {titled(measure): _over_orders(measure, tally) for measure in measures}
        rows = tuple((measure, _cells(each)) for measure, (each, _) in found.items())
        of = f"{name}, equal scores" if len(tallies) > 1 else "equal scores"
        note = "documents with equal scores are ranked by id, as trec_eval ranks them"
        drawn = {measure: draws for measure, (_, draws) in found.items() if draws}
        if drawn:
            draws = max(drawn.values())
            note += f"; the mean of {joined(list(drawn))} is over {draws:,} random orders"
        yield Section(of, HEADS, rows, note)


def _over_orders(spelling: str, tally: Ranked) -> tuple[tuple[float | None, ...], int]:
    """The value as it is, in the worst order, over all orders, and in the best one; and how many orders were drawn."""
    from assay.measures.rankings.ties import VALUES, expected

    measure, options = resolve(spelling, {})
    lists = tally.lists
    own, worst, best = (
        measure.of(replace(tally, lists=each), **options) for each in (lists, lists.worst_ties, lists.best_ties)
    )
    mean, draws = None, 0
    if measure.name in VALUES:
        settled: dict[str, Any] = measure.bind(tally, **options).own
        over = expected(measure.name, lists, **settled)
        mean, draws = float(over.each[tally.keys["list"]].mean()), over.draws
    return (own, worst, mean, best), draws


def _cells(values: tuple[float | None, ...]) -> tuple[Cell, ...]:
    places = decimals_of([x for x in values if x is not None])
    return tuple(Cell("–") if x is None else Cell(numeral(x, f".{places}f"), value=x) for x in values)
