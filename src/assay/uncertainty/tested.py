"""What a test of a difference returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tested:
    """A p-value with what it was counted from."""

    p: float
    draws: int | None  # drawn or enumerated; None where the distribution has a formula
    extreme: int | None
    statistic: str
    undefined: int = 0
    notes: tuple[str, ...] = ()
    form: str = ""  # how the p-value was found, where it was neither drawn nor enumerated
