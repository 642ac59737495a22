"""The command `assay advise`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import FileName, TableOrJson, pairs
from assay.cli.show import PageOnly, prose_width, working
from assay.cli.streams import tell


def advise(
    file: FileName,
    /,
    *,
    gold: Annotated[str | None, Parameter(help="Column of the gold labels, or of relevance grades.")] = None,
    pred: Annotated[
        list[str] | None, Parameter(help="Column of a system's labels or clusters; repeat for more.", negative=())
    ] = None,
    score: Annotated[list[str] | None, Parameter(help="Column of scores; repeat for more.", negative=())] = None,
    positive: Annotated[str | None, Parameter(help="The label that counts as positive.")] = None,
    cost_fp: Annotated[float | None, Parameter(help="What a false alarm costs.")] = None,
    cost_fn: Annotated[float | None, Parameter(help="What a miss costs.")] = None,
    format: TableOrJson = "table",
    pages: PageOnly = PageOnly(),
) -> None:
    """Advise which measures to report for a file, why, and what each of them hides."""
    from assay.advice.advise import advise as advised

    claim([file], pages.outputs())
    with working(f"reading {file}"):
        advice = advised(
            file,
            gold=gold,
            pred=pairs(pred, "--pred", "COL or NAME=COL", bare=True),
            score=pairs(score, "--score", "COL or NAME=COL", bare=True),
            positive=positive,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            program=program(),
        )
    tell(advice.to_json() + "\n" if format == "json" else advice.to_text(prose_width()))
    pages.write(advice)


def program() -> dict[str, frozenset[str]]:
    """The existing commands with their options, so that advice names no others."""
    from assay.cli.main import COMMANDS, app

    return {
        command: frozenset(
            name for argument in app[command].assemble_argument_collection() for name in argument.parameter.name or ()
        )
        for command in COMMANDS
    }
