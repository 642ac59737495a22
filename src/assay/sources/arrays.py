"""From arrays and lists of labels to codes, and from codes to counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, a_type
from assay.sources.given import check_length, one_dimensional

Codes = NDArray[np.intp]
Counts = NDArray[np.int64]
Beside = tuple[str, int]  # a column that others must match in length, and how many rows it has

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,30}")
_SMALL = 4096  # a table of this size costs nothing compared with any column
_LARGE = 4_000_000  # a table beyond this size costs more than sorting the rows
_BLOCK = 1 << 16  # rows whose keys stay in the cache
_KEY_LIMIT = 2**62


@dataclass(frozen=True)
class Coded:
    """A column as indices into its distinct labels, with −1 for a missing label.

    `labels` are text in the order of `order_labels`; `originals` are the values the user wrote for them. The
    codes may be the user's own array: do not write to them.
    """

    codes: Codes
    labels: tuple[str, ...]
    originals: tuple[object, ...]

    @property
    def texts(self) -> NDArray[np.object_]:
        """The label of every row, None where it is missing."""
        return np.array([*self.labels, None], dtype=object)[self.codes]

    def only(self, rows: NDArray[Any]) -> Coded:
        """Some of the rows, or all in another order; labels that no longer occur are kept."""
        return replace(self, codes=self.codes[rows])


def encode_together(
    columns: Sequence[Any], names: Sequence[str], *, classes: bool = False, beside: Beside | None = None
) -> tuple[list[Codes], tuple[str, ...], tuple[object, ...]]:
    """Codes of equally long columns over one shared set of labels, the labels, and the user's values for them."""
    coded = encode_apart(columns, names, classes=classes, beside=beside)
    originals: dict[str, object] = {}
    for column, name in zip(coded, names, strict=True):
        _refuse_missing(column.codes, name)
        originals = {**dict(zip(column.labels, column.originals, strict=True)), **originals}
    labels = tuple(order_labels(originals))
    place = {label: code for code, label in enumerate(labels)}
    codes = [_recoded(column.codes, [place[label] for label in column.labels]) for column in coded]
    return codes, labels, tuple(originals[label] for label in labels)


def encode_apart(
    columns: Sequence[Any], names: Sequence[str], *, classes: bool = False, beside: Beside | None = None
) -> list[Coded]:
    """Each of several equally long columns over its own labels, written as text by one rule for all of them.

    `beside` is the column whose length they must have, by default the first. Labels of `classes` may not be fractions.
    """
    values = [one_dimensional(column, name) for column, name in zip(columns, names, strict=True)]
    first, rows = beside or (names[0], len(values[0]))
    for column, name in zip(values, names, strict=True):
        check_length(len(column), rows, name, first)
    distinct = [_distinct(column, name) for column, name in zip(values, names, strict=True)]
    if classes:
        for (_, found), name in zip(distinct, names, strict=True):
            _refuse_fractions(found, name)
    numeric = any(_is_number(value) for _, found in distinct for value in found)
    truth = ("0", "1") if numeric else ("false", "true")
    return [_spelled(codes, found, truth, name) for (codes, found), name in zip(distinct, names, strict=True)]


def order_labels(labels: Iterable[str]) -> list[str]:
    """The labels in canonical order: numeric if all are whole numbers, otherwise by their UTF-8 bytes."""
    every = list(labels)
    if all(_INTEGER.fullmatch(label) for label in every):
        return sorted(every, key=int)
    return sorted(every)  # text compares by code point, which is the order of the UTF-8 bytes


def joint_counts(
    columns: Sequence[Codes], sizes: Sequence[int], repeats: Counts | None = None
) -> tuple[tuple[Codes, ...], Counts]:
    """The distinct combinations of codes, sorted, and how many rows have each.

    The codes of a column run from 0 to its size − 1. `repeats` says how many rows each row stands for.
    """
    rows, cells = len(columns[0]), math.prod(sizes)
    if cells >= _KEY_LIMIT:
        keys, place = _numbered(columns, sizes)
        return keys, _tabulated(place, len(keys[0]), repeats)
    if cells <= min(_LARGE, 4 * rows + _SMALL):
        table = np.zeros(cells, dtype=np.int64)
        step = _BLOCK if cells <= _BLOCK else rows
        for part in (slice(start, start + step) for start in range(0, rows, step)):
            key = _packed([codes[part] for codes in columns], sizes)
            table += _tabulated(key, cells, None if repeats is None else repeats[part])
        present = np.flatnonzero(table)
        counts = table[present]
    elif repeats is None:
        present, counts = np.unique(_packed(columns, sizes), return_counts=True)
    else:
        present, place = np.unique(_packed(columns, sizes), return_inverse=True)
        counts = _tabulated(place, len(present), repeats)
    return np.unravel_index(present, tuple(sizes)), counts


def _packed(columns: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    """One number for each combination of codes."""
    key = columns[0]
    for codes, size in zip(columns[1:], sizes[1:], strict=True):
        key = key * size
        key += codes
    return key


def _numbered(columns: Sequence[Codes], sizes: Sequence[int]) -> tuple[tuple[Codes, ...], Codes]:
    """The combinations that occur and that of each row, for when the possible ones are too many to number."""
    place = np.zeros(len(columns[0]), np.intp)
    for codes, size in zip(columns, sizes, strict=True):
        place = np.unique(place * size + codes, return_inverse=True)[1]
    _, first = np.unique(place, return_index=True)
    return tuple(codes[first] for codes in columns), place


def _tabulated(key: Codes, cells: int, repeats: Counts | None) -> Counts:
    # Repeats are summed in floating point, which is exact: no number of rows reaches 2⁵³.
    return np.bincount(key, weights=repeats, minlength=cells).astype(np.int64, copy=False)


def _refuse_missing(codes: Codes, name: str) -> None:
    if codes.min() < 0:
        missing = np.flatnonzero(codes < 0)
        raise DataError(
            f"{name} has {len(missing)} missing label{'s' if len(missing) > 1 else ''} "
            f"(first at position {missing[0]}); leave those rows out or give them a label."
        )


def _refuse_fractions(values: Iterable[Any], name: str) -> None:
    """Refuse fractions: they are scores given in place of labels, and would never equal a label."""
    for value in values:
        if not isinstance(value, float | np.floating) or value != value or float(value).is_integer():
            continue
        if math.isinf(value):
            raise DataError(
                f"{name} contains {value}, which is not a label; labels are text, whole numbers or truth values."
            )
        raise DataError(
            f"{name} contains fractions such as {float(value)!r}: they look like scores, not labels. "
            "Give scores to a measure of scores, as in roc_auc(y_true, y_score), or to evaluate as scores=; its "
            "threshold= derives labels from them. If they are names of classes, give text."
        )


def _distinct(column: NDArray[Any] | list[Any], name: str) -> tuple[Codes, list[Any]]:
    """Codes and the distinct values they stand for, as Python objects in no particular order."""
    if isinstance(column, list):
        return _distinct_objects(column, name)
    if isinstance(column, np.ma.MaskedArray):
        return _distinct_masked(column, name)
    if not len(column):
        return np.zeros(0, dtype=np.intp), []
    match column.dtype.kind:
        case "i" | "u":
            return _distinct_integers(column)
        case "b":
            codes, values = _distinct_integers(column.view(np.uint8))
            return codes, [bool(value) for value in values]
        case "f":
            return _distinct_floats(column.astype(np.float64, copy=False))
        case "U" | "S":
            return distinct_fixed_width(column) or _distinct_objects(column.tolist(), name)
        case "O" | "T":
            return _distinct_objects(column.tolist(), name)
    raise DataError(f"{name} is an array of {column.dtype}; labels are text, numbers or truth values.")


def _distinct_masked(column: np.ma.MaskedArray[Any, Any], name: str) -> tuple[Codes, list[Any]]:
    seen = ~np.ma.getmaskarray(column)
    inner, values = _distinct(np.asarray(column.data)[seen], name)
    codes = np.full(len(column), len(values), dtype=np.intp)
    codes[seen] = inner
    return codes, [*values, None]


def _distinct_integers(column: NDArray[Any]) -> tuple[Codes, list[Any]]:
    low, high = int(column.min()), int(column.max())
    span = high - low + 1
    if span > max(_SMALL, len(column)):
        values, codes = np.unique(column, return_inverse=True)
        return codes, values.tolist()
    if low:
        wide = np.uint64 if column.dtype == np.uint64 else np.intp
        column = np.subtract(column, low, dtype=wide)
    codes = column.astype(np.intp, copy=False)
    # If a sample has every number of the range, the other rows need not be examined to know the labels.
    sample = codes[:: max(1, len(codes) // _SMALL)]
    present = np.bincount(sample, minlength=span) > 0
    if not present.all():
        present = np.bincount(codes, minlength=span) > 0
    if not present.all():
        codes = (np.cumsum(present) - 1).take(codes)
    return codes, [low + int(offset) for offset in np.flatnonzero(present)]


def _distinct_floats(column: NDArray[np.float64]) -> tuple[Codes, list[Any]]:
    with np.errstate(invalid="ignore"):
        whole = column.astype(np.int64)
    if (whole == column).all():
        codes, integers = _distinct_integers(whole)
        return codes, [float(value) for value in integers]
    values, codes = np.unique(column, return_inverse=True)
    return codes, values.tolist()


def _distinct_objects(column: list[Any], name: str) -> tuple[Codes, list[Any]]:
    try:
        place = {value: code for code, value in enumerate(dict.fromkeys(column))}
    except TypeError:
        position = next(at for at, value in enumerate(column) if not _is_hashable(value))
        raise _not_a_label(column[position], position, name) from None
    codes = np.fromiter(map(place.__getitem__, column), dtype=np.intp, count=len(column))
    values = [value.item() if isinstance(value, np.generic) else value for value in place]
    # True equals 1, so among numbers the key for both must be the number.
    if any(isinstance(value, bool) for value in values) and any(
        _is_number(value) for value in column if type(value) is not bool
    ):
        values = [int(value) if isinstance(value, bool) else value for value in values]
    return codes, values


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_number(value: object) -> bool:
    """Whether this is a number, which truth values and NaN are not."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return number and value == value


def _spelled(codes: Codes, values: list[Any], truth: tuple[str, str], name: str) -> Coded:
    """The column over its ordered labels; values with the same text become one label."""
    texts = []
    originals: dict[str, object] = {}
    for code, value in enumerate(values):
        try:
            text = label_text(value, truth)
        except (TypeError, ValueError):
            raise _not_a_label(value, int((codes == code).argmax()), name) from None
        texts.append(text)
        if text is not None:
            originals.setdefault(text, value)
    labels = tuple(order_labels(originals))
    place: dict[str | None, int] = {label: code for code, label in enumerate(labels)}
    codes = _recoded(codes, [place.get(text, -1) for text in texts])
    return Coded(codes, labels, tuple(originals[label] for label in labels))


def label_text(value: object, truth: tuple[str, str] = ("false", "true")) -> str | None:
    """The value as the text of a label, or None if it stands for a missing one."""
    value = value.item() if isinstance(value, np.generic) else value
    match value:
        case str():
            return value.encode().decode()
        case bool():
            return truth[value]
        case int():
            return int.__repr__(value)
        case float():
            if value.is_integer():
                return int.__repr__(int(value))
            return None if value != value else float.__repr__(value)
        case bytes():
            return value.decode()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas has its own words for missing
        return None
    raise TypeError


def label_or_none(value: object) -> str | None:
    """The same, and None for what cannot be a label either."""
    try:
        return label_text(value)
    except (TypeError, ValueError):
        return None


def _not_a_label(value: object, position: int, name: str) -> DataError:
    kind = "text that is not UTF-8" if isinstance(value, str | bytes) else f"{a_type(value)}"
    return DataError(f"{name} has {kind} at position {position}; labels are text, numbers or truth values.")


def _recoded(codes: Codes, places: list[int]) -> Codes:
    """The codes moved to their new places; nothing is copied if no place changes."""
    if places == list(range(len(places))):
        return codes
    return np.array(places, dtype=np.intp).take(codes)


MOST_LABELS = 4096
SAMPLE = 1 << 14
BLOCK = 1 << 14  # rows whose words, slots and codes stay in the cache together

Words = NDArray[np.unsignedinteger[Any]]  # strings × machine words


@dataclass(frozen=True)
class _Table:
    """Known labels in a hash table in which no two share a slot."""

    known: Words
    telling: slice  # outside these words all known labels are equal
    multipliers: NDArray[np.uint64]
    shift: np.uint64
    code_at: NDArray[np.intp]

    def codes(self, rows: Words) -> NDArray[np.intp]:
        """The code of each row, or −1 where the row is none of the known labels."""
        codes = self.code_at.take(_slots(rows[:, self.telling], self.multipliers, self.shift))
        same = self.known.take(codes, axis=0) == rows
        return codes if same.all() else np.where(same.all(axis=1), codes, -1)


def distinct_fixed_width(column: NDArray[Any]) -> tuple[NDArray[np.intp], list[Any]] | None:
    """Codes and the distinct values of a `U` or `S` array, or None if there are too many for a table.

    Labels are learned from a sample. Every row is compared in full with the label its hash points to, so one
    that was not in the sample is noticed, learned and looked up again.
    """
    column = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
    rows = _words(column)
    labels = column[:0]
    codes = np.full(len(column), -1, dtype=np.intp)
    unknown = np.arange(len(column))
    while len(unknown):
        sample = unknown[:: max(1, len(unknown) // SAMPLE)]
        labels = np.concatenate([labels, np.unique(column[sample])])
        table = _table(_words(labels)) if len(labels) <= MOST_LABELS else None
        if table is None:
            return None
        for start in range(0, len(unknown), BLOCK):
            block = unknown[start : start + BLOCK]
            codes[block] = table.codes(rows.take(block, axis=0))
        unknown = np.flatnonzero(codes < 0)
    return codes, labels.tolist()


def _words(column: NDArray[Any]) -> Words:
    """The same memory as one row of machine words per string."""
    width = column.dtype.itemsize
    size = next(size for size in (8, 4, 1) if width % size == 0)
    words: Words = column.view(f"u{size}").reshape(len(column), width // size)
    return words


def _slots(rows: Words, multipliers: NDArray[np.uint64], shift: np.uint64) -> NDArray[np.intp]:
    """Multiplicative hashing: the top bits of a sum of words times odd constants, modulo 2⁶⁴."""
    hashed: NDArray[np.uint64] = rows @ multipliers
    return (hashed >> shift).astype(np.intp)


def _table(known: Words) -> _Table | None:
    """A table for these labels: new constants, then more slots, are tried until no two labels share one."""
    differing = np.flatnonzero((known != known[0]).any(axis=0))
    telling = slice(differing[0], differing[-1] + 1) if len(differing) else slice(0, 0)
    random = np.random.default_rng(0)
    fewest = max(4, 2 * len(known).bit_length() - 3)
    for bits in range(fewest, fewest + 4):
        for _ in range(8):
            multipliers = 2 * random.integers(0, 1 << 63, known[0, telling].shape, dtype=np.uint64) + 1
            shift = np.uint64(64 - bits)
            slots = _slots(known[:, telling], multipliers, shift)
            if len(np.unique(slots)) == len(known):
                code_at = np.zeros(1 << bits, dtype=np.intp)
                code_at[slots] = np.arange(len(known))
                return _Table(known, telling, multipliers, shift, code_at)
    return None
