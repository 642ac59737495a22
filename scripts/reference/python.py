"""A page for every public name of the package, from its docstring and its types, and a list of them by purpose."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import assay
from assay.measures.declare.call import signature_of
from assay.measures.declare.catalogue import catalogue
from scripts.reference import options, results, usage
from scripts.reference.markdown import code, page, prose, table, toctree
from scripts.reference.names import index
from scripts.reference.signatures import call, with_options

# What one looks for, and the names that do it.
PURPOSES: dict[str, tuple[str, ...]] = {
    "Evaluate": (
        *("evaluate", "rank", "estimate", "classification_report", "confusion_matrix", "assert_at_least", "advise"),
        "scorers",
    ),
    "Compare": (
        *("compare_systems", "compare", "compare_values", "compare_repeated", "assert_no_worse", "disagreements"),
        *("prefer", "delong"),
    ),
    "Several tests": (
        *("holm", "hochberg", "bonferroni", "benjamini_hochberg", "benjamini_yekutieli"),
        *("friedman", "post_hoc", "critical_difference", "cochrans_q"),
    ),
    "Scores and thresholds": (
        *("curves", "roc_curve", "pr_curve", "calibration_curve", "curve_band", "dominance", "tune"),
        *("brier_parts", "ece_if_calibrated", "break_even_threshold", "class_weights"),
    ),
    "Plan": ("plan", "five_numbers"),
    "Results": ("Report", "Estimate", "Interval", "Comparison", "Statistic", "PerClass", "ConfusionMatrix", "Advice"),
    "Counts": (
        *("Confusion", "Scored", "ClassScored", "Guessed", "Contingency", "Ranked", "Rated", "Preferences"),
        *("Joint", "Counts"),
    ),
    "Measures": ("Measure",),
    "Errors": ("AssayError", "DataError", "OptionError", "UnknownMeasure"),
}


def pages() -> dict[str, str]:
    """The page of every public name that is not a measure, and the list of them."""
    return {
        "python/index.md": _index(),
        **{f"python/{name}.md": of(name) for names in PURPOSES.values() for name in names},
    }


def of(name: str) -> str:
    """The page of a function or class."""
    thing = getattr(assay, name)
    body = _class(name, thing) if inspect.isclass(thing) else _function(name, thing)
    return page(name, index([f"assay.{name}", name]), *body)


def call_of(name: str) -> str:
    """How a measure is called."""
    return code(f"assay.{name}{call(signature_of(catalogue()[name]))}", "python")


# ---------------------------------------------------------------------- functions
def _function(name: str, function: Callable[..., Any]) -> Iterator[str]:
    declared = name in options.FUNCTIONS
    signature = inspect.signature(function)
    yield code(f"assay.{name}{call(with_options(signature) if declared else signature)}", "python")
    yield prose(function.__doc__)
    yield from usage.of(name)
    if declared:
        yield "## Options"
        yield options.of_function(name)
    yield from results.returned(function)


# ---------------------------------------------------------------------- classes
def _class(name: str, kind: type) -> Iterator[str]:
    yield prose(kind.__doc__)
    if issubclass(kind, BaseException):
        bases = ", ".join(f"`{base.__name__}`" for base in kind.__mro__[1:-1] if base is not object)
        yield f"It is a {bases}."
        return
    yield from results.described(name, kind)


# ---------------------------------------------------------------------- the list
def _index() -> str:
    blocks = [
        "`import assay` loads nothing heavy: every name is loaded when it is first used. Measures have "
        "[pages of their own](../measures/index.md).",
    ]
    for purpose, names in PURPOSES.items():
        blocks.append(f"## {purpose}")
        blocks.append(table(("name", "what it does"), ((f"[{name}]({name}.md)", _first(name)) for name in names)))
    return page("Python", *blocks, toctree(name for names in PURPOSES.values() for name in names))


def _first(name: str) -> str:
    return prose(getattr(assay, name).__doc__).split("\n\n")[0].replace("\n", " ")
