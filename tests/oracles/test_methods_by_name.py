"""Bootstrap-t, Fisher's z, the delta method and ranges without ends, against SciPy 1.17, statsmodels 0.15 and
scikit-learn 1.9, and against formulas and draws written out."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.contingency_tables import Table2x2

import assay
from assay import Confusion
from assay.errors import OptionError
from assay.measures.declare.catalogue import find
from assay.measures.declare.forms import Effective, EffectiveN
from assay.measures.declare.measure import Measure
from assay.options import METHODS, PAIRED_METHODS
from assay.report.answers.measures import facts
from assay.tally.margins import OneVsRest
from assay.uncertainty.one.influence import influences
from tests.oracles.plain import LEVELS, drawn_tables, limits, z_of
from tests.oracles.stand_ins import LINEAR_KAPPA, LOG_ODDS_RATIO, LR, ODDS_RATIO, YOUDEN, f_of, made

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def near(found: float, draws: Floats, share: float, size: int) -> bool:
    """Whether a limit lies where quantiles of so many draws lie: within four errors of both samples of draws."""
    slack = 4 * math.sqrt(share * (1 - share) * (1 / size + 1 / len(draws)))
    inner, outer = np.quantile(draws, [max(share - slack, 0), min(share + slack, 1)])
    return bool(inner - 1e-9 <= found <= outer + 1e-9)


# ---------------------------------------------------------------------- bootstrap-t
def test_the_bootstrap_t_of_a_share_is_that_of_all_binomial_outcomes() -> None:
    x, n, draws = 61, 80, 20_000
    share = x / n
    error = math.sqrt(share * (1 - share) / n)
    outcomes = np.arange(1, n)  # 0 and n have no standard error of their own
    chances = stats.binom.pmf(outcomes, n, share)
    own = outcomes / n
    studentized = (own - share) / np.sqrt(own * (1 - own) / n)
    found = assay.estimate(
        "accuracy", Confusion.from_matrix([[x, n - x], [0, 0]], list("ab")), method="studentized", n_resamples=draws
    )
    assert found.method == "studentized"
    every = np.repeat(share - error * studentized, np.round(chances * 1e6).astype(int))
    assert near(limits(found)[0], every, 0.025, draws)
    assert near(limits(found)[1], every, 0.975, draws)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_bootstrap_t_of_balanced_accuracy_divides_each_draw_by_its_own_error(level: float) -> None:
    tp, fp, fn, tn = 30, 9, 12, 49
    rng, size = np.random.default_rng(5), 20_000

    def value_and_error(t: Floats) -> tuple[Floats, Floats]:
        recall, other = t[:, 0] / (t[:, 0] + t[:, 2]), t[:, 3] / (t[:, 1] + t[:, 3])
        square = recall * (1 - recall) / (t[:, 0] + t[:, 2]) + other * (1 - other) / (t[:, 1] + t[:, 3])
        return (recall + other) / 2, np.sqrt(square) / 2

    seen = np.array([[tp, fp, fn, tn]], float)
    value, error = (float(x[0]) for x in value_and_error(seen))
    values, errors = value_and_error(rng.multinomial(100, seen[0] / 100, size).astype(float))
    expected = value - error * (values - value) / errors
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    found = assay.estimate("balanced_accuracy", tally, method="studentized", level=level, n_resamples=size)
    assert near(limits(found)[0], expected, (1 - level) / 2, size)
    assert near(limits(found)[1], expected, (1 + level) / 2, size)


def test_the_bootstrap_t_of_clusters_draws_clusters_and_has_the_error_of_a_ratio() -> None:
    rng, size = np.random.default_rng(6), 20_000
    sizes = rng.integers(2, 9, 30)
    cluster = np.repeat(np.arange(30), sizes)
    right = rng.random(len(cluster)) < np.repeat(rng.beta(4, 2, 30), sizes)
    hits = np.bincount(cluster, weights=right).astype(float)
    value = float(hits.sum() / sizes.sum())

    def error(h: Floats, m: Floats, p: Floats) -> Floats:
        return np.asarray(np.sqrt(((h - p * m) ** 2).sum(-1)) / m.sum(-1))

    drawn = rng.integers(0, 30, (size, 30))
    h, m = hits[drawn], sizes[drawn].astype(float)
    values = h.sum(-1) / m.sum(-1)
    studentized = (values - value) / error(h, m, values[:, None])
    expected = value - float(error(hits, sizes.astype(float), np.array(value))) * studentized
    tally = Confusion.from_predictions(np.ones(len(cluster), int), right.astype(int), cluster=cluster)
    found = assay.estimate("accuracy", tally, method="studentized", n_resamples=size)
    assert near(limits(found)[0], expected, 0.025, size)
    assert near(limits(found)[1], expected, 0.975, size)


def test_there_is_no_bootstrap_t_where_nothing_varies_or_draws_have_no_error() -> None:
    perfect = assay.estimate("accuracy", Confusion.from_counts(tp=5, fp=0, fn=0, tn=9), method="studentized")
    assert perfect.interval is None
    # With one error in 30 a third of the draws (29/30)³⁰ = .36 hold none.
    rare = assay.estimate("accuracy", Confusion.from_counts(tp=20, fp=1, fn=0, tn=9), method="studentized")
    assert rare.interval is None
    assert rare.undefined_draws / 9999 == pytest.approx((29 / 30) ** 30, abs=0.02)
    auc = assay.Scored.from_scores([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.35])
    with pytest.raises(OptionError, match="roc_auc has no standard error for each resample"):
        assay.estimate("roc_auc", auc, method="studentized")


# ---------------------------------------------------------------------- Fisher's z
@pytest.mark.parametrize("level", LEVELS)
def test_fishers_z_of_mcc_is_that_of_a_correlation_of_zeros_and_ones(level: float) -> None:
    rng = np.random.default_rng(7)
    gold = rng.integers(0, 2, 60)
    pred = np.where(rng.random(60) < 0.7, gold, 1 - gold)
    expected = stats.pearsonr(gold, pred).confidence_interval(level)
    found = assay.estimate("mcc", Confusion.from_predictions(gold, pred), method="fisher_z", level=level)
    assert limits(found) == pytest.approx(tuple(expected), abs=1e-12)


def test_fishers_z_is_for_more_than_three_independent_rows_and_a_range_from_minus_one_to_one() -> None:
    assert assay.estimate("mcc", Confusion.from_counts(tp=2, fp=0, fn=0, tn=9), method="fisher_z").interval is None
    assert assay.estimate("mcc", Confusion.from_counts(tp=1, fp=0, fn=1, tn=1), method="fisher_z").interval is None
    with pytest.raises(OptionError, match="f1 is not a correlation"):
        assay.estimate("f1", Confusion.from_counts(tp=2, fp=1, fn=1, tn=9), method="fisher_z")
    clustered = Confusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0], cluster=[1, 1, 2, 2])
    with pytest.raises(OptionError, match="independent rows of equal weight"):
        assay.estimate("mcc", clustered, method="fisher_z")


# ---------------------------------------------------------------------- delta method
@pytest.mark.parametrize("level", LEVELS)
def test_the_delta_method_of_a_share_is_that_of_its_log_odds(level: float) -> None:
    x, n = 31, 40
    error = math.sqrt(1 / x + 1 / (n - x))
    ends = [math.log(x / (n - x)) + sign * z_of(level) * error for sign in (-1, 1)]
    tally = Confusion.from_counts(tp=x, fp=2, fn=n - x, tn=7)
    found = assay.estimate("recall", tally, method="logit_delta", level=level)
    assert limits(found) == pytest.approx([1 / (1 + math.exp(-end)) for end in ends], abs=1e-7)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("cells", [(40, 9, 12, 60), (3, 1, 2, 90), (700, 20, 30, 9_000)])
def test_ratios_without_a_top_have_the_delta_method_on_their_logarithm(
    cells: tuple[int, int, int, int], level: float
) -> None:
    tp, fp, fn, tn = cells
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    theirs = Table2x2([[tp, fn], [fp, tn]])
    expected = {
        LR.name: theirs.riskratio_confint(1 - level),
        ODDS_RATIO.name: theirs.oddsratio_confint(1 - level),
        LOG_ODDS_RATIO.name: theirs.log_oddsratio_confint(1 - level),
    }
    for measure in (LR, ODDS_RATIO, LOG_ODDS_RATIO):
        found = assay.estimate(measure, tally, method="logit_delta", level=level)
        assert limits(found) == pytest.approx(expected[measure.name], rel=1e-6)


@pytest.mark.parametrize("name", ["linear", None])
def test_influences_of_measures_that_need_the_cells_are_what_moving_a_row_does(name: str | None) -> None:
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 4, 60)
    pred = np.where(rng.random(60) < 0.6, gold, rng.integers(0, 3, 60))
    weight = rng.gamma(1.0, size=60) if name is None else np.ones(60)

    def value(w: Floats) -> float:
        return float(sk.cohen_kappa_score(gold, pred, weights="linear", sample_weight=w))

    tally = Confusion.from_predictions(gold, pred, sample_weight=None if name else weight)
    found = influences(LINEAR_KAPPA.bind(tally), tally, tally.mass)
    units = {(int(g), int(p)): u for g, p, u in zip(tally.gold, tally.pred, found, strict=True)}
    expected = []
    for i in range(60):
        up, down = weight.copy(), weight.copy()
        up[i] += 1e-5
        down[i] -= 1e-5
        expected.append((value(up) - value(down)) / 2e-5)
    mine = [units[int(g), int(p)] for g, p in zip(gold, pred, strict=True)]
    assert mine == pytest.approx(expected, abs=1e-6 * max(map(abs, expected)))
    assert float(LINEAR_KAPPA.of(tally)) == pytest.approx(value(weight), abs=1e-12)


def test_measures_that_need_the_cells_have_a_default_interval_whatever_the_weights() -> None:
    rng = np.random.default_rng(9)
    gold = rng.integers(0, 4, 80)
    pred = np.where(rng.random(80) < 0.6, gold, rng.integers(0, 4, 80))
    for k in (2, 4):
        for weight in (None, np.full(80, 2.0)):
            tally = Confusion.from_predictions(gold % k, pred % k, sample_weight=weight)
            found = assay.estimate(LINEAR_KAPPA, tally)
            assert found.method == ("midp_draws" if k == 2 else "smoothed")
            low, high = limits(found)
            assert low < float(found) < high
    perfect = np.arange(40) % 3
    sure = assay.estimate(LINEAR_KAPPA, Confusion.from_predictions(perfect, perfect, sample_weight=np.ones(40)))
    assert sure.interval is not None
    assert sure.interval.low < 1


# ---------------------------------------------------------------------- ranges without ends, by default
@pytest.mark.parametrize(
    "cells", [(12, 5, 3, 80), (0, 5, 8, 40), (9, 1, 0, 30)], ids=["common", "no hit", "nothing missed"]
)
def test_a_likelihood_ratio_has_quantiles_over_posterior_tables_also_at_zero(cells: tuple[int, int, int, int]) -> None:
    tp, fp, fn, tn = cells
    draws = np.random.default_rng(10).dirichlet(np.array(cells) + 0.5, 10_000).T
    expected = (draws[0] / (draws[0] + draws[2])) / (draws[1] / (draws[1] + draws[3]))
    found = assay.estimate(LR, Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn))
    assert found.method == "dirichlet"
    low, high = limits(found)
    assert near(high, expected, 0.975, 9999)
    assert low == 0 if tp == 0 else near(low, expected, 0.025, 9999)


def five_classes(seed: int, errors: float = 0.4) -> Floats:
    """A table of five classes, each with some errors."""
    rng = np.random.default_rng(seed)
    table = rng.poisson(errors * rng.gamma(2.0, 4.0, (5, 5))) + np.diag(rng.poisson([40, 25, 15, 8, 5]))
    return np.asarray(table, float)


def one_against_others(table: Floats, i: int) -> tuple[float, float, float, float]:
    """tp, fp, fn, tn of a class."""
    tp, fp, fn = float(table[i, i]), float(table[:, i].sum() - table[i, i]), float(table[i].sum() - table[i, i])
    return tp, fp, fn, float(table.sum()) - tp - fp - fn


@pytest.mark.parametrize("measure", [LR, YOUDEN], ids=["lr", "youden"])
@pytest.mark.parametrize("i", [0, 4])
def test_one_class_of_many_has_the_interval_of_its_own_four_counts(measure: Measure, i: int) -> None:
    table, rng = five_classes(11), np.random.default_rng(12)
    tp, fp, fn, tn = one_against_others(table, i)
    draws = rng.dirichlet(np.array([tn, fp, fn, tp]) + 0.5, 10_000).T
    if measure is YOUDEN:  # what has a value where a cell is empty is drawn by shares
        draws = np.array(drawn_tables(rng, (tn, fp, fn, tp), 10_000)).T
    recall, alarms = draws[3] / (draws[3] + draws[2]), draws[1] / (draws[1] + draws[0])
    expected = recall / alarms if measure is LR else recall - alarms
    tally = Confusion.from_matrix(table.astype(int), list("abcde"))
    found = assay.estimate(measure, tally, pos_label="abcde"[i])
    assert found.method == ("dirichlet" if measure is LR else "midp_draws")
    assert near(limits(found)[0], expected, 0.025, 9999)
    assert near(limits(found)[1], expected, 0.975, 9999)


def mean_lr(table: Floats) -> float:
    """The mean of the classes' likelihood ratios; 0/0 counts as 0."""
    ratios = []
    for i in range(len(table)):
        tp, fp, fn, tn = one_against_others(table, i)
        ratios.append(tp / (tp + fn) / (fp / (fp + tn)) if tp + fn > 0 and fp > 0 else 0.0)
    return sum(ratios) / len(ratios)


def delta(table: Floats, value: Callable[[Floats], float]) -> tuple[float, float]:
    """Σ count · influence² and Σ count · influence⁴ by differences, cell by cell."""
    second = fourth = 0.0
    for cell in np.ndindex(*table.shape):
        count = float(table[cell])
        step = 1e-5 * count
        up, down = table.copy(), table.copy()
        up[cell] += step
        down[cell] -= step
        u = (value(up) - value(down)) / (2 * step)
        second, fourth = second + count * u**2, fourth + count * u**4
    return second, fourth


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("hits", [True, False], ids=["some right", "none right"])
def test_a_mean_of_ratios_has_the_delta_method_on_the_log_with_one_item_spread_over_all_cells(
    hits: bool, level: float
) -> None:
    table = five_classes(13)
    table = table if hits else table - np.diag(np.diag(table))
    smooth = table + 1 / 25
    second, fourth = delta(smooth, mean_lr)
    times = float(stats.t.ppf((1 + level) / 2, max(2 * second**2 / fourth - 1, 2)))
    center, half = math.log(mean_lr(table) if hits else mean_lr(smooth)), times * math.sqrt(second) / mean_lr(smooth)
    found = assay.estimate(LR, Confusion.from_matrix(table.astype(int), list("abcde")), average="macro", level=level)
    assert found.method == "smoothed"
    expected = (math.exp(center - half) if hits else 0.0, math.exp(center + half))  # drawn to an estimate of 0
    assert limits(found) == pytest.approx(expected, rel=1e-5)


def test_clusters_of_a_ratio_without_a_top_are_left_out_on_its_logarithm() -> None:
    rng = np.random.default_rng(14)
    cluster = np.repeat(np.arange(12), 15)
    gold = rng.integers(0, 2, 180)
    pred = np.where(rng.random(180) < 0.7, gold, 1 - gold)

    def log_lr(keep: NDArray[np.bool_]) -> float:
        g, p = gold[keep], pred[keep]
        return math.log(float(p[g == 1].mean() / p[g == 0].mean()))

    def lr(keep: NDArray[np.bool_]) -> float:
        return math.exp(log_lr(keep))

    value = lr(np.ones(180, bool))
    others = np.array([lr(cluster != c) for c in range(12)])
    error = math.sqrt(11 / 12 * float(((others - others.mean()) ** 2).sum()))
    squares = (others - others.mean()) ** 2
    df = min(max(1.5 * float(squares.sum()) ** 2 / float((squares**2).sum()) - 1, 2), 11)
    half = float(stats.t.ppf(0.975, df)) * error / value
    found = assay.estimate(LR, Confusion.from_predictions(gold, pred, cluster=cluster), method="cluster_jackknife")
    assert limits(found) == pytest.approx((value * math.exp(-half), value * math.exp(half)), rel=1e-9)


# ---------------------------------------------------------------------- options
def half_of(t: OneVsRest, beta: float = 1.0, alpha: float | None = None) -> Effective:
    """A form that says which options it was called with, as the number of items."""
    return Effective(0.5, 100 * beta + (alpha or 0))


def test_a_form_is_called_with_the_options_it_takes_and_left_alone_with_others_than_it_knows() -> None:
    tally = Confusion.from_counts(tp=8, fp=4, fn=2, tn=7)
    takes = made(f_of, OneVsRest, (0, 1), EffectiveN("effective_n", half_of, takes_options=True), beta=1.0, alpha=None)
    found = assay.estimate(takes, tally, beta=3.0, alpha=0.5)
    expected = stats.binomtest(150, 300).proportion_ci(method="wilson")  # near enough to 300.5 items
    assert found.method == "effective_n"
    assert found.low == pytest.approx(expected.low, abs=1e-4)
    knows = made(f_of, OneVsRest, (0, 1), EffectiveN("effective_n", half_of), beta=1.0, alpha=None)
    assert assay.estimate(knows, tally).method == "effective_n"
    assert assay.estimate(knows, tally, beta=3.0).method == "midp_draws"
    with pytest.raises(OptionError, match="has no closed form called 'effective_n' here"):
        assay.estimate(knows, tally, beta=3.0, method="effective_n")


# ---------------------------------------------------------------------- words
def test_every_method_has_a_line_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "intervals.md").read_text(encoding="utf-8")
    single, differences = page.split("## Differences of two systems")

    def named(part: str) -> set[str]:
        rows = (line for line in part.splitlines() if line.startswith("| `"))
        return {word for line in rows for word in line.split("|")[1].split("`")[1::2]}

    assert named(single) == set(METHODS) - {"auto"}
    assert named(differences) == {*PAIRED_METHODS} - {"auto"}


# ---------------------------------------------------------------------- closed forms that are asked for
def test_every_closed_form_that_can_be_asked_for_is_named_on_the_page_of_its_measure() -> None:
    data: dict[str, dict[str, Any]] = {"mcc": {}, "cohen_kappa": {}, "f1": {"average": "macro"}}
    for name, options in data.items():
        found = assay.estimate(name, Confusion.from_counts(tp=30, fp=9, fn=6, tn=41), method="mover", **options)
        assert found.method == "mover"
        shown = dict(facts(find(name)))["interval"]
        assert shown.endswith(f"by name: mover ({'macro average, ' if options else ''}two classes)")
    with pytest.raises(OptionError):
        assay.estimate("f1", Confusion.from_counts(tp=30, fp=9, fn=6, tn=41), method="mover")
