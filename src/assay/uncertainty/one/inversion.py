"""P-values from limits: at which level an interval just reaches a value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.errors import OptionError, choose
from assay.measures.declare.measure import Measure
from assay.options import ALTERNATIVES, LEVEL
from assay.tally.contract.base import Tally
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate

Names = tuple[str, str]
LimitsAt = Callable[[float], tuple[float | None, float | None]]  # from a level to the limits of the difference
FARTHEST = 6.0  # standard normal deviations: p-values below 1e-9 are not distinguished
LOWEST = 1e-9  # the tail beyond that distance
CLOSE = 1e-8  # deviations between which p-values are the same
NARROWEST = 1e-6  # the lowest level asked for: below it quantiles of Student's t lose their digits


def check_side(level: float, alternative: str) -> None:
    """Refuse levels at which a one-sided question has no limit: it is that of the interval at 2 level − 1."""
    if alternative != "two-sided" and level <= 0.5:
        raise OptionError(f"level is {level}; a one-sided limit needs one above 0.5, such as 0.95.")


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


# ---------------------------------------------------------------------- one system against a value
@dataclass(frozen=True)
class Against:
    """An estimate, the value under H0, and the p-value; None where there is no interval."""

    estimate: Estimate
    null: float
    p_value: float | None
    p_adjusted: float | None = None
    names: Names | None = None

    @property
    def better(self) -> Names | None:
        """The pair of systems with the better one first, if they were told apart after correction."""
        alpha = 1 - self.estimate.level
        if self.names is None or self.p_adjusted is None or self.p_adjusted > alpha or self.estimate.value is None:
            return None
        return self.names if self.estimate.value > self.null else (self.names[1], self.names[0])


def value_test(
    measure: str | Measure,
    tally: Tally,
    null: float,
    *,
    level: float = LEVEL,
    alternative: str = "two-sided",
    **options: Any,
) -> Against:
    """Whether the measure differs from the value `null`: the level at which its interval just reaches it."""
    choose(alternative, ALTERNATIVES, "alternative")
    check_side(level, alternative)
    found = estimate(measure, tally, level=level, **options)
    if found.value is None or found.low is None:
        return Against(found, null, None)

    def limits_at(other: float) -> tuple[float | None, float | None]:
        at = found if other == level else found.at_level(other)
        return None if at.low is None else at.low - null, None if at.high is None else at.high - null

    return Against(found, null, p_of_limits(limits_at, found.value - null, level, alternative))
