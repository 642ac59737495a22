"""What a comparison could have detected: from how often the systems disagree, never from the observed difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.errors import plural
from assay.options import POWER
from assay.uncertainty.one.influence import has_influences
from assay.uncertainty.one.jackknife import cluster_df
from assay.uncertainty.one.problem import NOTHING
from assay.uncertainty.planning.population import Population
from assay.uncertainty.planning.sign_power import Signs, check_power, sides
from assay.uncertainty.two.pair import UNDEFINED_WITHOUT, Pair

Share = tuple[int, int]  # items that only one of the two got right, and all items of the share


@dataclass(frozen=True)
class Detectable:
    """The smallest true difference that a test detects with the given power; None with a reason."""

    value: float | None
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Normal:
    """A difference as a normal test sees it: its variance times the number drawn, and how large it can be."""

    variance: float
    drawn: float
    df: float | None = None  # Student's t where the spread is estimated from few clusters
    largest: float = math.inf
    changing: float = math.inf  # draws that exchange changes
    method: str = "normal"

    def needed(self, drawn: float, tail: float, power: float) -> float:
        """The difference detected with this power, in Connor's form: where it is large, the spread is smaller."""
        null, miss = self._quantile(1 - tail), self._quantile(power)
        v = self.variance / drawn
        # δ = null √v + miss √(v − δ² / drawn) is a quadratic in δ.
        square, half = 1 + miss**2 / drawn, null * math.sqrt(v)
        root = math.sqrt(max(half**2 - square * v * (null**2 - miss**2), 0.0))
        return (half + math.copysign(root, miss)) / square

    def draws_for(self, difference: float, tail: float, power: float) -> float:
        """How many draws detect this difference with this power."""
        null, miss = self._quantile(1 - tail), self._quantile(power)
        spread = max(self.variance - difference**2, 0.0)
        return ((null * math.sqrt(self.variance) + miss * math.sqrt(spread)) / difference) ** 2

    def _quantile(self, chance: float) -> float:
        from scipy.special import ndtri, stdtrit

        return float(ndtri(chance) if self.df is None else stdtrit(self.df, chance))


def minimum_detectable(
    pair: Pair,
    alpha: float,
    alternative: str = "two-sided",
    power: float = POWER,
    share: Share | None = None,
    test: str = "randomization",
) -> Detectable:
    """The smallest true difference that this test, with these items and this disagreement, detects with this power.

    A share of a common denominator is given by its counts, and judged by the test over them.
    """
    check_power(alpha, power)
    if share is not None and pair.joint.a.clusters is None:
        return detectable_share(*share, alpha, alternative, power, pair.joint.a.item, _counted(test))
    spread = _spread(pair, test)
    if isinstance(spread, str):
        return Detectable(None, spread, "none")
    tail = alpha / sides(alternative)
    value = spread.needed(spread.drawn, tail, power)
    # With k coins no outcome is rarer than 2^-k on one side.
    if value >= spread.largest or 2.0**-spread.changing > tail:
        return Detectable(None, _too_few(_apart(pair), power), spread.method)
    return Detectable(value, None, spread.method)


def detectable_share(
    apart: int,
    trials: int,
    alpha: float,
    alternative: str = "two-sided",
    power: float = POWER,
    item: str = "row",
    test: str = "exact",
) -> Detectable:
    """The same for two shares of the same items, of which only one system got `apart` right."""
    if apart == 0:
        return Detectable(None, f"among {plural(trials, item)}, there is none that only one system got right", test)
    share = apart / trials
    value = Signs(share, share, alpha, sides(alternative), test).detectable(trials, power)
    if value is None:
        only = f"only one system was right on just {plural(apart, item)}"
        return Detectable(None, _too_few(only, power), test)
    return Detectable(value, None, test)


def _counted(test: str) -> str:
    """How a test of a share counts the observed outcome; those by χ² have about the power of the mid-p test."""
    return "midp" if test in ("mcnemar_midp", "mcnemar_chi2") else "exact"


def more_items(
    pair: Pair,
    difference: float,
    alpha: float,
    alternative: str = "two-sided",
    power: float = POWER,
    share: Share | None = None,
    test: str = "randomization",
) -> int | None:
    """How many further items, at the same disagreement, let this test detect a true difference of this size.

    None where no number of items would: the systems never disagree, or too rarely to differ by that much.
    """
    check_power(alpha, power)
    size, n = abs(difference), pair.joint.n
    if share is not None and pair.joint.a.clusters is None:
        apart, trials = share
        if not 0 < size <= apart / max(trials, 1):
            return None
        needed = Signs(apart / trials, size, alpha, sides(alternative), _counted(test)).items(power) * n / trials
    else:
        spread = _spread(pair, test)
        if isinstance(spread, str) or not 0 < size < spread.largest:
            return None
        needed = spread.draws_for(size, alpha / sides(alternative), power) * n / spread.drawn
    return max(math.ceil(needed - n - 1e-9), 0)


def finer_than(detectable: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is below this: a round size to plan for."""
    below = detectable * (1 - 1e-12)
    place = math.floor(math.log10(below))
    digit = max(d for d in (1, 2, 5) if d * 10.0**place <= below)
    return float(f"{digit}e{place}")


def _spread(pair: Pair, test: str) -> _Normal | str:
    """The variance of the difference where the systems are exchangeable, or of the observed one; or why it has none."""
    joint = pair.joint
    if math.isnan(pair.difference):
        return "the measure is undefined for one of the systems"
    if pair.apart == 0:
        return _none_apart(joint.n, joint.a.item)
    if test in ("interval", "delong"):
        return _by_jackknife(pair)
    signs, drawn = pair.signs, joint.sampling.n
    if signs is not None and signs.changing:
        return _exchangeable(signs.variance * drawn, drawn, signs.largest, signs.changing)
    if joint.a.no_exchange is not None or joint.a.weights is not None or not has_influences(pair.bound, joint.a):
        return _by_jackknife(pair)
    of = Population.of(joint, pair.bound)
    return _exchangeable(of.variance, of.size, math.inf if math.isnan(of.largest) else of.largest, of.changing)


def _exchangeable(variance: float, drawn: int, largest: float, changing: int) -> _Normal | str:
    """The difference under exchange, from its variance times the number drawn."""
    if variance <= NOTHING:
        return "no answer on which the systems differ changes the measure"
    # The critical value is that of the exchanges themselves, with few clusters too, so no t is taken.
    return _Normal(variance, drawn, largest=largest, changing=changing, method="exchange")


def _by_jackknife(pair: Pair) -> _Normal | str:
    found = pair.jackknifed()
    if found is None:
        return UNDEFINED_WITHOUT
    _, times, variance = found
    if variance <= NOTHING:
        return "leaving out one unit never changes the difference"
    df = None if pair.joint.a.clusters is None else cluster_df(pair.joint)
    drawn = float(times.sum())
    return _Normal(variance * drawn, drawn, df, method="jackknife")


def _none_apart(n: int, item: str) -> str:
    return f"the systems gave the same answers on all {plural(n, item)}"


def _apart(pair: Pair) -> str:
    joint = pair.joint
    if joint.a.clusters is not None:
        return f"there are only {plural(joint.sampling.n, 'cluster')}"
    assert pair.apart is not None
    return f"the systems answered differently on only {plural(pair.apart, joint.a.item)}"


def _too_few(apart: str, power: float) -> str:
    return f"{apart}: even if all of them favored one system, the test would have less than {100 * power:.4g}% power"
