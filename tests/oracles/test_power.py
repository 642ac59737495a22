"""What a test could have found, against enumeration by SciPy and against how often the test itself finds it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef

from assay import Confusion, Contingency, Joint, OptionError, Ranked, Scored, compare
from assay.measures.declare.catalogue import resolve
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.two.pair import Pair
from assay.uncertainty.two.power import detectable_share, finer_than, minimum_detectable, more_items

# (gold, a, b) of two systems of like skill: how many items of each kind, in a population that is the same for both.
EVEN = {
    (0, 0, 0): 176,
    (0, 0, 1): 12,
    (0, 1, 0): 12,
    (0, 1, 1): 10,
    (1, 1, 1): 64,
    (1, 0, 1): 8,
    (1, 1, 0): 8,
    (1, 0, 0): 10,
}
PEERS = {"accuracy": accuracy_score, "f1": f1_score, "mcc": matthews_corrcoef}


def pair_of(joint: Joint[Any], measure: str) -> Pair:
    found, options = resolve(measure, {})
    a, b = (estimate(found, side, n_resamples=99, **options) for side in (joint.a, joint.b))
    return Pair(joint, found.bind(joint.a, **options), a, b, 0.95, 99, 0)


def columns(cells: dict[tuple[int, int, int], int]) -> list[Any]:
    return list(np.repeat(np.array(list(cells)), list(cells.values()), axis=0).T)


def counted(cells: dict[tuple[int, int, int], int], measure: str, **more: Any) -> Pair:
    return pair_of(Confusion.joint(*columns(cells), positive=1, **more), measure)


def found_by_scipy(n: int, disagreement: float, difference: float, sides: int = 2) -> float:
    """Exact power of the sign test at 5%."""
    apart, tail = np.arange(n + 1), 0.05 / sides
    most = stats.binom.ppf(tail, apart, 0.5)
    most = np.where(stats.binom.cdf(most, apart, 0.5) <= tail, most, most - 1)
    for_a = (1 + difference / disagreement) / 2
    found = stats.binom.cdf(most, apart, 1 - for_a) + (sides == 2) * stats.binom.cdf(most, apart, for_a)
    return float((stats.binom.pmf(apart, n, disagreement) * found).sum())


# ---------------------------------------------------------------------- shares
@pytest.mark.parametrize(("apart", "trials"), [(10, 40), (40, 300), (25, 25), (300, 9000)])
@pytest.mark.parametrize(("alternative", "sides"), [("two-sided", 2), ("greater", 1)])
def test_the_smallest_difference_in_a_share_is_found_four_times_in_five(
    apart: int, trials: int, alternative: str, sides: int
) -> None:
    found = detectable_share(apart, trials, 0.05, alternative)
    assert found.value is not None
    assert found_by_scipy(trials, apart / trials, found.value, sides) == pytest.approx(0.8, abs=1e-6)


def test_a_thousand_million_items_are_planned_for_as_fast_as_a_thousand() -> None:
    found = detectable_share(50_000_000, 1_000_000_000, 0.05)
    normal = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * math.sqrt(0.05 / 1e9)
    assert found.value == pytest.approx(normal, rel=1e-4)
    more = more_items(counted(EVEN, "accuracy"), 1e-5, 0.05, share=(40, 300))
    assert more == pytest.approx((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * 40 / 300 / 1e-10, rel=1e-3)


def test_too_few_disagreements_cannot_show_anything() -> None:
    assert found_by_scipy(100, 0.07, 0.07) < 0.8
    found = detectable_share(7, 100, 0.05)
    assert found.value is None
    assert found.reason == (
        "only one system was right on just 7 rows: even if all of them favored one system, "
        "the test would have less than 80% power"
    )
    assert detectable_share(0, 100, 0.05).reason == "among 100 rows, there is none that only one system got right"


def test_the_difference_observed_plays_no_part() -> None:
    moved = {**EVEN, (0, 0, 1): 22, (0, 1, 0): 2, (1, 0, 1): 1, (1, 1, 0): 15}
    for measure in ("f1", "mcc"):
        even, tilted = (minimum_detectable(counted(cells, measure), 0.05).value for cells in (EVEN, moved))
        assert counted(moved, measure).difference > 0.1
        assert tilted == pytest.approx(even)
    pair = counted(EVEN, "accuracy")
    assert minimum_detectable(pair, 0.05, share=(40, 300)) == detectable_share(40, 300, 0.05)


def test_so_many_more_items_are_enough_and_one_fewer_is_not() -> None:
    pair = counted(EVEN, "accuracy")
    more = more_items(pair, 0.02, 0.05, share=(40, 300))
    assert more is not None
    powers = [found_by_scipy(300 + more + extra, 40 / 300, 0.02) for extra in (0, -1)]
    assert powers[1] < 0.8 <= powers[0]
    # Recall is a share of the positives, so other rows must be labeled along with them.
    of_positives = more_items(pair, 0.05, 0.05, share=(16, 90))
    assert of_positives is not None
    assert found_by_scipy(round((300 + of_positives) * 0.3), 16 / 90, 0.05) == pytest.approx(0.8, abs=0.005)
    assert more_items(pair, 0.2, 0.05, share=(40, 300)) is None
    assert more_items(pair, 0.13, 0.05, share=(40, 300)) == 0


# ---------------------------------------------------------------------- any measure
def connor(variance: float, drawn: float, null: float, miss: float) -> float:
    """The difference at which δ = null √v + miss √(v − δ²/n), by going round."""
    size = null * math.sqrt(variance)
    for _ in range(200):
        size = null * math.sqrt(variance) + miss * math.sqrt(variance - size**2 / drawn)
    return size


def test_for_accuracy_the_general_way_is_connors_formula() -> None:
    found = minimum_detectable(counted(EVEN, "accuracy"), 0.05)
    expected = connor(40 / 300**2, 300, stats.norm.ppf(0.975), stats.norm.ppf(0.8))
    assert found.value == pytest.approx(expected, rel=1e-6)
    assert found.method == "exchange"


def test_so_many_more_items_make_the_smallest_difference_the_one_asked_for() -> None:
    more = more_items(counted(EVEN, "f1"), 0.03, 0.05)
    assert more is not None
    factor = (300 + more) / 300
    grown = counted({cell: round(count * factor) for cell, count in EVEN.items()}, "f1")
    assert minimum_detectable(grown, 0.05).value == pytest.approx(0.03, rel=0.005)


def test_clusters_of_copies_tell_no_more_than_one_copy() -> None:
    gold, a, b = columns(EVEN)
    copies = Confusion.joint(*(np.repeat(x, 3) for x in (gold, a, b)), cluster=np.repeat(np.arange(300), 3), positive=1)
    found = minimum_detectable(pair_of(copies, "accuracy"), 0.05)
    null, miss = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    assert found.value == pytest.approx(connor(40 / 300**2, 300, null, miss), rel=1e-6)
    more = more_items(pair_of(copies, "accuracy"), 0.03, 0.05)
    alone = more_items(counted(EVEN, "accuracy"), 0.03, 0.05)
    assert more is not None
    assert alone is not None
    assert more + 900 == pytest.approx(3 * (alone + 300), abs=3)


def test_five_clusters_are_too_few_for_any_exchange_to_be_significant() -> None:
    gold = np.tile([0, 1], 100)
    a, b = gold.copy(), gold.copy()
    a[::10], b[5::10] = 1 - a[::10], 1 - b[5::10]
    b[[1, 41, 81, 121, 161]] = 0
    joint = Confusion.joint(gold, a, b, cluster=np.repeat(np.arange(5), 40), positive=1)
    assert 2 * 2.0**-5 > 0.05
    assert minimum_detectable(pair_of(joint, "accuracy"), 0.05).reason == (
        "there are only 5 clusters: even if all of them favored one system, the test would have less than 80% power"
    )


def test_identical_systems_have_no_smallest_difference_and_say_why() -> None:
    same = counted({(0, 0, 0): 30, (1, 1, 1): 20, (1, 0, 0): 5}, "f1")
    assert minimum_detectable(same, 0.05).reason == "the systems gave the same answers on all 55 rows"
    assert more_items(same, 0.05, 0.05) is None


def test_a_handful_of_disagreements_shows_nothing_of_f1_either() -> None:
    few = counted({(0, 0, 0): 100, (1, 1, 1): 40, (1, 0, 1): 2, (1, 1, 0): 1}, "f1")
    assert minimum_detectable(few, 0.05).reason == (
        "the systems answered differently on only 3 rows: even if all of them favored one system, "
        "the test would have less than 80% power"
    )


def test_clusterings_cannot_be_exchanged_and_use_the_jackknife() -> None:
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 3, 200)
    a, b = (np.where(rng.random(200) < wrong, rng.integers(0, 3, 200), gold) for wrong in (0.2, 0.3))
    joint = Contingency.joint(gold, a, b)
    interval = compare(joint, measure="adjusted_rand").interval
    found = minimum_detectable(pair_of(joint, "adjusted_rand"), 0.05)
    assert interval is not None
    se = (interval.high - interval.low) / 2 / stats.t.ppf(0.975, 199)
    assert found.value == pytest.approx(connor(se**2, 200, stats.norm.ppf(0.975), stats.norm.ppf(0.8)), rel=1e-6)
    assert found.method == "jackknife"


def test_areas_under_curves_need_about_what_delongs_error_says() -> None:
    rng = np.random.default_rng(5)
    gold = np.repeat([0, 1], 150)
    common = rng.normal(size=300)
    a, b = (gold * 1.2 + common + rng.normal(size=300) for _ in "ab")
    pair = pair_of(Scored.joint(gold, a, b, pos_label=1), "roc_auc")
    left_a, left_b, times = pair.left_out()
    d = left_a - left_b
    se = math.sqrt(299 / 300 * (times * (d - (times * d).sum() / 300) ** 2).sum())
    # The spread under exchange and that around the observed difference agree up to that difference and ties.
    assert minimum_detectable(pair, 0.05).value == pytest.approx(2.8 * se, rel=0.08)


def test_rankings_are_judged_by_their_differences_query_by_query() -> None:
    rng = np.random.default_rng(6)
    first = [rng.integers(1, 6, 60) for _ in "ab"]  # the rank of the first relevant document of each query
    runs = [{f"q{q}": [0] * (rank - 1) + [1] for q, rank in enumerate(ranks)} for ranks in first]
    apart = 1 / first[0] - 1 / first[1]
    variance = float((apart**2).sum()) / 60**2  # of a mean whose signs are tossed
    found = minimum_detectable(pair_of(Ranked.joint(*runs), "rr"), 0.05)
    assert found.value == pytest.approx(connor(variance, 60, stats.norm.ppf(0.975), stats.norm.ppf(0.8)), rel=1e-6)


@pytest.mark.parametrize(
    ("whole", "finer"), [(0.05, 0.02), (0.031, 0.02), (0.0201, 0.02), (0.1, 0.05), (3.0, 2.0), (0.0123, 0.01)]
)
def test_a_finer_difference_is_the_nearest_round_size_below(whole: float, finer: float) -> None:
    assert finer_than(whole) == finer


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.05), (0.05, 1.0), (0.0, 0.8), (1.0, 0.8)])
def test_power_lies_between_alpha_and_one(alpha: float, power: float) -> None:
    with pytest.raises(OptionError):
        minimum_detectable(counted(EVEN, "f1"), alpha, power=power)


# ---------------------------------------------------------------------- the test itself
def tilted(measure: str, difference: float) -> Any:
    """Chances of the cells when the better system is right in a like share of all disagreements, by scikit-learn."""
    cells = np.array(list(EVEN))
    even = np.array(list(EVEN.values())) / 300
    gold, a, b = cells.T
    right_a = (a != b) * np.where(a == gold, 1, -1)

    def value(lean: float) -> tuple[float, Any]:
        chances = even * (1 + lean * right_a)
        of_a, of_b = (PEERS[measure](gold, pred, sample_weight=chances) for pred in (a, b))
        return of_a - of_b, chances

    low, high = 0.0, 1.0
    assert value(high)[0] > difference
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if value(middle)[0] > difference else (middle, high)
    return value(high)[1]


def simulated(measure: str, difference: float, repeats: int, draws: int) -> float:
    """How often assay's own randomization test finds this difference on 300 items."""
    cells, chances = np.array(list(EVEN)), tilted(measure, difference)
    rng, found = np.random.default_rng(9), 0
    for _ in range(repeats):
        gold, a, b = np.repeat(cells, rng.multinomial(300, chances / chances.sum()), axis=0).T
        p = compare(gold, a, b, measure=measure, method="mover", n_resamples=draws, **_positive(measure)).p_value
        found += p is not None and p <= 0.05
    return found / repeats


def _positive(measure: str) -> dict[str, Any]:
    return {"positive": 1} if measure == "f1" else {}


# The test by which `compare` judges each of them.
TESTED = {"accuracy": "mcnemar_midp", "f1": "randomization", "mcc": "randomization"}


@pytest.mark.parametrize("measure", ["accuracy", "f1"])
def test_the_smallest_difference_is_found_four_times_in_five(measure: str) -> None:
    share = (40, 300) if measure == "accuracy" else None
    value = minimum_detectable(counted(EVEN, measure), 0.05, share=share, test=TESTED[measure]).value
    assert value is not None
    assert abs(simulated(measure, value, 150, 199) - 0.8) < 3 * math.sqrt(0.16 / 150)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["accuracy", "f1", "mcc"])
def test_the_smallest_difference_is_found_four_times_in_five_at_length(measure: str) -> None:
    share = (40, 300) if measure == "accuracy" else None
    value = minimum_detectable(counted(EVEN, measure), 0.05, share=share, test=TESTED[measure]).value
    assert value is not None
    # The general formula is a normal approximation; docs/decisions/0009 has its power: .78 to .85 here.
    slack = 0.0 if measure == "accuracy" else 0.05
    assert abs(simulated(measure, value, 1500, 999) - 0.8) < 3 * math.sqrt(0.16 / 1500) + slack
