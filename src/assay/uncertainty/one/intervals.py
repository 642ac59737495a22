"""From a measure on a tally to two limits: each method under its name, and the one chosen by default."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from assay.measures.declare.forms import BoundedMean, EffectiveN, Jackknife, ModelJackknife, NoInterval, Proportion
from assay.notes import Aside
from assay.options import LEVELS
from assay.tally.contract.sampling import add_up
from assay.uncertainty.one.bounded import by_bounded_t
from assay.uncertainty.one.by_formula import (
    by_agresti_coull,
    by_clopper_pearson,
    by_fisher_z,
    by_form,
    by_jeffreys,
    by_mid_p,
    by_wald,
    by_wilson,
)
from assay.uncertainty.one.draws import (
    by_basic,
    by_bca,
    by_dirichlet,
    by_midp_draws,
    by_percentile,
    by_studentized,
    cells_read,
    drawable,
    rests_on_few,
)
from assay.uncertainty.one.influence import has_influences
from assay.uncertainty.one.jackknife import (
    MOST_CELLS,
    by_any_jackknife,
    by_cluster_factor,
    by_cluster_jackknife,
    by_logit_delta,
    by_model_jackknife,
    by_smoothed,
    factor_cells,
    inflates,
)
from assay.uncertainty.one.problem import NO_VARIATION, Limits, Problem
from assay.uncertainty.one.weights import NOT_SIMULATED, all_equal, grows, remarks, why_not, without_weights

SIMULATED = (
    "effective_n",
    "midp_draws",
    "smoothed_log",
    "robust",
    "smoothed",
    "cluster_factor",
    "cluster_jackknife",
    "jackknife",
    "bounded_t",
    "model_jackknife",
)  # supported by simulation, at some levels


UNSTUDIED = ("bca", "logit_delta")  # what remains where no method was simulated, as for many classes


def default_method(p: Problem) -> str:
    """The method that was found to have good coverage for this kind of measure and tally."""
    if isinstance(p.form, BoundedMean | ModelJackknife) and p.tally.weights is None:
        return "bounded_t" if isinstance(p.form, BoundedMean) else "model_jackknife"
    if p.tally.clusters is not None:
        return "cluster_factor" if inflates(p) or factor_cells(p) is not None else "cluster_jackknife"
    if p.tally.weights is not None and drawable(p):
        return "midp_draws"
    if isinstance(p.form, Proportion):
        return "midp"
    if isinstance(p.form, EffectiveN):
        return p.form.name
    if isinstance(p.form, Jackknife):
        return "jackknife"
    if p.small is not None:
        return "midp_draws" if drawable(p) else "dirichlet"
    full = p.tally.complete(MOST_CELLS)
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
    if method == "auto" and all_equal(p.tally) and not grows(p.bound, p.tally):
        p = replace(p, tally=without_weights(p.tally))
    if method == "auto" and p.tally.clusters is not None and p.tally.sampling.n == p.tally.n:
        p = p.plain  # clusters of one row each are rows
    named = default_method(p) if method == "auto" else method
    if p.tally.weights is not None:
        return _of_weighted_rows(p, named)
    made = _settled(p, METHODS[named](p))
    few = rests_on_few(p) if made.low is not None and math.isinf(p.bound.range[1]) else None
    made = made if few is None else replace(made, notes=(*made.notes, few))
    if made.low is not None and method == "auto" and named in UNSTUDIED:
        made = replace(made, notes=(*made.notes, NOT_SIMULATED))
    if made.low is not None and method == "auto" and named == "smoothed" and (tail := _long_tail(p)):
        made = replace(made, notes=(*made.notes, tail))
    if made.low is not None and made.method in SIMULATED and p.level not in LEVELS:
        checked = ", ".join(f"{level:.0%}" for level in LEVELS)
        return replace(made, notes=(*made.notes, f"the coverage of {made.method} was checked only at {checked}"))
    return made


RARE = 5  # gold rows: classes with fewer are rare
TAIL = 0.1  # the share of rare classes from which many classes have a long tail


def _long_tail(p: Problem) -> str:
    """What simulations found for means over very many classes of which many are rare; empty for others."""
    golds = p.tally.unit_golds
    if golds is None or p.tally.complete() is not None or p.bound.options.get("average") == "weighted":
        return ""
    rows = add_up(golds, p.tally.counts, int(golds.max(initial=0)) + 1)
    rare, classes = int(((rows > 0) & (rows < RARE)).sum()), int((rows > 0).sum())
    if rare <= TAIL * classes:
        return ""
    return (
        f"unreliable: {rare} of {classes} classes have fewer than {RARE} rows; with such long tails this interval had "
        "86 to 98% coverage in simulations at 95%"
    )


def _of_weighted_rows(p: Problem, method: str) -> Limits:
    """The interval with what is known about such intervals; refused where the weights leave too much open."""
    tally, errors, read = p.tally, p.tally.right, np.ones(len(p.tally.counts), bool)
    if drawable(p) and p.small is not None and p.small.right is not None:
        tally, read = p.small, cells_read(p)
        errors = read & ~p.small.right
    elif errors is not None:
        errors = ~errors
    refused = why_not(tally, None if _of_gold_alone(p) else errors)
    if isinstance(p.form, EffectiveN) and p.form.unweighted is not None and not all_equal(p.tally):
        refused = p.form.unweighted
    if refused is not None:
        return Limits(None, None, method, refused)
    made = _settled(p, METHODS[method](p))
    if made.low is None:
        return made
    studied = () if method == "midp_draws" and p.tally.clusters is None else (NOT_SIMULATED,)
    return replace(made, notes=(*made.notes, *studied, *remarks(tally, errors, read)))


def _of_gold_alone(p: Problem) -> bool:
    """Whether the measure is a share of gold labels, which no answer changes."""
    return isinstance(p.form, Proportion) and p.bound.measure.best is None


def _settled(p: Problem, found: Limits) -> Limits:
    """Limits inside the range that contain the estimate and are never a single point, except a textbook's own."""
    if found.low is None or found.high is None:
        return found
    floor, top = p.bound.range
    low, high = min(max(found.low, floor), top), min(max(found.high, floor), top)
    notes = found.notes
    if found.as_it_is:
        return replace(found, low=low, high=high)
    if not low <= p.value <= high:
        if min(abs(p.value - low), abs(p.value - high)) > 1e-9:
            notes = (*notes, Aside(f"the {found.method} interval missed the estimate and was extended to it"))
        low, high = min(low, p.value), max(high, p.value)
    # Limits of counted shares are exact, and very close for very many items; those of other forms carry rounding.
    if high - low <= (0.0 if isinstance(p.form, Proportion) else 1e-12):
        return Limits(None, None, found.method, NO_VARIATION, notes, found.undefined_draws, found.drawn)
    return replace(found, low=low, high=high, notes=notes)


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
    "newcombe_auc": partial(by_form, name="newcombe_auc"),
    "hanley_mcneil": partial(by_form, name="hanley_mcneil"),
    "smoothed_log": partial(by_form, name="smoothed_log"),
    "robust": partial(by_form, name="robust"),
    "midp_draws": by_midp_draws,
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
    "bounded_t": by_bounded_t,
    "model_jackknife": by_model_jackknife,
}
