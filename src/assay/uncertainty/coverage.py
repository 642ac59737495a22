"""How often default intervals contained the truth in simulations, as `scripts/coverage_grid.py` found it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "coverage.json"


@dataclass(frozen=True)
class Simulated:
    """Coverage in percent, over some populations, of intervals that are meant to hold the truth 95 times in 100."""

    methods: tuple[str, ...]  # the most frequent first
    clusters: bool
    mean: float
    lowest: float
    populations: int
    smallest_n: int


@cache
def _stored() -> Any:
    return json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"measures": {}}


def simulated(spelling: str) -> tuple[Simulated, ...]:
    """What was found for a measure as it is spelled with its options; nothing for one that was not simulated."""
    rows = _stored()["measures"].get(spelling, [])
    return tuple(Simulated(**{**row, "methods": tuple(row["methods"])}) for row in rows)


def spellings(name: str) -> list[str]:
    """The spellings of a measure that were simulated, the plain one first."""
    return sorted(each for each in _stored()["measures"] if each.partition("(")[0] == name)
