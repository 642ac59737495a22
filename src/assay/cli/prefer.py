"""The command `assay prefer`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import FileName, Format, RawCsv
from assay.cli.pages import Pages
from assay.cli.show import show_report, working
from assay.options import LEVEL


@Parameter(name="*", group="Columns")
@dataclass(frozen=True)
class Judged:
    """Which columns play which role, and how judgments count."""

    item: Annotated[
        str | None,
        Parameter(help="Column of what was answered, if it is not called item, prompt, question, query or the like."),
    ] = None
    a: Annotated[str | None, Parameter(help="Column of one system, if not called a, model_a or system_a.")] = None
    b: Annotated[str | None, Parameter(help="Column of the other, if not called b, model_b or system_b.")] = None
    winner: Annotated[
        str | None,
        Parameter(help="Column of the winner: a system's name, a or b, or tie; if it is not called winner."),
    ] = None
    judge: Annotated[str | None, Parameter(help="Column of who judged.")] = None
    first: Annotated[str | None, Parameter(help="Column of the system that was shown first; --a unless named.")] = None
    cluster: Annotated[
        Literal["item", "judge", "judgment"],
        Parameter(help="Which judgments belong together: those of an item, those by a judge, or none."),
    ] = "item"
    missing: Annotated[
        Literal["error", "skip", "tie"],
        Parameter(help="What a missing winner is: an error, a reason to skip the row, or a tie."),
    ] = "error"
    ignore_place: Annotated[bool, Parameter(help="Do not allow for which answer was shown first.", negative=())] = False

    def options(self) -> dict[str, Any]:
        """The options of `prefer` that these stand for."""
        named = dict(vars(self))
        named["places"] = not named.pop("ignore_place")
        return named


@Parameter(name="*", group="What is shown")
@dataclass(frozen=True)
class Shown:
    """At which level, and where it goes."""

    level: Annotated[float, Parameter(help="Confidence level of the intervals.")] = LEVEL
    format: Annotated[Format, Parameter(help="How to write the result.")] = "table"
    out: Annotated[str | None, Parameter(help="File to write the result to, instead of the screen.")] = None
    methods: Annotated[bool, Parameter(help="Add a sentence for the Methods section of a paper.", negative=())] = False
    raw_csv: RawCsv = False


def prefer(
    file: FileName,
    /,
    *,
    judged: Judged = Judged(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    shown: Shown = Shown(),  # noqa: B008
    pages: Pages = Pages(),  # noqa: B008
) -> int:
    """Say which systems are preferred, from judgments of two answers at a time."""
    from assay.jobs.prefer import prefer as preferred

    claim([file], {"--out": shown.out, **pages.outputs()})
    with working(f"comparing the systems of {file}"):
        report = preferred(file, **judged.options(), level=shown.level)
    show_report(report, shown.format, shown.out, methods=shown.methods, raw=shown.raw_csv)
    pages.write(report)
    return 0
