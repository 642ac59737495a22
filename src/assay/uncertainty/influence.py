"""How much one item of each unit moves a measure: derivatives through the evidence, for stacks of tallies."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.measures.declare import Bound
from assay.tally.base import Linear, Tally
from assay.tally.sampling import Floats

STEP = 1e-5  # times the root of the feature: small beside rare classes, large beside rounding
CANCELLED = 1e-5  # what is left of larger terms is the error of the differences, not an influence


def is_linear(bound: Bound) -> bool:
    """Whether the measure's evidence is a sum over units, so that derivatives can be taken."""
    return issubclass(bound.evidence, Linear)


def unit_rows(bound: Bound, tally: Tally) -> Floats:
    """The evidence of one item of each unit, features side by side."""
    evidence: Any = bound.evidence
    return np.asarray(evidence.rows(tally, slice(None)).features)


def influences(bound: Bound, tally: Tally, w: Floats, rows: Floats | None = None) -> Floats:
    """The derivative of the measure with respect to the multiplicity of each unit: shape (..., units)."""
    evidence: Any = bound.evidence.of(tally, w)
    at, here = evidence.features, bound.raw(evidence)
    slopes = np.empty_like(at)
    one = 1.0 if tally.weights is None else float(tally.weights.total.sum()) / tally.n  # the mean weight of an item
    for j in range(at.shape[-1]):
        size = np.abs(at[..., j])
        step = STEP * np.where(size > 0, np.minimum(size, np.sqrt(one * size)), one)
        up, down = at.copy(), at.copy()
        up[..., j] += step
        down[..., j] -= step
        # A step below zero may leave the domain of a formula; then the step above it must do.
        with np.errstate(divide="ignore", invalid="ignore"):
            above, below = (bound.raw(evidence.with_features(x)) for x in (up, down))
        width = up[..., j] - down[..., j]  # what the step became beside a large feature
        slopes[..., j] = np.where(np.isnan(below), (above - here) / step, (above - below) / width)
    # A value that is undefined or set by convention does not move.
    slopes = np.where(np.isnan(here)[..., None], 0, np.nan_to_num(slopes))
    rows = unit_rows(bound, tally) if rows is None else rows
    moved = slopes @ rows.T
    return np.where(np.abs(moved) > CANCELLED * (np.abs(slopes) @ rows.T), moved, 0.0)
