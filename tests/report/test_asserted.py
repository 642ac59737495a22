"""Assertions for test suites: what passes, what fails, and the paragraph that a failing test shows."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import beta, norm
from sklearn.metrics import accuracy_score

import assay
from assay.cli.main import exit_code

GOLD = [0, 1] * 50
PRED = [0, 1] * 40 + [1, 0] * 10  # 80 of 100 are right


def clopper_pearson(hits: int, n: int) -> tuple[float, float]:
    return float(beta.ppf(0.025, hits, n - hits + 1)), float(beta.ppf(0.975, hits + 1, n - hits))


def test_a_value_passes_fails_or_stays_open_by_the_whole_interval() -> None:
    low, high = clopper_pearson(80, 100)
    found = assay.assert_at_least(GOLD, PRED, measure="accuracy", value=low - 1e-6)
    assert found.value == accuracy_score(GOLD, PRED)
    assert found.limits == pytest.approx((low, high))
    with pytest.raises(AssertionError, match=r"^undecided: .* whether accuracy is at least 0\.8\. accuracy 0\.80"):
        assay.assert_at_least(GOLD, PRED, measure="accuracy", value=0.8)
    with pytest.raises(AssertionError, match=r"^accuracy is below 0\.95\. accuracy 0\.80 \(95% 0\.71 to 0\.87"):
        assay.assert_at_least(GOLD, PRED, measure="accuracy", value=0.95)
    assert assay.assert_at_least(GOLD, PRED, measure="accuracy", value=0.8, undecided="pass") == found
    assert assay.assert_at_least(GOLD, PRED, measure="accuracy", value=0.8, gate_on="estimate").value == 0.8


def test_where_lower_is_better_the_value_is_an_upper_limit() -> None:
    assay.assert_at_least(GOLD, PRED, measure="error_rate", value=0.4)
    with pytest.raises(AssertionError, match=r"^error_rate is above 0\.1\."):
        assay.assert_at_least(GOLD, PRED, measure="error_rate", value=0.1)


def test_an_undefined_value_fails_with_its_reason() -> None:
    with pytest.raises(AssertionError, match="f1 is undefined: the class has neither gold nor predicted items"):
        assay.assert_at_least([0, 0], [0, 0], measure="f1", pos_label=1, value=0.5)


def test_a_value_that_the_measure_cannot_have_is_refused() -> None:
    with pytest.raises(assay.OptionError, match=r"value is 80, outside the range of f1, which is 0 to 1\. .*0\.8\?"):
        assay.assert_at_least(GOLD, PRED, measure="f1", value=80)


def test_one_label_of_a_conventional_pair_is_undefined_for_measures_and_estimates_alike() -> None:
    for options in ({}, {"pos_label": 1}):
        more: dict[str, Any] = dict(options)
        assert str(assay.f1([0, 0, 0], [0, 0, 0], **more)) == "nan"
        assert assay.estimate("f1", [0, 0, 0], [0, 0, 0], **more).reason is not None
    with pytest.raises(assay.DataError, match="no item has the label '7'"):
        assay.estimate("f1", [0, 0, 0], [0, 0, 0], pos_label=7)


def test_a_missing_attribute_or_keyword_names_the_one_that_is_meant() -> None:
    estimate: Any = assay.estimate("f1", GOLD, PRED)
    comparison: Any = assay.compare(GOLD, PRED, GOLD, measure="accuracy")
    for found, name, meant in (
        (estimate, "lower", "low"),
        (estimate, "ci", "limits"),
        (comparison, "pvalue", "p_value"),
    ):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'. Did you mean '{meant}'?"):
            getattr(found, name)
    wrong: dict[str, Any] = {"normalise": "true"}
    with pytest.raises(
        assay.OptionError, match=r"confusion_matrix has no option normalise=\. Did you mean normalize=\?"
    ):
        assay.confusion_matrix(GOLD, PRED, **wrong)
    for function in (assay.classification_report, assay.delong):
        with pytest.raises(assay.OptionError, match="has no option normalise="):
            function(GOLD, PRED, **wrong)


def test_costs_are_understood_as_two_numbers_and_as_one_mapping() -> None:
    table: Any = {"gold": GOLD, "pred": PRED, "p": [0.1 + 0.8 * each for each in PRED]}
    two: dict[str, Any] = {"cost_fp": 1, "cost_fn": 5}
    one: dict[str, Any] = {"costs": {"fp": 1, "fn": 5}}
    named: dict[str, Any] = {"gold": "gold", "positive": 1}
    reports = [assay.evaluate(table, pred="pred", **named, **costs).to_json() for costs in (two, one)]
    assert reports[0] == reports[1]
    tuned = [assay.tune(table, scores="p", n_resamples=199, **named, **costs).to_text() for costs in (two, one)]  # type: ignore[call-arg]
    assert tuned[0] == tuned[1]
    with pytest.raises(assay.OptionError, match="not both"):
        assay.evaluate(table, pred="pred", **named, **one, **two)


def test_a_sweep_has_the_cost_that_was_asked_for_and_no_other() -> None:
    table = {"gold": GOLD, "p": [0.1 + 0.8 * each for each in PRED]}
    found = assay.tune(table, gold="gold", score="p", positive=1, cost_fp=1, cost_fn=5, n_resamples=199)
    names = found.sweep.to_csv().splitlines()[0].split(",")
    assert [name for name in names if name.startswith("expected_cost")] == ["expected_cost(fn=5)"]


@pytest.mark.parametrize("margin", [0.01, 0.02, 0.05])
def test_systems_that_always_agree_are_told_how_many_rows_would_settle_a_gate(margin: float) -> None:
    few = [0, 1] * 10
    with pytest.raises(AssertionError, match=r"If they go on giving the same answers, ([\d,]+) rows would") as failed:
        assay.assert_no_worse(few, few, few, measure="accuracy", margin=margin)
    enough = int(str(failed.value).split("same answers, ")[1].split()[0].replace(",", ""))
    for n, passes in ((enough, True), (enough - 1, False)):
        rows = [i % 2 for i in range(n)]
        assert (assay.compare(rows, rows, rows, measure="accuracy").limits[0] >= -margin) == passes
    assert enough == pytest.approx(norm.ppf(0.975) ** 2 * (1 / margin - 1), abs=1)


def test_a_gate_on_systems_that_always_agree_says_so_on_the_command_line(tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "preds.csv"
    path.write_text("gold,a,b\n" + "1,1,1\n0,0,0\n" * 20)
    words = ["compare", str(path), "--pred", "a", "--pred", "b", "--primary", "accuracy", "--no-worse-than", "b:0.01"]
    assert exit_code(words) == 1
    assert "If they go on giving the same answers, 381 rows would settle it" in " ".join(
        capsys.readouterr().err.split()
    )
