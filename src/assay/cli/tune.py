"""The command `assay tune`."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import FileName, RawCsv, whole
from assay.cli.pages import Pages
from assay.cli.show import WIDTH, show_report, working
from assay.cli.streams import say, tell
from assay.options import LEVEL, RESAMPLES, SEED
from assay.texts import visible

if TYPE_CHECKING:
    from assay.jobs.tuned import Tuned


@Parameter(name="*", group="What the threshold is chosen for (one of these)")
@dataclass(frozen=True)
class Sought:
    """One objective."""

    cost_fp: Annotated[float | None, Parameter(help="What a false alarm costs; with --cost-fn.")] = None
    cost_fn: Annotated[float | None, Parameter(help="What a miss costs; with --cost-fp.")] = None
    target: Annotated[
        str | None,
        Parameter(
            help="A rate that is held, such as recall=0.9: then precision is best; with precision, specificity or fpr "
            "held, recall is."
        ),
    ] = None
    maximize: Annotated[str | None, Parameter(help="A measure whose value is best, such as f1 or mcc.")] = None
    youden: Annotated[bool, Parameter(help="Recall + specificity − 1 is highest.", negative=())] = False


@Parameter(name="*", group="Columns and files")
@dataclass(frozen=True)
class Scores:
    """Which columns are read, and which rows judge."""

    score: Annotated[str | None, Parameter(help="Column of scores for the positive class, as COL or NAME=COL.")] = None
    gold: Annotated[str | None, Parameter(help="Column of the reference labels.")] = None
    positive: Annotated[str | None, Parameter(help="The label that counts as positive.")] = None
    check: Annotated[
        str | None, Parameter(help="File with other rows, on which the threshold is judged; - for standard input.")
    ] = None
    id: Annotated[
        str | None, Parameter(help="Column that tells rows apart, to see that no row both chooses and judges.")
    ] = None
    cluster: Annotated[str | None, Parameter(help="Column that says which rows belong together.")] = None
    weight: Annotated[str | None, Parameter(help="Column of importance weights.")] = None
    count: Annotated[str | None, Parameter(help="Column that says how many rows a row stands for.")] = None
    missing: Annotated[
        Literal["error", "skip"], Parameter(help="What a missing score is: an error, or a reason to skip the row.")
    ] = "error"


@Parameter(name="*", group="What is shown")
@dataclass(frozen=True)
class Shown:
    """How the result is made and where it goes."""

    against: Annotated[
        float | None, Parameter(help="Threshold to compare with on the --check rows (break-even, or 0.5).")
    ] = None
    sweep: Annotated[str | None, Parameter(help="CSV file for every measure at every threshold.")] = None
    level: Annotated[float, Parameter(help="Confidence level of the intervals.")] = LEVEL
    resamples: Annotated[int, Parameter(help="Draws for what needs them.", converter=whole)] = RESAMPLES
    seed: Annotated[int, Parameter(help="Seed of the draws.", converter=whole)] = SEED
    format: Annotated[Literal["table", "json", "csv", "md"], Parameter(help="How to write the result.")] = "table"
    out: Annotated[str | None, Parameter(help="File to write the result to, instead of the screen.")] = None
    raw_csv: RawCsv = False

    def options(self) -> dict[str, Any]:
        """The options of `tune` that these stand for."""
        drawing = {"level": self.level, "n_resamples": self.resamples, "random_state": self.seed}
        return {"against": self.against, **drawing}


def tune(
    file: FileName,
    /,
    *,
    sought: Sought = Sought(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    scores: Scores = Scores(),  # noqa: B008
    shown: Shown = Shown(),  # noqa: B008
    pages: Pages = Pages(),  # noqa: B008
) -> None:
    """Choose a threshold on a file and judge it on another one (--check)."""
    from assay.jobs.tune import tune as tuned

    claim([file, scores.check], {"--out": shown.out, "--sweep": shown.sweep, **pages.outputs()})
    with working(f"tuning on {file}"):
        found = tuned(file, **vars(sought), **vars(scores), **shown.options())
    if shown.sweep is not None:
        _write(shown.sweep, found.sweep.to_csv(raw=shown.raw_csv))
    _show(found, shown)
    pages.write(found)


def _show(found: Tuned, shown: Shown) -> None:
    if shown.format == "table" and shown.out is None and sys.stdout.isatty() and found.report is not None:
        from assay.report.text.thresholds import said

        tell(said(found, shutil.get_terminal_size((WIDTH, 24)).columns))
        show_report(found.report, "table")
        return
    width = shutil.get_terminal_size((WIDTH, 24)).columns if "COLUMNS" in os.environ else WIDTH
    text = found.to_text(width) if shown.format == "table" else found.formatted(shown.format, raw=shown.raw_csv)
    text = text.rstrip("\n") + "\n"
    text = text if shown.format == "csv" and shown.raw_csv else visible(text)
    if shown.out is None:
        tell(text, raw=True)
    else:
        _write(shown.out, text)


def _write(path: str, text: str) -> None:
    from assay.cli.files import write_text

    write_text(path, text)
    say(f"wrote {path}")
