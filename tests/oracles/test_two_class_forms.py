"""Closed forms of two classes that are used by name, against the same formulas written out plainly, and against the
delta method, which they must approach as tables grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assay
from assay import Confusion
from assay.errors import OptionError
from tests.oracles.plain import KAPPA, LEVELS, Floats, Limits, counted, delta_error, kappa, limits, tables, wilson, z_of


def phi(table: Floats) -> float:
    """MCC of two classes."""
    (a, b), (c, d) = table.tolist()
    scale = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    return (a * d - b * c) / scale if scale > 0 else 0.0


def moved(shares: list[tuple[float, float]], value: Callable[[list[float]], float], z: float) -> Limits:
    """Each share at its Wilson limits in turn; the squares of what goes down, and of what goes up, add up."""
    at = [p for p, _ in shares]
    here, down, up = value(at), 0.0, 0.0
    for i, (p, n) in enumerate(shares):
        if n == 0:
            continue
        values = [value([*at[:i], x, *at[i + 1 :]]) for x in wilson(p, n, z)]
        down += max(here - min(values), 0) ** 2
        up += max(max(values) - here, 0) ** 2
    return here - math.sqrt(down), here + math.sqrt(up)


def by_class(table: Floats, z: float) -> Limits:
    """Prevalence, and what each gold class is labeled as."""
    (a, b), (c, d) = table.tolist()

    def value(at: list[float]) -> float:
        p, false, true = at
        return phi(np.array([[(1 - p) * (1 - false), (1 - p) * false], [p * (1 - true), p * true]]))

    return moved([((c + d) / (a + b + c + d), a + b + c + d), (b / (a + b), a + b), (d / (c + d), c + d)], value, z)


def by_errors(table: Floats, measure: Callable[[Floats], float], z: float) -> Limits:
    """The cells outside the larger correct one, the right ones among them, and which errors the others are."""
    (a, b), (c, d) = table.tolist()
    if d > a:  # turned round, so that the larger correct cell comes first
        return by_errors(table[::-1, ::-1], measure, z)
    n, wrong = a + b + c + d, b + c

    def value(at: list[float]) -> float:
        out, hit, first = at
        return measure(np.array([[1 - out, out * (1 - hit) * first], [out * (1 - hit) * (1 - first), out * hit]]))

    shares = [((d + wrong) / n, n), (d / (d + wrong), d + wrong), (b / wrong if wrong else 0.5, wrong)]
    low, high = moved(shares, value, z)
    if a == d:  # either may be called the larger
        other = moved([shares[0], shares[1], (c / wrong if wrong else 0.5, wrong)], value, z)
        low, high = (low + other[0]) / 2, (high + other[1]) / 2
    return low, high


@pytest.mark.parametrize("level", LEVELS)
def test_mcc_of_two_classes_is_put_together_from_three_shares_in_three_ways(level: float) -> None:
    for table in tables(2, 9, 60):
        z, value = z_of(level), phi(table)
        row, column, error = by_class(table, z), by_class(table.T, z), by_errors(table, phi, z)
        expected = [((r + c) / 2 + e) / 2 for r, c, e in zip(row, column, error, strict=True)]
        low, high = max(expected[0], -1.0), min(expected[1], 1.0)
        found = assay.estimate("mcc", counted(table), method="mover", level=level)
        assert found.method == "mover"
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-7), table


@pytest.mark.parametrize("level", LEVELS)
def test_kappa_of_two_classes_is_put_together_from_three_shares(level: float) -> None:
    for table in tables(2, 10, 60):
        value = kappa(table)
        low, high = by_errors(table, kappa, z_of(level))
        low, high = max(low, -1.0), min(high, 1.0)
        found = assay.estimate(KAPPA, counted(table), method="mover", level=level)
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-7), table


def two_f1s(table: Floats) -> list[float]:
    """F1 of both classes."""
    return [2 * float(table[i, i] / (table[i].sum() + table[:, i].sum())) for i in (0, 1)]


def macro_f1_limits(table: Floats, z: float) -> Limits:
    """Both F1s through their Jaccard shares; their moves are correlated like their influences with ¼ in each cell."""
    smooth = table + 0.25
    influence = np.empty((2, 4))
    for c, cell in enumerate(np.ndindex(2, 2)):
        up, down = smooth.copy(), smooth.copy()
        up[cell] += 1e-5
        down[cell] -= 1e-5
        influence[:, c] = (np.array(two_f1s(up)) - np.array(two_f1s(down))) / 2e-5
    w = smooth.ravel()
    r = float((w * influence[0] * influence[1]).sum())
    r /= math.sqrt(float((w * influence[0] ** 2).sum() * (w * influence[1] ** 2).sum()))
    below, above, values = [], [], two_f1s(table)
    for i in (0, 1):
        union = float(table[i].sum() + table[:, i].sum() - table[i, i])
        low, high = wilson(float(table[i, i]) / union, union, z)
        below.append(values[i] - 2 * low / (1 + low))
        above.append(2 * high / (1 + high) - values[i])
    reach = [math.sqrt(x * x + y * y + 2 * r * x * y) / 2 for x, y in (below, above)]
    return sum(values) / 2 - reach[0], sum(values) / 2 + reach[1]


@pytest.mark.parametrize("level", LEVELS)
def test_the_mean_of_two_f1s_is_put_together_from_both(level: float) -> None:
    for table in tables(2, 11, 60):
        value = sum(two_f1s(table)) / 2
        low, high = macro_f1_limits(table, z_of(level))
        found = assay.estimate("f1", counted(table), average="macro", method="mover", level=level)
        expected = (min(max(low, 0.0), value), max(min(high, 1.0), value))
        assert limits(found) == pytest.approx(expected, abs=1e-7), table


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("mcc", {}, phi),
        ("cohen_kappa", {}, kappa),
        ("f1", {"average": "macro"}, lambda t: sum(two_f1s(t)) / 2),
    ],
    ids=["mcc", "kappa", "macro f1"],
)
def test_forms_of_two_classes_approach_the_delta_method(
    name: str, options: dict[str, Any], value: Callable[[Floats], float]
) -> None:
    gaps = []
    for scale in (10, 1_000, 100_000):
        table = scale * np.array([[60.0, 9.0], [20.0, 30.0]])
        measure: Any = KAPPA if name == "cohen_kappa" else name
        low, high = limits(assay.estimate(measure, counted(table), method="mover", **options))
        gaps.append(abs((high - low) / 2 / (z_of(0.95) * delta_error(table, value)) - 1))
    assert gaps[2] < 1e-3
    assert gaps[0] > gaps[1] > gaps[2]


def test_forms_of_two_classes_are_for_two_classes_and_for_no_other_measure() -> None:
    with pytest.raises(OptionError, match="mcc has no closed form called 'mover' here"):
        assay.estimate("mcc", Confusion.from_matrix(np.eye(3, dtype=int) + 1, list("abc")), method="mover")
    with pytest.raises(OptionError, match="balanced_accuracy has no closed form called 'mover' here"):
        assay.estimate("balanced_accuracy", Confusion.from_counts(tp=3, fp=1, fn=1, tn=3), method="mover")
    found = assay.estimate("mcc", Confusion.from_counts(tp=3, fp=1, fn=0, tn=0), method="mover")
    assert found.interval is None
