"""The range of a measure mapped onto the whole line, so that limits made there stay inside the range."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from assay.uncertainty.problem import NO_VARIATION, NOTHING, Limits, Problem

FAR = 700.0  # beyond this the exponential leaves the numbers a machine has


@dataclass(frozen=True)
class Scale:
    """A map from inside the range to the whole line, its slope, and the way back."""

    to: Callable[[float], float]
    slope: Callable[[float], float]
    back: Callable[[float], float]


def _exp(x: float) -> float:
    return math.exp(min(max(x, -FAR), FAR))


def scale_of(ends: tuple[float, float]) -> Scale:
    """The logit of the position between two ends, the log of the distance from a single one, or the value itself."""
    low, high = ends
    if math.isinf(low) and math.isinf(high):
        return Scale(float, lambda _: 1.0, float)
    if math.isinf(high):
        return Scale(lambda x: math.log(x - low), lambda x: 1 / (x - low), lambda y: low + _exp(y))
    if math.isinf(low):
        return Scale(lambda x: -math.log(high - x), lambda x: 1 / (high - x), lambda y: high - _exp(-y))
    width = high - low
    return Scale(
        lambda x: math.log((x - low) / (high - x)),
        lambda x: width / ((x - low) * (high - x)),
        lambda y: low + width / (1 + _exp(-y)),
    )


def inside(value: float, ends: tuple[float, float]) -> bool:
    """Whether the value lies between the ends and on neither."""
    return ends[0] < value < ends[1]


def on_scale(p: Problem, variance: float, quantile: float, method: str) -> Limits:
    """Value ± quantile · error on the scale of the range; on the value's own where it is an end of the range."""
    if variance <= NOTHING:
        return Limits(None, None, method, NO_VARIATION)
    half = quantile * math.sqrt(variance)
    if not inside(p.value, p.bound.range):
        return Limits(p.value - half, p.value + half, method)
    scale = scale_of(p.bound.range)
    center, half = scale.to(p.value), half * scale.slope(p.value)
    return Limits(scale.back(center - half), scale.back(center + half), method)
