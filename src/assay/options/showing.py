"""What a terminal shows of a report, declared once; no number depends on it, so stored reports leave it out."""

from typing import Annotated, TypedDict

from assay.errors import OptionError
from assay.options import CLASSES_SHOWN, GROUPS, NOTES, SORTS
from assay.options.option import Option


class Explaining(TypedDict, total=False):
    """Whether a report explains how its numbers were made."""

    explain: Annotated[
        bool,
        Option(
            False,
            "Explain how each number was made: the test with its hypotheses, what p means, every pair of systems, and "
            "the methods of the intervals.",
        ),
    ]


class Noted(Explaining, total=False):
    """Which notes and groups of a report are shown."""

    notes: Annotated[
        str,
        Option(NOTES[0], "Show notes in ten lines at most, or all of them, with every name in full.", choices=NOTES),
    ]
    groups: Annotated[
        str,
        Option(GROUPS[0], "Show the groups of a slice that stand out, or all of them.", choices=GROUPS),
    ]


class Listed(Noted, total=False):
    """How much of a long report is listed, and in which order."""

    sort: Annotated[
        str,
        Option(
            SORTS[0],
            "Order of the class table: largest first, worst first (by its last measure), or by name.",
            choices=SORTS,
        ),
    ]
    classes: Annotated[
        int | str,
        Option(
            CLASSES_SHOWN,
            "How many classes the class table lists; all for every class.",
            python="How many classes the class table lists; 'all' for every class.",
        ),
    ]


def most_classes(classes: int | str) -> int | None:
    """How many classes are listed; None for all of them."""
    if classes == "all":
        return None
    try:
        most = int(classes)
    except (TypeError, ValueError):
        most = 0
    if most < 1 or isinstance(classes, bool | float):
        raise OptionError(f"classes (--classes) is {classes!r}; expected a whole number of at least 1, or all.")
    return most
