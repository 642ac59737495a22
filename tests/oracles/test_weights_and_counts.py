"""Rows that count more than once and rows that weigh more: against repeated rows, scikit-learn 1.9, and sandwiches.

A count says how many rows a row stands for, and nothing may differ from those rows written out. A weight says how much
a row matters; the value is that of repeated rows, and how sure one can be is not.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import Confusion, Report
from assay.measures.declare.catalogue import catalogue
from tests.oracles.cases import close
from tests.oracles.plain import are_quantiles, drawn_share, drawn_tables

Columns = dict[str, list[Any]]
Floats = NDArray[np.float64]
Z = float(stats.norm.ppf(0.975))


def rows(seed: int, classes: str, n: int = 60) -> Columns:
    """Labels, answers, a site, a patient and whole numbers from 0 to 4."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(classes), n)
    pred = np.where(rng.random(n) < 0.7, gold, rng.choice(list(classes), n))
    site = rng.choice(["north", "south", "west"], n)
    return {
        "gold": gold.tolist(),
        "pred": pred.tolist(),
        "site": site.tolist(),
        "patient": [f"{place}{i % 5}" for i, place in enumerate(site)],
        "times": rng.integers(0, 5, n).tolist(),
        "heavy": rng.gamma(1.5, size=n).round(3).tolist(),
    }


def repeated(columns: Columns) -> Columns:
    """Every row as many times as it says."""
    return {
        name: [value for value, times in zip(column, columns["times"], strict=True) for _ in range(times)]
        for name, column in columns.items()
    }


def numbers(report: Report) -> list[dict[str, Any]]:
    return [row.to_dict() for row in report.rows]


# ---------------------------------------------------------------------- counts
@pytest.mark.parametrize("classes", ["ny", "abc"])
@pytest.mark.parametrize("cluster", [None, "patient"])
def test_a_count_is_the_same_as_the_rows_written_out(classes: str, cluster: str | None, tmp_path: Path) -> None:
    data = rows(1, classes)
    options: dict[str, Any] = {"gold": "gold", "pred": "pred", "slices": "site", "cluster": cluster, "n_resamples": 299}
    options["positive"] = "y" if classes == "ny" else None
    expected = numbers(assay.evaluate(repeated(data), **options))
    assert any(row["p"] is not None for row in expected)
    path = tmp_path / "counts.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(data), *zip(*data.values(), strict=True)])
    for source in (data, path):
        # Values, intervals, p-values and signatures, to the last bit.
        assert numbers(assay.evaluate(source, **options, count="times")) == expected


def test_a_count_of_weighted_rows_is_the_same_as_the_weighted_rows_written_out() -> None:
    data = rows(2, "abc")
    options: dict[str, Any] = {"gold": "gold", "pred": "pred", "weight": "heavy", "n_resamples": 299}
    expected = assay.evaluate(repeated(data), **options).rows
    for ours, theirs in zip(assay.evaluate(data, **options, count="times").rows, expected, strict=True):
        for name in ("measure", "class_", "n", "method"):
            assert getattr(ours, name) == getattr(theirs, name)
        # Sums of weights in another order, and derivatives by differences, cost digits.
        assert [ours.value, ours.low, ours.high] == pytest.approx([theirs.value, theirs.low, theirs.high], rel=1e-7)


# ---------------------------------------------------------------------- weights
def test_values_of_weighted_rows_are_those_of_scikit_learn_through_a_file(tmp_path: Path) -> None:
    data = rows(3, "abc", 200)
    path = tmp_path / "weights.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(data), *zip(*data.values(), strict=True)])
    averages = ("macro", "micro", "weighted")
    asked = ["accuracy", "balanced_accuracy", "mcc", "cohen_kappa", *(f"f1(average={a})" for a in averages), "recall"]
    report = assay.evaluate(path, gold="gold", pred="pred", weight="heavy", measures=asked)
    found = {(row.measure, row.class_): row.value for row in report.rows}
    given: Any = data["gold"], data["pred"]
    weight = data["heavy"]
    assert found["accuracy", None] == close(float(sk.accuracy_score(*given, sample_weight=weight)))
    assert found["balanced_accuracy", None] == close(float(sk.balanced_accuracy_score(*given, sample_weight=weight)))
    assert found["mcc", None] == close(float(sk.matthews_corrcoef(*given, sample_weight=weight)))
    assert found["cohen_kappa", None] == close(float(sk.cohen_kappa_score(*given, sample_weight=weight)))
    for average in averages:
        expected = float(sk.f1_score(*given, sample_weight=weight, average=average))
        assert found[f"f1(average={average})", None] == close(expected)
    each = sk.recall_score(*given, sample_weight=weight, average=None, labels=list("abc")).tolist()
    assert [found["recall", label] for label in "abc"] == close(each)


def test_whole_weights_give_the_values_of_repeated_rows_and_not_their_intervals() -> None:
    data = rows(4, "ny")
    options: dict[str, Any] = {"gold": "gold", "pred": "pred", "positive": "y"}
    options["measures"] = [name for name, measure in catalogue().items() if measure.kind is Confusion]
    weighted = assay.evaluate(data, **options, weight="times")
    written_out = assay.evaluate(repeated(data), **options)
    for ours, theirs in zip(weighted.rows, written_out.rows, strict=True):
        assert ours.value == pytest.approx(theirs.value, rel=1e-11), ours.measure
        assert ours.n == 60
        assert (ours.low, ours.high) != (theirs.low, theirs.high), ours.measure


def test_rows_that_weigh_nothing_change_no_value() -> None:
    data = rows(5, "abc")
    data["heavy"] = [0.0 if i % 3 == 0 else w for i, w in enumerate(data["heavy"])]
    kept = {name: [v for v, w in zip(column, data["heavy"], strict=True) if w > 0] for name, column in data.items()}
    options: dict[str, Any] = {"gold": "gold", "pred": "pred", "weight": "heavy"}
    for ours, theirs in zip(assay.evaluate(data, **options).rows, assay.evaluate(kept, **options).rows, strict=True):
        assert ours.value == close(theirs.value)


def labels_of(data: Columns) -> tuple[Floats, Floats, Floats]:
    """Whether gold and predicted are y, and the weights."""
    gold, pred = (np.array([label == "y" for label in data[name]], np.float64) for name in ("gold", "pred"))
    return gold, pred, np.array(data["heavy"])


# The wrong and the right cell of shares that read two cells, in (tn, fp, fn, tp), and whether the wrong ones count.
SHARES = {"recall": (2, 3, 0), "precision": (1, 3, 0), "specificity": (1, 0, 0), "npv": (2, 0, 0), "fpr": (1, 0, 1)}
OTHERS: dict[str, tuple[str, Callable[..., float]]] = {
    "accuracy": ("errors", lambda tn, fp, fn, tp: (tn + tp) / (tn + fp + fn + tp)),
    "jaccard": ("positives", lambda tn, fp, fn, tp: tp / (tp + fp + fn)),
    "prevalence": ("errors", lambda tn, fp, fn, tp: (fn + tp) / (tn + fp + fn + tp)),
    "mcc": (
        "errors",
        lambda tn, fp, fn, tp: (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    ),
}


def effective(gold: Floats, pred: Floats, w: Floats) -> tuple[list[float], list[float]]:
    """How many equal rows the cells tn, fp, fn, tp are worth, and what one of them weighs, from row to row."""
    rows, heavy = [], []
    for g, p in ((0, 0), (0, 1), (1, 0), (1, 1)):
        mine, own = w[gold == g], w[(gold == g) & (pred == p)]
        usual = float((mine**2).sum() / mine.sum())
        uneven = len(mine) * float((mine**2).sum()) / float(mine.sum()) ** 2 - 1
        seen = float((own**2).sum() / own.sum()) if len(own) else usual
        # Three rows more that weigh what is usual in the class, unless those of the cell weigh more.
        pulled = (len(own) * seen + 3 * max(seen, usual)) / (len(own) + 3)
        heavy.append(pulled * (1 + 2 * uneven / math.sqrt(len(mine))))
        rows.append(float(own.sum()) / heavy[-1])
    return rows, heavy


@pytest.mark.parametrize("name", [*SHARES, *OTHERS])
def test_a_weighted_measure_of_two_classes_has_quantiles_over_tables_of_effective_rows(name: str) -> None:
    data, rng = rows(6, "ny", 150), np.random.default_rng(9)
    gold, pred, w = labels_of(data)
    worth, heavy = effective(gold, pred, w)
    tally = Confusion.from_predictions(data["gold"], data["pred"], sample_weight=w, positive="y")
    found = assay.estimate(name, tally)
    assert found.method == "midp_draws"
    assert not any("not simulated" in note for note in found.notes)
    values = []
    if name in SHARES:
        bad, good, wrong_counts = SHARES[name]
        for coin in rng.integers(0, 2, 10_000):
            wrong = drawn_share(rng, worth[bad], worth[good], float(coin))
            mass = heavy[bad] * wrong, heavy[good] * (1 - wrong)
            values.append(mass[1 - wrong_counts] / sum(mass))
    else:
        first, value = OTHERS[name]
        tables = drawn_tables(rng, (worth[0], worth[1], worth[2], worth[3]), 10_000, first)
        values = [value(*(h * x for h, x in zip(heavy, cells, strict=True))) for cells in tables]
    are_quantiles(found, values)


def test_a_weighted_f1_has_the_delta_interval_of_its_sandwich_variance() -> None:
    data = rows(7, "ny", 150)
    gold, pred, w = labels_of(data)
    both = float(w @ gold + w @ pred)
    f1 = 2 * float(w @ (gold * pred)) / both
    u = (2 * gold * pred - f1 * (gold + pred)) / both
    half = Z * math.sqrt(float((w**2) @ u**2)) / (f1 * (1 - f1))
    center = math.log(f1 / (1 - f1))
    expected = [1 / (1 + math.exp(-(center + side * half))) for side in (-1, 1)]
    tally = Confusion.from_predictions(data["gold"], data["pred"], sample_weight=w, positive="y")
    found = assay.estimate("f1", tally, method="logit_delta")
    assert [found.low, found.high] == pytest.approx(expected, rel=1e-7)


# ---------------------------------------------------------------------- weights within clusters
def jackknifed(value: Callable[[NDArray[np.bool_]], float], cluster: NDArray[np.str_]) -> tuple[float, float]:
    """Limits from leaving out whole clusters, on the logit, with Student's t for those that carry the variance."""
    names = np.unique(cluster)
    m, here = len(names), value(np.ones(len(cluster), bool))
    left = np.array([value(cluster != name) for name in names])
    squares = (left - left.mean()) ** 2
    df = min(max(1.5 * squares.sum() ** 2 / (squares**2).sum() - 1, 2.0), m - 1)
    half = float(stats.t.ppf(0.975, df)) * math.sqrt((m - 1) / m * squares.sum()) / (here * (1 - here))
    center = math.log(here / (1 - here))
    low, high = (1 / (1 + math.exp(-(center + side * half))) for side in (-1, 1))
    return low, high


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["accuracy", "f1", "balanced_accuracy"])
def test_clusters_are_left_out_whole_with_their_weights(name: str, weighted: bool) -> None:
    data = rows(8, "ny", 150)
    given: Any = np.array(data["gold"]), np.array(data["pred"])
    w = np.array(data["heavy"]) if weighted else np.ones(150)
    score = {"accuracy": sk.accuracy_score, "f1": sk.f1_score, "balanced_accuracy": sk.balanced_accuracy_score}[name]
    options = {"pos_label": "y"} if name == "f1" else {}

    def value(kept: NDArray[np.bool_]) -> float:
        return float(score(given[0][kept], given[1][kept], sample_weight=w[kept], **options))

    report = assay.evaluate(
        data,
        gold="gold",
        pred="pred",
        positive="y",
        cluster="patient",
        weight="heavy" if weighted else None,
        measures=name,
        method="cluster_jackknife",
    )
    row = report.rows[0]
    assert row.value == close(value(np.ones(150, bool)))
    assert (row.low, row.high) == pytest.approx(jackknifed(value, np.array(data["patient"])), rel=1e-9)


@pytest.mark.parametrize("wrong", [0.2, 0.0])
def test_rows_of_weight_2_cost_twice_as_much_in_total(wrong: float) -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 200)
    pred = np.where(rng.random(200) < wrong, 1 - gold, gold)
    asked: dict[str, Any] = {"fp": 1, "fn": 5, "of": "total"}
    once, twice = (
        assay.estimate("expected_cost", Confusion.from_predictions(gold, pred, positive=1, sample_weight=w), **asked)
        for w in (None, np.full(200, 2.0))
    )
    assert once.low is not None
    assert once.high is not None
    assert (float(twice), twice.low, twice.high) == close((2 * float(once), 2 * once.low, 2 * once.high))


@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc", "lr_plus"])
def test_equal_weights_of_rows_in_clusters_change_nothing(measure: str) -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 2, 200)
    pred = np.where(rng.random(200) < 0.8, gold, 1 - gold)
    known: dict[str, Any] = {"positive": 1, "cluster": np.repeat(np.arange(25), 8)}
    plain, weighed = (
        assay.estimate(measure, Confusion.from_predictions(gold, pred, sample_weight=w, **known))
        for w in (None, np.full(200, 2.0))
    )
    assert (weighed.low, weighed.high, weighed.method, weighed.notes) == (
        plain.low,
        plain.high,
        plain.method,
        plain.notes,
    )
