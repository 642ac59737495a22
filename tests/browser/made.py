"""Tables that the pages of the browser tests are made from."""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import assay

Columns = dict[str, list[str]]
DATA = Path(assay.__file__).parent / "data"


def write(path: Path, columns: Mapping[str, Sequence[str]]) -> Path:
    """The columns as a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)  # a name may have any sign in it
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return path


def answers(gold: Sequence[str], right: float, seed: int) -> list[str]:
    """Labels of a system that is right this often, and otherwise says anything."""
    rng, labels = random.Random(seed), sorted(set(gold))
    return [label if rng.random() < right else rng.choice(labels) for label in gold]


def scores(gold: Sequence[str], positive: str, noise: float, seed: int) -> list[str]:
    """Scores from 0 to 1, nearly all of them different, that tend to be higher for the positive class."""
    rng = random.Random(seed)
    means = [0.6 if label == positive else 0.35 for label in gold]
    return [f"{min(max(rng.gauss(mean, noise), 0), 1):.6f}" for mean in means]


def draws(labels: Sequence[str], n: int, seed: int) -> list[str]:
    """One of the labels for each of n rows, the first more often than the others; each occurs."""
    rng = random.Random(seed)
    more = rng.choices(labels, weights=[3, *[1] * (len(labels) - 1)], k=n - len(labels))
    return [*labels, *more]


def two_scored_systems(n: int) -> Columns:
    """Two classes and the scores of two systems, with groups to slice by."""
    gold = draws(["clear", "recurs"], n, seed=1)
    return {
        "gold": gold,
        "first": scores(gold, "recurs", 0.15, seed=2),
        "second": scores(gold, "recurs", 0.25, seed=3),
        "site": draws(["Lagos", "Leeds", "Lima", "Lyon"], n, seed=4),
        "age": draws(["under 40", "40 to 64", "65 and more"], n, seed=5),
    }


def thirty_classes() -> Columns:
    """Thirty classes with labels as long as those of real taxonomies."""
    labels = [f"products/household and garden/equipment of the {i}th kind, without batteries" for i in range(30)]
    gold = draws(labels, 900, seed=6)
    return {"gold": gold, "old": answers(gold, 0.6, seed=7), "new": answers(gold, 0.7, seed=8)}


def six_systems() -> Columns:
    """Six systems with scores on the same rows."""
    gold = draws(["clear", "recurs"], 400, seed=9)
    named = {f"system number {i}": scores(gold, "recurs", 0.1 + 0.04 * i, seed=10 + i) for i in range(1, 7)}
    return {"gold": gold, **named}
