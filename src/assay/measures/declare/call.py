"""A call on arrays: names its arguments have in other libraries, its signature, and its help."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from assay.errors import OptionError
from assay.measures.declare.facts import Declaration
from assay.measures.declare.family import FAMILIES, kind_for, positional
from assay.tally.labels import Confusion

# What other libraries call the same arguments, by our name.
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "y_true": ("labels_true", "y1"),
    "y_pred": ("labels_pred", "y2"),
    "y_score": ("y_proba", "y_prob", "y_pred"),
    "qrels": ("rankings", "y_true"),
    "run": ("y_score",),
}
NO_NORMALIZE = (
    "{name} has no normalize=: it is always a share. For numbers of rows, assay.confusion_matrix(y_true, y_pred) has "
    "every count; leave normalize= out."
)
NO_SUM = (
    "{name} has no normalize=: it is always a mean over items. For the sum, multiply it by their number; leave "
    "normalize= out."
)
ADJUSTED = (
    "balanced_accuracy has no adjusted=. For two classes the adjusted value is assay.informedness; for k classes it is "
    "(value − 1/k) / (1 − 1/k)."
)
NO_SUCH = "{name} has no normalize=; leave it out."
PER_CLASS = "average=None asks for one value per class; assay.{name}.per_class(y_true, y_pred) gives them by label."
WHAT = {
    "y_true": "the gold labels, one per item",
    "y_pred": "the predicted labels, in the same order",
    "y_score": "a score for the positive class, in the same order; or a row of scores, one for each class",
    "guesses": "the guesses for each item, best first",
    "labels": "the classes to average over, or all classes in their order",
    "sample_weight": "a weight for each item",
    "cluster": "which items belong together; affects intervals only",
    "strata": "the stratum of each item; affects intervals only",
    "pos_label": "the class the value is for",
    "bins": "the number of bins into which scores are grouped before they are counted",
    "qrels": "the judgments: a file, a frame or {query: {document: grade}}; or {query: grades in rank order} alone",
    "run": "what was returned: a file, a frame or {query: {document: score}}; None if the grades are in rank order",
    "relevant_from": "the lowest grade of a relevant document; None: any above 0",
    "no_relevant": "queries without a relevant document: skip leaves them out of the mean, zero counts them as 0 "
    "(None: skip where judgments and a run are given, zero for grades in rank order)",
    "a": "the first of the two systems of each judgment",
    "b": "the second",
    "winner": "which of them won: its name, 'a' or 'b', or a word for a tie",
    "first": "the system whose answer was shown first, if that is not a",
    "systems": "all systems, including those that were never judged",
    "focus": "the system the value is for, or a pair (system, opponent)",
    "missing": "what a judgment without a winner counts as",
    "ratings": "one row per unit, with the rating of each rater",
}


def data_names(measure: Declaration) -> list[str]:
    """What the measure is computed from, by name and in this order."""
    return positional(getattr(measure.kind, FAMILIES[measure.kind].builder))


def names_of_data(measure: Declaration) -> list[str]:
    """What its data may be called, by us and by other libraries."""
    return [each for name in data_names(measure) for each in (name, *OTHER_NAMES.get(name, ()))]


def in_our_words(measure: Declaration, data: tuple[Any, ...], options: Mapping[str, Any], names: list[str]) -> Any:
    """Data and options of a call under our own names; `names` are those of the data."""
    given = dict(options)
    found = list(data)
    for place, name in enumerate(names):
        called = [each for each in (name, *OTHER_NAMES.get(name, ())) if each in given and each not in names[:place]]
        if called and place < len(data):
            raise OptionError(f"{measure.name} was given {name} twice: by position and as {called[0]}=.")
        if called and place == len(found):
            found.append(given.pop(called[0]))
    if "positive" in given and "pos_label" in _every_option(measure):
        positive = given.pop("positive")
        if given.setdefault("pos_label", positive) is not positive:
            raise OptionError("positive= and pos_label= are two words for one thing; give one of them.")
    if "zero_division" in given and "undefined" in measure.options:
        if "undefined" in given:
            raise OptionError("zero_division= and undefined= are two words for one thing; give one of them.")
        given["undefined"] = undefined_as(given.pop("zero_division"))
    _from_scikit_learn(measure, found, given)
    if given.get("average", "") is None and measure.averaged:
        raise OptionError(PER_CLASS.format(name=measure.name))
    if "normalize" in given and "normalize" not in measure.options:
        told = NO_NORMALIZE if issubclass(measure.kind, Confusion) else NO_SUM
        told = told if told is NO_NORMALIZE or measure.paired.each is not None else NO_SUCH
        raise OptionError(told.format(name=measure.name))
    return tuple(found), given


def _from_scikit_learn(measure: Declaration, data: Sequence[Any], given: dict[str, Any]) -> None:
    """Take scikit-learn's own defaults, and what makes no difference here; refuse what is computed otherwise."""
    if "weights" in measure.options and given.get("weights", "") is None:
        given["weights"] = "none"
    if given.get("adjusted") is False and "adjusted" not in measure.options:
        del given["adjusted"]
    if "adjusted" in given and measure.name == "balanced_accuracy":
        raise OptionError(ADJUSTED)
    # Of two classes, each against the rest and each pair are the same.
    known = "multi_class" in measure.options or len(data) != len(data_names(measure))
    if not known and given.get("multi_class") in ("raise", "ovr", "ovo") and kind_for(measure, *data) is measure.kind:
        del given["multi_class"]


def option_names(measure: Declaration) -> list[str]:
    """What the options of a call may be called, ours first."""
    ours = list(_every_option(measure))
    others = {"positive": "pos_label", "zero_division": "undefined"}
    return [*ours, *(other for other, name in others.items() if name in ours)]


def undefined_as(zero_division: Any) -> str:
    """scikit-learn's value for what 0/0 counts as, translated into ours."""
    if isinstance(zero_division, str) and zero_division == "warn":
        return "zero"
    if isinstance(zero_division, int | float) and not isinstance(zero_division, bool):
        if zero_division == 0:
            return "zero"
        if math.isnan(zero_division):
            return "exclude"
    raise OptionError(
        f"zero_division is {zero_division!r}; it is 0 or nan. Counting 0/0 as anything above 0 would make results look "
        "better than they are. In an average, 0 counts it as 0 (undefined='zero') and nan leaves it out "
        "(undefined='exclude'); the value of one class is undefined either way unless 0 is given."
    )


def _every_option(measure: Declaration) -> dict[str, Any]:
    """The options of a call with their defaults: the measure's own, and those of the tallies it is computed from."""
    kinds: list[Declaration] = [measure, *measure.variants.values()]
    makers = [getattr(each.kind, FAMILIES[each.kind].builder) for each in kinds]
    taken = [p for maker in makers for p in inspect.signature(maker).parameters.values() if p.default is not p.empty]
    own = {name: value for each in kinds for name, value in each.options.items()} | dict(measure.options)
    # A positive class has one name here, the one that the rest of the field has for it.
    return own | {p.name: p.default for p in taken if p.name not in own and p.name != "positive"}


def signature_of(measure: Declaration) -> inspect.Signature:
    """How the measure is called, with every option and its default by name."""
    known = inspect.signature(getattr(measure.kind, FAMILIES[measure.kind].builder)).parameters
    data = [known[name].replace(annotation=inspect.Parameter.empty) for name in data_names(measure)]
    optional = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in _every_option(measure).items()
        if name not in {each.name for each in data}
    ]
    return inspect.Signature([*data, *optional], return_annotation=float)


def help_of(measure: Declaration, meant: Mapping[str, str]) -> str:
    """The docstring of a measure with its parameters; `meant` says what its own options are for."""
    text = inspect.cleandoc(measure.formula.__doc__ or "")
    lines = []
    for parameter in signature_of(measure).parameters.values():
        unset = parameter.default is parameter.empty
        what = meant.get(parameter.name) or WHAT.get(parameter.name, "")
        beside = "" if unset or parameter.default is None else f" (default {parameter.default!r})"
        lines.append(fill(f"{parameter.name}: {what}{beside}".rstrip(": "), 100, subsequent_indent="    "))
    best = "" if measure.best is None else f"; {measure.best:g} is best"
    low, high = measure.range
    facts = [
        f"A float from {low:g} to {high:g}{best}; nan where it is undefined: {measure.undefined}.",
        f"assay.{measure.name}.estimate(...) gives it with an interval.",
    ]
    return "\n".join(
        [text, "", "Parameters", "----------", *lines, "", "Returns", "-------", *(fill(each, 100) for each in facts)]
    )
