"""The command `assay prefer`."""

from __future__ import annotations

from typing import Annotated

from assay.cli.files import claim
from assay.cli.options import Explained, Format, Methods, Out, RawCsv, declared, file_name, flags, keywords
from assay.cli.show import Pages, show_report, working
from assay.options.preferring import Judged
from assay.options.showing import Listed

JudgmentFile = Annotated[str, file_name("judgment")]


@flags("Columns", Judged)
class Judgments:
    """Which columns play which role, and how judgments count."""

    item: str | None = declared()
    a: str | None = declared()
    b: str | None = declared()
    winner: str | None = declared()
    judge: str | None = declared()
    first: str | None = declared()
    cluster: str = declared()
    missing: str = declared()
    without: list[str] | None = declared()


@flags("Model and intervals", Judged)
class Showing:
    """How the result is computed and where it is written."""

    ignore_place: bool = declared()
    level: float = declared()
    format: Format = "table"
    out: Out = None
    methods: Methods = False
    raw_csv: RawCsv = False


def prefer(
    file: JudgmentFile,
    /,
    *,
    judgments: Judgments = Judgments(),
    shown: Showing = Showing(),
    explained: Explained = Explained(),
    pages: Pages = Pages(),
) -> None:
    """Estimate which systems are preferred, from judgments of two answers at a time."""
    from assay.jobs.comparison.prefer import prefer as preferred

    claim([file], {"--out": shown.out, **pages.outputs()})
    with working(f"comparing the systems of {file}"):
        report = preferred(file, **keywords(judgments), **keywords(shown))
    listed: Listed = {"notes": "all", "explain": explained.explain}
    show_report(report, shown.format, shown.out, methods=shown.methods, raw=shown.raw_csv, listed=listed)
    pages.write(report)
