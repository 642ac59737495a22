"""The mean of as many values as there are, drawn with replacement: all resamples at once, without drawing any.

The sum of n independent draws has the n-th power of the characteristic function of one, so two Fourier transforms of a
grid give its distribution. The grid spans 16 standard deviations of the sum on either side; by Bernstein's inequality
less than 1e-8 of any distribution lies farther out. A value between two points of the grid is divided between them so
that the mean stays the same. What this adds to the variance is taken out again, and where it is not small beside the
variance of the values that do not stand out, as with one enormous value, there is no such distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.tally.contract.sampling import Floats, Ints, add_up
from assay.uncertainty.two.signs import on_grid

LARGE = 5000  # values from which on draws take long
SPAN = 32.0  # standard deviations of the sum
FINE = 64.0  # points of the grid in a standard deviation of the values
LEAST, MOST = 1 << 18, 1 << 22  # points of the grid: up to four for each value, but no fewer or more than these
UNSEEN = 1e-8  # chances that may lie beyond the grid
FADED = 50.0  # e to the minus this is as good as nothing
STAND_OUT = 64  # values that may be far from all others
ADDED = 1e-3  # of the variance of the others


@dataclass(frozen=True, eq=False)
class AllResamples:
    """The chance of each mean, in ascending order; it stands for a cell around it, unless means lie on a lattice."""

    means: Floats
    chances: Floats
    error: float  # the standard deviation of the means
    lattice: bool

    @classmethod
    def of(cls, values: Floats) -> AllResamples | None:
        """The resamples of these values; None if all are the same, or a few are too far from the others."""
        n, mean, sd = len(values), float(values.mean()), float(values.std())
        if sd <= 1e-12 * float(np.abs(values).max(initial=0)):
            return None
        spread = SPAN * math.sqrt(n) * sd
        parts = on_grid(values)
        top = 0 if parts is None else int(np.abs(parts).argmax())
        step = 0.0 if parts is None else float(values[top] / parts[top])
        most = min(max(1 << math.ceil(math.log2(4 * n)), LEAST), MOST)
        lattice = parts is not None and spread < most * step
        if parts is not None and lattice:
            middle = round(mean / step)
            drift = n * (mean / step - middle)  # of the sum from the middle, in steps
            mass, size = _on(parts - middle, _points(spread / step, most)), 1.0
        else:
            others = _of_others(values)
            finest = min(sd / FINE, math.sqrt(4 * ADDED * others))
            points, drift = _points(spread / finest, most) if finest > 0 else most, 0.0
            step = spread / points
            at = np.floor((values - mean) / step)
            share = (values - mean) / step - at
            added = float((share * (1 - share)).mean()) * step**2
            if added > ADDED * others:
                return None
            mass = _on(at.astype(np.int64), points, 1 - share) + _on(at.astype(np.int64) + 1, points, share)
            size = 1 / math.sqrt(1 + added / sd**2)
        sums = np.arange(len(mass)) - len(mass) // 2 + round(drift)
        chances = _power(mass / n, n)[sums % len(mass)]
        means = np.asarray(mean + (sums - drift) * (step * size / n), np.float64)
        return cls(means, chances, sd / math.sqrt(n), lattice)

    @cached_property
    def _up_to(self) -> Floats:
        """The chance of a mean up to each one, or up to the upper edge of its cell."""
        return np.cumsum(self.chances)

    @property
    def _half(self) -> float:
        return float(self.means[1] - self.means[0]) / 2

    def quantile(self, share: float) -> float:
        """The mean that this share of the resamples does not exceed."""
        if not self.lattice:
            return float(np.interp(share, self._up_to, self.means + self._half))
        place = int(np.searchsorted(self._up_to, share * (1 - 1e-12)))
        return float(self.means[min(place, len(self.means) - 1)])

    def below(self, mean: float) -> float:
        """The share of the resamples below this mean, and half of those that equal it."""
        return (self.beyond(mean, -1) + self.beyond(mean, -1, strict=True)) / 2

    def beyond(self, mean: float, side: int, strict: bool = False) -> float:
        """The share of the resamples at least this large, or at most (side −1); `strict` leaves out equal ones."""
        if not self.lattice:
            up_to = float(np.interp(mean, self.means + self._half, self._up_to))
            return 1 - up_to if side > 0 else up_to
        slack = self._half if strict else -self._half
        return float(self.chances[side * (self.means - mean) > slack].sum())


def _points(least: float, most: int) -> int:
    return most if least > most else 1 << max(math.ceil(math.log2(least)), 4)


def _on(at: Ints, points: int, share: Floats | None = None) -> Floats:
    """How much lies on each point of a grid that begins again at its end."""
    return add_up(at % points, np.ones(len(at)) if share is None else share, points)


def _of_others(values: Floats) -> float:
    """The variance of the values without those that may stand out on either side."""
    if len(values) <= 2 * STAND_OUT:
        return 0.0
    return float(np.partition(values, (STAND_OUT, len(values) - STAND_OUT - 1))[STAND_OUT:-STAND_OUT].var())


def _power(chances: Floats, n: int) -> Floats:
    """The chances of the sum of n draws, on the same grid."""
    found = np.fft.rfft(chances)
    held = np.flatnonzero(np.abs(found) > math.exp(-FADED / n))
    power = np.zeros(len(found), np.complex128)
    power[held] = np.exp(n * np.log(found[held]))
    out = np.maximum(np.fft.irfft(power, len(chances)), 0.0)
    return np.asarray(out / out.sum(), np.float64)
