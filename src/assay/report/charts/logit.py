"""Shares on an axis of log odds, which tells 0.001 from 0.01 as it tells 0.9 from 0.99; and histograms of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.measures.scores.recalibration import log_odds
from assay.tally.contract.sampling import Floats
from assay.tally.scores import Scored

EXTREME = 0.05  # a score nearer than this to 0 or 1 is extreme
FROM = 0.5  # share of extreme scores from which an axis of log odds is used
ENDS = (1e-3, 1e-2)  # the least and the greatest lower end of such an axis
BARS = 32
Ticks = tuple[tuple[float, str], ...]


def extreme_share(tallies: Sequence[Scored]) -> float:
    """The share of all scores that are nearly 0 or 1."""
    extreme = total = 0.0
    for tally in tallies:
        score, mass = tally.keys["score"], tally.mass
        extreme += float(mass[(score < EXTREME) | (score > 1 - EXTREME)].sum())
        total += float(mass.sum())
    return extreme / total if total else 0.0


def lower_end(shares: Floats) -> float:
    """A power of ten below all of these shares, and below what they leave to 1, as far as that can be drawn."""
    inner = shares[(shares > 0) & (shares < 1)]
    if len(inner) == 0:
        return ENDS[1]
    least = float(np.minimum(inner, 1 - inner).min())
    return min(max(10.0 ** math.floor(math.log10(least)), ENDS[0]), ENDS[1])


def logit_ticks(end: float) -> Ticks:
    """Powers of ten up to 0.1, one half, and the same from the other side."""
    powers = [10.0**-k for k in range(round(-math.log10(end)), 0, -1)]
    every = [*powers, 0.5, *(1 - p for p in reversed(powers))]
    signs = ("≤", *("" for _ in every[1:-1]), "≥")
    # The ends are exactly as far out on either side, so that rounding puts neither off the axis.
    far = float(log_odds(np.array(1.0), end))
    places = (min(max(float(log_odds(np.array(p), end)), -far), far) for p in every)
    return tuple((at, f"{sign}{p:g}") for at, sign, p in zip(places, signs, every, strict=True))


def histogram(tally: Scored, low: float, high: float, end: float | None) -> tuple[Floats, Floats]:
    """The edges of bars of equal width on the axis, and how many items have a score in each; the last has its end."""
    score = tally.keys["score"]
    at = score if end is None else log_odds(score, end)
    edges = np.linspace(low, high, BARS + 1)
    counts, _ = np.histogram(np.clip(at, low, high), edges, weights=tally.mass)
    return edges, np.asarray(counts, np.float64)
