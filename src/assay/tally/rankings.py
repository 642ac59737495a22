"""Rankings judged by relevance: where each query's list has its judged documents, and what there was to find."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import DataError, choose, listed
from assay.sources.arrays import order_labels
from assay.sources.given import finite_numbers, one_dimensional
from assay.sources.rankings.grids import from_arrays
from assay.sources.rankings.matched import Judgments, Matched
from assay.sources.rankings.read import judged
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.codes import spelled
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns, check_kind, restored
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.contract.schema import Fields, ListOf, Maybe, Names, Number, Place, Text, Whole
from assay.tally.lists.ranked import Lists
from assay.tally.lists.stored import StoredLists, lists_from, refuse_huge, stored

SCHEMA = 2
NO_RELEVANT = ("skip", "zero")  # what becomes of queries without a relevant document

Rankings = Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False, repr=False)
class Ranked(Tally):
    """Units are queries, each with the list that a system returned and the judgments of its documents."""

    queries: tuple[str, ...] = ()
    lists: Lists = dataclasses.field(default_factory=lambda: Lists.of_grades([]))
    skipped: int = 0  # queries that were left out because no document is relevant to them
    strangers: int = 0  # queries of the run that were left out because they have no judgments

    kind: ClassVar[str] = "ranked"
    item: ClassVar[str] = "query"
    margins_are: ClassVar[str] = "the judgments of the {}"
    stored_fields: ClassVar[Fields] = Fields(
        {
            "queries": Names(),
            "relevant_from": Maybe(Number()),
            "lists": StoredLists(),
            "skipped": Whole(),
            "strangers": Whole(),
        }
    )
    stored_columns: ClassVar[Columns] = {"query": Codes("queries"), "list": Codes("lists")}

    # ------------------------------------------------------------------ from data
    @classmethod
    def from_rankings(
        cls, qrels: Any, run: Any = None, *, relevant_from: float | None = None, no_relevant: str | None = None
    ) -> Self:
        """Take judgments and a run, or the grades of each query's documents in the order they were returned.

        `qrels` and `run` are files (TREC, CSV, TSV, JSON Lines, Parquet), frames, dicts of dicts, or two-dimensional
        arrays of grades and scores. With a mapping from queries to lists of grades there is no run: every document of a
        query is in its list, and a query without a relevant one counts as 0.
        """
        _refuse_items(qrels, run)
        if run is None:
            named = _by_name(qrels)
            return cls._of_grades([named], relevant_from, _rule(no_relevant, "zero"))[0]
        judgments, found = _matched(qrels, run)
        return cls.from_matched(judgments, found, relevant_from=relevant_from, no_relevant=no_relevant)

    @classmethod
    def from_matched(
        cls, judgments: Any, found: Any, *, relevant_from: float | None = None, no_relevant: str | None = None
    ) -> Self:
        """Take a run whose documents were looked up among the judgments."""
        refuse_huge(judgments.grade)
        lists = lists_from(judgments, found, relevant_from)
        index = np.arange(len(lists))
        tally = cls(
            keys={"query": index, "list": index},
            counts=np.ones(len(lists), np.int64),
            queries=tuple(judgments.queries),
            lists=lists,
            strangers=found.strangers,
        )
        return tally._ruled(_rule(no_relevant, "skip"))

    @classmethod
    def joint(
        cls,
        qrels: Any,
        a: Any,
        b: Any = None,
        *,
        names: tuple[str, str] = ("A", "B"),
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> Joint[Self]:
        """Pair two runs by query: judgments and two runs; or, without judgments, two tallies or lists of grades."""
        rules: dict[str, Any] = {"relevant_from": relevant_from, "no_relevant": no_relevant}
        if b is not None:
            return cls._paired(cls.from_rankings(qrels, a, **rules), cls.from_rankings(qrels, b, **rules), names)
        if isinstance(qrels, cls) and isinstance(a, cls):
            return cls._paired(qrels, a, names)
        runs = [_by_name(qrels), _by_name(a)]
        _refuse_apart(*runs)
        first, second = cls._of_grades(runs, relevant_from, _rule(no_relevant, "zero"))
        return Joint(first, second, names)

    @classmethod
    def _paired(cls, a: Self, b: Self, names: tuple[str, str]) -> Joint[Self]:
        _refuse_apart(dict.fromkeys(a.queries), dict.fromkeys(b.queries))
        a, b = (each.in_order() for each in (a, b))
        first, second = a.aligned(b)
        return Joint(first, second, names)

    @classmethod
    def _of_grades(cls, runs: Sequence[Rankings], relevant_from: float | None, no_relevant: str) -> list[Self]:
        queries = tuple(order_labels(runs[0]))
        if not queries:
            raise DataError("there are no queries: there is nothing to evaluate.")
        # Equal lists share a number, so that two runs are seen to agree on a query.
        store: dict[tuple[float, ...], int] = {}
        found = [[store.setdefault(_grades(q, run[q]), len(store)) for q in queries] for run in runs]
        lists = Lists.of_grades(list(store), relevant_from)
        refuse_huge(lists.pool_grade)
        index, ones = np.arange(len(queries), dtype=np.int64), np.ones(len(queries), np.int64)
        made = [
            cls(keys={"query": index, "list": np.array(x)}, counts=ones, queries=queries, lists=lists) for x in found
        ]
        return [each._ruled(no_relevant) for each in made]

    def _ruled(self, no_relevant: str) -> Self:
        """Without the queries that have no relevant document, unless these count as 0."""
        if no_relevant == "zero":
            return self
        kept = self.lists.relevant_judged[self.keys["list"]] > 0
        if kept.all():
            return self
        if not kept.any():
            raise DataError(
                f"no document is relevant to any of the {len(kept):,} queries "
                f"({self._relevant_are}); there is nothing to find."
            )
        return dataclasses.replace(self.only(kept), skipped=int((~kept).sum())).in_order()

    @property
    def _relevant_are(self) -> str:
        lowest = self.lists.relevant_from
        return (
            "relevant documents have a grade above 0"
            if lowest is None
            else f"relevant documents have {lowest:g} or more"
        )

    # ------------------------------------------------------------------ order and merging
    def as_part_of(self, whole: Self) -> Self:
        """The same queries and lists, numbered as in the whole."""
        at = {name: unit for unit, name in enumerate(whole.unit_names)}
        units = np.array([at[name] for name in self.unit_names], np.int64)
        keys = {**self.keys, "query": whole.keys["query"][units], "list": whole.keys["list"][units]}
        return dataclasses.replace(self, keys=keys, queries=whole.queries, lists=whole.lists)

    @property
    def unit_names(self) -> Sequence[str]:
        """The name of each query."""
        return [self.queries[i] for i in self.keys["query"].tolist()]

    def in_order(self) -> Self:
        """The same queries by name, numbered as they come, each with its own list."""
        names = np.array(self.unit_names, object)
        order = _in_order(self.unit_names)
        moved = self.reordered(order)
        index = np.arange(len(order))
        lists = self.lists.of(moved.keys["list"])
        keys = {**moved.keys, "query": index, "list": index}
        return dataclasses.replace(moved, keys=keys, queries=tuple(names[order].tolist()), lists=lists)

    def __add__(self, other: Self) -> Self:
        twice = sorted({*self.unit_names} & {*getattr(other, "unit_names", ())})
        if twice:
            raise DataError(f"{len(twice)} queries are in both tallies (first: {listed(twice, 3)}).")
        both = super().__add__(other)
        skipped, strangers = self.skipped + other.skipped, self.strangers + other.strangers
        return dataclasses.replace(both, skipped=skipped, strangers=strangers)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both with the same numbers for the same queries and for equal lists."""
        if self.lists.relevant_from != other.lists.relevant_from:
            raise DataError("the tallies differ in which grades are relevant; count both with the same relevant_from.")
        queries = tuple(order_labels({*self.queries, *other.queries}))
        query_at = {query: i for i, query in enumerate(queries)}
        lists, number = self.lists.then(other.lists).distinct()

        def renumbered(tally: Self, start: int) -> Self:
            place = np.array([query_at[name] for name in tally.queries], np.int64)
            keys = {**tally.keys, "query": place[tally.keys["query"]], "list": number[start + tally.keys["list"]]}
            return dataclasses.replace(tally, keys=keys, queries=queries, lists=lists)

        return renumbered(self, 0), renumbered(other, len(self.lists))

    # ------------------------------------------------------------------ storage
    def context(self) -> dict[str, Any]:
        """The queries and their lists."""
        return {
            "queries": list(self.queries),
            "relevant_from": self.lists.relevant_from,
            "lists": stored(self.lists),
            "skipped": self.skipped,
            "strangers": self.strangers,
        }

    def to_dict(self) -> dict[str, Any]:
        """Queries with their lists, by name: how they are numbered inside does not matter."""
        return {**super(Ranked, self.in_order()).to_dict(), "schema": SCHEMA}

    @classmethod
    def read(cls, value: Mapping[str, Any], place: Place) -> Self:
        """The tally that `to_dict` returned, now or when lists held nothing but grades."""
        if value.get("schema") == 1:
            return cls._read_grades(value, place)
        check_kind(value, cls.kind, SCHEMA, place)
        parts = restored(value, cls.stored_fields, cls.stored_columns, place)
        for name, codes in parts["keys"].items():
            if len(np.unique(codes)) < len(codes):
                raise place.at("units").at(name).refused(f"names a {name} twice", "count the run again")
        del parts["relevant_from"]  # the lists have it
        return cls(**parts)

    @classmethod
    def _read_grades(cls, stored: Mapping[str, Any], place: Place) -> Self:
        check_kind(stored, cls.kind, 1, place)
        form = Fields({"kind": Text(), "schema": Whole(), "queries": Names(), "lists": ListOf(ListOf(Number()))})
        held = form.read(stored, place, {})
        if len(held["queries"]) != len(held["lists"]):
            came = f"has {len(held['lists']):,} entries"
            raise place.at("lists").refused(came, f"{len(held['queries']):,} were expected, one for each query")
        return cls.from_rankings(dict(zip(held["queries"], held["lists"], strict=True)))

    def gold_margins(self) -> Any:
        """A hash of the queries, each with the grades of its judged documents."""
        names = np.array(self.unit_names, object)
        order = _in_order(self.unit_names)
        pool = self.lists.pool.of(self.keys["list"][order])
        hashed = hashlib.blake2b(json.dumps(names[order].tolist()).encode(), digest_size=16)
        for column in (pool.lengths.astype("<i8"), (pool.columns[0] + 0.0).astype("<f8")):
            hashed.update(column.tobytes())
        return hashed.hexdigest()

    # ------------------------------------------------------------------ values
    @property
    def unanswered(self) -> int:
        """How many queries have an empty list."""
        return int(self.counts[self.lists.retrieved[self.keys["list"]] == 0].sum())

    def each(self, value: Callable[..., Floats], **options: Any) -> Floats:
        """A value for each query, computed once for equal lists."""
        return np.asarray(self.lists.values(value, options)[self.keys["list"]])


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

    def mean(self, value: Callable[..., Floats], **options: Any) -> Floats:
        """The mean over queries of a value of each list."""
        values = self.tally.each(value, **options)
        # A product of two rows would wake the threads of BLAS, which cost more than they save.
        total, n = (self.w * values).sum() if self.w.ndim == 1 else self.w @ values, self.w.sum(-1)
        if self.left_out is not None:
            total, n = total - values[self.left_out], n - 1
        return np.asarray(total / np.where(n > 0, n, np.nan))


def _in_order(names: Sequence[str]) -> Ints:
    """The places of the names in their canonical order."""
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[name] for name in order_labels(place)], np.int64)


def _rule(no_relevant: str | None, usual: str) -> str:
    return usual if no_relevant is None else choose(no_relevant, NO_RELEVANT, "no_relevant")


def _refuse_items(qrels: Any, run: Any) -> None:
    """Refuse labels and scores of items, which are no rankings."""
    if not isinstance(qrels, Mapping | str) and len(getattr(qrels, "shape", ())) != 2 and _is_row(qrels):
        which = "labels and scores" if run is not None and _is_row(run) else "labels"
        raise DataError(
            f"qrels is a row of {len(qrels)} values, as {which} of items are; rankings have judgments of documents for "
            "each query: a file, a frame or {query: {document: grade}}. Of the order of labelled items by their "
            "scores, assay.average_precision(y_true, y_score) is the average precision, and assay.roc_auc the area "
            "under the ROC curve."
        )


def _is_row(data: Any) -> bool:
    """Whether data are numbers or words one after the other."""
    shape = getattr(data, "shape", None)
    if shape is not None:
        return len(shape) == 1
    return isinstance(data, list | tuple) and len(data) > 0 and all(isinstance(x, int | float | str) for x in data)


def _matched(qrels: Any, run: Any) -> tuple[Judgments, Matched]:
    """Judgments and a run that was looked up among them."""
    if isinstance(qrels, np.ndarray) or (isinstance(qrels, list | tuple) and not any(map(np.isscalar, qrels[:1]))):
        return from_arrays(qrels, run)
    found = judged(qrels)
    return found.judgments, found.match(run)


def _refuse_apart(a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
    apart = sorted(set(a) ^ set(b))
    if apart:
        raise DataError(
            f"{len(apart)} queries are in one run only (first: {listed(apart, 3)}); "
            "give a query that returned nothing an empty list."
        )


def _by_name(rankings: object) -> dict[str, Sequence[float]]:
    """The rankings by the names of their queries as text."""
    if not isinstance(rankings, Mapping):
        raise DataError(
            f"rankings is a '{type(rankings).__name__}'; give a mapping from each query to the grades of its documents "
            "in rank order, such as {'q1': [0, 1, 0]}, or judgments and a run."
        )
    named = {spelled(query): grades for query, grades in rankings.items()}
    if len(named) < len(rankings):
        raise DataError(f"two queries have the same name among {listed(rankings, 5)}.")
    return named


def _grades(query: str, ranking: Sequence[float]) -> tuple[float, ...]:
    name = f"query {query!r}"
    if isinstance(ranking, Mapping):
        raise DataError(f"{name} has a mapping of documents, as judgments have; give a run as well.")
    grades = one_dimensional(ranking, name, "grade")
    return tuple(finite_numbers(grades, len(grades), name, "grade").tolist()) if len(grades) else ()
