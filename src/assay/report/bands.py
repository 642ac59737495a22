"""Words for how well scores tell two classes apart."""

from __future__ import annotations

from typing import Final

from assay.errors import OptionError

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


def _word(value: float) -> str:
    return next(word for start, word in BANDS if value >= start)
