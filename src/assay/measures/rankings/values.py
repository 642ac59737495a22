"""Values of lists in which documents are relevant or not, vectorised over all lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints
from assay.tally.lists.ranked import Lists, Ragged

LEAST_AP = 1e-5  # the floor of a geometric mean, as in trec_eval
INFERRED = 1e-5  # what inferred AP adds to its counts, as in trec_eval
LEVELS = tuple(i / 10 for i in range(11))


def seen(lists: Lists, judged_only: bool) -> Lists:
    """The lists as they are, or without their unjudged documents."""
    return lists.judged_only if judged_only else lists


def ratio(over: Any, under: Any) -> Floats:
    """One divided by the other, 0 where there is nothing to divide by."""
    over, under = np.asarray(over, np.float64), np.asarray(under, np.float64)
    return np.asarray(np.divide(over, under, out=np.zeros_like(over), where=under > 0))


def add(rows: Ragged, value: NDArray[Any], n: int) -> Floats:
    """The sum of the values of each list, added in the order of ranks."""
    return np.asarray(np.bincount(rows.owner, value, minlength=n), np.float64)


def upto(rows: Ragged, k: int | None) -> Ragged:
    """The rows among the first k ranks, which are their first column."""
    if k is None:
        return rows
    some = rows.first(k)
    return some.only(some.columns[0] <= k)


def running(value: Floats, place: Ints, op: Callable[[Floats, Floats], Floats]) -> Floats:
    """The product, maximum or sum over the rows of a list up to each row."""
    out, step, most = value.copy(), 1, int(place.max(initial=0))
    while step <= most:
        at = np.flatnonzero(place >= step)
        out[at] = op(out[at], out[at - step])
        step *= 2
    return out


# ---------------------------------------------------------------------- how many
def hits(lists: Lists, k: int | Ints | Floats | None) -> Floats:
    """How many relevant documents are among the first k, which may be another number for each list."""
    if k is None:
        return lists.relevant_found
    if isinstance(k, int):
        return upto(lists.hits, k).lengths.astype(np.float64)
    rows = lists.hits
    return add(rows, rows.columns[0] <= k[rows.owner], len(lists))


def precision(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """The share of the first k, or of the list, that is relevant."""
    lists = seen(lists, judged_only)
    return ratio(hits(lists, k), lists.retrieved if k is None else np.full(len(lists), k))


def recall(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """The share of the relevant documents that is among the first k."""
    lists = seen(lists, judged_only)
    return ratio(hits(lists, k), lists.relevant_judged)


def success(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """1 where a relevant document is among the first k."""
    first = seen(lists, judged_only).first_relevant
    return np.asarray(np.isfinite(first) if k is None else first <= k, np.float64)


def r_precision(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """The share of relevant documents among as many as there are relevant ones."""
    lists = seen(lists, judged_only)
    whole = lists.relevant_judged
    return ratio(hits(lists, whole if k is None else np.minimum(whole, k)), whole)


def judged(lists: Lists, k: int | None = None) -> Floats:
    """The share of the documents among the first k that have a judgment, 1 where there is no document."""
    has = lists.grade >= 0
    count = lists.sum_found(has if k is None else has & (lists.rank <= k))
    number = lists.retrieved if k is None else np.minimum(lists.retrieved, k)
    return np.where(number > 0, ratio(count, number), 1.0)


def f_measure(lists: Lists, beta: float = 1.0) -> Floats:
    """The harmonic mean of precision and recall, recall weighing beta² times as much."""
    found, x = lists.relevant_found, beta * beta
    some = found > 0
    p, r = ratio(found, lists.retrieved), ratio(found, lists.relevant_judged)
    return np.asarray(np.divide((x + 1.0) * p * r, x * p + r, out=np.zeros_like(p), where=some))


# ---------------------------------------------------------------------- in which order
def reciprocal_rank(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """One over the rank of the first relevant document, 0 where there is none among the first k."""
    first = seen(lists, judged_only).first_relevant
    return np.asarray(1 / first if k is None else np.where(first <= k, 1 / first, 0.0))


def average_precision(lists: Lists, k: int | None = None, judged_only: bool = False) -> Floats:
    """The precision at each relevant document, 0 at those not among the first k, averaged over all relevant ones."""
    lists = seen(lists, judged_only)
    rows = upto(lists.hits, k)
    return ratio(add(rows, (rows.place + 1) / rows.columns[0], len(lists)), lists.relevant_judged)


def log_average_precision(lists: Lists, k: int | None = None) -> Floats:
    """The logarithm of average precision, which is taken as at least 0.00001."""
    return np.asarray(np.log(np.maximum(average_precision(lists, k), LEAST_AP)))


def preferred(lists: Lists, k: int | None = None) -> Floats:
    """bpref: how many judged nonrelevant documents stand above each relevant one."""
    nonrelevant = ~lists.relevant & (lists.grade >= 0)
    rows, whole = lists.hits, lists.relevant_judged
    above = lists.found.before(nonrelevant)[lists.relevant]
    worse = lists.nonrelevant_judged
    most, few = whole[rows.owner], np.minimum(worse, whole)[rows.owner]
    value = np.where(above > 0, 1.0 - np.minimum(above, most) / np.maximum(few, 1), 1.0)
    return ratio(add(rows, value if k is None else np.where(rows.columns[0] <= k, value, 0.0), len(lists)), whole)


def inferred(lists: Lists, k: int | None = None) -> Floats:
    """Average precision, estimated where only some of the documents of the pool are judged."""
    rows = lists.hits
    above = rows.columns[0] - 1.0
    right, pooled = rows.place, lists.found.place[lists.relevant]
    wrong = lists.found.before(~lists.relevant & (lists.grade >= 0))[lists.relevant]
    share = pooled / np.maximum(above, 1.0)
    value = 1.0 / (above + 1.0) + (above / (above + 1.0)) * share * (
        (right + INFERRED) / (right + wrong + 2 * INFERRED)
    )
    value = np.where(above == 0, 1.0, value)
    total = add(rows, value if k is None else np.where(above < k, value, 0.0), len(lists))
    return ratio(total, lists.relevant_judged)


# ---------------------------------------------------------------------- at a recall
def interpolated(lists: Lists, recall: float = 0.0, rule: str = "definition") -> Floats:
    """The highest precision at this recall or a higher one."""
    whole = lists.relevant_judged
    # A product such as 0.7 · 10 may lie a last bit above the whole number that it stands for.
    needed = np.floor(recall * whole + 0.9) if rule == "trec_eval" else np.ceil(recall * whole - 1e-9)
    nth = np.maximum(needed, 1).astype(np.int64)
    there = nth <= lists.hits.lengths
    best = np.zeros(len(lists))
    best[there] = lists.values(_best_from, {})[(lists.hits.starts[:-1] + nth - 1)[there]]
    return best


def interpolated_mean(lists: Lists, rule: str = "definition") -> Floats:
    """The mean of these at recalls of 0, .1, … 1."""
    total = np.zeros(len(lists))
    for level in reversed(LEVELS):
        total += interpolated(lists, level, rule)
    return np.asarray(total / len(LEVELS))


def _best_from(lists: Lists) -> Floats:
    """For each relevant document that was found: the highest precision at it or at a later one."""
    rows = lists.hits
    share = (rows.place + 1) / rows.columns[0]
    after = rows.lengths[rows.owner] - rows.place - 1
    return running(share[::-1], after[::-1], np.maximum)[::-1]
