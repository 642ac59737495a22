"""Intervals of a parameter of a fitted model: the larger of the jackknife's variance and the model's own.

The model's variance is too small where judgments of one cluster go together, the jackknife's where a few items decide.
"""

from __future__ import annotations

import math

import numpy as np

from assay.errors import OptionError, plural
from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import ModelJackknife
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.influence import influences
from assay.uncertainty.one.problem import NO_VARIATION, NOTHING, Limits, Problem, why_too_few
from assay.uncertainty.one.resample import jackknife_values, jackknife_variance
from assay.uncertainty.one.shares import student_quantile

METHOD = "model_jackknife"
TOO_LONG = 1 << 22  # things left out times units: beyond it each is taken to move the value by its influence


def by_model_jackknife(p: Problem) -> Limits:
    """Student's t around the value, with one degree of freedom fewer than there are items or clusters."""
    form = form_of(p.bound, p.tally)
    values, notes = left_out(p.bound, p.tally, p.value)
    evidence = p.bound.evidence.of(p.tally, p.tally.mass)
    least = form.covariance(evidence, evidence, **p.bound.own)
    return around(p.value, values, p.tally, least, p.level, notes)


def left_out(bound: Bound, tally: Tally, value: float) -> tuple[Floats, tuple[str, ...]]:
    """The value without one item or cluster of each kind, by its influence where there is no such value."""
    sampling = tally.sampling
    moves = sampling.sums(influences(bound, tally, tally.mass))
    held = sampling.counts > 0
    about = (value - moves)[held]
    if len(sampling.counts) * len(tally.counts) > TOO_LONG:
        return about, ()
    values, times = jackknife_values(bound, tally)
    lost = np.isnan(values)
    if not lost.any():
        return values, ()
    what = tally.item if tally.clusters is None else "cluster"
    n = int(times[lost].sum())
    which, whose = (f"one {what}", "its") if n == 1 else (f"any one of {plural(n, what)}", "their")
    note = f"undefined without {which}; {whose} part in the variance is a linear approximation"
    return np.where(lost, about, values), (note,)


def around(value: float, values: Floats, tally: Tally, least: float, level: float, notes: tuple[str, ...]) -> Limits:
    """Student's t around the value, from its values without one item or cluster and the least variance it can have."""
    times = tally.sampling.counts[tally.sampling.counts > 0].astype(np.float64)
    n = float(times.sum())
    if few := why_too_few(n, tally):
        return Limits(None, None, METHOD, few)
    variance = max(jackknife_variance(values, times), least)
    if variance <= NOTHING:
        return Limits(None, None, METHOD, NO_VARIATION, notes)
    half = student_quantile(level, n - 1) * math.sqrt(variance)
    return Limits(value - half, value + half, METHOD, None, notes)


def form_of(bound: Bound, tally: Tally) -> ModelJackknife:
    """How the measure is such a parameter, or an error where it is not one."""
    form = bound.form(tally)
    if not isinstance(form, ModelJackknife):
        raise OptionError(f"{bound.spelling} is not a parameter of a fitted model; use the method auto.")
    if tally.weights is not None:
        raise OptionError(f"{METHOD} supposes equally heavy rows; use the method auto.")
    return form
