"""Items that are a hit for only one of two systems, for shares with the same denominator for both."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import choose
from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import Proportion
from assay.options import ALTERNATIVES
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.influence import is_linear
from assay.uncertainty.one.problem import unit_counts
from assay.uncertainty.one.shares import wilson
from assay.uncertainty.results import Statistic


@dataclass(frozen=True)
class Tested:
    """A p-value and what it was counted from."""

    p: float
    draws: int | None  # drawn or enumerated; None where the distribution has a formula
    extreme: int | None
    statistic: Statistic | None
    undefined: int = 0
    notes: tuple[str, ...] = ()
    form: str = ""  # how the p-value was found, where it was neither drawn nor enumerated


KINDS = ("exact", "midp", "chi2", "chi2_corrected")


@dataclass(frozen=True)
class Discordant:
    """How many items are a hit for one system only, out of how many that could be one.

    A hit is what the measure counts: right answers for accuracy, wrong ones for the error rate.
    """

    only_a: int
    only_b: int
    trials: int
    both: int = 0

    @property
    def neither(self) -> int:
        """Items that are a hit for neither."""
        return self.trials - self.only_a - self.only_b - self.both

    def swapped(self) -> Discordant:
        """The same counts with the systems named the other way round."""
        return dataclasses.replace(self, only_a=self.only_b, only_b=self.only_a)


# ---------------------------------------------------------------------- counting
Counts = tuple[Floats, Floats]  # hits and trials of one item of each unit


def discordant(joint: Joint[Any], bound: Bound) -> Discordant | None:
    """The counts, or None where the measure is not a share, has a denominator per system, or rows have weights."""
    if _no_share(joint, bound):
        return None
    a, b = (_hits_and_trials(bound, side) for side in (joint.a, joint.b))
    if not _common_denominator(joint, bound, a, b):
        return None
    counted, counts = a[1] > 0.5, joint.counts
    hit_a, hit_b = a[0] > 0.5, b[0] > 0.5

    def items(which: Any) -> int:
        return int(counts[which & counted].sum())

    return Discordant(items(hit_a & ~hit_b), items(hit_b & ~hit_a), items(counted), items(hit_a & hit_b))


def why_not(
    joint: Joint[Any], bound: Bound, what: str = "McNemar's test", instead: str = "the randomization test"
) -> str:
    """Why a method that needs counts of independent rows does not apply, as sentences; empty where it does."""
    missing = _no_share(joint, bound)
    if not missing and discordant(joint, bound) is None:
        missing = (
            "a common denominator, as accuracy, recall and specificity have; "
            f"{bound.spelling} divides by what each system predicted"
        )
    if not missing and joint.a.clusters is not None:
        missing = "independent rows, but rows of one cluster are not"
    return missing and f"{what} needs {missing}. Use {instead}."


def _no_share(joint: Joint[Any], bound: Bound) -> str:
    """Why nothing can be counted as a hit or a miss; empty where it can."""
    if joint.a.weights is not None:
        return "counts of rows, but these are weighted"
    if not isinstance(bound.form(joint.a), Proportion) or not is_linear(bound):
        return f"a share of counted items, such as accuracy, recall or specificity; {bound.spelling} is not one"
    return ""


def _common_denominator(joint: Joint[Any], bound: Bound, a: Counts, b: Counts) -> bool:
    """Whether the same items are counted for both systems, whatever these answer, and each only once.

    A question about one class is checked in all cells of its table: in the data at hand the denominators of two
    systems' precision may be equal by chance.
    """
    if bound.index is not None:
        asked, small = bound.narrowed(_bare(joint.a))
        both = Joint(small, small).complete()
        a, b = (a, b) if both is None else (_hits_and_trials(asked, both.a), _hits_and_trials(asked, both.b))
    (hits_a, trials_a), (hits_b, trials_b) = a, b
    whole = all(np.isin(part, (0, 1)).all() for part in (hits_a, hits_b, trials_a))
    return whole and np.array_equal(trials_a, trials_b) and (bound.index is not None or bool(trials_a.all()))


def _bare(tally: Tally) -> Tally:
    """The tally without clusters and strata."""
    keys = {name: column for name, column in tally.keys.items() if name != "stratum"}
    return dataclasses.replace(tally, keys=keys, clusters=None)


def _hits_and_trials(bound: Bound, tally: Tally) -> Counts:
    """What one item of each unit adds to the two counts."""
    form = bound.form(tally)
    assert isinstance(form, Proportion)
    return unit_counts(bound, tally, form)


# ---------------------------------------------------------------------- tests
def mcnemar(d: Discordant, kind: str = "midp", alternative: str = "two-sided") -> Tested:
    """McNemar's test: whether the disagreements favor either side as often as a fair coin would.

    Without any disagreement p is 1.
    """
    choose(kind, KINDS, "kind")
    choose(alternative, ALTERNATIVES, "alternative")
    b, c = (d.only_b, d.only_a) if alternative == "less" else (d.only_a, d.only_b)
    two = alternative == "two-sided"
    sides = (d.only_a, d.only_b)
    if kind in ("exact", "midp"):
        p = _binomial(b, c, two, half=kind == "midp") if b + c else 1.0
        return Tested(min(p, 1.0), None, None, Statistic("b", d.only_a, sides=sides))
    root = _root(b, c, two, corrected=kind == "chi2_corrected") if b + c else 0.0
    p = _normal_tail(root, two) if b + c else 1.0
    z = -root if alternative == "less" else root
    found = Statistic("chi2", root**2, (1,), sides, z) if two else Statistic("z", z, sides=sides, z=z)
    return Tested(min(p, 1.0), None, None, found)


def sign_test(wins: int, losses: int, ties: int = 0, alternative: str = "two-sided") -> Tested:
    """The exact sign test of wins and losses; ties say nothing about the direction and are dropped."""
    choose(alternative, ALTERNATIVES, "alternative")
    b, c = (losses, wins) if alternative == "less" else (wins, losses)
    p = min(_binomial(b, c, alternative == "two-sided"), 1.0) if b + c else 1.0
    notes = (f"ties were dropped: {ties:,}",) if ties else ()
    return Tested(p, None, None, Statistic("wins", wins, sides=(wins, losses)), notes=notes)


def _binomial(b: int, c: int, two_sided: bool, half: bool = False) -> float:
    """The chance of at least b heads in b + c tosses, or of an outcome as uneven; `half` counts the observed one half.

    With b = c the two-sided mid-p is 1 less half of that outcome, as Fagerland, Lydersen and Laake (2013) have it.
    """
    from scipy.special import bdtr, gammaln

    n = b + c
    here = math.exp(float(gammaln(n + 1) - (gammaln(b + 1) + gammaln(c + 1))) - n * math.log(2))
    if two_sided and b == c:
        return 1 - here / 2 if half else 1.0
    tail = float(bdtr(min(b, c) if two_sided else c, n, 0.5)) - (here / 2 if half else 0.0)
    return 2 * tail if two_sided else tail


def _root(b: int, c: int, two_sided: bool, corrected: bool) -> float:
    """The signed root of McNemar's chi-square; the correction subtracts 1 from the difference."""
    apart = float(b - c)
    if corrected:
        apart = math.copysign(max(abs(apart) - 1, 0.0), apart) if two_sided else apart - 1
    return apart / math.sqrt(b + c)


def _normal_tail(root: float, two_sided: bool) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(root)) if two_sided else ndtr(-root))


# ---------------------------------------------------------------------- interval
def tango(d: Discordant, z: float) -> tuple[float, float]:
    """Tango's score limits (1998) for the difference of two shares of the same items."""
    return -_tango_upper(d.only_b, d.only_a, d.trials, z), _tango_upper(d.only_a, d.only_b, d.trials, z)


def _tango_upper(b: int, c: int, n: int, z: float) -> float:
    """The difference D at which the observed one lies z standard errors below it; the score falls as D grows."""
    if b == n:
        return 1.0
    low, high = (b - c) / n, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _score(b, c, n, middle) > -z else (low, middle)
    return high


def _score(b: int, c: int, n: int, d: float) -> float:
    """How many standard errors the observed difference lies above d, with the likeliest shares that differ by d."""
    linear, constant = -b - c + (2 * n - b + c) * d, -c * d * (1 - d)
    root = math.sqrt(max(linear * linear - 8 * n * constant, 0.0))
    share = (root - linear) / (4 * n)
    variance = n * (2 * share + d * (1 - d))
    apart = b - c - n * d
    return apart / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, apart)


def newcombe(d: Discordant, z: float) -> tuple[float, float]:
    """Newcombe's (1998) limits of the difference of two shares of the same items: method 10 of his paired ones.

    Wilson's limits of both are combined with the correlation φ of the fourfold table; n/2 is subtracted from its
    numerator where that is positive, which keeps the interval from being too narrow.
    """
    n, a, b, c = d.trials, d.both, d.only_a, d.only_b
    shares = ((a + b) / n, (a + c) / n)
    (low_a, high_a), (low_b, high_b) = (wilson(share, n, z) for share in shares)
    below, above = shares[0] - low_a, high_a - shares[0]
    under, over = shares[1] - low_b, high_b - shares[1]
    margins = (a + b) * (c + d.neither) * (a + c) * (b + d.neither)
    apart = float(a * d.neither - b * c)
    phi = (max(apart - n / 2, 0.0) if apart > 0 else apart) / math.sqrt(margins) if margins else 0.0
    gap = shares[0] - shares[1]
    low = math.sqrt(max(below**2 + over**2 - 2 * phi * below * over, 0.0))
    high = math.sqrt(max(above**2 + under**2 - 2 * phi * above * under, 0.0))
    return gap - low, gap + high


def difference_error(d: Discordant) -> float | None:
    """The standard error of the difference of two shares of the same items; None where it would be 0."""
    either, gap = d.only_a + d.only_b, d.only_a - d.only_b
    return math.sqrt(max(either - gap**2 / d.trials, 0.0)) / d.trials or None
