"""What a measure is, as text and as a page, from its declaration; and the catalogue of all measures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import OptionError, plural
from assay.jobs.answers.row_texts import number
from assay.measures.declare.catalogue import catalogue, parse, reference
from assay.measures.declare.examples import SCREENING
from assay.measures.declare.forms import (
    BoundedMean,
    EffectiveN,
    IntervalForm,
    Jackknife,
    ModelJackknife,
    NoInterval,
    Proportion,
)
from assay.measures.declare.measure import Measure
from assay.measures.declare.settings import OPTIONS
from assay.report.contents.blocks import Block, Column, Columns, Facts, Listing, Page, Part, Table
from assay.report.families.words import sections
from assay.report.findings.ending import method
from assay.report.text.wrapping import wrapped
from assay.result import Readable
from assay.tables import Section
from assay.tally.contract.base import Tally
from assay.texts import numeral
from assay.uncertainty.one.estimate import coverage_of, spellings
from assay.uncertainty.results import version

BY_SIMULATION = "(supported by simulation, not by theory)"
CLOSED = {
    "jaccard": "mid-P limits of the Jaccard share, turned into those of F1",
    "effective_n": f"Wilson or mid-P with an effective n {BY_SIMULATION}",
    "smoothed_log": f"± z errors on the log scale, with half an item added to each class {BY_SIMULATION}",
    "robust": f"± z times the larger error: the model's own or the leave-one-out error {BY_SIMULATION}",
}

TABLES = "tables drawn by mid-P shares"


@dataclass(frozen=True)
class Catalogue(Readable):
    """Every measure with what it tells."""


@dataclass(frozen=True)
class Explained(Readable):
    """One measure with everything that is known about it, or with what it hides first."""

    measure: Measure
    hides: bool = False

    def to_text(self, width: int = 96) -> str:
        """The facts, or two tables that the measure cannot tell apart."""
        return super().to_text(width)


def catalogue_text(_: Catalogue, width: int = 100) -> str:
    """A line for each measure."""
    wide = max(len(name) for name in catalogue()) + 2
    each = [wrapped(m.summary, width, f"{m.name:<{wide}}", " " * wide) for m in catalogue().values()]
    told = "'assay measures f1' explains one; 'assay measures f1 --hides' shows what it cannot see."
    return "\n".join([*(line for lines in each for line in lines), "", *wrapped(told, width)]) + "\n"


def measure_text(explained: Explained, width: int = 96) -> str:
    """The facts, or two tables that the measure cannot tell apart."""
    if explained.hides:
        return f"{hidden(explained.measure)}\n"
    lines = [f"{explained.measure.name} ({explained.measure.title})", ""]
    for label, text in facts(explained.measure):
        lines += wrapped(text, width, f"  {label:<14}", " " * 16)
    return "\n".join(lines) + "\n"


def facts(measure: Measure) -> list[tuple[str, str]]:
    """Everything that is known about a measure, in reading order."""
    out = [
        ("meaning", measure.summary),
        ("formula", measure.written),
        ("range", _range(measure)),
        ("undefined", _undefined(measure)),
        ("no model", _no_skill(measure)),
        *(("interval", text) for text in _intervals(measure)),
        *(("coverage", text) for text in _coverage(measure)),
    ]
    if measure.averaged and not measure.averages.of_one_class:
        out.append(("in averages", _in_averages(measure)))
    out += [("option", _option(name, default)) for name, default in measure.options.items()]
    out += [("example", f"{numeral(worked.value, '.5g')}: {worked.how}") for worked in measure.worked]
    out += [
        ("computed from", f"a {measure.kind.kind} tally, made by assay.{measure.call_of_kind}"),
        ("reference", reference(measure)),
    ]
    if measure.aliases:
        out.append(("also called", ", ".join(measure.aliases)))
    return out


def hidden(measure: Measure) -> str:
    """Two tables that the measure cannot tell apart, and a measure that can."""
    found = measure.hides
    if found is None:
        raise OptionError(f"there is no example yet of what {measure.name} hides.")
    other, options = parse(found.told_by)
    lines = [_cannot_tell(measure), ""]
    for tally in found.tables:
        lines.append(
            f"{measure.name} = {number(measure.of(tally))}, but {found.told_by} = {number(other.of(tally, **options))}"
        )
        for section in sections(tally)[:1]:
            left = max(len(name) for name, _ in section.rows)
            lines.append(f"  {'':<{left}}" + "".join(f"  {column:>16}" for column in section.columns))
            lines += [f"  {name:<{left}}" + "".join(f"  {c.text:>16}" for c in cells) for name, cells in section.rows]
        lines.append("")
    return "\n".join([*lines, f"Read it together with {found.told_by}."])


def _in_averages(measure: Measure) -> str:
    """What happens to a class that has no value, and to one that does not occur."""
    if math.isnan(measure.zero):
        return "a macro average is undefined if any class has no value, unless undefined=exclude"
    return (
        f"a class whose value is 0/0 counts as {measure.zero:g} (undefined=exclude leaves it out, undefined=null makes "
        "the average undefined), and so does a class that labels= declares but that occurs nowhere in the data; a "
        "class that is merely absent from a group or a shard is left out there"
    )


def _range(measure: Measure) -> str:
    low, high = (_end(x) for x in measure.range)
    ends = measure.notes.ends or f"{low} to {high}"
    if measure.best is None:
        return f"{ends}; neither end is better"
    better = "higher is better" if measure.higher_is_better else "lower is better"
    return f"{ends}; {better}" + ("" if math.isinf(measure.best) else f", {_end(measure.best)} is perfect")


def _end(x: float) -> str:
    return f"{'−' if x < 0 else ''}infinity" if math.isinf(x) else numeral(x, "g")


def _undefined(measure: Measure) -> str:
    if measure.convention is not None:
        return f"0/0 is shown as {measure.convention.value:g} and marked as such: {measure.convention.why}"
    return f"null where {measure.undefined}"


def _option(name: str, default: object) -> str:
    """An option with its default, what it is for and what it may be."""
    known = OPTIONS.get(name)
    return f"{name}={_shown(default)}" + (f": {known.sentence}" if known else "")


def _no_skill(measure: Measure) -> str:
    if measure.no_skill is None:
        return "none: it has no no-model baseline worth naming"
    if measure.no_skill == "base rate":
        score = "score π, the share of positives" if "π" in measure.notes.no_model else "same score"
        return f"{measure.notes.no_model}, if every item has the {score}"
    if isinstance(measure.no_skill, str):
        best = "the best of always naming one class, guessing in proportion to the classes, and guessing uniformly"
        if not (measure.averaged and measure.bind(SCREENING).no_skill(SCREENING) is None):
            return best
        return f"none for one class, because always naming one class is perfect; for an average, {best}"
    return f"{numeral(measure.no_skill, 'g')}, by chance"


def _intervals(measure: Measure) -> Iterator[str]:
    """How the interval is computed, case by case."""
    yield from _form(measure.interval, endless=math.isinf(measure.range[1]))
    if isinstance(measure.interval, NoInterval):
        return
    macro = measure.averages.macro_interval
    yield from (() if macro is None else (f"macro average: {text}" for text in _form(macro)))
    if isinstance(measure.interval, EffectiveN) and measure.interval.inflated is not None:
        yield "with clusters: its variance multiplied by a cluster factor"
    elif measure.kind.complete is not Tally.complete:
        yield "with clusters: counts divided by a cluster factor for one or two classes and for shares"
        yield "with clusters, otherwise: jackknife over clusters"
    elif not isinstance(measure.interval, BoundedMean):  # whose values are pooled within clusters
        yield "with clusters: jackknife over clusters"
    by_name = [*map(_named, measure.named), *(_named(form, "macro average") for form in measure.averages.macro_named)]
    if by_name:
        yield f"by name: {', '.join(by_name)}"


def _named(form: EffectiveN, *where: str) -> str:
    """A closed form that is used only where it is asked for by name, and what it is for."""
    held = (*where, "two classes") if form.classes == (2, 2) else where
    return f"{form.name} ({', '.join(held)})" if held else form.name


def _coverage(measure: Measure) -> list[str]:
    """How often the default interval covered the true value in simulations, case by case, where it was simulated."""
    told = []
    for spelling in spellings(measure.name):
        for found in coverage_of(spelling):
            of = "" if spelling == measure.name else f"{spelling}, "
            rows = f" with {found.rows}" if found.rows else ""
            mean, lowest = found.levels["0.95"]
            others = [
                f"at {float(level):.0%}: {other[0]:.1f} and {other[1]:.1f}"
                for level, other in found.levels.items()
                if level != "0.95"
            ]
            told.append(
                f"{of}{' and '.join(found.methods)}{rows}: {mean:.1f}% of 95% intervals covered the true value, "
                f"{lowest:.1f}% in the worst of {found.populations} populations (n from {found.smallest_n}"
                f"{'; ' if others else ''}{', '.join(others)})"
            )
    if isinstance(measure.interval, NoInterval):
        return ["none, because there is no interval"]
    return told or ["no figures are kept for this measure; its method was simulated"]


def _form(form: IntervalForm | None, *, endless: bool = False) -> list[str]:
    """How an interval is computed: one line, or one for each number of classes."""
    if isinstance(form, Proportion):
        share = "for this share" if callable(form.hits) else f"for the share ({form.hits}) of ({form.trials})"
        return [f"mid-P {share}"]
    if isinstance(form, NoInterval):
        return [f"none: {form.why}"]
    if isinstance(form, EffectiveN):
        how = CLOSED.get(form.name, CLOSED["effective_n"])
        least = form.classes[0]
        fewer = "two classes" if least == 3 else f"fewer than {least} classes"
        return [how] if least == 1 else [f"{least} classes or more: {how}", f"{fewer}: {TABLES}"]
    if isinstance(form, BoundedMean):
        return [
            "t interval with a quarter of an item added at each end of the range, pooled within clusters "
            "(supported by simulation)"
        ]
    if isinstance(form, ModelJackknife):
        return ["Student's t with the larger of the jackknife's and the model's variance (supported by simulation)"]
    if isinstance(form, Jackknife):
        return [f"jackknife on the {'log scale' if endless else 'logit of the position within the range'}"]
    return [
        f"two classes: {'Dirichlet(½) draws' if endless else TABLES}",
        f"3 to 1,000 classes: {'a delta method on the log scale' if endless else 'Wilson with a smoothed variance'} "
        f"{BY_SIMULATION}",
        "more classes: BCa bootstrap (not simulated)",
    ]


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


# ---------------------------------------------------------------------- pages
def catalogue_page(_: Catalogue, command: str | None = None) -> Page:
    """The page of all measures."""
    every = catalogue().values()
    columns = (Column("Name", "code"), Column("In reports"), Column("What it tells"))
    rows = tuple((each.name, each.title, each.summary) for each in every)
    listing = Listing("Measures", columns, rows, "'assay measures f1 --html f1.html' makes the page of one of them.")
    return Page(
        title="Measures",
        subtitle="Everything that assay computes",
        verdict=(f"There are {plural(len(rows), 'measure')}, each with its interval or the reason why it has none.",),
        cautions=(),
        parts=(Part("measures", "All measures", "Measures", (listing,)), method((), command)),
        version=version(),
    )


def measure_page(explained: Explained, command: str | None = None) -> Page:
    """The page of one measure; what it hides comes first where that was asked for."""
    measure = explained.measure
    told = tuple((name[:1].upper() + name[1:], text) for name, text in facts(measure))
    parts = [Part("facts", "What is known about it", "Facts", (Facts(told, code=("Formula", "Options")),))]
    if measure.hides is not None:
        parts.insert(0 if explained.hides else 1, _hidden(measure))
    return Page(
        title=measure.title,
        subtitle=measure.name,
        verdict=(_cannot_tell(measure), measure.summary) if explained.hides else (measure.summary,),
        cautions=(),
        parts=(*parts, method((), command)),
        version=version(),
    )


def _cannot_tell(measure: Measure) -> str:
    assert measure.hides is not None
    return f"{measure.title} cannot tell these two apart: {measure.hides.why}."


def _hidden(measure: Measure) -> Part:
    """Two tables that the measure cannot tell apart, side by side."""
    assert measure.hides is not None
    tables = tuple(_table(measure, tally) for tally in measure.hides.tables)
    lead = (f"It has the same value for both: {measure.hides.why}. Read it together with {measure.hides.told_by}.",)
    return Part("hides", "What it hides", "Hides", (Columns(tables),), lead)


def _table(measure: Measure, tally: Tally) -> Block:
    assert measure.hides is not None
    other, options = parse(measure.hides.told_by)
    mine, others = number(measure.of(tally)), number(other.of(tally, **options))
    values = f"{measure.name} = {mine}, but {measure.hides.told_by} = {others}"
    section = next(iter(sections(tally)), Section("", (), ()))
    return Table(Section(values, section.columns, section.rows, section.note, section.shares))
