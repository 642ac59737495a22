"""The part of a page that lets readers try any threshold and any costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from assay.errors import OptionError
from assay.jobs.answers import row_texts
from assay.jobs.answers.results import Report, Row
from assay.options import RESAMPLES, SEED
from assay.report.contents.blocks import Block, Part
from assay.report.families.matrix import largest_error
from assay.report.families.view import Material
from assay.report.names import short
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.scores import HALF, ByScore, Scored
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate

STEPS = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))  # the multiples that even steps may have
APART = 0.13  # of the axis: any closer, and two numbers run into each other
ENDLESS = 1e300  # a range of scores too wide for an axis
LONG = 14  # characters: a longer number is written with a power of ten


@dataclass(frozen=True)
class Fineness:
    """The number of even steps over the range of scores, and the share of items that may lie between two stops."""

    steps: int
    gap: float


FINE, COARSE = Fineness(100, 0.02), Fineness(20, 0.05)


def stops_of(tally: Scored, named: float | None, fineness: Fineness) -> tuple[str, ...]:
    """Thresholds as text, from the lowest up: first all items are called positive, and in the end none."""
    written = {float(text): text for text in map(_text, _even(tally, fineness.steps))}
    if named is not None:
        written.setdefault(named, _text(Decimal(repr(float(named)))))
    further = map(_text, _further(tally, np.array(sorted(written)), fineness.gap))
    written = {float(text): text for text in further} | written
    return tuple(written[value] for value in sorted(written) if math.isfinite(value))


def _even(tally: Scored, steps: int) -> Iterator[Decimal]:
    """Even steps: from 0 to 1 for probabilities, over their range for other scores; no score reaches the last."""
    low, high = Decimal(tally.scores[0]), Decimal(tally.scores[-1])
    if tally.probabilities:
        step, low, high = 1 / Decimal(steps), Decimal(0), max(high, 1 - 1 / Decimal(steps))
    else:
        step = _round_step((high - low) / steps or abs(high))
    first, last = (int((end / step).to_integral_value(ROUND_FLOOR)) for end in (low, high))
    # After rounding, a stop may equal a score.
    while not float((last + 1) * step) > tally.scores[-1]:
        last += 1
    return (place * step for place in range(first, last + 2))


def _round_step(least: Decimal) -> Decimal:
    """1, 2 or 5 times a power of ten, and at least this large."""
    unit = Decimal(1).scaleb(least.adjusted())
    return next(step * unit for step in STEPS if step * unit >= least)


def _further(tally: Scored, stops: Floats, gap: float) -> Iterator[Decimal]:
    """More stops, so that no more than this share of the items lies between two, as far as the scores allow."""
    order, start = tally.groups
    scores, items = tally.scores, np.add.reduceat(tally.counts[order], start)
    below = np.concatenate([[0.0], np.cumsum(items) / items.sum()])  # the share of the items below each score
    for low, high in pairwise(np.searchsorted(scores, stops)):
        at = low  # the place of the lowest score that reaches the stop
        while below[high] - below[at] > gap:
            near, far = np.searchsorted(below, below[at] + np.array([gap / 2, gap]) * (1 + 1e-9))
            far = max(far - 1, at + 1)  # items with the same score cannot be separated
            if far >= high:
                break
            made = _shortest(scores, min(near, far) - 1, far)
            yield made
            at = int(np.searchsorted(scores, float(made)))


def _shortest(scores: Floats, low: int, high: int) -> Decimal:
    """The number with the fewest decimals between two scores that is not itself a score, near their middle."""
    a, b = Decimal(scores[low]), Decimal(scores[high])
    width = -(b - a).adjusted()
    for places in range(width - 1, width + 4):
        unit = Decimal(1).scaleb(-places)
        middle = ((a + b) / 2 / unit).to_integral_value()
        for found in (unit * (middle + beside) for beside in (0, -1, 1)):
            place = int(np.searchsorted(scores, float(found)))
            if low < place <= high and scores[place] != float(found):
                return found
    return b  # no number lies between them


def _text(number: Decimal) -> str:
    plain, by_power = f"{number:f}", f"{number.normalize():e}"
    return plain if len(plain) <= max(LONG, len(by_power)) else by_power


def places_of(stops: Floats) -> Floats:
    """Where stops lie on an axis from 0 to 1, by value; evenly spaced if their range is too wide for an axis."""
    low, high = float(stops[0]), float(stops[-1])
    if not 0 < high - low < ENDLESS:
        return np.linspace(0.0, 1.0, len(stops))
    return np.asarray((stops - low) / (high - low))


def ticks_of(stops: Floats) -> list[tuple[float, str]]:
    """Round numbers for an axis: their places from 0 to 1, and their text; none if the range is too wide."""
    low, high = float(stops[0]), float(stops[-1])
    if not 0 < high - low < ENDLESS:
        return []
    step = _round_step(Decimal(APART * (high - low)))
    first = int((Decimal(low) / step).to_integral_value(ROUND_CEILING))
    last = int((Decimal(high) / step).to_integral_value(ROUND_FLOOR))
    values = [place * step for place in range(first, last + 1)]
    return [(min(max((float(value) - low) / (high - low), 0.0), 1.0), _text(value.normalize())) for value in values]


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
    places: tuple[int, ...]  # of the systems in the report, which determine their marks
    classes: tuple[str, str]  # the negative one and the positive one
    level: float
    alarm: float  # the initial cost of a false alarm
    miss: float
    largest: float  # the largest share of a class that is wrong, which has the darkest red
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        return {
            "systems": self.systems,
            "classes": [short(label, 28) for label in self.classes],
            "largest": self.largest,
        }

    @property
    def ticks(self) -> list[list[tuple[float, str]]]:
        """The numbers on the axes of each system's charts."""
        return [ticks_of(np.array(system["stops"], np.float64)) for system in self.systems]


def explorer(material: Material) -> Iterator[Part]:
    """The part in which readers can try thresholds and costs."""
    scored = {name: tally for name, tally in material.of(Scored).items() if tally.n}
    if not scored:
        return
    first = next(iter(scored.values()))
    how = _How.of(material.report, material.level, scored)
    labeled = material.of(Confusion)
    made = [_system(name, tally, labeled.get(name), how) for name, tally in scored.items()]
    alarm, miss = _costs(material.report)
    places = tuple(material.systems.index(name) for name in scored)
    # The same shades as in the tables of errors.
    largest = largest_error(tally.table for tally in labeled.values()) or 1.0
    block = Explorer(tuple(made), places, first.labels, material.level, alarm, miss, largest, how.notes)
    yield Part("threshold", "Choose a threshold", "Threshold", (block,))


def _costs(report: Report) -> tuple[float, float]:
    """The costs of a false alarm and of a miss in this report; 1 each if not given."""
    given = report.asked.get("costs")
    if isinstance(given, Mapping) and {"fp", "fn"} <= set(given):
        return float(given["fp"]), float(given["fn"])
    return 1.0, 1.0


# ---------------------------------------------------------------------- how the numbers are made
@dataclass(frozen=True)
class _How:
    """How estimates are made, at how many thresholds, and what readers must know about that."""

    drawing: Drawing
    fineness: Fineness = FINE
    intervals: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: Report, level: float, scored: Mapping[str, Scored]) -> _How:
        """The same way as the report made its own estimates, with fewer stops if they take long."""
        asked, first = report.asked, next(iter(scored.values()))
        drawing: Drawing = {
            "level": level,
            # In a comparison, the method given is for the differences.
            "method": "auto" if report.contest is not None else asked.get("method", "auto"),
            "n_resamples": asked.get("n_resamples", RESAMPLES),
            "random_state": asked.get("random_state", SEED),
        }
        weighted = ("Counts are sums of weights.",) if first.weights is not None else ()
        drawn, clustered = _is_drawn(drawing["method"]), first.clusters is not None
        if drawn and clustered:
            left_out = f"Intervals by {drawing['method']} over clusters take too long for every threshold and are left "
            left_out += "out here; “assay evaluate --threshold” prints them for one."
            return cls(drawing, intervals=False, notes=(*weighted, left_out))
        if not (drawn or clustered or len(scored) > MANY):
            return cls(drawing, notes=weighted)
        why = "With so many systems" if len(scored) > MANY else "Because these intervals take long to compute"
        return cls(drawing, COARSE, notes=(*weighted, f"{why}, the slider has fewer stops than usual."))


def _is_drawn(method: str) -> bool:
    """Whether a method draws at random, tried on a table with four cells."""
    four = Confusion({"gold": np.array([0, 0, 1, 1]), "pred": np.array([0, 1, 0, 1])}, np.full(4, 9), labels=("0", "1"))
    return "|seed:" in _estimate("f1", replace(four, positive="1"), {"method": method, "n_resamples": 99}).signature


def _estimate(measure: str, labels: Confusion, drawing: Drawing) -> Estimate:
    """The estimate; a method that does not fit the measure is replaced by the default, as in the report."""
    try:
        return estimate(measure, labels, **drawing)
    except OptionError:
        return estimate(measure, labels, **{**drawing, "method": "auto"})


# ---------------------------------------------------------------------- one system
def _system(name: str, tally: Scored, labels: Confusion | None, how: _How) -> dict[str, Any]:
    """The data of one system: its stops, and at each of them counts and estimates as shown."""
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
        "places": [float(f"{place:.5g}") for place in places_of(values)],
        "tp": [_number(x) for x in tp],
        "fp": [_number(x) for x in fp],
        **_rates(gathered, values, tally.labels if labels is None else labels.labels, how),
    }


def _gathered(tally: Scored, stops: Floats) -> Scored:
    """The same items with each score lowered to the stop it reaches; the labels at every stop stay the same."""
    reached = np.searchsorted(stops, tally.keys["score"], side="right") - 1
    return replace(tally, keys={**tally.keys, "score": stops[reached]}).collected()


def _called(gathered: Scored, stops: Floats) -> tuple[Floats, Floats]:
    """The positive and the negative items that each stop calls positive."""
    e = ByScore.of(gathered, gathered.mass)
    reaching = len(e.score) - np.searchsorted(e.score, stops)  # how many of the scores reach each stop
    tp, fp = (np.concatenate([[0.0], np.cumsum(of[::-1])])[reaching] for of in (e.pos, e.neg))
    return tp, fp


def _rates(gathered: Scored, stops: Floats, classes: tuple[str, ...], how: _How) -> dict[str, list[list[str]]]:
    """Each rate and its interval at every stop, as text; stops with no item between them have the same."""
    score = gathered.scores
    reached = np.searchsorted(score, stops)  # the lowest score that reaches the stop; past the last if none does
    made = {}
    for place in set(reached.tolist()):
        labels = gathered.unmerged_at(score[place] if place < len(score) else np.inf)
        if set(classes) == set(labels.labels):
            labels = labels.relabeled(classes)  # in the order of the report, which decides how cells are drawn
        labels = labels.collected()
        made[place] = {rate: _told(rate, labels, how) for rate in RATES}
    return {rate: [made[place][rate] for place in reached.tolist()] for rate in RATES}


def _told(rate: str, labels: Confusion, how: _How) -> list[str]:
    """The value and its interval; without a value or an interval, the reason takes its place."""
    if how.intervals:
        row = Row.of(_estimate(rate, labels, how.drawing), "")
    else:
        value = Row.of(estimate(rate, replace(labels, clusters=None)), "")  # the same value, computed quickly
        row = replace(value, low=None, high=None, reason=value.reason or NO_INTERVAL)
    return [row_texts.value_text(row), row.reason or row_texts.interval(row)]


def _number(x: float) -> int | float:
    """A count as a whole number; a sum of weights with nine digits."""
    return int(x) if float(x).is_integer() else float(f"{x:.9g}")
