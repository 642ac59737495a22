"""What a declaration is made of beside its formula: examples, and the facts that only some measures have, in groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.measures.declare.forms import EffectiveN, IntervalForm, PairedForm, Signs
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats


@dataclass(frozen=True)
class Worked:
    """An example counted by hand: a tally, the options, the value, and the counting in words."""

    tally: Tally
    options: Mapping[str, Any]
    value: float
    how: str


@dataclass(frozen=True)
class Hides:
    """Two tables that the measure cannot tell apart, though one of them is clearly better, and what tells them."""

    tables: tuple[Tally, Tally]
    why: str
    told_by: str  # a measure that differs between the two


@dataclass(frozen=True)
class Convention:
    """The value that is shown where the formula is 0/0, and why that value."""

    value: float
    why: str


# ---------------------------------------------------------------------- groups
@dataclass(frozen=True)
class Averages:
    """What is known of the averages of a measure of one class against the rest."""

    macro_interval: IntervalForm | None = None
    macro_named: tuple[EffectiveN, ...] = ()  # used only where they are asked for by name
    # Pooling counts an item several times, so the form of one class would mislead there.
    micro_interval: IntervalForm | None = None
    # Weighted by gold items, the values of the classes add up to that of the pooled table.
    weighted_is_pooled: bool = False
    of_one_class: bool = False  # an average over classes would say nothing


@dataclass(frozen=True)
class Shortcuts:
    """The same numbers in one pass, where going through the units one after the other would take too long.

    The first two read the evidence and the options, the last the user's arrays.
    """

    influence: Callable[..., Any] | None = None  # the derivative of the formula in the multiplicity of each unit
    left_out: Callable[..., Any] | None = None  # the value without one item of each unit
    quick: Callable[..., float | None] | None = None  # the value straight from arrays, where it can be had so


@dataclass(frozen=True)
class Paired:
    """What is known of the difference between two systems on the same items."""

    # From a tally and the measure's own options: the value of one item of each unit, where the measure is their mean.
    each: Callable[..., Floats] | None = None
    few_carry: bool = False  # a few items may carry most of the variance of such a mean's difference
    # From a joint tally and the options: the terms of a difference that is a sum of signs under exchange.
    signs: Callable[..., Signs | None] | None = None
    form: PairedForm | None = None  # closed forms of its interval
    as_they_are: bool = False  # answers mean the same in all systems, so that they are exchanged without being ranked
    no_exchange: str | None = None  # why exchanging the answers is no test of the difference

    @property
    def is_signed(self) -> bool:
        """Whether the difference may be a sum of signs under exchange."""
        return self.each is not None or self.signs is not None

    def signs_of(self, joint: Joint[Any], options: Mapping[str, Any]) -> Signs | None:
        """The terms of the difference, where it is a sum of signs with these options."""
        if self.each is None:
            return None if self.signs is None else self.signs(joint, **options)
        apart = self.each(joint.a, **options) - self.each(joint.b, **options)
        return Signs(apart, 1 / joint.n if joint.n else math.nan)


@dataclass(frozen=True)
class Notes:
    """What is said of the value on these data, from a tally and the options."""

    because: Callable[..., str] | None = None  # which of the reasons in `undefined`, parted by "; or ", holds here
    remarks: Callable[..., list[str]] | None = None  # what a reader should know of the value
