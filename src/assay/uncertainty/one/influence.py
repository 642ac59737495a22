"""How much one item of each unit moves a measure: derivatives through the evidence, for stacks of tallies."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare import average as averages
from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Linear, Tally
from assay.tally.contract.sampling import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


STEP = 1e-5  # times the root of the feature: small compared with rare classes, large compared with rounding
CANCELLED = 1e-5  # what is left of larger terms is the error of the differences, not an influence
AT_ONCE = 512  # features that are moved in one call
TOGETHER = 1 << 19  # numbers in tables that are moved in one call
UNITS = 1024  # up to this many derivatives are taken one by one, where the evidence is not a sum over units


def is_linear(bound: Bound) -> bool:
    """Whether the measure's evidence is a sum over units, so that derivatives can be taken."""
    return issubclass(bound.evidence, Linear)


def has_influences(bound: Bound, tally: Tally) -> bool:
    """Whether derivatives can be taken: through the evidence, or unit by unit where there are few."""
    return is_linear(bound) or bound.has_influence or len(tally.counts) <= UNITS


def unit_rows(bound: Bound, tally: Tally) -> Floats:
    """The evidence of one item of each unit, features side by side."""
    evidence: Any = bound.evidence
    return np.asarray(evidence.rows(tally, slice(None)).features)


def influences(bound: Bound, tally: Tally, w: Floats, rows: Floats | None = None) -> Floats:
    """The derivative of the measure with respect to the multiplicity of each unit: shape (..., units)."""
    if not is_linear(bound):
        found = bound.influence(tally, w)
        return _unit_by_unit(bound, tally, w) if found is None else found
    evidence: Any = bound.evidence.of(tally, w)
    rows = unit_rows(bound, tally) if rows is None else rows
    return moves_by_slopes(feature_slopes(bound, evidence, _mean_weight(tally, w)), rows)


def moves_by_slopes(slopes: Floats, rows: Floats) -> Floats:
    """How much rows of features change a measure with these slopes."""
    out = slopes @ rows.T
    return np.where(np.abs(out) > CANCELLED * (np.abs(slopes) @ np.abs(rows).T), out, 0.0)


def sparsely_moved(slopes: Floats, rows: csr_array[Any]) -> Floats:
    """The same for rows of few features, with rows first and stacked tables last; without BLAS, whose threads wait."""
    columns = np.ascontiguousarray(slopes.T)
    out = np.asarray(rows @ columns)
    return np.where(np.abs(out) > CANCELLED * np.asarray(abs(rows) @ np.abs(columns)), out, 0.0)


def feature_slopes(bound: Bound, evidence: Any, one: float = 1.0) -> Floats:
    """The derivative of the measure in each feature of the evidence; `one` is the weight of a typical item."""
    at, here = evidence.features, bound.raw(evidence)
    steps = _steps(np.abs(at), one)
    if bound.measure.averaged and bound.positive is None:
        slopes = _by_class(bound, evidence, one)
    elif at.ndim == 1 and len(at) <= AT_ONCE:
        slopes = _slopes(bound, evidence, at, np.diag(steps), here)  # one table: a row for each feature that is moved
    else:
        # As many features are moved in one call as fit: small stacks would otherwise wait for Python.
        some = max(1, TOGETHER // max(at.size, 1))
        each, stack = np.eye(at.shape[-1]), (at[..., None, :], here[..., None])
        parts = (steps[..., None, :] * each[i : i + some] for i in range(0, len(each), some))
        slopes = np.concatenate([_slopes(bound, evidence, stack[0], step, stack[1]) for step in parts], axis=-1)
    # A value that is undefined or set by convention does not move.
    return np.where(np.isnan(here)[..., None], 0, np.nan_to_num(slopes))


def _by_class(bound: Bound, evidence: Any, one: float) -> Floats:
    """The same where a formula reads four counts of each class: four derivatives serve all classes at once."""
    o = bound.options
    view = averages.view(evidence, bound.average, bound.index)
    here = bound.formula(view)
    parts = {}
    for field in fields(view):
        at = getattr(view, field.name)
        step = _steps(np.abs(at), one)
        up, down = at + step, at - step
        with np.errstate(divide="ignore", invalid="ignore"):
            above, below = (bound.formula(replace(view, **{field.name: x})) for x in (up, down))
        parts[field.name] = np.nan_to_num(
            np.where(np.isnan(below), (above - here) / step, (above - below) / (up - down))
        )
        parts[field.name] = np.where(np.isnan(here), 0.0, parts[field.name])
    every = type(view)(**parts)
    how = (bound.average, bound.index, o["undefined"], bound.measure.zero, bound.among)
    return averages.slopes(every, here, evidence, *how)


def _slopes(bound: Bound, evidence: Any, at: Floats, step: Floats, here: Floats) -> Floats:
    """The slope of the measure in the one feature of each table that the step moves."""
    up, down = at + step, at - step
    # A step below zero may leave the domain of a formula; then only the step above it is used.
    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = (bound.raw(evidence.with_features(x)) for x in (up, down))
    width = (up - down).sum(-1)  # what is left of the step next to a large feature
    return np.asarray(np.where(np.isnan(below), (above - here) / step.sum(-1), (above - below) / width))


def _unit_by_unit(bound: Bound, tally: Tally, w: Floats) -> Floats:
    """The same by moving the multiplicity of one unit after the other, for a single tally."""
    step, units = _steps(w, _mean_weight(tally, w)), np.arange(len(w))
    here = float(bound.raw(bound.evidence.of(tally, w)))

    def moved(sign: int) -> Floats:
        found = []
        for some in np.array_split(units, -(-len(units) // UNITS)):
            tables = np.tile(w, (len(some), 1))
            tables[np.arange(len(some)), some] += sign * step[some]
            found.append(bound.raw(bound.evidence.of(tally, tables)))
        return np.concatenate(found)

    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = moved(1), moved(-1)
    width = (w + step) - (w - step)
    one_sided = np.isnan(below) | (w == 0)  # there is nothing to take away from an empty unit
    slopes = np.nan_to_num(np.where(one_sided, (above - here) / step, (above - below) / width))
    rounding = 64 * np.finfo(np.float64).eps * max(abs(here), 1.0) / step
    return np.where(np.isnan(here) | (np.abs(slopes) <= rounding), 0.0, slopes)


def _steps(size: Floats, one: float) -> Floats:
    return np.asarray(STEP * np.where(size > 0, np.minimum(size, np.sqrt(one * size)), one))


def _mean_weight(tally: Tally, w: Floats) -> float:
    """The weight of a typical item where units weigh w, which need not be on the scale of the weights themselves."""
    return 1.0 if tally.weights is None or not tally.n else float(w.sum(-1).mean()) / tally.n


DENSE = 1 << 25  # numbers in a table of units by features; larger ones are not made


def few_features(bound: Bound, tally: Tally) -> bool:
    """Whether a table of the units by their features is small enough to be made."""
    evidence: Any = bound.evidence.of(tally, tally.mass)
    return len(tally.counts) * int(evidence.features.shape[-1]) <= DENSE


def in_columns(rows: Floats) -> csr_array[Any]:
    """Rows of features as sparse columns."""
    from scipy.sparse import csr_array

    return csr_array(rows.T)


def added_up(times: NDArray[Any], columns: csr_array[Any]) -> Floats:
    """The sum of the columns, each this many times: shape (..., features)."""
    return np.asarray((columns @ np.ascontiguousarray(times.T, np.float64)).T)
