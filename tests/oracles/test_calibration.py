"""Calibration against statsmodels 0.14, plain loops over items, and simulated labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import assay
from assay import DataError, OptionError, Scored
from assay.measures.scores.calibration import brier_parts, calibration_section, ece_if_calibrated
from tests.oracles.cases import close, quiet


def probable(seed: int, n: int = 120, digits: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < (0.5, 0.2, 0.8)[seed % 3]
    odds = (1.5 * rng.normal(size=n) + y) * (0.5, 1.0, 2.0)[seed % 3]
    return y.astype(int), np.clip(np.round(1 / (1 + np.exp(-odds)), digits), 0.01, 0.99)


# ---------------------------------------------------------------------- logistic recalibration
@pytest.mark.parametrize("seed", range(9))
def test_the_slope_is_that_of_a_logistic_regression(seed: int) -> None:
    y, p = probable(seed)
    odds = np.log(p / (1 - p))
    fitted = sm.Logit(y, sm.add_constant(odds)).fit(disp=0, tol=1e-12)
    assert assay.calibration_slope(y, p) == pytest.approx(float(fitted.params[1]), rel=1e-8)
    alone = sm.GLM(y, np.ones(len(y)), family=sm.families.Binomial(), offset=odds).fit(tol=1e-12)
    assert assay.calibration_intercept(y, p) == pytest.approx(float(alone.params[0]), abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_those_of_a_weighted_regression(seed: int) -> None:
    y, p = probable(seed)
    w, odds = np.random.default_rng(seed).choice([0.5, 1.0, 4.0], len(y)), np.log(p / (1 - p))
    family = sm.families.Binomial()
    fitted = sm.GLM(y, sm.add_constant(odds), family=family, freq_weights=w).fit(tol=1e-12)
    assert assay.calibration_slope(y, p, sample_weight=w) == pytest.approx(float(fitted.params[1]), rel=1e-8)
    alone = sm.GLM(y, np.ones(len(y)), family=family, offset=odds, freq_weights=w).fit(tol=1e-12)
    assert assay.calibration_intercept(y, p, sample_weight=w) == pytest.approx(float(alone.params[0]), abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_of_the_slope_has_the_larger_error_of_model_and_items_left_out(seed: int) -> None:
    y, p = probable(seed, 80, 6)
    odds = sm.add_constant(np.log(p / (1 - p)))
    fitted = sm.Logit(y, odds).fit(disp=0, tol=1e-12)
    chance = fitted.predict()
    weight = chance * (1 - chance)
    inverse = np.linalg.inv((odds * weight[:, None]).T @ odds)
    known = weight * np.einsum("ij,jk,ik->i", odds, inverse, odds)  # the leverage of each item
    moves = (inverse @ odds.T)[1] * (y - chance) / (1 - known)
    half = 1.959963984540054 * math.sqrt(max(float(fitted.cov_params()[1, 1]), float((moves**2).sum())))
    found = assay.estimate("calibration_slope", Scored.from_scores(y, p))
    slope = float(fitted.params[1])
    assert (found.low, found.high) == pytest.approx((slope - half, slope + half), rel=1e-6)


def test_separated_constant_and_one_sided_scores_have_no_slope() -> None:
    why = "the scores separate the classes or are all equal, so no slope is best"
    for y, p in (
        ([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8]),
        ([0, 0, 1, 1], [0.8, 0.7, 0.2, 0.1]),
        ([0, 1, 1, 0], [0.3, 0.3, 0.7, 0.3]),  # apart but for a tie: the likelihood still rises without end
        ([0, 1, 1, 0], [0.4, 0.4, 0.4, 0.4]),
    ):
        found = assay.estimate("calibration_slope", Scored.from_scores(y, p))
        assert (found.value, found.reason) == (None, why)
        assert assay.estimate("calibration_intercept", Scored.from_scores(y, p)).value is not None
    one = Scored.from_scores([1, 1], [0.2, 0.9])
    for name in ("calibration_slope", "calibration_intercept"):
        assert assay.estimate(name, one).reason == "the items are all positive or all negative"


def test_a_slope_that_is_nearly_endless_is_still_found() -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(400))
    y = (x > 0.5).astype(int)
    edge = int((x <= 0.5).sum())
    y[edge - 1], y[edge] = 1, 0  # one pair is out of order
    p = 0.5 + (x - 0.5) * 1e-3
    model = sm.Logit(y, sm.add_constant(1e3 * np.log(p / (1 - p))))
    fitted = quiet(model.fit, disp=0, maxiter=500, tol=1e-13)  # on a scale that it can climb
    assert assay.calibration_slope(y, p) == pytest.approx(1e3 * float(fitted.params[1]), rel=1e-5)


def test_probabilities_of_0_and_1_are_taken_a_little_off_and_said_to_be() -> None:
    y, p = [0, 0, 1, 1, 0, 1], [0.0, 0.3, 0.2, 1.0, 0.6, 0.9]
    eps = np.finfo(float).eps
    odds = np.log(np.clip(p, eps, 1 - eps) / (1 - np.clip(p, eps, 1 - eps)))
    fitted = sm.Logit(y, sm.add_constant(odds)).fit(disp=0, tol=1e-12, maxiter=200)
    found = assay.estimate("calibration_slope", Scored.from_scores(y, p))
    assert found.value == pytest.approx(float(fitted.params[1]), rel=1e-6)
    (note,) = found.notes
    assert note == "2 rows have a probability of 0 or 1, moved inward by 2.2e-16 so that the loss stays finite"


def test_calibrated_scores_have_slope_one_and_intercept_zero() -> None:
    rng = np.random.default_rng(1)
    p = 1 / (1 + np.exp(-1.5 * rng.normal(size=20_000)))
    tally = Scored.from_scores(rng.random(20_000) < p, p)
    for name, value in (("calibration_slope", 1.0), ("calibration_intercept", 0.0)):
        found = assay.estimate(name, tally)
        # 95% limits lie 1.96 errors off; the truth lies within 4 of them but for one time in 16,000.
        assert found.low is not None
        assert found.high is not None
        assert abs(float(found) - value) < 2.05 * (found.high - found.low) / 2


# ---------------------------------------------------------------------- bins
def in_bins(p: Any, bins: int, binning: str) -> list[list[int]]:
    """Which items lie in each bin, found item by item."""
    found: list[list[int]] = [[] for _ in range(bins)]
    for i, x in enumerate(p):
        below, same = sum(q < x for q in p), sum(q == x for q in p)
        into = min(math.floor(bins * (below + same / 2) / len(p)), bins - 1)
        if binning == "width":  # above the lower end, up to the upper one
            into = next(b for b in range(bins) if x <= (b + 1) / bins)
        found[into].append(i)
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("binning", ["mass", "width"])
@pytest.mark.parametrize("bins", [1, 4, 15, 200])
def test_the_calibration_error_is_that_of_a_loop_over_bins(seed: int, binning: Any, bins: int) -> None:
    y, p = probable(seed, 90, 1 + seed % 3)
    expected = sum(abs(sum(y[i] - p[i] for i in held)) for held in in_bins(p, bins, binning)) / len(y)
    assert assay.ece(y, p, bins=bins, binning=binning) == close(float(expected))


def test_bins_of_equal_mass_hold_the_same_number_of_items_where_none_are_tied() -> None:
    p = np.random.default_rng(3).random(150)
    assert {len(held) for held in in_bins(p, 15, "mass")} == {10}


@pytest.mark.parametrize("options", [{"bins": 0}, {"bins": 2.5}, {"bins": True}, {"binning": "depth"}])
def test_bins_that_are_none_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        assay.ece([0, 1], [0.2, 0.7], **options)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("bins", "binning"), [(15, "mass"), (7, "width"), (None, "mass")])
def test_the_parts_of_the_brier_score_add_up_and_are_those_of_a_loop(seed: int, bins: int | None, binning: str) -> None:
    y, p = probable(seed, 90, 1 + seed % 2)
    parts = brier_parts(Scored.from_scores(y, p), bins, binning)
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert total == pytest.approx(float(np.mean((p - y) ** 2)), abs=1e-12)
    held = [np.flatnonzero(p == x).tolist() for x in set(p)] if bins is None else in_bins(p, bins, binning)
    held = [rows for rows in held if rows]
    assert parts.reliability == close(sum(len(h) * (p[h].mean() - y[h].mean()) ** 2 for h in held) / len(y))
    assert parts.resolution == close(sum(len(h) * (y[h].mean() - y.mean()) ** 2 for h in held) / len(y))
    assert parts.uncertainty == close(y.mean() * (1 - y.mean()))
    if bins is None:
        assert parts.within == pytest.approx(0, abs=1e-12)


# ---------------------------------------------------------------------- the error if there were none
def test_the_error_of_calibrated_scores_is_that_of_labels_drawn_from_them() -> None:
    y, p = probable(1, 200, 3)
    tally = Scored.from_scores(y, p)
    rng = np.random.default_rng(9)
    drawn = [assay.ece((rng.random(200) < p).astype(int), p) for _ in range(600)]
    found = ece_if_calibrated(tally)
    # Two simulated means; their difference has the errors of both.
    error = float(np.std(drawn)) * math.sqrt(1 / 600 + 1 / found.draws)
    assert abs(found.expected - float(np.mean(drawn))) < 4 * error
    inside = np.mean([(found.low <= x <= found.high) for x in drawn])
    assert abs(inside - 0.95) < 4 * math.sqrt(0.95 * 0.05 * (1 / 600 + 1 / found.draws))
    assert found.value == pytest.approx(assay.ece(y, p))


def test_very_many_scores_are_drawn_bin_by_bin_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    y, p = probable(2, 3000, 3)
    tally = Scored.from_scores(y, p)
    exact = ece_if_calibrated(tally)
    monkeypatch.setattr("assay.measures.scores.calibration.AT_ONCE", 0)
    normal = ece_if_calibrated(tally)
    # 200 items in each bin are nearly normal; each mean of 999 draws has an error of 1/√999 of the spread.
    spread = (exact.high - exact.low) / 4
    assert abs(normal.expected - exact.expected) < 5 * spread * math.sqrt(2 / 999)


def test_equal_weights_leave_the_error_of_calibrated_scores_alone() -> None:
    y, p = probable(2, 1500, 3)
    plain = ece_if_calibrated(Scored.from_scores(y, p))
    heavy = ece_if_calibrated(Scored.from_scores(y, p, sample_weight=np.full(1500, 3.0)))
    assert heavy.value == pytest.approx(plain.value)
    assert heavy.expected == pytest.approx(plain.expected, rel=0.05)


@pytest.mark.parametrize("sharp", [1.0, 1.3, 2.0])
def test_the_corrected_error_lies_nearer_to_the_truth_than_the_error_itself(sharp: float) -> None:
    rng = np.random.default_rng(11)

    def drawn(n: int) -> tuple[Any, Any, Any]:
        odds = 1.5 * rng.normal(size=n)
        return 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(-sharp * odds)), rng.random(n)

    chance, p, _ = drawn(150_000)
    order = np.argsort(p)
    truth = float(np.abs((chance - p)[order].reshape(15, -1).sum(1)).sum()) / 150_000
    raw, corrected = [], []
    for _ in range(60):
        chance, p, luck = drawn(300)
        found = ece_if_calibrated(Scored.from_scores(luck < chance, p), draws=99)
        raw.append(found.value)
        corrected.append(found.corrected)
    assert abs(np.mean(corrected) - truth) < abs(np.mean(raw) - truth)


def test_the_calibration_error_has_no_interval_and_says_what_luck_alone_would_show() -> None:
    y, p = probable(1, 200, 3)
    tally = Scored.from_scores(y, p)
    found = assay.estimate("ece", tally)
    assert found.interval is None
    assert "chance gaps inflate it" in str(found.reason)
    (note,) = found.notes
    assert f"would show about {ece_if_calibrated(tally).expected:.2g}," in note
    compared = assay.compare(y, p, p**2, measure="ece", n_resamples=199)
    assert compared.interval is None
    assert compared.p_value is not None


def test_calibration_is_shown_as_a_table_or_not_at_all() -> None:
    y, p = probable(1, 200, 3)
    shown = calibration_section(Scored.from_scores(y, p))
    assert shown is not None
    values = {name.strip(): cells[0].value for name, cells in shown.rows}
    assert values["Brier score"] == pytest.approx(assay.brier(y, p))
    assert values["calibration error"] == pytest.approx(assay.ece(y, p))
    assert calibration_section(Scored.from_scores(y, 2 * p)) is None
    with pytest.raises(DataError, match="not probabilities"):
        brier_parts(Scored.from_scores(y, 2 * p))
    with pytest.raises(DataError, match="not probabilities"):
        ece_if_calibrated(Scored.from_scores(y, 2 * p))


def test_no_more_bins_are_told_of_than_hold_items() -> None:
    tied = calibration_section(Scored.from_scores([1, 1, 0, 0, 1, 0], [0.9, 0.9, 0.9, 0.2, 0.2, 0.2]))
    apart = calibration_section(Scored.from_scores([0, 1] * 15, np.arange(30) / 30))
    assert tied is not None
    assert apart is not None
    assert tied.note == "over the 2 of 15 bins that hold items"
    assert dict(tied.rows)["calibration error"][0].note == "2 bins"
    assert apart.note == "over 15 bins with about as many items each"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bins", [5, 10])
def test_the_maximum_calibration_error_is_the_largest_gap_of_bins_gathered_one_by_one(seed: int, bins: int) -> None:
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(120), 2)
    y = rng.random(120) < p**1.5
    gaps = []
    for b in range(bins):
        here = (p > b / bins) & (p <= (b + 1) / bins) | ((b == 0) & (p == 0))
        if here.any():
            gaps.append(abs(y[here].mean() - p[here].mean()))
    assert assay.mce(y, p, bins=bins, binning="width") == pytest.approx(max(gaps), abs=1e-12)
    assert assay.mce(y, p) >= assay.ece(y, p)


def test_the_largest_gap_of_several_classes_is_that_of_the_highest_score() -> None:
    rng = np.random.default_rng(8)
    scores = rng.dirichlet(np.ones(4), 150)
    gold = rng.integers(0, 4, 150)
    right, sure = scores.argmax(axis=1) == gold, scores.max(axis=1)
    bins = [np.ceil(sure * 5) == b + 1 for b in range(5)]
    gaps = [abs(right[here].mean() - sure[here].mean()) for here in bins if here.any()]
    assert assay.mce(gold, scores, bins=5, binning="width") == pytest.approx(max(gaps), abs=1e-12)


def test_what_luck_alone_makes_of_the_largest_gap_is_in_the_note() -> None:
    rng = np.random.default_rng(9)
    p = rng.random(300)
    y = rng.random(300) < p
    (note,) = assay.estimate("mce", Scored.from_scores(y, p)).notes
    drawn = [assay.mce(rng.random(300) < p, p) for _ in range(400)]
    assert float(note.split()[6].rstrip(",")) == pytest.approx(np.mean(drawn), abs=0.02)
