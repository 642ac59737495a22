"""The simulated table of docs/explanation/bootstrap.md: how often three intervals cover F1 and MCC of two classes.

A sample in which the bootstrap has no spread counts as a miss of the bootstrap: its interval would have no width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import assay

SAMPLES, DRAWS, LARGE = 1_000, 999, 10_000_000
METHODS = ("percentile", "bca", "auto")


@dataclass(frozen=True)
class Population:
    """The share of positives, recall, the share of false alarms, and the rows of a sample."""

    positive: float
    recall: float
    alarms: float
    n: int

    @property
    def cells(self) -> np.ndarray:
        """The shares of TP, FN, FP and TN."""
        p, q = self.positive, 1 - self.positive
        return np.array([p * self.recall, p * (1 - self.recall), q * self.alarms, q * (1 - self.alarms)])


POPULATIONS = (
    Population(0.5, 0.8, 0.2, 100),
    Population(0.05, 0.6, 0.02, 400),
    Population(0.05, 0.95, 0.003, 200),
    Population(0.2, 0.95, 0.01, 60),
    Population(0.5, 0.99, 0.01, 100),
)


def table(counts: Sequence[int]) -> assay.Confusion:
    """The table with these counts."""
    tp, fn, fp, tn = counts
    return assay.Confusion.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)


def row(population: Population, measure: str, method: Any) -> str:
    """The coverage of a method, the share of samples without an interval, and the mean width of the others."""
    truth = assay.estimate(measure, table(np.rint(population.cells * LARGE).astype(int).tolist())).value
    assert truth is not None
    drawn = np.random.default_rng(1).multinomial(population.n, population.cells, SAMPLES).tolist()
    widths, hits, undefined = [], 0, 0
    for counts in drawn:
        found = assay.estimate(measure, table(counts), method=method, n_resamples=DRAWS)
        undefined += found.value is None
        if found.interval is not None:
            widths.append(found.interval.high - found.interval.low)
            hits += truth in found.interval
    of = SAMPLES - undefined
    shares = f"covered {hits / of:.1%}, no interval {1 - len(widths) / of:.1%}"
    return f"{population} {measure:<4} {method:<10} {shares}, mean width {np.mean(widths):.3f}"


def main() -> None:
    """Print the rows."""
    for population in POPULATIONS:
        for measure in ("f1", "mcc"):
            for method in METHODS:
                print(row(population, measure, method), flush=True)


if __name__ == "__main__":
    main()
