"""Measures of rankings."""

from __future__ import annotations

from functools import partial
from math import log2
from typing import Any

import numpy as np

from assay.measures.declare.examples import GRADED_QUERY, THREE_QUERIES
from assay.measures.declare.facts import Paired, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.measure import measure
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery, Ranked

family(Ranked, "from_rankings", PerQuery)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined="there are no queries",
    interval=Jackknife(),
    no_skill=None,  # the value of a random order depends on the number of documents to rank
    paired=Paired(each=lambda tally: 1 / tally.first_relevant()),
    worked=(Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "1/1, 1/3 and 0, divided by 3 queries"),),
    cite="voorhees1999",
    aliases=("mrr",),
)
def mean_reciprocal_rank(e: PerQuery) -> Floats:
    """Mean over queries of one over the rank of the first relevant document, 0 where there is none.

    mean of 1 / rank
    """
    return e.mean(1 / e.first_relevant)


def query_gains(tally: Ranked, k: Any = None) -> Floats:
    """The gain of each query's list over that of its ideal order, both cut off at rank k; 0 if nothing is relevant."""
    return tally.of_lists(partial(_normalized_gain, k=k))


def _relevant(tally: Ranked) -> Floats:
    """1 for each query with a relevant document, 0 for the others."""
    return tally.of_lists(lambda grades: np.asarray((grades > 0).any(axis=0), np.float64))


def _normalized_gain(grades: Floats, k: int | None) -> Floats:
    gains = np.maximum(grades, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):  # sums of enormous grades are infinite
        ideal = _discounted(-np.sort(-gains, axis=0)[:k])
        return np.divide(_discounted(gains[:k]), ideal, out=np.zeros_like(ideal), where=ideal > 0)


def _discounted(gains: Floats) -> Floats:
    """Sums in rank order, so that zeros at the end of a list change nothing."""
    if not len(gains):
        return np.zeros(gains.shape[1])
    discount = np.array([log2(rank + 1) for rank in range(1, len(gains) + 1)])
    return np.asarray(np.cumsum(gains / discount[:, None], axis=0)[-1])


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined="no document is relevant",
    interval=Jackknife(),
    no_skill=None,  # the value of a random order depends on the grades to be ordered
    paired=Paired(each=query_gains, needed=lambda tally, **_: _relevant(tally) > 0),
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
    some = e.mean(_relevant(e.tally))
    return np.where(some > 0, e.mean(query_gains(e.tally, k)), np.nan)
