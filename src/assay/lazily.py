"""Calls into another package by name, so that nothing is loaded before it is needed.

Results do not know how they are shown, and a report does not know the jobs that answer its next question. They name
the function instead, and a test checks that the names exist. Each package loads its families in the same way.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from assay.families import FAMILIES


def call(place: str, *values: Any, **options: Any) -> Any:
    """What the function at `place`, such as "report.formats:render", returns for these arguments."""
    return found(place)(*values, **options)


def found(place: str) -> Any:
    """The function at this place."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"assay.{module}"), name)


def shown(result: object, format: str, **options: Any) -> Any:
    """A result in a format; `report/formats.py` lists the function for each."""
    return call("report.formats:render", result, format, **options)


@cache
def family_module(room: str, family: str) -> Any:
    """A family's module in a package such as "report.families"; None if it has none there."""
    module = f"assay.{room}.{family}"
    return None if find_spec(module) is None else import_module(module)


def family_name(kind: type) -> str:
    """The name of the family that a class belongs to: that of the file it is defined in."""
    return kind.__module__.rpartition(".")[2]


def load_families(room: str, *, optional: bool = False) -> None:
    """Load every family's module in a package such as "tally"; a missing one is an error unless they are optional."""
    for family in FAMILIES:
        if family_module(room, family) is None and not optional:
            raise ModuleNotFoundError(f"there is no assay.{room}.{family}")
