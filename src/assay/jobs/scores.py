"""What an evaluation says of scores: words for areas, calibration, decisions by what errors cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from assay.errors import OptionError
from assay.jobs.results import Row
from assay.jobs.words import estimate as value_text
from assay.jobs.words import interval
from assay.measures.labels.costs import Costs, at_least_cost, break_even_threshold
from assay.measures.scores.calibration import calibration_section
from assay.tables import Cell, Section
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.labels import Confusion
from assay.tally.scores import Scored
from assay.uncertainty.one.estimate import estimate
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


def scored_sections(tallies: Sequence[Tally], costs: Costs | None, drawing: Mapping[str, Any]) -> list[Section]:
    """The tables of a system that has scores."""
    out: list[Section] = []
    for tally in tallies:
        if isinstance(tally, Scored):
            out += [section for section in [calibration_section(tally)] if section is not None]
        if isinstance(tally, Scored | ClassScored) and costs is not None:
            out += _decisions(tally, costs, drawing)
    return out


def _decisions(scores: Scored | ClassScored, costs: Costs, drawing: Mapping[str, Any]) -> list[Section]:
    """What answers cost that are decided by the scores, one way and another."""
    ways = _by_class(scores, costs) if isinstance(scores, ClassScored) else _by_threshold(scores, costs)
    rows = []
    for name, labels in ways.items():
        (spelling,) = costs.spellings(labels)[:1]
        row = Row.of(estimate(spelling, labels, **{**drawing, "method": "auto"}), name)
        rows.append((name, (Cell(value_text(row), interval(row), value=row.value),)))
    if len(rows) < 2:
        return []
    told = "cost per item of labels decided by these scores, whose probabilities are taken at their word"
    return [Section("decisions by cost", ("mean cost",), tuple(rows), told)]


def _by_class(scores: ClassScored, costs: Costs) -> dict[str, Confusion]:
    if scores.no_probabilities is not None:
        return {}
    return {
        "class of the highest score": scores.labeled(),
        "class of least expected cost": at_least_cost(scores, costs),
    }


def _by_threshold(scores: Scored, costs: Costs) -> dict[str, Confusion]:
    half = scores.at(0.5)
    errors = costs.of_errors(half)
    if not scores.probabilities or errors is None or min(errors) < 0 or not sum(errors):
        return {}
    even = break_even_threshold(*errors)
    return {"from 0.5 up": half, f"from {even:.4g} up (break-even)": scores.at(even)}
