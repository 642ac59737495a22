"""Drawn exchanges: coins that items share, threads, the exported null, against plain item-by-item exchanges."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import Confusion
from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import parse
from assay.tally.contract.joint import Joint
from assay.uncertainty.one.resample import in_chunks
from assay.uncertainty.two.exchange import Merged, exchange_of
from assay.uncertainty.two.testing import null_draws, randomization
from assay.uncertainty.two.tosses import Tosses

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def systems(seed: int, n: int, k: int) -> tuple[Labels, Labels, Labels]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, y, rng.integers(0, k, n)) for right in (0.7, 0.6))
    return y, a, b


def bound_to(joint: Joint[Confusion], measure: str) -> Bound:
    found, options = parse(measure)
    return found.bind(joint.a, **options)


def macro_f1(y: Labels, p: Labels) -> float:
    """The mean over classes of twice the hits over gold and predicted items."""
    classes = range(int(max(y.max(), p.max())) + 1)
    return float(np.mean([2 * ((y == c) & (p == c)).sum() / ((y == c).sum() + (p == c).sum()) for c in classes]))


def differences(y: Labels, a: Labels, b: Labels, draws: int) -> Floats:
    """Macro F1 of A minus that of B after a coin for every row."""
    rng = np.random.default_rng(77)
    out = []
    for _ in range(draws):
        swap = rng.random(len(y)) < 0.5
        out.append(macro_f1(y, np.where(swap, b, a)) - macro_f1(y, np.where(swap, a, b)))
    return np.array(out)


# ---------------------------------------------------------------------- coins
@pytest.mark.parametrize("size", [1, 7, 16, 17, 63, 64, 65, 500])
def test_heads_have_the_binomial_distribution(size: int) -> None:
    draws = 20_000
    heads = Tosses(np.array([size, 3, size]))(np.random.default_rng(1), draws)
    assert heads.shape == (draws, 3)
    for column in (0, 2):
        top = int(heads[:, column].max())
        assert 0 <= heads[:, column].min() <= top <= size
        # Outcomes that are expected fewer than ten times are counted together.
        expected = draws * stats.binom.pmf(np.arange(size + 1), size, 0.5)
        seen = np.bincount(heads[:, column], minlength=size + 1).astype(float)
        rare = expected < 10
        if rare.any():
            expected = np.append(expected[~rare], expected[rare].sum())
            seen = np.append(seen[~rare], seen[rare].sum())
        keep = expected > 0
        assert stats.chisquare(seen[keep], expected[keep] * seen.sum() / expected[keep].sum()).pvalue > 1e-4


def test_different_coins_are_tossed_independently() -> None:
    heads = Tosses(np.array([10, 10, 40, 90]))(np.random.default_rng(2), 20_000)
    apart = np.corrcoef(heads.T) - np.eye(4)
    assert np.abs(apart).max() < 4 / math.sqrt(20_000)  # four standard errors of a correlation of 0


@pytest.mark.parametrize("k", [3, 5])
def test_classes_share_coins_where_margins_cannot_tell_them_apart(k: int) -> None:
    # Every (gold, a, b) with a ≠ b occurs; by hand: k(k − 1) pairs with gold among them, k(k − 1)/2 without.
    cells = np.array([(g, a, b) for g in range(k) for a in range(k) for b in range(k)])
    joint = Confusion.joint(*np.repeat(cells, 2, axis=0).T)
    exchange = exchange_of(joint, bound_to(joint, "f1(average=macro)"), "raw")
    assert isinstance(exchange, Merged)
    assert len(exchange.coins) == 1.5 * k * (k - 1)
    assert exchange.coins.sum() == 2 * k * k * (k - 1)  # every row on which the systems disagree has one coin


# ---------------------------------------------------------------------- null distribution
def test_the_exported_null_is_that_of_coins_tossed_for_every_row() -> None:
    y, a, b = systems(3, 250, 4)
    joint = Confusion.joint(y, a, b)
    plain = differences(y, a, b, 1000)
    drawn = null_draws(joint, bound_to(joint, "f1(average=macro)"), "raw", 4000, 5)
    assert drawn.shape == (4000,)
    assert stats.ks_2samp(plain, drawn).pvalue > 1e-3
    # A standard deviation of n normal draws has a relative error of 1 / √(2n).
    assert drawn.std() == pytest.approx(plain.std(), rel=4 * math.sqrt(1 / 2000 + 1 / 8000))


def test_the_studentized_statistic_of_an_exchanged_table_has_the_error_of_its_own_rows() -> None:
    y, a, b = systems(4, 40, 3)
    rng, n = np.random.default_rng(6), 40
    near = [np.where(np.arange(n) == i, 1 + sign * 1e-4, 1.0) for sign in (1, -1) for i in range(n)]

    def studentized(left: Labels, right: Labels) -> float:
        ends = [np.array([float(sk.matthews_corrcoef(y, x, sample_weight=w)) for w in near]) for x in (left, right)]
        up, down = (ends[0] - ends[1]).reshape(2, -1)
        delta = float(sk.matthews_corrcoef(y, left)) - float(sk.matthews_corrcoef(y, right))
        return delta / math.sqrt(float((((up - down) / 2e-4) ** 2).sum()))

    for _ in range(2):
        swap = rng.random(n) < 0.5
        left, right = np.where(swap, b, a), np.where(swap, a, b)
        joint = Confusion.joint(y, left, right)
        found = exchange_of(joint, bound_to(joint, "mcc"), "studentized").observed()
        assert found == pytest.approx(studentized(left, right), rel=1e-4)


@pytest.mark.parametrize("statistic", ["raw", "studentized"])
def test_draws_do_not_depend_on_how_many_threads_there_are(monkeypatch: pytest.MonkeyPatch, statistic: str) -> None:
    joint = Confusion.joint(*systems(5, 2000, 10))
    bound = bound_to(joint, "f1(average=macro)")
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        found.append(null_draws(joint, bound, statistic, 1000, 9))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert not np.array_equal(found[0], null_draws(joint, bound, statistic, 1000, 10))


def test_chunks_come_in_order_and_hold_as_many_draws_as_were_asked_for() -> None:
    def work(rng: np.random.Generator, size: int) -> Floats:
        return rng.random(size)

    chunks = list(in_chunks(work, 1000, 3, 1 << 12))
    assert len(chunks) > 1
    assert sum(map(len, chunks)) == 1000
    assert len(np.unique(np.concatenate(chunks))) == 1000


def test_comparing_the_other_way_round_negates_every_draw() -> None:
    joint = Confusion.joint(*systems(6, 500, 6))
    for measure, statistic in (("f1(average=macro)", "raw"), ("f1(average=macro)", "studentized"), ("accuracy", "raw")):
        there, back = (null_draws(x, bound_to(x, measure), statistic, 300, 1) for x in (joint, joint.swapped()))
        assert there == pytest.approx(-back, abs=1e-12)
        one, other = (
            randomization(x, bound_to(x, measure), statistic, side, 300, 1).p
            for x, side in ((joint, "greater"), (joint.swapped(), "less"))
        )
        assert one == other


def test_a_few_thousand_draws_agree_with_row_by_row_exchanges_in_p() -> None:
    y, a, b = systems(7, 250, 4)
    b = np.where(np.random.default_rng(1).random(250) < 0.7, a, b)
    plain = differences(y, a, b, 1000)
    observed = macro_f1(y, a) - macro_f1(y, b)
    expected = float((np.abs(plain) >= abs(observed) - 1e-12).mean())
    found = assay.compare(y, a, b, measure="f1(average=macro)", statistic="raw", n_resamples=4999)
    assert found.p_value is not None
    error = math.sqrt(max(expected * (1 - expected), 0.01) * (1 / 1000 + 1 / 4999))
    assert abs(found.p_value - expected) < 4 * error
