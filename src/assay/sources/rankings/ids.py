"""Ids as stretches of bytes in one buffer: hashed, compared and ordered eight bytes at a time, never made into text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from assay.sources.rankings.matched import Ints

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
PAD = 16  # bytes before and after the text of a buffer, so that words may be read across its ends

_FIRST = np.array([(1 << 8 * i) - 1 for i in range(9)], np.uint64)  # keeps the first i bytes of a word
_ODD = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F
_SEED, _MIX = np.uint64(_ODD[2]), np.uint64(_ODD[1])
_HALF = np.uint64(32)  # bits
_ROOM = 8  # places in the table of an index for each id
_SHORT = 64  # bytes of ids that are compared whether or not the first bytes differ


def words_at(data: Bytes, at: Ints) -> Words:
    """The eight bytes at each of these places as a number whose lowest byte comes first."""
    every: Words = np.ndarray((len(data) - 7,), np.dtype("<u8"), data, 0, (1,))
    return every[at]


@dataclass(frozen=True, eq=False)
class Ids:
    """Many ids, each so many bytes of the data from some place on; the data are padded at both ends."""

    data: Bytes
    start: Ints
    length: Ints

    def __len__(self) -> int:
        return len(self.start)

    def only(self, rows: NDArray[np.integer] | NDArray[np.bool_] | slice | list[int]) -> Ids:
        """Some of the ids, in this order."""
        return Ids(self.data, self.start[rows], self.length[rows])

    def words(self, at: int) -> Words:
        """The eight bytes of every id from byte 8 `at` on, with zeros after its end."""
        words = words_at(self.data, np.minimum(self.start + 8 * at, len(self.data) - 8) if at else self.start)
        words &= _FIRST.take(self.length - 8 * at if at else self.length, mode="clip")
        return words

    def spelled(self) -> list[bytes]:
        """The ids as Python's own bytes."""
        text = self.data.data
        ends = (self.start + self.length).tolist()
        return [bytes(text[start:end]) for start, end in zip(self.start.tolist(), ends, strict=True)]


def ids_of(texts: list[str]) -> Ids:
    """The same texts as UTF-8; UnicodeEncodeError if one of them has half a surrogate pair."""
    whole = "".join(texts)
    data = whole.encode()
    sizes: Iterable[int] = map(len, texts) if len(data) == len(whole) else (len(text.encode()) for text in texts)
    length = np.fromiter(sizes, np.int64, len(texts))
    return Ids(padded(data), PAD + np.cumsum(length) - length, length)


def padded(*parts: bytes) -> Bytes:
    """The bytes with line feeds before and after them."""
    return np.frombuffer(b"".join((b"\n" * PAD, *parts, b"\n" * PAD)), np.uint8)


def hashes(ids: Ids, group: Ints) -> Words:
    """A number for each id of each group: the same for the same, and hardly ever the same for others."""
    out = group.astype(np.uint64)
    out *= _SEED
    for at in count():
        rows = np.flatnonzero(ids.length > 8 * at)
        if not len(rows):
            break
        every = len(rows) == len(ids)
        words = (ids if every else ids.only(rows)).words(at)
        # Without this, words that differ in their last bytes alone would reach only the last bits of the sum.
        words ^= words >> _HALF
        words *= np.uint64((_ODD[0] * (2 * at + 1)) % 2**64)
        if every:
            out += words
        else:
            out[rows] += words
    out ^= out >> np.uint64(29)
    out *= _MIX
    out ^= out >> _HALF
    return out


def equal(a: Ids, b: Ids) -> NDArray[np.bool_]:
    """Which ids of these pairs are the same, byte for byte."""
    same: NDArray[np.bool_] = a.length == b.length
    rows = np.flatnonzero(same)
    for at in count():
        rows = rows[a.length[rows] > 8 * at]
        if not len(rows):
            break
        same[rows] &= a.only(rows).words(at) == b.only(rows).words(at)
    return same


def first_of_runs(ids: Ids) -> Ints:
    """The first of every run of equal ids in a row."""
    if not len(ids):
        return np.zeros(0, np.int64)
    longest = int(ids.length.max())
    if longest > _SHORT:
        changes = ~equal(ids.only(slice(1, None)), ids.only(slice(None, -1)))
    else:
        changes = ids.length[1:] != ids.length[:-1]
        for at in range(-(-longest // 8)):
            words = ids.words(at)
            changes |= words[1:] != words[:-1]
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


def descending(ids: Ids, group: NDArray[np.integer]) -> Ints:
    """An order by group, and within it by the bytes of the ids from high to low, as strcmp compares them."""
    order = np.arange(len(ids))
    for at in reversed(range(-(-int(ids.length.max(initial=0)) // 8))):
        longer = ids.length[order] > 8 * at
        some = order[longer]
        # Bytes in the order of the text make numbers that compare as the text does.
        words = ids.only(some).words(at).byteswap()
        order = np.concatenate([some[np.argsort(~words, kind="stable")], order[~longer]])
    return order[np.argsort(group[order], kind="stable")]


def repeated(ids: Ids, group: Ints, hashed: Words) -> int | None:
    """A row whose id and group another row has too, if there is one."""
    short = (hashed >> _HALF).astype(np.uint32)  # sorted in half the time
    ordered = np.sort(short)
    suspects = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(suspects):
        return None
    rows = np.flatnonzero(np.isin(short, suspects))
    rows = rows[descending(ids.only(rows), group[rows])]
    one, other = rows[:-1], rows[1:]
    twice = np.flatnonzero((group[one] == group[other]) & equal(ids.only(one), ids.only(other)))
    return int(other[twice[0]]) if len(twice) else None


class Index:
    """Finds ids of groups among known ones, which are all different.

    Every group has a table of its own, so that rows of the same group stay in the cache. A hash leads to a place in the
    table, which knows the last of the ids with this place; from there on backwards, ids are compared byte for byte if
    their hashes are the same.
    """

    def __init__(self, ids: Ids, group: Ints, hashed: Words) -> None:
        self.sizes = (_ROOM * np.bincount(group)).astype(np.uint64)
        self.offsets = np.cumsum(self.sizes) - self.sizes
        places = self._places(group, hashed)
        self.order = np.argsort(places)
        self.places = places[self.order]
        self.ids, self.group, self.hashed = ids.only(self.order), group[self.order], hashed[self.order]
        self.last = np.zeros(_ROOM * len(ids), np.int32 if len(ids) < 2**31 else np.int64)
        self.last[self.places] = np.arange(len(ids))
        self.used = np.zeros(_ROOM * len(ids), np.bool_)
        self.used[self.places] = True

    def _places(self, group: Ints, hashed: Words) -> Ints:
        places = hashed >> _HALF
        places *= self.sizes.take(group)
        places >>= _HALF
        places += self.offsets.take(group)
        return places.view(np.int64)

    def find(self, ids: Ids, group: Ints, hashed: Words) -> tuple[Ints, Ints]:
        """Which of these ids are known, and their numbers among the known ones; every group has known ones."""
        places = self._places(group, hashed)
        rows = np.flatnonzero(self.used.take(places))
        at = self.last.take(places[rows]).astype(np.int64)
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        while len(rows):
            same = np.flatnonzero(self.hashed[at] == hashed[rows])
            same = same[equal(ids.only(rows[same]), self.ids.only(at[same]))]
            found.append((rows[same], self.order[at[same]]))
            left = np.ones(len(rows), np.bool_)
            left[same] = False
            rows, at = rows[left], at[left] - 1
            more = (at >= 0) & (self.places[at] == places[rows])
            rows, at = rows[more], at[more]
        return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])
