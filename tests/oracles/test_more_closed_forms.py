"""Closed forms of F-beta, kappa, costs and of two classes, against the same formulas written out plainly, their special
cases in SciPy 1.17 and statsmodels 0.15, and the delta method that they must approach as tables grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.inter_rater import cohens_kappa

import assay
from assay import Confusion, Estimate
from assay.errors import OptionError
from assay.measures import closed
from assay.measures.forms import Effective, EffectiveN
from assay.tally.margins import Cells, Margins, OneVsRest
from tests.oracles.stand_ins import f_of, kappa_of, made, mean_cost

Floats = NDArray[np.float64]
Limits = tuple[float, float]
LEVELS = (0.8, 0.95, 0.99)

F_BETA = made(
    f_of, OneVsRest, (0, 1), EffectiveN("effective_n", closed.f_beta, takes_options=True), beta=1.0, alpha=None
)
KAPPA = made(
    kappa_of,
    Margins,
    (-1, 1),
    EffectiveN("effective_n", closed.kappa, reads=Cells, classes=(3, 2000)),
    name="cohen_kappa",
)


def z_of(level: float) -> float:
    """The normal quantile."""
    return float(stats.norm.ppf((1 + level) / 2))


def wilson(p: float, n: float, z: float) -> Limits:
    """Both solutions x of (x − p)² = z² x (1 − x) / n."""
    low, high = sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)
    return max(float(low), 0.0), min(float(high), 1.0)


def limits(found: Estimate) -> Limits:
    """Both limits."""
    assert found.low is not None, found.reason
    assert found.high is not None, found.reason
    return found.low, found.high


def ends(share: Effective, z: float) -> Limits:
    """The limits of a share, carried back."""
    low, high = wilson(share.centre, share.n, z)
    return share.back(low), (share.back_high or share.back)(high)


def counts(tp: float, fp: float, fn: float, tn: float = 5) -> OneVsRest:
    """Four counts."""
    return OneVsRest(*(np.asarray(x, float) for x in (tp, fp, fn, tn)))


def cells(table: Any) -> Cells:
    """The cells of a table with gold classes in rows."""
    t = np.asarray(table, float)
    gold, pred = (x.ravel() for x in np.indices(t.shape))
    return Cells(t.ravel(), gold, pred, len(t), len(t))


def counted(table: Any) -> Confusion:
    """The table as a tally."""
    return Confusion.from_matrix(np.asarray(table).astype(int), [f"c{i}" for i in range(len(table))])


def delta_error(table: Floats, value: Callable[[Floats], float]) -> float:
    """The root of Σ count · influence², by differences cell by cell."""
    total = 0.0
    for cell in np.ndindex(*table.shape):
        count = float(table[cell])
        step = 1e-5 * max(count, 1e-3)
        up, down = table.copy(), table.copy()
        up[cell] += step
        down[cell] -= step
        total += count * ((value(up) - value(down)) / (2 * step)) ** 2
    return math.sqrt(total)


def tables(k: int, seed: int, size: int = 40) -> Iterator[Floats]:
    """Tables with empty cells, perfect and all wrong ones among them, in which both sides have two classes."""
    rng = np.random.default_rng(seed)
    for i in range(size):
        table = rng.poisson(rng.gamma(0.7, (0.5, 4, 30)[i % 3], (k, k))) + np.diag(rng.poisson((2, 9, 50)[i % 3], k))
        if i % 7 == 3:
            table = np.diag(np.diag(table))
        if i % 11 == 5:
            table = table - np.diag(np.diag(table))
        if i % 13 == 6:
            table[0, 0] = table[1, 1]
        if min(np.count_nonzero(table.sum(axis)) for axis in (0, 1)) > 1:
            yield table.astype(float)


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
    assert share.back(share.centre) == pytest.approx(60 / 130)
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
def kappa(table: Floats) -> float:
    """Cohen's kappa."""
    p = table / table.sum()
    chance = float(p.sum(1) @ p.sum(0))
    return (float(np.trace(p)) - chance) / (1 - chance)


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
    centre = sum(w * x for w, x in smooth) / (n + 1)
    variance = sum(w * (x - centre) ** 2 for w, x in smooth) / (n + 1) ** 2
    first, second = wilson(mean, centre * (1 - centre) / variance, z)
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


# ---------------------------------------------------------------------- two classes, by name
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
    """Prevalence, and what each gold class is labelled as."""
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
        assay.estimate("mcc", Confusion.from_matrix(np.eye(3, dtype=int) + 1, "abc"), method="mover")
    with pytest.raises(OptionError, match="balanced_accuracy has no closed form called 'mover' here"):
        assay.estimate("balanced_accuracy", Confusion.from_counts(tp=3, fp=1, fn=1, tn=3), method="mover")
    found = assay.estimate("mcc", Confusion.from_counts(tp=3, fp=1, fn=0, tn=0), method="mover")
    assert found.interval is None


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
