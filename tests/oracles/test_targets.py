"""Thresholds that hold a target, by the estimate and by the interval, against all thresholds tried one by one.

The counts are scikit-learn's, and limits are solved for with SciPy's binomial distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as sk
from scipy.optimize import brentq
from scipy.special import bdtr

import assay
from assay.measures.scores.choices import choice_of
from assay.tally.scores import Scored
from assay.uncertainty.curves.targets import MOST, least_hits, search_for, wilson_hits

DRAWING: dict[str, Any] = {"level": 0.95, "n_resamples": 199, "random_state": 0}
Counts = tuple[int, int, int, int]  # tn, fp, fn, tp
RATES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "recall": lambda tn, fp, fn, tp: (tp, tp + fn),
    "precision": lambda tn, fp, fn, tp: (tp, tp + fp),
    "specificity": lambda tn, fp, fn, tp: (tn, tn + fp),
    "fpr": lambda tn, fp, fn, tp: (fp, tn + fp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "fdr": lambda tn, fp, fn, tp: (fp, tp + fp),
}
LESS_IS_BETTER = ("fpr", "fdr")


@cache
def mid_p_limits(x: int, n: int, level: float) -> tuple[float, float]:
    """The shares at which so many hits, counted half, and all beyond them have half of what the level leaves."""
    tail = (1 - level) / 2

    def below(p: float) -> float:
        return float(bdtr(x, n, p) + (bdtr(x - 1, n, p) if x else 0.0)) / 2 - tail

    def above(p: float) -> float:
        return 1 - 2 * tail - below(p)

    low = 0.0 if x == 0 else brentq(above, 0, 1, xtol=1e-14)
    high = 1.0 if x == n else brentq(below, 0, 1, xtol=1e-14)
    return low, high


def sample(seed: int, n: int = 90) -> tuple[list[bool], list[float]]:
    """Rows with scores of which some are equal."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < rng.uniform(0.25, 0.75)
    y[:2] = [True, False]
    s = (rng.normal(1.3 * y, 1) * 8).round() / 8
    return y.tolist(), s.tolist()


def tables(y: list[bool], s: list[float]) -> dict[float, Counts]:
    """scikit-learn's four counts at every threshold, from the highest down."""
    out = {}
    for t in [math.inf, *sorted(set(s), reverse=True)]:
        called = [score >= t for score in s]
        tn, fp, fn, tp = (int(x) for x in sk.confusion_matrix(y, called, labels=[False, True]).ravel())
        out[t] = tn, fp, fn, tp
    return out


def holds(rate: str, value: float, on: str, counts: Counts) -> bool:
    x, n = RATES[rate](*counts)
    if n == 0:
        return False
    low, high = mid_p_limits(x, n, 0.95) if on == "interval" else (x / n, x / n)
    return high <= value + 1e-12 if rate in LESS_IS_BETTER else low >= value - 1e-12


def f1(tn: int, fp: int, fn: int, tp: int) -> float:
    return math.nan if tp + fp + fn == 0 else 2 * tp / (2 * tp + fp + fn)


def saved(tn: int, fp: int, fn: int, tp: int) -> float:
    return -(1 * fp + 5 * fn)


OBJECTIVES: dict[str, tuple[dict[str, Any], Callable[..., float]]] = {
    "costs": ({"cost_fp": 1, "cost_fn": 5}, saved),
    "f1": ({"maximize": "f1"}, f1),
}
TARGETS = [("recall", 0.8), ("precision", 0.6), ("specificity", 0.7), ("fpr", 0.3), ("npv", 0.6), ("fdr", 0.4)]


def asked(target: str | None, on: str = "estimate", **objective: Any) -> Any:
    usual: dict[str, Any] = {"cost_fp": None, "cost_fn": None, "maximize": None, "youden": False}
    return choice_of(**{**usual, **objective}, target=target, target_on=on, level=0.95)


@pytest.mark.parametrize("on", ["estimate", "interval"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("rate", "value"), TARGETS)
def test_the_threshold_is_the_best_of_those_that_hold_the_target(
    objective: str, rate: str, value: float, on: str
) -> None:
    options, merit = OBJECTIVES[objective]
    reached = 0
    for seed in range(12):
        y, s = sample(seed)
        held = {t: merit(*c) for t, c in tables(y, s).items() if holds(rate, value, on, c)}
        known = {t: v for t, v in held.items() if not math.isnan(v)}
        wanted = max(known, key=lambda t: (round(known[t], 9), t), default=None)
        tally = Scored.from_scores(y, s, pos_label=True)
        found = search_for(tally, asked(f"{rate}={value}", on, **options), **DRAWING).found()
        assert found.threshold == wanted, f"seed {seed}"
        reached += wanted is not None
    assert reached > 2


@pytest.mark.parametrize(("rate", "value"), [("recall", 0.999), ("fpr", 0.001), ("precision", 0.995)])
def test_a_limit_out_of_reach_is_said_with_the_threshold_whose_limit_comes_closest(rate: str, value: float) -> None:
    y, s = sample(3)
    tally = Scored.from_scores(y, s, pos_label=True)
    found = search_for(tally, asked(f"{rate}={value}", "interval", cost_fp=1, cost_fn=5), **DRAWING).found()
    assert found.threshold is None
    side = 1 if rate in LESS_IS_BETTER else 0
    limits = {t: mid_p_limits(*RATES[rate](*c), 0.95)[side] for t, c in tables(y, s).items() if RATES[rate](*c)[1] > 0}
    closest = (min if side else max)(limits.values())
    assert found.limit == pytest.approx(closest, rel=1e-9)
    assert found.closest is not None
    assert limits[found.closest] == pytest.approx(closest, rel=1e-9)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("edge", [0.003, 0.3, 0.9, 0.999])
def test_the_least_number_of_hits_is_the_first_whose_limit_reaches_the_target(edge: float, level: float) -> None:
    trials = np.array([0, 1, 2, 3, 10, 57, 400])
    for n, least in zip(trials.tolist(), least_hits(trials.astype(float), edge, level).tolist(), strict=True):
        enough = (x for x in range(n + 1) if n and mid_p_limits(x, n, level)[0] >= edge)
        assert least == next(enough, math.inf), n


def test_so_many_rows_that_resamples_are_held_to_wilsons_limit_need_as_many_hits_but_for_one() -> None:
    trials = np.array([MOST + 1.0, 1e6, 3e7])
    for edge in (0.02, 0.5, 0.95):
        apart = least_hits(trials, edge, 0.95) - np.ceil(wilson_hits(trials, edge, 0.95))
        assert np.abs(apart).max() <= 1


def test_rows_in_clusters_are_held_to_the_interval_that_estimate_makes_of_them() -> None:
    y, s = sample(5, 120)
    clusters = [i // 4 for i in range(120)]
    tally = Scored.from_scores(y, s, pos_label=True, cluster=clusters)
    found = search_for(tally, asked("recall=0.7", "interval", maximize="precision"), **DRAWING).found()
    merits = {}
    for t in sorted(set(s), reverse=True):
        called = [score >= t for score in s]
        table = assay.Confusion.from_predictions(y, called, cluster=clusters, positive=True)
        low = assay.estimate("recall", table, **DRAWING).low
        if low is not None and low >= 0.7:
            merits[t] = sk.precision_score(y, called)
    assert found.threshold == max(merits, key=lambda t: (round(merits[t], 9), t))


def test_rows_in_clusters_that_miss_the_target_are_said_with_their_closest_limit() -> None:
    y, s = sample(6, 60)
    clusters = [i // 3 for i in range(60)]
    tally = Scored.from_scores(y, s, pos_label=True, cluster=clusters)
    found = search_for(tally, asked("precision=0.99", "interval"), **DRAWING).found()
    lows: dict[float, float] = {}
    for t in sorted(set(s), reverse=True):
        table = assay.Confusion.from_predictions(y, [score >= t for score in s], cluster=clusters, positive=True)
        low = assay.estimate("precision", table, **DRAWING).low
        lows |= {} if low is None else {t: low}
    assert found.threshold is None
    assert found.limit == pytest.approx(max(lows.values()), rel=1e-12)


def test_a_target_held_by_the_interval_is_missed_by_few_new_samples() -> None:
    """Scores N(1, 1) and N(0, 1): recall at a threshold t is 1 − Φ(t − 1), so whether it is held is known."""
    from scipy.stats import norm

    rng = np.random.default_rng(8)
    missed = {"estimate": 0, "interval": 0}
    for _ in range(200):
        y = rng.random(200) < 0.5
        tally = Scored.from_scores(y, rng.normal(y, 1), pos_label=True)
        for on in missed:
            found = search_for(tally, asked("recall=0.8", on), **DRAWING).found()
            assert found.threshold is not None
            missed[on] += norm.sf(found.threshold - 1) < 0.8
    assert missed["estimate"] > 70
    assert missed["interval"] < 14  # 2.5% are expected: 5, and 14 is beyond 4 standard errors
