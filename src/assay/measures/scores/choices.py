"""Rules for choosing a threshold: the best of one measure, a target rate, or the best that meets a target."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import OptionError, choose, in_percent, listed, written
from assay.measures.declare.catalogue import parse, resolve
from assay.measures.declare.measure import Measure
from assay.measures.labels.costs import break_even_threshold, costs_of
from assay.options import GATE_ON, LEVEL
from assay.tally.labels import Confusion

# What is optimized when another rate must meet a target.
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


WHAT_AT_A_SHELL = """how should the threshold be chosen? Give one of:
  what errors cost                        --cost-fp 1 --cost-fn 20    (cost_fp=, cost_fn=)
  a rate to reach, with the best
  precision (or recall) that allows it    --target recall=0.9         (target=)
  the best value of a measure             --maximize f1               (maximize=)
  recall + specificity − 1                --youden                    (youden=True)
--target can be combined with one of the others: then only thresholds that meet the target compete."""


WHAT_IN_PYTHON = """how should the threshold be chosen? Give one of:
  what errors cost                        cost_fp=1, cost_fn=20
  a rate to reach, with the best
  precision (or recall) that allows it    target="recall=0.9"
  the best value of a measure             maximize="f1"
  recall + specificity − 1                youden=True
target= can be combined with one of the others: then only thresholds that meet the target compete."""


@dataclass(frozen=True)
class Target:
    """A target rate: at least this much, or at most if lower is better."""

    measure: str
    value: float
    on: str = "estimate"  # what must meet it: the estimate, or the nearer limit of the interval
    level: float = LEVEL  # of that interval

    @property
    def at_least(self) -> bool:
        """Whether higher is better."""
        return bool(parse(self.measure)[0].higher_is_better)

    @property
    def limit(self) -> str:
        """The limit of the interval that must meet the target."""
        return f"the {'lower' if self.at_least else 'upper'} limit of its {100 * self.level:g}% interval"

    @property
    def bare(self) -> str:
        """The rate and its target value."""
        return f"{self.measure} {'at least' if self.at_least else 'at most'} {self.value:g}"

    @property
    def words(self) -> str:
        """The target in words."""
        return self.bare if self.on == "estimate" else f"{self.bare} by {self.limit}"


@dataclass(frozen=True)
class Choice:
    """The rule for a threshold: the best value of one measure, or the best that meets a target."""

    objective: str
    target: Target | None = None
    costs: tuple[float, float] | None = None  # of a false alarm and of a miss

    @property
    def measures(self) -> list[str]:
        """What is optimized, and the target that must be met."""
        return list(dict.fromkeys([self.objective, *([] if self.target is None else [self.target.measure])]))

    @property
    def words(self) -> str:
        """The goal, in words that follow “chosen for”."""
        end = "highest" if parse(self.objective)[0].higher_is_better else "lowest"
        sought = f"the {end} {self.objective}"
        if self.costs is not None:
            alarm, miss = self.costs
            sought = f"the lowest mean cost ({alarm:.15g} for a false alarm, {miss:.15g} for a miss)"
        return sought if self.target is None else f"{sought} with {self.target.words}"


def choice_of(
    cost_fp: float | None,
    cost_fn: float | None,
    target: str | Mapping[str, float] | None,
    target_on: str,
    maximize: str | None,
    youden: bool,
    *,
    level: float,
) -> Choice:
    """The rule from the options: a measure to optimize, a target, or both; `level` is that of its interval."""
    priced = {name: cost for name, cost in {"fp": cost_fp, "fn": cost_fn}.items() if cost is not None}
    given = [name for name, value in {"costs": priced, "maximize": maximize, "youden": youden}.items() if value]
    choose(target_on, GATE_ON, "target_on (--target-on)")
    if not given and not target:
        raise OptionError(written(WHAT_AT_A_SHELL, WHAT_IN_PYTHON))
    if len(given) > 1:
        raise OptionError(f"a threshold can be best for one thing only; keep one of {listed(given)}.")
    if target_on != "estimate" and not target:
        raise OptionError("target_on (--target-on) needs a target; give one, as in recall=0.9.")
    held = by_target(target) if target else None
    if held is not None and held.target is not None:
        held = replace(held, target=replace(held.target, on=target_on, level=level))
    if not given:
        assert held is not None
        return held
    costs = costs_of(priced) if priced else None
    if costs is not None and costs.fp is not None and costs.fn is not None:
        best = by_cost(costs.fp, costs.fn)
    else:
        best = by_youden() if maximize is None else by_measure(maximize)
    return best if held is None else replace(best, target=held.target)


def by_cost(fp: float, fn: float) -> Choice:
    """The lowest mean cost."""
    break_even_threshold(fp, fn)  # refuses what is no cost
    measure, options = label_measure(f"expected_cost(fp={fp:.15g},fn={fn:.15g})")
    return Choice(measure.spelled(options), costs=(float(fp), float(fn)))


def by_measure(spelling: str) -> Choice:
    """The best value of a measure of labels, under any of its spellings."""
    measure, options = label_measure(spelling)
    if measure.higher_is_better is None:
        raise OptionError(f"{measure.name} describes the data; neither end is better, so it cannot be optimized.")
    return Choice(measure.spelled(options))


def by_target(given: str | Mapping[str, float]) -> Choice:
    """The best counterpart of a rate that meets its target: precision for recall, recall for precision."""
    name, value = _target(given)
    measure, options = label_measure(name)
    if measure.name not in PARTNERS:
        raise OptionError(
            f"a target is one of {listed(PARTNERS)}; {measure.name} can be optimized with maximize (--maximize)."
        )
    low, high = measure.range
    if not low <= value <= high:
        raise OptionError(
            f"the target {measure.name}={value:g} is out of range: {measure.name} lies between {low:g} and {high:g}."
            f"{in_percent(value, low, high)}"
        )
    return Choice(PARTNERS[measure.name], Target(measure.spelled(options), value))


def by_youden() -> Choice:
    """The highest recall + specificity − 1."""
    return Choice("informedness")


def label_measure(spelling: str) -> tuple[Measure, dict[str, Any]]:
    """A measure computed from labels alone; others do not change with the threshold."""
    measure, options = resolve(spelling, {})
    if not issubclass(measure.kind, Confusion):
        raise OptionError(f"{measure.name} is not computed from labels, so no threshold changes it; name one like f1.")
    return measure, options


def _target(given: str | Mapping[str, float]) -> tuple[str, float]:
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise OptionError(f"a target is one rate and its value, as in {{'recall': 0.9}}; {len(given)} were given.")
        ((name, value),) = given.items()
    else:
        name, _, value = str(given).rpartition("=")  # type: ignore[assignment]
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if name.endswith(("<", ">")) and math.isfinite(number):
        rate = name.rstrip("<> ")
        raise OptionError(
            f"the target is {given!r}; write {rate}={number:g}. For recall, precision and specificity that means at "
            "least this value, for fpr and fnr at most."
        )
    if not name or not math.isfinite(number):
        raise OptionError(f"the target is {given!r}; write it like recall=0.9.")
    return name, number
