"""What a page shows of a difference: how far it lies from what chance alone gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from assay.errors import OptionError, plural
from assay.report.contest import Contest
from assay.report.histogram import Histogram, histogram_of
from assay.report.page.blocks import Block, Columns, Facts, Figure, Folded, Part, Prose, Table
from assay.report.page.difference_words import bar_words, chance_words, facts, supposed
from assay.report.pair_chart import MOST, is_found, pair_chart
from assay.report.report import Report, Row
from assay.report.text import short
from assay.report.words import digits, estimate, interval, of_difference, with_sign
from assay.report.words import name as titled
from assay.tally.sampling import Floats
from assay.tally.section import Cell, Section
from assay.uncertainty.results import Comparison
from assay.uncertainty.words import CORRECTION_NAMES, p_number, percent

WORK = 10_000_000  # numbers drawn for a picture: a few seconds


def difference_parts(report: Report) -> Iterator[Part]:
    """The one difference against its null hypothesis, or all differences around 0."""
    contest = report.contest
    if contest is None or not contest.tested:
        return
    yield _of_two(report, contest) if len(contest.tested) == 1 else _of_many(report, contest)


# ---------------------------------------------------------------------- two systems
def _of_two(report: Report, contest: Contest) -> Part:
    (c,) = contest.tested
    sampled = "cluster" if "clusters" in report.provenance else c.item
    nav = " against ".join(short(name, 12) for name in c.names)
    if c.difference is None:
        return Part("difference", "Is the difference real?", nav, (Prose((c.verdict,)),))
    (null, _), (drawn, refused) = _draws(c, "null difference"), _draws(c, "difference")
    chart = None if null is None and drawn is None else histogram_of(c, null, drawn)
    lead = tuple(bar_words(c) if chart is None else chance_words(c, null, drawn, sampled))
    blocks: list[Block] = [_beside(c, chart, contest.contrast)]
    if refused is not None:
        blocks.append(Prose((f"The difference is not drawn again here: {refused}",), "note"))
    if c.p_value is not None:
        blocks.append(Folded((Facts(supposed(c)),), "What the test supposes, and what p is"))
    return Part("difference", "Is the difference real?", nav, tuple(blocks), lead)


def _draws(c: Comparison, of: str) -> tuple[Floats | None, str | None]:
    """The draws of a comparison, or why there are none."""
    if c.replicates is None:
        return None, c.reason
    draw: Callable[..., Floats] = c.replicates
    try:
        found = draw(of, WORK)
    except OptionError as refused:
        return None, str(refused)
    return (found, None) if np.isfinite(found).any() else (None, "the measure is undefined in every draw.")


def _beside(c: Comparison, chart: Histogram | None, contrast: str | None) -> Block:
    """The chart with the numbers beside it; where nothing was drawn, the difference with its interval around 0."""
    numbers = Facts((*facts(c), *([("In other words", contrast)] if contrast else [])))
    if chart is not None:
        return Columns((Figure("difference", chart), numbers))
    plain = pair_chart((c,))
    return numbers if plain is None else Columns((Figure("difference", plain), numbers))


# ---------------------------------------------------------------------- many systems
def _of_many(report: Report, contest: Contest) -> Part:
    chart = pair_chart(contest.tested)
    table = Table(_standings(report, contest))
    found = sum(is_found(c) for c in contest.tested)
    lead = [
        f"{found:,} of {plural(len(contest.tested), 'difference')} in {titled(contest.primary)} "
        f"{'is' if found == 1 else 'are'} more than chance explains{_after(contest)}. Whether intervals overlap "
        "decides nothing: every pair is tested by itself."
    ]
    known = sum(c.difference is not None for c in contest.tested)
    if known > MOST:
        lead.append(f"The {MOST} largest of {known:,} differences are drawn; the table has all of them.")
    blocks: list[Block] = [table if chart is None else Columns((Figure("pairs", chart), table)), Table(_pairs(contest))]
    tested = next((c for c in contest.tested if c.p_value is not None), None)
    if tested is not None:
        blocks.append(Folded((Facts(supposed(tested, many=True)),), "What the tests suppose, and what p is"))
    return Part("difference", "Which systems differ?", "Differences", tuple(blocks), tuple(lead))


def _after(contest: Contest) -> str:
    name = CORRECTION_NAMES.get(contest.correction)
    return "" if name is None else f", after {name} over all of them"


def _standings(report: Report, contest: Contest) -> Section:
    """The systems by value; where every two were compared, the ranks that are possible and who is not told apart."""
    if not contest.standings:
        primary = [row for row in report.rows if row.measure == contest.primary and row.quantity == "value"]
        values = tuple((row.system, (_value(row),)) for row in primary if row.slice is None)
        return Section("systems", (titled(contest.primary),), values)
    rows = tuple(
        (s.system, (_value(Row.of(s.estimate, s.system)), Cell(s.rank), Cell(s.groups))) for s in contest.standings
    )
    told = "ranks are those that the comparisons leave open; systems that share a letter cannot be told apart"
    return Section("systems", (titled(contest.primary), "rank", "group"), rows, told)


def _value(row: Row) -> Cell:
    return Cell("undefined") if row.value is None else Cell(estimate(row), "" if row.low is None else interval(row))


def _pairs(contest: Contest) -> Section:
    rows = tuple((f"{c.names[0]} − {c.names[1]}", _cells(c)) for c in contest.tested)
    level = percent(contest.tested[0].level)
    alone = "" if contest.correction == "none" else "intervals are those of each pair alone; p is corrected for all"
    by = "p" if contest.correction == "none" else f"p, {CORRECTION_NAMES[contest.correction]}"
    return Section("differences", ("difference", f"{level} interval", by, "outcome"), rows, alone)


def _cells(c: Comparison) -> tuple[Cell, ...]:
    if c.difference is None:
        return Cell("–"), Cell("–"), Cell("–"), Cell("not comparable")
    row = Row.of_difference(c)
    places = digits(row)
    p = c.p_value if c.p_adjusted is None else c.p_adjusted
    said = {"better": f"{short(c.names[0])} is better", "worse": f"{short(c.names[1])} is better"}
    at_most = "≤ " if c.extreme == 0 else ""
    return (
        Cell(with_sign(c.difference, places)),
        Cell(of_difference(row, write=with_sign)),
        Cell("–" if p is None else f"{at_most}{p_number(p)}"),
        Cell(said.get(c.outcome, c.outcome)),
    )
