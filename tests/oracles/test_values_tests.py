"""Paired values: SciPy, statsmodels, published examples, and enumeration item by item."""

from __future__ import annotations

import math
from itertools import product
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from assay.errors import DataError, OptionError
from assay.uncertainty.results import Signature
from assay.uncertainty.two.discordant import Discordant, tango
from assay.uncertainty.values.compare import compare_values
from assay.uncertainty.values.folds import five_numbers
from assay.uncertainty.values.tests import Drawing
from tests.oracles.plain import mid_p

Numbers = NDArray[np.float64]
Side = Literal["two-sided", "greater", "less"]
Zeros = Literal["wilcox", "pratt", "zsplit"]
SIDES: tuple[Side, ...] = ("two-sided", "greater", "less")
SEVEN = [1, 2, 1, 2, 2, 2, 0], [4, 5, 5, 4, 3, 2, 1]
TEN = [1, 1, 1, 0, 1, 0, 1, 1, 0, 1], [1, 0, 1, 1, 0, 1, 0, 1, 0, 0]


def drawn_error(p: float, draws: int) -> float:
    """Four standard errors of a share of draws."""
    return 4 * math.sqrt(p * (1 - p) / draws) + 1 / draws


def pairs(seed: int, n: int, shift: float = 0.4) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 1, size=n), rng.normal(size=n)


def mean_gap(a: Numbers, b: Numbers, axis: int = -1) -> Any:
    return np.mean(a, axis=axis) - np.mean(b, axis=axis)


# ---------------------------------------------------------------------- randomization
def test_the_seven_item_example_is_two_in_sixty_four() -> None:
    found = compare_values(*SEVEN)
    assert (found.p_value, found.draws, found.extreme) == (2 / 64, 64, None)
    assert found.test == "randomization"
    assert "item by item" in found.why


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("seed", range(3))
def test_all_exchanges_give_the_p_value_of_scipy(alternative: Side, seed: int) -> None:
    a, b = pairs(seed, 9)
    peer: Any = stats.permutation_test
    expected = peer((a, b), mean_gap, permutation_type="samples", alternative=alternative, n_resamples=np.inf)
    assert compare_values(a, b, alternative=alternative).p_value == pytest.approx(float(expected.pvalue), abs=1e-12)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [18, 30, 45])
def test_differences_on_a_grid_are_summed_exactly(alternative: Side, n: int) -> None:
    # Differences of 1 to n tenths with any signs are their own ranks, so this is the exact signed-rank test.
    rng = np.random.default_rng(n)
    d = rng.permutation(np.arange(1, n + 1)) * rng.choice([-1, 1, 1], size=n) / 10
    expected = stats.wilcoxon(d, method="exact", alternative=alternative)
    found = compare_values(d + 3, np.full(n, 3.0), alternative=alternative)
    assert found.extreme is None
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)


@pytest.mark.parametrize(("wins", "losses"), [(60, 41), (0, 40), (3000, 2900)])
def test_right_and_wrong_give_the_binomial_test_of_the_disagreements(wins: int, losses: int) -> None:
    a = np.repeat([1, 0, 1, 0], [wins, losses, 50, 20])
    b = np.repeat([0, 1, 1, 0], [wins, losses, 50, 20])
    expected = float(stats.binomtest(wins, wins + losses).pvalue)
    assert compare_values(a, b).p_value == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("alternative", SIDES)
def test_drawn_exchanges_come_near_the_exact_p_value(alternative: Side) -> None:
    a, b = pairs(5, 12, 0.3)
    exact = compare_values(a, b, alternative=alternative).p_value
    drawn = compare_values(a, b, alternative=alternative, exact=False, n_resamples=20_000)
    assert exact is not None
    assert drawn.extreme is not None
    assert drawn.p_value == pytest.approx((drawn.extreme + 1) / 20_001)
    assert drawn.p_value == pytest.approx(exact, abs=drawn_error(exact, 20_000))


def test_equal_sizes_drawn_together_come_near_the_exact_p_value() -> None:
    a, b = np.repeat([0.5, 0.1, 0.0], [30, 26, 9]), np.repeat([0.0, 0.6, 0.0], [30, 26, 9])
    exact = float(stats.binomtest(30, 56).pvalue)
    drawn = compare_values(a, b, exact=False, n_resamples=20_000)
    assert drawn.p_value == pytest.approx(exact, abs=drawn_error(exact, 20_000))


@pytest.mark.parametrize("alternative", SIDES)
def test_pairs_without_a_difference_do_not_matter_to_the_exchange(alternative: Side) -> None:
    a, b = pairs(2, 10)
    more = compare_values([*a, 1, 2, 3], [*b, 1, 2, 3], alternative=alternative)
    assert more.p_value == pytest.approx(compare_values(a, b, alternative=alternative).p_value)


def test_whole_clusters_are_exchanged_together() -> None:
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(8), [1, 4, 2, 3, 5, 1, 2, 6])
    d = rng.normal(0.5, 1, size=len(cluster)) + rng.normal(size=8)[cluster]
    sums = [d[cluster == c].sum() for c in range(8)]
    flipped = [abs(sum(s * x for s, x in zip(signs, sums, strict=True))) for signs in product((1, -1), repeat=8)]
    expected = np.mean([x >= abs(sum(sums)) - 1e-12 for x in flipped])
    found = compare_values(d, np.zeros(len(d)), cluster=cluster)
    assert found.p_value == pytest.approx(float(expected), abs=1e-12)
    assert "cluster by cluster" in found.h0


# ---------------------------------------------------------------------- bootstrap
# Ten documents that two systems got right or wrong, and the 2δ shift of Berg-Kirkpatrick et al. (2012): exact p-values.
EXACT_TEN = [("greater", False, 0.2683568), ("greater", True, 0.1456734), ("two-sided", False, 0.5292549)]


@pytest.mark.parametrize(("alternative", "strict", "expected"), EXACT_TEN)
def test_the_ten_document_example_is_exact(alternative: Side, strict: bool, expected: float) -> None:
    found = compare_values(*TEN, test="bootstrap", alternative=alternative, strict=strict)
    assert found.difference == pytest.approx(0.2)
    assert found.p_value == pytest.approx(expected, abs=5e-8)
    assert found.extreme is None


@pytest.mark.parametrize(("alternative", "strict", "expected"), EXACT_TEN)
def test_the_ten_document_example_is_approached_by_draws(alternative: Side, strict: bool, expected: float) -> None:
    found = compare_values(
        *TEN, test="bootstrap", alternative=alternative, strict=strict, exact=False, n_resamples=100_000
    )
    assert found.p_value == pytest.approx(expected, abs=drawn_error(expected, 100_000))


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("strict", [False, True])
def test_the_bootstrap_counts_every_resample_of_six_items(alternative: Side, strict: bool) -> None:
    d = [3, -1, 2, 0, 2, 1]  # halves, counted in whole numbers
    far = 0
    for drawn in product(d, repeat=6):
        gap, total = sum(drawn) - sum(d), sum(d)
        if alternative == "two-sided":
            gap, total = abs(gap), abs(total)
        elif alternative == "less":
            gap, total = -gap, -total
        far += gap > total if strict else gap >= total
    found = compare_values(np.array(d) / 2 + 1, np.ones(6), test="bootstrap", alternative=alternative, strict=strict)
    assert found.p_value == pytest.approx(far / 6**6, abs=1e-12)


def test_the_bootstrap_draws_whole_clusters() -> None:
    cluster, d = [0, 0, 0, 1, 2, 2], np.array([0.9, 0.3, 0.2, -0.1, 0.5, 0.4])
    sums, sizes = [1.4, -0.1, 0.9], [3, 1, 2]
    delta, far = 2.2 / 6, 0
    for drawn in product(range(3), repeat=3):
        mean = sum(sums[i] for i in drawn) / sum(sizes[i] for i in drawn)
        far += abs(mean - delta) >= delta - 1e-12
    found = compare_values(d, np.zeros(6), test="bootstrap", cluster=cluster, n_resamples=20_000)
    assert found.p_value == pytest.approx(far / 27, abs=drawn_error(far / 27, 20_000))


def test_draws_are_counted_with_one_more_or_as_they_are() -> None:
    assert Drawing(10_000, 0).p(47, 10_000) == pytest.approx(0.0047995, abs=5e-8)
    assert Drawing(10_000, 0, raw=True).p(47, 10_000) == 0.0047
    a, b = pairs(1, 30)
    for raw in (False, True):
        found = compare_values(a, b, test="bootstrap", raw_p=raw, n_resamples=999)
        assert found.extreme is not None
        assert found.p_value == (found.extreme / 999 if raw else (found.extreme + 1) / 1000)


# ---------------------------------------------------------------------- t, ranks, signs
@pytest.mark.parametrize("alternative", SIDES)
def test_the_paired_t_and_its_interval_are_those_of_scipy(alternative: Side) -> None:
    a, b = pairs(7, 25)
    expected = stats.ttest_rel(a, b, alternative=alternative)
    found = compare_values(a, b, test="t", method="t", alternative=alternative, level=0.9)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)
    theirs = expected.confidence_interval(0.9)  # of a one-sided question it has one end
    ends = (-math.inf if found.low is None else found.low, math.inf if found.high is None else found.high)
    assert ends == pytest.approx((float(theirs.low), float(theirs.high)), rel=1e-9)
    both = stats.ttest_rel(a, b).confidence_interval(0.9)
    assert found.both_sides == pytest.approx((float(both.low), float(both.high)), rel=1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [5, 17, 50])
def test_signed_ranks_without_ties_are_those_of_scipy(alternative: Side, n: int) -> None:
    a, b = pairs(n, n)
    expected = stats.wilcoxon(a, b, method="exact", alternative=alternative)
    found = compare_values(a, b, test="wilcoxon", alternative=alternative)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("seed", range(3))
def test_tied_ranks_are_summed_over_all_signs(alternative: Side, zeros: Zeros, seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = rng.integers(-2, 4, size=11).astype(float)
    kept = d[d != 0] if zeros == "wilcox" else d
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    observed = float((np.sign(kept[kept != 0]) * ranks).sum())
    every = np.array([np.dot(signs, ranks) for signs in product((1, -1), repeat=len(ranks))])
    far = {"two-sided": abs(every) >= abs(observed), "greater": every >= observed, "less": every <= observed}
    found = compare_values(d, np.zeros(11), test="wilcoxon", zeros=zeros, alternative=alternative)
    assert found.p_value == pytest.approx(float(far[alternative].mean()), abs=1e-12)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
def test_many_signed_ranks_are_normal_as_in_scipy(alternative: Side, zeros: Zeros) -> None:
    d = np.random.default_rng(11).integers(-4, 6, size=90).astype(float)
    expected = stats.wilcoxon(d, zero_method=zeros, method="approx", correction=False, alternative=alternative)
    found = compare_values(d, np.zeros(90), test="wilcoxon", zeros=zeros, alternative=alternative)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)
    assert any("without a continuity correction" in note for note in found.notes)


def test_differences_that_differ_by_rounding_alone_are_tied() -> None:
    found = compare_values([0.3, 0.2, 0.5], [0.2, 0.1, 0.9], test="wilcoxon")
    assert "the ranks of the differences sum to 3 for A and 3 for B" in found.notes


def test_demsars_rank_sums_come_out() -> None:
    # Demšar (2006), table 2: C4.5 and C4.5+m on 14 data sets, zeros split: 93 and 12.
    plain = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957]
    tuned = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978]
    found = compare_values(tuned, plain, unit="dataset", zeros="zsplit")
    assert found.test == "wilcoxon"
    assert "the ranks of the differences sum to 93 for A and 12 for B" in found.notes
    assert found.p_value is not None
    assert found.p_value < 0.05  # 12 is below the critical 21
    assert found.item == "data set"


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(("wins", "losses", "ties"), [(9, 3, 2), (0, 5, 0), (6, 6, 1)])
def test_the_sign_test_is_binomial_and_drops_ties(alternative: Side, wins: int, losses: int, ties: int) -> None:
    d = np.repeat([1.5, -0.2, 0.0], [wins, losses, ties])
    expected = stats.binomtest(wins, wins + losses, alternative=alternative)
    found = compare_values(d, np.zeros(len(d)), test="sign", alternative=alternative)
    assert found.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)
    assert any("dropped" in note for note in found.notes) == (ties > 0)


# ---------------------------------------------------------------------- intervals
def test_bootstrap_intervals_are_those_of_scipy_within_their_draws() -> None:
    d = np.random.default_rng(4).exponential(size=40) - 0.5
    peers: dict[str, Literal["percentile", "BCa"]] = {"percentile": "percentile", "bca": "BCa"}
    for method, peer in peers.items():
        expected = stats.bootstrap((d,), np.mean, method=peer, n_resamples=20_000, rng=1).confidence_interval
        found = compare_values(d, np.zeros(40), method=method, n_resamples=20_000)
        # A quantile near 2.5% of 20,000 draws of the mean errs by about 2% of its standard error; four times that.
        error = 4 * 0.02 * math.sqrt(2) * d.std() / math.sqrt(40)
        assert (found.low, found.high) == pytest.approx((float(expected.low), float(expected.high)), abs=error)


def test_the_studentized_interval_is_that_of_a_plain_loop() -> None:
    d, rng = np.random.default_rng(6).exponential(size=25), np.random.default_rng(9)
    ts = []
    for _ in range(20_000):
        x = rng.choice(d, size=25)
        ts.append((x.mean() - d.mean()) / x.std())
    low, high = d.mean() - d.std() * np.quantile(ts, [0.975, 0.025])
    found = compare_values(d, np.zeros(25), method="studentized", n_resamples=20_000)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.15 * d.std() / 5)


def test_clusters_of_one_give_the_interval_of_items() -> None:
    a, b = pairs(8, 30)
    alone, every = compare_values(a, b), compare_values(a, b, cluster=np.arange(30))
    assert (alone.low, alone.high) == pytest.approx((every.low, every.high))
    assert (alone.method, every.method) == ("jackknife", "cluster_jackknife")


def test_the_jackknife_over_clusters_leaves_out_each_in_turn() -> None:
    cluster = np.repeat(np.arange(6), [2, 5, 1, 3, 4, 2])
    d = np.random.default_rng(1).normal(size=17) + cluster / 5
    left = np.array([d[cluster != c].mean() for c in range(6)])
    se = math.sqrt(5 / 6 * ((left - left.mean()) ** 2).sum())
    found = compare_values(d, np.zeros(17), cluster=cluster)
    assert found.low is not None
    assert found.high is not None
    assert (found.low + found.high) / 2 == pytest.approx(d.mean())
    assert (found.high - found.low) / 2 >= float(stats.t.ppf(0.975, 5)) * se * (1 - 1e-9)


def tango_score(b: int, c: int, n: int, delta: float) -> float:
    """The score statistic at delta, with the other share found by climbing the likelihood."""

    def unlikely(only_b: float) -> float:
        shares, counts = (only_b + delta, only_b, 1 - 2 * only_b - delta), (b, c, n - b - c)
        return -sum(k * math.log(max(s, 1e-300)) for k, s in zip(counts, shares, strict=True) if k)

    low, high = max(0.0, -delta), (1 - delta) / 2
    only_b = float(optimize.minimize_scalar(unlikely, bounds=(low, high), options={"xatol": 1e-12}).x)
    return (b - c - n * delta) / math.sqrt(n * (2 * only_b + delta * (1 - delta)))


@pytest.mark.parametrize(("b", "c", "n"), [(12, 5, 100), (1, 0, 44), (0, 7, 30), (9, 9, 20)])
def test_tangos_limits_are_where_the_score_test_stops_rejecting(b: int, c: int, n: int) -> None:
    z = float(stats.norm.ppf(0.975))
    low, high = tango(Discordant(b, c, n), z)
    assert tango_score(b, c, n, low) == pytest.approx(z, abs=1e-4)
    assert tango_score(b, c, n, high) == pytest.approx(-z, abs=1e-4)


def test_equal_answers_leave_a_bound_and_not_a_point() -> None:
    found = compare_values([1, 0, 1, 1], [1, 0, 1, 1])
    z2 = float(stats.norm.ppf(0.975)) ** 2
    assert (found.difference, found.p_value) == (0.0, 1.0)
    assert (found.low, found.high) == pytest.approx((-z2 / (4 + z2), z2 / (4 + z2)))


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
def test_equal_values_have_no_interval_and_show_nothing(test: str) -> None:
    found = compare_values([0.3, 0.5, 0.9], [0.3, 0.5, 0.9], test=test, strict=True)
    assert (found.difference, found.p_value, found.low, found.disagreements) == (0.0, 1.0, None, 0)
    assert "all differences are the same" in str(found.reason)
    assert (found.effect.d_z, found.effect.superiority) == (None, 0.5)


def test_the_means_have_intervals_of_shares_or_of_t() -> None:
    shares = compare_values(*TEN)
    assert shares.a.value == pytest.approx(0.7)
    assert (shares.a.low, shares.a.high) == pytest.approx(mid_p(7, 10, 0.95), rel=1e-9)
    a, b = pairs(3, 12)
    found = compare_values(a, b, unit="dataset")
    ci = stats.ttest_1samp(a, 0).confidence_interval()
    assert (found.a.low, found.a.high) == pytest.approx((float(ci.low), float(ci.high)))
    wider = found.a.at_level(0.99)
    assert wider.low is not None
    assert wider.low < float(ci.low)


# ---------------------------------------------------------------------- effects, what could be found, margins
def test_effects_of_right_and_wrong_are_counted() -> None:
    effect = compare_values(*TEN).effect
    assert (effect.only_a, effect.only_b, effect.both, effect.neither, effect.odds_ratio) == (4, 2, 3, 1, 2.0)
    assert effect.superiority == pytest.approx((4 + 0.5 * 4) / 10)
    assert effect.d_z == pytest.approx(0.2 / np.std([0, 1, 0, -1, 1, -1, 1, 0, 0, 1], ddof=1))


def test_effects_of_values_do_not_count_right_answers() -> None:
    effect = compare_values([0.5, 0.7, 0.1], [0.4, 0.7, 0.3]).effect
    assert (effect.only_a, effect.odds_ratio) == (None, None)
    assert effect.superiority == pytest.approx(0.5)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [8, 40, 300])
def test_the_smallest_difference_found_is_that_of_statsmodels_power(alternative: Side, n: int) -> None:
    a, b = pairs(n, n)
    found = compare_values(a, b, test="t", alternative=alternative)
    sided = {"two-sided": "two-sided"}.get(alternative, "larger")
    effect = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8, alternative=sided)
    assert found.mde == pytest.approx(float(effect) * float((a - b).std(ddof=1)), rel=1e-4)


def test_the_smallest_difference_found_does_not_depend_on_the_one_observed() -> None:
    a, b = pairs(1, 30)
    near, far = (compare_values(a + shift, b, test="t").mde for shift in (0, 5))
    assert near == pytest.approx(far)


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "none"])
def test_where_no_smallest_difference_is_known_the_reason_stands(test: str) -> None:
    found = compare_values(*pairs(1, 30), test=test)
    assert found.mde is None
    assert found.mde_reason


@pytest.mark.parametrize("margin", [0.1, 0.6, 1.5])
def test_equivalence_is_two_one_sided_tests_as_in_statsmodels(margin: float) -> None:
    a, b = pairs(2, 40, 0.1)
    found = compare_values(a, b, margin=margin, method="t").margin
    p, (_, above, _), (_, below, _) = ttost_paired(a, b, -margin, margin)
    assert found is not None
    assert found.p_equivalent == pytest.approx(max(float(p), 1e-9), rel=1e-6)
    assert found.p_not_worse == pytest.approx(max(float(above), 1e-9), rel=1e-6)
    assert found.low is not None
    assert found.high is not None
    assert found.equivalent == (found.low > -margin and found.high < margin)
    lower = compare_values(a, b, margin=margin, method="t", higher_is_better=False).margin
    assert lower is not None
    assert lower.p_not_worse == pytest.approx(max(float(below), 1e-9), rel=1e-6)


# ---------------------------------------------------------------------- laws and words
@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
@pytest.mark.parametrize("alternative", SIDES)
def test_b_against_a_mirrors_a_against_b(test: str, alternative: Side) -> None:
    a, b = (np.round(x, 1) for x in pairs(4, 14))  # on a grid, so that nothing is drawn
    other = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    one = compare_values(a, b, test=test, alternative=alternative)
    two = compare_values(b, a, test=test, alternative=other, names=("B", "A"))
    assert one.p_value == pytest.approx(two.p_value, rel=1e-9)
    for end, mirrored in ((one.low, two.high), (one.high, two.low)):
        assert end is None if mirrored is None else end == pytest.approx(-mirrored)


def test_the_same_seed_gives_the_same_result_and_the_signature_parses() -> None:
    a, b = pairs(1, 40)
    one, two = (compare_values(a, b, method="bca", random_state=3) for _ in range(2))
    assert (one.p_value, one.low, one.high) == (two.p_value, two.low, two.high)
    parsed = Signature.parse(one.signature)
    assert (parsed.get("unit"), parsed.get("seed"), parsed.get("test")) == ("item", "3", "randomization")
    assert str(parsed) == one.signature


def test_replicates_lie_around_the_difference_and_those_of_the_null_around_zero() -> None:
    a, b = pairs(1, 60)
    found = compare_values(a, b)
    assert found.replicates is not None
    error = 4 * float((a - b).std()) / math.sqrt(60) / math.sqrt(9999)
    assert float(found.replicates("difference").mean()) == pytest.approx(found.difference, abs=error)
    assert float(found.replicates("null").mean()) == pytest.approx(0, abs=2 * error)


def test_so_few_differences_that_nothing_could_be_found_are_told() -> None:
    found = compare_values([1, 2, 3, 4], [0.5, 1, 2, 3.7])
    assert "only 4 items differ: this test cannot give a p-value below 0.125" in found.notes
    assert found.mde is None


def test_equal_medians_of_different_spread_are_told() -> None:
    a, b = [4.0, 4.5, 5.0, 5.5, 6.0], [3.0, 4.0, 5.0, 6.0, 7.0]
    assert compare_values(a, b, unit="fold").notes[-1] == (
        "the medians are equal but the values of B spread 2 times as wide: quartiles 4 to 6, vs. 4.5 to 5.5 for A"
    )


def test_five_numbers_of_a_hand_counted_box() -> None:
    # Quartiles 2.25 and 5.75 by interpolation, so whiskers reach at most from −3 to 11.
    box = five_numbers(np.array([1, 2, 2, 3, 4, 4, 5, 6, 11, 30.0]))
    assert (box.lower_quartile, box.median, box.upper_quartile) == (2.25, 4.0, 5.75)
    assert (box.low, box.high, box.outliers) == (1.0, 11.0, (30.0,))


@pytest.mark.parametrize(
    ("a", "b", "options", "words"),
    [
        ([1, 2, 3], [1, 2], {}, "A has 3 values and B has 2"),
        ([1], [2], {}, "1 item cannot be compared"),
        ([], [], {}, "0 items cannot be compared"),
        ([1, math.nan], [1, 2], {}, "the value of A for item 2 is nan"),
        ([1, 2], [math.inf, 2], {"unit": "query"}, "the value of B for query 1 is inf"),
        (["x", "y"], [1, 2], {}, "the value of A for item 1 is 'x'"),
        ([None, 1.0], [1, 2], {}, "the value of A for item 1 is None"),
        ([[1, 2]], [[1, 2]], {}, "2 dimensions"),
        ([1, 2], [2, 3], {"cluster": ["a"]}, "1 label for 2 items"),
        ([1, 2], [2, 3], {"cluster": ["a", "a"]}, "all 2 values lie in one cluster"),
    ],
)
def test_values_that_cannot_be_compared_are_refused(a: Any, b: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        compare_values(a, b, **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "wilcox"}, "Did you mean 'wilcoxon'"),
        ({"unit": "folds"}, "Did you mean 'fold'"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"margin": 5, "range": (0, 4)}, "lies between 0 and 4, so no difference could be larger"),
        ({"names": ("A", "A")}, "two different names"),
        ({"test": "t", "cluster": [1, 1, 2]}, "values of one cluster are not"),
        ({"method": "tango"}, "values of 0 and 1"),
        ({"method": "cluster_jackknife"}, "no clusters"),
        ({"method": "t", "cluster": [1, 1, 2]}, "in clusters"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        compare_values([1, 2, 3.5], [2, 3, 3], **options)


# ---------------------------------------------------------------------- simulations
def skewed(name: str, size: tuple[int, int], rng: np.random.Generator) -> Numbers:
    """Differences whose true mean is 0."""
    if name == "exponential":
        return rng.exponential(size=size) - 1
    if name == "sparse":
        return np.where(rng.random(size) < 0.1, rng.beta(2, 2, size=size), 0) - 0.05
    return np.asarray(rng.normal(size=size))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exponential", "sparse", "normal"])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_the_default_interval_covers_skewed_and_sparse_differences(name: str, n: int) -> None:
    samples, inside, made = 1500, 0, 0
    for d in skewed(name, (samples, n), np.random.default_rng(n)):
        found = compare_values(d, np.zeros(n), test="none")
        if found.interval is not None:
            made += 1
            inside += 0.0 in found.interval
    # Found to cover 93.4 to 97 in 20,000 samples; three standard errors of this simulation below.
    assert inside / made >= 0.934 - 3 * math.sqrt(0.934 * 0.066 / made)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["randomization", "wilcoxon", "sign"])
def test_exchangeable_values_are_rejected_no_more_often_than_said(test: str) -> None:
    rng, samples = np.random.default_rng(12), 1500
    d = rng.exponential(size=(samples, 14)) * rng.choice([-1, 1], size=(samples, 14))
    p = np.array([compare_values(row, np.zeros(14), test=test).p_value for row in d], np.float64)
    for level in (0.01, 0.05, 0.1):
        assert (p <= level).mean() <= level + 3 * math.sqrt(level * (1 - level) / samples)
