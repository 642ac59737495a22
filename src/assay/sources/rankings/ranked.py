"""The documents of whole queries put in order: the ranks of those that were judged, and where scores are tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.sources.rankings.ids import Ids, Index, descending, hashes, repeated
from assay.sources.rankings.matched import Floats, Ints

Scores = Floats | NDArray[np.float32]
_HALF = np.uint64(32)  # bits


class Twice(Exception):
    """A document occurs twice in a query."""

    def __init__(self, row: int) -> None:
        self.row = row


@dataclass(frozen=True, eq=False)
class Ranked:
    """What is kept of some queries: as `Matched`, with the number of the judgment in place of its grade."""

    query: Ints
    retrieved: Ints
    found_query: Ints
    found_rank: Ints
    found: Ints
    tied_query: Ints
    tied_first: Ints
    tied_number: Ints


def rank_judged(query: Ints, documents: Ids, scores: Scores, judged: Index) -> Ranked:
    """The rows of whole queries, one query after the other, matched; `Twice` if a document is repeated."""
    hashed = hashes(documents, query)
    twice = repeated(documents, query, hashed)
    if twice is not None:
        raise Twice(twice)
    rows, found = judged.find(documents, query, hashed)
    starts = np.concatenate([[0], np.flatnonzero(query[1:] != query[:-1]) + 1])
    sizes = np.diff(starts, append=len(query))
    number = np.repeat(np.arange(len(starts)), sizes)  # of the query among these
    keys = (number.astype(np.uint64) << _HALF) | _best_first(scores)
    ordered = keys if (keys[1:] >= keys[:-1]).all() else np.sort(keys)  # most runs are written in order
    tied_at, tied_number = _ties(ordered)
    places = _places(rows, keys, ordered, ordered[tied_at], documents)
    order = np.argsort(places)
    rows, found, places = rows[order], found[order], places[order]
    return Ranked(
        query=query[starts],
        retrieved=sizes,
        found_query=query[rows],
        found_rank=places - starts[number[rows]] + 1,
        found=found,
        tied_query=query[tied_at],
        tied_first=tied_at - starts[number[tied_at]] + 1,
        tied_number=tied_number,
    )


def joined(parts: Sequence[Ranked]) -> Ranked:
    """The same for all queries of all parts, by query and rank."""
    every = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Ranked.__dataclass_fields__}
    for first in ("query", "found_query", "tied_query"):
        if (every[first][1:] < every[first][:-1]).any():
            order = np.argsort(every[first], kind="stable")  # the ranks of a query are in order already
            together = [name for name in every if name.split("_")[0] == first.split("_")[0]]
            together = together if first != "query" else ["query", "retrieved"]
            every |= {name: every[name][order] for name in together}
    return Ranked(**every)


def _best_first(scores: Scores) -> NDArray[np.uint64]:
    """Numbers below 2³² that are smaller for higher scores, and equal for equal ones."""
    if scores.dtype == np.float32:
        # The bits of floats, taken as integers, are in the order of their magnitudes.
        bits = scores.view(np.int32)
        upward = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
        return ((~upward).view(np.uint32) ^ np.uint32(1 << 31)).astype(np.uint64)
    return np.unique(-scores, return_inverse=True)[1].astype(np.uint64)


def _ties(ordered: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Where two or more equal keys begin, and how many they are."""
    again = np.flatnonzero(ordered[1:] == ordered[:-1])
    first = again[np.diff(again, prepend=-2) > 1]
    after = again[np.diff(again, append=len(ordered) + 1) > 1]
    return first, after - first + 2


def _places(
    rows: Ints, keys: NDArray[np.uint64], ordered: NDArray[np.uint64], tied: NDArray[np.uint64], documents: Ids
) -> Ints:
    """The places of these rows among all rows, the best first; among equal keys, the highest id first."""
    places = np.searchsorted(ordered, keys[rows]).astype(np.int64)
    if not len(tied):
        return places
    doubtful = _member(keys[rows], tied)
    if not doubtful.any():
        return places
    beside = np.flatnonzero(_member(keys, np.unique(keys[rows[doubtful]])))
    beside = beside[descending(documents.only(beside), keys[beside])]
    shared = keys[beside]
    at = np.searchsorted(ordered, shared) + np.arange(len(beside)) - np.searchsorted(shared, shared)
    exact = np.zeros(len(keys), np.int64)
    exact[beside] = at
    places[doubtful] = exact[rows[doubtful]]
    return places


def _member(keys: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which keys are among the known ones, which are in ascending order."""
    at = np.searchsorted(known, keys)
    at[at == len(known)] = 0
    member: NDArray[np.bool_] = known[at] == keys
    return member
