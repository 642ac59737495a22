"""Values of lists whose documents have grades: gains, and readers who stop at what satisfies them."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from assay.errors import DataError, written
from assay.measures.rankings.values import add, ratio, running, seen, upto
from assay.tally.contract.sampling import Floats
from assay.tally.lists.ranked import Lists, Ragged

HIGHEST = 500  # grades from which on 2 to this power, or its square, could not be added up


def gain_of(lists: Lists, grade: Floats, gain: str) -> Floats:
    """What grades gain, all of which are above 0."""
    if gain == "linear":
        return grade
    highest = lists.top_grade
    if highest > HIGHEST:
        linear = written("gain=linear", "gain='linear'")
        raise DataError(
            f"the judgments have a grade of {highest:g}, and 2 to that power is too large to be added up; "
            f"use {linear}, or grades on a shorter scale."
        )
    return np.asarray(np.exp2(grade) - 1.0)


def discounts(most: int, discount: str) -> Floats:
    """What gains are divided by, from rank 0, which there is not, to the last."""
    shift = 1 if discount == "log2" else 0
    return np.array([1.0, *(max(log2(i + shift), 1.0) for i in range(1, most + 1))])


def _total(lists: Lists, rows: Ragged, k: int | None, gain: str, discount: str | None) -> Floats:
    """The discounted gains of each list, from the ranks and grades of documents with a grade above 0."""
    rows = upto(rows, k)
    rank, grade = rows.columns
    gains = gain_of(lists, grade, gain)
    if discount is not None:
        gains = gains / discounts(int(rank.max(initial=0)), discount)[rank]
    return add(rows, gains, len(lists))


def cumulated(lists: Lists, k: int | None = None, gain: str = "linear", judged_only: bool = False) -> Floats:
    """The gains of the first k documents, added up; grades below 0 gain nothing."""
    lists = seen(lists, judged_only)
    return _total(lists, lists.gains, k, gain, None)


def discounted(
    lists: Lists, k: int | None = None, gain: str = "linear", discount: str = "log2", judged_only: bool = False
) -> Floats:
    """The same, each divided by the discount of its rank."""
    lists = seen(lists, judged_only)
    return _total(lists, lists.gains, k, gain, discount)


def ideal(lists: Lists, k: int | None = None, gain: str = "linear", discount: str = "log2") -> Floats:
    """The discounted gains of the best order of all judged documents."""
    best = lists.best if k is None else lists.best.first(k)
    return _total(lists, Ragged((best.place + 1, *best.columns), best.starts), None, gain, discount)


def normalized(
    lists: Lists, k: int | None = None, gain: str = "linear", discount: str = "log2", judged_only: bool = False
) -> Floats:
    """The discounted gains of each list over those of the best order of all judged documents."""
    return ratio(discounted(lists, k, gain, discount, judged_only), ideal(lists, k, gain, discount))


# ---------------------------------------------------------------------- readers
def rank_biased(lists: Lists, k: int | None = None, p: float = 0.8, judged_only: bool = False) -> Floats:
    """How many relevant documents someone sees, per document, who goes on with probability p."""
    lists = seen(lists, judged_only)
    rows = upto(lists.hits, k)
    return add(rows, (1 - p) * p ** (rows.columns[0] - 1.0), len(lists))


def residual(lists: Lists, k: int | None = None, p: float = 0.8, judged_only: bool = False) -> Floats:
    """How much higher this would be if all documents without a judgment, and all below the list, were relevant."""
    lists = seen(lists, judged_only)
    weight = np.where(lists.grade >= 0, (1 - p) * p ** (lists.rank - 1.0), 0.0)
    known = lists.sum_found(weight if k is None else np.where(lists.rank <= k, weight, 0.0))
    return np.maximum(1 - known, 0.0)


def stops(lists: Lists, grade: Floats, max_grade: float | None) -> Floats:
    """The probability that documents of these grades, above 0, satisfy: (2^g − 1) / 2^max_grade."""
    highest = lists.top_grade
    top = highest if max_grade is None else max_grade
    if highest > top:
        raise DataError(
            f"the judgments have a grade of {highest:g}, but max_grade is {top:g}; give the highest grade of the scale."
        )
    return np.asarray(np.exp2(grade - top) - 2.0**-top)


def expected_reciprocal(
    lists: Lists, k: int | None = None, max_grade: float | None = None, judged_only: bool = False
) -> Floats:
    """The expected inverse of the rank at which a reader is satisfied."""
    return _satisfied(lists, k, max_grade, judged_only, lambda rank: 1.0 / rank)


def found_by_reader(
    lists: Lists,
    k: int | None = None,
    p_break: float = 0.15,
    max_grade: float | None = None,
    judged_only: bool = False,
) -> Floats:
    """The probability that a reader is satisfied, who gives up after any other document with probability p_break."""
    return _satisfied(lists, k, max_grade, judged_only, lambda rank: (1 - p_break) ** (rank - 1.0))


def _satisfied(lists: Lists, k: int | None, max_grade: float | None, judged_only: bool, worth: Any) -> Floats:
    """The sum of what it is worth to be satisfied at each rank, times the probability of being so."""
    lists = seen(lists, judged_only)
    rows = upto(lists.gains, k)
    rank, grade = rows.columns
    stop = stops(lists, grade, max_grade)
    through = running(1 - stop, rows.place, np.multiply)
    reached = np.where(rows.place > 0, np.concatenate([np.ones(1), through[:-1]])[: len(stop)], 1.0)
    return add(rows, stop * reached * worth(rank), len(lists))
