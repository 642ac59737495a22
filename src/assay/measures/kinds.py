"""Which tally each sort of evidence is read of, and how such a tally is made from data."""

from __future__ import annotations

import inspect
from typing import Any

from assay.errors import OptionError, listed
from assay.tally.base import Evidence, Tally
from assay.tally.confusion import Confusion
from assay.tally.margins import Cells, Distances, Margins

KINDS: dict[type[Evidence], type[Tally]] = {Margins: Confusion, Distances: Confusion, Cells: Confusion}
BUILDERS: dict[type[Tally], str] = {Confusion: "from_predictions"}


def family(kind: type[Tally], builder: str, *evidence: type[Evidence]) -> None:
    """Make a tally kind known: how it is built from data, and which evidence is read of it."""
    BUILDERS[kind] = builder
    KINDS.update(dict.fromkeys(evidence, kind))


def build(measure: Any, *data: Any, **options: Any) -> Any:
    """A tally of the measure's kind from the user's own arrays."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return data[0]
    maker = getattr(measure.kind, BUILDERS[measure.kind])
    known = inspect.signature(maker).parameters
    needed = [name for name, p in known.items() if p.default is p.empty]
    if len(data) != len(needed):
        raise OptionError(f"{measure.name} takes {listed(needed)}; {len(data)} came.")
    strangers = [name for name in options if name not in known]
    if strangers:
        optional = [*measure.options, *(name for name in known if name not in needed)]
        raise OptionError(f"{measure.name} has no option {strangers[0]!r}; its options are {listed(optional)}.")
    return maker(*data, **options)
