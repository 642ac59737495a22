"""Small and crooked tables for the oracles: few rows, classes never used, never predicted or never gold, weights."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import assay
from assay import Confusion

Floats = NDArray[np.float64]
Labels = NDArray[Any]

DATA = Path(assay.__file__).parent / "data"
SYSTEMS = ("logistic", "tree", "forest", "bayes")
NAMES = ("class é", "class a", "class 1", "class  ", "01", "NA", "yes", "no")


def close(value: Any, within: float = 1e-11) -> Any:
    """Equal but for the order in which sums are taken."""
    return pytest.approx(value, rel=within, abs=within, nan_ok=True)


def quiet(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """What a peer says, without its advice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


@dataclass(frozen=True, eq=False)
class Case:
    """Gold and predicted labels with weights, and the labels that were declared."""

    gold: Labels
    pred: Labels
    weight: Floats | None
    labels: list[Any]

    @property
    def seen(self) -> list[Any]:
        """The declared labels that occur."""
        used = {*self.gold.tolist(), *self.pred.tolist()}
        return [label for label in self.labels if label in used]

    @cache  # noqa: B019  # there are few cases, and all of them live as long as the tests
    def tally(self, positive: Any = None) -> Confusion:
        """The counts, over the declared labels."""
        return Confusion.from_predictions(
            self.gold, self.pred, labels=self.labels, sample_weight=self.weight, positive=positive
        )

    def score(self, function: Callable[..., Any], **options: Any) -> Any:
        """What scikit-learn says of these rows."""
        return quiet(function, self.gold, self.pred, sample_weight=self.weight, **options)


def drawn(seed: int) -> Case:
    """From 1 to 200 rows of 1 to 8 declared classes, text or numbers.

    Every fourth case is weighted, every tenth a constant answer.
    """
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, (8, 40, 201)[seed % 3])), int(rng.integers(1, 9))
    labels: list[Any] = rng.permutation(NAMES)[:k].tolist() if seed % 7 else list(range(k))
    gold_share, pred_share = (rng.dirichlet(np.full(k, 0.4)) for _ in range(2))
    gold = rng.choice(k, n, p=gold_share)
    pred = np.where(rng.random(n) < rng.random(), gold, rng.choice(k, n, p=pred_share))
    if seed % 10 == 9:
        pred = np.full(n, rng.integers(k))
    weight = None
    if seed % 4 == 0 or seed % 20 == 9:
        weight = rng.gamma(0.5, size=n) + 1e-3
    names = np.array(labels)
    return Case(names[gold], names[pred], weight, labels)


def large(k: int, *, weighted: bool) -> Case:
    """5,000 rows of k classes, most of them rare; of a thousand, many are never gold or never predicted."""
    rng = np.random.default_rng(k)
    share = 1 / np.arange(1, k + 1)
    gold = rng.choice(k, 5000, p=share / share.sum())
    pred = np.where(rng.random(5000) < 0.6, gold, rng.choice(k, 5000, p=share[::-1] / share.sum()))
    names = np.array([f"label {i:04}" for i in range(k)])
    used = sorted({*names[gold].tolist(), *names[pred].tolist()})
    return Case(names[gold], names[pred], rng.gamma(2, size=5000) if weighted else None, used)


SEEDS = range(50)
CASES = [drawn(seed) for seed in SEEDS]


@cache
def columns(file: str) -> dict[str, list[str]]:
    """The labels in a file that comes along."""
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {name: [row[name] for row in rows] for name in ("gold", *SYSTEMS)}
