"""How a family declares its rules of advice, and how they are found; a family without any is shown without advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.advice.commands import Piece, Ways
from assay.advice.facts import AnyFacts
from assay.lazily import load_families
from assay.tally.contract.base import Tally


@dataclass(frozen=True)
class Known:
    """What is known beside a tally: costs of a false alarm and of a miss, and how many systems there are."""

    costs: tuple[float, float] | None = None
    systems: int = 1


@dataclass(frozen=True)
class Rules:
    """The advice of one family."""

    facts: type[AnyFacts]
    task: str  # what a table of such data is recognized as
    pieces: Callable[[Any, Ways], list[Piece]]
    told: Callable[[Any], str]  # what is true of the data, in a sentence
    tallies: Mapping[type[Tally], Callable[[Any, Known], AnyFacts]]  # the facts of each kind of tally


_RULES: dict[type[AnyFacts], Rules] = {}


def rules(
    facts: type[AnyFacts],
    task: str,
    pieces: Callable[[Any, Ways], list[Piece]],
    told: Callable[[Any], str],
    tallies: Mapping[type[Tally], Callable[[Any, Known], AnyFacts]],
) -> None:
    """Declare the advice of a family."""
    _RULES[facts] = Rules(facts, task, pieces, told, tallies)


def rules_of(facts: AnyFacts) -> Rules:
    """The rules that read these facts."""
    load_families("advice.rules", optional=True)
    return _RULES[type(facts)]


def facts_of_tally(tally: Tally, *, costs: tuple[float, float] | None = None, systems: int = 1) -> AnyFacts | None:
    """The facts of what is counted already; None for a family that has no rules of advice."""
    load_families("advice.rules", optional=True)
    every = (found for each in _RULES.values() for kind, found in each.tallies.items() if isinstance(tally, kind))
    found = next(every, None)
    return None if found is None else found(tally, Known(costs, systems))
