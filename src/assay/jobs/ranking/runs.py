"""Judgments and runs, read and matched: a tally of the same queries for each run, and what was left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError, plural, written
from assay.sources.rankings.grids import from_arrays
from assay.sources.rankings.matched import Judgments, Matched
from assay.sources.rankings.read import judged
from assay.tally.rankings import Ranked

RUN = "run"  # the name of a run that was given none
# Endings that say what a file is, and are no part of the name of its run.
ENDINGS = (
    ".gz", ".zst", ".bz2", ".xz", ".txt", ".run", ".trec", ".res", ".csv", ".tsv", ".jsonl", ".ndjson", ".json",
    ".parquet", ".arrow", ".feather",
)  # fmt: skip
COLUMNS_OF_QRELS = ("query", "document", "relevance")
COLUMNS_OF_RUN = ("query", "document", "score")


# ---------------------------------------------------------------------- names
def named_runs(runs: Any) -> dict[str, Any]:
    """The runs by their names: those given, or those of their files."""
    if isinstance(runs, str | os.PathLike):
        return file_names([runs])
    if isinstance(runs, list | tuple) and runs and all(isinstance(run, str | os.PathLike) for run in runs):
        return file_names(runs)
    if isinstance(runs, Mapping) and _is_by_name(runs):
        return {str(name): run for name, run in runs.items()}
    if isinstance(runs, Mapping | list | tuple) and not len(runs):
        raise DataError("there is no run; give at least one, as in rank(qrels, {'bm25': 'bm25.run'}).")
    if isinstance(runs, list | tuple) and all(isinstance(run, Mapping) or hasattr(run, "columns") for run in runs):
        what = "dicts" if isinstance(runs[0], Mapping) else "frames"
        raise DataError(f"runs is a list of {what}, which have no names; name them: {{'a': run, 'b': run}}.")
    return {RUN: runs}


def _is_by_name(runs: Mapping[Any, Any]) -> bool:
    """Whether this maps names to runs; a run itself maps queries to documents with scores, or columns to values."""
    first = next(iter(runs.values()), None)
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), None)
        return isinstance(inner, Mapping | list | tuple) or hasattr(inner, "__array__")
    return isinstance(first, str | os.PathLike) or hasattr(first, "columns") or _is_grid(first)


def _is_grid(data: Any) -> bool:
    """Whether this has a row of numbers for each query."""
    if isinstance(data, list | tuple):
        return len(data) > 0 and isinstance(data[0], list | tuple)
    return getattr(data, "ndim", 0) == 2 and not hasattr(data, "columns")


def file_names(files: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """The files by short names, or by their whole names where short ones are the same."""
    every = [os.fspath(file) for file in files]
    whole = [Path(file).name for file in every]
    for names in ([_short(file) for file in every], whole):
        if len(set(names)) == len(names):
            return dict(zip(names, every, strict=True))
    twice = next(name for name in whole if whole.count(name) > 1)
    first = every[whole.index(twice)]
    raise OptionError(
        f"two runs are called '{twice}'; give them different names, as in "
        + written(f"first={first}.", f"{{'first': {first!r}}}.")
    )


def _short(file: str) -> str:
    path = Path(file)
    while path.suffix.lower() in ENDINGS and path.stem:
        path = path.with_suffix("")
    return path.name


# ---------------------------------------------------------------------- reading
@dataclass(frozen=True)
class Run:
    """A run over all judged queries, by name."""

    tally: Ranked
    has: NDArray[np.bool_]  # the queries that it has
    file: str
    tag: str | None = None  # what a file in trec_eval's format calls its run

    @property
    def lacks(self) -> frozenset[str]:
        """The judged queries that it does not have."""
        return frozenset(query for query, has in zip(self.tally.queries, self.has.tolist(), strict=True) if not has)

    @property
    def by_trec_eval(self) -> Ranked:
        """The queries in both files, those without a relevant document included."""
        return _only(self.tally, self.has)


@dataclass(frozen=True)
class Runs:
    """The runs over the same queries, and how they came to be so."""

    tallies: Mapping[str, Ranked]
    every: Mapping[str, Run]
    source: str
    missing: Mapping[str, int]  # judged queries that a run lacks, among those that count
    left_out: int = 0  # queries that were left out because some run lacks them

    @property
    def first(self) -> Ranked:
        """The first run's tally; the queries and their judgments are the same in all of them."""
        return next(iter(self.tallies.values()))

    @property
    def judged(self) -> int:
        """How many queries have judgments."""
        return next(iter(self.every.values())).tally.n


def matched_runs(qrels: Any, runs: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Run]:
    """Every run matched with the judgments, over all judged queries."""
    out = {}
    for name, judgments, found in _each_matched(qrels, runs, asked):
        how = {"relevant_from": asked["relevant_from"], "no_relevant": "zero"}
        tally = Ranked.from_matched(judgments, found, **how).in_order()
        has = tally.lists.retrieved > 0
        if asked["judged_only"]:
            tally = replace(tally, lists=tally.lists.judged_only)
        out[name] = Run(tally, has, name_of(runs[name], name), found.tag)
    return out


def _each_matched(
    qrels: Any, runs: Mapping[str, Any], asked: Mapping[str, Any]
) -> Iterator[tuple[str, Judgments, Matched]]:
    """The judgments with each run that was looked up among them."""
    if _is_grid(qrels):
        yield from ((name, *from_arrays(qrels, run)) for name, run in runs.items())
        return
    read = judged(qrels, name=name_of(qrels, "the judgments"), **_columns(asked, COLUMNS_OF_QRELS))
    for name, run in runs.items():
        found = read.match(run, name=name_of(run, name), **_columns(asked, COLUMNS_OF_RUN))
        yield name, read.judgments, found


def read_runs(qrels: Any, runs: Mapping[str, Any], asked: Mapping[str, Any]) -> Runs:
    """Every run over the queries that count."""
    every, source = matched_runs(qrels, runs, asked), name_of(qrels, "the judgments")
    first = next(iter(every.values())).tally
    has_relevant = first.lists.relevant_judged > 0
    kept = has_relevant if asked["no_relevant"] == "skip" else np.ones(len(has_relevant), bool)
    if not kept.any():
        raise _nothing_relevant(source, first)
    missing = {name: int((kept & ~run.has).sum()) for name, run in every.items()}
    in_all = np.logical_and.reduce([run.has for run in every.values()])
    counted = kept & in_all if asked["missing"] == "skip" else kept
    if not counted.any():
        raise _none_in_all(len(every))
    skipped = int((~kept).sum())
    tallies = {name: replace(_only(run.tally, counted), skipped=skipped) for name, run in every.items()}
    return Runs(tallies, every, source, missing, int((kept & ~counted).sum()))


def _columns(asked: Mapping[str, Any], roles: Sequence[str]) -> dict[str, Any]:
    """The columns that were named for these roles."""
    return {role: asked[role] for role in roles if asked[role] is not None}


def name_of(data: Any, otherwise: str) -> str:
    """The name of the file, or what the data are called."""
    if isinstance(data, str | os.PathLike):
        return "standard input" if str(data) == "-" else Path(data).name
    return otherwise


def _only(tally: Ranked, queries: Any) -> Ranked:
    """Some of the queries, as if there were no others."""
    return tally if queries.all() else tally.only(queries).in_order()


def _none_in_all(runs: int) -> DataError:
    which = "the run has no query with a relevant document" if runs == 1 else "no judged query is in all of the runs"
    zero = written("--missing zero", "missing='zero'")
    return DataError(f"{which}; count missing queries as 0 with {zero}.")


def _nothing_relevant(source: str, tally: Ranked) -> DataError:
    lowest = tally.lists.relevant_from
    rule = "above 0" if lowest is None else f"of {lowest:g} or more"
    return DataError(
        f"{source}: none of the {plural(tally.n, 'query')} has a relevant document (a grade {rule}), so there is "
        f"nothing to find; check the grades, or name the lowest relevant one with "
        f"{written('--relevant-from', 'relevant_from=')}."
    )
