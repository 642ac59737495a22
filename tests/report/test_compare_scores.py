"""Systems whose scores are of different sorts are compared by what all of them have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import DataError


def rows() -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Probabilities, and the log-odds of others; enough rows for a sentence about a thousand of them."""
    rng = np.random.default_rng(5)
    gold = (rng.random(80) < 0.4).astype(float)
    return {"gold": gold, "p": rng.beta(2 + 2 * gold, 3), "odds": rng.normal(2 * gold - 1, 1.5)}


@pytest.mark.parametrize("systems", [["p", "odds"], ["odds", "p"]])
def test_probabilities_and_log_odds_are_compared_by_their_order_alone(systems: list[str]) -> None:
    report = assay.compare_systems(rows(), gold="gold", positive=1, scores=systems)
    assert [row.measure for row in report.rows if row.quantity == "difference"] == ["roc_auc", "average_precision"]


def test_a_threshold_lets_log_odds_be_compared_by_labels_too() -> None:
    report = assay.compare_systems(rows(), gold="gold", positive=1, scores=["p", "odds"], threshold={"odds": 0})
    shown = [row.measure for row in report.rows if row.quantity == "difference"]
    assert {"f1", "roc_auc"} <= set(shown)
    assert "brier" not in shown


def test_a_named_measure_of_probabilities_and_log_odds_is_compared() -> None:
    report = assay.compare_systems(rows(), gold="gold", positive=1, scores=["p", "odds"], measures=["roc_auc"])
    assert report.rows[-1].p is not None


def test_log_odds_without_a_threshold_are_said_to_have_no_labels() -> None:
    with pytest.raises(DataError, match=r"'odds' has no labels: its scores lie outside .* positive with --threshold"):
        assay.compare_systems(rows(), gold="gold", positive=1, scores=["p", "odds"], measures=["f1"])


def test_labels_and_scores_are_compared_by_labels() -> None:
    data = rows()
    hard = {**data, "hard": (data["p"] >= 0.4).astype(float)}
    report = assay.compare_systems(hard, gold="gold", positive=1, pred={"hard": "hard"}, scores={"soft": "p"})
    shown = [row.measure for row in report.rows if row.quantity == "difference"]
    assert "f1" in shown
    assert "roc_auc" not in shown


def test_leaving_out_each_of_many_items_adds_up_their_losses_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.tally.contract.sampling import Floats
    from assay.tally.losses import SquaredLosses

    calls: list[int] = []

    def squared(score: Floats) -> tuple[Floats, Floats]:
        calls.append(len(score))
        return (1 - score) ** 2, score**2

    monkeypatch.setattr(SquaredLosses, "by_score", staticmethod(squared))
    rng = np.random.default_rng(3)
    truth = rng.random(20_000) < 0.3
    data = {"gold": truth.astype(int), "a": rng.random(20_000), "b": rng.random(20_000)}
    assay.compare_systems(data, scores=["a", "b"], positive=1, measures="brier", test="none")
    assert len(calls) < 60  # and not one for every few items


def test_draws_of_labels_and_scores_do_not_depend_on_the_order_of_the_rows() -> None:
    rng = np.random.default_rng(11)
    truth = rng.random(300) < 0.4
    a, b = (np.round(np.clip(0.3 * truth + rng.random(300), 0, 1), 2) for _ in range(2))
    data = {"gold": truth.astype(int), "a": (a > 0.6).astype(int), "b": (b > 0.5).astype(int), "pa": a, "pb": b}
    drawn = []
    for order in (np.arange(300), rng.permutation(300), np.arange(300)[::-1]):
        shuffled = {name: values[order] for name, values in data.items()}
        made = assay.compare_systems(
            shuffled, pred=["a", "b"], scores={"a": "pa", "b": "pb"}, positive=1, measures=["f1", "brier"]
        )
        found = made.comparisons[0].replicates
        assert found is not None
        drawn.append([*found("null difference"), *(row.low for row in made.rows if row.quantity == "difference")])
    assert drawn[0] == drawn[1] == drawn[2]


def test_a_method_for_the_tested_measure_gives_way_where_others_are_shown() -> None:
    data = rows()
    data["odds"] = 1 / (1 + np.exp(-data["odds"]))
    asked: dict[str, Any] = {"gold": "gold", "scores": ["p", "odds"], "positive": 1, "primary": "roc_auc"}
    report = assay.compare_systems(data, method="delong", **asked)
    first, *others = report.comparisons
    assert (first.a.measure, first.method, first.test) == ("roc_auc", "delong", "delong")
    assert {c.method for c in others if c.low is not None}.isdisjoint({"delong"})
    told = [note for note in report.notes if note.startswith("delong does not apply to ")]
    assert len(told) == 1
    assert told[0].endswith("the default methods were used there")
    with pytest.raises(assay.OptionError, match="whole area"):
        assay.compare_systems(data, method="delong", measures=["roc_auc", "average_precision"], **asked)
