"""One row per class: its measures with their intervals, its gold rows and the rows called so, if there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from assay.errors import choose, joined
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import digits, number, of_difference, title, value_text
from assay.measures.declare.catalogue import parse_known
from assay.options import CLASSES_SHOWN, GROUPS, NOTES, SORTS
from assay.options.showing import most_classes
from assay.report.names import cut_alike
from assay.report.text.lines import Pair, padded, small_lines
from assay.tables import Cell, Section, count_text
from assay.texts import percent, signed

FEWEST = 3  # classes that make a table; with two, each value has a line of its own
LONGEST, SHORTEST = 28, 16  # characters of a class's name: where there is room, and before columns are left out
INTERVALS = "intervals"
Items = Mapping[str, tuple[float, float | None]]  # gold rows of each class, and the rows that were called so
OF_MEASURES = (INTERVALS, "values")  # columns that several measures have
ORDERS = {"size": "largest first", "worst": "worst first", "name": "by name"}


@dataclass(frozen=True)
class Lists:
    """How much of a long report is listed, and in which order, and whether its numbers are explained."""

    sort: str = SORTS[0]
    most: int | None = CLASSES_SHOWN  # None: every class
    all_notes: bool = False
    all_groups: bool = False
    explain: bool = False

    @classmethod
    def of(
        cls,
        sort: str = SORTS[0],
        classes: int | str = CLASSES_SHOWN,
        notes: str = NOTES[0],
        groups: str = GROUPS[0],
        explain: bool = False,
    ) -> Lists:
        """The options as they are declared."""
        return cls(
            choose(sort, SORTS, "sort"),
            most_classes(classes),
            choose(notes, NOTES, "notes") == "all",
            choose(groups, GROUPS, "groups") == "all",
            explain,
        )


@dataclass(frozen=True)
class Column:
    """A column of the table: its heading, its cells, and how soon it is left out where there is no room."""

    group: str  # the head that it shares with its neighbors
    cells: tuple[tuple[str, str], ...]  # text and style
    rank: int  # 0 is never left out, and the highest rank goes first
    head: str = ""
    gap: int = 2
    what: str = ""  # what is missing without it

    @property
    def width(self) -> int:
        """How many columns of the terminal it takes, including the gap before it."""
        return self.gap + max(cell_len(text) for text in (self.head, *(text for text, _ in self.cells)))


def divided(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The rows that have a line of their own, and those of measures that have a value for each of many classes."""
    classes: dict[str, set[str | None]] = {}
    for row in rows:
        classes.setdefault(row.measure, set()).add(row.class_)
    many = {measure for measure, held in classes.items() if len(held - {None}) >= FEWEST}
    return [row for row in rows if row.measure not in many], [row for row in rows if row.measure in many]


# ---------------------------------------------------------------------- of one system
def class_lines(rows: Sequence[Row], items: Items, width: int, lists: Lists) -> Iterator[Text]:
    """The table of one system's classes, in order, and how many are folded."""
    table = _by_measure(rows)
    names = ordered(list(next(iter(table.values()))), [table[next(reversed(table))]], items, lists.sort)
    shown = names[: lists.most]
    yield from class_table(rows, items, shown, width)
    yield from _folded(len(names) - len(shown), lists.sort, width)


def class_table(rows: Sequence[Row], items: Items, shown: Sequence[str], width: int) -> Iterator[Text]:
    """The table of these classes."""
    table, columns = _by_measure(rows), []
    for measure, held in table.items():
        last = measure == next(reversed(table))
        of = title(next(iter(held.values())))
        cells = tuple((value_text(held[name]), "bold") for name in shown)
        columns.append(Column(of, cells, 0))
        limits = tuple((_limits(held[name]), "dim") for name in shown)
        if any(text for text, _ in limits):
            columns.append(Column(of, limits, 2 if last else 4, gap=1, what=INTERVALS))
    columns += _counts(shown, [items], ("",))
    yield from _table(shown, columns, width, percent(rows[0].level))
    yield from _reasons(table, shown, width)


def class_section(rows: Sequence[Row], items: Items, names: Sequence[str]) -> Section:
    """The same for a page, which has room for all of it."""
    table = _by_measure(rows)
    counts = list(_counts(names, [items], ("",)))
    lines = []
    for i, name in enumerate(names):
        values = [Cell(value_text(held[name]), _limits(held[name]), value=held[name].value) for held in table.values()]
        lines.append((name, (*values, *(Cell(column.cells[i][0]) for column in counts))))
    heads = (*(title(next(iter(held.values()))) for held in table.values()), *(column.group for column in counts))
    return Section("class", heads, tuple(lines), "; ".join(_why(table, names)))


def _by_measure(rows: Sequence[Row]) -> dict[str, dict[str, Row]]:
    """The rows of each class by measure."""
    out: dict[str, dict[str, Row]] = {}
    for row in rows:
        out.setdefault(row.measure, {})[str(row.class_)] = row
    return out


def _limits(row: Row) -> str:
    return "" if row.low is None or row.high is None else _between(row)


def _between(row: Row) -> str:
    return "–".join(number(limit, digits(row)) for limit in (row.low, row.high))


def _counts(names: Sequence[str], items: Sequence[Items], heads: Sequence[str]) -> Iterator[Column]:
    """How many gold rows a class has, and how many rows each system called so."""
    if not all(name in items[0] for name in names):
        return
    yield Column("gold", tuple((count_text(items[0][name][0]), "") for name in names), 1, what="gold rows")
    for of_system, head in zip(items, heads, strict=True):
        called = [of_system[name][1] for name in names if name in of_system]
        known = [n for n in called if n is not None]
        if len(known) == len(names):
            yield Column("called", tuple((count_text(n), "") for n in known), 4, head, what="called rows")


def ordered(names: Sequence[str], values: Sequence[Mapping[str, Row]], items: Items, sort: str) -> list[str]:
    """The classes in the order that was asked for; those that are equal stay as they were."""
    if sort == "size":
        return sorted(names, key=lambda name: -items[name][0] if name in items else 0)
    if sort == "name":
        return sorted(names)
    found = parse_known(next(iter(values[0].values())).measure)
    sign = -1 if found is not None and found[0].higher_is_better is False else 1

    def worst(name: str) -> tuple[bool, float]:
        known = [sign * row.value for row in (held[name] for held in values if name in held) if row.value is not None]
        return not known, min(known, default=0.0)

    return sorted(names, key=worst)


def _reasons(table: Mapping[str, Mapping[str, Row]], shown: Sequence[str], width: int) -> Iterator[Text]:
    for text in _why(table, shown):
        yield from small_lines(text, width)


def _why(table: Mapping[str, Mapping[str, Row]], shown: Sequence[str]) -> list[str]:
    """Why some classes have no value, once for each measure and reason."""
    each = ((held[name], title(held[name])) for held in table.values() for name in shown)
    return list(dict.fromkeys(f"– in {of}: {row.reason}" for row, of in each if row.value is None))


def _folded(more: int, sort: str, width: int) -> Iterator[Text]:
    if more:
        classes = "class" if more == 1 else "classes"
        yield from small_lines(f"… and {more:,} more {classes} ({ORDERS[sort]}); --classes all shows them", width)


# ---------------------------------------------------------------------- of two systems
def difference_lines(report: Report, rows: Sequence[Row], pair: Pair, width: int, lists: Lists) -> Iterator[Text]:
    """The table of the classes of two systems: the values of both, and their difference with its interval."""
    table = _by_measure(rows)
    values = [_values_of(report, name) for name in pair.names]
    items = [class_items(report, name) for name in pair.names]
    last = next(reversed(table))
    of_last = [{name: held[last, name] for name in table[last] if (last, name) in held} for held in values]
    classes = ordered(list(table[last]), of_last, items[0], lists.sort)
    shown = classes[: lists.most]
    columns = []
    for measure, held in table.items():
        of = title(next(iter(held.values())))
        for mark, color, known in zip(pair.marks, pair.colors, values, strict=True):
            cells = tuple((_value(known.get((measure, name))), color) for name in shown)
            columns.append(Column(of, cells, 3 if measure == last else 5, mark, what="values"))
        apart = tuple(_apart(held[name], pair) for name in shown)
        columns.append(Column(of, apart, 0, pair.apart))
        limits = tuple((of_difference(held[name], "–") if held[name].has_limits else "", "dim") for name in shown)
        if any(text for text, _ in limits):
            columns.append(Column(of, limits, 2 if measure == last else 6, gap=1, what=INTERVALS))
    columns += _counts(shown, items, pair.marks)
    yield from _table(shown, columns, width, percent(rows[0].level))
    if any(_favored(held[name]) for held in table.values() for name in shown):
        yield from small_lines(f"a mark: the interval excludes 0, in favor of {' or '.join(pair.marks)}", width)
    yield from _reasons(table, shown, width)
    yield from _folded(len(classes) - len(shown), lists.sort, width)


def _values_of(report: Report, system: str) -> dict[tuple[str, str], Row]:
    rows = (row for row in report.rows if row.system == system and row.slice is None and row.quantity == "value")
    return {(row.measure, str(row.class_)): row for row in rows}


def class_items(report: Report, system: str) -> Items:
    """The gold rows of every class and the rows that this system called so, where they were counted."""
    held = () if report.counted is None else report.counted.systems.held(system)
    found = next((items for tally in held if (items := tally.class_items())), ())
    return {item.label: (item.gold, item.called) for item in found}


def _value(row: Row | None) -> str:
    return "–" if row is None else value_text(row)


def _apart(row: Row, pair: Pair) -> tuple[str, str]:
    """The difference, with the mark of the system that it favors where its interval excludes 0."""
    if row.value is None:
        return "–", "yellow"
    text, sign = signed(row.value, digits(row)), _favored(row)
    return f"{text} {pair.marks[sign < 0] if sign else ' '}", f"bold {pair.colors[sign < 0] if sign else ''}".strip()


def _favored(row: Row) -> int:
    found = parse_known(row.measure)
    better = None if found is None else found[0].higher_is_better
    above, below = row.low is not None and row.low > 0, row.high is not None and row.high < 0
    if better is None or not (above or below):
        return 0
    return 1 if above == better else -1


# ---------------------------------------------------------------------- the table
def _table(names: Sequence[str], columns: Sequence[Column], width: int, level: str) -> Iterator[Text]:
    """As many columns as fit, and what was left out; where even the required ones do not fit, they follow below."""
    cut = cut_alike(names, LONGEST)
    longest = max(cell_len(cut[name]) for name in names)
    room = width - 3  # a blank before the name, and two behind it
    kept = list(columns)
    for rank in sorted({column.rank for column in columns} - {0}, reverse=True):
        if _widths(kept) + min(longest, SHORTEST) <= room:
            break
        kept = [column for column in kept if column.rank < rank]
    blocks = _blocks(kept, room - min(longest, SHORTEST))
    most = room - max(_widths(block) for block in blocks)
    limits = any(column.what == INTERVALS for column in kept)
    head = f"class, {level} interval" if limits and most >= len(f"class, {level} interval") else "class"
    left = max(min(max(longest, len(head)), most), len("class"))
    if left < longest:
        cut = cut_alike(names, left)
    for block in blocks:
        yield from _block(head, [cut[name] for name in names], left, block)
    told = _left_out([column for column in columns if column not in kept])
    if told:
        yield from small_lines(f"left out at {width} columns: {told}; use a wider terminal or --format csv", width)


def _left_out(columns: Sequence[Column]) -> str:
    """What is missing without these columns, and of which measures."""
    of: dict[str, list[str]] = {}
    for column in columns:
        of.setdefault(column.what, []).append(column.group)
    each = (dict.fromkeys(groups) for groups in of.values())
    return joined(
        [
            f"{what} of {joined(list(groups), 9)}" if what in OF_MEASURES else what
            for what, groups in zip(of, each, strict=True)
        ]
        or [""],
        9,
    )


def _widths(columns: Sequence[Column]) -> int:
    """How wide columns are together, each group at least as wide as its head."""
    return sum(
        max(sum(column.width for column in group), group[0].gap + cell_len(group[0].group))
        for group in _groups(columns)
    )


def _groups(columns: Sequence[Column]) -> list[list[Column]]:
    out: dict[str, list[Column]] = {}
    for column in columns:
        out.setdefault(column.group, []).append(column)
    return list(out.values())


def _blocks(columns: Sequence[Column], room: int) -> list[list[Column]]:
    """Columns that fit next to each other; a group is never split."""
    blocks: list[list[Column]] = [[]]
    for group in _groups(columns):
        if blocks[-1] and _widths([*blocks[-1], *group]) > room:
            blocks.append([])
        blocks[-1] += group
    return blocks


def _block(head: str, names: Sequence[str], left: int, columns: Sequence[Column]) -> Iterator[Text]:
    first, second = Text(f" {padded(head, left + 1)}", style="dim"), Text(" " * (left + 2), style="dim")
    widths: list[int] = []
    for group in _groups(columns):
        own = [column.width for column in group]
        own[0] += max(group[0].gap + cell_len(group[0].group) - sum(own), 0)
        span = sum(own) - group[0].gap
        over = padded(group[0].group, span, right=True) if len(group) == 1 else f"{group[0].group:^{span}}"
        first.append(" " * group[0].gap + over)
        for column, room in zip(group, own, strict=True):
            second.append(padded(column.head, room, right=True))
        widths += own
    yield first
    if second.plain.strip():
        yield second
    for i, name in enumerate(names):
        line = Text(f" {padded(name, left + 1)}")
        for column, room in zip(columns, widths, strict=True):
            text, style = column.cells[i]
            line.append(padded(text, room, right=True), style=style)
        yield line
