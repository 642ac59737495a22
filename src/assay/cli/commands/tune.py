"""The command `assay tune`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import OUTPUT, Explained, FileName, Out, RawCsv, declared, flags, keywords
from assay.cli.show import Pages, page_width, show_report, working, write_and_tell, write_result
from assay.cli.streams import tell
from assay.options.thresholds import ScoreColumn, ScoredColumns, Sought, Steadied

if TYPE_CHECKING:
    from assay.jobs.answers.tuned import Tuned


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
    sought: Choice = Choice(),
    scores: Scores = Scores(),
    shown: Showing = Showing(),
    explained: Explained = Explained(),
    pages: Pages = Pages(),
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

        tell(above(found, page_width(), explain=explained.explain))
        show_report(found.report, "table", listed={"notes": "all", "explain": explained.explain})
        return
    if shown.format == "table":
        text = found.to_text(page_width(), **keywords(explained))
    else:
        text = found.formatted(shown.format, raw=shown.raw_csv)
    write_result(text, shown.format, shown.out, raw=shown.raw_csv)
