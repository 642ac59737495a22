"""How the numbers were made, from which data, and how to make them again; and every note in full."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from assay.errors import in_plural, joined, plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row
from assay.jobs.question import Question
from assay.jobs.verify import maker_of
from assay.measures.declare.catalogue import titled
from assay.report.contents.blocks import Block, Facts, Folded, Part
from assay.report.findings.ending import not_measured
from assay.report.findings.head import subtitle
from assay.report.findings.notes import grouped_notes
from assay.report.words.comparisons import CORRECTION_NAMES, MEANING, how, hypotheses
from assay.report.words.methods import method_name
from assay.texts import percent
from assay.uncertainty.results import version

IN_MEMORY = {
    "data": ("data", "data is the table in memory"),
    "standard input": ("data", "data is what was read from standard input"),
    "counts as given": ("counts", "counts are those that were given"),
    "a stored tally": ("counts", "counts are those that were given"),
}


def call(report: Report) -> str | None:
    """The call, with the options that are not defaults; None if the report was made within another call."""
    if not report.asked and "flattered" in report.provenance:
        return None
    if report.contest is not None and _of_two_reports(report):
        options = _options(report, maker(report))
        return f"report.compare({', '.join(['other', *options])})  # both are reports from assay.evaluate"
    made = maker(report)
    data, remark = _data_argument(report)
    options = _options(report, made)
    if any("..." in option for option in options):
        remark = "... stands for tables in memory"
    written = f"assay.{made.__name__}({', '.join([*data, *options])})"
    return f"{written}  # {remark}" if remark else written


def maker(report: Report) -> Callable[..., Report]:
    """The function that makes such reports."""
    return maker_of(report.asked, contest=report.contest is not None).function


def _data_argument(report: Report) -> tuple[list[str], str]:
    """What is read, and a remark if it has no name; nothing if every system has its own file."""
    source = str(report.provenance.get("source", "data"))
    for file in reversed((report.asked.get("systems") or {}).values()):
        # A table joined from several files is named after all of them, the one with the gold labels first.
        source = source.removesuffix(f" + {Path(file).name}") if file else source
    if report.asked.get("unpaired") and report.asked.get("systems") and "gold" not in report.provenance:
        return [], ""
    name, remark = IN_MEMORY.get(source, (repr(source), ""))
    return [name], remark


def _of_two_reports(report: Report) -> bool:
    """Whether some systems came from another report, so that no single call makes this one."""
    known = {*report.provenance.get("pred", {}), *report.provenance.get("score", {}), *report.asked.get("systems", {})}
    return bool(report.asked.get("unpaired")) and not {system.name for system in report.systems} <= known


def _options(report: Report, made: Callable[..., Report]) -> list[str]:
    usual = {**_usual(Question), **_usual(made)}
    given = {name: value for name, value in report.asked.items() if not _same(value, usual.get(name))}
    return [f"{name}={_written(value)}" for name, value in given.items()]


def _usual(of: Any) -> dict[str, Any]:
    if of is Question:
        return {field.name: field.default for field in fields(Question)}
    return {name: parameter.default for name, parameter in inspect.signature(of).parameters.items()}


def _same(value: Any, usual: Any) -> bool:
    return bool(value == (list(usual) if isinstance(usual, tuple) else usual)) and isinstance(value, bool) is (
        isinstance(usual, bool)
    )


def _written(value: Any) -> str:
    """A value as it is typed; an ellipsis for a table in memory, of which only the name is known."""
    if isinstance(value, Mapping):
        each = (f"{key!r}: {'...' if of is None else _written(of)}" for key, of in value.items())
        return f"{{{', '.join(each)}}}"
    return repr(value)


Fact = tuple[str, str]
ROLES = ("gold", "cluster", "weight", "count")  # roles of a single column


@dataclass(frozen=True)
class Notes(Block):
    """Notes, under the name of the system they are about."""

    template: ClassVar[str] = "notes.html"
    groups: tuple[tuple[str, tuple[str, ...]], ...]


def method_part(report: Report, command: str | None) -> Part:
    """Measures, intervals, tests, data, and the command or call that makes the same page again."""
    again = _again(report, command)
    facts = [*_made(report), *_data(report), ("Version", f"assay {version()}"), *again]
    blocks: list[Block] = [Facts(tuple(facts), code=tuple(term for term, _ in again))]
    notes = grouped_notes(report)
    if notes:
        blocks.append(Folded((Notes(notes),), "Every note in full"))
    advice = tuple((piece.named, _advised(piece.why, piece.hides)) for piece in report.advice)
    if advice:
        blocks.append(Folded((Facts(advice),), "Measures worth reporting for such data, and what they hide"))
    signed = _signatures(report)
    if signed:
        terms = tuple(term for term, _ in signed)
        blocks.append(Folded((Facts(signed, code=terms),), "Signatures: how each number was made"))
    return Part("method", "Method", "Method", tuple(blocks))


def _advised(why: str, hides: str | None) -> str:
    text = f"{why[:1].upper()}{why[1:]}"
    return text if hides is None else f"{text.removesuffix('.')}. What it hides: {hides.removesuffix('.')}."


# ---------------------------------------------------------------------- how
def _made(report: Report) -> Iterator[Fact]:
    values = [row for row in report.rows if row.quantity == "value"]
    yield from _intervals(report)
    held = [row for row in values if row.no_skill_name is not None and row.slice is None]
    guesses = dict.fromkeys(str(row.no_skill_name) for row in [row for row in held if row.class_ is None] or held)
    if guesses:
        yield (
            "No model",
            f"For each measure, the best value that can be had without a model, such as by {joined(list(guesses), 3)}.",
        )
    if report.contest is not None:
        yield from _tested(report.contest)
    if any(row.test == "max_gap" and row.p is not None for row in report.rows):
        yield (
            "Groups",
            "One test over all groups of a column: the largest gap between a group and all of them, in standard "
            "errors, compared with groups shuffled among the rows that the measure uses. For measures that are not "
            "shares, each group is judged by its own standard error, and p is the larger of that of the shuffles and "
            "Student's. p is corrected over the columns (Holm), not over the measures.",
        )
    if "resamples" in report.provenance:
        yield "Draws", f"{report.provenance['resamples']:,}, with seed {report.provenance['seed']}."
    yield "Not measured", not_measured(report.item)


def _intervals(report: Report) -> Iterator[Fact]:
    """The method of each measure's interval: for values, differences, and gaps between groups."""
    used: dict[str, dict[str, list[str]]] = {}
    for row in report.rows:
        if row.has_limits:
            by = used.setdefault(_kind(row), {})
            by.setdefault(method_name(row), []).append(_in_a_list(titled(row.measure)))
    for kind, by in used.items():
        each = (f"{method} for {joined(list(dict.fromkeys(names)), 12)}" for method, names in by.items())
        text = "; ".join(each)
        yield kind, f"{text[:1].upper()}{text[1:]}."
    if used:
        yield "Level", f"{percent(report.rows[0].level)} for each interval on its own."


def _kind(row: Row) -> str:
    if row.is_value:
        return "Intervals"
    return "Intervals of gaps" if row.versus is None else "Intervals of differences"


def _in_a_list(title: str) -> str:
    """The name of a measure without commas: F1 (macro)."""
    first, comma, rest = title.partition(", ")
    return f"{first} ({rest})" if comma else first


def _tested(contest: Contest) -> Iterator[Fact]:
    c = next((c for c in contest.tested if c.p_value is not None), None)
    if c is None:
        yield "Test", "None was made."
        return
    yield "Test", f"{titled(contest.primary)}, by a {how(c, contest.tested)}{f' ({c.why})' if c.why else ''}."
    h0, h1 = hypotheses(c)
    pair = " The same goes for every pair." if len(contest.tested) > 1 else ""
    yield "Null hypothesis (H0)", f"{h0}{pair}"
    yield "Alternative (H1)", f"{h1}{pair}"
    yield "What p means", MEANING
    if len(contest.tested) > 1:
        way = CORRECTION_NAMES.get(contest.correction)
        told = f"{way}, over" if way else "None, for"
        yield "Correction", f"{told} {plural(len(contest.tested), 'comparison')} in {titled(contest.primary)}."
    if contest.others:
        measures = len({c.a.measure for c in contest.others})
        yield (
            "Not tested",
            f"{plural(measures, 'further measure')}; their intervals are not corrected.",
        )


# ---------------------------------------------------------------------- the data
def _data(report: Report) -> Iterator[Fact]:
    facts = report.provenance
    if "source" in facts:
        yield "Data", f"{facts['source']}: {subtitle(report)}."
    columns = [f"{role} “{facts[role]}”" for role in ROLES if role in facts]
    columns += [f"predictions of {system} “{column}”" for system, column in facts.get("pred", {}).items()]
    columns += [f"scores of {system} {_columns(column)}" for system, column in facts.get("score", {}).items()]
    columns += [f"groups “{column}”" for column in facts.get("slices", ())]
    if columns:
        yield "Columns", f"{joined(columns, 20)}."
    left = [f"{plural(int(facts['skipped']), 'row')} with missing values"] if facts.get("skipped") else []
    left += [
        f"{plural(int(n), 'prediction')} of {system} without gold"
        for system, n in facts.get("predictions without gold", {}).items()
    ]
    if left:
        yield "Left out", f"{joined(left, 20)}."
    wrong = [
        f"{plural(int(n), 'row')} without a prediction of {system}" for system, n in facts.get("unanswered", {}).items()
    ]
    if wrong:
        yield "Counted as wrong", f"{joined(wrong, 20)}."
    if "score bins" in facts:
        yield "Bins", f"Scores were gathered into {facts['score bins']}, so results for scores are approximate."
    if "gold fingerprint" in facts:
        yield "Gold fingerprint", f"{facts['gold fingerprint']}{_hashed(report)}"


def _hashed(report: Report) -> str:
    """What the fingerprint is computed from."""
    if report.counted is None:
        return ""
    tally = next(iter(report.counted.systems.values()))
    return f" (computed from {tally.margins_are.format(in_plural(report.item))})"


def _columns(held: object) -> str:
    return f"“{held}”" if isinstance(held, str) else f"{joined([f'“{each}”' for each in held], 6)}"  # type: ignore[attr-defined]


def _again(report: Report, command: str | None) -> list[Fact]:
    """What to type to make the same report again."""
    typed = call(report) if command is None else command
    return [] if typed is None else [("In Python" if command is None else "Command", typed)]


def _signatures(report: Report) -> tuple[Fact, ...]:
    """Each signature once, under its measure."""
    found: dict[str, str] = {}
    for row in report.rows:
        if row.signature:
            of = "" if row.class_ is None else f" of “{row.class_}”"
            what = "" if row.quantity == "value" else f", {row.quantity}"
            found.setdefault(row.signature, f"{titled(row.measure)}{of}{what}")
    return tuple((term, signature) for signature, term in found.items())
