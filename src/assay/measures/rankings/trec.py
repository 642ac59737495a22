"""What `trec_eval -m all_trec` prints (version 9.0.8): the values of each list, by name and in its order.

There is one departure. Where no document of a list is left under -J, trec_eval divides 0 by 0 and prints nan for
`iprec_at_recall_0.00` and `11pt_avg`; here both are 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import log2

import numpy as np
from numpy.typing import NDArray

from assay.measures.rankings import gains, values
from assay.measures.rankings.values import add, hits, ratio, running
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.lists.ranked import Lists

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = tuple(i / 10 for i in range(2, 21, 2))
LOGARITHMS = ("gm_map", "gm_bpref")  # printed for all queries only
SHOWN = 10  # documents in a string of grades

Value = Callable[[Lists], Floats]


def trec_values(lists: Lists) -> dict[str, Floats]:
    """The value of each list by name: of `gm_` measures the logarithm, which trec_eval does not print for a query."""
    return {name: value(lists) for name, value in VALUES.items()}


def trec_summary(name: str, each: Floats) -> float:
    """The value for all queries: the sum of a count, a geometric mean, or a mean, added up query by query."""
    total = float(np.cumsum(each)[-1]) if len(each) else 0.0
    if name in COUNTS:
        return total
    mean = total / len(each) if len(each) else 0.0
    return math.exp(mean) if name in LOGARITHMS else mean


def trec_text(name: str, value: float) -> str:
    """A value as trec_eval prints it."""
    return f"{int(value)}" if name in COUNTS else f"{value:6.4f}"


def relevance_strings(lists: Lists) -> list[str]:
    """The grades of the first ten documents of each list: - if it is not in the pool, . if not judged, > above 9."""
    shown = np.minimum(lists.retrieved, SHOWN)
    signs = [["-"] * n for n in shown.tolist()]
    rows = np.flatnonzero(lists.rank <= SHOWN)
    for i, rank, grade in zip(
        lists.owner[rows].tolist(), lists.rank[rows].tolist(), lists.grade[rows].tolist(), strict=True
    ):
        signs[i][rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(int(grade))
    return ["".join(each) for each in signs]


# ---------------------------------------------------------------------- counts
def _retrieved(lists: Lists) -> Floats:
    return lists.retrieved.astype(np.float64)


def _nonrelevant_found(lists: Lists) -> Floats:
    return lists.sum_found(~lists.relevant & (lists.grade >= 0))


def _utility(lists: Lists) -> Floats:
    return np.asarray(lists.relevant_found - (lists.retrieved - lists.relevant_found))


def _log_bpref(lists: Lists) -> Floats:
    return np.asarray(np.log(np.maximum(values.preferred(lists), values.LEAST_AP)))


def _at_multiple(lists: Lists, times: float) -> Floats:
    """Precision at a multiple of the number of relevant documents."""
    cut = np.floor(times * lists.relevant_judged + 0.9)
    return ratio(hits(lists, cut), cut)


def _relative(lists: Lists, k: int | None = None) -> Floats:
    """Precision as a share of the highest that is possible."""
    return ratio(hits(lists, k), np.minimum(lists.retrieved if k is None else k, lists.relevant_judged))


def _product(lists: Lists) -> Floats:
    """Precision times recall of the whole list."""
    found, under = lists.relevant_found, lists.retrieved * lists.relevant_judged
    return ratio(found * found, under)


# ---------------------------------------------------------------------- gains
def _binary_g(lists: Lists) -> Floats:
    rows = lists.hits
    worse = rows.columns[0] - rows.place - 1  # nonrelevant documents above
    table = np.array([1 / log2(2 + i) for i in range(int(worse.max(initial=0)) + 1)])
    return ratio(add(rows, table[worse], len(lists)), lists.relevant_judged)


def _g(lists: Lists) -> Floats:
    """Gains, each discounted by what the best list would have gained more at this rank."""
    pool = lists.best
    grade = pool.columns[0]
    costs = running(np.maximum(grade, 1.0), pool.place, np.add)
    rows = lists.gains
    rank, gain = rows.columns
    inside = np.minimum(rank, pool.lengths[rows.owner])
    cost = costs[pool.starts[rows.owner] + inside - 1] + (rank - inside)
    got = running(gain, rows.place, np.add)
    return ratio(add(rows, gain / np.log2(2 + cost - got), len(lists)), add(pool, grade, len(lists)))


class _Gains:
    """Discounted gains of each list and of its best order, rank by rank."""

    def __init__(self, lists: Lists) -> None:
        """Add up what is above each rank."""
        self.pool, self.rows = lists.best, lists.gains
        most = max(int(self.rows.columns[0].max(initial=0)), int(self.pool.lengths.max(initial=0)))
        by = gains.discounts(most, "log2")
        self.best = running(self.pool.columns[0] / by[self.pool.place + 1], self.pool.place, np.add)
        self.own = running(self.rows.columns[1] / by[self.rows.columns[0]], self.rows.place, np.add)
        self.has, self.found = self.pool.lengths > 0, self.rows.lengths > 0
        self.whole = self._last(self.best, self.pool.starts, self.has)
        self.total = self._last(self.own, self.rows.starts, self.found)

    @staticmethod
    def _last(sums: Floats, starts: Ints, has: NDArray[np.bool_]) -> Floats:
        out = np.zeros(len(has))
        out[has] = sums[starts[1:][has] - 1]
        return out


def _ndcg_at_relevant(lists: Lists) -> Floats:
    """NDCG at each document with a gain, and that of the whole list for those that were not found, averaged."""
    g = _Gains(lists)
    inside = np.minimum(g.rows.columns[0], g.pool.lengths[g.rows.owner])
    share = g.own / g.best[g.pool.starts[g.rows.owner] + inside - 1]
    missed = g.pool.lengths - g.rows.lengths
    total = add(g.rows, share, len(lists)) + ratio(missed * g.total, g.whole)
    return ratio(total, g.pool.lengths)


def _ndcg_at_steps(lists: Lists) -> Floats:
    """NDCG wherever the best list goes on to lower grades, averaged."""
    g = _Gains(lists)
    owner, last = g.pool.owner, np.append(np.diff(g.pool.columns[0]) != 0, np.ones(min(len(g.pool.owner), 1), bool))
    ends = np.flatnonzero(last | np.append(np.diff(owner) != 0, np.ones(min(len(owner), 1), bool)))
    depth, at = g.pool.place[ends] + 1, owner[ends]
    # The last document with a gain among as many as the best list had of these grades or higher ones.
    span = int(max(lists.retrieved.max(initial=0), g.pool.lengths.max(initial=0))) + 2
    upto = np.searchsorted(g.rows.owner * span + g.rows.columns[0], at * span + depth, "right") - g.rows.starts[at]
    own = np.zeros(len(ends))
    some = upto > 0
    own[some] = g.own[(g.rows.starts[at] + upto - 1)[some]]
    total = np.asarray(np.bincount(at, own / g.best[ends], minlength=len(lists)), np.float64)
    steps = np.bincount(at, minlength=len(lists)).astype(np.float64)
    # A list that goes on after the best one has nothing left counts once more as a whole.
    more = g.has & (lists.retrieved > g.pool.lengths + 1)
    total += np.where(more, ratio(g.total, g.whole), 0.0)
    return np.where(lists.relevant_judged > 0, ratio(total, steps + more), 0.0)


# ---------------------------------------------------------------------- the table
def _named() -> Iterator[tuple[str, Value]]:
    """Every name with its value, in the order in which they are printed."""

    def cut(name: str, value: Callable[..., Floats], cuts: tuple[int, ...] = CUTS) -> Iterator[tuple[str, Value]]:
        yield from ((f"{name}_{k}", partial(value, k=k)) for k in cuts)

    yield "num_ret", _retrieved
    yield "num_rel", lambda lists: lists.relevant_judged
    yield "num_rel_ret", lambda lists: lists.relevant_found
    yield "map", values.average_precision
    yield "gm_map", values.log_average_precision
    yield "Rprec", values.r_precision
    yield "bpref", values.preferred
    yield "recip_rank", values.reciprocal_rank
    for x in values.LEVELS:
        yield f"iprec_at_recall_{x:.2f}", partial(values.interpolated, recall=x, rule="trec_eval")
    yield from cut("P", values.precision)
    yield from cut("recall", values.recall)
    yield "infAP", values.inferred
    yield "gm_bpref", _log_bpref
    for x in MULTIPLES:
        yield f"Rprec_mult_{x:.2f}", partial(_at_multiple, times=x)
    yield "utility", _utility
    yield "11pt_avg", partial(values.interpolated_mean, rule="trec_eval")
    yield "binG", _binary_g
    yield "G", _g
    yield "ndcg", gains.normalized
    yield "ndcg_rel", _ndcg_at_relevant
    yield "Rndcg", _ndcg_at_steps
    yield from cut("ndcg_cut", gains.normalized)
    yield from cut("map_cut", values.average_precision)
    yield from cut("relative_P", _relative)
    yield from cut("success", values.success, (1, 5, 10))
    yield "set_P", values.precision
    yield "set_relative_P", _relative
    yield "set_recall", values.recall
    yield "set_map", _product
    yield "set_F", values.f_measure
    yield "num_nonrel_judged_ret", _nonrelevant_found


VALUES: Mapping[str, Value] = dict(_named())
COUNTS = tuple(name for name in VALUES if name.startswith("num_"))
AFTER = "P_1000"  # what the line of grades of a query comes after
