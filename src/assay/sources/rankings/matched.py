"""What is left of a run once its documents have been looked up among the judgments: all that measures ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judgments:
    """The grades of all judged documents: `query` numbers the queries in `queries`; their order means nothing."""

    queries: tuple[str, ...]
    query: Ints
    grade: Floats


@dataclass(frozen=True, eq=False)
class Matched:
    """One run against judgments: where its judged documents stand, and where documents share a score.

    Queries are numbered as in the judgments. Ranks start at 1: scores from high to low, then document ids from high to
    low by their bytes, as trec_eval ranks them. `found_*` has a row for each judged document of the run, by query and
    rank; `tied_*` a row for each two or more documents in a row that have the same score.
    """

    retrieved: Ints  # how many documents the run has for each judged query; 0 for those that it does not have
    found_query: Ints
    found_rank: Ints
    found_grade: Floats
    tied_query: Ints
    tied_first: Ints  # the rank of the first of them
    tied_number: Ints  # how many they are
    strangers: int = 0  # queries of the run that have no judgments
    tag: str | None = None  # what a run in trec_eval's format calls itself in its last line
