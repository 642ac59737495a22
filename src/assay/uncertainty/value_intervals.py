"""Intervals of a mean difference of paired values, and of the two means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.errors import OptionError, plural
from assay.tally.sampling import Floats
from assay.uncertainty.discordant import Discordant, tango
from assay.uncertainty.drawn import bca, quantiles
from assay.uncertainty.folds import Folds
from assay.uncertainty.linear import carriers, effective_df
from assay.uncertainty.pairs_of_values import ValuePairs
from assay.uncertainty.problem import Limits
from assay.uncertainty.proportions import mid_p, normal_quantile, student_quantile
from assay.uncertainty.value_tests import Drawing, resampled_means, resamples

NO_SPREAD = "all differences are the same, so they cannot tell how sure this is"
SHARED_TRAINING = "folds share training data, so the standard deviation over folds divided by √{n} would be too small"
FEW_CLUSTERS = 20


@dataclass(frozen=True)
class Question:
    """What an interval is made for."""

    pairs: ValuePairs
    level: float
    drawing: Drawing
    folds: Folds | None = None

    @property
    def se(self) -> float:
        """The standard error of the mean difference; clusters and shared training data are allowed for."""
        if self.folds is not None:
            return self.folds.se(self.pairs.d)
        spread = _left_out(self.pairs) - self.pairs.difference
        groups = len(spread)
        return math.sqrt((groups - 1) / groups * float(((spread - spread.mean()) ** 2).sum()))

    @property
    def df(self) -> float:
        """Degrees of freedom: the things that were drawn, less one."""
        return len(self.pairs.sums) - 1.0


def default_method(q: Question) -> str:
    """Simulated for skewed and sparse differences of 10 to 200 pairs: Student's t for as many as carry the variance."""
    if q.folds is not None:
        return "corrected_t"
    if q.pairs.cluster is not None:
        return "cluster_jackknife"
    if q.pairs.unit == "dataset":
        return "t"
    return "tango" if q.pairs.binary else "jackknife"


def difference_limits(q: Question, method: str) -> Limits:
    """The interval of the mean difference by this method."""
    method = default_method(q) if method == "auto" else method
    if (q.folds is not None) != (method == "corrected_t"):
        why = SHARED_TRAINING.format(n=q.pairs.n) if q.folds is not None else "these values are not of folds"
        raise OptionError(f"method='{method}' does not fit: {why}. Use method='{default_method(q)}'.")
    if q.pairs.cluster is not None and method not in ("cluster_jackknife", "percentile", "bca", "studentized"):
        raise OptionError(f"method='{method}' supposes independent values, and these are in clusters; use 'auto'.")
    made = METHODS[method](q)
    if made.low is None or made.high is None or made.high - made.low > 1e-12 * abs(made.high):
        return made
    return Limits(None, None, method, NO_SPREAD)


def _flat(q: Question) -> bool:
    return float(np.ptp(q.pairs.sums / q.pairs.sizes)) <= 1e-12 * float(np.abs(q.pairs.d).max(initial=0))


def _student(q: Question, method: str, df: float, notes: tuple[str, ...] = ()) -> Limits:
    if _flat(q):
        return Limits(None, None, method, NO_SPREAD)
    half = student_quantile(q.level, df) * q.se
    return Limits(q.pairs.difference - half, q.pairs.difference + half, method, notes=notes)


def _t(q: Question) -> Limits:
    return _student(q, "t", q.df)


def _corrected_t(q: Question) -> Limits:
    assert q.folds is not None
    return _student(q, "corrected_t", q.df)


def _jackknife(q: Question) -> Limits:
    """For a mean the jackknife's variance is s²/n; the degrees of freedom are those of the pairs that carry it."""
    method = "jackknife" if q.pairs.cluster is None else "cluster_jackknife"
    groups = len(q.pairs.sums)
    parts = (q.pairs.sums - q.pairs.sizes * q.pairs.difference) ** 2
    few = q.pairs.cluster is not None and groups < FEW_CLUSTERS
    notes = (f"only {groups} clusters",) if few else ()
    return _student(q, method, effective_df(carriers(parts, np.ones(groups)), groups), notes)


def _cluster_jackknife(q: Question) -> Limits:
    if q.pairs.cluster is None:
        raise OptionError("there are no clusters; give cluster=, or use method='jackknife'.")
    return _jackknife(q)


def _left_out(pairs: ValuePairs) -> Floats:
    """The mean difference without each pair or cluster in turn."""
    return np.asarray((pairs.sums.sum() - pairs.sums) / (pairs.sizes.sum() - pairs.sizes))


def _percentile(q: Question) -> Limits:
    return quantiles(np.concatenate(list(resampled_means(q.pairs, q.drawing))), q.level, "percentile")


def _bca(q: Question) -> Limits:
    drawn = np.concatenate(list(resampled_means(q.pairs, q.drawing)))
    left = _left_out(q.pairs)
    return bca(drawn, q.pairs.difference, left, np.ones(len(left)), q.level)


def _studentized(q: Question) -> Limits:
    """The bootstrap-t; a resample without spread has no standard error and counts as undefined."""
    if _flat(q):
        return Limits(None, None, "studentized", NO_SPREAD)
    d, found = q.pairs.difference, []
    variance = float(((q.pairs.sums - q.pairs.sizes * d) ** 2).sum()) / q.pairs.n**2
    for means, own in resamples(q.pairs, q.drawing):
        ok = own > 1e-12 * variance
        found.append(np.where(ok, (means - d) / np.sqrt(np.where(ok, own, 1)), np.nan))
    return quantiles(d - math.sqrt(variance) * np.concatenate(found), q.level, "studentized")


def _tango(q: Question) -> Limits:
    """Tango's (1998) score limits for two shares of the same items; a bound where no item differs."""
    if not q.pairs.binary:
        raise OptionError("method='tango' is for values of 0 and 1; use method='jackknife'.")
    n, b, c = q.pairs.n, int((q.pairs.d > 0).sum()), int((q.pairs.d < 0).sum())
    low, high = tango(Discordant(b, c, n), normal_quantile(q.level))
    return Limits(low, high, "tango")


METHODS: dict[str, Callable[[Question], Limits]] = {
    "t": _t,
    "jackknife": _jackknife,
    "cluster_jackknife": _cluster_jackknife,
    "percentile": _percentile,
    "bca": _bca,
    "studentized": _studentized,
    "tango": _tango,
    "corrected_t": _corrected_t,
}


# ---------------------------------------------------------------------- one mean
def mean_limits(pairs: ValuePairs, values: Floats, level: float) -> Limits:
    """The interval of one system's mean: that of a share for values of 0 and 1, Student's t otherwise."""
    n = len(values)
    if pairs.unit == "fold":
        return Limits(None, None, "none", SHARED_TRAINING.format(n=n))
    if pairs.cluster is None and np.isin(values, (0, 1)).all():
        return Limits(*mid_p(float(values.sum()), n, level), "midp")
    alone = ValuePairs(values, np.zeros(n), pairs.names, pairs.unit, pairs.cluster)
    if float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max(initial=0)):
        return Limits(None, None, "t", f"all {plural(n, 'value')} are the same, so they cannot tell how sure this is")
    question = Question(alone, level, Drawing(0, 0))
    return _t(question) if pairs.unit == "dataset" else _jackknife(question)
