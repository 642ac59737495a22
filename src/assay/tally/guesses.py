"""Classifiers that give several ordered guesses: the rank of the correct label."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, a_type
from assay.sources.arrays import encode_apart, encode_together, label_text, order_labels
from assay.sources.given import check_length
from assay.tally.contract.base import CLASS_MARGINS, Linear, Tally, Weights
from assay.tally.contract.codes import BY_ANSWERS, checked_weights
from assay.tally.contract.hot import one_hot, sum_by
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns, Wholes
from assay.tally.contract.sampling import Floats, Ints, collect_clusters, counted_by_name
from assay.tally.contract.schema import Fields, Names, Whole

MOST_GUESSES = 1 << 16  # for each item, in what is read back

WANTED = "each item has a list of labels, best first, or a row of scores, one for each class"


@dataclass(frozen=True, eq=False, repr=False)
class Guessed(Tally):
    """Units are (gold label, rank of the first correct guess); rank 0 is none, and `deepest` the last rank."""

    labels: tuple[str, ...] = ()
    deepest: int = 1

    kind: ClassVar[str] = "guesses"
    judged_by: ClassVar[str] = BY_ANSWERS
    called: ClassVar[str] = "the further guesses"
    margins_are: ClassVar[str] = CLASS_MARGINS
    stored_fields: ClassVar[Fields] = Fields({"labels": Names(), "deepest": Whole(1, MOST_GUESSES)})
    stored_columns: ClassVar[Columns] = {"gold": Codes("labels"), "place": Wholes(most="deepest")}

    @classmethod
    def from_guesses(
        cls,
        y_true: ArrayLike,
        guesses: Sequence[Sequence[object]],
        *,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
    ) -> Self:
        """Count the rank of the gold label among each item's guesses, best first; None is no guess.

        Whole numbers are labels; rows of fractions are scores of the classes, which `ClassScored` reads.
        """
        gold, labels, place, deepest = _placed(y_true, guesses, "guesses")
        n = len(gold)
        weights = clusters = None
        if sample_weight is not None:
            w = checked_weights(sample_weight, n)
            weights = Weights.of(w)
        if cluster is not None:
            (code,), names, _ = encode_together([cluster], ["cluster"], beside=("y_true", n))
            heavy = None if weights is None else weights.total
            units = np.arange(n, dtype=np.int64)
            clusters = collect_clusters(names, code.astype(np.int64), units, np.ones(n, np.int64), heavy)
        keys, counts = {"gold": gold, "place": place}, np.ones(n, np.int64)
        return cls(keys, counts, clusters, weights, labels=labels, deepest=deepest).collected()

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: Sequence[Sequence[object]],
        b: Sequence[Sequence[object]],
        *,
        names: tuple[str, str] = ("A", "B"),
    ) -> Joint[Self]:
        """Count the rank of the gold label under each of two systems, so that they stay paired."""
        sides = (_placed(y_true, guesses, name) for guesses, name in zip((a, b), names, strict=True))
        (gold, labels, first, one), (_, _, second, other) = sides
        deepest = max(one, other)
        key, back = np.unique(np.stack([gold, first, second]), axis=1, return_inverse=True)
        counts = np.bincount(back.ravel(), minlength=key.shape[1]).astype(np.int64)
        made = (
            cls(keys={"gold": key[0], "place": key[side]}, counts=counts, labels=labels, deepest=deepest)
            for side in (1, 2)
        )
        return Joint(next(made), next(made), names)

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the first guess is the gold label."""
        return np.asarray(self.keys["place"] == 1)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of their labels."""
        labels = tuple(order_labels({*self.labels, *other.labels}))
        deepest = max(self.deepest, other.deepest)
        if self.deepest != other.deepest:
            raise DataError(f"one tally has {self.deepest} guesses for each row and the other {other.deepest}.")

        def over(tally: Self) -> Self:
            place = np.array([labels.index(label) for label in tally.labels], np.int64)
            keys = {**tally.keys, "gold": place[tally.keys["gold"]]}
            return dataclasses.replace(tally, keys=keys, labels=labels, deepest=deepest)

        return over(self), over(other)

    def with_positive(self, label: object) -> Self:
        """The ranks unchanged: a guess is right or wrong whichever class is positive."""
        return self

    def context(self) -> dict[str, Any]:
        """Labels and how many guesses there are."""
        return {"labels": list(self.labels), "deepest": self.deepest}

    def gold_margins(self) -> Any:
        """How many items each gold class has."""
        return counted_by_name(self.keys["gold"], self.counts, self.labels)


@dataclass(frozen=True, eq=False)
class Places(Linear):
    """How many items have the correct label at each rank, none first: shape (..., deepest + 1)."""

    at: Floats

    @property
    def n(self) -> Floats:
        """All items."""
        return np.asarray(self.at.sum(-1))

    @classmethod
    def of(cls, tally: Guessed, w: Floats) -> Self:
        """Sums over the units at each rank."""
        return cls(sum_by(tally.keys["place"], tally.deepest + 1, w))

    @classmethod
    def rows(cls, tally: Guessed, part: slice) -> Self:
        """One item of each unit."""
        return cls(one_hot(tally.keys["place"][part], tally.deepest + 1))


def _placed(
    y_true: ArrayLike, guesses: Sequence[Sequence[object]], name: str
) -> tuple[Ints, tuple[str, ...], Ints, int]:
    """What `placed` returns for one system's guesses, and the largest number of guesses."""
    (codes,), labels, _ = encode_together([y_true], ["y_true"], classes=True)
    columns = _columns(guesses, len(codes), name)
    _refuse_ambiguous(labels, columns, name)
    return *placed(y_true, columns), len(columns)


def placed(gold: ArrayLike, columns: Sequence[Any]) -> tuple[Ints, tuple[str, ...], Ints]:
    """Codes of the gold labels, the labels, and the rank of the first correct guess (0: none is)."""
    names = ["y_true", *(f"guess {i}" for i in range(1, len(columns) + 1))]
    coded = encode_apart([gold, *columns], names, classes=True)
    if (coded[0].codes < 0).any():
        raise DataError("y_true has missing labels; leave those rows out or give them a label.")
    texts = np.array(coded[0].labels, object)[coded[0].codes]
    place = np.zeros(len(texts), np.int64)
    for i, guess in reversed(list(enumerate(coded[1:], start=1))):
        found = np.array([*guess.labels, None], object)[guess.codes]
        place[found == texts] = i
    return coded[0].codes.astype(np.int64), coded[0].labels, place


def _columns(guesses: Sequence[Sequence[object]], n: int, name: str) -> list[list[object]]:
    """The first guess of every item, the second, and so on; None where there is none."""
    rows = [_row(row, place, name) for place, row in enumerate(_rows(guesses, name))]
    check_length(len(rows), n, name)
    deepest = max((len(row) for row in rows), default=0)
    if not deepest:
        raise DataError(f"{name}: no item has a guess; each has a list of labels, best first.")
    return [[row[i] if i < len(row) else None for row in rows] for i in range(deepest)]


def _rows(guesses: Any, name: str) -> Sequence[Any]:
    if isinstance(guesses, str | bytes) or not (hasattr(guesses, "__array__") or isinstance(guesses, Sequence)):
        raise DataError(f"{name} is {a_type(guesses)}; {WANTED}")
    if hasattr(guesses, "__array__") and np.ndim(guesses) not in (1, 2):
        raise DataError(f"{name} has {np.ndim(guesses)} dimensions; {WANTED}")
    # A masked value is no guess; tolist() turns it into None, and the others into plain Python values.
    table: Sequence[Any] = guesses.tolist() if isinstance(guesses, np.ndarray) else guesses
    return table


def _row(row: Any, place: int, name: str) -> list[object]:
    if isinstance(row, str | bytes):
        return [row]
    if isinstance(row, Set | Mapping) or not isinstance(row, Iterable):
        raise DataError(f"{name} has {a_type(row)} at position {place}; {WANTED}")
    return row.tolist() if isinstance(row, np.ndarray) and row.ndim == 1 else list(row)


def _refuse_ambiguous(labels: tuple[str, ...], columns: Sequence[Sequence[object]], name: str) -> None:
    """Refuse whole numbers that are, or may be, scores rather than labels."""
    guesses = [guess for column in columns for guess in column if guess is not None]
    if not all(isinstance(guess, int | np.integer | np.bool_) for guess in guesses):
        return
    known = {*labels}
    strange = not any(label_text(guess, ("0", "1")) in known or label_text(guess) in known for guess in guesses)
    twice = any(len({*row} - {None}) < sum(guess is not None for guess in row) for row in zip(*columns, strict=True))
    either = len(columns) == len(labels) == 2 and {*guesses} <= {0, 1}
    if strange or twice or either:
        why = "none of them is a gold label" if strange else "some stand twice in a row"
        why = "each may as well be a score of 0 or 1" if either else why
        raise DataError(
            f"{name} has rows of whole numbers, which are read as guesses of labels, best first, but {why}. If they "
            "are scores, one for each class, give them as floats; if they are labels, as text."
        )
