"""Measures as a table with every interval drawn: the systems' values, the no-model baseline, and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.jobs.comparison.contest import Contest
from assay.jobs.results import Report, Row
from assay.jobs.words import digits, estimate, interval, number, of_difference, on_scale
from assay.measures.declare.catalogue import name, parse_known
from assay.report.page.blocks import Block, Folded, Part, Prose, Table
from assay.report.text.classes import class_items, class_section, ordered
from assay.texts import numeral, percent, signed
from assay.uncertainty.results import Comparison

MOST_CLASS_ROWS = 60  # values of single classes that are drawn; more become a table
SIDE_BY_SIDE = 2  # systems with a column each; more are listed below each other


@dataclass(frozen=True)
class Mark:
    """An estimate and its limits, in percent of the way along the scale."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Value:
    """One system's value as shown; without a value, the reason."""

    text: str
    limits: str
    mark: Mark | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Difference:
    """The difference between two systems, and whom it favors."""

    text: str
    limits: str
    said: str
    tone: str  # first, second, open
    tested: bool


@dataclass(frozen=True)
class Line:
    """One measure: the value of every system, and the no-model baseline."""

    name: str
    class_: str | None
    lower: bool
    values: tuple[Value | None, ...]
    ticks: tuple[float, ...]  # one, unless systems were judged on different rows
    no_model: str
    difference: Difference | None = None

    @property
    def drawn(self) -> bool:
        """Whether anything of it lies on the scale."""
        return any(value is not None and value.mark is not None for value in self.values)


@dataclass(frozen=True)
class Forest(Block):
    """A line for each measure, on one scale."""

    template: ClassVar[str] = "forest.html"
    caption: str
    systems: tuple[str, ...]
    lines: tuple[Line, ...]
    scale: tuple[float, float]
    level: str

    @property
    def side_by_side(self) -> bool:
        """Whether every system has a column of its own."""
        return len(self.systems) <= SIDE_BY_SIDE

    @property
    def compared(self) -> bool:
        """Whether there are differences to show."""
        return any(line.difference is not None for line in self.lines)

    @property
    def drawn(self) -> bool:
        """Whether anything lies on the scale."""
        return any(line.drawn for line in self.lines)

    @property
    def grid(self) -> tuple[tuple[float, str], ...]:
        """Places along the scale in percent, and the numbers there."""
        low, high = self.scale
        marks = (low, (low + high) / 2, high)
        return tuple((100 * (x - low) / (high - low), numeral(x, "g")) for x in marks)


def measures_part(report: Report) -> Part:
    """Every measure of the whole data, and those of single classes folded away."""
    rows = [row for row in report.rows if row.slice is None and row.quantity == "value"]
    whole, classes = _divided(rows)
    blocks: list[Block] = [_forest(report, whole, "Measures")] if whole else []
    if classes:
        blocks.append(_of_classes(report, classes, opened=not whole))
    lead = _lead(report, rows)
    return Part("measures", "Measures", "Measures", tuple(blocks), lead)


def _divided(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The rows about all classes, and those about single classes if there are several."""
    if len({row.class_ for row in rows if row.class_ is not None}) < 2:
        return list(rows), []
    return [row for row in rows if row.class_ is None], [row for row in rows if row.class_ is not None]


def _of_classes(report: Report, rows: Sequence[Row], *, opened: bool) -> Block:
    """Every value drawn if that fits a page; otherwise a row for each class, the largest first."""
    if len({(row.measure, row.class_) for row in rows}) > MOST_CLASS_ROWS:
        return Folded(tuple(_tables(report, rows)), "Class by class")
    forest = _forest(report, rows, "Measures of single classes")
    return forest if opened else Folded((forest,), "Class by class")


def _tables(report: Report, rows: Sequence[Row]) -> Iterator[Block]:
    systems = dict.fromkeys(row.system for row in rows)
    for system in systems:
        of_it = [row for row in rows if row.system == system]
        items = class_items(report, system)
        names = ordered(list(dict.fromkeys(str(row.class_) for row in of_it)), [], items, "size")
        yield Table(class_section(of_it, items, names), system if len(systems) > 1 else None)
    if report.contest is not None:
        yield Prose(("Differences in single classes are left out here; --format csv has them.",), "note")


def _lead(report: Report, rows: Sequence[Row]) -> tuple[str, ...]:
    level = percent(next((row.level for row in rows), 0.95))
    shown = [row for row in rows if on_scale(row)]
    bars = f" and bars are their {level} intervals" if any(row.low is not None for row in shown) else ""
    text = f"Marks are estimates{bars}." if shown else ""
    if any(row.no_skill is not None for row in shown):
        text += " The gray tick is the no-model baseline."
    contest = report.contest
    if contest is None or not contest.others:
        return (text,) if text else ()
    return (*((text,) if text else ()), _of_tests(contest))


def _of_tests(contest: Contest) -> str:
    """What was tested, and what the intervals of the rest show."""
    one = contest.was_tested
    tested = f"Only {name(contest.primary)} was tested." if one else "Nothing was tested."
    if all(c.interval is None for c in contest.others):
        return tested
    told = "interval shows which differences are compatible with the data; it is not corrected for looking at several."
    return f"{tested} {'For the others, the' if one else 'The'} {told}"


# ---------------------------------------------------------------------- lines
def _forest(report: Report, rows: Sequence[Row], caption: str) -> Forest:
    systems = tuple(system.name for system in report.systems)
    scale = (-1.0 if any(_below_zero(row) for row in rows if on_scale(row)) else 0.0, 1.0)
    held = {(row.system, row.measure, row.class_): row for row in rows}
    differences = _differences(report) if len(systems) == SIDE_BY_SIDE else {}
    lines = []
    for measure, class_ in dict.fromkeys((row.measure, row.class_) for row in rows):
        of_each = [held.get((system, measure, class_)) for system in systems]
        lines.append(_line(measure, class_, of_each, scale, differences.get((measure, class_))))
    return Forest(caption, systems, tuple(lines), scale, percent(next((row.level for row in rows), 0.95)))


def _below_zero(row: Row) -> bool:
    return any(x is not None and x < 0 for x in (row.value, row.low))


def _line(
    measure: str, class_: str | None, rows: Sequence[Row | None], scale: tuple[float, float], apart: Difference | None
) -> Line:
    some = [row for row in rows if row is not None]
    found = parse_known(measure)
    drawn = all(on_scale(row) for row in some)
    floors = {row.no_skill: row for row in some if row.no_skill is not None}
    beside = (f"{number(x, min(digits(row), 3))}: {row.no_skill_name or 'no model'}" for x, row in floors.items())
    return Line(
        name=name(measure),
        class_=class_,
        lower=found is not None and found[0].higher_is_better is False,
        values=tuple(None if row is None else _value(row, scale if drawn else None) for row in rows),
        ticks=tuple(_place(x, scale) for x in floors) if drawn else (),
        no_model="; ".join(beside),
        difference=apart,
    )


def _value(row: Row, scale: tuple[float, float] | None) -> Value:
    if row.value is None:
        return Value("undefined", "", reason=row.reason)
    limits = interval(row, "–") if row.low is not None else "no interval"
    mark = None
    if scale is not None:
        ends = (None if x is None else _place(x, scale) for x in (row.low, row.high))
        mark = Mark(_place(row.value, scale), *ends)
    return Value(estimate(row), limits, mark, row.reason if row.low is None else None)


def _place(x: float, scale: tuple[float, float]) -> float:
    low, high = scale
    return round(100 * min(max((x - low) / (high - low), 0.0), 1.0), 2)


# ---------------------------------------------------------------------- differences
def _differences(report: Report) -> dict[tuple[str, str | None], Difference]:
    contest = report.contest
    if contest is None:
        return {}
    rows = [row for row in report.rows if row.quantity == "difference" and row.slice is None]
    pairs = zip(contest.comparisons, rows, strict=True)
    return {(row.measure, row.class_): _difference(c, row, contest) for c, row in pairs}


def _difference(c: Comparison, row: Row, contest: Contest) -> Difference:
    primary = c in contest.tested
    tested = primary and c.p_value is not None
    if row.value is None:
        return Difference("–", "", "not comparable", "open", tested)
    ends = "" if c.interval is None else of_difference(row, " to ")
    tone, said = _said(c, row, primary=primary)
    return Difference(signed(row.value, digits(row)), ends, said, tone, tested)


def _said(c: Comparison, row: Row, *, primary: bool) -> tuple[str, str]:
    """Whom the difference favors: by the verdict on the primary measure, else by whether the interval excludes 0."""
    if primary:
        tone = {"better": "first", "worse": "second"}.get(c.outcome, "open")
        if c.alternative != "two-sided" and c.outcome == "no difference shown":
            return tone, f"not significantly {'higher' if c.alternative == 'greater' else 'lower'}"
        words = {"better": f"{c.names[0]} better", "worse": f"{c.names[1]} better"}
        return tone, words.get(c.outcome, c.outcome)
    if row.low is None or row.high is None:
        return "open", "no interval"
    if c.higher_is_better is None or row.low <= 0 <= row.high:
        return "open", "neither"
    ahead = (row.low > 0) == c.higher_is_better
    return ("first", c.names[0]) if ahead else ("second", c.names[1])
