"""Pairwise preferences against choix 0.4, evalica 0.4, statsmodels 0.15, SciPy 1.17 and counting by hand."""

from __future__ import annotations

import math
import re
from typing import Any

import choix
import evalica
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize, stats

import assay
from assay.errors import DataError, OptionError
from assay.measures.preference_fit import Fit, fit, has_maximum
from assay.measures.preferences import pair_views
from assay.report.families.preferences import headline
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.preferences import Meetings, Preferences
from assay.uncertainty.many.standings import cycles, pair_tests
from assay.uncertainty.one.inversion import value_test

Judged = tuple[Any, Any, Any, Any]  # shown first, shown second, winner, item
NO_TIES = -math.inf


def judged(
    rng: np.random.Generator,
    strengths: list[float],
    items: int,
    each: int,
    *,
    place: float = 0.5,
    tie: float = NO_TIES,
    spread: float = 0.0,
    last_first: float = 0.5,
) -> Judged:
    """Judgments drawn from the model; each item shifts every system, and the later system is often shown first."""
    k, n = len(strengths), items * each
    item = np.repeat(np.arange(items), each)
    i = rng.integers(0, k, n)
    j = (i + rng.integers(1, k, n)) % k
    later = rng.random(n) < last_first
    low, high = np.minimum(i, j), np.maximum(i, j)
    first, second = np.where(later, high, low), np.where(later, low, high)
    shift, strong = spread * rng.normal(size=(items, k)), np.array(strengths)
    d = strong[first] - strong[second] + place + shift[item, first] - shift[item, second]
    chances = np.exp(np.stack([d / 2, np.full(n, tie), -d / 2], axis=1))
    chances /= chances.sum(1, keepdims=True)
    result = (rng.random(n)[:, None] > np.cumsum(chances, axis=1)[:, :2]).sum(1)
    names = np.array([f"s{x}" for x in range(k)])
    return names[first], names[second], np.choose(result, [names[first], "tie", names[second]]), item


def fitted(tally: Preferences, places: bool = True) -> Fit:
    return fit(Meetings.of(tally, tally.mass), places)


# ---------------------------------------------------------------------- strengths
@pytest.mark.parametrize("seed", range(5))
def test_strengths_without_places_are_those_of_choix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, winner, _ = judged(rng, [0, 0.5, 1, 1.5, 2], 60, 3)
    tally = Preferences.from_judgments(a, b, winner)
    code = {name: i for i, name in enumerate(tally.systems)}
    won = [(code[w], code[x if w == y else y]) for x, y, w in zip(a, b, winner, strict=True)]
    expected = choix.opt_pairwise(len(code), won, alpha=0, tol=1e-12)
    # The optimizer of choix stops at a gradient of about 1e-6.
    assert fitted(tally, places=False).strengths == pytest.approx(expected - expected.mean(), abs=1e-5)
    spectral = choix.ilsr_pairwise(len(code), won, alpha=0)
    assert fitted(tally, places=False).strengths == pytest.approx(spectral - spectral.mean(), abs=1e-6)


def test_without_ties_strengths_without_places_are_those_of_evalica() -> None:
    a, b, winner, _ = judged(np.random.default_rng(3), [0, 0.5, 1, 1.5], 80, 3)
    outcome = [evalica.Winner.X if w == x else evalica.Winner.Y for x, w in zip(a, winner, strict=True)]
    scores = np.log(evalica.bradley_terry(list(a), list(b), outcome, tolerance=1e-12, limit=10_000).scores)
    tally = Preferences.from_judgments(a, b, winner)
    expected = [float(scores[name]) for name in tally.systems]
    assert fitted(tally, places=False).strengths == pytest.approx(np.array(expected) - np.mean(expected), abs=1e-6)


def design(tally: Preferences, a: Any, b: Any) -> Floats:
    """Differences of systems with the first left out, and a constant for the place."""
    code = {name: i for i, name in enumerate(tally.systems)}
    rows = np.zeros((len(a), len(code)))
    for row, x, y in zip(rows, a, b, strict=True):
        row[code[x]], row[code[y]] = 1, -1
    return np.column_stack([rows[:, 1:], np.ones(len(a))])


@pytest.mark.parametrize("last_first", [0.5, 0.9])
def test_without_ties_the_fit_is_the_logistic_regression_of_statsmodels(last_first: float) -> None:
    a, b, winner, item = judged(np.random.default_rng(8), [0, 0.4, 1, 2], 150, 3, spread=1, last_first=last_first)
    tally = Preferences.from_judgments(a, b, winner, cluster=item)
    model = sm.Logit((winner == a).astype(float), design(tally, a, b)).fit(disp=0, tol=1e-13)
    found, k = fitted(tally), len(tally.systems)
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(model.params[:-1], abs=1e-8)
    assert float(found.place) == pytest.approx(model.params[-1], abs=1e-8)
    # Differences from the first system, and the place, by the observed information.
    to_differences = np.zeros((k, k + 2))
    to_differences[:-1, 0], to_differences[:-1, 1:k], to_differences[-1, k] = -1, np.eye(k - 1), 1
    inverse = to_differences @ found.inverse @ to_differences.T
    assert inverse == pytest.approx(model.cov_params(), rel=1e-6)
    # The jackknife over 150 items is the sandwich but for terms of 1/150, which statsmodels' own correction has too.
    robust = sm.Logit((winner == a).astype(float), design(tally, a, b)).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": item}
    )
    for i in range(1, k):
        estimate = assay.estimate("bradley_terry", tally.about((f"s{i}", "s0")))
        assert estimate.value == pytest.approx(model.params[i - 1], abs=1e-8)
        assert estimate.value is not None
        assert estimate.low is not None
        half = stats.t.ppf(0.975, 149) * max(robust.bse[i - 1], model.bse[i - 1])
        assert estimate.value - estimate.low == pytest.approx(half, rel=0.04)


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_with_ties_the_fit_is_the_maximum_of_the_likelihood_as_davidson_writes_it(seed: int, places: bool) -> None:
    a, b, winner, _ = judged(np.random.default_rng(seed), [0, 0.4, 1, 2], 60, 3, tie=-0.5)
    tally = Preferences.from_judgments(a, b, winner)
    code = {name: i for i, name in enumerate(tally.systems)}
    first, second = (np.array([code[x] for x in column]) for column in (a, b))

    def loss(at: Floats) -> float:
        worth = np.exp(np.concatenate([[0.0], at[:3]]))
        order, even = math.exp(at[3]) if places else 1.0, math.exp(at[4])
        one, other = worth[first] * order, worth[second]
        tie = even * np.sqrt(one * other)
        chance = np.where(winner == a, one, np.where(winner == b, other, tie)) / (one + other + tie)
        return -float(np.log(chance).sum())

    best = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-7}).x
    found = fitted(tally, places)
    # BFGS with numerical gradients stops within about 1e-5.
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(best[:3], abs=1e-4)
    assert float(found.tie) == pytest.approx(best[4], abs=1e-4)
    assert float(found.place) == pytest.approx(best[3] if places else 0, abs=1e-4)
    assert float(found.strengths.sum()) == pytest.approx(0, abs=1e-12)


def test_the_influence_of_a_judgment_is_the_derivative_of_the_refitted_strength() -> None:
    a, b, winner, _ = judged(np.random.default_rng(5), [0, 0.4, 1], 40, 3, tie=-0.5)
    tally = Preferences.from_judgments(a, b, winner, focus="s1")
    bound = assay.bradley_terry.bind(tally)
    found = bound.influence(tally, tally.mass)
    step = 1e-4
    moved = np.stack([tally.mass + sign * step * np.eye(len(tally.mass)) for sign in (1, -1)])
    above, below = bound.at(tally, moved)
    assert found == pytest.approx((above - below) / (2 * step), abs=1e-8)


def test_a_fit_without_one_item_does_not_depend_on_where_it_starts() -> None:
    a, b, winner, item = judged(np.random.default_rng(6), [0, 0.4, 1, 3], 60, 3, tie=-1)
    tally = Preferences.from_judgments(a, b, winner, cluster=item, focus="s0")
    near = Meetings.without_each(tally, slice(None))
    cold = Meetings(tally, near.first, near.second, near.counts)
    assert fit(near).beta == pytest.approx(fit(cold).beta, abs=1e-10, nan_ok=True)


# ---------------------------------------------------------------------- where there is no fit
def likelihood_runs_away(first: Ints, second: Ints, results: Ints, k: int, places: bool) -> bool:
    """Whether a likelihood with a vanishing penalty has its maximum far out, or is flat: no maximum of its own."""

    def penalized(weight: float) -> Floats:
        def loss(at: Floats) -> float:
            d = at[first] - at[second] + at[k] * places
            tie = at[k + 1] if (results == 1).any() else -1e9
            logs = np.stack([d / 2, np.full(len(d), tie), -d / 2])
            chosen = logs[results, np.arange(len(d))]
            return -float((chosen - np.logaddexp.reduce(logs, axis=0)).sum()) + weight * float((at**2).sum())

        return np.asarray(optimize.minimize(loss, np.zeros(k + 2), method="BFGS", options={"gtol": 1e-10}).x)

    small, smaller = penalized(1e-4), penalized(1e-6)
    centered = [np.append(x[:k] - x[:k].mean(), x[k:]) for x in (small, smaller)]
    return bool(np.abs(centered[1] - centered[0]).max() > 0.5)


@pytest.mark.parametrize("places", [True, False])
def test_a_fit_exists_where_the_penalized_likelihood_settles_and_nowhere_else(places: bool) -> None:
    rng = np.random.default_rng(12)
    answers = set()
    for _ in range(60):
        k, n = int(rng.integers(2, 4)), int(rng.integers(3, 14))
        first = rng.integers(0, k, n)
        second = (first + rng.integers(1, k, n)) % k
        results = rng.choice(3, n, p=[0.5, 0.15, 0.35])
        tally = Preferences(
            keys={"first": first, "second": second, "result": results},
            counts=np.ones(n, np.int64),
            systems=tuple("abc"[:k]),
            focus="a",
        )
        defined = not math.isnan(assay.bradley_terry.of(tally, places=places))
        flat = _aliased(first, second, k, places)
        assert defined == (not flat and not likelihood_runs_away(first, second, results, k, places))
        answers.add(defined)
    assert answers == {True, False}


def _aliased(first: Ints, second: Ints, k: int, places: bool) -> bool:
    """Whether some systems never met, or the place goes with the systems, so that the likelihood is flat somewhere."""
    rows = np.zeros((len(first), k + 1))
    rows[np.arange(len(first)), first], rows[np.arange(len(first)), second], rows[:, k] = 1, -1, places
    return int(np.linalg.matrix_rank(rows)) < k - 1 + places


NOT_BOTH = "strengths cannot be told apart from places: "
BOTH_ORDERS = (
    "Show pairs in both orders, or leave the place out with --ignore-place (ignore_place=True, or the measure "
    "bradley_terry(places=False))"
)
NEVER_MET = "some systems never met the others: "
ONE_WAY_ONLY = "wins do not link the systems both ways: "
REASONS = {
    # Neither side has strengths by itself: in each pair the one shown first always won.
    "never met": (
        "abcd",
        "badc",
        "abcd",
        f"{NEVER_MET}no judgment links a and b with the other 2 systems",
        "",
    ),
    "never met, mended": (
        "ababccdd",
        "babaddcc",
        "aabbcdcd",
        f"{NEVER_MET}no judgment links a and b with the other 2 systems",
        ". Leave them out with --without a --without b to get strengths of the others",
    ),
    "three groups": (
        "abcdefef",
        "badcfefe",
        "abcdeeff",
        f"{NEVER_MET}no judgment links these groups with one another or with the other 2 systems: a and b; c and d",
        ". Leave them out with --without a --without b --without c --without d to get strengths of the others",
    ),
    "never lost": (
        "abcbcbc",
        "bcbcbcb",
        "abbbbcc",
        f"{ONE_WAY_ONLY}a never lost to the other 2 systems",
        ". Leave it out with --without a to get strengths of the others",
    ),
    "never won": (
        "abcbcbc",
        "bcbcbcb",
        "bbbbbcc",
        f"{ONE_WAY_ONLY}a never won against the other 2 systems",
        ". Leave it out with --without a to get strengths of the others",
    ),
    "above, below and beside": (
        "abcbcbcdabdbdefbg",
        "bcbcbcbbddbdbdagb",
        "abbbbccbabddbdabg",
        f"{ONE_WAY_ONLY}a never lost to the other 4 systems; e never won against the other 4 systems; "
        "f never met the other 4 systems",
        ". Leave them out with --without a --without e --without f to get strengths of the others",
    ),
    "two only": ("ab", "ba", "aa", f"{ONE_WAY_ONLY}a never lost to b", ""),
    "ties alone": ("abab", "baba", "====", "every judgment is a tie: without a win, strengths cannot be estimated", ""),
    "ties and wins": (
        "abab",
        "baba",
        "aa==",
        "apart from ties no result contradicts the others: strengths diverge, from 'a', 'b' down",
        "",
    ),
    "one order": (
        "aaaa",
        "bbbb",
        "abab",
        f"{NOT_BOTH}each is always shown in the same place against the same others",
        f". {BOTH_ORDERS}",
    ),
    "the place": (
        "abab",
        "baba",
        "abab",
        f"{NOT_BOTH}the place alone agrees with every result",
        f". {BOTH_ORDERS}",
    ),
    "the place and the strengths": (
        "aaabb",
        "bbbaa",
        "aaaab",
        f"{NOT_BOTH}the place and the strengths together agree with every result",
        f". {BOTH_ORDERS}",
    ),
    "the place, with ties": (
        "abababab",
        "babababa",
        "abab====",
        f"{NOT_BOTH}the place alone agrees with every result",
        f". {BOTH_ORDERS}",
    ),
    "one way, whatever the place": (
        "aaba",
        "bbab",
        "aaa=",
        "apart from ties no result contradicts the others: strengths diverge, from 'a', 'b' down",
        "",
    ),
}


@pytest.mark.parametrize("case", REASONS)
def test_where_there_is_no_fit_the_reason_names_the_systems(case: str) -> None:
    a, b, winner, reason, remedy = REASONS[case]
    tally = Preferences.from_judgments(list(a), list(b), ["tie" if w == "=" else w for w in winner], focus="a")
    found = assay.estimate("bradley_terry", tally)
    assert found.value is None
    assert found.reason == reason + remedy
    if BOTH_ORDERS in remedy:
        assert assay.estimate("bradley_terry(places=False)", tally).value is not None
    left_out = re.findall("--without (.)", remedy)
    if left_out:
        others = [name for name in tally.systems if name not in left_out]
        assert assay.estimate("bradley_terry", tally.without(left_out).about(others[0])).value is not None


def test_leaving_out_the_place_gives_strengths_where_places_are_confounded_with_systems() -> None:
    tally = Preferences.from_judgments(list("aaaa"), list("bbbb"), list("aaab"), focus=("a", "b"))
    assert assay.estimate("bradley_terry(places=False)", tally).value == pytest.approx(math.log(3), abs=1e-12)


def test_two_hundred_systems_are_fitted_and_what_decides_is_checked_for_each() -> None:
    a, b, winner, _ = judged(np.random.default_rng(2), np.linspace(0, 3, 200).tolist(), 6000, 1, tie=-1)
    found = fitted(Preferences.from_judgments(a, b, winner))
    assert not np.isnan(found.strengths).any()
    # Sixty judgments a system: errors of about a quarter, against a range of three.
    names = np.array([int(name[1:]) for name in found.meetings.tally.systems])
    assert np.corrcoef(names, found.strengths)[0, 1] > 0.9


def test_whether_a_fit_exists_depends_on_which_results_were_seen_alone() -> None:
    first, second = np.array([0, 1]), np.array([1, 0])
    both = np.array([[[True, True], [False, False], [True, True]], [[True, False], [False, False], [False, True]]])
    assert has_maximum(first, second, both, 2, True).tolist() == [True, False]


# ---------------------------------------------------------------------- shares
def test_a_win_rate_of_wins_and_losses_is_a_share_with_mid_p_limits() -> None:
    tally = Preferences.from_judgments(["x"] * 20, ["y"] * 20, ["x"] * 14 + ["y"] * 6, focus="x")
    found = assay.estimate("win_rate", tally)
    assert found.value == pytest.approx(0.7)
    assert found.low is not None
    assert found.high is not None
    above = stats.binom.sf(14, 20, found.low) + stats.binom.pmf(14, 20, found.low) / 2
    below = stats.binom.cdf(13, 20, found.high) + stats.binom.pmf(14, 20, found.high) / 2
    assert (above, below) == pytest.approx((0.025, 0.025), abs=1e-9)


def test_a_win_rate_rests_on_the_judgments_of_its_system_and_a_strength_on_all() -> None:
    a, b = list("xxyyzz"), list("yzzxxy")
    tally = Preferences.from_judgments(a, b, ["x", "tie", "z", "x", "z", "y"], cluster=[1, 1, 2, 2, 3, 3])
    assert assay.estimate("win_rate", tally.about("x")).n == 4
    assert assay.estimate("win_rate", tally.about(("x", "z"))).n == 2
    assert assay.estimate("first_place_share", tally).n == 6
    assert assay.estimate("bradley_terry", tally.about("x")).n == 6


def test_a_win_rate_over_items_is_the_bounded_mean_of_their_means() -> None:
    # Five items judged four times each; rule M written out from its definition.
    means = np.array([1, 0.75, 0.5, 0.875, 0.25])
    winners = [["x"] * 4, ["x", "x", "x", "y"], ["x", "x", "y", "y"], ["x", "x", "x", "tie"], ["x", "y", "y", "y"]]
    flat = [w for item in winners for w in item]
    tally = Preferences.from_judgments(["x"] * 20, ["y"] * 20, flat, cluster=np.repeat(range(5), 4), focus="x")
    n, total = 5, 5.5
    s = (n * means.mean() + 0.25) / total
    v = (((means - s) ** 2).sum() + 0.25 * (s**2 + (1 - s) ** 2)) / ((total - 1) * total)
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, n - 1)
    m = s * (1 - s) / v * (z / t) ** 2
    center = (means.mean() + z * z / (2 * m)) / (1 + z * z / m)
    half = z / (1 + z * z / m) * math.sqrt(means.mean() * (1 - means.mean()) / m + z * z / (4 * m * m))
    found = assay.estimate("win_rate", tally)
    assert found.value == pytest.approx(means.mean())
    assert (found.low, found.high) == pytest.approx((center - half, center + half), abs=1e-12)


def test_a_win_rate_says_where_a_system_was_mostly_shown_in_one_place() -> None:
    mostly = Preferences.from_judgments(["x"] * 8 + ["y"] * 2, ["y"] * 8 + ["x"] * 2, ["x", "y"] * 5)
    evenly = Preferences.from_judgments(["x"] * 5 + ["y"] * 5, ["y"] * 5 + ["x"] * 5, ["x", "y"] * 5)
    for system, share in (("x", "80%"), ("y", "20%")):
        (note,) = assay.estimate("win_rate", mostly.about(system)).notes
        assert note.startswith(f"shown first in {share} of its judgments")
        assert assay.estimate("win_rate", evenly.about(system)).notes == ()


def test_the_difference_of_two_win_rates_over_items_is_the_bounded_mean_of_their_differences() -> None:
    # Each item: x against z twice, y against z twice.
    x, y = np.array([1, 0.5, 0.75, 0.0, 1.0]), np.array([0.5, 0.5, 0.0, 0.25, 1.0])
    words = {1.0: ("f", "f"), 0.75: ("f", "tie"), 0.5: ("f", "z"), 0.25: ("tie", "z"), 0.0: ("z", "z")}
    rows = [
        (f, "z", f if w == "f" else w, i)
        for f, means in (("x", x), ("y", y))
        for i, v in enumerate(means.tolist())
        for w in words[v]
    ]
    a, b, winner, item = zip(*rows, strict=True)
    found = assay.compare(list(a), list(b), list(winner), measure="win_rate", names=("x", "y"), cluster=list(item))
    d, n, total = x - y, 5, 5.5
    c = n * d.mean() / total
    v = (((d - c) ** 2).sum() + 0.25 * ((1 - c) ** 2 + (1 + c) ** 2)) / ((total - 1) * total)
    off = (d - d.mean()) ** 2
    carried = min(2 * off.sum() ** 2 / (off**2).sum() - 1, n - 1)
    half = stats.t.ppf(0.975, carried) * math.sqrt(v)
    assert found.difference == pytest.approx(d.mean())
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half), abs=1e-12)
    assert found.test == "interval"


def test_the_difference_of_two_strengths_is_that_of_the_pair_with_the_same_limits() -> None:
    a, b, winner, item = judged(np.random.default_rng(4), [0, 0.5, 1, 2], 50, 3, tie=-1, spread=1)
    tally = Preferences.from_judgments(a, b, winner, cluster=item)
    pair = assay.estimate("bradley_terry", tally.about(("s3", "s1")))
    found = assay.compare(tally.side_by_side("s3", "s1"), measure="bradley_terry")
    assert found.difference == pytest.approx(pair.value, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((pair.low, pair.high), abs=1e-9)


def test_the_test_of_the_place_is_that_of_the_item_means() -> None:
    a, b, winner, item = judged(np.random.default_rng(7), [0, 0.5, 1], 200, 3, place=0.6, tie=-1)
    tally = Preferences.from_judgments(a, b, winner, cluster=item)
    found = value_test("first_place_share", tally, 0.5)
    points = np.where(winner == a, 1, np.where(winner == b, 0, 0.5)).reshape(200, 3).mean(1)
    expected = stats.ttest_1samp(points, 0.5)
    assert found.p_value is not None
    # Student's test has neither the half item more nor the variance under the null: a few parts in a hundred.
    assert stats.t.isf(found.p_value / 2, 199) == pytest.approx(abs(float(expected.statistic)), rel=0.05)


# ---------------------------------------------------------------------- pairs and cycles
def test_cycles_are_those_that_looking_at_every_triple_finds() -> None:
    rng = np.random.default_rng(1)
    names = list("abcdef")
    better = [(x, y) if rng.random() < 0.5 else (y, x) for i, x in enumerate(names) for y in names[i + 1 :]]
    found = cycles(better)
    expected = {frozenset(t) for t in _triples(names) if all(p in better for p in zip(t, (*t[1:], t[0]), strict=True))}
    assert {frozenset(t) for t in found} == expected
    assert len(found) == len(expected) > 0


def _triples(names: list[str]) -> list[tuple[str, str, str]]:
    return [(x, y, z) for x in names for y in names for z in names if len({x, y, z}) == 3]


def test_a_cycle_is_reported_only_where_its_three_pairs_are_told_apart_after_holm() -> None:
    def rows(won: int, of: int) -> Preferences:
        a = [x for x in "abc" for _ in range(of)]
        b = [y for y in "bca" for _ in range(of)]
        winner = [x if i < won else y for x, y in zip("abc", "bca", strict=True) for i in range(of)]
        return Preferences.from_judgments(a, b, winner)

    told = [pair.better for pair in pair_tests("win_rate", pair_views(rows(30, 40)), 0.5)]
    assert cycles(pair for pair in told if pair) == [("a", "b", "c")]
    unsure = [pair.better for pair in pair_tests("win_rate", pair_views(rows(24, 40)), 0.5)]
    assert cycles(pair for pair in unsure if pair) == []


# ---------------------------------------------------------------------- what comes in
def test_winners_may_be_named_by_system_by_column_or_as_ties() -> None:
    tally = Preferences.from_judgments(
        ["gpt", "gpt", "llama", "gpt", "llama"],
        ["llama", "llama", "gpt", "llama", "gpt"],
        ["gpt", "model_b", "Model A", "Tie", "tie (bothbad)"],
        focus="gpt",
    )
    # gpt won 1, lost 2 (the second as b, the third because llama stands in a) and tied 2.
    assert headline(tally, "") == "gpt won 1, tied 2 and lost 2 against the others, in 5 judgments of 2 systems."


def test_a_system_that_is_called_like_a_word_is_never_taken_for_it() -> None:
    tally = Preferences.from_judgments(["b", "b"], ["a", "a"], ["a", "b"], focus="a")
    assert assay.win_rate.of(tally) == 0.5
    with pytest.raises(DataError, match=r"winner is 'tie' for 'x' vs\. 'y' in row 2"):
        Preferences.from_judgments(["Tie", "x"], ["x", "y"], ["Tie", "tie"])


def test_the_system_shown_first_may_stand_in_either_column() -> None:
    one = Preferences.from_judgments(["x", "x"], ["y", "y"], ["x", "y"], first=["x", "y"])
    other = Preferences.from_judgments(["x", "y"], ["y", "x"], ["x", "y"])
    assert one == other
    assert assay.first_place_share.of(one) == 1


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "itself": ({"b": ["y", "x"]}, "'x' is compared with itself in row 2; a judgment is between two systems"),
    "neither": (
        {"winner": ["x", "w"]},
        "winner is 'w' for 'x' vs. 'y' in row 2; expected the name of one of the two, 'a' or 'b' for its column",
    ),
    "case": (
        {"b": ["New bot"] * 2, "winner": ["x", "new  BOT"]},
        "'same', 'neither'. Did you mean 'New bot'?",
    ),
    "first": (
        {"first": ["x", "w"]},
        "first is 'w' for 'x' vs. 'y' in row 2; expected the name of the system that was shown first",
    ),
    "missing": ({"winner": [None, ""]}, "winner is missing in row 1, and 1 more row like it; leave such rows out"),
    "unlisted": ({"systems": ["x"]}, "systems lists 'x', but 'y' is judged too; list all systems"),
    "focus": ({"focus": "xx"}, "no system is called 'xx'; the systems are 'x', 'y'."),
    "alone": ({"focus": ("x", "x")}, "the opponent must be another system"),
    "three": ({"focus": ("x", "y", "x")}, "expected the name of a system, or a pair"),
    "number": ({"a": [0.5, 0.5]}, "a contains the number 0.5; names of systems are text or whole numbers"),
    "no winner": ({"winner": [None, None], "missing": "skip"}, "no judgment has a winner"),
    "missing=": ({"missing": "drop"}, "missing is 'drop'; expected one of 'error', 'skip', 'tie'"),
}


@pytest.mark.parametrize("case", BAD)
def test_judgments_that_make_no_sense_are_refused_in_words(case: str) -> None:
    changed, words = BAD[case]
    given = {"a": ["x", "x"], "b": ["y", "y"], "winner": ["x", "y"], **changed}
    with pytest.raises((DataError, OptionError)) as refused:
        Preferences.from_judgments(**given)
    assert words in str(refused.value)


def test_missing_winners_are_left_out_or_ties_where_that_is_asked_for() -> None:
    given: dict[str, Any] = {"a": ["x"] * 4, "b": ["y"] * 4, "winner": ["x", None, "", "y"], "cluster": list("uvww")}
    skipped = Preferences.from_judgments(**given, missing="skip")
    assert skipped.n == 2
    assert skipped.clusters is not None
    assert skipped.clusters.names == ("u", "w")
    assert assay.tie_share.of(Preferences.from_judgments(**given, missing="tie")) == 0.5


def test_leaving_systems_out_is_counting_the_judgments_of_the_others() -> None:
    a, b, winner, item = judged(np.random.default_rng(9), [0, 0.5, 1, 2], 40, 3)
    kept = (a != "s1") & (b != "s1")
    expected = Preferences.from_judgments(a[kept], b[kept], winner[kept], cluster=item[kept])
    assert Preferences.from_judgments(a, b, winner, cluster=item).without(["s1"]) == expected
    with pytest.raises(OptionError, match="which leaves 1 system; at least two are needed"):
        expected.without(["s0", "s2"])
    with pytest.raises(DataError, match="no judgment is left without 'y': 'x', 'z' were never compared"):
        Preferences.from_judgments(["x", "y"], ["y", "z"], ["x", "y"]).without(["y"])


def test_tallies_about_different_systems_do_not_add_up() -> None:
    tally = Preferences.from_judgments(["x", "y"], ["y", "x"], ["x", "y"])
    with pytest.raises(DataError, match="one tally is about 'x' and the other about 'y' against 'x'"):
        tally.about("x") + tally.about(("y", "x"))
    assert (tally.about("x") + tally.about("x")).n == 4


def test_a_measure_of_one_system_asks_which_it_is() -> None:
    with pytest.raises(OptionError, match="which of 'x', 'y' is this about"):
        assay.win_rate(["x"], ["y"], ["x"])
    assert assay.win_rate(["x"], ["y"], ["x"], focus="y") == 0


# ---------------------------------------------------------------------- coverage
@pytest.mark.slow
@pytest.mark.parametrize("items", [30, 100])
@pytest.mark.parametrize("strengths", [[0, 0.3, 0.6, 0.9], [0, 0.3, 0.6, 3.0]], ids=["even", "dominant"])
def test_intervals_of_strengths_hold_the_truth_with_unbalanced_places(strengths: list[float], items: int) -> None:
    rng, draws = np.random.default_rng(20), 300
    truth = np.array(strengths) - np.mean(strengths)
    held, defined = np.zeros(8), 0
    for _ in range(draws):
        a, b, winner, item = judged(rng, strengths, items, 3, last_first=0.8)
        tally = Preferences.from_judgments(a, b, winner, cluster=item, systems=[f"s{i}" for i in range(4)])
        asked = [*tally.systems, *((name, "s0") for name in tally.systems[1:])]
        found = [assay.estimate("bradley_terry", tally.about(focus)) for focus in asked]
        if found[0].value is None:
            continue
        defined += 1
        for i, (each, value) in enumerate(zip(found, [*truth, *(truth[1:] - truth[0])], strict=True)):
            assert each.interval is not None
            held[i] += each.interval.low <= value <= each.interval.high
    # Three standard errors of 300 samples are 3.8 points.
    assert defined > 0.8 * draws
    assert (held[:7] / defined).min() > 0.91
    assert (held[:7] / defined).mean() > 0.94


@pytest.mark.slow
@pytest.mark.parametrize("unequal", [False, True])
def test_intervals_of_win_rates_hold_the_truth_where_items_are_judged_several_times(unequal: bool) -> None:
    for p in (0.5, 0.8, 0.95):
        rng, held, draws, items = np.random.default_rng(30), 0, 400, 30
        for _ in range(draws):
            each = rng.choice([1, 2, 5, 12], items) if unequal else np.full(items, 5)
            item = np.repeat(np.arange(items), each)
            chance = rng.beta(p * 0.5, (1 - p) * 0.5, items)[item]  # items agree with a correlation of 2/3
            winner = np.where(rng.random(len(item)) < chance, "x", "y")
            columns = (["x"] * len(item), ["y"] * len(item), winner)
            found = assay.estimate("win_rate", Preferences.from_judgments(*columns, cluster=item, focus=("x", "y")))
            assert found.interval is not None
            held += found.interval.low <= p <= found.interval.high
        # Three standard errors of 400 samples are 3.3 points.
        assert held / draws > 0.92


@pytest.mark.slow
def test_the_test_of_the_place_rejects_no_more_often_than_it_should() -> None:
    rng, draws, rejected = np.random.default_rng(40), 1000, 0
    for _ in range(draws):
        # Each item has an order of its own, so that its five judgments go together.
        chance = np.repeat(rng.beta(1, 1, 30), 5)
        winner = np.where(rng.random(150) < chance, "x", "y")
        tally = Preferences.from_judgments(["x"] * 150, ["y"] * 150, winner, cluster=np.repeat(range(30), 5))
        p = value_test("first_place_share", tally, 0.5).p_value
        assert p is not None
        rejected += p <= 0.05
    # Three standard errors of 1,000 tests at 5% are 2.1 points.
    assert rejected / draws < 0.071
