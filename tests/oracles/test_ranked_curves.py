"""Curves of ranked lists: precision by recall as scikit-learn has it, and results without judgments counted singly."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve

from assay.measures.ranked_curves import interpolated, results, unjudged, unjudged_by_rank
from assay.tally.rankings import Ranked
from assay.uncertainty.one.bounded import limits_of_mean

RNG = np.random.default_rng(2)


def test_interpolated_precision_counted_by_hand() -> None:
    # Relevant at ranks 1, 3 and 6 of four: precision 1, 2/3 and 1/2 at recall 0.25, 0.5 and 0.75.
    qrels = {"q": {"a": 1, "c": 2, "f": 1, "z": 1, "b": 0}}
    run = {"q": {name: -float(i) for i, name in enumerate("abcdef")}}
    (found,) = Ranked.from_rankings(qrels, run).each(interpolated)
    assert found.tolist() == pytest.approx([1, 1, 1, 2 / 3, 2 / 3, 2 / 3, 1 / 2, 1 / 2, 0, 0, 0])


@pytest.mark.parametrize("seed", range(20))
def test_interpolated_precision_is_the_highest_of_scikit_learns_curve_from_there_on(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    relevant, score = rng.integers(0, 2, n), rng.permutation(n).astype(float)
    relevant[0] = 1
    qrels = {"q": {f"d{i}": int(x) for i, x in enumerate(relevant)}}
    tally = Ranked.from_rankings(qrels, {"q": {f"d{i}": float(s) for i, s in enumerate(score)}})
    precision, recall, _ = precision_recall_curve(relevant, score)
    precision, recall = precision[:-1], recall[:-1]  # without the point at recall 0 that the curve adds
    wanted = [precision[recall >= level / 10 - 1e-12].max() for level in range(11)]
    assert tally.each(interpolated)[0].tolist() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_unjudged_results_are_those_that_a_loop_over_the_run_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {d: int(rng.integers(-1, 3)) for d in rng.permutation(names)[:7]} for i in range(8)}
    run = {q: {d: float(rng.random()) for d in rng.permutation(names)[: rng.integers(1, 9)]} for q in qrels}
    tally = Ranked.from_rankings(qrels, run, no_relevant="zero")
    order = {q: sorted(docs, key=lambda d: -docs[d]) for q, docs in run.items()}
    queries = [tally.queries[i] for i in tally.keys["query"]]
    lost = [sum(qrels[q].get(d, -1) < 0 for d in order[q][:3]) for q in queries]
    assert tally.each(unjudged, k=3).tolist() == lost
    assert tally.each(results, k=3).tolist() == [min(len(order[q]), 3) for q in queries]
    weight = np.asarray(np.bincount(tally.keys["list"], tally.mass, minlength=len(tally.lists)), np.float64)
    for rank, share in enumerate(unjudged_by_rank(tally.lists, weight, 6).tolist()):
        held = [qrels[q].get(order[q][rank], -1) < 0 for q in queries if len(order[q]) > rank]
        assert share == pytest.approx(np.mean(held) if held else np.nan, nan_ok=True)


def test_limits_of_a_mean_do_not_depend_on_the_scale_of_its_values() -> None:
    tally = Ranked.from_rankings({f"q{i}": [1] for i in range(40)})
    values = RNG.random(40)
    one, other = limits_of_mean(values, tally, 0.95, (0, 1)), limits_of_mean(4 * values - 1, tally, 0.95, (-1, 3))
    assert one.low is not None
    assert one.high is not None
    assert (other.low, other.high) == pytest.approx((4 * one.low - 1, 4 * one.high - 1), rel=1e-12)


def test_limits_of_a_mean_of_zeros_and_ones_are_those_of_a_share() -> None:
    from assay.uncertainty.one.shares import mid_p

    tally = Ranked.from_rankings({f"q{i}": [1] for i in range(20)})
    found = limits_of_mean((np.arange(20) < 7).astype(np.float64), tally, 0.9, (0, 1))
    assert (found.low, found.high) == pytest.approx(mid_p(7, 20, 0.9), rel=1e-12)
