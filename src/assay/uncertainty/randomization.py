"""Exchange the systems' answers by a coin per item, and see how often that matters as much as what was observed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.measures.declare import Bound
from assay.tally.base import Tally
from assay.tally.joint import Joint
from assay.tally.sampling import Floats, Ints
from assay.uncertainty.chunks import AT_ONCE, in_chunks
from assay.uncertainty.exchange import Exchange, exchange_of, outcomes, toss
from assay.uncertainty.influence import is_linear
from assay.uncertainty.resample import refuse_weights
from assay.uncertainty.tested import Tested

__all__ = ["TOLERANCE", "Tested", "exchanged", "is_exchangeable", "randomization", "settled"]

ENUMERATE = 1 << 16  # up to this many outcomes the distribution is summed instead of sampled
TOLERANCE = 1e-9  # relative; two ways to the same difference may differ in the last bits


def randomization(joint: Joint[Any], bound: Bound, statistic: str, alternative: str, draws: int, seed: int) -> Tested:
    """The share of exchanges in which the statistic lies at least as far out as observed."""
    statistic = settled(bound, statistic)
    exchange = _exchange(joint, bound, statistic)
    observed = exchange.observed()
    if outcomes(exchange.coins) <= ENUMERATE:
        values, chances = _enumerated(exchange)
        p = float(chances[_as_extreme(values, observed, alternative)].sum() / chances.sum())
        return Tested(min(p, 1.0), len(values), None, statistic, int(np.isnan(values).sum()))
    extreme = undefined = 0
    for values in _drawn(exchange, draws, seed):
        extreme += int(_as_extreme(values, observed, alternative).sum())
        undefined += int(np.isnan(values).sum())
    return Tested((extreme + 1) / (draws + 1), draws, extreme, statistic, undefined)


def exchanged(joint: Joint[Any], bound: Bound, statistic: str, draws: int, seed: int) -> Floats:
    """Values of the statistic on tables whose systems were exchanged by coins: draws from its null distribution."""
    return np.concatenate(list(_drawn(_exchange(joint, bound, settled(bound, statistic)), draws, seed)))


def settled(bound: Bound, statistic: str) -> str:
    """The statistic that is used by default: raw where the difference is a sum of signs, or has no derivative."""
    if statistic != "auto":
        return statistic
    return "raw" if bound.measure.exchange_is_linear or not is_linear(bound) else "studentized"


def is_exchangeable(tally: Tally) -> bool:
    """Whether systems of this kind can be exchanged item by item."""
    return tally.no_exchange is None


def _exchange(joint: Joint[Any], bound: Bound, statistic: str) -> Exchange:
    refuse_weights(joint.a)
    return exchange_of(joint, bound, statistic)


def _as_extreme(values: Floats, observed: float, alternative: str) -> Any:
    """Draws at least as far out; a draw in which the measure is undefined counts as one."""
    slack = TOLERANCE * abs(observed) if math.isfinite(observed) else 0.0
    if alternative == "two-sided":
        far = np.abs(values) >= abs(observed) - slack
    elif alternative == "greater":
        far = values >= observed - slack
    else:
        far = values <= observed + slack
    return far | np.isnan(values)


def _drawn(exchange: Exchange, draws: int, seed: int) -> Iterator[Floats]:
    """The statistic after tosses, chunk by chunk."""

    def work(rng: np.random.Generator, size: int) -> Floats:
        return exchange(toss(exchange.coins, rng, size))

    return in_chunks(work, draws, seed, exchange.width)


def _enumerated(exchange: Exchange) -> tuple[Floats, Floats]:
    """The statistic of every outcome, and the chance of each."""
    sizes = [int(c) for c in exchange.coins]
    heads: Ints = np.indices([c + 1 for c in sizes]).reshape(len(sizes), -1).T if sizes else np.zeros((1, 0), np.int64)
    chances = np.ones(len(heads))
    for column, size in enumerate(sizes):
        chances *= _chances(size)[heads[:, column]]
    step = max(1, AT_ONCE // max(exchange.width, 1))
    parts = (heads[start : start + step] for start in range(0, len(heads), step))
    return np.concatenate([exchange(part) for part in parts]), chances


def _chances(tosses: int) -> Floats:
    """The chance of each number of heads; exact to the last bit while whole numbers stay short."""
    if tosses <= 500:
        return np.array([math.comb(tosses, h) / 2**tosses for h in range(tosses + 1)])
    log = [math.lgamma(tosses + 1) - math.lgamma(h + 1) - math.lgamma(tosses - h + 1) for h in range(tosses + 1)]
    return np.exp(np.array(log) - tosses * math.log(2))
