"""The upper tail of a sum of sizes with random signs, from its characteristic function, with a bound of its error.

The chance is an integral along a line through the saddle point, where the integrand is as small and as smooth as it
gets, so that a few dozen nodes give the tail to many digits however far out it lies. What lies beyond the last node is
bounded by looking at where the characteristic function could come back: near multiples of a common step, or never.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.sampling import Floats, Ints

Complexes = NDArray[np.complex128]

DIGITS = 32.0  # e to the minus this is as good as nothing beside the tail
FADED = 30.0  # the same for the characteristic function, beyond the last node
FARTHEST = 100.0  # standard deviations of the sum, as a frequency, up to which nodes are placed
SEEN = 256  # sizes that stand for all of them where the frequencies beyond the nodes are looked at
CELLS = 1 << 18  # steps in which those frequencies are looked at
STEP = 3.0  # their length, in standard deviations of what is looked at
BEND = 2.125  # the second derivative of w s + w² s² / 2 in x is at most w times this, for s = sin² x and w ≤ 1
CURVED = 0.708  # sin² x ≥ 0.708 x² up to x = 1
SMALL = 0.5  # up to here log cosh is a short series
SERIES = 16
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SignSum:
    """A sum of sizes with random signs, in its own standard deviations; some sizes occur several times."""

    sizes: Floats  # ascending, all above 0
    times: Floats
    step: float | None  # between neighboring values of the sum, where it lies on a lattice

    @classmethod
    def of(cls, sizes: Floats, times: Ints, step: float | None) -> tuple[SignSum, float]:
        """The sum in its standard deviations, and the standard deviation."""
        sd = math.sqrt(float((times * np.square(sizes, dtype=np.float64)).sum()))
        return cls(sizes / sd, times.astype(np.float64), None if step is None else step / sd), sd

    @cached_property
    def stand_ins(self) -> tuple[Floats, Floats]:
        """Sizes that stand for all of them, each for the same part of the variance, and how often each occurs."""
        if self.times.sum() <= SEEN:
            return self.sizes, self.times
        mass = np.cumsum(self.times * self.sizes**2)
        index = np.searchsorted(mass, (np.arange(SEEN) + 0.5) / SEEN * mass[-1])
        which, often = np.unique(index, return_counts=True)
        return self.sizes[which], np.minimum(often, self.times[which])

    @property
    def has_stand_ins(self) -> bool:
        """Whether some sizes are looked at in place of all."""
        return len(self.stand_ins[0]) < len(self.sizes) or bool((self.stand_ins[1] < self.times).any())

    def saddle(self, x: float) -> tuple[float, float]:
        """About the tilt that makes x the mean of the sum, and the logarithm of the generating function there.

        The tail is the same with any tilt; this one only makes it cheap.
        """
        sizes, often = self.stand_ins
        share = often * sizes**2
        share = share / share.sum()
        tilt = x
        for _ in range(60):
            h = np.tanh(sizes * tilt)
            slope = float((share * (1 - h * h)).sum())
            gap = x - float((share * h / sizes).sum())
            if slope < 1e-6 or gap < 1e-9 * x:
                break
            tilt += gap / slope
        tilt = max(tilt, 1.0)
        return tilt, float((share / sizes**2 * _log_cosh(sizes * tilt)).sum())

    def log_mgf(self, z: Complexes) -> Complexes:
        """The logarithm of the moment generating function at each z, all in the right half plane."""
        reach = float(np.abs(z).max())
        few = int(np.searchsorted(self.sizes, SMALL / reach, side="right"))
        out = self._series(z, reach, few)
        sizes, times = self.sizes[few:], self.times[few:]
        # A handful of sizes at once, so that no large table is made.
        for part in np.array_split(np.arange(len(sizes)), max(1, len(sizes) * len(z) >> 18)):
            x = sizes[part, None] * z
            # cosh x = e^x (1 + e^−2x) / 2, and the real part of x is above 0.
            out += (times[part, None] * (x + np.log1p(np.exp(-2 * x)) - math.log(2))).sum(axis=0)
        return out

    def _series(self, z: Complexes, reach: float, few: int) -> Complexes:
        """The same for the first few sizes, by their power sums."""
        out = np.zeros(len(z), np.complex128)
        if not few:
            return out
        top = float(self.sizes[few - 1])
        ratio = (top * reach * 2 / math.pi) ** 2  # of one term to the next
        terms = min(max(math.ceil((DIGITS + 8) / -math.log(ratio)), 2), SERIES)
        squares = (self.sizes[:few] / top) ** 2
        power, square = self.times[:few].copy(), (top * z) ** 2
        here = np.ones(len(z), np.complex128)
        for coefficient in _log_cosh_series()[:terms]:
            power *= squares
            here = here * square
            out += coefficient * float(power.sum()) * here
        return out


def upper_tail(sizes: Floats, times: Ints, x: float, step: float | None = None) -> tuple[float, float] | None:
    """The chance of a sum of at least x > 0, and at most what share of it is wrong; None where nothing can be said.

    On a lattice x is one of its values.
    """
    total, sd = SignSum.of(sizes, times, step)
    x = x / sd
    if x >= float((total.times * total.sizes).sum()) * (1 - ROUNDING):
        return 2.0 ** -float(total.times.sum()), 0.0
    half = 0.0 if total.step is None else total.step / 2
    tilt, log_mgf = total.saddle(x - half)
    faded = _Faded.of(total, tilt)
    if faded is None:
        return None
    return _integrated(total, x, tilt, log_mgf, faded)


def _integrated(total: SignSum, x: float, tilt: float, log_mgf: float, faded: _Faded) -> tuple[float, float] | None:
    """The integral by the midpoint rule, whose only error is that sums one period away are taken for x."""
    about = log_mgf - tilt * x - math.log1p(2 * tilt)  # the logarithm of the tail, nearly
    gap = tilt - x
    period = max((DIGITS - about) / tilt, gap + math.sqrt(max(gap**2 - x**2 + 2 * (DIGITS - about), 0.0)))
    if total.step is not None:
        period = 2 * math.ceil(period / (2 * total.step)) * total.step
    width = 2 * math.pi / period
    nodes = math.ceil(faded.start / width)
    if total.step is not None:
        nodes = min(nodes, round(period / (2 * total.step)))
    z = tilt + 1j * np.concatenate([[0.0], (np.arange(nodes) + 0.5) * width])
    logs = total.log_mgf(z)
    kernel = 1 / z if total.step is None else total.step / -np.expm1(-total.step * z)
    parts = np.exp(logs - logs[0] - 1j * z.imag * x) * kernel
    front = math.exp(float(logs[0].real) - tilt * x)
    p = front * width / math.pi * float(parts[1:].real.sum())
    if not p > 0:
        return (0.0, 0.0) if front == 0 else None
    bend = 1.0 if total.step is None else math.exp(total.step * tilt / 2)
    spread = width * float(np.exp((logs - logs[0])[1:].real).sum())
    return p, front * bend * faded.error(spread) / p + ROUNDING


# ---------------------------------------------------------------------- beyond the nodes
@dataclass(frozen=True)
class _Faded:
    """From where on, and up to where, the characteristic function is known to be next to nothing."""

    start: float
    end: float
    most: float  # its largest size there
    ends: bool  # whether it repeats itself from there on

    @classmethod
    def of(cls, total: SignSum, tilt: float) -> _Faded | None:
        """Look at the frequencies beyond the first few, with the sum tilted."""
        sizes, often = total.stand_ins
        weight = 1 / np.cosh(np.minimum(sizes * tilt, 300.0)) ** 2
        spread = math.sqrt(float((often * weight * sizes**2).sum()))
        if spread < 1e-3:
            return None
        length = STEP / spread
        first = 8 / spread if total.has_stand_ins else 0.0
        period = math.inf if total.step is None else math.pi / total.step
        near_ends, near = _near(total, tilt, min(first, period))
        cells = min(CELLS, max(math.ceil((period - first) / length), 0)) if math.isfinite(period) else CELLS
        far = _far(sizes, often, weight, first, length, cells)
        ends = np.concatenate([near_ends, first + length * np.arange(1, cells + 1)])
        known = np.concatenate([near, far])
        return cls._beyond(ends, known, period)

    @classmethod
    def _beyond(cls, ends: Floats, known: Floats, period: float) -> _Faded | None:
        """The last node stands one cell after the last one in which little is known."""
        low = np.flatnonzero((known < FADED) & (ends <= FARTHEST))
        last = min(int(low[-1]) + 1 if len(low) else 0, len(ends) - 1)
        start, rest = float(ends[last]), known[last + 1 :]
        whole = float(ends[-1]) >= period
        if start >= period or (whole and not len(rest)):
            return cls(period, period, 0.0, True)
        return cls(start, float(ends[-1]), math.exp(-float(rest.min())), whole) if len(rest) else None

    def error(self, spread: float) -> float:
        """What all frequencies beyond the nodes can add to the integral; `spread` is that of the others.

        What is not looked at may be anything: between the best two functions of bounded frequency above and below an
        exponential with a jump lies an area of 2π over the bound (Graham and Vaaler 1981).
        """
        known = self.most * math.log(max(self.end / self.start, 1.0)) / 2
        return known if self.ends else known + 2 * spread / self.end


def _near(total: SignSum, tilt: float, first: float) -> tuple[Floats, Floats]:
    """Ends of cells up to a frequency, and how far the function has faded in each, from all sizes up to 1 over it."""
    if first <= 4:
        return np.array([first])[: int(first > 0)], np.zeros(int(first > 0))
    edges = np.geomspace(4, first, max(2, math.ceil(math.log(first / 4) / math.log(1.15)) + 1))
    weight = 1 / np.cosh(np.minimum(total.sizes * tilt, 300.0)) ** 2
    mass = np.concatenate([[0.0], np.cumsum(total.times * weight * total.sizes**2)])
    held = mass[np.searchsorted(total.sizes, 1 / edges[1:], side="right")]
    return edges, np.concatenate([[0.0], CURVED / 2 * edges[:-1] ** 2 * held])


def _far(sizes: Floats, often: Floats, weight: Floats, first: float, length: float, cells: int) -> Floats:
    """How far the function has faded, at least, in each of so many cells of frequencies.

    Its square is a product of 1 − w sin² ≤ exp(−w sin² − w² sin⁴ / 2), so the exponent is a sum of cosines. In each
    cell it is known in the middle, and bends so little that it cannot be much lower elsewhere.
    """
    if not cells:
        return np.zeros(0)
    side = math.ceil(math.sqrt(cells))

    def cosines(amount: Floats, frequency: float) -> Floats:
        turn = frequency * sizes
        rows = np.outer(first + length * (np.arange(side) * side + 0.5), turn)
        columns = np.outer(turn, length * np.arange(side))
        left = np.hstack([amount * np.cos(rows), amount * np.sin(rows)])
        return np.asarray((left @ np.vstack([np.cos(columns), -np.sin(columns)])).ravel()[:cells])

    constant = float((often * (weight / 2 + 3 * weight**2 / 16)).sum())
    fourth = cosines(often * weight**2 / 16, 4)
    found = constant - cosines(often * (weight / 2 + weight**2 / 4), 2) + fourth
    return np.asarray((found - BEND * (STEP / 2) ** 2 / 2) / 2)


# ---------------------------------------------------------------------- log cosh
def _log_cosh(x: Floats) -> Floats:
    return np.asarray(np.abs(x) + np.log1p(np.exp(-2 * np.abs(x))) - math.log(2))


def _log_cosh_series() -> list[float]:
    """The coefficients of x², x⁴, … in log cosh x."""
    from scipy.special import bernoulli

    numbers: Any = bernoulli(2 * SERIES)
    return [
        float(4**j * (4**j - 1) * numbers[2 * j] / (2 * j * math.factorial(2 * j))) for j in range(1, SERIES + 1)
    ]
