"""The report as a LaTeX table, with booktabs."""

from __future__ import annotations

from assay.report.report import Report
from assay.report.words import digits, estimate, interval, number, title
from assay.uncertainty.words import percent

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
    "↓": r"$\downarrow$",
    "–": "--",
}


def latex(report: Report) -> str:
    """One table with a row for each number, and the Methods sentence under it."""
    level = percent(report.rows[0].level) if report.rows else ""
    head = ("system", "measure", "class", "group", "estimate", f"{level} interval", "no model", "$n$")
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{llllrcrr}",
        r"\toprule",
        " & ".join(name if name == "$n$" else safe(name) for name in head) + r" \\",
        r"\midrule",
    ]
    for row in report.rows:
        if row.quantity == "gap":
            continue
        name = title(row) if row.quantity == "value" else f"{title(row)}, {row.quantity}"
        value = estimate(row) if row.value is not None else "undefined"
        floor = number(row.no_skill, digits(row))
        system = row.system if row.versus is None else f"{row.system} − {row.versus}"
        cells = (system, name, row.class_ or "", row.slice or "", value, interval(row), floor, f"{row.n:,}")
        lines.append(" & ".join(safe(cell) for cell in cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", "", f"% {' '.join(safe(report.methods).split())}"]
    return "\n".join(lines) + "\n"


def safe(text: str) -> str:
    """Text that cannot become a command: labels and names come from the data."""
    return "".join(SIGNS.get(sign, sign) for sign in " ".join(text.split()))
