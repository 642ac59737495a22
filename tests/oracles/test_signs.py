"""Tails of sums of random signs, against enumeration, binomial sums of SciPy, and sums over lattices written out here.

Nothing uses the distributions of the code under test: areas are counted pair by pair, lattices are summed item by item.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import assay
from assay import Confusion, Ranked, Scored
from assay.measures.declare.catalogue import resolve
from assay.measures.scores.slopes import auc_signs
from assay.tally.contract.joint import Joint
from assay.uncertainty.two.exchange import InSigns
from assay.uncertainty.two.sign_inversion import upper_tail
from assay.uncertainty.two.signs import Tail, tail
from assay.uncertainty.two.testing import by_signs, null_draws

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
Side = Literal["two-sided", "greater", "less"]
SIDES: tuple[Side, ...] = ("two-sided", "greater", "less")
MIRRORED: dict[Side, Side] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def reached(sums: Any, observed: float, side: Side) -> Any:
    slack = 1e-9 * max(abs(observed), 1.0)
    if side == "two-sided":
        return np.abs(sums) >= abs(observed) - slack
    return sums >= observed - slack if side == "greater" else sums <= observed + slack


def every_sum(terms: Any) -> Numbers:
    signs = np.array(list(itertools.product((1, -1), repeat=len(terms))), np.float64)
    return np.asarray(signs @ np.asarray(terms, np.float64))


@cache
def lattice(*sizes: int) -> Numbers:
    """The chance of each number that heads of these sizes add up to, item by item."""
    chances = np.zeros(sum(sizes) + 1)
    chances[0], top = 1.0, 0
    for size in sizes:
        moved = chances[: top + 1] / 2
        chances[: top + 1] = moved
        chances[size : size + top + 1] += moved
        top += size
    return chances


def by_lattice(terms: Whole, observed: int, side: Side) -> float:
    sizes = np.abs(terms)
    chances = lattice(*sizes.tolist())
    sums = 2 * np.arange(len(chances)) - int(sizes.sum())
    return float(chances[reached(sums, observed, side)].sum())


def two_sizes(one: int, other: int, ratio: float, x: float) -> float:
    """P(S ≥ x) of `one` signs of size 1 and `other` signs of size `ratio`, by SciPy's binomial distributions."""
    k = np.arange(other + 1)
    left = x - ratio * (2 * k - other)  # what the signs of size 1 must reach
    heads = np.ceil((left + one) / 2 - 1e-9)
    return float((stats.binom.pmf(k, other, 0.5) * stats.binom.sf(heads - 1, one, 0.5)).sum())


# ---------------------------------------------------------------------- areas under curves
def area(positive: NDArray[np.bool_], score: Numbers) -> float:
    """Pairs in order and half of those tied, counted one by one."""
    s, t = score[positive][:, None], score[~positive]
    return float(((s > t) + (s == t) / 2).mean())


def tied_systems(seed: int, n: int) -> tuple[NDArray[np.bool_], Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    a, b = rng.integers(0, 5, n) + 1.0 * positive, 10 * rng.integers(0, 4, n) + 7.0 * positive
    return positive, a, b


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [7, 11])
def test_every_exchange_of_mid_ranks_is_a_sum_of_signs(seed: int, n: int) -> None:
    positive, a, b = tied_systems(seed, n)
    joint = Scored.joint(positive, a, b)
    signs = auc_signs(Joint(joint.a.exchange_keys(), joint.b.exchange_keys()))
    assert signs.terms.dtype == np.int64
    ranks = [stats.rankdata(x) for x in (a, b)]
    values = []
    for swap in itertools.product((False, True), repeat=n):
        left, right = np.where(swap, ranks[::-1], ranks)
        values.append(area(positive, left) - area(positive, right))
    mine = signs.scale * every_sum(np.repeat(signs.terms, joint.counts))
    assert np.sort(mine) == pytest.approx(np.sort(values), abs=1e-12)
    assert signs.scale * (signs.terms * joint.counts).sum() == pytest.approx(values[0], abs=1e-12)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(3))
def test_the_test_of_two_areas_is_that_of_all_exchanges(side: Side, seed: int) -> None:
    positive, a, b = tied_systems(seed + 10, 11)
    ranks = [stats.rankdata(x) for x in (a, b)]
    values = []
    for swap in itertools.product((False, True), repeat=11):
        left, right = np.where(swap, ranks[::-1], ranks)
        values.append(area(positive, left) - area(positive, right))
    expected = float(reached(np.array(values), values[0], side).mean())
    found = assay.compare(positive, a, b, measure="roc_auc", alternative=side, method="jackknife")
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.extreme is None
    assert "exact over" in str(found) or values[0] == 0


@pytest.mark.parametrize("seed", range(3))
def test_whole_clusters_of_scores_are_exchanged(seed: int) -> None:
    positive, a, b = tied_systems(seed + 20, 24)
    cluster = np.random.default_rng(seed).integers(0, 8, 24)
    ranks = [stats.rankdata(x) for x in (a, b)]
    values = []
    for swap in itertools.product((False, True), repeat=8):
        left, right = np.where(np.array(swap)[cluster], ranks[::-1], ranks)
        values.append(area(positive, left) - area(positive, right))
    expected = float(reached(np.array(values), values[0], "two-sided").mean())
    found = assay.compare(positive, a, b, measure="roc_auc", cluster=cluster)
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert "cluster by cluster" in found.h0


def test_scores_that_never_change_have_nothing_to_exchange() -> None:
    found = assay.compare([0, 1] * 20, [0.5] * 40, [3.0] * 40, measure="roc_auc", method="jackknife")
    assert (found.difference, found.p_value) == (0.0, 1.0)


# ---------------------------------------------------------------------- means
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [2, 6, 13])
def test_flipped_differences_have_the_p_value_of_scipy(side: Side, n: int) -> None:
    d = np.random.default_rng(n).exponential(size=n) - 0.4
    mean: Any = lambda a, b, axis: np.mean(a - b, axis=axis)  # noqa: E731
    peer: Any = stats.permutation_test
    expected = peer((d, np.zeros(n)), mean, permutation_type="samples", alternative=side, n_resamples=np.inf)
    assert tail(d, None, d.sum(), side).p == pytest.approx(float(expected.pvalue), abs=1e-12)


def test_reciprocal_ranks_of_many_queries_lie_on_a_lattice() -> None:
    rng = np.random.default_rng(3)
    first = rng.integers(1, 5, (2, 60))  # ranks 1 to 4: twelfths
    runs = [{f"q{q}": [0] * (rank - 1) + [1] for q, rank in enumerate(ranks)} for ranks in first]
    twelfths = 12 // first[0] - 12 // first[1]
    found = assay.compare(Ranked.joint(*runs), measure="mrr")
    assert found.p_value == pytest.approx(by_lattice(twelfths, int(twelfths.sum()), "two-sided"), rel=1e-9)
    assert "exact" in str(found)


@pytest.mark.parametrize("side", SIDES)
def test_probabilities_are_exchanged_as_they_are(side: Side) -> None:
    rng = np.random.default_rng(4)
    y, a, b = rng.integers(0, 2, 12), rng.random(12), rng.random(12) ** 2
    losses = {
        "brier": (a - y) ** 2 - (b - y) ** 2,
        "log_loss": np.log(np.where(y == 1, b, 1 - b)) - np.log(np.where(y == 1, a, 1 - a)),
    }
    for measure, d in losses.items():
        expected = float(reached(every_sum(d), float(d.sum()), side).mean())
        found = assay.compare(y, a, b, measure=measure, alternative=side)
        assert found.p_value == pytest.approx(expected, abs=1e-12)
        assert found.extreme is None


def test_systems_of_equal_ranks_and_other_probabilities_can_differ_in_their_losses() -> None:
    y, a = np.array([0, 1] * 30), np.linspace(0.05, 0.95, 60)
    found = assay.compare(y, a, a**2, measure="brier")
    d = (a - y) ** 2 - (a**2 - y) ** 2
    assert found.mde == pytest.approx(2.8 * math.sqrt(float((d**2).sum())) / 60, rel=0.05)


def test_the_area_under_part_of_a_curve_is_no_sum_of_signs() -> None:
    joint = Scored.joint(*scored(1, 40))
    measure, options = resolve("roc_auc", {"max_fpr": 0.3})
    assert InSigns.of(joint, measure.bind(joint.a, **options)) is None


@pytest.mark.parametrize("of", ["mean", "total", "normalized"])
def test_costs_are_exchanged_row_by_row(of: Any) -> None:
    rng = np.random.default_rng(5)
    y, a, b = rng.integers(0, 2, (3, 300))
    price = {(0, 1): 2, (1, 0): 7}
    d = np.array([price.get((g, p), 0) - price.get((g, q), 0) for g, p, q in zip(y, a, b, strict=True)])
    for side in SIDES:
        found = assay.compare(
            y, a, b, measure="expected_cost", fp=2.0, fn=7.0, of=of, alternative=side, test="randomization", positive=1
        )
        assert found.p_value == pytest.approx(by_lattice(d, int(d.sum()), side), rel=1e-9)


# ---------------------------------------------------------------------- large sums
@pytest.mark.parametrize("n", [50, 1000, 100_000])
@pytest.mark.parametrize("z", [0.05, 0.7, 2, 5, 12])
def test_signs_of_one_size_are_binomial_however_far_out(n: int, z: float) -> None:
    heads = min(math.ceil(n / 2 + z * math.sqrt(n) / 2), n)
    x, expected = 2 * heads - n, float(stats.binom.sf(heads - 1, n, 0.5))
    found = upper_tail(np.ones(1), np.array([n]), x or 2, 2.0)
    assert found is not None
    assert found[0] == pytest.approx(expected if x else float(stats.binom.sf(heads, n, 0.5)), rel=1e-9)


@pytest.mark.parametrize("n", [200, 2000, 20_000])
@pytest.mark.parametrize("z", [0.3, 1.96, 4.5, 9])
def test_two_sizes_are_sums_of_binomials_however_far_out(n: int, z: float) -> None:
    sizes, times = np.array([1.0, 3.0]), np.array([n, n // 3])
    sd = math.sqrt(float((times * sizes**2).sum()))
    parity = int((sizes * times).sum()) % 2
    x = 2 * math.ceil((z * sd - parity) / 2) + parity
    found = upper_tail(sizes, times, x, 2.0)
    assert found is not None
    # SciPy's binomial tails are good to about 1e-11 far out.
    assert found[0] == pytest.approx(two_sizes(n, n // 3, 3, x), rel=1e-9)


def unequal(n: int, seed: int) -> Whole:
    """Terms as areas have them: whole numbers up to a few times n, with ties and zeros."""
    rng = np.random.default_rng(seed)
    return np.rint(rng.normal(0, n, n) * (rng.random(n) < 0.8)).astype(np.int64)


def at(terms: Whole, z: float) -> int:
    """A sum that the terms can have, about z standard deviations out."""
    total, sd = int(np.abs(terms).sum()), math.sqrt(float((terms.astype(np.float64) ** 2).sum()))
    return total - 2 * round((total - z * sd) / 2)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("z", [-1.5, 0.02, 1, 2.6, 4, 6])
def test_a_few_hundred_unequal_terms_are_inverted_as_exactly_as_they_are_summed(side: Side, z: float) -> None:
    terms = unequal(700, 1)
    x, found = at(terms, z), tail(terms, None, at(terms, z), side)
    assert found.method == "inversion"
    assert found.error < 1e-9
    assert found.p == pytest.approx(by_lattice(terms, x, side), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("z", [0.3, 1.2, 3])
def test_many_terms_of_one_size_beside_a_few_others_are_followed_to_the_end_of_their_lattice(
    seed: int, z: float
) -> None:
    rng = np.random.default_rng(seed)
    few = rng.integers(5, 16)
    terms = np.concatenate([np.full(9 * few, 20), rng.integers(1, 600, few), [1]])
    x = at(terms, z)
    sizes, times = np.unique(terms, return_counts=True)
    found = upper_tail(sizes.astype(np.float64), times, x, 2.0)
    assert found is not None
    assert found[0] == pytest.approx(by_lattice(terms, x, "greater"), rel=max(found[1], 1e-10))


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 500, 1000, 1500])
def test_the_inversion_errs_by_less_than_a_hundred_thousandth(n: int) -> None:
    terms = unequal(n, n) // max(1, n // 200)  # coarser, so that the lattice can be summed
    sizes, times = np.unique(np.abs(terms[terms != 0]), return_counts=True)
    common = int(np.gcd.reduce(sizes))
    chances = lattice(*(np.abs(terms) // common).tolist())
    sums = common * (2 * np.arange(len(chances)) - (len(chances) - 1))
    for z in (0.01, 0.5, 1, 1.96, 3, 4, 5, 6, 7, 8):
        x = int(sums[np.searchsorted(sums, z * math.sqrt(float((terms.astype(float) ** 2).sum())))])
        found = upper_tail(sizes.astype(float), times, x, 2.0 * common)
        assert found is not None
        expected = float(chances[sums >= x].sum())
        assert found[0] == pytest.approx(expected, rel=1e-9)
        assert abs(found[0] - expected) <= max(found[1], 1e-11) * expected


def test_a_million_huge_terms_do_not_overflow() -> None:
    n = 1_000_000
    terms = np.random.default_rng(2).integers(-4 * n, 4 * n, n)
    sd = math.sqrt(float((terms.astype(np.float64) ** 2).sum()))
    for z in (0.5, 2, 4):
        x = at(terms, z)
        found = tail(terms, None, x, "greater")
        assert found.method == "inversion"
        # Edgeworth's next term is below 1e-9 of this one at a million terms; a step of the lattice is 1e-9 too.
        k4 = -2 * float((terms.astype(np.float64) / sd) ** 4 @ np.ones(n))
        u = x / sd
        expected = stats.norm.sf(u) + stats.norm.pdf(u) * k4 / 24 * (u**3 - 3 * u)
        assert found.p == pytest.approx(float(expected), rel=1e-6)


def test_terms_of_a_common_divisor_are_no_other_than_without_it() -> None:
    for terms in (unequal(30, 4), unequal(700, 4)):
        x = at(terms, 1.2)
        assert tail(7 * terms, None, 7 * x, "greater") == tail(terms, None, x, "greater")


def test_terms_may_be_given_with_how_often_they_occur() -> None:
    terms, times = np.array([5, -3, 2, 0, 3]), np.array([40, 30, 1, 9, 25])
    every = np.repeat(terms, times)
    for side in SIDES:
        assert tail(terms, times, int(every.sum()), side) == tail(every, None, int(every.sum()), side)


# ---------------------------------------------------------------------- terms without a lattice
@pytest.mark.parametrize("n", [38, 50, 90])
@pytest.mark.parametrize("z", [0.4, 1.5, 2.5])
def test_terms_too_fine_for_a_lattice_err_by_no_more_than_is_said(n: int, z: float) -> None:
    # Whole numbers up to 70,000 times π: nobody sees the lattice, but here it can be summed.
    whole = np.append(np.random.default_rng(n).integers(1, 70_000, n - 1), 69_997)
    x = at(whole, z)
    found = tail(math.pi * whole, None, math.pi * x, "greater")
    assert found.method in ("inversion", "rounded")
    assert found.error < 1e-3
    expected = by_lattice(whole, x, "greater")
    assert abs(found.p - expected) <= found.error * found.p
    assert f"with a relative error of at most {found.error:.0e}" in found.words


def test_an_error_below_the_precision_of_numbers_is_not_written_as_zero() -> None:
    assert Tail(0.1, "inversion", error=0.0).words == (
        "from the characteristic function of all exchanges, exact to rounding"
    )
    assert Tail(0.1, "inversion", error=2e-9).words.endswith("with a relative error of at most 2e-09")


def test_a_lattice_that_nobody_told_of_is_not_overlooked() -> None:
    sizes, times = np.array([1, 2, 5]), np.array([100, 90, 60])
    expected = by_lattice(np.repeat(sizes, times), 40, "greater")
    found = upper_tail(sizes.astype(float), times, 40.0, None)  # half of the chance of 40 itself is lost
    assert found is None or 1e-3 < abs(found[0] - expected) / found[0] <= found[1]


@pytest.mark.parametrize("ones", [150, 5000])
def test_one_term_beside_a_lattice_is_seen(ones: int) -> None:
    x = 2 * round(0.8 * math.sqrt(ones)) + math.pi
    found = tail(np.append(np.ones(ones), math.pi), None, x, "greater")
    assert found.method == "exact"
    assert found.p == pytest.approx(two_sizes(ones, 1, math.pi, x), rel=1e-9)


@pytest.mark.parametrize("heavy", [0.2, 3.0, 400.0])
def test_one_item_may_carry_the_sum(heavy: float) -> None:
    rng = np.random.default_rng(6)
    rest = rng.normal(size=4000)
    carrier = heavy * math.sqrt(float((rest**2).sum()))
    x = carrier + 1.3 * math.sqrt(float((rest**2).sum()))
    found = tail(np.append(rest, carrier), None, x, "greater")
    assert found.method == "inversion"
    sides = [x - carrier, x + carrier]
    # Of 4000 terms the normal tail, with Edgeworth's correction, errs by less than 1e-6.
    sd = math.sqrt(float((rest**2).sum()))
    k4 = -2 * float(((rest / sd) ** 4).sum())
    u = np.array(sides) / sd
    expected = float((stats.norm.sf(u) + stats.norm.pdf(u) * k4 / 24 * (u**3 - 3 * u)).mean())
    assert found.p == pytest.approx(expected, abs=1e-6)


def test_signs_are_drawn_where_nothing_else_is_sure() -> None:
    rng = np.random.default_rng(8)
    terms = np.concatenate([np.ones(700), rng.random(40) * 0.01, [math.e, 40.0, 77.7]])
    x = 60.0
    found = tail(terms, None, x, "two-sided", draws=20_000)
    assert found.method == "drawn"
    assert found.extreme is not None
    assert (found.p, found.seed) == ((found.extreme + 1) / 20_001, 0)
    plain = (2.0 * rng.integers(0, 2, (20_000, len(terms)), dtype=np.int8) - 1) @ terms
    p = float((np.abs(plain) >= x).mean())
    assert found.p == pytest.approx(p, abs=4 * math.sqrt(2 * p * (1 - p) / 20_000))


# ---------------------------------------------------------------------- laws
KINDS = {
    "listed": np.array([3.0, -1.7, 0.2, 5.5, -2.1]),
    "summed": np.array([3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5] * 5),
    "inverted": unequal(500, 9),
    "rounded": np.random.default_rng(1).normal(0.3, 1, 45),
    "smooth": np.random.default_rng(2).normal(0.1, 1, 300),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("exact", [True, False])
def test_naming_the_systems_the_other_way_round_changes_no_bit(kind: str, side: Side, exact: bool) -> None:
    terms = KINDS[kind]
    one = tail(terms, None, terms.sum(), side, exact=exact)
    assert one == tail(-terms, None, -terms.sum(), MIRRORED[side], exact=exact)


@pytest.mark.parametrize("kind", KINDS)
def test_two_sides_are_twice_the_one_that_was_seen(kind: str) -> None:
    terms = KINDS[kind]
    two, one, other = (tail(terms, None, terms.sum(), side).p for side in SIDES)
    assert two == min(2 * min(one, other), 1.0)
    assert one + other >= 1 - 1e-12  # what was seen belongs to both


def test_the_farthest_sum_of_all_has_one_chance_in_all_patterns() -> None:
    for n in (5, 60, 900):
        terms = np.arange(1, n + 1)
        assert tail(terms, None, int(terms.sum()), "greater").p == pytest.approx(2.0**-n, rel=1e-9)
        fine = math.e * terms.astype(np.float64)
        assert tail(fine, None, float(fine.sum()), "greater").p == pytest.approx(2.0**-n, rel=1e-9)


def test_terms_of_zero_leave_nothing_to_find() -> None:
    for side in SIDES:
        found = tail(np.zeros(9), None, 0.0, side)
        assert (found.p, found.method) == (1.0, "exact")


# ---------------------------------------------------------------------- comparisons
def scored(seed: int, n: int, gain: float = 0.0) -> tuple[Whole, Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    common = rng.normal(size=n) + y
    return y, common + rng.normal(size=n) + gain * y, common + rng.normal(size=n)


def in_signs(y: Any, a: Any, b: Any) -> InSigns:
    joint = Scored.joint(y, a, b)
    measure, options = resolve("roc_auc", {})
    signs = InSigns.of(joint, measure.bind(joint.a, **options))
    assert signs is not None
    return signs


def test_a_large_comparison_of_areas_says_how_its_p_value_was_found() -> None:
    y, a, b = scored(1, 3000, 0.1)
    signs = in_signs(y, a, b)
    found = assay.compare(y, a, b, measure="roc_auc", method="mover")
    assert found.statistic is not None
    assert found.statistic.name == "raw"
    assert float(found.statistic) == pytest.approx(found.difference, abs=1e-12)
    assert (found.draws, found.extreme) == (None, None)
    assert "test, from the characteristic function of all exchanges, with a relative error of at most" in str(found)
    assert signs.scale * signs.observed == pytest.approx(found.difference, abs=1e-12)
    # Coins for every item of a test that sorts and counts again, by SciPy's ranks.
    ranks, rng = np.stack([stats.rankdata(a), stats.rankdata(b)]), np.random.default_rng(4)
    positives, values = int(y.sum()), []
    for _ in range(1000):
        left, right = (stats.rankdata(x) for x in np.where(rng.random(3000) < 0.5, ranks, ranks[::-1]))
        values.append((left[y == 1].sum() - right[y == 1].sum()) / (positives * (3000 - positives)))
    assert found.difference is not None
    assert found.p_value is not None
    p = float(reached(np.array(values), found.difference, "two-sided").mean())
    assert found.p_value == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 1000))
    assert math.sqrt(signs.variance) == pytest.approx(np.std(values), rel=4 / math.sqrt(2000))
    assert found.replicates is not None
    assert stats.ks_2samp(found.replicates("null"), values).pvalue > 1e-3


def test_the_exported_null_is_negated_with_the_systems() -> None:
    joint = Scored.joint(*scored(2, 200, 0.3))
    measure, options = resolve("roc_auc", {})
    one, other = (null_draws(x, measure.bind(x.a, **options), "raw", 500, 7) for x in (joint, joint.swapped()))
    assert np.array_equal(one, -other)


def test_labels_are_not_taken_for_signs() -> None:
    joint = Confusion.joint([0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0])
    measure, options = resolve("mcc", {})
    assert InSigns.of(joint, measure.bind(joint.a, **options)) is None


@pytest.mark.parametrize(("n", "clusters"), [(2500, False), (400, True)])
def test_what_could_have_been_found_comes_from_the_spread_of_all_exchanges(n: int, clusters: bool) -> None:
    y, a, b = scored(3, n)
    cluster = np.arange(n) // 4
    found = assay.compare(y, a, b, measure="roc_auc", **({"cluster": cluster} if clusters else {"method": "mover"}))
    ranks = [stats.rankdata(x) for x in (a, b)]
    every = np.concatenate(ranks)
    terms = np.zeros(n)
    for i in range(n):  # scores of the other class, of either system, between the two of this item
        others = np.tile(y != y[i], 2)
        below = [((every < r[i]) & others).sum() + ((every == r[i]) & others).sum() / 2 for r in ranks]
        terms[i] = (below[0] - below[1]) / (2 * y.sum() * (n - y.sum())) * (1 if y[i] else -1)
    sums = np.bincount(cluster, weights=terms) if clusters else terms
    drawn = len(sums)
    variance = float((sums**2).sum())
    null, miss = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    # δ = null √v + miss √(v − δ² / n), by going round.
    size = 0.0
    for _ in range(200):
        size = null * math.sqrt(variance) + miss * math.sqrt(variance - size**2 / drawn)
    assert found.mde == pytest.approx(size, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n", [25, 120, 400])
def test_exchangeable_scores_are_rejected_no_more_often_than_said(n: int) -> None:
    rng, samples = np.random.default_rng(n), 2000
    p = []
    for _ in range(samples):
        y = rng.random(n) < 0.3
        y[:2] = True, False
        common = rng.normal(size=n) + y
        a, b = (np.round(common + rng.standard_t(3, size=n), 1) for _ in "ab")
        p.append(by_signs(in_signs(y, a, b), "two-sided", 999, 0).p)
    for level in (0.01, 0.05, 0.1):
        share = float((np.array(p) <= level + 1e-12).mean())
        assert share <= level + 3 * math.sqrt(level * (1 - level) / samples)
