"""The difference between two systems on the same items, with its interval: each method under its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.errors import OptionError, in_plural, plural, written
from assay.measures.declare.forms import (
    NO_DELONG,
    BoundedMean,
    Jackknife,
    ModelJackknife,
    NoInterval,
    PairedForm,
    Together,
)
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one import bounded as means
from assay.uncertainty.one import jackknife as models
from assay.uncertainty.one.draws import bca, bootstrap_t, quantiles, with_error
from assay.uncertainty.one.influence import influences, is_linear
from assay.uncertainty.one.inversion import LimitsAt
from assay.uncertainty.one.jackknife import carriers, cluster_df, deviations, effective_df
from assay.uncertainty.one.problem import NO_VARIATION, NOTHING, Limits, why_too_few
from assay.uncertainty.one.resample import refuse_weights
from assay.uncertainty.one.shares import normal_quantile, student_quantile, wilson
from assay.uncertainty.results import Estimate
from assay.uncertainty.two.discordant import Discordant, difference_error, newcombe, tango, why_not
from assay.uncertainty.two.mover import by_cluster_mover, by_mover, put_together
from assay.uncertainty.two.pair import UNDEFINED_WITHOUT, Pair


def limits_without_variation(p: Pair, found: Limits) -> Limits:
    """Limits where all n items agree about the difference: z²/(n + z²) bounds the share that may not.

    That is Wilson's limit for a share of which none was seen, and Tango's limit where two systems never disagree.
    """
    n, telling = p.joint.sampling.n, _telling(p)
    half = telling * p.z**2 / (telling + p.z**2) * _largest_move(p)
    if not 0 < half < math.inf:
        return Limits(None, None, found.method, NO_VARIATION, found.notes, found.undefined_draws, found.drawn)
    d, counts = p.difference, p.hits
    low, high = (d - half, d + half) if counts is None else tango(counts, p.z)
    low, high = max(low, -p.width), min(high, p.width)
    item = p.joint.a.item if p.joint.a.clusters is None else "cluster"
    note = (
        f"a bound: the systems do not differ on any of {plural(n, item)}; the limits allow for {in_plural(item)} not "
        "seen on which they do"
    )
    if abs(d) > 1e-12:
        note = (
            f"a bound: all {plural(n, item)} show the same difference; the limits allow for {in_plural(item)} not seen "
            "that do not"
        )
    return Limits(low, high, found.method, None, (*found.notes, note), found.undefined_draws, found.drawn)


def _telling(p: Pair) -> float:
    """How many items or clusters there are; where weights differ, how many equal ones would be as informative."""
    if p.joint.a.weights is None or p.joint.a.clusters is not None:
        return float(p.joint.sampling.n)
    return float(p.joint.mass.sum()) / p.factor


def _largest_move(p: Pair) -> float:
    """The farthest that one item, or one cluster, could move the difference.

    Where all kinds of items can be listed, their influences give it; otherwise those of the items seen. An item never
    counts for less than its share of the whole range.
    """
    floor = p.width / _telling(p)
    full = None if p.joint.a.clusters is not None else p.joint.complete()
    if full is not None and is_linear(p.bound):
        w = full.mass / p.factor + 1 / len(full.counts)
        apart = influences(p.bound, full.a, w) - influences(p.bound, full.b, w)
        seen = float(np.abs(apart).max(initial=0))
    else:
        seen = max(_spread(side[~np.isnan(side)]) for side in p.left_out()[:2])
    return seen if math.isinf(floor) else max(floor, seen)


def _spread(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(values.max() - values.min()) if len(values) else 0.0


NOT_SIMULATED = "not simulated: intervals of weighted differences were simulated only for labels of two classes"
SMALL_TABLE = (
    8  # (gold, a, b) cells of two classes: the table for which simulations found that the smoothed difference covers
)


def default_method(p: Pair) -> str:
    """The method that simulations found to cover for this kind of measure and tally."""
    form = p.bound.form(p.joint.a)
    if isinstance(form, BoundedMean) and p.joint.a.weights is None:
        return "bounded_t" if form.back is None else "mover"
    if isinstance(form, ModelJackknife) and p.joint.a.weights is None:
        return "model_jackknife"
    if p.joint.a.clusters is not None:
        return "jackknife"
    if p.joint.a.weights is not None:
        return "mover"  # weighted rows cannot be drawn from their cells, but each system has its own interval
    if p.hits is not None:
        return "tango"
    if isinstance(form, Jackknife) or _is_mean(p):
        return "jackknife"
    if _form(p) is not None:
        return "delong_mover"
    if _is_small(p):
        return "smoothed_delta"
    return "mover" if p.a.interval is not None and p.b.interval is not None else "bca"


def _is_small(p: Pair) -> bool:
    """Whether the measure is read from a joint table of two classes."""
    if "small" not in p.found:
        full = p.joint.complete()
        p.found["small"] = full is not None and len(full.counts) <= SMALL_TABLE and is_linear(p.bound)
    return bool(p.found["small"])


def _no_weighted_interval(p: Pair) -> str:
    """Why one of two systems has no interval for weighted rows; their difference has none for the same reason."""
    return next((f"{name}: {e.reason}" for name, e in zip(p.joint.names, (p.a, p.b), strict=True) if e.low is None), "")


def _is_mean(p: Pair) -> bool:
    """Whether the difference is a mean over exchangeable items of the difference in their losses."""
    return p.bound.measure.paired.each is not None


def limits(p: Pair, method: str) -> Limits:
    """The interval of the difference by this method, around its own estimate; a bound where nothing varies."""
    form = p.bound.form(p.joint.a)
    if method == "auto" and isinstance(form, NoInterval):
        return Limits(None, None, "none", form.why)
    if p.joint.a.weights is not None and (why := _no_weighted_interval(p)):
        return Limits(None, None, "none", why)
    found = METHODS[default_method(p) if method == "auto" else method](p)
    if p.joint.a.weights is not None and not _is_small(p):
        found = replace(found, notes=(*found.notes, NOT_SIMULATED))
    if found.reason == NO_VARIATION:
        return limits_without_variation(p, found)
    if found.low is None or found.high is None:
        return found
    d = p.difference
    low, high = max(min(found.low, d), -p.width), min(max(found.high, d), p.width)
    if high - low <= 1e-12:
        return limits_without_variation(p, found)
    return replace(found, low=low, high=high)


# ---------------------------------------------------------------------- formulas
def limits_by_level(p: Pair, method: str, *, quick: bool = False) -> LimitsAt:
    """The limits by this method at any level; the systems' own intervals are recomputed only where it uses them.

    `quick` does not resample again for levels that are not shown, but stretches limits as for a normal variable.
    """
    shown = (p.level, 2 * p.level - 1)
    used = default_method(p) if method == "auto" else method
    if p.joint.a.weights is not None and _no_weighted_interval(p):
        return lambda _: (None, None)

    def limits_at(level: float) -> tuple[float | None, float | None]:
        at = replace(p, level=level)
        if used == "mover" and level != p.level:
            near = quick and level not in shown
            a, b = (_stretched(e, level) if near and e.method == "bca" else e.at_level(level) for e in (p.a, p.b))
            at = replace(at, a=a, b=b)
        made = limits(at, used)
        return made.low, made.high

    return limits_at


def _stretched(e: Estimate, level: float) -> Estimate:
    """The estimate with limits of another level, as far from it as a normal variable would have them."""
    by = normal_quantile(level) / normal_quantile(e.level)
    low, high = (None if end is None else float(e) + by * (end - float(e)) for end in (e.low, e.high))
    return replace(e, low=low, high=high, level=level)


def _tango(p: Pair) -> Limits:
    """Tango's score limits of two shares of the same items."""
    counts = p.hits
    if counts is None:
        raise OptionError(why_not(p.joint, p.bound, "Tango's interval", "the method auto"))
    if counts.only_a + counts.only_b == 0:
        return Limits(None, None, "tango", NO_VARIATION)
    return Limits(*tango(counts, p.z), "tango", standard_error=difference_error(counts))


def _newcombe(p: Pair) -> Limits:
    """Newcombe's (1998) limits of two shares of the same items, his method 10."""
    counts = p.hits
    if counts is None:
        raise OptionError(why_not(p.joint, p.bound, "Newcombe's interval", "the method auto"))
    return Limits(*newcombe(counts, p.z), "newcombe", standard_error=difference_error(counts))


def _smoothed_delta(p: Pair) -> Limits:
    """Half an item in every joint cell, then the delta method."""
    if "smoothed" not in p.found:
        full = p.joint.complete()
        if full is None or not is_linear(p.bound):
            raise OptionError(
                "the smoothed difference needs a table whose joint cells can all be listed; use the method mover."
            )
        w = full.mass / p.factor + 0.5
        slope = influences(p.bound, full.a, w) - influences(p.bound, full.b, w)
        error = math.sqrt(float((w * slope**2).sum()))
        p.found["smoothed"] = float(p.bound.at(full.a, w) - p.bound.at(full.b, w)), error
    d, error = p.found["smoothed"]
    return Limits(d - p.z * error, d + p.z * error, "smoothed_delta", standard_error=error)


def _form(p: Pair) -> PairedForm | None:
    """The closed form of the difference that the measure declares, where it holds for these rows and options."""
    form, tally = p.bound.measure.paired.form, p.joint.a
    usual = all(value == p.bound.measure.options[name] for name, value in p.bound.own.items())
    return form if usual and tally.weights is None and tally.clusters is None else None


def check_delong(p: Pair) -> None:
    """Refuse DeLong's test of anything but whole areas of independent rows."""
    if _form(p) is not None:
        return
    primary, test = "measure='roc_auc' (primary='roc_auc' of systems)", "test='auto'"
    ways = [f"name the area with {written('--primary roc_auc', primary)}"] if p.bound.measure.name != "roc_auc" else []
    ways.append(f"leave the test to assay ({written('--test auto', test)})")
    raise OptionError(
        "DeLong's test is for the whole area under ROC curves of independent rows, not for "
        f"{p.bound.spelling} of these rows; {', or '.join(ways)}."
    )


def _area_form(p: Pair) -> PairedForm:
    form = _form(p)
    if form is None:
        raise OptionError(
            "DeLong's interval is for the whole area under ROC curves of independent rows; for "
            f"{p.bound.spelling} of these rows use the method auto."
        )
    return form


def _delong_mover(p: Pair) -> Limits:
    """Wilson's limits of both areas combined, with the covariance of their placements."""
    key = "together"
    if key not in p.found:
        p.found[key] = _area_form(p).together(p.joint)
    both: Together = p.found[key]
    a, b = (wilson(side.center, side.n, p.z) for side in (both.a, both.b))
    error = math.sqrt(_area_form(p).smoothed(p.joint))
    return Limits(*put_together(p, a, b, both.correlation), "delong_mover", standard_error=error)


def _delong(p: Pair) -> Limits:
    """The difference ± z of DeLong's standard errors, from the placements of the same items under both systems."""
    return _around(p, delong_variance(p), "delong")


def delong_variance(p: Pair) -> float:
    """DeLong's variance of the difference of two areas."""
    return _area_form(p).variance(p.joint)


def _smoothed_delong(p: Pair) -> Limits:
    """The same with a tenth of an item added at each end of each class."""
    return _around(p, _area_form(p).smoothed(p.joint), "smoothed_delong")


def _around(p: Pair, variance: float, method: str) -> Limits:
    if math.isnan(variance):
        return Limits(None, None, method, NO_DELONG)
    if variance <= NOTHING:
        return Limits(None, None, method, NO_VARIATION)
    error = math.sqrt(variance)
    return Limits(p.difference - p.z * error, p.difference + p.z * error, method, standard_error=error)


def _jackknife(p: Pair) -> Limits:
    """Leave out each item, or each cluster, of both systems together."""
    refuse_weights(p.joint.a)
    found = p.jackknifed()
    if found is None:
        return Limits(None, None, "jackknife", UNDEFINED_WITHOUT)
    values, times, variance = found
    if variance <= NOTHING:
        return Limits(None, None, "jackknife", NO_VARIATION)
    # Differences are less skewed than values: the number of clusters that carry their variance is not needed.
    df = cluster_df(p.joint) if p.joint.a.clusters is not None else float(times.sum() - 1)
    if p.joint.a.clusters is None and p.bound.measure.paired.few_carry:
        # Losses are not: a few rare positives can carry most of the variance (by simulation).
        df = effective_df(carriers(deviations(values, times), times), float(times.sum()))
    error = math.sqrt(variance)
    half = student_quantile(p.level, df) * error
    return Limits(p.difference - half, p.difference + half, "jackknife", standard_error=error)


# ---------------------------------------------------------------------- means of bounded values, fitted models
def _bounded_t(p: Pair) -> Limits:
    """Student's t for the difference of two such means; Tango's limits where both are shares of the same items.

    Degrees of freedom are twice the number of items that carry the variance, less one, as for paired values.
    """
    a, b = means.both_sums(p.bound, p.joint.a, p.joint.b)
    reach = p.width
    if a.hits and b.hits and (a.number == 1).all() and (b.number == 1).all():
        only_a, only_b = (int(a.times[one.total > other.total].sum()) for one, other in ((a, b), (b, a)))
        if only_a + only_b > 0:
            counts = Discordant(only_a, only_b, int(a.n))
            low, high = tango(counts, p.z)
            error = difference_error(counts)
            return Limits(reach * low, reach * high, means.METHOD, standard_error=error and reach * error)
    few = why_too_few(a.n, p.joint.a)
    if few is not None:
        return Limits(None, None, means.METHOD, few)
    n, d = min(a.effective, b.effective), a.mean - b.mean
    moved = a.moved - b.moved
    off = (moved - d) ** 2
    if float((a.times * off).sum()) <= NOTHING:
        return Limits(None, None, means.METHOD, NO_VARIATION)
    more = n + 2 * means.AT_ENDS
    center = n * d / more
    squares = float((a.times * (moved - center) ** 2).sum()) * (n / a.n) ** 2
    squares += means.AT_ENDS * ((1 - center) ** 2 + (1 + center) ** 2)
    variance = squares / (max(more - 1, 0.5) * more)
    df = max(effective_df(carriers(off, a.times), n), 1.0)
    error = reach * math.sqrt(variance)
    half = student_quantile(p.level, df) * error
    return Limits(p.difference - half, p.difference + half, means.METHOD, standard_error=error)


def _model_jackknife(p: Pair) -> Limits:
    """Student's t for the difference between two parameters of one fitted model."""
    form, bound = models.form_of(p.bound, p.joint.a), p.bound
    if models.METHOD not in p.found:
        sides = (p.joint.a, p.joint.b)
        (a, notes), (b, _) = (models.left_out(bound, side, float(e)) for side, e in zip(sides, (p.a, p.b), strict=True))
        one, other = (bound.evidence.of(side, side.mass) for side in sides)
        pairs = ((one, one), (other, other), (one, other))
        var_a, var_b, together = (form.covariance(x, y, **bound.own) for x, y in pairs)
        p.found[models.METHOD] = a - b, notes, var_a + var_b - 2 * together
    values, notes, least = p.found[models.METHOD]
    return models.around(p.difference, values, p.joint.a, least, p.level, notes)


# ---------------------------------------------------------------------- draws
def _percentile(p: Pair) -> Limits:
    """Quantiles over resamples."""
    return with_error(quantiles(p.drawn(), p.level, "percentile"), p.drawn())


def _basic(p: Pair) -> Limits:
    """Quantiles over resamples, reflected in the difference."""
    return with_error(quantiles(2 * p.difference - p.drawn(), p.level, "basic"), p.drawn())


def _bca(p: Pair) -> Limits:
    """Efron's bias-corrected and accelerated limits."""
    left_a, left_b, times = p.left_out()
    return with_error(bca(p.drawn(), p.difference, left_a - left_b, times, p.level), p.drawn())


def _studentized(p: Pair) -> Limits:
    """The bootstrap-t: how many of its own standard errors each resampled difference lies from the observed one."""

    def read(w: Floats) -> tuple[Floats, Floats]:
        return p.values(w), p.slopes(w)

    return bootstrap_t(p.bound, p.joint.a, p.difference, read, p.level, p.draws, p.seed)


METHODS: dict[str, Callable[[Pair], Limits]] = {
    "tango": _tango,
    "smoothed_delta": _smoothed_delta,
    "newcombe": _newcombe,
    "delong": _delong,
    "smoothed_delong": _smoothed_delong,
    "delong_mover": _delong_mover,
    "mover": by_mover,
    "cluster_mover": by_cluster_mover,
    "jackknife": _jackknife,
    "percentile": _percentile,
    "basic": _basic,
    "bca": _bca,
    "studentized": _studentized,
    "bounded_t": _bounded_t,
    "model_jackknife": _model_jackknife,
}
