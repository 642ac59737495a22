"""The command `assay evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.gating import Gating
from assay.cli.options import (
    CostFn,
    CostFp,
    FileName,
    Format,
    Intervals,
    Listing,
    Methods,
    Out,
    RawCsv,
    SlicedRows,
    costs_given,
    declared,
    flags,
    keywords,
    whole,
)
from assay.cli.show import Pages, show_report, working
from assay.errors import OptionError
from assay.options.evaluating import Measured, Priced, Shown


@flags("Measures", Measured, Priced, Shown)
class Showing:
    """What is shown, and where it is written."""

    measure: list[str] | None = declared()
    prevalence: float | None = declared()
    cost_fp: CostFp = None
    cost_fn: CostFn = None
    costs: str | None = declared()
    table: list[str] | None = declared()
    matrix_rows: str = declared()
    format: Format = "table"
    out: Out = None
    methods: Methods = False
    raw_csv: RawCsv = False

    def options(self) -> dict[str, Any]:
        """The corresponding options of `evaluate`."""
        return {**keywords(self), "costs": costs_given(self)}


@Parameter(name="*", group="Four counts instead of a file")
@dataclass(frozen=True)
class FourCounts:
    """The confusion matrix of two classes, as counts."""

    tp: Annotated[int | None, Parameter(help="True positives.", converter=whole)] = None
    fp: Annotated[int | None, Parameter(help="False positives.", converter=whole)] = None
    fn: Annotated[int | None, Parameter(help="False negatives.", converter=whole)] = None
    tn: Annotated[int | None, Parameter(help="True negatives.", converter=whole)] = None


def evaluate(
    file: FileName | None = None,
    /,
    *,
    rows: SlicedRows = SlicedRows(),
    shown: Showing = Showing(),
    listing: Listing = Listing(),
    drawing: Intervals = Intervals(),
    counts: FourCounts = FourCounts(),
    pages: Pages = Pages(),
    gating: Gating = Gating(),
) -> int:
    """Evaluate the predictions in a file, or four counts, with an interval for every number."""
    from assay.jobs.evaluate import evaluate as evaluated

    gates = gating.gates()
    claim([file, shown.costs, *rows.files()], {"--out": shown.out, **pages.outputs(), **gating.outputs()})
    with working(f"evaluating {file}" if file else "evaluating"):
        report = evaluated(_data(file, rows, counts), **_rows(file, rows), **shown.options(), **keywords(drawing))
        checks = gates.checked(report)
    listed = listing.listed()
    show_report(report, shown.format, shown.out, methods=shown.methods, raw=shown.raw_csv, listed=listed)
    pages.write(report)
    return gating.told(report, gates, checks)


def _rows(file: str | None, rows: SlicedRows) -> dict[str, Any]:
    return {} if file is None else rows.question()


def _data(file: str | None, rows: SlicedRows, counts: FourCounts) -> Any:
    """The file to read, or the table that four counts make."""
    from assay.tally.labels import Confusion

    given = {name: value for name, value in vars(counts).items() if value is not None}
    if not given and file is None:
        raise OptionError(
            "there is nothing to evaluate. Name a file, as in 'assay evaluate preds.csv --gold label --pred model', "
            "or give four counts: --tp 80 --fp 30 --fn 20 --tn 70."
        )
    if not given:
        return file
    extra = [
        f"--{name.replace('_', '-')}" for name, value in vars(rows).items() if value != getattr(SlicedRows(), name)
    ]
    if file is not None or extra:
        named = "a file" if file is not None else extra[0]
        raise OptionError(f"give either the four counts --tp --fp --fn --tn or {named}, not both.")
    missing = [f"--{name}" for name in vars(counts) if name not in given]
    if missing:
        raise OptionError(f"all four counts are needed; give {' '.join(missing)} as well.")
    return Confusion.from_counts(**given)
