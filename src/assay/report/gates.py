"""Gates: whether a number reaches what was asked of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import OptionError
from assay.measures.catalogue import parse
from assay.report.report import Report

FAILED = 1


@dataclass(frozen=True)
class Gate:
    """A measure and the value it must reach: a floor, or where lower is better a ceiling."""

    spelling: str
    value: float

    def checked(self, report: Report) -> tuple[bool, str]:
        """Whether every system reaches it, and the sentence that says so; what is undefined does not."""
        measure, options = parse(self.spelling)
        name = measure.spelled({**measure.options, **options})
        rows = [row for row in report.rows if row.measure == name and row.slice is None]
        if not rows:
            shown = ", ".join(dict.fromkeys(row.measure for row in report.rows))
            raise OptionError(f"--fail-under {self.spelling} is not among the measures shown: {shown}. Add --measure.")
        higher = measure.higher_is_better is not False
        lost = []
        for row in rows:
            of = f"{row.system}" if row.class_ is None else f"{row.system}, “{row.class_}”"
            if row.value is None or not math.isfinite(row.value):
                lost.append(f"{of} undefined ({row.reason})")
            elif (row.value < self.value) if higher else (row.value > self.value):
                lost.append(f"{of} {row.value:.6g}")
        wanted = f"{name} {'≥' if higher else '≤'} {self.value:g}"
        if lost:
            return False, f"gate failed: {wanted} was asked of the estimate; {'; '.join(lost)}"
        return True, f"gate passed: {wanted} holds for the estimate"

    @staticmethod
    def exit_code(checks: Sequence[tuple[bool, str]]) -> int:
        """What the command ends with, after saying how the gates went."""
        for _, sentence in checks:
            print(sentence, file=sys.stderr)
        return 0 if all(passed for passed, _ in checks) else FAILED


def gates(given: Sequence[str] | None, gate_on: str | None) -> list[Gate]:
    """MEASURE=VALUE, each."""
    if not given:
        if gate_on is not None:
            raise OptionError("--gate-on says what --fail-under looks at; give --fail-under MEASURE=VALUE too.")
        return []
    if gate_on is None:
        raise OptionError(
            "--fail-under needs --gate-on estimate: gates that look at the interval come with comparisons, "
            "and until then nothing is chosen for you."
        )
    out = []
    for text in given:
        spelling, _, value = text.rpartition("=")
        try:
            asked = float(value)
        except ValueError:
            asked = math.nan
        if not spelling or not math.isfinite(asked):
            raise OptionError(f"--fail-under {text} is not MEASURE=VALUE, as in f1=0.8 or f1(average=macro)=0.8.")
        parse(spelling)
        out.append(Gate(spelling, asked))
    return out
