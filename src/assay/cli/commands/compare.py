"""The command `assay compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.gating import Gating
from assay.cli.options import (
    OUTPUT,
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
    pairs,
)
from assay.cli.show import Pages, show_report, working, write_and_tell
from assay.errors import OptionError
from assay.options.evaluating import Matched, Measured, Paired, Priced, Primary, Repeated, Tested
from assay.options.option import options_of

if TYPE_CHECKING:
    from assay.jobs.answers.results import Report


@flags("Comparison", Measured, Primary, Priced, Matched, Tested, Paired)
class Compared:
    """Who is compared with whom, by which measures and tests."""

    measure: list[str] | None = declared()
    primary: str | None = declared()
    cost_fp: CostFp = None
    cost_fn: CostFn = None
    costs: str | None = declared()
    baseline: str | None = declared()
    correction: str = declared()
    test: str = declared()
    statistic: str = declared()
    alternative: str = declared()
    margin: float | None = declared()
    strict: bool = declared()
    raw_p: bool = declared()
    unpaired: bool = declared()

    def options(self) -> dict[str, Any]:
        """The corresponding options of `compare_systems`."""
        return {**keywords(self), "costs": costs_given(self)}


@flags("Folds, data sets and values", Repeated)
class Values:
    """Values that were measured repeatedly."""

    value: list[str] | None = declared()
    folds: str | None = declared()
    repeats: str | None = declared()
    datasets: str | None = declared()
    lower: bool = declared()
    value_range: str | None = declared()

    def options(self) -> dict[str, Any]:
        """The corresponding options of `compare_repeated`."""
        values = pairs(self.value, "--value", "COL or NAME=COL", bare=True)
        between = None if self.value_range is None else _ends(self.value_range)
        return {**keywords(self), "values": values, "value_range": between}


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class Written:
    """Where the result is written."""

    format: Format = "table"
    out: Out = None
    methods: Methods = False
    raw_csv: RawCsv = False
    disagreements: Annotated[
        str | None, Parameter(help="Write the rows on which the systems' answers differ to this CSV file.")
    ] = None
    replicates: Annotated[
        str | None, Parameter(help="Write the resampled differences and the draws under H0 to this CSV file.")
    ] = None
    no_worse_than: Annotated[
        list[str] | None,
        Parameter(
            help="Exit with code 1 unless every other system is at most MARGIN worse than NAME, as NAME:MARGIN.",
            negative=(),
            group="Gates",
        ),
    ] = None

    def outputs(self) -> dict[str, str | None]:
        """The files to write, by option."""
        return {"--out": self.out, "--disagreements": self.disagreements, "--replicates": self.replicates}


def compare(
    file: FileName | None = None,
    /,
    *,
    rows: SlicedRows = SlicedRows(),
    compared: Compared = Compared(),
    listing: Listing = Listing(),
    values: Values = Values(),
    drawing: Intervals = Intervals(),
    written: Written = Written(),
    pages: Pages = Pages(),
    gating: Gating = Gating(),
) -> int:
    """Compare systems: the difference with its interval, the test, and a verdict in words."""
    gates = gating.gates(written.no_worse_than)
    question = rows.question()
    claim([file, compared.costs, *rows.files()], {**written.outputs(), **pages.outputs(), **gating.outputs()})
    options = {**compared.options(), **keywords(drawing)}
    with working(f"comparing the systems of {file}" if file else "comparing"):
        report = _report(file, question, values, options)
        checks = gates.checked(report)
        texts = _files(report, file, question, written)
    for path, text in texts.items():
        write_and_tell(path, text)
    listed = listing.listed()
    show_report(report, written.format, written.out, methods=written.methods, raw=written.raw_csv, listed=listed)
    pages.write(report)
    return gating.told(report, gates, checks)


def _report(file: str | None, question: dict[str, Any], values: Values, options: dict[str, Any]) -> Report:
    from assay.jobs.comparison.systems import compare_systems

    if values == Values():
        return compare_systems(file, **question, **options)
    from assay.jobs.comparison.repeated import compare_repeated

    for name, option in options_of(Paired, Priced).items():
        if options.pop(name) != option.default:
            flag = "--costs (or --cost-fp)" if name == "costs" else f"--{name}"
            raise OptionError(
                f"{flag} applies to answers to single rows; leave it out when values of items, folds or data sets are "
                "compared."
            )
    return compare_repeated(file, **values.options(), **question, **options)


def _ends(text: str) -> tuple[float, float]:
    low, parted, high = text.partition(":")
    try:
        return float(low), float(high if parted else "none")
    except ValueError:
        raise OptionError(
            f"--value-range is '{text}'; expected the lowest and the highest possible value, as in 0:1."
        ) from None


def _files(report: Report, file: str | None, question: dict[str, Any], written: Written) -> dict[str, str]:
    """The files that were asked for besides the result, all computed before any is written."""
    from assay.jobs.comparison.disagreements import disagreements, listed_as_csv, replicates

    out = {}
    if written.disagreements is not None:
        data = file if file is not None else next(iter((question["systems"] or {}).values()), None)
        rows = disagreements(data, **question)
        out[written.disagreements] = listed_as_csv(rows, [s.name for s in report.systems], raw=written.raw_csv)
    if written.replicates is not None:
        out[written.replicates] = replicates(report, raw=written.raw_csv)
    return out
