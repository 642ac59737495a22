"""From relevance judgments and runs to a report: how well each run ranks, and which runs differ."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from assay.errors import OptionError, choose, written
from assay.jobs.answers.results import Report
from assay.jobs.comparison.items import ITEM_TESTS
from assay.jobs.comparison.match import Match
from assay.jobs.comparison.systems import contested
from assay.jobs.count import Counted
from assay.jobs.evaluate import Asked, evaluated, plain
from assay.jobs.ranking.attributes import ungrouped, with_attributes
from assay.jobs.ranking.facts import Top, depth_of, facts_of, notes_on
from assay.jobs.ranking.pool import pool_sections
from assay.jobs.ranking.queries import sections_of
from assay.jobs.ranking.runs import named_runs, read_runs
from assay.jobs.ranking.ties import tie_sections
from assay.measures.declare.catalogue import check_measures, default_measures, primary_measure, resolve
from assay.measures.declare.measure import Measure
from assay.options import METHODS, PAIRED_METHODS
from assay.options.evaluating import Drawing, Matched
from assay.options.option import options_of, part_of, takes, with_defaults
from assay.options.ranking import MISSING_QUERIES, NO_RELEVANT, QUERY_METHODS, QUERY_TESTS, RANK, QueryTest, Ranking
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Counts, Together
from assay.tally.rankings import Ranked

# What is called like this of labels or scores, and otherwise of rankings.
INSTEAD: Mapping[str, str] = {"precision": "p@10", "recall": "r@100", "f1": "set_f", "average_precision": "ap"}


@takes(*RANK)
def rank(
    qrels: Any,
    runs: Any,
    *,
    measures: Asked = None,
    primary: str | Measure | None = None,
    **options: Unpack[Ranking],
) -> Report:
    """Evaluate runs by relevance judgments, and compare them if there are several.

    `qrels` and every run are files (TREC, CSV, TSV, JSON Lines, Parquet), frames, mappings from queries to mappings
    from documents to grades or scores, or arrays with a row for each query. `runs` is a single run, a list of files, or
    a mapping from names to runs. Every two runs are compared query by query, or every other one with the `baseline`;
    one measure, the `primary` one, is tested.
    """
    asked = with_defaults(options, *RANK)
    choose(asked["no_relevant"], NO_RELEVANT, "no_relevant")
    choose(asked["missing"], MISSING_QUERIES, "missing")
    check_measures(measures)
    _refuse_others(measures, primary)
    choose(asked["test"], QUERY_TESTS, "test")
    if asked["method"] not in (*METHODS, *PAIRED_METHODS):
        choose(asked["method"], QUERY_METHODS, "method")
    named = named_runs(runs)
    read = read_runs(qrels, named, asked)
    tallies, slicings, facts = with_attributes(read, asked)
    wanted = _primary(read.first, measures, primary)
    depth = depth_of(wanted)
    tops = {name: Top.of(tally, depth) for name, tally in tallies.items()}
    found = Counted(
        Systems(tallies),
        slicings,
        {**facts_of(read, tops, depth), **facts},
        (*notes_on(read, tops, depth, wanted, asked), *ungrouped(slicings)),
        Together(Systems(tallies)),
    )
    again = _asked(named, options, measures, primary)
    pool = tuple(pool_sections(tallies, tops, depth, wanted, asked))
    if len(tallies) == 1:
        _refuse_alone(options)
        report = _alone(found, measures, primary, asked, again)
        more = (*pool, *(tie_sections(report, tallies) if asked["ties"] else ()))
        return replace(report, systems=tuple(replace(s, tables=(*s.tables, *more)) for s in report.systems))
    report = contested(found, _match(options, measures, primary), again)
    assert report.contest is not None
    more = (*pool, *(tie_sections(report, tallies) if asked["ties"] else ()))
    lacking = {name: run.lacks for name, run in read.every.items()}
    sections = (*report.contest.sections, *sections_of(report, found.systems, lacking), *more)
    return replace(report, contest=replace(report.contest, sections=sections))


def _refuse_others(measures: Asked, primary: str | Measure | None) -> None:
    """Refuse measures that are computed from something other than rankings."""
    every = [measures] if measures is None or isinstance(measures, str | Measure) else list(measures)
    for each in (*every, primary):
        if each is None:
            continue
        measure, _ = resolve(each, {})
        if not any(issubclass(Ranked, one.kind) for one in (measure, *measure.variants.values())):
            near = f"; '{INSTEAD[measure.name]}' is the one of rankings" if measure.name in INSTEAD else ""
            raise OptionError(f"{measure.name} is not a measure of rankings{near}. 'assay measures' lists them.")


def stored(report: Report) -> Counts:
    """The counts behind the report, to be merged with those of other queries and evaluated later."""
    found: Counted = report.counted
    return Counts(found.systems, tuple(found.slices))


def _primary(tally: Any, measures: Asked, primary: str | Measure | None) -> str | Measure:
    """The measure that is tested: the one named, the first of those shown, or the default one."""
    if primary is not None:
        return primary
    if measures is None:
        return primary_measure(tally)
    return measures if isinstance(measures, str | Measure) else measures[0]


def _alone(
    found: Counted, measures: Asked, primary: str | Measure | None, asked: Mapping[str, Any], again: Mapping[str, Any]
) -> Report:
    """The report on a single run, its primary measure first."""
    choose(asked["method"], METHODS, "method")
    drawing = part_of(asked, Drawing)
    if primary is not None:
        shown: Any = default_measures(next(iter(found.systems.values()))) if measures is None else measures
        some = [shown] if isinstance(shown, str | Measure) else shown
        first = resolve(primary, {})
        measures = [primary, *(each for each in some if resolve(each, {}) != first)]
    return evaluated(found, measures, drawing, again)


def _match(options: Mapping[str, Any], measures: Asked, primary: str | Measure | None) -> Match:
    """Who is compared with whom, and how."""
    given: dict[str, Any] = part_of(options, Matched, QueryTest, Drawing)
    test = given.get("test", "auto")
    if test in ITEM_TESTS:
        given = {**given, "test": "auto"}
    match = Match.of({"measures": measures, "primary": primary, **given})
    return replace(match, item_test=test) if test in ITEM_TESTS else match


def _refuse_alone(options: Mapping[str, Any]) -> None:
    """Refuse options about comparisons if there is nothing to compare."""
    for name, option in options_of(Matched, QueryTest).items():
        if name in options and options[name] != option.default:
            flag = written(f"--{(option.flag or name).replace('_', '-')}", f"{name}=")
            raise OptionError(f"{flag} is about comparing runs, but there is only one; name a second run.")


def _asked(
    runs: Mapping[str, Any], options: Mapping[str, Any], measures: Asked, primary: str | Measure | None
) -> dict[str, Any]:
    """What makes the report again, in JSON's own types; what is in memory cannot be read again."""
    usual = with_defaults({}, *RANK)
    out: dict[str, Any] = {"runs": {name: _file(run) for name, run in runs.items()}}
    for name, value in options.items():
        if name == "query_attributes" and value is not None:
            out[name] = _file(value)
        elif value != usual[name]:
            out[name] = plain(value)
    if measures is not None:
        spelled = [measures] if isinstance(measures, str | Measure) else measures
        out["measures"] = [plain(each) for each in spelled]
    return out if primary is None else {**out, "primary": plain(primary)}


def _file(data: Any) -> str | None:
    return str(data) if isinstance(data, str | os.PathLike) else None
