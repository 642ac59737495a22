"""A page for each measure with every fact from its declaration, and a list of them by family."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from assay.lazily import family_name
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from assay.report.answers.measures import facts
from assay.uncertainty.one.estimate import coverage_of, spellings
from scripts.reference.markdown import code, page, prose, table, toctree
from scripts.reference.python import call_of

FORMULAS = Path(__file__).with_name("formulas.toml")
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
APART = ("Meaning", "Formula", "Coverage", "Option", "Example")  # facts that a page shows in another form


def formulas() -> dict[str, str]:
    """The formulas of all measures in LaTeX."""
    return tomllib.loads(FORMULAS.read_text(encoding="utf-8"))


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
        measure.summary,
        f"$$\n{formulas()[measure.name]}\n$$",
        *(code(text) for text in by["Formula"]),
        call_of(measure.name),
        table(("", ""), ((f"**{label}**", _plain(text)) for label, text in told if label not in APART)),
        *_listed("Options", by["Option"]),
        *_listed("Worked by hand", by["Example"]),
        *_coverage(measure),
        *_hides(measure),
    )


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


def _hides(measure: Measure) -> Iterator[str]:
    if measure.hides is None:
        return
    yield "## What it hides"
    yield (
        f"It cannot tell two tables apart: {measure.hides.why}. Read it together with `{measure.hides.told_by}`; "
        f"`assay measures {measure.name} --hides` shows both."
    )


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
