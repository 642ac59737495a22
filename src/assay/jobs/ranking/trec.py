"""What trec_eval computes for a run, by its own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import DataError, written
from assay.jobs.ranking.runs import RUN, named_runs, read_runs

Value = int | float | str


@dataclass(frozen=True)
class TrecValues:
    """The values of a run by the names that trec_eval has for them, in its order."""

    queries: tuple[str, ...]
    each: Mapping[str, Sequence[Value]]  # of every query
    overall: Mapping[str, Value]  # of all queries, the name of the run first


def trec_eval(qrels: Any, run: Any, *, complete: bool = False, **columns: Any) -> TrecValues:
    """The mean over queries in both files, those without a relevant document included.

    With `complete`, judged queries that the run lacks count as 0, as with trec_eval -c.
    """
    from assay.measures.rankings.trec import trec_summary, trec_values  # type: ignore[import-not-found]

    named = named_runs(run)
    asked = {"no_relevant": "zero", "missing": "zero", "ties": "id", **columns}
    read = read_runs(qrels, named, asked)
    tally = read.first if complete else next(iter(read.by_trec_eval.values()))
    if not tally.n:
        raise DataError(f"no query is in both files; see {written('assay check', 'assay.rank')}.")
    values = trec_values(tally.lists)
    name = next(iter(read.tags.values())) or next(iter(named), RUN)
    return TrecValues(tally.queries, values, {"runid": name, **trec_summary(values)})
