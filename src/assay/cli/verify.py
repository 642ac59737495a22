"""The command `assay verify`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from assay.cli.show import working


def verify(
    result: Annotated[str, Parameter(help="A report that 'assay evaluate --format json' wrote.")],
    file: Annotated[str, Parameter(help="The file it was made from.")],
    /,
) -> int:
    """Make the numbers of a report again from its file, and say whether they are the same."""
    from assay.report.verify import verify as verified

    with working(f"evaluating {file}"):
        same, sentences = verified(result, file)
    print("\n".join(sentences))
    return 0 if same else 1
