"""What one item does to score measures, against scikit-learn 1.9 with that item left out or its weight nudged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Scored
from assay.measures.declare.catalogue import parse
from assay.uncertainty.one.influence import influences
from assay.uncertainty.one.resample import TOO_MANY, jackknife_values

Peer = Callable[..., Any]


def trapezoids(y: Any, score: Any, sample_weight: Any = None) -> float:
    precision, recall, _ = sk.precision_recall_curve(y, score, sample_weight=sample_weight)
    return float(sk.auc(recall, precision))


def partial(y: Any, score: Any, sample_weight: Any = None) -> float:
    return float(sk.roc_auc_score(y, score, max_fpr=0.37, sample_weight=sample_weight))


PEERS: dict[str, Peer] = {
    "roc_auc": sk.roc_auc_score,
    "roc_auc(max_fpr=0.37)": partial,
    "average_precision": sk.average_precision_score,
    "pr_auc_trapezoid": trapezoids,
    "brier": sk.brier_score_loss,
    "log_loss": sk.log_loss,
}
every_peer = pytest.mark.parametrize("spelling", PEERS)


def tied(seed: int, n: int = 36) -> tuple[Any, Any]:
    """Labels, and probabilities of which most are shared by several items of both classes."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < (0.5, 0.2, 0.1)[seed % 3]).astype(int)
    y[:2], y[2:4] = 1, 0
    return y, np.clip(np.round(rng.normal(0.35 + 0.3 * y, 0.2), 1 + seed % 2), 0.05, 0.95)


@every_peer
@pytest.mark.parametrize("seed", range(4))
def test_leaving_out_an_item_is_counting_the_others(spelling: str, seed: int) -> None:
    y, score = tied(seed)
    expected = [float(PEERS[spelling](np.delete(y, i), np.delete(score, i))) for i in range(len(y))]
    tally = Scored.from_scores(y, score)
    assert len(tally.counts) < len(y)  # there are ties
    measure, options = parse(spelling)
    values, times = jackknife_values(measure.bind(tally, **options), tally)
    assert np.sort(np.repeat(values, times.astype(int))).tolist() == pytest.approx(sorted(expected), abs=1e-12)


@every_peer
@pytest.mark.parametrize(("seed", "weighted"), [(0, False), (1, True)])
def test_slopes_are_what_nudging_a_weight_does(spelling: str, seed: int, weighted: bool) -> None:
    y, score = tied(seed)
    w = np.random.default_rng(seed).choice([0.3, 1.0, 5.0], len(y)) if weighted else None
    tally = Scored.from_scores(y, score, sample_weight=w)
    measure, options = parse(spelling)
    found = influences(measure.bind(tally, **options), tally, tally.mass)
    truth, at = tally.keys["positive"].astype(int), tally.keys["score"]
    step = 1e-4
    for i in range(len(found)):
        ends = []
        for way in (step, -step):
            moved = tally.mass.copy()
            moved[i] += way
            ends.append(float(PEERS[spelling](truth, at, sample_weight=moved)))
        # A central difference errs by the square of the step.
        assert found[i] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7), i


@pytest.mark.parametrize("name", ["interpolated_pr_11", "calibration_slope", "calibration_intercept"])
def test_slopes_that_no_peer_has_are_differences_of_the_value(name: str) -> None:
    y, score = tied(3, 200)
    tally = Scored.from_scores(y, score)
    bound = parse(name)[0].bind(tally)
    found = influences(bound, tally, tally.mass)
    moves = 1e-4 * np.eye(len(found))
    # The eleven recalls do not jump for so small a step, because none lies at an edge here.
    expected = (bound.at(tally, tally.mass + moves) - bound.at(tally, tally.mass - moves)) / 2e-4
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-6)


def test_the_slopes_of_stacked_tables_are_those_of_each() -> None:
    y, score = tied(1)
    tally = Scored.from_scores(y, score)
    stack = np.stack([tally.mass, tally.mass + 1, 2 * tally.mass])
    for spelling in ("roc_auc", "roc_auc(max_fpr=0.37)", "average_precision", "pr_auc_trapezoid", "interpolated_pr_11"):
        measure, options = parse(spelling)
        bound = measure.bind(tally, **options)
        for found, w in zip(influences(bound, tally, stack), stack, strict=True):
            assert found.tolist() == pytest.approx(influences(bound, tally, w).tolist(), abs=1e-12)


def test_per_item_losses_have_the_loss_as_their_mean() -> None:
    y, score = tied(2)
    tally = Scored.from_scores(y, score)
    for name in ("brier", "log_loss"):
        losses = parse(name)[0].paired.each
        assert losses is not None
        assert float((tally.counts * losses(tally)).sum()) / tally.n == pytest.approx(PEERS[name](y, score))


def test_very_many_clusters_are_left_out_by_sums_of_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    y, cluster = rng.random(900) < 0.4, np.repeat(np.arange(300), 3)
    tally = Scored.from_scores(y, rng.normal(size=900) + y, cluster=cluster)
    assert len(tally.counts) * 300 < TOO_MANY
    exact = assay.estimate("average_precision", tally)
    monkeypatch.setattr("assay.uncertainty.one.resample.TOO_MANY", 1000)
    summed = assay.estimate("average_precision", tally)
    assert exact.method == summed.method == "cluster_jackknife"
    assert not any("sum of the effects" in note for note in exact.notes)
    assert any("the sum of the effects of its rows" in note for note in summed.notes)
    # Three rows of 900 hardly bend the value, so both are alike.
    assert (summed.low, summed.high) == pytest.approx((exact.low, exact.high), abs=0.002)
