"""Gates on the command line: what must be reached, and where to write the outcome."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from assay.cli.streams import say
from assay.errors import OptionError

if TYPE_CHECKING:
    from assay.jobs.answers.results import Report
    from assay.jobs.gates import Check, Gates

FAILED = 1


@Parameter(name="*", group="Gates")
@dataclass(frozen=True)
class Gating:
    """What must be reached; otherwise the exit code is 1."""

    fail_under: Annotated[
        list[str] | None,
        Parameter(help="Exit with code 1 unless MEASURE=VALUE is reached; repeat for more.", negative=()),
    ] = None
    gate_on: Annotated[
        Literal["interval", "estimate"] | None,
        Parameter(help="What a gate tests: the whole interval (default), or the estimate alone."),
    ] = None
    undecided: Annotated[
        Literal["fail", "pass"] | None,
        Parameter(help="Result of a gate whose required value lies inside the interval: fail (default) or pass."),
    ] = None
    junit: Annotated[str | None, Parameter(help="Write the gates to this file as JUnit XML.")] = None
    summary: Annotated[
        str | None, Parameter(help="Append a Markdown summary to this file, such as $GITHUB_STEP_SUMMARY.")
    ] = None

    def gates(self, no_worse_than: Sequence[str] | None = None) -> Gates:
        """The gates that were asked for; an `OptionError` if they are not well formed."""
        from assay.jobs.gates import Gates

        floors = _numbers(self.fail_under, "=", "--fail-under", "MEASURE=VALUE, as in f1=0.8 or f1(average=macro)=0.8")
        rivals = _numbers(no_worse_than, ":", "--no-worse-than", "NAME:MARGIN, as in old:0.01")
        if not floors and not rivals:
            for name in ("gate_on", "undecided", "junit"):
                if getattr(self, name) is not None:
                    option = f"--{name.replace('_', '-')}"
                    wanted = "--fail-under MEASURE=VALUE (or, with compare, --no-worse-than NAME:MARGIN)"
                    raise OptionError(f"{option} applies to gates, but none is set; give {wanted}.")
        return Gates(floors, rivals, self.gate_on or "interval", self.undecided or "fail")

    def outputs(self) -> dict[str, str | None]:
        """The files to write, by option."""
        return {"--junit": self.junit, "--summary": self.summary}

    def told(self, report: Report, gates: Gates, checks: Sequence[Check]) -> int:
        """Write the files about the gates, report their outcome, and return the exit code."""
        from assay.cli.files import write_text

        if self.junit is not None:
            from assay.report.text.markup import junit

            write_text(self.junit, junit(checks, gates.undecided))
        if self.summary is not None:
            from assay.report.text.markup import shortened, summary

            write_text(self.summary, shortened(_before(self.summary) + summary(report, checks)))
        for check in checks:
            say(check.sentence)
        return 0 if gates.ok(checks) else FAILED


def _numbers(given: Sequence[str] | None, between: str, option: str, wanted: str) -> dict[str, float]:
    out = {}
    for text in given or ():
        name, _, value = text.rpartition(between)
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name or not math.isfinite(number):
            raise OptionError(f"{option} {text} is not {wanted}.")
        if name.endswith(">"):
            raise OptionError(f"{option} {text} is not {wanted}. Write {name.rstrip('> ')}={value.strip()}.")
        out[name] = number
    return out


def _before(path: str | os.PathLike[str]) -> str:
    """The present contents of the file: other steps of a build may have written to it."""
    try:
        return Path(path).read_text(encoding="utf-8") if os.path.isfile(path) else ""  # noqa: PTH113  # never raises
    except (OSError, UnicodeDecodeError):
        raise OptionError(f"'{path}' exists and is not text that a summary could be appended to.") from None
