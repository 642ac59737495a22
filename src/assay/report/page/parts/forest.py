"""Measures as a table with every interval drawn: the systems' values, the no-model baseline, and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.errors import joined, plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row, against_guess
from assay.jobs.answers.row_texts import baseline, digits, interval, of_difference, on_scale, value_text
from assay.lazily import family_name
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.contents.blocks import Block, Folded, Part, Prose, Table
from assay.report.page.parts.scales import Scale
from assay.report.text.classes import class_items, class_section, ordered
from assay.texts import percent, signed
from assay.uncertainty.results import Comparison

MOST_CLASS_ROWS = 60  # values of single classes that are drawn; more become a table
SIDE_BY_SIDE = 2  # systems with a column each; more are listed below each other
LOWER = "Lower is better"


@dataclass(frozen=True)
class Mark:
    """An estimate and its limits, in percent of the way along the scale; arrows where it leaves the scale."""

    at: float
    low: float | None
    high: float | None
    off: str = ""  # "left" or "right", if the estimate itself is off the scale


@dataclass(frozen=True)
class Value:
    """One system's value as shown; without a value, the reason."""

    text: str
    limits: str
    mark: Mark | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Difference:
    """The difference between two systems, where it lies, and whom it favors."""

    text: str
    limits: str
    said: str
    tone: str  # first, second, open
    tested: bool
    mark: Mark | None = None


@dataclass(frozen=True)
class Line:
    """One measure: the value of every system, and the no-model baseline."""

    name: str
    class_: str | None
    lower: bool
    values: tuple[Value | None, ...]
    ticks: tuple[float, ...]  # one, unless systems were judged on different rows
    beyond: str  # the no-model baseline where it lies off the scale
    no_model: str
    difference: Difference | None = None
    own: tuple[str, str] | None = None  # the ends of its own scale, if it has one
    at_tick: str = ""  # the no-model baseline of such a scale, if it lies on it

    @property
    def drawn(self) -> bool:
        """Whether anything of it lies on the scale."""
        return any(value is not None and value.mark is not None for value in self.values)


@dataclass(frozen=True)
class Forest(Block):
    """A line for each measure, in groups; most share one scale, on which only the part in use is drawn."""

    template: ClassVar[str] = "forest.html"
    caption: str
    systems: tuple[str, ...]
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    scale: Scale
    apart: Scale | None
    level: str

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of them."""
        return tuple(line for _, lines in self.groups for line in lines)

    @property
    def side_by_side(self) -> bool:
        """Whether every system has a column of its own."""
        return len(self.systems) <= SIDE_BY_SIDE

    @property
    def step(self) -> int:
        """Pixels from the mark of one system to that of the next."""
        return 10 if self.side_by_side else 20

    def tall(self, line: Line) -> int:
        """Pixels of a line without the ends of its own scale below it."""
        return max(20 + self.step * len(line.values), 40 if self.side_by_side else 0)

    def height(self, line: Line) -> int:
        """Pixels of a line."""
        return self.tall(line) + (14 if line.own is not None and line.drawn else 0)

    @property
    def compared(self) -> bool:
        """Whether there are differences to show."""
        return any(line.difference is not None for line in self.lines)

    @property
    def shared(self) -> bool:
        """Whether anything lies on the shared scale."""
        return any(line.drawn and line.own is None for line in self.lines)

    @property
    def drawn(self) -> bool:
        """Whether anything lies on a scale."""
        return any(line.drawn for line in self.lines)


def measures_part(report: Report) -> Part:
    """Every measure of the whole data, and those of single classes folded away."""
    rows = [row for row in report.rows if row.slice is None and row.quantity == "value"]
    whole, classes = _divided(rows)
    drawn = _forest(report, whole or classes, "Measures")
    lead = _lead(report, rows, strip=drawn.scale.window is not None and drawn.shared)
    blocks: list[Block] = [drawn] if whole else []
    if len(report.systems) > SIDE_BY_SIDE and report.contest is not None and blocks:
        blocks, lead = [Folded((Prose(lead), *blocks), "Every measure of every system")], ()
    if classes:
        blocks.append(_of_classes(report, classes, opened=not whole))
    return Part("measures", _heading(report, rows), "Measures", tuple(blocks), lead)


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


# ---------------------------------------------------------------------- what it shows, in words
def _heading(report: Report, rows: Sequence[Row]) -> str:
    """The finding of this part: whom the intervals favor, or how many values are better than no model."""
    contest = report.contest
    if contest is not None and len(report.systems) == SIDE_BY_SIDE:
        return _favored(contest)
    rows = _divided(rows)[0] or rows  # those of single classes are folded away
    if contest is not None:
        return f"{_leading(rows)}; {_only_tested(contest)}"
    guesses = [found for row in rows if (found := against_guess(row)) is not None]
    if not guesses:
        return plural(len({(row.measure, row.class_) for row in rows}), "measure")
    ahead = guesses.count("ahead")
    if ahead == len(guesses):
        return f"All {ahead} values are clearly better than no model" if ahead > 1 else "Clearly better than no model"
    some = f"{ahead or 'None'} of {plural(len(guesses), 'value')}"
    return f"{some} {'is' if ahead == 1 else 'are'} clearly better than no model"


def _leading(rows: Sequence[Row]) -> str:
    """In how many measures the system leads that leads in most of them."""
    held: dict[tuple[str, str | None], dict[str, float]] = {}
    for row in rows:
        of = held.setdefault((row.measure, row.class_), {})
        if row.value is not None:
            of[row.system] = -row.value if _is_lower(row.measure) else row.value
    firsts = [name for of in held.values() for name, value in of.items() if value == max(of.values())]
    many = plural(len(held), "measure")
    if not firsts:
        return many
    system = max(dict.fromkeys(firsts), key=firsts.count)
    n = firsts.count(system)
    return f"{system} leads in {f'all {many}' if 1 < n == len(held) else f'{n} of {many}'}"


def _favored(contest: Contest) -> str:
    known = [c for c in contest.comparisons if c.interval is not None and c.higher_is_better is not None]
    signs = [_sign(c.low, c.high, bool(c.higher_is_better)) for c in known]
    a, b = contest.tested[0].names
    counts = {a: signs.count(1), b: signs.count(-1)}
    tested = _only_tested(contest)
    if not known:
        return tested[:1].upper() + tested[1:]
    if len(known) == 1:
        who = next((who for who, n in counts.items() if n), None)
        return f"The interval {'contains 0' if who is None else f'favors {who}'}; {tested}"
    if len(known) in counts.values():
        return f"All {len(known)} intervals favor {a if counts[a] else b}; {tested}"
    favored = [f"{n} favor{'s' if n == 1 else ''} {who}" for who, n in counts.items() if n]
    if not favored:
        return f"No interval excludes 0; {tested}"
    return f"Of {plural(len(known), 'interval')}, {' and '.join(favored)}; {tested}"


def _only_tested(contest: Contest) -> str:
    return f"only {titled(contest.primary)} was tested" if contest.was_tested else "nothing was tested"


def _lead(report: Report, rows: Sequence[Row], *, strip: bool) -> tuple[str, ...]:
    level = percent(next((row.level for row in rows), 0.95))
    bars = f"Bars are {level} intervals." if any(row.low is not None for row in rows) else "Marks are estimates."
    text = f"{bars} The strip above the axis shows which part of the scale is drawn." if strip else bars
    if any(row.no_skill is not None for row in rows):
        text += " The gray tick is the no-model baseline; ◂ and ▸ mean that it is off the scale."
        text += _without_baseline(rows, report.item)
    contest = report.contest
    if contest is None or not contest.others or all(c.interval is None for c in contest.others):
        return (text,)
    other = "other intervals" if contest.was_tested else "intervals"
    return (f"{text} The {other} are not adjusted for multiple comparisons.",)


def _without_baseline(rows: Sequence[Row], item: str) -> str:
    """Which measures of a class have no baseline, and why; not if their averages, which have one, are shown as well."""
    values = [row for row in rows if row.value is not None and _has_guesses(row.measure)]
    averaged = {titled(row.measure).partition(",")[0] for row in values if row.no_skill is not None}
    lacking = dict.fromkeys(titled(row.measure) for row in values if row.no_skill is None and row.class_ is not None)
    names = [name for name in lacking if name not in averaged]
    if not names:
        return ""
    which = f"{names[0]} has none, since one answer for every {item} makes it perfect."
    if len(names) > 1:
        which = f"{joined(names)} have none, since one answer for every {item} makes each of them perfect."
    return f" {which}"


def _has_guesses(measure: str) -> bool:
    """Whether a measure is compared with answers that need no model."""
    found = parse_known(measure)
    return found is not None and isinstance(found[0].no_skill, str)


# ---------------------------------------------------------------------- lines
def _forest(report: Report, rows: Sequence[Row], caption: str) -> Forest:
    systems = tuple(system.name for system in report.systems)
    shared = [row for row in rows if on_scale(row) and not _is_lower(row.measure)]
    scale = Scale.around([x for row in shared for x in (row.value, row.low, row.high)])
    held = {(row.system, row.measure, row.class_): row for row in rows}
    pairs = _pairs(report) if len(systems) == SIDE_BY_SIDE else {}
    apart = _apart(rows, pairs)
    groups: dict[str, list[Line]] = {}
    for measure, class_ in _in_order(report, rows):
        of_each = [held.get((system, measure, class_)) for system in systems]
        some = [row for row in of_each if row is not None]
        own = None if all(on_scale(row) for row in some) and not _is_lower(measure) else Scale.of_own(some)
        difference = _difference(*pairs[measure, class_], report.contest, apart) if (measure, class_) in pairs else None
        groups.setdefault(_group(measure), []).append(_line(measure, class_, of_each, scale, own, difference))
    order = sorted(groups.items(), key=lambda group: group[0] == LOWER)
    headed = tuple((title if len(order) > 1 else title * (title == LOWER), tuple(lines)) for title, lines in order)
    return Forest(caption, systems, headed, scale, apart, percent(next((row.level for row in rows), 0.95)))


def _in_order(report: Report, rows: Sequence[Row]) -> list[tuple[str, str | None]]:
    """The measures, that which was tested first."""
    every = list(dict.fromkeys((row.measure, row.class_) for row in rows))
    primary = None if report.contest is None else report.contest.primary
    return sorted(every, key=lambda key: key[0] != primary)


def _is_lower(measure: str) -> bool:
    found = parse_known(measure)
    return found is not None and found[0].higher_is_better is False


def _group(measure: str) -> str:
    found = parse_known(measure)
    if found is None:
        return ""
    return LOWER if found[0].higher_is_better is False else family_name(found[0].kind).replace("_", " ").capitalize()


def _line(
    measure: str,
    class_: str | None,
    rows: Sequence[Row | None],
    shared: Scale,
    own: Scale | None,
    difference: Difference | None,
) -> Line:
    some = [row for row in rows if row is not None]
    scale = shared if own is None else own
    floors = {row.no_skill: row for row in some if row.no_skill is not None}
    shown = {x: baseline(*(row for row in some if row.no_skill == x)) for x in floors}
    beside = (f"{shown[x]}: {row.no_skill_name or 'no model'}" for x, row in floors.items())
    below = [shown[x] for x in floors if x < scale.low - 1e-9]
    above = [shown[x] for x in floors if x > scale.high + 1e-9]
    return Line(
        name=titled(measure),
        class_=class_,
        lower=_is_lower(measure),
        values=tuple(None if row is None else _value(row, scale) for row in rows),
        ticks=tuple(scale.at(x) for x in floors if scale.low - 1e-9 <= x <= scale.high + 1e-9),
        beyond=f"◂ {below[0]}" if below else f"{above[0]} ▸" if above else "",
        no_model="; ".join(beside),
        difference=difference,
        own=None if own is None else own.limits,
        at_tick="" if own is None or len(floors) != 1 else next(iter(shown.values())),
    )


def _value(row: Row, scale: Scale) -> Value:
    if row.value is None:
        return Value("undefined", "", reason=row.reason)
    limits = interval(row, "–") if row.low is not None else "no interval"
    return Value(value_text(row), limits, _mark(row, scale), row.reason if row.low is None else None)


def _mark(row: Row, scale: Scale, *, mirrored: bool = False) -> Mark:
    value, low, high = row.value, row.low, row.high
    assert value is not None
    if mirrored:
        value, low, high = -value, None if high is None else -high, None if low is None else -low
    off = "left" if value < scale.low - 1e-9 else "right" if value > scale.high + 1e-9 else ""
    return Mark(scale.at(value), None if low is None else scale.at(low), None if high is None else scale.at(high), off)


# ---------------------------------------------------------------------- differences
def _pairs(report: Report) -> Mapping[tuple[str, str | None], tuple[Comparison, Row]]:
    contest = report.contest
    if contest is None:
        return {}
    rows = [row for row in report.rows if row.quantity == "difference" and row.slice is None]
    return {(row.measure, row.class_): (c, row) for c, row in zip(contest.comparisons, rows, strict=True)}


def _apart(rows: Sequence[Row], pairs: Mapping[tuple[str, str | None], tuple[Comparison, Row]]) -> Scale | None:
    """The scale of the differences: around 0, as wide as those of measures between −1 and 1 need."""
    kept = {(row.measure, row.class_) for row in rows if on_scale(row)}
    known = {key: row for key, (_, row) in pairs.items() if row.value is not None}
    some = [row for key, row in known.items() if key in kept] or list(known.values())
    sides = [
        (-1 if _is_lower(row.measure) else 1) * x
        for row in some
        for x in (row.value, row.low, row.high)
        if x is not None
    ]
    return Scale.around([0.0, *sides], within=None) if sides else None


def _difference(c: Comparison, row: Row, contest: Contest | None, scale: Scale | None) -> Difference:
    primary = contest is not None and c in contest.tested
    tested = primary and c.p_value is not None
    if row.value is None:
        return Difference("–", "", "not comparable", "open", tested)
    ends = "" if c.interval is None else of_difference(row, " to ")
    mark = None if scale is None else _mark(row, scale, mirrored=c.higher_is_better is False)
    tone, said = _said(c, row, primary=primary)
    return Difference(signed(row.value, digits(row)), ends, said, tone, tested, mark)


def _sign(low: float | None, high: float | None, higher: bool) -> int:
    """1 if the interval favors the first system, −1 if the second."""
    above, below = low is not None and low > 0, high is not None and high < 0
    return 0 if not (above or below) else 1 if above == higher else -1


def _said(c: Comparison, row: Row, *, primary: bool) -> tuple[str, str]:
    """Whom the difference favors: by the verdict on the primary measure, else by whether the interval excludes 0."""
    if primary:
        tone = {"better": "first", "worse": "second"}.get(c.outcome, "open")
        return tone, {"better": f"{c.names[0]} better", "worse": f"{c.names[1]} better"}.get(c.outcome, c.outcome)
    if c.higher_is_better is None:
        return "open", "neither"
    sign = _sign(row.low, row.high, c.higher_is_better)
    return {1: ("first", f"favors {c.names[0]}"), -1: ("second", f"favors {c.names[1]}")}.get(sign, ("open", "neither"))
