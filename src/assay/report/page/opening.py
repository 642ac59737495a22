"""What a page opens with: values in large figures, the difference on its null, and what they mean in frequencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.errors import in_plural, plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import baseline, interval, limit, value_text
from assay.lazily import family_module, family_name
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.contents.blocks import Block
from assay.report.contents.opening import (
    Ladder,
    OnAxis,
    Piece,
    Reading,
    Readings,
    Rung,
    Split,
)
from assay.report.families.view import Material
from assay.report.names import SHORT, cut_alike
from assay.report.page.parts.scales import Scale
from assay.report.words.comparisons import final_p_words, p_text
from assay.tally.contract.sampling import Floats
from assay.texts import percent, signed, size
from assay.uncertainty.results import Comparison

POINTS = 72  # of the outline of a hump
ROOM_FOR_NAME = 26.0  # percent of the axis that the name of a hump takes on a phone
FEWEST = 50  # draws that have a shape
MOST_RUNGS = 30  # systems that are drawn one below the other


def opening(report: Report, null: Floats | None = None) -> tuple[Block, ...]:
    """The first blocks of a page; `null` are the differences that chance alone gives."""
    return tuple(_blocks(report, null))


def _blocks(report: Report, null: Floats | None) -> Iterator[Block]:
    contest, rows = report.contest, _primary(report)
    if not rows:
        return
    if len(report.systems) > 2:
        if any(row.value is not None for row in rows):
            yield _ladder(report, rows)
        return
    yield readings_of(rows, {system.name: i for i, system in enumerate(report.systems)})
    if contest is not None and contest.tested:
        c = contest.tested[0]
        if c.difference is not None:
            yield on_null(c, null, once=len(contest.tested) == 1)
    elif len(rows) == 1 and rows[0].value is not None:
        yield _next_to_no_model(rows[0])
    yield from _frequencies(report)
    if contest is not None and contest.tested:
        yield from _disagreements(contest)


def _primary(report: Report) -> list[Row]:
    """The rows of the measure that the page is about, one for each system that has it."""
    rows = [row for row in report.rows if row.quantity == "value" and row.slice is None]
    named = None if report.contest is None else report.contest.primary
    out = []
    for system in report.systems:
        own = [row for row in rows if row.system == system.name]
        wanted = [row for row in own if row.measure == (named or system.primary)] or own[:1]
        out += wanted[:1]
    return out


def of_measure(row: Row) -> str:
    """The measure, and the class that it is for."""
    return titled(row.measure) if row.class_ is None else f"{titled(row.measure)} for “{row.class_}”"


# ---------------------------------------------------------------------- large figures
def readings_of(rows: Sequence[Row], places: Mapping[str, int], remark: str = "") -> Readings:
    """The values of one measure, with what needs no model."""
    level = percent(rows[0].level)
    limits = f" · {level} interval" if any(row.low is not None for row in rows) else ""
    each = tuple(_reading(row, places[row.system]) for row in rows)
    return Readings(f"{of_measure(rows[0])}{remark}{limits}{_lower(rows[0])}", each, _no_model(rows))


def _reading(row: Row, place: int) -> Reading:
    if row.value is None:
        return Reading(place, row.system, "–", f"undefined: {row.reason}")
    limits = interval(row, "–") if row.low is not None else "no interval"
    return Reading(place, row.system, value_text(row), limits)


def _lower(row: Row) -> str:
    found = parse_known(row.measure)
    return " · lower is better" if found is not None and found[0].higher_is_better is False else ""


def _no_model(rows: Sequence[Row]) -> str:
    """What needs no model, if that is the same for all of them."""
    held = {(row.no_skill, row.no_skill_name) for row in rows}
    value, called = held.pop() if len(held) == 1 else (None, None)
    if value is None:
        return ""
    return f"No model: {baseline(*rows)}{f' ({called})' if called else ''}."


# ---------------------------------------------------------------------- on an axis
def on_null(c: Comparison, null: Floats | None, *, once: bool = False) -> OnAxis:
    """The difference with its interval, next to 0 and over what chance alone gives; `once` if it is the only test."""
    assert c.difference is not None
    drawn = null[np.isfinite(null)] if null is not None else np.empty(0)
    drawn = drawn if len(drawn) >= FEWEST and float(np.ptp(drawn)) > 1e-12 else np.empty(0)
    edges = [float(x) for x in np.quantile(drawn, (0.001, 0.999))] if len(drawn) else []
    axis = Scale.around([0.0, c.difference, c.low, c.high, *edges], within=None)
    places = c.places[2]
    p = "" if c.p_value is None else f" · {p_text(c)}{', tested once' if once else ''}"
    a, b = cut_alike(c.names, SHORT).values()
    better = (f"◂ {b} better", f"{a} better ▸") if c.higher_is_better else (f"◂ {a} better", f"{b} better ▸")
    ahead = {"better": 0, "worse": 1}.get(c.outcome)
    hump_at, hump_left = _beside_hump(drawn, axis, right=c.difference < 0) if len(drawn) else (0.0, False)
    return OnAxis(
        caption=f"Difference in {titled(c.a.measure)}, {a} − {b}{p}",
        text=signed(c.difference, places),
        at=axis.at(c.difference),
        low=_end(c.low, 0.0, axis) if c.interval is not None else None,
        high=_end(c.high, 100.0, axis) if c.interval is not None else None,
        ends=("" if c.low is None else signed(c.low, places), "" if c.high is None else signed(c.high, places)),
        ticks=axis.signed_grid,
        line=axis.at(0.0),
        sides=("", "") if c.higher_is_better is None else better,
        hump=_outline(drawn, axis) if len(drawn) else "",
        hump_name="by chance alone" if len(drawn) else "",
        hump_at=hump_at,
        hump_left=hump_left,
        place=ahead,
        is_open=ahead is None,
        note="" if c.interval is not None else f"No interval: {c.reason}.",
    )


def _beside_hump(draws: Floats, axis: Scale, *, right: bool) -> tuple[float, bool]:
    """Where the name of a hump is written: on the side without the estimate, or at its foot if there is no room."""
    low, high = (axis.at(float(x)) for x in np.quantile(draws, (0.01, 0.99)))
    if right:
        return (high + 1, False) if high < 100 - ROOM_FOR_NAME else (0.0, False)
    return (low - 1, True) if low > ROOM_FOR_NAME else (0.0, False)


def _end(x: float | None, beyond: float, axis: Scale) -> float:
    """The place of a limit; a one-sided interval has none on one side."""
    return beyond if x is None or not np.isfinite(x) else axis.at(x)


def _outline(draws: Floats, axis: Scale) -> str:
    """The shape of the draws, smoothed: a path in a square of 100 by 100 whose base is at the bottom."""
    spread = min(float(np.std(draws)), float(np.subtract(*np.quantile(draws, (0.75, 0.25)))) / 1.34 or np.inf)
    wide = max(1.1 * spread * len(draws) ** -0.2, (axis.high - axis.low) / 60)
    x = np.linspace(axis.low, axis.high, POINTS)
    counts, edges = np.histogram(draws, 400, (axis.low, axis.high))
    middles = (edges[1:] + edges[:-1]) / 2
    height = np.exp(-0.5 * ((x[:, None] - middles) / wide) ** 2) @ counts
    height = 100 * (1 - 0.94 * height / height.max())
    path = " ".join(f"{axis.at(float(a)):g},{b:.1f}" for a, b in zip(x, height, strict=True))
    return f"M0,100 L{path} L100,100 Z"


def _next_to_no_model(row: Row) -> OnAxis:
    """The value with its interval, next to the no-model baseline."""
    assert row.value is not None
    found = parse_known(row.measure)
    whole = found[0].range if found is not None else None
    axis = Scale.around([row.value, row.low, row.high, row.no_skill], within=whole)
    without = "" if row.no_skill is None else f"no model {baseline(row)}"
    return OnAxis(
        caption=f"{of_measure(row)}, next to what needs no model" if without else of_measure(row),
        text=value_text(row),
        at=axis.at(row.value),
        low=axis.maybe(row.low),
        high=axis.maybe(row.high),
        ends=("", "") if row.low is None else (limit(row, row.low), limit(row, row.high)),
        ticks=axis.grid,
        line=axis.maybe(row.no_skill),
        line_name=without,
        place=0,
        note="" if row.low is not None else f"No interval: {row.reason}.",
    )


# ---------------------------------------------------------------------- frequencies
def _frequencies(report: Report) -> Iterator[Block]:
    """What the first family of the systems says about a thousand items, if it has something to say."""
    material = Material(report)
    for held in list(material.tallies.values())[:1]:
        for tally in held[:1]:
            made = getattr(family_module("report.families", family_name(type(tally))), "frequencies", None)
            if made is not None:
                yield from made(material)


def _disagreements(contest: Contest) -> Iterator[Block]:
    """Who was right where the other was not, or who was higher more often."""
    c = contest.tested[0]
    e, (a, b) = c.effect, cut_alike(c.names, SHORT).values()
    power = "" if c.mde is None else f" {_could_find(c)}"
    if e.only_a is not None and e.only_b is not None and e.both is not None and e.neither is not None:
        apart = e.only_a + e.only_b
        pieces = (
            Piece(e.only_a, f"only {a} right {e.only_a:,}", 0),
            Piece(e.only_b, f"only {b} right {e.only_b:,}", 1),
        )
        both = f"Both right {e.both:,}, neither {e.neither:,}."
        of = plural(apart + e.both + e.neither, e.counted or c.item)
        yield Split(f"Where they disagree: {apart:,} of {of}", pieces, f"{both}{power}")
        return
    spread = contest.spread
    if spread is not None and {*c.names} <= set(spread.values):
        first, second = (np.asarray(spread.values[name]) for name in c.names)
        above, below = int((first > second).sum()), int((first < second).sum())
        counts = ((0, f"{a} higher", above), (None, "equal", len(first) - above - below), (1, f"{b} higher", below))
        each = tuple(Piece(n, f"{text} {n:,}", place) for place, text, n in counts if n or place is not None)
        yield Split(f"{spread.unit.capitalize()} by {spread.unit}", each, power.strip())


def _could_find(c: Comparison) -> str:
    """The smallest true difference that the test detects with 80% power, for people who have not heard of power."""
    assert c.mde is not None
    least = "at least " if c.correction is not None else ""
    of_them = "" if c.disagreements is None or c.effect.superiority is not None else " and disagreements"
    found = f"a true difference of {size(c.mde)} in {titled(c.a.measure)} would be found {least}4 times in 5"
    return f"With this many {in_plural(c.item)}{of_them}, {found}."


# ---------------------------------------------------------------------- many systems
def _ladder(report: Report, rows: Sequence[Row]) -> Ladder:
    contest = report.contest
    places = {system.name: i for i, system in enumerate(report.systems)}
    groups: dict[str, str] = {}
    if contest is not None and contest.standings:
        order = [s.system for s in contest.standings]
        rows = sorted(rows, key=lambda row: order.index(row.system) if row.system in order else len(order))
        groups = {s.system: s.groups for s in contest.standings}
    else:
        rows = sorted(rows, key=_rank)
    shown = list(rows)[:MOST_RUNGS]
    axis = Scale.around([x for row in shown for x in (row.value, row.low, row.high)], within=None)
    floors = {row.no_skill for row in shown}
    floor = floors.pop() if len(floors) == 1 else None
    letters = sorted({letter for name, of in groups.items() for letter in of if _shared(letter, groups)})
    brackets = _brackets([groups.get(row.system, "") for row in shown], letters)
    level = percent(shown[0].level)
    return Ladder(
        caption=f"{of_measure(shown[0])} · {level} interval{_lower(shown[0])}",
        measure=of_measure(shown[0]),
        level=level,
        rungs=tuple(
            replace(_rung(row, places[row.system], axis), brackets=each, behind=_behind(contest, row, shown[0]))
            for row, each in zip(shown, brackets, strict=True)
        ),
        ticks=axis.grid,
        line=axis.at(floor) if floor is not None and axis.low <= floor <= axis.high else None,
        note=" ".join(_of_ladder(report, rows, shown, floor, axis, bool(letters))),
    )


def _rank(row: Row) -> float:
    found = parse_known(row.measure)
    sign = 1 if found is not None and found[0].higher_is_better is False else -1
    return float("inf") if row.value is None else sign * row.value


def _shared(letter: str, groups: dict[str, str]) -> bool:
    return sum(letter in of for of in groups.values()) > 1


def _brackets(groups: Sequence[str], letters: Sequence[str]) -> list[tuple[str, ...]]:
    """For each system and each group of several: whether it is at its first or last end, a member, or between two."""
    out: list[list[str]] = [[] for _ in groups]
    for letter in letters:
        members = [i for i, of in enumerate(groups) if letter in of]
        for i in range(len(groups)):
            inside = bool(members) and members[0] <= i <= members[-1]
            word = "" if not inside else "member" if i in members else "between"
            word += " first" if inside and i == members[0] else " last" if inside and i == members[-1] else ""
            out[i].append(word)
    return [tuple(each) for each in out]


def _behind(contest: Contest | None, row: Row, first: Row) -> tuple[str, str] | None:
    """A system minus the first one, and p as corrected for all pairs, if these two were compared."""
    tested = () if contest is None else contest.tested
    c = next((c for c in tested if set(c.names) == {row.system, first.system}), None)
    if c is None or c.difference is None:
        return None
    sign = 1 if c.names[0] == row.system else -1
    said = "" if c.p_value is None else final_p_words(c)
    return signed(sign * c.difference, c.places[2]), said


def _rung(row: Row, place: int, axis: Scale) -> Rung:
    if row.value is None:
        return Rung(place, row.system, "–", f"undefined: {row.reason}", None, None, None)
    limits = interval(row, "–") if row.low is not None else "no interval"
    at, low, high = axis.at(row.value), axis.maybe(row.low), axis.maybe(row.high)
    return Rung(place, row.system, value_text(row), limits, at, low, high)


def _of_ladder(
    report: Report, rows: Sequence[Row], shown: Sequence[Row], floor: float | None, axis: Scale, grouped: bool
) -> Iterator[str]:
    if grouped:
        yield "Systems joined by a bracket cannot be told apart."
    if floor is not None:
        where = "the gray line" if axis.low <= floor <= axis.high else "off this axis"
        yield f"No model gives {baseline(*shown)}, {where}."
    if len(rows) > len(shown):
        yield f"{len(rows) - len(shown)} more systems are below."
    if report.contest is None:
        yield "Whether systems differ cannot be read off their intervals; assay compare tests it."
