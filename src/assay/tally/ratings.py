"""Agreement between raters: how many raters chose each category, unit by unit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError
from assay.sources.arrays import encode_together, order_labels
from assay.sources.frames import is_missing
from assay.sources.given import check_length
from assay.tally.contract.base import Linear, Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Columns, ForEach, Wholes
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.contract.schema import Fields, Names

Ratings = Sequence[Any] | ArrayLike


@dataclass(frozen=True, eq=False, repr=False)
class Rated(Tally):
    """Units are patterns: how many raters chose each category. Key i counts choices of category i."""

    categories: tuple[str, ...] = ()

    kind: ClassVar[str] = "rated"
    item: ClassVar[str] = "unit"
    stored_fields: ClassVar[Fields] = Fields({"categories": Names()})
    stored_columns: ClassVar[Columns] = {"{}": ForEach("categories", Wholes())}

    @classmethod
    def from_ratings(cls, ratings: Ratings) -> Self:
        """Take one row per unit and one entry per rater; None or NaN means the rater did not judge the unit."""
        (patterns,), categories = _patterns([ratings], ["ratings"])
        return cls._of_patterns(patterns, categories).collected()

    @classmethod
    def joint(cls, a: Ratings, b: Ratings, *, names: tuple[str, str] = ("A", "B")) -> Joint[Self]:
        """Pair two rounds of ratings of the same units, such as before and after new guidelines."""
        (first, second), categories = _patterns([a, b], names)
        check_length(len(second), len(first), names[1], names[0])
        both, counts = np.unique(np.hstack([first, second]), axis=0, return_counts=True)
        side_a, side_b = (cls._of_patterns(x, categories, counts) for x in np.hsplit(both, 2))
        return Joint(side_a, side_b, names)

    @classmethod
    def _of_patterns(cls, patterns: Ints, categories: tuple[str, ...], counts: Ints | None = None) -> Self:
        counts = np.ones(len(patterns), np.int64) if counts is None else counts.astype(np.int64)
        keys = {str(i): np.ascontiguousarray(column) for i, column in enumerate(patterns.T)}
        return cls(keys=keys, counts=counts, categories=categories)

    @cached_property
    def pattern(self) -> Ints:
        """Units in rows, categories in columns."""
        return np.stack([self.keys[str(i)] for i in range(len(self.categories))], axis=1)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of their categories."""
        categories = tuple(order_labels({*self.categories, *other.categories}))
        return self._spread(categories), other._spread(categories)

    def _spread(self, categories: tuple[str, ...]) -> Self:
        empty = np.zeros(len(self.counts), np.int64)
        have = {name: self.keys[str(i)] for i, name in enumerate(self.categories)}
        keys = {str(i): have.get(name, empty) for i, name in enumerate(categories)}
        return dataclasses.replace(self, keys=keys, categories=categories)

    def context(self) -> dict[str, Any]:
        """Names of categories."""
        return {"categories": list(self.categories)}


@dataclass(frozen=True, eq=False)
class Coincidences(Linear):
    """Pairable values: how often each category was chosen, and how often two raters of a unit agreed on it.

    Each unit with m ≥ 2 values counts its ordered pairs with weight 1 / (m − 1), so that it weighs m in all.
    """

    chosen: Floats
    agreed: Floats

    @classmethod
    def of(cls, tally: Rated, w: Floats) -> Self:
        """Sums over patterns."""
        one = cls.rows(tally, slice(None))
        return cls(w @ one.chosen, w @ one.agreed)

    @classmethod
    def rows(cls, tally: Rated, part: slice) -> Self:
        """One unit of each pattern."""
        p = tally.pattern[part].astype(np.float64)
        m = p.sum(axis=1, keepdims=True)
        pairable = m > 1
        agreed = np.where(pairable, p * (p - 1) / np.where(pairable, m - 1, 1), 0)
        return cls(np.where(pairable, p, 0), agreed)


def _patterns(rounds: Sequence[Ratings], names: Sequence[str]) -> tuple[list[Ints], tuple[str, ...]]:
    """Category counts per unit, over the categories of all rounds."""
    tables = [_table(x, name) for x, name in zip(rounds, names, strict=True)]
    given = [np.array([[not is_missing(v) for v in row] for row in t], bool).reshape(t.shape) for t in tables]
    values = np.concatenate([table[mask] for table, mask in zip(tables, given, strict=True)])
    (codes,), categories, _ = encode_together([values], ["ratings"])
    out, at = [], 0
    for mask in given:
        unit = np.nonzero(mask)[0]
        code = codes[at : at + len(unit)]
        at += len(unit)
        flat = np.bincount(unit * len(categories) + code, minlength=len(mask) * len(categories))
        out.append(flat.reshape(len(mask), len(categories)).astype(np.int64))
    return out, categories


def _table(ratings: Ratings, name: str) -> NDArray[np.object_]:
    """Units in rows and raters in columns; masked values are missing."""
    given = ratings.tolist() if isinstance(ratings, np.ma.MaskedArray) else ratings
    try:
        table = np.array(given, dtype=object)
    except ValueError:
        table = np.zeros(0, object)
    if table.ndim != 2 or isinstance(ratings, Mapping):
        raise DataError(f"{name} must be a table: one row per unit, one entry per rater, None where missing.")
    check_length(len(table), len(table), name, name)
    return table
