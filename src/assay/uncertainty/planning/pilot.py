"""How many items it takes to detect a named difference in any measure, by simulation from a pilot."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from assay.errors import DataError, OptionError, check_level, choose, plural
from assay.measures.declare.bound import Bound
from assay.options import ALTERNATIVES, LEVEL, POWER, SAMPLES, SEED
from assay.tally.contract.joint import Joint
from assay.texts import numeral, percent, share_text
from assay.uncertainty.one.influence import has_influences
from assay.uncertainty.one.resample import refuse_weights
from assay.uncertainty.one.shares import normal_quantile, wilson
from assay.uncertainty.planning.plan import (
    SamplePlan,
    alternative_in_words,
    check_alternative,
    check_items,
    in_clusters,
)
from assay.uncertainty.planning.population import Exchange, Population
from assay.uncertainty.planning.sign_power import check_power

REFINEMENTS, MORE = 2, 4  # corrections in both directions, and then upward while the power is not reached
FEWEST = 2


@dataclass(frozen=True)
class _Trial:
    """A population in which A is better by the named difference, and the test that should detect it."""

    population: Population
    chances: Any
    test: Exchange
    samples: int
    seed: int

    def power(self, size: int) -> float:
        """The share of samples of this size in which the test detects the difference; the same seed every time."""
        return self.population.found(self.chances, self.test, size, self.samples, self.seed) / self.samples

    def size_for(self, power: float, difference: float) -> tuple[int, float]:
        """A number of draws that reaches the power, and what it reaches: a guess, corrected until it does."""
        from scipy.special import ndtri

        tail = self.test.alpha / (2 if self.test.alternative == "two-sided" else 1)
        null, wanted = float(ndtri(1 - tail)), float(ndtri(power))
        size = FEWEST + math.ceil((null + wanted) ** 2 * self.population.variance / difference**2)
        check_items(size)
        for step in range(REFINEMENTS + MORE):
            reached = self.power(size)
            if step >= REFINEMENTS and reached >= power:
                break
            # The normal deviate of the power rises with the root of the size, from −null at size 0.
            deviate = float(ndtri(min(max(reached, 1 / self.samples), 1 - 1 / self.samples)))
            factor = ((null + wanted) / max(null + deviate, 0.2)) ** 2
            size = max(math.ceil(size * (factor if step < REFINEMENTS else max(factor, 1.01))), FEWEST)
        return size, self.power(size)

    def difference_for(self, power: float, size: int) -> tuple[float, float] | None:
        """A difference that these draws detect with this power, and the power reached; None where there is none."""
        from scipy.special import ndtri

        tail = self.test.alpha / (2 if self.test.alternative == "two-sided" else 1)
        null, wanted = float(ndtri(1 - tail)), float(ndtri(power))
        difference = (null + wanted) * math.sqrt(self.population.variance / size)
        reached = 0.0
        for step in range(REFINEMENTS + MORE):
            chances = self.population.chances(difference)
            if chances is None:
                return None
            reached = replace(self, chances=chances).power(size)
            if step >= REFINEMENTS and reached >= power:
                break
            deviate = float(ndtri(min(max(reached, 1 / self.samples), 1 - 1 / self.samples)))
            factor = (null + wanted) / max(null + deviate, 0.2)
            difference *= factor if step < REFINEMENTS else max(factor, 1.005)
        return difference, reached


def pilot_plan(
    joint: Joint[Any],
    bound: Bound,
    difference: float | None,
    *,
    items: int | None = None,
    power: float = POWER,
    level: float = LEVEL,
    alternative: str = "two-sided",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> SamplePlan:
    """The items that let the test by exchange detect this difference; or the power, where the items are given.

    Without a difference, the smallest one that these items detect. The pilot says how often and where the systems
    disagree; the difference observed in it is not used.
    """
    check_level(level)
    check_power(1 - level, power)
    if items is not None:
        check_items(items)
    # Exchange makes both systems alike, so A better by δ is B better by δ with the names exchanged.
    test = Exchange(1 - level, "two-sided" if alternative == "two-sided" else "greater")
    if difference is None:
        assert items is not None
        choose(alternative, ALTERNATIVES, "alternative")
        population = _informative(joint, bound)
        trial = _Trial(population, population.even, test, samples, seed)
        size = max(round(items / population.items_each), FEWEST)
        solved, reached = trial.difference_for(power, size) or _refuse_all(joint, bound, items, power)
        made = _described(joint, bound, -solved if alternative == "less" else solved, trial, size, reached, items)
        named = "the difference observed in the pilot is not used"
    else:
        check_alternative(difference, alternative)
        population, chances = _population(joint, bound, abs(difference))
        trial = _Trial(population, chances, test, samples, seed)
        size = 0 if items is None else max(round(items / population.items_each), FEWEST)
        size, reached = trial.size_for(power, abs(difference)) if items is None else (size, trial.power(size))
        made = _described(joint, bound, difference, trial, size, reached, items)
        named = "the difference is the one named; the one observed in the pilot is not used"
    return replace(
        made,
        assumptions=(
            _disagreement(joint),
            named,
            f"{alternative_in_words(alternative)} randomization test at the {percent(1 - level)} level",
            f"the simulated test takes the difference as a sum over items (a linear approximation), by "
            f"{population.form(size, test)}",
        ),
    )


def _described(
    joint: Joint[Any], bound: Bound, difference: float, trial: _Trial, size: int, reached: float, items: int | None
) -> SamplePlan:
    low, high = wilson(reached, trial.samples, normal_quantile(0.95))
    clusters = None if joint.a.clusters is None else size
    needed = math.ceil(size * trial.population.items_each) if items is None else items
    inside = in_clusters(clusters, "about ")
    return SamplePlan(
        items=needed,
        method="simulation",
        sentence=f"{'About ' if items is None else ''}{plural(needed, joint.a.item)}{inside} detect a true difference "
        f"of {numeral(difference, '.4g')} in {bound.spelling} with probability {reached:.3f} "
        f"({low:.3f} to {high:.3f}, simulated).",
        difference=difference,
        power=reached,
        power_low=low,
        power_high=high,
        clusters=clusters,
    )


def _refuse_all(joint: Joint[Any], bound: Bound, items: int, power: float) -> NoReturn:
    raise OptionError(
        f"{plural(items, joint.a.item)} detect no difference in {bound.spelling} with probability {power:g}, however "
        "large, if systems disagree as rarely as in the pilot; plan for more items."
    )


def _informative(joint: Joint[Any], bound: Bound) -> Population:
    """The population of the pilot, or an error where it says nothing about the measure."""
    refuse_weights(joint.a)
    if joint.disagreements == 0:
        raise DataError(
            f"the systems gave the same answers on all {plural(joint.n, joint.a.item)} of the pilot, "
            "so it does not say how often they disagree; use a larger pilot."
        )
    population = Population.of(joint, bound)
    if not bound.measure.paired.is_signed and not has_influences(bound, population.joint.a):
        raise OptionError(f"{bound.spelling} has too many distinct answers here to plan from; use a smaller pilot.")
    return population


def _population(joint: Joint[Any], bound: Bound, size: float) -> tuple[Population, Any]:
    """The population of the pilot in which A is better by this much, or an error that says what is possible."""
    population = _informative(joint, bound)
    chances = population.chances(size)
    if chances is None:
        largest = population.largest
        most = "none is possible" if not largest > 0 else f"the largest possible is {largest:.3g}"
        raise OptionError(
            f"a difference of {size:g} in {bound.spelling} cannot be reached with the disagreement of the pilot "
            f"({joint.disagreements:,} of {plural(joint.n, joint.a.item)}); {most}."
        )
    return population, chances


def _disagreement(joint: Joint[Any]) -> str:
    """How often the systems disagree, and how well the pilot knows."""
    assert joint.disagreements is not None
    text = f"the systems disagree as in the pilot, on {joint.disagreements:,} of {plural(joint.n, joint.a.item)}"
    if joint.a.clusters is not None:
        return text
    low, high = wilson(joint.disagreements / joint.n, joint.n, normal_quantile(0.95))
    return f"{text} (95% interval {share_text(low)} to {share_text(high)}; the number of items needed varies with it)"
