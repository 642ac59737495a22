"""A page for every public name of the package, from its docstring and its types, and a list of them by purpose."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import assay
from assay.measures.declare.call import signature_of
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from scripts.reference import options
from scripts.reference.markdown import code, page, prose, table, toctree

# What one looks for, and the names that do it.
PURPOSES: dict[str, tuple[str, ...]] = {
    "Evaluate": (
        *("evaluate", "estimate", "classification_report", "confusion_matrix", "assert_at_least", "advise", "scorers"),
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
# Members of counts that are for users; the others serve the measures.
COUNTS = re.compile(r"from_\w+|joint|merged|to_\w+|n|k|labels|table|positive|fingerprint|versus_rest")
MEMBERS = {
    "Measure": ("estimate", "of", "per_class", "aliases", "name", "title", "summary", "range", "best"),
    "Joint": ("a", "b", "n"),
    "Counts": ("systems", "read", "to_json", "from_json"),
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
    return page(name, *(_class(name, thing) if inspect.isclass(thing) else _function(name, thing)))


def call_of(name: str) -> str:
    """How a measure is called."""
    return code(f"assay.{name}{_call(signature_of(catalogue()[name]))}", "python")


# ---------------------------------------------------------------------- functions
def _function(name: str, function: Callable[..., Any]) -> Iterator[str]:
    declared = name in options.FUNCTIONS
    signature = inspect.signature(function)
    if declared:
        # Options stand in a table below.
        own = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        yield code(
            f"assay.{name}{_call(signature.replace(parameters=own))[:-1]}{', ' if own else ''}**options)", "python"
        )
    else:
        yield code(f"assay.{name}{_call(signature)}", "python")
    yield prose(function.__doc__)
    if declared:
        yield "## Options"
        yield options.of_function(name)


def _call(signature: inspect.Signature) -> str:
    """A signature with short types, one argument a line if it is long."""
    arguments, starred = [], False
    for p in signature.parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            arguments.append("*")
            starred = True
        kind = _type(p.annotation)
        default = "" if p.default is p.empty else f" = {p.default!r}" if kind else f"={p.default!r}"
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        starred = starred or p.kind is p.VAR_POSITIONAL
        arguments.append(f"{stars}{p.name}{f': {kind}' if kind else ''}{default}")
    back = _type(signature.return_annotation)
    out = f" -> {back}" if back else ""
    line = f"({', '.join(arguments)}){out}"
    return line if len(line) <= 84 else "(\n    " + ",\n    ".join(arguments) + f",\n){out}"


def _type(annotation: Any) -> str:
    """A type as one reads it: names without their modules."""
    if annotation is inspect.Signature.empty:
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text.strip("'\""))
    return re.sub(r"\b(?:np|npt|numpy)\.", "", text)


# ---------------------------------------------------------------------- classes
def _class(name: str, kind: type) -> Iterator[str]:
    yield prose(kind.__doc__)
    if issubclass(kind, BaseException):
        bases = ", ".join(f"`{base.__name__}`" for base in kind.__mro__[1:-1] if base is not object)
        yield f"It is a {bases}."
        return
    fields = [each for each in _fields(kind) if _is_public(name, each.name)]
    if fields:
        yield "## Fields"
        yield table(("field", "type"), ((f"`{each.name}`", f"`{_type(each.type)}`") for each in fields))
    members = list(_members(name, kind))
    if members:
        yield "## Methods and properties"
        for title, text in members:
            yield f"### {title}"
            yield text


def _fields(kind: type) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()


def _is_public(name: str, member: str) -> bool:
    if member.startswith("_"):
        return False
    if name in MEMBERS:
        return member in MEMBERS[name]
    return name not in PURPOSES["Counts"] or COUNTS.fullmatch(member) is not None


def _members(name: str, kind: type) -> Iterator[tuple[str, str]]:
    known = {each.name for each in _fields(kind)}
    for member in sorted({member for member in dir(kind) if _is_public(name, member)} - known):
        held = inspect.getattr_static(kind, member)
        if isinstance(held, property) or not callable(getattr(kind, member, None)):
            text = prose(inspect.getdoc(held))
            if text and not text.startswith("int(") and isinstance(held, property):
                yield member, text
            continue
        function = getattr(kind, member)
        signature = inspect.signature(function)
        own = isinstance(held, classmethod)
        shown = signature if own else signature.replace(parameters=list(signature.parameters.values())[1:])
        called = f"{name}.{member}" if own else member
        yield member, f"{code(called + _call(shown), 'python')}\n\n{prose(function.__doc__)}"


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


def public_names() -> set[str]:
    """Every public name that is no measure."""
    return {name for name in dir(assay) if not name.startswith("_") and not isinstance(getattr(assay, name), Measure)}
