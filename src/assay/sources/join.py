"""The gold table and a table for each system, paired by id or by position into a single table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.errors import DataError, OptionError, choose, listed, plural, written
from assay.options import MISSING
from assay.sources.columns import ALIASES, called, find
from assay.sources.frames import countable, fetched
from assay.sources.join_tables import Ids, Side
from assay.sources.read.database import connect
from assay.sources.read.table import Scan, Table

BY_ID = "--id COL", "id='COL'"
SKIP, WRONG = ("--missing skip", "missing='skip'"), ("--missing wrong", "missing='wrong'")

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


@dataclass(frozen=True)
class Paired:
    """The rows of gold with a column of predictions for each system, None where a system has none.

    `preds` maps each system to its column. `strangers` counts the ids of a system that gold lacks, which are not in the
    table.
    """

    table: Table
    preds: dict[str, str]
    id: str | None
    strangers: dict[str, int]


def pair_systems(
    gold: Table,
    systems: Mapping[str, Table],
    *,
    id: str | None = None,
    pred: Mapping[str, str] | None = None,
    missing: str = "error",
    by_position: bool = False,
) -> Paired:
    """Gold and the systems' predictions as one table, paired by a column of ids, which are compared as text.

    `pred` names the column of predictions in a system's table. `missing` says what happens to ids that are only on
    one side: 'error' refuses them, 'wrong' keeps gold without a prediction, 'skip' also leaves out predictions
    without gold. Rows of gold are kept in any case. `by_position` pairs the first row with the first, and so on.
    """
    choose(missing, MISSING, "missing")
    if not systems:
        raise DataError("no system is named; give a table for at least one.")
    for system in pred or {}:
        choose(system, systems, "the name of a system in pred")
    if by_position and id is not None:
        raise OptionError("rows are paired by id or by position, not by both; leave one of them out.")
    sides = [
        _side(gold, id, by_position),
        *(_side(table, id, by_position, system, pred or {}) for system, table in systems.items()),
    ]
    preds = _names(systems, gold.columns)
    if by_position:
        return Paired(_beside(sides, preds), preds, None, dict.fromkeys(systems, 0))
    sides = alike(sides)
    ids, joined = _matched(sides, tuple(preds.values()))
    _refuse(ids, sides, list(systems), missing)
    return Paired(joined(), preds, sides[0].id, dict(zip(systems, ids.strangers, strict=True)))


def _matched(sides: Sequence[Side], names: Sequence[str]) -> tuple[Ids, Callable[[], Table]]:
    """How the ids match, and how to make the table if they match well enough."""
    gold = sides[0].table
    if isinstance(gold.frame, Mapping):
        from assay.sources.join_tables import match_lists

        ids, join = match_lists(sides)
        return ids, lambda: Table(join(names), (*gold.columns, *names), gold.name)
    from assay.sources.join_tables import compare_frames, join_frames

    return compare_frames(sides), lambda: _extended(sides, names, join_frames)


def _beside(sides: Sequence[Side], preds: Mapping[str, str]) -> Table:
    sides = alike(sides)
    gold, names = sides[0].table, tuple(preds.values())
    if isinstance(gold.frame, Mapping):
        from assay.sources.join_tables import length_of_lists, lists_beside

        _refuse_other_lengths([length_of_lists(side) for side in sides], sides, list(preds))
        return Table(lists_beside(sides, names), (*gold.columns, *names), gold.name)
    from assay.sources.join_tables import frames_beside, length_of_frame

    _refuse_other_lengths([length_of_frame(side) for side in sides], sides, list(preds))
    return _extended(sides, names, frames_beside)


def _extended(sides: Sequence[Side], names: Sequence[str], join: Callable[[Sequence[Side]], Any]) -> Table:
    """The table that the join makes, which can be scanned by another connection if all sides can."""
    gold = sides[0].table
    columns = (*gold.columns, *names)

    def on(connection: DuckDBPyConnection) -> DuckDBPyRelation:
        relation: DuckDBPyRelation = join(scanned(sides, connection)).to_native()
        return relation

    scan = Scan(columns, on) if all(side.table.scan for side in sides) else None
    return Table(join(sides), columns, gold.name, scan)


def _refuse_other_lengths(lengths: Sequence[int], sides: Sequence[Side], systems: Sequence[str]) -> None:
    for length, side, system in zip(lengths[1:], sides[1:], systems, strict=True):
        if length != lengths[0]:
            raise DataError(
                f"{side.table.name}: '{system}' has {plural(length, 'row')} and gold has {plural(lengths[0], 'row')}; "
                f"pairing by position needs equally many rows. Name a column of ids with {written(*BY_ID)}."
            )


def _side(
    table: Table, id: str | None, by_position: bool, system: str | None = None, pred: Mapping[str, str] | None = None
) -> Side:
    key = "" if by_position else _id_of(table, id)
    if system is None:
        return Side(table, key)
    return Side(table, key, _pred_of(table, (pred or {}).get(system), key))


def _id_of(table: Table, given: str | None) -> str:
    if given is None and not called(ALIASES["id"], table.columns):
        raise DataError(
            f"{table.name} has no column called {listed(ALIASES['id'])} to pair its rows by; it has "
            f"{listed(table.columns)}. Name the column of ids with {written(*BY_ID)}, or pair the rows by their "
            f"position with {written('--by-position', 'by_position=True')}."
        )
    return find("id", table.columns, given, source=table.name)


def _pred_of(table: Table, given: str | None, id: str) -> str:
    """The given column, the only one besides the ids, or the one with a usual name."""
    others = [column for column in table.columns if column != id]
    if given is None and len(others) == 1:
        return others[0]
    return find("pred", table.columns, given, source=table.name)


def _names(systems: Mapping[str, Table], taken: Sequence[str]) -> dict[str, str]:
    """A column for each system that gold does not have: the name of the system, if possible."""
    out: dict[str, str] = {}
    for system in systems:
        name = system
        while name in (*taken, *out.values()):
            name += " (predicted)"
        out[system] = name
    return out


def _refuse(found: Ids, sides: Sequence[Side], systems: Sequence[str], missing: str) -> None:
    """Refuse ids that are not exactly once on every side, unless the user said what to do with them."""
    for at, side in enumerate(sides):
        _refuse_bad_ids(found, at, side)
    for at, (side, system) in enumerate(zip(sides[1:], systems, strict=True)):
        source = side.table.name
        if not found.shared[at]:
            raise DataError(
                f"{source}: no id of '{system}' is in gold (gold: {_some(found.first('gold', at))}; "
                f"'{system}': {_some(found.first('strangers', at))}). Name the column of ids with {written(*BY_ID)}."
            )
        if found.strangers[at] and missing != "skip":
            raise DataError(
                f"{source}: {_are(found.strangers[at])} in '{system}' but not in gold "
                f"(first: {_some(found.first('strangers', at))}). Leave them out with {written(*SKIP)}."
            )
        if found.gaps[at] and missing == "error":
            raise DataError(
                f"{source}: {_are(found.gaps[at])} in gold but not in '{system}' "
                f"(first: {_some(found.first('gaps', at))}). Score them as wrong with {written(*WRONG)}, "
                f"or leave them out with {written(*SKIP)}."
            )


def _refuse_bad_ids(found: Ids, at: int, side: Side) -> None:
    if found.blank[at]:
        have = "has" if found.blank[at] == 1 else "have"
        raise DataError(
            f"{side.table.name}: {plural(found.blank[at], 'row')} {have} no id in column '{side.id}'. "
            "Fill in the ids, or leave these rows out."
        )
    if found.twice[at]:
        times = "occurs" if found.twice[at] == 1 else "occur"
        raise DataError(
            f"{side.table.name}: {plural(found.twice[at], 'id')} {times} more than once in column '{side.id}' "
            f"(first: {_some(found.first('twice', at))}). Give each row an id of its own."
        )


def _are(n: int) -> str:
    return f"{plural(n, 'id')} {'is' if n == 1 else 'are'}"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids)


def alike(sides: Sequence[Side]) -> list[Side]:
    """The same sides with tables of one kind: lists, relations of one connection, or frames of one library.

    Files are scanned again by one connection. Tables are brought into memory only if their kinds do not match.
    """
    tables = [side.table for side in sides]
    if all(isinstance(table.frame, Mapping) for table in tables):
        return list(sides)
    if all(table.scan for table in tables):
        return scanned(sides, connect())
    if _can_meet(tables):
        return _eager_or_lazy(sides)
    return [replace(side, table=_in_memory(side.table)) for side in sides]


def scanned(sides: Sequence[Side], connection: DuckDBPyConnection) -> list[Side]:
    """The same sides as relations of this connection."""
    import narwhals as nw

    def here(table: Table) -> Table:
        assert table.scan is not None
        return replace(table, frame=nw.from_native(table.scan.on(connection)))

    return [replace(side, table=here(side.table)) for side in sides]


def _can_meet(tables: Sequence[Table]) -> bool:
    """Whether these are frames of one library, and relations of one connection."""
    import duckdb

    frames = [table.frame for table in tables if not isinstance(table.frame, Mapping)]
    if len(frames) < len(tables) or len({frame.implementation for frame in frames}) > 1:
        return False
    if not frames[0].implementation.is_duckdb():
        return True
    one, *others = (frame.to_native().project("1 AS one") for frame in frames)
    try:
        for other in others:
            one.union(other)
    except duckdb.InvalidInputException:
        return False
    return True


def _eager_or_lazy(sides: Sequence[Side]) -> list[Side]:
    """All eager, or all lazy if one is."""
    import narwhals as nw

    frames: list[Any] = [side.table.frame for side in sides]
    if not any(isinstance(frame, nw.LazyFrame) for frame in frames):
        return list(sides)
    return [
        replace(side, table=replace(side.table, frame=frame.lazy())) for side, frame in zip(sides, frames, strict=True)
    ]


def _in_memory(table: Table) -> Table:
    if isinstance(table.frame, Mapping):
        return table
    places = {column: f"c{at}" for at, column in enumerate(table.columns)}
    rows = table.frame.select([countable(table.frame, column, place) for column, place in places.items()])
    values = fetched(rows, table)
    return Table({column: values[place] for column, place in places.items()}, table.columns, table.name)
