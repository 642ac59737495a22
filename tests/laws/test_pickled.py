"""Every result survives pickling, so that work can be spread over processes and kept."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assay
from assay.result import Result

RNG = np.random.default_rng(0)
N = 120
GOLD = RNG.integers(0, 2, N)
A, B = (np.where(RNG.random(N) < right, GOLD, 1 - GOLD) for right in (0.8, 0.7))
P, Q = (GOLD * better + RNG.random(N) * (1 - better) for better in (0.4, 0.3))
TABLE = {"gold": GOLD, "A": A, "B": B, "p": P, "q": Q, "group": [f"g{i % 3}" for i in range(N)], "id": range(N)}
VALUES = {"a": P[:9], "b": Q[:9], "c": P[20:29]}
FILES: dict[str, Any] = {"positive": "1", "gold": "gold"}

MADE: dict[str, Callable[[], Any]] = {
    "estimate": lambda: assay.estimate("f1", GOLD, A),
    "estimate of scores": lambda: assay.estimate("roc_auc", GOLD, P),
    "compare": lambda: assay.compare(GOLD, A, B, measure="f1", pos_label=1, n_resamples=199),
    "compare scores": lambda: assay.compare(GOLD, P, Q, measure="roc_auc", n_resamples=199),
    "compare values": lambda: assay.compare_values(P, Q, n_resamples=199),
    "evaluate": lambda: assay.evaluate(TABLE, pred="A", slices=["group"], n_resamples=199, **FILES),
    "compare systems": lambda: assay.compare_systems(TABLE, pred=["A", "B"], n_resamples=199, **FILES),
    "compare data sets": lambda: assay.compare_repeated({**VALUES, "d": range(9)}, values=[*VALUES], datasets="d"),
    "compare folds": lambda: assay.compare_repeated({**VALUES, "d": range(9)}, values=["a", "b"], folds="d"),
    "tune": lambda: assay.tune(TABLE, score="p", maximize="f1", check={**TABLE, "p": Q}, n_resamples=199, **FILES),
    "curves": lambda: assay.curves(TABLE, scores="p", **FILES),
    "plan a width": lambda: assay.plan(half_width=0.05),
    "plan a difference": lambda: assay.plan(difference=0.05, disagreement=0.2),
    "plan for items": lambda: assay.plan(items=500, disagreement=0.2),
    "advise": lambda: assay.advise({"gold": GOLD, "pred": A}),
    "report": lambda: assay.classification_report(GOLD, A),
    "disagreements": lambda: assay.disagreements(TABLE, pred=["A", "B"], id="id", gold="gold"),
    "friedman": lambda: assay.friedman(VALUES),
    "post hoc": lambda: assay.post_hoc(assay.friedman(VALUES)),
    "critical difference": lambda: assay.critical_difference(assay.friedman(VALUES)),
    "rank": lambda: assay.rank(
        {f"q{i}": {"d1": 1, "d2": 0} for i in range(12)},
        {name: {f"q{i}": {"d1": i % k, "d2": 1} for i in range(12)} for name, k in (("a", 3), ("b", 4))},
    ),
    "prefer": lambda: assay.prefer(
        {"item": range(30), "a": ["x"] * 30, "b": ["y"] * 30, "winner": ["a", "b", "b"] * 10}
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_a_result_that_was_pickled_says_the_same(name: str) -> None:
    made = MADE[name]()
    again = pickle.loads(pickle.dumps(made))
    assert isinstance(made, Result)
    assert type(again) is type(made)
    assert again.to_text() == made.to_text()
    assert again.to_json() == made.to_json()


def test_a_pickled_estimate_has_other_levels_and_a_pickled_comparison_its_draws() -> None:
    estimate, comparison = (pickle.loads(pickle.dumps(MADE[name]())) for name in ("estimate", "compare"))
    assert estimate.at_level(0.8).limits == assay.estimate("f1", GOLD, A, level=0.8).limits
    assert len(comparison.replicates("difference")) == 199
    assert MADE["compare values"]().a.at_level(0.8).level == 0.8
