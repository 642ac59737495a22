"""The facts a declaration states about a measure, and what follows from them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.measures.declare.family import FAMILIES, KINDS
from assay.measures.declare.forms import EffectiveN, IntervalForm, PairedForm, Signs
from assay.measures.declare.means import Mean
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Margins, OneVsRest


@dataclass(frozen=True)
class Worked:
    """An example counted by hand: a tally, the options, the value, and the calculation in words."""

    tally: Tally
    options: Mapping[str, Any]
    value: float
    how: str


@dataclass(frozen=True)
class Hides:
    """Two tables the measure cannot tell apart though one is clearly better, and a measure that can."""

    tables: tuple[Tally, Tally]
    why: str
    told_by: str  # a measure that tells them apart


@dataclass(frozen=True)
class Convention:
    """The value shown where the formula is 0/0, and the reason for it."""

    value: float
    why: str


# ---------------------------------------------------------------------- groups
@dataclass(frozen=True)
class Averages:
    """What is known about the averages of a measure of one class against the rest."""

    macro_interval: IntervalForm | None = None
    macro_named: tuple[EffectiveN, ...] = ()  # used only when requested by name
    # Pooling counts an item several times, so the form for one class would be misleading.
    micro_interval: IntervalForm | None = None
    # Weighted by gold items, the values of the classes add up to that of the pooled table.
    weighted_is_pooled: bool = False
    of_one_class: bool = False  # an average over classes would say nothing


@dataclass(frozen=True)
class Shortcuts:
    """The same numbers in one pass, for when going through the units one by one would take too long.

    The first two read the evidence and the options, the last the user's arrays.
    """

    influence: Callable[..., Any] | None = None  # the derivative in the multiplicity of each unit
    left_out: Callable[..., Any] | None = None  # the value without one item of each unit
    quick: Callable[..., float | None] | None = None  # the value straight from arrays, if it can be computed that way


@dataclass(frozen=True)
class Paired:
    """What is known about the difference between two systems on the same items."""

    # From a tally and the measure's own options: the value of one item of each unit, if the measure is their mean.
    each: Callable[..., Floats] | None = None
    needed: Callable[..., NDArray[np.bool_]] | None = None  # the items without any of which that mean is undefined
    few_carry: bool = False  # a few items may carry most of the variance of such a mean's difference
    # From a joint tally and the options: the terms of a difference that is a sum of signs under exchange.
    signs: Callable[..., Signs | None] | None = None
    form: PairedForm | None = None  # closed forms of its interval
    as_they_are: bool = False  # answers mean the same in all systems, so they are exchanged without being ranked
    no_exchange: str | None = None  # why exchanging the answers does not test the difference

    @property
    def is_signed(self) -> bool:
        """Whether the difference may be a sum of signs under exchange."""
        return self.each is not None or self.signs is not None

    def mean_of(self, tally: Tally, options: Mapping[str, Any]) -> Mean | None:
        """The values whose mean the measure is with these options, if it is one."""
        if self.each is None:
            return None
        return Mean(self.each(tally, **options), None if self.needed is None else self.needed(tally, **options))

    def signs_of(self, joint: Joint[Any], options: Mapping[str, Any]) -> Signs | None:
        """The terms of the difference, where it is a sum of signs with these options."""
        if self.each is None:
            return None if self.signs is None else self.signs(joint, **options)
        apart = self.each(joint.a, **options) - self.each(joint.b, **options)
        return Signs(apart, 1 / joint.n if joint.n else math.nan)


@dataclass(frozen=True)
class Notes:
    """Remarks on the value, for these data from a tally and the options, or in words where a number would not do."""

    because: Callable[..., str] | None = None  # which of the reasons in `undefined`, separated by "; or ", applies here
    remarks: Callable[..., list[str]] | None = None  # what a reader should know about the value
    no_model: str = ""  # the value of the same score for every item, where that is the baseline; π is the base rate
    ends: str = ""  # the range in words, where it depends on options


def spell_option(value: object) -> str:
    """An option as it is spelled: a matrix as rows separated by semicolons; a single number ends with one too."""
    if isinstance(value, tuple):
        rows = ";".join(" ".join(f"{x:.15g}" for x in row) for row in value)
        return rows if " " in rows or ";" in rows else f"{rows};"
    return str(value)


@dataclass(frozen=True, eq=False, repr=False)
class Declaration:
    """A formula and the facts from which every page, row, interval and test follows."""

    name: str
    formula: Callable[..., Floats]
    reads: type[Any]
    range: tuple[float, float]
    best: float | None  # None where neither end is better: the number describes the data, not the system
    undefined: str
    worked: tuple[Worked, ...]
    cite: str
    no_skill: str | float | None = None
    interval: IntervalForm | None = None
    named: tuple[EffectiveN, ...] = ()  # closed forms that are used only when requested by name
    convention: Convention | None = None
    reach: Callable[..., tuple[float, float]] | None = None  # the range with these options, if it depends on them
    averages: Averages = field(default_factory=Averages)
    shortcuts: Shortcuts = field(default_factory=Shortcuts)
    paired: Paired = field(default_factory=Paired)
    notes: Notes = field(default_factory=Notes)
    # From the options, what classes that occur nowhere are to the value of a whole table: if not declared, ignored by
    # what reads its margins and counted by what reads its cells.
    empty_classes: Callable[..., str] | None = None
    hides: Hides | None = None
    title: str = ""
    aliases: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    variants: dict[type[Tally], Self] = field(default_factory=dict)  # the same measure, computed from other tallies
    variant_of: Self | None = None

    # ------------------------------------------------------------------ in words
    @property
    def summary(self) -> str:
        """What the number means, in one sentence."""
        return inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def written(self) -> str:
        """The formula as people write it."""
        rest = inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[1:]
        return "\n".join(line.strip() for line in rest[0].splitlines()) if rest else ""

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.summary}>"

    def spelled(self, options: Mapping[str, Any]) -> str:
        """The one spelling of this measure with these options: `f1(average=macro)`, `ndcg@10`."""
        given = {
            name: value for name, value in options.items() if name != "pos_label" and value != self.options.get(name)
        }
        # Of a whole list, unless it is cut off: then the rank is part of the name.
        cut = f"@{given.pop('k')}" if self.options.get("k", 0) is None and "k" in given else ""
        shown = ",".join(f"{name}={spell_option(value)}" for name, value in given.items())
        return f"{self.name}{cut}({shown})" if shown else f"{self.name}{cut}"

    # ------------------------------------------------------------------ its values
    def range_with(self, options: Mapping[str, Any]) -> tuple[float, float]:
        """The range of values possible with these options; an end may be infinite."""
        if self.reach is None:
            return self.range
        return self.reach(**{name: options.get(name, value) for name, value in self.options.items()})

    @property
    def higher_is_better(self) -> bool | None:
        """Whether the best value is the top of the range; None where neither end is better."""
        return None if self.best is None else self.best == self.range[1]

    @property
    def zero(self) -> float:
        """What a class whose value is 0/0 counts as in an average: as if none of it were right.

        Unbounded ratios are 0/0 for perfect output too, and then no value can represent the class.
        """
        if math.isinf(self.range[1]):
            return math.nan
        return self.range[1] if self.best == self.range[0] else 0.0

    def options_of(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The given options that this measure takes."""
        return {name: value for name, value in options.items() if name in self.options}

    # ------------------------------------------------------------------ what it is computed from
    @property
    def kind(self) -> type[Tally]:
        """The kind of tally this measure is computed from."""
        return KINDS[self.evidence]

    @property
    def evidence(self) -> type[Evidence]:
        """The evidence class: one-vs-rest formulas read margins."""
        return Margins if self.reads is OneVsRest else self.reads

    @property
    def averaged(self) -> bool:
        """Whether the formula gives one value per class, to be averaged."""
        return self.reads is OneVsRest

    @property
    def call_of_kind(self) -> str:
        """How a tally of this kind is made from data."""
        builder = FAMILIES[self.kind].builder
        maker = getattr(self.kind, builder)
        needed = [p.name for p in inspect.signature(maker).parameters.values() if p.default is p.empty]
        return f"{self.kind.__name__}.{builder}({', '.join(needed)})"

    def on(self, tally: Tally) -> Self:
        """This measure as it is computed from such a tally."""
        return self if isinstance(tally, self.kind) else self.variants.get(type(tally), self)

    def reads_from(self, tally: Tally) -> bool:
        """Whether the measure can be computed from this tally."""
        return isinstance(tally, self.on(tally).kind)
