"""Scores of rows to tallies, and the labels that thresholds make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.errors import OptionError, listed
from assay.tally.class_scores import ClassScored, column
from assay.tally.contract.base import Weights
from assay.tally.contract.sampling import Clusters, Floats, Ints
from assay.tally.labels import Confusion
from assay.tally.scores import HALF, Scored

Scores = Scored | ClassScored


@dataclass(frozen=True)
class Cuts:
    """From which score on an item is called positive, and into how many bins scores are gathered."""

    threshold: float | None = None
    of_systems: Mapping[str, float] = field(default_factory=dict)
    bins: int | None = None

    def of(self, system: str) -> float | None:
        """The threshold that was named for this system."""
        return self.of_systems.get(system, self.threshold)


@dataclass(frozen=True)
class Rows:
    """How rows count: how often, in which clusters, and with which weight."""

    counts: Ints
    clusters: Clusters | None
    weights: Weights | None


def of_one_class(gold: Ints, score: Floats, rows: Rows, classes: tuple[str, ...], index: int, cuts: Cuts) -> Scored:
    """The scores of one class against all others, row by row."""
    positive = classes[index]
    negative = classes[1 - index] if len(classes) == 2 else f"not {positive}"
    keys = {"score": score, "positive": gold == index}
    made = Scored(keys, rows.counts, rows.clusters, rows.weights, positive=positive, negative=negative)
    return made if cuts.bins is None else made.binned(cuts.bins)


def of_classes(gold: Ints, scores: Mapping[str, Floats], rows: Rows, classes: tuple[str, ...]) -> ClassScored:
    """The scores of every class, row by row."""
    lacking = [label for label in classes if label not in scores]
    if lacking:
        raise OptionError(f"there is no column of scores for {listed(lacking, 5)}; every class that occurs needs one.")
    keys = {"gold": gold, **{column(i): scores[label] for i, label in enumerate(classes)}}
    return ClassScored(keys, rows.counts, rows.clusters, rows.weights, labels=classes)


def labels_of(scores: Scores, system: str, classes: tuple[str, ...], cuts: Cuts) -> Confusion | None:
    """The labels that scores stand for, row by row; None where no threshold was named and 0.5 would mean nothing."""
    named = cuts.of(system)
    if isinstance(scores, ClassScored):
        if named is not None:
            raise OptionError(
                f"a threshold divides the scores of one class, and '{system}' has a score for each: its labels are "
                "those of the highest scores. Leave out --threshold, or name one column of scores and --positive."
            )
        return scores.unmerged_labeled()
    threshold = HALF if named is None and scores.probabilities else named
    if threshold is None:
        return None
    made = scores.unmerged_at(threshold)
    return made.relabeled(classes) if set(classes) == set(made.labels) else made
