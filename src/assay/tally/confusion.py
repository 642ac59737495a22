"""Classifiers judged by labels: how many items of each gold class got each predicted class."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, OptionError, choose, listed
from assay.options import ORIENTATIONS
from assay.sources.arrays import encode_together, order_labels
from assay.tally.base import Tally, Weights, add_up
from assay.tally.counting import Counted, count_codes, known_label, spelled, whole_counts
from assay.tally.joint import Joint
from assay.tally.margins import Cells, Margins
from assay.tally.sampling import Floats, Ints, collect_clusters
from assay.tally.section import Cell, Section

# Where two labels are one of these pairs, the second is taken as the positive class, and the result says so.
CONVENTIONAL = (("0", "1"), ("false", "true"), ("no", "yes"), ("-1", "1"))


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Tally):
    """Units are (gold, pred) cells; the labels are the universe of classes, in a fixed order."""

    labels: tuple[str, ...] = ()
    positive: str | None = None

    kind: ClassVar[str] = "confusion"

    # ------------------------------------------------------------------ making one
    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> Self:
        """Count gold labels against predicted ones."""
        codes, universe, _ = encode_together([y_true, y_pred], ["y_true", "y_pred"])
        both = count_codes(codes, universe, sample_weight, cluster, strata)
        return cls._side(both, "0", "1", labels, positive)

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        labels: Sequence[object],
        *,
        rows: str = "gold",
        positive: object | None = None,
    ) -> Self:
        """Take a printed table; `rows` says whether its rows are gold classes or predicted ones."""
        choose(rows, ORIENTATIONS, "rows")
        table = np.asarray(matrix)
        names = _distinct([spelled(label) for label in labels])
        if table.shape != (len(names), len(names)):
            raise DataError(
                f"the matrix has shape {table.shape} and there are {len(names)} labels; "
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
        table = [[tn, fp], [fn, tp]]
        return cls.from_matrix(table, ("negative", "positive"), rows="gold", positive="positive")

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, NDArray[Any]],
        counts: Ints,
        *,
        gold: str,
        pred: str,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
        cluster: str | None = None,
    ) -> Self:
        """Take what a group-by of text columns returned: one row per distinct combination."""
        texts = [columns[name] for name in (gold, pred)]
        codes, universe, _ = encode_together(texts, [gold, pred])
        keys = {"0": codes[0].astype(np.int64), "1": codes[1].astype(np.int64)}
        clusters = None
        if cluster is not None:
            (code,), names, _ = encode_together([columns[cluster]], [cluster])
            units = np.arange(len(counts), dtype=np.int64)
            clusters = collect_clusters(names, code.astype(np.int64), units, counts)
        both = Counted(keys, counts, universe, clusters, None, ())
        return cls._side(both, "0", "1", labels, positive).collected()

    @classmethod
    def joint(
        cls,
        y_true: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        labels: Sequence[object] | None = None,
        positive: object | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> Joint[Self]:
        """Count (gold, label of A, label of B) together, so that the two systems stay paired."""
        codes, universe, _ = encode_together([y_true, a, b], ["y_true", names[0], names[1]])
        both = count_codes(codes, universe, None, cluster, strata)
        first, second = (cls._side(both, "0", which, labels, positive) for which in "12")
        return Joint(first, second, names)

    @classmethod
    def _side(
        cls,
        both: Counted,
        gold: str,
        pred: str,
        labels: Sequence[object] | None,
        positive: object | None,
    ) -> Self:
        """One system's tally over the counted units, in the declared label universe."""
        universe, keys = both.universe, {"gold": both.keys[gold], "pred": both.keys[pred]}
        if labels is not None:
            declared = _distinct([spelled(label) for label in labels])
            strangers = [label for label in universe if label not in set(declared)]
            if strangers:
                raise DataError(
                    f"the data have labels that labels= does not list: {listed(strangers)}. "
                    f"labels= lists {listed(declared)}."
                )
            place = np.array([declared.index(label) for label in universe], np.int64)
            keys, universe = {name: place[code] for name, code in keys.items()}, declared
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
    def table(self) -> Floats:
        """The k × k matrix: gold classes in rows, predicted classes in columns."""
        return Cells.of(self, self.mass).table

    def class_index(self, label: object | None) -> int:
        """Where the class that counts as positive stands among the labels."""
        label = self.positive_label() if label is None else label
        if label is None:
            raise OptionError(f"which of {listed(self.labels)} is the positive class? Say so with pos_label=.")
        known = known_label(label, self.labels)
        assert known is not None
        return self.labels.index(known)

    def positive_label(self) -> str | None:
        """The positive class: as declared, or by convention for labels such as 0 and 1."""
        if self.positive is not None:
            return self.positive
        return self.labels[1] if self.labels in CONVENTIONAL else None

    # ------------------------------------------------------------------ contract
    def complete(self) -> Self | None:
        """All k × k cells; listed only while they are few."""
        if self.k > 30 or "stratum" in self.keys or self.clusters is not None:
            return None
        gold, pred = (x.ravel() for x in np.indices((self.k, self.k)))
        return self._filled({"gold": gold, "pred": pred}, gold * self.k + pred)

    def complete_with(self, other: Self) -> tuple[Self, Self] | None:
        """All (gold, a, b) cells; listed only while they are few."""
        k = self.k
        if k > 10 or "stratum" in self.keys or self.clusters is not None:
            return None
        gold, a, b = (x.ravel() for x in np.indices((k, k, k)))
        code = (self.gold * k + self.pred) * k + other.pred
        counts = np.bincount(code, weights=self.counts, minlength=k**3).astype(np.int64)
        sides = ({"gold": gold, "pred": a}, {"gold": gold, "pred": b})
        first, second = (dataclasses.replace(self, keys=keys, counts=counts) for keys in sides)
        return first, second

    def _filled(self, keys: dict[str, Ints], place: Ints) -> Self:
        code = self.gold * self.k + self.pred
        counts = np.bincount(code, weights=self.counts, minlength=self.k**2).astype(np.int64)[place]
        weights = None
        if self.weights is not None:
            sums = (self.weights.total, self.weights.squares)
            weights = Weights(*(add_up(code, w, self.k**2)[place] for w in sums))
        return dataclasses.replace(self, keys=keys, counts=counts, weights=weights)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both tallies over the union of their labels."""
        if self.positive != other.positive:
            raise DataError(f"one tally has the positive class {self.positive!r} and the other {other.positive!r}.")
        if self.labels == other.labels:
            return self, other
        labels = tuple(order_labels({*self.labels, *other.labels}))
        return self.relabeled(labels), other.relabeled(labels)

    def relabeled(self, labels: tuple[str, ...]) -> Self:
        """The same counts over a larger set of labels."""
        place = np.array([labels.index(label) for label in self.labels], np.int64)
        keys = {**self.keys, "gold": place[self.gold], "pred": place[self.pred]}
        return dataclasses.replace(self, keys=keys, labels=labels)

    def context(self) -> dict[str, Any]:
        """Labels and the positive class."""
        return {"labels": list(self.labels), "positive": self.positive}

    @classmethod
    def from_context(cls, context: Mapping[str, Any]) -> dict[str, Any]:
        """Labels and the positive class."""
        return {"labels": tuple(context["labels"]), "positive": context["positive"]}

    def gold_margins(self) -> Any:
        """How many items each gold class has."""
        sums = np.bincount(self.gold, weights=self.counts, minlength=self.k).astype(int).tolist()
        return sorted((label, n) for label, n in zip(self.labels, sums, strict=True) if n)

    # ------------------------------------------------------------------ words
    @cached_property
    def margins(self) -> Margins:
        """Hits, gold and predicted counts of every class."""
        return Margins.of(self, self.mass)

    def headline(self, system: str) -> str:
        """What the system found and missed, in counts."""
        m, positive = self.margins, self.positive_label()
        if positive is None or self.k != 2:
            rows = "row" if m.n == 1 else "rows"
            return f"{system} labels {_number(m.hit.sum())} of {_number(float(m.n))} {rows} correctly."
        i = self.labels.index(positive)
        found, wanted, alarms = m.hit[i], m.gold[i], m.pred[i] - m.hit[i]
        raised = "no false alarm" if alarms == 0 else f"{_number(alarms)} false alarm{'' if alarms == 1 else 's'}"
        return f"{system} finds {_number(found)} of the {_number(wanted)} “{positive}” rows, with {raised}."

    def sections(self) -> list[Section]:
        """The confusion matrix, with its orientation written beside it."""
        if self.k > 12:
            return []
        table, gold = self.table, self.margins.gold
        rows = []
        for i, label in enumerate(self.labels):
            share = [f"{x / gold[i]:.0%}" if gold[i] else "–" for x in table[i]]
            cells = tuple(
                Cell(_number(x), share[j], ("good" if i == j else "bad") if x else "plain")
                for j, x in enumerate(table[i])
            )
            rows.append((f"truly {label}", cells))
        columns = tuple(f"called {label}" for label in self.labels)
        return [Section("errors", columns, tuple(rows), "rows are gold, columns predicted", "; shares are of the row")]

    def warnings(self) -> list[str]:
        """Labels that do not meet, rare classes, and a positive class that was chosen by convention."""
        out = []
        gold, pred = (np.flatnonzero(side).tolist() for side in (self.margins.gold, self.margins.pred))
        if not set(gold) & set(pred):
            shown = (listed([self.labels[i] for i in side], 3) for side in (gold, pred))
            out.append("gold has {} and the predictions have {}: they share no label".format(*shown))
        positive = self.positive_label()
        if self.k == 2 and positive is None:
            out.append(f"neither “{self.labels[0]}” nor “{self.labels[1]}” is named as positive (--positive LABEL)")
        if self.k == 2 and self.positive is None and positive is not None:
            out.append(f"“{positive}” is taken as the positive class by convention; name another with --positive")
        absent = [self.labels[i] for i in np.flatnonzero((self.margins.gold == 0) & (self.margins.pred > 0)).tolist()]
        if absent and set(gold) & set(pred):
            out.append(f"no gold rows of {listed(absent, 5)}: an average over classes cannot know how they would fare")
        rare = [self.labels[i] for i in np.flatnonzero((self.margins.gold < 10) & (self.margins.gold > 0))]
        if rare:
            out.append(f"fewer than 10 gold rows of {listed(rare, 5)}: intervals that rest on them are unreliable")
        return out


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    if len(set(labels)) != len(labels):
        raise DataError(f"a label is given twice among {listed(labels)}.")
    return tuple(labels)


def _number(x: float) -> str:
    return f"{x:,.0f}" if float(x).is_integer() else f"{x:,.1f}"
