"""Measures of rankings."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from assay.measures.declare.examples import GRADED_QUERY, THREE_QUERIES
from assay.measures.declare.facts import Paired, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import BoundedMean
from assay.measures.declare.measure import measure
from assay.tally.contract.sampling import Floats
from assay.tally.ranked_lists import Lists
from assay.tally.rankings import PerQuery, Ranked

family(Ranked, "from_rankings", PerQuery)


def mean_of(value: Any) -> dict[str, Any]:
    """What follows for a mean over queries from the values of their lists: its interval, and its paired facts."""

    def each(tally: Ranked, **options: Any) -> Floats:
        return tally.each(value, **options)

    def parts(tally: Ranked, **options: Any) -> tuple[Floats, Floats]:
        return tally.each(value, **options), np.ones(len(tally.counts))

    return {"interval": BoundedMean(parts), "paired": Paired(each=each)}


# ---------------------------------------------------------------------- values of lists
def reciprocal_rank(lists: Lists) -> Floats:
    """One over the rank of the first relevant document of each list, 0 where there is none."""
    return np.asarray(1 / lists.first_relevant)


def normalized_gain(lists: Lists, k: int | None = None) -> Floats:
    """The gain of each list over that of the best order of all judged documents, both cut off at rank k."""
    ideal = discounted(lists.pool_grade, lists.pool.place + 1, lists.sum_pool, k)
    own = discounted(lists.grade, lists.rank, lists.sum_found, k)
    return np.divide(own, ideal, out=np.zeros_like(ideal), where=ideal > 0)


def discounted(grade: Floats, rank: Any, add: Any, k: int | None) -> Floats:
    """The sum of grades, each divided by the logarithm of its rank; those below 0 gain nothing."""
    most = int(rank.max(initial=0))
    discount = np.array([1.0, *(log2(i + 1) for i in range(1, most + 1))])
    gain = np.maximum(grade, 0.0) / discount[rank]
    return np.asarray(add(gain if k is None else np.where(rank <= k, gain, 0.0)))


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined="there are no queries",
    no_skill=None,  # the value of a random order depends on the number of documents to rank
    **mean_of(reciprocal_rank),
    worked=(Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "1/1, 1/3 and 0, divided by 3 queries"),),
    cite="voorhees1999",
    aliases=("mrr",),
)
def mean_reciprocal_rank(e: PerQuery) -> Floats:
    """Mean over queries of one over the rank of the first relevant document, 0 where there is none.

    mean of 1 / rank
    """
    return e.mean(reciprocal_rank)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined="no document is relevant",
    no_skill=None,  # the value of a random order depends on the grades to be ordered
    **mean_of(normalized_gain),
    worked=(
        Worked(
            GRADED_QUERY,
            {},
            (3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) + 2 / log2(7))
            / (3 + 3 / log2(3) + 2 / 2 + 2 / log2(5) + 1 / log2(6)),
            "grades 3, 2, 3, 0, 1, 2 vs. their ideal order 3, 3, 2, 2, 1, 0",
        ),
        Worked(THREE_QUERIES, {}, (1 + 1 / 2) / 3, "1, 1/log2(4) and 0, divided by 3 queries"),
        Worked(THREE_QUERIES, {"k": 2}, 1 / 3, "only the first query has a relevant document among the first two"),
    ),
    cite="jarvelin2002",
    title="nDCG",
    aliases=("ndcg_score",),
)
def ndcg(e: PerQuery, k: int | None = None) -> Floats:
    """Mean over queries of the gain of the first k ranks, as a share of the gain of the list in its best order.

    mean of sum(grade / log2(rank + 1)) / the same sum over the grades of the list from high to low

    The best order is that of the grades in the list itself, so a list must contain every judged document of its
    query; put those that a system did not return at its end. Grades below 0 gain nothing. A query without a relevant
    document counts as 0; if no query has one, the value is undefined.
    """
    return e.mean(normalized_gain, k=k)
