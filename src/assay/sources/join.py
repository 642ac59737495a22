"""Pending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.sources.table import Table


@dataclass(frozen=True)
class Paired:
    """Pending."""

    table: Table
    preds: dict[str, str]
    id: str | None
    unmatched: dict[str, int]
    strangers: dict[str, int]


def pair_systems(
    gold: Table,
    systems: Mapping[str, Table],
    *,
    id: str | None,
    pred: Mapping[str, str] | None,
    missing: str,
    by_position: bool = False,
) -> Paired:
    """Pending."""
    raise NotImplementedError
