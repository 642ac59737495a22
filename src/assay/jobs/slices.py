"""The same measures group by group: values, gaps to the rest, and whether the groups differ at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import OptionError, in_plural
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import digits, interval, title, value_text
from assay.measures.declare.catalogue import resolve, slice_measures, titled
from assay.measures.declare.measure import Measure
from assay.measures.labels.usual import MOVED_BY_BASE_RATE
from assay.notes import GAP, Aside, Note
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.texts import p_number, signed
from assay.uncertainty.many.corrections import holm
from assay.uncertainty.many.groups import Gap, gap_within, max_gap
from assay.uncertainty.one.estimate import estimate, signature
from assay.uncertainty.one.problem import Limits
from assay.uncertainty.results import Estimate, Signature
from assay.uncertainty.two.unpaired import difference, ratio

SMALL = 30  # rows below which a group says little
FOLDED = 3  # lines that a terminal shows rather than saying that they are left out
FEWEST = 15  # rows below which a group has no interval
TOO_FEW = "fewer than {} {}: 95% intervals from so few covered the true value in only 87 to 91% of samples"
WIDEST = "the widest gap was picked after looking at the data, so it has no interval of its own"
BY_CLASSES = "the class frequencies of the groups explain a gap this large"
SHARED = "clusters have rows in the group and in the rest, so the two are not independent"


Place = tuple[str, str | None, str]  # a measure, its class, and the group


@dataclass(frozen=True)
class Sliced:
    """One measure over the groups of one column."""

    column: str
    groups: Mapping[str, Tally]
    rest: Mapping[str, Tally | None]
    measure: Measure
    options: Mapping[str, Any]
    class_: str | None
    system: str
    drawing: Mapping[str, Any]

    def estimate(self, tally: Tally) -> Estimate:
        """The measure on a group; a method that does not fit every group gives way to the default there."""
        try:
            return without_too_few(estimate(self.measure, tally, **self.drawing, **self.options), tally.item)
        except OptionError:
            if self.drawing["method"] == "auto":
                raise
            drawing = {**self.drawing, "method": "auto"}
            return without_too_few(estimate(self.measure, tally, **drawing, **self.options), tally.item)

    def rows(self) -> list[Row]:
        """Each group's value, and how far it is from the rest."""
        out: list[Row] = []
        for group, tally in self.groups.items():
            where = f"{self.column}={group}"
            here = self.estimate(tally)
            out.append(Row.of(here, self.system, self.class_, where))
            rest = self.rest[group]
            if rest is None:
                continue
            there = self.estimate(rest)
            for quantity, made in (("difference", difference), ("ratio", ratio)):
                value, limits = made(here, there)
                if _share_clusters(tally, rest):
                    limits = Limits(None, None, limits.method, SHARED)
                out.append(self._compared(where, quantity, value, limits, here))
        return out

    def counted(self) -> dict[Place, float]:
        """The rows that the measure rests on in each group, by measure, class and group."""
        out = {}
        for group, tally in self.groups.items():
            bound = self.measure.bind(tally, **self.options)
            n = bound.counted(tally)
            out[bound.spelling, self.class_, f"{self.column}={group}"] = tally.n if n is None else n
        return out

    def _compared(self, where: str, quantity: str, value: float | None, limits: Limits, here: Estimate) -> Row:
        row = Row.of(here, self.system, self.class_, where)
        return replace(
            row,
            quantity=quantity,
            value=value,
            low=limits.low,
            high=limits.high,
            method=limits.method,
            reason=limits.reason,
            no_skill=None,
            no_skill_name=None,
            signature=f"{here.signature}|slice:{quantity} to the rest",
        )

    def gap(self) -> tuple[Row, Gap]:
        """Whether the groups differ by more than chance: one test over all of them."""
        tallies = list(self.groups.values())
        pooled = sum(tallies[1:], tallies[0])
        bound = self.measure.bind(pooled, **self.options)
        seed, draws = self.drawing["random_state"], self.drawing["n_resamples"]
        found = max_gap(bound, tallies, draws, seed)
        alike = None
        if found.p is not None and found.p <= 1 - self.drawing["level"]:
            alike = gap_within(bound, tallies, "gold", draws, seed)
        explained = alike is not None and alike > 1 - self.drawing["level"]
        made = {"test": "max_gap", "slice": self.column}
        row = Row(
            system=self.system,
            measure=bound.spelling,
            class_=self.class_,
            slice=self.column,
            quantity="gap",
            value=found.spread,
            level=self.drawing["level"],
            n=pooled.n,
            method=found.by,
            p=found.p,
            test="max_gap",
            reason=found.reason or (f"{WIDEST}; {BY_CLASSES} (p = {p_number(alike or 0)})" if explained else WIDEST),
            signature=str(signature(bound, pooled, "none", self.drawing["level"], found.draws or None, seed, **made)),
            farthest=None if found.group is None else list(self.groups)[found.group],
        )
        return row, found


def too_few(item: str) -> str:
    """Why a group with very few items has no interval."""
    return TOO_FEW.format(FEWEST, in_plural(item))


def without_too_few(e: Estimate, item: str) -> Estimate:
    """The estimate of a group; with very few rows, a reason in place of its interval."""
    if e.n >= FEWEST or e.low is None:
        return e
    return replace(e, low=None, high=None, reason=too_few(item))


def by_classes(row: Row) -> str | None:
    """The remark on a gap that would also arise if rows of one class were answered alike in all groups."""
    _, found, p = (row.reason or "").partition(BY_CLASSES)
    if not found:
        return None
    return f"but no more than class frequencies explain: no significant difference was found among rows of one class{p}"


def sliced(
    system: str, slicings: Sequence[Any], measures: Any, drawing: Mapping[str, Any]
) -> tuple[list[Row], list[Section], list[str]]:
    """Rows, tables and notes of every slicing column for one system."""
    rows: list[Row] = []
    gaps: list[tuple[int, Sliced, Gap]] = []
    counted: dict[Place, float] = {}
    for slicing in slicings:
        held = slicing.by_group(system)
        rests: list[Any] = [None] * len(held)
        for measure, options, class_, at in sliced_measures([next(iter(groups.values())) for groups in held], measures):
            groups = held[at]
            rests[at] = rests[at] or _rest(groups)
            part = Sliced(slicing.column, groups, rests[at], measure, options, class_, system, drawing)
            rows += part.rows()
            counted |= part.counted()
            if len(groups) > 1:
                row, gap = part.gap()
                gaps.append((len(rows), part, gap))
                rows.append(row)
    for same in _by_measure(rows, gaps):
        for at, adjusted in zip(same, holm([rows[at].p for at in same]), strict=True):
            rows[at] = replace(rows[at], p_adjusted=adjusted)
    found = {
        (rows[at].measure, rows[at].class_, f"{part.column}={rows[at].farthest}")
        for at, part, _ in gaps
        if rows[at].farthest is not None and differs(rows[at])
    }
    sections = [_section(slicing.column, rows, counted, found) for slicing in slicings]
    return rows, sections, [*_verdicts(rows, gaps), *_small(slicings, rows, counted), *_base_rates(rows)]


def differs(row: Row) -> bool:
    """Whether the test over all groups found that this measure differs among them."""
    return row.p_adjusted is not None and row.p_adjusted <= 1 - row.level


def _by_measure(rows: Sequence[Row], gaps: Sequence[tuple[int, Sliced, Gap]]) -> list[list[int]]:
    """The positions of the tests of each measure, which are adjusted for looking at several columns."""
    out: dict[tuple[str, str | None], list[int]] = {}
    for at, _, _ in gaps:
        out.setdefault((rows[at].measure, rows[at].class_), []).append(at)
    return list(out.values())


def sliced_measures(tallies: Sequence[Tally], asked: Any) -> list[tuple[Measure, dict[str, Any], str | None, int]]:
    """The measures to show by group, each with its class and the place of the tally it is computed from."""
    listed = [asked] if isinstance(asked, str | Measure) else asked
    out = []
    for wanted in slice_measures(tallies[0]) if listed is None else dict.fromkeys(listed):
        found, options = resolve(wanted, {})
        at = next((i for i, tally in enumerate(tallies) if found.reads_from(tally)), 0)
        out += [(found, settled, class_, at) for settled, class_ in found.cases(tallies[at], options)]
    return out


def _rest(groups: Mapping[str, Tally]) -> dict[str, Tally | None]:
    """For every group, all the others as one."""
    names = list(groups)
    before: list[Any] = [None]
    after: list[Any] = [None]
    for name in names[:-1]:
        before.append(groups[name] if before[-1] is None else before[-1] + groups[name])
    for name in reversed(names[1:]):
        after.append(groups[name] if after[-1] is None else groups[name] + after[-1])
    out: dict[str, Tally | None] = {}
    for name, left, right in zip(names, before, reversed(after), strict=True):
        out[name] = left + right if left is not None and right is not None else left or right
    return out


def _share_clusters(a: Tally, b: Tally) -> bool:
    return a.clusters is not None and b.clusters is not None and bool(set(a.clusters.names) & set(b.clusters.names))


# ---------------------------------------------------------------------- words
def _section(column: str, rows: Sequence[Row], counted: Mapping[Place, float], found: Collection[Place]) -> Section:
    """A line for each measure and group: the rows it rests on, its value, and its difference from the rest.

    In brief: where the interval of that difference excludes 0, and the group farthest off where a test found a gap.
    """
    lines: list[tuple[str, tuple[Cell, ...]]] = []
    brief = []
    here = [row for row in rows if row.slice is not None and row.slice.startswith(f"{column}=")]
    for row in here:
        if row.quantity != "value":
            continue
        gap = next((r for r in here if r.quantity == "difference" and _same(r, row)), None)
        n = counted[row.measure, row.class_, row.slice or ""]
        group = f"{named(row, rows)} · {(row.slice or '').removeprefix(f'{column}=')}"
        cells = (
            Cell(f"{n:,.0f}", value=n),
            Cell("undefined" if row.value is None else value_text(row), interval(row), value=row.value),
            _signed(gap),
        )
        if cells[-1].tone == "bad" or (row.measure, row.class_, row.slice) in found:
            brief.append(len(lines))
        lines.append((group, cells))
    heads = ("n", "estimate", "minus the rest")
    return Section(f"by {column}", heads, tuple(lines), brief=in_brief(brief, len(lines)), role="slices")


def in_brief(shown: Sequence[int], lines: int) -> tuple[int, ...] | None:
    """The lines that stand out; all of them if a line that says how many more there are would save none."""
    return None if lines - len(shown) <= FOLDED else tuple(shown)


def _same(a: Row, b: Row) -> bool:
    return (a.measure, a.class_, a.slice) == (b.measure, b.class_, b.slice)


def named(row: Row, rows: Sequence[Row]) -> str:
    """The measure's name, with its class where these rows have several."""
    classes = {each.class_ for each in rows if each.class_ is not None}
    return title(row) if row.class_ is None or len(classes) == 1 else f"{title(row)} “{row.class_}”"


def _signed(row: Row | None) -> Cell:
    if row is None or row.value is None:
        return Cell("–")
    if row.low is None or row.high is None:
        return Cell(signed(row.value, 3), "–", value=row.value)
    tone, places = "plain" if row.low <= 0 <= row.high else "bad", digits(row)
    return Cell(signed(row.value, places), f"{signed(row.low, places)} to {signed(row.high, places)}", tone, row.value)


def _differs(of: str, p: str, column: str, more: str) -> Note:
    """A note on a measure in which groups differ; several such measures share one note."""
    told = f"by {column} more than chance would explain"
    several = f"{{n}} measures differ {told}: "
    return Note([f"{of} ({p})"], more, after=f" differs {told}", several=several, urgency=GAP)


def _verdicts(rows: Sequence[Row], gaps: Sequence[tuple[int, Sliced, Gap]]) -> list[str]:
    """What the test over all groups says; never from the widest pair."""
    out: list[str] = []
    alike: dict[str, list[str]] = {}
    one_class = len({row.class_ for row in rows if row.class_ is not None}) == 1
    for at, part, gap in gaps:
        row = rows[at]
        of = titled(row.measure) if row.class_ is None or one_class else f"{titled(row.measure)} of “{row.class_}”"
        if row.p_adjusted is None:
            out.append(f"{of} by {part.column}: the groups were not tested: {gap.reason}")
            continue
        p = f"p {gap_p(row)}"
        if differs(row) and row.farthest is not None:
            # Of two groups, both are equally far off.
            far = f", farthest: “{row.farthest}”" if len(part.groups) > 2 else ""
            explained = by_classes(row)
            out.append(_differs(of, f"{p}{far}", part.column, "" if explained is None else f", {explained}"))
        else:
            alike.setdefault(part.column, []).append(f"{of} ({p})")
    if any(gap.by == "normal" for _, _, gap in gaps):
        out.append(
            Aside("groups were tested by a normal approximation: there are too many kinds of rows to shuffle them")
        )
    unknown = dict.fromkeys(titled(rows[at].measure) for at, _, gap in gaps if gap.alike)
    if unknown:
        out.append(
            f"the standard errors of {', '.join(unknown)} in each group are not known, so shuffles assume that groups "
            "are alike in all but their sizes: groups with different spread can seem to differ"
        )
    fewer = [(part.column, gap.draws) for _, part, gap in gaps if 0 < gap.draws < part.drawing["n_resamples"]]
    out += [
        Aside(f"groups of {column} were shuffled only {n:,} times: the table has many cells") for column, n in fewer[:1]
    ]
    none = "no significant difference by {} was found in {}"
    return out + [Aside(none.format(column, ", ".join(names))) for column, names in alike.items()]


def _small(slicings: Sequence[Any], rows: Sequence[Row], counted: Mapping[Place, float]) -> list[str]:
    """The groups in which some value rests on few rows, with the fewest that any of their values rests on."""
    out = []
    for slicing in slicings:
        few = []
        for group in slicing.groups:
            of_group = [place for place in counted if place[2] == f"{slicing.column}={group}"]
            least = min(of_group, key=lambda place: counted[place])
            if counted[least] < SMALL:
                row = next(row for row in rows if (row.measure, row.class_, row.slice) == least)
                few.append(f"{counted[least]:,.0f} in “{group}” ({named(row, rows)})")
        if few:
            sizes = [row.n for row in rows if row.slice is not None and row.slice.startswith(f"{slicing.column}=")]
            bare = f"; groups of fewer than {FEWEST} have no interval" if min(sizes) < FEWEST else ""
            what = in_plural(next(iter(next(iter(slicing.groups.values())).values())).item)
            out.append(f"some values by {slicing.column} rest on fewer than {SMALL} {what}: {', '.join(few)}{bare}")
    return out


def _base_rates(rows: Sequence[Row]) -> list[str]:
    moved = [
        row.measure for row in rows if row.quantity == "gap" and row.measure.partition("(")[0] in MOVED_BY_BASE_RATE
    ]
    if not moved:
        return []
    names = ", ".join(dict.fromkeys(map(titled, moved)))
    return [
        Aside(f"class frequencies in the groups also affect {names}: read recall and the false positive rate first")
    ]


def at_floor(row: Row) -> bool:
    """Whether no shuffle gave a gap as large, so that p is a bound."""
    draws = Signature.parse(row.signature).get("draws") if row.signature and not row.method else None
    return row.p is not None and draws is not None and row.p * (int(draws) + 1) < 1.5


def gap_p(row: Row, *, bare: bool = False) -> str:
    """The p-value of a gap after correction, as it is written after “p”; bare, without the sign of equality."""
    assert row.p_adjusted is not None
    text = p_number(row.p_adjusted)
    return f"≤ {text}" if at_floor(row) else text if bare or text.startswith("<") else f"= {text}"
