"""Thresholds against plain loops over the rows, exact laws of calibrated scores, and simulations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as sk
from numpy.typing import ArrayLike

from assay.measures.scores.choices import Choice, by_cost, by_measure, by_target, by_youden
from assay.measures.scores.sweep import sweep
from assay.measures.scores.thresholds import Search
from assay.tally.scores import Scored
from assay.uncertainty.curves.thresholds import Steadiness, draws_for, steadiness

Table = tuple[Fraction, Fraction, Fraction, Fraction]  # tp, fp, fn, tn
Value = Fraction | None


# ---------------------------------------------------------------------- plain loops
def tables(y: Sequence[bool], s: Sequence[float], w: Sequence[Fraction]) -> dict[float, Table]:
    """The four sums at every threshold, each counted row by row, from the highest threshold down."""
    out = {}
    for t in [math.inf, *sorted(set(s), reverse=True)]:
        sums = [Fraction(0)] * 4
        for truth, score, weight in zip(y, s, w, strict=True):
            called = score >= t
            sums[0 if truth and called else 1 if called else 2 if truth else 3] += weight
        out[t] = (sums[0], sums[1], sums[2], sums[3])
    return out


def share(top: Fraction, bottom: Fraction) -> Value:
    return None if bottom == 0 else top / bottom


def recall(c: Table) -> Value:
    return share(c[0], c[0] + c[2])


def precision(c: Table) -> Value:
    return share(c[0], c[0] + c[1])


def specificity(c: Table) -> Value:
    return share(c[3], c[1] + c[3])


def f_beta(beta: int) -> Callable[[Table], Value]:
    return lambda c: share((1 + beta**2) * c[0], (1 + beta**2) * c[0] + c[1] + beta**2 * c[2])


def saved(fp: int, fn: int) -> Callable[[Table], Value]:
    return lambda c: -(fp * c[1] + fn * c[2])


def informedness(c: Table) -> Value:
    a, b = recall(c), specificity(c)
    return None if a is None or b is None else a + b - 1


def always(_: Table) -> bool:
    return True


def at_least(rate: Callable[[Table], Value], value: Fraction) -> Callable[[Table], bool]:
    return lambda c: (found := rate(c)) is not None and found >= value


RULES: dict[str, tuple[Choice, Callable[[Table], Value], Callable[[Table], bool]]] = {
    "cost": (by_cost(1, 4), saved(1, 4), always),
    "a miss costs nothing": (by_cost(3, 0), saved(3, 0), always),
    "f1": (by_measure("f1"), f_beta(1), always),
    "f1 by another name": (by_measure("dice"), f_beta(1), always),
    "f2": (by_measure("f_beta(beta=2)"), f_beta(2), always),
    "youden": (by_youden(), informedness, always),
    "errors": (by_measure("error_rate"), saved(1, 1), always),
    "recall held": (by_target("recall=0.75"), precision, at_least(recall, Fraction(3, 4))),
    "precision held": (by_target({"precision": 0.5}), recall, at_least(precision, Fraction(1, 2))),
    "false alarms held": (by_target("fpr=0.25"), recall, at_least(specificity, Fraction(3, 4))),
    "specificity held": (by_target("specificity=0.875"), recall, at_least(specificity, Fraction(7, 8))),
}


def best_by_loops(
    counted: dict[float, Table], merit: Callable[[Table], Value], held: Callable[[Table], bool]
) -> float | None:
    best: float | None = None
    top: Fraction | None = None
    for t, c in counted.items():  # from the highest threshold down, so that the first of equals stays
        value = merit(c)
        if value is not None and held(c) and (top is None or value > top):
            best, top = t, value
    return best


def sample(seed: int, *, weighted: bool) -> tuple[list[bool], list[float], list[Fraction]]:
    """A few rows with heavily tied scores; weights are fourths, which floats hold exactly."""
    rng = np.random.default_rng(seed)
    n, levels = int(rng.integers(4, 40)), int(rng.integers(1, 9))
    y = rng.random(n) < rng.uniform(0.2, 0.8)
    y[:2] = [True, False]
    s = (rng.integers(0, levels, n) + 2 * y * (rng.random(n) < 0.4)) / 8 - 0.5
    w = rng.integers(1, 9, n) if weighted else np.full(n, 4)
    return y.tolist(), s.tolist(), [Fraction(int(x), 4) for x in w]


def scored(y: ArrayLike, s: ArrayLike, w: Sequence[Fraction] | None = None) -> Scored:
    weights = None if w is None else [float(x) for x in w]
    return Scored.from_scores(y, s, pos_label=True, sample_weight=weights)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_the_threshold_is_the_highest_of_the_best_found_by_plain_loops(rule: str, weighted: bool) -> None:
    choice, merit, held = RULES[rule]
    reached = 0
    for seed in range(60):
        y, s, w = sample(seed, weighted=weighted)
        wanted = best_by_loops(tables(y, s, w), merit, held)
        found = Search(scored(y, s, w if weighted else None), choice).found()
        assert found.threshold == wanted, f"seed {seed}"
        reached += wanted is not None
    assert reached > 20


def test_equally_good_thresholds_are_counted() -> None:
    # Recall 1 is reached at 0.4 and stays.
    found = Search(scored([True, True, False, False], [0.9, 0.4, 0.3, 0.1]), by_measure("recall")).found()
    assert (found.threshold, found.equally_good, found.below) == (0.4, 3, 0.3)


def test_a_target_out_of_reach_chooses_nothing_and_names_the_closest() -> None:
    for seed in range(60):
        y, s, w = sample(seed, weighted=False)
        counted = tables(y, s, w)
        found = Search(scored(y, s), by_target("precision=0.95")).found()
        known = {t: value for t, c in counted.items() if (value := precision(c)) is not None}
        if max(known.values()) >= Fraction(19, 20):
            continue
        assert found.threshold is None
        assert found.reason == "no threshold gives precision at least 0.95"
        assert found.closest is not None
        assert known[found.closest] == max(known.values())
        assert found.held == pytest.approx(float(max(known.values())), rel=1e-12)
        break
    else:
        pytest.fail("no sample misses the target")


def test_a_target_that_is_met_to_the_last_item_is_met() -> None:
    # 27 of 30 is 0.9 exactly; a test by floats alone might miss it.
    y = [True] * 30 + [False] * 10
    s = [1.0] * 27 + [0.2] * 3 + [0.5] * 10
    assert Search(scored(y, s), by_target("recall=0.9")).found().threshold == 1.0
    assert Search(scored(y, s), by_target("recall=0.901")).found().threshold == 0.2


# ---------------------------------------------------------------------- the sweep
@pytest.mark.parametrize("weighted", [False, True])
def test_every_row_of_the_sweep_is_what_scikit_learn_finds_at_that_threshold(weighted: bool) -> None:
    peers: dict[str, Callable[..., float]] = {
        "accuracy": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "precision": sk.precision_score,
        "recall": sk.recall_score,
        "f1": sk.f1_score,
        "mcc": sk.matthews_corrcoef,
        "jaccard": sk.jaccard_score,
    }
    y, s, w = sample(5, weighted=weighted)
    given = [float(x) for x in w]
    rows = sweep(scored(y, s, w if weighted else None)).rows()
    assert [row["threshold"] for row in rows] == [None, *sorted(set(s), reverse=True)]
    for row in rows:
        threshold = math.inf if row["threshold"] is None else row["threshold"]
        labels = [x >= threshold for x in s]
        for name, peer in peers.items():
            value = row[name]
            if value is None:
                assert name == "precision"
                assert not any(labels)
                continue
            assert value == pytest.approx(peer(y, labels, sample_weight=given), abs=1e-12), (name, threshold)


def test_any_threshold_is_looked_up_as_the_labels_it_gives() -> None:
    y, s = [True, False, True, False], [0.9, 0.6, 0.4, 0.2]
    found = sweep(scored(y, s), ["recall"])
    wanted = {1.5: 0.0, 0.9: 0.5, 0.7: 0.5, 0.4: 1.0, 0.40001: 0.5, -3.0: 1.0}
    assert {t: found.at(t)["recall"] for t in wanted} == wanted


def test_the_sweep_holds_every_measure_of_labels_and_exports_are_exact() -> None:
    import csv
    import io

    import polars

    from assay.measures.declare.catalogue import catalogue
    from assay.tally.labels import Confusion

    y, s, _ = sample(8, weighted=False)
    s = [x / 3 for x in s]  # no short decimals
    found = sweep(scored(y, s))
    assert set(found.values) == {name for name, m in catalogue().items() if m.kind is Confusion}
    read = list(csv.DictReader(io.StringIO(found.to_csv())))
    for name, column in found.columns().items():
        assert [float(row[name] or "nan") for row in read] == pytest.approx(column.tolist(), rel=0, abs=0, nan_ok=True)
    frame = found.to_frame("polars")
    assert isinstance(frame, polars.DataFrame)
    assert frame["threshold"].to_list() == found.thresholds.tolist()
    assert frame["precision"].to_list()[0] is None


# ---------------------------------------------------------------------- calibrated scores
def calibrated_population(shape: tuple[float, float], step: float = 1 / 4000) -> Scored:
    """A whole population: each score has as much weight of positives as it says."""
    p = np.arange(step / 2, 1, step)
    density = p ** (shape[0] - 1) * (1 - p) ** (shape[1] - 1)
    y = np.repeat([True, False], len(p))
    return Scored.from_scores(
        y, np.concatenate([p, p]), pos_label=True, sample_weight=np.concatenate([p * density, (1 - p) * density])
    )


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (0.5, 3), (4, 2)])
@pytest.mark.parametrize(
    "choice",
    [
        by_measure("f1"), by_measure("f_beta(beta=2)"), by_measure("f_beta(alpha=0.8)"), by_cost(1, 3),
        by_measure("accuracy"), by_youden(), by_measure("balanced_accuracy"),
    ],
    ids=lambda choice: choice.objective,
)  # fmt: skip
def test_the_formula_for_calibrated_scores_is_where_the_best_threshold_lies(
    choice: Choice, shape: tuple[float, float]
) -> None:
    search = Search(calibrated_population(shape), choice)
    formula, found = search.if_calibrated(), search.found()
    assert formula is not None
    assert found.threshold is not None
    # The best threshold is a score, so it lies within one step of where the best of all numbers would.
    assert found.threshold == pytest.approx(formula[0], abs=1 / 4000)


def test_the_best_f1_threshold_is_half_of_the_best_f1_also_by_the_textbook() -> None:
    # Uniform calibrated scores: F1(t) = 2(1 − t²)/(3 − 2t), best where 3t − t² = 1, at t = (3 − √5)/2, and F1 = 2t.
    t = (3 - math.sqrt(5)) / 2
    found = Search(calibrated_population((1, 1)), by_measure("f1")).found()
    assert found.threshold == pytest.approx(t, abs=1 / 4000)
    assert found.value == pytest.approx(2 * t, abs=1e-5)


def test_no_formula_is_given_for_scores_that_are_no_probabilities_or_for_targets() -> None:
    y, s = [True, False, True], [2.0, -1.0, 0.5]
    assert Search(scored(y, s), by_cost(1, 3)).if_calibrated() is None
    assert Search(scored(y, [0.9, 0.1, 0.5]), by_target("recall=0.5")).if_calibrated() is None
    assert Search(scored(y, [0.9, 0.1, 0.5]), by_measure("mcc")).if_calibrated() is None


def drawn(n: int, seed: int, power: float = 1.0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Labels that follow uniform probabilities, and scores that are these to a power."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return rng.random(n) < p, p**power


def test_scores_that_overstate_are_found_out_and_calibrated_ones_are_not() -> None:
    how: dict[str, Any] = {"level": 0.95, "n_resamples": 199, "random_state": 0}
    for choice in (by_cost(1, 3), by_measure("f1")):
        honest, wrong = (steadiness(Search(scored(*drawn(600, 2, power)), choice), **how) for power in (1, 4))
        assert honest.p_calibrated is not None
        assert honest.p_calibrated > 0.05
        assert wrong.p_calibrated == 1 / 200


@pytest.mark.slow
@pytest.mark.parametrize("choice", [by_cost(1, 3), by_measure("f1"), by_youden()], ids=lambda c: c.objective)
def test_calibrated_scores_are_suspected_no_more_often_than_the_level_allows(choice: Choice) -> None:
    reps = 400
    p = [
        steadiness(
            Search(scored(*drawn(120, seed)), choice), level=0.95, n_resamples=199, random_state=seed
        ).p_calibrated
        for seed in range(reps)
    ]
    for alpha in (0.05, 0.1, 0.25):
        found = sum(x is not None and x <= alpha for x in p) / reps
        assert found <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / reps), alpha


# ---------------------------------------------------------------------- resamples
@pytest.mark.parametrize("rule", ["cost", "f1", "youden", "recall held", "precision held"])
def test_a_resample_chooses_what_plain_loops_choose_on_the_drawn_rows(rule: str) -> None:
    choice, merit, held = RULES[rule]
    rng = np.random.default_rng(3)
    for seed in range(12):
        y, s, w = sample(seed, weighted=False)
        tally = scored(y, s)
        search = Search(tally, choice)
        units = list(zip(tally.keys["score"].tolist(), tally.keys["positive"].tolist(), strict=True))
        for _ in range(12):
            rows = rng.integers(0, len(y), len(y))
            wanted = best_by_loops(tables([y[i] for i in rows], [s[i] for i in rows], w), merit, held)
            times = np.array([sum((s[i], y[i]) == unit for i in rows) for unit in units], np.float64)
            place = int(search.best(*search.values(times)))
            assert (None if place < 0 else search.thresholds[place]) == wanted


def naive_resamples(
    y: np.ndarray[Any, Any], s: np.ndarray[Any, Any], groups: np.ndarray[Any, Any], draws: int, seed: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """F1 at every threshold on resamples of whole groups of rows, by sums over the drawn rows; and the thresholds."""
    rng = np.random.default_rng(seed)
    thresholds = np.array([math.inf, *sorted(set(s.tolist()), reverse=True)])
    called = s[None, :] >= thresholds[:, None]
    members = [np.flatnonzero(groups == g) for g in np.unique(groups)]
    out = []
    for _ in range(draws):
        rows = np.concatenate([members[g] for g in rng.integers(0, len(members), len(members))])
        hits = (called[:, rows] & y[rows]).sum(1)
        out.append(2 * hits / np.maximum(called[:, rows].sum(1) + y[rows].sum(), 1))
    return np.array(out), thresholds


@pytest.mark.parametrize("clustered", [False, True])
def test_the_range_and_the_flat_region_are_those_of_resampled_rows(clustered: bool) -> None:
    y, s = drawn(90, 4)
    s = np.round(s, 2)
    groups = np.arange(90) // (3 if clustered else 1)
    tally = Scored.from_scores(y, s, pos_label=True, cluster=groups if clustered else None)
    found = steadiness(Search(tally, by_measure("f1")), level=0.9, n_resamples=1999, random_state=1)
    values, thresholds = naive_resamples(y, s, groups, 2000, 5)
    chosen = thresholds[values.argmax(1)]
    slack = 4 * math.sqrt(0.05 * 0.95 * (1 / 2000 + 1 / 1999))  # two sets of draws, four standard errors
    assert (chosen < found.low).mean() <= 0.05 + slack
    assert (chosen <= found.low).mean() >= 0.05 - slack
    assert (chosen > found.high).mean() <= 0.05 + slack
    assert (chosen >= found.high).mean() >= 0.05 - slack

    whole = naive_values(y, s, thresholds)
    best = int(whole.argmax())
    error = (values[:, [best]] - values).std(axis=0, ddof=1)
    ratio = np.divide(whole[best] - whole, error, out=np.zeros_like(whole), where=error > 0)
    assert found.flat_low is not None
    assert found.flat_high is not None
    inside = (thresholds >= found.flat_low) & (thresholds <= found.flat_high)
    # An error from 2,000 draws is known to 2%; thresholds that close to the edge may fall on either side.
    assert (ratio[~inside] > 0.94).all()
    assert (ratio < 0.94).sum() <= found.flat <= (ratio < 1.06).sum()


def naive_values(
    y: np.ndarray[Any, Any], s: np.ndarray[Any, Any], thresholds: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    return np.array([sk.f1_score(y, s >= t, zero_division=0.0) for t in thresholds])


def test_weights_of_single_rows_are_drawn_with_them_and_mixed_ones_are_refused() -> None:
    y, s, w = [True, False, True, False, True], [0.9, 0.8, 0.7, 0.3, 0.2], [1.0, 2.0, 0.5, 3.0, 1.5]
    how: dict[str, Any] = {"level": 0.95, "n_resamples": 199, "random_state": 0}
    apart = Scored.from_scores(y, s, pos_label=True, sample_weight=w)
    assert steadiness(Search(apart, by_measure("f1")), **how).reason is None
    mixed = Scored.from_scores([*y, True], [*s, 0.9], pos_label=True, sample_weight=[*w, 2.5])
    found = steadiness(Search(mixed, by_measure("f1")), **how)
    assert found == Steadiness(0, 0.95, reason="rows with the same score and label differ in weight")


def test_fewer_resamples_are_drawn_where_there_are_very_many_thresholds() -> None:
    assert draws_for(200, 9999) == 1999
    assert draws_for(200, 499) == 499
    assert draws_for(100_000, 9999) == 335
    assert draws_for(100_000_000, 9999) == 199


# ---------------------------------------------------------------------- flattery
def test_a_choice_that_cannot_be_otherwise_does_not_flatter() -> None:
    # Every half has its best F1 where everything is called positive: there is one score.
    found = steadiness(
        Search(scored([True] * 20 + [False] * 20, [0.5] * 40), by_measure("f1")),
        level=0.95,
        n_resamples=399,
        random_state=0,
    )
    assert found.optimism == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("choice", [by_cost(1, 4), by_measure("f1"), by_youden()], ids=lambda c: c.objective)
@pytest.mark.parametrize("n", [100, 400])
def test_values_on_the_rows_that_chose_are_too_good_by_as_much_as_is_said(choice: Choice, n: int) -> None:
    population = Search(calibrated_population((1, 1)), choice)
    values = population.on_data[0]
    said, true = [], []
    for seed in range(400):
        search = Search(scored(*drawn(n, seed)), choice)
        found = search.found()
        assert found.threshold is not None
        assert found.value is not None
        reached = int(np.flatnonzero(population.thresholds >= found.threshold)[-1])
        true.append(search.sign * (found.value - values[reached]))
        made = steadiness(search, level=0.95, n_resamples=199, random_state=seed)
        assert made.optimism is not None
        said.append(made.optimism)
    error = math.hypot(np.std(true), np.std(said)) / math.sqrt(len(true))
    # Within a quarter of the truth, and the simulation's own error.
    assert np.mean(said) == pytest.approx(np.mean(true), abs=0.25 * float(np.mean(true)) + 3 * error)
