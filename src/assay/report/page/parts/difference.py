"""The part of a page on a difference: how far it lies from what chance alone gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import OptionError, in_plural, plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row, standing_row
from assay.jobs.answers.row_texts import digits, interval, of_difference, value_text
from assay.measures.declare.catalogue import titled
from assay.options import MCNEMAR
from assay.report.charts.distributions import histogram_of
from assay.report.charts.dots import MOST, is_found, pair_chart
from assay.report.contents.blocks import Block, Columns, Facts, Figure, Folded, Part, Prose, Table
from assay.report.contents.opening import Frequencies, Split
from assay.report.names import short
from assay.report.page.parts.square import square_of
from assay.report.words.comparisons import (
    CORRECTION_NAMES,
    MEANING,
    TEST_NAMES,
    could_find,
    effects,
    final_p_text,
    how,
    hypotheses,
    p_text,
    settles,
)
from assay.report.words.summary import of_measure
from assay.tables import Cell, Section
from assay.tally.contract.sampling import Floats
from assay.texts import percent, share_text, signed
from assay.uncertainty.results import Comparison

HYPOTHESES = "The hypotheses, and what p means"


def chance_words(c: Comparison, null: Floats | None, drawn: Floats | None, sampled: str) -> Iterator[str]:
    """What the bars are, where the difference lies among them, and how p was found; `sampled` is the unit drawn."""
    said = []
    if null is not None:
        said += [_gray(c, null, sampled), _where(c, null)]
    if drawn is not None:
        bars = "blue bars" if null is not None else "bars"
        said.append(f"The {bars} show the difference in {_again(drawn, sampled)}.")
    if c.p_value is not None:
        said.append(_found(c, null))
    elif c.test == "none":
        said.append("No test was made.")
    if said:
        yield " ".join(said)
    yield from _alone(c)


def bar_words(c: Comparison) -> Iterator[str]:
    """What the interval shows, if there are no draws."""
    said = []
    if c.interval is not None:
        where = "contains 0" if 0.0 in c.interval else "excludes 0"
        said.append(f"The {percent(c.level)} interval of the difference {where}.")
    if c.p_value is not None:
        said.append(_found(c, None))
    if said:
        yield " ".join(said)
    yield from _alone(c)


def _gray(c: Comparison, null: Floats, sampled: str) -> str:
    a, b = c.names
    times = f"{len(null):,} times"
    if _exchanges(c):
        by = "answers" if c.effect.d_z is None else "values"
        by = "ranks" if c.hypotheses is not None and c.hypotheses.swapped == "ranks" else by
        each = f"{sampled} by {sampled}"
        return f"If {a} and {b} were alike, swapping their {by} at random, {each}, would give the gray bars ({times})."
    return f"If the true difference were 0, new samples of {in_plural(sampled)} would give the gray bars ({times})."


def _exchanges(c: Comparison) -> bool:
    """Whether the null hypothesis makes the systems exchangeable, rather than only the difference 0."""
    return c.test in ("randomization", "wilcoxon", "sign", *MCNEMAR)


def _where(c: Comparison, null: Floats) -> str:
    """Where the observed difference lies among those that chance alone gives."""
    far, many = far_out(c, null), len(null)
    observed = f"observed difference of {signed(c.difference or 0.0, c.places[2])}"
    side = {"two-sided": "as far from 0", "greater": "as high", "less": "as low"}[c.alternative]
    if far == 0:
        return f"The {observed} lies outside all of them."
    lie = "lies" if far == 1 else "lie"
    return f"{far:,} of {many:,} of them ({share_text(far / many)}) {lie} at least {side} as the {observed}."


def far_out(c: Comparison, null: Floats) -> int:
    """How many of the differences that chance gave are at least as extreme as the observed one."""
    observed = c.difference or 0.0
    slack = 1e-9 * max(abs(observed), 1e-3)
    known = null[np.isfinite(null)]
    if c.alternative == "greater":
        return int((known >= observed - slack).sum())
    if c.alternative == "less":
        return int((known <= observed + slack).sum())
    return int((np.abs(known) >= abs(observed) - slack).sum())


def _again(drawn: Floats, sampled: str) -> str:
    lost = int((~np.isfinite(drawn)).sum())
    left = f" ({lost:,} in which it is undefined are left out)" if lost else ""
    return f"{len(drawn):,} resamples of these {in_plural(sampled)}, drawn with replacement{left}"


def _found(c: Comparison, null: Floats | None) -> str:
    """The p-value, and how it was found if not from the gray bars alone."""
    p = p_text(c)
    if null is None:
        return f"{p} ({how(c)})."
    if c.form:
        return f"{p} was not counted from these draws: it comes {c.form}."
    if c.extreme is None and c.draws is not None and c.test == "randomization":
        each = ", each relative to its own standard error" if c.is_studentized else ""
        return f"{p} was not counted from these draws: it is exact, over all {plural(c.draws, 'outcome')}{each}."
    if c.is_studentized:
        return (
            f"{p}: the test takes every difference relative to its own standard error, and {c.extreme or 0:,} of "
            f"{c.draws or 0:,} draws were at least as extreme."
        )
    if c.extreme is None or c.test not in ("randomization", "bootstrap"):
        return f"{p} was not counted from these draws: it comes from the {TEST_NAMES.get(c.test, c.test)}."
    return f"{p}, from {c.extreme:,} of {c.draws or 0:,} draws at least as extreme."


def _alone(c: Comparison) -> Iterator[str]:
    """Who was right where the other was not."""
    e, (a, b) = c.effect, c.names
    if e.only_a is None or e.only_b is None:
        return
    one = e.only_a + e.only_b
    if not one:
        yield f"There is no {e.counted or c.item} that only one of the two got right."
        return
    things = plural(one, e.counted or c.item)
    yield f"Of {things} that exactly one of the two got right, {a} got {e.only_a:,} and {b} {e.only_b:,}."


# ---------------------------------------------------------------------- terms
def facts(c: Comparison, opening: Sequence[Block] = ()) -> tuple[tuple[str, str], ...]:
    """What the opening of the page leaves out, each under its name."""
    out, told = [], any(isinstance(block, Split) for block in opening)
    if c.p_value is not None:
        out.append(("Test", f"{p_text(c)} ({how(c)})"))
    if c.margin is not None and c.margin.low is not None and c.margin.high is not None:
        limits = _between(c.margin.low, c.margin.high, c.places[2])
        out.append((f"Within {c.margin.margin:g}?", f"{percent(c.margin.level)} interval {limits}: {_within(c)}"))
    effect = effects(c, right=not told)
    if effect:
        out.append(("Effect" if told or c.effect.only_a is None else "Who was right", effect))
    if c.mde is not None and not told:
        out.append(("Sensitivity", could_find(c)))
    if settles(c):
        out.append(("To settle it", settles(c)))
    return tuple(out)


def _between(low: float, high: float, places: int) -> str:
    return f"{signed(low, places)} to {signed(high, places)}"


def _within(c: Comparison) -> str:
    assert c.margin is not None
    return "equivalent" if c.margin.equivalent else "equivalence is not established"


def supposed(c: Comparison, *, many: bool = False) -> tuple[tuple[str, str], ...]:
    """The hypotheses of the test, why this test was chosen, and what p means."""
    of_each = f" The same goes for every pair; this one is {' vs. '.join(c.names)}." if many else ""
    h0, h1 = hypotheses(c)
    out = [("Null hypothesis (H0)", f"{h0}{of_each}"), ("Alternative (H1)", h1)]
    if c.why and c.why != "as asked":
        out.append(("Why this test", f"{c.why}."))
    return (*out, ("What p means", MEANING))


WORK = 10_000_000  # numbers drawn for a chart: a few seconds


@dataclass(frozen=True)
class Draws:
    """The differences that chance alone gives and those of resamples; None where there are none, and why."""

    null: Floats | None = None
    drawn: Floats | None = None
    refused: str | None = None


def draws_of(report: Report) -> Draws:
    """The draws of the one comparison of two systems, for its charts."""
    contest = report.contest
    if contest is None or len(contest.tested) != 1 or contest.tested[0].difference is None:
        return Draws()
    (c,) = contest.tested
    (null, _), (drawn, refused) = _draws(c, "null difference"), _draws(c, "difference")
    return Draws(null, drawn, refused)


def difference_parts(report: Report, draws: Draws, opening: Sequence[Block] = ()) -> Iterator[Part]:
    """The one difference against its null hypothesis, or all differences around 0; the opening is not repeated."""
    contest = report.contest
    if contest is None or not contest.tested:
        return
    yield _of_two(report, contest, draws, opening) if len(contest.tested) == 1 else _of_many(report, contest)


# ---------------------------------------------------------------------- two systems
def _of_two(report: Report, contest: Contest, draws: Draws, opening: Sequence[Block]) -> Part:
    (c,) = contest.tested
    sampled = "cluster" if "clusters" in report.provenance else c.item
    if c.difference is None:
        return Part("difference", "The systems cannot be compared", "Difference", (Prose((c.verdict,)),))
    null, drawn, refused = draws.null, draws.drawn, draws.refused
    chart = None if null is None and drawn is None else histogram_of(c, null, drawn)
    found = tuple(bar_words(c) if chart is None else chance_words(c, null, drawn, sampled))
    made: list[Block] = [Prose(found)] if found else []
    made += [] if chart is None else [Figure("difference", chart)]
    if refused is not None:
        made.append(Prose((f"The difference is not resampled here: {refused}",), "note"))
    drawn_so = any(isinstance(block, Frequencies) for block in opening)
    words = (("In other words", contest.contrast),) if contest.contrast and not drawn_so else ()
    blocks: list[Block] = [Facts((*facts(c, opening), *words))]
    if made:
        blocks.append(Folded(tuple(made), "How the interval was found" if c.p_value is None else "How p was found"))
    if c.p_value is not None:
        blocks.append(Folded((Facts(supposed(c)),), HYPOTHESES))
    return Part("difference", _heading(c), "Difference", tuple(blocks))


def _heading(c: Comparison) -> str:
    """What the test and the interval say about 0."""
    if c.p_value is None:
        return "No test was made" if c.interval is None else _about_zero(c)
    if c.interval is None:
        return f"{p_text(c)}: how it was found"
    assert c.difference is not None
    gap = f"{signed(c.difference, c.places[2])} in {titled(c.a.measure)}"
    return f"{gap}: {p_text(c)}, and {_about_zero(c)}"


def _about_zero(c: Comparison) -> str:
    assert c.interval is not None
    return f"the interval {'contains' if 0.0 in c.interval else 'excludes'} 0"


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


# ---------------------------------------------------------------------- many systems
def _of_many(report: Report, contest: Contest) -> Part:
    found = sum(is_found(c) for c in contest.tested)
    finding = (
        f"{found or 'None'} of {plural(len(contest.tested), 'difference')}{of_measure(contest)} "
        f"{'is' if found == 1 else 'are'} larger than chance would explain"
    )
    lead = [f"Whether intervals overlap decides nothing: every pair has its own test{_after(contest)}."]
    square = square_of(report, contest)
    detail: list[Block] = [Columns((*_chart(contest), Table(_standings(report, contest)))), Table(_pairs(contest))]
    blocks: list[Block] = detail if square is None else [square, Folded(tuple(detail), "Every pair with its interval")]
    known = sum(c.difference is not None for c in contest.tested)
    if known > MOST:
        lead.append(f"The {MOST} largest of {known:,} differences are drawn; the table has all of them.")
    tested = next((c for c in contest.tested if c.p_value is not None), None)
    if tested is not None:
        blocks.append(Folded((Facts(supposed(tested, many=True)),), HYPOTHESES))
    return Part("difference", finding, "Differences", tuple(blocks), tuple(lead))


def _chart(contest: Contest) -> Iterator[Block]:
    chart = pair_chart(contest.tested)
    if chart is not None:
        yield Figure("pairs", chart)


def _after(contest: Contest) -> str:
    name = CORRECTION_NAMES.get(contest.correction)
    return "" if name is None else f", corrected for all of them ({name})"


def _standings(report: Report, contest: Contest) -> Section:
    """The systems by value; if every pair was compared, also the possible ranks and who cannot be told apart."""
    if not contest.standings:
        primary = [row for row in report.rows if row.measure == contest.primary and row.quantity == "value"]
        values = tuple((row.system, (_value(row),)) for row in primary if row.slice is None)
        return Section("systems", (titled(contest.primary),), values)
    rows = tuple(
        (s.system, (_value(standing_row(contest, s)), Cell(s.rank), Cell(s.groups))) for s in contest.standings
    )
    told = "ranks are those the comparisons leave possible; systems that share a letter cannot be told apart"
    return Section("systems", (titled(contest.primary), "rank", "group"), rows, told)


def _value(row: Row) -> Cell:
    return Cell("undefined") if row.value is None else Cell(value_text(row), "" if row.low is None else interval(row))


def _pairs(contest: Contest) -> Section:
    rows = tuple((f"{c.names[0]} − {c.names[1]}", _cells(c)) for c in contest.tested)
    level = percent(contest.tested[0].level)
    alone = "" if contest.correction == "none" else "each interval is for its pair alone; p is corrected for all pairs"
    by = "p" if contest.correction == "none" else f"p, {CORRECTION_NAMES[contest.correction]}"
    return Section("differences", ("difference", f"{level} interval", by, "outcome"), rows, alone)


def _cells(c: Comparison) -> tuple[Cell, ...]:
    if c.difference is None:
        return Cell("–"), Cell("–"), Cell("–"), Cell("not comparable")
    row = Row.of_difference(c)
    places = digits(row)
    said = {"better": f"{short(c.names[0])} is better", "worse": f"{short(c.names[1])} is better"}
    return (
        Cell(signed(c.difference, places)),
        Cell(of_difference(row)),
        Cell(final_p_text(c)),
        Cell(said.get(c.outcome, c.outcome)),
    )
