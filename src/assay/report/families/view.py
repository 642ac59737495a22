"""The one hook by which a family shows more than its measures: parts of the page, made from its tallies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from assay.families import place_of
from assay.jobs.answers.results import Report
from assay.lazily import load_families
from assay.options import LEVEL
from assay.report.contents.blocks import Part
from assay.tally.contract.base import Tally

T = TypeVar("T", bound=Tally)
Make = Callable[["Material"], Iterable[Part]]


@dataclass(frozen=True)
class Material:
    """What a view is made from: the report, and all that was counted of each system."""

    report: Report

    @cached_property
    def tallies(self) -> Mapping[str, tuple[Tally, ...]]:
        """Every tally of every system, in the order of the report."""
        counted = self.report.counted
        if counted is None:
            return {}
        return {name: counted.systems.held(name) for name in counted.systems}

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems; their places give them their marks and colors."""
        return tuple(system.name for system in self.report.systems)

    @property
    def level(self) -> float:
        """The confidence level of the report's intervals."""
        return next((row.level for row in self.report.rows), LEVEL)

    def of(self, kind: type[T]) -> dict[str, T]:
        """The tally of this kind of every system that has one."""
        each = ((name, tally) for name, held in self.tallies.items() for tally in held)
        return {name: tally for name, tally in each if isinstance(tally, kind)}


@dataclass(frozen=True)
class View:
    """Parts of a page that tallies of one kind can be shown in."""

    kind: type[Tally]
    make: Make


_VIEWS: list[View] = []


def view(kind: type[Tally]) -> Callable[[Make], Make]:
    """Declare what a page shows of tallies of this kind."""

    def declared(make: Make) -> Make:
        _VIEWS.append(View(kind, make))
        return make

    return declared


def parts_of(material: Material) -> Iterator[Part]:
    """What the families show of this report, in the order in which they are named, whichever was loaded first."""
    load_families("report.families", optional=True)
    for each in sorted(_VIEWS, key=lambda view: place_of(view.make.__module__, "report.families")):
        if material.of(each.kind):
            yield from each.make(material)
