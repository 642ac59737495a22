"""Intervals of a mean of values within a known range, over items or whole clusters (by simulation).

A few values seldom include the ends of their range, so a quarter of a value is added at each end before the variance is
computed. Items of one cluster are taken together: a cluster counts by its number of values, as in a ratio of two sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import BoundedMean
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.problem import Limits, Problem, required_form, why_too_few
from assay.uncertainty.one.shares import clopper_pearson, mid_p, normal_quantile, student_quantile, wilson

METHOD = "bounded_t"
AT_ENDS = 0.25  # values that are added at each end of the range
OF_FUNCTION = 0.5  # the same for a function of such a mean: rare values at an end decide about a mean of logarithms


@dataclass(frozen=True)
class Sums:
    """For each kind of thing sampled: the sum of its values as positions in the range, their number, and its count.

    Things without any value are kept, because two systems need not have values for the same ones.
    """

    total: Floats
    number: Floats
    times: Floats
    at_ends: float = AT_ENDS

    @classmethod
    def of(cls, bound: Bound, tally: Tally, form: BoundedMean) -> Self:
        """The sums of items, or of clusters."""
        low, high = bound.range if form.back is None else (0.0, 1.0)
        total, number = form.parts(tally, **bound.own)
        total = (total - low * number) / (high - low)
        sampling = tally.sampling
        at_ends = AT_ENDS if form.back is None else OF_FUNCTION
        return cls(sampling.sums(total), sampling.sums(number), sampling.counts.astype(np.float64), at_ends)

    def only(self, held: Floats) -> Sums:
        """Some of the kinds."""
        total, number, times = (each[held > 0] for each in (self.total, self.number, self.times))
        return Sums(total, number, times, self.at_ends)

    @property
    def n(self) -> float:
        """How many things there are."""
        return float(self.times.sum())

    @property
    def mean(self) -> float:
        """The mean of all values."""
        return float((self.times * self.total).sum() / (self.times * self.number).sum())

    @property
    def effective(self) -> float:
        """How many things of equal size carry as much information: (Σ size)² / Σ size²."""
        return float((self.times * self.number).sum() ** 2 / (self.times * self.number**2).sum())

    @property
    def moved(self) -> Floats:
        """The mean, and what each thing adds to it: the values themselves where all things have equally many."""
        size = self.number * self.n / (self.times * self.number).sum()
        share = np.divide(self.total, self.number, out=np.zeros_like(self.total), where=self.number > 0)
        return np.asarray(self.mean + size * (share - self.mean))

    @property
    def hits(self) -> bool:
        """Whether all values of each thing are at the same end."""
        return bool(((self.total == 0) | (self.total == self.number)).all())


def by_bounded_t(p: Problem) -> Limits:
    """Wilson's limits for as many items as give the variance of the values; limits of a share where all are 0 or 1."""
    form = form_of(p.bound, p.tally)
    sums = Sums.of(p.bound, p.tally, form)
    sums = sums.only(sums.number * sums.times)
    few = why_too_few(sums.n, p.tally)
    low, high = p.bound.range
    if few is not None and not (sums.hits and p.tally.clusters is None):
        return Limits(None, None, METHOD, few)
    ends, error = _ends(sums, p.level, strict=p.strict)
    if form.back is not None:
        return Limits(form.back(ends[0]), form.back(ends[1]), METHOD)
    width = high - low
    error = None if error is None else width * error
    return Limits(low + width * ends[0], low + width * ends[1], METHOD, standard_error=error)


def limits_of_mean(values: Floats, tally: Tally, level: float, within: tuple[float, float]) -> Limits:
    """The same limits of the mean of these values, one for each unit of a tally whose items have equal weights."""
    low, width = within[0], within[1] - within[0]
    sampling = tally.sampling
    total, number = sampling.sums((values - low) / width), sampling.sums(np.ones(len(values)))
    sums = Sums(total, number, sampling.counts.astype(np.float64)).only(number * sampling.counts)
    few = why_too_few(sums.n, tally)
    if few is not None:
        return Limits(None, None, METHOD, few)
    ends, error = _ends(sums, level, strict=False)
    error = None if error is None else width * error
    return Limits(low + width * ends[0], low + width * ends[1], METHOD, standard_error=error)


def _ends(sums: Sums, level: float, *, strict: bool) -> tuple[tuple[float, float], float | None]:
    """The limits as positions in the range, and the standard error."""
    if sums.hits:
        share = clopper_pearson if strict else mid_p
        error = math.sqrt(max(sums.mean * (1 - sums.mean), 0.0) / sums.effective) or None
        return share(sums.mean * sums.effective, sums.effective, level), error
    center, variance, df = _share_of(sums)
    z = normal_quantile(level)
    ends = wilson(sums.mean, center * (1 - center) / variance * (z / student_quantile(level, df)) ** 2, z)
    return ends, math.sqrt(variance)


def _share_of(sums: Sums) -> tuple[float, float, float]:
    """The mean with a fraction of an item at each end, its variance, and the degrees of freedom."""
    n = sums.effective
    more = n + 2 * sums.at_ends
    center = (n * sums.mean + sums.at_ends) / more
    return center, _squares(sums, center) / (max(more - 1, 0.5) * more), max(n - 1, 1.0)


def _squares(sums: Sums, center: float) -> float:
    """Squared distances of the values, and of those added at the ends, from a center.

    They are of as many values of equal weight as carry as much information, with the same variance of their mean.
    """
    of_values = float((sums.times * (sums.moved - center) ** 2).sum()) * (sums.effective / sums.n) ** 2
    return of_values + sums.at_ends * (center**2 + (1 - center) ** 2)


def correlation(a: Sums, b: Sums) -> float:
    """The correlation of two such means of the same things; what is added at the ends of each varies by itself."""
    together = float((a.times * (a.moved - a.mean) * (b.moved - b.mean)).sum())
    together *= (a.effective / a.n) * (b.effective / b.n)
    return together / math.sqrt(_squares(a, a.mean) * _squares(b, b.mean))


def both_sums(bound: Bound, a: Tally, b: Tally) -> tuple[Sums, Sums]:
    """The sums of two systems over the same things, of which at least one has values."""
    first, second = (Sums.of(bound, side, form_of(bound, side)) for side in (a, b))
    held = (first.number + second.number) * first.times
    return first.only(held), second.only(held)


def form_of(bound: Bound, tally: Tally) -> BoundedMean:
    """How the measure is such a mean, or an error where it is not one."""
    return required_form(bound, tally, BoundedMean, "a mean of values within a known range", METHOD)
