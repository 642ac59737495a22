"""How values spread: what a box plot draws, and a sentence where it tells more than the middle does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.sources.given import finite_numbers, one_dimensional
from assay.tally.contract.sampling import Floats

WHISKER = 1.5  # times the range between the quartiles
MUCH_WIDER = 1.5  # how many times as wide the middle half must be to be worth a sentence
NEARLY = 0.1  # medians closer than this share of the narrower middle half are nearly equal


@dataclass(frozen=True)
class FiveNumbers:
    """Median, quartiles, the farthest values within 1.5 ranges between the quartiles, and the values beyond them."""

    low: float
    lower_quartile: float
    median: float
    upper_quartile: float
    high: float
    outliers: tuple[float, ...]

    @property
    def middle_half(self) -> float:
        """How far the quartiles lie apart."""
        return self.upper_quartile - self.lower_quartile


def five_numbers(values: ArrayLike) -> FiveNumbers:
    """What a box plot of the values draws; quartiles are interpolated linearly, as NumPy does."""
    column = one_dimensional(values, "values", "number")
    ordered = np.sort(finite_numbers(column, len(column), "values", "number"))
    lower, median, upper = (float(q) for q in np.quantile(ordered, [0.25, 0.5, 0.75]))
    reach = WHISKER * (upper - lower)
    inside = (ordered >= lower - reach) & (ordered <= upper + reach)
    return FiveNumbers(
        low=float(ordered[inside][0]),
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        high=float(ordered[inside][-1]),
        outliers=tuple(float(v) for v in ordered[~inside]),
    )


def spread_note(a: Floats, b: Floats, names: tuple[str, str]) -> str | None:
    """A sentence where the medians are alike and the spreads are not."""
    boxes = sorted(zip((five_numbers(a), five_numbers(b)), names, strict=True), key=lambda pair: pair[0].middle_half)
    (narrow, steady), (wide, loose) = boxes
    gap = abs(narrow.median - wide.median)
    equal = math.isclose(narrow.median, wide.median, rel_tol=1e-9, abs_tol=1e-12)
    if not equal and gap > NEARLY * narrow.middle_half:
        return None
    if wide.middle_half <= max(MUCH_WIDER * narrow.middle_half, 1e-12):
        return None
    times = f"{wide.middle_half / narrow.middle_half:.2g} times as wide" if narrow.middle_half > 1e-12 else "wider"
    return (
        f"the medians are {'' if equal else 'nearly '}equal but the values of {loose} spread {times}: quartiles "
        f"{wide.lower_quartile:.4g} to {wide.upper_quartile:.4g}, for {steady} "
        f"{narrow.lower_quartile:.4g} to {narrow.upper_quartile:.4g}"
    )
