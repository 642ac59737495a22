"""Is the difference too small to matter? Two one-sided tests with a margin named beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable

from assay.errors import OptionError, check_number, in_percent
from assay.options import LEVEL
from assay.texts import numeral
from assay.uncertainty.results import MarginTest

LimitsAt = Callable[[float], tuple[float | None, float | None]]  # from a level to the limits of the difference
FARTHEST = 6.0  # standard normal deviations: p-values below 1e-9 are not distinguished
LOWEST = 1e-9  # the tail beyond that distance
CLOSE = 1e-8  # deviations between which p-values are the same
NARROWEST = 1e-6  # the lowest level asked for: below it quantiles of Student's t lose their digits


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
    within = 1 - 2 * alpha
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


def check_margin(margin: float) -> None:
    """Refuse margins that are not a distance."""
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


def check_side(level: float, alternative: str) -> None:
    """Refuse levels at which a one-sided question has no limit: it is that of the interval at 2 level − 1."""
    if alternative != "two-sided" and level <= 0.5:
        raise OptionError(f"level is {level}; a one-sided limit needs one above 0.5, such as 0.95.")


def _p_value(limits_at: LimitsAt, margin: float, alpha: float, *, passed: bool) -> float | None:
    """The α at which the upper limit reaches the margin, on the side of α that was decided."""
    p = tail(limits_at, margin)
    if p is None:
        return None
    # Limits that are drawn need not widen evenly; the decision is the one at the level that was asked for.
    return min(p, math.nextafter(alpha, 0)) if passed else max(p, alpha)


def tail(limits_at: LimitsAt, edge: float) -> float | None:
    """The α at which the upper limit of level 1 − 2α reaches the edge; above ½ where even the middle lies beyond it."""
    from scipy.special import ndtr

    near, far = -FARTHEST, FARTHEST  # the limit lies this far out; the farther, the larger it is
    ends = (_upper(limits_at, near), _upper(limits_at, far))
    if ends[0] is None or ends[1] is None:
        return None
    below, above = ends[0] - edge, ends[1] - edge
    if below >= 0 or above < 0:
        return float(ndtr(FARTHEST if below >= 0 else -FARTHEST))
    # Oliveira and Takahashi's method (2021): a handful of steps where limits widen evenly, and never more than
    # bisection would take and one. Limits that are made anew at every level would otherwise take long.
    room = 0.2 / (far - near)
    most = math.ceil(math.log2((far - near) / CLOSE)) + 1
    for step in range(most):
        middle, line = (near + far) / 2, (near * above - far * below) / (above - below)
        side = math.copysign(1.0, middle - line)
        nudged = room * (far - near) ** 2
        at = line + side * nudged if nudged <= abs(middle - line) else middle
        slack = CLOSE / 2 * 2.0 ** (most - step) - (far - near) / 2
        at = at if abs(at - middle) <= slack else middle - side * slack
        limit = _upper(limits_at, at)
        if limit is None:
            return None
        if limit < edge:
            near, below = at, limit - edge
        else:
            far, above = at, limit - edge
        if far - near <= CLOSE:
            break
    return float(ndtr(-near))


def _upper(limits_at: LimitsAt, deviations: float) -> float | None:
    """The limit with as much above it as a normal variable has above this many deviations."""
    from scipy.special import ndtr

    level = float(1 - 2 * ndtr(-abs(deviations)))
    low, high = limits_at(max(level, NARROWEST))
    return high if deviations >= 0 else low


def asked_limits(limits_at: LimitsAt, level: float, alternative: str) -> tuple[float | None, float | None]:
    """The limits of this level that the question asks for: both, or the one of a one-sided alternative.

    A one-sided limit of 95% is that of the interval of 90%, which leaves out 5% on either side.
    """
    if alternative == "two-sided":
        return limits_at(level)
    low, high = limits_at(2 * level - 1)
    return (low, None) if alternative == "greater" else (None, high)


def p_of_limits(limits_at: LimitsAt, difference: float, level: float, alternative: str) -> float | None:
    """1 minus the level at which an interval just reaches 0, on the same side of α as the interval shown."""
    low, high = shown = asked_limits(limits_at, level, alternative)
    if shown == (None, None):
        return None
    # How much the interval leaves beyond 0 on the other side; half where the difference is 0.
    other = 0.5 if difference == 0 else tail(mirror_limits(limits_at) if difference > 0 else limits_at, 0.0)
    if other is None:
        return None
    if other <= LOWEST:
        other = 0.0  # it is no more than this, and may be far less
    alpha = 1 - level
    if alternative == "two-sided":
        p = min(2 * other, 1.0)
    else:
        p = other if difference == 0 or (difference > 0) == (alternative == "greater") else 1 - other
    # Limits that are drawn need not widen evenly; the decision is the one at the level that was asked for.
    apart = (low is not None and low > 0) or (high is not None and high < 0)
    return min(p, alpha) if apart else max(p, math.nextafter(alpha + 1e-12, 1))


def mirror_limits(limits_at: LimitsAt) -> LimitsAt:
    """The limits of B minus A."""

    def turned(level: float) -> tuple[float | None, float | None]:
        low, high = limits_at(level)
        return None if high is None else -high, None if low is None else -low

    return turned
