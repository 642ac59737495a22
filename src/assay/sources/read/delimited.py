"""CSV and TSV files: headers are read here, rows by DuckDB, all as text; what DuckDB would change is refused."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import IO, TYPE_CHECKING

import numpy as np

from assay.errors import DataError, listed
from assay.sources.read.database import UNCLOSED, literally, other_fields, quoted
from assay.sources.read.limits import LONGEST, check_names, refuse_many
from assay.sources.read.shard import BLOCK, Shard
from assay.sources.read.table import Scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


_LINE_FEED, _RETURN, _QUOTE = b'\n\r"'
_BESIDE = "put quotes right next to the delimiters"
_ENDS = {"\n": "LF", "\r": "CR", "\r\n": "CRLF"}
_FAULTS = {
    "expected after": f"has text between a quoted value and the delimiter; {_BESIDE}",
    "": UNCLOSED,
}


def refuse_changed(shard: Shard, delimiter: str, columns: int) -> None:
    """Refuse a file with a row that would be read differently from how it is written, or that is incomplete."""
    screen, suspected, place = _Screen(delimiter, columns), False, 0
    with shard.open() as file:
        for lines in _lines(file, shard):
            _refuse_other_text(lines, place, shard)
            suspected, place = suspected or screen.suspects(lines), place + len(lines)
    if suspected:
        with shard.open() as file, shard.open() as again:
            _refuse(file, again, shard.name, delimiter, columns)


def _lines(file: IO[bytes], shard: Shard) -> Iterator[bytes]:
    """The file in blocks of whole lines; an overlong line is an error that DuckDB would not always see."""
    rest = b""
    while block := file.read(BLOCK):
        text = rest + block
        end = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        rest = text[end:]
        if len(rest) > LONGEST:
            number = _breaks_before(file.tell() - len(rest), shard) + 1
            raise DataError(
                f"{shard.name}, line {number} is longer than {LONGEST:,} bytes; remove such long text from it."
            )
        if end:
            yield text[:end]
    if rest:
        yield rest


def _refuse_other_text(lines: bytes, place: int, shard: Shard) -> None:
    """Refuse lines, starting at this byte, that are not UTF-8; DuckDB does not always see that."""
    try:
        lines.isascii() or lines.decode()
    except UnicodeDecodeError as error:
        number = _breaks_before(place + error.start, shard) + 1
        raise DataError(f"{shard.name}, line {number} is not UTF-8 text; save it as UTF-8.") from None


def _breaks_before(place: int, shard: Shard) -> int:
    """How many lines end before this byte."""
    found = {b"\n": 0, b"\r": 0}
    with shard.open() as file:
        while place > 0 and (block := file.read(min(BLOCK, place))):
            place -= len(block)
            found = {sign: n + block.count(sign) for sign, n in found.items()}
    return found[b"\n"] or found[b"\r"]


class _Screen:
    """Looks for lines that may be changed; within quotes it may suspect too much, but it misses nothing."""

    def __init__(self, delimiter: str, columns: int) -> None:
        self.mark, self.columns = delimiter.encode(), columns
        mark = re.escape(self.mark)
        self.blank = re.compile(b'(?:^|[\r\n]|%b) +"|" +(?:[\r\n"]|%b)' % (mark, mark))
        # Searching for two given bytes is much faster than searching for one of several.
        self.kinds: set[str] = set()  # line endings so far
        self.within = False  # quotes, after the lines so far
        self.ends = {end: (re.compile(mark + end), re.compile(mark + b'""' + end)) for end in (b"\n", b"\r")}

    def suspects(self, text: bytes) -> bool:
        """Whether something in these lines may be changed."""
        if self._mixes(text):
            return True
        text = text if text.endswith((b"\n", b"\r")) else text + b"\n"
        quoted = b'"' in text
        if quoted and (b' "' in text or b'" ' in text) and self.blank.search(text):
            return True
        for end, (empty, empty_quoted) in self.ends.items():
            if end in text and (empty.search(text) or (quoted and empty_quoted.search(text))):
                return self._has_more_fields(text)
        return False

    def _mixes(self, text: bytes) -> bool:
        """Whether rows have mixed line endings, here or before; a CRLF split over two blocks may look so too."""
        quotes, found = text.count(b'"'), {"\n": int(b"\n" in text)}
        if b"\r" in text:
            returns, feeds, pairs = text.count(b"\r"), text.count(b"\n"), text.count(b"\r\n")
            found = {"\r\n": pairs, "\r": returns - pairs, "\n": feeds - pairs}
        if (quotes or self.within) and sum(n > 0 for n in found.values()) > 1:
            found = self._ends_outside_quotes(text)
        self.within ^= bool(quotes % 2)
        self.kinds |= {end for end, n in found.items() if n}
        return len(self.kinds) > 1

    def _ends_outside_quotes(self, text: bytes) -> dict[str, int]:
        """The same three numbers outside quotes, if all quotes come in pairs."""
        signs = np.frombuffer(text, np.uint8)
        # The number of quotes so far may wrap around, but its parity is kept.
        outside = (np.cumsum(signs == _QUOTE, dtype=np.uint8) + np.uint8(self.within)) % 2 == 0
        returns, feeds = (signs == _RETURN) & outside, (signs == _LINE_FEED) & outside
        pairs = int((returns[:-1] & feeds[1:]).sum())
        return {"\r\n": pairs, "\r": int(returns.sum()) - pairs, "\n": int(feeds.sum()) - pairs}

    def _has_more_fields(self, text: bytes) -> bool:
        """Whether a line that may end in an empty field has too many delimiters, or quotes, which may hide some."""
        signs = np.frombuffer(text, np.uint8)
        breaks = np.flatnonzero((signs == _LINE_FEED) | (signs == _RETURN))
        starts = np.concatenate([[-1], breaks[:-1]])
        filled = breaks - starts > 1
        starts, breaks = starts[filled], breaks[filled]
        empty = (signs[breaks - 1] == self.mark[0]) | (signs[breaks - 1] == _QUOTE)
        starts, breaks = starts[empty], breaks[empty]
        held = [
            np.searchsorted(at, breaks) - np.searchsorted(at, starts)
            for at in (np.flatnonzero(signs == sign) for sign in (self.mark[0], _QUOTE))
        ]
        return bool(((held[0] >= self.columns) | (held[1] > 0)).any())


class _Lines:
    """The lines of a text with their endings, and the ending of the last line read."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self.text, self.end = text, ""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self.text)
        self.end = line[len(line.rstrip("\r\n")) :]
        return line


def _refuse(file: IO[bytes], again: IO[bytes], name: str, delimiter: str, columns: int) -> None:
    """Refuse the first row that Python reads differently from DuckDB; both streams are the same file."""
    # Every byte is one character, since only ASCII signs matter.
    texts = [io.TextIOWrapper(each, encoding="latin-1", newline="") for each in (file, again)]
    limit = csv.field_size_limit(LONGEST)
    lines = _Lines(texts[0])
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    bare = csv.reader(texts[1], delimiter=delimiter, skipinitialspace=True)
    try:
        next(lines)  # the names are read elsewhere
        texts[1].readline()
        first = lines.end
        for row, without in zip(rows, bare, strict=False):
            if lines.end not in (first, ""):
                ends = " and ".join(sorted(_ENDS[end] for end in (first, lines.end)))
                raise DataError(f"{name} mixes line endings ({ends}); save it with only one of them.")
            if len(row) != columns and row:
                raise DataError(f"{name}, line {rows.line_num + 1} {other_fields(len(row), columns)}.")
            if row != without and any(
                a != b and a.lstrip(" ")[:1] == '"' for a, b in zip_longest(row, without, fillvalue="")
            ):
                raise DataError(f"{name}, line {rows.line_num + 1} has a blank before a quoted value; {_BESIDE}.")
    except csv.Error as error:
        fault = next(fault for words, fault in _FAULTS.items() if words in str(error))
        raise DataError(f"{name}, line {rows.line_num + 1} {fault}.") from None
    finally:
        csv.field_size_limit(limit)
        for text in texts:
            text.detach()


_DELIMITERS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t"}
_Layout = tuple[tuple[str, ...], str, str]  # names in the order of the file, delimiter, compression


def scan_delimited(shards: Sequence[Shard]) -> Scan:
    """The rows of these files, whose columns may be in any order but must be the same."""
    groups: dict[_Layout, list[Shard]] = {}
    for shard in shards:
        delimiter, names = _header(shard)
        refuse_changed(shard, delimiter, len(names))
        groups.setdefault((names, delimiter, shard.compression), []).append(shard)
    first = next(iter(groups))[0]
    for (names, _, _), members in groups.items():
        if set(names) != set(first):
            raise DataError(
                f"{members[0].name} has the columns {listed(names)} where {shards[0].name} has {listed(first)}; "
                "files that match a pattern need the same columns."
            )

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        parts = (_sql(layout, members, first, connection) for layout, members in groups.items())
        # In SQL, because DuckDB's Python function for this loads pandas if it is installed.
        return connection.sql(" UNION ALL ".join(parts))

    return Scan(first, on)


def _sql(layout: _Layout, shards: Sequence[Shard], order: Sequence[str], connection: DuckDBPyConnection) -> str:
    names, delimiter, compression = layout
    files = literally(shards, connection)
    columns = ", ".join(f"f{at}: 'VARCHAR'" for at in range(len(names)))
    renamed = ", ".join(f"f{names.index(name)} AS c{at}" for at, name in enumerate(order))
    return (
        f"SELECT {renamed} FROM read_csv({files}, columns={{{columns}}}, auto_detect=false, header=true, "
        f"delim={quoted(delimiter)}, quote='\"', escape='\"', nullstr='', strict_mode=true, hive_partitioning=false, "
        f"compression='{compression}', max_line_size={LONGEST}, buffer_size={LONGEST})"
    )


def _header(shard: Shard) -> tuple[str, tuple[str, ...]]:
    """The delimiter that splits the first line into most names without splitting a quoted one, and these names."""
    try:
        line = shard.first_line().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{shard.name}, line 1 is not UTF-8 text; save it as UTF-8.") from None
    marks = _DELIMITERS[shard.suffix]
    headers = _headers(line, marks, strict=True) or _headers(line, marks, strict=False)
    if not headers:
        raise DataError(f"{shard.name} does not begin with the names of its columns; its first line cannot be split.")
    delimiter = max(headers, key=lambda mark: (_divides_no_name(line, mark), len(headers[mark])))
    # DuckDB takes the first line break of a file, quoted or not, as its line ending.
    if any(field["open"] is not None for field in _fields(line, delimiter)):
        raise DataError(f"{shard.name} has a line break inside the name of a column; remove it.")
    names = [name.strip() for name in headers[delimiter]]
    if not any(names):
        raise DataError(f"{shard.name} begins with a blank line; expected the names of the columns.")
    refuse_many(names, shard.name)
    names = [name or f"column{position}" for position, name in enumerate(names, start=1)]
    check_names(names, shard.name, ignore_case=True)
    return delimiter, tuple(names)


def _headers(line: str, marks: str, *, strict: bool) -> dict[str, list[str]]:
    """The names into which each delimiter splits the first line, if it can."""
    headers = {}
    for mark in marks:
        with suppress(csv.Error):
            headers[mark] = next(csv.reader([line], delimiter=mark, strict=strict), [])
    return headers


def _divides_no_name(line: str, mark: str) -> bool:
    """Whether every field is quoted as a whole, or has both or none of a pair of quotes."""
    return all(field["rest"].count('"') % 2 == 0 and field["open"] is None for field in _fields(line, mark))


def _fields(line: str, mark: str) -> Iterator[re.Match[str]]:
    """Each field: a quoted value, which may be `open` at the end of the line, and the `rest` up to the delimiter."""
    mark = re.escape(mark)
    return re.finditer(rf'(?:^|{mark})(?:"[^"]*(?:""[^"]*)*(?:"|(?P<open>$)))?(?P<rest>[^{mark}]*)', line)
