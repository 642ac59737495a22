"""What advice for classifiers rests on: the few counted facts, from a recognized table or from a tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.sources.arrays import order_labels
from assay.sources.frames import count_rows
from assay.sources.inspect import Cluster
from assay.sources.magnitudes import TOLERANCE
from assay.sources.read.table import Table
from assay.sources.recognize import Recognized
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.contract.codes import known_label
from assay.tally.guesses import Guessed
from assay.tally.labels import CONVENTIONAL, Confusion
from assay.tally.scores import Scored

Sizes = tuple[tuple[str, int], ...]  # labels with their rows, most frequent first
Costs = tuple[float, float] | None  # of a false alarm and of a miss


@dataclass(frozen=True)
class Facts:
    """A classifier's data: rows of each gold class, the kind of scores, costs, and rows that may belong together."""

    family: ClassVar[str] = "labels"

    classes: Sizes
    systems: int = 1
    labels: bool = True  # whether there are predicted labels
    scores: bool = False
    by_class: bool = False  # a score for each class
    ends: tuple[float, float] | None = None  # the lowest and the highest score
    off: int = 0  # rows in which the scores of the classes do not add up to one
    positive: str | None = None
    costs: tuple[float, float] | None = None  # of a false alarm and of a miss
    owner: Cluster | None = None  # a column that seems to say which rows belong together
    clustered: int | None = None  # the number of clusters, if rows were counted by cluster

    @property
    def n(self) -> int:
        """Rows with a gold label."""
        return sum(rows for _, rows in self.classes)

    @property
    def k(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def rows(self) -> dict[str, int]:
        """Rows of each class."""
        return dict(self.classes)

    @property
    def probabilities(self) -> bool:
        """Whether the scores may be probabilities."""
        return self.scores and self.ends is not None and self.ends[0] >= 0 and self.ends[1] <= 1 and not self.off

    @property
    def positives(self) -> int | None:
        """Rows of the positive class, if one is named."""
        return None if self.positive is None else self.rows.get(self.positive, 0)


def classes_of_table(table: Table, known: Recognized, positive: object | None = None, costs: Costs = None) -> Facts:
    """The facts about a table of classifier predictions."""
    gold = known.column("gold")
    assert gold is not None
    classes = sizes_of(table, gold)
    fitting = [scores for scores in known.scores if scores.classes or len(classes) <= 2]
    preds = known.columns("pred")
    return Facts(
        classes=classes,
        systems=len(preds) or len(fitting),
        labels=bool(preds),
        scores=bool(fitting),
        by_class=any(scores.classes for scores in fitting),
        ends=(min(s.low for s in fitting), max(s.high for s in fitting)) if fitting else None,
        off=max((scores.off for scores in fitting), default=0),
        positive=positive_class([label for label, _ in classes], positive),
        costs=costs,
        owner=None if known.found is None else known.found.cluster,
    )


def positive_class(labels: Iterable[str], given: object | None) -> str | None:
    """The class that was named, or the one that is positive by convention; it is never guessed from strings."""
    every = tuple(order_labels(labels))
    if given is not None:
        return known_label(given, every)
    return every[1] if every in CONVENTIONAL else None


def classes_of_tally(tally: Tally, costs: Costs = None, systems: int = 1) -> Facts | None:
    """The same facts from a tally."""
    clustered = None if tally.clusters is None else len(tally.clusters.names)
    more: dict[str, Any] = {"costs": costs, "systems": systems, "clustered": clustered}
    match tally:
        case Confusion():
            return Facts(summed(tally.labels, tally.keys["gold"], tally), positive=tally.positive_label(), **more)
        case Guessed():
            return Facts(summed(tally.labels, tally.keys["gold"], tally), **more)
        case Scored():
            truth, score = tally.keys["positive"], tally.keys["score"]
            positives = int(tally.counts[truth].sum())
            classes = ordered({tally.positive: positives, tally.negative: tally.n - positives})
            ends = (float(score.min()), float(score.max()))
            return Facts(classes, labels=False, scores=True, ends=ends, positive=tally.positive, **more)
        case ClassScored():
            classes, ends = (
                summed(tally.labels, tally.gold, tally),
                (float(tally.scores.min()), float(tally.scores.max())),
            )
            off = int(tally.counts[np.abs(tally.sums - 1) > TOLERANCE].sum())
            return Facts(classes, labels=False, scores=True, by_class=True, ends=ends, off=off, **more)
    return None


def sizes_of(table: Table, column: str) -> Sizes:
    """The labels of a column with their rows."""
    texts, counts = count_rows(table, [column])
    return ordered({x: n for x, n in zip(texts[column].tolist(), counts.tolist(), strict=True) if x is not None})


def ordered(rows: Mapping[str, int]) -> Sizes:
    """Labels with their rows, most frequent first."""
    return tuple(sorted(rows.items(), key=lambda item: (-item[1], item[0])))


def summed(labels: tuple[str, ...], codes: Any, tally: Tally) -> Sizes:
    """How many items of a tally each label has."""
    rows: Counter[str] = Counter()
    for code, n in zip(codes.tolist(), tally.counts.tolist(), strict=True):
        rows[labels[code]] += n
    return ordered(rows)
