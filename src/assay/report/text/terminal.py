"""The report in a terminal: a sentence, measures with their intervals drawn, errors, what to watch for."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Unpack

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from assay.errors import plural
from assay.jobs.answers.results import Report, Row, System
from assay.jobs.answers.row_texts import digits, interval, number, on_scale, title, value_text
from assay.options.showing import Listed
from assay.report.names import clean
from assay.report.text.axis import GOOD, NARROWEST, WIDEST, Axis
from assay.report.text.classes import Lists, class_items, class_lines, divided
from assay.report.text.lines import (
    BRIEF_NAMES,
    NO_MODEL,
    cut_measure,
    harmless,
    measure_of,
    note_lines,
    padded,
    section_lines,
    sort_of,
)
from assay.report.text.wrapping import wrapped, wrapped_text
from assay.report.tokens import mark_of, terminal_color
from assay.texts import numeral, percent

TIED = 44  # characters of a part of the last line up to which it is not broken


def plain(report: Report, width: int = 100, **listed: Unpack[Listed]) -> str:
    """The report without color."""
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, highlight=False, emoji=False, markup=False)
    show(report, console, **listed)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def show(report: Report, console: Console, **listed: Unpack[Listed]) -> None:
    """Print the report."""
    lists = Lists.of(**listed)
    if report.contest is not None:
        from assay.report.text.comparison import contest_lines

        for line in contest_lines(report, console.width, lists):
            console.print(harmless(line), soft_wrap=line.cell_len <= console.width)
        _print_ending(report, console, lists)
        return
    for system in report.systems:
        rows = [row for row in report.rows if row.system == system.name and row.slice is None]
        for line in _system(report, system, rows, console.width, lists):
            console.print(harmless(line), soft_wrap=line.cell_len <= console.width)
    # Users who asked for certain measures are not told of others, so nothing is worked out.
    pieces = () if "measures" in report.asked else report.advice
    advice = ", ".join(piece.named for piece in pieces if piece.measure is not None)
    if advice:
        told = f"worth reporting first: {advice}; 'assay advise' explains why"
        for text in wrapped(told, console.width):
            console.print(Text(text, style="dim"), soft_wrap=True)
    _print_ending(report, console, lists)


def _print_ending(report: Report, console: Console, lists: Lists) -> None:
    """Where the numbers came from; how they were made, or how to ask for that."""
    text = Text(" · ".join(_tied(part) for part in footer(report, explain=lists.explain)), style="dim")
    for line in wrapped_text(text, console.width):
        console.print(harmless(line), soft_wrap=True)


def _tied(part: str) -> str:
    """A part of the last line, whose words stay together if they are few."""
    return part.replace(" ", "\u00a0") if cell_len(part) <= TIED else part


def _system(report: Report, system: System, rows: Sequence[Row], width: int, lists: Lists) -> Iterator[Text]:
    place = report.systems.index(system)
    mark, color = mark_of(place), terminal_color(place)
    yield from (Text(line, style="bold") for line in wrapped(clean(system.headline), width))
    lead = [row for row in rows if row.measure == system.primary]
    if len(lead) == 1 and lead[0].value is not None:
        yield from wrapped_text(_lead(lead[0], mark, color, several=len(report.systems) > 1), width)
    whole, classes = divided(rows)
    for lines in (
        _measures(whole, width, mark, color) if whole else (),
        class_lines(classes, class_items(report, system.name), width, lists) if classes else (),
    ):
        yield from _apart(lines)
    for section in system.sections:
        # Baselines of the same rows are the same for every system, and are shown with the first.
        if place and section.title == NO_MODEL and section in report.systems[0].sections:
            continue
        yield Text()
        yield from section_lines(section, width, lists.all_groups)
    if system.notes:
        yield Text()
        yield from note_lines(system.notes, width, lists.all_notes)
    yield Text()


def _apart(lines: Iterable[Text]) -> Iterator[Text]:
    """Lines with a blank one before them, if there are any."""
    for i, line in enumerate(lines):
        yield from (Text(), line) if i == 0 else (line,)


def _lead(row: Row, mark: str, color: str, *, several: bool) -> Text:
    """The first measure of a system, with the mark that it has where there are several."""
    text = Text.assemble(f"{title(row)} ", (f"{mark}\u00a0" * several + value_text(row), f"bold {color}"))
    if row.low is not None:
        text.append(f" ({percent(row.level)} {interval(row, ' to ')})")
    of = "" if row.class_ is None else f" for “{clean(row.class_)}”"
    return text.append(f"{of}, n = {row.n:,}.")


def _measures(rows: Sequence[Row], width: int, mark: str, color: str) -> Iterator[Text]:
    """A line for each measure: where there is no room names are cut, then the scale and the baselines go."""
    limits = max(13, *(len(interval(row)) for row in rows))
    floor = 10 if width >= 45 + limits else 0
    most = max(width - limits - 13 - floor, 12)
    names = _names(rows, most)
    if _room(names, width, limits) < GOOD:
        names = _names(rows, min(most, BRIEF_NAMES), brief=True)
    left = max(cell_len(name) for name in [*names, "measure"]) + 2
    low = -1.0 if any((row.value or 0) < 0 or (row.low or 0) < 0 for row in rows if on_scale(row)) else 0.0
    cells = min(WIDEST, _room(names, width, limits))
    axis = Axis(low, 1.0, cells) if cells >= NARROWEST else None
    level = percent(rows[0].level)
    head = f" {'measure':<{left}}{'estimate':>8}  {level + ' interval':^{limits}}"
    if axis is not None:
        half, middle = cells // 2, f"{(low + 1) / 2:g}"
        head += f"  {numeral(low, 'g'):<{half - 1}}{middle:<{len(middle)}}{1:>{cells - half + 1 - len(middle)}g} "
    if floor:
        head += f"{'no model ┊':>10}" if axis is not None else f"  {'no model':>8}"
    yield Text(head, style="dim")
    yield Text("─" * len(head), style="dim")
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        if i and sort_of(row.measure) > sort_of(rows[i - 1].measure):
            yield Text()
        line = Text(f" {padded(name, left)}")
        if row.value is None:
            yield line.append(f"undefined: {row.reason}", style="yellow")
            continue
        line.append(f"{value_text(row):>8}", style="bold")
        line.append(f"  {interval(row):^{limits}}", style="dim")
        if axis is not None:
            line.append("  ").append_text(_drawn(row, axis, mark, color)).append(" ")
        beside = f"{number(row.no_skill, digits(row)):>8}" if floor else ""
        yield line.append(beside if axis is not None or not floor else f"  {beside}", style="dim")


def _room(names: Sequence[str], width: int, limits: int) -> int:
    """The cells that are left for a scale."""
    left = max(cell_len(name) for name in [*names, "measure"]) + 2
    return (width - left - 23 - limits) // 2 * 2 - 1


def _names(rows: Sequence[Row], most: int, *, brief: bool = False) -> list[str]:
    """The measures in this many columns; brief ones have no class where there is only one, which the lead names."""
    one_class = len({row.class_ for row in rows if row.class_ is not None}) == 1
    return [cut_measure(title(row) if brief and one_class else measure_of(row), most) for row in rows]


def _drawn(row: Row, axis: Axis, mark: str, color: str) -> Text:
    """The estimate as the system's mark on its interval, and the no-model baseline as a dashed line."""
    if not on_scale(row) or row.value is None:
        return Text(" " * axis.cells)
    ticks = (axis.low, (axis.low + axis.high) / 2, axis.high)
    return axis.drawn(row.value, row.low, row.high, mark, color, ticks=ticks, beside=row.no_skill)


def footer(report: Report, *, explain: bool) -> list[str]:
    """How many rows there are and how they count; explained, also where they came from, and every method."""
    facts = report.provenance
    methods = ", ".join(dict.fromkeys(row.method for row in report.rows if row.has_limits))
    parts = [clean(str(facts.get("source", "")))] if explain else []
    parts.append(plural(facts.get("n", 0), report.item))
    if "clusters" in facts:
        by = f" by {clean(str(facts['cluster']))}" if "cluster" in facts else ""
        parts.append(f"{plural(facts['clusters'], 'cluster')}{by}")
    if "count" in facts:
        parts.append(f"counted by {clean(str(facts['count']))}")
    if "weight" in facts:
        parts.append(f"weighted by {clean(str(facts['weight']))}")
    if not explain:
        parts += [f"seed {facts['seed']}"] if "seed" in facts else []
        parts += ["how each number was made: --explain", "page: --html FILE"]
        return parts
    parts.append(f"intervals: {methods}" if methods else "no intervals")
    if "resamples" in facts:
        parts.append(f"{facts['resamples']:,} draws, seed {facts['seed']}")
    return [part for part in parts if part]
