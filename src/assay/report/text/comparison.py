"""A comparison in a terminal: the verdict, every difference drawn around 0, who was right where, and the test."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from assay.jobs.comparison.contest import ALL_PAIRS, Contest
from assay.jobs.results import Report, Row
from assay.jobs.words import digits, number, of_difference, on_scale, title
from assay.report.text.classes import Lists, difference_lines, divided
from assay.report.text.lines import Pair, clean, cut_alike, note_lines, padded, section_lines, short
from assay.report.words.comparisons import MEANING, TEST_NAMES, effects, hypotheses
from assay.texts import p_number, percent, signed
from assay.uncertainty.results import Comparison

WIDEST, NARROWEST = 31, 11  # characters of the drawn scale
SCALES = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0)
BRIEF_NAMES = 18  # characters of a measure where there is little room
BRIEF = {"better": "first is better", "worse": "second is better", "no difference shown": "none shown"}


def contest_lines(report: Report, width: int, lists: Lists) -> Iterator[Text]:
    """The page, line by line."""
    contest = report.contest
    assert contest is not None
    yield from _summary(contest, width)
    first = list((_two if len(contest.tested) == 1 else _many)(report, contest, width, lists))
    yield from (Text(), *first) if first else ()
    for section in (*contest.sections, *(section for system in report.systems for section in system.sections)):
        yield Text()
        yield from section_lines(section, width)
    if report.notes:
        yield Text()
        yield from note_lines(report.notes, width, lists.all_notes)
    yield Text()
    yield from _hypotheses(contest, width)


def _summary(contest: Contest, width: int) -> Iterator[Text]:
    style = "bold"
    for line in contest.summary:
        for part in textwrap.wrap(clean(line), width):
            yield Text(part, style=style)
        style = ""


def _hypotheses(contest: Contest, width: int) -> Iterator[Text]:
    """The hypotheses of the test, and what its p-value is."""
    c = next((c for c in contest.tested if c.p_value is not None), None)
    if c is None:
        return
    of_each = ", likewise for every pair" if len(contest.tested) > 1 else ""
    h0, h1 = hypotheses(c)
    lines = [f"null hypothesis (H0){of_each}: {h0}", f"alternative (H1): {h1}", MEANING]
    if c.why and c.why != "as asked":
        lines.insert(0, f"{TEST_NAMES.get(c.test, c.test)}, because {c.why}")
    for line in lines:
        for part in textwrap.wrap(clean(line), width, subsequent_indent="  "):
            yield Text(part, style="dim")


# ---------------------------------------------------------------------- two systems
def _two(report: Report, contest: Contest, width: int, lists: Lists) -> Iterator[Text]:
    """A line for each measure: both values, the difference, and its interval around 0."""
    pair = Pair.of(report, contest.tested[0].names)
    rows, classes = divided(_overall(report, "difference"))
    yield from _differences(rows, _values(report), pair, width, _directions(contest))
    if classes:
        yield Text()
        yield from difference_lines(report, classes, pair, width, lists)
    text = effects(contest.tested[0])
    if text:
        yield Text()
        yield from (Text(part) for part in textwrap.wrap(clean(text), width))


def _values(report: Report) -> Mapping[tuple[str, str, str | None], Row]:
    return {(row.system, row.measure, row.class_): row for row in _overall(report, "value")}


def _overall(report: Report, quantity: str) -> list[Row]:
    """The rows of all items, and none of a group."""
    return [row for row in report.rows if row.slice is None and row.quantity == quantity]


@dataclass(frozen=True)
class _Layout:
    """How wide the columns of differences are; without room, names and limits are cut, and then the scale goes."""

    left: int
    values: tuple[int, int]
    limits: int
    axis: int
    scale: float
    names: tuple[str, str]
    pair: Pair
    brief: bool

    @classmethod
    def of(cls, rows: Sequence[Row], shown: Sequence[str], pair: Pair, width: int) -> _Layout:
        """The widest that fits; if that has no scale, a brief one with a scale if there is room for it."""
        full, brief = (cls._of(rows, shown, pair, width, brief) for brief in (False, True))
        return brief if brief.axis and not full.axis else full

    @classmethod
    def _of(cls, rows: Sequence[Row], shown: Sequence[str], pair: Pair, width: int, brief: bool) -> _Layout:
        limits = max([len(_limits(row, brief)) for row in rows] + [len(_level(rows))])
        a, b = (short(name, 8 if brief else 10) for name in pair.names)
        values = (max(cell_len(a) + 2, 7), max(cell_len(b) + 2, 7))
        taken = sum(values) + limits + (17 if brief else 20)  # with the blanks between, and a mark at the end
        if taken + 14 > width:
            values, taken = (0, 0), limits + 18
        left = min(max(cell_len(name) for name in [*shown, "measure"]) + 2, max(width - taken, 12))
        left = min(left, BRIEF_NAMES + 1) if brief else left
        axis = min(WIDEST, (width - taken - left - 3) // 2 * 2 + 1)
        return cls(left, values, limits, axis if axis >= NARROWEST else 0, _scale(rows), (a, b), pair, brief)

    @property
    def apart(self) -> int:
        """How wide the column of differences is."""
        return 7 if self.brief else 10

    def head(self, level: str) -> Text:
        """The titles of the columns, with the two systems in their colors."""
        line = Text(f" {padded('measure', self.left)}", style="dim")
        for mark, name, room, color in zip(self.pair.marks, self.names, self.values, self.pair.colors, strict=True):
            if room:
                line.append(padded(f"{mark} {name}", room + 1, right=True), style=color)
        line.append(f"  {self.pair.apart:>{self.apart}}  {level:^{self.limits}}")
        if self.axis:
            half, side = self.axis // 2, f"{self.scale:g}".removeprefix("0" if self.brief else "")
            line.append(f"  {'−' + side:<{half}}0{'+' + side:>{half}}")
        return line


def _directions(contest: Contest) -> Mapping[str, bool | None]:
    """Whether higher is better, for each measure."""
    return {c.a.measure: c.higher_is_better for c in contest.comparisons}


def _differences(
    rows: Sequence[Row],
    values: Mapping[tuple[str, str, str | None], Row],
    pair: Pair,
    width: int,
    directions: Mapping[str, bool | None],
) -> Iterator[Text]:
    one_class = len({row.class_ for row in rows if row.class_ is not None}) == 1
    shown = [title(row) if one_class else _name(row) for row in rows]
    layout = _Layout.of(rows, shown, pair, width)
    head = layout.head(_level(rows))
    yield head
    yield Text("─" * min(max(head.cell_len, 60), width), style="dim")
    for row, name in zip(rows, shown, strict=True):
        both = [values.get((system, row.measure, row.class_)) for system in pair.names]
        yield _line(row, short(name, layout.left - 1), both, layout, directions.get(row.measure))
    if not sum(layout.values):
        which = ", ".join(f"{mark} is {name}" for mark, name in zip(pair.marks, pair.names, strict=True))
        told = f"{which}; a wider terminal shows the values of both"
        yield from (Text(f" {part}", style="dim") for part in textwrap.wrap(clean(told), width - 1))
    if any(_sign(row, directions.get(row.measure)) for row in rows):
        yield Text(f" {_told_of_marks(layout)}", style="dim")


def _line(row: Row, name: str, both: Sequence[Row | None], layout: _Layout, better: bool | None) -> Text:
    sign = _sign(row, better)
    line = Text(f" {padded(name, layout.left)}")
    places = max((digits(value) for value in both if value is not None), default=3)
    for value, room in zip(both, layout.values, strict=True) if sum(layout.values) else ():
        line.append(f"{number(None if value is None else value.value, places):>{room + 1}}")
    if row.value is None:
        return line.append(f"  not comparable: {clean(row.reason or '')}", style="yellow")
    line.append(f"  {signed(row.value, digits(row)):>{layout.apart}}", style="bold")
    line.append(f"  {_limits(row, layout.brief):^{layout.limits}}", style="dim")
    mark, color = ("●", "") if not sign else (layout.pair.marks[sign < 0], layout.pair.colors[sign < 0])
    if layout.axis:
        drawn = _mirrored(row) if better is False else row
        line.append("  ").append_text(_drawn(drawn, layout.scale, layout.axis, mark if sign else "○", color))
    return line.append(f"  {mark}", style=f"bold {color}") if sign else line


def _limits(row: Row, brief: bool) -> str:
    """The limits of a difference; brief ones have no zero before the point."""
    text = of_difference(row)
    return text.replace(" – ", " to ").replace("+0.", "+.").replace("−0.", "−.") if brief else text


def _mirrored(row: Row) -> Row:
    """A difference of losses as it is drawn: what is better goes to the right."""
    value, low, high = (None if x is None else -x for x in (row.value, row.high, row.low))
    return replace(row, value=value, low=low, high=high)


def _told_of_marks(layout: _Layout) -> str:
    first, second = layout.pair.marks
    if layout.axis:
        return f"right of │: {first} is better, left: {second}; a mark at the end: the interval excludes 0"
    return f"a mark at the end: the interval excludes 0, in favor of {first} or {second}"


def _sign(row: Row, better: bool | None) -> int:
    """1 where the first system is ahead and the interval excludes 0, −1 where the second is."""
    above, below = row.low is not None and row.low > 0, row.high is not None and row.high < 0
    if better is None or not (above or below):
        return 0
    return 1 if above == better else -1


def _drawn(row: Row, scale: float, axis: int, mark: str, color: str) -> Text:
    """The difference as a mark on its interval, around a line at 0; arrows where it leaves the scale."""
    half = axis // 2

    def at(x: float) -> int:
        return round(min(max(half + x / scale * half, 0), axis - 1))

    cells: list[tuple[str, str]] = [(" ", "")] * axis
    cells[0] = cells[-1] = ("·", "dim")
    if row.low is not None or row.high is not None:
        # A one-sided question has no limit on its other side.
        low, high = -math.inf if row.low is None else row.low, math.inf if row.high is None else row.high
        for i in range(at(low), at(high) + 1):
            cells[i] = ("━", color or "dim")
        if low < -scale:
            cells[0] = ("◂", color or "dim")
        if high > scale:
            cells[-1] = ("▸", color or "dim")
    cells[half] = ("│", "bold")
    assert row.value is not None
    off = "▶" if row.value > scale else "◀" if row.value < -scale else mark
    cells[at(row.value)] = (off, f"bold {color}".strip())
    return Text.assemble(*cells)


def _scale(rows: Sequence[Row]) -> float:
    """The end of the axis: the smallest round number beyond every limit of a measure that ends at 1."""
    alike = [row for row in rows if on_scale(row)] or rows
    reach = max((abs(x) for row in alike for x in (row.low, row.high, row.value) if x is not None), default=0.0)
    beyond = 10.0 ** math.floor(math.log10(max(reach, 1.0)))
    return next(scale for scale in (*SCALES, *(beyond * step for step in (2, 3, 5, 10))) if scale >= reach)


def _level(rows: Sequence[Row]) -> str:
    return f"{percent(rows[0].level)} interval"


def _name(row: Row) -> str:
    return title(row) if row.class_ is None else f"{title(row)} “{short(row.class_)}”"


# ---------------------------------------------------------------------- many systems
def _many(report: Report, contest: Contest, width: int, lists: Lists) -> Iterator[Text]:
    if any(e.value is not None for c in contest.tested for e in (c.a, c.b)):
        yield from _systems(report, contest)
        yield Text()
        yield from _pairs(report, contest, width)
    if contest.others:
        values = _values(report)
        others = {id(c) for c in contest.others}
        shown = zip(contest.comparisons, _overall(report, "difference"), strict=True)
        rows = [row for c, row in shown if id(c) in others]
        for c in contest.tested:
            some = [row for row in rows if (row.system, row.versus) == c.names]
            if some:
                yield Text()
                yield Text(clean(f"{c.names[0]} vs. {c.names[1]}, other measures (not tested)"), style="bold")
                whole, classes = divided(some)
                pair = Pair.of(report, c.names)
                if whole:
                    yield from _differences(whole, values, pair, width, _directions(contest))
                if classes:
                    yield from difference_lines(report, classes, pair, width, lists)


def _systems(report: Report, contest: Contest) -> Iterator[Text]:
    """The systems by value, and where all were compared the ranks that are possible and who cannot be told apart."""
    ranks = {s.system: (s.rank, s.groups) for s in contest.standings}
    rows = [Row.of(s.estimate, s.system) for s in contest.standings] or [
        row for row in _overall(report, "value") if row.measure == contest.primary
    ]
    cut = cut_alike([row.system for row in rows], 24)
    names = [cut[row.system] for row in rows]
    left = max(cell_len(name) for name in [*names, "system"]) + 2
    head = title(rows[0])
    room = max(8, cell_len(head))
    # All rows have the same decimals: those that the narrowest interval deserves.
    places = max((digits(row) for row in rows if row.has_limits), default=3)
    limits = [_between(row, places) for row in rows]
    most = max([len(text) for text in limits] + [len(_level(rows))])
    wide = max([4, *(len(rank) for rank, _ in ranks.values())])
    ranked = f"  {'rank':>{wide}}  group" if ranks else ""
    yield Text(f" {padded('system', left)}{head:>{room}}  {_level(rows):^{most}}{ranked}", style="dim")
    for row, name, text in zip(rows, names, limits, strict=True):
        line = Text(f" {padded(name, left)}").append(f"{number(row.value, places):>{room}}", style="bold")
        rank, groups = ranks.get(row.system, ("", ""))
        yield line.append(f"  {text:^{most}}", style="dim").append(f"  {rank:>{wide}}  {groups}" if ranks else "")
    if ranks:
        yield Text(" systems that share a letter cannot be told apart", style="dim")


def _between(row: Row, places: int) -> str:
    if row.low is None or row.high is None:
        return "–"
    return " – ".join(number(limit, places) for limit in (row.low, row.high))


def _pairs(report: Report, contest: Contest, width: int) -> Iterator[Text]:
    """The comparisons that were tested, with their corrected p-values and outcomes."""
    shown = _few(contest)
    rows = [Row.of_difference(c) for c in shown]
    limits = max([len(of_difference(row)) for row in rows] + [len(_level(rows))])
    titles, outcomes = _worded(shown, width - limits - 27)
    left = max(cell_len(name) for name in [*titles, "comparison"]) + 2
    by = "p" if contest.correction == "none" else f"p, {contest.correction}"
    yield Text(
        f" {padded('comparison', left)}{'difference':>10}  {_level(rows):^{limits}}  {by:>8}  outcome", style="dim"
    )
    for c, row, name, outcome in zip(shown, rows, titles, outcomes, strict=True):
        line = Text(f" {padded(name, left)}")
        if row.value is None:
            yield line.append(f"  not comparable: {clean(row.reason or '')}", style="yellow")
            continue
        p = c.p_value if c.p_adjusted is None else c.p_adjusted
        line.append(f"{signed(row.value, digits(row)):>10}", style="bold").append(
            f"  {of_difference(row):^{limits}}", style="dim"
        )
        pair = Pair.of(report, c.names)
        color = {"better": f"bold {pair.colors[0]}", "worse": f"bold {pair.colors[1]}"}.get(c.outcome, "dim")
        at_most = "≤ " if c.extreme == 0 else ""
        yield line.append(f"  {'–' if p is None else at_most + p_number(p):>8}").append(f"  {outcome}", style=color)
    yield from _told_of_pairs(contest, len(shown))


def _few(contest: Contest) -> list[Comparison]:
    """All comparisons of few systems; of many, those of two that are next to each other in rank."""
    order = {s.system: i for i, s in enumerate(contest.standings)}
    if len(order) <= ALL_PAIRS:
        return list(contest.tested)
    ranked = [c for c in contest.tested if all(name in order for name in c.names)]
    near = [c for c in ranked if abs(order[c.names[0]] - order[c.names[1]]) == 1]
    return sorted(near, key=lambda c: min(order[name] for name in c.names))


def _worded(shown: Sequence[Comparison], room: int) -> tuple[list[str], list[str]]:
    """What is compared, with what outcome, in this many columns; words are shortened before names are."""
    titles = [short(f"{c.names[0]} − {c.names[1]}", 40) for c in shown]
    outcomes = [_outcome(c) for c in shown]
    if _widest(titles) + _widest(outcomes) <= room:
        return titles, outcomes
    brief = [BRIEF.get(c.outcome, c.outcome) for c in shown]
    most = max((room - max(_widest(brief), len("outcome")) - len(" − ")) // 2, 4)
    names = cut_alike([name for c in shown for name in c.names], most)
    return [f"{names[c.names[0]]} − {names[c.names[1]]}" for c in shown], brief


def _widest(texts: Sequence[str]) -> int:
    return max(cell_len(text) for text in texts)


def _told_of_pairs(contest: Contest, shown: int) -> Iterator[Text]:
    if shown < len(contest.tested):
        told = f" … and {len(contest.tested) - shown:,} more, of systems further apart in rank; see --format csv"
        yield Text(told, style="dim")
    if contest.correction != "none":
        yield Text(" each interval is for its comparison alone; p is corrected for all of them", style="dim")


def _outcome(c: Comparison) -> str:
    a, b = (short(name, 16) for name in c.names)
    return {"better": f"{a} is better", "worse": f"{b} is better"}.get(c.outcome, c.outcome)
