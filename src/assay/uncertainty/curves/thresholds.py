"""How certain a chosen threshold is: which ones resamples choose, which do about as well, how much it flatters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.measures.scores.thresholds import Search
from assay.options import STABILITY_DRAWS
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats, Ints
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.one.resample import draw_times, in_chunks

FEWEST_DRAWS = 199
WORK = 1 << 25  # thresholds looked at in all resamples together
FURTHER = 499  # draws for the flattery and for calibrated scores, of which only a mean and a tail are needed
WIDTH = 8  # numbers held for each threshold of a resample
# How much less a choice from all rows flatters than one from half of them: a maximum over a smooth curve that is
# sampled at n rows lies too high by about n to the power of -2/3.
FROM_HALF_TO_ALL = 0.5 ** (2 / 3)


@dataclass(frozen=True)
class Steadiness:
    """What resamples of the rows say about a threshold.

    The range is the spread of choices, not a confidence interval.
    """

    draws: int  # at most STABILITY_DRAWS, and fewer with very many thresholds, however many were asked for
    level: float  # share of the resamples whose thresholds lie in the range
    low: float | None = None
    high: float | None = None  # infinite where nothing is called positive
    without: int = 0  # resamples in which nothing could be chosen
    flat_low: float | None = None  # lowest and highest threshold within one standard error of the best
    flat_high: float | None = None
    flat: int = 0  # how many thresholds do about as well
    between: int = 0  # out of this many from the lowest to the highest of them
    optimism: float | None = None  # by how much the value on these rows is too good, in the objective's own units
    misses: float | None = None  # share of the resamples' thresholds that miss the target on the rows
    p_calibrated: float | None = None  # p of a formula for calibrated scores this far behind, if they are
    reason: str | None = None

    def includes(self, threshold: float) -> bool | None:
        """Whether resamples choose around this threshold; None where nothing is known."""
        return None if self.low is None or self.high is None else self.low <= threshold <= self.high


# What one chunk of resamples adds: the places it chooses, and three sums for every threshold. They are of the
# difference to the threshold chosen on the data: in how many resamples it is defined, its total and its squares.
Part = tuple[Ints, tuple[Floats, Floats, Floats]]


def steadiness(search: Search, *, level: float, n_resamples: int, random_state: int) -> Steadiness:
    """Choose again on resamples of the rows, or of whole clusters: multiplicities on the sorted scores, all exact."""
    check_drawing(level, n_resamples, random_state)
    draws = draws_for(len(search.thresholds), n_resamples)
    each = item_weights(search.tally)
    if search.place < 0 or each is None or search.resampled is not None:
        why = "rows with the same score and label differ in weight" if each is None else search.resampled
        return Steadiness(0, level, reason="no threshold was chosen" if search.place < 0 else why)

    def work(rng: np.random.Generator, size: int) -> Part:
        sampling = search.tally.sampling
        times = draw_times(sampling, size, rng, few=0).astype(np.float64, copy=False)
        return _chosen(search, sampling.spread(times) * each)

    place, sums = _added_up(in_chunks(work, draws, random_state, WIDTH * len(search.thresholds)))
    made = place >= 0
    if not made.any():
        return Steadiness(draws, level, without=draws, reason="no resample reaches the target")
    low, high = _central(search.thresholds[place[made]], level)
    return Steadiness(
        draws,
        level,
        low,
        high,
        int(draws - made.sum()),
        **_flat(search, *sums),
        optimism=_optimism(search, each, min(draws, FURTHER), random_state),
        misses=_misses(search, place[made]),
        p_calibrated=_p_calibrated(search, min(draws, FURTHER), random_state),
    )


def draws_for(thresholds: int, asked: int) -> int:
    """How many resamples: fewer where there are very many thresholds, because each takes a step per threshold."""
    return min(asked, max(FEWEST_DRAWS, min(STABILITY_DRAWS, WORK // thresholds)))


def item_weights(tally: Tally) -> Any:
    """What one drawn item of each unit weighs; None where rows of a unit differ, so that none can stand for all."""
    if tally.weights is None or tally.clusters is not None:
        return 1.0  # clusters bring their rows' weights along
    total, squares = tally.weights.total, tally.weights.squares
    alike = np.isclose(squares * tally.counts, total**2, rtol=1e-9, atol=0)
    return total / tally.counts if alike.all() else None


def _chosen(search: Search, w: Floats) -> Part:
    values, meets = search.values(w)
    place = search.best(values, meets)
    apart = search.sign * (values[:, search.place, None] - values)
    known = ~np.isnan(apart)
    apart = np.where(known, apart, 0.0)
    return place, (known.sum(0).astype(np.float64), apart.sum(0), (apart**2).sum(0))


def _added_up(parts: Iterator[Part]) -> Part:
    """All choices, and the sums over all chunks, which are not kept: with many thresholds they would fill memory."""
    places, sums = next(parts)
    every = [places]
    for place, more in parts:
        every.append(place)
        sums = (sums[0] + more[0], sums[1] + more[1], sums[2] + more[2])
    return np.concatenate(every), sums


def _central(thresholds: Floats, level: float) -> tuple[float, float]:
    """The thresholds between which the middle share of them lies; both were chosen."""
    ordered = np.sort(thresholds)
    out = int((1 - level) / 2 * len(ordered))
    return float(ordered[out]), float(ordered[len(ordered) - 1 - out])


def _flat(search: Search, known: Floats, total: Floats, squares: Floats) -> dict[str, Any]:
    """Thresholds whose value is within one standard error of the best, the error being that of the difference."""
    spare = np.maximum(known - 1, 1)
    error = np.sqrt(np.maximum(squares - total**2 / np.maximum(known, 1), 0) / spare)
    values, meets = search.on_data
    behind = search.sign * (values[search.place] - values)
    near = (behind <= error) & (known > 1)
    near[search.place] = True
    if meets is not None:
        near &= meets
    first, last = np.flatnonzero(near)[[0, -1]]
    return {
        "flat_low": float(search.thresholds[last]),
        "flat_high": float(search.thresholds[first]),
        "flat": int(near.sum()),
        "between": int(last - first + 1),
    }


def _misses(search: Search, place: Ints) -> float | None:
    """How often a threshold that is chosen on a resample misses the target on the data."""
    if search.choice.target is None:
        return None
    return float(1 - search.reaches(search.held_on_data[place]).mean())


def _optimism(search: Search, each: Any, draws: int, seed: int) -> float | None:
    """How much better a threshold looks on the half it is chosen on than on the other, scaled to all rows.

    A resample would show too little of it: its rows are among those that stand for the population.
    """
    sampling = search.tally.sampling

    def work(rng: np.random.Generator, size: int) -> Floats:
        times = rng.binomial(sampling.counts, 0.5, size=(size, len(sampling.counts)))
        halves = [sampling.spread(x.astype(np.float64)) * each for x in (times, sampling.counts - times)]
        (one, meets_one), (other, meets_other) = map(search.values, halves)
        # Both ways round, so that halves that choose alike show nothing, whichever of them is easier.
        return (_ahead(search, one, other, meets_one) + _ahead(search, other, one, meets_other)) / 2

    better = np.concatenate(list(in_chunks(work, draws, seed + 1, 2 * WIDTH * len(search.thresholds))))
    better = better[~np.isnan(better)]
    return float(FROM_HALF_TO_ALL * better.mean()) if len(better) else None


def _ahead(search: Search, here: Floats, there: Floats, meets: Any) -> Floats:
    """How much better the threshold that is best here looks here than there; nan where there is none."""
    place = search.best(here, meets)
    apart = np.take_along_axis(here - there, np.maximum(place, 0)[:, None], axis=-1)[:, 0]
    return np.where(place < 0, np.nan, search.sign * apart)


def _p_calibrated(search: Search, draws: int, seed: int) -> float | None:
    """How often labels drawn by the scores themselves leave the formula's threshold as far behind the best one."""
    rows = search.tally
    if search.if_calibrated() is None or rows.clusters is not None or rows.weights is not None:
        return None
    behind = float(search.behind_if_calibrated())

    def work(rng: np.random.Generator, size: int) -> Floats:
        return search.behind_if_calibrated(lambda items, p: rng.binomial(items, p, size=(size, len(items))))

    drawn = np.concatenate(list(in_chunks(work, draws, seed + 2, WIDTH * len(search.thresholds))))
    extreme = int((drawn >= behind - 1e-9 * abs(behind)).sum())
    return (extreme + 1) / (draws + 1)
