"""Intervals by formula: textbook methods for shares and correlations, and the closed forms that measures declare."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import OptionError, in_plural
from assay.measures.declare.forms import Around, Closed, Effective, EffectiveN, Moved, Proportion
from assay.uncertainty.one.problem import Limits, Problem
from assay.uncertainty.one.shares import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mid_p,
    student_quantile,
    wald,
    wilson,
)

Pair = tuple[float, float]


# ---------------------------------------------------------------------- shares
def _counts(p: Problem, whole: str | None = None) -> Pair:
    """Hits and trials, divided by the effect of weights or clusters; `whole` names a method that needs whole counts."""
    if not isinstance(p.form, Proportion):
        raise OptionError(
            f"{p.bound.spelling} is not a share of counted items, so intervals of shares do not apply; "
            "the method auto chooses one that does."
        )
    if p.tally.clusters is not None:
        raise OptionError("rows of one cluster are not independent trials; use the method auto.")
    if whole is not None and p.tally.weights is not None:
        raise OptionError(f"{whole} needs whole counts, but these rows are weighted; use the method wilson.")
    hits, trials = p.form.of(p.bound.view(p.tally, p.tally.mass))
    return hits / p.factor, trials / p.factor


def _of_share(ends: Pair, hits: float, trials: float, method: str) -> Limits:
    """Limits of a share with its standard error, √(p (1 − p) / n); None instead of 0, which would suggest certainty."""
    error = math.sqrt(max(hits * (trials - hits), 0.0) / trials) / trials
    return Limits(*ends, method, standard_error=error or None)


def by_wilson(p: Problem) -> Limits:
    """Wilson's score interval."""
    hits, trials = _counts(p)
    return _of_share(wilson(hits / trials, trials, p.z), hits, trials, "wilson")


def by_mid_p(p: Problem) -> Limits:
    """Exact limits that count half of the observed outcome."""
    hits, trials = _counts(p)
    if p.strict:
        return _of_share(clopper_pearson(hits, trials, p.level), hits, trials, "clopper_pearson")
    return _of_share(mid_p(hits, trials, p.level), hits, trials, "midp")


def by_clopper_pearson(p: Problem) -> Limits:
    """Exact limits that count all of the observed outcome."""
    hits, trials = _counts(p, "Clopper-Pearson")
    return _of_share(clopper_pearson(hits, trials, p.level), hits, trials, "clopper_pearson")


def by_agresti_coull(p: Problem) -> Limits:
    """Wald's interval with z² more items."""
    hits, trials = _counts(p)
    return _of_share(agresti_coull(hits / trials, trials, p.z), hits, trials, "agresti_coull")


def by_jeffreys(p: Problem) -> Limits:
    """Quantiles of the posterior on both sides, even where they exclude a share of 0 or 1."""
    hits, trials = _counts(p)
    made = _of_share(jeffreys(hits, trials, p.level), hits, trials, "jeffreys")
    if 0 < hits < trials:
        return made
    return replace(
        made, notes=("Jeffreys' interval excludes the share itself where all or none are hits",), as_it_is=True
    )


def by_wald(p: Problem) -> Limits:
    """The normal approximation, for tables that were made with it."""
    hits, trials = _counts(p)
    made = _of_share(wald(hits / trials, trials, p.z), hits, trials, "wald")
    if 0 < hits < trials:
        return made
    why = "Wald's interval has zero width where all or none are hits, which is not certainty; use Wilson's ('wilson')"
    return replace(made, standard_error=0.0, notes=(why,), as_it_is=True)


# ---------------------------------------------------------------------- correlations
def by_fisher_z(p: Problem) -> Limits:
    """tanh(artanh(r) ± z / √(n − 3)): what papers report for a correlation, whatever the measure's own variance."""
    if p.bound.range != (-1, 1):
        raise OptionError(f"{p.bound.spelling} is not a correlation: Fisher's z needs a range from -1 to 1.")
    if p.tally.weights is not None or p.tally.clusters is not None:
        raise OptionError("Fisher's z assumes independent rows of equal weight; use the method auto.")
    if p.tally.n <= 3:
        return Limits(None, None, "fisher_z", f"Fisher's z needs more than three {in_plural(p.tally.item)}")
    if abs(p.value) >= 1:
        return Limits(None, None, "fisher_z", "Fisher's z is infinite at -1 and 1")
    center, half = math.atanh(p.value), p.z / math.sqrt(p.tally.n - 3)
    return Limits(math.tanh(center - half), math.tanh(center + half), "fisher_z")


# ---------------------------------------------------------------------- closed forms
def by_form(p: Problem, name: str) -> Limits:
    """The closed form of this name that the measure declares."""
    form = p.closed(name)
    if form is None:
        raise OptionError(f"{p.bound.spelling} has no closed form called {name!r} here; use the method auto.")
    if p.tally.clusters is not None:
        raise OptionError(f"the closed form of {p.bound.spelling} assumes independent rows; use the method auto.")
    made = p.once(name, lambda: _read(p, form))
    if isinstance(made, str):
        return Limits(None, None, name, f"no interval: {made}")
    ends = [_ends(each, p) for each in (made if isinstance(made, tuple) else (made,))]
    low, high = (float(np.mean(side)) for side in zip(*ends, strict=True))
    error = _error(made, p)
    if error == 0:
        return Limits(low, high, name, notes=(NO_ERROR,), standard_error=error, as_it_is=True)
    return Limits(low, high, name, standard_error=error)


def _read(p: Problem, form: EffectiveN) -> Closed | tuple[Closed, ...] | str:
    w = p.tally.mass / p.factor
    view: Any = p.bound.view(p.tally, w) if form.reads is None else form.reads.of(p.tally, w)
    made: Closed | tuple[Closed, ...] | str = form.form(view, **(p.bound.own if form.takes_options else {}))
    return made


NO_ERROR = "its standard error is 0 here, which is not certainty; the method auto gives an interval of nonzero width"


def _error(made: Closed | tuple[Closed, ...], p: Problem) -> float | None:
    """The standard error of the value itself, where the form has one."""
    if not isinstance(made, Effective | Around):
        return None
    error = made.error if isinstance(made, Effective) else made.own_error
    if isinstance(made, Around) and made.back is float:
        error = made.error
    return None if error is None else error * math.sqrt(p.inflate)


def _ends(form: Closed, p: Problem) -> Pair:
    if isinstance(form, Effective):
        return _effective(form, p)
    if isinstance(form, Around):
        return _around(form, p)
    return _moved(form, p.z) if isinstance(form, Moved) else form.limits(p.z)


def _effective(share: Effective, p: Problem) -> Pair:
    shrink = 1.0 if share.df is None else (p.z / student_quantile(p.level, share.df)) ** 2
    top = share.center if share.center_high is None else share.center_high
    sides = ((share.center, share.n), (top, share.n if share.n_high is None else share.n_high))
    low, high = (_share_limits(share, center, n * shrink / p.inflate, p) for center, n in sides)
    return share.back(low[0]), (share.back_high or share.back)(high[1])


def _share_limits(share: Effective, center: float, n: float, p: Problem) -> Pair:
    if not share.exact:
        return wilson(center, n, p.z)
    return (clopper_pearson if p.strict else mid_p)(center * n, n, p.level)


def _around(form: Around, p: Problem) -> Pair:
    half = form.error * math.sqrt(p.inflate) * (p.z if form.df is None else student_quantile(p.level, form.df))
    top = form.center if form.center_high is None else form.center_high
    return form.back(form.center - half), form.back(top + half)


def _moved(form: Moved, z: float) -> Pair:
    at = [share for share, _ in form.shares]
    here = form.value(*at)
    down, up = np.zeros(len(at)), np.zeros(len(at))
    for i, (share, n) in enumerate(form.shares):
        # A share of no items is unknown, and then the value does not depend on it either.
        ends = [form.value(*at[:i], end, *at[i + 1 :]) for end in wilson(share, n, z)] if n > 0 else []
        down[i], up[i] = here - min(here, *ends, here), max(here, *ends, here) - here
    together = np.eye(len(at)) if form.correlation is None else form.correlation
    below, above = (math.sqrt(max(float(moves @ together @ moves), 0.0)) for moves in (down, up))
    return here - below, here + above
