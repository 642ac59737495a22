"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values; what was not tested stays out of the count."""
    tested = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    out: list[float | None] = [None] * len(p_values)
    floor = 0.0
    for rank, (p, i) in enumerate(tested):
        floor = max(floor, min((len(tested) - rank) * p, 1.0))
        out[i] = floor
    return out
