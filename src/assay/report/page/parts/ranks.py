"""The part of a page on systems over data sets: mean ranks, which of them can be told apart, and the values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from assay.errors import joined, plural
from assay.jobs.answers.contest import Contest, Ranking
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.charts.ranks import rank_diagram
from assay.report.contents.blocks import Block, Columns, Figure, Folded, Part, Table
from assay.texts import p_number

ROUNDING = 1e-12  # values that differ by less are equally good
METHODS = {"nemenyi": "Nemenyi", "bonferroni_dunn": "Bonferroni–Dunn", "holm": "Holm"}
MANY = 30  # rows or columns above which the values are folded away


def rank_parts(report: Report) -> Iterator[Part]:
    """The diagram of mean ranks with its tests, and the values on every data set."""
    contest = report.contest
    if contest is None:
        return
    if contest.ranking is not None:
        yield _ranks(contest, contest.ranking)
    tables = [section for section in contest.sections if section.role == "datasets"]
    for section in tables:
        block: Block = Table(section)
        if max(len(section.rows), len(section.columns)) > MANY:
            block = Folded((block,), f"{len(section.rows) - 1:,} data sets, {len(section.columns):,} systems")
        yield Part("datasets", _best(contest), "Values", (block,))


def _ranks(contest: Contest, ranking: Ranking) -> Part:
    chart = rank_diagram(ranking.drawn, "" if contest.primary == "mean" else titled(contest.primary))
    omnibus, *rest = (Table(section) for section in contest.sections if section.role == "ranks")
    figure = Figure("critical_difference", chart, " · ".join(chart.subtitle))
    blocks: tuple[Block, ...] = (Columns((figure, omnibus)), Columns(tuple(rest)))
    return Part("ranks", _apart(ranking), "Ranks", blocks, tuple(_lead(ranking)))


def _best(contest: Contest) -> str:
    """Which system is the best on most data sets."""
    spread = contest.spread
    assert spread is not None
    sign = -1 if contest.tested[0].higher_is_better is False else 1
    values = np.array([spread.values[name] for name in spread.values]) * sign
    won = (values >= values.max(axis=0) - ROUNDING).sum(axis=1)
    names = [name for name, n in zip(spread.values, won, strict=True) if n == won.max()]
    is_are = "is" if len(names) == 1 else "are each"
    return f"{joined(names)} {is_are} best on {int(won.max())} of {plural(values.shape[1], 'data set')}"


def _apart(ranking: Ranking) -> str:
    """How many mean ranks can be told apart, by the test that is drawn."""
    drawn = ranking.drawn
    alike = {frozenset(pair) for bar in drawn.bars for pair in combinations(bar, 2)}
    pairs = {frozenset(pair) for pair in combinations(drawn.systems, 2)}
    if drawn.baseline is not None:
        alike, pairs = ({pair for pair in each if drawn.baseline in pair} for each in (alike, pairs))
    apart, by = len(pairs - alike), METHODS.get(drawn.method, drawn.method)
    if not apart:
        return f"No mean ranks differ significantly ({by})"
    are = "differs" if apart == 1 else "differ"
    return f"{apart} of {plural(len(pairs), 'pair')} of mean ranks {are} significantly ({by})"


def _lead(ranking: Ranking) -> Iterator[str]:
    """The one test to report, and why."""
    test = ranking.tested.reported
    if test.value is None or test.p_value is None:
        yield f"Friedman's test has no value: {test.reason}."
        return
    df = ", ".join(str(each) for each in test.df)
    p = p_number(test.p_value)
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    if test.name.startswith("Iman"):
        why = "the χ² form rejects too rarely (Iman and Davenport 1980, Demšar 2006)"
        yield f"Report {test.name}: {test.value:.3f} on {df} degrees of freedom, {p}: {why}."
    else:
        yield f"Report {test.name}: {test.value:.3f} on {df} degrees of freedom, {p}."
