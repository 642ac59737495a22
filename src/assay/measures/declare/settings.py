"""The options of measures: what each is for, and its valid values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from assay.errors import OptionError, choose
from assay.options import AVERAGES, BINNINGS, COSTS_OF, KAPPA_WEIGHTS, MULTI_CLASS, UNDEFINED
from assay.sources.given import whole_number


@dataclass(frozen=True)
class MeasureOption:
    """What an option of measures is for, and its valid values: words, or whatever fits.

    If neither is given, the valid values depend on the data and are checked with them.
    """

    help: str
    choices: tuple[str, ...] = ()
    wanted: str = ""
    fits: Callable[[Any], bool] | None = None

    @property
    def sentence(self) -> str:
        """What it is for, and its valid values."""
        what = ", ".join(self.choices) or self.wanted
        return f"{self.help} ({what})" if what else self.help


def _number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _negative(value: Any) -> bool:
    return _number(value) and value < 0


YES_OR_NO = "True or False"
A_COST = "a number of at least 0 (matrix= takes benefits)"
OPTIONS: Mapping[str, MeasureOption] = {
    "average": MeasureOption("how the values of the classes are combined", wanted=", ".join(AVERAGES)),
    "pos_label": MeasureOption("the class the value is for"),
    "undefined": MeasureOption(
        "what a class whose value is 0/0 counts as in an average; a value of one class stays undefined unless zero is "
        "given",
        UNDEFINED,
    ),
    "prevalence": MeasureOption("the share of positives for which the value is computed", wanted="between 0 and 1"),
    "weights": MeasureOption("how the weight of an error grows with the distance between classes", KAPPA_WEIGHTS),
    "beta": MeasureOption(
        "how much a miss matters compared with a false alarm",
        wanted="a number of at least 0",
        fits=lambda value: _number(value) and value >= 0,
    ),
    "alpha": MeasureOption(
        "how much precision matters; an alternative to beta",
        wanted="a number from 0 (recall alone) to 1 (precision alone)",
        fits=lambda value: _number(value) and 0 <= value <= 1,
    ),
    "fp": MeasureOption("what a false alarm costs", wanted=A_COST, fits=lambda value: not _negative(value)),
    "fn": MeasureOption("what a miss costs", wanted=A_COST, fits=lambda value: not _negative(value)),
    "matrix": MeasureOption(
        "what every cell costs, gold classes in rows; a benefit is below 0, and then so may the value be"
    ),
    "of": MeasureOption("how the cost is expressed", COSTS_OF),
    "k": MeasureOption(
        "how many guesses or ranks count",
        wanted="a whole number of at least 1",
        fits=lambda value: whole_number(value, 1),
    ),
    "max_fpr": MeasureOption(
        "the false positive rate up to which the area is taken",
        wanted="a number above 0 and at most 1, such as 0.1",
        fits=lambda value: _number(value) and 0 < value <= 1,
    ),
    "standardized": MeasureOption(
        "whether a partial area is rescaled to the range of the whole", wanted=YES_OR_NO, fits=_flag
    ),
    "scale_by_half": MeasureOption(
        "whether the sum over classes is halved; auto halves it for two classes only",
        wanted="True, False or 'auto'",
        fits=lambda value: _flag(value) or value == "auto",
    ),
    "multi_class": MeasureOption("each class against the rest, or every pair of classes", MULTI_CLASS),
    "bins": MeasureOption("the number of bins for the scores", wanted="a whole number of at least 1"),
    "binning": MeasureOption("bins with about equal numbers of items, or of equal width", BINNINGS),
    "places": MeasureOption("whether the model has a term for the place of an answer", wanted=YES_OR_NO, fits=_flag),
    "judged_only": MeasureOption(
        "whether documents without a judgment are taken out of the list first", wanted=YES_OR_NO, fits=_flag
    ),
    "gain": MeasureOption("what a grade g gains: g itself, or 2^g − 1", ("linear", "exponential")),
    "discount": MeasureOption(
        "what the gain at rank i is divided by: log2(i + 1), or 1 at the first rank and log2(i) from the second",
        ("log2", "original"),
    ),
    "p": MeasureOption(
        "the probability that a reader goes on to the next document",
        wanted="a number above 0 and below 1",
        fits=lambda value: _number(value) and 0 < value < 1,
    ),
    "p_break": MeasureOption(
        "the probability that a reader gives up after a document that did not help",
        wanted="a number from 0 to 1",
        fits=lambda value: _number(value) and 0 <= value <= 1,
    ),
    "max_grade": MeasureOption(
        "the highest grade of the scale; None: the highest one that the judgments have",
        wanted="a number above 0",
        fits=lambda value: _number(value) and value > 0,
    ),
    "recall": MeasureOption(
        "the recall that must be reached",
        wanted="a number from 0 to 1",
        fits=lambda value: _number(value) and 0 <= value <= 1,
    ),
    "rule": MeasureOption(
        "how many relevant documents a recall stands for: the fewest that reach it, or as trec_eval counts them",
        ("definition", "trec_eval"),
    ),
}


def check_options(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Refuse an invalid value of an option; None is valid if it is the default."""
    for name, value in given.items():
        known = OPTIONS.get(name)
        unset = name in defaults and defaults[name] is None
        if known is None or (unset and value is None):
            continue
        if known.choices:
            choose(value, known.choices, name)
        if known.fits is not None and not known.fits(value):
            or_none = ", or None" if unset else ""
            raise OptionError(f"{name} is {value!r}; it is {known.wanted}{or_none}: {known.help}.")


def in_tuples(value: Any) -> Any:
    """A matrix of any type as tuples of rows, so that options can be compared; anything else unchanged."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return tuple(in_tuples(row) for row in rows) if isinstance(rows, list | tuple) else rows
