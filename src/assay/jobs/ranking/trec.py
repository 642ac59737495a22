"""What trec_eval computes for a run, by its own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.jobs.ranking.runs import COLUMNS_OF_QRELS, COLUMNS_OF_RUN, matched_runs, named_runs

COLUMNS = (*COLUMNS_OF_QRELS, *COLUMNS_OF_RUN)


@dataclass(frozen=True)
class TrecValues:
    """The values of a run by the names that trec_eval has for them, in its order, written as it writes them."""

    run: str
    queries: Sequence[str]
    each: Mapping[str, Sequence[str]]  # of every query
    overall: Mapping[str, str]  # of all queries


def trec_eval(qrels: Any, run: Any, *, complete: bool = False, **options: Any) -> TrecValues:
    """The mean over queries in both files, those without a relevant document included.

    With `complete`, judged queries that the run lacks count as 0, as with trec_eval -c. Columns are named as for
    `rank`; `relevant_from` is trec_eval's -l, and `judged_only` its -J.
    """
    import assay.measures.rankings.trec as trec

    asked = {**dict.fromkeys(COLUMNS), "relevant_from": None, "judged_only": False, **options}
    ((name, found),) = matched_runs(qrels, named_runs(run), asked).items()
    tally = found.tally if complete else found.by_trec_eval
    lists = tally.lists
    values = trec.trec_values(lists)
    overall = {of: trec.trec_text(of, trec.trec_summary(of, each)) for of, each in values.items()}
    each: dict[str, Sequence[str]] = {}
    for of, numbers in values.items():
        if of not in trec.LOGARITHMS:
            each[of] = [trec.trec_text(of, x) for x in numbers.tolist()]
        if of == trec.AFTER:
            each["relstring"] = [f"'{grades}'" for grades in trec.relevance_strings(lists)]
    return TrecValues(found.tag or name, tally.unit_names, each, {"num_q": f"{tally.n}", **overall})
