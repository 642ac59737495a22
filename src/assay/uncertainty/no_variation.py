"""How large a difference could still be where no item shows one."""

from __future__ import annotations

import math

import numpy as np

from assay.errors import plural
from assay.uncertainty.discordant import discordant, tango
from assay.uncertainty.influence import influences, is_linear
from assay.uncertainty.pair import Pair
from assay.uncertainty.problem import NO_VARIATION, Limits


def bounded(p: Pair, found: Limits) -> Limits:
    """Limits where all items agree about the difference: of n items that do, a share may not that z²/(n + z²) bounds.

    That is Wilson's limit of a share of which nothing was seen, and Tango's limit where two systems never disagree.
    """
    n, telling = p.joint.sampling.n, _telling(p)
    half = telling * p.z**2 / (telling + p.z**2) * _largest_move(p)
    if not 0 < half < math.inf:
        return Limits(None, None, found.method, NO_VARIATION, found.notes, found.undefined_draws, found.drawn)
    d, counts = p.difference, None if p.joint.a.clusters is not None else discordant(p.joint, p.bound)
    low, high = (d - half, d + half) if counts is None else tango(counts, p.z)
    low, high = max(low, -p.width), min(high, p.width)
    item = p.joint.a.item if p.joint.a.clusters is None else "cluster"
    note = f"a bound: none of {plural(n, item)} shows the systems apart, so the limits say how many others still may"
    if abs(d) > 1e-12:
        note = f"a bound: all of {plural(n, item)} show the same difference, so the limits say how many others may not"
    return Limits(low, high, found.method, None, (*found.notes, note), found.undefined_draws, found.drawn)


def _telling(p: Pair) -> float:
    """How many items or clusters there are; where weights differ, how many equal ones would tell as much."""
    if p.joint.a.weights is None or p.joint.a.clusters is not None:
        return float(p.joint.sampling.n)
    return float(p.joint.mass.sum()) / p.factor


def _largest_move(p: Pair) -> float:
    """How far one item, or one cluster, could move the difference at most.

    Where all kinds of items can be listed their influences tell; otherwise those that were seen. An item is never
    taken to count for less than its share of the whole range.
    """
    floor = p.width / _telling(p)
    full = None if p.joint.a.clusters is not None else p.joint.complete()
    if full is not None and is_linear(p.bound):
        w = full.mass / p.factor + 1 / len(full.counts)
        apart = influences(p.bound, full.a, w) - influences(p.bound, full.b, w)
        seen = float(np.abs(apart).max(initial=0))
    else:
        seen = max(_spread(side[~np.isnan(side)]) for side in p.left_out()[:2])
    return seen if math.isinf(floor) else max(floor, seen)


def _spread(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(values.max() - values.min()) if len(values) else 0.0
