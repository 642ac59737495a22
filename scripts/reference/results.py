"""What a result has: every field with its type and a sentence, and its methods; for public types and returned ones."""

from __future__ import annotations

import dataclasses
import inspect
import re
import tomllib
import typing
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import assay
from assay.advice.commands import Piece
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Row, System
from assay.jobs.classes.per_class import ClassRow
from assay.jobs.curves import SystemCurve
from assay.measures.scores.geometry import Stretch
from assay.measures.scores.thresholds import Found
from assay.result import Readable, Result
from assay.sources.recognize import Role
from assay.uncertainty.curves.thresholds import Steadiness
from assay.uncertainty.many.ranks import Omnibus, RankPair
from assay.uncertainty.planning.plan import SamplePlan
from assay.uncertainty.results import Effect, MarginTest
from scripts.reference.markdown import code, prose, table
from scripts.reference.schemas import answers, comparing, parts
from scripts.reference.signatures import call, short

FIELDS = Path(__file__).parent / "texts" / "fields.toml"
# Types whose fields are those of a JSON object, which the schemas describe already.
WRITTEN: dict[str, parts.Schema] = {
    "Comparison": comparing.COMPARISON,
    "Contest": comparing.CONTEST,
    "Curves": answers.CURVED,
    "Effect": comparing.EFFECT,
    "Estimate": parts.ESTIMATE,
    "Found": answers.FOUND,
    "MarginTest": comparing.MARGIN,
    "Planning": answers.PLANNED,
    "Report": answers.REPORT,
    "Row": parts.ROW,
    "SamplePlan": answers.PLAN,
    "Statistic": comparing.STATISTIC,
    "Steadiness": answers.STEADINESS,
    "System": answers.SYSTEM,
    "Tuned": answers.TUNED,
}
# Types that are only met within another result, and are described on its page.
WITHIN: dict[str, tuple[type, ...]] = {
    "Advice": (Piece, Role),
    "Comparison": (Effect, MarginTest),
    "Curves": (SystemCurve,),
    "Dominance": (Stretch,),
    "Friedman": (Omnibus,),
    "PerClass": (ClassRow,),
    "Planning": (SamplePlan,),
    "PostHoc": (RankPair,),
    "Report": (Row, System, Contest),
    "Tuned": (Found, Steadiness),
}
# Members of counts that are for users; the others serve the measures.
COUNTS = re.compile(r"from_\w+|joint|merged|to_\w+|n|k|labels|table|positive|fingerprint|versus_rest")
TALLIES = ("Confusion", "Scored", "ClassScored", "Guessed", "Contingency", "Ranked", "Rated", "Preferences")
MEMBERS = {
    "Measure": ("estimate", "of", "per_class", "aliases", "name", "title", "summary", "range", "best"),
    "Joint": ("a", "b", "names", "n"),
    "Counts": ("systems", "read", "to_json", "from_json"),
    "Found": ("threshold", "below", "value", "held", "equally_good", "reason", "closest", "limit"),
    "System": ("name", "headline", "primary", "notes"),
    "Contest": ("primary", "tested", "others", "standings", "correction", "baseline", "summary", "notes", "was_tested"),
}
# What serves assay itself, whatever has it.
INNER = frozenset(
    (
        *("again", "hypotheses", "replicates", "counted", "facts", "labels_of", "report_of", "trade", "needs"),
        *("page", "picture", "frame_rows", "is_studentized", "kind", "axes", "of", "of_difference", "drawn", "only"),
        *(
            "reading",
            "corners",
            "deviations",
            "into",
            "tally",
            "choice",
            "scores",
            "warnings",
            "all_notes",
            "formatted",
        ),
    )
)

SHARED = {"to_dict", "to_frame", "to_html", "to_json", "to_text"}  # by all results


@cache
def sentences(name: str) -> dict[str, str]:
    """A sentence for each field of a type, by hand or from the schema of what it is written as."""
    written = WRITTEN.get(name, {}).get("properties", {})
    by_hand: dict[str, str] = tomllib.loads(FIELDS.read_text(encoding="utf-8")).get(name, {})
    return {**{field: _in_python(about["description"]) for field, about in written.items()}, **by_hand}


def _in_python(text: str) -> str:
    """What JSON calls null is None."""
    return re.sub(r"\bnull\b(?! (?:hypothesis|distribution))", "None", text)


def fields_of(name: str, kind: type) -> list[tuple[str, str]]:
    """The fields of a type that are for users, with their types."""
    every = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    return [(each.name, short(each.type)) for each in every if is_public(name, each.name)]


def is_public(name: str, member: str) -> bool:
    """Whether a member is for users."""
    if name in MEMBERS:
        return member in MEMBERS[name]
    if name in TALLIES:
        return COUNTS.fullmatch(member) is not None
    return not member.startswith("_") and member not in INNER


def described(name: str, kind: type) -> Iterator[str]:
    """The fields and the members of a public type, and those of the types within it."""
    yield from _fields(name, kind, "##")
    members = list(_members(name, kind))
    if members:
        yield "## Methods and properties"
        for title, text in members:
            yield f"### {title}"
            yield text
    yield from _within(name)


def returned(function: Callable[..., Any]) -> Iterator[str]:
    """What a function returns, where that has no page of its own."""
    kind = typing.get_type_hints(inspect.unwrap(function)).get("return")
    if not inspect.isclass(kind) or not kind.__module__.startswith("assay") or hasattr(assay, kind.__name__):
        return
    name = kind.__name__
    yield "## What it returns"
    yield f"`{name}`: {prose(kind.__doc__)}"
    yield from _fields(name, kind, "")
    members = list(_members(name, kind, short_form=True))
    if members:
        yield table(("method or property", "what it gives"), members)
    if issubclass(kind, Readable):
        methods = "`to_text`, `to_html`, `to_dict`, `to_frame` and `to_json`"
        had = methods if issubclass(kind, Result) else "`to_text` and `to_html`"
        yield f"Like every result it has {had}, prints as a table, and shows itself in notebooks."
    yield from _within(name)


def _within(name: str) -> Iterator[str]:
    for kind in WITHIN.get(name, ()):
        inner = kind.__name__
        yield f"## {inner}"
        yield prose(kind.__doc__)
        yield from _fields(inner, kind, "")
        members = list(_members(inner, kind, short_form=True))
        if members:
            yield table(("method or property", "what it gives"), members)


def _fields(name: str, kind: type, head: str) -> Iterator[str]:
    rows = [(f"`{field}`", sentences(name).get(field, ""), f"`{type_}`") for field, type_ in fields_of(name, kind)]
    if rows:
        if head:
            yield f"{head} Fields"
        yield table(("field", "what it is", "type"), rows)


def _own(kind: type, member: str) -> bool:
    """Whether assay defines a member, and not the array, list or error that the type extends."""
    home = next((each for each in kind.__mro__ if member in vars(each)), kind)
    return home.__module__.startswith("assay")


def _members(name: str, kind: type, *, short_form: bool = False) -> Iterator[tuple[str, str]]:
    known = {field for field, _ in fields_of(name, kind)} | (SHARED if short_form else set())
    for member in sorted({member for member in dir(kind) if is_public(name, member) and _own(kind, member)} - known):
        held = inspect.getattr_static(kind, member)
        if isinstance(held, property) or not callable(getattr(kind, member, None)):
            text = prose(inspect.getdoc(held)) if _is_computed(held) else ""
            if text:
                yield (f"`{member}`", " ".join(text.split())) if short_form else (member, text)
            continue
        function = getattr(kind, member)
        signature = inspect.signature(function)
        own = isinstance(held, classmethod)
        shown = signature if own else signature.replace(parameters=list(signature.parameters.values())[1:])
        if short_form:
            arguments = ", ".join(p.name for p in shown.parameters.values() if p.kind is not p.VAR_KEYWORD)
            yield f"`{member}({arguments})`", " ".join(prose(function.__doc__).split("\n\n")[0].split())
            continue
        called = f"{name}.{member}" if own else member
        yield member, f"{code(called + call(shown), 'python')}\n\n{prose(function.__doc__)}"


def _is_computed(held: Any) -> bool:
    return isinstance(held, property) or type(held).__name__ == "cached_property"
