"""The declaration of a measure: one formula with every fact about it, in one place, and the options it may take."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from assay.errors import DataError, OptionError, choose, did_you_mean, listed
from assay.lazily import call
from assay.measures.declare.average import Among
from assay.measures.declare.bound import AVERAGING, ELSEWHERE, Bound
from assay.measures.declare.call import data_names, help_of, in_our_words, signature_of
from assay.measures.declare.facts import Averages, Declaration, Notes, Paired, Shortcuts
from assay.measures.declare.family import FAMILIES, build, in_pair, kind_for, refuse_no_probabilities
from assay.measures.declare.settings import OPTIONS, check_options, in_tuples
from assay.options import AVERAGES
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.contract.codes import class_names, refuse_misspelt, spelled
from assay.tally.contract.sampling import Floats
from assay.tally.labels import CONVENTIONAL, Confusion
from assay.tally.margins import Margins, OneVsRest

CATALOGUE: dict[str, Measure] = {}
GROUPS: dict[str, type[Any]] = {"averages": Averages, "shortcuts": Shortcuts, "paired": Paired, "notes": Notes}
# Facts that hold for one kind of tally only.
OF_ONE_KIND: dict[str, Any] = {"interval": None, "named": (), **{name: group() for name, group in GROUPS.items()}}


# What a user looks for on a measure; the rest is for the code.
PUBLIC = (
    "aliases", "best", "cite", "estimate", "higher_is_better", "name", "of", "options", "per_class", "per_query",
    "range", "summary", "title", "undefined",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Measure(Declaration):
    """A declared measure with what computes its values."""

    def __getattr__(self, name: str) -> Any:
        """What tools look for on a function: name, signature and help, made when they are needed."""
        made: Any
        if name in ("__name__", "__qualname__"):
            made = self.name
        elif name == "__signature__":
            made = signature_of(self)
        else:
            raise AttributeError(f"measure {self.name} has no attribute {name!r}")
        return made

    def __dir__(self) -> list[str]:
        return sorted(PUBLIC)

    def __reduce__(self) -> tuple[Any, ...]:
        # There is one object per measure, so a copy is the measure itself, found by its name.
        found = "measures.declare.catalogue:find"
        if self.variant_of is None:
            return call, (found, self.name)
        return call, ("measures.declare.catalogue:find_variant", self.name, self.kind.kind)

    def __call__(self, *data: Any, **options: Any) -> float:
        """The value on arrays, nan where it is undefined."""
        data, options = in_our_words(self, data, options, data_names(self))
        which = self.variants.get(kind_for(self, *data), self)
        mine = {name: options.pop(name) for name in list(options) if name in which.options}
        if which.shortcuts.quick is not None and len(data) == 2 and not mine and not set(options) - {"pos_label"}:
            value = which.shortcuts.quick(*data, **options)
            if value is not None:
                return value
        if self.averaged and not isinstance(options.get("labels", ""), str | None):
            over = options.pop("labels")
            return self._filled(self.over(over, build(self, *data, **options), mine), mine)
        tally = build(self, *data, once=True, **options)
        if self.averaged and "labels" not in options:
            tally = in_pair(tally, mine.get("pos_label"))
        value = self.of(tally, **mine)
        if math.isnan(value) and tally.n:
            refuse_no_probabilities(self.bind(tally, **mine).why_undefined(tally), self.name)
        return self._filled(value, mine)

    def _filled(self, value: float, given: Mapping[str, Any]) -> float:
        """The value, or what 0/0 counts as if the caller named it: a value of one class is nan unless zero is given."""
        return self.zero if math.isnan(value) and given.get("undefined") == "zero" else value

    def over(self, labels: Sequence[object], tally: Confusion, options: Mapping[str, Any]) -> float:
        """The value over the listed classes: rows of other classes count as wrong and form no class of their own."""
        names = class_names(labels)
        refuse_misspelt(names, tally.labels)
        others = [label for label in tally.labels if label not in set(names)]
        whole = tally.relabeled((*names, *others))
        bound = self.bind(whole, **{"pos_label": _second(names), **options})
        if bound.index is not None:
            return float(bound.at(whole, whole.mass))
        absent = set(names) - set(tally.labels) | {name for name in names if name in tally.absent}
        among = Among.of(whole.labels, absent, names)
        return float(dataclasses.replace(bound, among=among).at(whole, whole.mass))

    def estimate(self, *data: Any, **options: Any) -> Any:
        """The value with its interval, from arrays or a tally; takes the options of `assay.estimate` too."""
        return call("uncertainty.one.estimate:estimate", self, *data, **options)

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
        _, options = in_our_words(self, (y_true, y_pred), options, data_names(self))
        settled = {name: options.pop(name) for name in list(options) if name in self.options}
        undefined = settled.pop("undefined", None)
        needless = [name for name in (*AVERAGING, *ELSEWHERE) if name in settled]
        if needless:
            raise OptionError(f"{needless[0]}= does not go with per_class, which gives the value of every class.")
        listed_labels = options.get("labels")
        if not isinstance(listed_labels, str | None):
            options = {**options, "labels": None}
        tally = build(self, y_true, y_pred, **options)
        if not isinstance(listed_labels, str | None):
            names = class_names(listed_labels)
            refuse_misspelt(names, tally.labels)
            tally = tally.relabeled((*names, *(label for label in tally.labels if label not in names)))
        _, labels, originals = encode_together([y_true, y_pred], ["y_true", "y_pred"])
        declared = [] if isinstance(listed_labels, str | None) else listed_labels
        own = {spelled(label): label for label in declared} | dict(zip(labels, originals, strict=True))
        values = self.formula(OneVsRest.every(tally.margins), **settled)
        if undefined == "zero":
            values = np.where(np.isnan(values), self.zero, values)
        shown = tally.labels[: len(declared)] if len(declared) else tally.labels
        return {own.get(label, label): float(v) for label, v in zip(shown, values[: len(shown)], strict=True)}

    def per_query(self, *data: Any, **options: Any) -> dict[str, float]:
        """The value of each query by its name, if the measure is a mean over queries."""
        data, options = in_our_words(self, data, options, data_names(self))
        mine = {name: options.pop(name) for name in list(options) if name in self.options}
        tally = build(self, *data, **options)
        mean, names = self.bind(tally, **mine).mean(tally), getattr(tally, "unit_names", None)
        if mean is None or names is None:
            raise OptionError(f"{self.name} is not a mean over queries, so queries have no values of their own.")
        return dict(zip(names, mean.each.tolist(), strict=True))

    def cases(self, tally: Tally, options: Mapping[str, Any]) -> list[tuple[dict[str, Any], str | None]]:
        """The options to show the measure with, and the class of each: every class, if none was requested."""
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
        self.refuse_unknown(options)
        given = {name: in_tuples(value) for name, value in options.items()}
        check_options(given, self.options)
        settled = {**self.options, **given}
        index = self._class_asked_of(tally, settled)
        if settled.get("prevalence") is not None:
            assert isinstance(tally, Confusion)
            return Bound(self, settled, index, tally.class_moved(settled["prevalence"], index))
        return Bound(self, settled, index, among=self._among(tally, settled))

    def refuse_unknown(self, options: Iterable[str]) -> None:
        """Refuse an option that the measure does not have."""
        strangers = [name for name in options if name not in self.options]
        if strangers:
            some = "options are" if len(self.options) > 1 else "only option is"
            takes = f"its {some} {listed(self.options)}" if self.options else "it takes no options"
            hint = did_you_mean(strangers[0], self.options, "{}=")
            raise OptionError(f"{self.name} has no option {strangers[0]!r}; {takes}.{hint}")

    def _among(self, tally: Tally, settled: Mapping[str, Any]) -> Among | None:
        """The declared classes that count in a mean over classes though they do not occur."""
        macro = self.averaged and settled["average"] == "macro"
        return Among.of(tally.labels, tally.absent) if macro and isinstance(tally, Confusion) else None

    @property
    def _named_by(self) -> str:
        """The command-line option that names such answers."""
        option = FAMILIES[self.kind].named_by
        return f" (its system has no {option})" if option else ""

    def _class_asked_of(self, tally: Tally, settled: Mapping[str, Any]) -> int | None:
        """The class that a value is for; None for averages and for whole tables."""
        if not self.averaged:
            named = settled.get("pos_label")
            return tally.class_index(named) if named is not None and isinstance(tally, ClassScored) else None
        assert isinstance(tally, Confusion)
        choose(settled["average"], AVERAGES, "average")
        if settled["average"] != "binary" and self.averages.of_one_class:
            raise OptionError(f"{self.name} is defined for one class only: an average over classes would mean nothing.")
        if settled["average"] != "binary":
            return None
        if settled["pos_label"] is None and tally.k != 2:
            if tally.k == 1:
                raise OptionError(
                    f"{listed(tally.labels)} is the only label, so {self.name} needs to know the positive class, "
                    "pos_label=, and all classes, labels=."
                )
            raise OptionError(
                f"there are {tally.k} classes ({listed(tally.labels, 3)}), so {self.name} needs an average: "
                "average='macro', 'micro' or 'weighted'; or one class, with pos_label=."
            )
        if settled["pos_label"] is None and tally.positive_label() is None:
            raise OptionError(
                f"which of {listed(tally.labels)} is the positive class? "
                "Name it with pos_label=, or choose average='macro', 'micro' or 'weighted'."
            )
        return tally.class_index(settled["pos_label"])


class _Help:
    """The docstring of each measure with its parameters, written when help is requested."""

    def __get__(self, measure: Measure | None, kind: type[Measure]) -> str:
        if measure is None:
            return "A declared measure: call it on arrays, or ask for `.estimate(...)` to have its interval too."
        return help_of(measure, {name: option.sentence for name, option in OPTIONS.items()})


Measure.__doc__ = cast("Any", _Help())


def _second(names: Sequence[str]) -> str | None:
    """The positive one of two listed classes, if convention says which."""
    return names[1] if tuple(names) in CONVENTIONAL else None


# ---------------------------------------------------------------------- declaring
def _refuse_strangers(name: str, facts: Mapping[str, Any]) -> None:
    """Refuse an unknown fact of a measure; for one that belongs to a group, the message says which."""
    known = {each.name for each in dataclasses.fields(Measure)}
    for fact in facts:
        if fact not in known:
            homes = (f"{g}={made.__name__}({fact}=…)" for g, made in GROUPS.items() if fact in made.__annotations__)
            home = next(homes, "")
            raise TypeError(f"measure '{name}' declares {fact}=, an unknown fact{f'; write {home}' if home else ''}.")


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
        _refuse_strangers(name, facts)
        if facts["best"] is not None and facts["best"] not in facts["range"]:
            raise TypeError(f"measure '{name}' has best={facts['best']}, which is not an end of its range.")
        own = {p.name: p.default for p in inspect.signature(formula).parameters.values() if p.default is not p.empty}
        options = {**(AVERAGING if facts["reads"] is OneVsRest else {}), **own}
        if facts["reads"] in (OneVsRest, Margins) and name not in ELSEWHERE:
            options |= ELSEWHERE
        title = facts.pop("title", name.replace("_", " ").capitalize())
        made = Measure(name=name, formula=formula, options=options, title=title, **facts)
        CATALOGUE[name] = made
        return made

    return declared


def variant(of: Measure, **facts: Any) -> Callable[[Callable[..., Floats]], Measure]:
    """Declare how a measure is computed from another kind of tally; facts not given are those of the measure."""

    def declared(formula: Callable[..., Floats]) -> Measure:
        own = {p.name: p.default for p in inspect.signature(formula).parameters.values() if p.default is not p.empty}
        _refuse_strangers(of.name, facts)
        other = {**OF_ONE_KIND, **facts}
        made = dataclasses.replace(of, formula=formula, options=own, variants={}, variant_of=of, **other)
        of.variants[made.kind] = made
        return made

    return declared
