"""Intervals against SciPy 1.17, scikit-learn 1.9, krippendorff 0.9, and plain loops over rows, draws and cells.

Nothing here reads a tally's cells or a derivative of the code under test: rows are left out one by one, weights are
moved one by one, and the measure is asked of another library each time.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from typing import Any

import krippendorff
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats
from sklearn import metrics as sk

import assay
from assay import Comparison, Confusion, Contingency, Estimate, Ranked, Rated, Scored
from assay.measures.declare.catalogue import parse
from assay.uncertainty.one.draws import bca
from assay.uncertainty.one.influence import influences
from tests.oracles.plain import are_quantiles, drawn_share, drawn_tables, mid_p

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]
Value = Callable[..., float]

LEVELS = (0.8, 0.95, 0.99)
RANGES = {"mcc": (-1, 1), "adjusted_rand": (-0.5, 1), "krippendorff_alpha": (-1, 1)}

# Measures of gold labels, predicted labels and weights of rows.
VALUES: dict[str, Value] = {
    "accuracy": lambda y, p, w=None: float(sk.accuracy_score(y, p, sample_weight=w)),
    "balanced_accuracy": lambda y, p, w=None: float(sk.balanced_accuracy_score(y, p, sample_weight=w)),
    "mcc": lambda y, p, w=None: float(sk.matthews_corrcoef(y, p, sample_weight=w)),
    "f1(average=macro)": lambda y, p, w=None: float(
        sk.f1_score(y, p, sample_weight=w, average="macro", zero_division=0)
    ),
    "f1(average=weighted)": lambda y, p, w=None: float(
        sk.f1_score(y, p, sample_weight=w, average="weighted", zero_division=0)
    ),
    "precision(average=macro)": lambda y, p, w=None: float(
        sk.precision_score(y, p, sample_weight=w, average="macro", zero_division=0)
    ),
    "recall(average=micro)": lambda y, p, w=None: float(
        sk.recall_score(y, p, sample_weight=w, average="micro", zero_division=0)
    ),
}
BINARY: dict[str, Value] = {
    "accuracy": VALUES["accuracy"],
    "mcc": VALUES["mcc"],
    "f1": lambda y, p, w=None: float(sk.f1_score(y, p, sample_weight=w, zero_division=0)),
    "precision": lambda y, p, w=None: float(sk.precision_score(y, p, sample_weight=w, zero_division=0)),
    "balanced_accuracy": VALUES["balanced_accuracy"],
}


def answers(seed: int, n: int, k: int, right: float = 0.7) -> tuple[Labels, Labels]:
    """Gold labels in which every class occurs, and answers of which about this share is right."""
    rng = np.random.default_rng(seed)
    gold = np.concatenate([np.arange(k), rng.choice(k, n - k, p=rng.dirichlet(np.full(k, 3.0)))])
    return gold, np.where(rng.random(n) < right, gold, rng.integers(0, k, n))


def limits(found: Estimate | Comparison) -> tuple[float, float]:
    """Both limits."""
    assert found.low is not None, found.reason
    assert found.high is not None, found.reason
    return found.low, found.high


def quantile(level: float) -> float:
    """The normal quantile of a level."""
    return float(stats.norm.ppf((1 + level) / 2))


def on_logit(value: float, se: float, times: float, ends: tuple[float, float]) -> tuple[float, float]:
    """Value ± times · se, on the logit of the position between both ends."""
    low, width = ends[0], ends[1] - ends[0]
    x = (value - low) / width
    reach = times * se / width / (x * (1 - x))
    odds = x / (1 - x)
    first, second = odds * math.exp(-reach), odds * math.exp(reach)
    return low + width * first / (1 + first), low + width * second / (1 + second)


def tukey(values: list[float]) -> float:
    """The standard error of leave-one-out values."""
    mean = sum(values) / len(values)
    return math.sqrt((len(values) - 1) / len(values) * sum((v - mean) ** 2 for v in values))


# ---------------------------------------------------------------------- shares
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [1, 2, 13])
def test_wilson_and_mid_p_of_every_possible_count(n: int, level: float) -> None:
    for x in range(n + 1):
        tally = Confusion.from_counts(tp=x, fp=0, fn=n - x, tn=4)  # recall is x of n
        wilson = stats.binomtest(x, n).proportion_ci(level, method="wilson")
        found = assay.estimate("recall", tally, method="wilson", level=level)
        assert limits(found) == pytest.approx((wilson.low, wilson.high), abs=1e-12)

        def upper(hits: int) -> float:
            if hits == n:
                return 1.0
            tail = (1 - level) / 2
            equation: Any = lambda p: stats.binom.cdf(hits - 1, n, p) + stats.binom.pmf(hits, n, p) / 2 - tail  # noqa: E731
            return float(optimize.brentq(equation, 0, 1, xtol=1e-14))

        found = assay.estimate("recall", tally, method="midp", level=level)
        assert limits(found) == pytest.approx((1 - upper(n - x), upper(x)), abs=1e-10)
        assert assay.estimate("recall", tally, level=level) == found


# ---------------------------------------------------------------------- bootstrap
def resampled_mcc(y: Any, p: Any, axis: int = -1) -> Any:
    """The correlation of 0/1 labels along an axis, 0 where one side is constant."""
    y, p = np.broadcast_arrays(np.asarray(y, float), np.asarray(p, float))
    y, p = y - y.mean(axis, keepdims=True), p - p.mean(axis, keepdims=True)
    scale = np.sqrt((y * y).sum(axis) * (p * p).sum(axis))
    return np.where(scale > 0, (y * p).sum(axis) / np.where(scale > 0, scale, 1), 0)


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
@pytest.mark.parametrize("measure", ["accuracy", "mcc"])
def test_bootstrap_limits_are_those_of_scipy(measure: str, method: Any, theirs: Any, level: float) -> None:
    gold, pred = answers(5, 120, 2, 0.6)
    draws = 20_000
    if measure == "accuracy":
        data: Any = ((gold == pred).astype(float),)
        statistic: Any = np.mean
    else:
        data, statistic = (gold, pred), resampled_mcc
    expected = stats.bootstrap(
        data,
        statistic,
        paired=len(data) == 2,
        vectorized=True,
        n_resamples=draws,
        confidence_level=level,
        method=theirs,
        rng=np.random.default_rng(11),
    )
    found = assay.estimate(
        measure, Confusion.from_predictions(gold, pred), method=method, level=level, n_resamples=draws
    )
    # A quantile of 20,000 draws is uncertain by .019 standard errors and the bias of BCa adds .018: four times the
    # difference of two such limits is .15. Accuracy moves in steps of 1/120, so its quantiles may be a step apart.
    slack = 0.15 * float(expected.standard_error) + (1.01 / 120 if measure == "accuracy" else 0)
    assert limits(found) == pytest.approx(tuple(expected.confidence_interval), abs=slack)


@pytest.mark.parametrize("seed", range(5))
def test_bca_limits_of_given_draws_are_those_of_efron(seed: int) -> None:
    # Bias from the share of draws below the estimate, ties as half; acceleration from the skewness of the jackknife.
    rng = np.random.default_rng(seed)
    draws, left_out = np.round(rng.gamma(3.0, size=4_000), 2), rng.gamma(1.0, size=12)
    times = rng.integers(1, 5, 12).astype(float)
    value, level = float(np.round(np.quantile(draws, rng.uniform(0.3, 0.7)), 2)), 0.9
    below = sum(1.0 if x < value else 0.5 if x == value else 0.0 for x in draws) / len(draws)
    every = [x for x, t in zip(left_out, times, strict=True) for _ in range(int(t))]
    mean = sum(every) / len(every)
    a = sum((mean - x) ** 3 for x in every) / (6 * sum((mean - x) ** 2 for x in every) ** 1.5)
    z0, expected = float(stats.norm.ppf(below)), []
    for z in (-quantile(level), quantile(level)):
        expected.append(float(np.quantile(draws, stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))))
    found = bca(draws, value, left_out, times, level)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


# ---------------------------------------------------------------------- leaving one out
def carriers(others: list[float]) -> float:
    """The number of rows or clusters that carry the variance: (Σ d²)² / Σ d⁴ of them."""
    mean = sum(others) / len(others)
    squares = [(x - mean) ** 2 for x in others]
    return sum(squares) ** 2 / sum(d * d for d in squares)


def carried(others: list[float], each: float = 2) -> float:
    """Degrees of freedom: so many for each of that number, less one."""
    return min(max(each * carriers(others) - 1, 2), len(others) - 1)


def jackknifed(name: str, seed: int) -> tuple[Any, float, list[float]]:
    """A tally, the value of a measure on it, and its values when each row in turn is left out."""
    rng = np.random.default_rng(seed)
    n = 30
    rows = np.arange(n)
    value: Value
    tally: Any
    if name in VALUES:
        gold, pred = answers(seed, n, 3)
        tally = Confusion.from_predictions(gold, pred)
        value = lambda keep: VALUES[name](gold[keep], pred[keep])  # noqa: E731
    elif name == "adjusted_rand":
        gold, pred = answers(seed, n, 4)
        tally = Contingency.from_labels(gold, pred)
        value = lambda keep: float(sk.adjusted_rand_score(gold[keep], pred[keep]))  # noqa: E731
    elif name == "krippendorff_alpha":
        gold, _ = answers(seed, n, 3)
        ratings = np.where(rng.random((n, 4)) < 0.7, gold[:, None], rng.integers(0, 3, (n, 4))).astype(float)
        ratings[rng.random((n, 4)) < 0.3] = np.nan
        tally = Rated.from_ratings(ratings)
        value = lambda keep: float(  # noqa: E731
            krippendorff.alpha(reliability_data=ratings[keep].T, level_of_measurement="nominal")
        )
    elif name == "rr":
        ranks = rng.integers(1, 6, n).astype(float)
        ranks[:3] = np.inf
        tally = Ranked.from_rankings(
            {f"q{i}": [0.0] * 4 if r == np.inf else [0.0] * (int(r) - 1) + [1.0] for i, r in enumerate(ranks)}
        )
        value = lambda keep: float(np.mean(1 / ranks[keep]))  # noqa: E731
    else:
        gold, _ = answers(seed, n, 2)
        score = np.round(rng.normal(size=n) + gold, 1)
        tally = Scored.from_scores(gold, score)
        value = lambda keep: float(sk.roc_auc_score(gold[keep], score[keep]))  # noqa: E731
    return tally, value(rows), [value(np.delete(rows, i)) for i in rows]


@pytest.mark.parametrize(
    "name",
    [
        "mcc",
        "f1(average=macro)",
        "precision(average=macro)",
        "adjusted_rand",
        "krippendorff_alpha",
        "rr",
        "roc_auc",
    ],
)
def test_the_jackknife_is_a_loop_that_leaves_out_each_row(name: str) -> None:
    for seed in range(2):
        tally, value, others = jackknifed(name, seed)
        for level in LEVELS:
            times = float(stats.t.ppf((1 + level) / 2, carried(others)))
            expected = on_logit(value, tukey(others), times, RANGES.get(name, (0, 1)))
            found = assay.estimate(name, tally, method="jackknife", level=level)
            assert found.value == pytest.approx(value, abs=1e-12)
            assert limits(found) == pytest.approx(expected, abs=1e-10)


def clustered(seed: int, k: int) -> tuple[Labels, Labels, Labels, Labels]:
    """Gold labels, two systems, and clusters of 1 to 8 rows, some of them with the same contents."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, 14)
    cluster = np.repeat(np.arange(14), sizes)
    n = len(cluster)
    gold, a = answers(seed, n, k, 0.8)
    b = np.where(rng.random(n) < 0.5, gold, rng.integers(0, k, n))
    # Two clusters with the same two rows are one profile counted twice.
    twins = np.concatenate([cluster, [14, 14, 15, 15]])
    gold, a, b = (np.concatenate([x, x[:2], x[:2]]) for x in (gold, a, b))
    return gold, a, b, twins


def effective_df(cluster: Labels) -> float:
    """(Σ n)² / Σ n² − 1."""
    sizes = [int((cluster == c).sum()) for c in np.unique(cluster)]
    return sum(sizes) ** 2 / sum(n * n for n in sizes) - 1


@pytest.mark.parametrize("name", ["accuracy", "mcc", "f1(average=macro)", "balanced_accuracy"])
def test_whole_clusters_are_left_out_one_by_one(name: str) -> None:
    for seed, k in ((0, 2), (1, 3)):
        gold, pred, _, cluster = clustered(seed, k)
        value = VALUES[name](gold, pred)
        others = [VALUES[name](gold[cluster != c], pred[cluster != c]) for c in np.unique(cluster)]
        for level in LEVELS:
            times = float(stats.t.ppf((1 + level) / 2, carried(others, each=1.5)))
            expected = on_logit(value, tukey(others), times, RANGES.get(name, (0, 1)))
            tally = Confusion.from_predictions(gold, pred, cluster=cluster)
            found = assay.estimate(name, tally, method="cluster_jackknife", level=level)
            assert limits(found) == pytest.approx(expected, abs=1e-10)
            few = f"a few clusters carry most of the variance: effectively only {carriers(others):.1f} of the 16"
            other = "the coverage of cluster_jackknife was checked only at 90%, 95%, 99%"
            told = [*([few] if carriers(others) < 3 else []), *([other] if level == 0.8 else [])]
            assert found.notes == ("only 16 clusters", *told)


@pytest.mark.parametrize("name", ["accuracy", "mcc", "f1(average=macro)"])
def test_whole_clusters_are_left_out_of_both_systems_at_once(name: str) -> None:
    gold, a, b, cluster = clustered(2, 3)
    value = VALUES[name]
    differences = [
        value(gold[cluster != c], a[cluster != c]) - value(gold[cluster != c], b[cluster != c])
        for c in np.unique(cluster)
    ]
    d = value(gold, a) - value(gold, b)
    half = float(stats.t.ppf(0.95, effective_df(cluster))) * tukey(differences)
    found = assay.compare(gold, a, b, measure=name, cluster=cluster, level=0.9, test="none")
    assert found.difference == pytest.approx(d, abs=1e-12)
    assert limits(found) == pytest.approx((d - half, d + half), abs=1e-10)


# ---------------------------------------------------------------------- draws from a small table
def phi(tp: float, fp: float, fn: float, tn: float) -> float:
    """MCC of four shares, 0 where one side is one class."""
    scale = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return (tp * tn - fp * fn) / scale if scale > 0 else 0.0


def mean_recall(tp: float, fp: float, fn: float, tn: float) -> float:
    """Balanced accuracy of four shares, over the classes that are there."""
    recalls = [hit / gold for hit, gold in ((tp, tp + fn), (tn, tn + fp)) if gold > 0]
    return sum(recalls) / len(recalls)


CELLS = pytest.mark.parametrize(
    "cells", [(30, 5, 8, 40), (12, 0, 0, 9), (1, 2, 0, 90)], ids=["common", "perfect", "rare positives"]
)
DRAWN = pytest.mark.parametrize(
    ("name", "by_hand", "level"), [("mcc", phi, 0.95), ("balanced_accuracy", mean_recall, 0.8)], ids=["mcc", "ba"]
)


@CELLS
@DRAWN
def test_limits_of_two_classes_are_quantiles_over_tables_of_shares_with_mid_p_limits(
    name: str, by_hand: Value, level: float, cells: tuple[int, int, int, int]
) -> None:
    tp, fp, fn, tn = cells
    found = assay.estimate(name, Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn), level=level)
    assert found.method == "midp_draws"
    tables = drawn_tables(np.random.default_rng(5), (tn, fp, fn, tp), 10_000)
    are_quantiles(found, [by_hand(tp, fp, fn, tn) for tn, fp, fn, tp in tables])


@CELLS
@DRAWN
def test_dirichlet_limits_are_quantiles_over_posterior_tables(
    name: str, by_hand: Value, level: float, cells: tuple[int, int, int, int]
) -> None:
    draws = np.random.default_rng(5).dirichlet(np.array(cells) + 0.5, 10_000)
    values = np.array([by_hand(*row) for row in draws.tolist()])
    gold, pred = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])
    for row, value in zip(draws[:30], values[:30], strict=True):
        assert value == pytest.approx(BINARY[name](gold, pred, row), abs=1e-9)
    tp, fp, fn, tn = cells
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    found = assay.estimate(name, tally, level=level, method="dirichlet")
    assert found.method == "dirichlet"
    are_quantiles(found, values)


# ---------------------------------------------------------------------- influences
def moved(value: Value, gold: Labels, pred: Labels, weight: Floats) -> Floats:
    """How fast the value moves with the weight of each row: a central difference, row by row."""
    out = np.empty(len(gold))
    for i in range(len(gold)):
        step = 1e-5 * weight.mean()
        up, down = weight.copy(), weight.copy()
        up[i] += step
        down[i] -= step
        out[i] = (value(gold, pred, up) - value(gold, pred, down)) / (2 * step)
    return out


@pytest.mark.parametrize("name", VALUES)
def test_influences_are_what_moving_the_weight_of_a_row_does(name: str) -> None:
    gold, pred = answers(3, 40, 3, 0.5)
    gold, pred = np.append(gold, [3, 0]), np.append(pred, [0, 4])  # one class never predicted, one never gold
    weight = np.random.default_rng(4).gamma(1.0, size=42)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn advises on classes that are missing from one side
        expected = moved(VALUES[name], gold, pred, weight)
    measure, options = parse(name)
    for scale in (1.0, 1e-5, 1e5):
        tally = Confusion.from_predictions(gold, pred, sample_weight=scale * weight)
        found = influences(measure.bind(tally, **options), tally, tally.mass)
        units = {(int(g), int(p)): u for g, p, u in zip(tally.gold, tally.pred, found, strict=True)}
        mine = [scale * units[int(g), int(p)] for g, p in zip(gold, pred, strict=True)]
        # Both are central differences, good to about 1e-8 of the largest influence.
        assert mine == pytest.approx(expected.tolist(), abs=1e-6 * float(np.abs(expected).max())), scale


@pytest.mark.parametrize("name", VALUES)
def test_no_row_of_a_perfect_table_has_any_influence(name: str) -> None:
    gold, _ = answers(6, 80, 5)
    for weight in (None, np.random.default_rng(6).gamma(0.3, size=80)):
        tally = Confusion.from_predictions(gold, gold, sample_weight=weight)
        measure, options = parse(name)
        assert influences(measure.bind(tally, **options), tally, tally.mass).tolist() == [0.0] * 5


def exact_variance(table: list[list[int]], value: Callable[[list[list[Decimal]]], Decimal]) -> float:
    """Σ count · influence² by differences of numbers with 80 digits."""
    total, step = Decimal(0), Decimal("1e-15")
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            ends = []
            for sign in (1, -1):
                moved_table = [[Decimal(x) for x in r] for r in table]
                moved_table[i][j] += sign * step
                ends.append(value(moved_table))
            total += count * ((ends[0] - ends[1]) / (2 * step)) ** 2
    return float(total)


def exact_mcc(t: list[list[Decimal]]) -> Decimal:
    (tn, fp), (fn, tp) = t
    return (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)).sqrt()


def exact_accuracy(t: list[list[Decimal]]) -> Decimal:
    (tn, fp), (fn, tp) = t
    return (tp + tn) / (tp + tn + fp + fn)


@pytest.mark.parametrize("n", [10**2, 10**4, 10**6, 10**8])
@pytest.mark.parametrize(("name", "value"), [("mcc", exact_mcc), ("accuracy", exact_accuracy)])
def test_influences_keep_their_digits_with_few_positives_among_many_rows(
    name: str, value: Callable[[list[list[Decimal]]], Decimal], n: int
) -> None:
    table = [[n, 5], [3, 20]]
    tally = Confusion.from_matrix(table, list("ab"))
    u = influences(parse(name)[0].bind(tally), tally, tally.mass)
    with localcontext(prec=80):
        expected = exact_variance(table, value)
    # Rounding leaves 8 digits of a derivative by differences in small tables, and 4 in the largest.
    assert float((tally.mass * u**2).sum()) == pytest.approx(expected, rel=max(1e-8, 1e-12 * n))


# ---------------------------------------------------------------------- weights
WEIGHTED = (*VALUES, "f1_of_means", "symmetric_balanced_accuracy")


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("k", [2, 4])
def test_only_the_proportions_of_weights_matter(name: str, k: int) -> None:
    gold, pred = answers(8, 90, k)
    weight = np.random.default_rng(8).gamma(0.7, size=90)
    found = [
        assay.estimate(name, Confusion.from_predictions(gold, pred, sample_weight=scale * weight), n_resamples=999)
        for scale in (1.0, 1 / 90, 1e-7, 1e7)
    ]
    for each in found[1:]:
        assert each.value == pytest.approx(found[0].value, abs=1e-12)
        # Derivatives by differences carry about 8 digits.
        assert limits(each) == pytest.approx(limits(found[0]), abs=1e-6)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("right", [0.7, 1.0])
def test_equal_weights_give_the_interval_without_weights(name: str, k: int, right: float) -> None:
    gold, pred = answers(9, 80, k, right)
    plain = Confusion.from_predictions(gold, pred)
    expected = assay.estimate(name, plain, n_resamples=999)
    for each in (0.01, 1.0, 7.3):
        weight = np.full(80, each)
        tally = Confusion.from_predictions(gold, pred, sample_weight=weight)
        found = assay.estimate(name, tally, n_resamples=999)
        assert (found.method, found.interval, found.notes) == (expected.method, expected.interval, expected.notes)
        # By the rule for rows of different weight it would be the same, but for luck and rounding.
        if name != "accuracy" or k == 2:
            continue
        near = assay.estimate(name, tally, method="midp")
        assert limits(near) == pytest.approx(limits(expected), abs=1e-6)


@pytest.mark.parametrize("name", ["f1_of_means", "symmetric_balanced_accuracy", "f1(average=weighted)"])
def test_leaving_out_the_only_row_of_a_class_leaves_nothing_of_it_behind(name: str) -> None:
    gold = np.repeat([0, 1, 2, 3], [20, 15, 1, 1])
    pred = gold.copy()
    pred[[0, 3, 22]] = [1, 1, 0]
    expected = limits(assay.estimate(name, Confusion.from_predictions(gold, pred)))
    # Every tenth weight w has w² / w ≠ w in floating point, so that something of the last bits stays.
    for weight in np.random.default_rng(0).random(40):
        tally = Confusion.from_predictions(gold, pred, sample_weight=np.full(len(gold), weight))
        assert limits(assay.estimate(name, tally)) == pytest.approx(expected, abs=1e-6), weight


@pytest.mark.parametrize("name", VALUES)
def test_the_linearized_variance_is_a_sum_over_weighted_rows(name: str) -> None:
    gold, pred = answers(10, 60, 3)
    weight = np.random.default_rng(10).gamma(0.5, size=60)
    u = moved(VALUES[name], gold, pred, weight)
    se = math.sqrt(sum((w * x) ** 2 for w, x in zip(weight, u, strict=True)))
    value = VALUES[name](gold, pred, weight)
    tally = Confusion.from_predictions(gold, pred, sample_weight=weight)
    for level in LEVELS:
        expected = on_logit(value, se, quantile(level), RANGES.get(name, (0, 1)))
        found = assay.estimate(name, tally, method="logit_delta", level=level)
        assert limits(found) == pytest.approx(expected, abs=1e-6)


def test_a_weighted_share_of_three_classes_is_mid_p_on_the_number_of_rows_that_tell_as_much() -> None:
    gold, pred = answers(11, 70, 3)
    weight = np.random.default_rng(11).gamma(0.5, size=70)
    share = VALUES["accuracy"](gold, pred, weight)
    # The variance of a weighted mean of 0s and 1s, as survey samplers write it: Σ w² (x − mean)² / (Σ w)².
    variance = float((weight**2 * ((gold == pred) - share) ** 2).sum() / weight.sum() ** 2)
    n = share * (1 - share) / variance
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, pred, sample_weight=weight))
    assert found.method == "midp"
    assert "not simulated: the coverage of this interval is not known" in found.notes
    # Influences are found by differences there.
    assert limits(found) == pytest.approx(mid_p(share * n, n, 0.95), abs=1e-6)


@pytest.mark.parametrize("k", [2, 3])
def test_a_perfect_table_of_rows_that_differ_in_weight_has_no_interval(k: int) -> None:
    weight = np.random.default_rng(12).gamma(0.3, size=50)
    gold = np.arange(50) % k
    found = assay.estimate("accuracy", Confusion.from_predictions(gold, gold, sample_weight=weight))
    assert found.value == pytest.approx(1)
    assert found.interval is None
    why = "no error was observed, and weights differ from row to row, so the weight of an error is unknown"
    assert found.reason == why


def test_a_perfect_table_of_weights_by_class_is_worth_as_many_rows_as_it_has() -> None:
    # Positives were drawn 25 times as often as negatives: what an error would weigh is known.
    gold = np.repeat([0, 1], [40, 60])
    tally = Confusion.from_predictions(gold, gold, sample_weight=np.where(gold == 1, 1.0, 25.0))
    found = assay.estimate("specificity", tally, pos_label=1)
    assert found.method == "midp_draws"
    rng = np.random.default_rng(12)
    # Within the class the weights are equal, so that it is the share of 40 rows; the rest is the luck of 9,999 draws.
    are_quantiles(found, [1 - drawn_share(rng, 0, 40, float(coin)) for coin in rng.integers(0, 2, 10_000)])


@pytest.mark.parametrize("name", ["f1_of_means", "symmetric_balanced_accuracy", "f1(average=weighted)"])
def test_a_perfect_weighted_table_has_no_linearized_interval(name: str) -> None:
    gold, _ = answers(13, 60, 4)
    tally = Confusion.from_predictions(gold, gold, sample_weight=np.linspace(0.1, 3, 60))
    found = assay.estimate(name, tally, method="logit_delta")
    assert found.value == 1
    assert found.interval is None
    assert found.reason is not None


# ---------------------------------------------------------------------- differences
def systems(seed: int, n: int, k: int) -> tuple[Labels, Labels, Labels]:
    """Gold labels and two systems that often agree."""
    rng = np.random.default_rng(seed)
    gold, a = answers(seed, n, k, 0.8)
    return gold, a, np.where(rng.random(n) < 0.7, a, rng.integers(0, k, n))


@pytest.mark.parametrize("name", BINARY)
def test_the_smoothed_difference_is_the_delta_method_with_half_an_item_in_every_joint_cell(name: str) -> None:
    value = BINARY[name]
    for seed in range(2):
        gold, a, b = systems(seed, 40, 2)
        cells = [(g, x, y) for g in (0, 1) for x in (0, 1) for y in (0, 1)]
        count = [int(((gold == g) & (a == x) & (b == y)).sum()) + 0.5 for g, x, y in cells]
        g, x, y = (np.array([cell[i] for cell in cells]) for i in range(3))
        weight = np.array(count)
        u = moved(value, g, x, weight) - moved(value, g, y, weight)
        d = value(g, x, weight) - value(g, y, weight)
        for level in LEVELS:
            half = quantile(level) * math.sqrt(float((weight * u**2).sum()))
            by: Any = "smoothed_delta" if name == "accuracy" else "auto"
            found = assay.compare(gold, a, b, measure=name, level=level, method=by, test="none")
            assert found.method == "smoothed_delta"
            assert found.difference == pytest.approx(value(gold, a) - value(gold, b), abs=1e-12)
            assert limits(found) == pytest.approx((d - half, d + half), abs=1e-7)


def mover(
    a: Estimate, b: Estimate, left_a: list[float], left_b: list[float], disagreements: int
) -> tuple[float, float]:
    """Two intervals put together; their correlation is trusted as far as the systems disagree."""
    r = float(np.corrcoef(left_a, left_b)[0, 1]) * disagreements / (disagreements + 2)
    (low_a, high_a), (low_b, high_b) = limits(a), limits(b)
    va, vb = float(a), float(b)
    x, y = va - low_a, high_b - vb
    low = va - vb - math.sqrt(x**2 + y**2 - 2 * r * x * y)
    x, y = high_a - va, vb - low_b
    return low, va - vb + math.sqrt(x**2 + y**2 - 2 * r * x * y)


@pytest.mark.parametrize("name", ["accuracy", "mcc", "f1(average=macro)", "balanced_accuracy"])
def test_mover_puts_two_intervals_together(name: str) -> None:
    for seed, k in ((1, 3), (2, 5)):
        gold, a, b = systems(seed, 45, k)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            left = [[VALUES[name](np.delete(gold, i), np.delete(x, i)) for i in range(45)] for x in (a, b)]
        for level in LEVELS:
            singles = [assay.estimate(name, Confusion.from_predictions(gold, x), level=level) for x in (a, b)]
            expected = mover(singles[0], singles[1], left[0], left[1], int((a != b).sum()))
            by: Any = (
                "mover" if name == "accuracy" else "auto"
            )  # a share of the same items has Tango's interval by default
            found = assay.compare(gold, a, b, measure=name, level=level, method=by, test="none")
            assert found.method == "mover"
            assert limits(found) == pytest.approx(expected, abs=1e-9)


def test_mover_of_areas_takes_items_as_different_where_their_ranks_differ() -> None:
    rng = np.random.default_rng(14)
    gold, _ = answers(14, 40, 2)
    a = np.round(rng.normal(size=40) + gold, 1)
    b = 100 * np.where(rng.random(40) < 0.6, a, np.round(rng.normal(size=40), 1))  # on another scale
    left = [[float(sk.roc_auc_score(np.delete(gold, i), np.delete(x, i))) for i in range(40)] for x in (a, b)]
    disagree = int((stats.rankdata(a) != stats.rankdata(b)).sum())
    for level in LEVELS:
        singles = [assay.estimate("roc_auc", Scored.from_scores(gold, x), level=level) for x in (a, b)]
        expected = mover(singles[0], singles[1], left[0], left[1], disagree)
        found = assay.compare(gold, a, b, measure="roc_auc", level=level, test="none", method="mover")
        assert limits(found) == pytest.approx(expected, abs=1e-9)


def jackknifed_pairs() -> Iterator[tuple[str, tuple[Any, Any], Value]]:
    """Two systems that are compared by leaving out one of what both were judged on."""
    rng = np.random.default_rng(15)
    ranks = rng.integers(1, 7, (2, 25))
    runs = tuple({f"q{i}": [0] * (int(r) - 1) + [1] for i, r in enumerate(side)} for side in ranks)
    yield "rr", (runs[0], runs[1]), lambda keep: float((1 / ranks[0] - 1 / ranks[1])[keep].mean())
    truth = rng.integers(0, 3, (25, 1))
    rounds = [np.where(rng.random((25, 3)) < q, truth, rng.integers(0, 3, (25, 3))).astype(float) for q in (0.8, 0.6)]

    def alphas(keep: Labels) -> float:
        first, second = (
            float(krippendorff.alpha(reliability_data=x[keep].T, level_of_measurement="nominal")) for x in rounds
        )
        return first - second

    yield "krippendorff_alpha", (rounds[0], rounds[1]), alphas


@pytest.mark.parametrize(("name", "data", "value"), list(jackknifed_pairs()), ids=["mrr", "alpha"])
def test_the_paired_jackknife_leaves_out_each_unit_of_both_systems(
    name: str, data: tuple[Any, Any], value: Value
) -> None:
    rows = np.arange(25)
    d, others = value(rows), [value(np.delete(rows, i)) for i in rows]
    for level in LEVELS:
        half = float(stats.t.ppf((1 + level) / 2, 24)) * tukey(others)
        found = assay.compare(*data, measure=name, method="jackknife", level=level, test="none")
        assert found.difference == pytest.approx(d, abs=1e-12)
        assert limits(found) == pytest.approx((d - half, d + half), abs=1e-10)
