"""How extreme a sum of terms is among all sums with the same terms and random signs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.options import RESAMPLES, SEED
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.two.sign_inversion import upper_tail

FINEST = 1 << 16  # steps in the largest part; finer than that is not a grid
WORK = 1 << 27  # additions that take less than a second
COINS = 1 << 25  # the same for coins, where there is another way that takes less than this
ROUNDING = 1e-9  # share of the largest part that rounding may make


def on_grid(values: Floats) -> Ints | None:
    """The values as whole multiples of their largest common step, or None where there is none worth having."""
    sizes = np.unique(np.abs(values))
    top = float(sizes[-1]) if len(sizes) else 0.0
    if top == 0:
        return np.zeros(len(values), np.int64)
    step = top
    for size in sizes:
        step = _common(step, float(size), ROUNDING * top)
        if step * FINEST < top:
            return None
    step = top / round(top / step)  # the longest way measures it best
    parts = values / step
    whole = np.round(parts)
    return whole.astype(np.int64) if np.abs(parts - whole).max() < 1e-6 else None


def _common(x: float, y: float, nothing: float) -> float:
    """Euclid's common measure of two lengths."""
    while y > nothing:
        x, y = y, abs(math.remainder(x, y))
    return x


def heads(sizes: Ints, times: Ints) -> Floats | None:
    """The chance of each sum of the parts whose coin shows heads, from 0 to the sum of all; None if it takes too long.

    `times` parts have each size, and share one binomial.
    """
    order = np.argsort(times)[::-1]  # many taps on a short array, few on a long one
    taps, longest = times[order].astype(np.float64), np.cumsum((sizes * times)[order].astype(np.float64))
    if (taps[1:] * longest[:-1]).sum() > COINS or longest[-1] > COINS or taps[0] > COINS:
        return None
    chances = np.ones(1)
    for size, count in zip(sizes[order].tolist(), times[order].tolist(), strict=True):
        longer = np.zeros(len(chances) + size * count)
        for tap, chance in enumerate(fair_coins(count).tolist()):
            longer[tap * size : tap * size + len(chances)] += chance * chances
        chances = longer
    return chances


def fair_coins(tosses: int) -> Floats:
    """The chance of each number of heads; whole numbers while they fit, so that ties stay ties."""
    if tosses <= 500:
        return np.array([math.comb(tosses, h) / 2**tosses for h in range(tosses + 1)])
    from scipy.special import gammaln

    h = np.arange(tosses + 1)
    return np.asarray(np.exp(gammaln(tosses + 1) - gammaln(h + 1) - gammaln(tosses - h + 1) - tosses * math.log(2)))


def resampled_chances(parts: Ints) -> Floats | None:
    """The chance of each sum of n parts drawn with replacement, from n times the smallest; None if it takes too long.

    The sum of n independent draws has the n-th power of the generating polynomial of one.
    """
    n, low = len(parts), int(parts.min())
    width = int(parts.max()) - low
    if (n * width + 1) ** 2 > WORK:
        return None
    square = np.bincount(parts - low) / n
    power, left = np.ones(1), n
    while left:
        if left % 2:
            power = np.convolve(power, square)
        left //= 2
        if left:
            square = np.convolve(square, square)
    return power


Terms = Floats | Ints

TOLERANCE = 1e-9  # relative; two ways to the same sum may differ in the last bits
NOTHING = 1e-12  # terms smaller than this share of the largest are rounding
FEW, LISTED = 16.0, 36.0  # up to 2 to these powers outcomes are always listed, and where there is no lattice
SURE, NEAR = 3e-4, 1e-3  # shares of p: an error so small is not bettered, and one above this is too large
ROUNDING = 1e-15  # an error below this is due to the precision of numbers alone
ROUNDED = 500  # items whose sizes may be rounded to a lattice that is fine enough


@dataclass(frozen=True)
class Tail:
    """The chance of a sum at least as extreme as the one observed, and how it was computed."""

    p: float
    method: str  # "exact", "inversion" of the characteristic function, "rounded" sizes, or "drawn"
    outcomes: int | None = None  # patterns of signs, or different sums, of an exact chance
    error: float = 0.0  # at most this share of p, where it is neither exact nor drawn
    draws: int | None = None
    extreme: int | None = None  # draws at least as extreme
    seed: int | None = None

    @property
    def counted(self) -> int | None:
        """The draws, or the outcomes that were summed."""
        return self.outcomes if self.draws is None else self.draws

    @property
    def words(self) -> str:
        """How the chance was computed, where it was neither counted nor drawn."""
        ways = {"inversion": "from the characteristic function of all exchanges", "rounded": "from rounded terms"}
        if self.method in ways:
            small = (
                f"with a relative error of at most {self.error:.0e}" if self.error >= ROUNDING else "exact to rounding"
            )
            return f"{ways[self.method]}, {small}"
        return "exact" if self.counted is None else ""


@dataclass(frozen=True, eq=False)
class _Sum:
    """Distinct sizes above 0 in ascending order, how often each occurs, and a sum that was observed of them."""

    sizes: Terms
    times: Ints
    observed: float
    whole: bool  # sizes are whole numbers without a common divisor

    @property
    def step(self) -> float | None:
        """Between neighboring sums, where they lie on a lattice."""
        return 2.0 if self.whole else None

    @property
    def slack(self) -> float:
        """What rounding may take from a sum that is as far out as the one observed."""
        return 0.5 if self.whole else TOLERANCE * max(abs(self.observed), float(self.sizes[-1]))


def tail(
    terms: Terms,
    times: Ints | None,
    observed: float,
    alternative: str,
    *,
    draws: int = RESAMPLES,
    seed: int = SEED,
    exact: bool = True,
) -> Tail:
    """The chance that the terms, each with a fair coin for its sign, add up to as much as observed.

    `times` says how many items have each term, every one with a coin of its own. Two-sided is how often the size of the
    sum is reached; "less" is "greater" with the systems named the other way round. Where `exact` is not wanted, signs
    are drawn.
    """
    found = _collected(terms, times, float(observed))
    if not len(found.sizes):
        return Tail(1.0, "exact", outcomes=1)
    # The sum is as likely as its negative, so all alternatives are upper tails.
    x = {"two-sided": abs(found.observed), "greater": found.observed, "less": -found.observed}[alternative]
    two = alternative == "two-sided"
    if exact and two and x == 0:
        return Tail(1.0, "exact")
    made = _known(found, x) if exact else None
    if made is None:
        return _drawn(found, x, two, draws, seed)
    return Tail(min(made.p * (2 if two else 1), 1.0), made.method, made.outcomes, made.error)


def drawn_sums(terms: Terms, times: Ints | None, draws: int, seed: int) -> Floats:
    """Sums of the terms with random signs; equal sizes share a binomial where that saves draws.

    Otherwise eight signs are one random byte, and the sum that each byte makes is looked up.
    """
    sizes, often = _merged(np.abs(terms), times)
    rng, out = np.random.default_rng(seed), np.zeros(draws)
    if 8 * len(sizes) < often.sum():
        for size, count in zip(sizes.tolist(), often.tolist(), strict=True):
            out += size * (2 * rng.binomial(count, 0.5, size=draws) - count)
        return out
    every = np.repeat(sizes, often).astype(np.float64)
    eight = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) - 1
    for part in np.pad(every, (0, -len(every) % 8)).reshape(-1, 8):
        out += (eight @ part)[rng.integers(0, 256, size=draws, dtype=np.uint8)]
    return out


# ---------------------------------------------------------------------- sizes
def _collected(terms: Terms, times: Ints | None, observed: float) -> _Sum:
    """The sizes of the terms, in whole numbers where they have a common measure; terms of 0 do not matter."""
    sizes, often = _merged(np.abs(terms), times)
    if sizes.dtype.kind == "f" and len(sizes):
        kept = sizes > NOTHING * sizes[-1]
        sizes, often = sizes[kept], often[kept]
        parts = on_grid(sizes)
        if parts is None:
            return _Sum(sizes, often, observed, whole=False)
        observed *= float(parts[-1] / sizes[-1])
        sizes, often = _merged(parts, often)
    if not len(sizes):
        return _Sum(sizes, often, 0.0, whole=True)
    common = int(np.gcd.reduce(sizes))
    return _Sum(sizes // common, often, round(observed / common), whole=True)


def _merged(sizes: Any, times: Ints | None) -> tuple[Any, Ints]:
    """Distinct sizes above 0 in ascending order, and how often each occurs."""
    if times is None or (times == 1).all():
        distinct, often = np.unique(sizes, return_counts=True)
    else:
        distinct, where = np.unique(sizes, return_inverse=True)
        often = np.bincount(where.ravel(), weights=times, minlength=len(distinct)).astype(np.int64)
    kept = (distinct > 0) & (often > 0)
    return distinct[kept], often[kept].astype(np.int64)


# ---------------------------------------------------------------------- exactly
def _known(found: _Sum, x: float) -> Tail | None:
    """The chance of a sum of at least x, by the first way that leads to it."""
    ways: tuple[Callable[[_Sum, float], Tail | None], ...]
    ways = (partial(_listed, most=FEW), _summed, partial(_listed, most=LISTED), _nearly)
    return next((made for way in ways if (made := way(found, x)) is not None), None)


def _listed(found: _Sum, x: float, most: float) -> Tail | None:
    """All sums of two halves of the sizes, each from one half met with those from the other that reach far enough."""
    bits = np.log2(found.times + 1)
    if bits.sum() > most:
        return None
    one, other = (_sums(found.sizes[half], found.times[half]) for half in _halves(bits))
    rank = np.argsort(other[0])
    above = np.append(np.cumsum(other[1][rank][::-1])[::-1], 0.0)  # from the rarest up, so that small chances stay
    reached = np.searchsorted(other[0][rank], x - found.slack - one[0])
    items = int(found.times.sum())
    patterns = 2**items if items <= LISTED else len(one[0]) * len(other[0])
    return Tail(float((one[1] * above[reached]).sum()), "exact", patterns)


def _halves(bits: Floats) -> tuple[list[int], list[int]]:
    """Two parts with about as many bits, the largest dealt out first."""
    halves: tuple[list[int], list[int]] = ([], [])
    filled = [0.0, 0.0]
    for kind in np.argsort(bits)[::-1].tolist():
        emptier = int(filled[1] < filled[0])
        halves[emptier].append(kind)
        filled[emptier] += float(bits[kind])
    return halves


def _sums(sizes: Terms, times: Ints) -> tuple[Floats, Floats]:
    """Every sum of these sizes with signs, and its chance; sizes that occur several times toss a binomial."""
    sums, chances = np.zeros(1), np.ones(1)
    for size, count in zip(sizes.tolist(), times.tolist(), strict=True):
        heads = 2.0 * np.arange(count + 1) - count
        sums = (sums[:, None] + size * heads).ravel()
        chances = (chances[:, None] * fair_coins(count)).ravel()
    return sums, chances


def _summed(found: _Sum, x: float) -> Tail | None:
    """The chances of all sums on a lattice, one size added after the other."""
    chances = heads(np.asarray(found.sizes, np.int64), found.times) if found.whole else None
    if chances is None:
        return None
    sums = 2 * np.arange(len(chances)) - (len(chances) - 1)
    p = float(chances[sums >= x - found.slack].sum())
    return Tail(p, "exact", int((chances > 0).sum()))


# ---------------------------------------------------------------------- nearly
def _nearly(found: _Sum, x: float) -> Tail | None:
    """The better of two ways that know how far they may be off, where that is near enough."""
    made = _inverted(found, x)
    if made.error > SURE:
        made = min(made, _rounded(found, x), key=lambda way: way.error)
    return made if made.error <= NEAR else None


def _inverted(found: _Sum, x: float) -> Tail:
    """From the characteristic function."""
    if found.whole and (int(x) - int((found.sizes * found.times).sum())) % 2:
        x += 1  # a sum between two values of the lattice is reached by the next one
    above = x if x > 0 else (found.step or 0.0) - x  # the other side of a sum up to 0 is easier to know
    made = upper_tail(found.sizes.astype(np.float64), found.times, above, found.step) if above > 0 else (0.5, 0.0)
    p, error = made or (0.5, math.inf)
    if x <= 0:
        p, error = 1 - p, error * p / (1 - p)
    return Tail(p, "inversion", error=error)


def _rounded(found: _Sum, x: float) -> Tail:
    """From sizes that are rounded to a lattice: the chances of sums that are farther out, and less far, for certain."""
    items = float(found.times.sum())
    steps = COINS / items / float((found.sizes * found.times).sum())
    parts = np.rint(found.sizes * steps).astype(np.int64)
    chances = heads(parts, found.times) if items <= ROUNDED else None
    if chances is None:
        return Tail(0.5, "rounded", error=math.inf)
    sums = (2 * np.arange(len(chances)) - (len(chances) - 1)) / steps
    off = float((np.abs(found.sizes - parts / steps) * found.times).sum()) + found.slack
    least, most = (float(chances[sums >= x + way * off].sum()) for way in (1, -1))
    return Tail((least + most) / 2, "rounded", error=(most - least) / (least + most) if most > 0 else math.inf)


def _drawn(found: _Sum, x: float, two: bool, draws: int, seed: int) -> Tail:
    """From signs that are drawn."""
    sums = drawn_sums(found.sizes, found.times, draws, seed)
    far = (np.abs(sums) if two else sums) >= x - found.slack
    extreme = int(far.sum())
    return Tail((extreme + 1) / (draws + 1), "drawn", draws=draws, extreme=extreme, seed=seed)
