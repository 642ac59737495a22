"""Whether a number is shown to reach what was asked of it: passed, failed, or undecided."""

from __future__ import annotations

import math
from typing import Any

from assay.errors import OptionError, choose
from assay.measures.declare import Measure
from assay.options import GATE_ON, UNDECIDED
from assay.uncertainty.compare import compare
from assay.uncertainty.results import Comparison
from assay.uncertainty.words import measured, settles

PASSED, FAILED, OPEN = "passed", "failed", "undecided"


def state(
    value: float | None, low: float | None, high: float | None, edge: float, *, higher: bool, gate_on: str = "interval"
) -> str:
    """Passed where the whole interval, or the estimate, is on the good side of the edge, failed where none of it is.

    What is undefined, infinite or without an interval fails: a gate that cannot be judged stays closed.
    """
    choose(gate_on, GATE_ON, "gate_on")
    limits = (value, value) if gate_on == "estimate" else (low, high)
    if value is None or any(x is None or not math.isfinite(x) for x in (value, *limits)):
        return FAILED
    worst, best = (limits[0], limits[1]) if higher else (_negated(limits[1]), _negated(limits[0]))
    edge = edge if higher else -edge
    assert worst is not None
    assert best is not None
    return PASSED if worst >= edge else FAILED if best < edge else OPEN


def _negated(x: float | None) -> float | None:
    return None if x is None else -x


def check_tolerance(margin: float, name: str) -> None:
    """Refuse what is no amount of getting worse."""
    if not math.isfinite(margin) or margin < 0:
        raise OptionError(
            f"the margin to '{name}' is {margin:g}; it says how much worse is still good enough, from 0 up."
        )


def assert_no_worse(
    y_true: Any,
    new: Any,
    old: Any,
    *,
    measure: str | Measure,
    margin: float,
    names: tuple[str, str] = ("new", "old"),
    gate_on: str = "interval",
    undecided: str = "fail",
    **options: Any,
) -> Comparison:
    """Fail unless the new system is shown to be no worse than the old one by more than the margin.

    Made for tests: the text of the failure is the verdict. It is passed where the whole interval of the difference is
    on the good side, failed where none of it is, and otherwise undecided, which fails unless `undecided="pass"`.
    """
    choose(undecided, UNDECIDED, "undecided")
    check_tolerance(margin, names[1])
    c = compare(y_true, new, old, measure=measure, names=names, **options)
    higher = c.higher_is_better is not False
    found = state(c.difference, *c.both_sides, -margin if higher else margin, higher=higher, gate_on=gate_on)
    if found == PASSED or (found == OPEN and undecided == "pass"):
        return c
    raise AssertionError(_failure(c, margin, found))


def _failure(c: Comparison, margin: float, found: str) -> str:
    new, old = c.names
    if c.difference is None:
        return f"{new} cannot be compared with {old}: {c.reason}."
    if c.interval is None and found == FAILED:
        return f"{new} is not shown to be no worse than {old}: {measured(c)} There is no interval: {c.reason}."
    if found == FAILED:
        return f"{new} is worse than {old} by more than {margin:g}. {measured(c)}"
    more = settles(c)
    return (
        f"undecided: the data do not tell whether {new} is worse than {old} by more than {margin:g}. {measured(c)}"
        + (f" {more}" if more else "")
    )
