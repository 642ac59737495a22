"""Populations whose true values are known, and how often an interval contains them.

Everything here is imported by `coverage_grid.py`, which writes the table of the reference pages, and by the quick
simulation in the tests. A population knows the exact value of every measure: the formula applied to its own cell
shares, in place of counts. Only normal scores need more, and for them the area under the curve has a closed form.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from scipy.stats import norm

from assay.measures.catalogue import catalogue
from assay.measures.declare import Measure
from assay.tally.base import Tally
from assay.tally.confusion import Confusion
from assay.tally.contingency import Contingency
from assay.tally.joint import Joint
from assay.tally.ranked import Ranked
from assay.tally.rated import Rated
from assay.tally.sampling import Clusters, Floats, Ints
from assay.tally.scored import Scored
from assay.uncertainty.compare import compare
from assay.uncertainty.estimate import estimate
from assay.uncertainty.results import Comparison, Estimate

SEED = 20_000
DRAWS = 1999  # for the methods that draw; the library itself draws 9,999
QUANTILES = 20_000
SLACK = 1e-9  # limits that equal the truth up to rounding hold it
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
        """So many samples; equal ones are given once, with how often they came."""
        ...

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The value in the population, or the difference between the two systems."""
        ...


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
    """The tally of a draw, with only the units that occurred; counts of clusters stand in rows."""
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
    """Negatives score N(0, 1), positives N(shift, spread²): for each system its shift, and one correlation."""

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
    """How a system labels the items of each gold class: right with this chance, else spread over the others."""
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
    """Cells and their shares when B repeats the answer of A with the chance `same`, and else gives its own."""
    k = len(gold)
    repeats = np.eye(k)[None]
    shares = np.asarray(gold)[:, None, None] * a[:, :, None] * (same * repeats + (1 - same) * b[:, None, :])
    return joint_confusion(k), shares.ravel()


def binary(prevalence: float, tpr: float, fpr: float) -> tuple[Sequence[float], Floats]:
    """Two classes, the second of which is positive."""
    return (1 - prevalence, prevalence), answers([1 - fpr, tpr])


# ---------------------------------------------------------------------- rankings, ratings, clusterings
def first_ranks(stop: float, none: float, depth: int = 10) -> Floats:
    """Chances of the first relevant document at rank 1, 2, … depth, then of none; each rank stops with `stop`."""
    at = stop * (1 - stop) ** np.arange(depth)
    return np.append(at / at.sum() * (1 - none), none)


def ranked(size: int) -> tuple[list[tuple[float, ...]], tuple[str, ...]]:
    """A list for every first rank, and one without a relevant document."""
    lists = [(0.0,) * i + (1.0,) for i in range(size - 1)]
    return [*lists, (0.0,) * (size - 1)], tuple(str(i) for i in range(size))


def one_run(ranks: Floats) -> tuple[Ranked, Floats]:
    """Queries that differ only in their first rank."""
    lists, names = ranked(len(ranks))
    index = np.arange(len(ranks))
    tally = Ranked(keys={"query": index, "list": index}, counts=np.ones_like(index), queries=names, lists=tuple(lists))
    return tally, ranks


def two_runs(a: Floats, b: Floats, same: float) -> tuple[Joint[Ranked], Floats]:
    """Run B repeats the rank of A with the chance `same`, and else draws its own."""
    lists, _ = ranked(len(a))
    first, second = (x.ravel() for x in np.indices((len(a), len(a))))
    index = np.arange(len(first))
    names = tuple(str(i) for i in index)
    sides = [
        Ranked(keys={"query": index, "list": x}, counts=np.ones_like(index), queries=names, lists=tuple(lists))
        for x in (first, second)
    ]
    return Joint(sides[0], sides[1]), (a[:, None] * (same * np.eye(len(a)) + (1 - same) * b[None])).ravel()


def patterns(shares: Sequence[float], right: Sequence[float], missing: float = 0.0) -> dict[tuple[int, ...], Floats]:
    """The chance of every pattern of category counts, for each true category.

    Rater i names the true category with the chance right[i] and else one of the others; `missing` is the chance
    that a rater passes over the unit.
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
    """Classes whose items fall into groups with these chances, one row for each class."""
    gold, group = (x.ravel() for x in np.indices(groups.shape))
    return _contingency(gold, group, groups.shape), (np.asarray(classes)[:, None] * groups).ravel()


def two_clusterings(classes: Sequence[float], a: Floats, b: Floats, same: float) -> tuple[Joint[Contingency], Floats]:
    """Clustering B repeats the group of A with the chance `same`, and else has its own."""
    gold, first, second = (x.ravel() for x in np.indices((*a.shape, a.shape[1])))
    repeats = np.eye(a.shape[1])[None]
    shares = np.asarray(classes)[:, None, None] * a[:, :, None] * (same * repeats + (1 - same) * b[:, None, :])
    sides = [_contingency(gold, x, a.shape) for x in (first, second)]
    return Joint(sides[0], sides[1]), shares.ravel()


def _contingency(gold: Ints, group: Ints, shape: tuple[int, ...]) -> Contingency:
    names = [tuple(str(i) for i in range(size)) for size in shape]
    keys, ones = {"gold": gold, "group": group}, np.ones(len(gold), np.int64)
    return Contingency(keys=keys, counts=ones, classes=names[0], groups=names[1])


# ---------------------------------------------------------------------- counting
@dataclass
class Coverage:
    """How often an interval held the truth, of the samples that had an interval."""

    samples: int = 0
    undefined: int = 0  # the measure has no value
    refused: int = 0  # it has one, and no interval
    covered: int = 0
    above: int = 0  # the interval lies above the truth
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
        """Count one interval, which came so many times."""
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
            self.methods[found.method] += times
            if isinstance(found, Comparison):
                self.parts.update({found.a.method: times, found.b.method: times})


def count(population: Population, measure: str | Measure, size: int, seed: int = SEED, **options: Any) -> Coverage:
    """Draw samples and count the intervals of the measure, or of the difference, that hold the truth.

    `method` and `level` among the options are handed on; a joint tally is compared, any other estimated.
    """
    found = catalogue()[measure] if isinstance(measure, str) else measure
    mine = {name: value for name, value in options.items() if name in found.options}
    truth, out = population.truth(found, mine), Coverage()
    options = {"n_resamples": DRAWS, **options}
    for tally, times in population.samples(size, np.random.default_rng(seed)):
        if isinstance(tally, Joint):
            out.add(compare(tally, measure=found, test="none", **options), truth, times)
        else:
            out.add(estimate(found, tally, **options), truth, times)
    return out


# ---------------------------------------------------------------------- the populations
@dataclass(frozen=True, eq=False)
class Family:
    """Populations of one kind, and how measures with an average are averaged there."""

    title: str
    kind: type[Tally]
    populations: tuple[Population, ...]
    averages: tuple[str, ...] = ()
    quick: tuple[int, int, int] = (0, 1, 2)  # the three populations of the quick simulation

    def cases(self) -> list[tuple[Measure, dict[str, Any]]]:
        """Every measure of the catalogue that is computed from this kind of tally, with the options it is seen with.

        Averages after the first are seen with F1 only, which stands for the others: their intervals are made alike.
        """
        fitting = [each for each in catalogue().values() if each.kind is self.kind]
        averaged: list[dict[str, Any]] = [{"average": average} for average in self.averages]
        seen = {each: averaged if each.name == "f1" else averaged[:1] for each in fitting if each.averaged}
        return [(each, options) for each in fitting for options in seen.get(each, [{}])]


FIVE = (0.5, 0.25, 0.14, 0.08, 0.03)
EVEN = (0.2,) * 5
THREE = (0.7, 0.2, 0.1)
EASY = (0.97, 0.96, 0.95, 0.93, 0.9)
MIDDLING = (0.85, 0.75, 0.7, 0.6, 0.5)
POOR = (0.6, 0.4, 0.35, 0.3, 0.2)


def _two_classes(n: int, prevalence: float, tpr: float, fpr: float) -> Table:
    name = f"{prevalence:.0%} positive, recall {tpr:.0%}, false alarms {fpr:.0%}"
    return Table(name, n, *one_system(*binary(prevalence, tpr, fpr)))


def _classes(name: str, n: int, gold: Sequence[float], recall: Sequence[float], to_large: bool = False) -> Table:
    """With `to_large`, errors go to the other classes in proportion to how frequent they are."""
    confused = np.tile(np.asarray(gold), (len(gold), 1)) if to_large else None
    return Table(name, n, *one_system(gold, answers(recall, confused)))


def _pair(n: int, prevalence: float, a: tuple[float, float], b: tuple[float, float], same: float) -> Table:
    name = (
        f"{prevalence:.0%} positive, A {a[0]:.0%} / {a[1]:.0%}, own answers of B {b[0]:.0%} / {b[1]:.0%}, "
        f"{same:.0%} repeated"
    )
    return Table(name, n, *two_systems((1 - prevalence, prevalence), _detector(*a), _detector(*b), same))


def _detector(tpr: float, fpr: float) -> Floats:
    return answers([1 - fpr, tpr])


def _class_pair(name: str, n: int, gold: Sequence[float], a: Sequence[float], b: Sequence[float], same: float) -> Table:
    return Table(f"{name}, {same:.0%} repeated", n, *two_systems(gold, answers(a), answers(b), same))


def _less(recall: Sequence[float], by: float) -> tuple[float, ...]:
    return tuple(r - by for r in recall)


def _clusters(name: str, clusters: int, size: float, icc: float, cells: tuple[Any, Floats]) -> Clustered:
    return Clustered(f"{name}; {clusters} clusters of about {size:g}, icc {icc:g}", clusters, size, icc, *cells)


def _cluster_pair(
    clusters: int, size: float, icc: float, prevalence: float, a: tuple[float, float], b: tuple[float, float]
) -> Clustered:
    name = f"{prevalence:.0%} positive, A {a[0]:.0%} / {a[1]:.0%}, own answers of B {b[0]:.0%} / {b[1]:.0%}"
    cells = two_systems((1 - prevalence, prevalence), _detector(*a), _detector(*b), 0.5)
    return _clusters(name, clusters, size, icc, cells)


def _scores(n: int, prevalence: float, shift: float, spread: float = 1.0) -> NormalScores:
    name = f"{prevalence:.0%} positive, normal, shift {shift:g}, spread {spread:g}"
    return NormalScores(name, n, prevalence, (shift,), spread)


def _score_pair(n: int, prevalence: float, shifts: tuple[float, float], correlation: float) -> NormalScores:
    name = f"{prevalence:.0%} positive, normal, shifts {shifts[0]:g} and {shifts[1]:g}, correlation {correlation:g}"
    return NormalScores(name, n, prevalence, shifts, 1.0, correlation)


def _run(n: int, stop: float, none: float) -> Table:
    return Table(
        f"each rank is the first relevant with {stop:.0%}, none for {none:.0%}", n, *one_run(first_ranks(stop, none))
    )


def _run_pair(n: int, a: tuple[float, float], b: tuple[float, float], same: float) -> Table:
    name = f"A {a[0]:.0%}, none {a[1]:.0%}; own ranks of B {b[0]:.0%}, none {b[1]:.0%}; {same:.0%} repeated"
    return Table(name, n, *two_runs(first_ranks(*a), first_ranks(*b), same))


def _round(n: int, shares: Sequence[float], right: Sequence[float], missing: float = 0.0) -> Table:
    name = f"categories {_listed(shares)}, raters right {_listed(right)}" + (
        f", {missing:.0%} missing" if missing else ""
    )
    return Table(name, n, *one_round(shares, right, missing))


def _round_pair(n: int, shares: Sequence[float], first: Sequence[float], second: Sequence[float]) -> Table:
    name = f"categories {_listed(shares)}, raters right {_listed(first)}, then {_listed(second)}"
    return Table(name, n, *two_rounds(shares, (first, second)))


def _grouping(n: int, classes: Sequence[float], right: Sequence[float]) -> Table:
    name = f"classes {_listed(classes)}, in their own group {_listed(right)}"
    return Table(name, n, *clustering(classes, answers(right)))


def _grouping_pair(n: int, classes: Sequence[float], a: float, b: float, same: float) -> Table:
    name = f"classes {_listed(classes)}, A {a:.0%} in their own group, own groups of B {b:.0%}, {same:.0%} repeated"
    first, second = (answers([x] * len(classes)) for x in (a, b))
    return Table(name, n, *two_clusterings(classes, first, second, same))


def _listed(shares: Sequence[float]) -> str:
    return " ".join(f"{x:g}".lstrip("0") for x in shares)


SKEWED = (0.4, 0.3, 0.2, 0.1)
QUARTERS = (0.25,) * 4

SINGLE: tuple[Family, ...] = (
    Family(
        "Two classes",
        Confusion,
        (
            _two_classes(50, 0.5, 0.8, 0.2),
            _two_classes(100, 0.3, 0.7, 0.1),
            _two_classes(200, 0.1, 0.8, 0.05),
            _two_classes(400, 0.05, 0.6, 0.02),
            _two_classes(1000, 0.02, 0.7, 0.01),
            _two_classes(100, 0.5, 0.97, 0.02),
            _two_classes(300, 0.2, 0.4, 0.3),
            _two_classes(1000, 0.5, 0.9, 0.1),
        ),
        ("binary", "macro"),
    ),
    Family(
        "Five classes, of 50, 25, 14, 8 and 3%",
        Confusion,
        (
            _classes("easy", 100, FIVE, EASY),
            _classes("middling", 200, FIVE, MIDDLING),
            _classes("poor", 500, FIVE, POOR),
            _classes("middling", 100, FIVE, MIDDLING),
            _classes("poor, errors to the large classes", 200, FIVE, POOR, to_large=True),
            _classes("easy", 500, FIVE, EASY),
            _classes("middling", 1000, FIVE, MIDDLING),
            _classes("middling, classes equally large", 100, EVEN, MIDDLING),
        ),
        ("macro", "micro", "weighted"),
        quick=(0, 2, 3),
    ),
    Family(
        "Two classes, items in clusters",
        Confusion,
        (
            _clusters("30% positive, 70% / 10%", 30, 6, 0.05, one_system(*binary(0.3, 0.7, 0.1))),
            _clusters("50% positive, 80% / 20%", 30, 10, 0.2, one_system(*binary(0.5, 0.8, 0.2))),
            _clusters("30% positive, 60% / 20%", 50, 5, 0.1, one_system(*binary(0.3, 0.6, 0.2))),
            _clusters("30% positive, 70% / 10%", 20, 5, 0.3, one_system(*binary(0.3, 0.7, 0.1))),
            _clusters("50% positive, 95% / 5%", 50, 4, 0.1, one_system(*binary(0.5, 0.95, 0.05))),
            _clusters("10% positive, 70% / 5%", 50, 20, 0.2, one_system(*binary(0.1, 0.7, 0.05))),
        ),
        ("binary",),
        quick=(1, 3, 5),
    ),
    Family(
        "Five classes, items in clusters",
        Confusion,
        (
            _clusters("middling", 40, 10, 0.2, one_system(FIVE, answers(MIDDLING))),
            _clusters("middling", 50, 5, 0.1, one_system(FIVE, answers(MIDDLING))),
            _clusters("three classes, 90, 70 and 60% right", 25, 12, 0.1, one_system(THREE, answers((0.9, 0.7, 0.6)))),
            _clusters("easy", 50, 6, 0.3, one_system(FIVE, answers(EASY))),
        ),
        ("macro",),
        quick=(0, 2, 3),
    ),
    Family(
        "Scores",
        Scored,
        (
            _scores(50, 0.5, 1.0),
            _scores(100, 0.3, 1.5),
            _scores(400, 0.05, 1.5),
            _scores(100, 0.5, 2.5),
            _scores(200, 0.1, 1.0, 1.5),
            _scores(1000, 0.02, 2.0),
            _scores(300, 0.2, 0.3, 0.7),
            _scores(1000, 0.5, 1.0),
        ),
    ),
    Family(
        "Rankings",
        Ranked,
        (
            _run(50, 0.5, 0.1),
            _run(100, 0.3, 0.3),
            _run(200, 0.9, 0.02),
            _run(30, 0.4, 0.2),
            _run(50, 0.8, 0.02),
            _run(50, 0.15, 0.6),
            _run(100, 0.1, 0.85),
            _run(400, 0.5, 0.2),
        ),
    ),
    Family(
        "Clusterings of four classes",
        Contingency,
        (
            _grouping(100, SKEWED, (0.8,) * 4),
            _grouping(200, SKEWED, (0.6,) * 4),
            _grouping(100, QUARTERS, (0.9,) * 4),
            _grouping(50, SKEWED, (0.8,) * 4),
            _grouping(100, QUARTERS, (0.97,) * 4),
            _grouping(100, QUARTERS, (0.4,) * 4),
            _grouping(200, (0.7, 0.15, 0.1, 0.05), (0.85, 0.7, 0.7, 0.7)),
            _grouping(500, SKEWED, (0.7, 0.7, 0.6, 0.5)),
        ),
    ),
    Family(
        "Three raters",
        Rated,
        (
            _round(100, (0.5, 0.5), (0.8,) * 3),
            _round(200, (0.4, 0.3, 0.2, 0.1), (0.6, 0.6, 0.7), 0.2),
            _round(200, (0.9, 0.1), (0.9,) * 3),
            _round(100, (0.5, 0.5), (0.97,) * 3),
            _round(300, (0.95, 0.05), (0.95, 0.95, 0.9)),
            _round(300, (0.7, 0.3), (0.6,) * 3),
            _round(100, (0.97, 0.03), (0.97,) * 3),
            _round(100, (0.96, 0.04), (0.8, 0.87, 0.95)),
        ),
    ),
)

PAIRED: tuple[Family, ...] = (
    Family(
        "Two systems, two classes",
        Confusion,
        (
            _pair(100, 0.3, (0.7, 0.1), (0.8, 0.2), 0.5),
            _pair(200, 0.1, (0.8, 0.05), (0.7, 0.1), 0.6),
            _pair(400, 0.05, (0.6, 0.02), (0.7, 0.03), 0.3),
            _pair(50, 0.5, (0.8, 0.2), (0.8, 0.3), 0.5),
            _pair(1000, 0.5, (0.9, 0.1), (0.91, 0.12), 0.7),
            _pair(100, 0.5, (0.97, 0.02), (0.97, 0.04), 0.5),
        ),
        ("binary",),
    ),
    Family(
        "Two systems, five classes",
        Confusion,
        (
            _class_pair("middling and poor", 100, FIVE, MIDDLING, POOR, 0.5),
            _class_pair("middling and a little worse", 500, FIVE, MIDDLING, _less(MIDDLING, 0.1), 0.5),
            _class_pair("middling and poor, classes equally large", 100, EVEN, MIDDLING, POOR, 0.3),
            _class_pair("middling twice", 200, FIVE, MIDDLING, MIDDLING, 0.7),
            _class_pair("easy and a little worse", 200, FIVE, EASY, _less(EASY, 0.03), 0.6),
        ),
        ("macro", "weighted"),
    ),
    Family(
        "Two systems, two classes, items in clusters",
        Confusion,
        (
            _cluster_pair(20, 5, 0.3, 0.3, (0.7, 0.1), (0.8, 0.2)),
            _cluster_pair(30, 10, 0.2, 0.5, (0.9, 0.1), (0.9, 0.2)),
            _cluster_pair(50, 8, 0.3, 0.2, (0.8, 0.05), (0.8, 0.1)),
        ),
        ("binary",),
    ),
    Family(
        "Two systems, scores",
        Scored,
        (
            _score_pair(50, 0.5, (1.0, 0.7), 0.5),
            _score_pair(100, 0.3, (1.5, 1.2), 0.6),
            _score_pair(400, 0.05, (1.5, 1.0), 0.5),
            _score_pair(200, 0.1, (1.0, 1.0), 0.7),
            _score_pair(500, 0.04, (2.0, 1.6), 0.5),
            _score_pair(100, 0.5, (2.5, 2.2), 0.5),
        ),
        quick=(0, 1, 3),
    ),
    Family(
        "Two systems, rankings",
        Ranked,
        (
            _run_pair(50, (0.5, 0.1), (0.4, 0.1), 0.5),
            _run_pair(100, (0.8, 0.05), (0.7, 0.05), 0.6),
            _run_pair(200, (0.3, 0.2), (0.3, 0.2), 0.3),
            _run_pair(30, (0.5, 0.1), (0.5, 0.2), 0.3),
            _run_pair(50, (0.9, 0.02), (0.85, 0.03), 0.8),
        ),
    ),
    Family(
        "Two clusterings of four classes",
        Contingency,
        (
            _grouping_pair(100, SKEWED, 0.8, 0.8, 0.5),
            _grouping_pair(200, SKEWED, 0.6, 0.5, 0.3),
            _grouping_pair(50, SKEWED, 0.8, 0.7, 0.5),
            _grouping_pair(100, QUARTERS, 0.95, 0.9, 0.5),
            _grouping_pair(500, SKEWED, 0.7, 0.65, 0.6),
        ),
    ),
    Family(
        "Two rounds of three raters",
        Rated,
        (
            _round_pair(100, (0.5, 0.5), (0.8,) * 3, (0.7, 0.8, 0.8)),
            _round_pair(200, (0.8, 0.2), (0.9,) * 3, (0.85,) * 3),
            _round_pair(300, (0.9, 0.1), (0.95,) * 3, (0.95,) * 3),
            _round_pair(100, (0.9, 0.1), (0.95,) * 3, (0.9,) * 3),
        ),
    ),
)
