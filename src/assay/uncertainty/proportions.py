"""Intervals for a share of counted items, and the quantiles they need."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

Limits = tuple[float, float]


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
    """Exact binomial limits: the outcomes beyond the observed one, it included, have half of what the level leaves."""
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


def mid_p(x: int, n: int, level: float) -> Limits:
    """Exact binomial limits that count half of the observed outcome."""
    return 1 - _mid_p_upper(n - x, n, level), _mid_p_upper(x, n, level)


def _mid_p_upper(x: int, n: int, level: float) -> float:
    """The p for which P(X < x) + P(X = x) / 2 is half of what the level leaves out."""
    from scipy.special import bdtr

    if x == n:
        return 1.0
    tail, low, high = (1 - level) / 2, 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        below = float(bdtr(x - 1, n, p)) if x > 0 else 0.0
        low, high = (p, high) if (below + float(bdtr(x, n, p))) / 2 > tail else (low, p)
    return low
