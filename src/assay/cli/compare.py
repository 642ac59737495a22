"""The command `assay compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.gating import Gating
from assay.cli.options import Drawing, FileName, Format, RawCsv, SlicedRows, pairs
from assay.cli.pages import Pages
from assay.cli.show import show_report, working
from assay.cli.streams import say
from assay.errors import OptionError

if TYPE_CHECKING:
    from assay.jobs.results import Report


@Parameter(name="*", group="What is compared")
@dataclass(frozen=True)
class Compared:
    """Who is compared with whom, by which measures and tests."""

    measure: Annotated[
        list[str] | None,
        Parameter(help="A measure such as f1 or f1(average=macro); repeat for more.", negative=()),
    ] = None
    primary: Annotated[str | None, Parameter(help="The one measure that is tested.")] = None
    baseline: Annotated[str | None, Parameter(help="Compare every other system with this one.")] = None
    correction: Annotated[
        Literal["holm", "benjamini_hochberg", "bonferroni", "none"],
        Parameter(help="How several p-values are corrected."),
    ] = "holm"
    test: Annotated[
        str,
        Parameter(
            help="auto, randomization, bootstrap, mcnemar_midp, mcnemar (exact), mcnemar_chi2, mcnemar_chi2_corrected, "
            "sign, interval, none; over folds and data sets corrected_t, 5x2cv, 5x2cv_f, t, wilcoxon, sign."
        ),
    ] = "auto"
    statistic: Annotated[
        Literal["auto", "studentized", "raw"], Parameter(help="What the randomization test compares.")
    ] = "auto"
    alternative: Annotated[
        Literal["two-sided", "greater", "less"],
        Parameter(
            help="What speaks against no difference: greater is the first system being higher. "
            "A one-sided question has a one-sided limit."
        ),
    ] = "two-sided"
    margin: Annotated[float | None, Parameter(help="Also test whether the difference lies within this margin.")] = None
    strict: Annotated[
        bool, Parameter(help="Bootstrap draws that only reach the difference do not count.", negative=())
    ] = False
    raw_p: Annotated[bool, Parameter(help="Bootstrap p as s/b, not (s + 1)/(b + 1).", negative=())] = False
    unpaired: Annotated[bool, Parameter(help="Take the systems' files as separate samples.", negative=())] = False

    def options(self) -> dict[str, Any]:
        """The options of `compare_systems` that these stand for."""
        named = dict(vars(self))
        named["measures"] = named.pop("measure")
        return named


@Parameter(name="*", group="Folds, data sets and values")
@dataclass(frozen=True)
class Repeated:
    """Values that were measured several times."""

    value: Annotated[
        list[str] | None,
        Parameter(help="Column of a system's values, as COL or NAME=COL, instead of --pred; repeat.", negative=()),
    ] = None
    folds: Annotated[str | None, Parameter(help="Column that says which fold of one data set a row is of.")] = None
    repeats: Annotated[str | None, Parameter(help="Column that says which repetition a fold is of.")] = None
    datasets: Annotated[str | None, Parameter(help="Column that says which data set a row is of.")] = None
    lower: Annotated[bool, Parameter(help="Lower values are better (with --value).", negative=())] = False
    value_range: Annotated[
        str | None, Parameter(help="Between what such values lie, as LOW:HIGH; for their intervals (with --value).")
    ] = None


@Parameter(name="*", group="Where it goes")
@dataclass(frozen=True)
class Written:
    """Where the result goes."""

    format: Annotated[Format, Parameter(help="How to write the result.")] = "table"
    out: Annotated[str | None, Parameter(help="File to write the result to, instead of the screen.")] = None
    methods: Annotated[bool, Parameter(help="Add a sentence for the Methods section of a paper.", negative=())] = False
    raw_csv: RawCsv = False
    disagreements: Annotated[
        str | None, Parameter(help="CSV file for the rows on which the systems answer differently.")
    ] = None
    replicates: Annotated[
        str | None, Parameter(help="CSV file for the draws of the difference and of the null hypothesis.")
    ] = None
    no_worse_than: Annotated[
        list[str] | None,
        Parameter(help="End with code 1 unless the others are no worse than NAME:MARGIN.", negative=(), group="Gates"),
    ] = None

    def outputs(self) -> dict[str, str | None]:
        """The files to write, by option."""
        return {"--out": self.out, "--disagreements": self.disagreements, "--replicates": self.replicates}


def compare(
    file: FileName | None = None,
    /,
    *,
    rows: SlicedRows = SlicedRows(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    compared: Compared = Compared(),  # noqa: B008
    repeated: Repeated = Repeated(),  # noqa: B008
    drawing: Drawing = Drawing(),  # noqa: B008
    written: Written = Written(),  # noqa: B008
    pages: Pages = Pages(),  # noqa: B008
    gating: Gating = Gating(),  # noqa: B008
) -> int:
    """Say whether systems differ: the difference with its interval, then the test, then words that are true."""
    gates = gating.gates(written.no_worse_than)
    question = rows.question()
    claim([file, *(question["systems"] or {}).values()], {**written.outputs(), **pages.outputs(), **gating.outputs()})
    options = {**compared.options(), **drawing.options()}
    with working(f"comparing the systems of {file}" if file else "comparing"):
        report = _report(file, question, repeated, options)
        checks = gates.checked(report)
        texts = _files(report, file, question, written)
    for path, text in texts.items():
        _write(path, text)
    show_report(report, written.format, written.out, methods=written.methods, raw=written.raw_csv)
    pages.write(report)
    return gating.told(report, gates, checks)


def _report(file: str | None, question: dict[str, Any], repeated: Repeated, options: dict[str, Any]) -> Report:
    from assay.jobs.comparison.systems import compare_systems

    if repeated == Repeated():
        return compare_systems(file, **question, **options)
    from assay.jobs.comparison.repeated import compare_repeated

    values = pairs(repeated.value, "--value", "COL or NAME=COL", bare=True)
    more: dict[str, Any] = {"folds": repeated.folds, "repeats": repeated.repeats, "datasets": repeated.datasets}
    if repeated.value_range is not None:
        more["value_range"] = _ends(repeated.value_range)
    return compare_repeated(file, values=values, lower_is_better=repeated.lower, **more, **question, **options)


def _ends(text: str) -> tuple[float, float]:
    low, parted, high = text.partition(":")
    try:
        return float(low), float(high if parted else "none")
    except ValueError:
        raise OptionError(f"--value-range is '{text}'; it is the lowest and the highest value, as in 0:1.") from None


def _files(report: Report, file: str | None, question: dict[str, Any], written: Written) -> dict[str, str]:
    """The files that were asked for beside the result, made before any of them is written."""
    from assay.jobs.comparison.disagreements import disagreements, listed_as_csv, replicates

    out = {}
    if written.disagreements is not None:
        data = file if file is not None else next(iter((question["systems"] or {}).values()), None)
        rows = disagreements(data, **question)
        out[written.disagreements] = listed_as_csv(rows, [s.name for s in report.systems], raw=written.raw_csv)
    if written.replicates is not None:
        out[written.replicates] = replicates(report, raw=written.raw_csv)
    return out


def _write(path: str, text: str) -> None:

    from assay.cli.files import write_text

    write_text(path, text)
    say(f"wrote {path}")
