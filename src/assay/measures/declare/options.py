"""The options of measures: what each is for, and what it may be, once for all measures that take it."""

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
    """What an option of measures is for, and what it may be: words, or whatever fits.

    Where neither is said, what it may be depends on the data, and is checked with them.
    """

    help: str
    choices: tuple[str, ...] = ()
    wanted: str = ""
    fits: Callable[[Any], bool] | None = None

    @property
    def sentence(self) -> str:
        """What it is for and what it may be."""
        what = ", ".join(self.choices) or self.wanted
        return f"{self.help} ({what})" if what else self.help


def _number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


YES_OR_NO = "True or False"
OPTIONS: Mapping[str, MeasureOption] = {
    "average": MeasureOption("how the values of the classes become one", wanted=", ".join(AVERAGES)),
    "pos_label": MeasureOption("the class that the value is of"),
    "undefined": MeasureOption("what a class whose value is 0/0 counts as in an average", UNDEFINED),
    "prevalence": MeasureOption("the share of positives that the value is carried to", wanted="between 0 and 1"),
    "weights": MeasureOption("how errors grow with the distance between classes", KAPPA_WEIGHTS),
    "beta": MeasureOption(
        "how much a miss matters beside a false alarm",
        wanted="a number from 0 up",
        fits=lambda value: _number(value) and value >= 0,
    ),
    "alpha": MeasureOption(
        "how much precision matters, in place of beta",
        wanted="a number from 0 (recall alone) to 1 (precision alone)",
        fits=lambda value: _number(value) and 0 <= value <= 1,
    ),
    "fp": MeasureOption("what a false alarm costs"),
    "fn": MeasureOption("what a miss costs"),
    "matrix": MeasureOption("what every cell costs, gold classes in rows"),
    "of": MeasureOption("what the cost is given as", COSTS_OF),
    "k": MeasureOption(
        "how many places or ranks count", wanted="a whole number from 1 up", fits=lambda value: whole_number(value, 1)
    ),
    "max_fpr": MeasureOption(
        "the share of false alarms up to which the area is taken",
        wanted="a number above 0 and up to 1, such as 0.1",
        fits=lambda value: _number(value) and 0 < value <= 1,
    ),
    "standardized": MeasureOption(
        "whether a part of the area is stretched to the range of the whole", wanted=YES_OR_NO, fits=_flag
    ),
    "multi_class": MeasureOption("each class against the rest, or every two classes", MULTI_CLASS),
    "bins": MeasureOption("how many bins the scores fall into", wanted="a whole number from 1 up"),
    "binning": MeasureOption("bins with about as many items each, or equally wide ones", BINNINGS),
    "places": MeasureOption("whether the place in which an answer is shown has a term", wanted=YES_OR_NO, fits=_flag),
}


def check_options(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Refuse a value that an option cannot have; None is left where it is the default."""
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
