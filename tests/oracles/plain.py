"""What several oracles share, written out plainly: limits of shares, tables that are hard, the delta method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from scipy.optimize import brentq

from assay import Confusion, Estimate
from assay.measures.declare.forms import Effective
from assay.tally.margins import Cells, OneVsRest
from assay.uncertainty.results import HasInterval

Floats = NDArray[np.float64]
Limits = tuple[float, float]
LEVELS = (0.8, 0.95, 0.99)

KAPPA = "cohen_kappa"


def z_of(level: float) -> float:
    """The normal quantile."""
    return float(stats.norm.ppf((1 + level) / 2))


def wilson(p: float, n: float, z: float) -> Limits:
    """Both solutions x of (x − p)² = z² x (1 − x) / n."""
    low, high = sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)
    return max(float(low), 0.0), min(float(high), 1.0)


def mid_p(x: float, n: float, level: float) -> Limits:
    """The shares at which half of what is left lies beyond the observed outcome, half of that outcome included.

    P(X ≤ x) of n items with the share p is P(Beta(x + 1, n − x) > p), which serves where counts are not whole too.
    """

    def at_most(p: float) -> float:
        below = float(special.betaincc(x, n - x + 1, p)) if x > 0 else 0.0
        return (below + (float(special.betaincc(x + 1, n - x, p)) if x < n else 1.0)) / 2

    tail = (1 - level) / 2
    low = brentq(lambda p: at_most(p) - 1 + tail, 0, 1, xtol=1e-14) if at_most(0.0) > 1 - tail and x > 0 else 0.0
    high = brentq(lambda p: at_most(p) - tail, 0, 1, xtol=1e-14) if x < n else 1.0
    return float(low), float(high)


Four = tuple[float, float, float, float]


def drawn_share(rng: np.random.Generator, x: float, y: float, coin: float) -> float:
    """The share of x among x and y with one item more, a hit where the coin shows 1; without misses it is 1."""
    hits, misses = x + coin, y + 1 - coin
    return 0.0 if hits == 0 else 1.0 if misses == 0 else float(rng.beta(hits, misses))


def drawn_tables(rng: np.random.Generator, cells: Four, size: int, first: str = "errors") -> list[Four]:
    """Tables (tn, fp, fn, tp) around one: how many are wrong, which errors they are, which rows are right.

    first = "answers": how often each answer is given, and how many of each are wrong. "positives": tn stays away.
    """
    tn, fp, fn, tp = cells
    out: list[Four] = []
    for _ in range(size):
        one, two = (float(coin) for coin in rng.integers(0, 2, 2))
        if first == "answers":
            false, missed = drawn_share(rng, fp, tp, one), drawn_share(rng, fn, tn, two)
            called = float(rng.beta(tp + fp + 0.5, tn + fn + 0.5))
            out.append(((1 - called) * (1 - missed), called * false, (1 - called) * missed, called * (1 - false)))
            continue
        wrong = drawn_share(rng, fp + fn, tp if first == "positives" else tn + tp, one)
        false = drawn_share(rng, fp, fn, two)
        left = 0.0 if first == "positives" else float(rng.beta(tn + 0.5, tp + 0.5))
        out.append(((1 - wrong) * left, wrong * false, wrong * (1 - false), (1 - wrong) * (1 - left)))
    return out


def are_quantiles(found: Estimate, values: Iterable[float], draws: int = 9_999) -> None:
    """Check limits that rest on so many draws against values drawn here."""
    here = np.array(list(values))
    for limit, share in zip(limits(found), ((1 - found.level) / 2, (1 + found.level) / 2), strict=True):
        # Two quantiles of thousands of draws: four times the error of their difference, in probability.
        slack = 4 * math.sqrt(share * (1 - share) * (1 / len(here) + 1 / draws))
        inner, outer = np.quantile(here, [max(share - slack, 0), min(share + slack, 1)])
        to_estimate = limit == found.value and not inner <= limit <= outer  # limits hold their estimate
        assert to_estimate or inner - 1e-12 <= limit <= outer + 1e-12, (limit, inner, outer)


def limits(found: HasInterval) -> Limits:
    """Both limits."""
    assert found.low is not None, found.reason
    assert found.high is not None, found.reason
    return found.low, found.high


def ends(share: Effective, level: float) -> Limits:
    """The limits of a share that needs no Student quantile, carried back."""
    assert share.exact
    low, _ = mid_p(share.center * share.n, share.n, level)
    n = share.n if share.n_high is None else share.n_high
    _, high = mid_p(share.center * n, n, level)
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
