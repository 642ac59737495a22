"""The report as Markdown and LaTeX, and its gates as JUnit XML and Markdown for a build server."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import digits, interval, number, of_difference, title, value_text
from assay.jobs.gates import OPEN, PASSED, Check
from assay.jobs.slices import gap_p
from assay.report.findings.cautions import cautions
from assay.report.findings.ending import standing
from assay.report.findings.head import verdict
from assay.report.findings.notes import grouped_notes
from assay.report.text.classes import class_items, class_section, divided, ordered
from assay.report.words.comparisons import MEANING, effects, final_p, final_p_text, hypotheses
from assay.tables import Cell, Section
from assay.texts import p_number, percent, signed, visible_line

MANY_ROWS = 40  # of values by data set, above which they are folded away


def markdown(report: Report, command: str | None = None) -> str:
    """The verdict, what to know before relying on it, the rows, and folded away notes, method and signatures."""
    first, *rest = (safe(sentence) for sentence in verdict(report))
    lines = [f"**{first}**", "", *(line for sentence in rest for line in (sentence, ""))]
    lines += ["**Before you rely on this**", ""]
    lines += [f"- **{safe(caution.title)}** {safe(caution.text)}" for caution in cautions(report)]
    lines.append(f"- {safe(standing(report.item, report.provenance))}")
    lines += ["", *(_systems(report) if report.contest is None else _contest(report, report.contest))]
    lines += [*_folded("Notes", _notes(report)), *_folded("Measures worth reporting first", _advice(report))]
    lines += [*_folded("Method", _method(report)), *_folded("Signatures", _signatures(report))]
    return "\n".join([*lines, *_command(command)]).rstrip() + "\n"


# ---------------------------------------------------------------------- rows
def _systems(report: Report) -> list[str]:
    """Every system's values, its tables, and the tests over groups."""
    lines: list[str] = []
    for system in report.systems:
        of_it = [row for row in report.rows if row.system == system.name]
        if len(report.systems) > 1:
            lines += [f"**{safe(system.headline)}**", ""]
        whole, classes = divided([row for row in of_it if row.slice is None])
        lines += [*_values(whole, "class"), ""] if whole else []
        lines += [*_classes(report, system.name, classes), ""] if classes else []
        for section in system.sections:
            lines += [*_table(section), ""]
        lines += _gaps([row for row in of_it if row.quantity == "gap"])
    return lines


def _classes(report: Report, system: str, rows: Sequence[Row]) -> list[str]:
    """One row per class, the largest first, however many there are."""
    items = class_items(report, system)
    names = ordered(list(dict.fromkeys(str(row.class_) for row in rows)), [], items, "size")
    return _table(class_section(rows, items, names))


def _gaps(rows: Sequence[Row], head: str = "groups by") -> list[str]:
    if not rows:
        return []
    lines = [_line(head, "measure", "widest gap", "p (Holm over columns)"), "|---|---|--:|--:|"]
    for row in rows:
        p = f"not tested: {row.reason}" if row.p_adjusted is None else gap_p(row, bare=True)
        lines.append(_line(str(row.slice), _with_class(row), number(row.value), p))
    return [*lines, ""]


def _values(rows: Sequence[Row], second: str) -> list[str]:
    """A table of estimates; the second column names the class, or the system."""
    level = percent(rows[0].level) if rows else ""
    lines = [f"| measure | {second} | estimate | {level} interval | no model | method |", "|---|---|--:|:-:|--:|---|"]
    for row in rows:
        value = value_text(row) if row.value is not None else f"undefined: {row.reason or ''}"
        by_class = second == "class"
        beside, of = (row.class_ or "", title(row)) if by_class else (row.system, _with_class(row))
        lines.append(_line(of, beside, value, interval(row), number(row.no_skill, digits(row)), row.method))
    return lines


def _contest(report: Report, contest: Contest) -> list[str]:
    """Every difference, where the systems stand, and their values."""
    level = percent(contest.tested[0].level)
    by = "p" if contest.correction == "none" else f"p ({contest.correction})"
    lines = [f"| comparison | measure | difference | {level} interval | {by} | outcome |", "|---|---|--:|:-:|--:|---|"]
    rows = [row for row in report.rows if row.quantity == "difference" and row.slice is None]
    for c, row in zip(contest.comparisons, rows, strict=True):
        value = "–" if row.value is None else signed(row.value, digits(row))
        p = "" if final_p(c) is None else final_p_text(c)
        outcome = c.outcome if c in contest.tested else "not tested"
        pair = f"{c.names[0]} − {c.names[1]}"
        lines.append(_line(pair, _with_class(row), value, of_difference(row), p, outcome))
    if contest.standings:
        lines += ["", "| system | rank | group |", "|---|--:|---|"]
        lines += [_line(s.system, s.rank, s.groups) for s in contest.standings]
    lines += ["", *_values([row for row in report.rows if row.slice is None and row.quantity == "value"], "system"), ""]
    for section in contest.sections:
        if section.role == "values":  # which are above, with their intervals
            continue
        long = section.role == "datasets" and len(section.rows) > MANY_ROWS
        lines += _folded(safe(section.title), _table(section)) if long else [*_table(section), ""]
    for system in report.systems:
        for section in system.sections:
            lines += [*_table(section), ""]
        of_it = [row for row in report.rows if row.system == system.name and row.quantity == "gap"]
        lines += _gaps(of_it, f"{system.name}, groups by")
    return lines


def _with_class(row: Row) -> str:
    return title(row) if row.class_ is None else f"{title(row)} “{row.class_}”"


def _table(section: Section) -> list[str]:
    out = [_line(section.title, *section.columns), "|---" + "|--:" * len(section.columns) + "|"]
    for of, cells in section.rows:
        out.append(f"| {safe(of)} | {' | '.join(_cell(cell) for cell in cells)} |")
    return [*out, "", safe(section.note + section.shares)] if section.note else out


def _cell(cell: Cell) -> str:
    text = f"**{safe(cell.text)}**" if cell.tone == "best" else safe(cell.text)
    return f"{text} ({safe(cell.note)})" if cell.note else text


def _line(*cells: str) -> str:
    return f"| {' | '.join(safe(cell) for cell in cells)} |"


# ---------------------------------------------------------------------- folded away
def _folded(summary: str, lines: Sequence[str]) -> list[str]:
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>", ""] if lines else []


def _notes(report: Report) -> list[str]:
    contest = report.contest
    one = effects(contest.tested[0]) if contest is not None and len(contest.tested) == 1 else ""
    lines = [f"- {safe(one)}"] if one else []
    for of, notes in grouped_notes(report):
        lines += [f"- {safe(f'{of}: {note}' if of else note)}" for note in notes]
    return lines


def _advice(report: Report) -> list[str]:
    if report.contest is not None or "measures" in report.asked:
        return []
    return [f"- {safe(piece.named)}: {safe(piece.why)}" for piece in report.advice]


def _method(report: Report) -> list[str]:
    lines = [safe(report.methods)]
    tested = [] if report.contest is None else [c for c in report.contest.tested if c.p_value is not None]
    for c in tested[:1]:
        h0, h1 = hypotheses(c)
        lines += ["", f"- H0: {safe(h0)}", f"- H1: {safe(h1)}", f"- {safe(MEANING)}"]
    return lines


def _signatures(report: Report) -> list[str]:
    # A signature is percent-encoded, so nothing in it can end the code span.
    return [f"`{signature}`  " for signature in dict.fromkeys(row.signature for row in report.rows) if signature]


def _command(command: str | None) -> list[str]:
    """The command in a block that nothing in it can end."""
    if command is None:
        return []
    fence = "```"
    while fence in command:
        fence += "`"
    return ["To reproduce this:", "", f"{fence}sh", visible_line(command), fence]


def safe(text: str) -> str:
    """Text that cannot become markup: labels and names come from the data."""
    text = visible_line(" ".join(text.split()))
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\|`*_[]#":
        text = text.replace(mark, "\\" + mark)
    return text


MOST = 1_000_000  # bytes; build servers refuse a summary of 1 MiB or more
SIGNS = {PASSED: "✅", OPEN: "❔"}


def summary(report: Report, checks: Sequence[Check]) -> str:
    """The gates, the verdict and the tables, cut before they grow too long for a build server."""
    lines = ["# assay", ""]
    if checks:
        lines += ["| gate | outcome |", "|---|---|"]
        lines += [f"| {safe(check.name)} | {SIGNS.get(check.state, '❌')} {safe(check.outcome)} |" for check in checks]
        lines.append("")
    return shortened("\n".join(lines) + "\n" + report.to_markdown())


def shortened(text: str) -> str:
    """The text up to the last whole line that fits, with a sentence about what was left out."""
    data = text.encode("utf-8")
    if len(data) <= MOST:
        return text
    kept = data[:MOST].decode("utf-8", "ignore").rpartition("\n")[0]
    left = text.count("\n") - kept.count("\n")
    if kept.count("<details>") > kept.count("</details>"):
        kept += "\n\n</details>"  # or the sentence would be folded away
    return f"{kept}\n\n… {left:,} more lines were left out, because a summary may not exceed 1 MiB.\n"


LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "↓": r"$\downarrow$",
    "–": "--",
    "±": r"$\pm$",
}


def latex(report: Report) -> str:
    """One table with a row for each number, and the Methods sentence under it."""
    level = percent(report.rows[0].level) if report.rows else ""
    last = "no model" if report.contest is None else "p"
    head = ("system", "measure", "class", "group", "estimate", f"{level} interval", last, "$n$")
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{llllrcrr}",
        r"\toprule",
        " & ".join(name if name == "$n$" else latex_safe(name) for name in head) + r" \\",
        r"\midrule",
    ]
    for row in report.rows:
        if row.quantity != "gap":
            beside = number(row.no_skill, digits(row)) if report.contest is None else _latex_p(row)
            lines.append(" & ".join(latex_safe(cell) for cell in (*_cells(row), beside, f"{row.n:,}")) + r" \\")
    told = [] if report.contest is None else [f"% {latex_safe(line)}" for line in report.contest.summary]
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        "",
        *_latex_values(report),
        *told,
        f"% {' '.join(latex_safe(report.methods).split())}",
    ]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    """Everything up to the interval; a difference to another system has a sign and both names."""
    value, limits = value_text(row) if row.value is not None else "undefined", interval(row)
    if row.versus is not None and not row.is_value:
        if row.value is not None:
            value = signed(row.value, digits(row))
        limits = of_difference(row, " to ")
        return f"{row.system} − {row.versus}", title(row), row.class_ or "", row.slice or "", value, limits
    name = title(row) if row.is_value else f"{title(row)}, {row.quantity}"
    who = row.system if row.versus is None else f"{row.system} vs. {row.versus}"
    return who, name, row.class_ or "", row.slice or "", value, limits


def _latex_values(report: Report) -> list[str]:
    """The table of values by data set, the best of each row in bold and mean ranks below a line."""
    lines: list[str] = []
    for section in () if report.contest is None else report.contest.sections:
        if section.role != "datasets":
            continue
        head = " & ".join(latex_safe(name) for name in ("data set", *section.columns))
        lines += [rf"\begin{{tabular}}{{l{'r' * len(section.columns)}}}", r"\toprule", rf"{head} \\", r"\midrule"]
        *rows, ranks = (
            f"{latex_safe(of)} & {' & '.join(_latex_cell(c) for c in row)} \\\\" for of, row in section.rows
        )
        lines += [*rows, r"\midrule", ranks, r"\bottomrule", r"\end{tabular}", ""]
    return lines


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{latex_safe(cell.text)}}}" if cell.tone == "best" else latex_safe(cell.text)
    return f"{text} {{\\scriptsize {latex_safe(cell.note)}}}" if cell.note else text


def _latex_p(row: Row) -> str:
    p = row.p if row.p_adjusted is None else row.p_adjusted
    return "" if p is None else p_number(p, row.level)


def latex_safe(text: str) -> str:
    """Text that cannot become a command: labels and names come from the data."""
    return "".join(LATEX_SIGNS.get(sign, sign) for sign in visible_line(" ".join(text.split())))


def junit(checks: Sequence[Check], undecided: str) -> str:
    """A test case for each check; an undecided one is a failure, or skipped where that was asked for."""
    failed = [check for check in checks if _fails(check, undecided)]
    skipped = [check for check in checks if check.state == OPEN and undecided == "pass"]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="assay" tests="{len(checks)}" failures="{len(failed)}" errors="0" skipped="{len(skipped)}">',
    ]
    for check in checks:
        lines.append(f'  <testcase classname="assay.gates" name={_attribute(check.name)}>')
        if _fails(check, undecided):
            lines.append(f"    <failure type={_attribute(check.state)} message={_attribute(check.sentence)}/>")
        elif check.state == OPEN:
            lines.append(f"    <skipped message={_attribute(check.sentence)}/>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _fails(check: Check, undecided: str) -> bool:
    return check.state != PASSED and not (check.state == OPEN and undecided == "pass")


def _attribute(text: str) -> str:
    """Text in quotation marks; what XML cannot hold at all becomes a replacement character."""
    legal = (c if c in "\t\n" or (c.isprintable() and c not in "\ufffe\uffff") else "�" for c in text)
    return quoteattr("".join(legal))
