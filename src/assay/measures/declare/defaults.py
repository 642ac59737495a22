"""Which measures are shown when nobody asks for particular ones."""

from __future__ import annotations

from assay.errors import DataError
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.scores import Scored

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
RANKED_BY_SCORE = ("roc_auc", "average_precision")
SCORED = (*RANKED_BY_SCORE, "brier", "log_loss")
SLICED = ("recall", "fpr", "precision", "accuracy", "f1")
ELSEWHERE = ("precision", "npv", "f1", "accuracy")  # those that another share of positives moves
MOVED_BY_BASE_RATE = ("accuracy", "error_rate", "f1", "f_beta", "precision", "npv", "jaccard", "mcc", "cohen_kappa")
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
        if tally.k > 2:
            return MANY
        # Where neither class is the positive one, both are shown, and one's specificity is the other's recall.
        return tuple(name for name in BINARY if name != "specificity" or tally.positive_label() is not None)
    if isinstance(tally, Scored):
        return SCORED if tally.probabilities else RANKED_BY_SCORE
    if isinstance(tally, ClassScored):
        return SCORED if tally.no_probabilities is None else RANKED_BY_SCORE
    if isinstance(tally, Guessed):
        return tuple(f"top_k_accuracy(k={k})" for k in range(2, tally.deepest + 1))
    from assay.measures.declare.catalogue import catalogue

    every = tuple(name for name, measure in catalogue().items() if measure.reads_from(tally))
    if not every:
        raise DataError(f"no measure is computed from a {tally.kind} tally; declare one that reads its evidence.")
    return every


def slice_measures(tally: Tally) -> tuple[str, ...]:
    """Those compared between groups: first the rates that a rarer class does not move."""
    if not isinstance(tally, Confusion):
        return default_measures(tally)
    if tally.k > 2:
        return ("recall(average=macro)", "accuracy", "f1(average=macro)")
    return ("recall", "accuracy") if tally.positive_label() is None else SLICED


def primary_measure(tally: Tally) -> str:
    """The one named in the first sentence."""
    if isinstance(tally, Confusion):
        return "f1" if tally.k == 2 and tally.positive_label() is not None else "mcc"
    return default_measures(tally)[0]
