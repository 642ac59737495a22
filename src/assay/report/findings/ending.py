"""The end of a page: what it cannot show, how its numbers were made, and the command that makes them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.errors import in_plural, joined
from assay.notes import divided
from assay.report.contents.blocks import Facts, Part
from assay.uncertainty.results import version

MOST_NAMED = 3  # systems or measures that a title names
LEFT = "errors in the gold labels, other populations, how people use the answers"
# By what was sampled, if not rows: what intervals account for, and what was not measured.
COVERED = {
    "fold": "what retraining on other parts of these data would give. They do not cover other data, errors in the gold "
    "labels, other populations, or how people use the answers",
    "data set": "other data sets like these, as far as these are representative. They do not cover errors in the gold "
    "labels, or how people use the answers",
    "query": "other {} like these, over the same documents. They do not cover other judges, other collections, or what "
    "people click",
    "judgment": "other {} like these. They do not cover retraining, other judges, other populations, or how people use "
    "the answers",
}
UNMEASURED = {
    "query": "Other judges, other collections, and what people click.",
    "fold": f"Other data, {LEFT}.",
    "data set": f"{LEFT[0].upper()}{LEFT[1:]}.",
    "judgment": "What retraining would change, whether the judges are right, other populations, how people use the "
    "answers.",
}


def standing(unit: str = "row", facts: Mapping[str, Any] | None = None) -> str:
    """What holds for every such page: what intervals account for, and what they leave out; facts name the clusters."""
    told = {} if facts is None else facts
    things = in_plural("cluster" if "clusters" in told else unit)
    things += f" (by “{told['cluster']}”)" if told.get("cluster") else ""
    usual = (
        "other {} like these. They do not cover retraining, errors in the gold labels, other populations, or how "
        "people use the answers"
    )
    return f"This is offline evaluation: intervals describe {COVERED.get(unit, usual).format(things)}."


def not_measured(unit: str = "row") -> str:
    """What a reader might assume was measured but was not."""
    return UNMEASURED.get(unit, f"What retraining would change, {LEFT}.")


# Longer names for the parts of provenance whose own names are short.
NAMES = {"source": "Data", "n": "Rows", "gold": "Gold", "pred": "Labels", "score": "Scores", "count": "Row counts"}
COLUMNS = ("gold", "pred", "score", "cluster", "weight", "count")  # parts that name columns
CODE = ("Command", "Signature")


def method(facts: Iterable[tuple[str, str]], command: str | None) -> Part:
    """The last part of a page."""
    told = [*facts, ("Version", f"assay {version()}"), *([("Command", command)] if command else [])]
    return Part("method", "Method", "Method", (Facts(tuple(told), code=CODE),))


def data_facts(provenance: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Where the data came from and how they were read, a line for each part of it."""
    for name, value in provenance.items():
        text = _written(value)
        if text:
            text = f"column {text}" if name in COLUMNS else text
            yield NAMES.get(name, name[:1].upper() + name[1:]), text


def said(note: str) -> str:
    """A note as a sentence; not for one that begins with a name from the data."""
    return ended(f"{note[:1].upper()}{note[1:]}")


def titled_note(note: str) -> tuple[str, str]:
    """A note as a title and the rest: its first statement, then what follows it; names stay as they are."""
    ((title, rest),) = titled_notes([note])
    return title, rest


def titled_notes(notes: Iterable[str]) -> list[tuple[str, str]]:
    """The same for several notes; those that say the same about different things are one."""
    held: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        about, first, rest = divided(note)
        held.setdefault((first, rest), []).extend(about)
    return [
        (ended(f"{joined(about, MOST_NAMED)}: {first}") if about else said(first), said(rest) if rest else "")
        for (first, rest), about in held.items()
    ]


def ended(note: str) -> str:
    """A note with a full stop."""
    return note if note.endswith((".", "!", "?")) else f"{note}."


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(_named(str(name), _written(of)) for name, of in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_written, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    return name if name == text else f"{name}: {text}"
