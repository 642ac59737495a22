"""The part of a page on slices: a measure group by group, and whether the groups differ at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from assay.errors import joined
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import digits, interval, number, title, value_text
from assay.jobs.slices import FEWEST, SMALL, at_floor, by_classes, gap_p
from assay.measures.declare.catalogue import titled
from assay.measures.labels.usual import MOVED_BY_BASE_RATE
from assay.report.charts.groups import MOST, group_chart
from assay.report.contents.blocks import Block, Columns, Figure, Folded, Part, Prose, Table
from assay.report.groups import Cut, cuts
from assay.report.names import short
from assay.tables import Cell, Section
from assay.texts import percent, share_text, signed

NAMED = 6  # small groups that are named
RESTS_ON = (
    "n counts the rows that a value rests on: the positives for recall, those called positive for precision, and for "
    "F1 those that are either"
)
UNTESTED = "the groups were not tested"


def group_parts(report: Report) -> Iterator[Part]:
    """The groups of every slicing column: the first measure drawn, all of them in tables."""
    every = [list(same) for _, same in groupby(cuts(report), key=lambda cut: cut.column)]
    if not every:
        return
    # With one column there is room for a second measure: after recall, the false positive rate.
    drawn = every[0][:2] if len(every) == 1 else [of_column[0] for of_column in every]
    blocks = [*_charts(drawn), *_cautions(every)]
    blocks += [Folded((Table(_table(of_column)),), f"All measures by {of_column[0].column}") for of_column in every]
    between = () if report.contest is None else report.contest.sections
    blocks += [Folded((Table(each),), f"{each.title} (not tested)") for each in between if each.role == "slices"]
    tests = _tests(every)
    if tests is not None:
        blocks.append(Folded((Table(tests),), "The tests over all groups"))
    yield Part("slices", _heading(drawn), "Slices", tuple(blocks), tuple(_lead(drawn)))


def _heading(drawn: Sequence[Cut]) -> str:
    """By which columns what is drawn differs, or that no difference was found."""
    found = [cut for cut in drawn if any(row is not None and _differ(row) for row in map(cut.gap, cut.systems))]
    columns = dict.fromkeys(cut.column for cut in found or drawn)
    if not found:
        return f"No significant gap by {joined(list(columns))}"
    measures = _measures(found)
    return f"{joined(measures)} {'differs' if len(measures) == 1 else 'differ'} by {joined(list(columns))}"


def _measures(some: Sequence[Cut]) -> list[str]:
    """The measures, with the class only after the last if it is the same."""
    last = some[-1]
    same = {cut.class_ for cut in some} == {last.class_}
    return [*dict.fromkeys(titled(cut.measure) if same and cut.measure != last.measure else cut.told for cut in some)]


def _label(cut: Cut, drawn: Sequence[Cut]) -> str:
    """A measure among those that are drawn: with its class and column only if they differ."""
    of = titled(cut.measure) if len({each.class_ for each in drawn}) == 1 else cut.told
    return of if len({each.column for each in drawn}) == 1 else f"{of} by {cut.column}"


# ---------------------------------------------------------------------- charts
def _charts(drawn: Sequence[Cut]) -> Iterator[Block]:
    """Two next to each other, with remarks on their sizes below."""
    charts = [(i, group_chart(cut)) for i, cut in enumerate(drawn, start=1)]
    figures = [Figure(f"slices-{i}", chart) for i, chart in charts if chart is not None]
    for at in range(0, len(figures), 2):
        yield Columns(tuple(figures[at : at + 2]))
    yield Prose(tuple(_sizes(drawn)), "note")


def _sizes(drawn: Sequence[Cut]) -> Iterator[str]:
    """Which groups are too small to say much, and which are not drawn."""
    few = [f"{_label(cut, drawn)} in {_few(cut)}" for cut in drawn if _few(cut)]
    if few:
        yield f"Values from fewer than {SMALL} rows say little: {'; '.join(few)}."
    for cut in drawn:
        if not _few(cut):
            least = min(cut.groups, key=lambda group: min(cut.counted(group)))
            yield f"{_label(cut, drawn)} rests on the fewest rows in “{short(least)}” ({cut.n(least)})."
    for column, cut in {cut.column: cut for cut in drawn}.items():
        bare, every = sum(cut.size(group) < FEWEST for group in cut.groups), len(cut.groups)
        if bare:
            which = "one group has" if bare == 1 else f"{bare:,} groups have"
            yield f"By {column}, {which} fewer than {FEWEST} rows in all, too few for an interval."
        if every > MOST:
            yield f"The first {MOST} of {every:,} groups by {column} are drawn; the table has all of them."


def _few(cut: Cut) -> str:
    """The groups in which the measure rests on few rows, the smallest first."""
    sizes = {group: min(cut.counted(group)) for group in cut.groups}
    few = sorted((group for group in sizes if sizes[group] < SMALL), key=lambda group: sizes[group])
    more = f" and {len(few) - NAMED:,} more" if len(few) > NAMED else ""
    return ", ".join(f"“{short(group)}” ({cut.n(group)})" for group in few[:NAMED]) + more


# ---------------------------------------------------------------------- words
def _lead(drawn: Sequence[Cut]) -> Iterator[str]:
    lines = "the overall value" if len(drawn[0].systems) == 1 else "each system's overall value"
    n = "all rows of a group"
    if any(cut.trials for cut in drawn):
        n = "the rows that a value rests on, such as the positives for recall"
    level = percent(drawn[0].rows[0].level)
    yield f"The bars are {level} intervals of each group's value. Dashed lines mark {lines}; n counts {n}."
    for cut in drawn:
        yield from _verdicts(cut, _label(cut, drawn))


def _verdicts(cut: Cut, of: str) -> Iterator[str]:
    """What the one test over all groups finds for every system; never from the widest pair."""
    if len(cut.groups) < 2:
        yield f"{of}: there is only one group, so nothing was tested."
    for verdict, rows in _by_verdict(cut).items():
        if verdict == UNTESTED:
            yield f"{of}: {verdict}: {_each(cut, rows, lambda row: row.reason or '')}."
        else:
            yield f"{of}: {verdict}; chance alone gives a gap this large {_each(cut, rows, chance)}."


def _by_verdict(cut: Cut) -> dict[str, list[Row]]:
    """The rows of the tests, by their verdict."""
    out: dict[str, list[Row]] = {}
    for row in map(cut.gap, cut.systems):
        if row is not None:
            out.setdefault(_verdict(row), []).append(row)
    return out


def _verdict(row: Row) -> str:
    if row.p is None:
        return UNTESTED
    if _differ(row):
        explained = by_classes(row)
        return "the groups differ by more than chance would explain" + ("" if explained is None else f", {explained}")
    if row.p <= 1 - row.level:
        return "no significant difference was found after correction for all columns"
    return "no significant difference was found"


def _each(cut: Cut, rows: Sequence[Row], said: Callable[[Row], str]) -> str:
    """The text for each row, with its system's name if there are several systems."""
    if len(cut.systems) == 1:
        return said(rows[0])
    return ", ".join(f"{said(row)} ({row.system})" for row in rows)


def _differ(row: Row) -> bool:
    return row.p_adjusted is not None and row.p_adjusted <= 1 - row.level + 1e-12


def chance(row: Row) -> str:
    """How often random groups lie as far apart as these, from the row of their test."""
    assert row.p is not None
    share = share_text(row.p)
    corrected = "" if row.p_adjusted in (None, row.p) else f" (p {gap_p(row)} after correction for all columns)"
    if row.method:
        return f"with a probability of {share}{corrected}"
    return f"in {'at most ' if at_floor(row) else ''}{share} of shuffles{corrected}"


def _cautions(every: Sequence[Sequence[Cut]]) -> Iterator[Block]:
    measures = [cut.measure for of_column in every for cut in of_column]
    moved = dict.fromkeys(titled(m) for m in measures if m.partition("(")[0] in MOVED_BY_BASE_RATE)
    said = []
    if any(not _differ(row) for row in _gaps(every) if row.p is not None):
        said.append("A difference that was not found may still exist: small groups hide large gaps.")
    if moved:
        said.append(
            f"How frequent a class is in a group also affects {', '.join(moved)}, even if a system treats all groups "
            "alike: read recall and the false positive rate first."
        )
    if said:
        yield Prose((" ".join(said),), "caution")


def _gaps(every: Sequence[Sequence[Cut]]) -> Iterator[Row]:
    for cut in (cut for of_column in every for cut in of_column):
        for row in map(cut.gap, cut.systems):
            if row is not None:
                yield row


# ---------------------------------------------------------------------- tables
def _table(of_column: Sequence[Cut]) -> Section:
    """A line for each measure and group: its rows, and for every system its value and its difference from the rest."""
    systems = of_column[0].systems
    alone = len(systems) == 1
    heads = [head for name in systems for head in (("value" if alone else name), "minus the rest")]
    lines = []
    for cut in of_column:
        for group in cut.groups:
            cells = [Cell(cut.n(group))]
            for system in systems:
                cells += [_value(cut.row(group, system)), _difference(cut.row(group, system, "difference"))]
            lines.append((f"{_short(cut, of_column)} · {group}", tuple(cells)))
    told = RESTS_ON if any(cut.trials for cut in of_column) else ""
    classes = {cut.class_ for cut in of_column} - {None}
    of_class = f", for “{classes.pop()}”" if len(classes) == 1 else ""
    return Section(f"by {of_column[0].column}{of_class}", ("n", *heads), tuple(lines), told, role="slices")


def _short(cut: Cut, of_column: Sequence[Cut]) -> str:
    """The measure, with its class only where there are several."""
    return title(cut.rows[0]) if len({each.class_ for each in of_column} - {None}) == 1 else cut.named


def _value(row: Row | None) -> Cell:
    if row is None or row.value is None:
        return Cell("–" if row is None else "undefined")
    return Cell(value_text(row), interval(row))


def _difference(row: Row | None) -> Cell:
    if row is None or row.value is None:
        return Cell("–")
    if row.low is None or row.high is None:
        return Cell(signed(row.value, 3))
    places = digits(row)
    return Cell(signed(row.value, places), f"{signed(row.low, places)} to {signed(row.high, places)}")


def _tests(every: Sequence[Sequence[Cut]]) -> Section | None:
    lines = []
    for cut in (cut for of_column in every for cut in of_column):
        rows = [cut.gap(system) for system in cut.systems]
        if any(row is not None for row in rows):
            lines.append((f"{cut.named} by {cut.column}", tuple(_tested(row) for row in rows)))
    if not lines:
        return None
    systems = every[0][0].systems
    told = (
        "p of one test over all groups, Holm-corrected over columns; next to it the widest gap, chosen after the fact"
    )
    return Section("do the groups differ?", ("p",) if len(systems) == 1 else systems, tuple(lines), told)


def _tested(row: Row | None) -> Cell:
    if row is None or row.p_adjusted is None:
        return Cell("–")
    return Cell(gap_p(row, bare=True), "" if row.value is None else f"gap {number(row.value)}")
