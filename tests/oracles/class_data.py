"""Items with a score for each class, and pairs of them counted one by one."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def drawn(seed: int, n: int = 60, k: int = 4) -> tuple[Array, Array]:
    """Items of skewed classes with probabilities that tell something; those of odd seeds are full of ties."""
    rng = np.random.default_rng(seed)
    skewed = rng.choice(k, n - 2 * k, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    gold = rng.permutation(np.concatenate([np.arange(k), np.arange(k), skewed]))
    scores = rng.dirichlet(np.ones(k), n) + 0.4 * np.eye(k)[gold] * (rng.random((n, 1)) < 0.6)
    scores /= scores.sum(1, keepdims=True)
    return gold, rounded(scores) if seed % 2 else scores


def rounded(scores: Array) -> Array:
    """Probabilities in fifths that sum to 1: what rounding takes away is given to the first class."""
    out: Array = np.floor(scores * 5) / 5
    out[:, 0] += 1 - out.sum(1)
    return out


def pairs_one_by_one(gold: Array, scores: Array, w: Array, average: str, multi_class: str) -> float:
    """Every pair of items looked at by itself, as Hand and Till (2001) and one against the rest count them."""
    classes = sorted({int(g) for g, heavy in zip(gold, w, strict=True) if heavy > 0})
    size = {c: w[gold == c].sum() for c in classes}

    def chance(c: int, others: list[int]) -> float:
        won = total = 0.0
        for i in np.flatnonzero(gold == c):
            for j in np.flatnonzero(np.isin(gold, others)):
                x, y = scores[i, c], scores[j, c]
                won += w[i] * w[j] * (1.0 if x > y else 0.5 if x == y else 0.0)
                total += w[i] * w[j]
        return won / total

    if multi_class == "ovr":
        values = [chance(c, [d for d in classes if d != c]) for c in classes]
        weights = [size[c] for c in classes]
    else:
        both = list(itertools.combinations(classes, 2))
        values = [(chance(c, [d]) + chance(d, [c])) / 2 for c, d in both]
        weights = [size[c] + size[d] for c, d in both]
    return float(np.average(values, weights=weights if average == "weighted" else None))
