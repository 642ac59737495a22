"""Expected values over random orders of the documents that share a score.

Sums over ranks are expected to be what the mean weight of the ranks of each tie gives. The expected average precision
is that of McSherry and Najork (2008), Computing information retrieval performance measures efficiently in the presence
of tied scores, ECIR. Where no formula is simple, values of random orders are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.measures.rankings import gains, values
from assay.measures.rankings.values import ratio
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.lists.ranked import Lists

DRAWS = 200

Value = Callable[..., Floats]

# The value of one list by which each measure is a mean over queries.
VALUES: Mapping[str, Value] = {
    "ndcg": gains.normalized,
    "dcg": gains.discounted,
    "cg": gains.cumulated,
    "rbp": gains.rank_biased,
    "err": gains.expected_reciprocal,
    "pfound": gains.found_by_reader,
    "ap": values.average_precision,
    "rr": values.reciprocal_rank,
    "bpref": values.preferred,
    "inf_ap": values.inferred,
    "iprec": values.interpolated,
    "iprec_mean": values.interpolated_mean,
    "p": values.precision,
    "r": values.recall,
    "success": values.success,
    "r_precision": values.r_precision,
    "judged": values.judged,
    "set_p": values.precision,
    "set_r": values.recall,
    "set_f": values.f_measure,
}


@dataclass(frozen=True, eq=False)
class OverTies:
    """The expected value of each list, and of how many random orders it is the mean: 0 if it is exact."""

    each: Floats
    draws: int = 0


def expected(name: str, lists: Lists, *, draws: int = DRAWS, seed: int = 0, **options: Any) -> OverTies:
    """The expected value of each list by a measure, over random orders of documents that share a score."""
    value = VALUES[name]
    exact = EXACT.get(value)
    if options.pop("judged_only", False):  # among the judged documents, every order is as likely as before
        lists = lists.judged_only
    if not len(lists.tied.owner) or value is values.f_measure:
        return OverTies(value(lists, **options))
    if exact is not None:
        return OverTies(exact(lists, **options))
    total, draw = np.zeros(len(lists)), np.random.default_rng(seed)
    for _ in range(draws):
        total += value(lists.shuffled_ties(draw), **options)
    return OverTies(total / draws, draws)


# ---------------------------------------------------------------------- sums over ranks
def _weights(lists: Lists, by_rank: Floats, cut: float | Floats | None) -> Floats:
    """The mean weight of the ranks that each judged document may have; those below the cut weigh nothing."""
    sums = np.concatenate([np.zeros(1), np.cumsum(by_rank)])  # of ranks up to each, from 0
    tie = lists.tie
    first, number = (np.append(column, 1) for column in lists.tied.columns)
    tied = tie >= 0
    low = np.where(tied, first[tie], lists.rank)
    high = np.where(tied, low + number[tie] - 1, lists.rank)
    end = np.broadcast_to(np.inf if cut is None else np.asarray(cut, np.float64), len(lists))[lists.owner]
    upto, above = (np.minimum(each, end).astype(np.int64) for each in (high, low - 1))
    return np.asarray((sums[upto] - sums[above]) / (high - low + 1))


def _ones(lists: Lists) -> Floats:
    return np.ones(_most(lists))


def _most(lists: Lists) -> int:
    return int(lists.retrieved.max(initial=0))


def _hits(lists: Lists, cut: float | Floats | None) -> Floats:
    return lists.sum_found(_weights(lists, _ones(lists), cut) * lists.relevant)


def _precision(lists: Lists, k: int | None = None) -> Floats:
    return ratio(_hits(lists, k), lists.retrieved if k is None else np.full(len(lists), k))


def _recall(lists: Lists, k: int | None = None) -> Floats:
    return ratio(_hits(lists, k), lists.relevant_judged)


def _r_precision(lists: Lists, k: int | None = None) -> Floats:
    whole = lists.relevant_judged
    return ratio(_hits(lists, whole if k is None else np.minimum(whole, k)), whole)


def _judged(lists: Lists, k: int | None = None) -> Floats:
    count = lists.sum_found(_weights(lists, _ones(lists), k) * (lists.grade >= 0))
    return ratio(count, lists.retrieved if k is None else np.minimum(lists.retrieved, k))


def _cumulated(lists: Lists, k: int | None = None, gain: str = "linear") -> Floats:
    return lists.sum_found(_weights(lists, _ones(lists), k) * gains.gain_of(lists, np.maximum(lists.grade, 0.0), gain))


def _discounted(lists: Lists, k: int | None = None, gain: str = "linear", discount: str = "log2") -> Floats:
    by_rank = 1 / gains.discounts(_most(lists), discount)[1:]
    return lists.sum_found(_weights(lists, by_rank, k) * gains.gain_of(lists, np.maximum(lists.grade, 0.0), gain))


def _normalized(lists: Lists, k: int | None = None, gain: str = "linear", discount: str = "log2") -> Floats:
    return ratio(_discounted(lists, k, gain, discount), gains.ideal(lists, k, gain, discount))


def _rank_biased(lists: Lists, k: int | None = None, p: float = 0.8) -> Floats:
    by_rank = (1 - p) * p ** np.arange(_most(lists), dtype=np.float64)
    return lists.sum_found(_weights(lists, by_rank, k) * lists.relevant)


# ---------------------------------------------------------------------- blocks: ties, and documents by themselves
@dataclass(frozen=True, eq=False)
class _Blocks:
    """Where relevant documents stand: each tie that has any, and each of them that is in no tie, by list and rank."""

    owner: Ints
    first: Floats
    number: Floats  # documents that share the score
    relevant: Floats  # relevant ones among them
    above: Floats  # relevant ones above them

    @classmethod
    def of(cls, lists: Lists) -> _Blocks:
        rows = lists.hits
        first, number, start = _blocks(lists, np.flatnonzero(lists.relevant))
        many = np.diff(np.append(start, len(rows.owner)))
        floats = (each.astype(np.float64) for each in (first, number, many, rows.place[start]))
        return cls(rows.owner[start], *floats)


def _blocks(lists: Lists, rows: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each block of these rows: its first rank, how many documents it has, and where its rows start."""
    tie = lists.tie[rows]
    key = np.where(tie >= 0, tie, -1 - np.arange(len(tie)))  # those by themselves have numbers of their own
    start = np.flatnonzero(np.diff(key, prepend=len(lists.tied.owner)))
    at = tie[start]
    first, number = (np.append(column, 1) for column in lists.tied.columns)
    return np.where(at >= 0, first[at], lists.rank[rows[start]]), np.where(at >= 0, number[at], 1), start


def _average_precision(lists: Lists, k: int | None = None) -> Floats:
    b = _Blocks.of(lists)
    inverse = np.concatenate([np.zeros(1), np.cumsum(1 / np.arange(1.0, _most(lists) + 1))])
    last = b.first + b.number - 1
    end = last if k is None else np.clip(last, b.first - 1, np.maximum(k, b.first - 1))
    inverses = inverse[end.astype(np.int64)] - inverse[(b.first - 1).astype(np.int64)]
    places = end - b.first + 1
    # Above a relevant document at the i-th place of its tie are (i − 1)(m − 1)/(t − 1) others of its m, on average.
    others = ratio(b.relevant - 1, b.number - 1)
    value = b.relevant / b.number * ((b.above + 1) * inverses + others * (places - b.first * inverses))
    return ratio(np.bincount(b.owner, value, minlength=len(lists)), lists.relevant_judged)


def _until_first(lists: Lists, worth: Callable[[Floats], Floats]) -> Floats:
    """What the rank of the first relevant document is expected to be worth."""
    b = _Blocks.of(lists)
    at = np.flatnonzero(np.diff(b.owner, prepend=-1))
    t, m, first = b.number[at], b.relevant[at], b.first[at]
    out, none_yet = np.zeros(len(at)), np.ones(len(at))
    for i in range(int((t - m).max(initial=-1)) + 1):
        here = np.where(i < t, np.minimum(ratio(m, t - i), 1.0), 0.0)
        out += none_yet * here * worth(first + i)
        none_yet = none_yet * (1 - here)
    total = np.zeros(len(lists))
    total[b.owner[at]] = out
    return total


def _reciprocal(lists: Lists, k: int | None = None) -> Floats:
    return _until_first(lists, lambda rank: np.where(rank <= (np.inf if k is None else k), 1 / rank, 0.0))


def _success(lists: Lists, k: int | None = None) -> Floats:
    return _until_first(lists, lambda rank: (rank <= (np.inf if k is None else k)).astype(np.float64))


# ---------------------------------------------------------------------- readers
def _reader(lists: Lists, k: int | None, max_grade: float | None, by_rank: Floats) -> Floats:
    """What it is worth to be satisfied at each rank, if this depends on the rank alone.

    To be satisfied at a place of a tie is not to have been so above it, less not to be so up to it: both are means of
    products over all subsets of the tie of some size.
    """
    worth = by_rank if k is None else np.where(np.arange(1, len(by_rank) + 1) <= k, by_rank, 0.0)
    rows = np.flatnonzero(lists.grade > 0)
    stop = gains.stops(lists, lists.grade[rows], max_grade)
    first, number, start = _blocks(lists, rows)
    end, owner = np.append(start, len(rows))[1:], lists.owner[rows[start]]
    out, left = np.zeros(len(lists)), np.ones(len(lists))
    for at, low, many, above, below in zip(*(x.tolist() for x in (owner, first, number, start, end)), strict=True):
        means = _subset_means(1 - stop[above:below], many)
        out[at] += left[at] * float((means[:-1] - means[1:]) @ worth[low - 1 : low - 1 + many])
        left[at] *= means[-1]
    return out


def _subset_means(factors: Floats, n: int) -> Floats:
    """The mean product of all subsets of each size from 0 to n, of these factors and as many ones as make n."""
    means = np.ones(n + 1)
    for held, factor in enumerate(factors.tolist(), n - len(factors) + 1):
        size = np.arange(1, held + 1)
        means[1 : held + 1] = ((held - size) * means[1 : held + 1] + size * factor * means[:held]) / held
    return means


def _expected_reciprocal(lists: Lists, k: int | None = None, max_grade: float | None = None) -> Floats:
    return _reader(lists, k, max_grade, 1 / np.arange(1.0, _most(lists) + 1))


def _found_by_reader(
    lists: Lists, k: int | None = None, p_break: float = 0.15, max_grade: float | None = None
) -> Floats:
    return _reader(lists, k, max_grade, (1 - p_break) ** np.arange(_most(lists), dtype=np.float64))


EXACT: Mapping[Value, Value] = {
    values.precision: _precision,
    values.recall: _recall,
    values.r_precision: _r_precision,
    values.judged: _judged,
    values.success: _success,
    values.reciprocal_rank: _reciprocal,
    values.average_precision: _average_precision,
    gains.cumulated: _cumulated,
    gains.discounted: _discounted,
    gains.normalized: _normalized,
    gains.rank_biased: _rank_biased,
    gains.expected_reciprocal: _expected_reciprocal,
    gains.found_by_reader: _found_by_reader,
}
