"""The report as a LaTeX table, with booktabs."""

from __future__ import annotations

from assay.jobs.results import Report, Row
from assay.jobs.words import digits, estimate, interval, number, of_difference, title
from assay.numbers import p_number, percent, signed
from assay.texts import visible_line

SIGNS = {
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
        " & ".join(name if name == "$n$" else safe(name) for name in head) + r" \\",
        r"\midrule",
    ]
    for row in report.rows:
        if row.quantity != "gap":
            beside = number(row.no_skill, digits(row)) if report.contest is None else _p(row)
            lines.append(" & ".join(safe(cell) for cell in (*_cells(row), beside, f"{row.n:,}")) + r" \\")
    told = [] if report.contest is None else [f"% {safe(line)}" for line in report.contest.summary]
    lines += [r"\bottomrule", r"\end{tabular}", "", *told, f"% {' '.join(safe(report.methods).split())}"]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    """Everything up to the interval; a difference to another system has a sign and both names."""
    value, limits = estimate(row) if row.value is not None else "undefined", interval(row)
    if row.versus is not None and not row.is_value:
        if row.value is not None:
            value = signed(row.value, digits(row))
        limits = of_difference(row, " to ")
        return f"{row.system} − {row.versus}", title(row), row.class_ or "", row.slice or "", value, limits
    name = title(row) if row.is_value else f"{title(row)}, {row.quantity}"
    who = row.system if row.versus is None else f"{row.system} against {row.versus}"
    return who, name, row.class_ or "", row.slice or "", value, limits


def _p(row: Row) -> str:
    p = row.p if row.p_adjusted is None else row.p_adjusted
    return "" if p is None else p_number(p)


def safe(text: str) -> str:
    """Text that cannot become a command: labels and names come from the data."""
    return "".join(SIGNS.get(sign, sign) for sign in visible_line(" ".join(text.split())))
