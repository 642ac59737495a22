"""What advice rests on: the few counted facts of each family, from a recognized table or from a tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import DataError
from assay.sources.arrays import order_labels
from assay.sources.frames import count_rows
from assay.sources.inspect import Cluster
from assay.sources.recognize import ANNOTATION, CLUSTERING, RANKING, Recognized
from assay.sources.table import Table
from assay.tally.codes import known_label
from assay.tally.contract.base import Tally
from assay.tally.labels import CONVENTIONAL

NOISE = ("-1", "noise", "outlier", "outliers")  # what clusterings call items of no group
Sizes = tuple[tuple[str, int], ...]  # labels with their rows, most frequent first


@dataclass(frozen=True)
class Facts:
    """A classifier's data: rows of each gold class, what kind of scores there are, costs, and rows of one owner."""

    classes: Sizes
    systems: int = 1
    labels: bool = True  # whether there are predicted labels
    scores: bool = False
    by_class: bool = False  # a score for each class
    ends: tuple[float, float] | None = None  # between which the scores lie
    off: int = 0  # rows in which the scores of the classes do not add up to one
    positive: str | None = None
    costs: tuple[float, float] | None = None  # of a false alarm and of a miss
    owner: Cluster | None = None  # a column that seems to say which rows belong together
    clustered: int | None = None  # in how many clusters the rows were counted, where that is done already

    @property
    def n(self) -> int:
        """Rows with a gold label."""
        return sum(rows for _, rows in self.classes)

    @property
    def k(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def rows(self) -> dict[str, int]:
        """Rows of each class."""
        return dict(self.classes)

    @property
    def probabilities(self) -> bool:
        """Whether the scores may be probabilities."""
        return self.scores and self.ends is not None and self.ends[0] >= 0 and self.ends[1] <= 1 and not self.off

    @property
    def positives(self) -> int | None:
        """Rows of the positive class, if one is named."""
        return None if self.positive is None else self.rows.get(self.positive, 0)


@dataclass(frozen=True)
class GroupFacts:
    """A clustering's data: items of each gold class and of each group, or how many memberships each item has."""

    classes: Sizes
    groups: Sizes = ()
    memberships: int = 0  # columns of a soft clustering
    systems: int = 1

    @property
    def n(self) -> int:
        """Items with a gold class."""
        return sum(rows for _, rows in self.classes)

    @property
    def noise(self) -> tuple[str, int] | None:
        """The group of items that belong to none, by its name."""
        return next(((name, rows) for name, rows in self.groups if name.strip().lower() in NOISE), None)


@dataclass(frozen=True)
class RankFacts:
    """A ranking's data: its queries, their documents, and the grades these have."""

    queries: int
    documents: int
    grades: tuple[str, ...]
    answered: int  # queries with a relevant document
    most_relevant: int  # relevant documents of the query that has most
    unjudged: int = 0
    tied: int = 0  # documents that share their score with another of the same query

    @property
    def graded(self) -> bool:
        """Whether relevance is more than yes or no."""
        return len(self.grades) > 2 or any(_grade(grade) > 1 for grade in self.grades)


@dataclass(frozen=True)
class RaterFacts:
    """Annotators' data: units, how often they were rated, and how often each category was chosen."""

    units: int
    raters: int
    ratings: int
    paired: int  # units with two ratings or more
    categories: Sizes
    twice: int = 0  # ratings of a rater who had rated the unit already
    numeric: bool = False

    @property
    def complete(self) -> bool:
        """Whether every rater rated every unit."""
        return self.ratings == self.units * self.raters and not self.twice


AnyFacts = Facts | GroupFacts | RankFacts | RaterFacts


# ---------------------------------------------------------------------- from a table
def facts_of_table(
    table: Table, known: Recognized, *, positive: object | None = None, costs: tuple[float, float] | None = None
) -> AnyFacts:
    """The facts of a table whose family is known, counted where it lives."""
    if known.family == RANKING:
        return _ranking(table, known)
    if known.family == ANNOTATION:
        return _raters(table, known)
    gold = known.column("gold")
    assert gold is not None
    classes = _sizes(table, gold)
    if known.family == CLUSTERING:
        cluster = known.column("cluster")
        groups = () if cluster is None else _sizes(table, cluster)
        systems = max(len(known.columns("cluster")), 1)
        return GroupFacts(classes, groups, len(known.columns("membership")), systems)
    return _classes(classes, known, positive, costs)


def _classes(classes: Sizes, known: Recognized, positive: object | None, costs: tuple[float, float] | None) -> Facts:
    fitting = [scores for scores in known.scores if scores.classes or len(classes) <= 2]
    preds = known.columns("pred")
    return Facts(
        classes=classes,
        systems=len(preds) or len(fitting),
        labels=bool(preds),
        scores=bool(fitting),
        by_class=any(scores.classes for scores in fitting),
        ends=(min(s.low for s in fitting), max(s.high for s in fitting)) if fitting else None,
        off=max((scores.off for scores in fitting), default=0),
        positive=positive_class([label for label, _ in classes], positive),
        costs=costs,
        owner=None if known.found is None else known.found.cluster,
    )


def positive_class(labels: Iterable[str], given: object | None) -> str | None:
    """The class that was named, or the one that is positive by convention; of strings it is not guessed."""
    every = tuple(order_labels(labels))
    if given is not None:
        return known_label(given, every)
    return every[1] if every in CONVENTIONAL else None


def _ranking(table: Table, known: Recognized) -> RankFacts:
    query, relevance = known.column("query"), known.column("relevance")
    assert query is not None
    assert relevance is not None
    texts, counts = count_rows(table, [query, relevance])
    by_query: dict[str, int] = {}
    grades: set[str] = set()
    unjudged = 0
    for name, grade, rows in zip(texts[query].tolist(), texts[relevance].tolist(), counts.tolist(), strict=True):
        relevant = grade is not None and _grade(grade) > 0
        by_query[name] = by_query.get(name, 0) + rows * relevant
        grades |= set() if grade is None else {grade}
        unjudged += rows * (grade is None)
    if not grades:
        raise DataError(
            f"{table.name}: '{relevance}' is empty in every row; nothing says which documents are relevant."
        )
    tied = 0
    if known.column("score") is not None:
        together = count_rows(table, [query, str(known.column("score"))])[1]
        tied = int(together[together > 1].sum())
    return RankFacts(
        queries=len(by_query),
        documents=int(counts.sum()),
        grades=tuple(sorted(grades, key=lambda grade: (_grade(grade), grade))),
        answered=sum(n > 0 for n in by_query.values()),
        most_relevant=max(by_query.values()),
        unjudged=unjudged,
        tied=tied,
    )


def _grade(text: str) -> float:
    """The grade as a number; words count as relevant unless they say no."""
    try:
        return float(text)
    except ValueError:
        return 0.0 if text.strip().lower() in ("no", "false", "irrelevant", "not relevant") else 1.0


def _raters(table: Table, known: Recognized) -> RaterFacts:
    unit, rater = known.column("unit"), known.column("rater")
    if unit is None or rater is None:
        return _raters_in_columns(table, known.columns("rating"))
    rating = known.column("rating")
    assert rating is not None
    texts, counts = count_rows(table, [unit, rater, rating])
    by_unit: Counter[str] = Counter()
    by_pair: Counter[tuple[str, str]] = Counter()
    categories: Counter[str] = Counter()
    for name, who, what, rows in zip(*(texts[c].tolist() for c in (unit, rater, rating)), counts.tolist(), strict=True):
        by_unit[name] += rows * (what is not None)
        if what is not None:
            by_pair[name, who] += rows
            categories[what] += rows
    raters = {who for _, who in by_pair}
    return rated(Counter(by_unit.values()), len(raters), categories, twice=sum(n - 1 for n in by_pair.values()))


def _raters_in_columns(table: Table, columns: tuple[str, ...]) -> RaterFacts:
    texts, counts = count_rows(table, columns)
    units: Counter[int] = Counter()
    categories: Counter[str] = Counter()
    for *row, rows in zip(*(texts[column].tolist() for column in columns), counts.tolist(), strict=True):
        given = [text for text in row if text is not None]
        units[len(given)] += rows
        for text in given:
            categories[text] += rows
    return rated(units, len(columns), categories)


def rated(sizes: Mapping[int, int], raters: int, categories: Counter[str], twice: int = 0) -> RaterFacts:
    """The facts, from how many units have so many ratings."""
    return RaterFacts(
        units=sum(sizes.values()),
        raters=raters,
        ratings=sum(n * units for n, units in sizes.items()),
        paired=sum(units for n, units in sizes.items() if n > 1),
        categories=ordered(categories),
        twice=twice,
        numeric=bool(categories) and all(_is_number(label) for label in categories),
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sizes(table: Table, column: str) -> Sizes:
    texts, counts = count_rows(table, [column])
    return ordered({x: n for x, n in zip(texts[column].tolist(), counts.tolist(), strict=True) if x is not None})


def ordered(rows: Mapping[str, int]) -> Sizes:
    """Labels with their rows, most frequent first."""
    return tuple(sorted(rows.items(), key=lambda item: (-item[1], item[0])))


# ---------------------------------------------------------------------- from a tally
def summed(labels: tuple[str, ...], codes: Any, tally: Tally) -> Sizes:
    """Items of each label."""
    rows: Counter[str] = Counter()
    for code, n in zip(codes.tolist(), tally.counts.tolist(), strict=True):
        rows[labels[code]] += n
    return ordered(rows)
