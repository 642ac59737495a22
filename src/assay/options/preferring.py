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
            "Column of the item answered; needed unless it is called item, prompt, question, query or similar.",
            Stored.TEXT,
        ),
    ]
    a: Annotated[
        str | None,
        Option(None, "Column of one system; needed unless it is called a, model_a or system_a.", Stored.TEXT),
    ]
    b: Annotated[
        str | None, Option(None, "Column of the other; needed unless it is called b, model_b or system_b.", Stored.TEXT)
    ]
    winner: Annotated[
        str | None,
        Option(
            None,
            "Column of the winner (a system's name, a or b, or tie); needed unless it is called winner.",
            Stored.TEXT,
        ),
    ]
    judge: Annotated[str | None, Option(None, "Column of the judge.", Stored.TEXT)]
    first: Annotated[
        str | None,
        Option(
            None,
            "Column of the system that was shown first (default: the column of --a).",
            Stored.TEXT,
            python="Column of the system that was shown first (default: the column of a).",
        ),
    ]
    cluster: Annotated[
        str,
        Option(
            "item",
            "Which judgments form a cluster: those of an item, those by a judge, or each its own (judgment).",
            Stored.TEXT,
            choices=CLUSTERS,
        ),
    ]
    missing: Annotated[
        str,
        Option(
            "error",
            "How to treat a missing winner: as an error, by skipping the row, or as a tie.",
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
    ignore_place: Annotated[
        bool, Option(False, "Leave the order in which answers were shown out of the model.", Stored.FLAG)
    ]
    level: Level


PREFER = (Judged,)
