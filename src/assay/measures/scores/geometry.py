"""Paths that rise to the right: their corners, their convex hull, and which of two is higher where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints

ROUNDING = 1e-12  # two heights closer than this are equal up to rounding
FEW = 64  # points that are processed one by one


def last_index(along: NDArray[Any], value: float) -> float:
    """The place on the path, between points too, that is the last to have this value."""
    return float(np.interp(value, along, np.arange(len(along))))


def first_index(along: NDArray[Any], value: float) -> float:
    """The place on the path, between points too, that is the first to have this value."""
    return float(np.interp(-value, -along[::-1], np.arange(len(along))[::-1]))


def path_at(along: NDArray[Any], other: NDArray[Any], value: Floats, *, first: bool = False) -> Floats:
    """The height of the path there: the last of several, or the first."""
    if not first:
        return np.asarray(np.interp(value, along, other))
    return np.asarray(np.interp(-value, -along[::-1], other[::-1]))


def corners(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which points do not lie on the straight line between their neighbors, nor where the one before does."""
    moved = np.concatenate([[True], (x[1:] != x[:-1]) | (y[1:] != y[:-1])])
    held = np.flatnonzero(moved)
    dx, dy = np.diff(x[held]).astype(np.float64), np.diff(y[held]).astype(np.float64)
    moved[held[1:-1]] = dx[:-1] * dy[1:] != dy[:-1] * dx[1:]
    return moved


def hull(x: NDArray[Any], y: NDArray[Any]) -> Ints:
    """The points on the upper convex hull of a path, without those on its straight parts."""
    held = np.flatnonzero(corners(x, y))
    while len(held) > FEW:
        # A point under the line between two others is not on the hull, so all such points are dropped at once.
        out = _under(x[held], y[held])
        if not out.any():
            return held
        held = held[~out]
    return held[_chain(x[held].astype(np.float64), y[held].astype(np.float64))]


def _under(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which points lie under or on the straight line between their neighbors."""
    dx, dy = np.diff(x).astype(np.float64), np.diff(y).astype(np.float64)
    return np.concatenate([[False], dy[1:] * dx[:-1] >= dy[:-1] * dx[1:], [False]])


def _chain(x: Floats, y: Floats) -> list[int]:
    """Andrew's monotone chain."""
    out: list[int] = []
    for i in range(len(x)):
        while len(out) > 1:
            a, b = out[-2], out[-1]
            if (y[i] - y[b]) * (x[b] - x[a]) < (y[b] - y[a]) * (x[i] - x[b]):
                break
            out.pop()
        out.append(i)
    return out


# ---------------------------------------------------------------------- two paths
@dataclass(frozen=True)
class Stretch:
    """A range of x in which one path is higher (1 the first, −1 the second), or neither (0)."""

    low: float
    high: float
    higher: int


def stretches(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Stretch, ...]:
    """Which of two paths over the same range of x is higher where, from left to right."""
    at = np.union1d(a[0], b[0])
    right = path_at(*a, at) - path_at(*b, at)  # just to the right of each x
    left = path_at(*a, at, first=True) - path_at(*b, at, first=True)
    begin, end = _sign(right[:-1]), _sign(left[1:])
    crossed = begin * end < 0
    share = np.divide(right[:-1], right[:-1] - left[1:], out=np.zeros(len(begin)), where=crossed)
    middle = at[:-1] + share * np.diff(at)
    # Every interval in two parts, the first of them empty where the paths do not cross inside.
    low = np.stack([at[:-1], np.where(crossed, middle, at[:-1])], axis=-1).ravel()
    high = np.stack([np.where(crossed, middle, at[:-1]), at[1:]], axis=-1).ravel()
    higher = np.stack([begin, np.where(begin + end == 0, end, np.sign(begin + end))], axis=-1).ravel()
    some = high > low
    return _joined(low[some], high[some], higher[some])


def _sign(d: Floats) -> Floats:
    return np.where(np.abs(d) <= ROUNDING, 0.0, np.sign(d))


def _joined(low: Floats, high: Floats, higher: Floats) -> tuple[Stretch, ...]:
    """Neighbors of the same sign, merged."""
    start = np.flatnonzero(np.diff(higher, prepend=np.nan) != 0)
    stop = np.append(start[1:], len(higher)) - 1
    found = zip(low[start].tolist(), high[stop].tolist(), higher[start].tolist(), strict=True)
    return tuple(Stretch(a, b, int(sign)) for a, b, sign in found)
