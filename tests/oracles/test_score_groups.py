"""Groups of scored rows against labels shuffled row by row, and what two systems are said to differ on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import assay
from assay import Scored
from assay.measures.declare.catalogue import find
from assay.uncertainty.many import groups as gaps

DRAWS = 400


@cache
def shuffled(seed: int) -> tuple[Any, Any, Any, float, float]:
    """Classes, groups and scores; the share of shuffles with as large a gap of scikit-learn's areas; that gap."""
    rng = np.random.default_rng(seed)
    y = np.arange(400) < 160
    group = np.arange(400) % 2
    score = rng.normal(size=400) + y * np.where(group == 0, 1.0, 1.0 + 0.3 * seed)

    def gap(labels: Any) -> float:
        areas = [float(roc_auc_score(y[labels == g], score[labels == g])) for g in (0, 1)]
        return abs(areas[0] - areas[1])

    seen = gap(group)
    drawn = [np.concatenate([rng.permutation(group[y]), rng.permutation(group[~y])]) for _ in range(DRAWS)]
    return y, group, score, sum(gap(labels) >= seen for labels in drawn) / DRAWS, seen


@pytest.mark.parametrize(("seed", "normal"), [(0, True), (1, True), (2, True), (0, False), (1, False)])
def test_gaps_of_areas_are_as_rare_as_in_groups_shuffled_row_by_row(
    seed: int, normal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups are shuffled within classes; two groups of one size, so that the farthest is the wider half of one gap."""
    y, group, score, p, seen = shuffled(seed)
    # With a budget of nothing the normal distribution stands in; with this one there are 450 shuffles.
    monkeypatch.setattr(gaps, "BUDGET", 1 if normal else 450 * 800)
    tallies = [Scored.from_scores(y[group == g], score[group == g]) for g in (0, 1)]
    found = gaps.max_gap(find("roc_auc").bind(tallies[0]), tallies, 1999, 0)
    assert (found.by == "normal") == normal
    assert found.p is not None
    # Both shares have a standard error; four of them together, and a little for the normal distribution.
    assert found.p == pytest.approx(p, abs=4 * np.sqrt(2 * 0.25 / DRAWS) * 0.75 + 0.01)
    assert found.spread == pytest.approx(seen)


def test_systems_differ_by_probabilities_where_these_differ_and_by_areas_where_ranks_do() -> None:
    y = [0, 1, 0, 1, 1, 0]
    a = [0.1, 0.6, 0.3, 0.7, 0.9, 0.2]
    b = [0.1, 0.5, 0.3, 0.7, 0.8, 0.2]  # the same order
    assert assay.compare(y, a, b, measure="brier").disagreements == 2
    assert assay.compare(y, a, b, measure="log_loss").disagreements == 2
    assert assay.compare(y, a, b, measure="roc_auc").disagreements == 0
