"""Numbers that could be taken for others say what they are: draws, standard errors, ranks, plans and rows counted."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import assay
from assay.options.option import options_of
from assay.options.thresholds import Steadied
from assay.report.words.comparisons import settles
from assay.uncertainty.one.influence import influences
from scripts.reference.schemas.comparing import COMPARISON

rng = np.random.default_rng(4)
GOLD = rng.random(400) < 0.4
A, B = (np.where(rng.random(400) < skill, GOLD, ~GOLD) for skill in (0.93, 0.86))
S, T = (GOLD + rng.normal(0, spread, 400) for spread in (0.8, 1.0))


# ---------------------------------------------------------------------- how many resamples
def test_the_help_of_tune_says_how_many_resamples_the_stability_has_at_most() -> None:
    assert "at most 1,999" in options_of(Steadied)["n_resamples"].help


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (5000, "1,999 resamples of the rows of dev (no more are drawn for this)"),
        (199, "199 resamples of the rows of dev,"),
    ],
)
def test_fewer_resamples_than_were_asked_for_are_explained(asked: int, told: str) -> None:
    data = pl.DataFrame({"gold": GOLD[:60].astype(int), "s": S[:60].round(1)})
    found = assay.tune(data, score="s", youden=True, positive=1, n_resamples=asked)
    assert told in " ".join(found.to_text(explain=True).split())


# ---------------------------------------------------------------------- what a statistic divides by
def test_a_studentized_statistic_divides_by_the_error_without_smoothing_and_the_help_says_so() -> None:
    found = assay.compare(GOLD, A, B, measure="f1", pos_label=True)
    joint = assay.Confusion.joint(GOLD, A, B)
    bound = assay.f1.bind(joint.a, pos_label="true")
    slopes = influences(bound, joint.a, joint.mass) - influences(bound, joint.b, joint.mass)
    plain = math.sqrt(float((joint.mass * slopes**2).sum()))
    assert found.statistic is not None
    assert found.difference is not None
    assert found.standard_error is not None
    assert found.method == "smoothed_delta"
    assert math.isclose(found.statistic.value, found.difference / plain, rel_tol=1e-9)
    assert not math.isclose(found.standard_error, plain, rel_tol=1e-6)
    assert "without smoothing" in COMPARISON["properties"]["standard_error"]["description"]


# ---------------------------------------------------------------------- what is swapped
def test_a_randomization_test_of_the_order_of_scores_says_that_ranks_are_swapped() -> None:
    found = assay.compare(GOLD, S, T, measure="roc_auc")
    assert found.test == "randomization"
    assert "each system's scores replaced by their ranks" in found.h0
    assert "swapping their ranks would make no difference" in found.h0
    assert "the ranks of the scores of the same rows" in found.why
    assert "swapping their answers" not in found.h0


def test_labels_and_probabilities_are_swapped_as_they_are() -> None:
    p, q = (1 / (1 + np.exp(-x)) for x in (S, T))
    for found in (assay.compare(GOLD, A, B, measure="f1", pos_label=True), assay.compare(GOLD, p, q, measure="brier")):
        assert found.test == "randomization"
        assert "swapping their answers would make no difference" in found.h0


# ---------------------------------------------------------------------- how many more rows
def test_the_rows_that_a_comparison_asks_for_are_those_of_a_plan() -> None:
    gold = np.arange(1797) % 2
    one, other = gold.copy(), gold.copy()
    one[:60], other[60:126] = 1 - one[:60], 1 - other[60:126]
    found = assay.compare(gold, one, other, measure="accuracy", names=("old", "new"))
    assert found.mde is not None
    assert found.finer == 0.01 < found.mde
    planned = assay.plan(difference=0.01, disagreement=126 / 1797).items
    assert found.more_items is not None
    assert found.n + found.more_items == planned
    more, whole = -(-found.more_items // 10) * 10, -(-planned // 10) * 10
    assert f"About {more:,} more labeled rows ({whole:,} in all) would give 80% power" in settles(found)
