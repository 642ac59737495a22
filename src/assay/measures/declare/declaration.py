"""The facts of a measure, as they are declared and as they follow from what is declared."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from assay.measures.declare.facts import Averages, Convention, Hides, Notes, Paired, Shortcuts, Worked
from assay.measures.declare.family import FAMILIES, KINDS
from assay.measures.declare.forms import EffectiveN, IntervalForm
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Margins, OneVsRest


def spell_option(value: object) -> str:
    """An option as a spelling holds it: a matrix as its rows, divided by semicolons; a single number has one too."""
    if isinstance(value, tuple):
        rows = ";".join(" ".join(f"{x:.15g}" for x in row) for row in value)
        return rows if " " in rows or ";" in rows else f"{rows};"
    return str(value)


@dataclass(frozen=True, eq=False, repr=False)
class Declaration:
    """A formula and the facts that every page, row, interval and test is drawn from."""

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
    named: tuple[EffectiveN, ...] = ()  # closed forms that are used only where they are asked for by name
    convention: Convention | None = None
    reach: Callable[..., tuple[float, float]] | None = None  # the range with these options, where it depends on them
    averages: Averages = field(default_factory=Averages)
    shortcuts: Shortcuts = field(default_factory=Shortcuts)
    paired: Paired = field(default_factory=Paired)
    notes: Notes = field(default_factory=Notes)
    hides: Hides | None = None
    title: str = ""
    aliases: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    variants: dict[type[Tally], Self] = field(default_factory=dict)  # the same measure, read of other tallies
    variant_of: Self | None = None

    # ------------------------------------------------------------------ in words
    @property
    def summary(self) -> str:
        """What the number tells the reader, in one sentence."""
        return inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def written(self) -> str:
        """The formula as one writes it."""
        rest = inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[1:]
        return "\n".join(line.strip() for line in rest[0].splitlines()) if rest else ""

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.summary}>"

    def spelled(self, options: Mapping[str, Any]) -> str:
        """The one spelling of this measure with these options: `f1(average=macro)`."""
        shown = [
            f"{name}={spell_option(value)}"
            for name, value in options.items()
            if name != "pos_label" and value != self.options.get(name)
        ]
        return f"{self.name}({','.join(shown)})" if shown else self.name

    # ------------------------------------------------------------------ its values
    def range_with(self, options: Mapping[str, Any]) -> tuple[float, float]:
        """The values that are possible with these options, where they matter; an end may be infinite."""
        if self.reach is None:
            return self.range
        return self.reach(**{name: options.get(name, value) for name, value in self.options.items()})

    @property
    def higher_is_better(self) -> bool | None:
        """Whether the best value is the top of the range; None where neither end is better."""
        return None if self.best is None else self.best == self.range[1]

    @property
    def zero(self) -> float:
        """What a class whose value is 0/0 counts as in an average: none of it is right.

        Ratios without an end are 0/0 for perfect output too, and then nothing can stand for the class.
        """
        if math.isinf(self.range[1]):
            return math.nan
        return self.range[1] if self.best == self.range[0] else 0.0

    def options_of(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the options that this measure takes."""
        return {name: value for name, value in options.items() if name in self.options}

    # ------------------------------------------------------------------ what it is computed from
    @property
    def kind(self) -> type[Tally]:
        """The sort of tally this measure is computed from."""
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
        """This measure as it is read of such a tally."""
        return self if isinstance(tally, self.kind) else self.variants.get(type(tally), self)

    def reads_from(self, tally: Tally) -> bool:
        """Whether the measure can be computed from this tally."""
        return isinstance(tally, self.on(tally).kind)
