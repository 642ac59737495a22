"""Pieces of a page in a terminal: names cut to size, tables, and what to watch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import title
from assay.lazily import family_name
from assay.measures.declare.catalogue import parse_known
from assay.notes import full, is_aside
from assay.report.names import clean, cut_alike, short
from assay.report.text.wrapping import wrapped
from assay.report.tokens import mark_of, terminal_color
from assay.tables import Section
from assay.texts import percent

STYLES = {"good": "bold green", "bad": "bold red", "plain": "dim", "best": "bold"}
BEST, OTHERS = "*", " "  # after the best number of a row, and after others in the same table
NAMES, SHORT_NAMES = 44, 24  # characters of the names of rows, and where there is little room
MOST_LINES = 10  # of notes
NO_MODEL = "no model"  # the title of the table of baselines


@dataclass(frozen=True)
class Pair:
    """Two systems, with the marks and colors that they have everywhere."""

    names: tuple[str, str]
    marks: tuple[str, str]
    colors: tuple[str, str]

    @classmethod
    def of(cls, report: Report, names: tuple[str, str]) -> Pair:
        """These two of the report's systems."""
        every = [system.name for system in report.systems]
        a, b = (every.index(name) if name in every else i for i, name in enumerate(names))
        b += mark_of(a) == mark_of(b)  # there are only so many marks
        return cls(names, (mark_of(a), mark_of(b)), (terminal_color(a), terminal_color(b)))

    @property
    def apart(self) -> str:
        """The first minus the second, as the head of a column."""
        return " − ".join(self.marks)


def harmless(line: Text) -> Text:
    """A line as it goes to the terminal: whatever it contains, only our own colors are obeyed."""
    if not line.plain.isprintable():
        line.plain = clean(line.plain)  # sign by sign, so that colors stay in their places
    return line


def padded(text: str, width: int, right: bool = False) -> str:
    """Text filled up with blanks, by the columns it takes on screen."""
    blanks = " " * max(width - cell_len(text), 0)
    return blanks + text if right else text + blanks


def small_lines(text: str, width: int) -> Iterator[Text]:
    """A remark below a table."""
    return (Text(line, style="dim") for line in wrapped(clean(text), width, " ", " "))


def level_head(rows: Sequence[Row]) -> str:
    """The head of a column of limits."""
    return f"{percent(rows[0].level)} interval"


def section_lines(
    section: Section, width: int, all_groups: bool = False, colors: Mapping[str, str] | None = None
) -> Iterator[Text]:
    """The table with the notes of its cells; without them where there is no room, and then in parts.

    Columns with the name of a system have its color.
    """
    if section.role == "datasets":
        section = _fitting(_with_marks(section), width)
    if section.role == "slices":
        section = standing_out(section)
    more = 0
    if section.brief is not None and not (all_groups and section.role == "slices"):
        more = len(section.rows) - len(section.brief)
        section = replace(section, rows=tuple(section.rows[i] for i in section.brief), brief=None)
    if more and not section.rows:
        told = f"{section.title}: no interval of a difference excludes 0; --groups all shows all {more:,} lines"
        yield from small_lines(told, width)
        return
    if section.narrow is not None and not any(_fits(section, width)):
        yield from section_lines(section.narrow, width, all_groups, colors)
        return
    lines, below = table_lines(section, width, colors)
    yield from lines
    for told in (*([_told_of_more(section, more)] if more else []), *below):
        yield from (Text(line, style="dim") for line in wrapped(clean(told), width, " ", " "))


Way = tuple[int, bool, tuple[str, ...]]  # characters of the names of rows, whether cells have notes, heads of columns


def _ways(section: Section, width: int) -> list[Way]:
    """How a table may be laid out, from the one that takes the most room."""
    brief = [(most, False, _brief(section.columns)) for most in (NAMES, min(SHORT_NAMES, width // 2))]
    # Baselines are easier to tell from part of their names than measures are.
    names = (NAMES, min(SHORT_NAMES, width // 2)) if section.title == NO_MODEL else (NAMES,)
    return [(NAMES, True, section.columns), *((most, False, section.columns) for most in names), *brief]


def _fits(section: Section, width: int) -> list[bool]:
    ways = _ways(section, width)
    taken = (_left(_names(section, most)) + sum(_widths(section, notes, columns)) for most, notes, columns in ways)
    return [each < width for each in taken]


def table_lines(
    section: Section, width: int, colors: Mapping[str, str] | None = None
) -> tuple[list[Text], tuple[str, ...]]:
    """The head and every row, and what is said below: the section's note, and what was left out for want of room."""
    if section.role == "slices" and _too_wide(section, width) and not _too_wide(_noted_last(section), width):
        section = _noted_last(section)
    fits = _fits(section, width)
    most, notes, columns = _ways(section, width)[fits.index(True) if any(fits) else -1]
    names = _names(section, most)
    left = _left(names)
    shown = section if any(fits) else _shortened(section, width - left - 4)
    lines = list(_rows(shown, columns, names, left, width, colors or {}, notes=notes))
    below = [f"{section.note}{section.shares if notes else ''}"]
    if not notes and any(cell.note for _, cells in section.rows for cell in cells):
        beside = "shares" if section.shares else section.beside
        below.append(f"{beside} are left out at {width} columns; use a wider terminal or --format md")
    return lines, tuple(told for told in below if told)


def standing_out(section: Section) -> Section:
    """The table of groups with what stands out in bold: it may be better or worse than the rest."""
    rows = []
    for i, (name, (*others, last)) in enumerate(section.rows):
        out = last.tone == "bad" if section.brief is None else i in section.brief
        rows.append((name, (*others, replace(last, tone="best" if out else "plain"))))
    return replace(section, rows=tuple(rows))


def _too_wide(section: Section, width: int) -> bool:
    return _left(_names(section, NAMES)) + sum(_widths(section, True, section.columns)) >= width


def _noted_last(section: Section) -> Section:
    """The table with notes in its last column only."""
    rows = ((name, (*(replace(cell, note="") for cell in cells[:-1]), cells[-1])) for name, cells in section.rows)
    told = f"{section.note}; " * bool(section.note)
    return replace(section, rows=tuple(rows), note=f"{told}the other intervals: use a wider terminal or --format md")


def _told_of_more(section: Section, more: int) -> str:
    if section.role == "slices":
        return f"… and {more_groups(more)} that do not stand out; --groups all shows {'it' if more == 1 else 'them'}"
    return f"… and {more:,} more rows; --format md shows all of them"


def more_groups(n: int) -> str:
    """How many lines were left out."""
    return "1 more group or measure" if n == 1 else f"{n:,} more groups or measures"


def _rows(
    section: Section,
    columns: Sequence[str],
    names: Sequence[str],
    left: int,
    width: int,
    colors: Mapping[str, str],
    *,
    notes: bool,
) -> Iterator[Text]:
    """The head and the rows, the title first among their names; columns that do not fit next to the others follow."""
    sizes = [_column(section, j, short(column), notes) for j, column in enumerate(columns)]
    heads = [padded(short(column), _room(size), right=True) for column, size in zip(columns, sizes, strict=True)]
    for part in _parts(heads, width - left - 1):
        head = Text(f" {padded(names[0], left)}", style="dim")
        for j in part:
            color = colors.get(section.columns[j])
            head.append(heads[j], style=None if color is None else f"not dim {color}")
        yield head
        for (_, cells), name in zip(section.rows, names[1:], strict=True):
            line = Text(f" {padded(name, left)}")
            for cell, (wide, text, note) in ((cells[j], sizes[j]) for j in part):
                line.append(padded(clean(cell.text), 3 + max(wide - note, text), right=True), style=STYLES[cell.tone])
                line.append(padded(clean(cell.note) if notes else "", note, right=True), style="dim")
            yield line


CALLED = " called "


def _names(section: Section, most: int) -> list[str]:
    """The title and the names of the rows, cut to this length."""
    brief = {name: SHORTER.get(name, name) if cell_len(clean(name)) > most else name for name, _ in section.rows}
    shown = cut_alike([*brief.values()], most)
    cut = {name: shown[each] for name, each in brief.items()}
    if section.role == "confused":
        cut |= _pairs_cut([name for name, _ in section.rows], most)
    return [short(section.title, most), *(cut[name] for name, _ in section.rows)]


def _pairs_cut(names: Sequence[str], most: int) -> dict[str, str]:
    """Rows such as "cat called dog" cut on both sides, so that both classes can be read."""
    pairs = {name: name.split(CALLED) for name in names if cell_len(clean(name)) > most}
    pairs = {name: pair for name, pair in pairs.items() if len(pair) == 2}  # unless a label contains the word too
    cut = cut_alike([*dict.fromkeys(side for pair in pairs.values() for side in pair)], (most - len(CALLED)) // 2)
    return {name: CALLED.join(cut[side] for side in pair) for name, pair in pairs.items()}


def _left(names: Sequence[str]) -> int:
    """How much the names take, with the blanks behind them."""
    return max(cell_len(name) for name in names) + 2


def _shortened(section: Section, most: int) -> Section:
    """The same with no cell longer than that."""
    rows = ((name, tuple(replace(cell, text=short(cell.text, most)) for cell in cells)) for name, cells in section.rows)
    return replace(section, rows=tuple(rows))


def _widths(section: Section, notes: bool, columns: Sequence[str]) -> list[int]:
    return [_room(_column(section, j, short(column), notes)) for j, column in enumerate(columns)]


def _room(size: tuple[int, int, int]) -> int:
    """How much a column takes, with the blanks before it."""
    head, text, note = size
    return 3 + max(head, text + note)


def _parts(heads: Sequence[str], room: int) -> list[list[int]]:
    """The columns next to each other: all of them, or as many as fit and the others below."""
    out: list[list[int]] = [[]]
    for j, head in enumerate(heads):
        if out[-1] and sum(cell_len(heads[i]) for i in out[-1]) + cell_len(head) > room:
            out.append([])
        out[-1].append(j)
    return out


def _with_marks(section: Section) -> Section:
    """The table with a mark after the best number of each row, for those who see no bold."""
    marks = {True: BEST, False: OTHERS}
    rows = tuple(
        (name, tuple(replace(cell, text=cell.text + marks[cell.tone == "best"]) for cell in cells))
        for name, cells in section.rows
    )
    return replace(section, rows=rows, note=f"{BEST} {section.note.removeprefix('marked: ')}")


def _fitting(section: Section, width: int) -> Section:
    """The table with those of its columns for which there is room without notes: the best by its last row.

    Where not all fit, the note says how many more there are.
    """
    cut = cut_alike(section.columns, 12)
    heads = [cut[name] for name in section.columns]
    left = max(cell_len(name) for name in [*cut_alike([name for name, _ in section.rows], 44).values(), section.title])
    wide = [3 + max(_column(section, j, head, notes=False)[:2]) for j, head in enumerate(heads)]
    if left + 2 + sum(wide) < width:
        return section
    ranks = [cell.value or 0.0 for cell in section.rows[-1][1]]
    room, kept = width - left - 2, set[int]()
    for j in sorted(range(len(ranks)), key=lambda j: ranks[j]):
        room -= wide[j]
        if room <= 0 and kept:
            break
        kept.add(j)
    first, more = (f"{n:,}" for n in (len(kept), len(heads) - len(kept)))
    return replace(
        section,
        columns=tuple(head for j, head in enumerate(heads) if j in kept),
        rows=tuple((name, tuple(c for j, c in enumerate(cells) if j in kept)) for name, cells in section.rows),
        note=f"the {first} systems with the best mean ranks; --format md shows {more} more. {section.note}",
    )


def _column(section: Section, j: int, name: str, notes: bool) -> tuple[int, int, int]:
    """How wide the head, the numbers and their notes are."""
    cells = [row[j] for _, row in section.rows]
    note = max((cell_len(clean(cell.note)) for cell in cells), default=0) if notes else 0
    return cell_len(name), max((cell_len(clean(cell.text)) for cell in cells), default=0), note + 2 * (note > 0)


def _brief(columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(short(name.removeprefix("called ").removeprefix("gold "), 12) for name in columns)


def note_lines(notes: Sequence[str], width: int, all_of_them: bool = True) -> Iterator[Text]:
    """Warnings under one badge, then what only explains: whole notes in ten lines, or all of them with every name."""
    sorts = [[note for note in notes if is_aside(note) is aside] for aside in (False, True)]
    lines = [wrapped(clean(full(note) if all_of_them else note), width - 9) for sort in sorts for note in sort]
    shown, rest = (len(lines), []) if all_of_them else _few(lines, width - 9)
    warnings = min(len(sorts[0]), shown)
    for (badge, look), style, some in (
        ((" watch ", "black on yellow"), "", lines[:warnings]),
        ((" note  ", "dim"), "dim", lines[warnings:shown]),
    ):
        for i, line in enumerate(line for note in some for line in note):
            yield Text.assemble((" " * 7, "") if i else (badge, look), (f"  {line}", style))
    yield from (Text(f"{' ' * 9}{line}", style="dim") for line in rest)


def _few(notes: Sequence[Sequence[str]], width: int) -> tuple[int, list[str]]:
    """How many notes fit, and the lines that say how many more there are."""
    if sum(map(len, notes)) <= MOST_LINES:
        return len(notes), []

    def rest(shown: int) -> list[str]:
        more = len(notes) - shown
        told = f"{more} more note; --notes all shows it" if more == 1 else f"{more} more notes; --notes all shows them"
        return wrapped(f"… and {told}", width)

    places = range(1, len(notes))
    shown = max((i for i in places if sum(map(len, notes[:i])) + len(rest(i)) <= MOST_LINES), default=0)
    return shown, rest(shown)


# ---------------------------------------------------------------------- rows
BRIEF_NAMES = 18  # characters of a measure where there is little room
SHORTER = {
    "Symmetric balanced accuracy": "Sym. balanced acc.",
    "guessing in proportion to the classes": "guess in proportion",
    "guessing every class equally often": "guess all equally",
}
COST = "Expected cost"
LABELS, SCORES, LOWER = range(3)  # sorts of measures, which tables keep apart


def measure_of(row: Row) -> str:
    """The measure of a row, with its class."""
    return title(row) if row.class_ is None else f"{title(row)} “{short(row.class_)}”"


def cut_measure(name: str, most: int) -> str:
    """The name of a measure in this many columns."""
    if cell_len(name) <= most:
        return name
    first, *options = SHORTER.get(name, name).split(", ")
    # The last option tells the costs of a table apart: per item, in total, and relative to the cheapest answer.
    brief = [", ".join(["Cost", *some]) for some in (options, options[-1:])] if first == COST else []
    return next((each for each in brief if cell_len(each) <= most), None) or short(", ".join([first, *options]), most)


def sort_of(measure: str) -> int:
    """Whether a measure is of labels, of scores, or one of which less is better."""
    found = parse_known(measure)
    if found is None:
        return LABELS
    if found[0].higher_is_better is False:
        return LOWER
    return SCORES if family_name(found[0].kind).endswith("scores") else LABELS


def overall(report: Report, quantity: str) -> list[Row]:
    """The rows of all items, and none of a group."""
    return [row for row in report.rows if row.slice is None and row.quantity == quantity]
