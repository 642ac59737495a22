"""A page for each measure with every fact from its declaration, and a list of them by family."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from assay.lazily import family_name
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from assay.report.answers.measures import facts
from scripts.reference.markdown import page, prose, table, toctree
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
ABOVE = ("Formula",)  # facts that a page shows in another form


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
    formula = formulas().get(measure.name)
    return page(
        measure.title,
        measure.summary,
        f"$$\n{formula.strip()}\n$$" if formula else "",
        call_of(measure.name),
        table(("", ""), ((f"**{label}**", _cell(label, text)) for label, text in told)),
        *_hides(measure),
    )


def _cell(label: str, text: str) -> str:
    return f"`{text}`" if label in ("Formula", "Options") and "`" not in text else text.replace("<", "&lt;")


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
