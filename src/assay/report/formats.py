"""Which function shows which result in which format; each is loaded when first needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.lazily import call

EVERY: Mapping[str, str] = {"html": "page.render:to_html", "notebook": "page.render:to_fragment"}
FORMATS: Mapping[str, Mapping[str, str]] = {
    "Report": {
        "text": "text.terminal:plain",
        "markdown": "text.markup:markdown",
        "latex": "text.markup:latex",
        "methods": "words.methods:methods",
        "page": "page.build:page_of",
    },
    "System": {
        "headline": "families.words:system_headline",
        "sections": "families.words:system_sections",
        "warnings": "families.words:system_warnings",
    },
    "Tally": {"warnings": "families.words:warnings", "contrast": "families.words:contrast"},
    "Contest": {"summary": "words.summary:summary"},
    "Estimate": {"text": "answers.single:estimate_text", "page": "answers.single:estimate_page"},
    "Comparison": {
        "text": "answers.single:comparison_text",
        "described": "words.comparisons:described",
        "page": "answers.single:comparison_page",
        "verdict": "words.comparisons:verdict",
        "measured": "words.comparisons:measured",
        "settles": "words.comparisons:settles",
    },
    "CriticalDifference": {
        "picture": "charts.ranks:rank_diagram",
        "text": "answers.small:as_text",
        "page": "answers.small:page_of",
    },
    **{
        name: {"text": "answers.small:as_text", "page": "answers.small:page_of"}
        for name in ("Friedman", "PostHoc", "DeLong", "Disagreements", "ConfusionMatrix")
    },
    "Curves": {
        "text": "text.curves:as_text",
        "sentences": "words.curves:sentences",
        "picture": "charts.curves:picture",
        "page": "answers.curves:page_of",
    },
    "Tuned": {
        "text": "text.tune:as_text",
        "sentences": "words.tune:sentences",
        "notes": "words.tune:notes",
        "markdown": "text.tune:as_markdown",
        "page": "answers.tune:page_of",
    },
    "PerClass": {"text": "answers.per_class:as_text", "page": "answers.per_class:page_of"},
    "Checked": {"text": "answers.check:as_text", "page": "answers.check_page:page_of"},
    "Planning": {"text": "answers.plan:as_text", "page": "answers.plan:page_of"},
    "Verified": {"text": "answers.verify:as_text", "page": "answers.verify:page_of"},
    "Advice": {"text": "answers.advice:as_text", "page": "answers.advice:page_of"},
    "Catalogue": {"text": "answers.measures:catalogue_text", "page": "answers.measures:catalogue_page"},
    "Explained": {"text": "answers.measures:measure_text", "page": "answers.measures:measure_page"},
}


def render(result: object, format: str, **options: Any) -> Any:
    """The result in this format; a class without its own format uses its base class's."""
    for kind in type(result).__mro__:
        where = {**EVERY, **FORMATS.get(kind.__name__, {})}.get(format)
        if where is not None and (kind.__name__ in FORMATS or format not in EVERY):
            return call(f"report.{where}", result, **options)
    raise LookupError(f"nothing shows a {type(result).__name__} as {format}")
