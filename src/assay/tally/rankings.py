"""Rankings judged by relevance: what each query's list holds, in rank order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import DataError, listed
from assay.sources.given import finite_numbers, one_dimensional
from assay.tally.contract.base import SCHEMA, Evidence, Tally
from assay.tally.contract.codes import spelled
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import check_kind
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.contract.stored import Fields, ListOf, Names, Number, Place, Text, Whole

Rankings = Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False, repr=False)
class Ranked(Tally):
    """Units are queries, each with the relevance grades of its list from the first rank down."""

    queries: tuple[str, ...] = ()
    lists: tuple[tuple[float, ...], ...] = ()

    kind: ClassVar[str] = "ranked"
    item: ClassVar[str] = "query"
    margins_are: ClassVar[str] = "the names of the {}"
    stored_fields: ClassVar[Fields] = Fields(
        {"kind": Text(), "schema": Whole(), "queries": Names(), "lists": ListOf(ListOf(Number()))}
    )

    @classmethod
    def from_rankings(cls, rankings: Rankings) -> Self:
        """Take, for each query, the grades of the documents in the order they were returned."""
        return cls._built([_by_name(rankings)])[0]

    @classmethod
    def joint(cls, a: Rankings, b: Rankings, *, names: tuple[str, str] = ("A", "B")) -> Joint[Self]:
        """Pair two runs by query."""
        a, b = _by_name(a), _by_name(b)
        apart = sorted(set(a) ^ set(b))
        if apart:
            raise DataError(
                f"{len(apart)} queries are in one run only (first: {listed(apart, 3)}); "
                "give a query that returned nothing an empty list."
            )
        first, second = cls._built([a, b])
        return Joint(first, second, names)

    @classmethod
    def _built(cls, runs: Sequence[Rankings]) -> list[Self]:
        queries = tuple(sorted(runs[0]))
        if not queries:
            raise DataError("there are no queries: there is nothing to evaluate.")
        # Equal lists share a number, so that two runs are seen to agree on a query.
        store: dict[tuple[float, ...], int] = {}
        found = [[store.setdefault(_grades(q, run[q]), len(store)) for q in queries] for run in runs]
        index, ones = np.arange(len(queries), dtype=np.int64), np.ones(len(queries), np.int64)
        return [
            cls(keys={"query": index, "list": np.array(x)}, counts=ones, queries=queries, lists=tuple(store))
            for x in found
        ]

    def __add__(self, other: Self) -> Self:
        twice = sorted(set(self.queries) & set(getattr(other, "queries", ())))
        if twice:
            raise DataError(f"{len(twice)} queries are in both tallies (first: {listed(twice, 3)}).")
        return super().__add__(other)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both with the same numbers for the same queries and for equal lists."""
        queries = tuple(sorted({*self.queries, *other.queries}))
        lists = tuple(dict.fromkeys((*self.lists, *other.lists)))
        query_at, list_at = ({each: i for i, each in enumerate(every)} for every in (queries, lists))

        def renumbered(tally: Self) -> Self:
            keys = {
                "query": np.array([query_at[tally.queries[q]] for q in tally.keys["query"]], np.int64),
                "list": np.array([list_at[tally.lists[x]] for x in tally.keys["list"]], np.int64),
            }
            return dataclasses.replace(tally, keys=keys, queries=queries, lists=lists)

        return renumbered(self), renumbered(other)

    def to_dict(self) -> dict[str, Any]:
        """Queries with their lists, by name: how they are numbered inside does not matter."""
        every = sorted(zip(self.keys["query"].tolist(), self.keys["list"].tolist(), strict=True))
        rows = sorted((self.queries[q], self.lists[x]) for q, x in every)
        names, lists = [q for q, _ in rows], [list(x) for _, x in rows]
        return {"kind": self.kind, "schema": SCHEMA, "queries": names, "lists": lists}

    @classmethod
    def read(cls, stored: Mapping[str, Any], place: Place) -> Self:
        """The queries that `to_dict` returned with their lists."""
        check_kind(stored, cls.kind, SCHEMA, place)
        held = cls.stored_fields.read(stored, place, {})
        if len(held["queries"]) != len(held["lists"]):
            came = f"has {len(held['lists']):,} entries"
            raise place.at("lists").refused(came, f"{len(held['queries']):,} were expected, one for each query")
        return cls.from_rankings(dict(zip(held["queries"], held["lists"], strict=True)))

    def gold_margins(self) -> Any:
        """The queries."""
        return sorted(self.queries)

    def first_relevant(self) -> Floats:
        """The rank of the first relevant document of each unit's list; infinite if there is none."""

        def first(grades: Floats) -> Floats:
            ranks = np.arange(1.0, len(grades) + 1)[:, None]
            return np.asarray(np.where(grades > 0, ranks, np.inf).min(axis=0, initial=np.inf))

        return self.of_lists(first)

    def of_lists(self, value: Callable[[Floats], Floats]) -> Floats:
        """A value for each unit's list; computed once for equal lists.

        Lists of one length are given together: their grades in rank order along the first axis, one list after the
        other along the second.
        """
        every = np.empty(len(self.lists))
        for where, grades in self._by_length:
            every[where] = value(grades)
        return np.asarray(every[self.keys["list"]])

    @cached_property
    def _by_length(self) -> list[tuple[Ints, Floats]]:
        """Which lists have each length, and their grades."""
        lengths = np.fromiter(map(len, self.lists), np.int64, len(self.lists))
        flat = np.fromiter(chain.from_iterable(self.lists), np.float64, int(lengths.sum()))
        start, order = np.cumsum(lengths) - lengths, np.argsort(lengths, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1)
        return [(at, flat[np.arange(lengths[at[0]])[:, None] + start[at]]) for at in groups if len(at)]


@dataclass(frozen=True, eq=False)
class PerQuery(Evidence):
    """What each query's list holds, and how to average a value per query."""

    tally: Ranked
    w: Floats
    left_out: slice | None = None

    @classmethod
    def of(cls, tally: Ranked, w: Floats) -> Self:
        """Multiplicities of the queries."""
        return cls(tally, w)

    @classmethod
    def without_each(cls, tally: Ranked, part: slice) -> Self:
        """One query less, in turn."""
        if tally.clusters is not None:
            return super().without_each(tally, part)
        return cls(tally, tally.mass, part)

    @property
    def first_relevant(self) -> Floats:
        """The rank of the first relevant document for each query; infinite if there is none."""
        return self.tally.first_relevant()

    def mean(self, values: Floats) -> Floats:
        """The mean over queries of a value per query."""
        total, n = self.w @ values, self.w.sum(-1)
        if self.left_out is not None:
            total, n = total - values[self.left_out], n - 1
        return np.asarray(total / np.where(n > 0, n, np.nan))


def _by_name(rankings: object) -> dict[str, Sequence[float]]:
    """The rankings by the names of their queries as text."""
    if not isinstance(rankings, Mapping):
        raise DataError(
            f"rankings is a '{type(rankings).__name__}'; give a mapping from each query to the grades of its documents "
            "in rank order, such as {'q1': [0, 1, 0]}."
        )
    named = {spelled(query): grades for query, grades in rankings.items()}
    if len(named) < len(rankings):
        raise DataError(f"two queries have the same name among {listed(rankings, 5)}.")
    return named


def _grades(query: str, ranking: Sequence[float]) -> tuple[float, ...]:
    name = f"query {query!r}"
    grades = one_dimensional(ranking, name, "grade")
    return tuple(finite_numbers(grades, len(grades), name, "grade").tolist()) if len(grades) else ()
