"""Round thresholds to try on scores: even steps, and further ones where many items lie between two of them.

They are short to write, so that a page shows thresholds and not the scores of single items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise

import numpy as np

from assay.tally.sampling import Floats
from assay.tally.scored import Scored

STEPS = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))  # what even steps are made of
TICKS = (1.0, 0.5, 0.25)  # the numbers that are written at an axis, then the same divided by 10
DECADES = 4
APART = 0.13  # of the axis: less, and two numbers run into each other
ENDLESS = 1e300  # a range of scores that no axis is made for
LONG = 14  # letters: a number that takes more is written with its power of ten


@dataclass(frozen=True)
class Fineness:
    """How many even steps go over the range of the scores, and which share of the items may lie between two stops."""

    steps: int
    gap: float


FINE, COARSE = Fineness(100, 0.02), Fineness(20, 0.05)


def stops_of(tally: Scored, named: float | None, fineness: Fineness) -> tuple[str, ...]:
    """Thresholds as they are written, from the lowest up: all items are called positive, and in the end none."""
    written = {float(text): text for text in map(_text, _even(tally, fineness.steps))}
    if named is not None:
        written.setdefault(named, _text(Decimal(repr(float(named)))))
    further = map(_text, _further(tally, np.array(sorted(written)), fineness.gap))
    written = {float(text): text for text in further} | written
    return tuple(written[value] for value in sorted(written) if math.isfinite(value))


def _even(tally: Scored, steps: int) -> Iterator[Decimal]:
    """Even steps: from 0 to 1 for probabilities, over their range for other scores; the last is reached by none."""
    low, high = Decimal(tally.scores[0]), Decimal(tally.scores[-1])
    if tally.probabilities:
        step, low, high = 1 / Decimal(steps), Decimal(0), max(high, 1 - 1 / Decimal(steps))
    else:
        step = _round_step((high - low) / steps or abs(high))
    first, last = (int((end / step).to_integral_value(ROUND_FLOOR)) for end in (low, high))
    # Once it is rounded, a stop may be the same number as a score.
    while not float((last + 1) * step) > tally.scores[-1]:
        last += 1
    return (place * step for place in range(first, last + 2))


def _round_step(least: Decimal) -> Decimal:
    """1, 2 or 5 times a power of ten, and no less than this."""
    unit = Decimal(1).scaleb(least.adjusted())
    return next(step * unit for step in STEPS if step * unit >= least)


def _further(tally: Scored, stops: Floats, gap: float) -> Iterator[Decimal]:
    """Stops between these, so that no more than this share of the items lies between two where the scores allow it."""
    order, start = tally.groups
    scores, items = tally.scores, np.add.reduceat(tally.counts[order], start)
    below = np.concatenate([[0.0], np.cumsum(items) / items.sum()])  # the share of the items below each score
    for low, high in pairwise(np.searchsorted(scores, stops)):
        at = low  # the place of the lowest score that reaches the stop
        while below[high] - below[at] > gap:
            near, far = np.searchsorted(below, below[at] + np.array([gap / 2, gap]) * (1 + 1e-9))
            far = max(far - 1, at + 1)  # many items with one score cannot be parted
            if far >= high:
                break
            made = _shortest(scores, min(near, far) - 1, far)
            yield made
            at = int(np.searchsorted(scores, float(made)))


def _shortest(scores: Floats, low: int, high: int) -> Decimal:
    """The number between two of the scores that takes the fewest decimals and is no score, near to their middle."""
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


def ticks_of(stops: Floats) -> list[tuple[float, str]]:
    """Round numbers for an axis on which stops stand at even distances: their places from 0 to 1, and their text."""
    low, high = float(stops[0]), float(stops[-1])
    if not high - low < ENDLESS:
        return []
    unit = 10.0 ** math.ceil(math.log10(high - low))
    even = np.linspace(0.0, 1.0, len(stops))
    placed: dict[float, str] = {}
    for step in (unit * part / 10**decade for decade in range(DECADES) for part in TICKS):
        for value in step * np.arange(math.ceil(low / step), math.floor(high / step) + 1):
            place = float(np.interp(value, stops, even))
            if all(abs(place - other) >= APART for other in placed):
                placed[place] = f"{value:.12g}"
    return sorted(placed.items())
