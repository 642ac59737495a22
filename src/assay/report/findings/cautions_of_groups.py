"""Cautions about groups: what the one test over all groups of each column found, and which groups are small."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from assay.errors import in_plural, joined, plural
from assay.jobs.results import Row
from assay.jobs.row_texts import digits, number
from assay.jobs.slices import SMALL, gap_p
from assay.measures.declare.catalogue import parse_known
from assay.report.contents.blocks import Caution
from assay.report.families.view import Material
from assay.report.findings.cautions_of_numbers import MOST, capital, named, quoted, some, systems_of
from assay.report.groups import cuts
from assay.tables import count_text


def gaps(material: Material) -> Iterator[Caution]:
    """What one test over all groups of each column found, and which groups are small."""
    rows = [row for row in material.report.rows if row.quantity == "gap"]
    shown = [row for row in rows if row.p_adjusted is not None and row.p_adjusted <= 1 - row.level + 1e-12]
    hidden = [row for row in rows if row.p_adjusted is not None and row not in shown]
    lacking = [row for row in rows if row.p_adjusted is None]
    told: Collection[tuple[str, str]] = ()  # columns and groups that are named with their rows
    if shown:
        behind = set() if material.report.contest is None else material.report.contest.behind
        first = next((row for row in shown if row.system not in behind), shown[0])
        more = f" {plural(len(shown) - 1, 'more gap')} {'was' if len(shown) == 2 else 'were'} found." * (len(shown) > 1)
        ends = _ends(first, material)
        told = {(str(first.slice), group) for group, *_ in ends}
        beyond = f"more than chance would explain (p {gap_p(first)}).{more}"
        if ends:
            text = f"By {first.slice}, the groups differ by {beyond}"
            yield Caution(_extremes(first, ends, material), text, "slices", systems_of(shown))
        else:
            text = f"The gap in {named(first, material)} is {beyond.replace('more', 'larger', 1)}"
            yield Caution(f"Performance differs by {_columns(shown)}.", text, "slices", systems_of(shown))
    elif hidden:
        least = min(hidden, key=lambda row: row.p_adjusted or 0.0)
        tests = plural(len(hidden), "test")
        text = f"The smallest p of {tests} is {gap_p(least, bare=True)}, for {named(least, material)}"
        yield Caution(f"No significant gap by {_columns(hidden)} was found.", f"{text}. {_sizes(material)}", "slices")
    if lacking:
        why = str(lacking[0].reason)
        yield Caution(f"Gaps by {_columns(lacking)} were not tested.", f"{capital(why)}.", "slices")
    yield from _small(material, told)


End = tuple[str, Row, float]  # a group, its row, and how many rows that rests on


def _ends(gap: Row, material: Material) -> list[End]:
    """The worst and the best group of a system; nothing if fewer than two have a value."""
    wanted = (gap.slice, gap.measure, gap.class_)
    cut = next((cut for cut in cuts(material.report) if (cut.column, cut.measure, cut.class_) == wanted), None)
    if cut is None:
        return []
    found = parse_known(gap.measure)
    sign = -1 if found is not None and found[0].higher_is_better is False else 1
    rows = ((group, cut.row(group, gap.system)) for group in cut.groups)
    known = [(group, row) for group, row in rows if row is not None and row.value is not None]
    known.sort(key=lambda each: sign * (each[1].value or 0.0))
    ends = [known[0], known[-1]] if len(known) > 1 else []
    return [(group, row, cut.trials.get((group, gap.system), cut.size(group))) for group, row in ends]


def _extremes(gap: Row, ends: Sequence[End], material: Material) -> str:
    """The values of the worst and the best group, with the number of rows where there are few."""
    places = min(digits(row) for _, row, _ in ends)
    few = {group: f" (n = {count_text(n)})" if n < SMALL else "" for group, _, n in ends}
    worst, best = (f"{number(row.value, places)} in {quoted(group)}{few[group]}" for group, row, _ in ends)
    return f"{named(gap, material)} is {worst}, {best}."


def _columns(rows: Iterable[Row]) -> str:
    return joined(list(dict.fromkeys(str(row.slice) for row in rows)), MOST)


def _group_sizes(material: Material) -> dict[str, int]:
    """How many rows each group has."""
    counted = material.report.counted
    slicings = () if counted is None else counted.slices
    return {
        f"{slicing.column} {quoted(group)}": next(iter(each.values())).n
        for slicing in slicings
        for group, each in slicing.groups.items()
    }


def _sizes(material: Material) -> str:
    held = _group_sizes(material).values()
    if not held:
        return "Small groups can hide real gaps."
    many = f"{min(held):,} to {max(held):,}" if min(held) < max(held) else f"{min(held):,}"
    return f"With {many} rows per group, real gaps can be missed."


def _small(material: Material, told: Collection[tuple[str, str]]) -> Iterator[Caution]:
    """Groups in which the first measure of a column rests on few rows; for recall these are the positives."""
    first = {cut.column: cut for cut in reversed(list(cuts(material.report)))}
    few = [
        (f"{column} {quoted(group)}", f"{cut.named} rests on {cut.n(group)} in {quoted(group)}")
        for column, cut in reversed(first.items())
        for group in cut.groups
        if min(cut.counted(group)) < SMALL and (column, group) not in told
    ]
    if few:
        title = f"Values of {joined([group for group, _ in few], MOST)} rest on few {in_plural(material.report.item)}."
        yield Caution(title, f"{some([said for _, said in few])}; fewer than {SMALL} say little.", "slices")
