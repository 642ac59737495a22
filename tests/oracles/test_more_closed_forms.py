"""Closed forms of F-beta, kappa and costs, against the same formulas written out plainly, their special
cases in SciPy 1.17 and statsmodels 0.15, and the delta method that they must approach as tables grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.inter_rater import cohens_kappa

import assay
from assay import Confusion
from assay.measures import closed
from assay.measures.forms import Effective, EffectiveN
from assay.tally.margins import Cells, Margins, OneVsRest
from tests.oracles.plain import (
    KAPPA,
    LEVELS,
    Floats,
    Limits,
    cells,
    counted,
    counts,
    delta_error,
    ends,
    kappa,
    limits,
    tables,
    wilson,
    z_of,
)
from tests.oracles.stand_ins import f_of, made, mean_cost

F_BETA = made(
    f_of, OneVsRest, (0, 1), EffectiveN("effective_n", closed.f_beta, takes_options=True), beta=1.0, alpha=None
)


# ---------------------------------------------------------------------- F-beta
@pytest.mark.parametrize("level", LEVELS)
def test_f_beta_is_precision_recall_and_the_jaccard_share_at_its_ends_and_in_the_middle(level: float) -> None:
    rng, z = np.random.default_rng(1), z_of(level)
    for i in range(60):
        tp, fp, fn = (int(x) for x in rng.poisson((1, 6, 70)[i % 3], 3))
        if tp + fp > 0:
            exact = stats.binomtest(tp, tp + fp).proportion_ci(level, method="wilson")
            for share in (closed.f_beta(counts(tp, fp, fn), 0.0), closed.f_beta(counts(tp, fp, fn), 7.0, alpha=1.0)):
                assert ends(share, z) == pytest.approx((exact.low, exact.high), abs=1e-9)
        if tp + fn > 0:
            exact = stats.binomtest(tp, tp + fn).proportion_ci(level, method="wilson")
            for share in (closed.f_beta(counts(tp, fp, fn), math.inf), closed.f_beta(counts(tp, fp, fn), 1.0, 0.0)):
                assert ends(share, z) == pytest.approx((exact.low, exact.high), abs=1e-9)
        if tp + fp + fn > 0:
            exact = stats.binomtest(tp, tp + fp + fn).proportion_ci(level, method="wilson")
            for share in (closed.f_beta(counts(tp, fp, fn)), closed.f_beta(counts(tp, fp, fn), 9.0, alpha=0.5)):
                assert ends(share, z) == pytest.approx([2 * j / (1 + j) for j in (exact.low, exact.high)], abs=1e-9)


def test_f_beta_at_one_is_the_form_of_f1_to_the_last_digits() -> None:
    for tp, fp, fn in ((0, 3, 1), (8, 0, 0), (20, 7, 31), (900, 3, 40)):
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=9)
        for level in LEVELS:
            f1, found = assay.estimate("f1", tally, level=level), assay.estimate(F_BETA, tally, level=level)
            assert limits(found) == pytest.approx(limits(f1), abs=1e-12)


def f_beta_limits(tp: float, fp: float, fn: float, beta: float, z: float) -> Limits:
    """Wilson with the effective weight of an error, as the coverage study writes it."""
    w = beta**2 / (1 + beta**2)
    error = (w**2 * (fn + 0.5) + (1 - w) ** 2 * (fp + 0.5)) / (w * (fn + 0.5) + (1 - w) * (fp + 0.5))
    m = tp + (w * fn + (1 - w) * fp) / error
    low, high = wilson(tp / m, m, z)
    return low / (low + error * (1 - low)), high / (high + error * (1 - high))


@pytest.mark.parametrize("beta", [0.25, 0.5, 2.0, 5.0])
def test_f_beta_counts_an_error_for_what_it_weighs_on_average(beta: float) -> None:
    rng = np.random.default_rng(2)
    for i in range(60):
        tp, fp, fn = (int(x) for x in rng.poisson((1, 6, 70)[i % 3], 3))
        if tp + fp + fn == 0:
            continue
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=3)
        for level in LEVELS:
            by_beta = assay.estimate(F_BETA, tally, beta=beta, level=level)
            by_alpha = assay.estimate(F_BETA, tally, alpha=1 / (1 + beta**2), level=level)
            low, high = f_beta_limits(tp, fp, fn, beta, z_of(level))
            value = float(by_beta)
            assert limits(by_beta) == pytest.approx((min(low, value), max(high, value)), abs=1e-9)
            assert limits(by_alpha) == pytest.approx(limits(by_beta), abs=1e-12)


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_beta_approaches_the_delta_method(beta: float) -> None:
    w = beta**2 / (1 + beta**2)
    table = 1e5 * np.array([[50.0, 9.0], [20.0, 30.0]])

    def value(t: Floats) -> float:
        return float(t[1, 1] / (t[1, 1] + w * t[1, 0] + (1 - w) * t[0, 1]))

    tally = Confusion.from_matrix(table.astype(int), "01")
    low, high = limits(assay.estimate(F_BETA, tally, beta=beta))
    assert (high - low) / 2 == pytest.approx(z_of(0.95) * delta_error(table, value), rel=1e-3)


# ---------------------------------------------------------------------- the pooled Jaccard index, and mirrored means
def test_the_pooled_jaccard_index_is_carried_from_accuracy() -> None:
    for table in tables(4, 3):
        right, n = float(np.trace(table)), float(table.sum())
        margins = Margins(np.diag(table), table.sum(1), table.sum(0))
        exact = stats.binomtest(int(right), int(n)).proportion_ci(method="wilson")
        expected = [x / (2 - x) for x in (exact.low, exact.high)]
        assert ends(closed.micro_jaccard(OneVsRest.pooled(margins)), z_of(0.95)) == pytest.approx(expected, abs=1e-9)


def test_rows_without_a_predicted_class_are_missed_once_and_never_false() -> None:
    # 60 right, 30 wrong, 10 without an answer: 60 / (60 + 40 missed + 30 false).
    share = closed.micro_jaccard(counts(60, 30, 40))
    assert share.back(share.center) == pytest.approx(60 / 130)
    assert (share.back(0.0), share.back(1.0)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("missed", "found"), [(closed.macro_fnr, "recall"), (closed.macro_fdr, "precision")], ids=["fnr", "fdr"]
)
def test_means_of_what_is_missed_are_one_minus_the_means_of_what_is_found(
    missed: Callable[[OneVsRest], Effective], found: str
) -> None:
    for table in tables(4, 4):
        margins = Margins(np.diag(table), table.sum(1), table.sum(0))
        low, high = ends(missed(OneVsRest.every(margins)), z_of(0.95))
        mirrored = assay.estimate(found, counted(table), average="macro")
        value = float(mirrored)
        # The interval of the measure is drawn to its estimate where it missed it.
        assert (min(1 - high, value), max(1 - low, value)) == pytest.approx(limits(mirrored), abs=1e-9)


# ---------------------------------------------------------------------- kappa
def kappa_limits(table: Floats, z: float) -> Limits:
    """The limits that follow a Jaccard-like share of the cells outside the largest correct one."""
    k = len(table)
    smooth = table + 1 / k**2
    variance = delta_error(smooth, kappa) ** 2
    top = np.diag(table).max()
    apart = (np.diag(table) == top) / (np.diag(table) == top).sum()

    def right_and_wrong(t: Floats) -> tuple[float, float]:
        return float((np.diag(t) * (1 - apart)).sum()), float(t.sum() - np.trace(t))

    right, wrong = right_and_wrong(table)
    right_s, wrong_s = right_and_wrong(smooth)
    base = right_s / (right_s + wrong_s)

    def at(x: float) -> float:
        moved = smooth * (1 - x) / (1 - base)
        np.fill_diagonal(moved, np.diag(smooth) * (apart + (1 - apart) * x / base))
        return kappa(moved)

    slope = (at(base + 1e-5) - at(base - 1e-5)) / 2e-5
    n = min(base * (1 - base) * slope**2 / variance, max(right + wrong, 1))
    low, high = wilson(right / (right + wrong), n, z)
    return at(max(low, 1e-9)), at(min(high, 1 - 1e-9))


@pytest.mark.parametrize("level", LEVELS)
def test_kappa_follows_a_jaccard_like_share(level: float) -> None:
    for table in [*tables(3, 5, 20), *tables(5, 6, 20)]:
        found = assay.estimate(KAPPA, counted(table), level=level)
        value = float(sk.cohen_kappa_score(*rows(table)))
        assert found.method == "effective_n"
        assert found.value == pytest.approx(value, abs=1e-12)
        low, high = kappa_limits(table, z_of(level))
        # Derivatives are taken by differences there, with other steps than here.
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-6)


def rows(table: Floats) -> tuple[list[int], list[int]]:
    """Gold and predicted classes row by row."""
    pairs = [cell for cell in np.ndindex(*table.shape) for _ in range(int(table[cell]))]
    return [g for g, _ in pairs], [p for _, p in pairs]


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_kappa_of_large_tables_has_the_error_that_statsmodels_prints(level: float) -> None:
    table = 1e4 * np.array([[30, 5, 2], [3, 12, 6], [1, 4, 9]], float)
    low, high = limits(assay.estimate(KAPPA, counted(table), level=level))
    assert (high - low) / 2 == pytest.approx(z_of(level) * float(cohens_kappa(table).std_kappa), rel=1e-3)


def test_kappa_has_no_interval_where_one_side_has_one_class() -> None:
    found = assay.estimate(KAPPA, Confusion.from_matrix([[5, 0, 0], [3, 0, 0], [2, 0, 0]], "abc"))
    assert found.interval is None
    assert found.reason == "no interval: all gold labels or all predicted labels are one class"


# ---------------------------------------------------------------------- costs
COSTS = ((0.0, 1.0, 4.0), (2.0, -1.0, 1.0), (10.0, 3.0, 0.5))


def cost_limits(table: Floats, costs: Floats, z: float) -> Limits:
    """The mean as a position between the lowest and the highest cost, with one item spread over all cells."""
    low, width = float(costs.min()), float(costs.max() - costs.min())
    every = [(float(table[c]), (float(costs[c]) - low) / width) for c in np.ndindex(*table.shape)]
    n = sum(w for w, _ in every)
    mean = sum(w * x for w, x in every) / n
    smooth = [(w + 1 / len(every), x) for w, x in every]
    center = sum(w * x for w, x in smooth) / (n + 1)
    variance = sum(w * (x - center) ** 2 for w, x in smooth) / (n + 1) ** 2
    first, second = wilson(mean, center * (1 - center) / variance, z)
    return low + width * first, low + width * second


@pytest.mark.parametrize("level", LEVELS)
def test_a_mean_cost_is_a_position_between_the_lowest_and_the_highest(level: float) -> None:
    form = EffectiveN("effective_n", closed.expected_cost, reads=Cells, takes_options=True)
    measure = made(mean_cost, Cells, (-1, 10), form, costs=COSTS)
    for table in tables(3, 7):
        found = assay.estimate(measure, counted(table), level=level)
        value = float((table * np.array(COSTS)).sum() / table.sum())
        low, high = cost_limits(table, np.array(COSTS), z_of(level))
        assert found.value == pytest.approx(value, abs=1e-12)
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-9)


def test_a_mean_cost_of_many_items_has_the_error_of_a_mean() -> None:
    rng = np.random.default_rng(8)
    table = rng.poisson(20_000, (3, 3)).astype(float)
    each = np.repeat(np.array(COSTS).ravel(), table.ravel().astype(int))
    low, high = ends(_share(closed.expected_cost(cells(table), np.array(COSTS))), z_of(0.95))
    assert (high - low) / 2 == pytest.approx(z_of(0.95) * float(stats.sem(each)), rel=1e-3)


def test_costs_of_zero_and_one_are_nearly_the_share_of_errors() -> None:
    wrong = 1 - np.eye(2)
    low, high = ends(_share(closed.expected_cost(cells([[400, 30], [20, 350]]), wrong)), z_of(0.95))
    exact = stats.binomtest(50, 800).proportion_ci(method="wilson")
    # One item more, half of it an error, in 800.
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=1e-4)


def test_equal_costs_have_no_interval() -> None:
    assert closed.expected_cost(cells([[3, 1], [1, 2]]), np.ones((2, 2))) == "every outcome costs the same"


def _share(form: Effective | str) -> Effective:
    assert isinstance(form, Effective)
    return form


# ---------------------------------------------------------------------- macro F1
def test_errors_that_name_none_of_the_classes_are_shared_by_no_two_of_them() -> None:
    # The same table, with five more items of the first class that got an answer outside the three classes.
    table = np.array([[30, 5, 2], [3, 12, 6], [1, 4, 9]], float)
    gold, pred = (x.ravel() for x in np.indices(table.shape))

    class Outside(Cells):
        @property
        def margins(self) -> Margins:
            return Margins(np.diag(table), table.sum(1) + np.array([5.0, 0, 0]), table.sum(0))

    found = closed.macro_f1(Outside(np.append(table, 5.0), np.append(gold, 0), np.append(pred, 3), 3, 4))
    m = Outside(np.zeros(0), np.zeros(0, int), np.zeros(0, int), 3, 4).margins
    union = m.gold + m.pred - m.hit
    s = (m.hit + (m.hit / union).mean() + 1) / (union + 3)
    own = (2 / (1 + s) ** 2) ** 2 * s * (1 - s) / union
    f, size = 2 * m.hit / (m.gold + m.pred), m.gold + m.pred
    shared = sum(
        f[i] * f[j] * (table[i, j] + table[j, i]) / (size[i] * size[j]) for i in range(3) for j in range(3) if i != j
    )
    level = float((2 * s / (1 + s)).mean())
    assert found.n == pytest.approx(level * (1 - level) / (float(own.sum() + shared) / 9), rel=1e-12)
