"""The part of a page on systems over data sets: mean ranks, which of them can be told apart, and the values."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.answers.contest import Contest, Ranking
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.charts.ranks import rank_diagram
from assay.report.contents.blocks import Block, Columns, Figure, Folded, Part, Table
from assay.texts import p_number

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
        yield Part("datasets", "How did each system do on each data set?", "Values", (block,))


def _ranks(contest: Contest, ranking: Ranking) -> Part:
    chart = rank_diagram(ranking.drawn, "" if contest.primary == "mean" else titled(contest.primary))
    omnibus, *rest = (Table(section) for section in contest.sections if section.role == "ranks")
    figure = Figure("critical_difference", chart, " · ".join(chart.subtitle))
    blocks: tuple[Block, ...] = (Columns((figure, omnibus)), Columns(tuple(rest)))
    return Part("ranks", "Whose ranks differ?", "Ranks", blocks, tuple(_lead(ranking)))


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
        yield f"Report {test.name} = {test.value:.3f} on {df} degrees of freedom, {p}: {why}."
    else:
        yield f"Report {test.name} = {test.value:.3f} on {df} degrees of freedom, {p}."
