"""Measures as scorers: what scikit-learn's cross-validation and searches call with a model and held-out rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.errors import OptionError
from assay.measures.declare.call import option_names
from assay.measures.declare.catalogue import resolve
from assay.measures.declare.measure import Measure
from assay.options.option import refuse_unknown
from assay.tally.labels import Confusion

USUAL = ("accuracy", "balanced_accuracy", "f1(average=macro)", "mcc")
RESPONSES = ("predict_proba", "decision_function")


@dataclass(frozen=True)
class Scorer:
    """One measure of a fitted model on rows that it has not seen; a loss is negative, so that higher is better."""

    measure: Measure
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        """The value of the measure for the model's predictions."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if self.measure.kind is Confusion:
            value = self.measure(y_true, estimator.predict(X), **weights, **self.options)
        else:
            scores, more = _scores(estimator, X)
            value = self.measure(y_true, scores, **{**more, **weights, **self.options})
        return -value if self.measure.higher_is_better is False else value

    @property
    def name(self) -> str:
        """The spelling of the measure, with a prefix if its sign is flipped."""
        spelling = self.measure.spelled(self.options)
        return f"neg_{spelling}" if self.measure.higher_is_better is False else spelling

    def __repr__(self) -> str:
        return f"<scorer {self.name}>"


def _scores(estimator: Any, X: Any) -> tuple[Any, dict[str, Any]]:
    """A model's scores: for the second of two classes, or for every class, with the names of the classes."""
    response = next((name for name in RESPONSES if hasattr(estimator, name)), None)
    if response is None:
        raise OptionError(
            f"a '{type(estimator).__name__}' has neither predict_proba nor decision_function, but this measure needs "
            "scores; choose a measure of labels, such as 'f1(average=macro)'."
        )
    scores, classes = getattr(estimator, response)(X), estimator.classes_
    if len(classes) > 2:
        return scores, {"labels": classes}
    return (scores[:, 1] if scores.ndim == 2 else scores), {"pos_label": classes[1]}


def scorers(*measures: str | Measure, **options: Any) -> dict[str, Scorer]:
    """Scorers for scikit-learn's `scoring=`, by the spelling of each measure; a default set if none is named.

    Losses are negated and called `neg_…`, because scikit-learn takes the higher score as the better one.
    `options` apply to every measure: `assay.scorers("f1", "recall", average="macro")`.
    """
    found = []
    for each in measures or USUAL:
        measure, own = resolve(each, dict(options))
        if measure.higher_is_better is None:
            raise OptionError(
                f"{measure.name} is neither better when higher nor when lower, so it cannot be used as a scorer."
            )
        refuse_unknown(own, option_names(measure), f" of {measure.name}")
        found.append(Scorer(measure, own))
    return {scorer.name: scorer for scorer in found}
