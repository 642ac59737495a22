"""What several oracles share, written out plainly: Wilson's limits, tables that are hard, the delta method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from assay import Confusion, Estimate
from assay.measures import closed
from assay.measures.forms import Effective, EffectiveN
from assay.tally.margins import Cells, Margins, OneVsRest
from tests.oracles.stand_ins import kappa_of, made

Floats = NDArray[np.float64]
Limits = tuple[float, float]
LEVELS = (0.8, 0.95, 0.99)

KAPPA = made(
    kappa_of,
    Margins,
    (-1, 1),
    EffectiveN("effective_n", closed.kappa, reads=Cells, classes=(3, 2000)),
    name="cohen_kappa",
)


def z_of(level: float) -> float:
    """The normal quantile."""
    return float(stats.norm.ppf((1 + level) / 2))


def wilson(p: float, n: float, z: float) -> Limits:
    """Both solutions x of (x − p)² = z² x (1 − x) / n."""
    low, high = sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)
    return max(float(low), 0.0), min(float(high), 1.0)


def limits(found: Estimate) -> Limits:
    """Both limits."""
    assert found.low is not None, found.reason
    assert found.high is not None, found.reason
    return found.low, found.high


def ends(share: Effective, z: float) -> Limits:
    """The limits of a share, carried back."""
    low, high = wilson(share.center, share.n, z)
    return share.back(low), (share.back_high or share.back)(high)


def counts(tp: float, fp: float, fn: float, tn: float = 5) -> OneVsRest:
    """Four counts."""
    return OneVsRest(*(np.asarray(x, float) for x in (tp, fp, fn, tn)))


def cells(table: Any) -> Cells:
    """The cells of a table with gold classes in rows."""
    t = np.asarray(table, float)
    gold, pred = (x.ravel() for x in np.indices(t.shape))
    return Cells(t.ravel(), gold, pred, len(t), len(t))


def counted(table: Any) -> Confusion:
    """The table as a tally."""
    return Confusion.from_matrix(np.asarray(table).astype(int), [f"c{i}" for i in range(len(table))])


def delta_error(table: Floats, value: Callable[[Floats], float]) -> float:
    """The root of Σ count · influence², by differences cell by cell."""
    total = 0.0
    for cell in np.ndindex(*table.shape):
        count = float(table[cell])
        step = 1e-5 * max(count, 1e-3)
        up, down = table.copy(), table.copy()
        up[cell] += step
        down[cell] -= step
        total += count * ((value(up) - value(down)) / (2 * step)) ** 2
    return math.sqrt(total)


def tables(k: int, seed: int, size: int = 40) -> Iterator[Floats]:
    """Tables with empty cells, perfect and all wrong ones among them, in which both sides have two classes."""
    rng = np.random.default_rng(seed)
    for i in range(size):
        table = rng.poisson(rng.gamma(0.7, (0.5, 4, 30)[i % 3], (k, k))) + np.diag(rng.poisson((2, 9, 50)[i % 3], k))
        if i % 7 == 3:
            table = np.diag(np.diag(table))
        if i % 11 == 5:
            table = table - np.diag(np.diag(table))
        if i % 13 == 6:
            table[0, 0] = table[1, 1]
        if min(np.count_nonzero(table.sum(axis)) for axis in (0, 1)) > 1:
            yield table.astype(float)


def kappa(table: Floats) -> float:
    """Cohen's kappa."""
    p = table / table.sum()
    chance = float(p.sum(1) @ p.sum(0))
    return (float(np.trace(p)) - chance) / (1 - chance)
