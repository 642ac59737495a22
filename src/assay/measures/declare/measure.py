"""The declaration of a measure: one formula with every fact about it, in one place."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.errors import DataError, OptionError, choose, listed
from assay.measures.declare.bound import AVERAGING, ELSEWHERE, Bound
from assay.measures.declare.family import FAMILIES, KINDS, build, kind_for
from assay.measures.declare.forms import EffectiveN, IntervalForm, PairedForm, Signs
from assay.options import AVERAGES, UNDEFINED
from assay.tally.class_scores import ClassScored
from assay.tally.codes import spelled
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.sampling import Floats
from assay.tally.labels import CONVENTIONAL, Confusion
from assay.tally.margins import Margins, OneVsRest


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


def in_tuples(value: Any) -> Any:
    """A matrix, whatever it came as, in tuples of rows, so that options can be compared; anything else as it is."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return tuple(in_tuples(row) for row in rows) if isinstance(rows, list | tuple) else rows


def written(value: object) -> str:
    """An option as a spelling holds it: a matrix as its rows, divided by semicolons; a single number has one too."""
    if isinstance(value, tuple):
        rows = ";".join(" ".join(f"{x:.15g}" for x in row) for row in value)
        return rows if " " in rows or ";" in rows else f"{rows};"
    return str(value)


CATALOGUE: dict[str, Measure] = {}
# Facts that hold for one kind of tally and say nothing of another.
OF_ONE_KIND = ("influence", "left_out", "signs", "paired", "interval", "quick", "because", "remarks", "losses")


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
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
    macro_interval: IntervalForm | None = None
    # Pooling counts an item several times, so the form of one class would mislead there.
    micro_interval: IntervalForm | None = None
    # Weighted by gold items, the values of the classes add up to that of the pooled table.
    weighted_is_pooled: bool = False
    convention: Convention | None = None
    # The terms of a difference that is a sum of signs under exchange, from a joint tally and the measure's own options.
    signs: Callable[..., Signs | None] | None = None
    # Of all units in one pass, where one after the other would take too long; both read the evidence and the options.
    influence: Callable[..., Any] | None = None  # the derivative of the formula in the multiplicity of each unit
    left_out: Callable[..., Any] | None = None  # the value without one item of each unit
    quick: Callable[..., float | None] | None = None  # the value straight from arrays, where it can be had so
    paired: PairedForm | None = None  # how the interval of the difference of two systems is made
    named: tuple[EffectiveN, ...] = ()  # closed forms that are used only where they are asked for by name
    because: Callable[..., str] | None = None  # which of the reasons in `undefined`, parted by "; or ", holds here
    remarks: Callable[..., list[str]] | None = None  # what a reader should know of the value on these data
    probabilities: bool = False  # scores are read as probabilities, which mean the same in all systems
    no_exchange: str | None = None  # why exchanging the answers of two systems is no test of their difference
    losses: Callable[[Any], Floats] | None = None  # of one item of each unit, where the value is their mean
    # The range with these options, where it depends on them.
    reach: Callable[..., tuple[float, float]] | None = None
    hides: Hides | None = None
    of_one_class: bool = False  # an average over classes would say nothing
    title: str = ""
    aliases: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    variants: dict[type[Tally], Measure] = field(default_factory=dict)  # the same measure, read of other tallies
    variant_of: Measure | None = None

    # ------------------------------------------------------------------ facts
    @property
    def summary(self) -> str:
        """What the number tells the reader, in one sentence."""
        return inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def written(self) -> str:
        """The formula as one writes it."""
        rest = inspect.cleandoc(self.formula.__doc__ or "").split("\n\n")[1:]
        return "\n".join(line.strip() for line in rest[0].splitlines()) if rest else ""

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

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.summary}>"

    def on(self, tally: Tally) -> Measure:
        """This measure as it is read of such a tally."""
        return self if isinstance(tally, self.kind) else self.variants.get(type(tally), self)

    @property
    def _named_by(self) -> str:
        """What the command line names such answers by."""
        option = FAMILIES[self.kind].named_by
        return f" (its system has no {option})" if option else ""

    def reads_from(self, tally: Tally) -> bool:
        """Whether the measure can be computed from this tally."""
        return isinstance(tally, self.on(tally).kind)

    # ------------------------------------------------------------------ use
    def __call__(self, *data: Any, **options: Any) -> float:
        """The value on arrays, nan where it is undefined."""
        which = self.variants.get(kind_for(self, *data), self)
        mine = {name: options.pop(name) for name in list(options) if name in which.options}
        if which.quick is not None and len(data) == 2 and not mine and not set(options) - {"pos_label"}:
            value = which.quick(*data, **options)
            if value is not None:
                return value
        tally = build(self, *data, **options)
        if self.averaged and tally.k == 1 and mine.get("pos_label") is None and "labels" not in options:
            # Of two conventional labels only one was seen, as in a fold of rare positives.
            pair = next((pair for pair in CONVENTIONAL if tally.labels[0] in pair), None)
            tally = tally if pair is None else tally.relabeled(pair)
        return self.of(tally, **mine)

    def of(self, tally: Tally, **options: Any) -> float:
        """The value on a tally, nan where it is undefined."""
        if tally.n == 0:
            return math.nan
        return float(self.bind(tally, **options).at(tally, tally.mass))

    def per_class(self, y_true: Any, y_pred: Any, **options: Any) -> dict[Any, float]:
        """The value of every class, keyed by the labels as they were given."""
        from assay.sources.arrays import encode_together

        if not self.averaged:
            raise OptionError(f"{self.name} is one number for the whole table; it has no value per class.")
        settled = {name: options.pop(name) for name in list(options) if name in self.options}
        needless = [name for name in (*AVERAGING, *ELSEWHERE) if name in settled]
        if needless:
            raise OptionError(f"{needless[0]}= does not go with per_class, which gives every class as it is.")
        tally = build(self, y_true, y_pred, **options)
        _, labels, originals = encode_together([y_true, y_pred], ["y_true", "y_pred"])
        declared = options.get("labels")
        own = {} if declared is None or isinstance(declared, str) else {spelled(label): label for label in declared}
        own |= dict(zip(labels, originals, strict=True))
        values = self.formula(OneVsRest.every(tally.margins), **settled)
        return {own.get(label, label): float(v) for label, v in zip(tally.labels, values, strict=True)}

    def cases(self, tally: Tally, options: Mapping[str, Any]) -> list[tuple[dict[str, Any], str | None]]:
        """The options to show the measure with, and the class each is of: every class, where none was asked of."""
        if not self.averaged or not isinstance(tally, Confusion) or options.get("average", "binary") != "binary":
            return [(dict(options), None)]
        named = options.get("pos_label")
        if named is None:
            named = tally.positive_label() if tally.k == 2 else tally.positive
        classes = tally.labels if named is None else (tally.labels[tally.class_index(named)],)
        return [({**options, "pos_label": label}, label) for label in classes]

    def bind(self, tally: Tally, **options: Any) -> Bound:
        """The measure with its options settled for this tally."""
        mine = self.on(tally)
        if mine is not self:
            return mine.bind(tally, **options)
        if not isinstance(tally, self.kind):
            raise DataError(
                f"{self.name} is computed from a {self.kind.kind} tally; this is a {tally.kind} tally{self._named_by}. "
                f"Make one with assay.{self.call_of_kind}."
            )
        strangers = [name for name in options if name not in self.options]
        if strangers:
            some = "options are" if len(self.options) > 1 else "only option is"
            takes = f"its {some} {listed(self.options)}" if self.options else "it takes no options"
            raise OptionError(f"{self.name} has no option {strangers[0]!r}; {takes}.")
        settled = {**self.options, **{name: in_tuples(value) for name, value in options.items()}}
        index = self._class_asked_of(tally, settled)
        if settled.get("prevalence") is not None:
            assert isinstance(tally, Confusion)
            return Bound(self, settled, index, tally.class_moved(settled["prevalence"], index))
        return Bound(self, settled, index)

    def _class_asked_of(self, tally: Tally, settled: Mapping[str, Any]) -> int | None:
        """Which class a value for one class is of; None for averages and for whole tables."""
        if not self.averaged:
            named = settled.get("pos_label")
            return tally.class_index(named) if named is not None and isinstance(tally, ClassScored) else None
        assert isinstance(tally, Confusion)
        choose(settled["average"], AVERAGES, "average")
        choose(settled["undefined"], UNDEFINED, "undefined")
        if settled["average"] != "binary" and self.of_one_class:
            raise OptionError(f"{self.name} is of one class: an average over classes would say nothing.")
        if settled["average"] != "binary":
            return None
        if settled["pos_label"] is None and tally.k != 2:
            raise OptionError(
                f"there are {tally.k} classes ({listed(tally.labels, 3)}), so {self.name} needs an average: "
                "average='macro', 'micro' or 'weighted'; or one class, with pos_label=."
            )
        if settled["pos_label"] is None and tally.positive_label() is None:
            raise OptionError(
                f"which of {listed(tally.labels)} is the positive class? "
                "Say so with pos_label=, or choose average='macro', 'micro' or 'weighted'."
            )
        return tally.class_index(settled["pos_label"])

    def options_of(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the options that this measure takes."""
        return {name: value for name, value in options.items() if name in self.options}

    def spelled(self, options: Mapping[str, Any]) -> str:
        """The one spelling of this measure with these options: `f1(average=macro)`."""
        shown = [
            f"{name}={written(value)}"
            for name, value in options.items()
            if name != "pos_label" and value != self.options.get(name)
        ]
        return f"{self.name}({','.join(shown)})" if shown else self.name


# ---------------------------------------------------------------------- declaring
def measure(**facts: Any) -> Callable[[Callable[..., Floats]], Measure]:
    """Declare a measure; a missing fact is an error at import."""
    needed = ("reads", "range", "best", "undefined", "no_skill", "worked", "cite")

    def declared(formula: Callable[..., Floats]) -> Measure:
        name = formula.__name__
        missing = [fact for fact in needed if fact not in facts]
        if not formula.__doc__ or "\n\n" not in inspect.cleandoc(formula.__doc__):
            missing.append("a docstring with a sentence and a formula")
        if missing:
            raise TypeError(f"the declaration of measure '{name}' lacks: {', '.join(missing)}.")
        if facts["best"] is not None and facts["best"] not in facts["range"]:
            raise TypeError(f"measure '{name}' has best={facts['best']}, which is no end of its range.")
        own = {p.name: p.default for p in inspect.signature(formula).parameters.values() if p.default is not p.empty}
        options = {**(AVERAGING if facts["reads"] is OneVsRest else {}), **own}
        if facts["reads"] in (OneVsRest, Margins):
            options |= ELSEWHERE
        title = facts.pop("title", name.replace("_", " ").capitalize())
        made = Measure(name=name, formula=formula, options=options, title=title, **facts)
        object.__setattr__(made, "__doc__", formula.__doc__)
        CATALOGUE[name] = made
        return made

    return declared


def variant(of: Measure, **facts: Any) -> Callable[[Callable[..., Floats]], Measure]:
    """Declare how a measure is read of another kind of tally; facts that are not given are those of the measure."""

    def declared(formula: Callable[..., Floats]) -> Measure:
        own = {p.name: p.default for p in inspect.signature(formula).parameters.values() if p.default is not p.empty}
        other = {**dict.fromkeys(OF_ONE_KIND), "named": (), **facts}
        made = dataclasses.replace(of, formula=formula, options=own, variants={}, variant_of=of, **other)
        object.__setattr__(made, "__doc__", formula.__doc__)
        of.variants[made.kind] = made
        return made

    return declared
