"""How cost grows with classes, systems, groups, clusters, queries and rows that cannot be merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import assay
from benchmarks.timing import Growth, Work

ROWS = 20_000


def labels(n: int, k: int, systems: int = 2) -> tuple[Any, ...]:
    """Gold labels as text, and the answers of some systems."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, k, n)
    pred = (np.where(rng.random(n) < 0.8 - 0.01 * i, gold, rng.integers(0, k, n)) for i in range(systems))
    return (gold.astype(str), *(each.astype(str) for each in pred))


def scores(n: int) -> tuple[Any, Any, Any]:
    """Two classes, and the scores of two systems."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    return y, 0.5 * rng.random(n) + 0.2 * y, 0.5 * rng.random(n) + 0.18 * y


def estimated(measure: str, data: tuple[Any, ...], **options: Any) -> Work:
    """One estimate from arrays."""
    return lambda: assay.estimate(measure, *data, **options)


def compared(measure: str, data: tuple[Any, ...], **options: Any) -> Work:
    """One comparison from arrays."""
    return lambda: assay.compare(*data, measure=measure, **options)


def of_classes() -> Iterator[Growth]:
    """More classes for the same rows."""

    def evaluated(k: int) -> Work:
        gold, pred, _ = labels(ROWS, k)
        return lambda: assay.evaluate({"gold": gold, "pred": pred}, gold="gold", pred="pred").to_dict()

    def rand(k: int) -> Work:
        return estimated("adjusted_rand", labels(100_000, k, 1))

    yield Growth("evaluate, classes", (50, 100, 200), evaluated, 1.0)
    yield Growth("compare accuracy, classes", (20, 200, 2000), lambda k: compared("accuracy", labels(ROWS, k)), 0.2)
    yield Growth(
        "compare macro F1, classes", (20, 60, 200), lambda k: compared("f1(average=macro)", labels(ROWS, k)), 3.0
    )
    yield Growth(
        "compare macro F1 of 50 classes, rows",
        (30_000, 100_000, 300_000),
        lambda n: compared("f1(average=macro)", labels(n, 50)),
        3.0,
    )
    yield Growth(
        "quadratic kappa, classes",
        (50, 100, 200),
        lambda k: estimated("cohen_kappa", labels(ROWS, k, 1), weights="quadratic"),
        1.0,
    )
    yield Growth("adjusted Rand index with 1e5 rows, clusters", (100, 300, 1000), rand, 1.0)


def of_rows() -> Iterator[Growth]:
    """More rows, none of which are alike."""
    for measure in ("roc_auc", "average_precision", "ece", "brier", "log_loss"):

        def work(n: int, measure: str = measure) -> Work:
            return compared(measure, scores(n))

        yield Growth(f"compare {measure}, rows", (1_000, 3_000, 10_000), work, 1.0)
    yield Growth(
        "bootstrap of ROC AUC, rows",
        (1_000, 3_000, 10_000),
        lambda n: estimated("roc_auc", scores(n)[:2], method="percentile"),
        1.0,
    )

    def values(n: int) -> Work:
        rng = np.random.default_rng(2)
        a = rng.random(n)
        b = a + rng.normal(0, 0.1, n)
        return lambda: assay.compare_values(a, b, method="percentile", test="bootstrap")

    yield Growth("bootstrap of values, rows", (10_000, 100_000, 1_000_000), values, 1.0)

    def queries(n: int) -> Work:
        rng = np.random.default_rng(3)
        runs = [dict(zip(map(str, range(n)), rng.integers(0, 2, (n, 10)).tolist(), strict=True)) for _ in range(2)]
        joint = assay.Ranked.joint(*runs)
        return lambda: assay.compare(joint, measure="rr")

    yield Growth("compare MRR, queries", (1_000, 10_000, 100_000), queries, 1.0)

    def counted(n: int) -> Work:
        rng = np.random.default_rng(4)
        tally = assay.Ranked.from_rankings(rng.integers(0, 2, (n, 10)), rng.random((n, 10)))
        return lambda: assay.estimate("rr", tally)

    yield Growth("mean over queries with its interval, queries", (10_000, 100_000, 1_000_000), counted, 0.1)


def of_parts() -> Iterator[Growth]:
    """More clusters, systems and groups."""

    def clusters(groups: int) -> Work:
        gold, a, b = labels(100_000, 2)
        data = {"gold": gold, "a": a, "b": b, "c": np.random.default_rng(4).integers(0, groups, len(gold))}
        return lambda: assay.compare_systems(data, gold="gold", pred=["a", "b"], cluster="c", positive="1")

    def systems(many: int) -> Work:
        gold, *pred = labels(5_000, 2, many)
        data = {"gold": gold, **{f"s{i}": each for i, each in enumerate(pred)}}
        return lambda: assay.compare_systems(data, gold="gold", pred=[f"s{i}" for i in range(many)], positive="1")

    def groups(many: int) -> Work:
        gold, pred, _ = labels(ROWS, 2)
        data = {"gold": gold, "pred": pred, "g": np.random.default_rng(5).integers(0, many, ROWS).astype(str)}
        return lambda: assay.evaluate(data, gold="gold", pred="pred", slices="g", positive="1")

    yield Growth("compare, clusters", (100, 1_000, 10_000), clusters, 2.0)
    # Pairs are counted, because every two systems are compared.
    pairs = {10: 5, 45: 10, 190: 20}
    yield Growth("compare systems, pairs", tuple(pairs), lambda n: systems(pairs[n]), 2.0)
    yield Growth("evaluate, groups", (10, 30, 100), groups, 2.0)


def races() -> Iterator[Growth]:
    """All of them."""
    yield from of_classes()
    yield from of_rows()
    yield from of_parts()
