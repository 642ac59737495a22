"""The page of a check: whether the file can be evaluated, how large it is, and what each column holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.errors import joined, plural
from assay.report.answers.check import Checked, most_frequent, next_step, notes_of, untied
from assay.report.contents.blocks import Block, Caution, Facts, Page, Part, Prose
from assay.report.contents.opening import Reading, Readings
from assay.report.findings.ending import method, said
from assay.report.names import clean, short
from assay.sources.inspect import ColumnFacts, Inspection
from assay.texts import numeral
from assay.uncertainty.results import version

ROOM = 60  # letters for the most frequent labels of a column
MOST_CLASSES = 6  # that are drawn
SEGMENTS = 3  # of a share bar, before the rest
QUOTES = "“”"
TALL = 20.0  # of a sparkline; each of its bars is 4 wide


@dataclass(frozen=True)
class Share:
    """One class: its rows, and their share in percent."""

    name: str
    rows: int
    percent: float


@dataclass(frozen=True)
class Shares(Block):
    """The rows of each class as bars."""

    template: ClassVar[str] = "shares.html"
    caption: str
    shares: tuple[Share, ...]
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One column of the file, with its most frequent values as shares, or the outline of a histogram."""

    cells: tuple[str, ...]
    shares: tuple[float, ...] = ()  # percent of the rows, most frequent first
    outline: str = ""


@dataclass(frozen=True)
class Overview(Block):
    """The columns of a file, one in each row."""

    template: ClassVar[str] = "overview.html"
    title: str
    rows: tuple[Line, ...]
    note: str = ""


def page_of(checked: Checked, command: str | None = None) -> Page:
    """The page of a check."""
    found = checked.found
    return Page(
        title=f"What is in {found.name}",
        subtitle=f"{clean(found.name)} · {plural(found.rows, 'row')}, {plural(len(found.columns), 'column')}",
        verdict=(_finding(found), *_roles(found)),
        cautions=tuple(Caution(note.title, said(untied(note.text))) for note in notes_of(found, QUOTES)),
        parts=(_columns(found), _to_do(checked), method([("Data", checked.source)], command)),
        version=version(),
        opening=tuple(_opening(found)),
    )


# ---------------------------------------------------------------------- what was found
def _finding(found: Inspection) -> str:
    """The most important problem, or that there is none and what was recognized."""
    problem = _problem(found)
    if problem is not None:
        return problem
    missing = sum(column.missing for column in found.columns)
    rest = "nothing is missing" if not missing else f"{plural(missing, 'value')} missing in other columns"
    return f"Ready to evaluate: gold labels and {_systems(found)}; {rest}."


def _problem(found: Inspection) -> str | None:
    golds = [column.name for column in found.columns if column.role == "gold"]
    scores = [column for column in found.columns if column.role == "score"]
    if len(golds) > 1:
        return f"It is not clear which column is gold: {_several(golds)} could be."
    if found.gold is None:
        return "No column of gold labels was recognized."
    gold = next((column for column in found.columns if column.name == found.gold), None)
    if gold is not None and gold.problem is None and gold.distinct == 1:
        return f"All gold labels are the same: {_quoted(gold.frequent[0].label)}."
    if not found.preds and not scores:
        return "Gold labels were recognized, but no answers of a system."
    for difference in found.differences:
        if difference.strangers:
            return f"{_quoted(difference.pred)} and {_quoted(found.gold)} have no label in common."
    for column in found.columns:
        if column.role in ("gold", "pred") and column.missing:
            have = "has" if column.missing == 1 else "have"
            return f"{plural(column.missing, 'row')} {have} no value in {_quoted(column.name)}."
    if found.alike:
        count = len(found.alike)
        return f"{plural(count, 'group')} of labels {'looks' if count == 1 else 'look'} alike but count as different."
    for difference in found.differences:
        if difference.only_pred:
            return f"{_quoted(difference.pred)} has labels that {_quoted(found.gold)} never has."
    if found.repeats is not None:
        count = found.repeats.ids
        return f"{plural(count, 'id')} {'occurs' if count == 1 else 'occur'} more than once."
    return None


def _systems(found: Inspection) -> str:
    """How many systems were recognized, and whether they have scores."""
    scores = [column.name for column in found.columns if column.role == "score"]
    if not found.preds:
        return plural(len(scores), "column") + " of scores"
    systems = plural(len(found.preds), "system")
    if scores and all(any(name.startswith(pred) for name in scores) for pred in found.preds):
        return f"{systems} with scores"
    return f"{systems} and {plural(len(scores), 'column')} of scores" if scores else systems


def _roles(found: Inspection) -> Iterator[str]:
    """Which columns have which role, in a sentence."""
    scores = [column.name for column in found.columns if column.role == "score"]
    parts = []
    if found.gold is not None:
        parts.append(f"gold labels in {_quoted(found.gold)}")
    if found.preds:
        parts.append(f"answers in {_several(found.preds)}")
    if scores:
        parts.append(f"scores in {_several(scores)}")
    if parts:
        yield said(f"{'; '.join(parts)}")


def _several(names: Sequence[str]) -> str:
    return joined([_quoted(name) for name in names], 8)


def _quoted(name: str) -> str:
    return f"“{short(name)}”"


# ---------------------------------------------------------------------- in large figures
def _opening(found: Inspection) -> Iterator[Block]:
    """How many rows, classes and missing values there are, and how the classes share the rows."""
    gold = next((column for column in found.columns if column.name == found.gold and column.problem is None), None)
    lacking = sum(column.missing > 0 for column in found.columns)
    missing = sum(column.missing for column in found.columns)
    each = [Reading(None, "Rows", f"{found.rows:,}", "")]
    if gold is not None:
        each.append(Reading(None, "Classes", f"{gold.distinct:,}", f"in {_quoted(gold.name)}"))
    if found.preds:
        each.append(Reading(None, "Systems", f"{len(found.preds):,}", ""))
    where = f"in {plural(lacking, 'column')}" if lacking else "in no column"
    each.append(Reading(None, "Missing values", f"{missing:,}", where))
    yield Readings("What is in the file", tuple(each))
    if gold is not None and gold.frequent:
        total = max(found.rows - gold.missing, 1)
        shares = tuple(Share(each.label, each.rows, 100 * each.rows / total) for each in gold.frequent[:MOST_CLASSES])
        left = gold.distinct - len(shares)
        note = f"{left:,} more {'class' if left == 1 else 'classes'}." if left > 0 else ""
        yield Shares("Rows of each class", shares, note)


# ---------------------------------------------------------------------- the columns
def _columns(found: Inspection) -> Part:
    rows = tuple(_line(column, found.rows) for column in found.columns)
    unsure = any(not column.sure for column in found.columns)
    note = "A role with a question mark is a guess from the values of the column."
    scores = sum(column.role == "score" for column in found.columns)
    title = f"{plural(len(found.columns), 'column')}, {scores} of them scores" if scores else "Columns"
    return Part("columns", title, "Columns", (Overview("Columns", rows, note if unsure else ""),))


def _line(column: ColumnFacts, rows: int) -> Line:
    role = f"{column.role or '–'}{'' if column.sure else '?'}"
    if column.problem is not None:
        return Line((column.name, role, "", "", column.problem))
    told = most_frequent(column, ROOM)
    if column.ends is not None:
        low, high = (_end(x, column.ends) for x in column.ends)
        told = f"{low} to {high}; {told}"
    cells = (column.name, role, f"{column.distinct:,}", f"{column.missing:,}", told)
    if column.bars:
        return Line(cells, outline=outlined(column.bars))
    if column.frequent and column.frequent[0].rows > 1:
        return Line(cells, tuple(round(100 * each.rows / max(rows, 1), 2) for each in column.frequent[:SEGMENTS]))
    return Line(cells)


def _end(x: float, ends: tuple[float, float]) -> str:
    """The least or the greatest score; a score next to nothing is written as 0."""
    return "0" if abs(x) < 1e-4 * (ends[1] - ends[0]) else numeral(x, ".4g")


def outlined(bars: Sequence[int]) -> str:
    """The outline of a histogram: each bar is 4 wide, the tallest as tall as the drawing."""
    most = max(bars, default=0) or 1
    steps = "".join(f"V{numeral(TALL - TALL * n / most, '.4g')}h4" for n in bars)
    return f"M0 {TALL:g}{steps}V{TALL:g}Z"


def _to_do(checked: Checked) -> Part:
    text = next_step(checked)
    if text.startswith("assay "):
        block: Facts | Prose = Facts((("Evaluate it", text),), code=("Evaluate it",))
    else:
        block = Prose((said(text),))
    return Part("next", "What to do next", "Next", (block,))
