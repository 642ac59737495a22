"""Measures of rankings by how early relevant documents stand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.measures.declare.examples import (
    BEST_FIRST,
    BEST_LAST,
    FIRST_ONLY,
    POOLED,
    RELEVANT_FIRST,
    THREE_QUERIES,
)
from assay.measures.declare.facts import Hides, Worked
from assay.measures.declare.forms import BoundedMean
from assay.measures.declare.measure import measure
from assay.measures.rankings import values
from assay.measures.rankings.usual import NO_QUERIES, mean_of
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery, Ranked


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,  # the value of a random order depends on the number of documents to rank
    **mean_of(values.average_precision),
    worked=(
        Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "precision 1/1 and 1/3 at the only relevant document, and 0"),
        Worked(POOLED, {}, (1 + 2 / 4) / 3, "precision 1/1 and 2/4 at two of three relevant documents"),
        Worked(POOLED, {"k": 3}, 1 / 3, "precision 1/1 at one of three"),
        Worked(POOLED, {"judged_only": True}, (1 + 2 / 3) / 3, "without the third, which is not judged, 1/1 and 2/3"),
    ),
    cite="buckley2005",
    hides=Hides((BEST_FIRST, BEST_LAST), "it does not know how relevant a document is", "ndcg"),
    title="AP",
    aliases=("map", "mean_average_precision"),
)
def ap(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of average precision, which is MAP: how early all relevant documents stand.

    mean of (1/R) · sum over relevant documents among the first k of the precision at their rank; R = all relevant ones
    """
    return e.mean(values.average_precision, k=k, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.reciprocal_rank),
    worked=(
        Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "1/1, 1/3 and 0, divided by 3 queries"),
        Worked(THREE_QUERIES, {"k": 2}, 1 / 3, "only the first query has a relevant document among the first two"),
    ),
    cite="voorhees1999",
    hides=Hides((FIRST_ONLY, RELEVANT_FIRST), "it ignores everything below the first relevant document", "p"),
    title="RR",
    aliases=("mrr", "mean_reciprocal_rank", "reciprocal_rank", "recip_rank"),
)
def rr(e: PerQuery, k: int | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of one over the rank of the first relevant document, 0 where there is none.

    mean of 1 / rank
    """
    return e.mean(values.reciprocal_rank, k=k, judged_only=judged_only)


def _floored(tally: Ranked, **options: Any) -> tuple[Floats, Floats]:
    each = tally.each(values.log_average_precision, **options)
    return 1 - each / math.log(values.LEAST_AP), np.ones(len(each))


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    interval=BoundedMean(_floored, back=lambda mean: values.LEAST_AP ** (1 - mean)),
    worked=(
        Worked(THREE_QUERIES, {}, (1 * 1 / 3 * 1e-5) ** (1 / 3), "the cube root of 1 · 1/3 · .00001"),
        Worked(POOLED, {}, 0.5, "one query: its average precision"),
    ),
    cite="Robertson (2006). On GMAP: and other transformations. CIKM.",
    title="GMAP",
    aliases=("gmap", "gm_map"),
)
def gm_ap(e: PerQuery, k: int | None = None) -> Floats:
    """Geometric mean over queries of average precision, which rests on the queries that are answered worst.

    exp(mean of log(max(AP, 0.00001)))
    """
    return np.asarray(np.exp(e.mean(values.log_average_precision, k=k)))


# ---------------------------------------------------------------------- judged and not relevant, or not judged
@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.preferred),
    worked=(
        Worked(POOLED, {}, (1 + (1 - 1 / 2)) / 3, "of 2 judged as nonrelevant, 0 and 1 stand above; 3 are relevant"),
    ),
    cite="Buckley and Voorhees (2004). Retrieval evaluation with incomplete information. SIGIR.",
    title="bpref",
)
def bpref(e: PerQuery, k: int | None = None) -> Floats:
    """Mean over queries of how seldom a relevant document stands below one that was judged nonrelevant.

    mean of (1/R) · sum over relevant documents of 1 − min(nonrelevant above, R) / min(N, R)

    R and N are the documents of the query that were judged relevant and nonrelevant; those without a judgment are
    ignored. As in trec_eval, which divides by min(N, R) where the paper has R.
    """
    return e.mean(values.preferred, k=k)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.inferred),
    worked=(
        Worked(
            POOLED,
            {},
            (1 + 1 / 4 + 3 / 4 * (2 / 3) * (1 + 1e-5) / (2 + 2e-5)) / 3,
            "1/1; then 1/4, and 3/4 · 2/3 pooled · 1/2 relevant; .00001 is added to each count",
        ),
    ),
    cite="Yilmaz and Aslam (2006). Estimating average precision with incomplete and imperfect judgments. CIKM.",
    title="Inferred AP",
    aliases=("infap",),
)
def inf_ap(e: PerQuery, k: int | None = None) -> Floats:
    """Mean over queries of average precision, estimated where only a sample of the pool was judged.

    mean of (1/R) · sum over relevant documents of 1/i + (i−1)/i · d/(i−1) · (r + ε)/(r + n + 2ε)

    i is the rank; above it stand d documents of the pool, of which r are relevant and n not; ε = 0.00001. Documents of
    the pool that were not sampled have a grade below 0. As in trec_eval.
    """
    return e.mean(values.inferred, k=k)


# ---------------------------------------------------------------------- at a recall
@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.interpolated),
    worked=(
        Worked(THREE_QUERIES, {}, (1 + 1 / 3) / 3, "at best 1/1, 1/3 and 0"),
        Worked(POOLED, {"recall": 0.4}, 2 / 4, "2 of 3 are needed, and 2 of 4 documents are relevant there"),
        Worked(POOLED, {"recall": 1}, 0, "the third was not found"),
    ),
    cite="manning2008",
    title="Interpolated precision",
    aliases=("iprec_at_recall",),
)
def iprec(e: PerQuery, recall: float = 0.0, rule: str = "definition") -> Floats:
    """Mean over queries of the highest precision at this recall or any higher one.

    mean of the highest precision at any rank to which at least ⌈recall · R⌉ of the R relevant documents were seen

    rule=trec_eval takes ⌊recall · R + 0.9⌋ documents, as trec_eval to version 9 does: if recall · R lies up to a tenth
    above a whole number, this is one document fewer (at exactly a tenth, as rounding has it).
    """
    return e.mean(values.interpolated, recall=recall, rule=rule)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(values.interpolated_mean),
    worked=(Worked(POOLED, {}, (4 * 1 + 3 * 2 / 4) / 11, "1 to a recall of .3, 2/4 to .6, and 0 above"),),
    cite="manning2008",
    title="11-point precision",
    aliases=("eleven_point_precision",),
)
def iprec_mean(e: PerQuery, rule: str = "definition") -> Floats:
    """Mean over queries, and over recalls of 0, .1, … 1, of the highest precision at this recall or any higher one.

    mean of (1/11) Σ over r = 0, .1, … 1 of interpolated precision at r
    """
    return e.mean(values.interpolated_mean, rule=rule)
