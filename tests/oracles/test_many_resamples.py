"""Resamples of many different items, which are drawn one by one: against the definition, SciPy and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import Scored
from assay.measures.declare.catalogue import catalogue
from assay.tally.contract.sampling import Sampling
from assay.uncertainty.one.resample import MANY, draw_times

PEERS: dict[str, Callable[..., Any]] = {
    "roc_auc": sk.roc_auc_score,
    "average_precision": sk.average_precision_score,
}


def scores(n: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.random(n) < 0.3
    return gold, 0.5 * rng.random(n) + 0.2 * gold


@pytest.mark.parametrize("most", [1, 4])
def test_items_drawn_one_by_one_have_the_binomial_distribution(most: int) -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(1, most + 1, MANY)
    n, draws = int(counts.sum()), 2000
    times = draw_times(Sampling(counts, None, None), draws, rng)
    assert times.dtype.kind == "i"
    assert (times.sum(axis=1, dtype=np.int64) == n).all()
    for times_there in np.unique(counts).tolist():
        seen = times[:, counts == times_there].ravel()
        expected = len(seen) * stats.binom.pmf(np.arange(8 * most), n, times_there / n)
        found = np.bincount(seen, minlength=8 * most)[: 8 * most].astype(float)
        keep = expected >= 10
        # Cells of one resample are all but independent when there are so many.
        chi = stats.chisquare(found[keep], expected[keep] * found[keep].sum() / expected[keep].sum())
        assert chi.pvalue > 1e-4


def test_few_kinds_are_drawn_together_and_strata_within_themselves() -> None:
    rng = np.random.default_rng(2)
    few = draw_times(Sampling(np.full(MANY - 1, 2), None, None), 3, rng)
    assert few.dtype == np.float64
    strata = np.repeat([0, 1], [MANY, 10])
    both = draw_times(Sampling(np.ones(MANY + 10, np.int64), None, strata), 5, rng)
    assert (both[:, strata == 0].sum(axis=1) == MANY).all()
    assert (both[:, strata == 1].sum(axis=1) == 10).all()


@pytest.mark.parametrize("name", PEERS)
def test_the_values_of_resamples_are_those_of_scikit_learn(name: str) -> None:
    gold, score = scores(MANY + 100)
    tally = Scored.from_scores(gold, np.round(score, 3))
    sampling = Sampling(tally.counts, None, None)
    times: Any = draw_times(sampling, 20, np.random.default_rng(3), few=0)
    found = catalogue()[name].bind(tally).at(tally, times)
    truth, given = tally.keys["positive"], tally.keys["score"]
    expected = [PEERS[name](truth, given, sample_weight=row) for row in times.astype(float)]
    assert found.tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", PEERS)
def test_limits_are_those_of_items_drawn_with_replacement(name: str) -> None:
    gold, score = scores(1500, seed=4)
    rng, draws = np.random.default_rng(5), 1500
    which = (rng.integers(0, 1500, 1500) for _ in range(draws))
    by_hand = np.array([PEERS[name](gold[i], score[i]) for i in which])
    error = by_hand.std(ddof=1)
    ends = np.quantile(by_hand, [0.025, 0.975])
    value = PEERS[name](gold, score)
    wanted: dict[Any, Any] = {"percentile": ends, "basic": 2 * value - ends[::-1]}
    for method, limits in wanted.items():
        found = assay.estimate(name, gold, score, method=method)
        assert found.method == method
        assert found.value == pytest.approx(value, rel=1e-12)
        # A quantile of 2.5% from so many draws has a standard error of .069 standard deviations.
        assert np.abs(np.array(found.limits) - limits).max() < 4 * 0.075 * error
        assert found.standard_error == pytest.approx(error, rel=4 / np.sqrt(2 * draws))
    bca = assay.estimate(name, gold, score, method="bca")
    assert np.abs(np.array(bca.limits) - ends).max() < 6 * 0.075 * error  # hardly skewed, hardly biased


def test_levels_share_their_draws() -> None:
    gold, score = scores(1200, seed=6)
    found = assay.estimate("roc_auc", gold, score, method="percentile", n_resamples=500)
    other = assay.estimate("roc_auc", gold, score, method="percentile", n_resamples=500, level=0.8)
    again = found.at_level(0.8)
    assert (again.low, again.high, again.level, again.signature) == (other.low, other.high, 0.8, other.signature)
    assert again.at_level(0.95).limits == found.limits
    with pytest.raises(assay.errors.OptionError, match="level"):
        found.at_level(1.5)
