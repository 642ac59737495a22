"""The mean of values drawn with replacement, all resamples at once: exact sums, draws, and where it is not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import assay
from assay.tally.contract.sampling import Floats
from assay.uncertainty.two.signs import resampled_chances
from assay.uncertainty.values.all_resamples import LARGE, AllResamples

SHARES = (0.0005, 0.025, 0.2, 0.5, 0.9, 0.975, 0.9995)
DRAWS = 20_000


def values(shape: str, n: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    made = {
        "normal": rng.normal(0.1, 1, n),
        "skewed": rng.lognormal(0, 1, n),
        "heavy": rng.lognormal(0, 1.5, n) - 3,
        "two": np.where(rng.random(n) < 0.01, 1 + rng.random(n), 0.02 * rng.normal(size=n)),
        "grid": rng.integers(-1, 2, n).astype(float),
        "sparse": (rng.random(n) < 5 / n) * 1.0,
    }
    return made[shape]


def drawn(x: Floats, draws: int = DRAWS, seed: int = 1) -> Floats:
    rng = np.random.default_rng(seed)
    return np.array([x[rng.integers(0, len(x), len(x))].mean() for _ in range(draws)])


@pytest.mark.parametrize("shape", ["normal", "skewed", "heavy", "two", "grid", "sparse"])
@pytest.mark.parametrize("n", [300, 5000])
def test_quantiles_are_those_of_draws(shape: str, n: int) -> None:
    x = values(shape, n)
    known = AllResamples.of(x)
    assert known is not None
    found = drawn(x)
    tiny = 1e-9 * np.abs(x).max()
    for share in SHARES:
        at, error = known.quantile(share), np.sqrt(share * (1 - share) / DRAWS)
        # Where means are equal, the quantile is one of them.
        assert (found < at - tiny).mean() - 4.5 * error <= share <= (found <= at + tiny).mean() + 4.5 * error
    assert known.error == pytest.approx(x.std() / np.sqrt(n), rel=1e-12)
    moments = (known.chances * known.means).sum(), np.sqrt((known.chances * (known.means - x.mean()) ** 2).sum())
    assert moments[0] == pytest.approx(x.mean(), abs=1e-9 * x.std())
    assert moments[1] == pytest.approx(known.error, rel=1e-8)
    assert known.below(float(x.mean())) == pytest.approx(
        (found < x.mean() - tiny).mean() + (np.abs(found - x.mean()) <= tiny).mean() / 2, abs=4 * 0.5 / np.sqrt(DRAWS)
    )


@pytest.mark.parametrize("seed", range(5))
def test_sums_on_a_lattice_are_exact(seed: int) -> None:
    parts = np.random.default_rng(seed).integers(-3, 5, 120)
    known, chances = AllResamples.of(np.asarray(0.25 * parts, np.float64)), resampled_chances(parts)
    assert known is not None
    assert chances is not None
    assert known.lattice
    means = 0.25 * (120 * int(parts.min()) + np.arange(len(chances))) / 120
    for at in (0.0, 0.1, 0.25, float(0.25 * parts.mean()), 0.5, 0.6):
        for strict in (False, True):
            far = means - at > (1e-9 if strict else -1e-9)
            assert known.beyond(at, 1, strict) == pytest.approx(chances[far].sum(), abs=1e-8)
            near = at - means > (1e-9 if strict else -1e-9)
            assert known.beyond(at, -1, strict) == pytest.approx(chances[near].sum(), abs=1e-8)


def test_shares_are_binomial() -> None:
    x: Floats = np.repeat([1.0, 0.0], [700, 5300]).astype(np.float64)
    known = AllResamples.of(x)
    assert known is not None
    of = stats.binom(6000, 700 / 6000)
    for share in SHARES:
        assert known.quantile(share) == pytest.approx(of.ppf(share) / 6000, abs=1e-12)
    assert known.beyond(800 / 6000, 1) == pytest.approx(of.sf(799), rel=1e-4)
    assert known.beyond(800 / 6000, 1, strict=True) == pytest.approx(of.sf(800), rel=1e-4)


def test_tails_are_those_of_the_saddle_point() -> None:
    # Lugannani and Rice's formula with the cumulants of the values themselves.
    x = values("skewed", 20_000, seed=3)
    known, n = AllResamples.of(x), len(x)
    assert known is not None
    for tilt in (0.004, 0.01, 0.02, -0.01):
        weight = np.exp(tilt * x)
        cumulant, mean = np.log(weight.mean()), (weight * x).mean() / weight.mean()
        variance = (weight * x**2).mean() / weight.mean() - mean**2
        w = np.sign(tilt) * np.sqrt(2 * n * (tilt * mean - cumulant))
        u = tilt * np.sqrt(n * variance)
        p = stats.norm.sf(w) + stats.norm.pdf(w) * (1 / u - 1 / w)
        assert known.beyond(float(mean), 1) == pytest.approx(p, rel=2e-3, abs=2e-8)


@pytest.mark.parametrize("n", [200, 5000])
def test_a_few_enormous_values_leave_the_distribution_unknown(n: int) -> None:
    rng = np.random.default_rng(4)
    giant = rng.normal(size=n)
    giant[0] = 1e6
    three = np.zeros(n)
    three[:3] = rng.random(3)
    assert AllResamples.of(giant) is None
    assert AllResamples.of(three) is None
    assert AllResamples.of(np.full(n, 0.3)) is None


# ---------------------------------------------------------------------- in a comparison
def pair(n: int, seed: int = 5) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return a, a + rng.gamma(1, 0.1, n) - 0.0985


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_limits_of_many_pairs_are_those_of_all_resamples(method: Any) -> None:
    a, b = pair(LARGE)
    found = assay.compare_values(a, b, method=method)
    asked = assay.compare_values(a, b, method=method, exact=False)
    assert any("nothing was drawn" in note for note in found.notes)
    assert "draws" not in found.signature.split("|test")[0]
    assert "|draws:9999|" in asked.signature
    assert (found.method, asked.method) == (method, method)
    # A limit from 9,999 draws has a standard error of .027 standard deviations.
    for one, other in ((found.low, asked.low), (found.high, asked.high)):
        assert one is not None
        assert other is not None
        assert abs(one - other) < 4 * 0.03 * (a - b).std() / np.sqrt(LARGE)
    assert found.standard_error == pytest.approx(asked.standard_error, rel=0.03)
    few = assay.compare_values(a[:-1], b[:-1], method=method)
    assert "|draws:9999|" in few.signature


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_bootstrap_test_of_many_pairs(alternative: str) -> None:
    a, b = pair(LARGE, seed=6)
    how: dict[str, Any] = {"test": "bootstrap", "alternative": alternative}
    found, asked = (assay.compare_values(a, b, exact=exact, **how) for exact in (True, False))
    assert found.p_value is not None
    assert asked.p_value is not None
    assert "all resamples" in found.form
    assert (found.draws, found.extreme) == (None, None)
    assert abs(found.p_value - asked.p_value) < 4.5 * np.sqrt(found.p_value * (1 - found.p_value) / 9999) + 1e-4
    d = a - b
    by_hand = {"two-sided": 2, "greater": 1, "less": 1}[alternative] * stats.norm.sf(
        abs(d.mean()) / (d.std() / np.sqrt(LARGE))
    )
    if alternative == "greater":
        by_hand = 1 - by_hand if d.mean() < 0 else by_hand
    if alternative == "less":
        by_hand = 1 - by_hand if d.mean() > 0 else by_hand
    assert found.p_value == pytest.approx(by_hand, abs=0.01)


def test_no_p_value_is_smaller_than_what_may_lie_beyond_the_grid() -> None:
    a, b = pair(LARGE, seed=7)
    found = assay.compare_values(a + 1, b, test="bootstrap")
    assert found.p_value == 1e-8


def test_draws_are_made_where_the_distribution_is_not_known_and_on_request() -> None:
    a, b = pair(LARGE, seed=8)
    a[0] += 1e6
    heavy = assay.compare_values(a, b, method="percentile", test="bootstrap", n_resamples=200)
    assert heavy.draws == 200
    assert not any("nothing was drawn" in note for note in heavy.notes)
    a[0] -= 1e6
    known = assay.compare_values(a, b, method="percentile", test="bootstrap", n_resamples=500)
    assert known.replicates is not None
    draws = known.replicates("difference")
    assert len(draws) == 500
    assert draws.std() == pytest.approx(known.standard_error, rel=4 / np.sqrt(1000))
    clustered = assay.compare_values(a, b, method="percentile", cluster=np.arange(LARGE) // 2, n_resamples=200)
    assert "|draws:200|" in clustered.signature
