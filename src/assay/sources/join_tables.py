"""Two tables paired where they live: frames of one library, relations of DuckDB, lists and arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw

from assay.errors import DataError
from assay.sources.arrays import label_text
from assay.sources.columns import FIRST
from assay.sources.frames import fetched
from assay.sources.read.table import Table


@dataclass(frozen=True)
class Side:
    """A table with its columns of ids and of predictions, if it has them."""

    table: Table
    id: str = ""
    pred: str = ""


@dataclass(frozen=True)
class Ids:
    """How many ids of gold and of the systems do not match.

    `blank` and `twice` are for gold and then for each system; `gaps`, `strangers` and `shared` for each system. `first`
    gives a few of the ids counted: the shortest, ties in byte order, which is the same in every engine.
    """

    blank: tuple[int, ...]
    twice: tuple[int, ...]
    gaps: tuple[int, ...]
    strangers: tuple[int, ...]
    shared: tuple[int, ...]
    first: Callable[[str, int], list[str]] = field(repr=False, compare=False)


Frame = Any  # a narwhals frame, lazy or not: both kinds answer the same calls, but no common type says so

_EXACT = 2.0**53  # up to here every whole number is exactly one float


def compare_frames(sides: Sequence[Side]) -> Ids:
    """How the ids of gold, the first side, and of the others match: all sides are stacked and grouped once."""
    every = range(len(sides))
    ones = [[nw.lit(int(at == of)).alias(f"n{of}") for of in every] for at in every]
    stacked = nw.concat([keyed(side).select("key", *one) for side, one in zip(sides, ones, strict=True)])
    groups = stacked.group_by("key").agg(nw.col(f"n{at}").sum() for at in every)
    some = ~nw.col("key").is_null()
    n = [nw.col(f"n{at}") for at in every]
    which = {("gold", at): some & (n[0] > 0) for at in every}
    which |= {("twice", at): some & (n[at] > 1) for at in every}
    for at, of in enumerate(n[1:]):
        which |= {("gaps", at): some & (n[0] > 0) & (of == 0), ("strangers", at): some & (n[0] == 0) & (of > 0)}
        which[("shared", at)] = some & (n[0] > 0) & (of > 0)
    sums = {f"{what} {at}": condition.cast(nw.Int64).sum() for (what, at), condition in which.items()}
    sums |= {f"blank {at}": nw.when(some).then(nw.lit(0)).otherwise(n[at]).sum().cast(nw.Int64) for at in every}
    source = sides[0].table
    counts = fetched(groups.select(**sums), source)

    def first(what: str, at: int) -> list[str]:
        found = groups.filter(which[(what, at)]).select("key", size=nw.col("key").str.len_chars())
        return list(fetched(found.sort("size", "key").head(FIRST).select("key"), source)["key"])

    def numbers(what: str, sides: Sequence[object]) -> tuple[int, ...]:
        return tuple(int(counts[f"{what} {at}"][0]) for at in range(len(sides)))

    systems = sides[1:]
    return Ids(
        blank=numbers("blank", sides),
        twice=numbers("twice", sides),
        gaps=numbers("gaps", systems),
        strangers=numbers("strangers", systems),
        shared=numbers("shared", systems),
        first=first,
    )


def join_frames(sides: Sequence[Side]) -> Frame:
    """The columns of gold and, named as the next columns, the predictions of each system."""
    gold = sides[0].table
    rows = keyed(sides[0])
    for at, side in enumerate(sides[1:], start=len(gold.columns)):
        rows = rows.join(keyed(side).select("key", _pred(side, at)), on="key", how="left")
    return rows.drop("key")


def frames_beside(sides: Sequence[Side]) -> Frame:
    """The same, with rows paired by their position."""
    gold = sides[0].table
    first = len(gold.columns)
    if _frame(gold).implementation.is_duckdb():
        rows = _numbered(gold)
        for at, side in enumerate(sides[1:], start=first):
            rows = rows.join(_numbered(side.table).select("key", _pred(side, at)), on="key", how="left")
        return rows.drop("key")
    parts = [_eager(side.table).select(_pred(side, at)) for at, side in enumerate(sides[1:], start=first)]
    return nw.concat([_eager(gold), *parts], how="horizontal")


def length_of_frame(side: Side) -> int:
    """How many rows there are."""
    return int(fetched(_frame(side.table).select(rows=nw.len()), side.table)["rows"][0])


def _pred(side: Side, at: int) -> nw.Expr:
    return nw.col(_place(side.table, side.pred)).alias(f"c{at}")


def _frame(table: Table) -> Frame:
    assert not isinstance(table.frame, Mapping)
    return table.frame


def _place(table: Table, column: str) -> str:
    return f"c{table.columns.index(column)}"


def keyed(side: Side) -> Frame:
    """The frame with its ids as text, by the same rules as labels, in the column 'key'."""
    place = _place(side.table, side.id)
    dtype = _frame(side.table).collect_schema()[place]
    value = nw.col(place)
    if dtype.is_nested():
        raise DataError(f"{side.table.name}: column '{side.id}' holds {dtype}; ids are text or numbers.")
    if isinstance(dtype, nw.Boolean):
        text = nw.when(value).then(nw.lit("true")).otherwise(nw.lit("false"))
    elif dtype.is_float():
        whole = (value.abs() < _EXACT) & (value == value.round())
        # Fractions become 0 first, because pandas converts both branches of a choice.
        digits = nw.when(whole).then(value).otherwise(nw.lit(0.0)).cast(nw.Int64).cast(nw.String)
        text = nw.when(whole).then(digits).otherwise(value.cast(nw.String))
        value = nw.when(~value.is_nan()).then(value)
    else:
        text = value.cast(nw.String)
    return _frame(side.table).with_columns(key=nw.when(~value.is_null()).then(text))


def _numbered(table: Table) -> Frame:
    rows = _frame(table).to_native().project("*, row_number() OVER () AS key")
    return nw.from_native(rows)


def _eager(table: Table) -> nw.DataFrame[Any]:
    frame = _frame(table)
    if isinstance(frame, nw.DataFrame):
        return frame
    if frame.implementation.is_polars():
        return _eager(replace(table, frame=frame.collect()))
    raise DataError(f"{table.name}: the rows of this frame have no order to pair them by; name a column of ids.")


_Texts = Sequence[str | None]


def match_lists(sides: Sequence[Side]) -> tuple[Ids, Callable[[Sequence[str]], dict[str, Any]]]:
    """How the ids of gold, the first side, and of the others match, and how to join them under these names."""
    texts = [_texts(side) for side in sides]
    places = [_places(column) for column in texts]
    # For each system the row of every id of gold, or None.
    rows = [list(map(place.get, texts[0])) for place in places[1:]]

    def join(names: Sequence[str]) -> dict[str, Any]:
        out = dict(_columns(sides[0]))
        for side, found, name in zip(sides[1:], rows, names, strict=True):
            values = [*_values(side, side.pred), None]
            out[name] = [values[-1 if row is None else row] for row in found]
        return out

    return _ids(texts, places, rows), join


def lists_beside(sides: Sequence[Side], names: Sequence[str]) -> dict[str, Any]:
    """The columns of gold with those of the systems, unchanged."""
    preds = {name: _columns(side)[side.pred] for side, name in zip(sides[1:], names, strict=True)}
    return {**_columns(sides[0]), **preds}


def length_of_lists(side: Side) -> int:
    """How many rows there are."""
    return len(next(iter(_columns(side).values()), ()))


def _ids(texts: Sequence[_Texts], places: Sequence[Mapping[str | None, int]], rows: Sequence[list[int | None]]) -> Ids:
    gold = places[0]
    blank = tuple(column.count(None) for column in texts)
    # Counted without sets of ids, which would cost more than all the rest if everything matches.
    gaps = tuple(found.count(None) - blank[0] for found in rows)
    shared = tuple(len(found) - found.count(None) for found in rows)
    strangers = tuple(len(place) - number for place, number in zip(places[1:], shared, strict=True))
    twice = [_repeated(column, place) for column, place in zip(texts, places, strict=True)]

    def first(what: str, at: int) -> list[str]:
        some: dict[str, Iterable[str | None]] = {
            "gold": gold,
            "twice": twice[at],
            "gaps": (text for text, row in zip(texts[0], rows[at], strict=True) if row is None)
            if at < len(rows)
            else (),
            "strangers": (text for text in places[at + 1] if text not in gold) if at < len(rows) else (),
        }
        return sorted((text for text in some[what] if text is not None), key=lambda text: (len(text), text))[:FIRST]

    return Ids(blank, tuple(map(len, twice)), gaps, strangers, shared, first)


def _columns(side: Side) -> Mapping[str, Any]:
    assert isinstance(side.table.frame, Mapping)
    return side.table.frame


def _values(side: Side, column: str) -> list[Any]:
    values = _columns(side)[column]
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _texts(side: Side) -> _Texts:
    values = _values(side, side.id)
    if set(map(type, values)) <= {str}:
        return values
    try:
        return [label_text(value) for value in values]
    except (TypeError, ValueError):
        raise DataError(f"{side.table.name}: column '{side.id}' has an id that is neither text nor a number.") from None


def _places(texts: _Texts) -> dict[str | None, int]:
    places = dict(zip(texts, range(len(texts)), strict=True))
    places.pop(None, None)
    return places


def _repeated(texts: _Texts, place: Mapping[str | None, int]) -> set[str]:
    """The ids that occur more than once."""
    if len(place) == len(texts):
        return set()
    return {text for row, text in enumerate(texts) if text is not None and place[text] != row}
