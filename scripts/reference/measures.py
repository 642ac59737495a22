"""A page for each measure with every fact from its declaration, and a list of them by family."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from assay.jobs.answers.row_texts import number
from assay.lazily import family_name
from assay.measures.declare.call import WHAT, signature_of
from assay.measures.declare.catalogue import catalogue, parse
from assay.measures.declare.forms import Proportion
from assay.measures.declare.measure import Measure
from assay.measures.declare.settings import OPTIONS
from assay.options import CLASS_AVERAGES
from assay.report.answers.measures import facts
from assay.report.families.words import sections
from assay.tally.contract.base import Linear, Tally
from assay.tally.scores import Scored
from assay.texts import numeral
from assay.uncertainty.one.estimate import coverage_of, spellings
from scripts.reference.markdown import code, page, prose, table, toctree
from scripts.reference.names import index
from scripts.reference.python import call_of

COLUMNS = 98  # what the site shows of a line
FORMULAS = Path(__file__).parent / "texts" / "formulas.toml"
SYMBOLS = Path(__file__).parent / "texts" / "symbols.toml"
TITLES = {
    "labels": "Labels",
    "scores": "Scores of one class",
    "class_scores": "Scores of every class",
    "guesses": "Several guesses",
    "clusterings": "Clusterings",
    "rankings": "Rankings",
    "ratings": "Annotators",
    "preferences": "Preferences",
}
# What no measure declares: how rows count, and who was judged.
OF_ARRAYS = {
    "y": "the gold labels, one per item",
    "a": "one system of each judgment, which was shown first unless first= says otherwise",
    "b": "the other system",
    "winner": "the system that was preferred, or a tie",
    "first": "the system whose answer was shown first",
    "systems": "the names of all systems",
    "focus": "the system, or two systems, that the value is for",
    "missing": "what a judgment without a winner is: an error, a tie, or left out",
    "names": "the names of the classes, in the order of the columns",
}
INTERVAL = "Interval"
CLUSTERS = "with clusters: counts divided"  # how these lines begin
OTHERWISE = "with clusters, otherwise"
APART = ("Meaning", "Formula", "Coverage", "Option", "Example")  # facts that a page shows in another form


def formulas() -> dict[str, str]:
    """The formulas of all measures in LaTeX."""
    return tomllib.loads(FORMULAS.read_text(encoding="utf-8"))


def legend(measure: Measure) -> dict[str, str]:
    """What the letters of a formula mean, each in LaTeX."""
    known = tomllib.loads(SYMBOLS.read_text(encoding="utf-8"))
    symbols: dict[str, str] = {**known["of"].get(measure.name, {}), **known[family_name(measure.kind)]}
    left = formulas()[measure.name]
    found: set[str] = set()
    for symbol in sorted(symbols, key=len, reverse=True):
        left, times = re.subn(standing(symbol), " ", left)
        found |= {symbol} if times else set()
    return {symbol: text for symbol, text in symbols.items() if symbol in found}


def standing(symbol: str) -> str:
    """A pattern for a symbol that is not a part of another one."""
    return (r"(?<![A-Za-z\\])" if symbol[0].isalpha() else "") + re.escape(symbol) + r"(?![A-Za-z_])"


def _formula(measure: Measure) -> Iterator[str]:
    """The formula, the meaning of its letters, and what else there is to know about it."""
    yield f"$$\n{formulas()[measure.name]}\n$$"
    yield "\n".join(f"- ${symbol}$: {text}" for symbol, text in legend(measure).items())
    yield tomllib.loads(SYMBOLS.read_text(encoding="utf-8"))["more"].get(measure.name, "")


def pages() -> dict[str, str]:
    """The page of every measure, and the list of them."""
    every = catalogue()
    return {
        "measures/index.md": _index(every),
        **{f"measures/{name}.md": of(measure) for name, measure in every.items()},
    }


def of(measure: Measure) -> str:
    """The page of one measure."""
    told = [(label[:1].upper() + label[1:], text) for label, text in facts(measure)]
    by = {label: [text for each, text in told if each == label] for label in APART}
    return page(
        measure.title,
        index([f"assay.{measure.name}", measure.title, measure.name, *measure.aliases]),
        measure.summary,
        *_formula(measure),
        *(code("\n".join(wrap(" ".join(text.split()), COLUMNS))) for text in by["Formula"]),
        call_of(measure.name),
        table(("", ""), _facts(measure, told)),
        "## Arguments",
        table(("argument", "default", "what it is"), _arguments(measure)),
        *_listed("Worked by hand", by["Example"]),
        *_coverage(measure),
        *_hides(measure),
    )


def _facts(measure: Measure, told: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The facts of the table, all intervals in the place of the first."""
    intervals = [text for label, text in told if label == INTERVAL]
    for label, text in told:
        if label not in (*APART, INTERVAL):
            yield f"**{label}**", _plain(text)
        elif label == INTERVAL and text == intervals[0]:
            yield from ((f"**{each}**", _plain(how)) for each, how in _intervals(measure, intervals))


def _intervals(measure: Measure, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The default intervals, those of fewer classes first, and then the intervals that are used only by name."""
    texts = [text for text in texts if _has_averages(measure) or not text.startswith(OTHERWISE)]
    texts = [_clusters(measure) if text.startswith(CLUSTERS) else text for text in texts]
    # A line for more classes comes before the one for fewer.
    later = sorted(enumerate(texts), key=lambda each: each[0] + 1.5 * ("classes or more: " in each[1]))
    for _, text in later:
        name = text.removeprefix("by name: ")
        what = INTERVAL if text.startswith("none: ") else "Default interval" if name == text else "Interval by name"
        yield what, name


def _has_averages(measure: Measure) -> bool:
    return measure.averaged and not measure.averages.of_one_class


def _clusters(measure: Measure) -> str:
    """How the default interval allows for clusters, case by case where there are several."""
    factor, jackknife = "with clusters: counts divided by a cluster factor", "jackknife over clusters"
    if not issubclass(measure.evidence, Linear):
        return f"with clusters: {jackknife}"
    if _has_averages(measure):
        return f"{factor} for one class, for averages of two and for shares"
    if measure.averaged or isinstance(measure.interval, Proportion):
        return factor
    return f"{factor} for two classes; {jackknife} for more"


def _plain(text: str) -> str:
    """A text in which nothing is Markdown."""
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def _listed(title: str, texts: list[str]) -> Iterator[str]:
    if texts:
        yield f"## {title}"
        yield "\n".join(f"- {_plain(text)}" for text in texts)


def _coverage(measure: Measure) -> Iterator[str]:
    """How often the default interval covered the true value in simulations."""
    rows = []
    for spelling in spellings(measure.name):
        for found in coverage_of(spelling):
            levels = [" / ".join(f"{x:.1f}" for x in found.levels[level]) for level in ("0.9", "0.95", "0.99")]
            methods = ", ".join(f"`{method}`" for method in found.methods)
            which = f"{found.populations}, n from {found.smallest_n}{f', with {found.rows}' if found.rows else ''}"
            rows.append((f"`{spelling}`", methods, which, *levels))
    if rows:
        yield "## Coverage"
        yield (
            "How often the default interval covered the true value: the mean over the simulated populations and the "
            "worst of them, in percent. [All populations](../coverage.md)."
        )
        yield table(("measure", "method", "populations", "90%", "95%", "99%"), rows)


def _arguments(measure: Measure) -> Iterator[tuple[str, str, str]]:
    """Every argument of the call, as it is written in Python, and on the command line where that differs."""
    own = {name for each in (measure, *measure.variants.values()) for name in each.options}
    for name, p in signature_of(measure).parameters.items():
        known = OPTIONS.get(name) if name in own else None
        what = known.sentence if known else {**WHAT, **OF_ARRAYS}.get(name, "")
        if name == "average" and not measure.averaged:
            what = f"{OPTIONS[name].help} ({', '.join(CLASS_AVERAGES)})"
        default = "" if p.default is p.empty else f"`{p.default!r}`"
        yield f"`{name}`", default, _plain(what)


def _hides(measure: Measure) -> Iterator[str]:
    if measure.hides is None:
        return
    told_by = measure.hides.told_by
    name = told_by.partition("(")[0]
    yield "## What it hides"
    yield f"Two results that it cannot tell apart, though one is better: {measure.hides.why}."
    for tally in measure.hides.tables:
        yield code(_result(measure, tally))
    yield f"Read it together with [`{told_by}`]({name}.md)."


def _result(measure: Measure, tally: Tally) -> str:
    """A tally with the value of the measure, and that of another one, which differs between two such tallies."""
    assert measure.hides is not None
    other, options = parse(measure.hides.told_by)
    values = f"{measure.name} = {number(measure.of(tally))}, {measure.hides.told_by} = "
    return "\n".join([values + number(other.of(tally, **options)), *_drawn(tally)])


def _drawn(tally: Tally) -> Iterator[str]:
    """The counts of a tally as a small table."""
    if isinstance(tally, Scored):
        yield f"  {'score':>8}{'positives':>12}{'negatives':>12}"
        items = list(zip(tally.keys["score"].tolist(), tally.keys["positive"].tolist(), tally.counts, strict=True))
        for score in sorted({score for score, _, _ in items}, reverse=True):
            each = [
                sum(n for s, is_positive, n in items if (s, is_positive) == (score, side)) for side in (True, False)
            ]
            yield f"  {numeral(score, 'g'):>8}" + "".join(f"{n:>12,}" for n in each)
        return
    for section in sections(tally)[:1]:
        left = max(len(name) for name, _ in section.rows)
        yield f"  {'':<{left}}" + "".join(f"  {column:>16}" for column in section.columns)
        for name, cells in section.rows:
            yield f"  {name:<{left}}" + "".join(f"  {cell.text:>16}" for cell in cells)


def _index(every: dict[str, Measure]) -> str:
    by: dict[str, list[Measure]] = {}
    for measure in every.values():
        by.setdefault(family_name(measure.kind), []).append(measure)
    blocks = [
        "Every measure has an interval, or the reason why it has none; its page says how it is computed, where it is "
        "undefined, and how often its default interval covered the true value in simulations.",
    ]
    for family, measures in by.items():
        blocks.append(f"## {TITLES.get(family, family)}")
        blocks.append(
            table(("measure", "what it tells"), ((f"[{m.name}]({m.name}.md)", prose(m.summary)) for m in measures))
        )
    return page("Measures", *blocks, toctree(sorted(every)))
