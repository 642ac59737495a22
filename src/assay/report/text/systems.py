"""Many systems in a terminal: sorted by value, who cannot be told apart, and a triangle or a table of their pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from assay.errors import joined
from assay.jobs.answers.contest import ALL_PAIRS, Contest
from assay.jobs.answers.results import Report, Row, standing_row
from assay.jobs.answers.row_texts import digits, number, of_difference, title
from assay.report.names import clean, cut_alike, short
from assay.report.text.axis import GOOD, NARROWEST, WIDEST, Axis
from assay.report.text.lines import Pair, level_head, overall, padded, small_lines
from assay.report.tokens import mark_of, terminal_color
from assay.report.words.comparisons import CORRECTION_NAMES, final_p, final_p_text
from assay.texts import p_number, signed
from assay.uncertainty.results import Comparison

MOST_IN_TRIANGLE = 8  # systems
NAMES = (14, 10, 8, 6, 5)  # characters of a system's name above a column, the fewer the less room there is
BRACKETS = 6  # groups that are bracketed; of more, the letters say enough
LONGEST = 24  # characters of a system's name before a row
BRIEF = {"no difference shown": "none shown"}
SIGNS = {"no difference shown": "?", "undecided": "?", "equivalent": "=", "different": "≠"}
MEANINGS = {"?": "no difference shown", "=": "equivalent", "≠": "different", "↑": "the column is better"}


def many_lines(report: Report, width: int, *, explain: bool) -> Iterator[Text]:
    """The systems, then their pairs: all in a triangle if that fits, otherwise a table of those that were tested."""
    contest = report.contest
    assert contest is not None
    if not any(e.value is not None for c in contest.tested for e in (c.a, c.b)):
        return
    yield from _systems(report, contest, width)
    yield Text()
    triangle = list(_triangle(report, contest, width))
    yield from triangle
    if triangle and explain:
        yield Text()
    if explain or not triangle:
        yield from _pairs(report, list(contest.tested) if triangle else _few(contest), width)
    else:
        yield from small_lines("the interval and p of every pair: --explain", width)


# ---------------------------------------------------------------------- the systems
def _systems(report: Report, contest: Contest, width: int) -> Iterator[Text]:
    """The systems by value with their intervals drawn; where all were compared, who cannot be told apart."""
    groups = {s.system: s.groups for s in contest.standings}
    ranks = {s.system: s.rank for s in contest.standings}
    rows = _in_order(report, contest)
    every = [system.name for system in report.systems]
    places = max((digits(row) for row in rows if row.has_limits), default=3)
    limits = [_between(row, places) for row in rows]
    alike = _alike([groups.get(row.system, "") for row in rows]) if groups else []
    head = title(rows[0])
    room, most = max(8, cell_len(head)), max([len(text) for text in limits] + [len(level_head(rows))])
    side = 2 + max([len("alike"), *(len(text) for text in alike)]) if alike else 0
    longest = max(6, *(cell_len(row.system) + 2 for row in rows))  # with a mark; and the head
    left = min(longest, LONGEST, max(width - room - most - side - 5, 8)) + 1
    names = cut_alike([row.system for row in rows], left - 3)
    cells = min(WIDEST, width - 3 - left - room - most - side - 2)
    wide = max([len("rank"), *map(len, ranks.values())]) if ranks and cells - 8 >= GOOD else 0
    cells = cells - wide - 2 if wide else cells
    held = [x for row in rows for x in (row.value, row.low, row.high)]
    axis = Axis.of_values(held, cells) if cells >= NARROWEST else None
    first = f" {padded('system', left)}{padded(head, room, right=True)}  {level_head(rows):^{most}}"
    drawn = "" if axis is None else f"  {axis.head()}"
    yield Text(f"{first}{drawn}{'  ' + 'alike'.ljust(side - 2) if side else ''}{'  rank' if wide else ''}", style="dim")
    for i, (row, text) in enumerate(zip(rows, limits, strict=True)):
        place = every.index(row.system) if row.system in every else i
        mark, color = mark_of(place), terminal_color(place)
        line = Text(" ").append(padded(f"{mark} {names[row.system]}", left), style=color)
        line.append(padded(number(row.value, places), room, right=True), style="bold")
        line.append(f"  {text:^{most}}", style="dim")
        if axis is not None:
            nothing = Text(" " * cells)
            bar = nothing if row.value is None else axis.drawn(row.value, row.low, row.high, mark, color)
            line.append("  ").append_text(bar)
        line.append(f"  {padded(alike[i], side - 2)}" if alike else "")
        yield line.append(f"  {ranks[row.system]:>{wide}}" if wide and row.system in ranks else "")
    if alike:
        yield from small_lines("systems that share a letter cannot be told apart", width)


def _in_order(report: Report, contest: Contest) -> list[Row]:
    """The systems by the measure that was tested, the best first; those without a value last."""
    if contest.standings:
        return [standing_row(contest, s) for s in contest.standings]
    rows = [row for row in overall(report, "value") if row.measure == contest.primary]
    better = next((c.higher_is_better for c in contest.tested), True)
    return sorted(rows, key=lambda row: (row.value is None, (row.value or 0.0) * (1 if better is False else -1)))


def _alike(letters: Sequence[str]) -> list[str]:
    """A bracket around the systems that share a letter, for each letter, and then the letters."""
    each = [_letters(text) for text in letters]
    signs = dict.fromkeys(sign for held in each for sign in held)
    shared = [sign for sign in signs if sum(sign in held for held in each) > 1]
    brackets = [_bracket([sign in held for held in each]) for sign in shared] if len(shared) <= BRACKETS else []
    drawn = ["".join(column[i] for column in brackets) for i in range(len(letters))]
    return [f"{before} {text}" if brackets else text for before, text in zip(drawn, letters, strict=True)]


def _letters(text: str) -> list[str]:
    """The letters one by one; beyond the alphabet they are numbers in brackets."""
    out, rest = [], text
    while rest:
        end = rest.index(")") + 1 if rest.startswith("(") else 1
        out.append(rest[:end])
        rest = rest[end:]
    return out


def _bracket(members: Sequence[bool]) -> str:
    """From the first member to the last; members in between have a tick if not all of them are members."""
    first, last = members.index(True), len(members) - 1 - members[::-1].index(True)
    inside = "│" if all(members[first : last + 1]) else "┤"
    signs = {first: "┐", last: "┘"}
    return "".join(
        signs.get(i, (inside if member else "│") if first < i < last else " ") for i, member in enumerate(members)
    )


def _between(row: Row, places: int) -> str:
    if row.low is None or row.high is None:
        return "–"
    between = " to " if row.low < 0 else " – "
    return between.join(number(limit, places) for limit in (row.low, row.high))


# ---------------------------------------------------------------------- their pairs
def _triangle(report: Report, contest: Contest, width: int) -> Iterator[Text]:
    """Each system minus each that stands below it, in the color of the better one; nothing if there is no room."""
    order = [s.system for s in contest.standings]
    if not 3 <= len(order) <= MOST_IN_TRIANGLE:
        return
    held = {c.names: c for c in contest.tested}
    cells = {(a, b): _cell(held, a, b) for i, a in enumerate(order) for b in order[i + 1 :]}
    every = [system.name for system in report.systems]
    colors = {name: terminal_color(every.index(name)) for name in order}
    marked = {name: mark_of(every.index(name)) for name in order}
    longest = max(len(text) + len(sign) for text, sign, _ in cells.values()) + 1
    for most in NAMES:
        names = cut_alike(order, most)
        left = max(cell_len("row − column"), *(cell_len(names[name]) + 2 for name in order[:-1])) + 1
        wide = [max(cell_len(names[name]) + 2, longest) + 2 for name in order[1:]]
        if 1 + left + sum(wide) <= width:
            break
    else:
        return
    head = Text(f" {padded('row − column', left)}", style="dim")
    for name, room in zip(order[1:], wide, strict=True):
        head.append(padded(f"{marked[name]} {names[name]}", room, right=True), style=f"not dim {colors[name]}")
    yield head
    for a in order[:-1]:
        line = Text(" ").append(padded(f"{marked[a]} {names[a]}", left), style=colors[a])
        for b, room in zip(order[1:], wide, strict=True):
            text, sign, winner = cells.get((a, b), ("", "", None))
            style = f"bold {colors[winner]}" if winner is not None else "dim"
            line.append(padded(f"{text}{sign or ' '}".rjust(room), room), style=style)
        line.rstrip()
        yield line
    for told in _below(contest, held, order):
        yield from small_lines(told, width)


def _cell(held: Mapping[tuple[str, str], Comparison], a: str, b: str) -> tuple[str, str, str | None]:
    """The first minus the second, a sign where neither is shown to be better, and which one is."""
    c = held[a, b] if (a, b) in held else held[b, a]
    row = Row.of_difference(c)
    if row.value is None:
        return "–", " ?", None
    value = row.value if c.names == (a, b) else -row.value
    winner = {"better": c.names[0], "worse": c.names[1]}.get(c.outcome)
    sign = SIGNS.get(c.outcome, "")
    # The row is the better one unless a sign says otherwise.
    sign = "↑" if winner == b else sign
    return signed(value, digits(row)), f" {sign}" if sign else "  ", winner


def _below(contest: Contest, held: Mapping[tuple[str, str], Comparison], order: Sequence[str]) -> Iterator[str]:
    """What the signs mean, and the p-values."""
    among = [c for names, c in held.items() if all(name in order for name in names)]
    correction = CORRECTION_NAMES.get(contest.correction)
    of = "" if correction is None else f", {correction}"
    parts = []
    won = [c for c in among if c.outcome in ("better", "worse")]
    if won:
        known = [p for c in won if (p := final_p(c)) is not None]
        most = p_number(max(known, default=1.0), contest.tested[0].level)
        beside = f" (p {'' if most.startswith('<') else '≤ '}{most}{of})" if known else ""
        parts.append(f"the row is better{beside}")
    for sign, told in MEANINGS.items():
        here = [c for c in among if _cell(held, *sorted(c.names, key=order.index))[1].strip() == sign]
        if here:
            parts.append(f"{sign}: {told}{_p_text(here, of) if sign == '?' else ''}")
    yield " · ".join(parts)


def _p_text(held: Sequence[Comparison], of: str) -> str:
    known = sorted((p, c.level) for c in held if (p := final_p(c)) is not None)
    if not known:
        return ""
    each = list(dict.fromkeys(p_number(p, level) for p, level in known))
    if len(each) <= 3:
        return f" (p = {joined(each)}{of})"
    return f" (p from {each[0]} to {each[-1]}{of})"


def _pairs(report: Report, shown: Sequence[Comparison], width: int) -> Iterator[Text]:
    """These of the comparisons that were tested, with their corrected p-values and outcomes."""
    contest = report.contest
    assert contest is not None
    rows = [Row.of_difference(c) for c in shown]
    limits = max([len(of_difference(row)) for row in rows] + [len(level_head(rows))])
    titles, outcomes = _worded(report, shown, width - limits - 27)
    left = max(cell_len(name) for name in [*titles, "comparison"]) + 2
    by = "p" if contest.correction == "none" else f"p, {CORRECTION_NAMES[contest.correction]}"
    yield Text(
        f" {padded('comparison', left)}{'difference':>10}  {level_head(rows):^{limits}}  {by:>8}  outcome",
        style="dim",
    )
    for c, row, name, outcome in zip(shown, rows, titles, outcomes, strict=True):
        line = Text(f" {padded(name, left)}")
        if row.value is None:
            yield line.append(f"  not comparable: {clean(row.reason or '')}", style="yellow")
            continue
        line.append(f"{signed(row.value, digits(row)):>10}", style="bold").append(
            f"  {of_difference(row):^{limits}}", style="dim"
        )
        pair = Pair.of(report, c.names)
        color = {"better": f"bold {pair.colors[0]}", "worse": f"bold {pair.colors[1]}"}.get(c.outcome, "dim")
        yield line.append(f"  {final_p_text(c):>8}").append(f"  {outcome}", style=color)
    for told in _told_of_pairs(contest, len(shown)):
        yield from small_lines(told, width)


def _few(contest: Contest) -> list[Comparison]:
    """All comparisons of few systems; of many, those of two that are next to each other in rank."""
    order = {s.system: i for i, s in enumerate(contest.standings)}
    if len(order) <= ALL_PAIRS:
        return list(contest.tested)
    ranked = [c for c in contest.tested if all(name in order for name in c.names)]
    near = [c for c in ranked if abs(order[c.names[0]] - order[c.names[1]]) == 1]
    return sorted(near, key=lambda c: min(order[name] for name in c.names))


def _worded(report: Report, shown: Sequence[Comparison], room: int) -> tuple[list[str], list[str]]:
    """What is compared, with what outcome, in this many columns; words are shortened before names are."""
    titles = [short(f"{c.names[0]} − {c.names[1]}", 40) for c in shown]
    outcomes = [_outcome(c) for c in shown]
    if max(_widest(titles), len("comparison")) + _widest(outcomes) <= room:
        return titles, outcomes
    marks = [dict(zip(("better", "worse"), Pair.of(report, c.names).marks, strict=True)).get(c.outcome) for c in shown]
    brief = [BRIEF.get(c.outcome, c.outcome) if m is None else f"{m} better" for c, m in zip(shown, marks, strict=True)]
    most = max((room - max(_widest(brief), len("outcome")) - len(" − ")) // 2, 4)
    names = cut_alike([name for c in shown for name in c.names], most)
    return [f"{names[c.names[0]]} − {names[c.names[1]]}" for c in shown], brief


def _widest(texts: Sequence[str]) -> int:
    return max(cell_len(text) for text in texts)


def _told_of_pairs(contest: Contest, shown: int) -> Iterator[str]:
    if shown < len(contest.tested):
        yield f"… and {len(contest.tested) - shown:,} more, of systems further apart in rank; see --format csv"
    if contest.correction != "none":
        yield "each interval is for its comparison alone; p is corrected for all of them"


def _outcome(c: Comparison) -> str:
    a, b = (short(name, 16) for name in c.names)
    return {"better": f"{a} is better", "worse": f"{b} is better"}.get(c.outcome, c.outcome)
