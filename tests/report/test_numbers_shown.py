"""Numbers as they are written never say what the numbers themselves do not: no limit on a side where it is not."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest

import assay
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import interval
from assay.texts import decimals, numeral, p_number, reach, signed
from assay.uncertainty.results import is_found

USUAL = (0.2, 0.1, 0.05, 0.01, 0.001)


# ---------------------------------------------------------------------- p-values
@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.050102, "0.0501"),
        (0.0499, "0.0499"),
        (0.05, "0.05"),
        (1 - 0.95, "0.05"),
        (1 - 0.9, "0.1"),
        (0.00999, "0.00999"),
        (0.0104, "0.0104"),
        (0.0300, "0.03"),
        (0.2345, "0.23"),
        (0.000999, "0.000999"),
        (0.00002345, "2.3e-05"),
        (4e-12, "< 1e-9"),
        (0.9999, "1"),
    ],
)
def test_a_p_value_has_two_digits_or_as_many_as_keep_it_on_its_side(p: float, shown: str) -> None:
    assert p_number(p) == shown


def test_no_p_value_is_written_on_the_other_side_of_a_usual_number() -> None:
    rng = random.Random(0)
    for _ in range(3000):
        alpha = rng.choice(USUAL)
        p = alpha * (1 + rng.choice((-1, 1)) * 10 ** rng.uniform(-6, -1))
        shown = Fraction(p_number(p))
        assert (shown > Fraction(str(alpha))) == (p > alpha)
        assert (shown < Fraction(str(alpha))) == (p < alpha)


def test_an_unusual_level_has_its_own_side_too() -> None:
    assert p_number(0.0303) == "0.03"
    assert p_number(0.0303, 0.97) == "0.0303"


def test_a_comparison_never_prints_alpha_for_a_p_value_above_it() -> None:
    # 8 disagreements against 21: mid-p is 0.0166; searched below for one just above .05.
    found = []
    for only_b in range(40):
        for only_a in range(only_b):
            gold = [1] * (only_a + only_b)
            a, b = [1] * only_a + [0] * only_b, [0] * only_a + [1] * only_b
            if only_a + only_b > 5 and 0.05 < _mid_p(only_a, only_b) < 0.0505:
                found.append(assay.compare(gold, a, b, measure="accuracy", labels=[0, 1]))
    assert found
    for c in found:
        assert c.p_value is not None
        assert not is_found(c.p_value, 0.95)
        assert "p = 0.05 " not in str(c)
        assert "p = 0.050" in str(c)


def _mid_p(x: int, y: int) -> float:
    """McNemar's two-sided mid-p by its definition, in whole numbers."""
    from math import comb

    n, low = x + y, min(x, y)
    return float(Fraction(2 * sum(comb(n, i) for i in range(low)) + comb(n, low), 2**n))


# ---------------------------------------------------------------------- limits
def test_limits_of_ratios_stay_on_their_side_of_one() -> None:
    small = assay.Confusion.from_counts(tp=2, fp=1, fn=1, tn=5)
    assert "95% 0.5 to 27" in str(assay.estimate("diagnostic_odds_ratio", small))
    assert "95% 0.7 to 3" in str(assay.estimate("lr_plus", small))


def test_limits_of_shares_reach_an_end_only_if_they_are_it() -> None:
    gold, pred = [1] * 200 + [0] * 50, [1] * 199 + [0] * 51
    recall, fnr = (assay.estimate(name, gold, pred) for name in ("recall", "fnr"))
    assert recall.high is not None
    assert recall.high == pytest.approx(0.99975, abs=2e-5)  # mid-P, of 199 out of 200
    assert "to 0.9997," in str(recall)
    assert "95% 0.0003 to" in str(fnr)
    perfect = assay.estimate("recall", gold, gold)
    assert "to 1.000," in str(perfect)
    shown = str(assay.evaluate(gold, pred, measures=["recall", "fnr"]))
    assert "0.976 – 0.9997" in shown
    assert "0.976 – 1.000" not in shown


def test_a_limit_keeps_off_the_value_without_a_model() -> None:
    row = Row("s", "accuracy", value=0.56, low=0.5004, high=0.62, no_skill=0.5)
    assert interval(row) == "0.5004 – 0.62"
    assert interval(Row("s", "accuracy", value=0.56, low=0.5, high=0.62, no_skill=0.5)) == "0.50 – 0.62"
    assert interval(Row("s", "accuracy", value=0.56, low=0.4996, high=0.62, no_skill=0.5)) == "0.4996 – 0.62"


@pytest.mark.parametrize("special", [0.0, 1.0, -1.0])
def test_no_number_is_written_as_zero_or_one_unless_it_is(special: float) -> None:
    rng = random.Random(1)
    for _ in range(2000):
        value = special + rng.choice((-1, 1)) * 10 ** rng.uniform(-8.5, -1)
        text = numeral(value, f".{rng.randrange(6)}f").replace("−", "-")
        assert (float(text) > special) == (value > special)
        assert (float(text) < special) == (value < special)


def test_limits_of_differences_stay_on_their_side_of_zero() -> None:
    assert reach(0.0004, 0.31) == "from +0.0004 to +0.31"
    assert reach(-0.31, -0.0004) == "from −0.31 to −0.0004"
    assert reach(-0.31, 0.0) == "from −0.31 to 0.00"
    assert signed(0.996, 2) == "+1.00"  # one is nothing special among differences


# ---------------------------------------------------------------------- small scales
def test_decimals_beyond_six_are_written_with_an_exponent() -> None:
    assert decimals(-3.2e-11, 1.2e-10) == 11
    assert numeral(1.234e-10, ".11f") == "1.2e-10"
    assert numeral(-1.234e-10, ".12f") == "−1.23e-10"
    assert signed(1.234e-10, 11) == "+1.2e-10"
    assert signed(0.0, 11) == "0"
    assert decimals(0.5, 0.5 + 1e-8) == 6  # a normal number keeps its form


def test_values_on_a_small_scale_are_told_as_on_a_large_one() -> None:
    rng = random.Random(0)
    a, b = ([rng.gauss(mean, 1) for _ in range(30)] for mean in (5.0, 4.5))
    large, small = (assay.compare_values([x * by for x in a], [x * by for x in b]) for by in (1, 2**-33))
    assert small.p_value == large.p_value
    assert "0.000000" not in str(small)
    mean, other, apart, low, high = (float(x.replace("−", "-")) for x in _five(str(small)))
    assert small.a.value == pytest.approx(mean, rel=0.05)
    assert small.b.value == pytest.approx(other, rel=0.05)
    assert small.difference == pytest.approx(apart, rel=0.2)
    assert (small.low, small.high) == pytest.approx((low, high), rel=0.2)


def _five(text: str) -> tuple[str, ...]:
    number = r"([−+]?[\d.]+e-\d+)"
    found = re.search(rf"mean {number} vs\. {number}: difference {number} \(95% {number} to {number}\)", text)
    assert found is not None, text
    return found.groups()


def test_tables_of_values_on_a_small_scale_show_them() -> None:
    rng = random.Random(0)
    table = {"d": [f"d{i}" for i in range(8)]}
    values = {name: [rng.gauss(5e-10 + 3e-11 * k, 1e-10) for _ in range(8)] for k, name in enumerate("wxyz")}
    data = {**table, **values}
    for report in (
        assay.compare_repeated(data, values=list(values), folds="d"),
        assay.compare_repeated(data, values=list(values), datasets="d"),
    ):
        text = report.to_markdown()
        assert not re.search(r"\| 0\.0+\b", text), text
        assert "e-10" in text


# ---------------------------------------------------------------------- numbers next to each other
def test_values_have_the_decimals_of_their_difference_on_the_page_and_in_a_terminal() -> None:
    report = assay.compare_repeated("src/assay/data/examples/c45.csv", values=["c45", "c45_m_cf"], datasets="data_set")
    assert "mean ● 0.805 vs. ◆ 0.827: difference −0.022" in report.to_text().replace("\u00a0", " ")
    page = report.to_html()
    assert "<b>0.805</b>" in page
    assert "<b>0.827</b>" in page


def test_a_difference_has_the_decimals_that_both_of_its_values_have() -> None:
    text = assay.prefer("src/assay/data/examples/arena.csv").to_text()
    first = next(line for line in text.splitlines() if line.startswith(" ● atlas") and "?" in line)
    assert re.findall(r"\+\d\.\d+", first) == ["+0.16", "+0.21", "+0.51", "+1.33", "+1.72"]


def test_the_baseline_has_one_rounding_on_the_page_of_a_threshold() -> None:
    found = assay.tune(
        "src/assay/data/examples/cancer_dev.csv",
        gold="gold",
        score="score",
        positive="malignant",
        cost_fp=1,
        cost_fn=20,
        check="src/assay/data/examples/cancer_test.csv",
    )
    assert found.page().heading.endswith("cost 0.20, no model 0.61.")
    assert "no model 0.61 ▸" in found.to_html()
