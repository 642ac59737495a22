"""Judgments read once, and runs matched with them: files, frames and mappings in any mixture."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import DataError
from assay.sources.arrays import order_labels
from assay.sources.columns import DOCUMENTS, GRADES, QUERIES, RANKS, SIMILARITIES, compact
from assay.sources.rankings.ids import Ids, Index, first_of_runs, hashes, ids_of, repeated
from assay.sources.rankings.lines import Lines
from assay.sources.rankings.matched import Ints, Judgments, Matched
from assay.sources.rankings.named import quoted, some
from assay.sources.rankings.ranked import Ranked, Twice, joined, rank_judged
from assay.sources.rankings.tables import Named, lines_of
from assay.sources.rankings.trec import BLOCK, QRELS, RUN, Layout, TrecFile
from assay.sources.read.files import from_standard_input, read_shards
from assay.sources.read.shard import ARROW, ARROW_MAGIC, DELIMITED, JSON_LINES, PARQUET, PARQUET_MAGIC, Shard
from assay.sources.read.spool import BYTE_ORDER_MARK, GZIP

_HEAD = 1 << 16  # bytes that show the format of a file
_ROW = 32  # bytes of a usual line of a run
_HEADINGS = {*QUERIES, *DOCUMENTS, *GRADES, *SIMILARITIES, *RANKS}
_NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
_WHOLE = re.compile(rb"[+-]?[0-9]+")


class _Scattered(Exception):
    """The lines of a query are not consecutive."""


def judged(
    source: Any,
    *,
    name: str | None = None,
    query: str | None = None,
    document: str | None = None,
    relevance: str | None = None,
) -> Judged:
    """Judgments of documents, ready to be matched with runs.

    `source` is a file (of trec_eval's format, CSV, TSV, JSON Lines, Parquet or Arrow, text also with gzip), a frame, or
    a mapping of queries to mappings of documents to grades. `query`, `document` and `relevance` name columns.
    """
    source = _spooled(source)
    file = _trec_file(source, QRELS, name)
    lines = lines_of(source, "relevance", Named(query, document, relevance), name) if file is None else file.whole()
    queries, codes = _numbered(lines)
    hashed = hashes(lines.documents, codes)
    twice = repeated(lines.documents, codes, hashed)
    if twice is not None:
        raise _twice(lines.name, queries[codes[twice]], lines.documents.only([twice]))
    return Judged(
        Judgments(queries, codes, np.asarray(lines.numbers, np.float64)),
        lines.name,
        _query_index(queries),
        Index(lines.documents, codes, hashed),
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """Judgments with an index of their queries and documents."""

    judgments: Judgments
    name: str
    queries: Index
    documents: Index

    def match(
        self,
        run: Any,
        *,
        name: str | None = None,
        query: str | None = None,
        document: str | None = None,
        score: str | None = None,
        float32: bool | None = None,
        block: int = BLOCK,
    ) -> Matched:
        """Where the judged documents stand in a run, which is given in the same ways, with scores in place of grades.

        A table without scores may have a column of ranks. Scores of files in trec_eval's format are compared in single
        precision, as trec_eval compares them, others in double precision; `float32` changes that. `block` says how many
        bytes of such a file are read at once.
        """
        run = _spooled(run)
        file = _trec_file(run, RUN, name, single=float32 is not False)
        if file is None:
            lines = lines_of(run, "score", Named(query, document, score=score), name, single=bool(float32))
            return _Matching(self, lines.name).scattered(lines, block)
        matching = _Matching(self, file.name)
        try:
            for lines in _ahead(file.blocks(block)):
                matching.add(lines)
        except _Scattered:
            matching = _Matching(self, file.name)
            return matching.scattered(file.whole(), block)
        return matching.matched(file)


def _ahead(blocks: Iterator[Lines]) -> Iterator[Lines]:
    """The same blocks, each read by another thread while the one before it is matched."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, blocks, None)
        while (lines := coming.result()) is not None:
            coming = pool.submit(next, blocks, None)
            yield lines


class _Matching:
    """What was found in the blocks of a run so far."""

    def __init__(self, judged: Judged, name: str) -> None:
        self.judged, self.name = judged, name
        self.seen = np.zeros(len(judged.judgments.queries), np.bool_)
        self.strangers: dict[bytes, None] = {}
        self.parts: list[Ranked] = []
        self.tag: bytes | None = None

    def add(self, lines: Lines) -> None:
        """Rank the documents of some lines; _Scattered if one of their queries has others elsewhere."""
        first, codes = self._codes(lines.queries)
        known = codes[codes >= 0]
        if self.seen[known].any() or len(np.unique(known)) < len(known):
            raise _Scattered
        self.seen[known] = True
        self.tag = lines.tag or self.tag
        every = np.repeat(codes, np.diff(first, append=len(lines.queries)))
        self._rank(lines, every, slice(None) if len(known) == len(codes) else np.flatnonzero(every >= 0))

    def scattered(self, lines: Lines, block: int) -> Matched:
        """All lines of a run, whatever their order."""
        self.tag = lines.tag
        first, codes = self._codes(lines.queries)
        every = np.repeat(codes, np.diff(first, append=len(lines.queries)))
        rows = np.flatnonzero(every >= 0)
        if (every[rows[1:]] < every[rows[:-1]]).any():
            rows = rows[np.argsort(every[rows], kind="stable")]
        for part in _whole_queries(every[rows], max(block // _ROW, 1)):
            self._rank(lines, every, rows[part])
        return self.matched()

    def _codes(self, queries: Ids) -> tuple[Ints, Ints]:
        """The first of every run of equal queries in a row, and the number of this query, -1 if it has no judgments."""
        first = first_of_runs(queries)
        names = queries.only(first)
        zeros = np.zeros(len(names), np.int64)
        rows, found = self.judged.queries.find(names, zeros, hashes(names, zeros))
        codes = np.full(len(names), -1, np.int64)
        codes[rows] = found
        self.strangers |= dict.fromkeys(names.only(codes < 0).spelled())
        return first, codes

    def _rank(self, lines: Lines, codes: Ints, rows: Ints | slice) -> None:
        query, documents = codes[rows], lines.documents.only(rows)
        if not len(query):
            return
        try:
            self.parts.append(rank_judged(query, documents, lines.numbers[rows], self.judged.documents))
        except Twice as twice:
            name = self.judged.judgments.queries[query[twice.row]]
            raise _twice(self.name, name, documents.only([twice.row])) from None

    def matched(self, file: TrecFile | None = None) -> Matched:
        """All that was found, by query and rank."""
        judgments = self.judged.judgments
        if not self.parts:
            if not self.strangers and file is not None:
                raise file.empty()
            raise DataError(
                f"{self.name} and {self.judged.name} have no query in common: the first has {some(self.strangers)}, "
                f"the second {some(judgments.queries)}. Write the ids of queries in the same way in both."
            )
        found = joined(self.parts)
        retrieved = np.zeros(len(judgments.queries), np.int64)
        retrieved[found.query] = found.retrieved
        return Matched(
            retrieved=retrieved,
            found_query=found.found_query,
            found_rank=found.found_rank,
            found_grade=judgments.grade[found.found],
            tied_query=found.tied_query,
            tied_first=found.tied_first,
            tied_number=found.tied_number,
            strangers=len(self.strangers),
            tag=None if self.tag is None else self.tag.decode(errors="backslashreplace"),
        )


def _whole_queries(codes: Ints, size: int) -> Iterator[slice]:
    """Parts of about so many rows, in which every query is complete; equal codes are consecutive."""
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    start = 0
    while start < len(codes):
        next_query = int(np.searchsorted(starts, start + size))
        end = int(starts[next_query]) if next_query < len(starts) else len(codes)
        yield slice(start, end)
        start = end


def _numbered(lines: Lines) -> tuple[tuple[str, ...], Ints]:
    """The queries of judgments in canonical order, and the number of each line's query."""
    first = first_of_runs(lines.queries)
    names = lines.queries.only(first).spelled()
    try:
        texts = {name: name.decode() for name in dict.fromkeys(names)}
    except UnicodeDecodeError as error:
        raise DataError(
            f"{lines.name}: the query {quoted(error.object)} is not UTF-8 text; save it as UTF-8."
        ) from None
    queries = tuple(order_labels(texts.values()))
    place = {query: number for number, query in enumerate(queries)}
    codes = np.fromiter((place[texts[name]] for name in names), np.int64, len(names))
    return queries, np.repeat(codes, np.diff(first, append=len(lines.queries)))


def _query_index(queries: tuple[str, ...]) -> Index:
    ids, zeros = ids_of(list(queries)), np.zeros(len(queries), np.int64)
    return Index(ids, zeros, hashes(ids, zeros))


def _twice(name: str, query: str, document: Ids) -> DataError:
    what = f"document {quoted(document.spelled()[0])} of query {quoted(query)}"
    return DataError(f"{name}: {what} occurs twice; remove one of the two.")


# ---------------------------------------------------------------------- files
def _spooled(source: Any) -> Any:
    """Standard input as a file, or as the table that it has; anything else as it is."""
    if not isinstance(source, str) or source != "-":
        return source
    shard = from_standard_input()
    if shard.suffix not in DELIMITED or not _looks_like_trec(_first_fields(shard)):
        return read_shards([shard], shard.name)
    return shard


def _first_fields(shard: Shard) -> list[bytes]:
    """The fields of the first line that has any, divided at blanks."""
    with shard.open() as text:
        head = text.read(_HEAD).removeprefix(BYTE_ORDER_MARK)
    return next((line.split() for line in head.splitlines() if not line.isspace() and line), [])


def _trec_file(source: Any, layout: Layout, name: str | None, *, single: bool = True) -> TrecFile | None:
    """The file in trec_eval's format, or None if this is something else."""
    if isinstance(source, Shard):
        return TrecFile(source, name or source.name, layout, single)
    if not isinstance(source, str | os.PathLike):
        return None
    path = Path(os.fspath(source))
    try:
        if not path.is_file():
            return None  # the reader of tables knows what to say
        with path.open("rb") as file:
            magic = file.read(8)
    except ValueError:
        return None
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror}.") from None
    shard = Shard(path, path.name, path.suffix.lower(), magic.startswith(GZIP))
    inner = Path(path.stem).suffix.lower() if shard.gzipped and shard.suffix == ".gz" else shard.suffix
    if magic.startswith((PARQUET_MAGIC, *ARROW_MAGIC)) or inner in (*JSON_LINES, *PARQUET, *ARROW):
        return None
    if inner in DELIMITED and not _looks_like_trec(_first_fields(shard)):
        return None
    return TrecFile(shard, name or path.name, layout, single)


def _looks_like_trec(fields: list[bytes]) -> bool:
    """Whether the fields of a first line, divided at blanks, are those of a file without names of columns."""
    if len(fields) == 4 and _WHOLE.fullmatch(fields[3]):
        return True
    if len(fields) == 6 and _NUMBER.fullmatch(fields[4]):
        return True
    text = b" ".join(fields)
    if len(fields) < 2 or any(sign in text for sign in (b",", b";", b"|", b'"')):
        return False
    return _HEADINGS.isdisjoint(compact(field.decode(errors="replace")) for field in fields)
