"""A check in words: a row for each column, what to watch for, and what to do next."""

from __future__ import annotations

import dataclasses
import io
import shlex
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from assay.errors import listed, plural
from assay.jobs.judgments import USUAL
from assay.report.names import clean, short
from assay.report.text.lines import harmless, padded
from assay.report.text.wrapping import wrapped
from assay.result import Result
from assay.sources.inspect import Cluster, ColumnFacts, Difference, Inspection, Label, Spelling, several_golds


@dataclass(frozen=True)
class Checked(Result):
    """What is in a table, and the name the user gave it."""

    found: Inspection
    source: str

    def to_dict(self) -> dict[str, Any]:
        """The facts as they are."""
        return dataclasses.asdict(self.found)


MOST_GROUPS = 8  # of labels that look alike
MOST_LABELS = 6  # in a sentence
LEAST_ROOM = 24  # columns next to the numbers; with fewer, labels get a line of their own
TIED = "\u00a0"  # stands for the blanks of a label until the lines are broken


@dataclass(frozen=True)
class Note:
    """What to watch for: in a few words, and in full."""

    title: str
    text: str


def as_text(checked: Checked, width: int = 100) -> str:
    """The words without color."""
    out = io.StringIO()
    show(checked, Console(file=out, width=width, color_system=None, highlight=False, emoji=False, markup=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def show(checked: Checked, console: Console) -> None:
    """Print what was found."""
    for text in wrapped(headline(checked), console.width):
        console.print(Text(text, style="bold"), soft_wrap=True)
    console.print()
    for line in _lines(checked.found, console.width):
        console.print(harmless(line), soft_wrap=True)
    notes = tuple(notes_of(checked.found))
    if notes:
        console.print()
    for note in notes:
        badge = (" watch ", "black on yellow")
        for part in wrapped(note.text, console.width - 9):
            console.print(harmless(Text.assemble(badge, f"  {untied(part)}")), soft_wrap=True)
            badge = (" " * 7, "")
    console.print()
    for text in _broken(f"next: {next_step(checked)}", console.width):
        console.print(Text(text, style="dim"), soft_wrap=True)


def _broken(text: str, width: int) -> list[str]:
    """A command in lines that a shell reads as one; any other text in ordinary lines."""
    if not text.startswith("next: assay ") or cell_len(text) <= width:
        return wrapped(text, width)
    *lines, last = wrapped(text, width - 2, then="  ")
    return [*(f"{line} \\" for line in lines), last]


def headline(checked: Checked) -> str:
    """How large the table is."""
    rows, columns = plural(checked.found.rows, "row"), plural(len(checked.found.columns), "column")
    return f"{clean(checked.found.name)} has {rows} and {columns}."


def untied(text: str) -> str:
    """The text with the blanks of its labels as they were."""
    return text.replace(TIED, " ")


def _lines(found: Inspection, width: int) -> Iterator[Text]:
    names = [short(column.name) for column in found.columns]
    left = max(cell_len(name) for name in [*names, "column"]) + 2
    head = f" {padded('column', left)}{'role':<7}{'different':>10}{'missing':>9}"
    beside = "   most frequent, with their rows"
    head += beside if width - len(head) - 3 >= LEAST_ROOM else ""
    yield Text(short(head, width), style="dim")
    yield Text("─" * min(width, len(head)), style="dim")
    for column, name in zip(found.columns, names, strict=True):
        line = Text(f" {padded(name, left)}")
        line.append(f"{(column.role or '–') + '?' * (not column.sure):<7}")
        if column.problem is not None:
            yield line.append(clean(column.problem), style="yellow")
            continue
        line.append(f"{column.distinct:>10,}", style="bold")
        line.append(f"{column.missing:>9,}", style="yellow" if column.missing else "dim")
        room = width - line.cell_len - 3
        if room >= LEAST_ROOM:
            yield line.append(f"   {short(most_frequent(column, room), room)}", style="dim")
            continue
        yield line
        yield Text(f"   {short(most_frequent(column, width - 3), width - 3)}", style="dim")


def most_frequent(column: ColumnFacts, room: int) -> str:
    """As many labels as there is room for, and how many more there are."""
    return untied(_tied(column, room))


def _tied(column: ColumnFacts, room: int) -> str:
    if column.distinct > 1 and column.frequent[0].rows == 1:
        return f"all different, such as {_quoted(column.frequent[0].label)}"
    shown = ""
    for at, label in enumerate(column.frequent):
        longer = f"{shown}{', ' if shown else ''}{_quoted(label.label)} {label.rows:,}"
        left = column.distinct - at - 1
        if shown and cell_len(longer) + (len(f" and {left:,} more") if left else 0) > room:
            return f"{shown} and {left + 1:,} more"
        shown = longer
    left = column.distinct - len(column.frequent)
    return f"{shown} and {left:,} more" if left else shown or "nothing"


def notes_of(found: Inspection, quotes: str = "''") -> Iterator[Note]:
    """What to watch for, in reading order; blanks within a label are tied."""
    golds = found.golds
    if len(golds) > 1:
        names = clean(listed(golds)) if quotes == "''" else ", ".join(_named(name, quotes) for name in golds)
        yield Note("Which column is gold?", several_golds(names))
    for group in found.alike[:MOST_GROUPS]:
        yield Note("Labels look alike.", _look_alike(group))
    if len(found.alike) > MOST_GROUPS:
        text = f"{len(found.alike) - MOST_GROUPS} more groups of labels look alike; --format json lists all of them."
        yield Note("More labels look alike.", text)
    for difference in found.differences:
        yield from (Note("Labels differ.", text) for text in _difference(difference, found, quotes))
    for column in found.columns:
        if column.role in ("gold", "pred", "id") and column.missing:
            rows = plural(column.missing, "row")
            where = _named(column.name, quotes)
            text = f"{rows} {_have(column.missing)} no value in {where}; a missing value is not a label."
            yield Note("Values are missing.", text)
    for column in found.columns:
        if column.role in ("gold", "pred") and column.like_missing:
            text = f"{_some(column.like_missing)} in {_named(column.name, quotes)} "
            one = len(column.like_missing) == 1
            text += "looks like a missing value, but counts as a class" if one else "look like missing values, but "
            text += "" if one else "count as classes"
            text += f": to make {'it' if one else 'them'} missing, leave the fields empty."
            yield Note("Values may be missing.", text)
    if found.repeats is not None:
        occur = "occurs" if found.repeats.ids == 1 else "occur"
        first = ", ".join(clean(label) for label in found.repeats.first)
        ids = plural(found.repeats.ids, "id")
        yield Note("Ids repeat.", f"{ids} {occur} more than once in {_named(found.repeats.column, quotes)}: {first}.")
    if found.cluster is not None:
        yield Note("Rows may belong together.", _belong_together(found.cluster, quotes))


def _belong_together(cluster: Cluster, quotes: str) -> str:
    column = clean(cluster.column)
    return (
        f"{_named(column, quotes)} has {cluster.distinct:,} different values in {cluster.rows:,} rows. If rows with "
        f"the same value belong together, add --cluster {shlex.quote(column)}; without it the intervals are too narrow."
    )


def _look_alike(group: Sequence[Spelling]) -> str:
    labels = []
    for each in group:
        rows = ", ".join(f"{plural(number, 'row')} of {clean(column)}" for column, number in each.rows.items())
        labels.append(f"{_exactly(each.label)} ({rows})")
    return f"these labels look alike but count as different: {', '.join(labels)}."


def _difference(difference: Difference, found: Inspection, quotes: str) -> Iterator[str]:
    pred, gold = _named(difference.pred, quotes), _named(found.gold or "gold", quotes)
    if difference.only_gold:
        yield f"{pred} never has {_some(difference.only_gold)}, which {gold} has."
    if difference.only_pred:
        yield f"{pred} has {_some(difference.only_pred)}, which {gold} never has."
    if difference.flags:
        flags = clean(" ".join(difference.flags)).replace(" ", TIED)
        yield f"if labels that {pred} and {gold} write differently mean the same, add {flags}."
    elif difference.strangers:
        yield f"{pred} and {gold} have no label in common; map them with --map 'FROM=TO,FROM=TO'."


def _some(labels: Sequence[Label]) -> str:
    shown = ", ".join(f"{_quoted(each.label)} ({plural(each.rows, 'row')})" for each in labels[:MOST_LABELS])
    return f"{shown} and {len(labels) - MOST_LABELS:,} more labels" if len(labels) > MOST_LABELS else shown


def next_step(checked: Checked) -> str:
    """What to type next."""
    found, source = checked.found, checked.source
    scores = [column.name for column in found.columns if column.role == "score"]
    if found.gold is not None and not found.preds and len(scores) == 1:
        named = f"--gold {shlex.quote(clean(found.gold))} --score {shlex.quote(clean(scores[0]))}"
        return f"assay evaluate {shlex.quote(clean(source))} {named} --positive LABEL"
    if found.gold is None and not found.preds and are_judgments(found):
        return f"assay prefer {shlex.quote(clean(source))}, if each row says which of two systems is preferred"
    if found.gold is None or not found.preds:
        flags = {"gold": found.gold, "predictions": found.preds}
        by = {"gold": "--gold COL", "predictions": "--pred COL (scores: --score COL)"}
        lacking = [f"{what} with {by[what]}" for what in flags if not flags[what]]
        return f"name the column of {' and that of '.join(lacking)}"
    options = [f"--gold {shlex.quote(clean(found.gold))}"]
    options += [f"--pred {shlex.quote(clean(pred))}" for pred in found.preds]
    options += dict.fromkeys(clean(flag) for difference in found.differences for flag in difference.flags)
    return f"assay evaluate {shlex.quote(clean(source))} {' '.join(options)}"


def are_judgments(found: Inspection) -> bool:
    """Whether the columns are called like those of pairwise preferences."""
    names = {column.name.strip().lower() for column in found.columns}
    return all(not names.isdisjoint(USUAL[role]) for role in ("a", "b", "winner"))


def _have(n: int) -> str:
    return "has" if n == 1 else "have"


def _named(column: str, quotes: str) -> str:
    return f"{quotes[0]}{clean(column)}{quotes[1]}"


def _quoted(label: str) -> str:
    return f"“{short(label).replace(' ', TIED)}”"


def _exactly(label: str) -> str:
    """The label, with its code points where two labels look the same on the screen."""
    odd = unicodedata.normalize("NFKC", label) != label or not label.isprintable()
    return f"{_quoted(label)} = {label.encode('unicode_escape').decode()}" if odd else _quoted(label)
