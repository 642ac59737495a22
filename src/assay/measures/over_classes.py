"""A measure of one class against the rest, averaged over the classes that occur."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.errors import choose, listed
from assay.measures.average import weighted_mean
from assay.options import CLASS_AVERAGES
from assay.tally.base import one_hot
from assay.tally.class_scored import ClassScored, ItemScores
from assay.tally.sampling import Floats
from assay.tally.scored import ByScore

OfScores = Callable[[ByScore], Any]  # reads one class against the rest


def mean_over_classes(e: ItemScores, of: OfScores, average: str) -> Floats:
    """The values of the classes that occur, each counted once or as often as it has items."""
    values, sizes = class_values(e, of), e.sizes
    return weighted_mean(values, class_weights(sizes, average), "exclude")


def mean_influence(e: ItemScores, of: OfScores, influence: OfScores, average: str) -> Floats:
    """How much one item of each unit moves that mean."""
    values, sizes = class_values(e, of), e.sizes
    weights = np.where(np.isnan(values), 0.0, class_weights(sizes, average))
    total = weights.sum(-1)
    share = np.divide(weights, total[..., None], out=np.zeros_like(weights), where=total[..., None] > 0)
    out = np.zeros_like(e.w)
    for c, (one, tally) in enumerate(zip(e.against_rest(), e.items.rest, strict=True)):
        moves = np.nan_to_num(ByScore.per_unit(tally, influence(one)))
        out += share[..., c, None] * moves
    if average == "weighted":
        # One item more of a class also lets that class count for more.
        apart = np.nan_to_num(values - weighted_mean(values, weights, "exclude")[..., None])
        out += (apart / np.where(total > 0, total, 1)[..., None])[..., e.items.gold]
    return out


def mean_left_out(e: ItemScores, left_out: OfScores, average: str) -> Floats:
    """That mean without one item of each unit, in turn."""
    found = [ByScore.per_unit(tally, left_out(one)) for one, tally in zip(e.against_rest(), e.items.rest, strict=True)]
    sizes = e.sizes - one_hot(e.items.gold, e.items.k)
    return weighted_mean(np.stack(found, axis=-1), class_weights(sizes, average), "exclude")


def absent(tally: ClassScored) -> list[str]:
    """Says which classes have no items, and so are left out of every mean."""
    sizes = ItemScores.of(tally, tally.mass).sizes
    lost = [label for label, size in zip(tally.labels, sizes, strict=True) if size == 0]
    return [f"no item belongs to {listed(lost, 5)}, which the mean leaves out"] if lost else []


def class_values(e: ItemScores, of: OfScores) -> Floats:
    """The value of each class against the rest; nan where it has none: shape (..., k)."""
    return np.stack([np.asarray(of(one)) for one in e.against_rest()], axis=-1)


def class_weights(sizes: Floats, average: str) -> Floats:
    """How much each class counts in the mean."""
    choose(average, CLASS_AVERAGES, "average")
    return sizes if average == "weighted" else (sizes > 0).astype(np.float64)
