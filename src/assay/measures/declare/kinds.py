"""Which tally each sort of evidence is read of, and how such a tally is made from data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from assay.errors import DataError, OptionError, listed
from assay.tally.contract.base import Evidence, Tally
from assay.tally.labels import Confusion
from assay.tally.margins import Cells, Distances, Margins

KINDS: dict[type[Evidence], type[Tally]] = {Margins: Confusion, Distances: Confusion, Cells: Confusion}
BUILDERS: dict[type[Tally], str] = {Confusion: "from_predictions"}
INSTEAD: dict[type[Tally], dict[type[Tally], Callable[[Any], bool]]] = {}  # of the first kind, where answers are such


def family(
    kind: type[Tally],
    builder: str,
    *evidence: type[Evidence],
    instead_of: Mapping[type[Tally], Callable[[Any], bool]] | None = None,
) -> None:
    """Make a tally kind known: how it is built from data, and which evidence is read of it.

    `instead_of` names the kinds in whose place it is built where a system's answers have the shape asked for.
    """
    BUILDERS[kind] = builder
    KINDS.update(dict.fromkeys(evidence, kind))
    for usual, fits in (instead_of or {}).items():
        INSTEAD.setdefault(usual, {})[kind] = fits


def kind_for(measure: Any, *data: Any) -> type[Tally]:
    """The kind of tally that a measure is read of where the data are such."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return type(data[0])
    for kind, fits in INSTEAD.get(measure.kind, {}).items():
        fit = [fits(answers) for answers in data[1:]] if kind in measure.variants else []
        if any(fit) and not all(fit):
            raise DataError(
                f"one system has a row of scores for each item, one for each class, and the other has not; "
                f"{measure.name} compares systems by the same sort of answer (scores are floats)."
            )
        if any(fit):
            return kind
    usual: type[Tally] = measure.kind
    return usual


def build(measure: Any, *data: Any, **options: Any) -> Any:
    """A tally of the measure's kind from the user's own arrays."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return data[0]
    kind = kind_for(measure, *data)
    maker = getattr(kind, BUILDERS[kind])
    known = inspect.signature(maker).parameters
    needed = [name for name, p in known.items() if p.default is p.empty]
    if len(data) != len(needed):
        raise OptionError(f"{measure.name} takes {listed(needed)}; {len(data)} came.")
    strangers = [name for name in options if name not in known]
    if strangers:
        optional = [*measure.variants.get(kind, measure).options, *(name for name in known if name not in needed)]
        raise OptionError(f"{measure.name} has no option {strangers[0]!r}; its options are {listed(optional)}.")
    return maker(*data, **options)
