"""Measures of whole lists, whatever their order."""

from __future__ import annotations

from assay.measures.declare.examples import POOLED, THREE_QUERIES
from assay.measures.declare.facts import Worked
from assay.measures.declare.measure import measure
from assay.measures.rankings import values
from assay.measures.rankings.found import ANY_ORDER
from assay.measures.rankings.usual import NO_QUERIES, mean_of
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.precision),
    worked=(Worked(THREE_QUERIES, {}, (1 / 3 + 1 / 3) / 3, "1 of 3, 1 of 3 and 0 of 3"),),
    cite="rijsbergen1979",
    hides=ANY_ORDER,
    title="Set precision",
)
def set_p(e: PerQuery) -> Floats:
    """Mean over queries of the share of the whole list that is relevant, 0 for an empty list.

    mean of relevant and in the list / length of the list
    """
    return e.mean(values.precision)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.recall),
    worked=(Worked(POOLED, {}, 2 / 3, "two of three relevant documents are in the list"),),
    cite="rijsbergen1979",
    hides=ANY_ORDER,
    title="Set recall",
    aliases=("set_recall",),
)
def set_r(e: PerQuery) -> Floats:
    """Mean over queries of the share of the relevant documents that is in the list.

    mean of relevant and in the list / relevant
    """
    return e.mean(values.recall)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.f_measure),
    worked=(
        Worked(POOLED, {}, 2 * 2 / (4 + 3), "2 of 4 documents and 2 of 3 relevant ones"),
        Worked(POOLED, {"beta": 2}, 5 * 2 / (4 + 4 * 3), "(1 + 4) · 2 over 4 + 4 · 3"),
    ),
    cite="rijsbergen1979",
    hides=ANY_ORDER,
    title="Set F",
)
def set_f(e: PerQuery, beta: float = 1.0) -> Floats:
    """Mean over queries of the harmonic mean of precision and recall of the whole list.

    mean of (1 + β²) P R / (β² P + R), 0 where nothing relevant was found

    The parameter of trec_eval's set_F is β².
    """
    return e.mean(values.f_measure, beta=beta)
