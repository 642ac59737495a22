"""The command `assay verify`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.show import PageOnly, working
from assay.cli.streams import tell


def verify(
    result: Annotated[str, Parameter(help="A report written by 'assay evaluate --format json'.")],
    file: Annotated[str, Parameter(help="The file it was computed from.")],
    /,
    *,
    pages: PageOnly = PageOnly(),
) -> int:
    """Recompute the numbers of a report from its file, and report whether they match."""
    from assay.jobs.verify import files_of
    from assay.jobs.verify import verify as verified

    claim([result, file], pages.outputs())
    claim([result, file, *files_of(result)], pages.outputs())
    with working(f"evaluating {file}"):
        found = verified(result, file)
    tell(found.to_text())
    pages.write(found)
    return 0 if found.same else 1
