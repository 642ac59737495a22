"""Sentences about one score per class."""

from __future__ import annotations

from assay.errors import listed, plural
from assay.tally.class_scores import ClassScored


def headline(tally: ClassScored, system: str) -> str:
    """How many items of how many classes were scored."""
    return f"{system} scores {plural(tally.n, tally.item)} for each of {tally.k} classes."


def warnings(tally: ClassScored) -> list[str]:
    """Classes without items, and scores that are not probabilities."""
    absent = [label for i, label in enumerate(tally.labels) if not (tally.gold == i).any()]
    out = [f"no item belongs to {listed(absent, 5)}"] if absent else []
    return out if tally.no_probabilities is None else [*out, tally.no_probabilities]
