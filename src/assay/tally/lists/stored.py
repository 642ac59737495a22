"""Ranked lists from what was matched, and their stored form, which is checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.sources.given import LARGEST
from assay.sources.rankings.matched import Judgments, Matched
from assay.tally.contract.restored import Column, Numbers, Wholes
from assay.tally.contract.schema import Held, Place, as_list
from assay.tally.lists.ranked import Lists, Ragged

# The columns of each part, as they are called in a stored tally.
FOUND: Mapping[str, Column] = {"ranks": Wholes(1), "grades": Numbers()}
JUDGED: Mapping[str, Column] = {"grades": Numbers()}
TIED: Mapping[str, Column] = {"first": Wholes(1), "number": Wholes(2)}
FEW_GRADES = 64  # whole grades this close together are counted
PARTS = {"found": FOUND, "judged": JUDGED, "tied": TIED}


def refuse_huge(grade: NDArray[Any]) -> None:
    """Refuse grades that cannot be added up."""
    huge = grade[np.abs(grade) > LARGEST]
    if len(huge):
        raise DataError(f"a grade is {huge[0]:g}; grades lie between −{LARGEST:g} and {LARGEST:g}.")


def lists_from(judgments: Judgments, matched: Matched, relevant_from: float | None) -> Lists:
    """The list of each judged query, in the order in which queries are numbered."""
    n = len(judgments.queries)
    return Lists(
        retrieved=matched.retrieved,
        found=Ragged.by_list(matched.found_query, n, matched.found_rank, matched.found_grade),
        pool=_pool(judgments, n),
        tied=Ragged.by_list(matched.tied_query, n, matched.tied_first, matched.tied_number),
        relevant_from=relevant_from,
    )


def _pool(judgments: Judgments, n: int) -> Ragged:
    """The grades of each query from high to low."""
    query, grade = judgments.query, judgments.grade
    rises = np.flatnonzero(grade[1:] > grade[:-1])
    if (query[rises] < query[rises + 1]).all() and (query[1:] >= query[:-1]).all():  # in order already
        return Ragged.by_list(query, n, grade)
    low, high = grade.min(initial=0), grade.max(initial=0)
    if high - low < FEW_GRADES:
        below = (high - grade).astype(np.int64)
        if (high - below == grade).all():  # whole grades are counted, which is quicker than sorting them
            kinds = int(high - low) + 1
            below += query * kinds
            counts = np.bincount(below, minlength=n * kinds)
            starts = np.concatenate([[0], np.cumsum(counts.reshape(n, kinds).sum(1))])
            return Ragged((np.repeat(np.tile(high - np.arange(kinds), n), counts),), starts)
    order = np.lexsort((-grade, query))
    return Ragged.by_list(query[order], n, grade[order])


def stored(lists: Lists) -> dict[str, Any]:
    """Lists as JSON types: how many rows each list has in each part, and the columns of all rows."""
    out: dict[str, Any] = {"retrieved": lists.retrieved.tolist()}
    for (name, columns), part in zip(PARTS.items(), (lists.found, lists.pool, lists.tied), strict=True):
        values = {key: column.tolist() for key, column in zip(columns, part.columns, strict=True)}
        out[name] = {"lengths": part.lengths.tolist(), **values}
    return out


@dataclass(frozen=True)
class StoredLists:
    """The lists that `stored` wrote, if they could be lists."""

    def read(self, value: Any, place: Place, held: Held) -> Lists:
        """The lists."""
        fields = _object(value, place, ("retrieved", *PARTS))
        n = len(as_list(fields["retrieved"], place.at("retrieved")))
        retrieved = Wholes().array(fields["retrieved"], place.at("retrieved"), held)
        parts = {name: _part(fields[name], place.at(name), columns, n, held) for name, columns in PARTS.items()}
        made = Lists(retrieved, parts["found"], parts["judged"], parts["tied"], held["relevant_from"])
        _check(made, place)
        return made


def _object(value: Any, place: Place, names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(names):
        raise place.unlike(value, f"an object with {', '.join(names)}")
    return value


def _part(value: Any, place: Place, columns: Mapping[str, Column], n: int, held: Held) -> Ragged:
    fields = _object(value, place, ("lengths", *columns))
    lengths = Wholes().array(as_list(fields["lengths"], place.at("lengths"), n), place.at("lengths"), held)
    rows = int(lengths.sum())
    read = (
        column.array(as_list(fields[name], place.at(name), rows), place.at(name), held)
        for name, column in columns.items()
    )
    return Ragged(tuple(read), np.concatenate([[0], np.cumsum(lengths)]))


def _check(lists: Lists, place: Place) -> None:
    """Refuse what no match of a run with judgments gives."""
    rank, grade = lists.found.columns[0], lists.pool.columns[0]
    first, number = lists.tied.columns
    last = lists.retrieved
    wrong = {
        "found": (
            "has ranks that do not rise within a list, or lie beyond its end",
            _falls(lists.found, rank, 1) or (rank > last[lists.found.owner]).any(),
        ),
        "judged": (
            "has fewer documents than were found, or grades that rise within a list",
            _falls(lists.pool, -grade, 0) or (lists.pool.lengths < lists.found.lengths).any(),
        ),
        "tied": (
            "has ties that overlap, or lie beyond the end of their list",
            _overlap(lists.tied, first, number) or (first + number - 1 > last[lists.tied.owner]).any(),
        ),
    }
    for name, (came, is_wrong) in wrong.items():
        if is_wrong:
            raise place.at(name).refused(came, "count the run again")


def _falls(part: Ragged, column: NDArray[Any], least: int) -> bool:
    """Whether values rise by less than this from one row of a list to the next."""
    same = np.diff(part.owner) == 0
    return bool((np.diff(column)[same] < least).any())


def _overlap(part: Ragged, first: NDArray[Any], number: NDArray[Any]) -> bool:
    same = np.diff(part.owner) == 0
    return bool((first[1:] < (first + number)[:-1])[same].any())
