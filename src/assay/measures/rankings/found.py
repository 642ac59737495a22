"""Measures of rankings by what is among the first documents."""

from __future__ import annotations

from assay.measures.declare.examples import FIRST_ONLY, LAST_ONLY, POOLED, RELEVANT_FIRST, RELEVANT_LAST, THREE_QUERIES
from assay.measures.declare.facts import Hides, Worked
from assay.measures.declare.measure import measure
from assay.measures.rankings import values
from assay.measures.rankings.usual import NO_QUERIES, mean_of
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery

ANY_ORDER = Hides((RELEVANT_FIRST, RELEVANT_LAST), "it does not know in which order the documents stand", "rr")


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,  # the value of a random order depends on the number of documents to rank
    **mean_of(values.precision),
    worked=(
        Worked(THREE_QUERIES, {"k": 2}, (1 / 2) / 3, "1/2, 0 and 0, divided by 3 queries"),
        Worked(THREE_QUERIES, {"k": 5}, (1 / 5 + 1 / 5) / 3, "lists that are shorter are filled up with nothing"),
        Worked(POOLED, {"k": 3, "judged_only": True}, 2 / 3, "without the third, which is not judged"),
    ),
    cite="buckley2005",
    hides=ANY_ORDER,
    title="P",
    aliases=("precision_at_k",),
)
def p(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of the share of the first k documents that is relevant.

    mean of relevant among the first k / k; without k, of the whole list / its length
    """
    return e.mean(values.precision, k=k, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.recall),
    worked=(
        Worked(THREE_QUERIES, {"k": 2}, 1 / 3, "1/1, 0/1 and 0, divided by 3 queries"),
        Worked(POOLED, {}, 2 / 3, "two of three relevant documents are in the list"),
    ),
    cite="buckley2005",
    hides=ANY_ORDER,
    title="R",
    aliases=("recall_at_k",),
)
def r(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of the share of the relevant documents that is among the first k.

    mean of relevant among the first k / relevant
    """
    return e.mean(values.recall, k=k, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.success),
    worked=(
        Worked(THREE_QUERIES, {}, 2 / 3, "two of three queries"),
        Worked(THREE_QUERIES, {"k": 2}, 1 / 3, "one of three"),
    ),
    cite="Craswell and Hawking (2004). Overview of the TREC-2004 web track. TREC 2004.",
    hides=Hides((FIRST_ONLY, LAST_ONLY), "it does not know where among them the document stands", "rr"),
    title="Success",
    aliases=("hit", "hit_rate"),
)
def success(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Share of the queries that have a relevant document among the first k.

    mean of [a relevant document is among the first k]
    """
    return e.mean(values.success, k=k, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.r_precision),
    worked=(
        Worked(THREE_QUERIES, {}, 1 / 3, "one relevant document each, in the first query at rank 1"),
        Worked(POOLED, {}, 1 / 3, "one of three relevant documents is among the first three"),
    ),
    cite="buckley2005",
    title="R-precision",
    aliases=("rprec",),
)
def r_precision(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of the precision among as many documents as are relevant.

    mean of relevant among the first R / R, R = relevant documents of the query; with k, among the first min(R, k)
    """
    return e.mean(values.r_precision, k=k, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=None,  # of the judgments as much as of the system
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.judged),
    worked=(
        Worked(POOLED, {}, 3 / 4, "three of four documents"),
        Worked(POOLED, {"k": 2}, 1, "both of the first two"),
    ),
    cite=(
        "Buckley, Dimmick, Soboroff and Voorhees (2007). Bias and the limits of pooling for large collections. "
        "Information Retrieval 10."
    ),
    title="Judged",
)
def judged(e: PerQuery, k: int | None = None) -> Floats:
    """Mean over queries of the share of the first k documents that anyone has looked at.

    mean of documents with a judgment among the first k / min(k, length of the list)

    A list without documents has none that is unjudged, and counts as 1. A grade below 0 is no judgment. In all other
    measures but bpref, inferred AP and those of judged_only, documents without a judgment count as not relevant.
    """
    return e.mean(values.judged, k=k)
