"""Measures of rankings."""

from __future__ import annotations

from assay.measures.declare.examples import THREE_QUERIES
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.kinds import family
from assay.measures.declare.measure import Worked, measure
from assay.measures.scores.influence import mean_signs
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery, Ranked

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
