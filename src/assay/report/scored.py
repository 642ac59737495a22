"""What a report shows of scores beside the measures: calibration, and decisions by what errors cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.measures.costs import Costs, at_least_cost, break_even_threshold
from assay.measures.reliability import calibration_section
from assay.report.report import Row
from assay.report.words import estimate as shown
from assay.report.words import interval
from assay.tally.base import Tally
from assay.tally.class_scored import ClassScored
from assay.tally.confusion import Confusion
from assay.tally.scored import Scored
from assay.tally.section import Cell, Section
from assay.uncertainty.estimate import estimate


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
        rows.append((name, (Cell(shown(row), interval(row), value=row.value),)))
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
