"""Grades and scores as arrays of queries and documents, as scikit-learn's measures of rankings take them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, plural
from assay.sources.given import array_of
from assay.sources.rankings.matched import Floats, Ints, Judgments, Matched

BLOCK = 1 << 16  # documents that are put in order at once, so that their columns stay in the cache
HIGHEST = np.int64(np.iinfo(np.int64).max)


def from_arrays(y_true: Any, y_score: Any) -> tuple[Judgments, Matched]:
    """Judgments and a run in which every document is judged and retrieved.

    Rows are queries and columns documents; one dimension is one query. Documents are ranked by their scores from high
    to low. Those with equal scores are ranked by their ids from high to low, as everywhere, where the id of a document
    is the position of its column, padded with zeros: the last column comes first.
    """
    grades, scores = _grid(y_true, "y_true", "grade"), _grid(y_score, "y_score", "score")
    if grades.shape != scores.shape:
        raise DataError(f"y_true has the shape {grades.shape} and y_score {scores.shape}; both need the same.")
    queries, documents = grades.shape
    ranked, best, tied = _ranked(grades, scores)
    query = np.repeat(np.arange(queries), documents)
    judgments = Judgments(tuple(map(str, range(queries))), query, best.ravel())
    at = tied.ravel().nonzero()[0]
    starts = at[np.diff(at, prepend=-2) > 1]
    ends = at[np.diff(at, append=tied.size + 1) > 1]
    return judgments, Matched(
        retrieved=np.full(queries, documents),
        found_query=query,
        found_rank=np.tile(np.arange(1, documents + 1), queries),
        found_grade=ranked.ravel(),
        tied_query=starts // documents,
        tied_first=starts % documents + 1,
        tied_number=ends - starts + 2,
    )


def _ranked(grades: Floats, scores: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The grades of every query's documents by score and by grade, and whether each has the same score as the next."""
    ranked, best, tied = np.empty_like(grades), np.empty_like(grades), np.empty(grades.shape, np.bool_)
    rows = max(BLOCK // scores.shape[1], 1)
    for start in range(0, len(scores), rows):
        part = slice(start, start + rows)
        order, tied[part] = _order(scores[part])
        order += np.arange(len(order))[:, None] * scores.shape[1]
        np.take(grades[part], order, out=ranked[part])
        falling = -grades[part]
        falling.sort(axis=1)
        np.negative(falling, out=best[part])
    return ranked, best, tied


def _order(scores: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """The documents of some queries, the best first, and whether each has the same score as the next one.

    A score and the position of its column are sorted as one number, in which the last bits of the score give way to the
    position. Where scores differ in these bits alone, they are sorted again.
    """
    most = scores.shape[1]
    last = (1 << (most - 1).bit_length()) - 1
    bits = (0.0 - scores).view(np.int64)  # -0 is 0
    keys = bits >> 63
    keys &= HIGHEST
    keys ^= bits  # integers, the smallest for the highest score
    keys &= ~last
    keys |= np.arange(most)[::-1]
    keys.sort(axis=1)
    order = keys & last
    np.subtract(most - 1, order, out=order)
    tied = np.zeros(scores.shape, np.bool_)
    np.less_equal((keys[:, 1:] ^ keys[:, :-1]).view(np.uint64), np.uint64(last), out=tied[:, :-1])
    rows = np.flatnonzero(tied.any(axis=1))
    if len(rows):
        exact = _same_as_next(scores[rows], order[rows])
        alike = (exact == tied[rows]).all(axis=1)
        rows = rows[~alike]
        if len(rows):
            order[rows], tied[rows] = _order_of_close(scores[rows])
    return order, tied


def _order_of_close(scores: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """The same, whatever the scores are."""
    upside_down = -scores
    order = np.argsort(upside_down, axis=1)
    tied = _same_as_next(upside_down, order)
    if tied.any():
        # Within a run of equal scores, the last position first; sorting these numbers is faster than a stable sort.
        most = scores.shape[1]
        runs = np.cumsum(~tied, axis=1) + tied
        order = most - 1 - np.sort(runs * most + (most - 1 - order), axis=1) % most
    return order, tied


def _same_as_next(scores: Floats, order: Ints) -> NDArray[np.bool_]:
    ordered = np.take_along_axis(scores, order, axis=1)
    same = np.zeros(scores.shape, np.bool_)
    np.equal(ordered[:, 1:], ordered[:, :-1], out=same[:, :-1])
    return same


def _grid(values: Any, name: str, what: str) -> Floats:
    """Numbers in two dimensions, none of them nan; grades are finite."""
    try:
        given = np.asarray(np.ma.filled(array_of(values), np.nan))
        grid = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} does not hold numbers alone, as many for each query; {what}s are numbers.") from None
    grid = grid[None, :] if grid.ndim == 1 else grid
    if grid.ndim != 2:
        raise DataError(f"{name} has {grid.ndim} dimensions; expected two: queries and documents.")
    if not grid.size:
        raise DataError(f"{name} is empty: there is nothing to evaluate.")
    well = grid == grid if what == "score" else np.isfinite(grid)
    if not well.all():
        bad = ~well
        row, column = (int(each) for each in np.argwhere(bad)[0])
        kind = "not a number" if what == "score" else "not a finite number"
        raise DataError(
            f"{name} has {plural(int(bad.sum()), what)} that {'is' if bad.sum() == 1 else 'are'} {kind} "
            f"(first: {grid[row, column]} in row {row}, column {column}, counted from 0)."
        )
    return grid + 0.0 if what == "grade" and given.dtype.kind == "f" else grid  # -0 is 0
