"""From a measure on a tally to two limits: each method under its name, and the one chosen by default."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from assay.measures.forms import EffectiveN, Jackknife, NoInterval, Proportion
from assay.options import LEVEL
from assay.uncertainty.classical import (
    by_agresti_coull,
    by_clopper_pearson,
    by_fisher_z,
    by_form,
    by_jeffreys,
    by_mid_p,
    by_wald,
    by_wilson,
)
from assay.uncertainty.clustered import (
    by_any_jackknife,
    by_cluster_factor,
    by_cluster_jackknife,
    cluster_df,
    factor_cells,
    inflates,
)
from assay.uncertainty.drawn import (
    bca,
    by_basic,
    by_bca,
    by_dirichlet,
    by_percentile,
    by_studentized,
    quantiles,
)
from assay.uncertainty.influence import has_influences
from assay.uncertainty.linear import by_logit_delta, by_smoothed
from assay.uncertainty.problem import NO_VARIATION, Limits, Problem

__all__ = ["METHODS", "NO_VARIATION", "Limits", "Problem", "bca", "cluster_df", "default_method", "limits", "quantiles"]


SIMULATED = (
    "effective_n",
    "smoothed_log",
    "robust",
    "smoothed",
    "cluster_factor",
    "cluster_jackknife",
    "jackknife",
)  # tuned at one level


def default_method(p: Problem) -> str:
    """The method that was found to cover for this sort of measure and tally."""
    if p.tally.clusters is not None:
        return "cluster_factor" if inflates(p) or factor_cells(p) is not None else "cluster_jackknife"
    if isinstance(p.form, Proportion):
        hits, trials = p.form.of(p.bound.view(p.tally, p.tally.mass))
        edge = min(hits, trials - hits) <= 2
        return "midp" if edge and p.tally.weights is None else "wilson"
    if isinstance(p.form, EffectiveN):
        return p.form.name
    if isinstance(p.form, Jackknife):
        return "jackknife"
    if p.small is not None:
        return "dirichlet"
    full = p.tally.complete()
    if full is not None and has_influences(p.bound, full):
        return "smoothed"
    endless = math.isinf(p.bound.range[1] - p.bound.range[0])
    if (endless and has_influences(p.bound, p.tally)) or p.tally.weights is not None:
        return "logit_delta"
    return "bca"


def limits(p: Problem, method: str) -> Limits:
    """The interval by this method, within the range and around its own estimate."""
    if method == "auto" and isinstance(p.form, NoInterval):
        return Limits(None, None, "none", p.form.why)
    made = _settled(p, METHODS[default_method(p) if method == "auto" else method](p))
    if made.low is not None and made.method in SIMULATED and p.level != LEVEL:
        return replace(made, notes=(*made.notes, f"the coverage of {made.method} was checked at {LEVEL:.0%} only"))
    return made


def _settled(p: Problem, found: Limits) -> Limits:
    """Limits inside the range that hold their own estimate and are never a single point."""
    if found.low is None or found.high is None:
        return found
    floor, top = p.bound.range
    low, high = min(max(found.low, floor), top), min(max(found.high, floor), top)
    notes = found.notes
    if not low <= p.value <= high:
        if min(abs(p.value - low), abs(p.value - high)) > 1e-9:
            notes = (*notes, f"the {found.method} interval missed the estimate and was extended to it")
        low, high = min(low, p.value), max(high, p.value)
    if high - low <= 1e-12:
        return Limits(None, None, found.method, NO_VARIATION, notes, found.undefined_draws, found.drawn)
    return Limits(low, high, found.method, None, notes, found.undefined_draws, found.drawn)


METHODS: dict[str, Callable[[Problem], Limits]] = {
    "wald": by_wald,
    "wilson": by_wilson,
    "clopper_pearson": by_clopper_pearson,
    "agresti_coull": by_agresti_coull,
    "jeffreys": by_jeffreys,
    "midp": by_mid_p,
    "fisher_z": by_fisher_z,
    "jaccard": partial(by_form, name="jaccard"),
    "effective_n": partial(by_form, name="effective_n"),
    "mover": partial(by_form, name="mover"),
    "delong": partial(by_form, name="delong"),
    "logit_delong": partial(by_form, name="logit_delong"),
    "newcombe": partial(by_form, name="newcombe"),
    "hanley_mcneil": partial(by_form, name="hanley_mcneil"),
    "smoothed_log": partial(by_form, name="smoothed_log"),
    "robust": partial(by_form, name="robust"),
    "dirichlet": by_dirichlet,
    "percentile": by_percentile,
    "basic": by_basic,
    "bca": by_bca,
    "studentized": by_studentized,
    "jackknife": by_any_jackknife,
    "logit_delta": by_logit_delta,
    "smoothed": by_smoothed,
    "cluster_jackknife": by_cluster_jackknife,
    "cluster_factor": by_cluster_factor,
}
