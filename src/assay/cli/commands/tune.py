"""The command `assay tune`."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import OUTPUT, Explained, FileName, Out, RawCsv, declared, flags, keywords
from assay.cli.show import WIDTH, Pages, show_report, working, write_and_tell
from assay.cli.streams import tell
from assay.options.thresholds import ScoreColumn, ScoredColumns, Sought, Steadied
from assay.texts import visible

if TYPE_CHECKING:
    from assay.jobs.tuned import Tuned


@flags("Objective (one of these, or one plus a target)", Sought)
class Choice:
    """One objective, a target, or both."""

    cost_fp: float | None = declared()
    cost_fn: float | None = declared()
    target: str | None = declared()
    target_on: str = declared()
    maximize: str | None = declared()
    youden: bool = declared()


@flags("Columns and files", ScoreColumn, ScoredColumns)
class Scores:
    """Which columns are read, and which rows evaluate the threshold."""

    score: str | None = declared()
    gold: str | None = declared()
    positive: str | None = declared()
    check: str | None = declared()
    id: str | None = declared()
    cluster: str | None = declared()
    weight: str | None = declared()
    count: str | None = declared()
    missing: str = declared()


@flags("Intervals and comparison", ScoreColumn, Steadied)
class Showing:
    """How the result is computed and where it is written."""

    against: float | None = declared()
    sweep: Annotated[
        str | None, Parameter(help="Write every measure at every threshold to this CSV file.", group=OUTPUT)
    ] = None
    level: float = declared()
    resamples: int = declared()
    seed: int = declared()
    format: Annotated[Literal["table", "json", "csv", "md"], Parameter(help="Output format.", group=OUTPUT)] = "table"
    out: Out = None
    raw_csv: RawCsv = False


def tune(
    file: FileName,
    /,
    *,
    sought: Choice = Choice(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    scores: Scores = Scores(),  # noqa: B008
    shown: Showing = Showing(),  # noqa: B008
    explained: Explained = Explained(),  # noqa: B008
    pages: Pages = Pages(),  # noqa: B008
) -> int:
    """Choose a threshold on one file and evaluate it on another (--check); exit with 1 if none meets the target."""
    from assay.jobs.tune import tune as tuned

    claim([file, scores.check], {"--out": shown.out, "--sweep": shown.sweep, **pages.outputs()})
    with working(f"tuning on {file}"):
        found = tuned(file, **keywords(sought), **keywords(scores), **keywords(shown))
    if shown.sweep is not None:
        write_and_tell(shown.sweep, found.sweep.to_csv(raw=shown.raw_csv))
    _show(found, shown, explained)
    pages.write(found)
    return 0 if found.threshold is not None else 1


def _show(found: Tuned, shown: Showing, explained: Explained) -> None:
    if shown.format == "table" and shown.out is None and sys.stdout.isatty() and found.report is not None:
        from assay.report.text.tune import above

        tell(above(found, shutil.get_terminal_size((WIDTH, 24)).columns, explain=explained.explain))
        show_report(found.report, "table", listed={"notes": "all", "explain": explained.explain})
        return
    width = shutil.get_terminal_size((WIDTH, 24)).columns if "COLUMNS" in os.environ else WIDTH
    table = shown.format == "table"
    text = found.to_text(width, **keywords(explained)) if table else found.formatted(shown.format, raw=shown.raw_csv)
    text = text.rstrip("\n") + "\n"
    text = text if shown.format == "csv" and shown.raw_csv else visible(text)
    if shown.out is None:
        tell(text, raw=True)
    else:
        write_and_tell(shown.out, text)
