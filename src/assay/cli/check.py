"""The command `assay check`."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from assay.cli.options import FileName
from assay.cli.show import WIDTH


def check(
    file: FileName,
    /,
    *,
    gold: Annotated[str | None, Parameter(help="Column of the reference labels.")] = None,
    pred: Annotated[
        list[str] | None, Parameter(help="Column of a system's labels; repeat for more.", negative=())
    ] = None,
    id: Annotated[str | None, Parameter(help="Column of the ids.")] = None,
    format: Annotated[Literal["table", "json"], Parameter(help="How to write the result.")] = "table",
) -> None:
    """Say what is in a file before evaluating it: columns, labels, look-alikes, repeated ids, clusters."""
    from assay.report.check import as_json, as_text, show
    from assay.sources.frames import table_of
    from assay.sources.inspect import inspect_table

    found = inspect_table(table_of(file), gold=gold, preds=pred or (), id=id)
    if format == "json":
        sys.stdout.write(as_json(found) + "\n")
    elif not sys.stdout.isatty():
        sys.stdout.write(as_text(found, file, WIDTH))
    else:
        from rich.console import Console

        show(found, file, Console(highlight=False, emoji=False, markup=False))
