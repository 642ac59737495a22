"""What a number of items can show, and how wide intervals will be: against statsmodels, SciPy and plain simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from assay import Confusion, OptionError, Scored, estimate, plan
from assay.options.planning import Planned
from assay.uncertainty.planning.plan import detectable_plan, width_plan
from assay.uncertainty.planning.widths import MOST_SAMPLES
from tests.oracles.test_plan import by_scipy, enumerated

THEIRS = {"wilson": "wilson", "wald": "normal", "clopper_pearson": "beta"}


# ---------------------------------------------------------------------- shares
@pytest.mark.parametrize("method", THEIRS)
@pytest.mark.parametrize("share", [0.5, 0.9, 0.03])
@pytest.mark.parametrize("items", [40, 500, 12_000])
def test_so_many_items_give_the_interval_of_statsmodels(method: str, share: float, items: int) -> None:
    low, high = proportion_confint(share * items, items, alpha=0.1, method=THEIRS[method])
    made = width_plan(items, share, 0.9, method)
    if method == "wald":  # statsmodels cuts it off at 0 and 1, which a width for planning does not
        low, high = (share + s * stats.norm.ppf(0.95) * math.sqrt(share * (1 - share) / items) for s in (-1, 1))
    assert made.half_width == pytest.approx((high - low) / 2, rel=1e-9)


def test_items_in_clusters_count_as_their_design_effect_says() -> None:
    made = width_plan(1000, 0.3, cluster_size=10, icc=0.1)
    low, high = proportion_confint(0.3 * 526, 526, method="wilson")  # 1000 / 1.9
    assert made.half_width == pytest.approx((high - low) / 2, rel=1e-9)
    assert made.clusters == 100


# ---------------------------------------------------------------------- differences
@pytest.mark.parametrize(("items", "disagreement"), [(500, 0.1), (300, 0.14), (60, 0.5), (2500, 0.05)])
def test_the_detectable_difference_is_found_as_often_as_wanted_by_scipy_and_a_smaller_one_is_not(
    items: int, disagreement: float
) -> None:
    made = detectable_plan(items, disagreement)
    assert made is not None
    assert made.difference is not None
    assert by_scipy(items, disagreement, made.difference) == pytest.approx(0.8, abs=1e-6)
    assert by_scipy(items, disagreement, 0.99 * made.difference) < 0.8


@pytest.mark.parametrize("test", ["exact", "midp"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_detectable_difference_is_that_of_all_significant_outcomes(test: str, alternative: str) -> None:
    made = detectable_plan(25, 0.6, power=0.7, alternative=alternative, test=test)
    assert made is not None
    assert made.difference is not None
    assert (made.difference < 0) == (alternative == "less")
    assert enumerated(25, 0.6, made.difference, alternative, test) == pytest.approx(0.7, abs=1e-6)


def test_connors_difference_needs_the_items_of_connors_formula() -> None:
    made = detectable_plan(1200, 0.2, power=0.9, test="connor")
    assert made is not None
    assert made.difference is not None
    z, d = stats.norm.ppf, made.difference
    items = ((z(0.975) * math.sqrt(0.2) + z(0.9) * math.sqrt(0.2 - d**2)) / d) ** 2
    assert items == pytest.approx(1200, rel=1e-6)


def test_too_few_items_find_nothing_and_say_so() -> None:
    assert detectable_plan(20, 0.1) is None
    assert by_scipy(20, 0.1, 0.1) < 0.8
    with pytest.raises(OptionError, match=r"no difference, however large, is detected with probability 0\.8"):
        plan(items=20, disagreement=0.1)


# ---------------------------------------------------------------------- any measure, from a pilot
def answers(n: int = 400, seed: int = 2) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.random(n) < 0.3
    a, b = (gold ^ (rng.random(n) < wrong) for wrong in (0.1, 0.16))
    return gold.astype(int), a.astype(int), b.astype(int)


def table(n: int = 400) -> dict[str, Any]:
    gold, a, b = answers(n)
    return {"gold": gold, "a": a, "b": b}


def test_for_accuracy_a_pilot_asks_for_about_as_many_items_as_clopper_and_pearson_or_wilson_do() -> None:
    rows = table()
    share = float((rows["gold"] == rows["a"]).mean())
    made = plan(half_width=0.025, measure="accuracy", pilot=rows, pred="a")
    widths = [
        float(np.subtract(*proportion_confint(share * made.items, made.items, method=how)[::-1]) / 2)
        for how in ("wilson", "beta")
    ]
    # The mid-P interval lies between them; the mean over samples is known to a percent.
    assert 0.985 * widths[0] <= 0.025 <= 1.015 * widths[1]


def test_the_planned_width_of_f1_is_what_its_spread_over_samples_says() -> None:
    """An interval of ±w at 95% is 1.96 standard deviations of 2 TP / (2 TP + FP + FN) over samples of that size."""
    gold, a, _ = answers()
    made = plan(half_width=0.03, measure="f1", pilot=table(), pred="a", positive=1)
    cells = np.array([np.mean((gold == g) & (a == p)) for g, p in ((1, 1), (0, 1), (1, 0), (0, 0))])
    tp, fp, fn, _ = np.random.default_rng(3).multinomial(made.items, cells, 20_000).T
    assert 1.96 * np.std(2 * tp / (2 * tp + fp + fn)) == pytest.approx(0.03, rel=0.025)


@pytest.mark.parametrize(
    ("measure", "half"), [("f1(average=macro)", 0.03), ("mcc", 0.05), ("recall", 0.05), ("balanced_accuracy", 0.03)]
)
def test_samples_of_the_planned_size_have_intervals_of_that_width_on_average(measure: str, half: float) -> None:
    gold, a, _ = answers()
    made = plan(half_width=half, measure=measure, pilot=table(), pred="a", positive=1)
    rng, widths = np.random.default_rng(9), []
    for _ in range(100):
        rows = rng.integers(0, len(gold), made.items)
        found = estimate(measure, Confusion.from_predictions(gold[rows], a[rows], positive=1), n_resamples=999)
        assert found.interval is not None
        widths.append((found.interval.high - found.interval.low) / 2)
    error = float(np.std(widths)) * math.sqrt(1 / 100 + 1 / 200)
    assert np.mean(widths) == pytest.approx(half, abs=3.5 * error + 0.01 * half)


def test_an_area_under_a_curve_is_planned_for_by_the_variance_of_delong() -> None:
    rng = np.random.default_rng(5)
    gold = np.repeat([0, 1], 100)
    score = gold * 1.2 + rng.normal(size=200)
    pilot = Scored.from_scores(gold, score, pos_label=1)
    made = plan(half_width=0.04, measure="roc_auc", pilot=pilot)
    placed = [(score[gold == 0][:, None] < score[gold == 1]).mean(axis) for axis in (0, 1)]
    variance = 2 * sum(np.var(x, ddof=1) for x in placed)  # times the items, of which half are positive
    assert made.items == pytest.approx(variance * (1.96 / 0.04) ** 2, rel=0.06)


def test_clusters_of_copies_need_as_many_clusters_as_items_were_needed() -> None:
    gold, a, _ = answers()
    columns = {name: np.repeat(column, 4) for name, column in (("gold", gold), ("a", a))}
    copies = {**columns, "doc": np.repeat(np.arange(400), 4)}
    how: dict[str, Any] = {"half_width": 0.02, "measure": "accuracy", "pred": "a"}
    alone, together = plan(pilot=table(), **how), plan(pilot=copies, cluster="doc", **how)
    # Their interval rests on Student's t, which is wider by a few percent.
    assert together.plans[0].clusters == pytest.approx(alone.items, rel=0.06)
    assert together.items == 4 * (together.plans[0].clusters or 0)


def test_more_items_narrow_the_interval_by_the_root_of_their_number() -> None:
    how: dict[str, Any] = {"measure": "f1", "pilot": table(), "pred": "a", "positive": 1}
    few, many = (plan(items=n, **how).plans[0].half_width for n in (400, 3600))
    assert few is not None
    assert many is not None
    assert few / many == pytest.approx(3, rel=0.03)


def test_for_accuracy_the_detectable_difference_of_a_pilot_is_that_of_mcnemars_test() -> None:
    rows = table()
    apart = float(((rows["gold"] == rows["a"]) != (rows["gold"] == rows["b"])).mean())
    made = plan(items=500, measure="accuracy", pilot=rows, pred=["a", "b"]).plans[0]
    assert made.difference is not None
    # Power is simulated on 4,000 samples, and tests by 199 coins lose half a point beside the exact one.
    assert abs(by_scipy(500, apart, made.difference) - 0.8) < 3.5 * math.sqrt(0.16 / 4000) + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["f1", "mcc", "f1(average=macro)"])
@pytest.mark.parametrize("half", [0.02, 0.06])
def test_planned_widths_hold_in_fresh_samples(measure: str, half: float) -> None:
    gold, a, _ = answers(seed=7)
    rows = {"gold": gold, "a": a}
    made = plan(half_width=half, measure=measure, pilot=rows, pred="a", positive=1)
    rng, widths = np.random.default_rng(19), []
    for _ in range(600):
        drawn = rng.integers(0, len(gold), made.items)
        found = estimate(measure, Confusion.from_predictions(gold[drawn], a[drawn], positive=1))
        assert found.interval is not None
        widths.append((found.interval.high - found.interval.low) / 2)
    error = float(np.std(widths)) * math.sqrt(1 / 600 + 1 / 200)
    assert np.mean(widths) == pytest.approx(half, abs=3.5 * error + 0.01 * half)


# ---------------------------------------------------------------------- in words
def test_a_one_sided_plan_has_one_sign_in_its_sentences() -> None:
    found = plan(items=500, disagreement=0.1, alternative="less")
    for each in found.plans:
        assert each.difference is not None
        assert each.difference < 0
        assert f"of −{abs(each.difference):.3g} " in each.sentence
    assert f"a true difference of −{abs(found.plans[0].difference or 0.0):.3g} is" in found.sentence
    assert "ones larger in size more often" in found.sentence
    mirrored = plan(items=500, disagreement=0.1, alternative="greater")
    assert mirrored.plans[0].difference == -(found.plans[0].difference or 0.0)
    assert "−" not in mirrored.sentence + mirrored.plans[0].sentence
    assert "and larger ones more often" in mirrored.sentence
    named = plan(difference=-0.05, disagreement=0.1, alternative="less")
    assert "a true difference of −0.05 with" in named.sentence
    assert "a true difference of −0.05 with" in named.plans[0].sentence


def test_the_help_says_how_many_samples_an_interval_is_planned_from() -> None:
    pilot = Confusion.from_counts(tp=30, fp=5, fn=10, tn=55)
    found = plan(pilot=pilot, measure="mcc", half_width=0.1, items=None)
    assert any(f"the mean of {MOST_SAMPLES} simulated samples" in text for text in found.plans[0].assumptions)
    help_of_it = next(option for option in Planned.__annotations__.items() if option[0] == "n_resamples")
    assert f"at most {MOST_SAMPLES}" in str(help_of_it)
