"""Labels: counting with all averages, resampling, exchanging."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import metrics as sk

import assay
from benchmarks.timing import Measured, Race

N, K, B = 1_000_000, 20, 10_000
AVERAGES = ("macro", "micro", "weighted")


def ours_all(y: np.ndarray, p: np.ndarray) -> list[float]:
    """Accuracy, macro, micro and weighted precision, recall and F1, and MCC."""
    tally = assay.Confusion.from_predictions(y, p)
    out = [assay.accuracy.of(tally), assay.mcc.of(tally)]
    for average in AVERAGES:
        out += [m.of(tally, average=average) for m in (assay.precision, assay.recall, assay.f1)]
    return out


def sklearn_all(y: np.ndarray, p: np.ndarray) -> list[float]:
    """The same by scikit-learn."""
    out = [float(sk.accuracy_score(y, p)), float(sk.matthews_corrcoef(y, p))]
    for average in AVERAGES:
        out += [float(x) for x in sk.precision_recall_fscore_support(y, p, average=average)[:3]]
    return out


def pycm_all(y: np.ndarray, p: np.ndarray) -> list[float]:
    """The same by PyCM."""
    import pycm

    table = pycm.ConfusionMatrix(actual_vector=y, predict_vector=p)
    return [float(table.Overall_ACC), float(table.F1_Macro), float(table.F1_Micro), float(table.Overall_MCC)]


def counting() -> Iterator[Measured]:
    """A million rows of twenty classes, as integers and as two kinds of strings."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, N)
    p = np.where(rng.random(N) < 0.8, y, rng.integers(0, K, N))
    names = np.array([f"label_{i:02d}" for i in range(K)])
    text, text_p = names[y], names[p]
    objects, objects_p = text.astype(object), text_p.astype(object)
    assert np.allclose(ours_all(y, p), sklearn_all(y, p)), "the two do not compute the same"
    work = f"confusion and all averages, integers, n=1e6, k={K}"
    pass_over = ("one bincount", lambda: np.bincount(y * K + p, minlength=K * K))
    yield Race(work, lambda: ours_all(y, p), "PyCM", lambda: pycm_all(y, p), 40, repeats=7, floor=pass_over)
    yield Race("the same", lambda: ours_all(y, p), "scikit-learn", lambda: sklearn_all(y, p), 150, repeats=7)
    sides = ((text, text_p, "fixed-width strings"), (objects, objects_p, "Python strings"))
    for gold, pred, kind in sides:

        def ours(gold: np.ndarray = gold, pred: np.ndarray = pred) -> object:
            return ours_all(gold, pred)

        def theirs(gold: np.ndarray = gold, pred: np.ndarray = pred) -> object:
            return sklearn_all(gold, pred)

        yield Race(f"the same, {kind}", ours, "scikit-learn", theirs, 60, repeats=3, peer_repeats=1)


def resampling() -> Iterator[Measured]:
    """Ten thousand resamples of one system, from rows to limits."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, N)
    a = np.where(rng.random(N) < 0.8, y, 1 - y)

    def interval() -> None:
        tally = assay.Confusion.from_predictions(y, a)
        for measure in ("f1", "mcc"):
            assay.estimate(measure, tally, method="percentile", n_resamples=B)

    def one_resample() -> None:
        i = rng.integers(0, N, N)
        sk.f1_score(y[i], a[i])
        sk.matthews_corrcoef(y[i], a[i])

    work = "95% bootstrap of F1 and MCC, n=1e6, 10,000 draws"
    yield Race(work, interval, f"scikit-learn, 1/{B:,}", one_resample, 10_000, scale=B)


def paired(k: int, hold: float) -> Race:
    """Ten thousand resamples and as many exchanges of two systems, from rows to limits and p."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, k, N)
    a, b = (np.where(rng.random(N) < right, y, rng.integers(0, k, N)) for right in (0.8, 0.79))

    def ours() -> None:
        assay.compare(y, a, b, measure="f1(average=macro)", method="percentile", n_resamples=B)

    def one_draw() -> None:
        i = rng.integers(0, N, N)
        swap = rng.random(N) < 0.5
        for gold, left, right in ((y[i], a[i], b[i]), (y, np.where(swap, b, a), np.where(swap, a, b))):
            sk.f1_score(gold, left, average="macro")
            sk.f1_score(gold, right, average="macro")

    work = f"paired bootstrap and randomization, macro F1, n=1e6, k={k}"
    return Race(work, ours, f"scikit-learn, 1/{B:,}", one_draw, hold, scale=B, repeats=3)


def races() -> Iterator[Measured]:
    """All of them."""
    yield from counting()
    yield from resampling()
    yield paired(2, 10_000)
    yield paired(20, 500)
