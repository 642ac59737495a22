"""What trec_eval computes for a run, by its own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.jobs.ranking.runs import COLUMNS_OF_QRELS, COLUMNS_OF_RUN, matched_runs, named_runs

COLUMNS = (*COLUMNS_OF_QRELS, *COLUMNS_OF_RUN)

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

    asked = {**dict.fromkeys(COLUMNS), "relevant_from": None, "judged_only": False, "ties": "id", **columns}
    ((name, found),) = matched_runs(qrels, named_runs(run), asked).items()
    tally = found.tally if complete else found.by_trec_eval
    values = trec_values(tally.lists)
    return TrecValues(tally.queries, values, {"runid": found.tag or name, **trec_summary(values)})
