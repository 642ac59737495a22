"""The options of `prefer`, declared once."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from assay.options.evaluating import Level
from assay.options.option import Option, Stored

CLUSTERS = ("item", "judge", "judgment")
MISSING_WINNERS = ("error", "skip", "tie")


class Judged(TypedDict, total=False):
    """Which columns play which role, and how judgments count."""

    item: Annotated[
        str | None,
        Option(
            None,
            "Column of what was answered, if it is not called item, prompt, question, query or the like.",
            Stored.TEXT,
        ),
    ]
    a: Annotated[str | None, Option(None, "Column of one system, if not called a, model_a or system_a.", Stored.TEXT)]
    b: Annotated[str | None, Option(None, "Column of the other, if not called b, model_b or system_b.", Stored.TEXT)]
    winner: Annotated[
        str | None,
        Option(
            None,
            "Column of the winner: a system's name, a or b, or tie; if it is not called winner.",
            Stored.TEXT,
        ),
    ]
    judge: Annotated[str | None, Option(None, "Column of who judged.", Stored.TEXT)]
    first: Annotated[
        str | None,
        Option(
            None,
            "Column of the system that was shown first; --a unless named.",
            Stored.TEXT,
            python="Column of the system that was shown first; that of a unless named.",
        ),
    ]
    cluster: Annotated[
        str,
        Option(
            "item",
            "Which judgments belong together: those of an item, those by a judge, or none.",
            Stored.TEXT,
            choices=CLUSTERS,
        ),
    ]
    missing: Annotated[
        str,
        Option(
            "error",
            "What a missing winner is: an error, a reason to skip the row, or a tie.",
            Stored.TEXT,
            choices=MISSING_WINNERS,
        ),
    ]
    without: Annotated[
        str | Sequence[str],
        Option(
            (),
            "System whose judgments are left out; repeat for more.",
            Stored.TEXTS,
            python="System whose judgments are left out, or several in a list.",
        ),
    ]
    ignore_place: Annotated[bool, Option(False, "Leave out of the model which answer was shown first.", Stored.FLAG)]
    level: Level


PREFER = (Judged,)
