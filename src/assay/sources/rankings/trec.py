"""Judgments and runs in the format of trec_eval: fields on each line, between blanks or tabs of any number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.errors import DataError, plural
from assay.sources.given import MOST_ITEMS
from assay.sources.rankings.ids import PAD, Bytes, Ids, padded
from assay.sources.rankings.lines import Lines
from assay.sources.rankings.matched import Ints
from assay.sources.rankings.named import quoted
from assay.sources.rankings.numerals import floats, whole_numbers
from assay.sources.read.limits import too_long
from assay.sources.read.shard import Shard
from assay.sources.read.spool import BYTE_ORDER_MARK

BLOCK = 1 << 20  # bytes that stay in the cache
LONGEST = 1 << 16  # bytes of a line
_LINE_FEED = ord("\n")


@dataclass(frozen=True)
class Layout:
    """The fields of a line, and which of them are read: the query, the document and a number."""

    what: str
    fields: tuple[str, ...]
    read: tuple[int, int, int]


QRELS = Layout("judgments", ("query", "iteration", "document", "grade"), (0, 2, 3))
RUN = Layout("a run", ("query", "Q0", "document", "rank", "score", "tag"), (0, 2, 4))


@dataclass(frozen=True)
class TrecFile:
    """A file of judgments or of a run, and what messages call it."""

    shard: Shard
    name: str
    layout: Layout
    single: bool = True  # scores are compared in single precision

    def blocks(self, size: int) -> Iterator[Lines]:
        """All lines, in blocks of about so many bytes that end where a query ends, if its lines are consecutive."""
        for text, place in self._texts(size):
            yield self._lines(padded(text), slice(0, len(text)), place)

    def whole(self) -> Lines:
        """All lines at once."""
        with self.shard.open() as file:
            text = file.read()
        mark = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        data = padded(text, b"" if text.endswith(b"\n") else b"\n")
        parts, start = [], mark
        while start < len(text):
            end = text.find(b"\n", start + BLOCK) + 1 or len(data) - 2 * PAD
            parts.append(self._lines(data, slice(start, end), 0))
            start = end
        if not any(len(part.queries) for part in parts):
            raise self.empty()
        return Lines(
            _chained([part.queries for part in parts]),
            _chained([part.documents for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            self.name,
            next((part.tag for part in reversed(parts) if part.tag), None),
        )

    def empty(self) -> DataError:
        """What to say if there are no lines."""
        return DataError(f"{self.name} is empty; expected lines of {self._expected()}.")

    # ------------------------------------------------------------------ blocks of text
    def _texts(self, size: int) -> Iterator[tuple[bytes, int]]:
        """Blocks that end where a query ends, each with its place in the file."""
        rest, place = b"", 0
        with self.shard.open() as file:
            head = file.read(len(BYTE_ORDER_MARK))
            rest, place = (b"", len(head)) if head == BYTE_ORDER_MARK else (head, 0)
            while block := file.read(max(size, len(rest))):
                text = rest + block
                end = text.rfind(b"\n") + 1
                if len(text) - end > LONGEST:
                    raise DataError(f"{self._line(place + end)} {too_long(LONGEST)}.")
                end = _last_query(text, end) if end else end
                if end:
                    yield text[:end], place
                rest, place = text[end:], place + end
        if rest:
            yield rest if rest.endswith(b"\n") else rest + b"\n", place

    # ------------------------------------------------------------------ lines
    def _lines(self, data: Bytes, part: slice, place: int) -> Lines:
        """The lines in a part of a text that begins at this place of the file."""
        found = _fields(data, PAD + part.start, PAD + part.stop, len(self.layout.fields), self.layout.read)
        if found is None:
            raise self._other_fields(bytes(data[PAD + part.start : PAD + part.stop]), place + part.start)
        queries, documents, tokens = found
        numbers = floats(tokens, single=self.single) if self.layout is RUN else whole_numbers(tokens)
        wrong = np.flatnonzero(np.isnan(numbers) if self.layout is RUN else ~(np.abs(numbers) <= MOST_ITEMS))
        if len(wrong):
            token = tokens.only(wrong[:1])
            shown = quoted(token.spelled()[0])
            wanted = "a number, such as 12.5" if self.layout is RUN else "a whole number, such as 1"
            where = self._line(place + int(token.start[0]) - PAD)
            raise DataError(f"{where} has the {self.layout.fields[self.layout.read[2]]} {shown}; expected {wanted}.")
        longest = max(int(ids.length.max(initial=0)) for ids in (queries, documents))
        if longest > LONGEST:
            raise DataError(f"{self.name} has an id that {too_long(LONGEST)}.")
        return Lines(queries, documents, numbers, self.name, _last_field(data, PAD + part.start, PAD + part.stop))

    def _other_fields(self, text: bytes, place: int) -> DataError:
        """What to say of the first line that has another number of fields."""
        wanted = len(self.layout.fields)
        at = 0
        for line in text.split(b"\n"):
            fields = line.split()
            if fields and len(fields) != wanted:
                other = next((each for each in (QRELS, RUN) if len(each.fields) == len(fields)), None)
                hint = "Write every line with these, or a table with the names of its columns in the first line."
                if other is not None:
                    hint = f"It looks like {other.what}: check the order of the files."
                return DataError(
                    f"{self._line(place + at)} has {plural(len(fields), 'field')}; expected {self._expected()}. {hint}"
                )
            at += len(line) + 1
        raise AssertionError("all lines have as many fields as expected")

    def _expected(self) -> str:
        return f"the {len(self.layout.fields)} fields of {self.layout.what}: {' '.join(self.layout.fields)}"

    def _line(self, place: int) -> str:
        """The file and the number of the line at this place."""
        number = 1
        with self.shard.open() as file:
            while place > 0 and (block := file.read(min(1 << 22, place))):
                number += block.count(b"\n")
                place -= len(block)
        return f"{self.name}, line {number:,}"


def _chained(parts: list[Ids]) -> Ids:
    """Ids of one buffer in one piece."""
    start, length = (np.concatenate([getattr(part, name) for part in parts]) for name in ("start", "length"))
    return Ids(parts[0].data, start, length)


def _last_field(data: Bytes, low: int, high: int) -> bytes | None:
    """The last field between these places, if there is one."""
    size = 256
    while True:
        start = max(high - size, low)
        fields = data[start:high].tobytes().split()
        if start == low or len(fields) > 1:
            return fields[-1] if fields else None
        size *= 4


def _last_query(text: bytes, end: int) -> int:
    """Where the lines of the last query begin, if they are consecutive; 0 if it is the only one.

    If they are not, the place may be any other start of a line.
    """

    def query_at(start: int) -> list[bytes]:
        return text[start : text.find(b"\n", start)].split(None, 1)[:1]

    high = text.rfind(b"\n", 0, end - 1) + 1
    low, last = 0, query_at(high)
    while low < high:
        start = text.rfind(b"\n", 0, (low + high) // 2) + 1
        if query_at(start) == last:
            high = start
        else:
            low = text.find(b"\n", start) + 1
    return high


def _fields(data: Bytes, low: int, high: int, width: int, read: tuple[int, ...]) -> list[Ids] | None:
    """Some of the fields of every line between these places; None if a line has more fields than `width`, or fewer."""
    text = data[low:high]
    blank = (text == 32) | (text - np.uint8(9) < 5)  # what C's isspace says
    blanks = np.flatnonzero(blank)
    lines, more = divmod(len(blanks), width)
    if not more and lines and not blank[0] and not (blank[1:] & blank[:-1]).any():
        # There is one blank after each field.
        ends = blanks.reshape(lines, width)
        if (text[ends[:, -1]] == _LINE_FEED).all() and np.count_nonzero(text == _LINE_FEED) == lines:
            return [_after_one(data, ends, column, low) for column in read]
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    edges = edges if blank[0] else np.concatenate([[0], edges])
    starts, ends = edges[0::2], edges[1::2]
    lines, more = divmod(len(starts), width)
    if more:
        return None
    starts, ends = starts.reshape(lines, width), ends.reshape(lines, width)
    feeds = np.flatnonzero(text == _LINE_FEED)
    first, last = (np.searchsorted(feeds, starts[:, column]) for column in (0, -1))
    if (first != last).any() or (first[1:] == last[:-1]).any():
        return None
    return [Ids(data, starts[:, column] + low, ends[:, column] - starts[:, column]) for column in read]


def _after_one(data: Bytes, ends: Ints, column: int, low: int) -> Ids:
    """One column of fields, given where all of them end, each one byte before the next begins."""
    start = np.empty(len(ends), np.int64)
    if column:
        start[:] = ends[:, column - 1]
    else:
        start[0], start[1:] = -1, ends[:-1, -1]
    start += 1
    length = ends[:, column] - start
    start += low
    return Ids(data, start, length)
