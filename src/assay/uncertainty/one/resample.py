"""New tallies from a tally: multinomial draws, posterior draws, and leaving one out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import numpy as np

from assay.errors import OptionError
from assay.measures.declare.bound import Bound
from assay.progress import told
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats, Ints, Sampling, whole_numbers
from assay.uncertainty.one.influence import influences, is_linear

T = TypeVar("T")
FEWEST = 200  # draws below which nothing of a distribution can be seen
AT_ONCE = 1 << 19  # numbers in one chunk: about what a core's own cache holds, so that no thread waits for memory


def in_chunks(work: Callable[[np.random.Generator, int], T], draws: int, seed: int, width: int) -> Iterator[T]:
    """The work's results for all draws, chunk by chunk and in order; `width` is how many numbers one draw needs.

    Every chunk has a generator of its own, spawned from the seed, and chunks do not depend on the machine.
    """
    _keep_freed_memory()
    step = max(1, AT_ONCE // max(width, 1))
    sizes = [min(step, draws - start) for start in range(0, draws, step)]
    rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(sizes))]
    workers = min(len(sizes), os.cpu_count() or 1)
    if workers < 2:
        yield from told(map(work, rngs, sizes), len(sizes), "drawing")
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from told(pool.map(work, rngs, sizes), len(sizes), "drawing")
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def _keep_freed_memory() -> None:
    """Have the allocator of glibc keep what is freed, up to 64 MB, for the next chunk; elsewhere this does nothing.

    By default it returns arrays of this size to the system and gets them back page by page, which takes longer than
    most of the work. Freeing one large array teaches it that such sizes come and go (mallopt(3), M_MMAP_THRESHOLD).
    """
    np.empty((1 << 25) - (1 << 16), np.int8)


def draws_within(work: int, units: int, draws: int) -> int:
    """How many of the draws this much work allows; too few to be useful are refused."""
    afforded = min(draws, work // max(units, 1))
    if afforded < min(draws, FEWEST):
        raise OptionError(f"each draw has to read {units:,} different rows, which takes too long to repeat.")
    return afforded


CHUNK = 1 << 21  # numbers held at once
IN_CACHE = 1 << 18  # the same where they are read again and again
MANY, SEVERAL = 1 << 10, 8  # kinds of items that are drawn one by one, and the most of one kind on average
TOO_MANY = 1 << 28  # clusters times units: leaving each out in turn would take too long


def refuse_drawing(bound: Bound, tally: Tally) -> None:
    """Stop where drawing items with replacement would mislead."""
    refuse_weights(tally)
    why = bound.evidence.no_resampling
    if why is not None:
        raise OptionError(f"{bound.spelling} cannot be bootstrapped over items: {why}. Use the method jackknife.")


def refuse_weights(tally: Tally) -> None:
    """Cells hold sums of weights, and a draw of cells would treat all rows of a cell as equally heavy."""
    if tally.weights is not None and tally.clusters is None:
        raise OptionError(
            "weighted rows cannot be resampled from their cells; use the method auto, whose interval is linearized."
        )


def bootstrap_weights(sampling: Sampling, draws: int, seed: int, width: int) -> Iterator[Floats]:
    """Multiplicities of units in chunks of resamples."""
    return (sampling.spread(times) for times in drawn_times(sampling, draws, seed, width))


def drawn_times(sampling: Sampling, draws: int, seed: int, width: int) -> Iterator[Floats]:
    """How often each kind of item or cluster is drawn, in chunks of resamples.

    Drawing n items with replacement is one multinomial draw over the cells, so the rows are not needed.
    """
    _keep_freed_memory()
    rng = np.random.default_rng(seed)
    # Resamples follow each other, however many are in a chunk; only strata are drawn one after the other.
    step = max(1, (CHUNK if sampling.strata is not None else IN_CACHE) // max(width, len(sampling.counts)))
    for start in range(0, draws, step):
        yield draw_times(sampling, min(step, draws - start), rng)


def draw_times(sampling: Sampling, size: int, rng: np.random.Generator, few: int = MANY) -> Any:
    """How often each kind of item or cluster is drawn, in each resample: floats, or whole numbers where drawn singly.

    With fewer kinds than `few`, all of one kind are drawn together, however many kinds there are to the items.
    """
    counts, strata = sampling.counts, sampling.strata
    if strata is None:
        return _drawn_from(counts, size, rng, few)
    out = np.zeros((size, len(counts)))
    for stratum in np.unique(strata):
        here = strata == stratum
        out[:, here] = _drawn_from(counts[here], size, rng, few)
    return out


def _drawn_from(counts: Ints, size: int, rng: np.random.Generator, few: int) -> Any:
    n, kinds = int(counts.sum()), len(counts)
    if kinds < few or n > (SEVERAL if kinds >= MANY else 2) * kinds:
        return rng.multinomial(n, counts / n, size=size).astype(np.float64)
    # A multinomial takes as long for each kind as a dozen items that are drawn singly and counted.
    kind = np.repeat(np.arange(kinds), counts)
    # Eight times as many as there are, or 64 of one, are never drawn: the chance is below 1e-20.
    out = np.empty((size, kinds), whole_numbers(8 * int(counts.max()), n))
    for row in out:
        which = rng.integers(0, n, n)
        row[:] = np.bincount(which if n == kinds else kind[which], minlength=kinds)
    return out


def bootstrap_values(bound: Bound, tally: Tally, draws: int, seed: int) -> Floats:
    """The measure on resampled tallies."""
    weights = bootstrap_weights(tally.sampling, draws, seed, len(tally.counts))
    return np.concatenate([bound.at(tally, w) for w in weights])


def dirichlet_values(bound: Bound, tally: Tally, factor: float, draws: int, seed: int) -> Floats:
    """The measure on tables drawn around the observed one, with half an item added to every cell.

    With a factor, fewer items are drawn, and each stands for that many: totals are those of all items.
    """
    rng = np.random.default_rng(seed)
    shape = tally.mass / factor + 0.5
    return bound.at(tally, factor * rng.standard_gamma(shape, size=(draws, len(shape))))


def jackknife_values(bound: Bound, tally: Tally) -> tuple[Floats, Floats]:
    """The measure with one item, or one cluster, taken away: distinct values and how often each arises."""
    counts = tally.sampling.counts
    values: Floats | None = None
    if has_too_many_clusters(bound, tally):
        values = _summed_values(bound, tally)
    elif tally.weights is None:
        values = bound.left_out(tally)
    if values is None:
        step = max(1, CHUNK // _width(bound, tally))
        parts = (slice(i, i + step) for i in range(0, len(counts), step))
        values = np.concatenate([bound(bound.evidence.without_each(tally, part)) for part in parts])
    times = counts.astype(np.float64)
    if tally.weights is not None and tally.clusters is None:
        # Rows of a cell that differ in weight are worth this many equally heavy ones with the same sums.
        total, typical = tally.weights.total, tally.weights.typical
        times = np.divide(total, typical, out=np.zeros_like(times), where=typical > 0)
    held = times > 0
    return values[held], times[held]


def _width(bound: Bound, tally: Tally) -> int:
    """How many numbers one value without an item, or without a cluster, takes."""
    if not is_linear(bound):
        return len(tally.counts)
    total: Any = bound.evidence.of(tally, tally.mass)  # only the sums of an item, or of a cluster, are taken away
    return int(total.features.shape[-1])


def has_too_many_clusters(bound: Bound, tally: Tally) -> bool:
    """Whether clusters are too many, and their rows too different, for each to be left out in turn."""
    if tally.clusters is None or is_linear(bound) or bound.measure.shortcuts.influence is None:
        return False
    return len(tally.sampling.counts) * len(tally.counts) > TOO_MANY


def _summed_values(bound: Bound, tally: Tally) -> Floats:
    """The measure without each cluster, from the influence of each of its rows."""
    taken = tally.sampling.sums(influences(bound, tally, tally.mass))
    return np.asarray(bound.at(tally, tally.mass) - taken)


def jackknife_variance(values: Floats, times: Floats) -> float:
    """Tukey's variance of leave-one-out values."""
    n = times.sum()
    mean = (times * values).sum() / n
    return float((n - 1) / n * (times * (values - mean) ** 2).sum())
