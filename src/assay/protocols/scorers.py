"""Measures as scorers: what scikit-learn's cross-validation and searches call with a model and held-out rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from assay.errors import DataError, OptionError, a_type, choose, joined
from assay.measures.declare.call import in_our_words, option_names
from assay.measures.declare.catalogue import resolve
from assay.measures.declare.family import build
from assay.measures.declare.measure import Measure
from assay.measures.declare.settings import check_options
from assay.options import AVERAGES
from assay.options.option import refuse_unknown
from assay.tally.labels import Confusion
from assay.tally.scores import Scored

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
            scores, more = _scores(self.measure, estimator, X)
            options = {**more, **weights, **self.options}
            try:
                value = self.measure(y_true, scores, **options)
            except DataError:
                if not hasattr(estimator, "predict_proba"):
                    _refuse_decisions(self.measure, estimator, y_true, scores, options)
                raise
        return -value if self.measure.higher_is_better is False else value

    @property
    def name(self) -> str:
        """The spelling of the measure, with a prefix if its sign is flipped."""
        spelling = self.measure.spelled(self.options)
        return f"neg_{spelling}" if self.measure.higher_is_better is False else spelling

    def set_score_request(self, **requests: Any) -> NoReturn:
        """Scikit-learn's own scorers take part in its routing of metadata; these do not."""
        raise OptionError(
            "this scorer takes sample_weight= when it is called, but no part in scikit-learn's metadata routing. For "
            f"that, use sklearn.metrics.make_scorer(assay.{self.measure.name}).set_score_request(...)."
        )

    def __repr__(self) -> str:
        return f"<scorer {self.name}>"


def _scores(measure: Measure, estimator: Any, X: Any) -> tuple[Any, dict[str, Any]]:
    """A model's scores: for the second of two classes, or for every class, with the names of the classes."""
    response = next((name for name in RESPONSES if hasattr(estimator, name)), None)
    if response is None:
        raise OptionError(
            f"{a_type(estimator)} has neither predict_proba nor decision_function, but {measure.name} needs scores; "
            "choose a measure of labels, such as 'f1(average=macro)'."
        )
    scores, classes = getattr(estimator, response)(X), estimator.classes_
    if len(classes) > 2:
        return scores, {"labels": classes}
    return (scores[:, 1] if scores.ndim == 2 else scores), {"pos_label": classes[1]}


def _refuse_decisions(measure: Measure, estimator: Any, y_true: Any, scores: Any, options: Mapping[str, Any]) -> None:
    """Refuse a model without probabilities for a measure of them; any other undefined value stays nan."""
    mine = {name: value for name, value in options.items() if name in measure.options}
    tally = build(measure, y_true, scores, **{name: value for name, value in options.items() if name not in mine})
    decisions = not tally.probabilities if isinstance(tally, Scored) else bool(tally.no_probabilities)
    if decisions and "probabilities" in measure.bind(tally, **mine).why_undefined(tally):
        raise OptionError(
            f"{a_type(estimator)} has no predict_proba, but {measure.name} needs probabilities; calibrate the model, "
            "as with sklearn.calibration.CalibratedClassifierCV, or choose a measure of ranks, such as 'roc_auc'."
        )


def scorers(*measures: str | Measure | Sequence[str | Measure], **options: Any) -> dict[str, Scorer]:
    """Scorers for scikit-learn's `scoring=`, by each measure as it was given; a default set if none is named.

    Losses are negated and called `neg_…`, because scikit-learn takes the higher score as the better one.
    `options` apply to every measure: `assay.scorers("f1", "recall", average="macro")`. For options of one
    measure, spell them: `assay.scorers("f1(pos_label=spam)", "f1(average=macro)")`.
    """
    given = [each for some in measures for each in _each(some)] or USUAL
    found: dict[str, Scorer] = {}
    resolved = [resolve(each, dict(options)) for each in given]
    _refuse_shared(options, [measure for measure, _ in resolved])
    for each, (measure, own) in zip(given, resolved, strict=True):
        if measure.higher_is_better is None:
            raise OptionError(
                f"{measure.name} is neither better when higher nor when lower, so it cannot be used as a scorer."
            )
        refuse_unknown(own, option_names(measure), measure.name)
        if "average" in own and own["average"] is not None:
            choose(own["average"], AVERAGES, "average")
        check_options(in_our_words(measure, (), own, [])[1], measure.options)
        scorer = Scorer(measure, own)
        name = _key(each, scorer)
        if name in found:
            raise OptionError(
                f"two scorers would be called '{name}'; spell what tells them apart, as in "
                f"'{measure.name}(average=macro)' and '{measure.name}(average=weighted)'."
            )
        found[name] = scorer
    return found


def _each(some: str | Measure | Sequence[str | Measure]) -> Iterable[str | Measure]:
    """The measures of a list, or a single one; what is neither is refused where measures are looked up."""
    return [some] if isinstance(some, str | Measure) or not isinstance(some, Iterable) else some


def _key(given: str | Measure, scorer: Scorer) -> str:
    """What a scorer is called: as the measure was spelled, or by its own name if it was given by name alone."""
    if not isinstance(given, str) or "(" not in given:
        return scorer.name
    return f"neg_{given.strip()}" if scorer.measure.higher_is_better is False else given.strip()


def _refuse_shared(options: Mapping[str, Any], measures: Sequence[Measure]) -> None:
    """Refuse a shared option that some of the measures do not have, and name those that do."""
    for option, value in options.items():
        takers = [measure.name for measure in measures if option in option_names(measure)]
        others = [measure.name for measure in measures if measure.name not in takers]
        if takers and others:
            spelled = [f"'{name}({option}={value})'" for name in takers] + [f"'{name}'" for name in others]
            raise OptionError(
                f"{others[0]} has no option {option}=, and options of scorers() apply to every measure. Spell it with "
                f"{joined(takers)} alone: scorers({', '.join(spelled)})."
            )
