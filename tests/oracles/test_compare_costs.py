"""Two systems compared by what their errors cost: against sums over rows and SciPy's permutation test."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import assay
from assay.cli.main import exit_code

FP, FN = 1.0, 20.0
Said = pytest.CaptureFixture[str]


def rows(n: int = 240) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    gold = rng.random(n) < 0.3
    old = gold ^ (rng.random(n) < 0.2)
    new = np.where(gold, rng.random(n) < 0.93, rng.random(n) < 0.25)
    return {name: column.astype(int) for name, column in (("gold", gold), ("old", old), ("new", new))}


def costs_of_rows(table: dict[str, Any], system: str) -> Any:
    gold, said = table["gold"], table[system]
    return FP * ((gold == 0) & (said == 1)) + FN * ((gold == 1) & (said == 0))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    table = rows()
    with Path("t.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(table), *zip(*table.values(), strict=True)])
    Path("costs.csv").write_text(f",0,1\n0,0,{FP}\n1,{FN},0\n", encoding="utf-8")
    Path("folds.csv").write_text("fold,old,new\n1,0.5,0.6\n2,0.4,0.6\n", encoding="utf-8")
    return "t.csv"


def compared(**more: Any) -> Any:
    return assay.compare_systems(rows(), pred=["old", "new"], costs={"fp": FP, "fn": FN}, **more).contest


def test_the_difference_is_that_of_the_mean_cost_over_rows() -> None:
    table = rows()
    (c,) = compared().tested
    old, new = (costs_of_rows(table, name) for name in ("old", "new"))
    assert c.a.measure == "expected_cost(fn=20)"
    assert (c.a.value, c.b.value) == pytest.approx((old.mean(), new.mean()))
    assert c.difference == pytest.approx((old - new).mean())
    # The interval of a mean of paired differences is about that of Student, and holds the difference.
    error = stats.sem(old - new) * stats.t.ppf(0.975, len(old) - 1)
    assert c.low < c.difference < c.high
    assert (c.high - c.low) / 2 == pytest.approx(error, rel=0.1)


def test_its_p_value_is_that_of_exchanging_the_costs_of_every_row() -> None:
    table = rows()
    (c,) = compared().tested
    pair = tuple(costs_of_rows(table, name) for name in ("old", "new"))
    theirs = stats.permutation_test(
        pair,
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=19_999,
        rng=np.random.default_rng(1),
    ).pvalue
    assert c.p_value == pytest.approx(theirs, abs=4 * np.sqrt(theirs * (1 - theirs) / 19_999) + 1e-4)


def test_lower_costs_are_better() -> None:
    contest = assay.compare_systems(rows(1200), pred=["old", "new"], costs={"fp": FP, "fn": FN}).contest
    assert contest is not None
    (c,) = contest.tested
    old, new = (costs_of_rows(rows(1200), name).sum() for name in ("old", "new"))
    assert old > 1.5 * new
    assert c.higher_is_better is False
    assert c.outcome == "worse"


def test_costs_are_what_is_tested_unless_something_else_is_named() -> None:
    def tested(**more: Any) -> str:
        return str(compared(**more).primary)

    assert tested() == "expected_cost(fn=20)"
    assert tested(primary="f1") == "f1"
    assert tested(measures=["accuracy", "f1"]) == "accuracy"
    assert tested(primary="expected_cost") == "expected_cost(fn=20)"
    assert tested(primary="expected_cost(of=total)") == "expected_cost(fn=20,of=total)"
    assert tested(primary="expected_cost(fp=3)") == "expected_cost(fp=3)"


def test_beside_another_measure_the_cost_is_shown_with_its_interval() -> None:
    contest = compared(measures=["accuracy"])
    (other,) = contest.others
    assert other.a.measure == "expected_cost(fn=20)"
    assert other.low is not None
    assert other.p_value is None


def test_the_command_line_takes_costs_by_name_and_from_a_file(file: str, capsys: Said) -> None:
    values = []
    for how in (["--cost-fp", "1", "--cost-fn", "20"], ["--costs", "costs.csv"]):
        systems = ["--pred", "old", "--pred", "new", *how, "--format", "json", "--out", "report.json"]
        assert exit_code(["compare", file, *systems]) == 0
        assert exit_code(["verify", "report.json", file]) == 0
        stored = json.loads(Path("report.json").read_text(encoding="utf-8"))
        (cost, *_) = [row for row in stored["rows"] if row["quantity"] == "difference"]
        values.append((cost["value"], cost["low"], cost["high"], cost["p"]))
    capsys.readouterr()
    assert values[0] == pytest.approx(values[1])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cost-fp", "1"], "a cost is missing: 'fn'"),
        (["--cost-fp", "1", "--cost-fn", "2", "--costs", "costs.csv"], "give either --costs"),
        (["--cost-fp", "-1", "--cost-fn", "2"], "cost_fp is -1.0; a cost is 0, or a number"),
        (["--costs", "costs.csv", "--out", "costs.csv"], "is an input; choose another output file"),
    ],
)
def test_costs_that_make_no_sense_are_refused(words: list[str], message: str, file: str, capsys: Said) -> None:
    assert exit_code(["compare", file, "--pred", "old", "--pred", "new", *words]) in (2, 3)
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("file")
def test_values_that_were_measured_elsewhere_have_no_costs(capsys: Said) -> None:
    words = ["--value", "old", "--value", "new", "--folds", "fold", "--cost-fp", "1", "--cost-fn", "2"]
    assert exit_code(["compare", "folds.csv", *words]) == 2
    assert "--costs (or --cost-fp) applies to answers to single rows" in capsys.readouterr().err
