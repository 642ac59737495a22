"""Write the notebooks of examples/ from the plain cells below, with what their code gives.

A cell is run as a notebook runs it: what it prints and the value of its last line are its outputs, and a result of
assay is stored as the page that notebooks show. Jupyter is not needed. The same code gives the same files; run this
when a cell or the page has changed, and look at the notebooks.

    .venv/bin/python scripts/notebooks.py
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Text:
    """A cell of Markdown."""

    source: str


@dataclass(frozen=True)
class Code:
    """A cell of Python."""

    source: str


Cell = Text | Code

EVALUATE_AND_COMPARE: tuple[Cell, ...] = (
    Text("""
# Evaluate a classifier, and compare two

The data are 569 cases of breast cancer diagnostics that come with assay: the diagnosis (`gold`), and the answers and
scores of four models that did not see the case in training. The settings of the tree were picked after a look at a few,
so nothing here is evidence about kinds of model.
"""),
    Code("""
import csv
from collections import Counter
from importlib.resources import files

import assay

path = files("assay") / "data" / "breast_cancer.csv"
with path.open(encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
gold = [row["gold"] for row in rows]
tree = [row["tree"] for row in rows]
print(Counter(gold))
"""),
    Text("""
## One measure

A measure is a function of arrays. `estimate` adds the interval: the true values that these 569 rows are compatible
with.
"""),
    Code("""
print(assay.f1(gold, tree, pos_label="malignant"))
print(assay.estimate("f1", gold, tree, pos_label="malignant"))
"""),
    Text("""
## A report

`evaluate` has all usual measures, each with its interval and with what is reached without any model (`no model`). The
first sentence counts the errors: that is what the measures summarize.
"""),
    Code("""
report = assay.evaluate(path, gold="gold", pred="tree", positive="malignant")
print(report)
"""),
    Text("Single values are at hand, and `per_class` is the table by class."),
    Code("""
recall = report["recall"]
print(f"{recall.value:.3f} ({recall.low:.3f} to {recall.high:.3f}), by {recall.method}")
print(report.per_class)
"""),
    Text("""
## Two systems

Both answered the same rows, so the difference has an interval of its own. The verdict needs this interval and the test.
One measure is tested: F1, by default.
"""),
    Code("""
both = assay.compare_systems(
    path,
    gold="gold",
    pred=["logistic", "tree"],
    scores={"logistic": "logistic_score", "tree": "tree_score"},
    slices="size",
    positive="malignant",
)
print(both.comparisons[0])
"""),
    Text("""
## The page

A report at the end of a cell shows itself. `both.to_html()` gives the same as one file, with thresholds to try. Read
*Before you rely on this* first: the probabilities of the tree are worse than the base rate, and performance differs by
`size`.
"""),
    Code("both"),
    Text("""
## What to report

The errors as counts, the measure that was named beforehand with its interval, the difference with its interval and p,
how much was looked at, and the methods:
"""),
    Code("print(both.methods)"),
)

THRESHOLD_WITH_COSTS: tuple[Cell, ...] = (
    Text("""
# Choose a threshold when errors have costs

A model gives scores; someone must decide at which score to act. If a miss costs more than a false alarm, 0.5 is not the
place. This notebook chooses a threshold on one half of the data and evaluates it on the other.
"""),
    Code("""
import csv
from importlib.resources import files

import assay

with (files("assay") / "data" / "breast_cancer.csv").open(encoding="utf-8") as file:
    rows = list(csv.DictReader(file))


def columns(part):
    \"\"\"The columns of these rows that are used here.\"\"\"
    return {name: [row[name] for row in part] for name in ("id", "gold", "logistic_score")}


dev, test = columns(rows[::2]), columns(rows[1::2])
roles = {"gold": "gold", "score": "logistic_score", "id": "id", "positive": "malignant"}
"""),
    Text("""
## Chosen and evaluated on the same rows

Here a miss costs twenty times as much as a false alarm. Without other rows, the value flatters the threshold, and assay
estimates by how much.
"""),
    Code("""
flattered = assay.tune(dev, cost_fp=1, cost_fn=20, **roles)
print(flattered.sentences[1])
"""),
    Text("""
## Evaluated on other rows

The mean cost on the other half is 0.20 instead of 0.08. The sentences also say how certain the threshold itself is:
nearly all thresholds from 0.07 to 0.42 do about as well on the rows that chose it.
"""),
    Code("""
tuned = assay.tune(dev, check=test, cost_fp=1, cost_fn=20, **roles)
print(*tuned.sentences, sep="\\n\\n")
"""),
    Text("""
The threshold that follows from the costs alone is 1 / (1 + 20), if the scores are calibrated. It was not tuned, and
these rows do not show that the tuned one is better. When scores are calibrated, this formula is often all one needs.
"""),
    Code("tuned"),
    Text("""
## Other costs

The higher the cost of a miss, the more the result depends on a few missed cases, and the wider its interval. With 100
to 1 the tuned threshold does worse on these rows than calling everything malignant, which costs 0.61: it misses two
cases. One miss fewer would reverse the order, so these rows do not decide between the two.
"""),
    Code("""
print("miss  threshold  break-even  mean cost on other rows")
for miss in (1, 5, 20, 100):
    chosen = assay.tune(dev, check=test, cost_fp=1, cost_fn=miss, **roles)
    cost = next(row for row in chosen.rows if row.quantity == "value")
    even = assay.break_even_threshold(1, miss)
    print(f"{miss:4}  {chosen.threshold:9.3f}  {even:10.3f}  {cost.value:.2f} ({cost.low:.2f} to {cost.high:.2f})")
"""),
    Text("""
## A requirement instead of costs

If recall must be at least 0.95, require it of the interval and not of the estimate: a threshold that just meets a
target on the rows that chose it misses it on other rows about half the time.
"""),
    Code("""
required = assay.tune(dev, check=test, target="recall=0.95", target_on="interval", **roles)
print(*required.sentences[:2], sep="\\n\\n")
"""),
)

NOTEBOOKS = {"evaluate_and_compare": EVALUATE_AND_COMPARE, "threshold_with_costs": THRESHOLD_WITH_COSTS}


def outputs(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a notebook stores for a cell that is run in this namespace."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec", dont_inherit=True), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval", dont_inherit=True), namespace)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": lines(value._repr_html_()), **data}
        found.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return found


def lines(text: str) -> list[str]:
    """Text as notebooks store it, so that a change shows as changed lines."""
    return text.splitlines(keepends=True)


def notebook(cells: tuple[Cell, ...]) -> dict[str, Any]:
    """The notebook of these cells, with their outputs; cells of code are counted from 1."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    made: list[dict[str, Any]] = []
    count = 0
    for i, cell in enumerate(cells, 1):
        source = cell.source.strip()
        one: dict[str, Any] = {"id": f"cell-{i}", "metadata": {}, "source": lines(source)}
        if isinstance(cell, Text):
            made.append({"cell_type": "markdown", **one})
        else:
            count += 1
            run = {"execution_count": count, "outputs": outputs(source, namespace, count)}
            made.append({"cell_type": "code", **one, **run})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def main() -> None:
    """Write each notebook beside its target, then rename it."""
    FOLDER.mkdir(exist_ok=True)
    for name, cells in NOTEBOOKS.items():
        target = FOLDER / f"{name}.ipynb"
        beside = target.with_suffix(".ipynb.part")
        text = json.dumps(notebook(cells), ensure_ascii=False, indent=1) + "\n"
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
        print(f"wrote {target.name}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
