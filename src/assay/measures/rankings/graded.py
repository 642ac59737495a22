"""Measures of rankings by grades: gains by rank, and readers who stop at what satisfies them."""

from __future__ import annotations

import math
from math import log2
from typing import Any

from assay.measures.declare.examples import BARELY_FOUND, GRADED_QUERY, POOLED, TEN_GRADES, THREE_QUERIES, WELL_FOUND
from assay.measures.declare.facts import Hides, Notes, Worked
from assay.measures.declare.measure import measure
from assay.measures.rankings import gains
from assay.measures.rankings.usual import NO_QUERIES, endless_mean_of, mean_of
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery, Ranked


def _scale(tally: Ranked, max_grade: float | None, **_: Any) -> list[str]:
    """Which scale was taken, if none was named."""
    if max_grade is not None:
        return []
    return [
        f"max_grade is {tally.lists.top_grade:g}, the highest grade that these judgments have; name it where values of "
        "other judgments are compared with these"
    ]


def _unknown(tally: Ranked, **options: Any) -> list[str]:
    """How much is not known because documents are not judged, and lists end."""
    rest = tally.mass @ tally.each(gains.residual, **options) / max(tally.n, 1)
    if rest < 5e-5:
        return []
    return [f"residual {rest:.4f}: as much higher if all unjudged documents, and all below the lists, were relevant"]


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,  # the value of a random order depends on the grades to be ordered
    **mean_of(gains.normalized),
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
        Worked(
            TEN_GRADES,
            {"gain": "exponential"},
            (3 / 2 + 7 / log2(6) + 1 / 3 + 1 / log2(11)) / (7 + 3 / log2(3) + 1 / 2 + 1 / log2(5)),
            "gains of 3, 7, 1 and 1 at ranks 3, 5, 7 and 10",
        ),
        Worked(
            TEN_GRADES,
            {"discount": "original"},
            (2 / log2(3) + 3 / log2(5) + 1 / log2(7) + 1 / log2(10)) / (3 + 2 + 1 / log2(3) + 1 / 2),
            "the first two ranks are not discounted",
        ),
    ),
    cite="jarvelin2002",
    hides=Hides((BARELY_FOUND, WELL_FOUND), "a document that is barely relevant is enough if there is no better", "cg"),
    title="nDCG",
    aliases=("ndcg_score",),
)
def ndcg(
    e: PerQuery, k: int | None = None, gain: str = "linear", discount: str = "log2", judged_only: bool = False
) -> Floats:
    """Mean over queries of the gain of the first k ranks, as a share of the gain of the best possible list.

    mean of sum(gain / log2(rank + 1)) / the same sum over all judged documents of the query, from high grades to low

    By default as in trec_eval: the gain of a document is its grade, and the best list consists of all judged documents,
    found or not. gain=exponential takes 2^grade − 1 instead (Burges and others 2005); discount=original divides by
    log2(rank) from the second rank on, and the first not at all (Järvelin and Kekäläinen 2002). Grades below 0 gain
    nothing. A query without a relevant document is left out where judgments and a run are given, and counts as 0 where
    grades in rank order are; no_relevant names the one or the other.
    """
    return e.mean(gains.normalized, k=k, gain=gain, discount=discount, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, math.inf),
    best=math.inf,
    undefined=NO_QUERIES,
    no_skill=None,
    **endless_mean_of(gains.discounted),
    worked=(
        Worked(GRADED_QUERY, {"k": 3}, 3 + 2 / log2(3) + 3 / 2, "grades 3, 2 and 3, divided by 1, log2(3) and 2"),
        Worked(GRADED_QUERY, {"k": 3, "gain": "exponential"}, 7 + 3 / log2(3) + 7 / 2, "gains of 7, 3 and 7"),
        Worked(GRADED_QUERY, {"k": 3, "discount": "original"}, 3 + 2 + 3 / log2(3), "divided by 1, 1 and log2(3)"),
    ),
    cite="jarvelin2002",
    title="DCG",
    aliases=("dcg_score",),
)
def dcg(
    e: PerQuery, k: int | None = None, gain: str = "linear", discount: str = "log2", judged_only: bool = False
) -> Floats:
    """Mean over queries of the gains of the first k ranks, each divided by the logarithm of its rank.

    mean of sum(gain / log2(rank + 1)); gain and discount as for nDCG
    """
    return e.mean(gains.discounted, k=k, gain=gain, discount=discount, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, math.inf),
    best=math.inf,
    undefined=NO_QUERIES,
    no_skill=None,
    **endless_mean_of(gains.cumulated),
    worked=(
        Worked(GRADED_QUERY, {"k": 3}, 3 + 2 + 3, "grades 3, 2 and 3"),
        Worked(GRADED_QUERY, {"k": 3, "gain": "exponential"}, 7 + 3 + 7, "gains of 7, 3 and 7"),
    ),
    cite="jarvelin2002",
    title="CG",
)
def cg(e: PerQuery, k: int | None = None, gain: str = "linear", judged_only: bool = False) -> Floats:
    """Mean over queries of the gains of the first k documents, wherever among them they stand.

    mean of sum(gain)
    """
    return e.mean(gains.cumulated, k=k, gain=gain, judged_only=judged_only)


# ---------------------------------------------------------------------- readers
@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(gains.rank_biased),
    notes=Notes(remarks=_unknown),
    worked=(
        Worked(THREE_QUERIES, {}, 0.2 * (1 + 0.8**2) / 3, ".2 · (1 + .8²) for documents at ranks 1 and 3, over 3"),
        Worked(POOLED, {"p": 0.5}, 0.5 * (1 + 0.5**3), "relevant documents at ranks 1 and 4; the third is not judged"),
    ),
    cite=(
        "Moffat and Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness. "
        "ACM Transactions on Information Systems 27."
    ),
    title="RBP",
    aliases=("rank_biased_precision",),
)
def rbp(e: PerQuery, k: int | None = None, p: float = 0.8, judged_only: bool = False) -> Floats:
    """Share of relevant documents among those seen by readers who go on to the next with probability p.

    mean of (1 − p) · sum over relevant documents of p^(rank − 1)

    A document is relevant or not; how high its grade is does not matter. A list ends, and has documents without a
    judgment: the residual, which is told with the value, is how much higher it would be if all of these, and all that
    would come after the list, were relevant.
    """
    return e.mean(gains.rank_biased, k=k, p=p, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(gains.expected_reciprocal),
    notes=Notes(remarks=_scale),
    worked=(
        Worked(
            TEN_GRADES,
            {"max_grade": 3},
            3 / 8 / 3 + 5 / 8 * (7 / 8 / 5 + 1 / 8 * (1 / 8 / 7 + 7 / 8 * (1 / 8 / 10))),
            "readers are satisfied with probability 3/8, 7/8, 1/8 and 1/8 at ranks 3, 5, 7 and 10",
        ),
        Worked(THREE_QUERIES, {}, (1 / 2 + 1 / 2 / 3) / 3, "grades of at most 1 satisfy with probability 1/2"),
    ),
    cite="Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal rank for graded relevance. CIKM.",
    title="ERR",
    aliases=("expected_reciprocal_rank",),
)
def err(e: PerQuery, k: int | None = None, max_grade: float | None = None, judged_only: bool = False) -> Floats:
    """Mean over queries of the expected inverse of the rank at which a reader is satisfied.

    mean of sum over ranks of R(rank) / rank · product of (1 − R) above; R = (2^grade − 1) / 2^max_grade

    max_grade is the highest grade of the scale. If it is not given, it is the highest grade among the judgments, found
    or not, and the result says which: values of judgments with another highest grade cannot be compared.
    """
    return e.mean(gains.expected_reciprocal, k=k, max_grade=max_grade, judged_only=judged_only)


@measure(
    reads=PerQuery,
    range=(0, 1),
    best=1,
    undefined=NO_QUERIES,
    no_skill=None,
    **mean_of(gains.found_by_reader),
    notes=Notes(remarks=_scale),
    worked=(
        Worked(
            TEN_GRADES,
            {"max_grade": 3},
            3 / 8 * 0.85**2 + 5 / 8 * (7 / 8 * 0.85**4 + 1 / 8 * (1 / 8 * 0.85**6 + 7 / 8 * (1 / 8 * 0.85**9))),
            "as for ERR, with .85^(rank − 1) for those who have not given up",
        ),
        Worked(THREE_QUERIES, {"p_break": 0}, (1 / 2 + 1 / 2) / 3, "no reader gives up"),
    ),
    cite=(
        "Gulin, Karpovich, Raskovalov and Segalovich (2009). Yandex at ROMIP 2009: optimization of ranking algorithms "
        "by machine learning methods (in Russian). ROMIP."
    ),
    title="pFound",
    aliases=("p_found",),
)
def pfound(
    e: PerQuery,
    k: int | None = None,
    p_break: float = 0.15,
    max_grade: float | None = None,
    judged_only: bool = False,
) -> Floats:
    """Probability that readers find what satisfies them before they give up, averaged over queries.

    mean of sum over ranks of R(rank) · product of (1 − R)(1 − p_break) above; R = (2^grade − 1) / 2^max_grade

    R, and what max_grade is if it is not given, are those of ERR.
    """
    return e.mean(gains.found_by_reader, k=k, p_break=p_break, max_grade=max_grade, judged_only=judged_only)
