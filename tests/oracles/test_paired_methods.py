"""Named intervals of a difference against plain resampling of rows, and what identical systems are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import assay
from assay import Confusion, Ranked
from assay.options import PAIRED_METHODS

Labels = NDArray[np.int64]
OF_SHARES = ("tango", "newcombe")
OF_AREAS = ("delong", "smoothed_delong", "delong_mover")
OF_OTHER_FAMILIES = ("bounded_t", "model_jackknife")  # means of bounded values, and fitted models
DRAWN = ("percentile", "basic", "bca", "studentized")
Z95 = float(stats.norm.ppf(0.975))


def systems(seed: int, n: int, k: int) -> tuple[Labels, Labels, Labels]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, y, rng.integers(0, k, n)) for right in (0.8, 0.7))
    return y, a, b


def f1(y: Labels, p: Labels) -> float:
    return float(2 * ((y == 1) & (p == 1)).sum() / ((y == 1).sum() + (p == 1).sum()))


def error_of(y: Labels, a: Labels, b: Labels) -> float:
    """The delta-method error of a difference of F1s; a row moves one by (2 hit − F (gold + pred)) / all of these."""
    parts = []
    for p in (a, b):
        total = (y == 1).sum() + (p == 1).sum()
        parts.append((2.0 * ((y == 1) & (p == 1)) - f1(y, p) * ((y == 1) + 0.0 + (p == 1))) / total)
    return math.sqrt(float(((parts[0] - parts[1]) ** 2).sum()))


def plain_limits(y: Labels, a: Labels, b: Labels, draws: int) -> dict[str, NDArray[np.float64]]:
    rng, n = np.random.default_rng(17), len(y)
    here = f1(y, a) - f1(y, b)
    values, scaled = [], []
    for _ in range(draws):
        i = rng.integers(0, n, n)
        values.append(f1(y[i], a[i]) - f1(y[i], b[i]))
        scaled.append((values[-1] - here) / error_of(y[i], a[i], b[i]))
    ends = np.array([0.025, 0.975])
    return {
        "percentile": np.quantile(values, ends),
        "basic": 2 * here - np.quantile(values, ends)[::-1],
        "studentized": here - error_of(y, a, b) * np.quantile(scaled, ends)[::-1],
    }


def test_drawn_limits_are_those_of_rows_drawn_with_replacement() -> None:
    y, a, b = systems(1, 150, 2)
    method: Any
    for method, expected in plain_limits(y, a, b, 4000).items():
        found = assay.compare(y, a, b, measure="f1", method=method, test="none", n_resamples=20_000)
        assert found.method == method
        assert found.low is not None
        assert found.high is not None
        # A 2.5% quantile of m normal draws errs by about 2.7 σ / √m; σ is a quarter of the width.
        slack = 4 * 2.7 * (expected[1] - expected[0]) / 4 / math.sqrt(4000)
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=slack)


@pytest.mark.parametrize("method", PAIRED_METHODS)
@pytest.mark.parametrize("measure", ["accuracy", "f1(average=macro)", "mcc", "precision(average=macro)"])
def test_the_other_way_round_every_method_mirrors_its_limits(method: Any, measure: str) -> None:
    joint = Confusion.joint(*systems(2, 90, 3))
    try:
        there, back = (
            assay.compare(x, measure=measure, method=method, n_resamples=199, test="none")
            for x in (joint, joint.swapped())
        )
    except assay.OptionError:
        assert method in ("cluster_mover", *OF_SHARES, *OF_AREAS, *OF_OTHER_FAMILIES)
        return
    assert there.low is not None
    assert back.low is not None
    assert back.high is not None
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-9)


# ---------------------------------------------------------------------- identical systems
@pytest.mark.parametrize("method", PAIRED_METHODS)
@pytest.mark.parametrize("clusters", [None, 20])
@pytest.mark.parametrize("measure", ["accuracy", "f1(average=macro)", "mcc"])
def test_identical_systems_get_a_bound_from_every_method(method: Any, measure: str, clusters: int | None) -> None:
    y, a, _ = systems(3, 100, 3)
    more: dict[str, Any] = {} if clusters is None else {"cluster": np.arange(100) % clusters}
    try:
        found = assay.compare(y, a, a, measure=measure, method=method, n_resamples=199, **more)
    except assay.OptionError:
        assert method in ("cluster_mover", "smoothed_delta", *OF_SHARES, *OF_AREAS, *OF_OTHER_FAMILIES)
        return
    assert (found.difference, found.p_value) == (0, 1)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high
    n = clusters or 100
    # Nothing less than what one would say of a share: z² / (n + z²) of the items may differ by the whole range.
    width = 2 if measure == "mcc" else 1
    least = width * Z95**2 / (n + Z95**2)
    if method not in ("smoothed_delta", "newcombe"):  # Newcombe's is as he gave it
        assert found.high >= least - 1e-9
        assert any("a bound" in note for note in found.notes)


def test_the_bound_of_identical_systems_narrows_with_more_items_and_more_clusters() -> None:
    y, a, _ = systems(4, 4000, 5)
    widths = []
    for n in (40, 400, 4000):
        found = assay.compare(y[:n], a[:n], a[:n], measure="f1(average=macro)", test="none")
        assert found.high is not None
        widths.append(found.high)
    assert widths[0] > 5 * widths[1] > 25 * widths[2]


def test_queries_with_the_same_difference_get_a_bound_around_it() -> None:
    runs = ({f"q{i}": [1] for i in range(30)}, {f"q{i}": [0, 1] for i in range(30)})
    found = assay.compare(Ranked.joint(*runs), measure="mrr", test="none")
    bound = Z95**2 / (30 + Z95**2)
    assert found.difference == 0.5
    assert (found.low, found.high) == pytest.approx((0.5 - bound, 0.5 + bound))
    assert any("the same difference" in note for note in found.notes)


def share_missed(chance: float, move: Callable[[float], float], n: int, samples: int) -> float:
    """How often the bound misses a true difference, where items differ with this chance and none was seen to."""
    rng = np.random.default_rng(5)
    none_seen = rng.binomial(n, chance, size=samples) == 0
    return float((none_seen & (abs(move(chance)) > Z95**2 / (n + Z95**2))).mean())


@pytest.mark.parametrize("chance", [0.01, 0.03, 0.05, 0.1])
def test_the_bound_is_missed_less_often_than_one_time_in_twenty(chance: float) -> None:
    # Worst case: every item that differs, differs to the same side.
    assert share_missed(chance, lambda c: c, 60, 20_000) <= 0.05
