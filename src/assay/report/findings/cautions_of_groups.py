"""Cautions about groups: what the one test over all groups of each column found, and which groups are small."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.errors import in_plural, joined, plural
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import digits, number
from assay.jobs.slices import SMALL, gap_p
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.contents.blocks import Caution
from assay.report.families.view import Material
from assay.report.findings.cautions_of_numbers import MOST, capital, named, quoted, some, systems_of
from assay.report.groups import Cut, cuts
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
        far = _farthest(first, material)
        if far is None:
            more = _more([row for row in shown if row is not first], first)
            text = f"The gap in {named(first, material)} is larger than chance would explain (p {gap_p(first)}).{more}"
            yield Caution(f"Performance differs by {_columns(shown)}.", text, "slices", systems_of(shown))
        else:
            told = {(str(first.slice), group) for group in far.named}
            yield Caution(_title(far, material), _text(far, shown, material), "slices", systems_of(shown))
    elif hidden:
        least = min(hidden, key=lambda row: row.p_adjusted or 0.0)
        tests = plural(len(hidden), "test")
        text = f"The smallest p of {tests} is {gap_p(least, bare=True)}, for {named(least, material)}"
        yield Caution(f"No significant gap by {_columns(hidden)} was found.", f"{text}. {_sizes(material)}", "slices")
    if lacking:
        why = str(lacking[0].reason)
        yield Caution(f"Gaps by {_columns(lacking)} were not tested.", f"{capital(why)}.", "slices")
    yield from _small(material, told)


@dataclass(frozen=True)
class _Far:
    """The group that the test of a gap found farthest from the rest, with its value and that of the rest."""

    gap: Row
    cut: Cut
    here: Row
    away: Row  # how far it is from the rest

    @property
    def group(self) -> str:
        """Its name."""
        return str(self.gap.farthest)

    @property
    def distance(self) -> float:
        """How far it is from the rest, whichever is higher."""
        return abs(self.away.value or 0.0)

    @property
    def both(self) -> tuple[tuple[str | None, str], ...]:
        """Its value and that of the rest, which is None unless it is one group; of two groups the worse one first."""
        places = min(digits(self.here), digits(self.away) if self.away.has_limits else 9)
        rest = (self.here.value or 0.0) - (self.away.value or 0.0)
        each = [(self.group, self.here.value), (None, rest)]
        others = [group for group in self.cut.groups if group != self.group]
        if len(others) == 1:
            each[1] = (others[0], rest)
            each.sort(key=lambda one: self.sign * (one[1] or 0.0))
        return tuple((group, number(x, places)) for group, x in each)

    @property
    def told(self) -> str:
        """The same in words."""
        return ", ".join(f"{value} {self._place(group)}" for group, value in self.both)

    @property
    def sign(self) -> int:
        """-1 if lower is better."""
        found = parse_known(self.gap.measure)
        return -1 if found is not None and found[0].higher_is_better is False else 1

    def n(self, group: str) -> float:
        """The rows that the value of a group rests on."""
        return self.cut.trials.get((group, self.gap.system), self.cut.size(group))

    @property
    def named(self) -> list[str]:
        """The groups of which the caution says how many rows there are."""
        return list(self.cut.groups) if len(self.cut.groups) == 2 else [self.group]

    def _place(self, group: str | None) -> str:
        if group is None:
            return "elsewhere"
        return f"in {quoted(group)}{f' (n = {count_text(self.n(group))})' if self.n(group) < SMALL else ''}"


def _farthest(gap: Row, material: Material) -> _Far | None:
    """The group that the test points to; None if it, or the rest, has no value."""
    wanted = (gap.slice, gap.measure, gap.class_)
    cut = next((cut for cut in cuts(material.report) if (cut.column, cut.measure, cut.class_) == wanted), None)
    if cut is None or gap.farthest is None:
        return None
    here, away = (cut.row(gap.farthest, gap.system, of) for of in ("value", "difference"))
    if here is None or here.value is None or away is None or away.value is None:
        return None
    return _Far(gap, cut, here, away)


def _title(far: _Far, material: Material) -> str:
    classes = {row.class_ for row in material.report.rows if row.quantity == "gap"} - {None}
    of = "" if far.gap.class_ is None or len(classes) == 1 else f" of {quoted(far.gap.class_)}"
    return f"{titled(far.gap.measure)}{of} differs by {far.gap.slice}."


def _text(far: _Far, shown: Sequence[Row], material: Material) -> str:
    """The values of every system whose test found the same gap, and what else differs."""
    of = (far.gap.measure, far.gap.class_, far.gap.slice)
    same = [row for row in shown if (row.measure, row.class_, row.slice) == of]
    each = [other for row in same if (other := _farthest(row, material)) is not None][:MOST]
    many = len(material.systems) > 1
    said = []
    for i, one in enumerate(each):
        groups = [group for group, _ in one.both]
        alike = i > 0 and groups == [group for group, _ in each[0].both]
        told = " and ".join(value for _, value in one.both) if alike else one.told
        said.append(f"{one.gap.system} {told}" if many else told)
    p = gap_p(max(same, key=lambda row: row.p_adjusted or 0.0))
    more = _more([row for row in shown if row not in same], far.gap)
    return f"{'; '.join(said)} (p {p.replace('= ', '≤ ') if len(same) > 1 else p}).{more}"


def _more(rows: Sequence[Row], first: Row) -> str:
    """What else differs: other measures by the same column, then other columns."""
    here = dict.fromkeys(titled(row.measure) for row in rows if row.slice == first.slice)
    names = [name for name in here if name != titled(first.measure)]
    columns = list(dict.fromkeys(str(row.slice) for row in rows if row.slice != first.slice))
    so = f" So {'does' if len(names) == 1 else 'do'} {joined(names, MOST)}." if names else ""
    return f"{so} There are also gaps by {joined(columns, MOST)}." if columns else so


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
