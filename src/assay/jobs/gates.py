"""Gates: whether a value, or a difference, meets its requirement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import OptionError, check_number, choose, in_percent, listed, plural
from assay.jobs.answers.results import Report, Row
from assay.lazily import shown
from assay.measures.declare.catalogue import parse, parse_known, resolve
from assay.measures.declare.measure import Measure
from assay.options import GATE_ON, UNDECIDED
from assay.texts import decimals, numeral, percent, signed
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.one.shares import normal_quantile
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.two.equivalence import check_width

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
    worst, best = (limits[0], limits[1]) if higher else (_negative(limits[1]), _negative(limits[0]))
    edge = edge if higher else -edge
    assert worst is not None
    assert best is not None
    return PASSED if worst >= edge else FAILED if best < edge else OPEN


def _negative(x: float | None) -> float | None:
    return None if x is None else -x


def check_tolerance(margin: float, name: str) -> None:
    """Refuse a margin that is negative or not finite."""
    check_number(margin, "margin")
    if not math.isfinite(margin) or margin < 0:
        raise OptionError(
            f"the margin to '{name}' is {margin:g}; it is how much worse is still acceptable, and must be 0 or more."
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
    """Fail unless the data rule out that the new system is worse than the old one by more than the margin.

    Made for tests: the text of the failure is the verdict. It passes where the whole interval of the difference is on
    the good side, fails where none of it is, and is otherwise undecided, which fails unless `undecided="pass"`.
    """
    from assay.uncertainty.two.compare import compare
    from assay.uncertainty.two.pair import check_two_names

    __tracebackhide__ = True  # a failing test shows the reader's own line, and then the sentence
    choose(undecided, UNDECIDED, "undecided")
    check_two_names(names)
    check_tolerance(margin, names[1])
    found, settled = resolve(measure, options)
    check_width(margin, found.range_with(settled), found.name)
    c = compare(y_true, new, old, measure=measure, names=names, **options)
    higher = c.higher_is_better is not False
    outcome = state(c.difference, *c.both_sides, -margin if higher else margin, higher=higher, gate_on=gate_on)
    if outcome == PASSED or (outcome == OPEN and undecided == "pass"):
        return c
    raise AssertionError(_failure(c, margin, outcome))


def assert_at_least(
    y_true: Any,
    y_pred: Any,
    *,
    measure: str | Measure,
    value: float,
    gate_on: str = "interval",
    undecided: str = "fail",
    **options: Any,
) -> Estimate:
    """Fail unless the data show that the measure is at least this value; at most, where lower is better.

    Made for tests: the text of the failure is one paragraph. It passes where the whole interval is on the good side of
    the value, fails where none of it is, and is otherwise undecided, which fails unless `undecided="pass"`. The
    interval is that of `--fail-under`: each limit alone has its stated error rate.
    """
    __tracebackhide__ = True  # a failing test shows the reader's own line, and then the sentence
    choose(undecided, UNDECIDED, "undecided")
    check_number(value, "value")
    found, settled = resolve(measure, options)
    low, high = found.range_with({name: each for name, each in settled.items() if name in found.options})
    if not low <= value <= high:
        ends = f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
        raise OptionError(
            f"value is {value:g}, outside the range of {found.name}, which is {ends}.{in_percent(value, low, high)}"
        )
    e = estimate(measure, y_true, y_pred, strict=gate_on == "interval", **options)
    outcome = state(e.value, e.low, e.high, value, higher=e.higher_is_better is not False, gate_on=gate_on)
    if outcome == PASSED or (outcome == OPEN and undecided == "pass"):
        return e
    raise AssertionError(_missed(e, value, outcome))


def _missed(e: Estimate, value: float, found: str) -> str:
    wanted, beyond = ("at least", "below") if e.higher_is_better is not False else ("at most", "above")
    if e.value is None:
        return f"{e}."
    if found == OPEN:
        return f"undecided: the data do not tell whether {e.measure} is {wanted} {value:g}. {e}."
    if e.low is None:
        return f"the data do not establish that {e.measure} is {wanted} {value:g}. {e}."
    return f"{e.measure} is {beyond} {value:g}. {e}."


def _failure(c: Comparison, margin: float, found: str) -> str:
    new, old = c.names
    if c.difference is None:
        return f"{new} cannot be compared with {old}: {c.reason}."
    told, more = shown(c, "measured"), shown(c, "settles") or _enough_alike(c, margin)
    if c.interval is None and found == FAILED:
        return f"the data do not establish that {new} is no worse than {old}. {told} There is no interval: {c.reason}."
    if found == FAILED:
        return f"{new} is worse than {old} by more than {margin:g}. {told}"
    return f"undecided: the data do not tell whether {new} is worse than {old} by more than {margin:g}. {told}" + (
        f" {more}" if more else ""
    )


def _enough_alike(c: Comparison, margin: float) -> str:
    """How many rows on which two systems always agree would rule out a difference of this margin; "" if unknown.

    Tango's limits without a disagreement are ±z² / (n + z²).
    """
    alike = c.disagreements == 0 and c.method == "tango" and c.effect.counted is None
    if not alike or not 0 < margin < 1:
        return ""
    enough = math.floor(normal_quantile(c.level) ** 2 * (1 / margin - 1)) + 1
    return f"If they go on giving the same answers, {plural(enough, c.item)} would settle it." if enough > c.n else ""


@dataclass(frozen=True)
class Check:
    """How one gate went for one system."""

    name: str
    state: str
    outcome: str

    @property
    def sentence(self) -> str:
        """The gate, how it went, and the numbers."""
        return f"gate {self.state}: {self.name}; {self.outcome}"


@dataclass(frozen=True)
class Gates:
    """What is required: values to reach, and systems that the others must not be worse than, with their margins."""

    fail_under: Mapping[str, float]
    no_worse_than: Mapping[str, float]
    gate_on: str = "interval"
    undecided: str = "fail"

    def __post_init__(self) -> None:
        choose(self.gate_on, GATE_ON, "gate_on")
        choose(self.undecided, UNDECIDED, "undecided")
        for spelling, value in self.fail_under.items():
            _check_floor(spelling, value)
        for name, margin in self.no_worse_than.items():
            check_tolerance(margin, name)

    def checked(self, report: Report) -> list[Check]:
        """Every gate for every system; what is undefined fails."""
        floors = (
            check for spelling, value in self.fail_under.items() for check in self._floor(report, spelling, value)
        )
        rivals = (check for name, margin in self.no_worse_than.items() for check in self._rival(report, name, margin))
        return [*floors, *rivals]

    def ok(self, checks: Iterable[Check]) -> bool:
        """Whether nothing failed, and nothing that had to be decided is undecided."""
        return all(check.state == PASSED or (check.state == OPEN and self.undecided == "pass") for check in checks)

    def _floor(self, report: Report, spelling: str, value: float) -> list[Check]:
        measure, options = parse(spelling)
        name = measure.spelled({**measure.options, **options})
        rows = [row for row in report.rows if (row.measure, row.slice, row.quantity) == (name, None, "value")]
        if not rows:
            there = dict.fromkeys(row.measure for row in report.rows)
            raise OptionError(
                f"--fail-under {spelling} is not among the measures shown: {listed(there)}. "
                f"Show it too, with --measure {spelling}."
            )
        higher = measure.higher_is_better is not False
        asked = f"{name} {'≥' if higher else '≤'} {numeral(value, 'g')}"
        out = []
        for row in rows:
            of = row.system if row.class_ is None else f"{row.system}, “{row.class_}”"
            strict = _strict(report, measure, options, row) if self.gate_on == "interval" else row
            told = "; stricter than the one shown" if (strict.low, strict.high) != (row.low, row.high) else ""
            out.append(self._check(f"{of}: {asked}", strict, value, higher, told))
        return out

    def _rival(self, report: Report, name: str, margin: float) -> list[Check]:
        if report.contest is None:
            raise OptionError("--no-worse-than compares systems; use 'assay compare'.")
        systems = [system.name for system in report.systems]
        if name not in systems:
            raise OptionError(f"--no-worse-than '{name}' is not one of the systems {listed(systems)}.")
        # Other rows may have the same measure for other classes; the gate is on the one that was tested.
        tested = [c for c in report.contest.tested if name in c.names]
        rows = [_seen_from(_on_both_sides(c), name) for c in tested]
        higher = report.contest.tested[0].higher_is_better is not False
        edge = -margin if higher else margin
        measure, reachable = report.contest.primary, parse_known(report.contest.primary)
        if reachable is not None:
            check_width(margin, reachable[0].range_with(reachable[1]), measure)
        out = []
        for c, row in zip(tested, rows, strict=True):
            asked = f"{row.system}: {measure} no worse than {name} by more than {margin:g}"
            check = self._check(asked, row, edge, higher)
            more = _enough_alike(c, margin) if check.state == OPEN else ""
            out.append(replace(check, outcome=f"{check.outcome}. {more.removesuffix('.')}") if more else check)
        return out

    def _check(self, name: str, row: Row, edge: float, higher: bool, told: str = "") -> Check:
        found = state(row.value, row.low, row.high, edge, higher=higher, gate_on=self.gate_on)
        if row.value is None or not math.isfinite(row.value):
            return Check(name, found, f"it is undefined ({row.reason})")
        if self.gate_on == "estimate":
            return Check(name, found, f"the estimate is {_shown(row, row.value)}")
        if row.low is None or row.high is None:
            return Check(name, found, f"there is no interval ({row.reason})")
        it = "the interval lies on both sides of that: the estimate is" if found == OPEN else "it is"
        if row.quantity == "difference" and found != OPEN:
            it = "the difference is"
        elif row.quantity == "difference":
            it = it.replace("estimate", "difference")
        limits = f"{percent(row.level)} {_shown(row, row.low)} to {_shown(row, row.high)}, {row.method}{told}"
        return Check(name, found, f"{it} {_shown(row, row.value)} ({limits})")


def _check_floor(spelling: str, value: float) -> None:
    """Refuse a value that the measure cannot have: such a gate would always fail, or never."""
    measure, options = parse(spelling)
    low, high = measure.range_with(options)
    if not low <= value <= high:
        ends = f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
        raise OptionError(
            f"--fail-under {spelling}={value:g} is outside the range of {measure.name}, which is {ends}."
            f"{in_percent(value, low, high)}"
        )


def _strict(report: Report, measure: Measure, options: Mapping[str, Any], row: Row) -> Row:
    """The row with the limits that gates use, where the report still has its counts: each alone has its error rate."""
    found, asked = report.counted, report.asked
    if found is None or row.low is None or asked.get("method", "auto") != "auto":
        return row
    tally = next((each for each in found.systems.held(row.system) if measure.reads_from(each)), None)
    if tally is None:
        return row
    drawing = {name: asked[name] for name in ("n_resamples", "random_state") if name in asked}
    of_class = {} if row.class_ is None else {"pos_label": row.class_}
    strict = estimate(measure, tally, level=row.level, strict=True, **drawing, **{**options, **of_class})
    return replace(row, low=strict.low, high=strict.high, method=strict.method, reason=strict.reason)


def _on_both_sides(c: Comparison) -> Row:
    """The difference with both limits of its level, whichever side was asked about: this adds no errors to a gate."""
    low, high = (c.low, c.high) if c.both_sides == (None, None) else c.both_sides
    return Row.of_difference(replace(c, low=low, high=high))


def _seen_from(row: Row, name: str) -> Row:
    """The difference as the other system minus the one named."""
    if row.versus == name:
        return row
    turned = {"system": row.versus or "", "versus": row.system}
    numbers = {"value": _negative(row.value), "low": _negative(row.high), "high": _negative(row.low)}
    return Row(**{**vars(row), **turned, **numbers})


def _shown(row: Row, value: float) -> str:
    """A number of the row, with as many digits as its interval deserves."""
    places = max(decimals(row.low, row.high), 3)
    return signed(value, places) if row.quantity == "difference" else numeral(value, f".{places}f")
