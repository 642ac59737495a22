"""Random data for every kind of tally, and the measures to try on them.

Rows hold small numbers; a naming turns these into labels, so that the same rows can be counted under other names.
A new measure is under the laws by being in the catalogue; a new kind of tally needs a `Family` here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from assay.options import AVERAGES, CLASS_AVERAGES, MULTI_CLASS
from assay.tally.class_scores import ClassScored
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.preferences import Preferences
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated
from assay.tally.scores import Scored

Row = tuple[Any, ...]
Rows = list[Row]
Naming = Callable[[int], str]
Count = Callable[[Rows, Naming], Tally]

# Shares of the profile's number of examples, for laws that are tried on many measures and many ways of counting.
SOME = settings(max_examples=max(settings().max_examples // 3, 1))
FEW = settings(max_examples=max(settings().max_examples // 8, 1))

CLASSES = 4
HOSTILE = ("z|:%25", "null", "NA", "01", " ", "")


def plain(i: int) -> str:
    """Names in the order of the numbers."""
    return f"c{i:03d}"


def hostile(i: int) -> str:
    """Names in the opposite order, with signs that readers and grammars stumble over."""
    return HOSTILE[i] if i < len(HOSTILE) else f"\N{GREEK SMALL LETTER OMEGA}{999 - i}"


@dataclass(frozen=True)
class Family:
    """How rows of one kind are drawn, counted, made perfect, and judged under two systems."""

    rows: SearchStrategy[Rows]
    anchor: Rows  # rows on which every measure of a perfect output is defined
    count: Count  # the first system alone
    pair: Callable[[Rows, Naming], Joint[Any]]
    perfect: Callable[[Row], Row]  # the first system answers this row rightly
    other_ways: Mapping[str, Count] = field(default_factory=dict)  # with weights, clusters, strata

    @property
    def ways(self) -> dict[str, Count]:
        """Every way to count the rows."""
        return {"plain": self.count, **self.other_ways}


def repeated(row: SearchStrategy[Row], most: int = 14) -> SearchStrategy[Rows]:
    """A few distinct rows, some of them many times, so that counts above one and empty cells both occur."""
    times = st.sampled_from([1, 1, 1, 2, 3, 7])
    some = st.lists(st.tuples(row, times), min_size=1, max_size=most)
    return some.map(lambda pairs: [row for row, n in pairs for _ in range(n)])


# ---------------------------------------------------------------------- labels
def confusion_row(k: int) -> SearchStrategy[Row]:
    label = st.integers(0, k - 1)
    weight = st.sampled_from([0.1, 0.5, 1.0, 1.0, 3.7])
    return st.tuples(label, label, label, weight, st.integers(0, 4)).map(lambda row: (*row, row[4] % 2))


def columns(rows: Rows, names: Naming) -> tuple[list[str], list[str], list[str]]:
    gold, a, b = ([names(row[i]) for row in rows] for i in range(3))
    return gold, a, b


def confusion(rows: Rows, names: Naming, **more: Any) -> Confusion:
    gold, a, _ = columns(rows, names)
    return Confusion.from_predictions(gold, a, **more)


def declared(names: Naming) -> list[str]:
    """All the labels there could be, in an order of their own."""
    return [names(i) for i in range(CLASSES)]


CONFUSION = Family(
    rows=st.integers(1, CLASSES).flatmap(lambda k: repeated(confusion_row(k))),
    anchor=[(0, 0, 1, 1.0, 0, 0), (1, 0, 1, 0.5, 1, 1), (0, 1, 0, 1.0, 2, 0), (1, 1, 1, 2.0, 3, 1)],
    count=confusion,
    pair=lambda rows, names: Confusion.joint(*columns(rows, names)),
    perfect=lambda row: (row[0], row[0], *row[2:]),
    other_ways={
        "declared labels": lambda rows, names: confusion(rows, names, labels=declared(names)),
        "weights": lambda rows, names: confusion(rows, names, sample_weight=[row[3] for row in rows]),
        "clusters": lambda rows, names: confusion(
            rows, names, labels=declared(names), cluster=[names(row[4]) for row in rows]
        ),
        "strata": lambda rows, names: confusion(rows, names, strata=[names(row[5]) for row in rows]),
        "clusters in strata": lambda rows, names: confusion(
            rows, names, cluster=[names(row[4]) for row in rows], strata=[names(row[5]) for row in rows]
        ),
    },
)

# ---------------------------------------------------------------------- several guesses
GUESSES = st.lists(st.integers(0, 3), min_size=3, max_size=3).map(tuple)


def guesses(rows: Rows, names: Naming, which: int) -> list[list[str]]:
    return [[names(i) for i in row[which]] for row in rows]


def guessed(rows: Rows, names: Naming, **more: Any) -> Guessed:
    return Guessed.from_guesses([names(row[0]) for row in rows], guesses(rows, names, 1), **more)


GUESSED = Family(
    rows=repeated(st.tuples(st.integers(0, 3), GUESSES, GUESSES, st.sampled_from([0.5, 1.0, 3.7]), st.integers(0, 3))),
    anchor=[(0, (0, 1, 2), (1, 2, 0), 1.0, 0), (1, (2, 3, 0), (1, 0, 2), 0.5, 1)],
    count=guessed,
    pair=lambda rows, names: Guessed.joint(
        [names(row[0]) for row in rows], guesses(rows, names, 1), guesses(rows, names, 2)
    ),
    perfect=lambda row: (row[0], (row[0], *row[1][1:]), *row[2:]),
    other_ways={
        "weights": lambda rows, names: guessed(rows, names, sample_weight=[row[3] for row in rows]),
        "clusters": lambda rows, names: guessed(rows, names, cluster=[names(row[4]) for row in rows]),
    },
)

# ---------------------------------------------------------------------- scores
SCORE = st.sampled_from([-1.5, 0.0, 0.25, 0.25, 0.5, 1.0]) | st.floats(-1e3, 1e3)
PROBABILITY = st.sampled_from([0.0, 0.25, 0.25, 0.5, 0.9, 1.0]) | st.integers(1, 999).map(lambda i: i / 1000)


def scored_rows(score: SearchStrategy[float]) -> SearchStrategy[Rows]:
    weight = st.sampled_from([0.1, 0.5, 1.0, 1.0, 3.7])
    return repeated(st.tuples(st.integers(0, 1), score, score, weight, st.integers(0, 4)))


def scored(rows: Rows, names: Naming, **more: Any) -> Scored:
    return Scored.from_scores([names(row[0]) for row in rows], [row[1] for row in rows], pos_label=names(1), **more)


SCORED = Family(
    rows=scored_rows(PROBABILITY) | scored_rows(SCORE),
    anchor=[(0, 0.2, 0.1, 1.0, 0), (1, 0.1, 0.4, 0.5, 1)],
    count=scored,
    pair=lambda rows, names: Scored.joint(
        [names(row[0]) for row in rows], *([row[i] for row in rows] for i in (1, 2)), pos_label=names(1)
    ),
    perfect=lambda row: (row[0], float(row[0]), *row[2:]),
    other_ways={
        "weights": lambda rows, names: scored(rows, names, sample_weight=[row[3] for row in rows]),
        "clusters": lambda rows, names: scored(rows, names, cluster=[names(row[4]) for row in rows]),
    },
)

# ---------------------------------------------------------------------- a score for each class
SHARES = st.permutations([0.2, 0.3, 0.5]) | st.permutations([0.0, 0.5, 0.5]) | st.permutations([0.25, 0.25, 0.5])


def together_one(parts: list[int]) -> tuple[float, ...]:
    return tuple(part / sum(parts) for part in parts)


CLASS_SCORES = SHARES.map(tuple) | st.lists(st.integers(1, 1000), min_size=3, max_size=3).map(together_one)


def class_columns(rows: Rows, names: Naming, which: int) -> dict[str, list[float]]:
    return {names(i): [row[which][i] for row in rows] for i in range(3)}


def class_scored(rows: Rows, names: Naming, **more: Any) -> ClassScored:
    return ClassScored.from_class_scores([names(row[0]) for row in rows], class_columns(rows, names, 1), **more)


CLASS_SCORED = Family(
    rows=repeated(
        st.tuples(st.integers(0, 2), CLASS_SCORES, CLASS_SCORES, st.sampled_from([0.5, 1.0, 3.7]), st.integers(0, 3))
    ),
    anchor=[(i % 3, (0.5, 0.25, 0.25), (0.2, 0.5, 0.3), 1.0, i) for i in range(6)],
    count=class_scored,
    pair=lambda rows, names: ClassScored.joint(
        [names(row[0]) for row in rows], *(class_columns(rows, names, which) for which in (1, 2))
    ),
    perfect=lambda row: (row[0], tuple(float(i == row[0]) for i in range(3)), *row[2:]),
    other_ways={
        "weights": lambda rows, names: class_scored(rows, names, sample_weight=[row[3] for row in rows]),
        "clusters": lambda rows, names: class_scored(rows, names, cluster=[names(row[4]) for row in rows]),
    },
)

# ---------------------------------------------------------------------- clusterings
CONTINGENCY = Family(
    rows=repeated(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))),
    anchor=[(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 1)],
    count=lambda rows, names: Contingency.from_labels(*columns(rows, names)[:2]),
    pair=lambda rows, names: Contingency.joint(*columns(rows, names)),
    perfect=lambda row: (row[0], row[0], row[2]),
)

# ---------------------------------------------------------------------- rankings
GRADES = st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0]), max_size=5).map(tuple)


def rankings(rows: Rows, names: Naming, which: int) -> dict[str, tuple[float, ...]]:
    return {names(row[0]): row[which] for row in rows}


RANKED = Family(
    rows=st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=14).map(
        lambda lists: [(i, *pair) for i, pair in enumerate(lists)]
    ),
    anchor=[(500, (0.0, 1.0), (1.0,)), (501, (), (0.0,))],
    count=lambda rows, names: Ranked.from_rankings(rankings(rows, names, 1)),
    pair=lambda rows, names: Ranked.joint(rankings(rows, names, 1), rankings(rows, names, 2)),
    perfect=lambda row: (row[0], (2.0, 2.0), row[2]),  # the first two are all there is to find
)

# ---------------------------------------------------------------------- annotators
RATING = st.sampled_from([0, 0, 1, 1, 2, None])
RATINGS = st.tuples(RATING, RATING, RATING)


def ratings(rows: Rows, names: Naming, which: int) -> list[list[str | None]]:
    return [[None if value is None else names(value) for value in row[which]] for row in rows]


def agreeing(row: Row) -> Row:
    given = [value for value in row[0] if value is not None]
    return (tuple(None if value is None else given[0] for value in row[0]), *row[1:])


RATED = Family(
    # The first rater judges every unit, so that no shard is without any rating.
    rows=repeated(st.tuples(RATINGS, RATINGS).map(lambda both: tuple((x[0] or 0, *x[1:]) for x in both))),
    anchor=[((0, 0, 1), (0, 1, 0)), ((1, 0, None), (1, 1, 1))],
    count=lambda rows, names: Rated.from_ratings(ratings(rows, names, 0)),
    pair=lambda rows, names: Rated.joint(ratings(rows, names, 0), ratings(rows, names, 1)),
    perfect=agreeing,
)


# ---------------------------------------------------------------------- preferences
def judgments(k: int) -> SearchStrategy[Row]:
    """(shown first, shown second, winner or None, how many systems there are, cluster)."""
    pair = st.sampled_from([(i, j) for i in range(k) for j in range(k) if i != j])
    winner = st.sampled_from([0, 0, 1, 1, None])
    made = st.tuples(pair, winner, st.integers(0, 4))
    return made.map(lambda row: (*row[0], None if row[1] is None else row[0][row[1]], k, row[2]))


def preferences(rows: Rows, names: Naming, focus: int = 0, **more: Any) -> Preferences:
    first, second = ([names(row[i]) for row in rows] for i in (0, 1))
    winner = ["tie" if row[2] is None else names(row[2]) for row in rows]
    systems = [names(i) for i in range(max(row[3] for row in rows))]
    return Preferences.from_judgments(first, second, winner, systems=systems, focus=names(focus), **more)


def beside(rows: Rows, names: Naming) -> Joint[Preferences]:
    a, b = (preferences(rows, names, focus) for focus in (0, 1))
    return Joint(a, b)


PREFERENCES = Family(
    rows=st.sampled_from([2, 3]).flatmap(lambda k: repeated(judgments(k), 24)),
    anchor=[(i, j, won, 2, i) for i, j in ((0, 1), (1, 0)) for won in (0, 1, None)],
    count=preferences,
    pair=beside,
    perfect=lambda row: (*row[:2], 0 if 0 in row[:2] else row[2], *row[3:]),
    other_ways={
        "clusters": lambda rows, names: preferences(rows, names, cluster=[names(row[4]) for row in rows]),
    },
)

FAMILIES: dict[type[Tally], Family] = {
    Confusion: CONFUSION,
    Scored: SCORED,
    ClassScored: CLASS_SCORED,
    Guessed: GUESSED,
    Contingency: CONTINGENCY,
    Ranked: RANKED,
    Rated: RATED,
    Preferences: PREFERENCES,
}


# ---------------------------------------------------------------------- measures
@dataclass(frozen=True)
class Case:
    """A measure with one choice of its options."""

    measure: Measure
    average: str | None = None
    chosen: tuple[tuple[str, Any], ...] = ()  # other options

    def __str__(self) -> str:
        kind = () if self.measure.variant_of is None else (self.measure.kind.kind,)
        words = (self.measure.name, *kind, *filter(None, [self.average]), *(str(value) for _, value in self.chosen))
        return "-".join(words)

    @property
    def family(self) -> Family:
        """The data this measure is computed from."""
        return FAMILIES[self.measure.kind]

    def options(self, names: Naming = plain) -> dict[str, Any]:
        """The options in words; one class stands for all where the average is binary."""
        if self.average is None:
            return dict(self.chosen)
        return {"average": self.average, **({"pos_label": names(0)} if self.average == "binary" else {})}

    def bound(self, tally: Tally) -> Bound:
        """The measure with its options settled."""
        return self.measure.bind(tally, **self.options())

    def ways(self) -> SearchStrategy[Count]:
        """One of the ways to count."""
        return st.sampled_from(list(self.family.ways.values()))

    def rows(self) -> SearchStrategy[Rows]:
        """Rows in which the class that is asked about occurs."""
        if self.average != "binary":
            return self.family.rows
        return self.family.rows.map(lambda rows: [(0, *row[1:]) if i == 0 else row for i, row in enumerate(rows)])


def cases_of(measure: Measure, place: int) -> list[Case]:
    """The measure for one class and under averages: the best known ones under all, the others under one in turn."""
    if not measure.averaged:
        # By default this is the highest grade of the data, which leaving out a query may change.
        scale = (("max_grade", 2),) if "max_grade" in measure.options else ()
        cut = [Case(measure, None, (*scale, ("k", 2)))] if measure.options.get("k", 0) is None else []
        return [Case(measure, None, scale), *cut]
    if measure.averages.of_one_class:
        return [Case(measure, "binary")]
    averages = AVERAGES if measure.name in ("precision", "recall", "f1") else ("binary", AVERAGES[1 + place % 3])
    return [Case(measure, average) for average in averages]


def variant_cases(measure: Measure) -> list[Case]:
    """The measure as it is read of other kinds of tallies, each word that its options can be in one of the cases."""
    words = {"average": CLASS_AVERAGES, "multi_class": MULTI_CLASS}
    cases = []
    for each in measure.variants.values():
        varied = {name: words[name] for name in words if name in each.options}
        some = zip(*varied.values(), strict=True) if varied else [()]
        cases += [Case(each, None, tuple(zip(varied, chosen, strict=True))) for chosen in some]
    return cases


CASES = [
    case
    for place, measure in enumerate(catalogue().values())
    for case in (*cases_of(measure, place), *variant_cases(measure))
]


def same(x: Any, y: Any, tolerance: float = 1e-12) -> bool:
    """Equal up to rounding, undefined values included."""
    return bool(np.allclose(np.asarray(x, float), np.asarray(y, float), rtol=tolerance, atol=tolerance, equal_nan=True))
