"""Exchange the systems' answers by a coin per item, and see how often that matters as much as what was observed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare import Bound
from assay.tally.base import Tally
from assay.tally.joint import Joint
from assay.tally.sampling import Floats, Ints
from assay.uncertainty.influence import influences, is_linear, unit_rows
from assay.uncertainty.resample import CHUNK, refuse_weights

ENUMERATE = 1 << 16  # up to this many outcomes the distribution is summed instead of sampled
TOLERANCE = 1e-9  # relative; two ways to the same difference may differ in the last bits


@dataclass(frozen=True)
class Tested:
    """A p-value with what it was counted from."""

    p: float
    draws: int
    extreme: int | None
    statistic: str
    undefined: int = 0


@dataclass(frozen=True)
class _Coins:
    """Things that can be exchanged: `size` coins each; heads move one thing from unit to partner.

    Where a unit and its mirror image both occur, what ends in the unit is a binomial over both together.
    """

    size: Ints
    first: Ints  # sampling unit that heads count for
    second: Ints  # its mirror image, or -1 where none is sampled


def randomization(joint: Joint[Any], bound: Bound, statistic: str, alternative: str, draws: int, seed: int) -> Tested:
    """The share of exchanges in which the statistic lies at least as far out as observed."""
    refuse_weights(joint.a)
    closed, swap = joint.exchange()
    if statistic == "auto":
        raw = bound.measure.exchange_is_linear or not is_linear(bound)
        statistic = "raw" if raw else "studentized"
    if statistic == "studentized" and not is_linear(bound):
        raise OptionError(f"{bound.spelling} has no derivative to studentize with; use statistic='raw'.")
    judge = _Judge(closed, swap, bound, statistic)
    observed = judge(judge.untouched())[0]
    coins = _coins(closed, swap)
    outcomes = math.prod(int(c) + 1 for c in coins.size) if len(coins.size) <= 64 else math.inf
    if outcomes <= ENUMERATE:
        return _enumerated(judge, coins, observed, statistic, alternative)
    extreme = undefined = 0
    for heads in _tossed(coins, draws, seed, max(len(closed.counts), 1)):
        values = judge(judge.kept(coins, heads))
        extreme += int(_as_extreme(values, observed, alternative).sum())
        undefined += int(np.isnan(values).sum())
    return Tested((extreme + 1) / (draws + 1), draws, extreme, statistic, undefined)


def _coins(joint: Joint[Any], swap: Ints) -> _Coins:
    sampling = joint.sampling
    if sampling.profiles is not None:
        units = np.flatnonzero(sampling.counts > 0)
        return _Coins(sampling.counts[units], units, np.full(len(units), -1))
    index = np.arange(len(swap))
    both = sampling.counts + sampling.counts[swap]
    units = np.flatnonzero((index < swap) & (both > 0))
    return _Coins(both[units], units, swap[units])


class _Judge:
    """The statistic of exchanged tables."""

    def __init__(self, joint: Joint[Any], swap: Ints, bound: Bound, statistic: str) -> None:
        self.joint, self.swap, self.bound = joint, swap, bound
        self.studentized = statistic == "studentized"
        self.rows = unit_rows(bound, joint.a) if self.studentized else None

    def untouched(self) -> Floats:
        """Nothing exchanged: what stays of each sampling unit."""
        return self.joint.sampling.counts.astype(np.float64)[None]

    def kept(self, coins: _Coins, heads: Ints) -> Floats:
        """How many of each sampling unit stay as they are after the tosses.

        Unclustered units that mirror each other share their coins: `heads` of both end in the first.
        """
        kept = np.repeat(self.untouched(), len(heads), axis=0)
        kept[:, coins.first] = heads
        paired = coins.second >= 0
        if paired.any():
            kept[:, coins.second[paired]] = coins.size[paired] - heads[:, paired]
        return kept

    def __call__(self, kept: Floats) -> Floats:
        sampling, swap = self.joint.sampling, self.swap
        if sampling.profiles is None:
            w, moved = kept, None
        else:
            moved = sampling.counts - kept
            w = sampling.spread(kept) + sampling.spread(moved)[:, swap]
        a, b = self.joint.a, self.joint.b
        delta = np.asarray(self.bound.at(a, w) - self.bound.at(b, w))
        if not self.studentized:
            return delta
        # Side B is side A with the units mirrored, so one derivative serves both.
        slope = influences(self.bound, a, w, self.rows)
        slope = slope - influences(self.bound, a, w[:, swap], self.rows)[:, swap]
        if sampling.profiles is None:
            variance = (w * slope**2).sum(-1)
        else:
            assert moved is not None
            own = (sampling.profiles @ slope.T).T ** 2
            mirrored = (sampling.profiles @ slope[:, swap].T).T ** 2
            variance = (kept * own + moved * mirrored).sum(-1)
        return _studentized(delta, variance)


def _studentized(delta: Floats, variance: Floats) -> Floats:
    """δ / se, with ±∞ for a difference without spread and 0 for none at all."""
    se = np.sqrt(np.maximum(variance, 0))
    flat = se <= 1e-12
    out = np.divide(delta, se, out=np.zeros_like(delta), where=~flat)
    out[flat & (delta > 1e-12)] = np.inf
    out[flat & (delta < -1e-12)] = -np.inf
    out[np.isnan(delta)] = np.nan
    return out


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


def _tossed(coins: _Coins, draws: int, seed: int, width: int) -> Iterator[Ints]:
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // width)
    for start in range(0, draws, step):
        yield rng.binomial(coins.size, 0.5, size=(min(step, draws - start), len(coins.size)))


def _enumerated(judge: _Judge, coins: _Coins, observed: float, statistic: str, alternative: str) -> Tested:
    """Every outcome with its probability."""
    sizes = [int(c) for c in coins.size]
    heads = np.indices([c + 1 for c in sizes]).reshape(len(sizes), -1).T if sizes else np.zeros((1, 0), np.int64)
    weight = np.ones(len(heads))
    for column, size in enumerate(sizes):
        weight *= _chances(size)[heads[:, column]]
    step = max(1, CHUNK // max(len(judge.swap), 1))
    parts = (heads[start : start + step] for start in range(0, len(heads), step))
    values = np.concatenate([judge(judge.kept(coins, part)) for part in parts])
    p = float(weight[_as_extreme(values, observed, alternative)].sum() / weight.sum())
    return Tested(min(p, 1.0), len(heads), None, statistic, int(np.isnan(values).sum()))


def _chances(tosses: int) -> Floats:
    """The chance of each number of heads; exact to the last bit while whole numbers stay short."""
    if tosses <= 500:
        return np.array([math.comb(tosses, h) / 2**tosses for h in range(tosses + 1)])
    log = [math.lgamma(tosses + 1) - math.lgamma(h + 1) - math.lgamma(tosses - h + 1) for h in range(tosses + 1)]
    return np.exp(np.array(log) - tosses * math.log(2))


def is_exchangeable(tally: Tally) -> bool:
    """Whether systems of this kind can be exchanged item by item."""
    return tally.no_exchange is None
