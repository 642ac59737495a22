"""What is returned: an estimate with its interval, a comparison with its test, and the outcome in one word."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from assay.errors import DataError
from assay.lazily import shown
from assay.result import Result, finite
from assay.texts import MOST, decimals, numeral, percent
from assay.uncertainty.hypotheses import Hypotheses

# A closure cannot be stored; the others are stored in their own form.
UNWRITTEN = ("a", "b", "hypotheses", "replicates", "effect", "margin")


@cache
def version() -> str:
    """The installed version."""
    from importlib.metadata import version as installed

    return installed("assay")


@dataclass(frozen=True)
class Signature:
    """How a number was computed, as text that parses back: `key:value|key:value`."""

    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "|".join(f"{key}:{quote(value, safe=' ()=,._+-')}" for key, value in self.parts)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that this text spells out."""
        parts = []
        for piece in text.split("|"):
            key, colon, value = piece.partition(":")
            if not colon:
                raise DataError(f"{text!r} is not a signature: {piece!r} has no colon.")
            parts.append((key, unquote(value)))
        return cls(tuple(parts))

    def get(self, key: str) -> str | None:
        """The value under a key."""
        return dict(self.parts).get(key)


@dataclass(frozen=True)
class Interval:
    """Two limits, their level of confidence, and how they were computed."""

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __iter__(self) -> Iterator[float]:
        """The limits, so that `low, high = interval`."""
        return iter((self.low, self.high))


class HasInterval:
    """What has a level and a method, and two limits or the reason why there are none."""

    low: float | None
    high: float | None
    level: float
    method: str
    reason: str | None

    @property
    def interval(self) -> Interval | None:
        """Both limits with their level and method; None where there are not two."""
        if self.low is None or self.high is None:
            return None
        return Interval(self.low, self.high, self.level, self.method)

    @property
    def limits(self) -> tuple[float, float]:
        """Both limits, for `low, high = found.limits`; an error that says why where there are none."""
        if self.interval is None:
            raise DataError(f"there is no interval: {self.reason or 'nothing was computed'}.")
        return self.interval.low, self.interval.high


SYMBOLS = {"chi2": "χ²", "W+": "W⁺"}  # how a statistic is written where every character is available


@dataclass(frozen=True)
class Statistic:
    """What a test compares with its null distribution: name and value, and degrees of freedom where it has any.

    The names: t, F, chi2 and z; W+, Wilcoxon's rank sum of the first system; b, the items that only the first system
    got right, in McNemar's exact tests; wins, in the sign test; raw and studentized, the difference in a randomization
    test, as it is or in standard errors by the delta method, which need not be those of the interval; mean difference.
    """

    name: str
    value: float
    df: tuple[float, ...] = ()  # for F, those of the numerator and of the denominator
    # In favor of the first and of the second system: Wilcoxon's rank sums, McNemar's b and c, wins and losses.
    sides: tuple[float, float] | None = None
    z: float | None = None  # in standard errors, where the p-value comes from the normal distribution

    def to_dict(self) -> dict[str, Any]:
        """The statistic in JSON's own types."""
        value = self.value if math.isfinite(self.value) else None
        sides = None if self.sides is None else list(self.sides)
        return {"name": self.name, "value": value, "df": list(self.df), "sides": sides, "z": self.z}

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        of = f"({', '.join(f'{each:g}' for each in self.df)})" if self.df else ""
        return f"{SYMBOLS.get(self.name, self.name)}{of} = {numeral(self.value, '.4g')}"


@dataclass(frozen=True)
class Estimate(HasInterval, Result):
    """A measure's value with its interval; null with a reason where there is none."""

    measure: str
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    n: int
    reason: str | None
    signature: str
    notes: tuple[str, ...] = ()
    undefined_draws: int = 0
    no_skill: float | None = None
    no_skill_name: str | None = None
    higher_is_better: bool | None = True
    standard_error: float | None = None  # None where the method of the interval has none
    again: Callable[[float], Estimate] | None = field(default=None, repr=False, compare=False)

    def at_level(self, level: float) -> Estimate:
        """The same estimate at another level, from the tally and not the data."""
        assert self.again is not None
        return self.again(level)

    def to_dict(self) -> dict[str, Any]:
        """The estimate in JSON's own types."""
        held = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "again"}
        held = {name: finite(value) if isinstance(value, float) else value for name, value in held.items()}
        return {**held, "notes": list(self.notes)}

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.measure} is undefined: {self.reason}"
        places = decimals(self.low, self.high)
        text = f"{self.measure} {numeral(self.value, f'.{places}f')}"
        if self.low is None or self.high is None:
            return f"{text} (no interval: {self.reason})"
        special = () if self.no_skill is None else (self.no_skill,)
        limits = " to ".join(numeral(limit, f".{places}f", *special) for limit in (self.low, self.high))
        return f"{text} ({percent(self.level)} {limits}, {self.method}, n = {self.n:,})"


@dataclass(frozen=True)
class Effect:
    """The size of a difference in terms other than the measure's own; None where a term does not apply.

    Under a share such as recall, the four counts are of the items that it is a share of, as in its test.
    """

    only_a: int | None = None  # items that only A got right
    only_b: int | None = None
    both: int | None = None
    neither: int | None = None
    odds_ratio: float | None = None  # only_a / only_b; infinite where B was never the only one to be right
    d_z: float | None = None  # mean of the paired differences in their own standard deviations
    superiority: float | None = None  # P(A > B) + ½ P(A = B) over paired values
    counted: str | None = None  # what each counted item is, where not all are: "positive" or "negative"


@dataclass(frozen=True)
class MarginTest:
    """Whether the difference lies within a margin that was named beforehand: two one-sided tests."""

    margin: float
    low: float | None  # limits at the level of two one-sided tests: 90% for tests at 5%
    high: float | None
    level: float
    p_equivalent: float | None  # the larger of the two one-sided p-values
    p_not_worse: float | None
    equivalent: bool | None
    not_worse: bool | None  # A is worse than B by less than the margin


@dataclass(frozen=True)
class Comparison(HasInterval, Result):
    """Two systems on the same items: the difference with its interval first, then the test."""

    a: Estimate
    b: Estimate
    names: tuple[str, str]
    difference: float | None
    low: float | None  # with a one-sided alternative there is one limit, and None on the side that was not asked about
    high: float | None
    level: float
    method: str
    p_value: float | None  # of the test
    test: str
    statistic: Statistic | None  # None where nothing was tested, or by the interval
    alternative: str
    h0: str  # the null hypothesis, as a sentence
    h1: str  # the alternative that was used, as a sentence
    draws: int | None  # how many were drawn or enumerated
    extreme: int | None  # how many of them were at least as extreme; None where nothing was drawn
    n: int
    item: str  # what one of the n is called
    disagreements: int | None  # None where the systems' answers cannot be matched
    reason: str | None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool | None = True
    why: str = ""  # why this test, where it was chosen for the user
    p_interval: float | None = None  # 1 minus the level at which the interval just reaches 0
    p_adjusted: float | None = None  # the larger of the two, for all comparisons that were tested together
    p_value_adjusted: float | None = None  # that of the test alone
    correction: str | None = None
    effect: Effect = Effect()
    mde: float | None = None  # the smallest true difference that this test detects with 80% power
    mde_reason: str | None = None  # why there is none
    finer: float | None = None  # a smaller difference than that, chosen without looking at the one observed
    more_items: int | None = None  # about how many more items would give this test 80% power to detect it
    margin: MarginTest | None = None
    form: str = ""  # how the p-value was found, where it was neither drawn nor enumerated
    leaning: int | None = None  # 1 for A, −1 for B: whose values a test that reads no mean finds higher
    least_p: float | None = None  # the smallest p-value that this test could have given
    both_sides: tuple[float | None, float | None] = (None, None)  # the limits of the level on both sides
    # Of the difference, as its interval uses it (smoothed, for smoothed_delta), and None where its method has none; a
    # studentized statistic divides by that of the delta method without smoothing.
    standard_error: float | None = None
    hypotheses: Hypotheses | None = field(default=None, repr=False, compare=False)  # what h0 and h1 are made from
    replicates: Callable[..., Any] | None = field(default=None, repr=False, compare=False)

    @property
    def interval(self) -> Interval | None:
        """The limits of the difference, if there are any; a side that was not asked about has no end."""
        if self.low is None and self.high is None:
            return None
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        return Interval(low, high, self.level, self.method)

    @property
    def p(self) -> float | None:
        """The basis of the verdict: the larger of the p-values of the test and of the interval."""
        return None if self.p_value is None else max(self.p_value, self.p_interval or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """The comparison in JSON's own types."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in UNWRITTEN}
        plain |= {"measure": self.a.measure, "values": [self.a.value, self.b.value]}
        plain["statistic"] = None if self.statistic is None else self.statistic.to_dict()
        plain["effect"] = {name: _or_infinite(value) for name, value in dataclasses.asdict(self.effect).items()}
        plain["margin"] = None if self.margin is None else dataclasses.asdict(self.margin)
        plain |= {"p": self.p, "outcome": self.outcome, "verdict": self.verdict}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}

    @property
    def places(self) -> tuple[int, int, int]:
        """The decimals of both values and of the difference as shown: neither looks more precise than what it is of."""
        a, b = (decimals(e.low, e.high) for e in (self.a, self.b))
        own = decimals(self.low, self.high)
        return max(a, min(own, MOST)), max(b, min(own, MOST)), max(own, min(a, b, MOST))

    @property
    def is_studentized(self) -> bool:
        """Whether the test divided the difference by its standard error."""
        return self.statistic is not None and self.statistic.name == "studentized"

    @property
    def outcome(self) -> str:
        """The verdict in a word or two: one of `options.OUTCOMES`."""
        return outcome(self)

    @property
    def verdict(self) -> str:
        """The verdict in a sentence or two."""
        text: str = shown(self, "verdict")
        return text

    def __str__(self) -> str:
        text: str = shown(self, "described")
        return text


def outcome(c: Comparison) -> str:
    """The verdict as one of `options.OUTCOMES`, on which the test, the interval and the margin agree.

    What the test finds and its interval does not, or the other way round, is undecided.
    """
    if c.difference is None:
        return "not comparable"
    if is_told(c) and not torn(c):
        if at_odds(c) or c.higher_is_better is None:
            return "different"
        return "better" if (c.difference > 0) == c.higher_is_better else "worse"
    if c.margin is not None:
        return "equivalent" if c.margin.equivalent else "undecided"
    return "undecided" if c.p_value is None or torn(c) else "no difference shown"


def is_told(c: Comparison) -> bool:
    """Whether the test tells the systems apart, corrected where there are several."""
    p = _first(c.p_value_adjusted, c.p_adjusted, c.p_value)
    return is_found(p, c.level) and (c.difference != 0 or bool(c.leaning))


def torn(c: Comparison) -> bool:
    """Whether the test and the interval shown with it contradict each other.

    The interval must agree with a finding, at the level that a correction leaves. Tests of ranks and signs are not
    about the mean, which their interval estimates, so a finding of theirs is not yet a finding about the mean.
    """
    inside = holds_zero(c)
    if c.p_value is None or inside is None:
        return False
    if is_told(c):
        if c.leaning is not None:
            return inside
        return inside or not is_found(_first(c.p_adjusted, c.p), c.level)
    # What a correction took away was found before it.
    return not inside and not is_found(c.p_value, c.level)


def holds_zero(c: Comparison) -> bool | None:
    """Whether the interval contains 0; None where no interval answers the same question as the test."""
    if c.interval is None or (c.alternative != "two-sided" and None not in (c.low, c.high)):
        return None
    return 0.0 in c.interval


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def is_found(p: float | None, level: float) -> bool:
    """Whether p is at most 1 minus the level; 1 − 0.9 is a little less than 0.1, and p = 0.1 still counts."""
    return p is not None and p <= 1 - level + 1e-12


def at_odds(c: Comparison) -> bool:
    """Whether the test and the mean point in different directions: ranks and signs ignore how large values are."""
    assert c.difference is not None
    return c.leaning is not None and c.leaning * c.difference <= 0 and c.leaning != 0


def _or_infinite(value: float | str | None) -> float | str | None:
    """JSON has no infinity."""
    return "infinite" if isinstance(value, float) and math.isinf(value) else value
