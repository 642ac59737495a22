"""How much faster assay is than the best peer, on the same input in the same run: `make bench`.

Only ratios are worth keeping; seconds depend on the machine. A peer that would run for minutes is timed on a small
share of the work and scaled up; its row says so.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn import metrics as sk

import assay

N, K, B = 1_000_000, 20, 10_000
AVERAGES = ("macro", "micro", "weighted")


@dataclass(frozen=True)
class Result:
    """One piece of work: our seconds, the peer's, and the ratio required."""

    work: str
    ours: float
    peer: str
    theirs: float
    hold: float

    def __str__(self) -> str:
        ratio = self.theirs / self.ours
        kept = "met" if ratio >= self.hold else "MISSED"
        return (
            f"{self.work:<58} {self.ours * 1e3:>10.1f} ms  {self.peer:<22} {self.theirs:>9.2f} s"
            f"  {ratio:>10,.0f} x  {kept} (>= {self.hold:,.0f})"
        )


def best(work: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs: what the machine can do when nothing else disturbs it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


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


def confusion() -> list[Result]:
    """Counting and all averages."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, N)
    p = np.where(rng.random(N) < 0.8, y, rng.integers(0, K, N))
    names = np.array([f"label_{i:02d}" for i in range(K)])
    text, text_p = names[y], names[p]
    assert np.allclose(ours_all(y, p), sklearn_all(y, p)), "the two do not compute the same"
    integers = best(lambda: ours_all(y, p), 7)
    strings = best(lambda: ours_all(text, text_p), 3)
    objects, objects_p = text.astype(object), text_p.astype(object)
    shared = best(lambda: ours_all(objects, objects_p), 3)
    theirs = best(lambda: sklearn_all(y, p), 1)
    theirs_text = best(lambda: sklearn_all(text, text_p), 1)
    theirs_objects = best(lambda: sklearn_all(objects, objects_p), 1)
    return [
        Result(
            f"confusion and all averages, integers, n=1e6, k={K}", integers, "PyCM", best(lambda: pycm_all(y, p), 1), 40
        ),
        Result("the same", integers, "scikit-learn", theirs, 150),
        Result("the same, fixed-width strings", strings, "scikit-learn", theirs_text, 60),
        Result("the same, Python strings", shared, "scikit-learn", theirs_objects, 60),
    ]


def bootstrap() -> list[Result]:
    """Ten thousand resamples, from rows to limits."""
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

    peer = f"scikit-learn, 1 of {B:,}"
    theirs = best(one_resample, 1) * B
    return [Result("95% bootstrap of F1 and MCC, n=1e6, 10,000 draws", best(interval, 5), peer, theirs, 10_000)]


def paired(k: int, hold: float) -> Result:
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

    work = f"paired bootstrap and randomization, macro F1, k={k}"
    return Result(work, best(ours, 3), f"scikit-learn, 1 of {B:,}", best(one_draw, 2) * B, hold)


def pairs() -> list[Result]:
    """Two classes and twenty."""
    return [paired(2, 10_000), paired(20, 500)]


def scores() -> list[Result]:
    """Two-class scores: areas, a curve, and two systems compared."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, N)
    a, b = (0.5 * rng.random(N) + 0.2 * y for _ in range(2))
    many = rng.integers(0, 2, 10 * N)
    more = 0.5 * rng.random(10 * N) + 0.2 * many
    assert np.isclose(assay.roc_auc(y, a), sk.roc_auc_score(y, a)), "the two do not compute the same"
    ours, sort = best(lambda: assay.roc_auc(y, a), 7), best(lambda: np.sort(a), 7)
    more_sorted = best(lambda: np.sort(more), 2)
    peer = "scikit-learn"
    return [
        Result("ROC AUC, n=1e6", ours, peer, best(lambda: sk.roc_auc_score(y, a), 3), 15),
        Result("the same, against 2.5 bare sorts", ours, "np.sort x 2.5", 2.5 * sort, 1),
        Result(
            "ROC AUC, n=1e7",
            best(lambda: assay.roc_auc(many, more), 2),
            peer,
            best(lambda: sk.roc_auc_score(many, more), 1),
            15,
        ),
        Result(
            "the same, against 2 bare sorts",
            best(lambda: assay.roc_auc(many, more), 2),
            "np.sort x 2",
            2 * more_sorted,
            1,
        ),
        Result(
            "Brier score, n=1e6",
            best(lambda: assay.brier(y, a), 7),
            peer,
            best(lambda: sk.brier_score_loss(y, a), 3),
            8,
        ),
        Result("log loss, n=1e6", best(lambda: assay.log_loss(y, a), 7), peer, best(lambda: sk.log_loss(y, a), 3), 8),
        Result(
            "average precision, n=1e6",
            best(lambda: assay.average_precision(y, a), 7),
            peer,
            best(lambda: sk.average_precision_score(y, a), 3),
            10,
        ),
        Result(
            "ROC curve, n=1e6", best(lambda: assay.roc_curve(y, a), 15), peer, best(lambda: sk.roc_curve(y, a), 5), 10
        ),
        Result(
            "DeLong's covariances of two systems, n=1e6",
            best(lambda: delong(y, a, b), 3),
            "MLstatkit",
            best(lambda: mlstatkit(y, a, b), 1),
            10,
        ),
    ]


def class_scores() -> list[Result]:
    """A score for each of ten classes."""
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 10, N // 5), rng.random((N // 5, 10))
    s[np.arange(len(y)), y] += 0.5
    s /= s.sum(axis=1, keepdims=True)
    peer, work = "scikit-learn", "of ten classes, n=2e5"
    calls: list[tuple[str, Callable[[], float], Callable[[], float]]] = [
        ("log loss", lambda: assay.log_loss(y, s), lambda: sk.log_loss(y, s)),
        ("top-3 accuracy", lambda: assay.top_k_accuracy(y, s, k=3), lambda: sk.top_k_accuracy_score(y, s, k=3)),
        ("ROC AUC", lambda: assay.roc_auc(y, s), lambda: sk.roc_auc_score(y, s, multi_class="ovr")),
    ]
    for name, ours, theirs in calls:
        assert np.isclose(ours(), theirs()), f"{name}: the two do not compute the same"
    return [Result(f"{name} {work}", best(ours, 7), peer, best(theirs, 3), 3) for name, ours, theirs in calls]


def delong(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> object:
    """Two areas with their variances and their covariance."""
    return assay.delong(y, a, b)


def mlstatkit(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> object:
    """DeLong's test by MLstatkit."""
    from MLstatkit import Delong_test

    return Delong_test(y, a, b)


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    for group in (confusion, bootstrap, pairs, scores, class_scores):
        for result in group():
            print(result, flush=True)


if __name__ == "__main__":
    main()
