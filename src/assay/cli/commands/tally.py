"""The commands `assay tally` and `assay merge`: shards counted separately, evaluated as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import OUTPUT, FileName, SlicedRows
from assay.cli.show import PageOnly, working, write_and_tell
from assay.cli.streams import say, tell

if TYPE_CHECKING:
    from assay.tally.count.counts import Counts


def tally(
    file: FileName,
    /,
    *,
    out: Annotated[
        str | None, Parameter(help="Write the counts to this file instead of the screen.", group=OUTPUT)
    ] = None,
    rows: SlicedRows = SlicedRows(),
    pages: PageOnly = PageOnly(),
) -> None:
    """Count a file once; the stored counts are small, can be merged, and can be evaluated later."""
    from assay.errors import DataError
    from assay.jobs.count import count_file, refuse_strangers
    from assay.jobs.question import Question

    claim([file, *rows.files()], {"--out": out, **pages.outputs()})
    with working(f"counting {file}"):
        counts = count_file(file, Question(**rows.question()))
    _write(counts, out, pages)
    if rows.labels is None:
        try:
            refuse_strangers(counts, file, "That is no error in one shard of several.")
        except DataError as error:
            say(f"watch: {error}")


def merge(
    *files: Annotated[str, Parameter(help="Files of counts written by 'assay tally'.")],
    out: Annotated[
        str | None, Parameter(help="Write the sum to this file instead of the screen.", group=OUTPUT)
    ] = None,
    pages: PageOnly = PageOnly(),
) -> None:
    """Merge the stored counts of several shards."""
    from assay.errors import DataError, OptionError
    from assay.jobs.count import stored_counts

    if not files:
        raise OptionError("name the files to merge, as in 'assay merge monday.json tuesday.json --out both.json'.")
    claim(files, {"--out": out, **pages.outputs()})
    total = None
    for file in files:
        counts = stored_counts(Path(file))
        try:
            total = counts if total is None else total + counts
        except DataError as error:
            raise DataError(f"{file} cannot be merged with the files before it: {error}") from None
    assert total is not None
    _write(total, out, pages)


def _write(counts: Counts, out: str | None, pages: PageOnly) -> None:
    """Write the counts for programs, and a page of their evaluation for people."""
    from assay.jobs.evaluate import evaluate

    text = counts.to_json() + "\n"
    if out is None:
        tell(text)
    else:
        write_and_tell(out, text)
    if pages.html is not None:
        pages.write(evaluate(counts))
