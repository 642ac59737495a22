"""How often an interval covers the true value, and the measures for which that is counted."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.catalogue import catalogue, parse
from assay.measures.declare.forms import NoInterval
from assay.measures.declare.measure import Measure
from assay.measures.labels.usual import BINARY, MANY
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.two.compare import compare
from scripts.coverage_populations import Population

SEED = 20_000
DRAWS = 999  # for the methods that draw; the library itself draws 9,999
MARKS = ("unreliable", "not simulated")  # how the notes that mark an interval begin
SLACK = 1e-9  # limits that equal the true value up to rounding cover it


@dataclass
class Coverage:
    """How often an interval covered the true value, among the samples that had one."""

    samples: int = 0
    undefined: int = 0  # the measure has no value
    refused: int = 0  # it has a value but no interval
    marked: int = 0  # it has an interval that is marked as unreliable or not simulated
    covered: int = 0
    above: int = 0  # the interval lies above the true value
    width: float = 0.0  # summed
    methods: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)  # methods of the single intervals behind a difference

    @property
    def made(self) -> int:
        """Samples with an interval."""
        return self.samples - self.undefined - self.refused

    @property
    def share(self) -> float:
        """Coverage, given that there is an interval."""
        return self.covered / self.made if self.made else math.nan

    @property
    def mean_width(self) -> float:
        """Mean width, given that there is an interval."""
        return self.width / self.made if self.made else math.nan

    def add(self, found: Estimate | Comparison, truth: float, times: int) -> None:
        """Count one interval, which occurred this many times."""
        self.samples += times
        value = found.value if isinstance(found, Estimate) else found.difference
        if value is None:
            self.undefined += times
        elif found.interval is None:
            self.refused += times
        else:
            interval = found.interval
            self.covered += times * (interval.low - SLACK <= truth <= interval.high + SLACK)
            self.above += times * (interval.low - SLACK > truth)
            self.width += times * (interval.high - interval.low)
            self.marked += times * any(note.startswith(MARKS) for note in found.notes)
            self.methods[found.method] += times
            if isinstance(found, Comparison):
                self.parts.update({found.a.method: times, found.b.method: times})


def count(population: Population, measure: str | Measure, size: int, seed: int = SEED, **options: Any) -> Coverage:
    """Draw samples and count the intervals of the measure, or of the difference, that cover the true value.

    `method` and `level` among the options are passed on; a joint tally is compared, any other estimated.
    """
    found = catalogue()[measure] if isinstance(measure, str) else measure
    mine = {name: value for name, value in options.items() if name in found.options}
    truth, out = population.truth(found, mine), Coverage()
    options = {"n_resamples": DRAWS, **options}
    own = getattr(population, "truth_of", None)  # if the true value depends on what the sample contains
    for tally, times in population.samples(size, np.random.default_rng(seed)):
        truth = truth if own is None else own(tally, found, mine)
        if isinstance(tally, Joint):
            out.add(compare(tally, measure=found, test="none", **options), truth, times)
        else:
            out.add(estimate(found, tally, **options), truth, times)
    return out


# Options with which a measure is simulated; those not listed are simulated without options.
OWN: dict[str, tuple[dict[str, Any], ...]] = {"f_beta": ({"beta": 2},), "roc_auc": ({}, {"max_fpr": 0.2})}
# The measures shown by default, for populations whose samples take long.
SHOWN = tuple(dict.fromkeys(parse(text)[0].name for text in (*BINARY, *MANY)))


@dataclass(frozen=True, eq=False)
class Family:
    """Populations of one kind, and how measures with an average are averaged there."""

    title: str
    kind: type[Tally]
    populations: tuple[Population, ...]
    averages: tuple[str, ...] = ()
    quick: tuple[int, int, int] = (0, 1, 2)  # the three populations of the quick simulation
    only: tuple[str, ...] = ()  # measures that represent the others, whose intervals are made alike
    pos_label: str | None = None  # the class that is asked about, where there are more than two
    own: tuple[tuple[str, dict[str, Any]], ...] = ()  # measures with the options to simulate them with here

    def cases(self) -> list[tuple[Measure, dict[str, Any]]]:
        """Every measure of the catalogue that is computed from this kind of tally, with its options.

        Averages after the first are simulated with F1 only, which represents the others, whose intervals are alike.
        """
        found = []
        for each in catalogue().values():
            if each.kind is not self.kind or (self.only and each.name not in self.only):
                continue
            if self.pos_label is not None and not each.averaged:
                continue
            if isinstance(each.interval, NoInterval):
                continue
            averages = self.averages if each.name == "f1" else self.averages[:1]
            for own in [o for name, o in self.own if name == each.name] or OWN.get(each.name, ({},)):
                shown: list[dict[str, Any]] = [{"average": average, **own} for average in averages]
                if self.pos_label is not None:
                    shown = [{**options, "pos_label": self.pos_label} for options in shown]
                found += [(each, options) for options in (shown if each.averaged else [dict(own)])]
        return [(each, options) for each, options in found if self._fits(each, options)]

    def _fits(self, measure: Measure, options: dict[str, Any]) -> bool:
        """Whether the measure has all it needs: some require costs or the like, which a population does not have."""
        units = getattr(self.populations[0], "units", None)
        tally = units.a if isinstance(units, Joint) else units
        try:
            return tally is None or measure.bind(tally, **options) is not None
        except OptionError:
            return False
