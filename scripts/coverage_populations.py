"""Populations whose true values are known.

A population knows the exact value of every measure: the formula applied to its own cell shares, in place of counts.
Only normal scores need more, and for them the area under the curve has a closed form. `coverage_families.py` lists the
populations that are simulated.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.stats import norm

from assay.measures.declare.measure import Measure
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Clusters, Floats, Ints
from assay.tally.labels import Confusion
from assay.tally.ratings import Rated
from assay.tally.scores import Scored

QUANTILES = 20_000
LARGE = 1e10  # shares become counts this large, so that pairs of items need no correction for n
Sample = tuple[Any, int]  # a tally or a joint tally, and how often it was drawn


class Population(Protocol):
    """Where samples come from, with the true value of every measure."""

    @property
    def name(self) -> str:
        """What makes it this population, in a few words."""
        ...

    @property
    def n(self) -> int:
        """How many items a sample has; on average, where that varies."""
        ...

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """This many samples; equal ones are given once, with how often they occurred."""
        ...

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The value in the population, or the difference between the two systems."""
        ...


def in_clusters(population: Population) -> bool:
    """Whether its items come in clusters."""
    return bool(getattr(population, "clusters", 0))


# ---------------------------------------------------------------------- independent items
@dataclass(frozen=True, eq=False)
class Table:
    """Items fall independently into the units of a tally, or of a joint tally, with these shares."""

    name: str
    n: int
    units: Tally | Joint[Any]
    shares: Floats

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """All samples are one multinomial draw."""
        drawn = rng.multinomial(self.n, self.shares, size=size)
        distinct, times = np.unique(drawn, axis=0, return_counts=True)
        for counts, repeated in zip(distinct, times.tolist(), strict=True):
            yield _counted(self.units, counts), repeated

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The formula on the shares themselves."""
        return _value(self.units, measure, options, self.shares * LARGE)


@dataclass(frozen=True, eq=False)
class Clustered:
    """Items come in clusters; each cluster has its own shares, drawn from a Dirichlet around those of the population.

    Two items of one cluster then have the intraclass correlation `icc` in every cell. Sizes of clusters are geometric
    and have nothing to do with the shares, so the shares of all items are those of the population.
    """

    name: str
    clusters: int
    size: float
    icc: float
    units: Tally | Joint[Any]
    shares: Floats

    @property
    def n(self) -> int:
        """The expected number of items."""
        return round(self.clusters * self.size)

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """Each sample has its own clusters."""
        names = tuple(f"{i:04d}" for i in range(self.clusters))
        for _ in range(size):
            sizes = rng.geometric(1 / self.size, size=self.clusters)
            own = rng.dirichlet(self.shares * (1 / self.icc - 1), size=self.clusters)
            yield _counted(self.units, rng.multinomial(sizes, own), names), 1

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The formula on the shares themselves."""
        return _value(self.units, measure, options, self.shares * LARGE)


def _counted(units: Any, counts: Ints, clusters: tuple[str, ...] = ()) -> Any:
    """The tally of a draw, with only the units that occurred; each row of `counts` is a cluster."""
    if isinstance(units, Joint):
        return Joint(_counted(units.a, counts, clusters), _counted(units.b, counts, clusters), units.names)
    total = counts.sum(0) if clusters else counts
    held = np.flatnonzero(total)
    keys = {name: column[held] for name, column in units.keys.items()}
    grouped = None
    if clusters:
        cluster, unit = np.nonzero(counts[:, held])
        grouped = Clusters(clusters, cluster, unit, counts[:, held][cluster, unit])
    return dataclasses.replace(units, keys=keys, counts=total[held], clusters=grouped)


def _value(units: Any, measure: Measure, options: dict[str, Any], w: Floats) -> float:
    if isinstance(units, Joint):
        return _value(units.a, measure, options, w) - _value(units.b, measure, options, w)
    return float(measure.bind(units, **options).at(units, w))


# ---------------------------------------------------------------------- normal scores
@dataclass(frozen=True, eq=False)
class NormalScores:
    """Negatives score N(0, 1), positives N(shift, spread²), with a shift for each system and one correlation."""

    name: str
    n: int
    prevalence: float
    shifts: tuple[float, ...]
    spread: float = 1.0
    correlation: float = 0.0

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """Scores are continuous, so no two samples are alike."""
        for _ in range(size):
            truth = rng.random(self.n) < self.prevalence
            common = rng.standard_normal(self.n)
            scores = [
                truth * shift
                + np.where(truth, self.spread, 1)
                * (math.sqrt(self.correlation) * common + math.sqrt(1 - self.correlation) * rng.standard_normal(self.n))
                for shift in self.shifts
            ]
            keys = [{"positive": truth, "score": score} for score in scores]
            sides = [Scored(keys=key, counts=np.ones(self.n, np.int64), positive="1") for key in keys]
            yield (sides[0] if len(sides) == 1 else Joint(sides[0], sides[1])), 1

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The formula on quantiles of both classes, which for the area under the curve is exact to 1e-6."""
        at = norm.ppf((np.arange(QUANTILES) + 0.5) / QUANTILES)
        positive = np.repeat([False, True], QUANTILES)
        w = LARGE / QUANTILES * np.where(positive, self.prevalence, 1 - self.prevalence)
        values = []
        for shift in self.shifts:
            keys = {"positive": positive, "score": np.concatenate([at, shift + self.spread * at])}
            ideal = Scored(keys=keys, counts=np.ones(2 * QUANTILES, np.int64), positive="1")
            values.append(float(measure.bind(ideal, **options).at(ideal, w)))
        return values[0] - (values[1] if len(values) == 2 else 0)


# ---------------------------------------------------------------------- classes
def answers(recall: Sequence[float], confused: Floats | None = None) -> Floats:
    """How a system labels the items of each gold class: right with this probability, else spread over the others."""
    k = len(recall)
    spread = np.ones((k, k)) if confused is None else confused
    spread = np.where(np.eye(k, dtype=bool), 0, spread)
    wrong = spread / spread.sum(1, keepdims=True)
    right = np.asarray(recall)[:, None]
    return np.where(np.eye(k, dtype=bool), right, (1 - right) * wrong)


def confusion(k: int) -> Confusion:
    """The tally of k classes with all its cells."""
    gold, pred = (x.ravel() for x in np.indices((k, k)))
    return Confusion(keys={"gold": gold, "pred": pred}, counts=np.ones(k * k, np.int64), **_labels(k))


def joint_confusion(k: int) -> Joint[Confusion]:
    """The joint tally of two systems over k classes with all its cells."""
    gold, a, b = (x.ravel() for x in np.indices((k, k, k)))
    ones = np.ones(k**3, np.int64)
    first, second = (Confusion(keys={"gold": gold, "pred": x}, counts=ones, **_labels(k)) for x in (a, b))
    return Joint(first, second)


def _labels(k: int) -> dict[str, Any]:
    labels = tuple(str(i) for i in range(k))
    return {"labels": labels, "positive": "1" if k == 2 else None}


def one_system(gold: Sequence[float], system: Floats) -> tuple[Confusion, Floats]:
    """Cells and their shares."""
    return confusion(len(gold)), (np.asarray(gold)[:, None] * system).ravel()


def two_systems(gold: Sequence[float], a: Floats, b: Floats, same: float) -> tuple[Joint[Confusion], Floats]:
    """Cells and their shares when B repeats A's answer with probability `same`, and otherwise gives its own."""
    k = len(gold)
    repeats = np.eye(k)[None]
    shares = np.asarray(gold)[:, None, None] * a[:, :, None] * (same * repeats + (1 - same) * b[:, None, :])
    return joint_confusion(k), shares.ravel()


def binary(prevalence: float, tpr: float, fpr: float) -> tuple[Sequence[float], Floats]:
    """Two classes, the second of which is positive."""
    return (1 - prevalence, prevalence), answers([1 - fpr, tpr])


# ---------------------------------------------------------------------- ratings, clusterings
def patterns(shares: Sequence[float], right: Sequence[float], missing: float = 0.0) -> dict[tuple[int, ...], Floats]:
    """The probability of every pattern of category counts, for each true category.

    Rater i names the true category with probability right[i] and otherwise one of the others; `missing` is the
    probability that a rater skips the unit.
    """
    k = len(shares)
    out: dict[tuple[int, ...], Floats] = {}
    for votes in itertools.product(range(k + 1), repeat=len(right)):
        chance = np.ones(k)
        for vote, p in zip(votes, right, strict=True):
            given = np.where(np.arange(k) == vote, p, (1 - p) / (k - 1)) * (1 - missing)
            chance = chance * (missing if vote == k else given)
        counts = tuple(votes.count(i) for i in range(k))
        out[counts] = out.get(counts, np.zeros(k)) + chance
    return {counts: chance for counts, chance in out.items() if chance.any()}


def rated(columns: Sequence[tuple[int, ...]]) -> Rated:
    """The tally of these patterns."""
    table = np.array(columns, np.int64)
    keys = {str(i): np.ascontiguousarray(column) for i, column in enumerate(table.T)}
    categories = tuple(str(i) for i in range(table.shape[1]))
    return Rated(keys=keys, counts=np.ones(len(table), np.int64), categories=categories)


def one_round(shares: Sequence[float], right: Sequence[float], missing: float = 0.0) -> tuple[Rated, Floats]:
    """Raters who err independently of each other."""
    found = patterns(shares, right, missing)
    return rated(list(found)), np.array([chance @ np.asarray(shares) for chance in found.values()])


def two_rounds(shares: Sequence[float], right: tuple[Sequence[float], Sequence[float]]) -> tuple[Joint[Rated], Floats]:
    """Two rounds of ratings of the same units; the rounds share only the true categories."""
    first, second = (patterns(shares, r) for r in right)
    pairs = list(itertools.product(first, second))
    chances = np.array([(first[x] * second[y]) @ np.asarray(shares) for x, y in pairs])
    return Joint(rated([x for x, _ in pairs]), rated([y for _, y in pairs])), chances


def clustering(classes: Sequence[float], groups: Floats) -> tuple[Contingency, Floats]:
    """Classes whose items fall into groups with these probabilities, one row for each class."""
    gold, group = (x.ravel() for x in np.indices(groups.shape))
    return _contingency(gold, group, groups.shape), (np.asarray(classes)[:, None] * groups).ravel()


def two_clusterings(classes: Sequence[float], a: Floats, b: Floats, same: float) -> tuple[Joint[Contingency], Floats]:
    """Clustering B repeats A's group with probability `same`, and otherwise has its own."""
    gold, first, second = (x.ravel() for x in np.indices((*a.shape, a.shape[1])))
    repeats = np.eye(a.shape[1])[None]
    shares = np.asarray(classes)[:, None, None] * a[:, :, None] * (same * repeats + (1 - same) * b[:, None, :])
    sides = [_contingency(gold, x, a.shape) for x in (first, second)]
    return Joint(sides[0], sides[1]), shares.ravel()


def _contingency(gold: Ints, group: Ints, shape: tuple[int, ...]) -> Contingency:
    names = [tuple(str(i) for i in range(size)) for size in shape]
    keys, ones = {"gold": gold, "group": group}, np.ones(len(gold), np.int64)
    return Contingency(keys=keys, counts=ones, classes=names[0], groups=names[1])
