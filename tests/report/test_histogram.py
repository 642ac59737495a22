"""A difference beside what chance alone gives: bars, interval and words are those of the draws and of the rows."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from assay.errors import OptionError
from assay.jobs.answers.results import Report
from assay.jobs.comparison.repeated import compare_repeated
from assay.jobs.comparison.systems import compare_systems
from assay.report.charts.distributions import Histogram, edges_of, histogram_of, shares_of
from assay.report.charts.dots import pair_chart
from assay.report.charts.drawing import COLORS
from assay.report.contents.blocks import Folded, Part, Prose, Table
from assay.report.page.parts.difference import difference_parts, draws_of
from assay.uncertainty.results import Comparison

HOSTILE = ("</script><script>document.title=1</script>", "<img src=x onerror=alert(1)> & \x07 “b”")
DRAWS = 999


def answers(n: int = 300, seed: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.4
    old, new = (np.where(rng.random(n) < right, truth, ~truth) for right in (0.81, 0.86))
    third = np.where(rng.random(n) < 0.6, truth, ~truth)
    named = {"gold": truth, "old": old, "new": new, "third": third}
    return {name: np.where(values, "yes", "no") for name, values in named.items()}


def compared(measure: str = "f1", names: tuple[str, ...] = ("new", "old"), **more: Any) -> Report:
    pred = dict(zip(names, ("new", "old", "third"), strict=False))
    options = {"n_resamples": DRAWS, **more}
    return compare_systems(answers(), gold="gold", pred=pred, positive="yes", measures=[measure], **options)


def of(report: Report) -> Comparison:
    assert report.contest is not None
    return report.contest.tested[0]


def part(report: Report) -> Part:
    (found,) = difference_parts(report, draws_of(report))
    return found


def drawing(report: Report) -> Any:
    (figure,) = (figure for block in part(report).blocks for figure in block.figures)
    return figure.drawing


def words(report: Report) -> str:
    """What the folded part says on how p was found."""
    folded = next(block for block in part(report).blocks if isinstance(block, Folded))
    return " ".join(text for block in folded.blocks if isinstance(block, Prose) for text in block.paragraphs)


def marks(spec: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [row for each in spec["layer"] if each["mark"]["type"] == kind for row in each["data"]["values"]]


def minus(text: str) -> str:
    return text.replace("-", "−")


# ---------------------------------------------------------------------- bars
@pytest.mark.parametrize("measure", ["f1", "accuracy", "mcc"])
def test_every_bar_is_the_share_of_draws_counted_one_by_one(measure: str) -> None:
    c = of(compared(measure))
    assert c.replicates is not None
    chart = drawing(compared(measure))
    assert isinstance(chart, Histogram)
    for shares, kind in ((chart.null, "null difference"), (chart.drawn, "difference")):
        assert shares is not None
        draws = c.replicates(kind).tolist()
        for i, share in enumerate(shares):
            inside = sum(chart.edges[i] <= x < chart.edges[i + 1] for x in draws)
            assert share * DRAWS == pytest.approx(inside)
        assert shares.sum() == pytest.approx(1)


def test_bars_of_a_measure_of_many_values_stand_around_round_numbers_with_0_in_the_middle_of_one() -> None:
    draws = np.random.default_rng(1).normal(0.03, 0.02, 5_000)
    edges = edges_of([draws], [0.0])
    width = edges[1] - edges[0]
    assert width * 1e4 == pytest.approx(round(width * 1e4))
    middles = (edges[1:] + edges[:-1]) / 2
    assert np.abs(middles).min() == pytest.approx(0, abs=1e-12)
    assert edges[0] < draws.min()
    assert draws.max() < edges[-1]


def test_bars_of_a_share_all_hold_as_many_possible_values_so_that_no_comb_appears() -> None:
    n, coins = 569, 36
    rng = np.random.default_rng(2)
    null = (2 * rng.binomial(coins, 0.5, 5_000) - coins) / n
    observed = (rng.binomial(coins, 0.7, 5_000) - rng.binomial(coins, 0.2, 5_000)) / n
    edges = edges_of([null, observed], [0.0])
    possible = np.arange(-coins, coins + 1, 2) / n
    held = [int(((possible >= a) & (possible < b)).sum()) for a, b in itertools.pairwise(edges)]
    inner = [
        count for count, a, b in zip(held, edges[:-1], edges[1:], strict=True) if -coins / n <= a and b <= coins / n
    ]
    assert len(set(inner)) == 1


def test_values_in_clumps_make_one_hill_and_no_comb() -> None:
    rng = np.random.default_rng(5)
    for apart in (0.0076, 0.0112, 0.0152, 0.0193):
        draws = apart * (rng.binomial(36, 0.5, 9_999) - 18) + rng.normal(0, 0.1 * apart, 9_999)
        shares = shares_of(draws, edges_of([draws], [0.0]))
        top = int(shares.argmax())
        noise = 4 * np.sqrt(shares.max() / 9_999)
        assert (np.diff(shares[: top + 1]) > -noise).all()
        assert (np.diff(shares[top:]) < noise).all()


def test_draws_that_are_undefined_are_in_no_bar_and_still_count() -> None:
    shares = shares_of(np.array([0.1, 0.1, np.nan, 0.3]), np.array([0.0, 0.2, 0.4]))
    assert shares.tolist() == [0.5, 0.25]


# ---------------------------------------------------------------------- what chance gives
def test_gray_bars_of_mcnemars_test_are_fair_coins_for_items_that_one_system_alone_got_right() -> None:
    c = of(compared("accuracy", test="mcnemar", n_resamples=9_999))
    assert c.replicates is not None
    assert c.effect.only_a is not None
    assert c.effect.only_b is not None
    coins = c.effect.only_a + c.effect.only_b
    heads = np.round((c.replicates("null difference") * c.n + coins) / 2).astype(int)
    seen = np.bincount(heads, minlength=coins + 1)
    expected = 9_999 * stats.binom.pmf(np.arange(coins + 1), coins, 0.5)
    large = expected >= 5
    statistic = ((seen - expected)[large] ** 2 / expected[large]).sum()
    assert stats.chi2.sf(statistic, large.sum() - 1) > 1e-3


def test_gray_bars_of_f1_are_those_of_answers_exchanged_row_by_row() -> None:
    table = answers()
    gold, a, b = (table[name] == "yes" for name in ("gold", "new", "old"))
    rng = np.random.default_rng(9)

    def f1(pred: Any) -> float:
        return float(2 * (gold & pred).sum() / (gold.sum() + pred.sum()))

    naive = []
    for _ in range(2_000):
        coin = rng.random(len(gold)) < 0.5
        naive.append(f1(np.where(coin, b, a)) - f1(np.where(coin, a, b)))
    c = of(compared("f1", n_resamples=2_000))
    assert c.replicates is not None
    assert c.is_studentized
    assert stats.ks_2samp(c.replicates("null difference"), naive).pvalue > 1e-3


def test_gray_bars_of_the_bootstrap_are_its_draws_moved_to_0() -> None:
    c = of(compared("f1", test="bootstrap"))
    assert c.replicates is not None
    assert c.difference is not None
    np.testing.assert_allclose(c.replicates("null difference"), c.replicates("difference") - c.difference)


def test_signed_ranks_suppose_that_differences_may_change_their_signs() -> None:
    d = np.array([0.3, -0.1, 0.2, 0.4])
    table = {"s": list("abcd"), "x": 0.5 + d, "y": np.full(4, 0.5)}
    c = of(compare_repeated(table, values=["x", "y"], datasets="s", n_resamples=400))
    assert c.test == "wilcoxon"
    assert c.replicates is not None
    every = {round(float((signs * d).mean()), 9) for signs in np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1).T}
    assert {round(float(x), 9) for x in c.replicates("null difference")} == every


def test_fewer_draws_are_made_where_each_takes_long_and_none_where_they_would_show_nothing() -> None:
    c = of(compared("f1"))
    assert c.replicates is not None
    assert len(c.replicates("difference", 1_000_000)) == DRAWS
    table = answers()
    kinds = len(set(zip(table["gold"], table["new"], table["old"], strict=True)))
    for kind in ("difference", "null", "null difference"):
        assert len(c.replicates(kind, 500 * kinds)) == 500
    with pytest.raises(OptionError, match="takes too long"):
        c.replicates("difference", 100)


# ---------------------------------------------------------------------- the chart
def test_the_interval_and_the_dot_are_those_of_the_row() -> None:
    report = compared("f1")
    row = next(row for row in report.rows if row.quantity == "difference")
    spec = drawing(report).spec()
    assert {"x": pytest.approx(row.low, rel=1e-5), "x2": pytest.approx(row.high, rel=1e-5)} in marks(spec, "rule")
    assert {"x": pytest.approx(row.value, rel=1e-5)} in marks(spec, "point")
    said = [text["t"] for text in marks(spec, "text")]
    assert minus(f"{row.value:+.2f} (95% {row.low:+.2f} to {row.high:+.2f})") in said


def test_the_words_for_those_who_cannot_see_give_the_numbers_of_the_rows_and_of_the_draws() -> None:
    report = compared("f1")
    c = of(report)
    assert c.replicates is not None
    told = drawing(report).description
    assert minus(f"is {c.difference:+.2f}, with a 95% interval from {c.low:+.2f} to {c.high:+.2f}") in told
    low, high = np.quantile(c.replicates("null difference"), [0.025, 0.975])
    assert minus(f"95% of them between {low:+.2f} and {high:+.2f}") in told


def test_colors_are_those_that_a_page_can_replace_and_hostile_names_stay_text() -> None:
    report = compared("f1", names=HOSTILE)
    chart = drawing(report)
    used = {word for word in json.dumps(chart.spec()).replace('"', " ").split() if word.startswith("#")}
    assert used <= set(COLORS.values())
    for text in (chart.inline(), chart.svg()):
        assert "<script" not in text
        assert "<img" not in text
        assert "\x07" not in text
    assert "<script" not in report.to_html().partition("<body")[2].replace('<script>"use strict"', "")


# ---------------------------------------------------------------------- the words
def test_the_page_says_how_many_draws_lie_as_far_out() -> None:
    report = compared("accuracy", test="bootstrap")
    c = of(report)
    assert c.replicates is not None
    assert c.difference is not None
    far = sum(abs(x) >= abs(c.difference) - 1e-12 for x in c.replicates("null difference").tolist())
    assert far > 0
    assert f"{far:,} of {DRAWS:,} of them" in words(report)


def test_an_exact_p_value_is_not_said_to_be_counted_from_the_draws() -> None:
    assert "not counted from these draws: it is exact" in words(compared("accuracy", test="randomization"))
    assert "it comes from the mid-p McNemar test" in words(compared("accuracy"))


def test_the_page_says_who_alone_was_right_how_often() -> None:
    table = answers()
    right = {name: table[name] == table["gold"] for name in ("new", "old")}
    new, old = (int((right[a] & ~right[b]).sum()) for a, b in (("new", "old"), ("old", "new")))
    said = f"Of {new + old} rows that exactly one of the two got right, new got {new} and old {old}."
    assert said in words(compared("f1"))


def test_a_test_that_supposes_nothing_to_draw_shows_the_difference_alone() -> None:
    chart = drawing(compared("f1", test="interval"))
    assert isinstance(chart, Histogram)
    assert chart.null is None
    assert chart.drawn is not None


def test_folds_are_not_drawn_and_the_page_says_why() -> None:
    table = {"f": list("abcde"), "x": [0.8, 0.82, 0.79, 0.81, 0.84], "y": [0.78, 0.8, 0.8, 0.77, 0.79]}
    found = part(compare_repeated(table, values=["x", "y"], folds="f"))
    folded = next(block for block in found.blocks if isinstance(block, Folded))
    assert not list(folded.figures)
    prose = [block for block in folded.blocks if isinstance(block, Prose)]
    assert "share training data" in prose[-1].paragraphs[0]


def test_systems_that_answer_alike_have_no_draws() -> None:
    table = {**answers(), "same": answers()["new"]}
    report = compare_systems(table, gold="gold", pred=["new", "same"], positive="yes", measures=["f1"])
    c = of(report)
    assert c.replicates is not None
    assert histogram_of(c, c.replicates("null difference"), c.replicates("difference")) is None
    assert not [figure for block in part(report).blocks for figure in block.figures]


# ---------------------------------------------------------------------- many systems
def test_every_pair_has_its_difference_and_interval_and_a_hollow_dot_where_nothing_is_shown() -> None:
    report = compared("f1", names=("new", "old", "third"))
    assert report.contest is not None
    chart = pair_chart(report.contest.tested)
    assert chart is not None
    for c, line in zip(report.contest.tested, chart.lines, strict=True):
        (dot,) = line.dots
        assert (dot.value, dot.low, dot.high) == (c.difference, c.low, c.high)
        assert dot.hollow == (c.outcome == "no difference shown")
    many = sum(c.outcome in ("better", "worse") for c in report.contest.tested)
    assert part(report).title == f"{many} of 3 differences in F1 are larger than chance would explain"


def test_of_many_pairs_those_that_differ_most_are_drawn_and_all_are_in_the_table() -> None:
    rng = np.random.default_rng(3)
    table = {"s": [str(i) for i in range(8)]} | {f"m{i}": rng.normal(0.1 * i, 0.05, 8) for i in range(7)}
    report = compare_repeated(table, values=[f"m{i}" for i in range(7)], datasets="s", n_resamples=200)
    assert report.contest is not None
    chart = pair_chart(report.contest.tested)
    assert chart is not None
    assert len(chart.lines) == 15
    least = min(abs(line.dots[0].value) for line in chart.lines)
    assert sum(abs(c.difference or 0) > least for c in report.contest.tested) == 14
    found = part(report)
    assert "The 15 largest of 21 differences are drawn" in found.lead[1]
    folded = next(block for block in found.blocks if isinstance(block, Folded))
    assert [len(block.section.rows) for block in folded.blocks if isinstance(block, Table)] == [21]
