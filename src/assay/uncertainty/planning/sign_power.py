"""How often a sign test over the items that two systems answered differently detects a named difference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from assay.errors import OptionError
from assay.tally.contract.sampling import Floats, Ints

MANY = 5_000.0  # disagreements beyond which a corrected normal test stands in for the exact one, to 3 digits
SMOOTH = 50.0  # variance of the number of disagreements beyond which the teeth of the saw are averaged away
FAR = 9.0  # standard deviations beyond which a count of disagreements does not occur
SLACK = 1e-9  # relative: p = alpha rejects, whatever the last bits say


def sides(alternative: str) -> int:
    """How many tails the test has."""
    return 2 if alternative == "two-sided" else 1


def check_power(alpha: float, power: float) -> None:
    """Refuse an invalid alpha or power."""
    if not 0 < alpha < 1:
        raise OptionError(f"alpha is {alpha}; it must be between 0 and 1, such as 0.05 for level 0.95.")
    if not alpha < power < 1:
        raise OptionError(
            f"power is {power}; it must be between alpha ({alpha:.4g}), which chance alone gives, and 1, such as 0.8."
        )


@dataclass(frozen=True)
class Signs:
    """A paired design for a share: how many items are answered differently, and how much more often A is right."""

    disagreement: float  # share of the items on which only one of the two is right
    difference: float  # share of A minus share of B, taken as positive
    alpha: float
    sides: int  # 1 or 2
    test: str = "exact"  # or "midp"

    def found(self, apart: Ints, most: Ints | None = None) -> Floats:
        """The chance of rejecting, given how many items only one of the two got right."""
        from scipy.special import bdtr

        most = critical(apart, self.alpha / self.sides, self.test) if most is None else most
        for_a = min((1 + self.difference / self.disagreement) / 2, 1.0)
        held = np.maximum(most, 0)
        chance = bdtr(held, apart, 1 - for_a)
        if self.sides == 2:
            chance = chance + bdtr(held, apart, for_a)
        return np.where(most >= 0, chance, 0.0)

    def power(self, items: int) -> float:
        """The chance of rejecting with this many items, over how many of them will be answered differently."""
        if items * self.disagreement > MANY:
            return self.nearly(items, self.lag)
        apart = self._likely(items, items)
        return self._mean(items, apart, self.found(apart))

    def nearly(self, items: float, lag: float = 0.0) -> float:
        """The same by the normal approximation, which is Connor's (1987) without a lag."""
        from scipy.special import ndtr

        beyond = items * self.difference - lag - self._null * math.sqrt(items)
        return float(ndtr(beyond / max(self._spread * math.sqrt(items), 1e-300)))

    def connor(self, power: float) -> int:
        """Connor's (1987) number of items, from the normal approximation."""
        return math.ceil(self._solved(power, 0.0) - SLACK)

    def items(self, power: float) -> int:
        """The fewest items such that these and any larger number reach the power.

        The power of an exact test rises in a sawtooth. Between two curves that only rise, one below it and one above
        it, lies the last number of items that falls short.
        """
        guess = self._solved(power, self.lag)
        if guess * self.disagreement > MANY:
            return math.ceil(guess)
        low, high = int(guess * 0.8), math.ceil(guess * 1.25) + math.ceil(60 / self.disagreement)
        apart = self._likely(low, high)
        found = self.found(apart)
        below, above = np.minimum.accumulate(found[::-1])[::-1], np.maximum.accumulate(found)
        safe = self._first(low, high, apart, below, power)
        short = self._first(low, safe, apart, above, power)
        if short * self.disagreement * (1 - self.disagreement) > SMOOTH:
            return self._first(short, safe, apart, found, power)
        while safe > short and self._mean(safe - 1, apart, found) >= power:
            safe -= 1
        return safe

    def detectable(self, items: int, power: float) -> float | None:
        """The smallest difference that is detected with this power; None where even the largest is not."""
        spread = self.disagreement
        if items * spread > MANY:
            return self.nearly_detectable(items, power, self.lag)
        apart = self._likely(items, items)
        chance, most = _binomial(items, spread, apart), critical(apart, self.alpha / self.sides, self.test)

        def reached(difference: float) -> bool:
            return float((chance * replace(self, difference=difference).found(apart, most)).sum()) >= power

        low, high = 0.0, spread
        if not reached(high):
            return None
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if reached(middle) else (middle, high)
        return high

    def nearly_detectable(self, items: int, power: float, lag: float = 0.0) -> float | None:
        """The same by the normal approximation, which is Connor's (1987) without a lag."""
        from scipy.special import ndtri

        spread, miss, size = self.disagreement, float(ndtri(power)), 0.0
        # items · δ = lag + null √items + miss √(items (spread − δ²)), by iteration.
        for _ in range(50):
            size = (self._null + miss * math.sqrt(max(spread - size**2, 0.0))) / math.sqrt(items) + lag / items
        return size if size <= spread else None

    # ------------------------------------------------------------------ the normal approximation
    @property
    def lag(self) -> float:
        """By how many disagreements the exact test lags behind the normal one, on average over its steps."""
        return 0.0 if self.test == "midp" else 1.0

    @property
    def _null(self) -> float:
        from scipy.special import ndtri

        return float(ndtri(1 - self.alpha / self.sides)) * math.sqrt(self.disagreement)

    @property
    def _spread(self) -> float:
        return math.sqrt(max(self.disagreement - self.difference**2, 0.0))

    def _solved(self, power: float, lag: float) -> float:
        """The items for which items · δ − lag is (null + miss) √items: a quadratic in the root."""
        from scipy.special import ndtri

        both = self._null + float(ndtri(power)) * self._spread
        return ((both + math.sqrt(both**2 + 4 * self.difference * lag)) / (2 * self.difference)) ** 2

    # ------------------------------------------------------------------ over the number of disagreements
    def _first(self, low: int, high: int, apart: Ints, rising: Floats, power: float) -> int:
        """The fewest items for which the mean of what only rises reaches the power."""
        while low < high:
            middle = (low + high) // 2
            reached = self._mean(middle, apart, rising) >= power
            low, high = (low, middle) if reached else (middle + 1, high)
        return low

    def _likely(self, fewest: int, most: int) -> Ints:
        """Every number of disagreements that may occur with this many items."""

        def reach(items: int) -> float:
            return FAR * math.sqrt(items * self.disagreement * (1 - self.disagreement)) + 20

        low = max(math.floor(fewest * self.disagreement - reach(fewest)), 0)
        high = min(math.ceil(most * self.disagreement + reach(most)), most)
        return np.arange(low, high + 1, dtype=np.int64)

    def _mean(self, items: int, apart: Ints, values: Floats) -> float:
        """The mean over the number of disagreements among this many items."""
        return float((_binomial(items, self.disagreement, apart) * values).sum())


def critical(tosses: Ints, tail: float, test: str = "exact") -> Ints:
    """The most heads of a fair coin that are too few at this level; −1 where no number of heads is."""
    from scipy.special import ndtri

    def too_few(heads: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return (heads >= 0) & (heads < tosses) & (_tail(heads, tosses, test) <= tail * (1 + SLACK))

    heads = np.floor(tosses / 2 + float(ndtri(tail)) * np.sqrt(tosses) / 2).astype(np.int64)
    heads = np.clip(heads, -1, tosses)
    while (wrong := (heads >= 0) & ~too_few(heads)).any():
        heads = np.where(wrong, heads - 1, heads)
    while (more := too_few(heads + 1)).any():
        heads = np.where(more, heads + 1, heads)
    return heads


def _tail(heads: Ints, tosses: Ints, test: str) -> Floats:
    """The chance of at most this many heads of a fair coin; with test="midp" only half of the last number."""
    from scipy.special import bdtr

    held = np.clip(heads, 0, tosses)
    chance = bdtr(held, tosses, 0.5)
    return np.asarray(chance - _binomial(tosses, 0.5, held) / 2 if test == "midp" else chance)


def _binomial(tosses: int | Ints, chance: float, heads: Ints) -> Floats:
    """The chance of each number of heads."""
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(np.asarray(tosses) + 1.0) - gammaln(heads + 1.0) - gammaln(np.maximum(tosses - heads, 0) + 1.0)
    log = ways + xlogy(heads, chance) + xlog1py(tosses - heads, -chance)
    return np.where(heads <= tosses, np.exp(log), 0.0)
