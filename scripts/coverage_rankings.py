"""Populations of queries, each with the list that one run returned for it, or the lists of two runs.

A population is a few hundred lists, drawn once from the model that its name describes; queries are drawn from them with
replacement. So the true value of every measure is the formula itself on these lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.measures.declare.catalogue import parse
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.lists.ranked import Lists, Ragged
from assay.tally.rankings import Ranked
from scripts.coverage_counting import Family
from scripts.coverage_populations import Clustered, Table

LISTS, DEPTH = 400, 30
SEED = 7
GRADES = (1.0, 1.0, 2.0, 3.0)  # of relevant documents, equally likely
Draw = Callable[[np.random.Generator], Floats]


@dataclass(frozen=True)
class Kind:
    """How good the lists are, and how many relevant documents the queries have: a number for each query."""

    name: str
    good: Draw  # the probability that the document at rank 1 is relevant; it falls by 5% with each rank
    relevant: Draw


def _beta(a: float, b: float) -> Draw:
    return lambda rng: rng.beta(a, b, LISTS)


def _mixed(shares: tuple[float, float, float]) -> Draw:
    """Nothing found, everything first, or something between, in these shares."""

    def draw(rng: np.random.Generator) -> Floats:
        kind = rng.permutation(np.repeat([0, 1, 2], [round(LISTS * share) for share in shares]))
        return np.choose(kind, [np.zeros(LISTS), np.ones(LISTS), rng.uniform(0.1, 0.9, LISTS)])

    return draw


def _about(typical: float, spread: float = 0.8) -> Draw:
    return lambda rng: np.ceil(typical * np.exp(spread * rng.standard_normal(LISTS)))


def _exactly(number: int) -> Draw:
    return lambda rng: np.full(LISTS, float(number))


MIDDLING = Kind("middling lists, about 20 relevant", _beta(2, 2), _about(20))
POOR = Kind("poor lists, about 20 relevant", _beta(0.5, 4), _about(20))
GOOD = Kind("good lists, about 30 relevant", _beta(20, 1), _about(30))
MOSTLY_NOTHING = Kind("85% find nothing, 2% everything", _mixed((0.85, 0.02, 0.13)), _about(4))
ALL_OR_NOTHING = Kind("40% find nothing, 50% everything", _mixed((0.4, 0.5, 0.1)), _about(4))
ONE_RELEVANT = Kind("one relevant, anywhere", _beta(1, 1), _exactly(1))
ONE_AT_TOP = Kind("one relevant, 95% at rank 1", _mixed((0.01, 0.95, 0.04)), _exactly(1))
KINDS = (MIDDLING, POOR, GOOD, MOSTLY_NOTHING, ALL_OR_NOTHING, ONE_RELEVANT, ONE_AT_TOP)


@dataclass(frozen=True)
class Luck:
    """What the model draws for each rank of each list: whether it is relevant, and the grade it then has."""

    hit: Floats
    grade: Floats

    @classmethod
    def of(cls, rng: np.random.Generator) -> Self:
        """Independent draws."""
        return cls(rng.random((LISTS, DEPTH)), rng.choice(GRADES, (LISTS, DEPTH)))

    def mostly(self, anew: float, rng: np.random.Generator) -> Luck:
        """The same draws except at this share of the ranks, as of a run that returns many of the same documents."""
        new, other = rng.random((LISTS, DEPTH)) < anew, Luck.of(rng)
        return Luck(np.where(new, other.hit, self.hit), np.where(new, other.grade, self.grade))


def returned(good: Floats, relevant: Floats, luck: Luck, rng: np.random.Generator) -> Lists:
    """Lists of 30 documents with grades of 0 to 3; relevant ones that are not in the list are in the pool."""
    hit = luck.hit < good[:, None] * 0.95 ** np.arange(DEPTH)
    hit &= hit.cumsum(1) <= relevant[:, None]
    grade = np.where(hit, luck.grade, 0.0)
    size = DEPTH + (relevant - hit.sum(1)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(size)])
    pool = rng.choice(GRADES, starts[-1])
    pool[(starts[:-1, None] + np.arange(DEPTH)).ravel()] = grade.ravel()
    order = np.lexsort((-pool, np.repeat(np.arange(LISTS), size)))
    found = Ragged((np.tile(np.arange(1, DEPTH + 1), LISTS), grade.ravel()), DEPTH * np.arange(LISTS + 1))
    none = np.zeros(0, np.int64)
    untied = Ragged((none, none), np.zeros(LISTS + 1, np.int64))
    return Lists(np.full(LISTS, DEPTH), found, Ragged((pool[order],), starts), untied)


def _tally(lists: Lists, which: Ints) -> Ranked:
    index = np.arange(len(which))
    keys = {"query": index, "list": which}
    return Ranked(keys=keys, counts=np.ones_like(index), queries=tuple(f"{i:04d}" for i in index), lists=lists)


def one_run(kind: Kind) -> tuple[Ranked, Floats]:
    """The lists of a run, all equally frequent."""
    rng = np.random.default_rng(SEED)
    lists = returned(kind.good(rng), kind.relevant(rng), Luck.of(rng), rng)
    return _tally(lists, np.arange(LISTS)), np.full(LISTS, 1 / LISTS)


@dataclass(frozen=True)
class Change:
    """How run B differs from A, query by query."""

    name: str
    same: float  # the share of queries for which it returns the same list
    anew: float = 0.3  # the share of ranks that hold another document
    spread: float = 0.3  # of the log-odds of a relevant document, around those of A
    better: float = 0.0  # by how much they are higher on average
    lost: float = 0.0  # the share of queries for which it finds nothing


SIMILAR = Change("B similar", 0.0)
BETTER = Change("B similar and better", 0.0, better=0.5)
UNLIKE = Change("B quite different", 0.0, 1.0, 1.0)
RERANKED = Change("90% of the lists the same", 0.9)
LOSING = Change("B better, 6% of the queries lost", 0.0, better=0.5, lost=0.06)
RARELY = Change("97% of the lists the same, the others lost", 0.97, lost=1.0)


def two_runs(kind: Kind, change: Change) -> tuple[Joint[Ranked], Floats]:
    """Pairs of lists of the same queries."""
    rng = np.random.default_rng(SEED)
    good, relevant = np.clip(kind.good(rng), 0.001, 0.999), kind.relevant(rng)
    shifted = np.log(good / (1 - good)) + change.better + change.spread * rng.standard_normal(LISTS)
    other = np.where(rng.random(LISTS) < change.lost, 0.0, 1 / (1 + np.exp(-shifted)))
    luck = Luck.of(rng)
    first = returned(good, relevant, luck, rng)
    second = returned(other, relevant, luck.mostly(change.anew, rng), rng)
    index = np.arange(LISTS)
    which = np.where(rng.random(LISTS) < change.same, index, LISTS + index)
    lists = first.then(second)
    return Joint(_tally(lists, index), _tally(lists, which)), np.full(LISTS, 1 / LISTS)


OUTLYING = Change("B a little better, 6% of the queries lost", 0.0, 0.1, 0.1, 0.5, 0.06)


def balanced(units: Joint[Ranked], spelling: str) -> Floats:
    """Shares with which both runs have the same mean: those in favor of the one that is ahead are rarer."""
    measure, options = parse(spelling)
    a, b = (measure.bind(side, **options).mean(side) for side in (units.a, units.b))
    assert a is not None
    assert b is not None
    d = a.each - b.each
    for_a, for_b = float(d[d > 0].sum()), -float(d[d < 0].sum())
    shares = np.where(d > 0, for_b, np.where(d < 0, for_a, (for_a + for_b) / 2))
    return np.asarray(shares / shares.sum())


def _run(kind: Kind, n: int) -> Table:
    return Table(kind.name, n, *one_run(kind))


def _pair(kind: Kind, change: Change, n: int) -> Table:
    return Table(f"{kind.name}; {change.name}", n, *two_runs(kind, change))


def _topics(kind: Kind, topics: int, size: float, icc: float, change: Change | None = None) -> Clustered:
    """Queries that belong to topics of unequal sizes."""
    name = kind.name if change is None else f"{kind.name}; {change.name}"
    name = f"{name}; {topics} topics of about {size:g} queries, icc {icc:g}"
    return Clustered(name, topics, size, icc, *(one_run(kind) if change is None else two_runs(kind, change)))


QUERIES = (10, 25, 50, 250, 5_000)
# The measures that stand for all means over queries, with a geometric mean and one without an upper end.
MEASURES = ("rr", "ndcg", "ap", "p", "success", "bpref", "gm_ap", "dcg")
CUT = (("ndcg", {"k": 10}), ("p", {"k": 10}), ("success", {"k": 5}), ("dcg", {"k": 10}))
PAIRS = (
    (MIDDLING, UNLIKE),
    (MIDDLING, SIMILAR),
    (MIDDLING, LOSING),
    (POOR, BETTER),
    (ONE_RELEVANT, UNLIKE),
    (GOOD, RERANKED),
    (ALL_OR_NOTHING, RERANKED),
    (MIDDLING, RARELY),
)

ONE_RUN: tuple[Family, ...] = (
    Family(
        "Rankings",
        Ranked,
        tuple(_run(kind, n) for kind in KINDS for n in QUERIES),
        quick=(1, 7, 22),
        only=MEASURES,
        own=CUT,
    ),
    Family(
        "Rankings, queries in topics",
        Ranked,
        (
            _topics(MIDDLING, 30, 5, 0.2),
            _topics(ONE_RELEVANT, 50, 3, 0.4),
            _topics(POOR, 30, 5, 0.2),
            _topics(ALL_OR_NOTHING, 20, 10, 0.3),
            _topics(GOOD, 12, 4, 0.5),
            _topics(MOSTLY_NOTHING, 100, 3, 0.3),
            _topics(MIDDLING, 200, 8, 0.1),
        ),
        only=MEASURES,
        own=CUT,
    ),
)
TWO_RUNS: tuple[Family, ...] = (
    Family(
        "Two systems, rankings",
        Ranked,
        tuple(_pair(kind, change, n) for kind, change in PAIRS for n in QUERIES),
        quick=(1, 8, 13),
        only=MEASURES,
        own=CUT,
    ),
    Family(
        "Two systems, rankings, queries in topics",
        Ranked,
        (
            _topics(MIDDLING, 30, 5, 0.2, UNLIKE),
            _topics(ONE_RELEVANT, 50, 3, 0.4, UNLIKE),
            _topics(POOR, 100, 5, 0.2, BETTER),
            _topics(MIDDLING, 20, 10, 0.3, LOSING),
            _topics(ALL_OR_NOTHING, 12, 4, 0.5, RERANKED),
        ),
        only=MEASURES,
        own=CUT,
    ),
)
