"""Rankings to test with: images of digits ranked by their distance to another image, from data scikit-learn ships."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
NOISE = 6.0  # added to every pixel, as the images as they are make rankings without errors
DEPTH = 100


@cache
def digits(queries: int = 50, judged: float = 0.8, seed: int = 3) -> tuple[Qrels, dict[str, Run]]:
    """Judgments of a share of the images (relevant: the same digit), and a run by pixels and one by components."""
    images, digit = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    asked = rng.permutation(len(images))[:queries]
    rest = np.setdiff1d(np.arange(len(images)), asked)
    known = rest[rng.random(len(rest)) < judged]
    noisy = images + rng.normal(0, NOISE, images.shape)
    spaces = {"pca": PCA(8, random_state=0).fit_transform(noisy), "pixels": noisy}
    qrels = {f"digit {i}": {f"d{j}": int(digit[i] == digit[j]) for j in known} for i in asked}
    return qrels, {name: _nearest(space, asked, rest) for name, space in spaces.items()}


def _nearest(space: Any, asked: Any, rest: Any) -> Run:
    run: Run = {}
    for i in asked:
        far = ((space[rest] - space[i]) ** 2).sum(1)
        run[f"digit {i}"] = {f"d{rest[k]}": -float(far[k]) for k in np.argsort(far, kind="stable")[:DEPTH]}
    return run
