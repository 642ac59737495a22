"""What was found, above the tables of a comparison, and how it was found, below them where that was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from assay.errors import plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.names import clean
from assay.report.text.lines import Pair
from assay.report.text.wrapping import wrapped, wrapped_text
from assay.report.words.comparisons import (
    MEANING,
    effects,
    how,
    hypotheses,
    limits_text,
    p_text,
    settles,
    sided_test,
    together,
)
from assay.uncertainty.results import Comparison


def verdict_lines(report: Report, contest: Contest, width: int) -> Iterator[Text]:
    """The outcome in sentences; of two systems with both values in their colors."""
    if len(contest.tested) > 1:
        first, *rest = contest.summary
        yield from _prose(first, width, "bold")
        for line in rest:
            yield from _prose(line, width)
        return
    c = contest.tested[0]
    yield from _prose(c.verdict, width, "bold")
    if c.difference is None:
        return
    yield from wrapped_text(_measured(c, Pair.of(report, c.names)), width)
    more = settles(c)
    if more:
        yield from _prose(more, width)
    if contest.contrast:
        yield from (Text(line, style="dim") for line in wrapped(clean(contest.contrast), width))


def _measured(c: Comparison, pair: Pair) -> Text:
    """Both values with the marks of their systems, the difference with its interval, and p."""
    line = Text(f"{titled(c.a.measure)} ")
    *values, apart = together(c)
    for value, mark, color, between in zip(values, pair.marks, pair.colors, (" vs. ", ""), strict=True):
        line.append(f"{mark}\u00a0{value}", style=f"bold {color}").append(between)
    line.append(": difference ").append(apart, style="bold")
    line.append("" if c.interval is None else f" ({limits_text(c)})")
    return line.append("." if c.p_value is None else f", {p_text(c)}.")


def _prose(text: str, width: int, style: str = "") -> Iterator[Text]:
    yield from (Text(line, style=style) for line in wrapped(clean(text), width))


def explanation_lines(contest: Contest, width: int) -> Iterator[Text]:
    """Who was right where, which test was made and why, its hypotheses, and what its p-value is."""
    for line in _explained(contest):
        yield from (Text(part, style="dim") for part in wrapped(clean(line), width, then="  "))


def _explained(contest: Contest) -> Iterator[str]:
    many = len(contest.tested) > 1
    if not many:
        one = contest.tested[0]
        if one.disagreements is not None:
            yield f"they differ on {one.disagreements:,} of {plural(one.n, one.item)}"
        if effects(one):
            yield effects(one)
    c = next((c for c in contest.tested if c.p_value is not None), None)
    if c is None:
        return
    made = sided_test(c) if many else how(c)
    yield f"{made}, because {c.why}" if c.why and c.why != "as asked" else made
    h0, h1 = hypotheses(c)
    yield f"null hypothesis (H0){', likewise for every pair' if many else ''}: {h0}"
    yield f"alternative (H1): {h1}"
    yield MEANING
