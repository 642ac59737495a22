"""Exchange the systems' answers by a coin per item, and see how often that matters as much as what was observed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.one.influence import is_linear
from assay.uncertainty.one.resample import AT_ONCE, in_chunks, refuse_weights
from assay.uncertainty.two.discordant import Tested
from assay.uncertainty.two.exchange import Exchange, InSigns, exchange_of, outcomes, toss
from assay.uncertainty.two.signs import TOLERANCE, drawn_sums, fair_coins, tail

ENUMERATE = 1 << 16  # up to this many outcomes the distribution is summed instead of sampled


def randomization(joint: Joint[Any], bound: Bound, statistic: str, alternative: str, draws: int, seed: int) -> Tested:
    """The share of exchanges in which the statistic lies at least as far out as observed."""
    statistic = statistic_for(bound, statistic)
    refuse_weights(joint.a)
    signs = InSigns.of(joint, bound) if statistic == "raw" else None
    if signs is not None:
        return by_signs(signs, alternative, draws, seed)
    exchange = exchange_of(joint, bound, statistic)
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


def by_signs(signs: InSigns, alternative: str, draws: int, seed: int) -> Tested:
    """The same where the difference is a sum of signs, whose distribution is known without exchanging anything."""
    found = tail(signs.terms, signs.times, signs.observed, alternative, draws=draws, seed=seed)
    return Tested(found.p, found.counted, found.extreme, "raw", form=found.words)


def null_draws(joint: Joint[Any], bound: Bound, statistic: str, draws: int, seed: int) -> Floats:
    """Values of the statistic on tables whose systems were exchanged by coins: draws from its null distribution."""
    statistic = statistic_for(bound, statistic)
    refuse_weights(joint.a)
    signs = InSigns.of(joint, bound) if statistic == "raw" else None
    if signs is not None:
        # The signs are drawn for the system that is ahead, so that naming the systems the other way round negates them.
        ahead = -1 if signs.observed < 0 else 1
        return ahead * signs.scale * drawn_sums(signs.terms, signs.times, draws, seed)
    return np.concatenate(list(_drawn(exchange_of(joint, bound, statistic), draws, seed)))


def statistic_for(bound: Bound, statistic: str) -> str:
    """The statistic that is used by default: raw where the difference is a sum of signs, or has no derivative."""
    if statistic != "auto":
        return statistic
    return "raw" if bound.measure.paired.is_signed or not is_linear(bound) else "studentized"


def is_exchangeable(tally: Tally) -> bool:
    """Whether systems of this kind can be exchanged item by item."""
    return tally.no_exchange is None


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
        chances *= fair_coins(size)[heads[:, column]]
    step = max(1, AT_ONCE // max(exchange.width, 1))
    parts = (heads[start : start + step] for start in range(0, len(heads), step))
    return np.concatenate([exchange(part) for part in parts]), chances
