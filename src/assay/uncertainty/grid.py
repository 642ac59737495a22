"""Exact distributions of sums whose parts are whole multiples of one step."""

from __future__ import annotations

import math

import numpy as np

from assay.tally.sampling import Floats, Ints

FINEST = 1 << 16  # steps in the largest part; finer than that is not a grid
WORK = 1 << 27  # additions that take less than a second
COINS = 1 << 25  # the same for coins, where there is another way that takes less than this
ROUNDING = 1e-9  # share of the largest part that rounding may make


def on_grid(values: Floats) -> Ints | None:
    """The values as whole multiples of their largest common step, or None where there is none worth having."""
    sizes = np.unique(np.abs(values))
    top = float(sizes[-1]) if len(sizes) else 0.0
    if top == 0:
        return np.zeros(len(values), np.int64)
    step = top
    for size in sizes:
        step = _common(step, float(size), ROUNDING * top)
        if step * FINEST < top:
            return None
    step = top / round(top / step)  # the longest way measures it best
    parts = values / step
    whole = np.round(parts)
    return whole.astype(np.int64) if np.abs(parts - whole).max() < 1e-6 else None


def _common(x: float, y: float, nothing: float) -> float:
    """Euclid's common measure of two lengths."""
    while y > nothing:
        x, y = y, abs(math.remainder(x, y))
    return x


def heads(sizes: Ints, times: Ints) -> Floats | None:
    """The chance of each sum of the parts whose coin shows heads, from 0 to the sum of all; None if it takes too long.

    `times` parts have each size, and share one binomial.
    """
    order = np.argsort(times)[::-1]  # many taps on a short array, few on a long one
    taps, longest = times[order].astype(np.float64), np.cumsum((sizes * times)[order].astype(np.float64))
    if (taps[1:] * longest[:-1]).sum() > COINS or longest[-1] > COINS or taps[0] > COINS:
        return None
    chances = np.ones(1)
    for size, count in zip(sizes[order].tolist(), times[order].tolist(), strict=True):
        longer = np.zeros(len(chances) + size * count)
        for tap, chance in enumerate(fair_coins(count).tolist()):
            longer[tap * size : tap * size + len(chances)] += chance * chances
        chances = longer
    return chances


def fair_coins(tosses: int) -> Floats:
    """The chance of each number of heads; whole numbers while they fit, so that ties stay ties."""
    if tosses <= 500:
        return np.array([math.comb(tosses, h) / 2**tosses for h in range(tosses + 1)])
    from scipy.special import gammaln

    h = np.arange(tosses + 1)
    return np.asarray(np.exp(gammaln(tosses + 1) - gammaln(h + 1) - gammaln(tosses - h + 1) - tosses * math.log(2)))


def resampled(parts: Ints) -> Floats | None:
    """The chance of each sum of n parts drawn with replacement, from n times the smallest; None if it takes too long.

    The sum of n independent draws has the n-th power of the generating polynomial of one.
    """
    n, low = len(parts), int(parts.min())
    width = int(parts.max()) - low
    if (n * width + 1) ** 2 > WORK:
        return None
    square = np.bincount(parts - low) / n
    power, left = np.ones(1), n
    while left:
        if left % 2:
            power = np.convolve(power, square)
        left //= 2
        if left:
            square = np.convolve(square, square)
    return power
