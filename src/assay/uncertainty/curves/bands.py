"""Bands around curves: limits of y at every x of a grid, each with its own confidence (pointwise).

Where x is fixed, the threshold is not: it is where the population has that share of one class beyond it. How many of
the sample lie beyond it follows from fractional order statistics (Stigler 1977, Hutson 1999), and how many of the other
class are reached there is read from the curve. Given that number, the other share is Beta distributed with half an item
added to either side, as under Jeffreys' prior. The limits are quantiles of that mixture: nothing is drawn, and nothing
collapses in the corners, where resampling knows only what it has seen (by simulation; see the decision on curves).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import OptionError, check_level
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import Reached, Reading
from assay.options import LEVEL
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.shares import normal_quantile, student_quantile, wilson

GRID = np.arange(101) / 100
CELLS = 64  # parts into which the possible places of the threshold are divided
REACH = 4.5  # standard deviations to either side that are looked at
HALVINGS = 34  # of the range from 0 to 1: to ten digits
WINDOW = 5  # points of the grid to either side that share what clusters add to the variance


@dataclass(frozen=True, eq=False)
class Band:
    """Limits of y at each x of a grid; nan where y is undefined."""

    kind: str
    x: Floats
    y: Floats
    low: Floats
    high: Floats
    level: float
    method: str = "order_statistics"
    coverage: str = "pointwise"  # the level holds at each x by itself; jointly the coverage is lower
    clusters: int | None = None

    def at(self, x: float) -> tuple[float, float, float]:
        """The height and its limits at this x of the grid."""
        place = int(np.argmin(np.abs(self.x - x)))
        return float(self.y[place]), float(self.low[place]), float(self.high[place])


def curve_band(curve: Reached | Calibration, *, level: float = LEVEL, grid: Floats = GRID) -> Band:
    """The pointwise band of a ROC or precision–recall curve, or the limits of each bin of a calibration curve.

    Where there are clusters, whole clusters are what was sampled.
    """
    check_level(level)
    if isinstance(curve, Calibration):
        low, high = _share_limits(curve, level)
        return Band(curve.kind, curve.x, curve.y, low, high, level, "wilson", clusters=_clusters(curve.tally))
    return _crossed(curve, level, grid)


def _clusters(tally: Tally | None) -> int | None:
    return None if tally is None or tally.clusters is None else len(tally.clusters.names)


def _crossed(curve: Reached, level: float, grid: Floats) -> Band:
    """Limits of y where x is fixed and the threshold is not."""
    inside = (grid > 0) & (grid < 1)
    x, reading = grid[inside], curve.reading()
    places = _Places.of(reading, x, np.ones(len(x)))
    factor = np.ones(len(x))
    tally = curve.tally
    if tally is not None and (tally.clusters is not None or tally.weights is not None):
        factor = _factor(tally, reading.influence, x, places.slope, level)
        places = _Places.of(reading, x, factor)
    a, b = reading.shape(places.reached, curve.positives / factor[:, None])
    tail = (1 - level) / 2
    low, high = (reading.y_of(_quantile(places.weight, a, b, p), x) for p in (tail, 1 - tail))
    high = np.where(x <= reading.blind * factor * (1 + 1e-9), 1.0, high)
    y = curve.at(grid)
    ends = _with_ends(grid, inside, low, high, reading.end)
    lows, highs = np.minimum(ends[0], y), np.maximum(ends[1], y)  # nan where y is
    return Band(curve.kind, grid, y, lows, highs, level, clusters=_clusters(tally))


@dataclass(frozen=True)
class _Places:
    """How many of the other class are reached where the threshold may be, in cells with their probabilities."""

    weight: Floats
    reached: Floats
    slope: Floats

    @classmethod
    def of(cls, reading: Reading, x: Floats, factor: Floats) -> _Places:
        """Counts are divided by the factor, so that items that carry less information count for less."""
        total, other = reading.along[-1] / factor, reading.other[-1] / factor
        weight, place = _cells(total, x)
        below, f = np.floor(place), factor[:, None]
        # The kth item of the path lies between k − 1 and k; what is reached rises evenly from one to the next.
        start, stop = (np.interp((k - 0.5) * f, reading.along, reading.other) / f for k in (below, below + 1))
        reached = start + (place - below) * (stop - start)
        line, slope = _straightened(weight, place, reached)
        return cls(weight, np.clip(line, 0.0, other[:, None]), slope)


def _cells(total: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Cells of the places, from 0 to total + 1, at which a share of x may lie, and the probability of each."""
    from scipy.special import betainc

    spread = REACH * np.sqrt(total * x * (1 - x)) + 2
    low, high = (np.clip(total * x + 0.5 + side * spread, 0, total + 1) for side in (-1, 1))
    edges = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, CELLS + 1)
    inner = np.clip(edges, 1e-9, total[:, None] + 1 - 1e-9)
    below = betainc(total[:, None] + 1 - inner, inner, 1 - x[:, None])
    below[:, 0], below[:, -1] = 0.0, 1.0
    return np.diff(below, axis=1), (edges[:, 1:] + edges[:, :-1]) / 2


def _straightened(weight: Floats, place: Floats, reached: Floats) -> tuple[Floats, Floats]:
    """The straight line through what is reached, and its slope: the steps of the curve are noise counted elsewhere.

    Where the curve strays from the line by more than its steps would, as at the end of a block of tied scores, it is
    bent, and is taken as it is.
    """

    def mean(values: Floats) -> Floats:
        return np.asarray((weight * values).sum(axis=1, keepdims=True))

    center, height = mean(place), mean(reached)
    slope = mean((place - center) * (reached - height)) / np.maximum(mean((place - center) ** 2), 1e-12)
    line = height + slope * (place - center)
    bent = mean((reached - line) ** 2) > np.maximum(reached[:, -1:] - reached[:, :1], 1.0)
    return np.where(bent, reached, line), slope[:, 0]


def _quantile(weight: Floats, a: Floats, b: Floats, p: float) -> Floats:
    """The share below which the mixture of Beta distributions in each row has probability p."""
    from scipy.special import betainc

    low, high = np.zeros(len(weight)), np.ones(len(weight))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        more = (weight * betainc(a, b, middle[:, None])).sum(axis=1) < p
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return (low + high) / 2


def _with_ends(grid: Floats, inside: Any, low: Floats, high: Floats, end: float) -> tuple[Floats, Floats]:
    """Limits on the whole grid: at 0 and 1 those of the neighbor, widened to what an extreme threshold gives."""
    lows, highs = np.full(len(grid), np.nan), np.full(len(grid), np.nan)
    lows[inside], highs[inside] = low, high
    lows[grid <= 0], highs[grid <= 0] = 0.0, high[0]
    lows[grid >= 1], highs[grid >= 1] = min(low[-1], end), max(high[-1], end)
    return lows, highs


# ---------------------------------------------------------------------- clusters and weights
def _factor(
    tally: Tally, influence: Callable[[float, float], Floats], x: Floats, slope: Floats, level: float
) -> Floats:
    """By how much clusters and weights multiply the variance at each x; neighbors are taken together."""
    found = np.array([_sums_of_squares(tally, influence(float(at), float(s))) for at, s in zip(x, slope, strict=True)])
    scale = np.maximum(found[:, 2], 1e-300)[:, None]
    near = np.ones(2 * WINDOW + 1)
    apart, rows, alone = (np.convolve(part, near, "same") for part in (found / scale).T)
    return _settled(tally, apart, rows, alone, level)


def _sums_of_squares(tally: Tally, u: Floats) -> tuple[float, float, float]:
    """Of influences: over clusters, over rows, and as if every unit of mass were a row of its own."""
    squares = tally.mass if tally.weights is None else tally.weights.squares
    rows, alone = float((squares * u**2).sum()), float((tally.mass * u**2).sum())
    if tally.clusters is None:
        return rows, rows, alone
    c, groups = tally.clusters, len(tally.clusters.names)
    sums = np.bincount(c.cluster, c.mass * u[c.unit], groups)
    return float((sums**2).sum()) * groups / max(groups - 1, 1), rows, alone


def _settled(tally: Tally, apart: Floats, rows: Floats, alone: Floats, level: float) -> Floats:
    """The factor: never less than that of rows, and with room for how few clusters there are."""
    if tally.clusters is None:
        return np.divide(rows, alone, out=np.ones(len(rows)), where=alone > 0)
    groups = len(tally.clusters.names)
    if groups < 2:
        raise OptionError("all rows lie in one cluster, so it is unknown how clusters differ: there is no band.")
    sizes = tally.sampling.sizes()
    as_one = float((tally.sampling.counts * sizes**2).sum() / (tally.sampling.counts * sizes).sum())
    room = (student_quantile(level, groups - 1) / normal_quantile(level)) ** 2
    both: Floats = np.divide(np.maximum(apart, rows), alone, out=np.full(len(rows), as_one), where=alone > 0)
    return np.asarray(both * room)


# ---------------------------------------------------------------------- calibration
def _share_limits(curve: Calibration, level: float) -> tuple[Floats, Floats]:
    """Wilson's limits of the share of positives in each bin, with as many items as weights and clusters leave."""
    z, deviation = normal_quantile(level), curve.deviations()
    items = [_items(curve.tally, curve.into == i, deviation, level) for i in range(len(curve))]
    low, high = np.array([wilson(float(p), n, z) for p, n in zip(curve.y, items, strict=True)]).T
    return low, high


def _items(tally: Tally, inside: Any, deviation: Floats, level: float) -> float:
    """How many independent items carry as much information as those of a bin."""
    mass = float(tally.mass[inside].sum())
    if tally.clusters is None and tally.weights is None:
        return mass
    u = np.where(inside, deviation, 0.0)
    apart, rows, alone = (np.array([part]) for part in _sums_of_squares(tally, u))
    return mass / float(_settled(tally, apart, rows, alone, level)[0])
