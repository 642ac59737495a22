"""What is returned: an estimate with its interval, a comparison with its test, and the signature of both."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from assay.errors import DataError
from assay.lazily import call, shown
from assay.texts import decimals, percent


@cache
def version() -> str:
    """The installed version."""
    from importlib.metadata import version as installed

    return installed("assay")


@dataclass(frozen=True)
class Signature:
    """How a number was made, as text that parses back: `key:value|key:value`."""

    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "|".join(f"{key}:{quote(value, safe=' ()=,._+-')}" for key, value in self.parts)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that this text writes."""
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
    """Two limits, the level they hold at, and how they were made."""

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Estimate:
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
    again: Callable[[float], Estimate] | None = field(default=None, repr=False, compare=False)

    @property
    def interval(self) -> Interval | None:
        """The limits, if there are any."""
        if self.low is None or self.high is None:
            return None
        return Interval(self.low, self.high, self.level, self.method)

    def at_level(self, level: float) -> Estimate:
        """The same estimate at another level, from the tally and not the data."""
        assert self.again is not None
        return self.again(level)

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.measure} is undefined: {self.reason}"
        places = decimals(self.low, self.high)
        text = f"{self.measure} {self.value:.{places}f}"
        if self.interval is None:
            return f"{text} (no interval: {self.reason})"
        limits = f"{self.low:.{places}f} to {self.high:.{places}f}"
        return f"{text} ({percent(self.level)} {limits}, {self.method}, n = {self.n:,})"


@dataclass(frozen=True)
class Effect:
    """How large a difference is, in other words than the measure's own; None where the words do not apply."""

    only_a: int | None = None  # items that only A got right
    only_b: int | None = None
    both: int | None = None
    neither: int | None = None
    odds_ratio: float | None = None  # only_a / only_b; infinite where B alone was never right
    d_z: float | None = None  # mean of the paired differences in their own standard deviations
    superiority: float | None = None  # P(A > B) + ½ P(A = B) over paired values


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
class Comparison:
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
    statistic: str
    alternative: str
    h0: str  # what the test supposes, as a sentence
    h1: str  # what speaks against it, for the alternative that was used
    draws: int | None  # how many were drawn or enumerated
    extreme: int | None  # how many of them were at least as far out; None where nothing was drawn
    n: int
    item: str  # what one of the n is called
    disagreements: int | None  # None where the systems' answers cannot be matched
    reason: str | None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool | None = True
    why: str = ""  # why this test, where it was chosen for the user
    p_interval: float | None = None  # what the interval leaves of its level where it just reaches 0
    p_adjusted: float | None = None  # the larger of the two, for all comparisons that were tested together
    p_value_adjusted: float | None = None  # that of the test alone
    correction: str | None = None
    effect: Effect = Effect()
    mde: float | None = None  # the smallest true difference that this test finds four times in five
    mde_reason: str | None = None  # why there is none
    finer: float | None = None  # a smaller difference than that, chosen without looking at the one observed
    more_items: int | None = None  # about how many further items would let this test find it four times in five
    margin: MarginTest | None = None
    form: str = ""  # how the p-value was found, where it was neither drawn nor enumerated
    leaning: int | None = None  # 1 for A, −1 for B: whose values a test that reads no mean finds higher
    least_p: float | None = None  # the smallest p-value that this test could have given
    both_sides: tuple[float | None, float | None] = (None, None)  # the limits of the level on both sides
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
        """What the verdict rests on: the larger of the p-values of the test and of the interval."""
        return None if self.p_value is None else max(self.p_value, self.p_interval or 0.0)

    @property
    def outcome(self) -> str:
        """The verdict in one word: better, worse, different, equivalent, undecided, and what is not shown."""
        word: str = call("uncertainty.two.verdicts:outcome", self)
        return word

    @property
    def verdict(self) -> str:
        """What may be said, in words."""
        text: str = shown(self, "verdict")
        return text

    def __str__(self) -> str:
        text: str = shown(self, "text")
        return text
