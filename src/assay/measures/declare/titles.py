"""What measures are called where people read: F1, macro."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import UnknownMeasure
from assay.measures.declare.catalogue import parse
from assay.measures.declare.measure import Measure


def joined(names: Sequence[str], most: int = 6) -> str:
    """Names with commas and an and; a long list is cut and says how many are left."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def parse_known(spelling: str) -> tuple[Measure, dict[str, Any]] | None:
    """The measure and its options, or None for values that came with a name of their own."""
    try:
        return parse(spelling)
    except UnknownMeasure:
        return None


def name(spelling: str) -> str:
    """The measure's name for people: F1, macro."""
    found = parse_known(spelling)
    if found is None:
        return spelling
    measure, options = found
    if "k" in measure.options:
        # A cut-off is part of the name, the usual one too.
        k = options.pop("k", measure.options["k"])
        cut = measure.title if k is None else f"{measure.title}@{k}"
        titled = measure.title.replace("-k ", f"-{k} ") if "-k " in measure.title else cut
        return ", ".join([titled, *(_option(*pair) for pair in options.items())])
    return ", ".join([measure.title, *(_option(*pair) for pair in options.items())])


def _option(key: str, value: object) -> str:
    if key in ("average", "of", "weights"):
        return str(value)
    if key == "prevalence" and isinstance(value, float):
        return f"at {100 * value:.4g}% prevalence"
    if isinstance(value, bool):
        return f"{'with' if value else 'without'} {key}"
    if key == "matrix":
        return "by table"
    return f"{key} {value:g}" if isinstance(value, int | float) else f"{key} {value}"
