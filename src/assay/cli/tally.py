"""The commands `assay tally` and `assay merge`: shards counted apart, evaluated as if one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from assay.cli.files import refuse_input
from assay.cli.options import FileName, SlicedRows
from assay.cli.show import working


def tally(
    file: FileName,
    /,
    *,
    out: Annotated[str | None, Parameter(help="File to write the counts to, instead of the screen.")] = None,
    rows: SlicedRows = SlicedRows(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
) -> None:
    """Count a file once; what is kept of it is small, adds up, and can be evaluated later."""
    from assay.report.counted import Question, count_file

    refuse_input(out, [file, *(rows.question()["systems"] or {}).values()])
    with working(f"counting {file}"):
        text = count_file(file, Question(**rows.question())).to_json() + "\n"
    _write(text, out)


def merge(
    *files: Annotated[str, Parameter(help="Counts that 'assay tally' wrote.")],
    out: Annotated[str | None, Parameter(help="File to write the sum to, instead of the screen.")] = None,
) -> None:
    """Add up the counts of several shards."""
    from assay.errors import DataError, OptionError
    from assay.report.counted import stored_counts

    if not files:
        raise OptionError("name the files to merge, as in 'assay merge monday.json tuesday.json --out both.json'.")
    total = None
    for file in files:
        counts = stored_counts(Path(file))
        try:
            total = counts if total is None else total + counts
        except DataError as error:
            raise DataError(f"{file} does not go with the files before it: {error}") from None
    assert total is not None
    _write(total.to_json() + "\n", out)


def _write(text: str, out: str | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    from assay.cli.files import write_text

    write_text(out, text)
    print(f"wrote {out}", file=sys.stderr)
