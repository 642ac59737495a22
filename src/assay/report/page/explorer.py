"""What a page lets a reader try: any threshold and any costs, and what they would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.errors import OptionError
from assay.options import RESAMPLES, SEED
from assay.report import words
from assay.report.page.blocks import Block, Part
from assay.report.page.stops import COARSE, FINE, Fineness, stops_of, ticks_of
from assay.report.page.views import Material
from assay.report.report import Report, Row
from assay.report.text import short
from assay.tally.confusion import Confusion
from assay.tally.sampling import Floats
from assay.tally.scored import HALF, ByScore, Scored
from assay.uncertainty.estimate import estimate
from assay.uncertainty.results import Estimate

RATES = ("precision", "recall", "f1")
MANY = 4  # systems: with more of them, each has fewer stops
NO_INTERVAL = "no interval here"
Drawing = Mapping[str, Any]


@dataclass(frozen=True)
class Explorer(Block):
    """Thresholds and costs to try. Its data are counts and estimates at round thresholds, and no item's score."""

    template: ClassVar[str] = "explorer.html"
    needs_script: ClassVar[bool] = True
    systems: tuple[Mapping[str, Any], ...]
    places: tuple[int, ...]  # of the systems in the report, which give them their marks
    classes: tuple[str, str]  # the negative one and the positive one
    level: float
    alarm: float  # what a false alarm costs, to begin with
    miss: float
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        return {"systems": self.systems}

    @property
    def ticks(self) -> list[list[tuple[float, str]]]:
        """What is written at the axes of each system's charts."""
        return [ticks_of(np.array(system["stops"], np.float64)) for system in self.systems]


def explorer(material: Material) -> Iterator[Part]:
    """Where a reader can try thresholds and costs."""
    scored = {name: tally for name, tally in material.of(Scored).items() if tally.n}
    if not scored:
        return
    first = next(iter(scored.values()))
    how = _How.of(material.report, material.level, scored)
    labeled = material.of(Confusion)
    made = [_system(name, tally, labeled.get(name), how) for name, tally in scored.items()]
    alarm, miss = _costs(material.report)
    places = tuple(material.systems.index(name) for name in scored)
    block = Explorer(tuple(made), places, first.labels, material.level, alarm, miss, how.notes)
    yield Part("threshold", "Choose a threshold", "Threshold", (block,))


def _costs(report: Report) -> tuple[float, float]:
    """What a false alarm and a miss cost in this report; 1 each where it does not say."""
    given = report.asked.get("costs")
    if isinstance(given, Mapping) and {"fp", "fn"} <= set(given):
        return float(given["fp"]), float(given["fn"])
    return 1.0, 1.0


# ---------------------------------------------------------------------- how the numbers are made
@dataclass(frozen=True)
class _How:
    """How estimates are made, at how many thresholds, and what a reader must know of that."""

    drawing: Drawing
    fineness: Fineness = FINE
    intervals: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: Report, level: float, scored: Mapping[str, Scored]) -> _How:
        """As the report made its own estimates, with fewer stops where they take long."""
        asked, first = report.asked, next(iter(scored.values()))
        drawing: Drawing = {
            "level": level,
            # In a comparison the method is that of the differences.
            "method": "auto" if report.contest is not None else asked.get("method", "auto"),
            "n_resamples": asked.get("n_resamples", RESAMPLES),
            "random_state": asked.get("random_state", SEED),
        }
        weighted = ("Counts are sums of weights.",) if first.weights is not None else ()
        drawn, clustered = _is_drawn(drawing["method"]), first.clusters is not None
        if drawn and clustered:
            left_out = f"Intervals by {drawing['method']} over clusters take too long for every threshold and are left "
            left_out += "out here; “assay evaluate --threshold” prints those of one."
            return cls(drawing, intervals=False, notes=(*weighted, left_out))
        if not (drawn or clustered or len(scored) > MANY):
            return cls(drawing, notes=weighted)
        why = "With so many systems" if len(scored) > MANY else "Because these intervals take long to make"
        return cls(drawing, COARSE, notes=(*weighted, f"{why}, the slider has fewer stops than it might."))


def _is_drawn(method: str) -> bool:
    """Whether a method draws at random, tried on a table of four."""
    four = Confusion({"gold": np.array([0, 0, 1, 1]), "pred": np.array([0, 1, 0, 1])}, np.full(4, 9), labels=("0", "1"))
    return "|seed:" in _estimate("f1", replace(four, positive="1"), {"method": method, "n_resamples": 99}).signature


def _estimate(measure: str, labels: Confusion, drawing: Drawing) -> Estimate:
    """The estimate; a method that does not fit the measure gives way to the usual one, as it does in the report."""
    try:
        return estimate(measure, labels, **drawing)
    except OptionError:
        return estimate(measure, labels, **{**drawing, "method": "auto"})


# ---------------------------------------------------------------------- one system
def _system(name: str, tally: Scored, labels: Confusion | None, how: _How) -> dict[str, Any]:
    """The data of one system: its stops, and at each of them counts and estimates as they are shown."""
    named = labels.threshold if labels is not None else None
    if named is None and tally.probabilities:
        named = HALF
    stops = stops_of(tally, named, how.fineness)
    values = np.array([float(text) for text in stops])
    gathered = _gathered(tally, values)
    tp, fp = _called(gathered, values)
    start = np.abs(tp + fp - tp[0]).argmin() if named is None else np.flatnonzero(values == named)[0]
    return {
        "name": short(name, 40),
        "positives": _number(tp[0]),  # the first stop calls every item
        "negatives": _number(fp[0]),
        "start": int(start),
        "stops": stops,
        "tp": [_number(x) for x in tp],
        "fp": [_number(x) for x in fp],
        **_rates(gathered, values, tally.labels if labels is None else labels.labels, how),
    }


def _gathered(tally: Scored, stops: Floats) -> Scored:
    """The same items with each score lowered to the stop it reaches: the labels at every stop stay the same."""
    reached = np.searchsorted(stops, tally.keys["score"], side="right") - 1
    return replace(tally, keys={**tally.keys, "score": stops[reached]}).collected()


def _called(gathered: Scored, stops: Floats) -> tuple[Floats, Floats]:
    """The positive and the negative items that each stop calls positive."""
    e = ByScore.of(gathered, gathered.mass)
    reaching = len(e.score) - np.searchsorted(e.score, stops)  # so many of the scores reach each stop
    tp, fp = (np.concatenate([[0.0], np.cumsum(of[::-1])])[reaching] for of in (e.pos, e.neg))
    return tp, fp


def _rates(gathered: Scored, stops: Floats, classes: tuple[str, ...], how: _How) -> dict[str, list[list[str]]]:
    """Each rate and its interval at every stop, as text; stops between which no item lies have the same."""
    score = gathered.scores
    reached = np.searchsorted(score, stops)  # the lowest score that reaches the stop; beyond the last: none does
    made = {}
    for place in set(reached.tolist()):
        labels = gathered.unmerged_at(score[place] if place < len(score) else np.inf)
        if set(classes) == set(labels.labels):
            labels = labels.relabeled(classes)  # in the order of the report, in which cells are drawn
        labels = labels.collected()
        made[place] = {rate: _told(rate, labels, how) for rate in RATES}
    return {rate: [made[place][rate] for place in reached.tolist()] for rate in RATES}


def _told(rate: str, labels: Confusion, how: _How) -> list[str]:
    """The value and its interval; where there is no value or no interval, the reason stands in its place."""
    if how.intervals:
        row = Row.of(_estimate(rate, labels, how.drawing), "")
    else:
        value = Row.of(estimate(rate, replace(labels, clusters=None)), "")  # the same value, and quickly
        row = replace(value, low=None, high=None, reason=value.reason or NO_INTERVAL)
    return [words.estimate(row), row.reason or words.interval(row)]


def _number(x: float) -> int | float:
    """A count as a whole number; a sum of weights with as many digits as anyone reads."""
    return int(x) if float(x).is_integer() else float(f"{x:.9g}")


__all__ = ["Explorer", "explorer"]
