"""Intervals for a share of counted items, Student's t, and the quantiles both need."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

from assay.options import POWER

Limits = tuple[float, float]
LARGE = 1e8  # beyond this many hits and misses, Wilson's limits differ from mid-P by less than 1/20,000 of the width


@cache
def normal_quantile(level: float) -> float:
    """The z for which a normal variable lies within ±z with this probability."""
    return NormalDist().inv_cdf((1 + level) / 2)


@cache
def student_quantile(level: float, df: float) -> float:
    """The same for Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


def wald(p: float, n: float, z: float) -> Limits:
    """The normal approximation with the observed variance, which is 0 where all or none are hits."""
    half = z * math.sqrt(max(p * (1 - p), 0) / n)
    return max(p - half, 0.0), min(p + half, 1.0)


def wilson(p: float, n: float, z: float) -> Limits:
    """Wilson's score interval; n need not be whole."""
    z2 = z * z / n
    center = (p + z2 / 2) / (1 + z2)
    half = z / (1 + z2) * math.sqrt(max(p * (1 - p), 0) / n + z2 / (4 * n))
    return max(center - half, 0.0), min(center + half, 1.0)


def agresti_coull(p: float, n: float, z: float) -> Limits:
    """The normal approximation around Wilson's center, as if z² more items had been seen, half of them hits."""
    more = n + z * z
    return wald((n * p + z * z / 2) / more, more, z)


def clopper_pearson(x: float, n: float, level: float) -> Limits:
    """Exact binomial limits: the observed outcome and those beyond it have half of what the level leaves."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if x == 0 else float(betaincinv(x, n - x + 1, tail))
    high = 1.0 if x == n else float(betaincinv(x + 1, n - x, 1 - tail))
    return low, high


def jeffreys(x: float, n: float, level: float) -> Limits:
    """The middle part of Beta(x + ½, n − x + ½), the posterior from Jeffreys' prior; also where x is 0 or n."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    return float(betaincinv(x + 0.5, n - x + 0.5, tail)), float(betaincinv(x + 0.5, n - x + 0.5, 1 - tail))


def mid_p(x: float, n: float, level: float) -> Limits:
    """Exact binomial limits that count half of the observed outcome; x and n need not be whole.

    They are quantiles of an even mixture of Beta(x, n − x + 1) and Beta(x + 1, n − x), a shape of 0 being a point.
    """
    if min(x, n - x) > LARGE:
        return wilson(x / n, n, normal_quantile(level))
    if x > n - x:
        # A share close to 1 is computed from its complement, which a float holds more exactly.
        low, high = mid_p(n - x, n, level)
        return 1 - high, 1 - low
    tail = (1 - level) / 2
    return _mid_p_quantile(x, n, tail), _mid_p_quantile(x, n, 1 - tail)


def _mid_p_quantile(x: float, n: float, share: float) -> float:
    """The quantile of the mixture, between those of its two parts; hits are no more than half."""
    from scipy.special import betainc, betaincinv

    if x <= 0:
        return float(betaincinv(1, n, 2 * share - 1)) if share > 0.5 else 0.0
    low, high = float(betaincinv(x, n - x + 1, share)), float(betaincinv(x + 1, n - x, share))

    def beyond(p: float) -> float:
        return (float(betainc(x, n - x + 1, p)) + float(betainc(x + 1, n - x, p))) / 2 - share

    return _zero_between(beyond, low, high)


def _zero_between(f: Callable[[float], float], low: float, high: float) -> float:
    """Where an increasing function is 0, by the Illinois form of the false position."""
    below, above = f(low), f(high)
    if below >= 0 or above <= 0:
        return low if below >= 0 else high
    last = 0
    for _ in range(100):
        middle = high - above * (high - low) / (above - below)
        here = f(middle)
        if here == 0 or high - low <= 1e-14 * high:
            return middle
        if here > 0:
            high, above, below, last = middle, here, below / 2 if last == 1 else below, 1
        else:
            low, below, above, last = middle, here, above / 2 if last == -1 else above, -1
        if abs(here) < 1e-14:
            return middle
    return (low + high) / 2


def student_p(t: float, df: float, alternative: str) -> float:
    """The probability of a t at least this extreme."""
    from scipy.special import stdtr

    if alternative == "two-sided":
        return min(2 * float(stdtr(df, -abs(t))), 1.0)
    return float(stdtr(df, -t if alternative == "greater" else t))


def normal_p(z: float, alternative: str) -> float:
    """The probability of a normal z at least this extreme."""
    from scipy.special import ndtr

    if alternative == "two-sided":
        return min(2 * float(ndtr(-abs(z))), 1.0)
    return float(ndtr(-z if alternative == "greater" else z))


def smallest_found(se: float, df: float, level: float, alternative: str) -> float:
    """The true difference that a t test with this standard error detects with 80% power, by the noncentral t.

    The other tail of a two-sided test adds nothing noticeable at this power.
    """
    from scipy.special import nctdtrinc, stdtrit

    bar = student_quantile(level, df) if alternative == "two-sided" else float(stdtrit(df, level))
    return se * float(nctdtrinc(df, 1 - POWER, bar))
