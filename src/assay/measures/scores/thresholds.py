"""Rules that choose a threshold, and where they lead on a tally of scores.

A threshold is always put at a score that was seen, so that it means the same on other data: a score that reaches it is
called positive. Where several are equally good, the highest is taken: it calls the fewest items positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.errors import OptionError, in_percent, listed
from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import parse, resolve
from assay.measures.declare.measure import Measure
from assay.measures.labels.costs import break_even_threshold
from assay.measures.labels.one_class import alarm_share
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.labels import Confusion
from assay.tally.margins import OneVsRest
from assay.tally.scores import ByScore, Scored

ROUNDING = 1e-13  # values that differ by less, beside the largest of them, are equal but for the last bits
# What is made as good as possible where another rate is held at a target.
PARTNERS = {
    "recall": "precision",
    "precision": "recall",
    "specificity": "recall",
    "fpr": "recall",
    "fnr": "precision",
    "fdr": "recall",
    "npv": "specificity",
    "false_omission_rate": "specificity",
}


# ---------------------------------------------------------------------- rules
@dataclass(frozen=True)
class Target:
    """A rate that is to be held: at least so much of it, or at most where less is better."""

    measure: str
    value: float

    @property
    def words(self) -> str:
        """The target as one says it."""
        found, _ = parse(self.measure)
        return f"{self.measure} {'at least' if found.higher_is_better else 'at most'} {self.value:g}"


@dataclass(frozen=True)
class Choice:
    """What a threshold is chosen for: the best value of one measure, or the best where a target is held."""

    objective: str
    target: Target | None = None
    costs: tuple[float, float] | None = None  # of a false alarm and of a miss

    @property
    def measures(self) -> list[str]:
        """What is to be best, and what is held beside it."""
        return [self.objective, *([] if self.target is None else [self.target.measure])]

    @property
    def words(self) -> str:
        """What is sought, after “chosen for”."""
        if self.costs is not None:
            alarm, miss = self.costs
            return f"the lowest mean cost ({alarm:.15g} for a false alarm, {miss:.15g} for a miss)"
        end = "highest" if parse(self.objective)[0].higher_is_better else "lowest"
        sought = f"the {end} {self.objective}"
        return sought if self.target is None else f"{sought} with {self.target.words}"


def by_cost(fp: float, fn: float) -> Choice:
    """The lowest mean cost."""
    break_even_threshold(fp, fn)  # refuses what is no cost
    measure, options = label_measure(f"expected_cost(fp={fp:.15g},fn={fn:.15g})")
    return Choice(measure.spelled(options), costs=(float(fp), float(fn)))


def by_measure(spelling: str) -> Choice:
    """The best value of a measure of labels, under any of its spellings."""
    measure, options = label_measure(spelling)
    if measure.higher_is_better is None:
        raise OptionError(f"{measure.name} describes the data; neither end of it is better, so nothing can be chosen.")
    return Choice(measure.spelled(options))


def by_target(given: str | Mapping[str, float]) -> Choice:
    """The best of a rate's counterpart while the rate is held: precision where recall is, recall where precision is."""
    name, value = _target(given)
    measure, options = label_measure(name)
    if measure.name not in PARTNERS:
        raise OptionError(f"a target holds one of {listed(PARTNERS)}; {measure.name} can be made best with --maximize.")
    low, high = measure.range
    if not low <= value <= high:
        raise OptionError(
            f"the target {measure.name}={value:g} is out of reach: it lies between {low:g} and {high:g}."
            f"{in_percent(value, low, high)}"
        )
    return Choice(PARTNERS[measure.name], Target(measure.spelled(options), value))


def by_youden() -> Choice:
    """The highest recall + specificity − 1."""
    return Choice("informedness")


def label_measure(spelling: str) -> tuple[Measure, dict[str, Any]]:
    """A measure that labels are enough for; others do not change with the threshold."""
    measure, options = resolve(spelling, {})
    if not issubclass(measure.kind, Confusion):
        raise OptionError(f"{measure.name} is not computed from labels, so no threshold changes it; name one like f1.")
    return measure, options


def _target(given: str | Mapping[str, float]) -> tuple[str, float]:
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise OptionError(f"a target is one rate and its value, such as {{'recall': 0.9}}; {len(given)} came.")
        ((name, value),) = given.items()
    else:
        name, _, value = str(given).rpartition("=")  # type: ignore[assignment]
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not name or not math.isfinite(number):
        raise OptionError(f"the target is {given!r}; write it like recall=0.9.")
    return name, number


# ---------------------------------------------------------------------- where a rule leads
@dataclass(frozen=True)
class Found:
    """The threshold that a rule leads to; None with a reason where it leads nowhere."""

    threshold: float | None  # infinite where nothing is called positive
    below: float | None  # thresholds above this one give the same labels; None: there is no lower score
    value: float | None  # of the objective
    held: float | None  # of the target's measure
    equally_good: int  # thresholds with the same value
    reason: str | None = None
    closest: float | None = None  # where the target is not reached: the threshold that comes closest to it


@dataclass(frozen=True, eq=False)
class Search:
    """A rule and the scores it chooses from: every threshold that changes a label, from the highest down."""

    tally: Scored
    choice: Choice

    @cached_property
    def thresholds(self) -> Floats:
        """All of them: the first calls nothing positive, the others are the distinct scores."""
        return thresholds_of(self.tally)

    @cached_property
    def objective(self) -> Bound:
        """The measure that is to be best."""
        return _bound(self.tally, self.choice.objective)

    @cached_property
    def sign(self) -> int:
        """1 where higher is better, −1 where lower is."""
        return 1 if self.objective.measure.higher_is_better else -1

    @cached_property
    def _cells(self) -> Confusion:
        return two_by_two(self.tally)

    def values(self, w: Floats) -> tuple[Floats, Floats | None]:
        """The objective and the target's measure at every threshold, for multiplicities w: shape (..., thresholds)."""
        return self._values(ByScore.of(self.tally, w))

    def _values(self, evidence: ByScore) -> tuple[Floats, Floats | None]:
        four = four_counts(evidence)
        target = self.choice.target
        held = None if target is None else values_at(_bound(self.tally, target.measure), self._cells, four)
        return values_at(self.objective, self._cells, four), held

    def reaches(self, held: Floats) -> Any:
        """Which values hold the target."""
        target = self.choice.target
        assert target is not None
        slack = ROUNDING * max(abs(target.value), 1.0)
        if label_measure(target.measure)[0].higher_is_better:
            return held >= target.value - slack
        return held <= target.value + slack

    def best(self, values: Floats, held: Floats | None) -> Any:
        """The place of the best threshold, −1 where none has a value and holds the target: shape (...)."""
        merit = self.sign * values
        merit = np.where(np.isnan(merit), -np.inf, merit)
        if held is not None:
            merit = np.where(self.reaches(held), merit, -np.inf)
        top = merit.max(-1, keepdims=True)
        near = merit >= top - ROUNDING * np.abs(np.where(np.isinf(top), 0.0, top))
        return np.where(np.isneginf(top[..., 0]), -1, near.argmax(-1))

    @cached_property
    def on_data(self) -> tuple[Floats, Floats | None]:
        """The values on the data themselves."""
        return self.values(self.tally.mass)

    @cached_property
    def place(self) -> int:
        """Where the threshold that is chosen on the data stands, or −1."""
        return int(self.best(*self.on_data))

    def found(self) -> Found:
        """The threshold that is chosen on the data."""
        values, held = self.on_data
        at = self.place
        if at < 0:
            return self._nothing()
        equal = np.abs(values - values[at]) <= ROUNDING * abs(values[at])
        if held is not None:
            equal &= self.reaches(held)
        below = float(self.thresholds[at + 1]) if at + 1 < len(self.thresholds) else None
        holds = None if held is None else float(held[at])
        return Found(float(self.thresholds[at]), below, float(values[at]), holds, int(equal.sum()))

    def _nothing(self) -> Found:
        """Why nothing is chosen, and the threshold that comes closest to the target."""
        values, held = self.on_data
        target = self.choice.target
        if held is None or target is None or np.isnan(held).all():
            name = self.choice.objective if target is None or held is None else target.measure
            return Found(None, None, None, None, 0, f"{name} is undefined at every threshold")
        undefined = np.isnan(values) | np.isnan(held)
        if undefined.all():
            return Found(None, None, None, None, 0, f"{self.choice.objective} is undefined at every threshold")
        up = label_measure(target.measure)[0].higher_is_better
        merit = np.where(undefined, -np.inf, held if up else -held)
        near = merit >= merit.max() - ROUNDING
        at = int(np.where(near, self.sign * values, -np.inf).argmax())
        reason = f"no threshold gives {target.words}"
        return Found(None, None, float(values[at]), float(held[at]), 0, reason, float(self.thresholds[at]))

    # ------------------------------------------------------------------ calibrated probabilities
    def if_calibrated(self) -> tuple[float, str] | None:
        """Where the best threshold lies for calibrated probabilities, and why; None where no formula is known."""
        if not self.tally.probabilities or self.place < 0 or self.choice.target is not None:
            return None
        found = self._formula(self.on_data[0][self.place], _share(ByScore.of(self.tally, self.tally.mass)))
        return None if found is None else (float(found[0]), found[1])

    def behind_if_calibrated(self, draw: Callable[[Ints, Floats], Ints] | None = None) -> Floats:
        """By how much the formula's threshold is behind the best one: on the data, or on labels drawn for the scores.

        `draw` gives the number of positives at each score, from how many items have it and its probability.
        """
        e = ByScore.of(self.tally, self.tally.mass)
        if draw is not None:
            items = (e.pos + e.neg).astype(np.int64)
            pos = draw(items, e.score).astype(np.float64)
            e = ByScore(pos, items - pos, e.score)
        values, _ = self._values(e)
        best = np.take_along_axis(values, np.maximum(self.best(values, None), 0)[..., None], axis=-1)[..., 0]
        formula = self._formula(best, _share(e))
        assert formula is not None
        place = len(e.score) - np.searchsorted(e.score, formula[0])
        place = np.broadcast_to(place, best.shape)
        return self.sign * (best - np.take_along_axis(values, place[..., None], axis=-1)[..., 0])

    def _formula(self, best: Any, prevalence: Any) -> tuple[Any, str] | None:
        """An item is worth calling positive from the probability on at which it leaves the best value as it is."""
        if self.choice.costs is not None:
            fp, fn = self.choice.costs
            return break_even_threshold(fp, fn), f"{fp:.15g} / ({fp:.15g} + {fn:.15g})"
        name, own = self.objective.measure.name, self.objective.options
        if own.get("average", "binary") != "binary" or own.get("prevalence") is not None:
            return None
        if name == "f1":
            return best / 2, "half of the best f1"
        if name == "f_beta":
            share = alarm_share(own["beta"], own["alpha"])
            return best * share, f"{share:.4g} of the best {self.choice.objective}"
        if name in ("accuracy", "error_rate"):
            return 0.5, "where either class is as probable"
        if name in ("informedness", "balanced_accuracy"):
            return prevalence, "the share of positives"
        return None


def _share(e: ByScore) -> Floats:
    """The share of positives."""
    return np.asarray(e.pos.sum(-1) / (e.pos.sum(-1) + e.neg.sum(-1)))


# ---------------------------------------------------------------------- tables at every threshold
def thresholds_of(tally: Scored) -> Floats:
    """Every threshold that changes a label, from the highest down; the first calls nothing positive."""
    return np.concatenate([[np.inf], tally.scores[::-1]])


def same_labels(tally: Scored, threshold: float) -> float:
    """The one of these thresholds that gives the same labels as any other number."""
    at = int(np.searchsorted(tally.scores, threshold))
    return float(tally.scores[at]) if at < len(tally.scores) else math.inf


def four_counts(e: ByScore) -> OneVsRest:
    """The four counts of the positive class at every threshold: shape (..., thresholds) each.

    What is reached and what is left are summed apart, so that weights which cancel leave no last bits behind.
    """
    nothing = np.zeros((*e.pos.shape[:-1], 1))
    tp, fp = (np.concatenate([nothing, np.cumsum(x[..., ::-1], axis=-1)], axis=-1) for x in (e.pos, e.neg))
    fn, tn = (np.concatenate([nothing, np.cumsum(x, axis=-1)], axis=-1)[..., ::-1] for x in (e.pos, e.neg))
    return OneVsRest(tp, fp, fn, tn)


def two_by_two(tally: Scored) -> Confusion:
    """A table of all four cells, as `values_at` orders them."""
    keys = {"gold": np.array([0, 0, 1, 1]), "pred": np.array([0, 1, 0, 1])}
    return Confusion(keys, np.ones(4, np.int64), labels=tally.labels, positive=tally.positive)


def values_at(bound: Bound, cells: Confusion, four: OneVsRest) -> Floats:
    """The measure at every threshold."""
    options = bound.options
    of_one_class = bound.measure.averaged and options["average"] == "binary" and options["pos_label"] is None
    if of_one_class and options["prevalence"] is None and bound.measure.convention is None:
        return np.asarray(bound.formula(four))  # it reads no more than these, and copying them would take longer
    return bound.at(cells, np.stack([four.tn, four.fp, four.fn, four.tp], axis=-1))


def _bound(tally: Scored, spelling: str) -> Bound:
    measure, options = label_measure(spelling)
    return measure.bind(two_by_two(tally), **options)
