"""Differences between systems, pair by pair, around 0."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.dots import Dot, Dots, Line, Mark
from assay.report.text import short
from assay.report.words import name as titled
from assay.report.words import with_sign
from assay.uncertainty.results import Comparison
from assay.uncertainty.words import decimals, percent, reach

MOST = 15  # pairs in one chart


def drawn_pairs(tested: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons that a chart has room for, in their order: those that differ most, where there are too many."""
    known = [c for c in tested if c.difference is not None]
    largest = sorted(known, key=lambda c: -abs(c.difference or 0))[:MOST]
    return [c for c in known if any(c is one for one in largest)]


def pair_chart(tested: Sequence[Comparison]) -> Dots | None:
    """Every difference with its interval; a hollow dot is one that is not shown to be more than chance."""
    pairs = drawn_pairs(tested)
    if not pairs:
        return None
    measure, level = titled(pairs[0].a.measure), percent(pairs[0].level)
    lines = [
        Line(
            f"{short(c.names[0], 10)} − {short(c.names[1], 10)}",
            dots=(Dot(c.difference, c.low, c.high, None, hollow=not is_found(c)),),
        )
        for c in pairs
        if c.difference is not None
    ]
    told = "; ".join(f"{' less '.join(c.names)} {_value(c)}, {c.outcome}" for c in pairs)
    return Dots(
        title=f"{'Difference' if len(lines) == 1 else 'Differences'} in {measure}",
        subtitle=(f"with {level} intervals; a hollow dot is no more than chance may give",),
        description=f"Differences in {measure} with {level} intervals: {told}.",
        axis=f"Difference in {measure}",
        lines=tuple(lines),
        marks=(Mark(0.0),),
        signed=True,
    )


def is_found(c: Comparison) -> bool:
    """Whether the comparison found a difference."""
    return c.outcome in ("better", "worse", "different")


def _value(c: Comparison) -> str:
    assert c.difference is not None
    value = with_sign(c.difference, decimals(c.low, c.high))
    return value if c.interval is None else f"{value} ({reach(c.low, c.high, with_sign).removeprefix('from ')})"
