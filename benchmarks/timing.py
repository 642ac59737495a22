"""Processor time, ratios and growth: what `make bench` measures, and when a row holds.

Only ratios are worth keeping; seconds depend on the machine. We and a peer take turns, and the best of several runs of
each counts, in processor time of all threads.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Work = Callable[[], object]
STEEPEST = 1.15  # the exponent of growth that still passes for linear: sorting has a logarithm
FIXED = 0.05  # seconds below which growth is that of fixed costs
AT_FLOOR = 1.25  # times what no route could avoid, up to which a race has nothing left to win


def used(work: Work) -> float:
    """Processor time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


@dataclass(frozen=True)
class Row:
    """One measured row of the table; ratios and seconds of the peer and of the floor where there are any."""

    work: str
    ours: float
    against: str
    theirs: float | None
    ratio: float | None
    wanted: str
    holds: bool
    floor: str = ""
    at_floor: bool = False  # whether it takes hardly longer than what no route could avoid

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:,.3g} ×"
        theirs = "" if self.theirs is None else f"{self.theirs:.4g} s"
        held = "holds" if self.holds else "at the floor" if self.at_floor else "falls short"
        return (
            f"{self.work:<66} {self.ours * 1e3:>10.1f} ms  {self.against:<20} {theirs:>10} {ratio:>11}  "
            f"{self.wanted:<10} {held:<12} {self.floor}"
        )


@dataclass(frozen=True)
class Race:
    """The same work by us and by a peer; `scale` is how many times the peer's part makes the whole."""

    work: str
    ours: Work
    peer: str
    theirs: Work
    hold: float
    scale: float = 1.0
    repeats: int = 5
    peer_repeats: int = 2
    floor: tuple[str, Work] | None = None  # what no route could avoid, as one sort

    def run(self) -> Row:
        """Ours and theirs in turn, after one run of ours that loads what it needs."""
        self.ours()
        mine, their, least = [], [], []
        for i in range(self.repeats):
            mine.append(used(self.ours))
            if i < self.peer_repeats:
                their.append(used(self.theirs))
            if self.floor is not None:
                least.append(used(self.floor[1]))
        ours, theirs = max(min(mine), 1e-6), min(their) * self.scale
        ratio = theirs / ours
        wanted, holds = f"≥ {self.hold:,.3g} ×", ratio >= self.hold
        if self.floor is None:
            return Row(self.work, ours, self.peer, theirs, ratio, wanted, holds)
        times = ours / max(min(least), 1e-6)
        floor = f"{times:.3g} × {self.floor[0]}"
        return Row(self.work, ours, self.peer, theirs, ratio, wanted, holds, floor, times <= AT_FLOOR)


@dataclass(frozen=True)
class Ceiling:
    """Work that may take at most so many times as long as what no route could avoid."""

    work: str
    ours: Work
    floor: str
    least: Work
    most: float
    repeats: int = 5

    def run(self) -> Row:
        """Ours and the floor in turn."""
        self.ours()
        mine, least = zip(*((used(self.ours), used(self.least)) for _ in range(self.repeats)), strict=True)
        ours, floor = min(mine), max(min(least), 1e-6)
        return Row(self.work, ours, self.floor, floor, ours / floor, f"≤ {self.most:g} ×", ours <= self.most * floor)


@dataclass(frozen=True)
class Growth:
    """Work of three sizes: its seconds at the largest, and how steeply they grow."""

    work: str
    sizes: Sequence[int]
    made: Callable[[int], Work]  # the work of a size; what prepares it is not counted
    most: float  # seconds at the largest size
    repeats: int = 2

    def run(self) -> Row:
        """The best of a few runs at each size."""
        times = []
        for size in self.sizes:
            work = self.made(size)
            work()
            times.append(max(min(used(work) for _ in range(self.repeats)), 1e-6))
        slope = math.log(times[-1] / times[-2]) / math.log(self.sizes[-1] / self.sizes[-2])
        steep = slope > STEEPEST and times[-1] > FIXED
        sizes = " / ".join(f"{size:,}" for size in self.sizes)
        return Row(
            f"{self.work}: {sizes}",
            times[-1],
            f"grows as n^{slope:.2f}",
            None,
            None,
            f"≤ {self.most:g} s",
            times[-1] <= self.most and not steep,
            " / ".join(f"{1e3 * each:,.0f}" for each in times) + " ms",
        )


Measured = Race | Ceiling | Growth
