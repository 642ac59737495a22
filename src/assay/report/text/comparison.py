"""A comparison in a terminal: the verdict, every difference of two systems drawn around 0, and what to watch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import digits, of_difference, on_scale, title, value_text
from assay.report.names import clean, short
from assay.report.text.axis import GOOD, NARROWEST, WIDEST, Axis, bare
from assay.report.text.classes import Lists, difference_lines, divided
from assay.report.text.groups import brief_lines
from assay.report.text.lines import (
    BRIEF_NAMES,
    Pair,
    cut_measure,
    level_head,
    measure_of,
    note_lines,
    overall,
    padded,
    section_lines,
    small_lines,
    sort_of,
)
from assay.report.text.systems import many_lines
from assay.report.text.verdict import explanation_lines, verdict_lines
from assay.report.text.wrapping import wrapped
from assay.report.tokens import terminal_color
from assay.texts import signed

SYSTEMS = (10, 8, 7, 6, 5, 4)  # characters of a system's name, the fewer the less room there is
TESTED = " tested"


def contest_lines(report: Report, width: int, lists: Lists) -> Iterator[Text]:
    """The page, line by line."""
    contest = report.contest
    assert contest is not None
    yield from verdict_lines(report, contest, width)
    first = list(_two(report, contest, width, lists) if len(contest.tested) == 1 else _many(report, width, lists))
    yield from (Text(), *first) if first else ()
    yield from _sections(report, contest, width, lists)
    if report.notes:
        yield Text()
        yield from note_lines(report.notes, width, lists.all_notes)
    yield Text()
    if lists.explain:
        yield from explanation_lines(contest, width)


def _sections(report: Report, contest: Contest, width: int, lists: Lists) -> Iterator[Text]:
    """The other tables; those of groups last if only what stands out in them is shown."""
    colors = {system.name: terminal_color(i) for i, system in enumerate(report.systems)}
    sections = (*contest.sections, *(section for system in report.systems for section in system.sections))
    for section in sections:
        if lists.all_groups or section.role != "slices":
            yield from (Text(), *section_lines(section, width, lists.all_groups, colors))
    if not lists.all_groups:
        yield from brief_lines(report, width, colors)


def _many(report: Report, width: int, lists: Lists) -> Iterator[Text]:
    """The systems and their pairs; then the other measures that were asked for, pair by pair."""
    contest = report.contest
    assert contest is not None
    yield from many_lines(report, width, explain=lists.explain)
    others = {id(c) for c in contest.others}
    shown = zip(contest.comparisons, overall(report, "difference"), strict=True)
    rows = [row for c, row in shown if id(c) in others]
    for c in contest.tested:
        some = [row for row in rows if (row.system, row.versus) == c.names]
        if some:
            yield Text()
            told = f"{c.names[0]} vs. {c.names[1]}, other measures (not tested)"
            yield from (Text(line, style="bold") for line in wrapped(clean(told), width))
            whole, classes = divided(some)
            pair = Pair.of(report, c.names)
            if whole:
                yield from _differences(whole, report, contest, pair, width)
            if classes:
                yield from difference_lines(report, classes, pair, width, lists)


# ---------------------------------------------------------------------- two systems
def _two(report: Report, contest: Contest, width: int, lists: Lists) -> Iterator[Text]:
    """A line for each measure: both values, the difference, and its interval around 0."""
    pair = Pair.of(report, contest.tested[0].names)
    rows, classes = divided(overall(report, "difference"))
    yield from _differences(rows, report, contest, pair, width)
    if classes:
        yield Text()
        yield from difference_lines(report, classes, pair, width, lists)


@dataclass(frozen=True)
class _Layout:
    """How wide the columns are; without room, names and limits are cut first, then the values go, and then the axis."""

    left: int
    values: tuple[int, int]
    limits: int
    axis: Axis | None
    names: tuple[str, str]
    pair: Pair
    brief: bool

    @classmethod
    def of(cls, rows: Sequence[Row], shown: Sequence[str], pair: Pair, width: int, directions: _Directions) -> _Layout:
        """The first that has a good axis, or any at all, in the order of what is given up for it."""
        ways = [(False, 99, SYSTEMS[0]), (True, 99, SYSTEMS[0]), *((True, BRIEF_NAMES, most) for most in SYSTEMS)]
        every = [cls._of(rows, shown, pair, width, *way, directions) for way in ways]
        every.append(cls._of(rows, shown, pair, width, True, BRIEF_NAMES, 0, directions))
        for least in (GOOD, NARROWEST):
            for each in every:
                if each.axis is not None and each.axis.cells >= least:
                    return each
        return every[-1]

    @classmethod
    def _of(
        cls,
        rows: Sequence[Row],
        shown: Sequence[str],
        pair: Pair,
        width: int,
        brief: bool,
        of_measure: int,
        of_system: int,
        directions: _Directions,
    ) -> _Layout:
        limits = max([len(_limits(row, brief)) for row in rows] + [len(level_head(rows))])
        a, b = (short(name, max(of_system, 1)) for name in pair.names)
        most = 5 if brief else 7
        values = (max(cell_len(a) + 2, most) + 2, max(cell_len(b) + 2, most) + 2) if of_system else (0, 0)
        taken = 1 + sum(values) + (2 + (7 if brief else 9)) + (2 + limits)
        left = min(max(cell_len(name) for name in [*shown, "measure"]), of_measure) + 1
        cells = min(WIDEST, width - taken - left - 2)
        axis = None
        if cells >= NARROWEST:
            drawn = [_mirrored(row, directions) for row in rows if on_scale(row)] or [
                _mirrored(row, directions) for row in rows
            ]
            axis = Axis.of_differences((x for row in drawn for x in (row.low, row.high, row.value)), cells)
        else:
            left = max(min(left, width - taken - 3), 8)  # with a mark at the end of a line
        return cls(left, values, limits, axis, (a, b), pair, brief)

    @property
    def apart(self) -> int:
        """How wide the column of differences is."""
        return 7 if self.brief else 9

    def head(self, level: str) -> Text:
        """The titles of the columns, with the two systems in their colors."""
        line = Text(f" {padded('measure', self.left)}", style="dim")
        for mark, name, room, color in zip(self.pair.marks, self.names, self.values, self.pair.colors, strict=True):
            if room:
                line.append(padded(f"{mark} {name}", room, right=True), style=f"not dim {color}")
        line.append(f"  {self.pair.apart:>{self.apart}}  {level:^{self.limits}}")
        return line.append("" if self.axis is None else f"  {self.axis.head(signed=True)}")


_Directions = Mapping[str, bool | None]  # whether higher is better, for each measure


def _differences(rows: Sequence[Row], report: Report, contest: Contest, pair: Pair, width: int) -> Iterator[Text]:
    """The rows in groups: that which was tested, of labels, of scores, and those of which less is better."""
    directions = {c.a.measure: c.higher_is_better for c in contest.comparisons}
    values = {(row.system, row.measure, row.class_): row for row in overall(report, "value")}
    tested = contest.primary if contest.was_tested and len(rows) > 1 else None
    rows = sorted(rows, key=lambda row: (row.measure != tested, sort_of(row.measure)))
    one_class = len({row.class_ for row in rows if row.class_ is not None}) == 1
    shown = [title(row) if one_class else measure_of(row) for row in rows]
    marked = [f"{name}{TESTED}" if row.measure == tested else name for row, name in zip(rows, shown, strict=True)]
    layout = _Layout.of(rows, marked, pair, width, directions)
    head = layout.head(level_head(rows))
    yield head
    yield Text("─" * min(max(head.cell_len, 60), width), style="dim")
    for i, (row, name) in enumerate(zip(rows, shown, strict=True)):
        if i and sort_of(row.measure) != sort_of(rows[i - 1].measure):
            yield Text()
        both = [values.get((system, row.measure, row.class_)) for system in pair.names]
        yield _line(row, _named(name, layout.left - 1, row.measure == tested), both, layout, directions, width)
    for told in _legend(rows, layout, directions):
        yield from small_lines(told, width)


def _named(name: str, most: int, tested: bool) -> Text:
    """The name of a measure in so many columns, and whether it is the one that was tested."""
    room = most - len(TESTED) * tested
    text = cut_measure(name, room)
    return Text.assemble((text, "bold"), (TESTED, "dim")) if tested else Text(text)


def _line(
    row: Row, name: Text, both: Sequence[Row | None], layout: _Layout, directions: _Directions, width: int
) -> Text:
    line = Text(" ").append_text(name)
    line.append(" " * (layout.left + 1 - line.cell_len))
    for value, room in zip(both, layout.values, strict=True) if sum(layout.values) else ():
        line.append(f"{'–' if value is None else value_text(value):>{room}}")
    if row.value is None:
        return line.append(short(f"  not comparable: {row.reason or ''}", width - line.cell_len), style="yellow")
    line.append(f"  {signed(row.value, digits(row)):>{layout.apart}}", style="bold")
    line.append(f"  {_limits(row, layout.brief):^{layout.limits}}", style="dim")
    sign = _sign(row, directions.get(row.measure))
    mark, color = ("○", "") if not sign else (layout.pair.marks[sign < 0], layout.pair.colors[sign < 0])
    if layout.axis is None:
        return line.append(f"  {mark}", style=f"bold {color}") if sign else line
    drawn = _mirrored(row, directions)
    assert drawn.value is not None
    low, high = (drawn.low, drawn.high) if row.has_limits else (drawn.value, drawn.value)
    # A one-sided question has no limit on its other side.
    ends = -math.inf if low is None else low, math.inf if high is None else high
    return line.append("  ").append_text(layout.axis.drawn(drawn.value, *ends, mark, color))


def _limits(row: Row, brief: bool) -> str:
    """The limits of a difference; brief ones have no zero before the point."""
    return bare(of_difference(row, " to ")) if brief else of_difference(row)


def _mirrored(row: Row, directions: _Directions) -> Row:
    """A difference as it is drawn: what is better goes to the right, also of losses."""
    if directions.get(row.measure) is not False:
        return row
    value, low, high = (None if x is None else -x for x in (row.value, row.high, row.low))
    return replace(row, value=value, low=low, high=high)


def _legend(rows: Sequence[Row], layout: _Layout, directions: _Directions) -> Iterator[str]:
    """How the table is read."""
    if not sum(layout.values):
        which = ", ".join(f"{mark} is {name}" for mark, name in zip(layout.pair.marks, layout.pair.names, strict=True))
        yield f"{which}; a wider terminal shows the values of both"
    first, second = layout.pair.marks
    known = [row for row in rows if row.value is not None]
    signs = [_sign(row, directions.get(row.measure)) for row in known]
    if layout.axis is None:
        if any(signs):
            yield f"a mark at the end: the interval excludes 0, in favor of {first} or {second}"
        return
    lower = ", also for ↓" if any(directions.get(row.measure) is False for row in rows) else ""
    parts = [f"right of │: {first} is better{lower}", f"left: {second}"]
    circled = [row for row, sign in zip(known, signs, strict=True) if not sign]
    contains = [not _off_zero(row) for row in circled]
    ways = [*["the interval contains 0"] * any(contains), *["neither direction is better"] * (not all(contains))]
    parts += [f"○: {' or '.join(ways)}"] if circled else []
    off = [sign for row in rows if (sign := layout.axis.off(_mirrored(row, directions).value))]
    parts += [f"{' '.join(dict.fromkeys(off))}: off the axis"] if off else []
    yield " · ".join(parts)


def _sign(row: Row, better: bool | None) -> int:
    """1 where the first system is ahead and the interval excludes 0, −1 where the second is."""
    if better is None or not _off_zero(row):
        return 0
    return 1 if (row.low is not None and row.low > 0) == better else -1


def _off_zero(row: Row) -> bool:
    """Whether the interval excludes 0."""
    return (row.low is not None and row.low > 0) or (row.high is not None and row.high < 0)
