"""Counts, weights, costs and values that are too large or too small: a right number, or one plain sentence."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import AssayError, DataError
from assay.jobs.count import count_file
from assay.jobs.question import Question
from assay.measures.labels.costs import break_even_threshold
from assay.sources.given import LARGEST, MOST_ITEMS, SMALLEST, whole
from assay.tally.labels import Confusion
from assay.tally.scores import Scored
from assay.uncertainty.values.compare import compare_values
from tests.engines.engines import Maker, engine

HUGE = 2**63 - 1
MATRIX = np.array([[40, 5, 3], [7, 30, 2], [1, 4, 20]])


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code = exit_code(arguments)
    printed = capsys.readouterr()
    assert "Infinity" not in printed.out
    assert "NaN" not in printed.out
    return code, printed.err


def counted(path: Path, *counts: str) -> Path:
    rows = zip(("a,a", "b,a", "b,b"), counts, strict=False)
    path.write_text("gold,pred,n\n" + "".join(f"{row},{n}\n" for row, n in rows))
    return path


# ---------------------------------------------------------------------- counts
@pytest.mark.parametrize("count", [str(HUGE), str(2**63), str(2**64), "1e19", "1e300", "1e999999999", str(2**53 + 1)])
def test_a_count_beyond_the_bound_is_refused_by_name(
    tmp_path: Path, count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = said(["evaluate", str(counted(tmp_path / "c.csv", count, "1")), "--count", "n"], capsys)
    assert code == 3
    assert f"c.csv: column 'n' has '{count}' in 1 row; a count is a whole number from 0 to 9,007,199" in error


def test_counts_are_exact_up_to_the_bound(tmp_path: Path) -> None:
    path = counted(tmp_path / "c.csv", str(MOST_ITEMS - 3), "2.0", "1e0")
    tally = count_file(path, Question(count="n")).first
    assert tally.n == MOST_ITEMS
    assert sorted(tally.counts.tolist()) == [1, 2, MOST_ITEMS - 3]


def test_counts_that_add_up_beyond_the_bound_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = counted(tmp_path / "c.csv", str(MOST_ITEMS - 3), "3", "1")
    code, error = said(["evaluate", str(path), "--count", "n"], capsys)
    assert code == 3
    assert "the rows of column 'n' stand for 9,007,199,254,740,993 items in all; counts may add up to at most" in error


@engine
@pytest.mark.parametrize("count", [2**53 + 1, 2**62, HUGE])
def test_counts_of_a_frame_are_bound_too(make: Maker, tmp_path: Path, count: int) -> None:
    data = make({"gold": ["a", "b"], "pred": ["a", "a"], "n": [count, 1]}, tmp_path)
    with pytest.raises(DataError, match="a count is a whole number from 0 to"):
        assay.evaluate(data, count="n")


@pytest.mark.parametrize("tp", [HUGE, 2**64, 10**400, MOST_ITEMS - 2])
def test_four_counts_beyond_the_bound_are_refused(tp: int, capsys: pytest.CaptureFixture[str]) -> None:
    code, error = said(["evaluate", "--tp", str(tp), "--fp", "1", "--fn", "1", "--tn", "1"], capsys)
    assert code == 3
    assert "items in all; counts may add up to at most 9,007,199,254,740,992" in error


def test_tallies_that_add_up_beyond_the_bound_are_refused() -> None:
    half = Confusion.from_counts(tp=MOST_ITEMS // 2, fp=0, fn=0, tn=0)
    assert (half + half).n == MOST_ITEMS
    with pytest.raises(DataError, match="the tallies have 13,510,798,882,111,488 items in all"):
        half + half + half


def test_a_matrix_of_counts_keeps_its_measures_when_all_counts_grow() -> None:
    small, large = (assay.evaluate(Confusion.from_matrix(table, list("abc"))) for table in (MATRIX, MATRIX * 2**45))
    assert [row.value for row in large.rows] == pytest.approx([row.value for row in small.rows], rel=1e-12)
    assert all(row.n > 2**50 for row in large.rows if row.measure == "accuracy")


@pytest.mark.parametrize("count", [1.5, -1, float("nan"), float("inf"), "3", True, None])
def test_what_is_no_count_is_refused(count: object) -> None:
    with pytest.raises(DataError, match=r"counts (must be|are) non-negative whole numbers"):
        Confusion.from_matrix(np.array([[count, 1], [1, 1]], dtype=object), ["a", "b"])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9007199254740993", 9007199254740993),
        ("3.0", 3),
        ("1e3", 1000),
        ("0e999999999", 0),
        ("1e-999999999", None),
        ("3.5", None),
        ("x", None),
        ("nan", None),
        ("inf", None),
        ("9" * 5000, None),
    ],
)
def test_whole_numbers_are_read_exactly(text: str, number: int | None) -> None:
    assert whole(text) == number


# ---------------------------------------------------------------------- weights, costs and values
@pytest.mark.parametrize("weight", ["1e308", "1e-320", "1e51", "1e-51", "inf", "nan", "-1"])
def test_an_extreme_weight_is_refused(tmp_path: Path, weight: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "w.csv"
    path.write_text(f"gold,pred,w\na,a,{weight}\nb,a,1\na,b,1\n")
    code, error = said(["evaluate", str(path), "--weight", "w"], capsys)
    assert code == 3
    assert f"w.csv: column 'w' has '{weight}' in 1 row; a weight is 0, or a number from 1e-50 to 1e50." in error
    for made in (Confusion.from_predictions, Scored.from_scores):
        with pytest.raises(DataError, match=r"a weight is 0, or a number from 1e-50 to 1e50|not finite"):
            made([0, 1, 1], [0, 1, 0], sample_weight=[1.0, float(weight), 1.0])


@pytest.mark.parametrize("size", [SMALLEST, LARGEST])
def test_weights_at_the_bound_give_what_weights_of_1_give(size: float) -> None:
    gold, pred, own = ["a", "a", "b", "b", "b"] * 8, ["a", "b", "b", "b", "a"] * 8, np.linspace(1, 2, 40)
    plain, scaled = (
        assay.evaluate({"gold": gold, "pred": pred, "w": w}, weight="w")
        for w in (own, own * size * (1 if size < 1 else 0.5))
    )
    for one, other in zip(plain.rows, scaled.rows, strict=True):
        wanted = [one.value, one.low, one.high]
        assert [other.value, other.low, other.high] == pytest.approx(wanted, rel=1e-6), one.measure


def test_weights_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="sample_weight has 2 values that are not numbers"):
        Confusion.from_predictions([0, 1], [0, 1], sample_weight=["x", "y"])


@pytest.mark.parametrize("cost", ["1e308", "1e-320", "inf", "nan"])
@pytest.mark.parametrize(
    "options",
    [["--cost-fp", "{}", "--cost-fn", "{}"], ["--costs", "costs.csv"], ["--measure", "expected_cost(fp={},fn=2)"]],
    ids=["two", "table", "measure"],
)
def test_an_extreme_cost_is_refused(
    tmp_path: Path, cost: str, options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("gold,pred\na,a\nb,a\na,b\nb,b\n")
    Path("costs.csv").write_text(f"gold,a,b\na,0,{cost}\nb,1,0\n")
    asked = [option.format(cost) for option in options]
    code, error = said(["evaluate", "p.csv", "--positive", "a", "--format", "json", *asked], capsys)
    assert code in (2, 3)
    assert "from 1e-50 to 1e50" in error
    with pytest.raises(AssayError, match="a cost is 0, or a number from 1e-50 to 1e50"):
        break_even_threshold(1.0, float(cost))


@pytest.mark.parametrize("values", [("1e308", "-1e308"), ("1e-320", "2e-320"), ("1e51", "1")])
def test_extreme_values_are_refused(
    tmp_path: Path, values: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "v.csv"
    path.write_text("x,y\n" + f"{values[0]},{values[1]}\n{values[1]},{values[0]}\n" * 3)
    code, error = said(["compare", str(path), "--value", "a=x", "--value", "b=y", "--format", "json"], capsys)
    assert code == 3
    assert "v.csv: the largest value of column 'x' is" in error
    assert "from 1e-50 to 1e50. Rescale the values, or take logarithms." in error
    a, b = (np.array([float(x) for x in some * 3]) for some in (values, values[::-1]))
    with pytest.raises(DataError, match="the largest value of A"):
        compare_values(a, b)


def test_small_values_beside_large_ones_are_no_matter(tmp_path: Path) -> None:
    a, b = np.array([1e-320, 3.0, 2.0, 5.0, 4.0, 4.5]), np.array([0.0, 1.0, 2.5, 3.0, 3.5, 2.0])
    assert compare_values(a, b).difference == pytest.approx((a - b).mean())


def test_scores_may_have_any_finite_size(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    # Only their order matters, and many classifiers give probabilities that are all but 0.
    score = [1e308, -1e308, 1e-320, 0.5, 0.7, 1.7e308, 0.2, 5e-324]
    pl.DataFrame({"gold": [1, 0, 0, 1, 1, 1, 0, 0], "s": score}).write_csv(tmp_path / "s.csv")
    assert said(["curve", str(tmp_path / "s.csv"), "--score", "s"], capsys) == (0, "")
    assert said(["tune", str(tmp_path / "s.csv"), "--score", "s", "--maximize", "f1"], capsys)[0] == 0


def test_scores_of_every_class_may_have_any_finite_size(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("gold,p_a,p_b\na,1e308,1e308\nb,-1e308,1e308\na,1e308,-1e308\nb,1e308,1.5e308\n")
    assert said(["evaluate", str(path), "--score", "m=p_{}", "--format", "json"], capsys)[0] == 0
    assert said(["advise", str(path)], capsys) == (0, "")
