"""Closed forms of F-beta, kappa and costs, against the same formulas written out plainly, their special
cases in SciPy 1.17 and statsmodels 0.15, and the delta method that they must approach as tables grow.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.inter_rater import cohens_kappa

import assay
from assay import Confusion
from assay.measures.declare.forms import Effective, EffectiveN
from assay.measures.labels import closed_forms
from assay.tally.margins import Cells, Margins, OneVsRest
from tests.oracles.plain import (
    KAPPA,
    LEVELS,
    Floats,
    Limits,
    are_quantiles,
    cells,
    counted,
    counts,
    delta_error,
    drawn_tables,
    ends,
    kappa,
    limits,
    mid_p,
    tables,
    z_of,
)
from tests.oracles.stand_ins import made, mean_cost


# ---------------------------------------------------------------------- F-beta
def f_of_cells(fp: float, fn: float, tp: float, beta: float) -> float:
    """F-beta of three cells."""
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)


@pytest.mark.parametrize("beta", [0.5, 2.0])
@pytest.mark.parametrize("level", LEVELS)
def test_f_beta_has_quantiles_over_tables_of_the_positives_alone(level: float, beta: float) -> None:
    rng = np.random.default_rng(2)
    for tn, fp, fn, tp in ((9, 0, 0, 8), (9, 3, 1, 0), (0, 7, 31, 20), (500, 3, 40, 900)):
        found = assay.estimate("f_beta", Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn), beta=beta, level=level)
        assert found.method == "midp_draws"
        drawn = drawn_tables(rng, (tn, fp, fn, tp), 6_000, "positives")
        are_quantiles(found, (f_of_cells(*cells[1:], beta) for cells in drawn))


def test_f_beta_at_one_is_f1_but_for_the_luck_of_its_draws() -> None:
    for tp, fp, fn in ((0, 3, 1), (8, 0, 0), (40, 12, 5), (900, 3, 40)):
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=9)
        found = limits(assay.estimate("f_beta", tally, beta=1))
        # The exact tails of 2.5% are met within four times √(.025 · .975 / 9999).
        inner, outer = (limits(assay.estimate("f1", tally, level=0.95 + change)) for change in (-0.0125, 0.0125))
        assert outer[0] - 1e-9 <= found[0] <= inner[0] + 1e-9
        assert inner[1] - 1e-9 <= found[1] <= outer[1] + 1e-9


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_beta_approaches_the_delta_method(beta: float) -> None:
    table = 1e5 * np.array([[50.0, 9.0], [20.0, 30.0]])
    error = delta_error(table, lambda t: f_of_cells(t[0, 1], t[1, 0], t[1, 1], beta))
    low, high = limits(assay.estimate("f_beta", Confusion.from_matrix(table.astype(int), list("01")), beta=beta))
    # The width between two quantiles of 9,999 draws has a relative error of about 1%.
    assert (high - low) / 2 == pytest.approx(z_of(0.95) * error, rel=0.04)


# ---------------------------------------------------------------------- the pooled Jaccard index, and mirrored means
def test_the_pooled_jaccard_index_is_carried_from_accuracy() -> None:
    for table in tables(4, 3):
        right, n = float(np.trace(table)), float(table.sum())
        margins = Margins(np.diag(table), table.sum(1), table.sum(0))
        expected = [x / (2 - x) for x in mid_p(right, n, 0.95)]
        found = assay.estimate("jaccard", counted(table), average="micro")
        assert ends(closed_forms.micro_jaccard(OneVsRest.pooled(margins)), 0.95) == pytest.approx(expected, abs=1e-9)
        assert limits(found) == pytest.approx(expected, abs=1e-9)


def test_rows_without_a_predicted_class_are_missed_once_and_never_false() -> None:
    # 60 right, 30 wrong, 10 without an answer: 60 / (60 + 40 missed + 30 false).
    share = closed_forms.micro_jaccard(counts(60, 30, 40))
    assert share.back(share.center) == pytest.approx(60 / 130)
    assert (share.back(0.0), share.back(1.0)) == (0.0, 1.0)


@pytest.mark.parametrize(("missed", "found"), [("fnr", "recall"), ("fdr", "precision")])
def test_means_of_what_is_missed_are_one_minus_the_means_of_what_is_found(missed: str, found: str) -> None:
    for table in tables(4, 4):
        low, high = limits(assay.estimate(missed, counted(table), average="macro"))
        mirrored = limits(assay.estimate(found, counted(table), average="macro"))
        assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-9)


# ---------------------------------------------------------------------- kappa
def kappa_limits(table: Floats, level: float) -> Limits:
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
    low, high = mid_p(right / (right + wrong) * n, n, level)
    return at(max(low, 1e-9)), at(min(high, 1 - 1e-9))


@pytest.mark.parametrize("level", LEVELS)
def test_kappa_follows_a_jaccard_like_share(level: float) -> None:
    checked = 0
    for table in [*tables(3, 5, 20), *tables(5, 6, 20)]:
        occurs = table.sum(0) + table.sum(1) > 0
        if occurs.sum() < 3:
            continue  # the form is of three classes or more; a class that occurs nowhere is none of them
        checked += 1
        found = assay.estimate(KAPPA, counted(table), level=level)
        value = float(sk.cohen_kappa_score(*rows(table)))
        assert found.method == "effective_n"
        assert found.value == pytest.approx(value, abs=1e-12)
        low, high = kappa_limits(table[occurs][:, occurs], level)
        # Derivatives are taken by differences there, with other steps than here.
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-6)
    assert checked > 30


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
    found = assay.estimate(KAPPA, Confusion.from_matrix([[5, 0, 0], [3, 0, 0], [2, 0, 0]], list("abc")))
    assert found.interval is None
    assert found.reason == "no interval: all gold labels or all predicted labels are one class"


# ---------------------------------------------------------------------- costs
COSTS = ((0.0, 1.0, 4.0), (2.0, -1.0, 1.0), (10.0, 3.0, 0.5))


def cost_limits(table: Floats, costs: Floats, level: float) -> Limits:
    """The mean as a position between the lowest and the highest cost, with one item spread over all cells.

    The upper limit has the item at the highest cost instead, where that tells less.
    """
    low, width = float(costs.min()), float(costs.max() - costs.min())
    every = [(float(table[c]), (float(costs[c]) - low) / width) for c in np.ndindex(*table.shape)]
    n = sum(w for w, _ in every)
    mean = sum(w * x for w, x in every) / n

    def worth(rows: list[tuple[float, float]]) -> float:
        center = sum(w * x for w, x in rows) / (n + 1)
        variance = sum(w * (x - center) ** 2 for w, x in rows) / (n + 1) ** 2
        return center * (1 - center) / variance if variance > 0 else math.inf

    spread, dear = worth([(w + 1 / len(every), x) for w, x in every]), worth([*every, (1.0, 1.0)])
    first, _ = mid_p(mean * spread, spread, level)
    _, second = mid_p(mean * min(spread, dear), min(spread, dear), level)
    return low + width * first, low + width * second


@pytest.mark.parametrize("level", LEVELS)
def test_a_mean_cost_is_a_position_between_the_lowest_and_the_highest(level: float) -> None:
    form = EffectiveN("effective_n", closed_forms.expected_cost, reads=Cells, takes_options=True)
    measure = made(mean_cost, Cells, (-1, 10), form, costs=COSTS)
    for table in tables(3, 7):
        found = assay.estimate(measure, counted(table), level=level)
        value = float((table * np.array(COSTS)).sum() / table.sum())
        low, high = cost_limits(table, np.array(COSTS), level)
        assert found.value == pytest.approx(value, abs=1e-12)
        assert limits(found) == pytest.approx((min(low, value), max(high, value)), abs=1e-9)


def test_a_mean_cost_of_many_items_has_the_error_of_a_mean() -> None:
    rng = np.random.default_rng(8)
    table = rng.poisson(20_000, (3, 3)).astype(float)
    each = np.repeat(np.array(COSTS).ravel(), table.ravel().astype(int))
    low, high = ends(_share(closed_forms.expected_cost(cells(table), np.array(COSTS))), 0.95)
    assert (high - low) / 2 == pytest.approx(z_of(0.95) * float(stats.sem(each)), rel=1e-3)


def test_costs_of_zero_and_one_are_nearly_the_share_of_errors() -> None:
    wrong = 1 - np.eye(2)
    low, high = ends(_share(closed_forms.expected_cost(cells([[400, 30], [20, 350]]), wrong)), 0.95)
    # One item more in 800, half of it an error; for the upper limit all of it.
    assert (low, high) == pytest.approx(mid_p(50, 800, 0.95), abs=4e-4)


def test_equal_costs_have_no_interval() -> None:
    assert closed_forms.expected_cost(cells([[3, 1], [1, 2]]), np.ones((2, 2))) == "every outcome costs the same"


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

    found = closed_forms.macro_f1(Outside(np.append(table, 5.0), np.append(gold, 0), np.append(pred, 3), 3, 4))
    m = Outside(np.zeros(0), np.zeros(0, int), np.zeros(0, int), 3, 4).margins
    union = m.gold + m.pred - m.hit
    s = (m.hit + (m.hit / union).mean() + 1) / (union + 3)
    own = (2 / (1 + s) ** 2) ** 2 * s * (1 - s) / union
    f, size = 2 * m.hit / (m.gold + m.pred), m.gold + m.pred
    shared = sum(
        f[i] * f[j] * (table[i, j] + table[j, i]) / (size[i] * size[j]) for i in range(3) for j in range(3) if i != j
    )
    # The errors that smoothing adds are shared; those with an answer outside are not.
    more, lost = np.maximum(union * (1 - s) - (union - m.hit), 0), f / size
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    meet = sum(more[i] * more[j] for i, j in pairs)
    shared += 0 if meet == 0 else more.sum() * sum(more[i] * lost[i] * more[j] * lost[j] for i, j in pairs) / meet
    level = float((2 * s / (1 + s)).mean())
    assert found.n == pytest.approx(level * (1 - level) / (float(own.sum() + shared) / 9), rel=1e-12)


def test_macro_f1_of_good_and_bad_classes_together_has_a_variance_that_no_smoothing_turns_negative() -> None:
    # Of these classes smoothing adds errors to one and takes them from others.
    table = np.array([[99, 0, 0], [2, 28, 7], [4, 5, 15]], float)
    f = 2 * np.diag(table) / (table.sum(0) + table.sum(1))

    def value(t: Floats) -> float:
        return float((2 * np.diag(t) / (t.sum(0) + t.sum(1))).mean())

    low, high = limits(assay.estimate("f1", counted(table), average="macro"))
    assert low < f.mean() < high
    # Student's quantile and the added errors widen it a little beyond the delta method.
    assert 1 < (high - low) / 2 / (z_of(0.95) * delta_error(table, value)) < 1.25
