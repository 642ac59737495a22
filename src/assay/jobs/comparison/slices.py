"""What a comparison says about groups: every system by group, and how far apart two systems are within each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import digits, number
from assay.jobs.comparison.match import Case, Compare, Match, tally_of
from assay.jobs.count import Counted
from assay.jobs.evaluate import Asked
from assay.jobs.slices import FEWEST, differs, in_brief, named, sliced, sliced_measures, too_few, without_too_few
from assay.measures.declare.catalogue import resolve, slice_measures
from assay.measures.declare.measure import Measure
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.tally.count.counts import Together
from assay.texts import signed
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Comparison

MOST_FOUND = 2  # groups of a system that a terminal shows in brief
MOST_GROUPS = 8  # groups in which a terminal shows two systems in brief
NOT_TESTED = "differences within groups are not tested, nor are their intervals corrected"


@dataclass(frozen=True)
class Grouped:
    """Rows of groups, with each system's tables and notes, and the tables of differences between two systems."""

    rows: tuple[Row, ...] = ()
    tables: Mapping[str, tuple[Section, ...]] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    differences: tuple[Section, ...] = ()


def grouped(found: Counted, match: Match, pairs: Sequence[tuple[str, str]], primary: str) -> Grouped:
    """Every system by group, as it is evaluated alone; and for two systems the difference in each group.

    In brief, systems have the groups that a test found to differ, and differences those of the primary measure.
    """
    if not found.slices:
        return Grouped()
    drawing = {**match.how.drawing, "method": "auto"}  # the method asked for is that of the differences
    rows: list[Row] = []
    tables, notes = {}, {}
    for name, tally in found.systems.items():
        here, sections, told = sliced(name, found.slices, _measures(match, tally), drawing)
        rows += here
        each = zip(sections, found.slices, strict=True)
        tables[name] = tuple(_of_system(name, section, slicing.column, here) for section, slicing in each)
        notes[name] = tuple(told)
    differences: list[Section] = []
    if len(pairs) == 1:
        for slicing in found.slices:
            made = list(_differences(found, slicing, match, pairs[0]))
            rows += [each.row for each in made]
            differences.append(_section(slicing.column, pairs[0], made, primary))
    return Grouped(tuple(rows), tables, notes, tuple(differences))


def _of_system(name: str, section: Section, column: str, rows: Sequence[Row]) -> Section:
    """A system's table with its name; in brief, the first groups that the tests found farthest from the rest."""
    gaps = [row for row in rows if row.quantity == "gap" and row.slice == column]
    brief = section.brief
    if any(row.p_adjusted is not None for row in gaps):
        found = {(gap.measure, gap.class_, f"{column}={gap.farthest}") for gap in gaps if differs(gap)}
        values = [row for row in rows if row.quantity == "value" and (row.slice or "").startswith(f"{column}=")]
        at = [i for i, row in enumerate(values) if (row.measure, row.class_, row.slice) in found]
        brief = in_brief(at[:MOST_FOUND], len(values))
    return replace(section, title=f"{name} {section.title}", brief=brief)


def _measures(match: Match, tally: Tally) -> Asked:
    """The measures shown by group: those asked for, with the one that is tested."""
    asked = [match.measures] if isinstance(match.measures, str | Measure) else match.measures
    if match.primary is None:
        return asked
    shown: Sequence[str | Measure] = slice_measures(tally) if asked is None else asked
    tested = resolve(match.primary, {})
    return [match.primary, *(each for each in shown if resolve(each, {}) != tested)]


# ---------------------------------------------------------------------- two systems
@dataclass(frozen=True)
class _Difference:
    """Two systems compared in one group."""

    group: str
    made: Comparison
    row: Row
    counted: tuple[float, ...]  # the rows that the measure rests on, once if they are as many for both systems


def _differences(found: Counted, slicing: Any, match: Match, pair: tuple[str, str]) -> Iterator[_Difference]:
    """The difference in every group, measure by measure; none where the systems were not counted together."""
    if found.together is None and not match.unpaired:
        return
    parts = {group: _part(found, slicing, i) for i, group in enumerate(slicing.groups)}
    cases = _cases(next(iter(parts.values())), match, pair)
    compare = {group: _compare(part, match, cases, pair) for group, part in parts.items()}
    for i, case in enumerate(cases):
        for group, compared in compare.items():
            made = _without_too_few(compared(pair, i, tested=False))
            row = Row.of_difference(made, case.class_, f"{slicing.column}={group}")
            yield _Difference(group, made, row, _counted(parts[group], case, pair) or (made.n,))


def _counted(part: Counted, case: Case, pair: tuple[str, str]) -> tuple[float, ...]:
    """The denominators of a share, for one system and the other; none if the measure is not a share."""
    tallies = (tally_of(part, name, case) for name in pair)
    found = (case.measure.bind(tally, **case.options).counted(tally) for tally in tallies)
    return tuple(dict.fromkeys(n for n in found if n is not None))


def _without_too_few(c: Comparison) -> Comparison:
    """The difference in a group; with very few rows, a reason in place of its interval."""
    if c.n >= FEWEST or (c.low is None and c.high is None):
        return c
    a, b = (without_too_few(e, c.item) for e in (c.a, c.b))
    return replace(c, a=a, b=b, low=None, high=None, reason=too_few(c.item))


def _part(found: Counted, slicing: Any, i: int) -> Counted:
    """What was counted of one group, as if it were all there is."""
    group = list(slicing.groups)[i]
    if slicing.member is None:  # stored groups
        return Counted(slicing.groups[group], together=Together.by_name(slicing.groups[group]))
    together = None if found.together is None else found.together.only(slicing.member == i)
    return Counted(slicing.groups[group], together=together)


def _cases(part: Counted, match: Match, pair: tuple[str, str]) -> list[Case]:
    """The measures that both systems have."""
    of_a, of_b = (
        [Case(*each[:3]) for each in sliced_measures(held, _measures(match, held[0]))]
        for held in (part.systems.held(name) for name in pair)
    )
    return [case for case in of_a if case in of_b]


def _compare(part: Counted, match: Match, cases: Sequence[Case], pair: tuple[str, str]) -> Compare:
    estimates = {
        (name, i): estimate(case.measure, tally_of(part, name, case), **match.how.drawing, **case.options)
        for name in pair
        for i, case in enumerate(cases)
    }
    return Compare(part, match, cases, estimates)


def _section(column: str, pair: tuple[str, str], made: Sequence[_Difference], primary: str) -> Section:
    """A line for each measure and group: the rows they rest on, both values and their difference.

    In brief: groups of the primary measure, or of the first one if that is not shown by group. Of too many, those whose
    interval excludes 0 come before the others.
    """
    lines: list[tuple[str, tuple[Cell, ...]]] = []
    rows = [each.row for each in made]
    shown = primary if any(row.measure == primary for row in rows) else next((row.measure for row in rows), primary)
    of_it = [i for i, row in enumerate(rows) if row.measure == shown]
    first = sorted(of_it, key=lambda i: not _stands_out(rows[i])) if len(of_it) > MOST_GROUPS else of_it
    brief = first[:MOST_GROUPS]
    for each in made:
        row, c = each.row, each.made
        both = zip((c.a, c.b), c.places, strict=False)
        values = [Cell(number(e.value, places), value=e.value) for e, places in both]
        n = Cell(" / ".join(f"{n:,.0f}" for n in each.counted), value=each.counted[0])
        lines.append((f"{named(row, rows)} · {each.group}", (n, *values, _cell(row))))
    title = f"{pair[0]} − {pair[1]} by {column}"
    heads = ("n", *pair, "difference")
    return Section(title, heads, tuple(lines), NOT_TESTED, brief=in_brief(brief, len(lines)), role="slices")


def _stands_out(row: Row) -> bool:
    """Whether the interval of a difference excludes 0."""
    return (row.low is not None and row.low > 0) or (row.high is not None and row.high < 0)


def _cell(row: Row) -> Cell:
    if row.value is None:
        return Cell("–")
    places = digits(row)
    limits = "–"
    if row.low is not None and row.high is not None:
        limits = f"{signed(row.low, places)} to {signed(row.high, places)}"
    return Cell(signed(row.value, places), limits, value=row.value)
