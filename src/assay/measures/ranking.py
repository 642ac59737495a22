"""Measures of rankings."""

from __future__ import annotations

from assay.measures.declare import Worked, family, measure
from assay.measures.examples import THREE_QUERIES
from assay.measures.exchange_signs import mean_signs
from assay.measures.forms import Jackknife
from assay.tally.ranked import PerQuery, Ranked
from assay.tally.sampling import Floats

family(Ranked, "from_rankings", PerQuery)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined="there are no queries",
    interval=Jackknife(),
    no_skill=None,  # what a random order reaches depends on how many documents there are to rank
    signs=mean_signs(lambda tally: 1 / tally.first_relevant()),
    worked=(Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "1/1, 1/3 and 0, divided by 3 queries"),),
    cite="voorhees1999",
    aliases=("mrr",),
)
def mean_reciprocal_rank(e: PerQuery) -> Floats:
    """Mean over queries of one over the rank of the first relevant document, 0 where there is none.

    mean of 1 / rank
    """
    return e.mean(1 / e.first_relevant)
