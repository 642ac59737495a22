"""The command `assay rank`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.gating import Gating
from assay.cli.options import OUTPUT, Intervals, Methods, Noting, Out, RawCsv, declared, flags, keywords, no_option
from assay.cli.show import Pages, show_report, working, write_and_tell
from assay.cli.streams import tell
from assay.errors import OptionError
from assay.options.evaluating import Matched, Primary
from assay.options.ranking import Attributes, Judging, QueryTest, RankMeasures
from assay.options.showing import Listed

if TYPE_CHECKING:
    from assay.jobs.answers.results import Report

TREC, ALL_TREC = "trec", "all_trec"  # the format, and what trec_eval calls the measures that it has
# What applies to trec_eval's format as well.
OF_TREC = ("query", "document", "relevance", "score", "relevant_from", "judged_only")

QrelsFile = Annotated[
    str,
    Parameter(
        help="File of relevance judgments: TREC, CSV, TSV, JSON Lines or Parquet.",
        allow_leading_hyphen=True,
        validator=no_option,
    ),
]
RunFile = Annotated[
    str,
    Parameter(
        help="File of a run, as FILE or NAME=FILE; several are compared.",
        allow_leading_hyphen=True,
        validator=no_option,
    ),
]


@flags("Judgments and runs", Judging, Attributes)
class Judgments:
    """Which columns play which role, and how queries and documents count."""

    query: str | None = declared()
    document: str | None = declared()
    relevance: str | None = declared()
    score: str | None = declared()
    relevant_from: float | None = declared(name=["--relevant-from", "-l"])
    no_relevant: str = declared()
    missing: str = declared()
    judged_only: bool = declared(name=["--judged-only", "-J"])
    ties: bool = declared()
    query_attributes: str | None = declared()
    slice: list[str] | None = declared()
    cluster: str | None = declared()
    show_queries: bool = declared()


@flags("Measures and comparison", RankMeasures, Primary, Matched, QueryTest)
class Compared:
    """By which measures runs are evaluated, and how they are compared."""

    measure: list[str] | None = declared(name=["--measure", "-m"])
    primary: str | None = declared()
    baseline: str | None = declared()
    correction: str = declared()
    test: str = declared()
    alternative: str = declared()
    margin: float | None = declared()
    strict: bool = declared()
    raw_p: bool = declared()


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class Written:
    """Where the result is written."""

    format: Annotated[
        Literal["table", "json", "csv", "md", "latex", "trec"],
        Parameter(help="Output format; trec prints what trec_eval -m all_trec prints for a single run, by its rules."),
    ] = "table"
    by_query: Annotated[
        bool, Parameter(name=["--by-query", "-q"], help="In that format, also print every query.", negative=())
    ] = False
    complete: Annotated[
        bool,
        Parameter(
            name=["--complete", "-c"],
            help="In that format, count judged queries missing from the run as 0.",
            negative=(),
        ),
    ] = False
    out: Out = None
    methods: Methods = False
    raw_csv: RawCsv = False
    per_query: Annotated[
        str | None,
        Parameter(help="Write the value of every query to this CSV file: a column for each measure and run."),
    ] = None
    counts: Annotated[
        str | None,
        Parameter(help="Write the counts to this file; they can be merged with those of other queries and evaluated."),
    ] = None
    no_worse_than: Annotated[
        list[str] | None,
        Parameter(
            help="Exit with code 1 unless every other run is at most MARGIN worse than NAME, as NAME:MARGIN.",
            negative=(),
            group="Gates",
        ),
    ] = None

    def outputs(self) -> dict[str, str | None]:
        """The files to write, by option."""
        return {"--out": self.out, "--per-query": self.per_query, "--counts": self.counts}


def rank(
    qrels: QrelsFile,
    /,
    *runs: RunFile,
    judgments: Judgments = Judgments(),  # a frozen value, and how cyclopts takes defaults
    compared: Compared = Compared(),
    noting: Noting = Noting(),
    drawing: Intervals = Intervals(),
    written: Written = Written(),
    pages: Pages = Pages(),
    gating: Gating = Gating(),
) -> int:
    """Evaluate rankings by relevance judgments, and compare several runs query by query."""
    from assay.jobs.ranking.rank import rank as ranked

    gates = gating.gates(written.no_worse_than)
    named = _named(runs)
    claim(
        [qrels, *named.values(), judgments.query_attributes],
        {**written.outputs(), **pages.outputs(), **gating.outputs()},
    )
    if written.format == TREC:
        if gates.fail_under or gates.no_worse_than:
            raise OptionError("gates do not apply to --format trec, which only prints values; leave out --format.")
        _refuse_files({**written.outputs(), **pages.outputs(), **gating.outputs()})
        return _as_trec_eval(qrels, named, judgments, compared, written)
    _refuse_flags_of_trec(written)
    if written.no_worse_than and len(named) == 1:
        raise OptionError("--no-worse-than is about comparing runs, but there is only one; name a second run.")
    options = {**keywords(judgments), **keywords(compared), **keywords(drawing)}
    with working(f"ranking by {qrels}"):
        report = ranked(qrels, named, **options)
        checks = gates.checked(report)
        texts = _files(report, written)
    for path, text in texts.items():
        write_and_tell(path, text)
    listed: Listed = {"notes": noting.notes, "groups": noting.groups, "explain": noting.explain}
    show_report(report, written.format, written.out, methods=written.methods, raw=written.raw_csv, listed=listed)
    pages.write(report)
    return gating.told(report, gates, checks)


def _named(runs: tuple[str, ...]) -> dict[str, str]:
    """The files of the runs by name: NAME=FILE, or the name of the file."""
    from assay.jobs.ranking.runs import file_names

    if not runs:
        raise OptionError(
            "name at least one run after the judgments, as in 'assay rank qrels.txt bm25.run', or several, as in "
            "'assay rank qrels.txt old=v1.run new=v2.run'."
        )
    bare = [text for text in runs if "=" not in text or Path(text).exists()]
    called = {text: name for name, text in file_names(bare).items()}
    out: dict[str, str] = {}
    for text in runs:
        name, _, file = (called[text], "", text) if text in called else text.partition("=")
        if not name or not file:
            raise OptionError(f"'{text}' is not a file, nor NAME=FILE.")
        if name in out:
            raise OptionError(f"two runs are called '{name}'; give them different names, as in first={file}.")
        out[name] = file
    return out


def _files(report: Report, written: Written) -> dict[str, str]:
    """The files that were asked for besides the result, all computed before any is written."""
    from assay.jobs.ranking.queries import per_query_csv
    from assay.jobs.ranking.rank import stored

    out = {}
    if written.per_query is not None:
        out[written.per_query] = per_query_csv(report, raw=written.raw_csv)
    if written.counts is not None:
        out[written.counts] = stored(report).to_json() + "\n"
    return out


# ---------------------------------------------------------------------- as trec_eval prints it
def _refuse_flags_of_trec(written: Written) -> None:
    for name, flag in (("by_query", "-q"), ("complete", "-c")):
        if getattr(written, name):
            instead = {"by_query": "--per-query FILE", "complete": "--missing zero, which is the default"}[name]
            raise OptionError(f"{flag} belongs to --format trec; otherwise use {instead}.")


def _refuse_files(outputs: Mapping[str, str | None]) -> None:
    """Refuse files that this format does not write."""
    for flag, file in outputs.items():
        if file is not None and flag != "--out":
            instead = "print every query with -q, or leave out" if flag == "--per-query" else "leave out"
            raise OptionError(f"{flag} does not apply to --format trec, which only prints values; {instead} --format.")


def _as_trec_eval(qrels: str, runs: dict[str, str], judgments: Judgments, compared: Compared, written: Written) -> int:
    from assay.jobs.ranking.trec import trec_eval
    from assay.report.answers.trec import as_trec_eval

    given: dict[str, Any] = {**keywords(judgments), **keywords(compared)}
    usual = {**keywords(Judgments()), **keywords(Compared())}
    if given["measures"] == [ALL_TREC]:
        given["measures"] = usual["measures"]
    extra = [name for name, value in given.items() if name not in OF_TREC and value != usual[name]]
    if extra:
        flag = {"measures": "measure", "slices": "slice"}.get(extra[0], extra[0]).replace("_", "-")
        raise OptionError(f"--{flag} does not apply to --format trec, which follows trec_eval's own rules.")
    if len(runs) > 1:
        raise OptionError("--format trec prints a single run, as trec_eval does; name one.")
    columns = {name: given[name] for name in OF_TREC}
    with working(f"ranking by {qrels}"):
        found = trec_eval(qrels, next(iter(runs.values())), complete=written.complete, **columns)
        text = as_trec_eval(found, by_query=written.by_query)
    if written.out is None:
        tell(text, raw=True)
    else:
        write_and_tell(written.out, text)
    return 0
