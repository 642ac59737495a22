"""The speed rows of docs/explanation/comparison.md: processor time of assay and of other tools for the same work.

Best of three in one run; only ratios are worth keeping. Work that would take minutes is done in part and scaled up, and
its row says so. Some rows are about small inputs, where fixed costs decide.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import krippendorff
import numpy as np
from mlxtend.evaluate import permutation_test
from sklearn import metrics as sk
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import assay

REPEATS = 3


@dataclass(frozen=True)
class Race:
    """The same work twice, in seconds of processor time."""

    work: str
    other: str
    ours: float
    theirs: float

    def __str__(self) -> str:
        ratio = self.theirs / self.ours
        words = f"{ratio:,.3g} times faster" if ratio >= 1 else f"{1 / ratio:,.3g} times slower"
        return f"{self.work:<64} {self.other:<14} {self.ours * 1e3:>10.3f} ms {self.theirs * 1e3:>12.3f} ms  {words}"


def used(work: Callable[[], object], calls: int = 1) -> float:
    """The least processor time of three attempts, for one call."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in range(calls):
            work()
        times.append((time.process_time() - start) / calls)
    return min(times)


def labels() -> Iterator[Race]:
    """Counting labels, from a hundred rows to a million, and resampling them."""
    rng = np.random.default_rng(0)
    for n, k, calls in ((1_000_000, 20, 1), (100, 2, 200)):
        y = rng.integers(0, k, n)
        p = np.where(rng.random(n) < 0.8, y, rng.integers(0, k, n))
        ours = used(lambda y=y, p=p: assay.f1(y, p, average="macro"), calls)  # type: ignore[misc]
        theirs = used(lambda y=y, p=p: sk.f1_score(y, p, average="macro"), calls)  # type: ignore[misc]
        yield Race(f"macro F1, {n:,} rows, {k} classes", "scikit-learn", ours, theirs)
    n, draws, part = 100_000, 10_000, 20
    y = rng.integers(0, 2, n)
    p = np.where(rng.random(n) < 0.8, y, 1 - y)

    def some() -> None:
        for _ in range(part):
            i = rng.integers(0, n, n)
            sk.f1_score(y[i], p[i])

    def all_of_them() -> None:
        tally = assay.Confusion.from_predictions(y, p)
        assay.estimate("f1", tally, pos_label=1, method="percentile", n_resamples=draws)

    work = f"percentile bootstrap of F1, {n:,} rows, {draws:,} draws ({part} made by the other, scaled)"
    yield Race(work, "scikit-learn", used(all_of_them), used(some) * draws / part)


def scores() -> Iterator[Race]:
    """An area with a million scores."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 1_000_000)
    s = 0.5 * rng.random(len(y)) + 0.2 * y
    yield Race(
        "ROC AUC, 1,000,000 scores",
        "scikit-learn",
        used(lambda: assay.roc_auc(y, s)),
        used(lambda: sk.roc_auc_score(y, s)),
    )


def pairs() -> Iterator[Race]:
    """Two systems: values, and a table of two answers."""
    rng = np.random.default_rng(3)
    a, b = rng.random(1_000), rng.random(1_000) + 0.02
    ours = used(lambda: assay.compare_values(a, b).p_value)
    options = {"method": "approximate", "num_rounds": 1_000, "seed": 0, "func": "x_mean != y_mean"}
    theirs = used(lambda: permutation_test(a, b, paired=True, **options))
    yield Race("paired randomization of 1,000 values (the other: 1,000 draws)", "mlxtend", ours, theirs)
    y = rng.integers(0, 2, 1_000)
    c, d = (np.where(rng.random(1_000) < right, y, 1 - y) for right in (0.8, 0.78))
    table = [[int(((c == y) & (d == y)).sum()), int(((c == y) & (d != y)).sum())]]
    table += [[int(((c != y) & (d == y)).sum()), int(((c != y) & (d != y)).sum())]]
    ours = used(lambda: assay.compare(y, c, d, measure="accuracy", test="mcnemar"))
    theirs = used(lambda: mcnemar(table, exact=True), 50)
    yield Race("exact McNemar, 1,000 rows (the other: from the table, p only)", "statsmodels", ours, theirs)


def single() -> Iterator[Race]:
    """A Wilson interval from two counts, and an alpha."""
    tally = assay.Confusion.from_counts(tp=80, fn=20, fp=0, tn=0)
    ours = used(lambda: assay.estimate("recall", tally, method="wilson"), 50)
    theirs = used(lambda: proportion_confint(80, 100, method="wilson"), 50)
    yield Race("Wilson interval from two counts", "statsmodels", ours, theirs)
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 20_000)
    ratings = np.where(rng.random((3, len(truth))) < 0.8, truth, rng.integers(0, 4, (3, len(truth)))).astype(float)
    rows = ratings.T.astype(int).astype(str).tolist()
    ours = used(lambda: assay.krippendorff_alpha(rows))
    theirs = used(lambda: krippendorff.alpha(reliability_data=ratings, level_of_measurement="nominal"))
    yield Race("Krippendorff's alpha, 20,000 units, 3 raters", "krippendorff", ours, theirs)


def starting() -> Race:
    """Starting Python, importing, and one small number, because imports may be put off until they are needed."""

    def child(name: str, call: str) -> float:
        work = f"from {name} import f1_score; f1_score([1, 0, 1], [1, 1, 1]{call})"
        code = f"import time; {work}; print(time.process_time())"
        return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)

    ours = min(child("assay", ", pos_label=1") for _ in range(REPEATS))
    theirs = min(child("sklearn.metrics", "") for _ in range(REPEATS))
    return Race("start Python, import, F1 of three rows", "scikit-learn", ours, theirs)


def main() -> None:
    """Print the rows."""
    warnings.simplefilter("ignore")
    for group in (labels, scores, pairs, single):
        for race in group():
            print(race, flush=True)
    print(starting())


if __name__ == "__main__":
    main()
