"""Is a value other than one named beforehand? A test by the interval, for one tally and for every pair of systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.errors import choose
from assay.measures.declare.measure import Measure
from assay.options import ALTERNATIVES, LEVEL
from assay.tally.contract.base import Tally
from assay.uncertainty.many.corrections import adjust_p_values
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate
from assay.uncertainty.two.equivalence import check_side, p_of_limits

Names = tuple[str, str]


@dataclass(frozen=True)
class Against:
    """An estimate, the value that the null hypothesis names, and the p-value; None where there is no interval."""

    estimate: Estimate
    null: float
    p_value: float | None
    p_adjusted: float | None = None
    names: Names | None = None

    @property
    def better(self) -> Names | None:
        """The pair of systems with the better one first, if they were told apart after correction."""
        alpha = 1 - self.estimate.level
        if self.names is None or self.p_adjusted is None or self.p_adjusted > alpha or self.estimate.value is None:
            return None
        return self.names if self.estimate.value > self.null else (self.names[1], self.names[0])


def value_test(
    measure: str | Measure,
    tally: Tally,
    null: float,
    *,
    level: float = LEVEL,
    alternative: str = "two-sided",
    **options: Any,
) -> Against:
    """Whether the measure differs from the value `null`: the level at which its interval just reaches it."""
    choose(alternative, ALTERNATIVES, "alternative")
    check_side(level, alternative)
    found = estimate(measure, tally, level=level, **options)
    if found.value is None or found.low is None:
        return Against(found, null, None)

    def limits_at(other: float) -> tuple[float | None, float | None]:
        at = found if other == level else found.at_level(other)
        return None if at.low is None else at.low - null, None if at.high is None else at.high - null

    return Against(found, null, p_of_limits(limits_at, found.value - null, level, alternative))


def pair_tests(
    measure: str | Measure,
    views: Mapping[Names, Tally],
    null: float,
    *,
    level: float = LEVEL,
    correction: str = "holm",
    **options: Any,
) -> tuple[Against, ...]:
    """The same for every pair of systems, with p-values corrected for all pairs that were tested."""
    found = {names: value_test(measure, tally, null, level=level, **options) for names, tally in views.items()}
    corrected = adjust_p_values([each.p_value for each in found.values()], correction)
    return tuple(
        Against(each.estimate, null, each.p_value, p, names)
        for (names, each), p in zip(found.items(), corrected, strict=True)
    )


def cycles(better: Iterable[Names]) -> list[tuple[str, str, str]]:
    """Triples of which the first beats the second, the second the third, and the third the first, each listed once.

    Give pairs (better, worse) that were told apart after correction. Among truly transitive systems that were judged
    30 times a pair, a triple of point estimates is cyclic in most samples of eight systems by chance alone.
    """
    beats = list(dict.fromkeys(better))
    known = set(beats)
    systems = list(dict.fromkeys(name for pair in beats for name in pair))
    out = []
    for a, b, c in combinations(systems, 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if {(x, y), (y, z), (z, x)} <= known:
                out.append((x, y, z))
    return out
