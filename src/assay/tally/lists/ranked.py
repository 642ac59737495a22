"""What ranked lists hold, as columns: where their judged documents stand, and what there was to find."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints

KEPT = 24  # values of every list that are kept, so that what one measure needs twice is computed once
ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of several lists, one list after the other: those of list i are from `starts[i]` to `starts[i + 1]`."""

    columns: tuple[NDArray[Any], ...]
    starts: Ints

    @classmethod
    def by_list(cls, owner: Ints, n: int, *columns: NDArray[Any]) -> Self:
        """Rows that are sorted by the list they belong to."""
        return cls(columns, np.searchsorted(owner, np.arange(n + 1)))

    @cached_property
    def lengths(self) -> Ints:
        """How many rows each list has."""
        return np.diff(self.starts)

    @cached_property
    def owner(self) -> Ints:
        """The list of each row."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def place(self) -> Ints:
        """The place of each row within its list, from 0."""
        return np.arange(len(self.owner)) - self.starts[self.owner]

    def of(self, lists: Ints) -> Ragged:
        """The rows of these lists, in this order."""
        lengths = self.lengths[lists]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(starts[-1]) + np.repeat(self.starts[lists] - starts[:-1], lengths)
        return Ragged(tuple(column[rows] for column in self.columns), starts)

    def first(self, k: int) -> Ragged:
        """The first k rows of each list, or all if there are fewer."""
        lengths = np.minimum(self.lengths, k)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(starts[-1]) + np.repeat(self.starts[:-1] - starts[:-1], lengths)
        return Ragged(tuple(column[rows] for column in self.columns), starts)

    def only(self, rows: NDArray[np.bool_]) -> Ragged:
        """Some of the rows; every list stays, though it may be empty."""
        at = np.flatnonzero(rows)
        return Ragged(tuple(column[at] for column in self.columns), np.searchsorted(at, self.starts))

    def then(self, other: Ragged) -> Ragged:
        """The lists of both, one after the other."""
        columns = tuple(np.concatenate(pair) for pair in zip(self.columns, other.columns, strict=True))
        return Ragged(columns, np.concatenate([self.starts, self.starts[-1] + other.starts[1:]]))

    def before(self, rows: NDArray[np.bool_]) -> Ints:
        """How many of these rows stand above each row of a list."""
        so_far = np.concatenate([[0], np.cumsum(rows)])
        return np.asarray(so_far[:-1] - so_far[self.starts[:-1]][self.owner])

    def digest(self, salt: int) -> NDArray[np.uint64]:
        """A number for the rows of each list: the same for the same rows."""
        mixed = (self.place.astype(np.uint64) + np.uint64(salt)) * ODD
        for column in self.columns:
            bits = np.ascontiguousarray(column.astype(np.float64) + 0.0).view(np.uint64)
            mixed = (mixed ^ bits) * ODD
            mixed ^= mixed >> np.uint64(29)
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed * ODD, dtype=np.uint64)])
        return np.asarray((sums[self.starts[1:]] - sums[self.starts[:-1]]) * ODD + self.lengths.astype(np.uint64))


def _same(a: Ragged, b: Ragged) -> bool:
    return all(np.array_equal(x, y) for x, y in zip((*a.columns, a.starts), (*b.columns, b.starts), strict=True))


@dataclass(frozen=True, eq=False)
class Lists:
    """Ranked lists, each with the judgments of its query.

    `found` has the rank (from 1) and the grade of each judged document of a list, by rank. `pool` has the grades of all
    judged documents of its query, from high to low, found or not. `tied` has the first rank and the number of documents
    that share a score, wherever there are two or more.
    """

    retrieved: Ints
    found: Ragged
    pool: Ragged
    tied: Ragged
    relevant_from: float | None = None  # the lowest grade of a relevant document; None: any above 0
    _kept: dict[Any, Floats] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of_grades(cls, lists: Sequence[Sequence[float]], relevant_from: float | None = None) -> Self:
        """Lists whose documents are all judged and of which no query has more, by their grades in rank order."""
        lengths = np.fromiter(map(len, lists), np.int64, len(lists))
        starts = np.concatenate([[0], np.cumsum(lengths)])
        flat = np.fromiter((grade for one in lists for grade in one), np.float64, int(starts[-1]))
        owner = np.repeat(np.arange(len(lists)), lengths)
        found = Ragged((np.arange(len(flat)) - starts[owner] + 1, flat), starts)
        pool = Ragged((flat[np.lexsort((-flat, owner))],), starts)
        none = np.zeros(0, np.int64)
        return cls(lengths, found, pool, Ragged((none, none), np.zeros(len(lists) + 1, np.int64)), relevant_from)

    def __len__(self) -> int:
        return len(self.retrieved)

    # ------------------------------------------------------------------ documents
    @property
    def owner(self) -> Ints:
        """The list of each judged document that was found."""
        return self.found.owner

    @property
    def rank(self) -> Ints:
        """Its rank, from 1."""
        return np.asarray(self.found.columns[0])

    @property
    def grade(self) -> Floats:
        """Its grade."""
        return np.asarray(self.found.columns[1])

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """Whether it is relevant."""
        return self._is_relevant(self.grade)

    @cached_property
    def gains(self) -> Ragged:
        """The ranks and grades of the documents of each list that have a grade above 0."""
        return self.found.only(self.grade > 0)

    @cached_property
    def hits(self) -> Ragged:
        """The ranks and grades of the relevant documents of each list."""
        return self.gains if self.relevant_from is None else self.found.only(self.relevant)

    @property
    def pool_grade(self) -> Floats:
        """The grade of each judged document of a query, from high to low."""
        return np.asarray(self.pool.columns[0])

    @cached_property
    def best(self) -> Ragged:
        """The grades above 0 of each query's judged documents, from high to low: the best list that there could be."""
        return self.pool.only(self.pool_grade > 0)

    def _is_relevant(self, grade: Floats) -> NDArray[np.bool_]:
        return np.asarray(grade > 0 if self.relevant_from is None else grade >= self.relevant_from)

    # ------------------------------------------------------------------ lists
    @cached_property
    def relevant_judged(self) -> Floats:
        """How many relevant documents the query of each list has."""
        pool = self.best if self.relevant_from is None else self.pool.only(self._is_relevant(self.pool_grade))
        return pool.lengths.astype(np.float64)

    @cached_property
    def nonrelevant_judged(self) -> Floats:
        """How many documents were judged not to be relevant; a negative grade is no judgment."""
        return self.sum_pool(~self._is_relevant(self.pool_grade) & (self.pool_grade >= 0))

    @cached_property
    def relevant_found(self) -> Floats:
        """How many relevant documents each list has."""
        return self.hits.lengths.astype(np.float64)

    @cached_property
    def first_relevant(self) -> Floats:
        """The rank of the first relevant document of each list; infinite if there is none."""
        first, some = np.full(len(self), np.inf), self.hits.lengths > 0
        first[some] = self.hits.columns[0][self.hits.starts[:-1][some]]
        return first

    def sum_found(self, value: NDArray[Any]) -> Floats:
        """The sum over each list of a value for each judged document that was found, added in rank order."""
        return np.asarray(np.bincount(self.owner, value, minlength=len(self)), np.float64)

    def sum_pool(self, value: NDArray[Any]) -> Floats:
        """The sum over each query of a value for each of its judged documents, from high to low grades."""
        return np.asarray(np.bincount(self.pool.owner, value, minlength=len(self)), np.float64)

    def values(self, value: Callable[..., Floats], options: Mapping[str, Any]) -> Floats:
        """A value for each list, kept for the next time it is asked for."""
        key = (value, *sorted(options.items()))
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = value(self, **options)
        return self._kept[key]

    @property
    def top_grade(self) -> float:
        """The highest grade that the judgments have, or 1 where none is above 0."""
        highest = float(self.pool_grade.max(initial=0))
        return highest if highest > 0 else 1.0

    # ------------------------------------------------------------------ other lists
    def with_found(self, found: Ragged, retrieved: Ints | None = None, tied: Ragged | None = None) -> Lists:
        """The same queries with other lists."""
        retrieved = self.retrieved if retrieved is None else retrieved
        return Lists(retrieved, found, self.pool, self.tied if tied is None else tied, self.relevant_from)

    @cached_property
    def judged_only(self) -> Lists:
        """The lists without their unjudged documents, those of a negative grade included, as in trec_eval."""
        kept = self.grade >= 0
        found = self.found.only(kept)
        ranks, tie = found.place + 1, self.tie[kept]
        tied, start, number = np.unique(tie[tie >= 0], return_index=True, return_counts=True)
        several = number > 1
        first = ranks[tie >= 0][start]
        groups = Ragged.by_list(self.tied.owner[tied[several]], len(self), first[several], number[several])
        return self.with_found(Ragged((ranks, found.columns[1]), found.starts), found.lengths, groups)

    @cached_property
    def best_ties(self) -> Lists:
        """The lists with documents of one score from high to low grades: the best case of a random order.

        Documents without a judgment come after all others but those of a negative grade, which gain nothing either.
        """
        return self._moved(self._best_ranks())

    @cached_property
    def worst_ties(self) -> Lists:
        """The lists with documents of one score from low to high grades: the worst case of a random order."""
        ranks, rows = self._best_ranks(), np.flatnonzero(self.tie >= 0)
        first, number = (column[self.tie[rows]] for column in self.tied.columns)
        ranks[rows] = 2 * first + number - 1 - ranks[rows]
        return self._moved(ranks)

    def shuffled_ties(self, draw: np.random.Generator) -> Lists:
        """The lists with documents of one score in a random order."""
        first, number = self.tied.columns
        rows, nth, _ = self._in_ties(np.arange(len(self.rank)))
        group = np.repeat(np.arange(len(first)), number)
        start = np.concatenate([[0], np.cumsum(number)])
        drawn = np.lexsort((draw.random(len(group)), group)) - start[group]
        ranks, tie = self.rank.copy(), self.tie[rows]
        ranks[rows] = first[tie] + drawn[start[tie] + nth]
        return self._moved(ranks)

    @cached_property
    def tie(self) -> Ints:
        """The number of the tie that each judged document lies in; -1 for those that share their score with none."""
        if not len(self.tied.owner):
            return np.full(len(self.rank), -1)
        first, number = self.tied.columns
        span = int(self.retrieved.max(initial=0)) + 2
        at = np.searchsorted(self.tied.owner * span + first, self.owner * span + self.rank, "right") - 1
        inside = (at >= 0) & (self.tied.owner[at] == self.owner) & (self.rank < first[at] + number[at])
        return np.where(inside, at, -1)

    def _in_ties(self, key: NDArray[Any]) -> tuple[Ints, Ints, Ints]:
        """The rows that lie in ties, by tie and key: which they are, their places there, and how many there are."""
        rows = np.flatnonzero(self.tie >= 0)
        rows = rows[np.lexsort((key[rows], self.tie[rows]))]
        tie = self.tie[rows]
        return rows, np.arange(len(rows)) - np.searchsorted(tie, tie), np.bincount(tie)[tie] if len(tie) else tie

    def _best_ranks(self) -> Ints:
        first, number = self.tied.columns
        rows, nth, many = self._in_ties(-self.grade)
        ranks, tie = self.rank.copy(), self.tie[rows]
        last = number[tie] - many  # how far those that come last are moved down
        ranks[rows] = first[tie] + nth + np.where(self.grade[rows] >= 0, 0, last)
        return ranks

    def _moved(self, ranks: Ints) -> Lists:
        order = np.lexsort((ranks, self.owner))
        return self.with_found(Ragged((ranks[order], self.grade[order]), self.found.starts))

    def unjudged_as(self, relevant: bool, k: int | None = None) -> Lists:
        """The lists as if all documents without a judgment among the first k were relevant, or none of them.

        Relevant ones are given the highest grade that the judgments have, and the query has as many more to find. A
        negative grade is no judgment. Whether a measure can only rise by this depends on the measure: that of a query
        with more to find may fall.
        """
        lowest = 0.0 if self.relevant_from is None else self.relevant_from
        if not relevant and self._is_relevant(np.zeros(1)).all():
            return self  # no judgment says that a document is not relevant
        grade = max(self.top_grade, lowest) if relevant else 0.0
        shown = self.retrieved if k is None else np.minimum(self.retrieved, k)
        start = np.concatenate([[0], np.cumsum(shown)])
        owner = np.repeat(np.arange(len(self)), shown)
        kept = (self.grade >= 0) | (self.rank > shown[self.owner])
        judged = kept & (self.rank <= shown[self.owner])
        missing = np.ones(len(owner), bool)
        missing[(start[self.owner] + self.rank - 1)[judged]] = False
        new = np.flatnonzero(missing)
        ranks = new - start[owner[new]] + 1
        owners = np.concatenate([self.owner[kept], owner[new]])
        columns = np.concatenate([self.rank[kept], ranks]), np.concatenate([self.grade[kept], np.full(len(new), grade)])
        order = np.lexsort((columns[0], owners))
        found = Ragged.by_list(owners[order], len(self), *(column[order] for column in columns))
        lost = self.sum_found(~kept)  # negative grades are the last of each pool
        left = self.pool.place < (self.pool.lengths - lost)[self.pool.owner]
        owners = np.concatenate([self.pool.owner[left], owner[new]])
        grades = np.concatenate([self.pool_grade[left], np.full(len(new), grade)])
        order = np.lexsort((-grades, owners))
        pool = Ragged.by_list(owners[order], len(self), grades[order])
        return Lists(self.retrieved, found, pool, self.tied, self.relevant_from)

    def of(self, lists: Ints) -> Lists:
        """Some of the lists, in this order."""
        found, pool, tied = (each.of(lists) for each in (self.found, self.pool, self.tied))
        return Lists(self.retrieved[lists], found, pool, tied, self.relevant_from)

    def then(self, other: Lists) -> Lists:
        """The lists of both, one after the other."""
        retrieved = np.concatenate([self.retrieved, other.retrieved])
        found, pool, tied = self.found.then(other.found), self.pool.then(other.pool), self.tied.then(other.tied)
        return Lists(retrieved, found, pool, tied, self.relevant_from)

    def distinct(self) -> tuple[Lists, Ints]:
        """Every list once, in order of first occurrence, and the number of each list among these."""
        for salt in range(1, 9):
            digest = self.retrieved.astype(np.uint64) * ODD
            for part, each in enumerate((self.found, self.pool, self.tied)):
                digest = (digest ^ each.digest(8 * salt + part)) * ODD
            _, first, group = np.unique(digest, return_index=True, return_inverse=True)
            kept = np.sort(first)
            if self._same_as(first[group]):
                return self.of(kept), np.asarray(np.searchsorted(kept, first))[group]
        return self, np.arange(len(self))

    def _same_as(self, others: Ints) -> bool:
        """Whether each list is equal to the other one that is named for it."""
        apart = np.flatnonzero(others != np.arange(len(self)))
        mine, theirs = self.of(apart), self.of(others[apart])
        pairs = ((mine.found, theirs.found), (mine.pool, theirs.pool), (mine.tied, theirs.tied))
        return np.array_equal(mine.retrieved, theirs.retrieved) and all(_same(a, b) for a, b in pairs)
