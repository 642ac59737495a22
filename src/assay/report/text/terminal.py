"""The report in a terminal: a sentence, measures with their intervals drawn, errors, what to watch for."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Unpack

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from assay.errors import plural
from assay.jobs.results import Report, Row, System
from assay.jobs.words import digits, estimate, interval, number, on_scale, title
from assay.options.showing import Listed
from assay.report.text.classes import Lists, class_items, class_lines, divided
from assay.report.text.lines import clean, harmless, note_lines, padded, section_lines, short
from assay.report.tokens import mark_of, terminal_color
from assay.texts import numeral, percent

WIDEST, NARROWEST = 41, 11  # characters of the drawn scale


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
        console.print(harmless(Text(footer(report), style="dim")))
        return
    for system in report.systems:
        rows = [row for row in report.rows if row.system == system.name and row.slice is None]
        for line in _system(report, system, rows, console.width, lists):
            console.print(harmless(line), soft_wrap=line.cell_len <= console.width)
    # Users who asked for certain measures are not told of others, so nothing is worked out.
    pieces = () if "measures" in report.asked else report.advice
    advice = ", ".join(piece.named for piece in pieces if piece.measure is not None)
    if advice:
        console.print(Text(f"worth reporting first: {advice}; 'assay advise' explains why", style="dim"))
    console.print(harmless(Text(footer(report), style="dim")))


def _system(report: Report, system: System, rows: Sequence[Row], width: int, lists: Lists) -> Iterator[Text]:
    place = report.systems.index(system)
    mark, color = mark_of(place), terminal_color(place)
    yield Text(clean(system.headline), style="bold")
    lead = [row for row in rows if row.measure == system.primary]
    if len(lead) == 1 and lead[0].value is not None:
        yield _lead(lead[0], color)
    whole, classes = divided(rows)
    for lines in (
        _measures(whole, width, mark, color) if whole else (),
        class_lines(classes, class_items(report, system.name), width, lists) if classes else (),
    ):
        yield from _apart(lines)
    for section in system.sections:
        yield Text()
        yield from section_lines(section, width)
    if system.notes:
        yield Text()
        yield from note_lines(system.notes, width, lists.all_notes)
    yield Text()


def _apart(lines: Iterable[Text]) -> Iterator[Text]:
    """Lines with a blank one before them, if there are any."""
    for i, line in enumerate(lines):
        yield from (Text(), line) if i == 0 else (line,)


def _lead(row: Row, color: str) -> Text:
    text = Text.assemble(f"{title(row)} ", (estimate(row), f"bold {color}"))
    if row.low is not None:
        text.append(f" ({percent(row.level)} {interval(row, ' to ')})")
    of = "" if row.class_ is None else f" for “{clean(row.class_)}”"
    return text.append(f"{of}, n = {row.n:,}.")


def _measures(rows: Sequence[Row], width: int, mark: str, color: str) -> Iterator[Text]:
    """A line for each measure: where there is no room the scale goes first, then the no-model baselines."""
    limits = max(13, *(len(interval(row)) for row in rows))
    floor = 10 if width >= 45 + limits else 0
    most = max(width - limits - 13 - floor, 12)
    names = [short(_name(row), most) for row in rows]
    left = max(cell_len(name) for name in [*names, "measure"]) + 2
    low = -1.0 if any((row.value or 0) < 0 or (row.low or 0) < 0 for row in rows if on_scale(row)) else 0.0
    axis = min(WIDEST, (width - left - 23 - limits) // 2 * 2 - 1)
    drawn = axis >= NARROWEST
    level = percent(rows[0].level)
    head = f" {'measure':<{left}}{'estimate':>8}  {level + ' interval':^{limits}}"
    if drawn:
        half, middle = axis // 2, f"{(low + 1) / 2:g}"
        head += f"  {numeral(low, 'g'):<{half - 1}}{middle:<{len(middle)}}{1:>{axis - half + 1 - len(middle)}g} "
    if floor:
        head += ("" if drawn else "  ") + f"{'no model' + ' ┊' * drawn:>{8 + 2 * drawn}}"
    yield Text(head, style="dim")
    yield Text("─" * len(head), style="dim")
    for row, name in zip(rows, names, strict=True):
        line = Text(f" {padded(name, left)}")
        if row.value is None:
            yield line.append(f"undefined: {row.reason}", style="yellow")
            continue
        line.append(f"{estimate(row):>8}", style="bold")
        line.append(f"  {interval(row):^{limits}}", style="dim")
        if drawn:
            line.append("  ").append_text(
                _drawn(row, low, axis, mark, color) if on_scale(row) else Text(" " * axis)
            ).append(" ")
        beside = f"{number(row.no_skill, digits(row)):>8}" if floor else ""
        yield line.append(beside if drawn or not floor else f"  {beside}", style="dim")


def _name(row: Row) -> str:
    return title(row) if row.class_ is None else f"{title(row)} “{short(row.class_)}”"


def _drawn(row: Row, low: float, axis: int, mark: str, color: str) -> Text:
    """The estimate as the system's mark on its interval, and the no-model baseline as a dashed line."""

    def at(x: float) -> int:
        return min(max(round((x - low) / (1 - low) * (axis - 1)), 0), axis - 1)

    cells: list[tuple[str, str]] = [(" ", "")] * axis
    for tick in (0, axis // 2, axis - 1):
        cells[tick] = ("·", "dim")
    if row.low is not None and row.high is not None:
        for i in range(at(row.low), at(row.high) + 1):
            cells[i] = ("━", color)
    if row.no_skill is not None and low <= row.no_skill <= 1:
        cells[at(row.no_skill)] = ("┊", "bold")
    assert row.value is not None
    cells[at(row.value)] = (mark, f"bold {color}")
    return Text.assemble(*cells)


def footer(report: Report) -> str:
    """Where the numbers came from and how they were computed."""
    facts = report.provenance
    methods = ", ".join(dict.fromkeys(row.method for row in report.rows if row.has_limits))
    parts = [clean(str(facts.get("source", ""))), plural(facts.get("n", 0), report.item)]
    if "clusters" in facts:
        by = f" by {clean(str(facts['cluster']))}" if "cluster" in facts else ""
        parts.append(f"{plural(facts['clusters'], 'cluster')}{by}")
    if "count" in facts:
        parts.append(f"counted by {clean(str(facts['count']))}")
    if "weight" in facts:
        parts.append(f"weighted by {clean(str(facts['weight']))}")
    parts.append(f"intervals: {methods}" if methods else "no intervals")
    if "resamples" in facts:
        parts.append(f"{facts['resamples']:,} draws, seed {facts['seed']}")
    return " · ".join(part for part in parts if part)
