"""The report in a terminal: a sentence, measures with their intervals drawn, errors, what to watch."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from assay.errors import plural
from assay.jobs.results import Report, Row, System
from assay.jobs.words import digits, estimate, interval, number, on_scale, title
from assay.measures.declare.catalogue import name as measure_name
from assay.report.text.lines import ACCENT, clean, harmless, note_lines, padded, section_lines, short
from assay.texts import percent

WIDEST, NARROWEST = 41, 11  # characters of the drawn scale
ROWS_PER_MEASURE = 12  # classes listed before the rest is left to other formats


def plain(report: Report, width: int = 100) -> str:
    """The report without color."""
    out = io.StringIO()
    show(report, Console(file=out, width=width, color_system=None, highlight=False, emoji=False, markup=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def show(report: Report, console: Console) -> None:
    """Print the report."""
    if report.contest is not None:
        from assay.report.text.comparison import contest_lines

        for line in contest_lines(report, console.width):
            console.print(harmless(line), soft_wrap=line.cell_len <= console.width)
        console.print(harmless(Text(footer(report), style="dim")))
        return
    for system in report.systems:
        rows = [row for row in report.rows if row.system == system.name and row.slice is None]
        for line in _system(system, rows, console.width):
            console.print(harmless(line), soft_wrap=line.cell_len <= console.width)
    # Who asked for certain measures is not told of others, and then nothing is worked out.
    pieces = () if "measures" in report.asked else report.advice
    advice = ", ".join(measure_name(piece.measure) for piece in pieces if piece.measure is not None)
    if advice:
        console.print(Text(f"worth reporting first: {advice} ('assay advise' says why)", style="dim"))
    console.print(harmless(Text(footer(report), style="dim")))


def _system(system: System, rows: Sequence[Row], width: int) -> Iterator[Text]:
    yield Text(clean(system.headline), style="bold")
    lead = [row for row in rows if row.measure == system.primary]
    if len(lead) == 1 and lead[0].value is not None:
        yield _lead(lead[0])
    yield Text()
    yield from _measures(rows, width)
    for section in system.sections:
        yield Text()
        yield from section_lines(section, width)
    if system.notes:
        yield Text()
        yield from note_lines(system.notes, width)
    yield Text()


def _lead(row: Row) -> Text:
    text = Text.assemble(f"{title(row)} ", (estimate(row), f"bold {ACCENT}"))
    if row.low is not None:
        text.append(f" ({percent(row.level)} {interval(row, ' to ')})")
    of = "" if row.class_ is None else f" for “{clean(row.class_)}”"
    return text.append(f"{of}, n = {row.n:,}.")


def _measures(rows: Sequence[Row], width: int) -> Iterator[Text]:
    """A line for each measure: where there is no room the scale goes first, then the values without a model."""
    shown = _limited(rows)
    limits = max(13, *(len(interval(row)) for row in shown))
    floor = 10 if width >= 45 + limits else 0
    most = max(width - limits - 13 - floor, 12)
    names = [short(_name(row), most) for row in shown]
    left = max(cell_len(name) for name in [*names, "measure"]) + 2
    low = -1.0 if any((row.value or 0) < 0 or (row.low or 0) < 0 for row in shown if on_scale(row)) else 0.0
    axis = min(WIDEST, (width - left - 23 - limits) // 2 * 2 - 1)
    drawn = axis >= NARROWEST
    level = percent(rows[0].level) if rows else ""
    head = f" {'measure':<{left}}{'estimate':>8}  {level + ' interval':^{limits}}"
    if drawn:
        half, middle = axis // 2, f"{(low + 1) / 2:g}"
        head += f"  {low:<{half - 1}g}{middle:<{len(middle)}}{1:>{axis - half + 1 - len(middle)}g} "
    if floor:
        head += ("" if drawn else "  ") + f"{'no model' + ' ┊' * drawn:>{8 + 2 * drawn}}"
    yield Text(head, style="dim")
    yield Text("─" * len(head), style="dim")
    for row, name in zip(shown, names, strict=True):
        line = Text(f" {padded(name, left)}")
        if row.value is None:
            yield line.append(f"undefined: {row.reason}", style="yellow")
            continue
        line.append(f"{estimate(row):>8}", style="bold")
        line.append(f"  {interval(row):^{limits}}", style="dim")
        if drawn:
            line.append("  ").append_text(_drawn(row, low, axis) if on_scale(row) else Text(" " * axis)).append(" ")
        beside = f"{number(row.no_skill, digits(row)):>8}" if floor else ""
        yield line.append(beside if drawn or not floor else f"  {beside}", style="dim")
    if len(shown) < len(rows):
        yield Text(f" … and {len(rows) - len(shown)} more rows of classes; --format json has all of them", style="dim")


def _limited(rows: Sequence[Row]) -> list[Row]:
    seen: dict[str, int] = {}
    out = []
    for row in rows:
        seen[row.measure] = seen.get(row.measure, 0) + 1
        if seen[row.measure] <= ROWS_PER_MEASURE:
            out.append(row)
    return out


def _name(row: Row) -> str:
    return title(row) if row.class_ is None else f"{title(row)} “{short(row.class_)}”"


def _drawn(row: Row, low: float, axis: int) -> Text:
    """The estimate as a dot on its interval, and the best value without a model as a dashed line."""

    def at(x: float) -> int:
        return min(max(round((x - low) / (1 - low) * (axis - 1)), 0), axis - 1)

    cells: list[tuple[str, str]] = [(" ", "")] * axis
    for tick in (0, axis // 2, axis - 1):
        cells[tick] = ("·", "dim")
    if row.low is not None and row.high is not None:
        for i in range(at(row.low), at(row.high) + 1):
            cells[i] = ("━", ACCENT)
    if row.no_skill is not None and low <= row.no_skill <= 1:
        cells[at(row.no_skill)] = ("┊", "bold")
    assert row.value is not None
    cells[at(row.value)] = ("●", f"bold {ACCENT}")
    return Text.assemble(*cells)


def footer(report: Report) -> str:
    """Where the numbers came from and how they were made."""
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
