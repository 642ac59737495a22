"""Student's t: p-values, and the smallest difference that is found."""

from __future__ import annotations

from assay.uncertainty.proportions import student_quantile

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
