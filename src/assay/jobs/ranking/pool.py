"""What documents without a judgment could make of the primary measure: none of them relevant, or all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.jobs.ranking.facts import Top
from assay.measures.declare.catalogue import resolve, titled
from assay.measures.declare.measure import Measure
from assay.tables import Cell, Section
from assay.tally.rankings import Ranked
from assay.texts import decimals_of, numeral
from assay.uncertainty.one.estimate import estimate

NOTE = (
    "documents among the first {depth} that nobody judged, as if none or all were relevant; either way: from the lower "
    "limit of the one to the upper limit of the other"
)


def pool_sections(
    tallies: Mapping[str, Ranked], tops: Mapping[str, Top], depth: int, primary: str | Measure, asked: Mapping[str, Any]
) -> Iterator[Section]:
    """A line for each run, if any document at the top of their lists was not judged."""
    if not any(top.unjudged for top in tops.values()):
        return
    rows = tuple((name, _cells(tally, tops[name], depth, primary, asked["level"])) for name, tally in tallies.items())
    measure, options = resolve(primary, {})
    what = titled(measure.spelled(options))
    heads = ("unjudged", "irrelevant", "relevant", "either way")
    yield Section(f"{what} if they are", heads, rows, NOTE.format(depth=depth))


def _cells(tally: Ranked, top: Top, depth: int, primary: str | Measure, level: float) -> tuple[Cell, ...]:
    """The unjudged share, the measure in both cases, and the range of both intervals."""
    measure, options = resolve(primary, {})
    none, every = (
        estimate(measure, replace(tally, lists=tally.lists.unjudged_as(relevant, depth)), level=level, **options)
        for relevant in (False, True)
    )
    shown = Cell("–") if top.unjudged is None else Cell(f"{top.unjudged:.0%}", value=top.unjudged)
    every_number = (none.value, every.value, none.low, every.high)
    places = decimals_of([x for x in every_number if x is not None])
    first, last, low, high = ("–" if x is None else numeral(x, f".{places}f") for x in every_number)
    return shown, Cell(first, value=none.value), Cell(last, value=every.value), Cell(f"{low} – {high}")
