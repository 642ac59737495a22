"""The threshold that a rule chooses on a tally of scores.

A threshold is always an observed score, so that it means the same on other data: a score at or above it is called
positive. Of several equally good thresholds the highest is taken: it calls the fewest items positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.measures.declare.bound import Bound
from assay.measures.labels.costs import break_even_threshold
from assay.measures.labels.one_class import alarm_share
from assay.measures.scores.choices import Choice, label_measure
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.labels import Confusion
from assay.tally.margins import OneVsRest
from assay.tally.scores import ByScore, Scored

ROUNDING = 1e-13  # values that differ by less than this, relative to the largest, are equal up to rounding


# ---------------------------------------------------------------------- where a rule leads
@dataclass(frozen=True)
class Found:
    """The threshold that a rule chooses; None with a reason if there is none."""

    threshold: float | None  # infinite if nothing is called positive
    below: float | None  # thresholds above this one give the same labels; None: there is no lower score
    value: float | None  # of the objective
    held: float | None  # of the target's measure
    equally_good: int  # thresholds with the same value
    reason: str | None = None
    closest: float | None = None  # if the target is not met: the threshold that comes closest to it
    limit: float | None = None  # of the interval there, if that must meet the target


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
        """The measure that is optimized."""
        return _bound(self.tally, self.choice.objective)

    @cached_property
    def sign(self) -> int:
        """1 where higher is better, −1 where lower is."""
        return 1 if self.objective.measure.higher_is_better else -1

    @cached_property
    def _cells(self) -> Confusion:
        return two_by_two(self.tally)

    def values(self, w: Floats) -> tuple[Floats, Any]:
        """The objective at every threshold, for multiplicities w: shape (..., thresholds); and which meet the target.

        The second is None if there is no target.
        """
        return self._values(ByScore.of(self.tally, w))

    def _values(self, evidence: ByScore) -> tuple[Floats, Any]:
        four = four_counts(evidence)
        return self.objective_at(four), None if self.choice.target is None else self.meets(four)

    def objective_at(self, four: OneVsRest) -> Floats:
        """The objective at every threshold."""
        return values_at(self.objective, self._cells, four)

    def rates(self, four: OneVsRest) -> Floats:
        """The target's measure at every threshold."""
        assert self.choice.target is not None
        return values_at(_bound(self.tally, self.choice.target.measure), self._cells, four)

    def meets(self, four: OneVsRest) -> Any:
        """Which thresholds meet the target, from their four counts."""
        return self.reaches(self.rates(four))

    def reaches(self, rates: Floats) -> Any:
        """Which of these values meet the target."""
        target = self.choice.target
        assert target is not None
        slack = ROUNDING * max(abs(target.value), 1.0)
        return rates >= target.value - slack if target.at_least else rates <= target.value + slack

    def best(self, values: Floats, meets: Any) -> Any:
        """The index of the best threshold, −1 if none has a value and meets the target: shape (...)."""
        merit = self.sign * values
        merit = np.where(np.isnan(merit), -np.inf, merit)
        if meets is not None:
            merit = np.where(meets, merit, -np.inf)
        top = merit.max(-1, keepdims=True)
        near = merit >= top - ROUNDING * np.abs(np.where(np.isinf(top), 0.0, top))
        return np.where(np.isneginf(top[..., 0]), -1, near.argmax(-1))

    @cached_property
    def on_data(self) -> tuple[Floats, Any]:
        """The values on the data themselves, and which thresholds meet the target there."""
        return self.values(self.tally.mass)

    @cached_property
    def place(self) -> int:
        """The index of the threshold chosen on the data, or −1."""
        return int(self.best(*self.on_data))

    @cached_property
    def held_on_data(self) -> Floats:
        """The target's measure at every threshold, on the data themselves."""
        return self.rates(four_counts(ByScore.of(self.tally, self.tally.mass)))

    @property
    def resampled(self) -> str | None:
        """Why the choice is not repeated on resamples; None if it is."""
        return None

    @property
    def nearness(self) -> Floats:
        """What must meet the target, at every threshold, on the data themselves."""
        return self.held_on_data

    def found(self) -> Found:
        """The threshold chosen on the data."""
        values, meets = self.on_data
        at = self.place
        if at < 0:
            return self._nothing()
        equal = np.abs(values - values[at]) <= ROUNDING * abs(values[at])
        if meets is not None:
            equal &= meets
        below = float(self.thresholds[at + 1]) if at + 1 < len(self.thresholds) else None
        holds = None if meets is None else float(self.held_on_data[at])
        return Found(float(self.thresholds[at]), below, float(values[at]), holds, int(equal.sum()))

    def _nothing(self) -> Found:
        """Why no threshold is chosen, and the one that comes closest to the target."""
        values, target = self.on_data[0], self.choice.target
        near = None if target is None else self.nearness
        if near is None or target is None or np.isnan(near).all():
            name = self.choice.objective if target is None else target.measure
            return Found(None, None, None, None, 0, f"{name} is undefined at every threshold")
        undefined = np.isnan(values) | np.isnan(near)
        if undefined.all():
            return Found(None, None, None, None, 0, f"{self.choice.objective} is undefined at every threshold")
        merit = np.where(undefined, -np.inf, near if target.at_least else -near)
        nearest = merit >= merit.max() - ROUNDING
        at = int(np.where(nearest, self.sign * values, -np.inf).argmax())
        return Found(
            threshold=None,
            below=None,
            value=float(values[at]),
            held=float(self.held_on_data[at]),
            equally_good=0,
            reason=f"no threshold gives {target.words}",
            closest=float(self.thresholds[at]),
            limit=None if target.on == "estimate" else float(near[at]),
        )

    # ------------------------------------------------------------------ calibrated probabilities
    def if_calibrated(self) -> tuple[float, str] | None:
        """The best threshold for calibrated probabilities, and why; None if no formula is known."""
        if not self.tally.probabilities or self.place < 0 or self.choice.target is not None:
            return None
        found = self._formula(self.on_data[0][self.place], _share(ByScore.of(self.tally, self.tally.mass)))
        return None if found is None else (float(found[0]), found[1])

    def behind_if_calibrated(self, draw: Callable[[Ints, Floats], Ints] | None = None) -> Floats:
        """How far the formula's threshold falls short of the best one: on the data, or on labels drawn from the scores.

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
        """Calling an item positive pays at or above the probability at which it leaves the best value unchanged."""
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
            return 0.5, "where both classes are equally probable"
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
    """The one of these thresholds that gives the same labels as a given number."""
    at = int(np.searchsorted(tally.scores, threshold))
    return float(tally.scores[at]) if at < len(tally.scores) else math.inf


def four_counts(e: ByScore) -> OneVsRest:
    """The four counts of the positive class at every threshold: shape (..., thresholds) each.

    Items reached and items left are summed separately, so that canceling weights leave no rounding errors.
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
    if of_one_class and options.get("prevalence") is None and bound.measure.convention is None:
        return np.asarray(bound.formula(four))  # it reads only these, and copying them would take longer
    return bound.at(cells, np.stack([four.tn, four.fp, four.fn, four.tp], axis=-1))


def _bound(tally: Scored, spelling: str) -> Bound:
    measure, options = label_measure(spelling)
    return measure.bind(two_by_two(tally), **options)
