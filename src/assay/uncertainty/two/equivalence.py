"""Is the difference too small to matter? Two one-sided tests with a margin named beforehand."""

from __future__ import annotations

import math

from assay.errors import OptionError, check_number, in_percent
from assay.options import LEVEL
from assay.texts import numeral
from assay.uncertainty.one.inversion import LimitsAt, mirror_limits, tail
from assay.uncertainty.results import MarginTest


def margin_test(
    limits_at: LimitsAt,
    difference: float | None,
    margin: float,
    higher_is_better: bool | None,
    level: float = LEVEL,
) -> MarginTest:
    """Whether A and B are equivalent within the margin, and whether A is worse by less than it.

    A one-sided test at α is passed where the interval at level 1 − 2α ends before the margin, so tests at 5% use the
    interval at 90%. The p-value is the α at which the limit reaches the margin.
    """
    check_margin(margin)
    if not 0.5 < level < 1:
        raise OptionError(f"level is {level}; two one-sided tests need one between 0.5 and 1, such as 0.95.")
    alpha = 1 - level
    within = round(1 - 2 * alpha, 12)  # 0.9 for 0.95, not 0.8999…
    low, high = (None, None) if difference is None else limits_at(within)
    if low is None or high is None:
        return MarginTest(margin, None, None, within, None, None, None, None)
    low, high = float(low), float(high)
    under, over = low > -margin, high < margin
    above = _p_value(limits_at, margin, alpha, passed=over)
    below = _p_value(mirror_limits(limits_at), margin, alpha, passed=under)
    not_worse, p_not_worse = {True: (under, below), False: (over, above), None: (None, None)}[higher_is_better]
    return MarginTest(
        margin=margin,
        low=low,
        high=high,
        level=within,
        p_equivalent=None if above is None or below is None else max(above, below),
        p_not_worse=p_not_worse,
        equivalent=under and over,
        not_worse=not_worse,
    )


def check_margin(margin: float | None) -> None:
    """Refuse margins that are not a distance."""
    if margin is None:
        return
    check_number(margin, "margin")
    if not (math.isfinite(margin) and margin > 0):
        raise OptionError(
            f"margin is {margin}; it is the largest difference that would not matter, a number above 0 such as 0.01."
        )


def check_width(margin: float | None, ends: tuple[float, float] | None, name: str) -> None:
    """Refuse a margin as wide as the range of the values: every difference lies within it, whatever the data."""
    if margin is None or ends is None:
        return
    width = ends[1] - ends[0]
    if margin >= width:
        raise OptionError(
            f"the margin is {margin:g}, but {name} lies between {' and '.join(numeral(end, 'g') for end in ends)}, so "
            f"no difference could be larger.{in_percent(margin, 0, width)}"
        )


def _p_value(limits_at: LimitsAt, margin: float, alpha: float, *, passed: bool) -> float | None:
    """The α at which the upper limit reaches the margin, on the side of α that was decided."""
    p = tail(limits_at, margin)
    if p is None:
        return None
    # Limits that are drawn need not widen evenly; the decision is the one at the level that was asked for.
    return min(p, math.nextafter(alpha, 0)) if passed else max(p, alpha)
