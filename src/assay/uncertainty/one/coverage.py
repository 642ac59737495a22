"""How often default intervals contained the truth in simulations, as `scripts/coverage_grid.py` found it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "coverage.json"


@dataclass(frozen=True)
class Simulated:
    """Coverage in percent, over some populations, of the intervals of one measure that are made in one way."""

    methods: tuple[str, ...]  # the most frequent first
    rows: str  # how rows come: "" for single ones of equal weight, "clusters", "weights"
    levels: Mapping[str, tuple[float, float]]  # the level of confidence: mean and lowest coverage
    populations: int
    smallest_n: int


@cache
def _stored() -> Any:
    return json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"measures": {}}


def coverage_of(spelling: str) -> tuple[Simulated, ...]:
    """What was found for a measure as it is spelled with its options; nothing for one that was not simulated."""
    rows = _stored()["measures"].get(spelling, [])
    return tuple(
        Simulated(
            tuple(row["methods"]),
            row["rows"],
            {level: tuple(shares) for level, shares in row["levels"].items()},
            row["populations"],
            row["smallest_n"],
        )
        for row in rows
    )


def spellings(name: str) -> list[str]:
    """The spellings of a measure that were simulated, the plain one first."""
    return sorted(each for each in _stored()["measures"] if each.partition("(")[0] == name)
