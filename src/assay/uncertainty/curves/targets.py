"""Which thresholds meet a target by the whole interval, not by the estimate alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.measures.declare.forms import Proportion
from assay.measures.scores.choices import Choice, label_measure
from assay.measures.scores.thresholds import ROUNDING, Search, four_counts
from assay.tally.contract.sampling import Floats
from assay.tally.margins import OneVsRest
from assay.tally.scores import ByScore, Scored
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.one.shares import mid_p, normal_quantile

MOST = 1 << 17  # rows up to which the least number of hits is kept for every number of trials
BRACKET = 4.0  # hits by which mid-P may lie from the normal approximation before all numbers are tried


def search_for(tally: Scored, choice: Choice, *, level: float, n_resamples: int, random_state: int) -> Search:
    """The search for a threshold, by the estimate or by the interval, as the target requires."""
    if choice.target is None or choice.target.on == "estimate":
        return Search(tally, choice)
    measure, options = label_measure(choice.target.measure)
    if isinstance(measure.interval, Proportion) and not options and tally.weights is None and tally.clusters is None:
        return SureSearch(tally, choice)
    drawing = {"level": level, "n_resamples": n_resamples, "random_state": random_state}
    return EstimatedSearch(tally, choice, drawing)


@dataclass(frozen=True, eq=False)
class SureSearch(Search):
    """Thresholds at which a rate of independent rows meets the target by the limit of its mid-P interval.

    How many hits that takes depends on the trials alone, so for resamples it is computed once for every number of them.
    """

    def meets(self, four: OneVsRest) -> Any:
        """Whether there are enough hits for this number of trials."""
        good, trials = self._shares(four)
        if good.ndim == 1:  # the data themselves
            return lower_limit_reaches(good, trials, self._edge, self._level) & (trials > 0)
        if self.tally.n <= MOST:
            return good >= self._kept[trials.astype(np.int64)]
        # With this many trials Wilson's limit asks for the same number of hits, give or take one.
        return (good >= wilson_hits(trials, self._edge, self._level)) & (trials > 0)

    @property
    def _edge(self) -> float:
        """What the share of hits must reach."""
        assert self.choice.target is not None
        value = self.choice.target.value
        return (value if self.choice.target.at_least else 1 - value) - ROUNDING

    @property
    def _level(self) -> float:
        assert self.choice.target is not None
        return self.choice.target.level

    @cached_property
    def _kept(self) -> Floats:
        return least_hits(np.arange(self.tally.n + 1, dtype=np.float64), self._edge, self._level)

    @cached_property
    def nearness(self) -> Floats:
        """The limit that must reach the target, at every threshold, on the data themselves."""
        assert self.choice.target is not None
        good, trials = self._shares(four_counts(ByScore.of(self.tally, self.tally.mass)))
        pairs, where = np.unique(np.stack([good, trials], axis=-1), axis=0, return_inverse=True)
        low = np.array([mid_p(x, n, self._level)[0] if n > 0 else math.nan for x, n in pairs.tolist()])[where.ravel()]
        return low if self.choice.target.at_least else 1 - low

    def _shares(self, four: OneVsRest) -> tuple[Floats, Floats]:
        """How many of the trials count toward the target, such as those that are not false alarms."""
        assert self.choice.target is not None
        form = label_measure(self.choice.target.measure)[0].interval
        assert isinstance(form, Proportion)
        hits, trials = form.counts(four)
        return (hits if self.choice.target.at_least else trials - hits), trials


def wilson_hits(trials: Floats, edge: float, level: float) -> Floats:
    """How many hits it takes for Wilson's lower limit to be `edge`."""
    return trials * edge + normal_quantile(level) * np.sqrt(trials * max(edge * (1 - edge), 0.0))


def least_hits(trials: Floats, edge: float, level: float) -> Floats:
    """The least number of hits in these trials whose lower mid-P limit is at least `edge`; infinite if none is.

    Wilson's limits say roughly where to look; from there the number is found by bisection.
    """
    center = wilson_hits(trials, edge, level)
    short = np.clip(np.floor(center) - BRACKET, -1, trials)
    enough = np.clip(np.ceil(center) + BRACKET, 0, trials + 1)
    short = np.where(lower_limit_reaches(short, trials, edge, level), -1.0, short)
    enough = np.where(lower_limit_reaches(enough, trials, edge, level), enough, trials + 1)
    while (enough - short > 1).any():
        middle = np.floor((short + enough) / 2)
        reached = lower_limit_reaches(middle, trials, edge, level)
        short, enough = np.where(reached, short, middle), np.where(reached, middle, enough)
    return np.where((enough > trials) | (trials == 0), np.inf, enough)


def lower_limit_reaches(x: Floats, n: Floats, edge: float, level: float) -> Any:
    """Whether the lower mid-P limit of x hits in n trials is at least `edge`; not for fewer hits than 0.

    The limit is a quantile of an even mixture of Beta(x, n − x + 1) and Beta(x + 1, n − x), so it is enough to
    compute how much of the mixture lies below.
    """
    from scipy.special import betainc

    if not 0 < edge < 1:
        return (x >= 0) & (edge <= 0)
    hits = np.clip(x, 0, n)
    first = np.where(hits > 0, betainc(np.maximum(hits, 1), n - hits + 1, edge), 1.0)
    second = np.where(hits < n, betainc(hits + 1, np.maximum(n - hits, 1), edge), 0.0)
    return (x >= 0) & ((first + second) / 2 <= (1 - level) / 2)


@dataclass(frozen=True, eq=False)
class EstimatedSearch(Search):
    """The same where rows are weighted or in clusters, or a rate is averaged: by `estimate` at each threshold."""

    drawing: dict[str, Any]

    @property
    def resampled(self) -> str | None:
        """Why nothing is chosen again on resamples."""
        return "an interval at every threshold of every resample would take too long"

    @cached_property
    def on_data(self) -> tuple[Floats, Any]:
        """The values on the data, and which of the best thresholds meet the target; those behind them are not tried.

        The interval contains its estimate, so only thresholds whose rate reaches the target can.
        """
        values = self.objective_at(four_counts(ByScore.of(self.tally, self.tally.mass)))
        merit = np.where(np.isnan(values) | ~self.reaches(self.held_on_data), -np.inf, self.sign * values)
        meets = np.zeros(len(values), bool)
        best = -np.inf
        for at in np.argsort(-merit, kind="stable").tolist():
            if np.isneginf(merit[at]) or merit[at] < best - ROUNDING * abs(best):
                break
            meets[at] = self.reaches(np.array(self._limit(at)))
            best = merit[at] if meets[at] else best
        return values, meets

    @cached_property
    def nearness(self) -> Floats:
        """The limit that must reach the target, at every threshold, on the data themselves."""
        return np.array([self._limit(at) for at in range(len(self.thresholds))])

    def _limit(self, at: int) -> float:
        target = self.choice.target
        assert target is not None
        measure, options = label_measure(target.measure)
        found = estimate(measure, self.tally.at(float(self.thresholds[at])), **self.drawing, **options)
        limit = found.low if target.at_least else found.high
        return math.nan if limit is None else limit
