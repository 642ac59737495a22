"""Calls into another room by name, as commands are found: nothing is loaded before it is needed.

Results do not know how they are shown, and a report does not know the jobs that its next question starts. They name
the function instead, and a test holds the names to what there is. Each room loads its families in the same way.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from assay.families import FAMILIES


def call(place: str, *values: Any, **options: Any) -> Any:
    """What the function at `place`, such as "report.formats:render", makes of these."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"assay.{module}"), name)(*values, **options)


def shown(result: object, format: str, **options: Any) -> Any:
    """A result in a format; which function writes it stands in `report/formats.py`."""
    return call("report.formats:render", result, format, **options)


def load_families(room: str, *, optional: bool = False) -> None:
    """Load every family's module in a room such as "tally"; where they are optional, those that there are."""
    for family in FAMILIES:
        module = f"assay.{room}.{family}"
        if not optional or find_spec(module) is not None:
            import_module(module)
