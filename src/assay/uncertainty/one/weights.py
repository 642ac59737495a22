"""Rows that count for more or less than others: how many equal rows they are worth, and when that is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import plural
from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats

Mask = NDArray[np.bool_]
NOT_SIMULATED = "not simulated: the coverage of this interval is not known"
PRIOR = 3.0  # rows of the class's own weight that are added to a cell, so that one light error does not pass for all
SPREAD = 2.0  # how much more a row is taken to weigh where the weights of its class differ
EQUAL, FEW = 0.999, 0.1  # Kish's share of the rows: weights of one class are equal above it, a few carry all below it
ROUNDING = 1e-9  # of sums of weights that are equal
SAY_ERRORS, SAY_ROWS = 2, 5  # at most this many error rows, or effective rows, are mentioned


def effective_rows(tally: Tally) -> tuple[Floats, Floats]:
    """How many equally heavy rows each cell is worth, and what one of them weighs (by simulation).

    A cell's rows weigh Σw² / Σw each; if few, they are pulled up to what is typical of their gold class, never down.
    """
    weights, golds = tally.weights, tally.unit_golds
    assert weights is not None
    assert golds is not None
    counts = weights.rows.astype(np.float64)
    own = np.divide(weights.squares, weights.total, out=np.zeros_like(counts), where=weights.total > 0)
    heavy = np.empty_like(counts)
    for gold in np.unique(golds):
        here = golds == gold
        rows, total, squares = counts[here].sum(), weights.total[here].sum(), weights.squares[here].sum()
        uneven = max(rows * squares / total**2 - 1, 0.0) if total > 0 else 0.0
        # A class without rows borrows the weight of all of them.
        usual = squares / total if total > 0 else weights.squares.sum() / weights.total.sum()
        seen = np.where(weights.total[here] > 0, own[here], usual)
        pulled = (counts[here] * seen + PRIOR * np.maximum(seen, usual)) / (counts[here] + PRIOR)
        heavy[here] = pulled * (1 + SPREAD * uneven / np.sqrt(max(rows, 1.0)))
    return weights.total / heavy, heavy


def differ_within(tally: Tally) -> bool:
    """Whether rows of one gold class differ in weight; in a design by class, the weight of an error is known."""
    return any(share <= EQUAL for share in _kish_shares(tally))


def all_equal(tally: Tally) -> bool:
    """Whether rows are weighted and all weigh the same; those of weight 0 do not count."""
    every = np.ones(len(tally.counts), bool)
    return tally.weights is not None and _kish(tally, every) > (1 - ROUNDING) * _rows(tally, every)


def without_weights(tally: Tally) -> Tally:
    """Rows that all weigh the same, counted; those in clusters stay as they are if some weigh nothing."""
    if tally.weights is None:
        return tally
    if tally.clusters is not None:
        every = np.array_equal(tally.weights.rows, tally.counts)
        return replace(tally, weights=None, clusters=replace(tally.clusters, weight=None)) if every else tally
    return replace(tally, counts=tally.weights.rows, weights=None).only(tally.weights.rows > 0)


def grows(bound: Bound, tally: Tally) -> bool:
    """Whether rows that weigh twice as much have another value, as totals do; such weights are not mere repetition."""
    cells = tally.complete() or tally
    once, twice = (float(bound.at(cells, np.full(len(cells.counts), weight))) for weight in (1.0, 2.0))
    return abs(twice - once) > 1e-9 * abs(once)


def counted_pair(bound: Bound, joint: Joint[Any]) -> Joint[Any]:
    """Two systems on rows that all weigh the same, with the rows counted; other weights stay."""
    if not all_equal(joint.a) or grows(bound, joint.a):
        return joint
    return Joint(without_weights(joint.a), without_weights(joint.b), joint.names)


def why_not(tally: Tally, errors: Mask | None) -> str | None:
    """Why weighted rows have no interval, or None; `errors` are the cells whose weight must have been seen."""
    if not differ_within(tally):
        return None
    if errors is not None and _rows(tally, errors) == 0:
        return "no error was observed, and weights differ from row to row, so the weight of an error is unknown"
    least = min(_kish_shares(tally))
    if least < FEW:
        return f"weights differ so much that the rows of a class are worth {least:.0%} of as many equally weighted ones"
    return None


def remarks(tally: Tally, errors: Mask | None, read: Mask) -> tuple[str, ...]:
    """What a reader should know about an interval that rests on few weights."""
    out, rows = [], _rows(tally, errors) if errors is not None else SAY_ERRORS + 1
    if 0 < rows <= SAY_ERRORS and differ_within(tally):
        out.append(f"the interval rests on the weight of {plural(rows, 'error row')}")
    kept = _kish(tally, read)
    if kept < SAY_ROWS:
        out.append(f"worth {kept:.1f} equally weighted rows: too few to estimate")
    return tuple(out)


def _kish_shares(tally: Tally) -> list[float]:
    """Kish's effective number of rows over the number of rows, for each gold class that has rows."""
    golds = tally.unit_golds
    groups = [np.ones(len(tally.counts), bool)] if golds is None else [golds == gold for gold in np.unique(golds)]
    return [_kish(tally, here) / _rows(tally, here) for here in groups if _rows(tally, here)]


def _kish(tally: Tally, here: Mask) -> float:
    assert tally.weights is not None
    squares = float(tally.weights.squares[here].sum())
    return float(tally.weights.total[here].sum()) ** 2 / squares if squares > 0 else 0.0


def _rows(tally: Tally, here: Mask) -> int:
    assert tally.weights is not None
    return int(tally.weights.rows[here].sum())
