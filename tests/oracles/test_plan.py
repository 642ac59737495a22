"""Sample sizes against statsmodels, enumeration by SciPy, brute force, and a published calculator.

The example of Connor's formula (p10 = .45, p01 = .05: 23 pairs, two-sided at power .8 and one-sided at .9) is that of
powerandsamplesize.com, "Compare Paired Proportions", which cites Connor (1987), Biometrics 43, page 209.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import (
    power_proportions_2indep,
    proportion_confint,
    samplesize_confint_proportion,
)

from assay import Confusion, DataError, Joint, OptionError, Scored, compare
from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import resolve
from assay.uncertainty.planning.pilot import pilot_plan
from assay.uncertainty.planning.plan import (
    design_effect,
    difference_plan,
    half_width_plan,
    items_for_difference,
    items_for_half_width,
    items_without_pairing,
    power_of,
)
from assay.uncertainty.planning.population import Population

WIDTHS = [(share, half) for share in (0.5, 0.3, 0.9, 0.02) for half in (0.05, 0.03, 0.1)]


# ---------------------------------------------------------------------- intervals
def test_five_points_at_one_half_need_385_items_by_wald_and_381_by_wilson() -> None:
    assert items_for_half_width(0.5, 0.05, 0.95, "wald") == 385
    assert items_for_half_width(0.5, 0.05, 0.95, "wilson") == 381


@pytest.mark.parametrize(("share", "half"), WIDTHS)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_wald_is_the_formula_of_statsmodels(share: float, half: float, level: float) -> None:
    theirs = samplesize_confint_proportion(share, half, alpha=1 - level)
    assert items_for_half_width(share, half, level, "wald") == math.ceil(theirs)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper_pearson", "beta")])
@pytest.mark.parametrize(("share", "half"), WIDTHS)
def test_one_item_fewer_makes_the_interval_of_statsmodels_too_wide(
    method: str, theirs: str, share: float, half: float
) -> None:
    n = items_for_half_width(share, half, 0.95, method)
    widths = [np.subtract(*proportion_confint(share * m, m, method=theirs)[::-1]) / 2 for m in range(1, n + 1)]
    assert widths[-1] <= half
    assert min(widths[:-1], default=1) > half


def test_clusters_multiply_items_by_their_design_effect() -> None:
    assert design_effect(10, 0.1) == pytest.approx(1.9)
    assert design_effect(None, None) is None
    plan = half_width_plan(0.05, method="wald", cluster_size=10, icc=0.1)
    assert (plan.items, plan.clusters) == (732, 74)  # 385 · 1.9 = 731.5


def test_the_design_effect_keeps_the_width_that_was_asked_for() -> None:
    clusters = half_width_plan(0.05, method="wald", cluster_size=10, icc=0.1).clusters
    assert clusters is not None
    a = 0.5 * (1 / 0.1 - 1)  # a beta-binomial with this correlation within clusters
    rng = np.random.default_rng(4)
    hits = rng.binomial(10, rng.beta(a, a, size=(4000, clusters))).sum(1)
    # The last cluster is filled up, so there are up to one percent more items than needed.
    wanted = 0.05 / stats.norm.ppf(0.975)
    assert np.std(hits / (10 * clusters)) == pytest.approx(wanted, rel=4 / math.sqrt(2 * 4000) + 0.01)


# ---------------------------------------------------------------------- McNemar's test
def rejects(b: int, c: int, alternative: str, test: str, alpha: float = 0.05) -> bool:
    if test == "exact":
        return b + c > 0 and stats.binomtest(b, b + c, alternative=alternative).pvalue <= alpha  # type: ignore[arg-type]
    coin = stats.binom(b + c, 0.5)
    low, high = coin.cdf(b) - coin.pmf(b) / 2, coin.sf(b - 1) - coin.pmf(b) / 2
    p = {"two-sided": 2 * min(low, high), "greater": high, "less": low}[alternative]
    return b + c > 0 and bool(p <= alpha)


def enumerated(n: int, disagreement: float, difference: float, alternative: str, test: str) -> float:
    """The trinomial chance of all outcomes that are significant."""
    chances = [(disagreement + difference) / 2, (disagreement - difference) / 2, 1 - disagreement]
    return sum(
        float(stats.multinomial.pmf([b, c, n - b - c], n, chances))
        for b in range(n + 1)
        for c in range(n + 1 - b)
        if rejects(b, c, alternative, test)
    )


@pytest.mark.parametrize("test", ["exact", "midp"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize(("n", "disagreement", "difference"), [(7, 0.9, 0.8), (16, 0.5, 0.3), (25, 0.4, 0.1)])
def test_power_is_the_chance_of_all_significant_outcomes(
    test: str, alternative: str, n: int, disagreement: float, difference: float
) -> None:
    expected = enumerated(n, disagreement, difference, alternative, test)
    assert power_of(difference, disagreement, n, alternative=alternative, test=test) == pytest.approx(
        expected, abs=1e-9
    )


def test_a_test_for_less_finds_the_mirror_image() -> None:
    mirrored = enumerated(16, 0.5, -0.3, "less", "exact")
    assert power_of(-0.3, 0.5, 16, alternative="less") == pytest.approx(mirrored, abs=1e-9)


def test_power_is_how_often_the_exact_test_of_statsmodels_rejects() -> None:
    rng, draws = np.random.default_rng(11), 1500
    drawn = rng.multinomial(300, [0.10, 0.04, 0.86], size=draws)
    found = np.mean([mcnemar([[0, b], [c, 0]], exact=True).pvalue <= 0.05 for b, c, _ in drawn])
    expected = power_of(0.06, 0.14, 300)
    assert abs(found - expected) < 3.5 * math.sqrt(expected * (1 - expected) / draws)


def by_scipy(n: int, disagreement: float, difference: float) -> float:
    """Exact two-sided power at 5% from SciPy's binomial."""
    apart = np.arange(n + 1)
    most = stats.binom.ppf(0.025, apart, 0.5)
    most = np.where(stats.binom.cdf(most, apart, 0.5) <= 0.025, most, most - 1)
    for_a = (1 + difference / disagreement) / 2
    found = stats.binom.cdf(most, apart, for_a) + stats.binom.cdf(most, apart, 1 - for_a)
    return float((stats.binom.pmf(apart, n, disagreement) * found).sum())


@pytest.mark.parametrize(
    ("disagreement", "difference"), [(1.0, 0.2), (1.0, 0.5), (0.3, 0.3), (0.02, 0.02), (0.9, 0.25), (0.5, 0.3)]
)
def test_from_the_number_of_items_on_the_power_is_reached_and_just_before_it_is_not(
    disagreement: float, difference: float
) -> None:
    n = items_for_difference(difference, disagreement)
    assert by_scipy(n - 1, disagreement, difference) < 0.8
    later = range(n, n + max(60, math.ceil(8 * math.sqrt(n / disagreement))), 1 if n < 300 else 7)
    assert min(by_scipy(m, disagreement, difference) for m in later) >= 0.8


def test_a_saw_tooth_is_not_mistaken_for_enough_items() -> None:
    reached = [n for n in range(1, 260) if by_scipy(n, 1.0, 0.2) >= 0.8]
    assert reached[0] < items_for_difference(0.2, 1.0) == max(set(range(1, 260)) - set(reached)) + 1


@pytest.mark.parametrize("disagreement", [0.1, 0.5, 1.0])
def test_beyond_thousands_of_disagreements_the_power_is_still_the_exact_one_to_three_digits(
    disagreement: float,
) -> None:
    items = math.ceil(5500 / disagreement)
    difference = 2.8 * math.sqrt(disagreement / items)
    # With certain disagreement the power jumps by 0.56 / √5500 = 0.0076 from one number of items to the next but one.
    slack = 0.008 if disagreement == 1 else 0.0005
    assert power_of(difference, disagreement, items) == pytest.approx(
        by_scipy(items, disagreement, difference), abs=slack
    )


def test_items_by_the_hundred_thousand_reach_their_power_exactly() -> None:
    items = items_for_difference(0.0015, 0.05)
    assert items * 0.05 > 5000
    assert by_scipy(items, 0.05, 0.0015) == pytest.approx(0.8, abs=0.0002)


def test_connors_formula_gives_the_published_example() -> None:
    assert items_for_difference(0.4, 0.5, power=0.8, test="connor") == 23
    assert items_for_difference(0.4, 0.5, power=0.9, alternative="greater", test="connor") == 23


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_connors_formula_and_its_power_are_the_normal_approximation_written_out(alternative: str) -> None:
    z = stats.norm.ppf(0.975 if alternative == "two-sided" else 0.95)
    n = ((z * math.sqrt(0.1) + stats.norm.ppf(0.8) * math.sqrt(0.1 - 0.02**2)) / 0.02) ** 2
    assert items_for_difference(0.02, 0.1, alternative=alternative, test="connor") == math.ceil(n)
    power = stats.norm.cdf((0.02 * math.sqrt(500) - z * math.sqrt(0.1)) / math.sqrt(0.1 - 0.02**2))
    assert power_of(0.02, 0.1, 500, alternative=alternative, test="connor") == pytest.approx(power)


def test_clusters_leave_fewer_independent_items_to_find_a_difference_with() -> None:
    alone, clustered = (
        difference_plan(0.02, 0.1, items=1000),
        difference_plan(0.02, 0.1, 1900, cluster_size=10, icc=0.1),
    )
    assert clustered.power == alone.power == pytest.approx(by_scipy(1000, 0.1, 0.02), abs=1e-9)
    assert difference_plan(0.02, 0.1, cluster_size=10, icc=0.1).items == math.ceil(
        1.9 * items_for_difference(0.02, 0.1)
    )


def test_without_pairing_the_power_of_statsmodels_is_just_reached() -> None:
    n = items_without_pairing(0.85, 0.8)
    powers = [power_proportions_2indep(0.05, 0.8, m, return_results=False) for m in (n, n - 1)]
    assert powers[1] < 0.8 <= powers[0]


NONSENSE: dict[str, Callable[[], object]] = {
    "every share": lambda: items_for_half_width(0.5, 0.5),
    "a sure share": lambda: items_for_half_width(1.0, 0.05),
    "an unknown method": lambda: items_for_half_width(0.5, 0.05, method="wislon"),
    "more than the disagreement": lambda: items_for_difference(0.2, 0.1),
    "no difference": lambda: items_for_difference(0.0, 0.1),
    "not a number": lambda: items_for_difference(math.nan, 0.1),
    "power that chance has": lambda: items_for_difference(0.02, 0.1, power=0.05),
    "power that nothing has": lambda: items_for_difference(0.02, 0.1, power=1.0),
    "the wrong side": lambda: items_for_difference(0.02, 0.1, alternative="less"),
    "too many items": lambda: items_for_difference(1e-6, 0.1),
    "no items": lambda: power_of(0.02, 0.1, 0),
    "a size without a correlation": lambda: design_effect(10, None),
    "a correlation of two": lambda: design_effect(10, 2),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_refused(case: str) -> None:
    with pytest.raises(OptionError):
        NONSENSE[case]()


# ---------------------------------------------------------------------- pilots
def pilot(measure: str, n: int = 300, **more: object) -> tuple[Joint[Confusion], Bound]:
    rng = np.random.default_rng(2)
    gold = rng.random(n) < 0.3
    a, b = (gold ^ (rng.random(n) < wrong) for wrong in (0.08, 0.14))
    joint = Confusion.joint(gold.astype(int), a.astype(int), b.astype(int), positive=1, **more)  # type: ignore[arg-type]
    found, options = resolve(measure, {})
    return joint, found.bind(joint.a, **options)


def test_for_accuracy_a_pilot_gives_the_exact_power_of_mcnemars_test() -> None:
    joint, bound = pilot("accuracy")
    assert joint.disagreements is not None
    plan = pilot_plan(joint, bound, 0.06, items=400, samples=6000)
    expected = by_scipy(400, joint.disagreements / joint.n, 0.06)
    assert plan.power is not None
    # Tests by 199 coins lose a little beside the exact one: at most half a point here.
    assert abs(plan.power - expected) < 3.5 * math.sqrt(expected * (1 - expected) / 6000) + 0.005


def test_for_accuracy_a_pilot_asks_for_as_many_items_as_mcnemars_test() -> None:
    joint, bound = pilot("accuracy")
    assert joint.disagreements is not None
    exact = items_for_difference(0.06, joint.disagreements / joint.n)
    # One standard error of 4,000 samples is 0.6 points of power, which 1.6% more items make up for.
    assert pilot_plan(joint, bound, 0.06).items == pytest.approx(exact, rel=3.5 * 0.016)


@pytest.mark.parametrize("measure", ["f1", "mcc", "recall"])
def test_the_population_differs_by_what_was_named_and_disagrees_as_in_the_pilot(measure: str) -> None:
    joint, bound = pilot(measure)
    population = Population.of(joint, bound)
    chances = population.chances(0.07)
    assert chances is not None
    side_a, side_b = population.joint.a, population.joint.b
    gold, a, b = side_a.keys["gold"], side_a.keys["pred"], side_b.keys["pred"]
    assert chances.sum() == pytest.approx(1)
    assert chances[a != b].sum() * joint.n == pytest.approx(joint.disagreements)
    if measure == "f1":
        first, second = (f1_score(gold, pred, sample_weight=chances) for pred in (a, b))
        assert first - second == pytest.approx(0.07)


def test_the_difference_that_the_pilot_shows_plays_no_part() -> None:
    joint, bound = pilot("f1")
    forth, back = (pilot_plan(side, bound, 0.06, items=500, samples=4000).power for side in (joint, joint.swapped()))
    assert forth is not None
    assert back is not None
    assert abs(forth - back) < 3.5 * math.sqrt(2 * 0.25 / 4000)


def test_a_strict_level_is_simulated_with_as_many_coins_as_it_needs() -> None:
    joint, bound = pilot("accuracy")
    assert joint.disagreements is not None
    made = pilot_plan(joint, bound, 0.1, items=400, level=0.995, samples=2000)
    expected = power_of(0.1, joint.disagreements / joint.n, 400, level=0.995)
    assert made.power is not None
    assert abs(made.power - expected) < 3.5 * math.sqrt(expected * (1 - expected) / 2000) + 0.01


def test_areas_under_curves_are_planned_for_too() -> None:
    rng = np.random.default_rng(5)
    gold = np.repeat([0, 1], 100)
    common = rng.normal(size=200)
    a, b = (gold * 1.2 + common + rng.normal(size=200) for _ in "ab")
    joint = Scored.joint(gold, a, b, pos_label=1)
    found, options = resolve("roc_auc", {})
    made = pilot_plan(joint, found.bind(joint.a, **options), 0.05, samples=1000)
    # DeLong's variance of the difference, for as many items as are asked for.
    placed = [[(s[gold == 0][:, None] < s[gold == 1]).mean(axis) for axis in (0, 1)] for s in (a, b)]
    variance = 2 * sum(np.var(x - y, ddof=1) for x, y in zip(*placed, strict=True))
    expected = variance * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 / 0.05**2
    assert made.items == pytest.approx(expected, rel=0.15)


def test_a_difference_beyond_the_disagreement_is_refused_with_the_largest_there_can_be() -> None:
    joint, bound = pilot("accuracy")
    assert joint.disagreements is not None
    with pytest.raises(OptionError, match=f"the largest possible is {joint.disagreements / joint.n:.3g}"):
        pilot_plan(joint, bound, 0.5)


def test_a_pilot_without_disagreement_says_nothing() -> None:
    gold = [0, 1] * 20
    joint = Confusion.joint(gold, gold, gold, positive=1)
    found, options = resolve("f1", {})
    with pytest.raises(DataError, match="gave the same answers on all 40 rows"):
        pilot_plan(joint, found.bind(joint.a, **options), 0.05)


def test_clusters_of_copies_need_as_many_clusters_as_items_were_needed() -> None:
    joint, bound = pilot("accuracy")
    rng = np.random.default_rng(2)
    gold = rng.random(300) < 0.3
    a, b = (gold ^ (rng.random(300) < wrong) for wrong in (0.08, 0.14))
    columns = [np.repeat(column.astype(int), 4) for column in (gold, a, b)]
    copied = Confusion.joint(*columns, positive=1, cluster=np.repeat(np.arange(300), 4))
    alone = pilot_plan(joint, bound, 0.06, items=400, samples=4000)
    together = pilot_plan(copied, bound, 0.06, items=1600, samples=4000)
    assert together.clusters == 400
    assert alone.power is not None
    assert together.power is not None
    assert abs(alone.power - together.power) < 3.5 * math.sqrt(2 * 0.25 / 4000)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["f1", "mcc"])
def test_simulated_power_is_how_often_the_randomization_test_finds_the_difference(measure: str) -> None:
    joint, bound = pilot(measure)
    planned = pilot_plan(joint, bound, 0.08, items=250).power
    population = Population.of(joint, bound)
    chances = population.chances(0.08)
    assert chances is not None
    side_a, side_b = population.joint.a, population.joint.b
    rng, repeats, found = np.random.default_rng(8), 1000, 0
    for _ in range(repeats):
        rows = rng.choice(len(chances), p=chances / chances.sum(), size=250)
        columns = (side_a.keys["gold"][rows], side_a.keys["pred"][rows], side_b.keys["pred"][rows])
        p = compare(*columns, measure=measure, method="mover", n_resamples=399).p_value
        found += p is not None and p <= 0.05
    assert planned is not None
    assert abs(found / repeats - planned) < 3.5 * math.sqrt(0.25 / repeats + 0.25 / 4000) + 0.02
