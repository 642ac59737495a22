"""Tables of labels without the classes that occur nowhere, for measures whose value does not depend on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion, places
from assay.tally.margins import OneVsRest

IGNORED, BETWEEN, COUNTED = "ignored", "between", "counted"  # what classes that occur nowhere are to a measure


def reads_the_rest(formula: Callable[[Any], Floats]) -> bool:
    """Whether a formula depends on the items that are neither of the class nor predicted as it."""
    few, many = formula(OneVsRest(np.full(2, 2.0), np.full(2, 3.0), np.full(2, 5.0), np.array([7.0, 11.0])))
    return bool(abs(few - many) > 1e-9)


def without_empty(*tallies: Confusion, between: bool = False, kept: int | None = None) -> tuple[Confusion, ...]:
    """Tallies of the same classes without those that no unit of any of them has; rows of weight 0 hold none.

    `between` keeps the empty classes between two others, and `kept` is one that stays in any case.
    """
    first = tallies[0]
    held = np.zeros(first.k + 1, bool)
    for tally in tallies:
        some = slice(None) if tally.weights is None else tally.mass > 0
        held[tally.gold[some]] = held[tally.pred[some]] = True
    held = held[: first.k]
    if kept is not None:
        held[kept] = True
    if between and held.any():
        where = np.flatnonzero(held)
        held[where[0] : where[-1] + 1] = True
    if held.all() or not held.any():
        return tallies
    labels = tuple(label for label, holds in zip(first.labels, held, strict=True) if holds)
    # A row of weight 0 in a class that goes counts nowhere, so any class will do for it.
    place = np.append(places(first.labels, labels) % len(labels), len(labels))
    return tuple(
        dataclasses.replace(
            tally,
            keys={**tally.keys, "gold": place[tally.gold], "pred": place[tally.pred]},
            labels=labels,
            positive=tally.positive if tally.positive in labels else None,
            absent=tuple(label for label in tally.absent if label in labels),
        )
        for tally in tallies
    )
