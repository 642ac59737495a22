"""Sentences that say once, and in plain words, what was found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code

RNG = np.random.default_rng(4)
N = 200
GOLD = RNG.integers(0, 2, N)
A, B = (np.where(RNG.random(N) < right, GOLD, 1 - GOLD) for right in (0.8, 0.78))
SCORE_A, SCORE_B = (GOLD * gap + RNG.normal(size=N) for gap in (1.0, 0.9))


def test_a_gate_on_a_difference_calls_it_a_difference(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "preds.csv"
    path.write_text("gold,a,b\n" + "".join(f"{g},{g},{b}\n" for g, b in zip(GOLD, B, strict=True)))
    words = ["compare", str(path), "--pred", "a", "--pred", "b", "--positive", "1", "--no-worse-than", "b:0.01"]
    assert exit_code(words) == 0
    said = capsys.readouterr().err
    assert "no worse than b by more than 0.01; the difference is +" in said
    assert "it is" not in said


def test_more_rows_are_suggested_for_a_difference_that_is_explained() -> None:
    text = str(assay.compare(GOLD, A, B, measure="accuracy"))
    assert "a round size below what these rows can detect." in text
    text = str(assay.compare(GOLD, A, B, measure="accuracy", margin=0.01))
    assert "a difference of 0.01, the margin." in text or "more labeled rows" not in text


def test_on_how_many_items_scores_differ_is_not_told() -> None:
    assert "they differ on" not in str(assay.compare(GOLD, SCORE_A, SCORE_B, measure="roc_auc", n_resamples=199))
    assert "they differ on" in str(assay.compare(GOLD, A, B, measure="accuracy"))


def test_a_plan_names_the_level_of_its_test_and_how_it_was_simulated() -> None:
    assert "at the 5% level" in assay.plan(difference=0.05, disagreement=0.2).to_text()
    pilot = {"gold": GOLD, "A": A, "B": B}
    made = assay.plan(pilot=pilot, difference=0.1, measure="f1", positive=1, pred=["A", "B"], n_resamples=199)
    text = " ".join(made.to_text().split())
    assert "first-order form" not in text
    assert "a linear approximation" in text


def test_a_single_label_is_not_counted_in_the_plural() -> None:
    with pytest.raises(assay.OptionError, match="'a' is the only label, so f1 needs to know the positive class"):
        assay.f1(["a"], ["a"])


def test_measures_in_notes_are_called_by_their_titles() -> None:
    scores = np.clip(0.9 - 0.8 * GOLD + RNG.normal(0, 0.05, N), 0.01, 0.99)
    report = assay.evaluate({"gold": GOLD, "p": scores}, gold="gold", scores="p", positive=1)
    text = " ".join(report.to_text(notes="all").split())
    assert "Log loss" in text
    assert "log_loss (" not in text


@pytest.mark.parametrize("value", [0.5, 1])
def test_what_zero_division_may_be_is_said_for_one_class_and_for_averages(value: float) -> None:
    with pytest.raises(
        assay.OptionError, match=rf"zero_division is {value}; it is 0 or nan\. .*the value of one class"
    ):
        assay.f1([1, 1], [0, 1], zero_division=value)


def test_python_is_told_the_option_of_python() -> None:
    found = assay.tune({"gold": GOLD, "p": SCORE_A}, gold="gold", score="p", positive=1, youden=True, n_resamples=199)
    assert "Judge it on other rows (check=)." in " ".join(found.to_text().split())
