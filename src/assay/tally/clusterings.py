"""Clusterings compared with classes: how many items of each class fell into each cluster."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.sources.arrays import encode_together, joint_counts, order_labels
from assay.tally.contract.base import CLASS_MARGINS, Evidence, Tally
from assay.tally.contract.hot import sum_by
from assay.tally.contract.joint import Joint
from assay.tally.contract.restored import Codes, Columns
from assay.tally.contract.sampling import Floats, Ints, add_up, counted_by_name
from assay.tally.contract.schema import Fields, Names


@dataclass(frozen=True, eq=False, repr=False)
class Contingency(Tally):
    """Units are (class, cluster) cells; the names of clusters mean nothing beyond the clustering."""

    classes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    kind: ClassVar[str] = "contingency"
    margins_are: ClassVar[str] = CLASS_MARGINS
    item: ClassVar[str] = "item"
    stored_fields: ClassVar[Fields] = Fields({"classes": Names(), "groups": Names()})
    stored_columns: ClassVar[Columns] = {"gold": Codes("classes"), "group": Codes("groups")}
    no_exchange: ClassVar[str | None] = "the names of groups mean nothing across two clusterings"

    @classmethod
    def from_labels(cls, y_true: ArrayLike, y_pred: ArrayLike) -> Self:
        """Count gold classes against the clusters of a clustering."""
        (gold,), classes, _ = encode_together([y_true], ["y_true"], classes=True)
        (group,), groups, _ = encode_together([y_pred], ["y_pred"], classes=True, beside=("y_true", len(gold)))
        (gold, group), counts = joint_counts([gold, group], [len(classes), len(groups)])
        return cls(keys={"gold": gold, "group": group}, counts=counts, classes=classes, groups=groups)

    @classmethod
    def joint(
        cls, y_true: ArrayLike, a: ArrayLike, b: ArrayLike, *, names: tuple[str, str] = ("A", "B")
    ) -> Joint[Self]:
        """Count (class, cluster of A, cluster of B) together."""
        coded = [encode_together([y_true], ["y_true"], classes=True)]
        beside = ("y_true", len(coded[0][0][0]))
        coded += [
            encode_together([x], [name], classes=True, beside=beside) for x, name in zip((a, b), names, strict=True)
        ]
        (classes, *groups) = (labels for _, labels, _ in coded)
        sizes = [len(classes), *map(len, groups)]
        (gold, *sides), counts = joint_counts([codes[0] for codes, _, _ in coded], sizes)
        first, second = (
            cls(keys={"gold": gold, "group": group}, counts=counts, classes=classes, groups=named)
            for group, named in zip(sides, groups, strict=True)
        )
        return Joint(first, second, names)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of classes and clusters: shards of one clustering share names of clusters."""
        classes = tuple(order_labels({*self.classes, *other.classes}))
        groups = tuple(order_labels({*self.groups, *other.groups}))
        return self._renamed(classes, groups), other._renamed(classes, groups)

    def _renamed(self, classes: tuple[str, ...], groups: tuple[str, ...]) -> Self:
        gold = np.array([classes.index(name) for name in self.classes], np.int64)
        group = np.array([groups.index(name) for name in self.groups], np.int64)
        keys = {**self.keys, "gold": gold[self.keys["gold"]], "group": group[self.keys["group"]]}
        return dataclasses.replace(self, keys=keys, classes=classes, groups=groups)

    def context(self) -> dict[str, Any]:
        """Names of classes and clusters."""
        return {"classes": list(self.classes), "groups": list(self.groups)}

    def gold_margins(self) -> Any:
        """How many items each class has."""
        return counted_by_name(self.keys["gold"], self.counts, self.classes)


@dataclass(frozen=True, eq=False)
class Pairs(Evidence):
    """Pairs of items in the same cell, in the same class, in the same cluster, and all pairs."""

    cell: Floats
    gold: Floats
    group: Floats
    all: Floats

    no_resampling: ClassVar[str | None] = "copies of one item form pairs that no sample holds"

    @classmethod
    def of(cls, tally: Contingency, w: Floats) -> Self:
        """Pairs within each total."""
        gold = sum_by(tally.keys["gold"], len(tally.classes), w)
        group = sum_by(tally.keys["group"], len(tally.groups), w)
        by_cell = _pairs(_merged(tally, w)).sum(-1)
        return cls(by_cell, _pairs(gold).sum(-1), _pairs(group).sum(-1), _pairs(w.sum(-1)))

    @classmethod
    def without_each(cls, tally: Contingency, part: slice) -> Self:
        """Removing an item removes as many pairs as it had partners."""
        if tally.clusters is not None:
            return super().without_each(tally, part)
        full = cls.of(tally, tally.mass)
        gold = sum_by(tally.keys["gold"], len(tally.classes), tally.mass)[tally.keys["gold"][part]]
        group = sum_by(tally.keys["group"], len(tally.groups), tally.mass)[tally.keys["group"][part]]
        cell = _cell_totals(tally)[part]
        return cls(full.cell - (cell - 1), full.gold - (gold - 1), full.group - (group - 1), full.all - (tally.n - 1))


def _pairs(x: Floats) -> Floats:
    return np.asarray(x * (x - 1) / 2)


def _cell_codes(tally: Contingency) -> Ints:
    code = tally.keys["gold"] * len(tally.groups) + tally.keys["group"]
    return np.unique(code, return_inverse=True)[1].astype(np.int64)


def _merged(tally: Contingency, w: Floats) -> Floats:
    """Totals of cells: in a joint tally several units belong to one cell of a side."""
    code = _cell_codes(tally)
    return w if len(code) == int(code.max(initial=-1)) + 1 else sum_by(code, int(code.max()) + 1, w)


def _cell_totals(tally: Contingency) -> Floats:
    code = _cell_codes(tally)
    return add_up(code, tally.mass, 0)[code]
