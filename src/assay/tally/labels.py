"""Classifiers judged by labels: how many items of each gold class got each predicted class."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, OptionError, choose, listed, written
from assay.options import ORIENTATIONS, UNIVERSES
from assay.sources.arrays import encode_together, order_labels
from assay.sources.given import total
from assay.sources.relabel import relabeling_of
from assay.tally.contract.base import CLASS_MARGINS, LISTED, ClassItems, Tally
from assay.tally.contract.codes import (
    BY_ANSWERS,
    Counted,
    class_names,
    count_codes,
    known_label,
    refuse_scores,
    unlisted,
    whole_counts,
)
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns
from assay.tally.contract.sampling import Floats, Ints, add_up, counted_by_name
from assay.tally.contract.schema import Fields, Maybe, Names, Number, OneOf, SomeOf, Text
from assay.tally.margins import Cells, Margins

OUTSIDE = "another label"  # the name of predictions outside the gold classes
# If two labels are one of these pairs, the second is taken as the positive class, and the result states it.
CONVENTIONAL = (("0", "1"), ("false", "true"), ("no", "yes"), ("-1", "1"))


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Tally):
    """Units are (gold, pred) cells; the labels are the universe of classes, in a fixed order.

    A prediction outside the classes has the code k, and `outside` is the name of such predictions.
    """

    labels: tuple[str, ...] = ()
    positive: str | None = None
    outside: str = ""
    absent: tuple[str, ...] = ()  # declared classes that no row of the whole data has
    threshold: float | None = (
        None  # score at or above which items are labeled positive, if labels were derived from scores
    )

    kind: ClassVar[str] = "confusion"
    judged_by: ClassVar[str] = BY_ANSWERS
    margins_are: ClassVar[str] = CLASS_MARGINS
    stored_fields: ClassVar[Fields] = Fields(
        {"labels": Names(), "positive": Maybe(OneOf("labels"))},
        {"outside": Text(), "threshold": Number(), "absent": SomeOf("labels")},
    )
    stored_columns: ClassVar[Columns] = {"gold": Codes("labels"), "pred": Codes("labels", beyond="outside")}

    # ------------------------------------------------------------------ making one
    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[object] | str | None = None,
        positive: object | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> Self:
        """Count gold labels against predicted ones."""
        codes, universe, _ = encode_together([y_true, y_pred], ["y_true", "y_pred"], classes=True)
        both = count_codes(codes, universe, sample_weight, cluster, strata)
        return cls._side(both, "1", "y_pred", labels, positive)

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        labels: Sequence[object],
        *,
        rows: str = "gold",
        positive: object | None = None,
    ) -> Self:
        """Take a printed table; `rows` says whether its rows are gold or predicted classes."""
        choose(rows, ORIENTATIONS, "rows")
        table = np.asarray(matrix)
        names = class_names(labels)
        if table.shape != (len(names), len(names)):
            raise DataError(
                f"the matrix has shape {table.shape}, but there are {len(names)} labels; "
                f"a table of {len(names)} labels has shape ({len(names)}, {len(names)})."
            )
        counts = whole_counts(table, "the matrix")
        if rows == "pred":
            counts = counts.T
        gold, pred = np.nonzero(counts)
        return cls(
            keys={"gold": gold.astype(np.int64), "pred": pred.astype(np.int64)},
            counts=counts[gold, pred],
            labels=names,
            positive=known_label(positive, names),
        )

    @classmethod
    def from_counts(cls, *, tp: int, fp: int, fn: int, tn: int) -> Self:
        """Take the four counts of a binary table; the positive class is remembered."""
        for name, count in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn)):
            whole_counts(np.asarray([count]), f"{name} = {count}")
        if not total((tp, fp, fn, tn), "the four counts make"):
            raise DataError("all four counts are 0: there is nothing to evaluate.")
        table = [[tn, fp], [fn, tp]]
        return cls.from_matrix(table, ("negative", "positive"), rows="gold", positive="positive")

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        labels: Sequence[object] | str | None = None,
        positive: object | None = None,
        map: Mapping[Any, Any] | str | None = None,
        ignore_case: bool = False,
        numeric_labels: bool = False,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> Joint[Self]:
        """Count (gold, label of A, label of B) together, so that the two systems stay paired."""
        codes, universe, _ = encode_together([y_true, a, b], ["y_true", names[0], names[1]], classes=True)
        relabeling = relabeling_of(map, ignore_case=ignore_case, numeric=numeric_labels)
        if relabeling:
            codes, universe = relabeling.together(codes, universe)
            labels, positive = relabeling.named(labels), relabeling.named(positive)
        both = count_codes(codes, universe, None, cluster, strata)
        sides = zip("12", names, strict=True)
        first, second = (cls._side(both, which, name, labels, positive) for which, name in sides)
        return Joint(first, second, names)

    @classmethod
    def _side(
        cls,
        both: Counted,
        pred: str,
        name: str,
        labels: Sequence[object] | str | None,
        positive: object | None,
    ) -> Self:
        """One system's tally over the counted units, over the classes that were asked for."""
        gold = both.keys["0"]
        if labels is None or isinstance(labels, str):
            truth, answers = ([both.universe[i] for i in np.unique(codes)] for codes in (gold, both.keys[pred]))
            refuse_scores(truth, answers, name)
        universe, outside = universe_of(both.universe, gold, labels)
        place = places(both.universe, universe)
        keys = {"gold": place[gold], "pred": place[both.keys[pred]]}
        if "stratum" in both.keys:
            keys["stratum"] = both.keys["stratum"]
        return cls(
            keys=keys,
            counts=both.counts,
            clusters=both.clusters,
            weights=both.weights,
            stratum_names=both.strata,
            labels=universe,
            positive=known_label(positive, universe),
            outside=outside,
            absent=absent_from(universe, both.universe),
        )

    # ------------------------------------------------------------------ reading
    @property
    def gold(self) -> Ints:
        """The gold class of each unit, as an index into labels."""
        return self.keys["gold"]

    @property
    def pred(self) -> Ints:
        """The predicted class of each unit, as an index into labels."""
        return self.keys["pred"]

    @property
    def k(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def width(self) -> int:
        """How many predicted columns there are: the classes, and one more for predictions outside them."""
        return self.k + bool(self.outside)

    @property
    def table(self) -> Floats:
        """The matrix: gold classes in rows, predicted classes in columns, those outside the classes last."""
        return Cells.of(self, self.mass).table

    def class_index(self, label: object | None) -> int:
        """The index of the positive class among the labels."""
        label = self.positive_label() if label is None else label
        if label is None:
            raise OptionError(
                f"which of {listed(self.labels)} is the positive class? Name it with "
                f"{written('--positive', 'pos_label=')}."
            )
        known = known_label(label, self.labels)
        assert known is not None
        return self.labels.index(known)

    def class_moved(self, share: Any, index: int | None) -> int:
        """The class whose share changes; only with two classes is it clear what happens to the rest."""
        if not isinstance(share, int | float) or not 0 < share < 1:
            raise OptionError(f"prevalence is {share!r}; expected the share of positives, between 0 and 1.")
        if self.k != 2 or self.outside:
            raise OptionError(
                f"prevalence= changes the share of one of two classes; there are {self.k} ({listed(self.labels, 3)})."
            )
        return self.class_index(None) if index is None else index

    def positive_label(self) -> str | None:
        """The positive class: as declared, or by convention for labels such as 0 and 1."""
        if self.positive is not None:
            return self.positive
        return self.labels[1] if self.labels in CONVENTIONAL else None

    # ------------------------------------------------------------------ contract
    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the predicted class is the gold one."""
        return np.asarray(self.gold == self.pred)

    @property
    def unit_golds(self) -> Ints:
        """The gold class of each cell."""
        return self.gold

    @property
    def unit_answers(self) -> Ints:
        """The predicted class of each cell."""
        return self.pred

    def complete(self, most: int = LISTED) -> Self | None:
        """All cells; listed only while they are few."""
        if self.k * self.width > most or "stratum" in self.keys or self.clusters is not None:
            return None
        gold, pred = (x.ravel() for x in np.indices((self.k, self.width)))
        cells, code = self.k * self.width, self.gold * self.width + self.pred
        return dataclasses.replace(self, keys={"gold": gold, "pred": pred}, **self._added_up(code, cells))

    def _added_up(self, code: Ints, cells: int) -> dict[str, Any]:
        """The counts and weights of these cells, from the cell of every unit."""
        counts = np.bincount(code, weights=self.counts, minlength=cells).astype(np.int64)
        weights = None if self.weights is None else self.weights.into(code, cells)
        return {"counts": counts, "weights": weights}

    def complete_with(self, other: Self) -> tuple[Self, Self] | None:
        """All (gold, a, b) cells; listed only while they are few."""
        k, width = self.k, self.width
        if k > 10 or "stratum" in self.keys or self.clusters is not None:
            return None
        gold, a, b = (x.ravel() for x in np.indices((k, width, width)))
        code = (self.gold * width + self.pred) * width + other.pred
        held = self._added_up(code, len(gold))
        sides = ({"gold": gold, "pred": a}, {"gold": gold, "pred": b})
        first, second = (dataclasses.replace(self, keys=keys, **held) for keys in sides)
        return first, second

    def versus_rest(self, index: int) -> Self:
        """One class against all others, as a table of two classes."""
        if self.k == 2 and not self.outside:
            return self
        if index not in self._narrowed:
            self._narrowed[index] = self.unmerged_versus_rest(index).collected()
        return self._narrowed[index]

    @cached_property
    def _narrowed(self) -> dict[int, Self]:
        return {}

    def unmerged_versus_rest(self, index: int) -> Self:
        """The same with a unit for every unit there was, so that they stay paired with those of another system."""
        label = self.labels[index]
        keys = {
            **self.keys,
            "gold": (self.gold == index).astype(np.int64),
            "pred": (self.pred == index).astype(np.int64),
        }
        rest = f"not {label}"
        return dataclasses.replace(self, keys=keys, labels=(rest, label), positive=label, outside="", absent=())

    def __add__(self, other: Self) -> Self:
        if self.threshold != getattr(other, "threshold", self.threshold):
            raise DataError(
                f"one tally has labels at the threshold {self.threshold} and the other at {other.threshold}; "
                "count both the same way."
            )
        return super().__add__(other)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of their labels."""
        if self.positive != other.positive:
            raise DataError(f"one tally has the positive class {self.positive!r} and the other {other.positive!r}.")
        absent = tuple(label for label in self.absent if label in other.absent)
        if self.labels == other.labels:
            outside = _either(self.outside, other.outside)
            first, second = (dataclasses.replace(each, outside=outside, absent=absent) for each in (self, other))
            return first, second
        if self.outside or other.outside:
            raise DataError(
                "the tallies have different classes, and one of them has predictions outside its classes; "
                "count both with the same labels."
            )
        labels = tuple(order_labels({*self.labels, *other.labels}))
        first, second = (dataclasses.replace(each, absent=absent) for each in (self, other))
        return first.relabeled(labels), second.relabeled(labels)

    def relabeled(self, labels: tuple[str, ...]) -> Self:
        """The same counts over a larger set of labels."""
        place = places(self.labels, labels)
        keys = {**self.keys, "gold": place[self.gold], "pred": place[self.pred]}
        return dataclasses.replace(self, keys=keys, labels=labels)

    def as_part_of(self, whole: Self) -> Self:
        """The counts of some of the items over the labels of all."""
        over = self if self.labels == whole.labels else self.relabeled(whole.labels)
        return dataclasses.replace(over, outside=whole.outside, absent=whole.absent)

    def with_positive(self, label: object) -> Self:
        """The same counts with this class as the positive one."""
        return dataclasses.replace(self, positive=known_label(label, self.labels))

    def context(self) -> dict[str, Any]:
        """Labels and the positive class."""
        held = {"labels": list(self.labels), "positive": self.positive}
        more = {"outside": self.outside or None, "threshold": self.threshold, "absent": list(self.absent) or None}
        return {**held, **{name: value for name, value in more.items() if value is not None}}

    def gold_margins(self) -> Any:
        """How many items each gold class has."""
        return counted_by_name(self.gold, self.counts, self.labels)

    # ------------------------------------------------------------------ words
    @cached_property
    def margins(self) -> Margins:
        """Hits, gold and predicted counts of every class."""
        return Margins.of(self, self.mass)

    def class_items(self) -> tuple[ClassItems, ...]:
        """The rows of each class, and how many were predicted as it."""
        gold, called = (add_up(side, self.counts, self.width).astype(int).tolist() for side in (self.gold, self.pred))
        return tuple(ClassItems(label, gold[i], called[i]) for i, label in enumerate(self.labels))


def universe_of(
    seen: tuple[str, ...], gold: Ints, labels: Sequence[object] | str | None
) -> tuple[tuple[str, ...], str]:
    """The classes, and the name of predictions outside them, if there can be any."""
    if labels is None or (isinstance(labels, str) and choose(labels, UNIVERSES, "labels") == "observed"):
        return seen, ""
    if isinstance(labels, str):
        present = set(gold.tolist())
        classes = tuple(label for code, label in enumerate(seen) if code in present)
        return classes, "" if len(classes) == len(seen) else OUTSIDE
    declared = class_names(labels)
    strangers = [label for label in seen if label not in set(declared)]
    if strangers:
        raise unlisted(declared, strangers)
    return declared, ""


def absent_from(classes: tuple[str, ...], seen: Iterable[str]) -> tuple[str, ...]:
    """The declared classes that no row has."""
    known = set(seen)
    return tuple(label for label in classes if label not in known)


def places(seen: Sequence[str], classes: Sequence[str]) -> Ints:
    """The index of each observed label among the classes; labels outside them come after the last."""
    place = {label: code for code, label in enumerate(classes)}
    return np.array([place.get(label, len(classes)) for label in seen], np.int64)


def _either(a: str, b: str) -> str:
    """The name of predictions outside the classes when two tallies have some, whatever their order."""
    return " or ".join(sorted({*a.split(" or "), *b.split(" or ")} - {""}, reverse=True))
