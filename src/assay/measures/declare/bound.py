"""A measure with its options settled for a tally."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.errors import in_plural
from assay.measures.declare import average as averages
from assay.measures.declare.classes import BETWEEN, COUNTED, IGNORED, reads_the_rest, without_empty
from assay.measures.declare.facts import Declaration
from assay.measures.declare.forms import BoundedMean, EffectiveN, IntervalForm, Proportion, Signs
from assay.measures.declare.means import Mean
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Evidence, Linear, Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.margins import Cells, Margins, OneVsRest

AVERAGING: dict[str, Any] = {"average": "binary", "pos_label": None, "undefined": "zero"}
# Every measure of hits and margins can be computed at another prevalence than that of the data.
ELSEWHERE: dict[str, Any] = {"prevalence": None}


@dataclass(frozen=True, eq=False)
class Bound:
    """A measure with its options settled: a function from evidence to numbers."""

    measure: Declaration
    options: Mapping[str, Any]
    index: int | None = None
    positive: int | None = None  # the class whose prevalence is changed, if one was requested
    among: averages.Among | None = None  # the classes an average is taken over, if not simply those that occur

    @property
    def evidence(self) -> type[Evidence]:
        """The evidence this measure reads."""
        return self.measure.evidence

    @property
    def spelling(self) -> str:
        """The measure with its options, as users write it."""
        return self.measure.spelled(self.options)

    @property
    def range(self) -> tuple[float, float]:
        """The range of values possible with these options; an end may be infinite."""
        return self.measure.range_with(self.own)

    @property
    def own(self) -> dict[str, Any]:
        """The options that the formula itself takes, without those of averages."""
        others = (*AVERAGING, *ELSEWHERE) if self.measure.averaged else ELSEWHERE
        return {name: value for name, value in self.options.items() if name not in others}

    @property
    def average(self) -> str:
        """The average as it is computed: an average weighted by gold items may equal the pooled value."""
        if not self.measure.averaged:
            return "binary"
        pooled = self.measure.averages.weighted_is_pooled and self.options["average"] == "weighted"
        return "micro" if pooled else str(self.options["average"])

    @property
    def formula(self) -> Callable[[Any], Floats]:
        """The formula with its own options settled."""
        return partial(self.measure.formula, **self.own) if self.own else self.measure.formula

    def __call__(self, evidence: Any) -> Floats:
        """The values, with conventions applied and nan where undefined."""
        return self._filled(self.raw(evidence))

    def raw(self, evidence: Any) -> Floats:
        """The formula's own values, nan wherever it is 0/0."""
        m, o = self.measure, self.options
        if self.positive is not None:
            evidence = evidence.at_prevalence(self.positive, o["prevalence"])
        if m.averaged:
            how = (self.average, self.index, o["undefined"], m.zero, self.among)
            return averages.average_of(self.formula, evidence, *how)
        return np.asarray(self.formula(evidence))

    def _filled(self, values: Floats) -> Floats:
        convention = self.measure.convention
        return values if convention is None else np.where(np.isnan(values), convention.value, values)

    def over_classes_that_occur(self) -> Bound:
        """The same without the declared classes that do not occur."""
        return self if self.among is None else dataclasses.replace(self, among=None)

    @property
    def empty_classes(self) -> str:
        """What classes that occur nowhere are to the value: ignored, distances between others, or counted."""
        if self.positive is not None or self.among is not None:
            return COUNTED
        if self.measure.averaged:
            return COUNTED if self.average == "micro" and reads_the_rest(self.formula) else IGNORED
        if self.measure.empty_classes is not None:
            return self.measure.empty_classes(**self.own)
        return IGNORED if self.evidence is Margins else COUNTED  # margins of an empty class are 0

    def without_empty(self, *tallies: Tally) -> tuple[Bound, tuple[Tally, ...]]:
        """The same without the classes that occur nowhere, if the value does not depend on them."""
        labeled = [tally for tally in tallies if isinstance(tally, Confusion)]
        how = self.empty_classes
        if not labeled or how == COUNTED or (how == BETWEEN and tally_outside(labeled[0])):
            return self, tallies
        label = None if self.index is None else labeled[0].labels[self.index]
        found = without_empty(*labeled, between=how == BETWEEN, kept=self.index)
        index = None if label is None else found[0].labels.index(label)
        return dataclasses.replace(self, index=index), found

    def with_absent(self, tally: Tally, value: float) -> float:
        """A mean over the classes that occur, extended to declared classes that do not."""
        if self.among is None:
            return value
        evidence: Any = self.evidence.of(tally, tally.mass)
        unseen = self.among.always & ~evidence.seen
        theirs = np.asarray(self.formula(OneVsRest.every(evidence).only(unseen)))
        if self.options["undefined"] == "exclude":
            theirs = theirs[~np.isnan(theirs)]
        seen = int(evidence.seen.sum())
        return float(
            (value * seen + np.where(np.isnan(theirs), self.measure.zero, theirs).sum()) / (seen + len(theirs))
        )

    def share_that_occurs(self, tally: Tally) -> float:
        """How much of a mean over classes is over those that occur; the others are the same in every sample."""
        return 1.0 if self.among is None else self.with_absent(tally, 1.0) - self.with_absent(tally, 0.0)

    def narrowed(self, tally: Tally) -> tuple[Bound, Tally]:
        """The same measure on a smaller table, if it is about one class and there are more than two."""
        if self.index is not None and isinstance(tally, ClassScored) and self.measure.variant_of is not None:
            usual = self.measure.variant_of
            kept = {name: self.options.get(name, value) for name, value in usual.options.items()}
            return Bound(usual, kept), tally.versus_rest(self.index)
        if not isinstance(tally, Confusion):
            return self, tally
        if self.index is None or self.options["average"] != "binary":
            bound, (small,) = self.without_empty(tally)
            return bound, small
        small = tally.versus_rest(self.index)
        if small is tally:
            return self, tally
        options = {**self.options, "pos_label": tally.labels[self.index]}
        return Bound(self.measure, options, 1, None if self.positive is None else 1), small

    def narrowed_pair(self, joint: Joint[Any]) -> tuple[Bound, Joint[Any]]:
        """The same for two systems, whose units stay paired."""
        if self.index is None:
            bound, (one, other) = self.without_empty(joint.a, joint.b)
            return bound, joint if one is joint.a else Joint(one, other, joint.names)
        bound, small = self.narrowed(joint.a)
        if small is joint.a:
            return self, joint
        a, b = (side.unmerged_versus_rest(self.index) for side in (joint.a, joint.b))
        return bound, Joint(a, b, joint.names).collected()

    def signs(self, joint: Joint[Any]) -> Signs | None:
        """The terms of a difference that is a sum of signs under exchange, from keys that can be exchanged."""
        return self.measure.paired.signs_of(joint, self.own)

    def at(self, tally: Tally, w: Floats) -> Floats:
        """The values at multiplicities w."""
        whole = self.evidence.whole or w.dtype.kind != "i"
        return self(self.evidence.of(tally, w if whole else w.astype(np.float64)))

    def view(self, tally: Tally, w: Floats) -> Any:
        """What the form of the interval reads: one class, the pooled table, or all the evidence."""
        evidence: Any = self.evidence.of(tally, w)
        if not self.measure.averaged:
            return evidence
        seen = averages.view(evidence, self.average, self.index)
        if self.average == "macro" and self.options["undefined"] == "exclude":
            return seen.only(~np.isnan(self.formula(seen)))
        return seen

    def every_class(self, tally: Tally) -> OneVsRest:
        """The four counts of every class."""
        evidence: Any = self.evidence.of(tally, tally.mass)
        return averages.view(evidence, "macro", None)

    def form(self, tally: Tally) -> IntervalForm | None:
        """How the interval is computed by default, or None for the default of this kind of tally."""
        m = self.measure
        if self.positive is not None:
            return None
        average = self.average
        declared = {"binary": m.interval, "macro": m.averages.macro_interval, "micro": m.averages.micro_interval}
        chosen = declared.get(average)
        if average == "macro" and self.options["undefined"] == "null":
            chosen = None
        if average == "micro" and isinstance(chosen, Proportion) and chosen != m.interval and tally_outside(tally):
            # A share, because a wrong label is one false alarm and one miss; outside the classes it is only a miss.
            chosen = None
        if isinstance(chosen, Proportion):
            return chosen.settled(self.own)
        if isinstance(chosen, EffectiveN):
            classes = getattr(tally, "k", 1)
            fits = chosen.classes[0] <= classes <= chosen.classes[1]
            fits &= chosen.when is None or chosen.when(**self.own)
            # These forms were not studied on tables with one more column than rows.
            return chosen if fits and not (chosen.reads is Cells and tally_outside(tally)) else None
        return chosen

    @property
    def named_forms(self) -> tuple[EffectiveN, ...]:
        """Closed forms of the interval that are used only when requested by name."""
        m = self.measure
        return {"binary": m.named, "macro": m.averages.macro_named}.get(self.average, ())

    def items(self, tally: Tally) -> int:
        """How many items the value is based on: for a mean, those with a value of their own; otherwise all."""
        form = self.form(tally)
        if not isinstance(form, BoundedMean):
            return tally.n
        _, number = form.parts(tally, **self.own)
        return int(tally.counts[number > 0].sum())

    def counted(self, tally: Tally) -> float | None:
        """The rows that the value rests on, if they are not simply all of them; rows, not their weights.

        The denominator of a share: the positives for recall, those called positive for precision. For F1, which ignores
        the true negatives of its class, the rows that are positive or called positive.
        """
        form = self.form(tally)
        rows = self.view(tally, tally.counts.astype(np.float64))
        if isinstance(form, Proportion):
            return form.of(rows)[1]
        if self.index is None or self.average != "binary" or self.positive is not None or reads_the_rest(self.formula):
            return None
        return float(rows.tp + rows.fp + rows.fn)

    def mean(self, tally: Tally) -> Mean | None:
        """The values of the items, if the measure is their mean."""
        return self.measure.paired.mean_of(tally, self.own)

    @property
    def has_influence(self) -> bool:
        """Whether the influence of one item of each unit can be computed in one pass."""
        return self.measure.shortcuts.influence is not None or self.measure.paired.each is not None

    def influence(self, tally: Tally, w: Floats) -> Floats | None:
        """The influence of one item of each unit at multiplicities w, if it can be computed in one pass."""
        found = self._in_one_pass(self.measure.shortcuts.influence, tally, w)
        mean = self.mean(tally) if found is None else None
        return found if mean is None else mean.influence(w)

    def left_out(self, tally: Tally) -> Floats | None:
        """The values without one item or cluster of each kind, if they can be computed in one pass."""
        if tally.clusters is None:
            found = self._in_one_pass(self.measure.shortcuts.left_out, tally, tally.mass)
            if found is not None:
                return found
        mean = None if issubclass(self.evidence, Linear) else self.mean(tally)  # sums take away what an item adds
        return None if mean is None else mean.left_out(tally)

    def _in_one_pass(self, shortcut: Callable[..., Any] | None, tally: Tally, w: Floats) -> Floats | None:
        found = None if shortcut is None else shortcut(self.evidence.of(tally, w), **self.own)
        return None if found is None else self.evidence.per_unit(tally, found)

    def notes(self, tally: Tally) -> list[str]:
        """Conventions, and classes that a reader should know about."""
        m = self.measure
        out: list[str] = []
        evidence: Any = m.evidence.of(tally, tally.mass)
        if m.averaged:
            assert isinstance(tally, Confusion)
            o = self.options
            why = (m.undefined, m.zero, tally.absent)
            out += averages.notes(self.formula, evidence, o["average"], o["undefined"], tally.labels, *why)
        if m.convention is not None and np.isnan(self.raw(evidence)):
            chance = ", the value expected by chance" if sum(m.range) == 0 == m.convention.value else ""
            out.append(f"0/0 because {m.convention.why}; shown as {m.convention.value:g}{chance}")
        if m.notes.remarks is not None:
            out += m.notes.remarks(tally, **self.own)
        return out

    def why_undefined(self, tally: Tally) -> str:
        """The reason why there is no value."""
        m = self.measure
        if tally.n == 0:
            return f"there are no {in_plural(tally.item)}"
        return m.undefined if m.notes.because is None else m.notes.because(tally, **self.own)

    def guesses(self, tally: Tally) -> list[tuple[str, float]]:
        """Ways to answer without a model, and the value that each gives."""
        m = self.measure
        if not isinstance(m.no_skill, str):
            return [] if m.no_skill is None else [("chance", float(m.no_skill))]
        bound, (small,) = self.without_empty(tally)
        found = m.evidence.no_model(small, bound.index)
        if found is None:
            return []
        values = np.round(bound(found[1]), 12) + 0.0  # more digits would be noise; 1e-16 and -0 read badly
        return list(zip(found[0], values.tolist(), strict=True))

    def no_skill(self, tally: Tally) -> tuple[float, str] | None:
        """The no-model baseline, and the answer that gives it."""
        m = self.measure
        tried = [(value, name) for name, value in self.guesses(tally) if not math.isnan(value)]
        if not tried:
            return None
        best = (min if m.higher_is_better is False else max)(tried, key=lambda guess: guess[0])
        # Always predicting a class finds all of it: such a baseline says nothing about a single class,
        # unless that answer is right for every item.
        perfect = self.index is not None and best[0] == m.best
        return None if perfect and len(tally.gold_margins()) > 1 else best


def tally_outside(tally: Tally) -> bool:
    """Whether predictions may lie outside the classes."""
    return bool(getattr(tally, "outside", ""))
