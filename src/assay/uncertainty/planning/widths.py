"""How wide the interval of any measure will be, and how many items make it narrow enough: simulated from a pilot."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import OptionError, check_level, check_number, plural
from assay.measures.declare.bound import Bound
from assay.measures.declare.measure import Measure
from assay.options import LEVEL, SAMPLES, SEED
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Clusters, Floats, Ints
from assay.texts import percent
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.one.resample import refuse_weights
from assay.uncertainty.planning.plan import SamplePlan, check_items, in_clusters

MOST_SAMPLES = 200  # the mean width of this many is known to within a percent, and each needs an interval
DRAWS = 999  # for an interval that is drawn
STEPS = 6  # corrections of the number of items
NEAR = 0.005  # relative; a width this close is reached
FEWEST = 2


@dataclass(frozen=True)
class _Trial:
    """Samples drawn from the pilot, and the intervals that they would give."""

    tally: Tally
    measure: Measure
    options: Mapping[str, Any]
    level: float
    samples: int
    seed: int

    @property
    def bound(self) -> Bound:
        """The measure on the pilot."""
        return self.measure.bind(self.tally, **self.options)

    @property
    def items_each(self) -> float:
        """How many items one draw has: more than one where clusters are drawn."""
        return self.tally.n / self.tally.sampling.n

    def widths(self, draws: int) -> Floats:
        """Half the width of the interval in each sample of this many items or clusters; nan where there is none."""
        rng = np.random.default_rng(self.seed)
        return np.array([self._width(_sample(self.tally, draws, rng)) for _ in range(self.samples)])

    def _width(self, tally: Tally) -> float:
        made = estimate(self.measure, tally, level=self.level, n_resamples=DRAWS, random_state=SEED, **self.options)
        return math.nan if made.low is None or made.high is None else (made.high - made.low) / 2

    def mean(self, draws: int) -> tuple[float, Floats]:
        """The mean of these widths, and all of them; an error where most samples give none."""
        every = self.widths(draws)
        held = every[~np.isnan(every)]
        if 2 * len(held) <= len(every):
            raise OptionError(
                f"{self.bound.spelling} has no interval in most samples of {round(draws * self.items_each):,} items "
                "drawn from the pilot; plan for more items or a narrower interval, or use a larger pilot."
            )
        return float(held.mean()), held

    def draws_for(self, half_width: float) -> int:
        """A number of draws whose intervals are this narrow on average: the width falls with the root of the number."""
        draws = max(self.tally.sampling.n, FEWEST)
        for step in range(STEPS):
            ratio = self.mean(draws)[0] / half_width
            if -NEAR <= 1 - ratio <= 2 * NEAR or (ratio <= 1 and draws <= FEWEST):
                break
            # In the last steps only upward, so that the width is reached.
            factor = ratio**2 if step < STEPS // 2 else max(ratio**2, 1.0)
            if factor == 1.0:
                break
            draws = max(math.ceil(draws * factor), FEWEST)
            check_items(math.ceil(draws * self.items_each))
        return draws


def pilot_width_plan(
    tally: Tally,
    measure: Measure,
    options: Mapping[str, Any],
    half_width: float | None,
    *,
    items: int | None = None,
    level: float = LEVEL,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> SamplePlan:
    """The items whose interval is on average no wider than this; or the width, where the items are given.

    Samples are drawn from the pilot, item by item or cluster by cluster, and each gives the interval that a report
    would show.
    """
    check_level(level)
    refuse_weights(tally)
    trial = _Trial(tally, measure, options, level, min(samples, MOST_SAMPLES), seed)
    bound = trial.bound
    if half_width is not None:
        _check_half_width(half_width, bound)
    if items is None:
        assert half_width is not None
        draws = trial.draws_for(half_width)
        items = math.ceil(draws * trial.items_each)
    else:
        check_items(items)
        draws = max(round(items / trial.items_each), FEWEST)
    mean, every = trial.mean(draws)
    clusters = None if tally.clusters is None else draws
    inside = in_clusters(clusters, "about ")
    return SamplePlan(
        items=items,
        method="simulation",
        sentence=f"About {plural(items, tally.item)}{inside} give a {percent(level)} interval of {bound.spelling} that "
        f"is ±{mean:.3g} on average.",
        assumptions=tuple(_assumed(trial, every)),
        half_width=mean,
        clusters=clusters,
    )


def _assumed(trial: _Trial, every: Floats) -> list[str]:
    tally, bound = trial.tally, trial.bound
    value = float(bound.at(tally, tally.mass))
    pilot = f"the items are like those of the pilot, in which {bound.spelling} is {value:.3g}"
    out = [f"{pilot} ({plural(tally.n, tally.item)})"]
    spread = f"in nine of ten samples the interval is at most ±{np.quantile(every, 0.9):.3g}"
    out.append(f"the width is the mean of {len(every):,} simulated samples; {spread}")
    if len(every) < trial.samples:
        out.append(f"{trial.samples - len(every)} of {trial.samples} samples have no interval and are left out")
    return out


def _check_half_width(half_width: float, bound: Bound) -> None:
    check_number(half_width, "half_width (--half-width)")
    low, high = bound.range
    widest = (high - low) / 2
    if not (0 < half_width < widest and math.isfinite(half_width)):
        upto = f"between 0 and {widest:g}" if math.isfinite(widest) else "above 0"
        raise OptionError(f"half_width (--half-width) is {half_width:g}; for {bound.spelling} it must be {upto}.")


# ---------------------------------------------------------------------- samples
def _sample(tally: Tally, draws: int, rng: np.random.Generator) -> Tally:
    """This many items or clusters, drawn from those of a tally with replacement."""
    if tally.clusters is None:
        counts = rng.multinomial(draws, tally.counts / tally.n)
        some = tally.only(counts > 0)
        return dataclasses.replace(some, counts=counts[counts > 0].astype(np.int64))
    clusters = _drawn(tally.clusters, rng.integers(0, len(tally.clusters.names), draws))
    counts = np.bincount(clusters.unit, weights=clusters.count, minlength=len(tally.counts)).astype(np.int64)
    return dataclasses.replace(tally, counts=counts, clusters=clusters).only(counts > 0)


def _drawn(clusters: Clusters, which: Ints) -> Clusters:
    """These clusters, each as often as it was drawn, under names of their own."""
    start = np.searchsorted(clusters.cluster, np.arange(len(clusters.names) + 1))
    sizes = (start[1:] - start[:-1])[which]
    first = np.repeat(start[which] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    entry = first + np.arange(int(sizes.sum()))
    names = tuple(map(str, range(len(which))))
    held: dict[str, Any] = {"weight": None if clusters.weight is None else clusters.weight[entry]}
    return Clusters(names, np.repeat(np.arange(len(which)), sizes), clusters.unit[entry], clusters.count[entry], **held)
