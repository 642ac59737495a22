"""Pending."""

from __future__ import annotations

from collections.abc import Sequence

from assay.sources.table import Table


def id_like_repeats(table: Table, used: Sequence[str]) -> str | None:
    """Pending."""
    return None
