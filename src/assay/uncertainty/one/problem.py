"""The input of an interval, and its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from assay.errors import OptionError, plural
from assay.measures.declare import average as averages
from assay.measures.declare.bound import Bound
from assay.measures.declare.forms import EffectiveN, IntervalForm, Proportion
from assay.tally.contract.base import Tally, Weights
from assay.tally.contract.hot import Hot
from assay.tally.contract.sampling import Floats, Ints, add_up
from assay.uncertainty.one.influence import influences, is_linear, unit_hots
from assay.uncertainty.one.shares import normal_quantile

SMALL_TABLE = 4  # the largest table for which drawn tables were found to cover
NOTHING = 1e-20  # a variance that rounding alone can make; one error in 10⁹ rows makes a hundred times as much
NO_VARIATION = "the units show no variation, so the uncertainty cannot be estimated"

ONE_CLUSTER = "all rows lie in one cluster"

Form = TypeVar("Form")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Limits:
    """Two limits, or the reason why there are none."""

    low: float | None
    high: float | None
    method: str
    reason: str | None = None
    notes: tuple[str, ...] = ()
    undefined_draws: int = 0
    drawn: bool = False
    standard_error: float | None = None  # of the value, where the method rests on one
    as_it_is: bool = False  # a textbook's limits, even where they have zero width or exclude the estimate


def why_too_few(n: float, tally: Tally) -> str | None:
    """Why there is no interval where fewer than two items or clusters were sampled; None where there are more."""
    if n >= 2:
        return None
    return ONE_CLUSTER if tally.clusters is not None else f"there is only {plural(1, tally.item)}"


def required_form(bound: Bound, tally: Tally, kind: type[Form], what: str, method: str) -> Form:
    """The form of this kind that a method needs, or an error where the measure has another one or rows have weights."""
    form = bound.form(tally)
    if not isinstance(form, kind):
        raise OptionError(f"{bound.spelling} is not {what}; use the method auto.")
    if tally.weights is not None:
        raise OptionError(f"{method} assumes rows of equal weight; use the method auto.")
    return form


def weight_factor(weights: Weights, u: Floats) -> float:
    """By how much unequal weights multiply the variance that the influences of equal ones would have."""
    variance = float((weights.squares * u**2).sum())
    # Without any influence (a perfect table, systems that answer alike) it is that of the total: Kish's design effect.
    if variance <= NOTHING:
        return float(weights.squares.sum() / weights.total.sum())
    return variance / float((weights.total * u**2).sum())


@dataclass(frozen=True)
class Problem:
    """What an interval is made for: a measure, a tally, a value, and how much drawing is allowed."""

    bound: Bound
    tally: Tally
    value: float
    level: float
    draws: int
    seed: int
    shrink: float = 1.0  # what every count is divided by, where items are known to carry less information
    inflate: float = 1.0  # what the variance of a closed form is multiplied by, where a table cannot be divided
    strict: bool = False  # for gates: excludes the true value on one side no more often than the level says
    # What does not depend on the level is computed once, for this problem and for the same one at other levels.
    found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """What defines the problem: what was computed for it may not be stored, and is computed again."""
        return {**{each.name: getattr(self, each.name) for each in dataclasses.fields(self)}, "found": {}}

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """What was made before for the same items, or is made now."""
        key = (name, id(self.tally), self.shrink, self.inflate)
        if key not in self.found:
            self.found[key] = self.tally, make()  # with the tally, whose identity would otherwise be given away
        made: Made = self.found[key][1]
        return made

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(self.level)

    @cached_property
    def factor(self) -> float:
        """By how much unequal weights multiply the variance that the table alone would have."""
        weights = self.tally.weights
        if weights is None:
            return self.shrink
        return weight_factor(weights, influences(self.bound, self.tally, self.tally.mass))

    # ------------------------------------------------------------------ forms
    @cached_property
    def form(self) -> IntervalForm | None:
        """How the interval is made by default, or None for the default of this kind of tally."""
        form = self.bound.form(self.tally)
        return None if isinstance(form, EffectiveN) and not self._studied(form) else form

    def closed(self, name: str) -> EffectiveN | None:
        """The closed form of this name: the default one, or one that is used by name only."""
        if isinstance(self.form, EffectiveN) and self.form.name == name:
            return self.form
        named = (form for form in self.bound.named_forms if form.name == name and self._studied(form))
        return next(named, None)

    def _studied(self, form: EffectiveN) -> bool:
        """Whether the form was made for this many classes and for these options."""
        classes, usual = getattr(self.tally, "k", 1), self.bound.measure.options
        changed = (name for name, value in self.bound.own.items() if value is not usual[name] and value != usual[name])
        return form.classes[0] <= classes <= form.classes[1] and (form.takes_options or not any(changed))

    # ------------------------------------------------------------------ tables
    @cached_property
    def plain(self) -> Problem:
        """The same problem as if the rows were not in clusters."""
        return dataclasses.replace(self, tally=dataclasses.replace(self.tally, clusters=None))

    @cached_property
    def small(self) -> Tally | None:
        """The same items in a table with all its cells, where those are few.

        A measure of one class has already been narrowed to the table of that class against the rest.
        """
        return self.tally.complete(SMALL_TABLE)

    @cached_property
    def share(self) -> Tally | None:
        """The same items as hits, misses and what is neither, where the measure is a share of counted items."""
        full = self.tally.complete()
        if full is None or not isinstance(self.form, Proportion) or not is_linear(self.bound):
            return None
        return merge_alike(full, np.stack(unit_counts(self.bound, full, self.form), axis=-1))


def unit_counts(bound: Bound, tally: Tally, form: Proportion) -> tuple[Floats, Floats]:
    """What one item of each unit adds to the two counts of a share, which are sums over items."""
    evidence: Any = bound.evidence
    total = evidence.of(tally, tally.mass)

    def counts(of: Any) -> tuple[Floats, Floats]:
        view = averages.view(of, bound.average, bound.index) if bound.measure.averaged else of
        hits, trials = (np.asarray(part, np.float64) for part in form.counts(view))
        return hits, trials

    hot = unit_hots(bound, tally, int(total.features.shape[-1]))
    if hot is None:
        return counts(evidence.rows(tally, slice(None)))
    hits = _slopes_of_sum(lambda features: counts(total.with_features(features))[0], hot)
    trials = _slopes_of_sum(lambda features: counts(total.with_features(features))[1], hot)
    return hot.times(hits), hot.times(trials)


def _slopes_of_sum(value: Callable[[Floats], Floats], hot: Hot) -> Floats:
    """How much each feature adds to a sum of features: usually the same throughout a field, which is checked."""
    sizes = [size for _, size in hot.fields]
    starts, width = np.cumsum([0, *sizes[:-1]]), sum(sizes)
    first = np.zeros((len(sizes), width))
    first[np.arange(len(sizes)), starts] = 1
    alike, any_at_all = np.repeat(value(first), sizes), np.random.default_rng(0).random(width)
    if np.allclose(value(any_at_all), alike @ any_at_all, rtol=1e-9, atol=0):
        return alike
    return np.concatenate([value(np.eye(1, width, i)) for i in range(width)])


def merge_alike(tally: Tally, alike: Floats) -> Tally:
    """The tally with one unit in place of all those whose rows are alike."""
    into: Ints
    _, first, into = np.unique(np.round(alike, 9), axis=0, return_index=True, return_inverse=True)
    into, size = into.ravel(), len(first)
    keys: dict[str, Any] = {name: column[first] for name, column in tally.keys.items()}
    counts = add_up(into, tally.counts, size).astype(np.int64)
    weights = None if tally.weights is None else tally.weights.into(into, size)
    return dataclasses.replace(tally, keys=keys, counts=counts, weights=weights)
