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

from assay.tally.contract.sampling import Floats, Ints

Complexes = NDArray[np.complex128]

DIGITS = 32.0  # e to the minus this is as good as nothing beside the tail
FADED = (30.0, 20.0, 12.0)  # the same for the characteristic function beyond the last node; less where that is dear
WORK = 1 << 20  # nodes times sizes that are not summed by their powers
SEEN = 256  # sizes that stand for all of them where the frequencies beyond the nodes are looked at
CARRIES = 1 / 64  # a size with a larger part of the variance, of all sizes up to it, is not one of many
CELLS = 1 << 17  # steps in which those frequencies are looked at
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
    def mass(self) -> Floats:
        """The variance of all sizes up to each one."""
        return np.cumsum(self.times * self.sizes**2)

    def _picked(self, kinds: int) -> Ints:
        """Which of the first so many kinds of sizes stand for them, each for the same part of their variance."""
        wanted = (np.arange(SEEN) + 0.5) / SEEN * self.mass[kinds - 1]
        return np.asarray(np.searchsorted(self.mass[:kinds], wanted), np.int64)

    @cached_property
    def stand_ins(self) -> tuple[Floats, Floats]:
        """Sizes under which the characteristic function fades, and how often each occurs.

        All of them where they are few, otherwise some of the many that are small beside their sum.
        """
        if self.times.sum() <= SEEN:
            return self.sizes, self.times
        small = np.flatnonzero(self.sizes**2 <= CARRIES * self.mass)
        kinds = int(small[-1]) + 1 if len(small) else len(self.sizes)
        which, often = np.unique(self._picked(kinds), return_counts=True)
        return self.sizes[which], np.minimum(often, self.times[which])

    def saddle(self, x: float) -> tuple[float, float]:
        """About the tilt that makes x the mean of the sum, and the logarithm of the generating function there.

        The tail is the same with any tilt; this one only makes it cheap.
        """
        few = len(self.sizes) <= SEEN
        sizes = self.sizes if few else self.sizes[self._picked(len(self.sizes))]
        share = self.times * sizes**2 if few else np.full(SEEN, 1 / SEEN)
        tilt = x
        for _ in range(60):
            h = np.tanh(sizes * tilt)
            slope = float((share * (1 - h * h)).sum())
            gap = x - float((share * h / sizes).sum())
            if slope < 1e-6 or gap < 1e-9 * x:
                break
            tilt += gap / slope
        tilt = min(max(tilt, 1.0), 3 * x + 3)  # a large one would need many nodes
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
        return math.exp2(-float(total.times.sum())), 0.0
    line = _Line.of(total, x)
    nodes = line.nodes()
    return None if nodes is None else line.integral(nodes)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Frequencies at which the characteristic function may matter, and what is known of all others."""

    first: Floats  # from 0 on
    later: Floats  # where it may come back
    end: float  # up to where it was looked at
    most: float  # its largest size elsewhere
    repeats: bool  # whether it repeats itself from the end on

    def error(self, spread: float) -> float:
        """What all other frequencies can add to the integral; `spread` is that of these.

        What is not looked at may be anything: between the best two functions of bounded frequency above and below an
        exponential with a jump lies an area of 2π over the bound (Graham and Vaaler 1981).
        """
        known = self.most * math.log(max(self.end / float(self.first[-1]), 1.0)) / 2
        return known if self.repeats else known + 2 * spread / self.end


@dataclass(frozen=True)
class _Line:
    """The line of the complex plane along which the tail from x on is an integral."""

    total: SignSum
    x: float
    tilt: float  # where it crosses the axis
    width: float  # between nodes

    @classmethod
    def of(cls, total: SignSum, x: float) -> _Line:
        """A line near the saddle point, with nodes so dense that sums one period away do not matter."""
        tilt, log_mgf = total.saddle(x if total.step is None else x - total.step / 2)
        missing = DIGITS + tilt * x - log_mgf + math.log1p(2 * tilt)  # from nearly the logarithm of the tail
        gap = tilt - x
        period = max(missing / tilt, gap + math.sqrt(max(gap**2 - x**2 + 2 * missing, 0.0)))
        if total.step is not None:
            period = 2 * math.ceil(period / (2 * total.step)) * total.step
        return cls(total, x, tilt, 2 * math.pi / period)

    def integral(self, nodes: _Nodes) -> tuple[float, float] | None:
        """The tail by the midpoint rule, and at most what share of it is wrong."""
        step, x, log_mgf = self.total.step, self.x, self.total.log_mgf
        origin = float(log_mgf(np.array([self.tilt + 0j]))[0].real)
        front = math.exp(origin - self.tilt * x)
        if front == 0:
            return 0.0, 0.0  # too small a number to write
        t = np.concatenate([nodes.first, nodes.later])
        z = self.tilt + 1j * t
        split = len(nodes.first)  # what lies farther out has no short series
        faint = np.exp(np.concatenate([log_mgf(part) for part in (z[:split], z[split:]) if len(part)]) - origin)
        kernel = 1 / z if step is None else step / -np.expm1(-step * z)
        p = front * self.width / math.pi * float((faint * np.exp(-1j * t * x) * kernel).real.sum())
        if p <= 0:
            return None
        bend = 1.0 if step is None else math.exp(step * self.tilt / 2)
        return p, front * bend * (nodes.error(self.width * float(np.abs(faint).sum())) + ROUNDING) / p

    # ------------------------------------------------------------------ where the function matters
    def nodes(self) -> _Nodes | None:
        """Nodes where the characteristic function is not known to be next to nothing; None where they are too many."""
        period = math.inf if self.total.step is None else math.pi / self.total.step
        ends, known = self._known(period)
        lengths = np.diff(ends, prepend=0.0)
        large = len(self.total.sizes) - np.searchsorted(self.total.sizes, SMALL / np.hypot(self.tilt, ends))
        for level in FADED:
            low = known < level
            # A cell is known in its middle, and surely on the side of a cell that is known too.
            low = low | np.append(low[1:], False) | np.append(True, low[:-1])
            if float(((lengths / self.width + 1) * (large + SERIES))[low].sum()) > WORK:
                continue
            first = int(np.argmin(low)) if not low.all() else len(low)
            later = low.copy()
            later[:first] = False
            return _Nodes(
                self._between(ends, lengths, low & ~later, period),
                self._between(ends, lengths, later, period),
                float(ends[-1]),
                0.0 if low.all() else math.exp(-float(known[~low].min())),
                bool(ends[-1] >= period * (1 - ROUNDING)),
            )
        return None

    def _between(self, ends: Floats, lengths: Floats, cells: NDArray[np.bool_], period: float) -> Floats:
        """The midpoints of all steps that lie in these cells, but none beyond the period."""
        most = math.inf if period == math.inf else round(period / self.width)
        parts = [
            np.arange(math.floor(start / self.width), min(math.ceil(end / self.width), most))
            for start, end in zip((ends - lengths)[cells].tolist(), ends[cells].tolist(), strict=True)
        ]
        steps = np.unique(np.concatenate(parts)) if parts else np.zeros(0)
        return np.asarray((steps + 0.5) * self.width, np.float64)

    def _known(self, period: float) -> tuple[Floats, Floats]:
        """Ends of cells of frequencies, and how far the characteristic function has faded in each of them."""
        total = self.total
        sizes, often = total.stand_ins
        weight = _thinned(sizes * self.tilt)
        spread = math.sqrt(float((often * weight * sizes**2).sum()))
        length = STEP / max(spread, 1e-9)
        first = min(8 / max(spread, 1e-9), period) if total.times.sum() > SEEN else 0.0
        cells = CELLS if period == math.inf else min(CELLS, math.ceil((period - first) / length - ROUNDING))
        ends, known = _near(total, self.tilt, first)
        far = _far(sizes, often, weight, first, length, cells)
        return np.concatenate([ends, first + length * np.arange(1, cells + 1)]), np.concatenate([known, far])


def _thinned(x: Floats) -> Floats:
    """What is left of the variance of a sign that is tilted by x: 1 / cosh² x."""
    return np.asarray(1 / np.cosh(np.minimum(x, 300.0)) ** 2)


def _near(total: SignSum, tilt: float, first: float) -> tuple[Floats, Floats]:
    """Ends of cells up to a frequency, and how far the function has faded in each, from all sizes up to 1 over it."""
    if first <= 4:
        return np.array([first])[: int(first > 0)], np.zeros(int(first > 0))
    edges = np.geomspace(4, first, max(2, math.ceil(math.log(first / 4) / math.log(1.15)) + 1))
    weight = _thinned(total.sizes * tilt)
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
    return [float(4**j * (4**j - 1) * numbers[2 * j] / (2 * j * math.factorial(2 * j))) for j in range(1, SERIES + 1)]
