"""Words for how well scores tell two classes apart."""

from __future__ import annotations

from typing import Final

from assay.errors import OptionError
from assay.uncertainty.results import Estimate

CHANCE: Final = 0.5

# A band includes its lower end and reaches up to the next.
BANDS: Final = (
    (0.9, "excellent"),
    (0.8, "good"),
    (0.7, "acceptable"),
    (0.6, "weak"),
    (0.5, "poor"),
    (0.0, "worse than chance"),
)


def auc_words(low: float | None, high: float | None) -> str | None:
    """One word where the whole interval of an AUC lies in one band, otherwise the words of both its ends.

    Without an interval there is no word: nothing was shown.
    """
    if low is None or high is None:
        return None
    if not 0 <= low <= high <= 1:
        raise OptionError(f"an interval of an AUC runs from its lower limit to its upper one; {low} to {high} came.")
    first, last = _word(low), _word(high)
    return first if first == last else f"{first} to {last}"


def reversed_words(value: float | None, high: float | None, positive: str | None = None) -> str | None:
    """What it may mean that an AUC lies below a half, said as surely as its interval allows; None where it does not."""
    if value is None or value >= CHANCE:
        return None
    sure = high is not None and high < CHANCE
    chance = "and so does its whole interval" if sure else "though chance alone could do that"
    other = "the other class" if positive is None else f"another class than “{positive}”"
    return f"ROC AUC lies below 0.5, {chance}; the scores may be reversed, or speak for {other}"


def auc_notes(e: Estimate) -> list[str]:
    """What an AUC and its interval are called, and what it may mean that it lies below a half."""
    words = auc_words(e.low, e.high) if e.measure == "roc_auc" else None
    if words is None or e.low is None or e.high is None:
        return []
    out = [f"ROC AUC, {e.low:.3g} to {e.high:.3g}: {words}, by the usual bands"]
    below = reversed_words(e.value, e.high)
    if below is not None and e.high < CHANCE:
        out.append(below)
    return out


def _word(value: float) -> str:
    return next(word for start, word in BANDS if value >= start)
