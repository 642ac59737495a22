"""Student's t: p-values, the smallest difference that is found, and whether a difference lies within a margin."""

from __future__ import annotations

from assay.uncertainty.proportions import student_quantile
from assay.uncertainty.results import MarginTest

POWER = 0.8  # four times in five


def student_p(t: float, df: float, alternative: str) -> float:
    """The chance of a t at least as far out."""
    from scipy.special import stdtr

    if alternative == "two-sided":
        return min(2 * float(stdtr(df, -abs(t))), 1.0)
    return float(stdtr(df, -t if alternative == "greater" else t))


def smallest_found(se: float, df: float, level: float, alternative: str) -> float:
    """The true difference that a t test with this standard error finds four times in five, by the noncentral t.

    The other tail of a two-sided test adds nothing that could be seen at this power.
    """
    from scipy.special import nctdtrinc, stdtrit

    bar = student_quantile(level, df) if alternative == "two-sided" else float(stdtrit(df, level))
    return se * float(nctdtrinc(df, 1 - POWER, bar))


def within_margin(
    difference: float, se: float, df: float, margin: float, level: float, higher_is_better: bool
) -> MarginTest:
    """Two one-sided t tests, each at what the level leaves; and whether A is worse by less than the margin."""
    alpha = 1 - level
    above = student_p((difference + margin) / se, df, "greater")  # against: A lies lower by the margin or more
    below = student_p((difference - margin) / se, df, "less")
    worse = above if higher_is_better else below
    half = student_quantile(1 - 2 * alpha, df) * se if level > 0.5 else None
    return MarginTest(
        margin=margin,
        low=None if half is None else difference - half,
        high=None if half is None else difference + half,
        level=1 - 2 * alpha,
        p_equivalent=max(above, below),
        p_not_worse=worse,
        equivalent=max(above, below) <= alpha,
        not_worse=worse <= alpha,
    )
