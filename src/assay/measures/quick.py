"""Values straight from the user's arrays, where that is faster than counting them first."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.sources.arrays import array_of
from assay.tally.sampling import Ints
from assay.tally.scored import checked_scores, is_positive
from assay.tally.sorting import positive_places


def roc_auc(y_true: Any, y_score: Any, pos_label: object | None = None) -> float | None:
    """ROC AUC of items without ties: after one sort all that matters is where the positive items stand."""
    found = _places(y_true, y_score, pos_label)
    if found is None:
        return None
    place, n = found
    m = len(place)
    return (int(place.sum()) - m * (m - 1) // 2) / (m * (n - m))


def average_precision(y_true: Any, y_score: Any, pos_label: object | None = None) -> float | None:
    """Average precision of items without ties."""
    found = _places(y_true, y_score, pos_label)
    if found is None:
        return None
    place, n = found
    above = np.arange(len(place), 0, -1)  # how many positive items stand as high or higher
    return float((above / (n - place)).sum() / len(place))


def _places(y_true: Any, y_score: Any, pos_label: object | None) -> tuple[Ints, int] | None:
    if array_of(y_score).ndim != 1:
        return None
    truth, _ = is_positive(y_true, pos_label)
    place = positive_places(checked_scores(y_score, len(truth), "y_score"), truth)
    return None if place is None or not 0 < len(place) < len(truth) else (place, len(truth))
