"""Populations that are hard on intervals: rows of different weight, and many classes with a long tail."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.measures.declare.measure import Measure
from assay.tally.contract.base import Weights
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.margins import Margins, OneVsRest
from scripts.coverage_populations import LARGE, Clustered, Sample, Table


@dataclass(frozen=True, eq=False)
class Weighted:
    """Rows fall into the cells of a table; each cell has a mean weight, with a lognormal spread around it."""

    name: str
    n: int
    units: Confusion
    shares: Floats
    heavy: Floats
    spread: float

    weighted = True

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """Weights are continuous, so no two samples are alike."""
        for counts in rng.multinomial(self.n, self.shares, size=size):
            held = np.flatnonzero(counts)
            cell = np.repeat(np.arange(len(held)), counts[held])
            w = self.heavy[held][cell] * np.exp(self.spread * rng.standard_normal(self.n) - self.spread**2 / 2)
            sums = Weights.of(w).into(cell, len(held))
            keys = {name: column[held] for name, column in self.units.keys.items()}
            yield dataclasses.replace(self.units, keys=keys, counts=counts[held], weights=sums), 1

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The formula on the weighted shares."""
        return float(measure.bind(self.units, **options).at(self.units, self.shares * self.heavy * LARGE))


def over_seen_classes(
    units: Any, shares: Floats, sample: Confusion, measure: Measure, options: dict[str, Any]
) -> float:
    """The value in the population, averaged over the classes that the sample averages over."""
    bound = measure.bind(units, **options)
    if options.get("average") != "macro" and measure.name != "balanced_accuracy":
        return float(bound.at(units, shares * LARGE))
    everywhere, here = (Margins.of(*each) for each in ((units, shares), (sample, sample.mass)))
    if measure.name == "balanced_accuracy":
        return float((everywhere.hit / everywhere.gold)[here.gold > 0].mean())
    values, seen = (np.asarray(bound.formula(OneVsRest.every(m))) for m in (everywhere, here))
    # A class whose value is 0/0 in the sample counts as the convention says.
    return float(np.where(np.isnan(seen), measure.zero, values)[here.seen].mean())


@dataclass(frozen=True, eq=False)
class LongTail(Table):
    """Many classes, of which a sample contains some: averages over classes are about those in the sample."""

    def truth_of(self, sample: Confusion, measure: Measure, options: dict[str, Any]) -> float:
        """The value in the population over the classes of the sample."""
        return over_seen_classes(self.units, self.shares, sample, measure, options)


@dataclass(frozen=True, eq=False)
class ClusteredClasses(Clustered):
    """Several classes in clusters, of which a sample may lack the rarest."""

    def truth_of(self, sample: Confusion, measure: Measure, options: dict[str, Any]) -> float:
        """The value in the population over the classes of the sample."""
        return over_seen_classes(self.units, self.shares, sample, measure, options)


def long_tail(k: int, fall: float) -> Floats:
    """Shares of classes that fall as a power of their rank."""
    each = 1 / (np.arange(k) + 1.0) ** fall
    return np.asarray(each / each.sum())
