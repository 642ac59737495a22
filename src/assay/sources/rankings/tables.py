"""Judgments and runs in tables and mappings: which column is which, and its values as ids and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

import numpy as np

from assay.errors import DataError, plural
from assay.sources.arrays import encode_apart, label_or_none
from assay.sources.columns import DOCUMENTS, GRADES, QUERIES, RANKS, SIMILARITIES, compact, find
from assay.sources.frames import raw_columns, table_of
from assay.sources.given import array_of, as_number, check_length, one_dimensional
from assay.sources.rankings.ids import Ids, ids_of
from assay.sources.rankings.lines import Lines
from assay.sources.rankings.matched import Floats
from assay.sources.rankings.named import quoted
from assay.sources.rankings.numerals import as_single
from assay.sources.read.table import Table

# What messages suggest; any of the names in `columns` will do.
_USUAL: Final = {
    "query": ("query", "query_id", "qid", "topic"),
    "document": ("document", "doc", "doc_id", "docno"),
    "relevance": ("relevance", "rel", "grade", "label"),
    "score": ("score", "similarity"),
}
_KNOWN: Final = {"query": QUERIES, "document": DOCUMENTS, "relevance": GRADES, "score": SIMILARITIES}


@dataclass(frozen=True)
class Named:
    """The columns that the user named, by role."""

    query: str | None = None
    document: str | None = None
    relevance: str | None = None
    score: str | None = None


def lines_of(data: Any, role: str, named: Named, name: str | None, *, single: bool = False) -> Lines:
    """The rows of a table, or of a mapping of queries to mappings of documents; `role` is relevance or score."""
    called = name or ("judgments" if role == "relevance" else "run")
    if isinstance(data, Mapping) and all(isinstance(inner, Mapping) for inner in data.values()):
        lines = _of_mapping(data, role, called)
    else:
        _refuse_lists(data, role, named, called)
        table = table_of(data)
        lines = _of_table(table, role, named, called if table.name == "data" else name or table.name)
    return replace(lines, numbers=as_single(lines.numbers)) if single else lines


def _refuse_lists(data: Any, role: str, named: Named, name: str) -> None:
    """Refuse a list of documents for each query, which looks like columns without the usual names."""
    if not isinstance(data, Mapping) or named != Named() or not all(isinstance(key, str) for key in data):
        return
    known = set().union(*_KNOWN.values())
    lists = [key for key, held in data.items() if isinstance(held, list | tuple)]
    if lists and len(lists) == len(data) and known.isdisjoint(map(compact, data)):
        what = "grade" if role == "relevance" else "score"
        raise DataError(
            f"{name}: query {quoted(lists[0])} has a list; give each of its documents a {what}: "
            f"{{query: {{document: {what}}}}}."
        )


def _of_mapping(data: Mapping[Any, Mapping[Any, Any]], role: str, name: str) -> Lines:
    inner = list(data.values())
    sizes = [len(documents) for documents in inner]
    query = np.repeat(np.arange(len(inner)), sizes)
    if not len(query):
        raise _empty(name)
    texts = [label_or_none(each) for each in data]
    names = list(chain.from_iterable(inner))

    def place(row: int) -> str:
        return f"for document {quoted(str(names[row]))} of query {quoted(str(texts[query[row]]))}"

    queries, documents = _ids(texts, "query", name), _ids(names, "document", name)
    numbers = _numbers(list(chain.from_iterable(each.values() for each in inner)), role, name, place)
    return Lines(queries.only(query), documents, numbers, name)


def _of_table(table: Table, role: str, named: Named, name: str) -> Lines:
    columns = [_column(table, each, getattr(named, each), name) for each in ("query", "document")]
    value = _value_column(table, role, getattr(named, role), columns[1], name)
    values = raw_columns(table, [*columns, value])
    lists = [one_dimensional(values[column], column) for column in (*columns, value)]
    if not len(lists[0]):
        raise _empty(name)
    for column, each in zip((columns[1], value), lists[1:], strict=True):
        check_length(len(each), len(lists[0]), column, columns[0])
    queries, documents = (_ids(each, column, name) for each, column in zip(lists, columns, strict=False))
    numbers = _numbers(lists[2], role, f"{name}: column '{value}'", lambda row: f"in row {row + 1:,}")
    if role == "score" and named.score is None and compact(value) in RANKS:
        numbers = -numbers
    return Lines(queries, documents, numbers, name)


def _empty(name: str) -> DataError:
    return DataError(f"{name}: there are no rows, and so there is nothing to evaluate.")


def _value_column(table: Table, role: str, given: str | None, document: str, name: str) -> str:
    """The column of grades or scores; without scores, that of ranks."""
    known = {compact(column) for column in table.columns}
    if given is None and known.isdisjoint(_KNOWN[role]):
        # BEIR calls the grades of its judgments scores; scores next to other ids would be those of a run.
        other = RANKS if role == "score" else SIMILARITIES if compact(document) == "corpusid" else ()
        ranks = [column for column in table.columns if compact(column) in other]
        if len(ranks) == 1:
            return ranks[0]
    return _column(table, role, given, name)


def _column(table: Table, role: str, given: str | None, name: str) -> str:
    usual = [column.strip().lower() for column in table.columns if compact(column) in _KNOWN[role]]
    return find(role, table.columns, given, source=name, names=usual or _USUAL[role])


def _ids(values: Any, column: str, name: str) -> Ids:
    """The values as ids; numbers are written as labels are, 1.0 as 1."""
    texts = values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind in "OUT" else values
    if isinstance(values, np.ma.MaskedArray) or not isinstance(texts, list) or set(map(type, texts)) != {str}:
        (found,) = encode_apart([values], [column])
        if found.codes.min() < 0:
            row = int((found.codes < 0).argmax()) + 1
            raise DataError(f"{name} has no {column} in row {row:,}; every row needs one.")
        return ids_of(list(found.labels)).only(found.codes)
    try:
        return ids_of(texts)
    except UnicodeEncodeError:
        raise DataError(f"{name}: '{column}' has half a surrogate pair, which is not a character.") from None


def _numbers(values: Any, role: str, name: str, place: Callable[[int], str]) -> Floats:
    """The values as numbers: finite ones for grades; scores may be infinite."""
    values = np.ma.filled(values.astype(object), None) if isinstance(values, np.ma.MaskedArray) else values
    try:
        array = array_of(values)
        numbers = np.asarray(array, np.float64) if array.dtype.kind not in "cMmV" else np.full(len(array), np.nan)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros(())
    if numbers.ndim != 1:
        numbers = np.array([as_number(value) for value in values])
    bad = np.flatnonzero(np.isnan(numbers) if role == "score" else ~np.isfinite(numbers))
    if len(bad):
        kind, wanted = ("number", "scores are numbers such as 0.25")
        if role == "relevance":
            kind, wanted = ("finite number", "grades are numbers such as 2")
        raise DataError(
            f"{name} has {plural(len(bad), 'value')} that {'is' if len(bad) == 1 else 'are'} not a {kind} "
            f"(first: {quoted(str(values[int(bad[0])]))} {place(int(bad[0]))}); {wanted}."
        )
    return numbers + 0.0  # -0 is 0
