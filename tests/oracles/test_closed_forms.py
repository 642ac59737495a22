"""Closed forms of intervals, against the same formulas written out plainly: one class, one cell, one pair at a time.

They come from a simulation study for this library and have no publication; the reference pages print their coverage.
So the oracle here is a second writing of the formulas, and the delta method that they must approach as tables grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import assay
from assay import Confusion, Estimate, Scored
from tests.oracles.plain import LEVELS, limits, mid_p, wilson, z_of

Table = list[list[float]]
Limits = tuple[float, float]


# ---------------------------------------------------------------------- what the formulas share
def settled(ends: Limits, value: float, floor: float) -> Limits:
    """Limits inside the range that hold the estimate."""
    low, high = max(ends[0], floor), min(ends[1], 1.0)
    return min(low, value), max(high, value)


def margins(table: Table) -> tuple[list[float], list[float], list[float]]:
    """Hits, gold counts and predicted counts of every class."""
    k = len(table)
    hit = [table[i][i] for i in range(k)]
    gold = [sum(table[i][j] for j in range(k)) for i in range(k)]
    pred = [sum(table[i][j] for i in range(k)) for j in range(k)]
    return hit, gold, pred


def tables(smallest: int = 3) -> Iterator[Table]:
    """Tables of 3 to 8 classes: common, with empty cells, with absent classes, perfect, all wrong, nearly empty."""
    rng = np.random.default_rng(1)
    for i in range(90):
        k = int(rng.integers(smallest, 9))
        table = rng.poisson(rng.gamma(0.6, (1, 4, 20)[i % 3], (k, k)))
        table += np.diag(rng.poisson((3, 10, 60)[i % 3], k))
        if i % 5 == 1:
            table[rng.random((k, k)) < 0.6] = 0  # many empty cells
        if i % 7 == 2:
            table[int(rng.integers(k))] = 0  # a class without gold items
        if i % 7 == 3:
            table[:, int(rng.integers(k))] = 0  # a class that is never predicted
        if i % 11 == 4:
            gone = int(rng.integers(k))
            table[gone] = table[:, gone] = 0  # a class with neither
        if i % 13 == 5:
            table = np.diag(np.diag(table))  # perfect
        if i % 17 == 6:
            table = table - np.diag(np.diag(table))  # all wrong
        if i % 19 == 7:
            table = np.diag(np.full(k, 4)) + np.eye(k, k, 1, dtype=int)  # equally large correct cells
        if table.sum() > 0:
            yield table.astype(float).tolist()


TABLES = list(tables())


def occurring(table: Table) -> Table:
    """The table without the classes that occur nowhere, which these measures, and so their intervals, ignore."""
    kept = [i for i, row in enumerate(table) if sum(row) + sum(other[i] for other in table) > 0]
    return [[table[i][j] for j in kept] for i in kept]


# Tables of three classes that occur, or more; those of two have other forms.
WIDE = [table for table in TABLES if len(occurring(table)) >= 3]


def counted(table: Table) -> Confusion:
    """The table as a tally."""
    return Confusion.from_matrix(table, [f"c{i}" for i in range(len(table))])


def test_the_tables_hold_what_is_hard() -> None:
    every = [np.array(table) for table in TABLES]
    assert sum((t.sum(1) == 0).any() and (t.sum(0)[t.sum(1) == 0] > 0).any() for t in every) >= 5  # predicted, not gold
    assert sum((t.sum(0) == 0).any() and (t.sum(1)[t.sum(0) == 0] > 0).any() for t in every) >= 5  # gold, not predicted
    assert sum(((t.sum(0) + t.sum(1)) == 0).any() for t in every) >= 5
    assert sum(np.trace(t) == t.sum() for t in every) >= 5
    assert sum(np.trace(t) == 0 for t in every) >= 4
    assert {len(t) for t in every} == set(range(3, 9))
    assert sum(len(occurring(t)) < len(t) for t in WIDE) >= 5
    assert len(WIDE) > 0.9 * len(TABLES)


# ---------------------------------------------------------------------- F1 of one class
@pytest.mark.parametrize("level", LEVELS)
def test_f1_of_one_class_is_the_mid_p_interval_of_its_jaccard_share(level: float) -> None:
    rng = np.random.default_rng(2)
    for i in range(150):
        tp, fp, fn = (int(x) for x in rng.poisson((0.7, 5, 80)[i % 3], 3))
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=int(rng.integers(0, 50)))
        found = assay.estimate("f1", tally, level=level)
        if tp + fp + fn == 0:
            assert found.value is None
            continue
        assert found.method == "jaccard"
        value = 2 * tp / (2 * tp + fp + fn)
        low, high = mid_p(tp, tp + fp + fn, level)
        expected = settled((2 * low / (1 + low), 2 * high / (1 + high)), value, 0)
        assert limits(found) == pytest.approx(expected, abs=1e-10), (tp, fp, fn)


def test_micro_f1_of_single_labels_is_a_share_of_rows() -> None:
    for table in TABLES[:30]:
        n, right = sum(map(sum, table)), sum(margins(table)[0])
        found = assay.estimate("f1", counted(table), average="micro", method="wilson")
        assert limits(found) == pytest.approx(settled(wilson(right / n, n, z_of(0.95)), right / n, 0), abs=1e-12)


# ---------------------------------------------------------------------- means of shares
def student(n: float, df: float, level: float) -> float:
    """So many items fewer as Student's quantile is wider than the normal one."""
    return n * (z_of(level) / float(stats.t.ppf((1 + level) / 2, df))) ** 2


def mean_share_limits(hits: list[float], trials: list[float], averaged: int, level: float) -> Limits:
    """The mean of d/r over classes with trials, as a share of so many items as have the same variance.

    A class without trials counts as 0 in a mean over `averaged` classes, in both limits.
    """
    some = [(d, r) for d, r in zip(hits, trials, strict=True) if r > 0]
    k = len(some)
    mean = sum(d / r for d, r in some) / k
    pulled = [(d + mean + 1) / (r + 3) for d, r in some]
    each = [s * (1 - s) / r for s, (_, r) in zip(pulled, some, strict=True)]
    df = max(sum(each) ** 2 / sum(v * v / r for v, (_, r) in zip(each, some, strict=True)), 1.0)
    smooth = sum(pulled) / k
    n = student(smooth * (1 - smooth) * k**2 / sum(each), df, level)
    low, high = mid_p(mean * n, n, level)
    return low * k / averaged, high * k / averaged


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["recall", "precision"])
def test_means_of_recalls_and_precisions_are_shares_of_an_effective_number_of_items(name: str, level: float) -> None:
    for table in WIDE:
        hit, gold, pred = margins(table)
        trials = gold if name == "recall" else pred
        seen = sum(g + p > 0 for g, p in zip(gold, pred, strict=True))
        defined = sum(n > 0 for n in trials)
        total = sum(d / n for d, n in zip(hit, trials, strict=True) if n > 0)
        undefined: Any
        for undefined, averaged in (("zero", seen), ("exclude", defined)):
            found = assay.estimate(name, counted(table), average="macro", undefined=undefined, level=level)
            assert found.method == "effective_n"
            assert found.value == pytest.approx(total / averaged, abs=1e-12)
            expected = settled(mean_share_limits(hit, trials, averaged, level), total / averaged, 0)
            assert limits(found) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("level", LEVELS)
def test_balanced_accuracy_is_a_mean_over_the_classes_with_gold_items(level: float) -> None:
    for table in WIDE:
        hit, gold, _ = margins(table)
        k = sum(n > 0 for n in gold)
        value = sum(d / n for d, n in zip(hit, gold, strict=True) if n > 0) / k
        found = assay.estimate("balanced_accuracy", counted(table), level=level)
        expected = settled(mean_share_limits(hit, gold, k, level), value, 0)
        assert limits(found) == pytest.approx(expected, abs=1e-10)


# ---------------------------------------------------------------------- macro F1
def macro_f1_limits(table: Table, level: float) -> Limits:
    """Effective n, two guesses of the downward bias, and Student's quantile with Satterthwaite's degrees of freedom."""
    hit, gold, pred = margins(table)
    classes = [i for i in range(len(table)) if gold[i] + pred[i] > 0]
    k = len(classes)
    union = {i: gold[i] + pred[i] - hit[i] for i in classes}
    jaccard = {i: hit[i] / union[i] for i in classes}
    mean_jaccard = sum(jaccard.values()) / k
    s = {i: (hit[i] + mean_jaccard + 1) / (union[i] + 3) for i in classes}
    var_j = {i: s[i] * (1 - s[i]) / union[i] for i in classes}
    var_f = {i: (2 / (1 + s[i]) ** 2) ** 2 * var_j[i] for i in classes}
    f = {i: 2 * jaccard[i] / (1 + jaccard[i]) for i in classes}
    own, shared = sum(var_f.values()), 0.0
    for i in classes:
        for j in classes:
            if i != j:
                both = (gold[i] + pred[i]) * (gold[j] + pred[j])
                shared += f[i] * f[j] * (table[i][j] + table[j][i]) / both
    # The errors that smoothing adds to each class lie between two classes, and lower the F1 of both, as those seen do:
    # with m of them in all, each pair of classes has its part of m as if the errors met by chance.
    more = {i: max(union[i] * (1 - s[i]) - (union[i] - hit[i]), 0.0) for i in classes}
    pairs = [(i, j) for i in classes for j in classes if i != j]
    meet = sum(more[i] * more[j] for i, j in pairs)
    if meet > 0:
        lost = {i: f[i] / (gold[i] + pred[i]) for i in classes}
        shared += sum(more.values()) * sum(more[i] * lost[i] * more[j] * lost[j] for i, j in pairs) / meet
    variance = (own + shared) / k**2
    df = max(own**2 / sum(var_f[i] ** 2 / union[i] for i in classes), 1.0)
    hardly = {i: (hit[i] + mean_jaccard) / (union[i] + 1) for i in classes}
    least = sum(2 * hardly[i] * (1 - hardly[i]) / union[i] / (1 + hardly[i]) ** 3 for i in classes) / k
    most = sum(2 * var_j[i] / (1 + s[i]) ** 3 for i in classes) / k
    smooth = sum(2 * s[i] / (1 + s[i]) for i in classes) / k
    n = student(smooth * (1 - smooth) / variance, df, level)
    low, high = (mid_p(min(sum(f.values()) / k + bias, 1.0) * n, n, level) for bias in (least, most))
    return low[0], high[1]


@pytest.mark.parametrize("level", LEVELS)
def test_macro_f1_is_a_share_with_two_guesses_of_its_bias_and_students_quantile(level: float) -> None:
    for table in WIDE:
        hit, gold, pred = margins(table)
        each = [2 * d / (g + p) for d, g, p in zip(hit, gold, pred, strict=True) if g + p > 0]
        value = sum(each) / len(each)
        found = assay.estimate("f1(average=macro)", counted(table), level=level)
        assert found.method == "effective_n"
        assert found.value == pytest.approx(value, abs=1e-12)
        assert limits(found) == pytest.approx(settled(macro_f1_limits(table, level), value, 0), abs=1e-8)


# ---------------------------------------------------------------------- R_K
def shares(table: Table) -> tuple[float, float, float]:
    """The share of agreement, what the margins let expect, and the product of both spreads."""
    hit, gold, pred = margins(table)
    n = sum(gold)
    agree = sum(hit) / n
    chance = sum(g * p for g, p in zip(gold, pred, strict=True)) / n**2
    spread = (1 - sum((g / n) ** 2 for g in gold)) * (1 - sum((p / n) ** 2 for p in pred))
    return agree, chance, math.sqrt(max(spread, 0.0))


def r_k(table: Table) -> float:
    """The correlation of a table."""
    agree, chance, scale = shares(table)
    return (agree - chance) / scale


def influence(table: Table, value: Callable[[Table], float], i: int, j: int) -> float:
    """How fast the value moves with one cell."""
    step = 1e-5 * max(table[i][j], 1e-2)
    up, down = ([list(row) for row in table] for _ in range(2))
    up[i][j] += step
    down[i][j] -= step
    return (value(up) - value(down)) / (2 * step)


def delta_variance(table: Table, value: Callable[[Table], float]) -> float:
    """Σ over cells of count · influence²."""
    k = range(len(table))
    return sum(table[i][j] * influence(table, value, i, j) ** 2 for i in k for j in k)


def r_k_limits(table: Table, level: float) -> Limits:
    """The mean of the limits that follow a Jaccard-like share and those that follow the share of agreement."""
    k = len(table)
    smooth = [[x + 1 / k**2 for x in row] for row in table]
    variance = delta_variance(smooth, r_k)

    # The largest correct cell stands apart; where several are equally large, each stands apart by its part.
    top = max(table[i][i] for i in range(k))
    tied = sum(table[i][i] == top for i in range(k))
    apart = [1 / tied if table[i][i] == top else 0.0 for i in range(k)]

    def right_and_wrong(t: Table) -> tuple[float, float]:
        right = sum((1 - apart[i]) * t[i][i] for i in range(k))
        return right, sum(t[i][j] for i in range(k) for j in range(k) if i != j)

    right, wrong = right_and_wrong(table)
    right_s, wrong_s = right_and_wrong(smooth)
    base = right_s / (right_s + wrong_s)

    def at(x: float) -> float:
        moved = [[cell * (1 - x) / (1 - base) for cell in row] for row in smooth]
        for i in range(k):
            moved[i][i] = smooth[i][i] * (apart[i] + (1 - apart[i]) * x / base)
        return r_k(moved)

    slope = (at(base + 1e-5) - at(base - 1e-5)) / 2e-5
    n = min(base * (1 - base) * slope**2 / variance, right + wrong)
    by_jaccard = [at(min(max(x, 1e-9), 1 - 1e-9)) for x in mid_p(right / (right + wrong) * n, n, level)]

    agree, chance, scale = shares(table)
    agree_s, _, scale_s = shares(smooth)
    n = agree_s * (1 - agree_s) / (variance * scale_s**2)
    by_agreement = [min(max((x - chance) / scale, -1.0), 1.0) for x in mid_p(agree * n, n, level)]
    return (by_jaccard[0] + by_agreement[0]) / 2, (by_jaccard[1] + by_agreement[1]) / 2


@pytest.mark.parametrize("level", LEVELS)
def test_r_k_is_the_mean_of_two_shares_and_null_where_one_side_has_one_class(level: float) -> None:
    checked = 0
    for table in WIDE:
        _, gold, pred = margins(table)
        found = assay.estimate("mcc", counted(table), level=level)
        if min(sum(x > 0 for x in side) for side in (gold, pred)) < 2:
            assert found.value == 0
            assert found.interval is None
            continue
        checked += 1
        assert found.method == "effective_n"
        assert found.value == pytest.approx(r_k(table), abs=1e-12)
        # Derivatives are taken by differences there and here, with different steps.
        assert limits(found) == pytest.approx(settled(r_k_limits(occurring(table), level), r_k(table), -1), abs=1e-6)
    assert checked > 70


def test_r_k_is_null_where_one_side_has_one_class_however_the_rows_are_weighted() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        gold, pred = rng.integers(0, 4, 50), np.full(50, seed % 4)
        tally = Confusion.from_predictions(gold, pred, labels=range(4), sample_weight=rng.random(50))
        found = assay.estimate("mcc", tally)
        assert found.interval is None
        assert found.reason == "no interval: all gold labels or all predicted labels are one class"


# ---------------------------------------------------------------------- other measures of three classes and more
def f1_of_means(table: Table) -> float:
    """The harmonic mean of macro precision and macro recall."""
    classes = [(d, g, p) for d, g, p in zip(*margins(table), strict=True) if g + p > 0]
    precision = sum(d / p for d, _, p in classes if p > 0) / len(classes)
    recall = sum(d / g for d, g, _ in classes if g > 0) / len(classes)
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def symmetric(table: Table) -> float:
    """Symmetric balanced accuracy."""
    n = sum(map(sum, table))
    classes = [(d, g, p) for d, g, p in zip(*margins(table), strict=True) if g + p > 0]
    return sum((d / g if g > 0 else p / n) + (d / p if p > 0 else g / n) for d, g, p in classes) / (2 * len(classes))


def weighted_f1(table: Table) -> float:
    """The mean of the classes' F1s by their number of gold items."""
    hit, gold, pred = margins(table)
    return sum(g * 2 * d / (g + p) for d, g, p in zip(hit, gold, pred, strict=True) if g > 0) / sum(gold)


SMOOTHED: dict[str, Callable[[Table], float]] = {
    "f1_of_means": f1_of_means,
    "symmetric_balanced_accuracy": symmetric,
    "f1(average=weighted)": weighted_f1,
}


def smoothed_limits(table: Table, value: Callable[[Table], float], level: float) -> Limits:
    """Wilson with an effective n from the mean of two variances: delta with one item spread out, and jackknife."""
    k, total = len(table), sum(map(sum, table))
    smooth = [[x + 1 / k**2 for x in row] for row in table]
    second = fourth = 0.0
    left_out = []
    for i in range(k):
        for j in range(k):
            u = influence(smooth, value, i, j)
            second, fourth = second + smooth[i][j] * u**2, fourth + smooth[i][j] * u**4
            if table[i][j] > 0:
                less = [list(row) for row in table]
                less[i][j] -= 1
                left_out.append((value(less) if total > 1 else math.nan, table[i][j]))
    t = float(stats.t.ppf((1 + level) / 2, max(2 * second**2 / fourth - 1, 2)))
    if total > 1:
        mean = sum(v * times for v, times in left_out) / total
        second = (second + (total - 1) / total * sum(times * (v - mean) ** 2 for v, times in left_out)) / 2
    share = value(smooth)
    return wilson(value(table), share * (1 - share) / second * (z_of(level) / t) ** 2, z_of(level))


@pytest.mark.parametrize("name", SMOOTHED)
def test_measures_without_a_form_of_their_own_have_the_smoothed_interval(name: str) -> None:
    value = SMOOTHED[name]
    for table in WIDE[::4]:
        for level in LEVELS:
            found = assay.estimate(name, counted(table), level=level)
            assert found.method == "smoothed"
            assert found.value == pytest.approx(value(table), abs=1e-12)
            expected = settled(smoothed_limits(occurring(table), value, level), value(table), 0)
            assert limits(found) == pytest.approx(expected, abs=1e-6)


# ---------------------------------------------------------------------- ROC AUC
def auc_limits(pos: list[float], neg: list[float], z: float) -> Limits:
    """A fifth of an item at either end of each class, DeLong's variance of that, pair by pair."""
    a = 0.2
    heavy_pos = [(x, 1.0) for x in pos] + [(-math.inf, a), (math.inf, a)]
    heavy_neg = [(x, 1.0) for x in neg] + [(-math.inf, a), (math.inf, a)]
    m, n = len(pos) + 2 * a, len(neg) + 2 * a

    def won(x: float, y: float) -> float:
        return 1.0 if x > y else 0.5 if x == y else 0.0

    above = [sum(w * won(x, y) for y, w in heavy_neg) / n for x, _ in heavy_pos]
    below = [sum(w * won(x, y) for x, w in heavy_pos) / m for y, _ in heavy_neg]
    smooth = sum(w * v for (_, w), v in zip(heavy_pos, above, strict=True)) / m
    variance = 0.0
    for heavy, placed, size in ((heavy_pos, above, m), (heavy_neg, below, n)):
        squares = sum(w * (v - smooth) ** 2 for (_, w), v in zip(heavy, placed, strict=True))
        variance += squares / (max(size - 1, 0.5) * size)
    raw = sum(won(x, y) for x in pos for y in neg) / (len(pos) * len(neg))
    return wilson(raw, smooth * (1 - smooth) / variance, z)


@pytest.mark.parametrize("level", LEVELS)
def test_the_area_is_a_share_of_an_effective_number_of_items(level: float) -> None:
    rng = np.random.default_rng(3)
    for i in range(60):
        m, n = (int(x) for x in rng.integers(1, (3, 12, 40)[i % 3], 2))
        digits = i % 4
        pos = np.round(rng.normal((0.0, 1.0, 6.0)[i // 3 % 3], 1 + i % 2, m), digits).tolist()  # 6: fully apart
        neg = np.round(rng.normal(size=n), digits).tolist()
        if i % 10 == 9:
            pos, neg = neg, pos
        value = sum((x > y) + (x == y) / 2 for x in pos for y in neg) / (len(pos) * len(neg))
        tally = Scored.from_scores([1] * len(pos) + [0] * len(neg), pos + neg)
        found = assay.estimate("roc_auc", tally, level=level)
        assert found.method == "effective_n"
        assert found.value == pytest.approx(value, abs=1e-12)
        assert limits(found) == pytest.approx(settled(auc_limits(pos, neg, z_of(level)), value, 0), abs=1e-10), i


# ---------------------------------------------------------------------- large tables
def half_width(found: Estimate) -> float:
    """Half of what lies between the limits."""
    low, high = limits(found)
    return (high - low) / 2


def macro(which: str) -> Callable[[Table], float]:
    """Means over classes, written for a table whose classes all occur."""

    def value(table: Table) -> float:
        hit, gold, pred = margins(table)
        bottoms = {"recall": gold, "precision": pred, "f1": [(g + p) / 2 for g, p in zip(gold, pred, strict=True)]}
        return sum(d / n for d, n in zip(hit, bottoms[which], strict=True)) / len(hit)

    return value


def first_class_f1(table: Table) -> float:
    """F1 of the first class."""
    hit, gold, pred = margins(table)
    return 2 * hit[0] / (gold[0] + pred[0])


THREE: Table = [[30, 5, 2], [3, 12, 6], [1, 4, 9]]
FOUR: Table = [[50, 1, 3, 2], [4, 6, 1, 2], [3, 2, 8, 1], [2, 3, 1, 4]]
MACRO: dict[str, Callable[[Table], float]] = {
    "recall(average=macro)": macro("recall"),
    "precision(average=macro)": macro("precision"),
    "f1(average=macro)": macro("f1"),
    "mcc": r_k,
}
LARGE: list[tuple[str, Table, Callable[[Table], float]]] = [
    ("f1", [[30, 9], [6, 55]], first_class_f1),
    *((name, THREE, value) for name, value in MACRO.items()),
    *((name, FOUR, value) for name, value in (MACRO | SMOOTHED).items()),
]


@pytest.mark.parametrize(("name", "table", "value"), LARGE)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_closed_forms_approach_the_delta_method(
    name: str, table: Table, value: Callable[[Table], float], level: float
) -> None:
    gaps = []
    for scale in (10, 1_000, 100_000):
        grown = [[scale * x for x in row] for row in table]
        tally = Confusion.from_matrix(
            grown, [f"c{i}" for i in range(len(table))], positive="c0" if len(table) == 2 else None
        )
        ratio = half_width(assay.estimate(name, tally, level=level)) / (
            z_of(level) * math.sqrt(delta_variance(grown, value))
        )
        gaps.append(abs(ratio - 1))
    # What the added items change fades like 1 / n.
    assert gaps[1] < 0.01
    assert gaps[2] < 1e-4
    assert gaps[0] > gaps[1] > gaps[2]


@pytest.mark.parametrize("shift", [0.3, 1.0, 2.5])
def test_the_area_approaches_delongs_interval(shift: float) -> None:
    gaps = []
    for m in (40, 400, 4_000):
        n = 3 * m
        pos, neg = stats.norm.ppf((np.arange(m) + 0.5) / m) + shift, stats.norm.ppf((np.arange(n) + 0.5) / n)
        above, below = (np.searchsorted(neg, pos) / n, 1 - np.searchsorted(pos, neg) / m)  # no ties
        se = math.sqrt(float(above.var(ddof=1)) / m + float(below.var(ddof=1)) / n)
        tally = Scored.from_scores(np.repeat([1, 0], [m, n]), np.concatenate([pos, neg]))
        gaps.append(abs(half_width(assay.estimate("roc_auc", tally)) / (z_of(0.95) * se) - 1))
    assert gaps[2] < 0.01
    assert gaps[0] > gaps[1] > gaps[2]


def plain_limits(name: str, table: Table, level: float) -> Limits:
    """The formula of a measure, on a table whose classes all occur."""
    hit, gold, pred = margins(table)
    if name == "mcc":
        return r_k_limits(table, level)
    if name == "f1(average=macro)":
        return macro_f1_limits(table, level)
    return mean_share_limits(hit, gold if name.startswith("recall") else pred, len(table), level)


def table_of(gold: NDArray[np.int64], pred: NDArray[np.int64], weight: NDArray[np.float64], k: int) -> Table:
    """Sums of weights in every cell."""
    return [[float(weight[(gold == i) & (pred == j)].sum()) for j in range(k)] for i in range(k)]


def answers(seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Gold labels of three classes and two systems, on 80 rows."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, 80)
    a, b = (np.where(rng.random(80) < right, gold, rng.integers(0, 3, 80)) for right in (0.8, 0.5))
    return gold, a, b


@pytest.mark.parametrize("name", MACRO)
def test_a_joint_table_gives_each_system_the_interval_of_its_own_table(name: str) -> None:
    gold, a, b = answers(5)
    compared = assay.compare(gold, a, b, measure=name, test="none")
    for side, pred in ((compared.a, a), (compared.b, b)):
        expected = plain_limits(name, table_of(gold, pred, np.ones(80), 3), 0.95)
        assert limits(side) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", MACRO)
@pytest.mark.parametrize("level", LEVELS)
def test_weights_shrink_the_table_by_what_they_add_to_the_variance(name: str, level: float) -> None:
    gold, pred, _ = answers(6)
    weight = np.random.default_rng(6).gamma(0.8, size=80)
    total, squares = (table_of(gold, pred, w, 3) for w in (weight, weight**2))
    unequal = plain = 0.0
    for i in range(3):
        for j in range(3):
            u = influence(total, MACRO[name], i, j)
            unequal, plain = unequal + squares[i][j] * u**2, plain + total[i][j] * u**2
    shrunk = [[x * plain / unequal for x in row] for row in total]
    found = assay.estimate(name, Confusion.from_predictions(gold, pred, sample_weight=weight), level=level)
    assert found.method == "effective_n"
    assert limits(found) == pytest.approx(plain_limits(name, shrunk, level), abs=1e-6)


@pytest.mark.parametrize("name", MACRO | SMOOTHED)
def test_intervals_of_many_weighted_rows_approach_the_linearized_variance(name: str) -> None:
    rng = np.random.default_rng(7)
    n, value = 20_000, (MACRO | SMOOTHED)[name]
    gold = rng.integers(0, 3, n)
    pred = np.where(rng.random(n) < 0.7, gold, rng.integers(0, 3, n))
    weight = rng.gamma(0.5, 1 + gold)  # heavier where the class is higher
    total, squares = (table_of(gold, pred, w, 3) for w in (weight, weight**2))
    variance = sum(squares[i][j] * influence(total, value, i, j) ** 2 for i in range(3) for j in range(3))
    found = assay.estimate(name, Confusion.from_predictions(gold, pred, sample_weight=weight))
    # What is added for small tables is of the order of 1 / n of the classes.
    assert half_width(found) == pytest.approx(z_of(0.95) * math.sqrt(variance), rel=2e-3)
