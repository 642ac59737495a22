"""Values along ranked lists that are drawn as curves: precision by recall, and how many results nobody judged."""

from __future__ import annotations

import numpy as np

from assay.tally.contract.sampling import Floats
from assay.tally.lists.ranked import Lists

LEVELS = 11  # of recall: 0, 0.1, …, 1
SLACK = 1e-9  # 0.3 · 10 documents are 3, though not in binary


def interpolated(lists: Lists, levels: int = LEVELS) -> Floats:
    """The highest precision of each list at any rank with at least each recall, at even levels from 0 to 1."""
    at = np.flatnonzero(lists.relevant)
    owner = lists.owner[at]
    first = np.searchsorted(owner, np.arange(len(lists) + 1))  # where the relevant documents of each list begin
    nth = np.arange(len(at)) - first[owner] + 1
    best = _from_here_on(nth / lists.rank[at], first)
    needed = np.ceil(np.linspace(0, 1, levels) * lists.relevant_judged[:, None] - SLACK).clip(min=1).astype(np.int64)
    place = first[:-1, None] + needed - 1
    reached = needed <= np.diff(first)[:, None]
    return np.where(reached, np.append(best, 0.0)[np.where(reached, place, len(best))], 0.0)


def _from_here_on(values: Floats, first: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """The highest of each value and those after it in the same stretch; no value is above 1."""
    stretch = np.repeat(np.arange(len(first) - 1), np.diff(first))[::-1]
    # Every stretch lies above those that come before it from the end, so that none reaches into the next.
    lifted = np.maximum.accumulate(values[::-1] - 2.0 * stretch)
    return np.asarray((lifted + 2.0 * stretch)[::-1])


def results(lists: Lists, k: int) -> Floats:
    """How many of the first k results each list has."""
    return np.minimum(lists.retrieved, k).astype(np.float64)


def unjudged(lists: Lists, k: int) -> Floats:
    """How many of the first k results of each list have no judgment, or a negative one, as in trec_eval."""
    judged = lists.sum_found((lists.rank <= k) & (lists.grade >= 0))
    return results(lists, k) - judged


def unjudged_by_rank(lists: Lists, weight: Floats, k: int) -> Floats:
    """The share of the results at each of the first k ranks that have no judgment; nan where there are no results."""
    held = (lists.rank <= k) & (lists.grade >= 0)
    judged = np.bincount(lists.rank[held], weight[lists.owner[held]], minlength=k + 1)[1:]
    ends = np.bincount(np.minimum(lists.retrieved, k), weight, minlength=k + 1)
    returned = ends[::-1].cumsum()[::-1][1:]
    return np.asarray(np.divide(returned - judged, returned, out=np.full(k, np.nan), where=returned > 0))
