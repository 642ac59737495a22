"""The command `assay check`."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import FileName, TableOrJson
from assay.cli.show import PageOnly, prose_width
from assay.cli.streams import tell


def check(
    file: FileName,
    /,
    *,
    gold: Annotated[str | None, Parameter(help="Column of the gold labels.")] = None,
    pred: Annotated[
        list[str] | None, Parameter(help="Column of a system's labels; repeat for more.", negative=())
    ] = None,
    id: Annotated[str | None, Parameter(help="Column of the ids.")] = None,
    format: TableOrJson = "table",
    pages: PageOnly = PageOnly(),
) -> None:
    """Show what is in a file before evaluating it: columns, labels, look-alikes, repeated ids, clusters."""
    from assay.report.answers.check import Checked
    from assay.sources.frames import table_of
    from assay.sources.inspect import inspect_table
    from assay.sources.recognize import with_scores

    claim([file], pages.outputs())
    table = table_of(file)
    found = Checked(with_scores(table, inspect_table(table, gold=gold, preds=pred or (), id=id)), file)
    if format == "json":
        tell(found.to_json() + "\n")
    elif not sys.stdout.isatty():
        tell(found.to_text(prose_width()))
    else:
        from rich.console import Console

        from assay.report.answers.check import show

        show(found, Console(highlight=False, emoji=False, markup=False))
    pages.write(found)
