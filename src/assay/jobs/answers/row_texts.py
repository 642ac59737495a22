"""Names and numbers as they are shown."""

from __future__ import annotations

import math
from typing import Final

from assay.errors import OptionError
from assay.jobs.answers.results import Row
from assay.measures.declare.catalogue import parse_known, titled
from assay.notes import Aside
from assay.texts import decimals, decimals_of, numeral, signed
from assay.uncertainty.results import Estimate


def on_scale(row: Row) -> bool:
    """Whether the value lies on a scale that ends at 1, so that it can be drawn with the others."""
    found = parse_known(row.measure)
    if found is None:
        return False
    measure = found[0]
    low, high = measure.range if measure.reach is None else (-math.inf, math.inf)
    # With a score for each class, some measures have a wider range than with one score.
    seen = [x for x in (row.value, row.low, row.high) if x is not None]
    return low >= -1 and high <= 1 and all(-1 <= x <= 1 for x in seen)


def title(row: Row) -> str:
    """The measure's name, with an arrow where lower is better."""
    found = parse_known(row.measure)
    lower = found is not None and found[0].higher_is_better is False
    return f"{titled(row.measure)} ↓" if lower else titled(row.measure)


def digits(row: Row) -> int:
    """Decimals that the width of the interval deserves: two digits of it are shown."""
    if not row.has_limits and row.value is not None and parse_known(row.measure) is None:
        return max(decimals_of((row.value,)), row.places)  # values that were measured elsewhere have any scale
    return max(decimals(row.low, row.high), row.places)


def number(value: float | None, places: int = 3) -> str:
    """A number with this many decimals, or a dash."""
    return "–" if value is None else numeral(value, f",.{places}f")


def value_text(row: Row) -> str:
    """The value, with as many decimals as its interval deserves."""
    return number(row.value, digits(row))


def baseline(*rows: Row) -> str:
    """The baseline that rows share, with two or three decimals: as many as the least certain value has."""
    return number(rows[0].no_skill, max(2, min(3, *map(digits, rows))))


def limit(row: Row, end: float | None) -> str:
    """One limit, never written as an end of the measure's range or as the value without a model unless it is that."""
    if end is None:
        return "–"
    found = parse_known(row.measure)
    ends = () if found is None or not row.is_value else found[0].range_with(found[1])
    special = (x for x in (*ends, row.no_skill) if x is not None and math.isfinite(x))
    return numeral(end, f",.{digits(row)}f", *special)


def interval(row: Row, between: str = " – ") -> str:
    """Both limits, or a dash; if one is negative, with a word between them, since a dash looks like a minus sign."""
    if row.low is None:
        return "–"
    return (" to " if row.low < 0 else between).join(limit(row, end) for end in (row.low, row.high))


def of_difference(row: Row, between: str = " to ") -> str:
    """Both limits of a difference, the single one of a one-sided question, or a dash."""
    if not row.has_limits:
        return "–"
    if row.low is None or row.high is None:
        sign, end = ("≥", row.low) if row.high is None else ("≤", row.high)
        return f"{sign} {signed(end or 0.0, digits(row))}"
    return between.join(signed(limit, digits(row)) for limit in (row.low, row.high))


# ---------------------------------------------------------------------- areas under ROC curves
CHANCE: Final = 0.5

# A band includes its lower end and ends below the next.
BANDS: Final = (
    (0.9, "excellent"),
    (0.8, "good"),
    (0.7, "acceptable"),
    (0.6, "weak"),
    (0.5, "poor"),
    (0.0, "worse than chance"),
)


def auc_words(low: float | None, high: float | None) -> str | None:
    """One word where the whole interval of an AUC lies in one band, otherwise the words for both its ends.

    Without an interval there is no word: nothing has been established.
    """
    if low is None or high is None:
        return None
    if not 0 <= low <= high <= 1:
        raise OptionError(f"the limits of an AUC lie between 0 and 1, the lower one first; got {low} to {high}.")
    first, last = _word(low), _word(high)
    return first if first == last else f"{first} to {last}"


def reversed_words(value: float | None, high: float | None, positive: str | None = None) -> str | None:
    """What an AUC below 0.5 may mean, stated as firmly as its interval allows; None where it is not below 0.5."""
    if value is None or value >= CHANCE:
        return None
    sure = high is not None and high < CHANCE
    chance = "and so is its whole interval" if sure else "though chance alone could explain that"
    other = "the other class" if positive is None else f"a class other than “{positive}”"
    return f"ROC AUC is below 0.5, {chance}; the scores may be reversed, or belong to {other}"


def auc_notes(e: Estimate) -> list[str]:
    """The words for an AUC and its interval, and what a value below 0.5 may mean."""
    words = auc_words(e.low, e.high) if e.measure == "roc_auc" else None
    if words is None or e.low is None or e.high is None:
        return []
    out: list[str] = [Aside(f"ROC AUC, {e.low:.3g} to {e.high:.3g}: {words}, by the conventional bands")]
    below = reversed_words(e.value, e.high)
    if below is not None and e.high < CHANCE:
        out.append(below)
    return out


def _word(value: float) -> str:
    return next(word for start, word in BANDS if value >= start)
