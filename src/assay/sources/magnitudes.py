"""Columns read as numbers by their own engine: their range, and whether those of a row add up to one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import DataError, plural
from assay.sources.arrays import label_text
from assay.sources.columns import named_like_score
from assay.sources.frames import countable, fetched
from assay.sources.profile import FEW, parts
from assay.sources.read.table import Table

if TYPE_CHECKING:
    import narwhals as nw

# A finite number, as every engine can match and cast it.
WRITTEN = r"^\s*-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*$"
TOLERANCE = 0.01  # by which the shares in a row may miss 1, because they were rounded


@dataclass(frozen=True)
class Numbers:
    """The range of a column of finite numbers, and whether all are whole; `odd` rows hold something else."""

    column: str
    low: float = math.nan
    high: float = math.nan
    whole: bool = False
    odd: int = 0

    @property
    def fit(self) -> bool:
        """Whether there are numbers, and nothing else."""
        return not self.odd and not math.isnan(self.low)

    @property
    def shares(self) -> bool:
        """Whether all lie between 0 and 1."""
        return self.fit and self.low >= 0 and self.high <= 1


def numbers(table: Table, column: str) -> Numbers:
    """The column as numbers; missing values are left out."""
    if isinstance(table.frame, Mapping):
        return _in_memory(column, table.frame[column])
    import narwhals as nw

    place = f"c{table.columns.index(column)}"
    dtype = table.frame.collect_schema()[place]
    if dtype.is_nested() or not (dtype.is_numeric() or isinstance(dtype, nw.String)):
        return Numbers(column, odd=_rows(table.frame.filter(~nw.col(place).is_null()), table))
    rows = _filled(table, column, place)
    if _rows(rows, table) <= FEW:
        return _in_memory(column, fetched(rows, table)[place])
    return _in_the_engine(column, place, rows, table)


def _filled(table: Table, column: str, place: str) -> nw.LazyFrame[Any] | nw.DataFrame[Any]:
    """The rows in which the column is not missing; wide numbers and text are cast as for counting labels."""
    import narwhals as nw

    assert not isinstance(table.frame, Mapping)
    return table.frame.select(countable(table.frame, column, place)).filter(~nw.col(place).is_null())


BARS = 24


def histograms(table: Table, ends: Mapping[str, tuple[float, float]]) -> dict[str, tuple[int, ...]]:
    """How many rows of each of these columns of numbers lie in each of equal parts of its range; the last has its end.

    Columns that cannot be read together are left out.
    """
    found = {}
    for part in parts(table, list(ends), {}):
        for column in part.columns:
            low, high = ends[column]
            found[column] = _bars(part, column, low, high)
    return found


def _bars(table: Table, column: str, low: float, high: float) -> tuple[int, ...]:
    reach = (high - low) or 1.0
    if isinstance(table.frame, Mapping):
        values = np.array([_float(x) for x in _list(table.frame[column])])
        counts = np.histogram(values[np.isfinite(values)], BARS, (low, low + reach))[0]
        return tuple(counts.tolist())
    import narwhals as nw

    place = f"c{table.columns.index(column)}"
    rows = _filled(table, column, place)
    kind = rows.collect_schema()[place]
    if kind.is_float():
        rows = rows.filter(~nw.col(place).is_nan())
    rows = rows.select(_as_number(nw.col(place), kind))
    bars = rows.select(bar=((nw.col(place) - low) * (BARS / reach)).floor()).group_by("bar").agg(rows=nw.len())
    out = [0] * BARS
    groups = fetched(bars, table)
    for bar, n in zip(groups["bar"], groups["rows"], strict=True):
        out[min(max(int(bar), 0), BARS - 1)] += int(n)
    return tuple(out)


def numbers_of(table: Table, columns: Sequence[str]) -> dict[str, Numbers]:
    """Each of these columns as numbers; several are read at once."""
    problems: dict[str, str] = {}
    found = {name: numbers(part, name) for part in parts(table, columns, problems) for name in part.columns}
    return {name: found[name] if name in found else numbers(table, name) for name in columns}


def _in_the_engine(column: str, place: str, rows: nw.LazyFrame[Any] | nw.DataFrame[Any], table: Table) -> Numbers:
    import narwhals as nw

    value, kind = nw.col(place), rows.collect_schema()[place]
    if kind.is_float():
        rows = rows.filter(~value.is_nan())
    if not kind.is_numeric() and (odd := _rows(rows.filter(~value.str.contains(WRITTEN)), table)):
        return Numbers(column, odd=odd)
    rows = rows.select(_as_number(value, kind))
    if odd := _rows(rows.filter(~value.is_finite()), table):
        return Numbers(column, odd=odd)
    # By sorting: min and max load pandas if it is installed.
    ends = [fetched(rows.sort(place, descending=down).head(1), table)[place] for down in (False, True)]
    if not len(ends[0]):
        return Numbers(column)
    broken = _rows(rows.filter(value != value.floor()), table)
    return Numbers(column, float(ends[0][0]), float(ends[1][0]), whole=not broken)


def rows_not_adding_up(table: Table, columns: Sequence[str]) -> int:
    """The number of rows in which these columns do not add up to one, or one of them is missing."""
    if isinstance(table.frame, Mapping):
        values = np.array([[_float(x) for x in _list(table.frame[column])] for column in columns])
        return int((~(np.abs(values.sum(axis=0) - 1) <= TOLERANCE)).sum())
    import narwhals as nw

    schema = table.frame.collect_schema()
    places = [f"c{table.columns.index(column)}" for column in columns]
    total = _sum([_as_number(nw.col(place), schema[place]) for place in places])
    fine = _rows(table.frame.filter((total - 1).abs() <= TOLERANCE), table)
    return _rows(table.frame, table) - fine


def _sum(terms: Sequence[nw.Expr]) -> nw.Expr:
    """The sum by halves: thousands of nested terms are too deep for any engine."""
    half = len(terms) // 2
    return terms[0] if not half else _sum(terms[:half]) + _sum(terms[half:])


def _as_number(value: nw.Expr, kind: Any) -> nw.Expr:
    import narwhals as nw

    return (value if kind.is_numeric() else value.str.strip_chars()).cast(nw.Float64)


def _rows(frame: nw.LazyFrame[Any] | nw.DataFrame[Any], table: Table) -> int:
    import narwhals as nw

    return int(fetched(frame.select(n=nw.len()), table)["n"][0])


def _in_memory(column: str, values: Any) -> Numbers:
    texts = [text for text in map(_text, _list(values)) if text is not None]
    found = np.array([float(text) if re.match(WRITTEN, text) else math.nan for text in texts])
    odd = int((~np.isfinite(found)).sum())  # 1e999 is written like a number but is not finite
    if odd or not texts:
        return Numbers(column, odd=odd)
    return Numbers(column, float(found.min()), float(found.max()), bool((found == np.floor(found)).all()))


def _list(values: Any) -> Iterable[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _text(value: object) -> str | None:
    """The value as text, None if missing; what is not a label is not a number either."""
    try:
        return label_text(value)
    except (TypeError, ValueError, OverflowError):
        return "?"


def _float(value: object) -> float:
    text = _text(value)
    return math.nan if text is None else float(text)


@dataclass(frozen=True)
class Scores:
    """A column of scores, or a column for each class in the order of `classes`, and their range."""

    system: str
    columns: tuple[str, ...]
    low: float
    high: float
    classes: tuple[str, ...] = ()
    off: int = 0  # rows in which the scores of all classes do not add up to one

    @property
    def shares(self) -> bool:
        """Whether all of them could be probabilities."""
        return self.low >= 0 and self.high <= 1 and not self.off


def find_scores(
    table: Table, classes: Mapping[str, int], given: Sequence[str], taken: Iterable[str]
) -> tuple[tuple[Scores, ...], list[str]]:
    """Scores by class and single ones, and what is wrong with columns that are only named like scores."""
    free = [column for column in (given or table.columns) if column not in taken]
    by_class = _by_class(free, list(classes))
    named = [column for column in free if given or named_like_score(column)]
    known = numbers_of(table, list(dict.fromkeys([*named, *(c for columns in by_class.values() for c in columns)])))
    out, doubts = [], []
    for system, columns in by_class.items():
        ends = [known[column] for column in columns]
        if not all(each.fit for each in ends):
            continue
        scores = Scores(
            system=system,
            columns=tuple(columns),
            low=min(each.low for each in ends),
            high=max(each.high for each in ends),
            classes=tuple(classes),
            off=rows_not_adding_up(table, columns),
        )
        # Features may be numbered like the classes; then their values do not add up.
        if scores.shares or given or named_like_score(system):
            out.append(scores)
            if scores.off:
                doubts.append(f"the scores of '{system}' do not add up to 1 in {plural(scores.off, 'row')}.")
    used = {column for each in out for column in each.columns}
    for column in (column for column in named if column not in used):
        found = known[column]
        if found.fit:
            out.append(Scores(column, (column,), found.low, found.high))
        elif given:
            raise DataError(_not_numbers(table, column, found))
        else:
            doubts.append(f"{_not_numbers(table, column, found)} It was not used.")
    return tuple(out), doubts


def _not_numbers(table: Table, column: str, found: Numbers) -> str:
    what = f"no finite number in {plural(found.odd, 'row')}" if found.odd else "no number at all"
    return f"{table.name}: '{column}' is named like a score but has {what}."


def _by_class(columns: Sequence[str], classes: Sequence[str]) -> dict[str, list[str]]:
    """Columns that end in the name of each class, by what precedes it."""
    labels = set(classes)
    by_stem: dict[str, dict[str, str]] = {}
    lengths = sorted({len(label) for label in labels if label}, reverse=True)
    for column in columns:
        for at in (len(column) - length for length in lengths if length <= len(column)):
            if column[at:] in labels:
                by_stem.setdefault(column[:at], {})[column[at:]] = column
    whole = {stem: some for stem, some in by_stem.items() if len(some) == len(classes) > 1}
    return {stem: [some[label] for label in classes] for stem, some in whole.items()}
