"""Each column of a table counted separately: all its labels with their rows, or a few and how many there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from assay.errors import DataError
from assay.sources.arrays import order_labels
from assay.sources.columns import FIRST
from assay.sources.frames import count_rows, countable, fetched
from assay.sources.read.table import Table, renamed

FEW = 100_000  # rows examined in memory, because repeated queries to an engine take longer
CELLS = 2_000_000  # of a part that is examined in memory
HELD = 20_000_000  # cells of a part that an engine holds
WIDEST = 1000  # columns of a part; with more, DuckDB's plans for JSON take longer than reading again
WIDE = 50  # columns of a part that an engine reads again for every query
MOST_FAULTS = 20  # columns that cannot be read, each of which costs another attempt


def parts(table: Table, columns: Sequence[str], problems: dict[str, str]) -> Iterator[Table]:
    """The columns, a part at a time, as tables that can be queried; `problems` collects those that cannot be read.

    Small tables are loaded into memory. DuckDB holds a part of a large one at a time; other engines query it in place.
    """
    if isinstance(table.frame, Mapping):
        yield Table({column: table.frame[column] for column in columns}, tuple(columns), table.name)
        return
    rows = count_all(table)
    if rows <= FEW:
        for some in _batches(columns, min(CELLS // max(rows, 1), WIDEST)):
            yield _in_memory(table, some, problems)
    elif table.scan is None or len(columns) == 1:
        for some in _batches(columns, WIDE):
            yield renamed(table, some)
    else:
        for some in _batches(columns, min(HELD // rows, WIDEST)):
            yield from _held(table, some)


def count_all(table: Table) -> int:
    """How many rows there are."""
    import narwhals as nw

    assert not isinstance(table.frame, Mapping)
    return int(fetched(table.frame.select(n=nw.len()), table)["n"][0])


def _batches(columns: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    size = max(size, 1)
    return (columns[at : at + size] for at in range(0, len(columns), size))


def _in_memory(table: Table, columns: Sequence[str], problems: dict[str, str]) -> Table:
    """The values of these columns, without those that hold something other than labels."""
    part = renamed(table, columns)
    assert not isinstance(part.frame, Mapping)
    schema = part.frame.collect_schema()
    wanted: dict[str, Any] = {}
    for at, column in enumerate(columns):
        try:
            wanted[column] = countable(part.frame, column, f"c{at}", schema)
        except DataError as error:
            problems[column] = told(error, table, column)
    for _ in range(MOST_FAULTS):
        try:
            values = fetched(part.frame.select(list(wanted.values())), table) if wanted else {}
        except DataError as error:
            # Our own message about a value that is a list names its column.
            wrong = next((name for name in wanted if str(error).startswith(f"{table.name}: column '{name}' ")), None)
            if wrong is None:
                raise
            problems[wrong] = told(error, table, wrong)
            del wanted[wrong]
        else:
            places = {column: f"c{at}" for at, column in enumerate(columns) if column in wanted}
            return Table({name: values[place] for name, place in places.items()}, tuple(wanted), table.name)
    unread = f"was not examined: {MOST_FAULTS} other columns cannot be read"
    problems |= dict.fromkeys(wanted, unread)
    return Table({}, (), table.name)


def told(error: DataError, table: Table, column: str) -> str:
    """What is wrong with a column, without its name."""
    return str(error).removeprefix(f"{table.name}: ").removeprefix(f"column '{column}' ").removesuffix(".")


def _held(table: Table, columns: Sequence[str]) -> Iterator[Table]:
    """A DuckDB table with these columns, while it is queried; a column that cannot be read gets a part of its own."""
    import narwhals as nw

    from assay.sources.read.database import connect, plainly

    assert table.scan is not None
    places = ", ".join(f"c{table.columns.index(column)} AS c{at}" for at, column in enumerate(columns))
    with connect() as connection:
        try:
            with plainly(table.name, file=True):
                table.scan.on(connection).project(places).create("part")
        except DataError:
            if len(columns) == 1:
                yield renamed(table, columns)  # which reports what is wrong when it is queried
                return
        else:
            yield Table(nw.from_native(connection.table("part")), tuple(columns), table.name)
            return
    half = len(columns) // 2
    yield from _held(table, columns[:half])
    yield from _held(table, columns[half:])


def sizes_by_engine(table: Table, column: str) -> tuple[int, int]:
    """How many rows there are, and how many different values in this column; none if it holds lists or objects."""
    import narwhals as nw

    assert not isinstance(table.frame, Mapping)
    place = f"c{table.columns.index(column)}"
    kind = table.frame.collect_schema()[place]
    if kind.is_nested() or isinstance(kind, nw.Object):
        return 0, 0
    # By groups and lengths alone: n_unique and sum load pandas, if installed, through DuckDB's constants.
    groups = table.frame.select(place).group_by(place).agg(times=nw.len())
    rows, distinct = (fetched(frame.select(n=nw.len()), table)["n"][0] for frame in (table.frame, groups))
    return int(rows), int(distinct)


def summarized(table: Table, column: str, most: int) -> tuple[dict[str, int], dict[str, Any]]:
    """The most frequent values with their rows; how many are distinct, missing and repeated; the first repeats."""
    import narwhals as nw

    from assay.sources.join_tables import Side, keyed

    rows = keyed(Side(table, column))
    groups = rows.filter(~nw.col("key").is_null()).group_by("key").agg(rows=nw.len())
    twice = nw.col("rows") > 1
    numbers = fetched(
        groups.select(distinct=nw.len(), repeated=twice.cast(nw.Int64).sum(), filled=nw.col("rows").sum()), table
    )
    top = fetched(groups.sort("rows", "key", descending=[True, False]).head(most), table)
    shortest = groups.filter(twice).with_columns(size=nw.col("key").str.len_chars()).sort("size", "key").head(FIRST)
    every = fetched(rows.select(rows=nw.len()), table)["rows"][0]
    facts = {
        "distinct": int(numbers["distinct"][0]),
        "missing": int(every) - int(numbers["filled"][0]),
        "repeated": int(numbers["repeated"][0]),
        "first": tuple(fetched(shortest.select("key"), table)["key"]),
    }
    return dict(zip(top["key"], np.asarray(top["rows"]).tolist(), strict=True)), facts


MANY = 20_000  # distinct values beyond which a column that holds no labels is only summarized
MOST = 8  # labels of a column that are kept with their counts
KEPT = 100  # distinct values up to which all of them are kept
_NUMBER = re.compile(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Column:
    """The labels of a column with their rows, most frequent first: all of them, unless they are too many."""

    by_label: dict[str, int]
    distinct: int
    missing: int
    rows: int
    repeated: int
    first: tuple[str, ...]
    numeric: bool  # whether a label is a number

    def few(self) -> Column:
        """The same with the most frequent labels only, unless there are not many."""
        return self if self.distinct <= KEPT else replace(self, by_label=dict(islice(self.by_label.items(), MOST)))


Keep = Callable[[str, Column], bool]


def count_columns(
    table: Table, columns: Sequence[str], keep: Keep | None = None
) -> tuple[dict[str, Column], dict[str, str]]:
    """Every column that can be counted, and why the others cannot.

    All labels of a column are kept if `keep` says so, or if it is not given.
    """
    counts: dict[str, Column] = {}
    problems: dict[str, str] = {}
    for part in parts(table, columns, problems):
        for name in part.columns:
            try:
                column = _counted(part, name, whole=keep is None)
            except DataError as error:
                problems[name] = told(error, table, name)
                continue
            counts[name] = column if keep is None or keep(name, column) else column.few()
    return counts, problems


def sizes(table: Table, column: str) -> tuple[int, int]:
    """How many rows there are, and how many different values in this column."""
    if isinstance(table.frame, Mapping):
        values = table.frame[column]
        try:
            return len(values), len(set(values.tolist() if hasattr(values, "tolist") else values))
        except TypeError:
            return len(values), 0

    return sizes_by_engine(table, column)


def _counted(table: Table, column: str, *, whole: bool) -> Column:
    if not isinstance(table.frame, Mapping):
        rows, distinct = sizes(table, column)
        if distinct > MANY and not whole:
            return _summarized(table, column, rows)
    found = _texts(table.frame[column]) if isinstance(table.frame, Mapping) else None
    if found is None:
        texts, counts = count_rows(table, [column])
        found = dict(zip(texts[column].tolist(), counts.tolist(), strict=True))
    rows = sum(found.values())
    missing = found.pop(None, 0)
    # Stable, so that labels with equally many rows stay in the order of labels.
    labels = dict(sorted(((label, found[label]) for label in order_labels(found)), key=lambda item: -item[1]))
    twice = [label for label, times in labels.items() if times > 1]
    first = tuple(sorted(twice, key=lambda label: (len(label), label))[:FIRST])
    numeric = any(map(_NUMBER.fullmatch, labels))
    return Column(labels, len(labels), missing, rows, len(twice), first, numeric)


def _texts(values: Any) -> dict[Any, int] | None:
    """How often each value occurs, if all are text or missing: this is faster than counting arbitrary labels."""
    every = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(every, list) or not {str, type(None)}.issuperset(map(type, every)):
        return None
    found = Counter(every)
    try:
        "".join(filter(None, found)).encode()
    except UnicodeEncodeError:  # half a surrogate pair, which is refused elsewhere
        return None
    return dict(found)


def _summarized(table: Table, column: str, rows: int) -> Column:

    labels, facts = summarized(table, column, MOST)
    return Column(labels, rows=rows, numeric=any(map(_NUMBER.fullmatch, labels)), **facts)
