"""A wide table in parts of a few columns, so that each is read once and no engine plans with thousands of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.errors import DataError
from assay.sources.frames import Table, countable, fetched
from assay.sources.table import renamed

FEW = 100_000  # rows that are looked at in memory, because asking an engine again and again takes longer
CELLS = 2_000_000  # of a part that is looked at in memory
HELD = 20_000_000  # cells of a part that an engine holds
WIDEST = 1000  # columns of a part; for more of them DuckDB's plans for JSON take longer than reading anew
WIDE = 50  # columns of a part that an engine reads anew for every question
MOST_FAULTS = 20  # columns that cannot be read, each of which costs another attempt


def parts(table: Table, columns: Sequence[str], problems: dict[str, str]) -> Iterator[Table]:
    """The columns, some at a time, as tables that can be asked about each of them; those that cannot be read are told.

    Small tables come into memory. Of large ones DuckDB holds a part at a time; other engines read them where they are.
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
    """The values of these columns but for those that hold something else than labels."""
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
            # Our own words on a value that is a list name its column.
            wrong = next((name for name in wanted if str(error).startswith(f"{table.name}: column '{name}' ")), None)
            if wrong is None:
                raise
            problems[wrong] = told(error, table, wrong)
            del wanted[wrong]
        else:
            places = {column: f"c{at}" for at, column in enumerate(columns) if column in wanted}
            return Table({name: values[place] for name, place in places.items()}, tuple(wanted), table.name)
    unread = f"was not looked at: {MOST_FAULTS} columns beside it cannot be read"
    problems |= dict.fromkeys(wanted, unread)
    return Table({}, (), table.name)


def told(error: DataError, table: Table, column: str) -> str:
    """What is wrong with a column, without its name."""
    return str(error).removeprefix(f"{table.name}: ").removeprefix(f"column '{column}' ")


def _held(table: Table, columns: Sequence[str]) -> Iterator[Table]:
    """A table of DuckDB's own with these columns, for as long as it is asked; a column that cannot be read is alone."""
    import narwhals as nw

    from assay.sources.database import connect, plainly

    assert table.scan is not None
    places = ", ".join(f"c{table.columns.index(column)} AS c{at}" for at, column in enumerate(columns))
    with connect() as connection:
        try:
            with plainly(table.name, file=True):
                table.scan.on(connection).project(places).create("part")
        except DataError:
            if len(columns) == 1:
                yield renamed(table, columns)  # which says what is wrong when it is asked
                return
        else:
            yield Table(nw.from_native(connection.table("part")), tuple(columns), table.name)
            return
    half = len(columns) // 2
    yield from _held(table, columns[:half])
    yield from _held(table, columns[half:])
