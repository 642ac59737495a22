"""The family of labels: its tally, and which of its measures are shown where."""

from __future__ import annotations

from collections.abc import Sequence

from assay.measures.declare.family import family
from assay.tally.contract.base import Tally
from assay.tally.labels import Confusion
from assay.tally.margins import Cells, Distances, Margins

BINARY = (
    "accuracy",
    "balanced_accuracy",
    "symmetric_balanced_accuracy",
    "precision",
    "recall",
    "specificity",
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
SLICED = ("recall", "fpr", "precision", "accuracy", "f1")
ELSEWHERE = ("precision", "npv", "f1", "accuracy")  # those that depend on the share of positives
MOVED_BY_BASE_RATE = ("accuracy", "error_rate", "f1", "f_beta", "precision", "npv", "jaccard", "mcc", "cohen_kappa")


def usual(tally: Confusion) -> tuple[str, ...]:
    """The measures for many classes, or for two."""
    if tally.k > 2:
        return MANY
    # If neither class is the positive one, both are shown, and the specificity of one is the recall of the other.
    return tuple(name for name in BINARY if name != "specificity" or tally.positive_label() is not None)


def sliced(tally: Confusion) -> tuple[str, ...]:
    """First the rates that do not depend on how rare a class is."""
    if tally.k > 2:
        return ("recall(average=macro)", "accuracy", "f1(average=macro)")
    return ("recall", "accuracy") if tally.positive_label() is None else SLICED


def primary(tally: Confusion) -> str:
    """F1 if one of two classes is the positive one."""
    return "f1" if tally.k == 2 and tally.positive_label() is not None else "mcc"


def lacked(name: str, held: Sequence[Tally]) -> str | None:
    """Why a system has no labels: its scores are not probabilities."""
    if not any(tally.kind == "scored" for tally in held):
        return None
    return (
        f"'{name}' has no labels: its scores lie outside [0, 1]. Name the score at or above which an item is called "
        "positive with --threshold."
    )


family(
    Confusion,
    "from_predictions",
    Margins,
    Distances,
    Cells,
    usual=usual,
    primary=primary,
    sliced=sliced,
    lacked=lacked,
)
