"""Lists and arrays paired by dictionaries of their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay.errors import DataError
from assay.sources.arrays import label_text
from assay.sources.sides import FIRST, Ids, Side

_Texts = Sequence[str | None]


def match_lists(sides: Sequence[Side]) -> tuple[Ids, Callable[[Sequence[str]], dict[str, Any]]]:
    """How the ids of gold, the first side, and of the others fit, and how to join them under these names."""
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
    """The columns of gold with those of the systems, as they are."""
    preds = {name: _columns(side)[side.pred] for side, name in zip(sides[1:], names, strict=True)}
    return {**_columns(sides[0]), **preds}


def length_of_lists(side: Side) -> int:
    """How many rows there are."""
    return len(next(iter(_columns(side).values()), ()))


def _ids(texts: Sequence[_Texts], places: Sequence[Mapping[str | None, int]], rows: Sequence[list[int | None]]) -> Ids:
    gold = places[0]
    blank = tuple(column.count(None) for column in texts)
    # Counted without sets of ids, which would cost more than all the rest where everything fits.
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
    """The ids that are not only at their last place."""
    if len(place) == len(texts):
        return set()
    return {text for row, text in enumerate(texts) if text is not None and place[text] != row}
