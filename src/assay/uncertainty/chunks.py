"""Drawing in chunks on several threads; the same seed gives the same draws however many threads there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from assay.errors import OptionError
from assay.progress import told

T = TypeVar("T")
FEWEST = 200  # draws that show anything of a distribution
AT_ONCE = 1 << 19  # numbers in one chunk: about what a core's own cache holds, so that no thread waits for memory


def in_chunks(work: Callable[[np.random.Generator, int], T], draws: int, seed: int, width: int) -> Iterator[T]:
    """The work's results for all draws, chunk by chunk and in order; `width` is how many numbers one draw needs.

    Every chunk has a generator of its own, spawned from the seed, and chunks do not depend on the machine.
    """
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


def draws_within(work: int, units: int, draws: int) -> int:
    """How many of the draws can be had for so much work; too few to show anything are refused."""
    afforded = min(draws, work // max(units, 1))
    if afforded < min(draws, FEWEST):
        raise OptionError(f"one draw has to look at {units:,} different rows, which takes too long to repeat for this.")
    return afforded
