"""Which measures are shown when nobody asks for particular ones."""

from __future__ import annotations

from assay.tally.base import Tally
from assay.tally.confusion import Confusion

BINARY = (
    "accuracy",
    "balanced_accuracy",
    "symmetric_balanced_accuracy",
    "precision",
    "recall",
    "f1",
    "mcc",
)
MANY = (
    "accuracy",
    "precision(average=macro)",
    "recall(average=macro)",
    "f1(average=macro)",
    "f1(average=weighted)",
    "symmetric_balanced_accuracy",
    "mcc",
    "precision",
    "recall",
    "f1",
)


def default_measures(tally: Tally) -> tuple[str, ...]:
    """Spellings for this tally; a measure of classes without an average is shown for every class."""
    if isinstance(tally, Confusion):
        return BINARY if tally.k <= 2 else MANY
    from assay.measures.catalogue import catalogue

    return tuple(name for name, measure in catalogue().items() if isinstance(tally, measure.kind))


def primary_measure(tally: Tally) -> str:
    """The one named in the first sentence."""
    if isinstance(tally, Confusion):
        return "f1" if tally.k == 2 and tally.positive_label() is not None else "mcc"
    return default_measures(tally)[0]
