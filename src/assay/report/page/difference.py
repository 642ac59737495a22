"""What a page shows of a difference: how far it lies from what chance alone gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from assay.errors import OptionError, in_plural, plural
from assay.jobs.comparison.contest import Contest
from assay.jobs.results import Report, Row
from assay.jobs.words import digits, estimate, interval, of_difference
from assay.measures.declare.catalogue import name as titled
from assay.options import MCNEMAR
from assay.report.charts.distributions import Histogram, histogram_of
from assay.report.charts.dots import MOST, is_found, pair_chart
from assay.report.page.blocks import Block, Columns, Facts, Figure, Folded, Part, Prose, Table
from assay.report.text.lines import short
from assay.report.words.comparisons import (
    CORRECTION_NAMES,
    MEANING,
    TEST_NAMES,
    could_find,
    effects,
    how,
    hypotheses,
    limits_text,
    p_text,
    settles,
)
from assay.tables import Cell, Section
from assay.tally.contract.sampling import Floats
from assay.texts import decimals, p_number, percent, signed
from assay.uncertainty.results import Comparison


def chance_words(c: Comparison, null: Floats | None, drawn: Floats | None, sampled: str) -> Iterator[str]:
    """What the bars are, where the difference lies among them, and how p was found; `sampled` is what is drawn."""
    said = []
    if null is not None:
        said += [_gray(c, null, sampled), _where(c, null)]
    if drawn is not None:
        bars = "blue bars" if null is not None else "bars"
        said.append(f"The {bars} are the difference on {_again(drawn, sampled)}.")
    if c.p_value is not None:
        said.append(_found(c, null))
    elif c.test == "none":
        said.append("No test was made.")
    if said:
        yield " ".join(said)
    yield from _alone(c)


def bar_words(c: Comparison) -> Iterator[str]:
    """What the bar alone says, where no draws can be shown."""
    said = []
    if c.interval is not None:
        where = "reaches across 0" if 0.0 in c.interval else "lies wholly on one side of 0"
        said.append(f"The bar is the {percent(c.level)} interval of the difference; it {where}.")
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
        each = f"{sampled} by {sampled}"
        return f"If {a} and {b} were alike, exchanging their {by} {each} would give the gray bars ({times})."
    return f"If the true difference were 0, other {in_plural(sampled)} like these would give the gray bars ({times})."


def _exchanges(c: Comparison) -> bool:
    """Whether the null hypothesis lets the systems change places, in place of moving the difference to 0."""
    return c.test in ("randomization", "wilcoxon", "sign", *MCNEMAR)


def _where(c: Comparison, null: Floats) -> str:
    """Where the observed difference lies among differences that chance alone gave."""
    far, many = far_out(c, null), len(null)
    lies = f"The observed difference of {signed(c.difference or 0.0, decimals(c.low, c.high))}"
    side = {"two-sided": "as far from 0", "greater": "as high", "less": "as low"}[c.alternative]
    if far == 0:
        return f"{lies} lies outside all of them."
    return f"{lies} is matched by {far:,} of {many:,} of them ({share(far, many)} lie at least {side})."


def far_out(c: Comparison, null: Floats) -> int:
    """How many of the differences that chance gave lie at least as far out as the observed one."""
    observed = c.difference or 0.0
    slack = 1e-9 * max(abs(observed), 1e-3)
    known = null[np.isfinite(null)]
    if c.alternative == "greater":
        return int((known >= observed - slack).sum())
    if c.alternative == "less":
        return int((known <= observed + slack).sum())
    return int((np.abs(known) >= abs(observed) - slack).sum())


def share(part: int, whole: int) -> str:
    """A share in percent with two digits that matter."""
    return f"{float(f'{100 * part / whole:.2g}'):g}%"


def _again(drawn: Floats, sampled: str) -> str:
    lost = int((~np.isfinite(drawn)).sum())
    left = f" ({lost:,} in which it is undefined are left out)" if lost else ""
    return f"{len(drawn):,} samples of {in_plural(sampled)} drawn with replacement from these{left}"


def _found(c: Comparison, null: Floats | None) -> str:
    """The p-value, and how it was found where the gray bars are not all of it."""
    p = p_text(c)
    if null is None:
        return f"{p} ({how(c)})."
    if c.form:
        return f"{p} was not counted from these draws: it comes {c.form}."
    if c.extreme is None and c.draws is not None and c.test == "randomization":
        each = ", each held against its own standard error" if c.is_studentized else ""
        return f"{p} was not counted from these draws: it is exact, over all {plural(c.draws, 'outcome')}{each}."
    if c.is_studentized:
        return (
            f"{p}: the test holds every exchange against its own standard error, and {c.extreme or 0:,} of "
            f"{c.draws or 0:,} were at least as far out."
        )
    if c.extreme is None or c.test not in ("randomization", "bootstrap"):
        return f"{p} was not counted from these draws: it is that of the {TEST_NAMES.get(c.test, c.test)}."
    return f"{p}, from {c.extreme:,} of {c.draws or 0:,} draws at least as far out."


def _alone(c: Comparison) -> Iterator[str]:
    """Who was right where the other was not."""
    e, (a, b) = c.effect, c.names
    if e.only_a is None or e.only_b is None:
        return
    one = e.only_a + e.only_b
    if not one:
        yield f"There is no {c.item} that only one of the two got right."
        return
    yield f"Of {plural(one, c.item)} that exactly one of the two got right, {a} got {e.only_a:,} and {b} {e.only_b:,}."


# ---------------------------------------------------------------------- terms
def facts(c: Comparison) -> tuple[tuple[str, str], ...]:
    """The numbers of a comparison, each under its name."""
    assert c.difference is not None
    wide, values = decimals(c.low, c.high), max(decimals(e.low, e.high) for e in (c.a, c.b))
    out = []
    for name, e in zip(c.names, (c.a, c.b), strict=True):
        own = "" if e.low is None else f" ({percent(e.level)} {e.low:.{values}f} to {e.high:.{values}f})"
        out.append((name, f"{titled(e.measure)} {float(e):.{values}f}{own}"))
    limits = "" if c.interval is None else f" ({limits_text(c)})"
    out.append(("Difference", f"{signed(c.difference, wide)}{limits or f'; no interval: {c.reason}'}"))
    if c.p_value is not None:
        out.append(("Test", f"{p_text(c)} ({how(c)})"))
    if c.margin is not None and c.margin.low is not None and c.margin.high is not None:
        limits = _between(c.margin.low, c.margin.high, wide)
        out.append((f"Within {c.margin.margin:g}?", f"{percent(c.margin.level)} interval {limits}: {_within(c)}"))
    if effects(c):
        out.append(("Who was right" if c.effect.only_a is not None else "Effect", effects(c)))
    if c.mde is not None:
        out.append(("Sensitivity", could_find(c)))
    if settles(c):
        out.append(("To settle it", settles(c)))
    return tuple(out)


def _between(low: float, high: float, places: int) -> str:
    return f"{signed(low, places)} to {signed(high, places)}"


def _within(c: Comparison) -> str:
    assert c.margin is not None
    return "equivalent" if c.margin.equivalent else "equivalence is not shown"


def supposed(c: Comparison, *, many: bool = False) -> tuple[tuple[str, str], ...]:
    """The hypotheses of the test, why it is this one, and what p is."""
    of_each = f" And so for every two systems; these are {' and '.join(c.names)}." if many else ""
    h0, h1 = hypotheses(c)
    out = [("Supposed (H0)", f"{h0}{of_each}"), ("Against it (H1)", h1)]
    if c.why and c.why != "as asked":
        out.append(("Why this test", f"{c.why}."))
    return (*out, ("What p is", MEANING))


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
        Cell(signed(c.difference, places)),
        Cell(of_difference(row)),
        Cell("–" if p is None else f"{at_most}{p_number(p)}"),
        Cell(said.get(c.outcome, c.outcome)),
    )
