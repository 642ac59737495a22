"""Scores of two classes and of ten, and two systems' areas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import metrics as sk

import assay
from benchmarks.timing import Ceiling, Measured, Race

N = 1_000_000
PEER = "scikit-learn"


def two_classes() -> Iterator[Measured]:
    """Areas, a curve and losses."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, N)
    a, b = (0.5 * rng.random(N) + 0.2 * y for _ in range(2))
    assert np.isclose(assay.roc_auc(y, a), sk.roc_auc_score(y, a)), "the two do not compute the same"
    sort = ("np.sort", lambda: np.sort(a))
    yield Race(
        "ROC AUC, n=1e6", lambda: assay.roc_auc(y, a), PEER, lambda: sk.roc_auc_score(y, a), 15, repeats=7, floor=sort
    )
    yield Race(
        "average precision, n=1e6",
        lambda: assay.average_precision(y, a),
        PEER,
        lambda: sk.average_precision_score(y, a),
        10,
        repeats=7,
        floor=sort,
    )
    yield Race(
        "ROC curve, n=1e6", lambda: assay.roc_curve(y, a), PEER, lambda: sk.roc_curve(y, a), 10, repeats=7, floor=sort
    )
    yield Race("Brier score, n=1e6", lambda: assay.brier(y, a), PEER, lambda: sk.brier_score_loss(y, a), 8)
    yield Race("log loss, n=1e6", lambda: assay.log_loss(y, a), PEER, lambda: sk.log_loss(y, a), 8)

    def mlstatkit() -> object:
        from MLstatkit import Delong_test

        return Delong_test(y, a, b)

    yield Race("DeLong's covariances of two systems, n=1e6", lambda: assay.delong(y, a, b), "MLstatkit", mlstatkit, 10)


def ten_million() -> Iterator[Measured]:
    """One area of very many scores."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 10 * N)
    a = 0.5 * rng.random(10 * N) + 0.2 * y
    work = "ROC AUC, n=1e7"
    sort = ("np.sort", lambda: np.sort(a))
    yield Race(work, lambda: assay.roc_auc(y, a), PEER, lambda: sk.roc_auc_score(y, a), 15, 1, 2, 1, sort)
    yield Ceiling(f"{work}, against a bare sort", lambda: assay.roc_auc(y, a), *sort, 2, 3)


def ten_classes() -> Iterator[Measured]:
    """A score for each of ten classes."""
    rng = np.random.default_rng(3)
    n, k = 200_000, 10
    y = rng.integers(0, k, n)
    scores = rng.random((n, k))
    scores[np.arange(n), y] += 0.5
    scores /= scores.sum(1, keepdims=True)
    yield Race(
        "log loss of ten classes, n=2e5", lambda: assay.log_loss(y, scores), PEER, lambda: sk.log_loss(y, scores), 3
    )
    yield Race(
        "top-3 accuracy of ten classes, n=2e5",
        lambda: assay.top_k_accuracy(y, scores, k=3),
        PEER,
        lambda: sk.top_k_accuracy_score(y, scores, k=3),
        3,
    )
    yield Race(
        "ROC AUC of ten classes, one vs. rest, n=2e5",
        lambda: assay.roc_auc(y, scores),
        PEER,
        lambda: sk.roc_auc_score(y, scores, multi_class="ovr"),
        3,
    )


def races() -> Iterator[Measured]:
    """All of them."""
    yield from two_classes()
    yield from ten_million()
    yield from ten_classes()
