"""Sentences, names and rows that were wrong, cut or missing: labels that look missing, costs, plans, gates, systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import a_type
from assay.report.text.lines import cut_measure
from assay.uncertainty.two.equivalence import margin_test

door: Any = assay  # through which anything may come
rng = np.random.default_rng(8)
G = (rng.random(200) < 0.5).astype(int)
L, A = (np.where(rng.random(200) < skill, G, 1 - G) for skill in (0.9, 0.8))
S = np.clip(0.5 + (G - 0.5) * 0.4 + rng.normal(0, 0.2, 200), 0.01, 0.99)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    exit_code(arguments)
    printed = capsys.readouterr()
    return " ".join((printed.out + printed.err).split())


def refusal(ask: Any) -> str:
    with pytest.raises(assay.AssayError) as error:
        ask()
    return str(error.value)


# ---------------------------------------------------------------------- labels that look missing
GAPS = "gold,pred\nNaN,a\na,a\nb,b\nNA,b\nnull,a\nNone,a\n,b\n"


def test_labels_that_look_like_missing_values_are_pointed_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "rows.csv").write_text(GAPS, encoding="utf-8")
    checked = told(["check", "rows.csv"], capsys)
    assert "“NA” (1 row), “NaN” (1 row), “None” (1 row), “null” (1 row) in 'gold' look like missing values" in checked
    evaluated = told(["evaluate", "rows.csv", "--missing", "skip", "--notes", "all"], capsys)
    assert "'NA', 'NaN', 'None', 'null' count as classes: if they stand for missing values, leave" in evaluated


def test_one_label_that_looks_missing_is_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "rows.csv").write_text("gold,pred\na,a\nb,none\nb,b\n", encoding="utf-8")
    checked = told(["check", "rows.csv"], capsys)
    assert "“none” (1 row) in 'pred' looks like a missing value, but counts as a class: to make it" in checked


def test_ordinary_labels_are_not_called_missing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "rows.csv").write_text("gold,pred\nnanna,nanna\nb,nullable\nb,b\n", encoding="utf-8")
    assert "missing value" not in told(["check", "rows.csv"], capsys)


def test_a_file_of_judgments_is_passed_on_to_prefer(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "arena.csv").write_text("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n", encoding="utf-8")
    assert "next: assay prefer arena.csv, if each row says which of two systems" in told(["check", "arena.csv"], capsys)


# ---------------------------------------------------------------------- counts in words
def test_the_values_of_classes_are_counted_apart_from_their_measures() -> None:
    gold = rng.choice(["a", "b", "c"], 200)
    one, other = (np.where(rng.random(200) < skill, gold, "a") for skill in (0.9, 0.7))
    report = assay.compare_systems(gold, {"l": one, "a": other}, primary="accuracy", measures=["accuracy", "f1"])
    rows = [row for row in report.rows if row.quantity == "difference" and row.slice is None]
    assert len(rows) == 4
    assert any("4 values of 2 measures shown, 1 tested" in note for note in report.notes)
    plain = assay.compare_systems(gold, {"l": one, "a": other}, primary="accuracy", measures=["accuracy", "mcc"])
    assert any("2 measures shown, 1 tested" in note for note in plain.notes)


def test_one_of_several_classes_has_a_plural() -> None:
    found = assay.estimate("precision", ["a", "b", "c", "a", "b"], ["a", "b", "a", "a", "b"], average="macro")
    assert any(note.startswith("1 of 3 classes has no value") for note in found.notes)


def test_pairs_of_labels_are_counted() -> None:
    gold, pred = ["1", "2", "3"], ["1.0", "2.0", "3"]
    assert "(and 1 more such pair)" in refusal(lambda: assay.evaluate(gold, pred))
    assert "They differ only in blanks before or after them." in refusal(
        lambda: assay.evaluate({"gold": ["a", "b"], "pred": ["a ", "b"]})
    )


@pytest.mark.parametrize(
    ("value", "words"), [(5, "an int"), (None, "None"), (np.zeros(1), "an ndarray"), ([], "a list"), (0.5, "a float")]
)
def test_types_have_their_article(value: object, words: str) -> None:
    assert a_type(value) == words


def test_a_number_for_an_array_is_called_by_its_article() -> None:
    assert "is an int;" in refusal(lambda: door.accuracy(5, [1, 0]))
    assert "is None;" in refusal(lambda: door.holm(None))


def test_an_undecided_gate_says_what_lies_on_both_sides(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{g},{p}" for g, p in zip(G.tolist(), A.tolist(), strict=True))
    (here / "rows.csv").write_text(f"gold,pred\n{rows}\n", encoding="utf-8")
    floor = round(assay.accuracy(G, A), 2)
    shown = told(["evaluate", "rows.csv", "--fail-under", f"accuracy={floor}"], capsys)
    assert "the interval lies on both sides of that: the estimate is 0." in shown
    asked = told(["evaluate", "rows.csv", "--fail-under", "error_rate=0.05"], capsys)
    assert "Show it too, with --measure error_rate." in asked


# ---------------------------------------------------------------------- costs
def test_a_cost_below_zero_is_refused_where_a_benefit_has_another_place() -> None:
    asked = refusal(lambda: assay.expected_cost(G, A, fp=1, fn=-2))
    assert asked == "fn is -2; it is a number of at least 0 (matrix= takes benefits): what a miss costs."
    assert assay.expected_cost(G, A, matrix=[[0, 1], [1, -1]]) < 0
    assert "a benefit is below 0, and then so may the value be" in " ".join((assay.expected_cost.__doc__ or "").split())


# ---------------------------------------------------------------------- probabilities
@pytest.mark.parametrize("name", ["log_loss", "brier", "ece"])
def test_scores_that_are_no_probabilities_are_refused_where_they_are_needed(name: str) -> None:
    asked = refusal(lambda: getattr(assay, name)(G, S * 2))
    assert asked.startswith(f"{name} needs probabilities, but scores lie outside [0, 1]")
    assert "roc_auc" in asked
    assert assay.roc_auc(G, S * 2) == assay.roc_auc(G, S)


# ---------------------------------------------------------------------- rows of results
def test_the_frame_of_a_plan_has_its_numbers() -> None:
    plan = assay.plan(items=300, disagreement=0.1)
    rows = plan.to_frame("polars").to_dicts()
    assert [row["method"] for row in rows] == [each.method for each in plan.plans]
    first = rows[0]
    assert (first["items"], first["difference"], first["power"]) == (300, plan.plans[0].difference, plan.plans[0].power)
    assert first["solved"] == "difference"
    assert first["sentence"] == plan.plans[0].sentence


def test_the_level_of_a_margin_is_round() -> None:
    made = margin_test(lambda level: (-0.01, 0.01), 0.0, 0.05, True, 0.95)
    assert made.level == 0.9


def test_systems_of_delong_have_the_names_that_were_given() -> None:
    named = assay.delong(G, S, A, names=["new", "old"])
    assert [row["system"] for row in named.frame_rows()] == ["new", "old"]
    assert "new" in str(named)
    assert "scores 1" not in str(named)
    assert assay.delong(G, {"new": S, "old": A}).names == ("new", "old")
    assert assay.delong(G, {"new": S, "old": A}).z == assay.delong(G, S, A).z
    assert "scores 1" in str(assay.delong(G, S, A))
    assert "give 2 different names" in refusal(lambda: assay.delong(G, S, A, names=["x", "x"]))


# ---------------------------------------------------------------------- help
def test_every_argument_of_a_measure_of_preferences_is_explained() -> None:
    for name in ("win_rate", "bradley_terry"):
        lines = (getattr(assay, name).__doc__ or "").splitlines()
        parameters = lines[lines.index("----------") + 1 : lines.index("Returns") - 1]
        assert [line for line in parameters if ":" not in line and not line.startswith(" ")] == []


def test_the_help_of_the_package_begins_with_what_it_does() -> None:
    for name in ("compare", "evaluate", "classification_report", "compare_systems", "estimate", "assert_no_worse"):
        assert f"{name}(" in (assay.__doc__ or "")
    for name in ("plan", "tune", "curves", "advise", "prefer"):
        assert f"{name}(" in (assay.__doc__ or "")


# ---------------------------------------------------------------------- where there is little room
@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("Expected cost, fn 5", "Cost, fn 5"),
        ("Expected cost, fn 5, total", "Cost, fn 5, total"),
        ("Expected cost, fn 5, normalized", "Cost, normalized"),
        ("Symmetric balanced accuracy", "Sym. balanced acc."),
        ("Accuracy", "Accuracy"),
    ],
)
def test_names_of_measures_are_shortened_by_words(name: str, brief: str) -> None:
    assert cut_measure(name, 18) == brief
    assert cut_measure(name, 40) == name


def test_answers_without_a_model_can_be_read_at_80_columns(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{'ab'[g]},{'ab'[p]}" for g, p in zip(G.tolist(), A.tolist(), strict=True))
    (here / "rows.csv").write_text(f"gold,pred\n{rows}\n", encoding="utf-8")
    shown = told(["evaluate", "rows.csv", "--positive", "a", "--cost-fp", "1", "--cost-fn", "5"], capsys)
    assert "guess in proportion" in shown
    assert "guess all equally" in shown
    assert "Cost, normalized" in shown
    assert "guessing…" not in shown
